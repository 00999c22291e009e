package omnilive

import (
	"context"
	"strings"

	"cutaway/model"
)

// commandIntro introduces a command by its target and its outcome.
func commandIntro(ctx context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if p.Parent == nil {
		in.Sentence = "The commands of the layer in the order in which they are applied."
		return in
	}
	if p.Parent.Parent != nil || n.Type == "" {
		return in
	}
	outcome, what, _ := strings.Cut(n.Brief, " · ")
	value := func(name string) string {
		i, ok := model.IndexOf(ctx, n.Children, name)
		if !ok {
			return ""
		}
		c := n.Children.At(ctx, i)
		return model.Show(ctx, c.Value, summedWidth)
	}
	path, kind := "", ""
	if n.Children != nil {
		path, kind = value("sectionId path"), value("sectionType")
	}
	in.Title = strings.TrimSpace(n.Type + " " + path)
	switch {
	case n.Type == "CreateSection" && path == "/":
		in.Sentence = "CreateSection made the root of the layer."
	case n.Type == "CreateSection" && path != "":
		in.Sentence = "CreateSection made " + path + ", a " + kind + "."
	case what != "":
		in.Sentence = n.Type + ": " + what + "."
	default:
		in.Sentence = n.Type + "."
	}
	if outcome != "" {
		in.Sentence += " " + strings.ToUpper(outcome[:1]) + outcome[1:] + "."
	}
	return in
}
