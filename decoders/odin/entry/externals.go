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
	// Name returns the name of an object from its text, or "". It may be nil.
	Name func(ctx context.Context, text string) string
}

// ObjectText returns the object that an external reference by index names, in words, or "" if the carrier's list has none.
func (s *Stream) ObjectText(ctx context.Context, index int64) string {
	o, ok := s.External(index)
	if !ok {
		return ""
	}
	if s.opt.Externals.Name != nil {
		if name := s.opt.Externals.Name(ctx, o.Text); name != "" {
			return name + " " + o.Text
		}
	}
	return o.Text
}

// ObjectRefs links to the object in the carrier's list that an external reference by index names.
func (s *Stream) ObjectRefs(ctx context.Context, index int64) []model.Ref {
	o, ok := s.External(index)
	if !ok {
		return nil
	}
	return []model.Ref{{Kind: "external", Span: o.Span, Text: s.ObjectText(ctx, index)}}
}
