package hexview

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

// bench is a view in a window of Fyne's test driver.
type bench struct {
	*View
	t      *testing.T
	window fyne.Window
	queue  chan func() // what was sent to the UI goroutine, which is the test's
	said   string      // by the tooltip
}

// newBench shows src in a window of 700×400.
func newBench(t *testing.T, src *model.Source) *bench {
	t.Helper()
	test.NewTempApp(t)
	b := &bench{View: New(), t: t, queue: make(chan func(), 100)}
	b.do = func(f func()) { b.queue <- f }
	b.ShowTip = func(text string, _ fyne.Position) { b.said = text }
	b.window = test.NewTempWindow(t, b.View)
	b.window.SetPadded(false)
	b.window.Resize(fyne.NewSize(700, 400))
	b.SetSource(src)
	return b
}

// paint brings the picture up to date and returns it.
func (b *bench) paint() image.Image { return b.window.Canvas().Capture() }

// await runs the next function that was sent to the UI goroutine.
func (b *bench) await() { (<-b.queue)() }

// at is the middle of a byte's cell in the hex column.
func (b *bench) at(off int64) fyne.Position {
	b.t.Helper()
	hex, _, ok := b.CellRect(off)
	if !ok {
		b.t.Fatalf("byte %#x is not in sight", off)
	}
	return hex.Center()
}

func (b *bench) mouseDown(pos fyne.Position, modifier fyne.KeyModifier) {
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: modifier}
	e.Position = pos
	b.MouseDown(e)
}

// click does what the window driver does for a click.
func (b *bench) click(pos fyne.Position, modifier fyne.KeyModifier) {
	b.mouseDown(pos, modifier)
	b.MouseUp(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
	b.Tapped(&fyne.PointEvent{Position: pos})
}

// drag does what the window driver does for a drag.
func (b *bench) drag(from fyne.Position, to ...fyne.Position) {
	b.mouseDown(from, 0)
	for _, p := range to {
		e := &fyne.DragEvent{Dragged: fyne.NewDelta(p.X-from.X, p.Y-from.Y)}
		e.Position = p
		b.Dragged(e)
		from = p
	}
	b.MouseUp(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
	b.DragEnd()
}

func (b *bench) key(names ...fyne.KeyName) {
	for _, n := range names {
		b.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func (b *bench) wantSelection(off, length int64) {
	b.t.Helper()
	if o, n := b.Selection(); n != length || length > 0 && o != off {
		b.t.Errorf("selection is %d bytes at %#x, want %d at %#x", n, o, length, off)
	}
}

func (b *bench) wantCursor(off int64) {
	b.t.Helper()
	if b.Cursor() != off {
		b.t.Errorf("cursor is at %#x, want %#x", b.Cursor(), off)
	}
}

// counting is n bytes that count up.
func counting(n int) *model.Source {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i)
	}
	return model.NewFileSource("counting", model.BytesReader(p))
}

// sparse is a source of any size: each byte is the low byte of its offset's 256-byte block number.
type sparse int64

func (s sparse) Size() int64 { return int64(s) }

func (s sparse) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	for i := range p {
		p[i] = byte((off + int64(i)) >> 8)
	}
	return len(p), nil
}

func TestTapTellsWhatWasClickedAgain(t *testing.T) { synctest.Test(t, testTapTellsWhatWasClickedAgain) }

func testTapTellsWhatWasClickedAgain(t *testing.T) {
	b := newBench(t, counting(4096))
	var got []string
	b.OnTap = func(off int64, again bool) { got = append(got, fmt.Sprintf("%d %v", off, again)) }
	tap := func(off int64) { b.click(b.at(off), 0) }
	tap(0x20)
	b.SetRanges(Ranges{Selected: []Range{{0x20, 8}}}) // the window selects the byte's field
	tap(0x22)                                         // the same field: its parent
	b.SetRanges(Ranges{Selected: []Range{{0, 0x100}}})
	tap(0x22) // and its parent
	tap(0x40) // inside what is selected, but another field
	b.SetCursor(0x40)
	tap(0x40) // after a move by other means it is the first click again
	want := []string{"32 false", "34 true", "34 true", "64 false", "64 false"}
	if !slices.Equal(got, want) {
		t.Errorf("taps %q, want %q", got, want)
	}
	if b.window.Canvas().Focused() != b.View {
		t.Error("a click does not bring the focus")
	}
}

func TestTapInTextColumnAndBesideBytes(t *testing.T) {
	synctest.Test(t, testTapInTextColumnAndBesideBytes)
}

func testTapInTextColumnAndBesideBytes(t *testing.T) {
	b := newBench(t, counting(100))
	taps := 0
	b.OnTap = func(_ int64, _ bool) { taps++ }
	_, text, _ := b.CellRect(0x11)
	b.click(text.Center(), 0)
	b.wantCursor(0x11)
	if taps != 1 {
		t.Errorf("%d taps after a click on a letter, want 1", taps)
	}
	hex, _, _ := b.CellRect(99)
	b.click(hex.AddXY(hex.Width*1.5, 1), 0)
	b.click(fyne.NewPos(5, 5), 0) // the gutter
	if taps != 1 {
		t.Errorf("%d taps after clicks beside the bytes, want 1", taps)
	}
}

func TestDragAndShiftClickSelect(t *testing.T) { synctest.Test(t, testDragAndShiftClickSelect) }

func testDragAndShiftClickSelect(t *testing.T) {
	b := newBench(t, counting(4096))
	var last Range
	b.OnSelect = func(off, length int64) { last = Range{off, length} }
	b.drag(b.at(0x25), b.at(0x26), b.at(0x43))
	b.wantSelection(0x25, 0x1f)
	if last != (Range{0x25, 0x1f}) {
		t.Errorf("OnSelect told %v", last)
	}
	b.drag(b.at(0x43), b.at(0x25)) // backwards
	b.wantSelection(0x25, 0x1f)
	b.click(b.at(0x50), fyne.KeyModifierShift)
	b.wantSelection(0x43, 0xe)
	b.click(b.at(0x10), 0)
	b.wantSelection(0, 0)
	if last.Len != 0 {
		t.Errorf("OnSelect told %v after a click, want none", last)
	}
}

func TestDragBeyondTheEdgeScrolls(t *testing.T) { synctest.Test(t, testDragBeyondTheEdgeScrolls) }

func testDragBeyondTheEdgeScrolls(t *testing.T) {
	b := newBench(t, counting(1<<16))
	b.mouseDown(b.at(0x25), 0)
	e := &fyne.DragEvent{}
	e.Position = fyne.NewPos(200, 500)
	b.Dragged(e)
	top := b.top
	if top == 0 {
		t.Error("a drag below the pane does not scroll")
	}
	b.await() // the timer
	if b.top <= top {
		t.Error("the view does not scroll on while the pointer rests below the pane")
	}
	b.DragEnd()
	if off, n := b.Selection(); off != 0x25 || n < top*int64(b.BytesPerRow()) {
		t.Errorf("selected %d bytes at %#x", n, off)
	}
}

func TestSecondaryTap(t *testing.T) { synctest.Test(t, testSecondaryTap) }

func testSecondaryTap(t *testing.T) {
	b := newBench(t, counting(4096))
	var off int64
	var pos fyne.Position
	b.OnSecondaryTap = func(o int64, p fyne.Position) { off, pos = o, p }
	b.Select(0x20, 0x20)
	b.TappedSecondary(&fyne.PointEvent{Position: b.at(0x28), AbsolutePosition: fyne.NewPos(7, 8)})
	if off != 0x28 || pos != fyne.NewPos(7, 8) {
		t.Errorf("told %#x at %v", off, pos)
	}
	b.wantSelection(0x20, 0x20)
	b.TappedSecondary(&fyne.PointEvent{Position: b.at(0x48)})
	b.wantCursor(0x48)
	b.wantSelection(0, 0)
	off = 0
	b.TypedKey(&fyne.KeyEvent{Name: desktop.KeyMenu})
	if cell, _, _ := b.CellRect(0x48); off != 0x48 || pos != cell.AddXY(0, cell.Height) {
		t.Errorf("the key for the menu: told %#x at %v", off, pos)
	}
}

func TestKeys(t *testing.T) { synctest.Test(t, testKeys) }

func testKeys(t *testing.T) {
	b := newBench(t, counting(1000))
	b.SetMode(Mode{RowWidth: 16})
	cursors := 0
	b.OnCursor = func(int64) { cursors++ }
	for _, step := range []struct {
		keys []fyne.KeyName
		want int64
	}{
		{[]fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyDown}, 18},
		{[]fyne.KeyName{fyne.KeyLeft}, 17},
		{[]fyne.KeyName{fyne.KeyUp, fyne.KeyUp, fyne.KeyUp}, 1},
		{[]fyne.KeyName{fyne.KeyHome, fyne.KeyLeft}, 0},
		{[]fyne.KeyName{fyne.KeyEnd}, 15},
		{[]fyne.KeyName{fyne.KeyPageDown}, 15 + 16*int64(b.grid.full-1)},
		{[]fyne.KeyName{fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyPageDown}, 991}, // keeps its column
		{[]fyne.KeyName{fyne.KeyRight, fyne.KeyDown, fyne.KeyEnd}, 999},
		{[]fyne.KeyName{fyne.KeyRight}, 999},
		{[]fyne.KeyName{fyne.KeyPageUp, fyne.KeyPageUp, fyne.KeyPageUp, fyne.KeyPageUp}, 7},
	} {
		b.key(step.keys...)
		b.wantCursor(step.want)
		if _, _, ok := b.CellRect(b.Cursor()); !ok {
			t.Errorf("after %v the cursor is out of sight", step.keys)
		}
	}
	if cursors == 0 {
		t.Error("OnCursor was not called")
	}
}

func TestShiftAndControlKeys(t *testing.T) { synctest.Test(t, testShiftAndControlKeys) }

func testShiftAndControlKeys(t *testing.T) {
	b := newBench(t, counting(1000))
	b.SetMode(Mode{RowWidth: 16})
	b.SetCursor(0x20)
	b.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	b.key(fyne.KeyRight, fyne.KeyDown)
	b.wantSelection(0x20, 0x12)
	b.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyEnd, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift})
	b.wantSelection(0x20, 1000-0x20)
	b.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	b.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyHome, Modifier: fyne.KeyModifierShortcutDefault})
	b.wantCursor(0)
	b.wantSelection(0, 0)
	b.TypedShortcut(&fyne.ShortcutSelectAll{})
	b.wantSelection(0, 1000)
	escaped := 0
	b.window.Canvas().SetOnTypedKey(func(*fyne.KeyEvent) { escaped++ })
	b.key(fyne.KeyEscape)
	b.wantSelection(0, 0)
	if b.key(fyne.KeyEscape); escaped != 1 {
		t.Errorf("Escape reached the canvas %d times, want once: when nothing was selected", escaped)
	}
	var tapped int64 = -1
	b.OnTap = func(off int64, _ bool) { tapped = off }
	b.SetCursor(77)
	b.key(fyne.KeyReturn)
	if tapped != 77 {
		t.Errorf("Enter tapped %d, want 77", tapped)
	}
}

func TestCopyKey(t *testing.T) { synctest.Test(t, testCopyKey) }

func testCopyKey(t *testing.T) {
	b := newBench(t, counting(1000))
	var n int64
	var failed error
	b.OnCopy = func(length int64, err error) { n, failed = length, err }
	copied := func() string {
		clipboard := test.NewClipboard()
		b.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clipboard})
		b.await()
		return clipboard.Content()
	}
	if got := copied(); got != "00" || n != 1 {
		t.Errorf("copied %q from the cursor, %d bytes", got, n)
	}
	b.SetRanges(Ranges{Selected: []Range{{0x30, 2}, {0x10, 3}}})
	if got := copied(); got != "10 11 12 30 31" || n != 5 {
		t.Errorf("copied %q from the selected node, %d bytes", got, n)
	}
	b.Select(0xfe, 3)
	if got := copied(); got != "fe ff 00" || failed != nil {
		t.Errorf("copied %q from the selected bytes, error %v", got, failed)
	}
	b.SetSource(model.NewFileSource("large", sparse(1<<40)))
	b.Select(0, 1<<40)
	if got := copied(); got != "" || failed == nil || n != 0 {
		t.Errorf("copied %q of 1 TiB, error %v", got, failed)
	}
}

// What the view does not take is handed on to the canvas: Ctrl+PageDown may change tabs.
func TestShortcutsTaken(t *testing.T) { synctest.Test(t, testShortcutsTaken) }

func testShortcutsTaken(t *testing.T) {
	b := newBench(t, counting(100))
	for key, want := range map[fyne.KeyName]bool{fyne.KeyHome: true, fyne.KeyEnd: true, fyne.KeyF: false, fyne.KeyPageDown: false} {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
		if got := b.shortcut(s); got != want {
			t.Errorf("Ctrl+%s is taken: %v, want %v", key, got, want)
		}
	}
}

// Keys that the view does not take are handed on too, from an empty view all.
func TestKeysHandedOn(t *testing.T) { synctest.Test(t, testKeysHandedOn) }

func testKeysHandedOn(t *testing.T) {
	for _, src := range []*model.Source{counting(100), counting(0)} {
		b := newBench(t, src)
		var got []fyne.KeyName
		b.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = append(got, e.Name) })
		b.key(fyne.KeyDown, fyne.KeyF3)
		if want := 2 - int(min(src.Size(), 1)); len(got) != want || got[len(got)-1] != fyne.KeyF3 {
			t.Errorf("a view of %d bytes hands on %v", src.Size(), got)
		}
	}
}

func TestWheel(t *testing.T) { synctest.Test(t, testWheel) }

func testWheel(t *testing.T) {
	b := newBench(t, counting(1<<16))
	var seen Range
	b.OnScroll = func(off, n int64) { seen = Range{off, n} }
	scroll := func(dy float32) { b.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, dy)}) }
	scroll(-25)
	if b.top != wheelRows {
		t.Errorf("a wheel step scrolls to row %d, want %d", b.top, wheelRows)
	}
	if want := int64(wheelRows * b.BytesPerRow()); seen.Off != want || seen.Len == 0 {
		t.Errorf("OnScroll told %v, want offset %d", seen, want)
	}
	for range 25 { // a touch pad
		scroll(1)
	}
	if b.top != 0 {
		t.Errorf("25 small steps back scroll to row %d, want 0", b.top)
	}
	scroll(1e9)
	scroll(-1e9)
	if b.top != b.grid.lastTop() {
		t.Errorf("a long way down is row %d, want %d", b.top, b.grid.lastTop())
	}
}

func TestHugeSources(t *testing.T) { synctest.Test(t, testHugeSources) }

func testHugeSources(t *testing.T) {
	for _, size := range []int64{1 << 40, 1<<62 - 5} {
		b := newBench(t, model.NewFileSource("huge", sparse(size)))
		b.key(fyne.KeyDown)
		b.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyEnd, Modifier: fyne.KeyModifierShortcutDefault})
		b.wantCursor(size - 1)
		b.paint()
		if off, n := b.VisibleBytes(); off+n != size {
			t.Errorf("%#x: the last bytes in sight end at %#x", size, off+n)
		}
		if last := b.scene.data[len(b.scene.data)-1]; last != byte((size-1)>>8) {
			t.Errorf("%#x: the last byte is shown as %#x", size, last)
		}
		if y := b.thumb(); y.to != b.grid.h {
			t.Errorf("%#x: the scroll bar's handle ends at %d of %d", size, y.to, b.grid.h)
		}
		b.Reveal(size/2, 100)
		if _, _, ok := b.CellRect(size/2 + 99); !ok {
			t.Errorf("%#x: %#x is not in sight after Reveal", size, size/2)
		}
		b.Select(size/2, size)
		b.wantSelection(size/2, size-size/2)
		b.paint()
	}
}

func TestScrollBarAndStrip(t *testing.T) { synctest.Test(t, testScrollBarAndStrip) }

func testScrollBarAndStrip(t *testing.T) {
	b := newBench(t, model.NewFileSource("large", sparse(1<<40)))
	bar := b.dp(b.grid.bar.from) + 4
	b.drag(fyne.NewPos(bar, 10), fyne.NewPos(bar, 1000))
	if b.top != b.grid.lastTop() {
		t.Errorf("the handle at the end shows row %d, want %d", b.top, b.grid.lastTop())
	}
	b.drag(fyne.NewPos(bar, 395), fyne.NewPos(bar, 0-1000))
	if b.top != 0 {
		t.Errorf("the handle at the start shows row %d, want 0", b.top)
	}
	strip := b.dp(b.grid.strip.from) + 4
	b.click(fyne.NewPos(strip, 100), 0)
	if off, n := b.VisibleBytes(); off > 1<<38 || off+n < 1<<38 {
		t.Errorf("a click at a quarter of the strip shows %#x", off)
	}
	b.wantCursor(0)
}

func TestRevealScrollsOnlyIfNeeded(t *testing.T) { synctest.Test(t, testRevealScrollsOnlyIfNeeded) }

func testRevealScrollsOnlyIfNeeded(t *testing.T) {
	b := newBench(t, counting(1<<16))
	scrolled := 0
	b.OnScroll = func(int64, int64) { scrolled++ }
	b.Reveal(0x40, 16)
	if scrolled != 0 {
		t.Error("Reveal scrolls to what is in sight")
	}
	b.Reveal(0x8000, 16)
	hex, _, ok := b.CellRect(0x8000)
	if !ok || hex.Y < 100 || hex.Y > 300 {
		t.Errorf("a revealed byte is at %v, want the middle", hex)
	}
	b.Reveal(0x1000, 0x8000) // more than fits
	if hex, _, ok := b.CellRect(0x1000); !ok || hex.Y > 50 {
		t.Errorf("the first byte of a long range is at %v, want the top", hex)
	}
	b.ScrollTo(0x4321)
	if off, _ := b.VisibleBytes(); off > 0x4321 || off+int64(b.BytesPerRow()) <= 0x4321 {
		t.Errorf("ScrollTo shows %#x first", off)
	}
}

// What was brought into sight stays there when the view gets lower; what was scrolled out of sight does not come back.
func TestLowerView(t *testing.T) { synctest.Test(t, testLowerView) }

func testLowerView(t *testing.T) {
	b := newBench(t, counting(1<<16))
	b.Reveal(0x8000, 16)
	b.window.Resize(fyne.NewSize(700, 120))
	if _, _, ok := b.CellRect(0x8000); !ok {
		off, n := b.VisibleBytes()
		t.Errorf("0x8000 is not among the %d bytes at %#x in sight", n, off)
	}
	b.window.Resize(fyne.NewSize(700, 400))
	b.ScrollTo(0x100)
	b.window.Resize(fyne.NewSize(700, 120))
	if off, _ := b.VisibleBytes(); off > 0x100 {
		t.Errorf("the view is at %#x", off)
	}
}

// What is revealed before there is a window is in sight when there is one.
func TestRevealBeforeLayout(t *testing.T) { synctest.Test(t, testRevealBeforeLayout) }

func testRevealBeforeLayout(t *testing.T) {
	test.NewTempApp(t)
	v := New()
	v.SetSource(counting(1 << 16))
	v.Reveal(0x9000, 4)
	w := test.NewTempWindow(t, v)
	w.Resize(fyne.NewSize(700, 400))
	if _, _, ok := v.CellRect(0x9000); !ok {
		off, n := v.VisibleBytes()
		t.Errorf("0x9000 is not among the %d bytes at %#x in sight", n, off)
	}
}

func TestRowWidth(t *testing.T) { synctest.Test(t, testRowWidth) }

func testRowWidth(t *testing.T) {
	b := newBench(t, counting(1<<16))
	if got := b.BytesPerRow(); got != 16 {
		t.Errorf("%d bytes fit into 700, want 16", got)
	}
	b.ScrollTo(0x2000)
	for _, n := range []int{8, 32, 0} {
		b.SetMode(Mode{RowWidth: n})
		if n > 0 && b.BytesPerRow() != n {
			t.Errorf("a row has %d bytes, want %d", b.BytesPerRow(), n)
		}
		if off, _ := b.VisibleBytes(); off != 0x2000 {
			t.Errorf("with %d bytes in a row the first in sight is %#x, want 0x2000", n, off)
		}
		b.paint()
	}
	b.SetMode(Mode{RowWidth: 32})
	if b.grid.foot == 0 {
		t.Fatal("32 bytes in a row fit into 700")
	}
	b.SetCursor(0x2000)
	b.key(fyne.KeyEnd)
	hex, _, _ := b.CellRect(0x201f)
	if right := hex.X + hex.Width; right > b.dp(b.grid.strip.from) {
		t.Errorf("the cursor's byte ends at %v, under the strip", right)
	}
	foot := b.dp(b.grid.h-b.grid.foot) + 3
	b.drag(fyne.NewPos(100, foot), fyne.NewPos(2000, foot))
	if b.left != b.grid.lastLeft() {
		t.Errorf("the lower scroll bar's end is %d, want %d", b.left, b.grid.lastLeft())
	}
	b.window.Resize(fyne.NewSize(1400, 400))
	if b.left != 0 {
		t.Error("a wide window leaves the bytes scrolled sideways")
	}
}

func TestEmptySources(t *testing.T) { synctest.Test(t, testEmptySources) }

func testEmptySources(t *testing.T) {
	for _, src := range []*model.Source{nil, model.NewFileSource("empty", model.BytesReader(nil))} {
		b := newBench(t, src)
		b.paint()
		b.key(fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn, fyne.KeyPageDown)
		b.click(fyne.NewPos(100, 10), 0)
		b.drag(fyne.NewPos(100, 10), fyne.NewPos(300, 500))
		b.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -100)})
		b.TypedShortcut(&fyne.ShortcutSelectAll{})
		b.Reveal(10, 10)
		b.Select(0, 10)
		b.paint()
		b.wantSelection(0, 0)
		b.wantCursor(0)
		if _, err := b.CopyAs("hex"); err == nil {
			t.Error("nothing can be copied")
		}
	}
}

func TestPixelsOfRanges(t *testing.T) { synctest.Test(t, testPixelsOfRanges) }

func testPixelsOfRanges(t *testing.T) {
	b := newBench(t, counting(4096))
	b.SetRanges(Ranges{
		Selected: []Range{{0x20, 4}, {0x30, 4}},
		Matches: func(dst []Range, _, _ int64) []Range {
			return append(dst, Range{0x21, 1}, Range{0x90, 2}, Range{0x30, 4})
		},
	})
	b.SetSections([]Section{{Range: Range{0x40, 4}, Tone: 1}, {Range: Range{0x44, 4}, Tone: 2}, {Range: Range{0x48, 4}, Tone: 3, Plain: true}})
	b.Select(0x80, 4)
	b.SetHover(Range{0x60, 2})
	img := b.paint()
	c := b.Colors()
	for _, p := range []struct {
		what string
		off  int64
		dx   float32
		dy   float32
		want color.RGBA
	}{
		{"selected byte", 0x22, 1, 3, c.Selected},
		{"match in the selected bytes", 0x21, 1, 3, c.Match},
		{"match that is the selected bytes", 0x31, 1, 3, c.Selected},
		{"match", 0x91, 1, 3, c.Match},
		{"first section", 0x41, 1, 3, c.Sections[0]},
		{"second section", 0x45, 1, 3, c.Sections[1]},
		{"plain section", 0x49, 1, 3, c.Background},
		{"lit byte", 0x61, 1, 3, c.Hover},
		{"picked byte", 0x81, 1, 3, c.Picked},
		{"cursor", 0x80, 1, 0, b.painter.palette.rings[fillPicked]},
		{"plain byte", 0xa0, 1, 3, c.Background},
	} {
		hex, text, _ := b.CellRect(p.off)
		got := color.RGBAModel.Convert(img.At(int(hex.X+p.dx), int(hex.Y+p.dy)))
		if got != p.want {
			t.Errorf("%s at %v is %v, want %v", p.what, hex.Position, got, p.want)
		}
		if p.dx == 1 {
			got = color.RGBAModel.Convert(img.At(int(text.X+p.dx), int(text.Y+p.dy)))
			if got != p.want {
				t.Errorf("%s in the text column is %v, want %v", p.what, got, p.want)
			}
		}
	}
}

func TestThemeChange(t *testing.T) { synctest.Test(t, testThemeChange) }

func testThemeChange(t *testing.T) {
	b := newBench(t, counting(4096))
	before := b.Colors()
	test.ApplyTheme(t, test.NewTheme())
	b.paint()
	if b.Colors() == before {
		t.Error("the colours are those of the theme before")
	}
}
