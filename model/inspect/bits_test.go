package inspect

import (
	"context"
	"fmt"
	"testing"

	"cutaway/model"
)

// masked is a document's layout: a number of 8 bytes with three fields, then a million codes of 2 bits with a
// difference each, as coded integers have them.
func masked(ctx context.Context) *model.Place {
	const numberLen, codes = 8, 1_000_000
	src := model.NewFileSource("bits", model.BytesReader(make([]byte, numberLen+codes/4+codes)))
	bits := func(name string, mask uint64, v model.Value) model.Node {
		n := model.Node{Name: name, Value: v, Spans: []model.Span{src.Span(0, numberLen)}}
		n.Spans[0].Mask = mask
		return n
	}
	number := model.Node{Name: "rep", Spans: []model.Span{src.Span(0, numberLen)}, Children: model.NewList(
		bits("payload", 1<<48-1, model.Uint(7)), bits("type", 0xff<<48, model.Symbol{Number: 1, Name: "int"}), bits("flags", 0xff<<56, nil))}
	list := model.Node{Name: "codes", Spans: []model.Span{src.Span(numberLen, codes/4)}, Children: &model.Rows{Count: codes,
		Make: func(_ context.Context, i int64) model.Node {
			code := src.Span(numberLen+i/4, 1)
			code.Mask = 3 << (2 * (i % 4))
			return model.Node{Name: model.IndexName(i), Brief: fmt.Sprint(i), Spans: []model.Span{code, src.Span(numberLen+codes/4+i, 1)}}
		}}}
	children := model.NewList(number, list)
	v := &model.View{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node {
		return model.Node{Name: "bits", Spans: []model.Span{src.Whole()}, Children: children}
	}}
	return v.Place(ctx)
}

// TestFieldsAt: a field has its siblings beside it, and so has what they are parts of.
func TestFieldsAt(t *testing.T) {
	root := masked(t.Context())
	rep := root.Child(t.Context(), 0)
	for _, p := range []*model.Place{rep, rep.Child(t.Context(), 0), rep.Child(t.Context(), 2)} {
		at, fields := FieldsAt(t.Context(), p)
		if at.Off != 0 || at.Len != 8 || at.Mask != 0 || len(fields) != 3 {
			t.Fatalf("%s: %v at %v", p.Path(), fields, at)
		}
		if want := (Field{"layout/rep/type", "type", "int", 0xff << 48}); fields[1] != want {
			t.Errorf("%s: %+v, want %+v", p.Path(), fields[1], want)
		}
	}
	for _, i := range []int64{0, 1, 500_002, 999_999} {
		before := model.NodesMade()
		at, fields := FieldsAt(t.Context(), root.Child(t.Context(), 1).Child(t.Context(), i))
		if at.Off != 8+i/4 || len(fields) != 4 || fields[i%4].Name != model.IndexName(i) || fields[i%4].Value != fmt.Sprint(i) || fields[i%4].Mask != 3<<(2*(i%4)) {
			t.Errorf("code %d: %v at %v", i, fields, at)
		}
		if made := model.NodesMade() - before; made > 20 {
			t.Errorf("code %d: %d nodes are made", i, made)
		}
	}
	for _, p := range []*model.Place{root, root.Child(t.Context(), 1)} {
		if at, fields := FieldsAt(t.Context(), p); len(fields) != 0 || at.Source != nil {
			t.Errorf("%s has fields %v", p.Path(), fields)
		}
	}
}
