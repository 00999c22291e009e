package ui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/hexview"
	"cutaway/ui/uitest"
)

// TestHoverRow: the bytes of the row that the pointer is over are lit, apart from the selection, and no longer than it is there.
func TestHoverRow(t *testing.T) { synctest.Test(t, testHoverRow) }

func testHoverRow(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.GoTo("layout/table/[7]")
	b.at(s, "layout/table/[7]")
	b.idle()
	tree, view := s.Front(s.View()), s.Hex.Shown.View
	b.w.Win.Canvas().Capture() // which makes the rows
	b.idle()
	hover := func(row int64) {
		at, size, ok := tree.RowRect(row)
		if !ok {
			t.Fatalf("row %d is not in sight", row)
		}
		e := &desktop.MouseEvent{}
		e.Position = at.Add(fyne.NewPos(size.Width/2, size.Height/2))
		tree.MouseMoved(e)
	}
	hover(1)
	if got := view.Hovered(); !slices.Equal(got, []hexview.Range{{Off: 0, Len: 16}}) {
		t.Errorf("over the header %v is lit", got)
	}
	if got := s.Hex.Shown.Ranges.Selected; len(got) != 1 || got[0].Off != uitest.TableAt+7*uitest.RowSize {
		t.Errorf("selected is %v: the pointer changed it", got)
	}
	hover(0)
	if got := view.Hovered(); len(got) > 0 {
		t.Errorf("over the root, which has all bytes, %v is lit", got)
	}
	hover(1)
	tree.MouseOut()
	if got := view.Hovered(); len(got) > 0 {
		t.Errorf("without the pointer %v is lit", got)
	}
}

// TestHoverByte: the element of an array has its name, also one that is decoded for it; a question that nobody waits for ends.
func TestHoverByte(t *testing.T) { synctest.Test(t, testHoverByte) }

func testHoverByte(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	src := s.Doc.Sources[0]
	if text, span := s.HoverText(t.Context(), src, uitest.TableAt+3*uitest.RowSize+5); !strings.HasPrefix(text, "layout/table/[3]\n") || span.Len != uitest.RowSize {
		t.Errorf("a byte of a row is %q, %v", text, span)
	}
	ctx, gone := context.WithCancel(t.Context())
	gone()
	if text, _ := s.HoverText(ctx, src, 2200); !strings.HasPrefix(text, "layout/slow\n") || !strings.HasSuffix(text, "not decoded yet") {
		t.Errorf("a byte that is not decoded, and is not waited for, is %q", text)
	}
	close(doc.Gate)
	if text, _ := s.HoverText(t.Context(), src, 2200); !strings.HasPrefix(text, "layout/slow/inside\n") {
		t.Errorf("a byte that is not decoded is %q", text)
	}
}
