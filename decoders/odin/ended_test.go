package odin

import (
	"context"
	"testing"

	"cutaway/model"
)

// Who asks for children under a context that has ended gets what is known, and those who ask later get all of it.
func TestChildrenUnderEndedContext(t *testing.T) {
	src := model.NewFileSource("stray", model.BytesReader("\xff stray bytes"))
	s := newStream(src, 0, src.Size(), binaryForm{}, model.LayoutView)
	if err := s.all(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	k := &containerChildren{s: s, c: rootEntry, layout: true}
	ended, end := context.WithCancel(t.Context())
	end()
	n, exact := k.Len(ended)
	if !exact || n != 0 || len(k.At(ended, 0).Problems) != 1 {
		t.Errorf("%d children, exact %t", n, exact)
	}
	if n, _ := k.Len(t.Context()); n == 0 || len(k.At(t.Context(), 0).Spans) == 0 {
		t.Errorf("%d children afterwards", n)
	}
}
