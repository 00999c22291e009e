package decodertest

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/model"
	"cutaway/model/values"
)

// lookAtArray checks that the numbers of an array are those of its values, at both ends.
func lookAtArray(ctx context.Context, a model.Array) error {
	p := model.PackingOf(a)
	if p.Number == model.NoNumber {
		return nil
	}
	if got := p.Size(); got <= 0 {
		return fmt.Errorf("an element takes %d bytes", got)
	}
	plain, err := values.ArrayColumn(ctx, &model.Elements{Type: a.Elem(), Count: a.Len(), Make: func(ctx context.Context, i int64) (model.Value, error) {
		var one [1]model.Value
		_, err := a.Read(ctx, i, one[:])
		return one[0], err
	}})
	if err != nil || !plain.Numeric() {
		return err
	}
	plain.Packing.Number = p.Number // the name of integers may not imply their width
	for _, first := range ends(a.Len()) {
		got, want := make([]byte, 4*p.Size()), make([]byte, 4*p.Size())
		n, gotErr := p.Read(ctx, first, got)
		m, wantErr := plain.ReadPacked(ctx, first, want)
		if n != m || (gotErr == nil) != (wantErr == nil) || !bytes.Equal(got[:int64(n)*p.Size()], want[:int64(m)*p.Size()]) {
			return fmt.Errorf("elements of %s from %d on: %d packed %x (%w), %d as values %x (%w)", a.Elem(), first, n, got, gotErr, m, want, wantErr)
		}
	}
	return nil
}

// lookAtPlaces checks that the elements of an array have the spans of their nodes.
func lookAtPlaces(ctx context.Context, p *model.Place, a model.Array) error {
	if n, exact := p.Len(ctx); !p.Node.Elements || !exact || n != a.Len() {
		return nil
	}
	for _, i := range ends(a.Len()) {
		at, node := model.ElementSpan(ctx, a, i), p.Child(ctx, i).Node.Span()
		if at.Source != nil && (!at.Source.Same(node.Source) || at.Off != node.Off || at.Len != node.Len) {
			return fmt.Errorf("element %d of %s is at %v, its node at %v", i, a.Elem(), at, node)
		}
	}
	return nil
}
