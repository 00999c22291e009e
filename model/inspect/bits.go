package inspect

import (
	"context"

	"cutaway/model"
)

// A Field is a bit field: some bits of a few bytes.
type Field struct {
	Path  string
	Name  string
	Value string
	Mask  uint64 // of the bytes as a little-endian number
}

// nearFields is the number of siblings on each side that are examined.
const nearFields = 64

// longestShown is the most bytes of a field's value as text.
const longestShown = 80

// FieldsAt returns the bit fields over the same bytes as p: p and its siblings if p is a bit field, or else those of
// its children. at is the span, of at most 8 bytes, that the masks apply to. fields is empty if there are none.
func FieldsAt(ctx context.Context, p *model.Place) (at model.Span, fields []Field) {
	own := maskedSpan(p, model.Span{})
	if own.Mask == 0 || p.Parent == nil {
		return fieldsBelow(ctx, p)
	}
	at = own
	at.Mask = 0
	// Only a few of possibly millions of siblings share the bytes: those next to p.
	first := p.Index
	for first > 0 && p.Index-first < nearFields && maskedSpan(p.Parent.Child(ctx, first-1), at).Mask != 0 {
		first--
	}
	n, _ := p.Parent.Len(ctx)
	for i := first; i >= 0 && i < n && i-first < 2*nearFields; i++ {
		one := p.Parent.Child(ctx, i)
		s := maskedSpan(one, at)
		if s.Mask == 0 {
			break
		}
		fields = append(fields, field(ctx, one, s.Mask))
	}
	return at, fields
}

// fieldsBelow returns the bit fields among the children of p.
func fieldsBelow(ctx context.Context, p *model.Place) (at model.Span, fields []Field) {
	n, _ := p.Len(ctx)
	if span := p.Node.Span(); n > nearFields || span.Len < 1 || span.Len > 8 {
		return model.Span{}, nil
	}
	for i := range n {
		one := p.Child(ctx, i)
		s := maskedSpan(one, at)
		if s.Mask == 0 {
			continue
		}
		if at.Source == nil {
			at = s
			at.Mask = 0
		}
		fields = append(fields, field(ctx, one, s.Mask))
	}
	return at, fields
}

// maskedSpan returns the first span of p with a mask, over the bytes at if given. It has no mask if there is none.
func maskedSpan(p *model.Place, at model.Span) model.Span {
	for _, s := range p.Node.Spans {
		if s.Mask != 0 && (at.Source == nil || s.Off == at.Off && s.Len == at.Len && s.Source.Same(at.Source)) {
			return s
		}
	}
	return model.Span{}
}

func field(ctx context.Context, p *model.Place, mask uint64) Field {
	value := p.Node.Brief
	if p.Node.Value != nil {
		value = model.Show(ctx, p.Node.Value, longestShown)
	}
	return Field{Path: p.Path(), Name: p.Node.Name, Value: value, Mask: mask}
}
