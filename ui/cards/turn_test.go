package cards_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/treeview"
)

// TestShape: a mesh is drawn with its faces; a click on a point tells of it and marks its bytes.
func TestShape(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Prototypes/Leg")
		b.At(s, "scene/Prototypes/Leg")
		b.Idle()
		card := b.Stage(s, "Shape").(*fyne.Container)
		b.Until("the shape", func() bool { return strings.Contains(windowtest.Words(card), "84 points, 60 faces") })
		var table fyne.CanvasObject
		for _, o := range card.Objects {
			if _, ok := o.(fyne.Draggable); ok {
				table = o
			}
		}
		size := table.Size()
		for y := float32(0); y < size.Height && !strings.Contains(windowtest.Words(card), "]   ("); y += 6 {
			test.TapAt(table.(fyne.Tappable), fyne.NewPos(size.Width/2, y))
			b.Idle()
		}
		if !strings.Contains(windowtest.Words(card), "]   (") {
			t.Fatalf("no point of the leg is in the middle: %q", windowtest.Words(card))
		}
		if _, n := s.Pane.Hex.Shown.View.Selection(); n != 12 {
			t.Errorf("%d bytes of the point are marked", n)
		}
	})
}

// TestFollowIndex: a number that the format says is of another array leads there from the table, and the details name the array.
func TestFollowIndex(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		const mesh = "scene/Prototypes/Leg/"
		s.Pane.Nav.GoTo(mesh + ".faceVertexIndices/default")
		b.At(s, mesh+".faceVertexIndices/default")
		b.Idle()
		if links := b.CardRow(s, s.Pane.Current(), "numbers of").Links; len(links) != 1 || links[0].Text != mesh+".points/default" {
			t.Errorf("the card says that the numbers lead to %+v", links)
		}
		card := b.Stage(s, "Values")
		b.Until("the hint", func() bool {
			return strings.Contains(windowtest.Words(card), "Enter goes to the element of "+mesh+".points/default")
		})
		windowtest.First[*treeview.Tree](card).OnChosen(int64(1))
		p, err := s.Pane.Doc.Lookup(t.Context(), mesh+".faceVertexIndices/default/[1]")
		if err != nil {
			t.Fatal(err)
		}
		b.At(s, mesh+".points/default/["+fmt.Sprint(p.Node.Value)+"]")
	})
}

// TestZUp: what a scene says of its upward axis holds for its shapes.
func TestZUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const mesh = "def Mesh \"M\" {\n    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n    int[] faceVertexCounts = [3]\n    int[] faceVertexIndices = [0, 1, 2]\n}\n"
		b := windowtest.New(t)
		for axis, want := range map[string]bool{"Y": false, "Z": true} {
			s := b.Open(opening.Target{File: windowtest.WriteFile(t, axis+".usda", []byte("#usda 1.0\n(\n    upAxis = \""+axis+"\"\n)\n"+mesh))})
			s.Pane.Nav.GoTo("scene/M")
			b.At(s, "scene/M")
			b.Idle()
			card := b.Stage(s, "Shape")
			s.Pane.Stage.TakeKeys()
			b.Until("the shape", func() bool { return strings.Contains(windowtest.Words(card), "3 points, 1 face") })
			if up := windowtest.CheckIn(card, "Z up"); up == nil || up.Checked != want {
				t.Errorf("a scene with %s up: %v", axis, up)
			}
			if _, drawing := b.W.Shell.Win.Canvas().Focused().(fyne.Draggable); !drawing {
				t.Errorf("the keyboard is at %T, not at the drawing", b.W.Shell.Win.Canvas().Focused())
			}
		}
	})
}

// TestPlotKeys: the cursor of a plot tells of elements and selects their bytes, by the keyboard alone.
func TestPlotKeys(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		const points = "scene/Prototypes/Leg/.points/default"
		s.Pane.Nav.GoTo(points)
		b.At(s, points)
		b.Idle()
		card := b.Stage(s, "Plot")
		s.Pane.Stage.TakeKeys()
		b.Until("the plot", func() bool { return strings.Contains(windowtest.Words(card), "Rows 0 to 83 of 84") })
		press := func(keys ...fyne.KeyName) {
			for _, key := range keys {
				b.W.Shell.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
				b.Idle()
			}
		}
		press(fyne.KeyHome, fyne.KeyRight, fyne.KeyRight)
		if !strings.Contains(windowtest.Words(card), "[2]   (0.04045085, -0.9, 0.029389262)") {
			t.Errorf("the third element is told as %q", windowtest.Words(card))
		}
		press(fyne.KeyReturn)
		if off, n := s.Pane.Hex.Shown.View.Selection(); n != 12 || off != 0x3280+8+24 {
			t.Errorf("%d bytes at %#x are marked", n, off)
		}
		press(fyne.KeyEnd)
		if !strings.Contains(windowtest.Words(card), "[83]   (") {
			t.Errorf("the last element is told as %q", windowtest.Words(card))
		}
		b.W.Shell.Win.Canvas().Focused().TypedRune('+')
		b.Idle()
		b.W.Shell.Win.Canvas().Focused().TypedRune('0')
		b.Idle()
		press(fyne.KeyHome)
		if !strings.Contains(windowtest.Words(card), "[0]   (") {
			t.Errorf("after zooming there and back the first is told as %q", windowtest.Words(card))
		}
	})
}

// TestPointIsRow: a point of an array that is clicked, as a point in space or in its plot, is the selected row of its table; points
// in a plane are seen from the front.
func TestPointIsRow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "uv.usda", []byte("#usda 1.0\ndef \"M\" {\n    float2[] uv = [(0, 0), (4, 0), (4, 2), (0, 2)]\n}\n"))})
		const uv = "scene/M/.uv/default"
		tap := func(kind string, at func(size fyne.Size) fyne.Position) {
			for o := range windowtest.All(cardOf(b, s, uv, kind)) {
				if _, drawing := o.(fyne.Draggable); drawing {
					test.TapAt(o.(fyne.Tappable), at(o.Size()))
					b.Idle()
				}
			}
		}
		row := func() any { return windowtest.First[*treeview.Tree](cardOf(b, s, uv, "Table")).Selection.Item() }
		corner := func(x, y float32) func(size fyne.Size) fyne.Position { // of the four, in a window that is wider than high
			return func(size fyne.Size) fyne.Position {
				const wide = 0.95 * 2 / 2.236068 // the corners, so far from the middle, are near the edge
				half := size.Height / 2 * wide
				return fyne.NewPos(size.Width/2+x*half, size.Height/2-y*half/2)
			}
		}
		for want, at := range map[int64]func(size fyne.Size) fyne.Position{0: corner(-1, -1), 1: corner(1, -1), 2: corner(1, 1), 3: corner(-1, 1)} {
			if tap("Shape", at); row() != want {
				t.Errorf("row %v is selected, not %d", row(), want)
			}
		}
		if up := windowtest.CheckIn(cardOf(b, s, uv, "Shape"), "Z up"); up != nil && up.Visible() {
			t.Error("a plane can have its third axis up")
		}
		tap("Plot", func(size fyne.Size) fyne.Position { return fyne.NewPos(size.Width*0.7, size.Height/2) })
		if row() != int64(2) {
			t.Errorf("row %v is selected by the plot", row())
		}
	})
}
