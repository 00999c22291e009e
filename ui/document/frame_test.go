package document_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/stage"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"
)

// sized gives the window a size, and lays it out.
func sized(b *windowtest.Bench, width, height float32) {
	b.W.Shell.Win.Resize(fyne.NewSize(width, height))
	b.W.Shell.Win.Canvas().Capture()
	b.Idle()
	b.W.Shell.Win.Canvas().Capture()
}

// TestColumns: a wide window has three columns, a narrower one two and the card in a drawer, a small one a part at a time. A row of bytes
// is as long as there is room, and the tree has the rows that are asked for.
func TestColumns(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		for _, c := range []struct {
			width, height     float32
			left, mid, right  bool
			leftWide, cardWid float32 // 0: whatever
			bytes, rows       int
		}{
			{1280, 800, true, true, true, 384, 300, 16, 0},
			{1360, 860, true, true, true, 408, 312.8, 16, 30},
			{1920, 1080, true, true, true, 460, 420, 32, 39},
			{1024, 700, true, true, false, 327.68, 0, 0, 22},
			{640, 480, true, false, false, 640, 0, 0, 14},
			{1300, 540, true, false, false, 1300, 0, 0, 0},
		} {
			sized(b, c.width, c.height)
			name := fmt.Sprintf("%g×%g", c.width, c.height)
			f := s.Pane.Frame
			if got := [3]bool{f.Left.Visible(), f.Middle.Visible(), f.Right.Visible()}; got != [3]bool{c.left, c.mid, c.right} {
				t.Errorf("%s shows %v", name, got)
			}
			if got := f.Left.Size().Width; got < c.leftWide-1 || got > c.leftWide+1 {
				t.Errorf("%s: the tree is %g wide", name, got)
			}
			if got := f.Right.Size().Width; c.cardWid > 0 && (got < c.cardWid-1 || got > c.cardWid+1) {
				t.Errorf("%s: the card is %g wide", name, got)
			}
			if got := s.Pane.Hex.Shown.View.BytesPerRow(); c.bytes > 0 && got != c.bytes {
				t.Errorf("%s: %d bytes a row", name, got)
			}
			tree := s.Pane.Trees.Front(s.Pane.Trees.View())
			at, row, _ := tree.RowRect(tree.Top())
			if got := int((tree.Size().Height - at.Y) / row.Height); got < c.rows {
				t.Errorf("%s: %d rows of the tree, want %d", name, got, c.rows)
			}
		}
	})
}

// TestDrawer: in a narrower window Ctrl+J shows the card over the stage, and Escape takes it away; a line tells of the node.
func TestDrawer(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.AtPoints()
		sized(b, 1024, 700)
		f := s.Pane.Frame
		if f.Right.Visible() {
			t.Fatal("the card is there at first")
		}
		b.Menu("Card").Action()
		if !f.Right.Visible() || f.Right.Position().X+f.Right.Size().Width != f.Object.Size().Width || !b.Menu("Card").Checked {
			t.Errorf("the card is at %v, %v", f.Right.Position(), f.Right.Size())
		}
		s.Pane.Escape()
		if f.Right.Visible() {
			t.Error("Escape leaves it there")
		}
		if told := windowtest.ShownTexts(f.Middle); !strings.Contains(told, "1,016 bytes at 0x3280") {
			t.Errorf("the line tells %q", told)
		}
	})
}

// TestArranged: the stage and the bytes are both shown, or one of them, for each format as the user chose last.
func TestArranged(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		both := func(s *tab.Tab) [2]bool {
			b.W.Shell.Win.Canvas().Capture()
			return [2]bool{shown(s, s.Pane.Stage.Object), shown(s, s.Pane.Hex.Object)}
		}
		for _, want := range [][2]bool{{true, true}, {true, false}, {false, true}, {true, true}, {true, false}} {
			if got := both(s); got != want {
				t.Errorf("shown are %v, want %v", got, want)
			}
			b.W.Actions.Press(fyne.KeyF9)
		}
		other, _ := b.Fake()
		if got := both(other); got != [2]bool{true, true} {
			t.Errorf("of another format %v is shown", got)
		}
		same := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		if got := same.Pane.Frame.Arranged(); got != stage.Bytes || both(same) != [2]bool{false, true} {
			t.Errorf("another crate has %q", got)
		}
		same.Pane.Stage.ChooseForKeys("Shape")
		if got := both(same); got != [2]bool{true, true} {
			t.Errorf("after a card was asked for %v is shown", got)
		}
	})
}

// shown reports whether an object is part of what the columns show.
func shown(s *tab.Tab, o fyne.CanvasObject) bool { return shownIn(s.Pane.Frame.Middle, o) }

// TestFullStage: F11, or a double click on the strip, gives the stage the whole window, and Escape takes it back.
func TestFullStage(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.AtPoints()
		f := s.Pane.Frame
		is := func(what string, full bool) {
			t.Helper()
			b.W.Shell.Win.Canvas().Capture()
			if f.IsFull() != full || f.Left.Visible() == full || (f.Middle.Size().Width == f.Object.Size().Width) != full {
				t.Errorf("%s: full %v, the tree is there: %v", what, f.IsFull(), f.Left.Visible())
			}
		}
		is("at first", false)
		b.W.Actions.Press(fyne.KeyF11)
		is("F11", true)
		s.Pane.Escape()
		is("Escape", false)
		for range 2 {
			s.Pane.Stage.Strip.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 8)}, Button: desktop.MouseButtonPrimary})
		}
		is("a double click", true)
		b.W.Actions.Press(fyne.KeyF11)
		is("F11 again", false)
	})
}

// TestParts: F6 goes round tree, stage, bytes and card, and Shift+F6 back, in every width; each can be left so.
func TestParts(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.AtPoints()
		for _, size := range []fyne.Size{{Width: 1360, Height: 860}, {Width: 1024, Height: 700}, {Width: 640, Height: 480}} {
			sized(b, size.Width, size.Height)
			s.Pane.Trees.FocusTree()
			var way []fyne.Focusable
			for range 4 {
				s.Pane.Frame.NextPart(false)
				b.W.Shell.Win.Canvas().Capture()
				now := b.W.Shell.Win.Canvas().Focused()
				if o, is := now.(fyne.CanvasObject); !is || !o.Visible() || fyne.CurrentApp().Driver().CanvasForObject(o) == nil {
					t.Errorf("%v: %T has the keyboard", size, now)
				}
				way = append(way, now)
			}
			if way[3] != fyne.Focusable(s.Pane.Trees.Front(s.Pane.Trees.View())) || way[1] != fyne.Focusable(s.Pane.Hex.Shown.View) {
				t.Errorf("%v: F6 goes through %T", size, way)
			}
			for i := 2; i >= 0; i-- {
				if s.Pane.Frame.NextPart(true); b.W.Shell.Win.Canvas().Focused() != way[i] {
					t.Errorf("%v: Shift+F6 goes to %T, want %T", size, b.W.Shell.Win.Canvas().Focused(), way[i])
				}
			}
		}
	})
}

// TestLists: a list opens below the tree in place of another, from its icon or menu, and Escape in it closes it.
func TestLists(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		b.Until("problems", func() bool { return len(s.Pane.Lists.Problems.Found()) == 1 })
		tree := s.Pane.Trees.Front(s.Pane.Trees.View())
		before := tree.Size().Height
		var button *kit.Button
		for part := range windowtest.All(s.Pane.Frame.Left) {
			if b, is := part.(*kit.Button); is && b.Text == "1" {
				button = b
			}
		}
		if button == nil {
			t.Fatal("no icon has the number of problems")
		}
		b.Idle()
		test.Tap(button)
		b.W.Shell.Win.Canvas().Capture()
		if s.Pane.Lists.Open != document.ListProblems || tree.Size().Height >= before || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(s.Pane.Lists.Problems.List) {
			t.Errorf("list %d is open, the tree is %g high, %T has the keyboard", s.Pane.Lists.Open, tree.Size().Height, b.W.Shell.Win.Canvas().Focused())
		}
		s.Pane.Lists.Show(document.ListReferences)
		if bytes := s.Pane.Hex.Object; !shown(s, bytes) {
			t.Error("a list hides the bytes")
		}
		s.Pane.Lists.ShowForKeys(document.ListProblems)
		s.Pane.Escape()
		b.W.Shell.Win.Canvas().Capture()
		if tree.Size().Height != before || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(tree) {
			t.Errorf("after Escape the tree is %g high, and %T has the keyboard", tree.Size().Height, b.W.Shell.Win.Canvas().Focused())
		}
	})
}

// TestInspectorFold: Ctrl+I unfolds the inspector at the foot of the card and gives it the keyboard, and again folds it; folded it says
// where the cursor is and reads nothing. It is as the user left it in a later document.
func TestInspectorFold(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		side := s.Pane.Side
		s.Pane.Nav.GoToOffset(0x20)
		b.Idle()
		if windowtest.ShownTexts(side.Object); side.Inspector.At.Source != nil || side.Head.Text != "Inspector   0x20" {
			t.Errorf("folded it looks at %v and says %q", side.Inspector.At, side.Head.Text)
		}
		b.Menu("Inspector").Action()
		if r := b.Inspected(s, 0x20, "u8"); r.Little.Text == "" || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(side.Inspector.Rows) {
			t.Errorf("unfolded it says %q, and %T has the keyboard", r.Little.Text, b.W.Shell.Win.Canvas().Focused())
		}
		later, _ := b.Fake()
		if !b.Menu("Inspector").Checked || !shownIn(later.Pane.Side.Object, later.Pane.Side.Inspector.Object) {
			t.Error("a later document has it folded")
		}
		b.W.Pages.Show(s)
		b.Menu("Inspector").Action()
		b.Menu("Inspector").Action()
		if b.W.Shell.Store.InspectorOpen || shownIn(side.Object, side.Inspector.Object) {
			t.Error("it does not fold")
		}
	})
}

func shownIn(o, part fyne.CanvasObject) bool {
	for p := range windowtest.All(o) {
		if p == part {
			return true
		}
	}
	return false
}
