package stage_test

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/ui/document"
	"cutaway/ui/opening"
	"cutaway/ui/picture"
	"cutaway/ui/tab"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"
)

const leg = "scene/Prototypes/Leg"

// at opens the sample at a node.
func at(b *windowtest.Bench, path string) *tab.Tab {
	b.Helper()
	s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
	goTo(b, s, path)
	return s
}

func goTo(b *windowtest.Bench, s *tab.Tab, path string) {
	b.Helper()
	s.Pane.Nav.GoTo(path)
	b.At(s, path)
	b.Idle()
}

// TestStageStays: 20 clicks on the strip and 40 steps down the tree leave the strip, its kinds and the divider where they are, and the
// shape of a mesh on the stage of all that is below it.
func TestStageStays(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Shell.Win.Resize(fyne.NewSize(1360, 860))
		s := at(b, leg)
		p := s.Pane.Stage
		place := fyne.CurrentApp().Driver().AbsolutePositionForObject
		type still struct {
			strip, bytes fyne.Position
			kinds        string
			edges        []float32
		}
		now := func() still {
			b.W.Shell.Win.Canvas().Capture()
			return still{place(p.Strip), place(s.Pane.Hex.Object), strings.Join(p.Kinds(), " "), p.Strip.Edges()}
		}
		want := now()
		if p.Kind() != "Shape" || want.kinds != "Shape Plot Table Text Sizes Files" || p.Strip.Tabs[3].Title != "USDA" {
			t.Fatalf("%s is on the stage of %v", p.Kind(), want)
		}
		same := func(what string, step int) {
			if got := now(); got.strip != want.strip || got.bytes != want.bytes || got.kinds != want.kinds || !slices.Equal(got.edges, want.edges) {
				t.Errorf("%s %d: %+v, before %+v", what, step, got, want)
			}
		}
		for i := range 20 {
			b.ClickTab(p.Strip, i%5)
			b.Idle()
			same("click", i)
		}
		p.Choose("Shape")
		s.Pane.Trees.FocusTree()
		for i := range 40 {
			b.W.Shell.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			b.Idle()
			same("step", i)
			if path := s.Pane.Current().Path(); strings.HasPrefix(path, leg) && p.Kind() != "Shape" {
				t.Errorf("%s is on the stage of %s", p.Kind(), path)
			}
		}
	})
}

// TestStageOfNode: a node without a card of the kind that was chosen is shown in that of a node above it, an element as the row that it
// is; what cannot be shown of it stays in its place and says why; a pinned card stays.
func TestStageOfNode(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := at(b, leg+"/.points/default/[5]")
		p := s.Pane.Stage
		p.Choose("Table")
		b.Idle()
		list := windowtest.First[*treeview.Tree](p.Object)
		if list == nil || list.Selection.Item() != int64(5) {
			t.Fatalf("the element's table has row %v", list)
		}
		goTo(b, s, leg+"/.points/default/[7]")
		if now := windowtest.First[*treeview.Tree](p.Object); now != list || now.Selection.Item() != int64(7) {
			t.Errorf("the next element has another table, or row %v", now.Selection.Item())
		}
		goTo(b, s, leg+"/.points/default")
		if off, n := s.Pane.Hex.Shown.View.Selection(); n != 0 {
			t.Errorf("the row of an element marks %d bytes at %#x of its array", n, off)
		}
		goTo(b, s, leg+"/.normals/default")
		if p.Kind() != "Table" {
			t.Errorf("%s is on the stage though Table was chosen", p.Kind())
		}
		goTo(b, s, "scene")
		if i := slices.Index(p.Kinds(), "Plot"); i != 1 || p.Strip.Tabs[1].Why == "" || p.Has("Plot") || !p.Has("Shape") {
			t.Errorf("the scene has a plot, or no shape: %v, %q", p.Kinds(), p.Strip.Tabs[1].Why)
		}
		p.Choose("Text")
		b.Idle()
		text := windowtest.ShownTexts(p.Object)
		p.Pin(true)
		goTo(b, s, leg)
		if p.Kind() != "Text" || windowtest.ShownTexts(p.Object) != text || !b.Menu("Pin the card").Checked {
			t.Errorf("the pinned card went: %s", p.Kind())
		}
		p.Pin(false)
		b.Idle()
		if windowtest.ShownTexts(p.Object) == text {
			t.Error("the card that was pinned stays of another node")
		}
		p.ChoosePlace(len(p.Kinds()) - 2)
		if b.Idle(); p.Kind() != document.Sizes {
			t.Errorf("Alt and the last place but one show %s", p.Kind())
		}
		goTo(b, s, leg+"/.points")
		if p.Kind() != document.Sizes {
			t.Errorf("another node shows %s in place of the sizes", p.Kind())
		}
	})
}

// TestShows: what stands for a node without cards is on the stage: of a recording the pictures of all streams, of an Udon file the code
// of its program. A record beside it without a picture has none of another stream.
func TestShows(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/pixels.vrs"})
		goTo(b, s, "streams")
		pictures := func() (n int) {
			for o := range windowtest.All(s.Pane.Stage.Object) {
				if _, is := o.(*picture.View); is {
					n++
				}
			}
			return n
		}
		b.Until("the pictures of all streams", func() bool { return s.Pane.Stage.Kind() == "Image" && pictures() > 8 })
		goTo(b, s, "streams/999-1")
		b.Until("the picture of a stream", func() bool { return s.Pane.Stage.Kind() == "Image" && pictures() == 1 })
		goTo(b, s, "streams/999-1/configuration")
		if s.Pane.Stage.Kind() == "Image" && s.Pane.Current().Path() == "streams/999-1/configuration" {
			t.Error("the records of a configuration are shown as a picture")
		}
		s = b.Open(opening.Target{File: "../../testdata/odin/program.odin"})
		goTo(b, s, "udon")
		b.Until("the code", func() bool {
			return s.Pane.Stage.Kind() == "Text" && strings.Contains(windowtest.ShownTexts(s.Pane.Stage.Object), "PUSH")
		})
		goTo(b, s, "udon/program/code")
		line := s.Pane.Current().Child(t.Context(), 2).Path()
		goTo(b, s, line)
		if list := windowtest.First[*treeview.Tree](s.Pane.Stage.Object); list == nil || list.Selection.Item() != int64(3) {
			t.Errorf("the line of %s, below a label, is not marked", line)
		}
	})
}

// TestShapeMarked: an element of a mesh's points is marked in its shape.
func TestShapeMarked(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := at(b, leg+"/.points/default/[5]")
		if s.Pane.Stage.Kind() != "Shape" {
			t.Fatalf("%s is on the stage", s.Pane.Stage.Kind())
		}
		b.Until("the point", func() bool { return strings.Contains(windowtest.Words(s.Pane.Stage.Object), "[5]   (") })
		goTo(b, s, leg+"/.points")
		if told := windowtest.Words(s.Pane.Stage.Object); !strings.Contains(told, "84 points, 60 faces") {
			t.Errorf("of the array it says %q", told)
		}
	})
}
