package cards_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/opening"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"
)

// TestScene: a layer opens with its whole scene; a click on a face selects its prim and the scene stays, until one goes there in the tree.
func TestScene(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		said := func(words string) func() bool {
			return func() bool { return strings.Contains(windowtest.Words(s.Pane.Stage.Object), words) }
		}
		b.Until("the scene", said("5 meshes, 2 cubes, 1 cylinder"))
		s.Pane.Nav.GoTo("scene/Workshop/Robot/Base/UpperArm/.xformOp:rotateY/timeSamples/[12]")
		b.Until("the scene at a time", said("Whole scene at time 24"))
		var table fyne.CanvasObject
		for o := range windowtest.All(s.Pane.Stage.Object) {
			if _, is := o.(fyne.Draggable); is && o.Visible() {
				table = o
			}
		}
		b.W.Shell.Win.Canvas().Capture()
		size := table.Size()
		test.TapAt(table.(fyne.Tappable), fyne.NewPos(size.Width/2, size.Height*0.6))
		b.Until("the prim of the face", func() bool {
			return strings.HasSuffix(s.Pane.Current().Path(), "Shell") || strings.HasSuffix(s.Pane.Current().Path(), "Top")
		})
		b.Idle()
		if !said("Whole scene")() {
			t.Errorf("a click leaves the scene: %q at %s", windowtest.Words(s.Pane.Stage.Object), s.Pane.Current().Path())
		}
		s.Pane.Nav.GoTo("scene/Workshop/Table/Top/.points")
		b.Until("the mesh alone", said("289 points"))
	})
}

// TestTextScrolls: a text card has all lines of a text, of which only those in sight are drawn; the selected ones are copied.
func TestTextScrolls(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		var text strings.Builder
		text.WriteString("#usda 1.0\n\n")
		for i := range 5000 {
			fmt.Fprintf(&text, "def \"P%d\"\n{\n}\n\n", i)
		}
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "many.usda", []byte(text.String()))})
		s.Pane.Stage.Choose("Text")
		var list *treeview.Tree
		b.Until("the lines", func() bool {
			list = windowtest.First[*treeview.Tree](s.Pane.Stage.Object)
			return list != nil && list.Rows() > 19_000
		})
		list.SelectIndex(2+4*4000, false)
		list.OnCopy(nil)
		if got := b.W.Shell.App.Clipboard().Content(); got != "def \"P4000\"\n" {
			t.Errorf("copied %q", got)
		}
	})
}
