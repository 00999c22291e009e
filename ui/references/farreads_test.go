package references_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/internal/crategen"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/kit"
)

// farReader is bytes of a server, and counts those that come over the line, in blocks.
type farReader struct {
	model.Reader
	mu   sync.Mutex
	came map[int64]bool
}

const farBlock = 64 << 10

func (*farReader) Far() bool { return true }

func (r *farReader) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	r.mu.Lock()
	for at := off / farBlock; at*farBlock < off+int64(len(p)); at++ {
		r.came[at] = true
	}
	r.mu.Unlock()
	return r.Reader.ReadAt(ctx, p, off)
}

func (r *farReader) fetched() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return farBlock * int64(len(r.came))
}

// openFar opens a file as if it were on a server.
func openFar(b *windowtest.Bench, name string) (*tab.Tab, *farReader) {
	b.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	far := &farReader{Reader: model.BytesReader(data), came: map[int64]bool{}}
	b.W.Opener.Subject(opening.Subject{Buffer: &opening.Buffer{Title: "far", Src: model.NewFileSource("far", far)}})
	s := b.Tab()
	b.Pass()
	return s, far
}

// TestFarReads: of a file of a server a node that is selected has no more read than is shown of it: the values of a long array and
// what refers to a node are read when they are asked for.
func TestFarReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hole = 32 << 20
		name := t.TempDir() + "/far.usdc"
		if err := crategen.BulkFile(name, crategen.Sparse, hole); err != nil {
			t.Fatal(err)
		}
		b := windowtest.New(t)
		s, far := openFar(b, name)
		const few = 3 * farBlock // both ends of the hole, and where it begins
		for _, path := range []string{"scene/World/.hole", "scene/World/.before/default", "layout/FIELDS", "scene/World/.hole/default"} {
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Pass()
			if all := b.CardWords(s); far.fetched() > few || strings.Contains(path, "before") && !strings.Contains(all, "mean 3") {
				t.Errorf("to show %s %d bytes were read: %s", path, far.fetched(), all)
			}
			if s.Pane.Lists.Refs.Postponed == nil {
				t.Errorf("what refers to %s is looked for unasked", path)
			}
		}
		if all := b.CardWords(s); strings.Contains(all, "distinct") || !strings.Contains(all, "not read yet") {
			t.Errorf("the long array: %s", all)
		}
		dialog := b.ExportDialog(s, b.Chosen(s), "csv")
		b.Until("that it is not counted", func() bool { return dialog.Size.Text == "Size: known when it is written" })
		if far.fetched() > few+farBlock {
			t.Errorf("for a preview %d bytes were read", far.fetched())
		}
		b.W.Shell.Win.Canvas().Overlays().Remove(b.W.Shell.Win.Canvas().Overlays().Top())
		linkWith(s.Pane.Side.Card.Rows, "Read 33,554,432 bytes from the server").Tap()
		b.Until("the values", func() bool { return strings.Contains(b.CardWords(s), "mean 0") })
		if read := linkWith(s.Pane.Side.Card.Rows, "Read 33,554,432 bytes from the server"); read != nil {
			t.Error("the link is there still")
		}
		if far.fetched() < hole {
			t.Errorf("only %d bytes were read", far.fetched())
		}
	})
}

// TestFarReferences: of what refers to a node in a file of a server few are listed, each of which has bytes of another place read.
// What a configuration record does not describe, as the records of a stream without images, does not count.
func TestFarReferences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := t.TempDir() + "/far.vrs"
		if err := vrsgen.BulkFile(name, vrsgen.Bulk{Records: 10_000, Index: true}); err != nil {
			t.Fatal(err)
		}
		b := windowtest.New(t)
		s, far := openFar(b, name)
		before := far.fetched()
		s.Pane.Lists.Show(document.ListReferences)
		for path, want := range map[string]int64{"streams/204-1/configuration/[0]": 1002, "streams/241-1/configuration/[0]": 2} {
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Pass()
			if r := s.Pane.Lists.Refs; r.Count != want || r.Busy {
				t.Errorf("%s: %d references, %s", path, r.Count, r.Head.Text)
			}
		}
		if n := far.fetched() - before; n > 110*farBlock {
			t.Errorf("%d bytes were read for two lists", n)
		}
	})
}

// linkWith is the link below o with a text.
func linkWith(o fyne.CanvasObject, text string) *kit.Link {
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			if l := linkWith(c, text); l != nil {
				return l
			}
		}
	case *kit.Link:
		if o.Text.Text == text {
			return o
		}
	}
	return nil
}
