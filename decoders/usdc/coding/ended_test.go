package coding

import (
	"context"
	"testing"

	"cutaway/model"
	"cutaway/source"
)

// distant reads as a server's file does: nothing after the work has ended.
type distant struct{ model.Reader }

func (f distant) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return f.Reader.ReadAt(ctx, p, off)
}

// TestContainerOfEndedWork: integers that are looked at after the work has ended are none, and nothing panics.
func TestContainerOfEndedWork(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	src := model.NewFileSource("ints", distant{model.BytesReader(make([]byte, 64))})
	in := Setting{Derived: new(source.Derived), Owner: "layout", Title: "integers"}
	end()
	if k := NewInts(ctx, in, src.Span(0, 40), 4, 4, nil); len(k.Nodes) > 0 {
		t.Errorf("%d nodes", len(k.Nodes))
	}
	if k := NewInts(t.Context(), in, src.Span(0, 40), 4, 4, nil); len(k.Nodes) == 0 {
		t.Error("no nodes")
	}
}
