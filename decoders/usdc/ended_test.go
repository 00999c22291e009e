package usdc

import (
	"context"
	"testing"

	"cutaway/model"
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
	c := &crate{src: src}
	end()
	if k := c.newInts(ctx, src.Span(0, 40), "layout", "integers", 4, 4, nil); len(k.nodes) > 0 {
		t.Errorf("%d nodes", len(k.nodes))
	}
	if k := c.newInts(t.Context(), src.Span(0, 40), "layout", "integers", 4, 4, nil); len(k.nodes) == 0 {
		t.Error("no nodes")
	}
}
