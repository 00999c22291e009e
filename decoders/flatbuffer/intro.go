package flatbuffer

import (
	"context"
	"fmt"

	"cutaway/model"
)

// mostFields is the most fields of a table that are counted.
const mostFields = 64

// TableIntro introduces a table by the number of its fields that are written.
func TableIntro(ctx context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if n.Children == nil || n.Elements || n.IsPending() {
		return in
	}
	count, exact := n.Children.Len(ctx)
	if !exact || count > mostFields {
		return in
	}
	var fields, absent int64
	isTable := p.Segments()[0].Node.Name == fieldsName
	for i := range count {
		c := n.Children.At(ctx, i)
		if _, isIndex := model.ParseIndex(c.Name); isIndex {
			return in // a vector
		}
		switch {
		case c.Name == vtableOffsetName:
			isTable = true
			continue
		case c.Role != model.Explained:
			continue
		case c.Absent:
			absent++
		}
		fields++
	}
	if !isTable || fields == 0 {
		return in
	}
	in.Sentence = fmt.Sprintf("%s: %d of %s written", n.Type, fields-absent, model.GroupedCount(fields, "field"))
	if p.Parent != nil {
		in.Sentence += ", in " + p.Parent.Label()
	}
	in.Sentence += "."
	return in
}
