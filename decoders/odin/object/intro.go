package object

import (
	"context"
	"strings"

	"cutaway/model"
)

// Intro introduces an object, a value or a reference.
func Intro(_ context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if p.Parent == nil || n.Type == "" {
		return in
	}
	within := ", in " + p.Parent.Title() + "."
	if p.Parent.Parent == nil {
		within = ", the root of the data."
	}
	number, size, numbered := strings.Cut(n.Brief, ", ")
	switch {
	case strings.HasPrefix(n.Brief, "→"):
		in.Sentence = "A reference to " + strings.TrimSpace(strings.TrimPrefix(n.Brief, "→")) + ", a " + n.Type + within
	case numbered && strings.HasPrefix(number, "#"):
		in.Sentence = n.Type + " of " + size + within
		in.Facts = model.Say(in.Facts, "object", number)
	case n.Value != nil:
		in.Sentence = "Value of type " + n.Type + within
	}
	return in
}
