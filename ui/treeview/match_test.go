package treeview

import (
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
)

// TestMatch: the marked part of a text is behind its letters, whether the text is shown whole or shortened; a part
// that the ellipsis hides is not marked.
func TestMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		m := r.tree.measure()
		const long = "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz"
		for _, c := range []struct {
			text     string
			from, to int
			first    int // of the letters shown that are marked, -1: none
		}{
			{"some words", 5, 7, 5}, {"some words", 0, 0, -1}, {"some words", 5, 99, -1}, {long, 0, 3, 0}, {long, 2, 33, 2}, {long, 33, len(long), -7},
			{long, len(long) - 3, len(long), -3}, {long, 30, 33, -1},
		} {
			v := newRowView(3)
			pal := r.tree.palette()
			v.setCell(1, c.text, fyne.TextStyle{}, &m, 50, 120, 10, pal.text, false)
			v.drawMatch(Match{1, c.from, c.to}, 10, &m, pal)
			if shown := c.first != -1; v.match.Visible() != shown {
				t.Errorf("%q %d-%d: marked %t, want %t", c.text, c.from, c.to, v.match.Visible(), shown)
			} else if !shown {
				continue
			}
			at := c.first
			if at < 0 {
				at += len(v.cells[1].Text)
			}
			want := 50 + fyne.MeasureText(v.cells[1].Text[:at], m.text, fyne.TextStyle{}).Width - 1
			if got := v.match.Position().X; got != want {
				t.Errorf("%q %d-%d: marked from %.1f on, want %.1f", c.text, c.from, c.to, got, want)
			}
		}
		// Where parts are moved together nothing is left out, and what is shown is shorter all the same.
		text, together := "some words"+parted+"others", "some words"+tight+"others"
		v, pal := newRowView(3), r.tree.palette()
		v.setCell(1, text, fyne.TextStyle{}, &m, 50, fyne.MeasureText(together, m.text, fyne.TextStyle{}).Width, 10, pal.text, false)
		if v.cells[1].Text != together {
			t.Fatalf("shown is %q", v.cells[1].Text)
		}
		for from := range len(text) {
			v.drawMatch(Match{1, from, len(text)}, 10, &m, pal)
		}
		if v.drawMatch(Match{1, 5, 10}, 10, &m, pal); !v.match.Visible() {
			t.Error("the words before the parts are not marked")
		}
	})
}
