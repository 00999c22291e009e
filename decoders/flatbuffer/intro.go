package flatbuffer

import (
	"context"
	"fmt"
	"strings"

	"cutaway/model"
)

// mostNamed is the number of fields of a table that are looked at.
const mostNamed = 64

// fieldsIntro introduces a table by how many of its fields are written, and names the others.
func fieldsIntro(ctx context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if n.Children == nil || n.Elements || n.IsPending() {
		return in
	}
	count, exact := n.Children.Len(ctx)
	var absent []string
	for i := range min(count, mostNamed) {
		c := n.Children.At(ctx, i)
		if _, isIndex := model.ParseIndex(c.Name); isIndex {
			return in // a vector
		}
		if isAbsent(&c) {
			text := c.Name
			if _, none := c.Value.(model.None); !none {
				text += " = " + model.ShowHeld(c.Value, 20)
			}
			absent = append(absent, text)
		}
	}
	if !exact || count > mostNamed || count == 0 {
		return in
	}
	in.Sentence = fmt.Sprintf("%s: %d of %d fields written", n.Type, count-int64(len(absent)), count)
	if p.Parent != nil {
		in.Sentence += ", in " + p.Parent.Label()
	}
	in.Sentence += "."
	in.Facts = model.Say(in.Facts, "not written", strings.Join(absent, ", "))
	return in
}

// isAbsent reports whether a node is of a field that the table does not have.
func isAbsent(n *model.Node) bool { return len(n.Spans) == 0 && strings.HasPrefix(n.Help, "absent") }
