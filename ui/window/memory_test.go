package window_test

import (
	"fmt"
	"runtime"
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/ui/look"
)

// live is the heap in use, in bytes.
func live() int64 {
	runtime.GC()
	runtime.GC() // what the first one's clean-ups let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestWalkingIsLevel: the window holds no more after its user has looked at more nodes. Fyne keeps fonts for good that a
// widget made it read, 2 MB each.
func TestWalkingIsLevel(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		b.W.Shell.Win.Resize(fyne.NewSize(700, 500))
		visit := func(from, to int) {
			for i := from; i < to; i++ {
				path := fmt.Sprintf("layout/table/[%d]", i)
				s.Pane.Nav.GoTo(path)
				b.At(s, path)
				b.Idle()
				b.W.Shell.Win.Canvas().Capture()
			}
		}
		visit(0, 2)
		before := live()
		visit(2, 6)
		if grown := live() - before; grown > 2<<20 {
			t.Errorf("looking at 4 nodes adds %d bytes to the heap", grown)
		}
	})
}

// TestLooksAreLevel: the fonts of looks that have gone are let go of.
func TestLooksAreLevel(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		change := func() {
			for _, to := range []look.Settings{{Choice: look.Dark, Text: 1.2}, {Choice: look.Light}} {
				b.SetLook(to)
				b.Idle()
				b.W.Shell.Win.Canvas().Capture()
			}
		}
		change()
		before := live()
		for range 4 {
			change()
		}
		if grown := live() - before; grown > 8<<20 {
			t.Errorf("8 changes of the look add %d MB to the heap", grown>>20)
		}
	})
}
