package treeview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// picks opens /1 of ten rows below the root, so that the rows are: root, /0, /1, /1/0 … /1/9, /2 … /9.
func picks(t *testing.T) *rig {
	r := newRig(t, &fake{n: decimal})
	r.tree.Multi = true
	r.key(fyne.KeyDown, fyne.KeyDown, fyne.KeyRight)
	r.at("/1")
	return r
}

func (r *rig) shift(names ...fyne.KeyName) {
	r.tree.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	r.key(names...)
	r.tree.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func (r *rig) ctrl(names ...fyne.KeyName) {
	for _, n := range names {
		r.tree.TypedShortcut(&desktop.CustomShortcut{KeyName: n, Modifier: fyne.KeyModifierShortcutDefault})
	}
}

// click clicks the middle of a row with keys held down.
func (r *rig) click(row int64, held fyne.KeyModifier, button desktop.MouseButton) {
	m := r.tree.measure()
	at := fyne.NewPos(200, m.head+(float32(row-r.tree.scroll.top)+0.5)*m.row)
	r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: button, Modifier: held})
	r.tree.MouseUp(&desktop.MouseEvent{})
	if button == desktop.MouseButtonSecondary {
		r.tree.TappedSecondary(&fyne.PointEvent{Position: at})
	}
}

// picked reports whether the items are those that are selected, in their order.
func (r *rig) picked(want ...string) {
	r.Helper()
	if n := r.tree.Selection.Count(); n != int64(len(want)) {
		r.Errorf("%d rows are selected, want %d", n, len(want))
	}
	var got []string
	for _, it := range r.tree.Selection.All(1000)(context.Background()) {
		got = append(got, fmt.Sprint(it))
	}
	if !slices.Equal(got, want) {
		r.Errorf("selected %q, want %q", got, want)
	}
}

// TestShiftExtends: Shift and arrows or a click select from where the selection began, over open branches, up and down;
// the cursor is where the selection ends, and any other move selects one row again.
func TestShiftExtends(t *testing.T) {
	r := picks(t)
	var told []int64
	r.tree.OnPicked = func(n int64) { told = append(told, n) }
	r.picked("/1")
	r.shift(fyne.KeyDown, fyne.KeyDown)
	r.at("/1/1")
	r.picked("/1", "/1/0", "/1/1")
	r.shift(fyne.KeyUp, fyne.KeyUp, fyne.KeyUp)
	r.at("/0")
	r.picked("/0", "/1")
	r.click(4, fyne.KeyModifierShift, desktop.MouseButtonPrimary)
	r.at("/1/1")
	r.picked("/1", "/1/0", "/1/1")
	if !slices.Equal(told, []int64{2, 3, 2, 1, 2, 3}) {
		t.Errorf("told of %v", told)
	}
	r.shift(fyne.KeyEnd)
	r.picked("/1", "/1/0", "/1/1", "/1/2", "/1/3", "/1/4", "/1/5", "/1/6", "/1/7", "/1/8", "/1/9", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9")
	r.key(fyne.KeyUp)
	r.at("/8")
	r.picked("/8")
}

// TestTogglePicks: single rows are taken in and out by mouse and keys; the cursor goes there either way.
func TestTogglePicks(t *testing.T) {
	const held = fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	r := picks(t)
	r.click(6, held, desktop.MouseButtonPrimary)
	r.at("/1/3")
	r.picked("/1", "/1/3")
	r.click(1, held, desktop.MouseButtonPrimary)
	r.picked("/0", "/1", "/1/3")
	r.click(2, held, desktop.MouseButtonPrimary)
	r.at("/1")
	r.picked("/0", "/1/3")
	r.ctrl(fyne.KeyDown, fyne.KeyDown)
	r.at("/1/1")
	r.picked("/0", "/1/3")
	r.ctrl(fyne.KeySpace)
	r.picked("/0", "/1/1", "/1/3")
	r.ctrl(fyne.KeyUp, fyne.KeySpace)
	r.picked("/0", "/1/0", "/1/1", "/1/3")
	r.key(fyne.KeyEscape)
	r.picked("/1/0")
}

// TestSiblings: Ctrl+A selects the siblings; a hole can be made in the middle; closing a branch drops what it hides.
func TestSiblings(t *testing.T) {
	r := picks(t)
	r.key(fyne.KeyRight)
	r.at("/1/0")
	r.tree.TypedShortcut(&fyne.ShortcutSelectAll{})
	if n := r.tree.Selection.Count(); n != 10 {
		t.Fatalf("%d rows", n)
	}
	r.ctrl(fyne.KeyDown, fyne.KeyDown, fyne.KeySpace)
	r.picked("/1/0", "/1/1", "/1/3", "/1/4", "/1/5", "/1/6", "/1/7", "/1/8", "/1/9")
	r.click(1, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, desktop.MouseButtonPrimary)
	r.tree.branches.toggle(r.tree.out.top.kids[0].kid(1), false)
	r.picked("/0")
}

// TestMenuOfMany: a secondary click on a selected row is for all of them, on another one for that; so is the key for the menu.
func TestMenuOfMany(t *testing.T) {
	r := picks(t)
	var menus []string
	r.tree.OnMenu = func(it Item, _ int, _ fyne.Position) {
		menus = append(menus, fmt.Sprint(it, " ", r.tree.Selection.Count()))
	}
	r.shift(fyne.KeyDown, fyne.KeyDown)
	r.at("/1/1")
	r.click(3, 0, desktop.MouseButtonSecondary)
	r.click(6, 0, desktop.MouseButtonSecondary)
	r.key(desktop.KeyMenu)
	if want := []string{"/1/0 3", "/1/3 1", "/1/3 1"}; !slices.Equal(menus, want) {
		t.Errorf("menus of %q, want %q", menus, want)
	}
}

// TestMillionsPicked: very many rows are selected without being made; only so many are given out.
func TestMillionsPicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rows = 50_000_000
		f := &fake{n: func(p string) int64 {
			if p == "" {
				return rows
			}
			return 0
		}}
		r := newRig(t, f)
		r.tree.Multi = true
		r.at("")
		before := f.made.Load()
		r.shift(fyne.KeyEnd)
		r.at(fmt.Sprint("/", rows-1))
		if n := r.tree.Selection.Count(); n != rows+1 {
			t.Errorf("%d rows are selected", n)
		}
		if r.tree.Selection.All(10_000) != nil {
			t.Error("more items than asked for")
		}
		if made := f.made.Load() - before; made > 100 || len(r.tree.Selection.picked) > 2 {
			t.Errorf("%d items made, %d stretches", made, len(r.tree.Selection.picked))
		}
	})
}

// TestDrag: a drag over rows selects them, and those that come into sight beyond the edge; with the other button, or without Multi, it
// selects nothing.
func TestDrag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		drag := func(from, to int64, button desktop.MouseButton) {
			time.Sleep(2 * doubleClick)
			m := r.tree.measure()
			at := func(row int64) fyne.Position {
				return fyne.NewPos(200, m.head+(float32(row-r.tree.scroll.top)+0.5)*m.row)
			}
			r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(from)}, Button: button})
			r.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at(to)}})
			r.tree.MouseUp(&desktop.MouseEvent{})
			r.tree.DragEnd()
		}
		drag(1, 4, desktop.MouseButtonPrimary)
		r.picked("/0")
		r.tree.Multi = true
		drag(1, 4, desktop.MouseButtonSecondary)
		r.picked("/0")
		drag(1, 4, desktop.MouseButtonPrimary)
		r.picked("/0", "/1", "/2", "/3")
		drag(3, 2, desktop.MouseButtonPrimary)
		r.picked("/1", "/2")
		r.tree.Resize(fyne.NewSize(600, 150))
		m := r.tree.measure()
		drag(1, m.wholeRows+1, desktop.MouseButtonPrimary)
		r.tree.Refresh()
		if n := r.tree.Selection.Count(); n != m.wholeRows+1 || r.tree.scroll.top != 2 {
			t.Errorf("%d rows of %d in sight are selected, from %d on", n, m.wholeRows, r.tree.scroll.top)
		}
	})
}

// TestOnlyOne: without Multi, keys that are held change nothing.
func TestOnlyOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		r.shift(fyne.KeyDown, fyne.KeyDown)
		r.at("/1")
		r.picked("/1")
		r.click(4, fyne.KeyModifierShift, desktop.MouseButtonPrimary)
		r.picked("/3")
		r.tree.TypedShortcut(&fyne.ShortcutSelectAll{})
		r.picked("/3")
	})
}

// TestPickedLook: all selected rows are filled, and the cursor's has an outline.
func TestPickedLook(t *testing.T) {
	r := picks(t)
	r.shift(fyne.KeyDown, fyne.KeyDown)
	r.ctrl(fyne.KeyDown)
	r.at("/1/2")
	r.tree.Refresh()
	look := r.tree.CreateRenderer().(*renderer)
	look.Refresh()
	pal := r.tree.palette()
	var filled, outlined []string
	for i, v := range look.rows {
		if !v.back.Visible() {
			continue
		}
		if v.back.FillColor == pal.selected {
			filled = append(filled, fmt.Sprint(i))
		}
		if v.back.StrokeWidth > 0 {
			outlined = append(outlined, fmt.Sprint(i))
		}
	}
	if got := strings.Join(filled, " ") + " | " + strings.Join(outlined, " "); got != "2 3 4 | 5" {
		t.Errorf("filled | outlined: %s", got)
	}
}
