package hexview

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

// gated is a reader that answers when it is let; reads counts.
type gated struct {
	model.BytesReader
	gate  chan struct{}
	reads atomic.Int32
}

func (g *gated) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	g.reads.Add(1)
	<-g.gate
	return g.BytesReader.ReadAt(ctx, p, off)
}

func derived(name string, r model.Reader) *model.Source {
	return model.Derive("layout/x", name, name, r, model.Origin{Parent: counting(10), Codec: "test"})
}

func TestSlowSourceDoesNotBlock(t *testing.T) { synctest.Test(t, testSlowSourceDoesNotBlock) }

func testSlowSourceDoesNotBlock(t *testing.T) {
	slow := &gated{BytesReader: make([]byte, 1<<16), gate: make(chan struct{})}
	b := newBench(t, derived("slow", slow))
	b.paint()
	for i, s := range b.scene.state {
		if s != cellPending {
			t.Fatalf("byte %d is not pending before it was read", i)
		}
	}
	b.ScrollTo(0x4000) // another place while a read is under way
	b.paint()
	b.ScrollTo(0x8000)
	b.paint()
	if n := slow.reads.Load(); n != 1 {
		t.Errorf("%d reads are under way, want 1", n)
	}
	close(slow.gate)
	b.await()
	b.paint()
	if b.scene.state[0] == cellPending { // the read of what is now in sight may take longer than the grace
		b.await()
		b.paint()
	}
	if b.scene.state[0] != cellPresent {
		t.Error("the bytes in sight are not there after reading")
	}
	if n := slow.reads.Load(); n != 2 {
		t.Errorf("%d reads in all, want 2: places passed by are not read", n)
	}
}

func TestLateBytesOfAnotherSourceAreDropped(t *testing.T) {
	synctest.Test(t, testLateBytesOfAnotherSourceAreDropped)
}

func testLateBytesOfAnotherSourceAreDropped(t *testing.T) {
	slow := &gated{BytesReader: make([]byte, 4096), gate: make(chan struct{})}
	b := newBench(t, derived("slow", slow))
	b.paint()
	b.SetSource(counting(4096))
	close(slow.gate)
	b.await()
	b.paint()
	if b.scene.state[9] != cellPresent || b.scene.data[9] != 9 {
		t.Errorf("byte 9 is %#x (state %d), want that of the new source", b.scene.data[9], b.scene.state[9])
	}
}

// A file turns out to be slow, on a network drive perhaps: from then on it is read in the background.
func TestSlowFileIsReadInTheBackground(t *testing.T) {
	synctest.Test(t, testSlowFileIsReadInTheBackground)
}

func testSlowFileIsReadInTheBackground(t *testing.T) {
	test.NewTempApp(t)
	src := model.NewFileSource("slow", delayed{sparse(1 << 20)})
	l := newLoader(src, src.Size(), func(f func()) { f() }, func() {})
	if l.background {
		t.Error("a file is read in the background before it was slow")
	}
	if _, state := l.view(0, 100); state[99] != cellPresent {
		t.Error("a file's first bytes are not there at once")
	}
	if !l.background {
		t.Error("a slow file is read on the UI goroutine again")
	}
}

type delayed struct{ sparse }

func (d delayed) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	time.Sleep(slow + time.Millisecond)
	return d.sparse.ReadAt(ctx, p, off)
}

// holed cannot be read in [bad.Off, bad.End()).
type holed struct {
	sparse
	bad   Range
	reads *int
}

var errDamaged = errors.New("block 7 is damaged")

func (h holed) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	*h.reads++
	if h.bad.Holds(off) {
		return 0, errDamaged
	}
	if off < h.bad.Off && off+int64(len(p)) > h.bad.Off {
		n, _ := h.sparse.ReadAt(ctx, p[:h.bad.Off-off], off)
		return n, errDamaged
	}
	return h.sparse.ReadAt(ctx, p, off)
}

func TestBytesThatCannotBeRead(t *testing.T) { synctest.Test(t, testBytesThatCannotBeRead) }

func testBytesThatCannotBeRead(t *testing.T) {
	reads := 0
	b := newBench(t, model.NewFileSource("holed", holed{1 << 20, Range{0x40, 0x20}, &reads}))
	b.paint()
	for off, want := range map[int64]cellState{0x3f: cellPresent, 0x40: cellFailed, 0x5f: cellFailed, 0x80: cellPresent} {
		if got := b.scene.state[off]; got != want {
			t.Errorf("byte %#x has state %d, want %d", off, got, want)
		}
	}
	test.MoveMouse(b.window.Canvas(), b.at(0x44))
	if got := b.said; !strings.Contains(got, errDamaged.Error()) {
		t.Errorf("the tooltip says %q", got)
	}
	if _, err := Copy(t.Context(), b.Source(), "hex", Range{0x30, 0x20}); !errors.Is(err, errDamaged) {
		t.Errorf("copying bytes that cannot be read gives %v", err)
	}
}

func TestSourceThatFailsEverywhereCostsFewReads(t *testing.T) {
	reads := 0
	src := model.NewFileSource("dead", holed{1 << 20, Range{0, 1 << 20}, &reads})
	w := readWindow(t.Context(), src, 0, 20000)
	if reads > 16 {
		t.Errorf("%d attempts to read 20,000 bytes", reads)
	}
	if last := w.failed[len(w.failed)-1]; last.End() != 20000 {
		t.Errorf("failures end at %d, want 20000", last.End())
	}
}

func TestShrunkenFile(t *testing.T) { synctest.Test(t, testShrunkenFile) }

func testShrunkenFile(t *testing.T) {
	test.NewTempApp(t)
	short := short{model.BytesReader(make([]byte, 100))}
	w := readWindow(t.Context(), model.NewFileSource("short", short), 0, 200)
	if len(w.failed) == 0 || w.failed[0].Off != 100 || !strings.Contains(w.failed[0].err.Error(), "0x64") {
		t.Errorf("failures %v, want from 100 on, with the offset where the file ends", w.failed)
	}
}

// short says that it is longer than it is.
type short struct{ model.BytesReader }

func (s short) Size() int64 { return 200 }
