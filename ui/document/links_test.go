package document_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/nodes"
	"cutaway/ui/uitest"
)

// TestTreeToBytes: selecting in the tree marks the bytes and shows the details.
func TestTreeToBytes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		if s.Pane.Trees.View().Name != "layout" || s.Pane.Trees.Views.Selected != 1 {
			t.Errorf("view %s", s.Pane.Trees.View().Name)
		}
		h := s.Pane.Hex.Shown
		want := hexview.Range{Off: uitest.TableAt + 7*uitest.RowSize, Len: uitest.RowSize}
		if len(h.Ranges.Selected) != 1 || h.Ranges.Selected[0] != want {
			t.Errorf("selected %v, want %v", h.Ranges.Selected, want)
		}
		if h.View.Cursor() != want.Off {
			t.Errorf("cursor at %d", h.View.Cursor())
		}
		b.Until("details", func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "A row of the table") })
		for _, part := range []string{"7", "row", "16 bytes at 0x80"} {
			if !strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), part) {
				t.Errorf("details lack %q: %s", part, windowtest.Texts(s.Pane.Side.Card.Rows))
			}
		}
		if got := b.W.Place.Entry.Text; got != "layout/table/[7]" {
			t.Errorf("location %q", got)
		}
		if got := b.W.Status.Where.Text; got != "0x80 (128)  ·  16 bytes  ·  File" {
			t.Errorf("status %q", got)
		}
	})
}

// TestBytesToTree: a click on a byte selects in the view that is open; of several nodes the last visited, the others
// are in the references; a second click selects the parent.
func TestBytesToTree(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		src := s.Pane.Doc.Source()
		s.Pane.Nav.Tapped(src, uitest.TableAt+1*uitest.RowSize+3, false)
		b.At(s, "scene/World")
		s.Pane.Nav.Tapped(src, uitest.TableAt+5*uitest.RowSize, false)
		b.At(s, "scene/Lamp")
		b.Until("the other owner", func() bool {
			rows := s.Pane.Lists.Refs.Data.All()
			return len(rows) == 2 && rows[0].Direction == "also here" && rows[0].Ref.Path == "scene/Shade" && rows[1].Direction == "goes to"
		})
		s.Pane.Nav.GoTo("scene/Shade")
		b.At(s, "scene/Shade")
		s.Pane.Nav.Tapped(src, uitest.TableAt+2*uitest.RowSize, false)
		b.At(s, "scene/Lamp")
		s.Pane.Nav.GoTo("scene/Shade")
		b.At(s, "scene/Shade")
		s.Pane.Nav.Tapped(src, uitest.TableAt+5*uitest.RowSize+2, false)
		b.Idle()
		b.At(s, "scene/Shade")
		s.Pane.Nav.Tapped(src, uitest.TableAt+5*uitest.RowSize+2, true)
		b.At(s, "scene")
		if s.Pane.Trees.View().Name != "scene" {
			t.Error("the view has switched by itself")
		}
	})
}

// TestBytesWithoutOwner: where the view has no node with the byte, the layout node is in the details, the view stays
// and its nearest owner is marked.
func TestBytesWithoutOwner(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.Tapped(s.Pane.Doc.Source(), uitest.TableAt+50*uitest.RowSize, false)
		b.At(s, "layout/table/[50]")
		if s.Pane.Trees.View().Name != "scene" {
			t.Error("the view has switched")
		}
		if p := s.Pane.Trees.Tree(s.Pane.Trees.View()).Selection.Item().(*nodes.Item); p.Path() != "scene/World" {
			t.Errorf("marked %s", p.Path())
		}
		s.Pane.Trees.Views.Choose(1)
		s.Pane.Nav.Tapped(s.Pane.Doc.Source(), 5, false)
		b.At(s, "layout/header/version")
		if got := s.Pane.Trees.Tree(s.Pane.Trees.View()).Selection.Item().(*nodes.Item).Path(); got != "layout/header/version" {
			t.Errorf("the layout's tree selects %s", got)
		}
	})
}

// TestDerived: a node of a derived source gets a tab of its own, the bytes that it was made from are marked in the
// file and said in the status bar, and a key goes there and back.
func TestDerived(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
		b.At(s, "layout/packed@inflated/[3]")
		b.Until("the origin", func() bool { return s.Pane.Origin.OriginText != "" })
		if len(s.Pane.Hex.Tabs) != 2 || s.Pane.Hex.Shown.Title() != "packed part" {
			t.Fatalf("%d tabs, shown %s", len(s.Pane.Hex.Tabs), s.Pane.Hex.Shown.Title())
		}
		want := hexview.Range{Off: uitest.PackedAt + 30, Len: 10}
		if m := s.Pane.Hex.Tabs[0].Ranges.Mapped; len(m) != 1 || m[0] != want {
			t.Errorf("mapped %v, want %v", m, want)
		}
		if got := b.W.Status.Where.Text; !strings.Contains(got, "0x3c (60)  ·  20 bytes  ·  packed part") || !strings.Contains(got, "0x7ee") || !strings.Contains(got, "2.0:1") {
			t.Errorf("status %q", got)
		}
		s.Pane.Origin.ToOrigin(1)
		if s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] {
			t.Error("no hop to the file")
		}
		s.Pane.Origin.ToOrigin(-1)
		if s.Pane.Hex.Shown != s.Pane.Hex.Tabs[1] {
			t.Error("no hop back")
		}
		s.Pane.Nav.GoTo("layout/header/magic")
		b.At(s, "layout/header/magic")
		if len(s.Pane.Hex.Tabs[0].Ranges.Mapped) != 0 || s.Pane.Origin.OriginText != "" {
			t.Error("the mapping outlives its selection")
		}
		s.Pane.Hex.Shown.View.SetCursor(uitest.PackedAt + 30)
		s.Pane.Origin.ToOrigin(-1)
		b.At(s, "layout/packed@inflated/[3]")
	})
}

// TestClickStays: a click on a byte of a node whose first bytes are elsewhere leaves the pane where it is.
func TestClickStays(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
		b.At(s, "layout/packed@inflated/[3]")
		other := s.Pane.Hex.Shown
		s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
		s.Pane.Show(s.Pane.Current(), document.Showing{})
		if s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] {
			t.Error("the tab has changed")
		}
		if r := other.Ranges.Selected; len(r) != 1 || r[0] != (hexview.Range{Off: 60, Len: 20}) {
			t.Errorf("marked %v in the other tab", r)
		}
	})
}

// TestKeyboardFollows: when another tree or source is shown, it gets the keyboard that the one before it had.
func TestKeyboardFollows(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		c := b.W.Shell.Win.Canvas()
		c.Focus(s.Pane.Trees.Tree(s.Pane.Trees.View()))
		s.Pane.Trees.NextView()
		if c.Focused() != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
			t.Error("the other tree has no keyboard")
		}
		c.Focus(s.Pane.Hex.Shown.View)
		s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
		b.At(s, "layout/packed@inflated/[3]")
		c.Focus(s.Pane.Hex.Shown.View)
		s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
		if c.Focused() != s.Pane.Hex.Shown.View {
			t.Error("the other source has no keyboard")
		}
	})
}

// TestPinnedTab: a tab that is kept stays when another derived source is shown, and can be closed.
func TestPinnedTab(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/packed@inflated")
		b.At(s, "layout/packed@inflated")
		s.Pane.Hex.Pin(s.Pane.Hex.Shown)
		if s.Pane.Hex.Follow != nil {
			t.Fatal("still follows")
		}
		s.Pane.Hex.Close(s.Pane.Hex.Tabs[1])
		if len(s.Pane.Hex.Tabs) != 1 || s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] {
			t.Fatal("not closed")
		}
	})
}

// TestReferences: both directions.
func TestReferences(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table/[5]")
		b.At(s, "layout/table/[5]")
		b.Until("references", func() bool { return s.Pane.Lists.Refs.Count == 2 && !s.Pane.Lists.Refs.Busy })
		if got := s.Pane.Lists.Bar.Tabs[document.ListReferences].Title; got != "References 2" {
			t.Errorf("tab %q", got)
		}
		s.Pane.Lists.Show(document.ListReferences)
		s.Pane.Lists.Refs.List.OnChosen(int64(1))
		b.At(s, "scene/Shade")
		b.Until("its reference", func() bool { return len(s.Pane.Lists.Refs.Data.All()) == 1 })
		s.Pane.Lists.Refs.List.OnChosen(int64(0))
		b.At(s, "layout/table/[5]")
	})
}

// TestRootReferences: what refers to the root that is selected at first is looked for when it is asked for.
func TestRootReferences(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		var asked atomic.Int64
		byOthers := doc.ReferencedBy
		doc.ReferencedBy = func(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
			asked.Add(1)
			return byOthers(ctx, p, limit, progress)
		}
		s.Pane.Nav.GoTo("layout")
		b.At(s, "layout")
		b.Until("its details", func() bool { return s.Pane.Lists.Refs.Path == "layout" && !s.Pane.Lists.Refs.Busy })
		if s.Pane.Lists.Refs.Busy || s.Pane.Lists.Refs.Postponed == nil || asked.Load() != 0 {
			t.Fatal("looks for references to a root")
		}
		s.Pane.Lists.Show(document.ListReferences)
		b.Until("references", func() bool { return asked.Load() == 1 && !s.Pane.Lists.Refs.Busy })
		s.Pane.Nav.GoTo("scene")
		b.Until("references of the next root", func() bool { return asked.Load() == 2 && !s.Pane.Lists.Refs.Busy })
	})
}

// TestHistoryKeys goes back and forth.
func TestHistoryKeys(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		for _, p := range []string{"layout/header", "layout/table/[3]", "scene/World"} {
			s.Pane.Nav.GoTo(p)
			b.At(s, p)
		}
		b.Menu("Back").Action()
		b.At(s, "layout/table/[3]")
		b.Menu("Back").Action()
		b.At(s, "layout/header")
		b.Menu("Forward").Action()
		b.At(s, "layout/table/[3]")
		if s.Pane.Trees.View().Name != "layout" || b.Menu("Back").Disabled || b.Menu("Forward").Disabled {
			t.Error("wrong view or menu")
		}
		s.Pane.Nav.GoTo("layout/gap")
		b.At(s, "layout/gap")
		if !b.Menu("Forward").Disabled {
			t.Error("what was ahead is still there")
		}
	})
}

// TestLocationBar goes to offsets and paths.
func TestLocationBar(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		b.W.Place.GoTo("layout/table/[2]")
		b.At(s, "layout/table/[2]")
		b.W.Place.GoTo("0x30")
		b.Until("offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 0x30 })
		b.At(s, "layout/table/[2]")
		b.W.Place.GoTo("+16")
		b.At(s, "layout/table/[3]")
		b.W.Place.GoTo("end-1")
		b.At(s, "layout/rest")
	})
}

// TestProblems: a known problem is listed, marks its node and those above, and leads there.
func TestProblems(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		b.Until("problems", func() bool { return len(s.Pane.Lists.Problems.Found) == 1 })
		if got := s.Pane.Lists.Bar.Tabs[document.ListProblems].Title; got != "Problems 1" {
			t.Errorf("tab %q", got)
		}
		if s.Pane.Lists.Problems.Marks.Below("layout/header") == 0 || s.Pane.Lists.Problems.Marks.Below("layout") == 0 || s.Pane.Lists.Problems.Marks.Below("layout/table") != 0 {
			t.Error("wrong marks")
		}
		if got := b.W.Status.What.Text + b.W.Status.Verdict.Text; got != "Fake 71 error" {
			t.Errorf("status %q", got)
		}
		b.Until("the list", func() bool { return len(s.Pane.Lists.Problems.Listed) == 1 })
		s.Pane.Lists.Problems.List.SelectIndex(0, false)
		b.At(s, "layout/header/version")
		b.Until("its details", func() bool {
			return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "The version is not known.\nexpected\n1\nfound\n7\nat\n0x4\nrule\nfake.version\n")
		})
		if f := s.Pane.Hex.Shown.FlawsIn(nil, 0, 100); len(f) != 1 || f[0].Off != 4 {
			t.Errorf("flaws %v", f)
		}
		close(doc.Gate)
		s.Pane.Lists.Problems.Check()
		b.Until("the check", func() bool { return s.Pane.Lists.Problems.Whole && s.Pane.Lists.Open == document.ListProblems })
	})
}

// TestOwnerInCard: the card leads to the node that the selected one is of.
func TestOwnerInCard(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/header/magic")
		b.At(s, "layout/header/magic")
		links := b.CardRow(s, s.Pane.Current(), "of").Links
		if len(links) != 1 || links[0].Text != "header" {
			t.Fatalf("%+v", links)
		}
		links[0].Tap()
		b.At(s, "layout/header")
	})
}

// TestEscapeToTheTree: Escape leads back to the tree from the bytes and the tabs.
func TestEscapeToTheTree(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		c := b.W.Shell.Win.Canvas()
		for name, o := range map[string]fyne.Focusable{"bytes": s.Pane.Hex.Shown.View, "trees": s.Pane.Trees.Views, "hex tabs": s.Pane.Hex.Bar,
			"stage": s.Pane.Stage.Strip, "files": b.W.Pages.Bar} {
			c.Focus(o)
			for range 2 { // the first may drop what is selected
				if c.Focused() == o {
					o.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
				}
			}
			if c.Focused() != fyne.Focusable(s.Pane.Trees.Front(s.Pane.Trees.View())) {
				t.Errorf("from the %s Escape leads to %T", name, c.Focused())
			}
		}
	})
}
