package document

import (
	"testing"

	"cutaway/ui/cards"
)

func TestHistory(t *testing.T) {
	h := newHistory()
	if h.Can(-1) || h.Can(1) {
		t.Error("an empty history goes somewhere")
	}
	for _, p := range []string{"a", "b", "b", "c"} {
		h.add(p)
	}
	if len(h.visits) != 3 {
		t.Fatalf("%d visits", len(h.visits))
	}
	h.leave("layout", Bytes{Source: "file", Top: 7}, cards.State{Title: "Values", Row: 5})
	h.leave("scene", Bytes{}, cards.State{})
	if was := h.move(-2); was.path != "a" || was.view != "" {
		t.Errorf("at %+v", was)
	}
	if h.Can(-1) {
		t.Error("before the first")
	}
	if was := h.move(2); was != (visit{"c", "layout", Bytes{Source: "file", Top: 7}, cards.State{Title: "Values", Row: 5}}) || h.visits[h.at].view != "" {
		t.Errorf("at %+v", was)
	}
	h.move(-2)
	h.add("d")
	if h.Can(1) || len(h.visits) != 2 {
		t.Error("what was ahead is still there")
	}
	if got := h.latest([]string{"x", "b", "c"}); got != 2 {
		t.Errorf("latest %d", got)
	}
	for range 1000 {
		h.add("e")
		h.add("f")
	}
	if len(h.visits) != maxHistory || h.Can(1) {
		t.Errorf("%d visits", len(h.visits))
	}
}
