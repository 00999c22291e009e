package kit

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is a flat button with a picture only. Its tip is shown when the mouse rests there and when it has the keyboard.
type Button struct {
	widget.Button
	Tip   string
	shown Tip
}

// IconButton makes a button with a picture only.
func IconButton(icon fyne.Resource, tip string, tap func()) *Button {
	b := &Button{Tip: tip}
	b.Icon, b.OnTapped, b.Importance = icon, tap, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// MouseIn shows the tip a moment later.
func (b *Button) MouseIn(e *desktop.MouseEvent) {
	b.Button.MouseIn(e)
	b.shown.above = false
	b.shown.Wait(b, b.Tip, fyne.NewPos(0, b.Size().Height))
}

// MouseOut hides the tip.
func (b *Button) MouseOut() {
	b.Button.MouseOut()
	b.shown.Hide()
}

// FocusGained shows the tip a moment later.
func (b *Button) FocusGained() {
	b.Button.FocusGained()
	b.shown.above = true // what the button does something to is mostly below it, and the keyboard stays for long
	b.shown.Wait(b, b.Tip, fyne.NewPos(0, b.Size().Height))
}

// FocusLost hides the tip.
func (b *Button) FocusLost() {
	b.Button.FocusLost()
	b.shown.Hide()
}

// TypedKey presses the button by Enter too, and hands on other keys.
func (b *Button) TypedKey(k *fyne.KeyEvent) { press(b, &b.Button, k) }

// Tapped hides the tip.
func (b *Button) Tapped(e *fyne.PointEvent) {
	b.shown.Hide()
	b.Button.Tapped(e)
}

// tipDelay is the time that the mouse rests before a tip is shown.
const tipDelay = 450 * time.Millisecond

// Tip is a few words about what is under the mouse.
type Tip struct {
	rest  *fyne.Animation // ends when the tip is to be shown
	in    *fyne.Container // where it is shown, or nil
	text  string          // shown, or to be shown
	high  float32         // of the thing that the words are below, or above without room
	above bool            // it is shown above its object where there is room
}

// Wait shows text a moment later, at a place of an object, unless Hide comes first.
func (t *Tip) Wait(of fyne.CanvasObject, text string, at fyne.Position) {
	t.wait(of, text, at, of.Size().Height)
}

// WaitBelow is Wait for a place under the pointer.
func (t *Tip) WaitBelow(of fyne.CanvasObject, text string, pointer fyne.Position) {
	const high = 18 // of the pointer
	t.wait(of, text, pointer.AddXY(0, high), high)
}

// TipOver returns a function that shows a text, unless it is empty, below the pointer over an object.
func TipOver(of fyne.CanvasObject) func(text string, pointer fyne.Position) {
	t := &Tip{}
	return func(text string, pointer fyne.Position) { t.WaitBelow(of, text, pointer) }
}

func (t *Tip) wait(of fyne.CanvasObject, text string, at fyne.Position, high float32) {
	follows := t.in != nil
	t.Hide()
	if text == "" {
		return
	}
	t.text, t.high = text, high
	if follows { // one that was shown
		t.show(of, text, at)
		return
	}
	// An animation ends on the goroutine of the screen, which a timer would have to get to first.
	t.rest = fyne.NewAnimation(tipDelay, func(done float32) {
		if done >= 1 && t.in == nil {
			t.show(of, text, at)
		}
	})
	t.rest.Start()
}

// Hide removes the words, or never shows them.
func (t *Tip) Hide() {
	t.text = ""
	if t.rest != nil {
		t.rest.Stop()
		t.rest = nil
	}
	if t.in != nil {
		t.in.Objects = nil
		t.in.Refresh()
		t.in = nil
	}
}

func (t *Tip) show(of fyne.CanvasObject, text string, at fyne.Position) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(of)
	if c == nil || text == "" {
		return
	}
	if t.in = TipsOf(c); t.in == nil {
		return
	}
	const pad = 6
	th, variant := fyne.CurrentApp().Settings().Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	back := &canvas.Rectangle{FillColor: th.Color(theme.ColorNameMenuBackground, variant), StrokeWidth: 1, CornerRadius: 3,
		StrokeColor: th.Color(theme.ColorNamePlaceHolder, variant)}
	t.in.Objects = []fyne.CanvasObject{back}
	room := t.in.Size()
	lines, style := tipLines(text, room)
	var w, h float32
	for _, line := range lines {
		words := &canvas.Text{Text: line, TextSize: theme.CaptionTextSize(), TextStyle: style, Color: th.Color(theme.ColorNameForeground, variant)}
		t.in.Objects = append(t.in.Objects, words)
		w, h = max(w, words.MinSize().Width+2*pad), h+words.MinSize().Height
	}
	at = at.Add(driver.AbsolutePositionForObject(of)).Subtract(driver.AbsolutePositionForObject(t.in)).AddXY(0, 3)
	at.X = max(2, min(at.X, room.Width-w-2))
	if higher := at.Y - t.high - h - pad - 6; at.Y+h+pad > room.Height || t.above && higher > 0 {
		at.Y = higher
	}
	Put(back, at.X, at.Y, w, h+pad)
	for i, words := range t.in.Objects[1:] {
		high := h / float32(len(lines))
		Put(words, at.X+pad, at.Y+pad/2+float32(i)*high, w-2*pad, high)
	}
	t.in.Refresh()
}

// tipLines returns the lines of a text, in equally wide letters if one had to be wrapped.
func tipLines(text string, room fyne.Size) (lines []string, style fyne.TextStyle) {
	const widest, most = 640, 12
	width, letter := min(room.Width-16, widest), CaptionSize("0", fyne.TextStyle{Monospace: true})
	columns, rows := max(int(width/letter.Width), 8), min(most, max(int(room.Height/letter.Height)-2, 1))
	for _, line := range strings.Split(text, "\n") {
		switch {
		case len(lines) == rows:
			lines[rows-1] += " …"
			return lines, style
		case CaptionSize(line, fyne.TextStyle{}).Width <= width:
			lines = append(lines, line)
		default:
			style.Monospace = true
			lines = append(lines, wrap(line, columns, rows-len(lines))...)
		}
	}
	return lines, style
}

// wrap cuts s into at most n lines of at most width characters; an ellipsis says that there is more.
func wrap(s string, width, n int) (lines []string) {
	runes := []rune(s)
	if len(runes) > width*n {
		runes = append(runes[:width*n-1:width*n-1], '…')
	}
	for len(runes) > width && len(lines) < n-1 {
		k := width
		for at := k - 1; at > width/2; at-- { // words stay whole
			if runes[at] == ' ' {
				k = at + 1
				break
			}
		}
		lines = append(lines, string(runes[:k]))
		runes = runes[k:]
	}
	if len(runes) > width {
		runes = append(runes[:width-1:width-1], '…')
	}
	return append(lines, string(runes))
}

// WithTips puts a container for tips over content. A window's content and that of each of its dialogs have one, since a dialog
// is above the window and its tips.
func WithTips(content fyne.CanvasObject) *fyne.Container {
	return container.New(tipped{}, content, container.NewWithoutLayout())
}

// TipsOf returns the container for tips of a canvas: of its dialog in front, or else of its content. It may be nil.
func TipsOf(c fyne.Canvas) *fyne.Container {
	o := c.Content()
	if top, ok := c.Overlays().Top().(fyne.Widget); ok {
		for _, in := range top.CreateRenderer().Objects() { // the veil over the window, and the dialog
			if pop, ok := in.(*widget.PopUp); ok {
				o = pop.Content
			}
		}
	}
	if box, ok := o.(*fyne.Container); ok {
		if _, ok := box.Layout.(tipped); ok {
			return box.Objects[1].(*fyne.Container)
		}
	}
	return nil
}

// tipped lays out content, and the tips over the whole.
type tipped struct{}

func (tipped) Layout(o []fyne.CanvasObject, size fyne.Size) {
	Put(o[0], 0, 0, size.Width, size.Height)
	Put(o[1], 0, 0, size.Width, size.Height)
}

func (tipped) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
