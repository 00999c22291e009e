package entry

import (
	"context"

	"cutaway/model"
)

// An External is an object outside of the stream.
type External struct {
	Text string // as the carrier writes it
	Span model.Span
}

// An Externals is the list of objects that references by index name (chapter 5).
type Externals struct {
	Objects []External
	Whole   bool // the list has all objects
}

// refs links to the object in the carrier's list.
func (e *External) refs(context.Context) []model.Ref {
	return []model.Ref{{Kind: "external", Span: e.Span, Text: e.Text}}
}
