package cards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/card"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// TestTableCard: a table of ten million rows is on the stage of its node.
func TestTableCard(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table")
		b.At(s, "layout/table")
		s.Pane.Stage.Choose("Table") // in front is the damage
		b.Until("the card", func() bool { return len(s.Pane.Stage.Deck.Titles()) == 1 })
		if got := s.Pane.Stage.Kind(); got != "Table" {
			t.Fatalf("on the stage is %q", got)
		}
		tree := windowtest.First[*treeview.Tree](s.Pane.Stage.Deck.Card(0))
		if n := tree.Rows(); n != 10_000_000 {
			t.Errorf("%d rows", n)
		}
		at := fyne.NewPos(60, 60)
		for item, want := range []string{"9", "16"} { // the row, the cell
			tree.SelectIndex(int64(3+item), false)
			tree.OnMenu(int64(3+item), 1, at)
			menu := b.W.Shell.Win.Canvas().Overlays().Top()
			size := menu.MinSize().Height / 4
			test.TapCanvas(b.W.Shell.Win.Canvas(), at.AddXY(20, size*(float32(item)+0.5)))
			b.Until("the copy", func() bool { return b.W.Shell.App.Clipboard().Content() == want })
		}
		tree.OnMenu(int64(3), 1, at)
		test.TapCanvas(b.W.Shell.Win.Canvas(), at.AddXY(20, b.W.Shell.Win.Canvas().Overlays().Top().MinSize().Height*5/8))
		b.PressMain() // ten million cells are refused
		if got := b.W.Shell.App.Clipboard().Content(); got != "16" {
			t.Errorf("%d bytes are copied", len(got))
		}
		s.Pane.Nav.GoTo("layout/gap")
		b.At(s, "layout/gap")
		b.Idle()
		if got := s.Pane.Stage.Kind(); got != document.Damage || s.Pane.Stage.Has("Table") || !slices.Contains(s.Pane.Stage.Kinds(), "Table") {
			t.Errorf("the card outlives its node, or its place goes with it: %s of %v", got, s.Pane.Stage.Kinds())
		}
	})
}

// TestOtherCards draws every other kind of card; one that cannot be made says why.
func TestOtherCards(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/header")
		b.At(s, "layout/header")
		d := s.Pane.Stage
		d.Choose("Text")
		b.Until("the cards", func() bool { return len(d.Deck.Titles()) == 5 })
		titles := d.Deck.Titles()
		b.Stage(s, titles[0])
		b.Until("the words", func() bool { return windowtest.First[*treeview.Tree](d.Deck.Card(0)).Rows() == 1 })
		for i, want := range []string{"", "", "This cannot be shown: the pixels are not there", "100,000 points, -500 … 499 m/s over time 0 … 9999.9", "2 channels, 8,000 Hz, 12.5 s, 100,000 frames, peak 1 (0.0 dB)"} {
			b.Stage(s, titles[i])
			b.Until(want, func() bool { return strings.Contains(windowtest.Words(d.Deck.Card(i)), want) })
		}
		tapButtons(d.Deck.Card(0))
		b.Until("the copy", func() bool { return b.W.Shell.App.Clipboard().Content() == "some words" })
		b.Stage(s, titles[1])
		list := windowtest.First[*treeview.Tree](d.Deck.Card(1))
		list.OnSelected(int64(0)) // a label
		list.OnSelected(int64(3)) // marks its bytes, and no more
		b.Until("the bytes of the line", func() bool {
			off, n := s.Pane.Hex.Shown.View.Selection()
			return off == uitest.TableAt+2*uitest.RowSize && n == uitest.RowSize
		})
		if s.Pane.Current().Path() != "layout/header" || len(d.Deck.Titles()) != 5 {
			t.Errorf("a line that is selected leads to %s", s.Pane.Current().Path())
		}
		list.OnChosen(int64(4)) // jumps, to below the second label
		b.Until("the jump", func() bool { return list.Selection.Item() == int64(902) })
		b.W.Shell.Focus(list)
		for _, step := range []struct {
			back bool
			text string
			row  int64
		}{{false, "", 2}, {false, "", 102}, {true, "", 2}, {true, "", 902}, {false, "NE 57", 58}, {true, "ne 57", 580}} {
			windowtest.First[*kit.Entry](d.Deck.Card(1)).SetText(step.text)
			s.Pane.FindNext(step.back)
			b.Until(fmt.Sprint(step), func() bool { return list.Selection.Item() == step.row })
		}
		windowtest.First[*kit.Entry](d.Deck.Card(1)).OnSubmitted("pc 33")
		b.Until("the address", func() bool { return list.Selection.Item() == int64(34) })
		list.OnChosen(int64(6)) // leads to its node
		b.At(s, "layout/table")
	})
}

// tapButtons taps all buttons in o.
func tapButtons(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			tapButtons(c)
		}
	case *kit.Button:
		o.OnTapped()
	case *widget.Button:
		test.Tap(o)
	}
}

// TestScannedFacts: a fact that takes a scan is found when it is asked for.
func TestScannedFacts(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		row := func(label string) card.Row {
			return b.CardRow(s, s.Pane.Doc.Views[0].Place(t.Context()), label)
		}
		r := row("not counted yet")
		if r.Text != "zero bytes" || len(r.Links) != 1 || row("zero bytes").Text != "" {
			t.Fatalf("before the scan: %+v", r)
		}
		r.Links[0].Tap()
		b.Until("the scan", func() bool { return row("zero bytes").Text == "4092" && row("not counted yet").Text == "" })
	})
}

// numberIn opens a recording, whose number is 0 1 3 4 5 at 1 2 4 5 6 s, at that of a record, with a kind of card on the
// stage.
func numberIn(b *windowtest.Bench, record int, kind string) (s *tab.Tab, card func() fyne.CanvasObject) {
	b.Helper()
	s = b.Open(opening.Target{File: "../../testdata/vrs/damaged-record-size-too-large.vrs"})
	b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
	path := fmt.Sprintf("streams/999-1/data/[%d]/data_layout/number", record)
	s.Pane.Nav.GoTo(path)
	b.At(s, path)
	b.Idle()
	s.Pane.Stage.ChooseForKeys(kind)
	return s, func() fyne.CanvasObject { return s.Pane.Stage.Object.Objects[0] }
}

// TestColumns: a table goes to a row, tells the facts of a column, and draws it; of records it begins at the selected one.
func TestColumns(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		_, shown := numberIn(b, 2, "Table")
		card := shown()
		list := windowtest.First[*treeview.Tree](card)
		if got := list.Selection.Item(); got != int64(2) || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(list) {
			t.Errorf("row %v is selected at first, the keyboard is in %T", got, b.W.Shell.Win.Canvas().Focused())
		}
		field := windowtest.First[*kit.Entry](card)
		field.SetText("4")
		field.OnSubmitted("4")
		if got := list.Selection.Item(); got != int64(4) {
			t.Errorf("row %v is gone to", got)
		}
		windowtest.First[*kit.Select](card).SetSelectedIndex(1)
		b.Until("facts", func() bool { return strings.Contains(windowtest.Words(card), "0 … 5 · mean 2.6 · ") })
		windowtest.CheckIn(card, "Plot").SetChecked(true)
		b.Until("the plot", func() bool { return strings.Contains(windowtest.Words(card), "Rows 0 to 4 of 5 elements") })
		plot := drawingIn(card)
		plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		windowtest.CheckIn(card, "Plot").SetChecked(false)
		if windowtest.First[*treeview.Tree](card) != list {
			t.Error("the rows do not come back")
		}
		if got := list.Selection.Item(); got != int64(3) {
			t.Errorf("row %v is selected after the last but one was chosen in the plot", got)
		}
	})
}

// drawing is what draws a plot, a shape or a picture.
type drawing interface {
	fyne.CanvasObject
	fyne.Scrollable
	fyne.Draggable
	fyne.Tappable
	fyne.Focusable
}

// drawingIn is the first drawing in o.
func drawingIn(o fyne.CanvasObject) drawing { return windowtest.First[drawing](o) }

// TestChosenAgain: the cards of a node that is chosen again stay as they are.
func TestChosenAgain(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, path := b.AtPoints()
		plot := cardOf(b, s, path, "Plot")
		windowtest.CheckIn(plot, "y").SetChecked(false)
		b.Idle()
		again := func(how string, choose func()) {
			t.Helper()
			choose()
			b.Idle()
			if now := s.Pane.Stage.Object.Objects[0]; s.Pane.Current().Path() != path || now != plot {
				t.Errorf("%s: %s with another card", how, s.Pane.Current().Path())
			}
		}
		again("a click in the tree", func() {
			s.Pane.Trees.Tree(s.Pane.Trees.View()).OnSelected(s.Pane.Trees.Tree(s.Pane.Trees.View()).Selection.Item())
		})
		again("the location", func() { s.Pane.Nav.GoTo(path) })
		if !strings.Contains(b.CardWords(s), " distinct") {
			t.Errorf("the details say %q", b.CardWords(s))
		}
		s.Pane.Nav.GoTo("scene/Prototypes/Leg/.normals/default")
		b.At(s, "scene/Prototypes/Leg/.normals/default")
		b.Idle()
		if now := s.Pane.Stage.Object.Objects[0]; now == plot {
			t.Error("another node has the same card")
		}
	})
}

// TestSeriesZoom: a series over time zooms, moves, and is counted; its cursor begins at the selected record and tells of the point
// itself; the next record's is looked at the same way and not read again.
func TestSeriesZoom(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, shown := numberIn(b, 1, "Plot")
		says := func(want string) {
			t.Helper()
			b.Idle()
			if got := windowtest.Words(shown()); !strings.Contains(got, want) {
				t.Errorf("%q is told, and not %q", got, want)
			}
		}
		press := func(keys ...fyne.KeyName) {
			for _, key := range keys {
				b.W.Shell.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
			}
		}
		types := func(text string) {
			for _, r := range text {
				b.W.Shell.Win.Canvas().Focused().TypedRune(r)
				b.Idle()
			}
		}
		says("5 points, 0 … 5 over time 1 … 6 s")
		press(fyne.KeyRight) // from the second record's time by a hundredth of what is in sight
		says("[1]   at 2 s:  1")
		types("++++")
		says("1 of 5 points, all 1 over time 1.620 … 3.668")
		press(fyne.KeyReturn)
		says("1 of 5 points, all 1 over time 1.620 … 3.668") // it is the record that was selected
		s.Pane.Time.Step(false, false)
		b.At(s, "streams/999-1/data/[2]/data_layout/number")
		says("2 of 5 points, 3 … 4 over time 2.976 … 5.024") // moved to where the next record is
		types("0")
		says("5 points, 0 … 5 over time 1 … 6")
		card := shown()
		windowtest.CheckIn(card, "Histogram").SetChecked(true)
		says("how many values are in each range, of all 5 points")
		press(fyne.KeyHome)
		says("1: 0 … ")
	})
}

// TestSeriesLeads: a click on a plot leads to the point's node.
func TestSeriesLeads(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/header")
		b.At(s, "layout/header")
		d := s.Pane.Stage
		d.Choose("Text")
		b.Until("the cards", func() bool { return len(d.Deck.Titles()) == 5 })
		b.Stage(s, d.Deck.Titles()[3])
		card := d.Deck.Card(3).(*fyne.Container)
		b.Until("the curve", func() bool { return strings.Contains(windowtest.Words(card), "100,000 points") })
		type plot interface {
			fyne.Tappable
			desktop.Hoverable
		}
		for _, o := range card.Objects {
			if c, ok := o.(plot); ok {
				o.Resize(fyne.NewSize(800, 300))
				at := fyne.PointEvent{Position: fyne.NewPos(400, 100)}
				c.MouseMoved(&desktop.MouseEvent{PointEvent: at})
				if got := windowtest.Words(card); !strings.Contains(got, "at 4") || !strings.Contains(got, "m/s") {
					t.Errorf("under the pointer: %q", got)
				}
				c.Tapped(&at)
			}
		}
		b.Until("the point's node", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), "layout/table/[") })
	})
}

// TestBytesOfRows: in the bytes of an array whose table is in front each click selects the row of the byte; one more on the same row
// asks for what the array is in.
func TestBytesOfRows(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, path := b.AtPoints()
		s.Pane.Stage.ChooseForKeys("Table")
		b.Idle()
		list := windowtest.First[*treeview.Tree](s.Pane.Stage.Object)
		const begin, row = 0x3288, 12
		view := s.Pane.Hex.Shown.View
		click := func(off int64) {
			b.W.Shell.Win.Canvas().Capture()
			cell, _, ok := view.CellRect(off)
			if !ok {
				t.Fatalf("%#x is not in sight", off)
			}
			view.Tapped(&fyne.PointEvent{Position: fyne.NewPos(cell.X+cell.Width/2, cell.Y+cell.Height/2)})
			b.Idle()
		}
		for _, k := range []int64{3, 1, 5, 4} {
			click(begin + k*row + 5)
			if got := list.Selection.Item(); got != k {
				t.Errorf("row %v is selected after a click into row %d", got, k)
			}
			if got := s.Pane.Current().Path(); got != path {
				t.Errorf("%s is gone to", got)
			}
		}
		click(begin + 4*row + 7)
		click(begin + 6*row)
		if got := list.Selection.Item(); got != int64(6) || s.Pane.Current().Path() != path {
			t.Errorf("row %v is selected after two clicks into row 4 and one into row 6, in %s", got, s.Pane.Current().Path())
		}
		click(begin + 6*row + 1)
		click(begin + 6*row + 1)
		b.At(s, "scene/Prototypes/Leg/.points")
	})
}

// TestBackToRow: Back leads to the row of a table from which another array was gone to, in its card and where it was in sight; and
// to the row that was selected before a click into the bytes.
func TestBackToRow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		const indices, points = "scene/Prototypes/Leg/.faceVertexIndices", "scene/Prototypes/Leg/.points/default"
		table := func() *treeview.Tree {
			t.Helper()
			if s.Pane.Stage.Kind() != "Table" {
				t.Fatalf("%s is on the stage", s.Pane.Stage.Kind())
			}
			return windowtest.First[*treeview.Tree](s.Pane.Stage.Object)
		}
		show := func(path string) *treeview.Tree {
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Idle()
			s.Pane.Stage.ChooseForKeys("Table")
			b.Idle()
			b.W.Shell.Win.Canvas().Capture()
			return table()
		}
		list := show(indices)
		list.SelectIndex(50, false)
		list.SetTop(48)
		b.Idle()
		list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.Until("the point", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), points+"/[") })
		b.Idle()
		s.Pane.Nav.Travel(-1)
		b.At(s, indices)
		b.Idle()
		if list = table(); list.Selection.Item() != int64(50) || list.Top() != 48 || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(list) {
			t.Errorf("back at row %v below row %d, and %T has the keyboard", list.Selection.Item(), list.Top(), b.W.Shell.Win.Canvas().Focused())
		}
		s.Pane.Nav.Travel(1)
		b.Until("the point again", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), points+"/[") })

		list = show(points)
		list.SelectIndex(70, false)
		list.SetTop(68)
		b.Idle()
		array := s.Pane.Current().Node.Value.(model.Array) // its elements are 12 bytes each
		begin, _ := s.Pane.Hex.Shown.View.Selection()
		begin -= 70 * 12
		s.Pane.Nav.Tapped(s.Pane.Hex.Shown.Src, begin+3*12+1, false)
		b.Idle()
		if got := table().Selection.Item(); got != int64(3) {
			t.Fatalf("row %v of %d is selected by its bytes", got, array.Len())
		}
		for _, step := range []struct{ by, row int64 }{{-1, 70}, {1, 3}} {
			s.Pane.Nav.Travel(int(step.by))
			b.Idle()
			off, n := s.Pane.Hex.Shown.View.Selection()
			if got := table().Selection.Item(); s.Pane.Current().Path() != points || got != step.row || off != begin+step.row*12 || n != 12 {
				t.Errorf("%d steps: row %v of %s, %d bytes at %#x are selected", step.by, got, s.Pane.Current().Path(), n, off)
			}
		}
	})
}

// TestClickedTab: a click on the tab of a table gives it the keyboard.
func TestClickedTab(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.AtPoints()
		bar := s.Pane.Stage.Strip
		tab := slices.Index(s.Pane.Stage.Kinds(), "Table")
		for x := float32(4); x < bar.Size().Width && bar.Selected != tab; x += 8 {
			time.Sleep(time.Second)
			bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 4)}, Button: desktop.MouseButtonPrimary})
		}
		b.W.Shell.Win.Canvas().Unfocus() // as the window's driver does
		bar.Tapped(&fyne.PointEvent{})
		b.Idle()
		if list := windowtest.First[*treeview.Tree](s.Pane.Stage.Object); b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(list) {
			t.Errorf("%T has the keyboard", b.W.Shell.Win.Canvas().Focused())
		}
	})
}
