package hexview

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

// put is an Over of some bytes, each a run.
type put map[int64]byte

func (p put) Apply(b []byte, off int64) {
	for at, now := range p {
		if at >= off && at < off+int64(len(b)) {
			b[at-off] = now
		}
	}
}

func (p put) Each(first, last int64, f func(int64, []byte)) {
	for at, now := range p {
		if at >= first && at < last {
			f(at, []byte{now})
		}
	}
}

// typed is a bench whose view puts what is typed over its bytes.
func typed(t *testing.T) (*bench, put) {
	b, over := newBench(t, counting(300)), put{}
	b.SetTyping(true)
	b.OnType = func(off int64, was, now []byte) bool {
		at := make([]byte, len(was))
		for i := range at {
			at[i] = byte(off + int64(i))
		}
		over.Apply(at, off)
		if !bytes.Equal(at, was) {
			t.Errorf("% x stood at %d, not % x", at, off, was)
		}
		for i, c := range now {
			over[off+int64(i)] = c
		}
		b.SetOver(over)
		return true
	}
	return b, over
}

func (b *bench) types(text string) {
	for _, r := range text {
		b.TypedRune(r)
	}
}

// TestTyping: digits change halves of bytes and go on, characters in the text column bytes; nothing is typed until it is asked for.
func TestTyping(t *testing.T) { synctest.Test(t, testTyping) }

func testTyping(t *testing.T) {
	b, over := typed(t)
	b.SetCursor(0x10)
	b.types("aB3")
	if over[0x10] != 0xab || over[0x11] != 0x31 || len(over) != 2 {
		t.Errorf("%x", over)
	}
	b.wantCursor(0x11)
	b.types("4xyz g")
	if over[0x11] != 0x34 || len(over) != 2 {
		t.Errorf("%x", over)
	}
	b.types("5")
	b.key(fyne.KeyRight) // leaves half a byte
	b.types("6")
	if over[0x12] != 0x52 || over[0x13] != 0x63 {
		t.Errorf("%x", over)
	}
	_, text, _ := b.CellRect(0x20)
	b.click(text.Center(), 0)
	b.types("hé")
	if over[0x20] != 'h' || over[0x21] != 0xc3 || over[0x22] != 0xa9 {
		t.Errorf("%x", over)
	}
	b.wantCursor(0x23)
	b.key(fyne.KeyTab)
	b.types("00")
	if over[0x23] != 0 {
		t.Errorf("%x", over)
	}
	b.Select(0x40, 5)
	b.types("77")
	if over[0x40] != 0x77 {
		t.Errorf("%x", over)
	}
	b.wantSelection(0, 0)
	b.SetCursor(299)
	b.types("11 22")
	if over[299] != 0x22 {
		t.Errorf("the last byte is %x", over[299])
	}
	b.key(fyne.KeyTab)
	b.types("é") // two bytes, and there is one
	if over[299] != 0x22 || len(over) != 10 {
		t.Errorf("%x", over)
	}
	b.SetTyping(false)
	b.SetCursor(0)
	b.types("z")
	if _, ok := over[0]; ok || b.AcceptsTab() {
		t.Error("bytes are typed that nobody asked for")
	}
}

// TestTypingPaste: digits with what is usual between them, and text, are put in place of bytes.
func TestTypingPaste(t *testing.T) { synctest.Test(t, testTypingPaste) }

func testTypingPaste(t *testing.T) {
	b, over := typed(t)
	clip := test.NewClipboard()
	paste := func(text string) {
		clip.SetContent(text)
		b.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	}
	b.SetCursor(1)
	paste("0xAA, 0xbb\n cc")
	b.wantCursor(4)
	b.typing.text = true
	paste("zz")
	if over[1] != 0xaa || over[2] != 0xbb || over[3] != 0xcc || over[4] != 'z' || over[5] != 'z' || len(over) != 5 {
		t.Errorf("%x", over)
	}
	b.typing.text = false
	paste("words")
	paste(strings.Repeat("00", 300))
	if len(over) != 5 {
		t.Errorf("%x", over)
	}
}

// TestOverIsMarked: a byte in place of another is shown, in a colour of its own and with a corner.
func TestOverIsMarked(t *testing.T) { synctest.Test(t, testOverIsMarked) }

func testOverIsMarked(t *testing.T) {
	b := newBench(t, counting(300))
	b.SetCursor(100)
	b.paint()
	b.SetOver(put{0x41: 'A'}) // what is there, too
	marked := b.paint()
	hex, text, _ := b.CellRect(0x41)
	ink := b.painter.palette.inks[fillPlain][inkOver]
	for _, r := range []Rect{hex, text} {
		n := 0
		at := image.Rect(int(r.X), int(r.Y), int(r.X+r.Width)+1, int(r.Y+r.Height)+1)
		for y := at.Min.Y; y < at.Max.Y; y++ {
			for x := at.Min.X; x < at.Max.X; x++ {
				if red, green, blue, _ := marked.At(x, y).RGBA(); uint8(red>>8) == ink.R && uint8(green>>8) == ink.G && uint8(blue>>8) == ink.B {
					n++
				}
			}
		}
		if n == 0 {
			t.Errorf("no pixel of %v in %v", ink, at)
		}
	}
	b.SetOver(put{0x11: 0x99})
	if got, _ := b.bytesAt(0x10, 2); !bytes.Equal(got, []byte{0x10, 0x99}) {
		t.Errorf("% x", got)
	}
}

// TestStand: a changed source is shown where the one before was.
func TestStand(t *testing.T) { synctest.Test(t, testStand) }

func testStand(t *testing.T) {
	b := newBench(t, model.NewFileSource("large", sparse(1<<20)))
	b.SetTyping(true)
	b.paint()
	b.ScrollTo(0x8000)
	b.Select(0x8010, 4)
	first, _ := b.VisibleBytes()
	stand := b.State()
	b.SetSource(model.NewFileSource("large", sparse(1<<20)))
	b.SetState(stand)
	if now, _ := b.VisibleBytes(); now != first || !b.AcceptsTab() {
		t.Errorf("at %#x, was %#x", now, first)
	}
	b.wantSelection(0x8010, 4)
}
