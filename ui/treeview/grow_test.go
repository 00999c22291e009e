package treeview

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// growing is data whose items become known one by one; branches that have children unfold.
type growing struct {
	fake
	known []string
}

func newGrowing() *growing {
	g := &growing{}
	g.n = func(path string) (n int64) {
		for _, k := range g.known {
			if strings.HasPrefix(k, path+"/") && strings.Count(k, "/") == strings.Count(path, "/")+1 {
				n++
			}
		}
		return n
	}
	return g
}

func (g *growing) Unfolds(it Item, first int64) []Step {
	var steps []Step
	for i := first; i < g.n(it.(string)); i++ {
		if kid := fmt.Sprintf("%s/%d", it, i); g.n(kid) > 0 {
			steps = append(steps, Step{i, kid})
		}
	}
	return steps
}

// TestUnfolding: branches open by themselves when they appear, and when a row becomes one; those that the user closes
// stay closed.
func TestUnfolding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrowing()
		g.known = []string{"/0", "/0/0", "/0/0/0", "/1"}
		r := newRig(t, g)
		if r.tree.Rows() != 5 {
			t.Errorf("%d rows at first, want 5", r.tree.Rows())
		}
		g.known = append(g.known, "/1/0", "/2", "/2/0")
		r.tree.Grow()
		if r.tree.Rows() != 8 {
			t.Errorf("%d rows after growing, want 8", r.tree.Rows())
		}
		r.key(fyne.KeyDown, fyne.KeyLeft)
		r.at("/0")
		g.known = append(g.known, "/2/1")
		r.tree.Grow()
		if r.tree.Rows() != 7 {
			t.Errorf("%d rows with a closed branch, want 7", r.tree.Rows())
		}
	})
}

// TestRestart: nothing of the data before is left, and what is still being made of it is dropped.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrowing()
		g.known = []string{"/0", "/0/0", "/1"}
		r := newRig(t, g)
		r.tree.Select([]Step{{0, ""}, {0, "/0"}, {0, "/0/0"}}, true)
		old := pos{r.tree.Selection.cursor.b, 7}
		g.known = []string{"/0"}
		r.tree.Restart()
		r.tree.rows.got = append(r.tree.rows.got, result{old, made{item: "late"}})
		r.tree.OpenRoot()
		if r.tree.Rows() != 2 {
			t.Errorf("%d rows, want 2", r.tree.Rows())
		}
		r.at("")
		for p, m := range r.tree.rows.made {
			if m.item == "late" || !p.under(r.tree.out.top) {
				t.Error("a row of before is there")
			}
		}
	})
}

// TestKeysHandedOn: a key that means nothing to the tree comes to the canvas.
func TestKeysHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		var got fyne.KeyName
		r.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = e.Name })
		r.key(fyne.KeyF3, fyne.KeyDown)
		if got != fyne.KeyF3 {
			t.Errorf("the canvas got %q", got)
		}
	})
}

// TestFrame: a list that has the keyboard shows that also where none of its rows is selected, or where that one is out of sight.
func TestFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrowing()
		for i := range 500 {
			g.known = append(g.known, fmt.Sprintf("/%d", i))
		}
		r := newListRig(t, g)
		frame := func() bool { return test.WidgetRenderer(r.tree).(*renderer).frame.Visible() }
		r.win.Canvas().Unfocus()
		if frame() {
			t.Error("a list without the keyboard has a frame")
		}
		r.win.Canvas().Focus(r.tree)
		if !frame() {
			t.Error("nothing shows that the list has the keyboard")
		}
		r.key(fyne.KeyDown)
		if frame() {
			t.Error("a row has the keyboard, and the list too")
		}
		r.tree.SetTop(300)
		if !frame() {
			t.Error("the row is out of sight, and nothing shows where the keyboard is")
		}
	})
}

// TestListGrows: rows that come later join a list; what is selected stays, and keeps its row.
func TestListGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrowing()
		g.known = []string{"/0", "/1"}
		r := newListRig(t, g)
		r.tree.SelectIndex(1, true)
		r.at("/1")
		g.known = append(g.known, "/2", "/3")
		r.tree.Grow()
		if r.tree.Rows() != 4 || r.tree.Selection.Item() != "/1" {
			t.Errorf("%d rows, %v is selected", r.tree.Rows(), r.tree.Selection.Item())
		}
		r.key(fyne.KeyEnd)
		r.at("/3")
	})
}
