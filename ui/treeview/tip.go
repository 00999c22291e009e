package treeview

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"cutaway/ui/kit"
)

// tipDelay is how long the mouse rests on a shortened text before the whole is shown.
const tipDelay = 450 * time.Millisecond

// longestTip bounds the text of a tip, in characters.
const longestTip = 900

// tip is the whole of a shortened text, shown by the mouse.
type tip struct {
	text   string // "": not shown
	at     fyne.Position
	serial int // counts the mouse's moves, so that an old timer does nothing
}

// rest starts waiting for the mouse to rest at p.
func (t *Tree) rest(p fyne.Position) {
	t.tip.serial++
	serial := t.tip.serial
	if t.tip.text != "" {
		t.tip.text = ""
		t.Refresh()
	}
	time.AfterFunc(tipDelay, func() {
		t.post(func() {
			if serial == t.tip.serial && t.ctx.Err() == nil {
				t.showTip(p)
			}
		})
	})
}

// noTip hides the tip, shown or to come.
func (t *Tree) noTip() {
	t.tip.serial++
	if t.tip.text != "" {
		t.tip.text = ""
		t.Refresh()
	}
}

// showTip shows the whole of the text at p if it is shortened there.
func (t *Tree) showTip(p fyne.Position) {
	m := t.measure()
	h := t.hit(&m, p)
	if h.part != onRow || h.column < 0 {
		return
	}
	at := t.out.at(h.row)
	ready := t.rows[at]
	if ready == nil {
		return
	}
	column := columnOf(t, &m, p.X, at, &ready.row)
	if column >= len(ready.row.Cells) {
		return
	}
	text := oneLine(ready.row.Cells[column])
	_, w := t.cellBox(&m, column, at, &ready.row)
	style := fyne.TextStyle{Monospace: t.columns[column].Mono}
	if elide(text, w, m.text, style) == text {
		return
	}
	t.tip.text, t.tip.at = text, p
	t.Refresh()
}

// tipView is the tip on the screen.
type tipView struct {
	back  *canvas.Rectangle
	lines []*canvas.Text
}

const tipLines = 12

func newTipView() *tipView {
	v := &tipView{back: &canvas.Rectangle{CornerRadius: 4, StrokeWidth: 1}}
	v.back.Hide()
	for range tipLines {
		line := &canvas.Text{TextStyle: fyne.TextStyle{Monospace: true}}
		line.Hide()
		v.lines = append(v.lines, line)
	}
	return v
}

func (v *tipView) objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{v.back}
	for _, l := range v.lines {
		o = append(o, l)
	}
	return o
}

func (v *tipView) draw(t *Tree, m *metrics, pal *palette) {
	shown := t.tip.text != ""
	show(v.back, shown)
	for _, l := range v.lines {
		l.Hide()
	}
	if !shown {
		return
	}
	const pad = 6
	size := m.text - 1
	char := fyne.MeasureText("0", size, fyne.TextStyle{Monospace: true})
	perLine := max(int((m.size.Width-4*pad)/char.Width), 8)
	lines := wrap(t.tip.text, perLine, min(tipLines, max(int(m.size.Height/char.Height)-2, 1)))
	longest := 0
	for _, l := range lines {
		longest = max(longest, len([]rune(l)))
	}
	w, h := float32(longest)*char.Width+2*pad, float32(len(lines))*char.Height+2*pad
	x := max(pad, min(t.tip.at.X, m.size.Width-w-pad))
	y := t.tip.at.Y + 16
	if y+h > m.size.Height {
		y = max(t.tip.at.Y-h-6, 0)
	}
	v.back.FillColor, v.back.StrokeColor = pal.tip, pal.line
	kit.Put(v.back, x, y, w, h)
	v.back.Refresh()
	for i, text := range lines {
		l := v.lines[i]
		l.Text, l.Color, l.TextSize = text, pal.text, size
		kit.Put(l, x+pad, y+pad+float32(i)*char.Height, w-2*pad, char.Height)
		l.Show()
		l.Refresh()
	}
}

// wrap cuts s into at most n lines of at most width characters; an ellipsis says that there is more.
func wrap(s string, width, n int) []string {
	runes := []rune(s)
	room := min(width*n, longestTip)
	if len(runes) > room {
		runes = append(runes[:room-1:room-1], '…')
	}
	var lines []string
	for len(runes) > 0 {
		k := min(width, len(runes))
		switch {
		case k == len(runes):
		case len(lines) == n-1:
			return append(lines, string(runes[:k-1])+"…")
		default:
			for at := k - 1; at > width/2; at-- { // words stay whole
				if runes[at] == ' ' {
					k = at + 1
					break
				}
			}
		}
		lines = append(lines, string(runes[:k]))
		runes = runes[k:]
	}
	return lines
}
