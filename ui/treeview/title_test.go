package treeview

import (
	"fmt"
	"image/color"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// hundred is a list of a hundred rows.
func hundred() *fake {
	return &fake{n: func(path string) int64 {
		if path == "" {
			return 100
		}
		return 0
	}}
}

func press(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: desktop.MouseButtonPrimary}
}

// TestTitles: a click on a title tells its column, and the column by which the rows are ordered is marked.
func TestTitles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, hundred())
		m := r.tree.measure()
		r.tree.MouseDown(press(m.x[1]+20, 5)) // titles do nothing yet
		var clicked []int
		r.tree.OnTitle = func(column int) { clicked = append(clicked, column) }
		for i := range columns {
			r.tree.MouseDown(press(m.x[i]+20, 5))
			r.tree.MouseUp(nil)
		}
		r.tree.MouseDown(press(m.x[1], 5)) // the divider
		r.tree.MouseUp(nil)
		if fmt.Sprint(clicked) != "[0 1 2]" {
			t.Errorf("clicked %v", clicked)
		}
		titles := func() string {
			text := ""
			for _, title := range test.WidgetRenderer(r.tree).(*renderer).titles {
				text += title.Text + "|"
			}
			return text
		}
		for _, k := range []struct {
			column int
			down   bool
			want   string
		}{{1, false, "name|value ↑|type|"}, {2, true, "name|value|type ↓|"}, {-1, false, "name|value|type|"}} {
			if r.tree.ShowSorted(k.column, k.down); titles() != k.want {
				t.Errorf("titles %s, want %s", titles(), k.want)
			}
		}
	})
}

// TestKeepIndex: the selected row is another one, and nothing scrolls or is told.
func TestKeepIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, hundred())
		told := 0
		r.tree.OnSelected = func(Item) { told++ }
		r.tree.SelectIndex(90, false)
		r.until("the row", func() bool { return told == 1 })
		top := r.tree.scroll.top
		r.tree.Recount()
		r.tree.KeepIndex(3)
		r.until("the row", func() bool { return r.tree.Selection.Item() == "/3" })
		if r.tree.scroll.top != top || told != 1 {
			t.Errorf("scrolled from %d to %d, told %d times", top, r.tree.scroll.top, told)
		}
		r.tree.KeepIndex(1000)
		if r.tree.Selection.Item() != "/3" {
			t.Error("a row that is not there is selected")
		}
		if _, _, ok := r.tree.RowRect(3); ok {
			t.Error("row 3 is in sight")
		}
		if at, size, ok := r.tree.RowRect(top + 1); !ok || at.Y < 1 || size.Height < 1 {
			t.Errorf("row %d is at %v", top+1, at)
		}
	})
}

// swatched is a list whose second column has a colour in even rows.
type swatched struct{ *fake }

func (s swatched) Row(it Item) Row {
	row := s.fake.Row(it)
	if n := len(it.(string)); it.(string)[n-1]%2 == 0 {
		row.Swatches = []color.Color{nil, color.NRGBA{R: 1, G: 2, B: 3, A: 0xff}}
	}
	return row
}

// TestSwatches: a colour is before its text, and goes away with its row.
func TestSwatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, swatched{hundred()})
		view := test.WidgetRenderer(r.tree).(*renderer)
		r.until("the rows", func() bool { return view.rows[1].cells[1].Visible() })
		even, odd := view.rows[0], view.rows[1]
		s := even.swatches[1]
		if s == nil || !s.Visible() || s.FillColor != (color.NRGBA{R: 1, G: 2, B: 3, A: 0xff}) || odd.swatches[1] != nil {
			t.Fatalf("swatches %v and %v", even.swatches, odd.swatches)
		}
		if even.cells[1].Position().X < s.Position().X+s.Size().Width || even.cells[1].Position().X <= odd.cells[1].Position().X {
			t.Error("the text stands on the colour")
		}
		r.tree.scroll.top = 1
		r.tree.Refresh()
		if s.Visible() {
			t.Error("the colour of another row is shown")
		}
	})
}

// TestOnFollow: a click with Ctrl selects the row and has it followed; without a handler it selects.
func TestOnFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, hundred())
		r.until("the rows", func() bool { return r.tree.rows.made[pos{r.tree.out.top, 2}] != nil })
		at, size, _ := r.tree.RowRect(2)
		e := press(at.X+20, at.Y+size.Height/2)
		e.Modifier = fyne.KeyModifierShortcutDefault
		r.tree.MouseDown(e)
		var followed Item
		r.tree.OnFollow = func(it Item, _ fyne.Position) { followed = it }
		at, _, _ = r.tree.RowRect(4)
		e.Position.Y = at.Y + size.Height/2
		r.tree.MouseDown(e)
		if followed != "/4" || r.tree.Selection.Item() != "/4" {
			t.Errorf("followed %v, selected %v", followed, r.tree.Selection.Item())
		}
	})
}
