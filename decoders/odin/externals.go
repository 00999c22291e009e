package odin

import (
	"context"

	"cutaway/model"
)

// An external is an object outside of the stream.
type external struct {
	text string // as the carrier writes it
	span model.Span
}

// An externals is the list of objects that references by index name (chapter 5).
type externals struct {
	objects []external
	whole   bool // the list has all objects
}

// refs links to the object in the carrier's list.
func (e *external) refs(context.Context) []model.Ref {
	return []model.Ref{{Kind: "external", Span: e.span, Text: e.text}}
}
