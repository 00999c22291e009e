package kit

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Entry is an entry that Escape leaves.
type Entry struct {
	widget.Entry
	Focused bool
	leave   func()
	hint    string // shown while it is empty, as far as it fits
	// Key handles other keys, or returns false. It may be nil.
	Key func(name fyne.KeyName) bool
	// OnFocus is called when the keyboard comes or leaves. It may be nil.
	OnFocus func(gained bool)
	// OnTap is called for a click. It may be nil.
	OnTap func()
	// TakesTab reports whether Key handles Tab now, which otherwise goes on. It may be nil.
	TakesTab func() bool
}

// SetPlaceHolder sets what is shown while nothing is typed.
func (e *Entry) SetPlaceHolder(text string) {
	e.hint = text
	e.fitHint()
}

// Resize fits the hint too.
func (e *Entry) Resize(size fyne.Size) {
	e.Entry.Resize(size)
	e.fitHint()
}

// fitHint shortens the hint to the entry's width: Fyne would scroll to its end, under a bar that covers it.
func (e *Entry) fitHint() {
	const cut = "…"
	text, room := []rune(e.hint), e.room()-2*theme.InnerPadding()
	shown := e.hint
	for n := len(text); n > 0 && room > 0 && e.wide(shown) > room; n-- {
		shown = string(text[:n-1]) + cut
	}
	if shown != e.PlaceHolder {
		e.Entry.SetPlaceHolder(shown)
	}
}

// before returns the width before the text, with the icon.
func (e *Entry) before() float32 {
	if e.Icon == nil {
		return theme.InnerPadding()
	}
	return theme.IconInlineSize() + 2*theme.InnerPadding()
}

// room is the width that text has.
func (e *Entry) room() float32 {
	room := e.Size().Width - e.before() - theme.InnerPadding()
	if e.ActionItem != nil {
		room -= e.ActionItem.MinSize().Width
	}
	if e.Validator != nil {
		room -= theme.IconInlineSize() + theme.InnerPadding()
	}
	return room
}

func (e *Entry) wide(text string) float32 {
	return fyne.MeasureText(text, theme.TextSize(), e.TextStyle).Width
}

// shownEnd returns the end of the text after "…", or "" if there is room for all. The end of a path has whole names.
func (e *Entry) shownEnd() string {
	const most = 1000 // letters, which no entry has room for
	room, runes := e.room(), []rune(e.Text[max(len(e.Text)-most, 0):])
	if e.wide(string(runes)) <= room {
		return ""
	}
	end := string(runes[sort.Search(len(runes), func(n int) bool { return e.wide("…"+string(runes[n:])) <= room }):])
	if name := strings.Index(end, "/"); name > 0 && name < len(end)/2 {
		end = end[name:]
	}
	return "…" + end
}

// CreateRenderer adds to Fyne's objects the end of a text that is too long.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	r := &endRenderer{WidgetRenderer: e.Entry.CreateRenderer(), e: e, end: &canvas.Text{}}
	if o := r.WidgetRenderer.Objects(); len(o) > 1 {
		r.box, _ = o[0].(*canvas.Rectangle)
		r.edge, _ = o[1].(*canvas.Rectangle)
	}
	r.show()
	return r
}

// endRenderer shows of a text that there is no room for the end, while the entry has not the keyboard: Fyne would begin in the middle
// of a letter, over a bar.
type endRenderer struct {
	fyne.WidgetRenderer
	e         *Entry
	end       *canvas.Text      // replaces the text that scrolls, unless it is empty
	box, edge *canvas.Rectangle // Fyne's, below the text and around it
}

// merged reports whether the edge is filled, and the box is left out: two rectangles of round corners cost twice as much as one.
func (r *endRenderer) merged() bool { return r.box != nil && r.edge != nil }

func (r *endRenderer) show() {
	e := r.e
	if r.merged() {
		r.edge.FillColor = r.box.FillColor
	}
	r.end.Text = ""
	if !e.Focused && !e.MultiLine && !e.Password {
		r.end.Text = e.shownEnd()
	}
	if r.end.Text == "" {
		return
	}
	ink := theme.ColorNameForeground
	if e.Disabled() {
		ink = theme.ColorNameDisabled
	}
	r.end.Color, r.end.TextSize, r.end.TextStyle = Paint(ink), theme.TextSize(), e.TextStyle
	high := r.end.MinSize().Height
	Put(r.end, e.before(), (e.Size().Height-high)/2, e.room(), high)
	r.end.Refresh()
}

func (r *endRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.show()
}

func (r *endRenderer) Objects() []fyne.CanvasObject {
	o := r.WidgetRenderer.Objects()
	if r.merged() {
		o = o[1:]
	}
	if r.end.Text == "" {
		return o
	}
	scrolls := func(o fyne.CanvasObject) bool { _, is := o.(*container.Scroll); return is }
	return append(slices.DeleteFunc(slices.Clone(o), scrolls), r.end)
}

func (r *endRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.show()
}

// NewEntry makes an entry that calls leave for Escape. If leave is nil, Escape is handed on to the window or the dialog.
func NewEntry(leave func()) *Entry {
	e := &Entry{leave: leave}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey handles a key, or hands it on.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape && e.leave != nil:
		e.leave()
	case e.Key != nil && e.Key(k.Name):
	case k.Name == fyne.KeyF3, k.Name == fyne.KeyF10, k.Name == fyne.KeyEscape: // mean nothing to an entry
		HandOn(e, k)
	case (k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter) && e.OnSubmitted == nil && !e.MultiLine: // presses the dialog's button
		HandOn(e, k)
	default:
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut hands custom shortcuts on to the window too.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if _, custom := s.(*desktop.CustomShortcut); custom {
		HandOnShortcut(e, s)
	}
	e.Entry.TypedShortcut(s)
}

// Tapped follows a click.
func (e *Entry) Tapped(at *fyne.PointEvent) {
	e.Entry.Tapped(at)
	if e.OnTap != nil {
		e.OnTap()
	}
}

// FocusGained calls OnFocus too.
func (e *Entry) FocusGained() {
	e.Focused = true
	e.Entry.FocusGained()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost calls OnFocus too.
func (e *Entry) FocusLost() {
	e.Focused = false
	e.Entry.FocusLost()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}

// AcceptsTab reports whether Tab completes what is typed. Otherwise it goes on, also from an entry of several lines.
func (e *Entry) AcceptsTab() bool { return e.TakesTab != nil && e.TakesTab() }

// SelectName selects the name of the file that the text is the path of, without its ending: what is typed takes its place.
func (e *Entry) SelectName() {
	name := filepath.Base(e.Text)
	e.CursorColumn = utf8.RuneCountInString(strings.TrimSuffix(e.Text, name))
	e.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	for range utf8.RuneCountInString(strings.TrimSuffix(name, filepath.Ext(name))) {
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	}
	e.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}
