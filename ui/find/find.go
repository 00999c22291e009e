// Package find is the search field of the window, and the list below it: names, values, elements and bytes of the document in front,
// and actions.
package find

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model/search"
	"cutaway/ui/action"
	"cutaway/ui/kit"
	searchpane "cutaway/ui/search"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists the functions of the window that the field calls.
type Host struct {
	Search    func() *searchpane.Pane // returns the list of the document in front, or nil if none is open
	Actions   func() []action.Hit
	FocusTree func()
}

// A Field is the search field, with its list.
type Field struct {
	*shell.Shell
	host   Host
	Entry  *kit.Entry
	Data   *treeview.Slice[Row]
	list   *treeview.Tree
	hint   *widget.Label
	drop   *fyne.Container
	layer  *fyne.Container // what lies over the window: the drop, or nothing
	Acts   []action.Hit    // that fit what is typed
	pane   *searchpane.Pane
	glance *searchpane.Glance // nil: only actions are looked for
	parts  []search.Part      // what it had at the last update
	typing task.Latest        // waits for more to be typed, then looks
	before fyne.Focusable     // had the keyboard before the field
	at     int64              // the selected row
	moved  bool               // the user has selected it
	sent   bool               // Enter was pressed before there was anything
	late   bool               // the search takes long, so hits are listed before its end
}

// Measures in Fyne's units: of the field, and of the list.
const (
	fieldLeast, fieldMost = 130, 330
	dropWidth, dropHeight = 640, 620
	groupWidth, rowHeight = 74, 22
)

// lookAfter is the pause in typing after which the text is looked for.
const lookAfter = 120 * time.Millisecond

// lateAfter is the time after which what is found is listed, though something may come above it and move it.
const lateAfter = time.Second

// New makes the field of a window.
func New(s *shell.Shell, host Host) *Field {
	f := &Field{Shell: s, host: host, layer: container.NewWithoutLayout()}
	f.Data = treeview.SliceOf(func(r Row) treeview.Row {
		return treeview.Row{Cells: []string{r.Group, r.Title, r.Detail}, Dim: r.do == nil, Match: treeview.Match{Cell: 1, From: r.from, To: r.to}}
	})
	f.list = s.NewList(context.Background(), "", f.Data, []treeview.Column{{Width: groupWidth, Quiet: true}, {Width: 160, Stretch: 3}, {Width: 120, Stretch: 2, Quiet: true}})
	f.list.Led = true
	f.list.OnChosen = func(it treeview.Item) {
		f.at, f.moved = it.(int64), true
		f.choose()
	}
	f.list.OnEscape = f.Leave
	f.hint = widget.NewLabel("name:  type:  value:  total:>1M  /regexp/  10..20   > actions")
	f.hint.SizeName, f.hint.Importance, f.hint.Truncation = theme.SizeNameCaptionText, widget.LowImportance, fyne.TextTruncateEllipsis
	content := kit.Padded(3, 1, 2, 2, kit.Border(nil, f.hint, nil, nil, f.list))
	f.drop = container.NewStack(kit.NewBacked(theme.ColorNameMenuBackground, content), kit.NewFrame())
	f.Entry = kit.NewEntry(f.Leave)
	f.Entry.Icon = theme.SearchIcon()
	f.Entry.SetPlaceHolder("Names, values, bytes, actions   Ctrl+F")
	f.Entry.OnChanged = f.changed
	f.Entry.Key = f.key
	f.Entry.OnTap = f.show
	f.Entry.OnFocus = func(gained bool) {
		if !gained {
			s.Post(f.left)
		}
	}
	return f
}

// Over puts what drops down over the content of the window.
func (f *Field) Over(content fyne.CanvasObject) fyne.CanvasObject {
	return container.New(&below{f}, content, f.layer)
}

// below lays out the list below its field.
type below struct{ f *Field }

func (b *below) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, one := range o {
		kit.Put(one, 0, 0, size.Width, size.Height)
	}
	b.f.fit()
}

func (b *below) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// fit gives the list its place below the field, as high as its rows are.
func (f *Field) fit() {
	where := fyne.CurrentApp().Driver().AbsolutePositionForObject
	at := where(f.Entry).Subtract(where(f.layer))
	right, top := at.X+f.Entry.Size().Width, at.Y+f.Entry.Size().Height+2
	width := max(min(dropWidth, right-4), f.Entry.Size().Width)
	_, row, _ := f.list.RowRect(0)
	high := float32(len(f.Data.All()))*max(row.Height, rowHeight) + f.hint.MinSize().Height + 3*theme.Padding()
	kit.Put(f.drop, right-width, top, width, min(dropHeight, f.layer.Size().Height-top-4, high))
}

// Dropped returns where the list is in the window, and how large.
func (f *Field) Dropped() (fyne.Position, fyne.Size) {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(f.drop), f.drop.Size()
}

// Fit returns the field for a bar: a share of its width.
func (f *Field) Fit(rest fyne.CanvasObject) *fyne.Container {
	return container.New(beside{}, rest, f.Entry)
}

// beside lays out the rest of a bar, and the field at its right.
type beside struct{}

func (beside) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(max(size.Width*0.27, fieldLeast), fieldMost)
	kit.Put(o[0], 0, 0, size.Width-width-theme.Padding(), size.Height)
	kit.Put(o[1], size.Width-width, 0, width, size.Height)
}

func (beside) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+theme.Padding()+fieldLeast, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

// Open gives the keyboard to the field, with a text to begin with, or if that is empty with the last text selected.
func (f *Field) Open(beginning string) {
	if !f.Entry.Focused {
		f.before = f.Win.Canvas().Focused()
	}
	f.Focus(f.Entry)
	f.show()
	if beginning != "" {
		f.Entry.SetText(beginning)
		f.Entry.CursorColumn = utf8.RuneCountInString(beginning)
		f.Entry.Refresh()
	} else {
		f.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
	f.LogField("search", f.Entry)
}

// Shown reports whether the list is.
func (f *Field) Shown() bool { return len(f.layer.Objects) > 0 }

// show drops the list down.
func (f *Field) show() {
	if f.Shown() {
		return
	}
	f.layer.Objects = []fyne.CanvasObject{f.drop}
	f.look()
}

// left takes the list away once the keyboard is elsewhere.
func (f *Field) left() {
	if f.Shown() && !f.Entry.Focused && !shell.Holds(f.drop, f.Win.Canvas().Focused()) {
		f.hide()
	}
}

func (f *Field) hide() {
	f.typing.Stop()
	f.glance = nil
	f.layer.Objects = nil
	f.layer.Refresh()
}

// Leave takes the list away, and gives the keyboard back.
func (f *Field) Leave() {
	f.hide()
	f.Win.Canvas().Unfocus()
	if f.before != nil {
		f.Focus(f.before)
	} else {
		f.host.FocusTree()
	}
	f.before = nil
}

// changed follows what is typed.
func (f *Field) changed(string) {
	if f.Shown() {
		f.look()
	} else if f.Entry.Focused {
		f.show()
	}
}

// look looks for the text: for actions at once, for the rest after a pause.
func (f *Field) look() {
	f.at, f.moved, f.sent, f.late, f.glance = 0, false, false, false, nil
	f.pane = f.host.Search()
	text := strings.TrimSpace(f.Entry.Text)
	wanted := strings.TrimPrefix(text, ">")
	f.Acts = nil
	if wanted != text || strings.ContainsFunc(text, unicode.IsLetter) || strings.ContainsFunc(text, unicode.IsDigit) {
		f.Acts = action.Ranked(f.host.Actions(), f.Store.Used, wanted)
	}
	f.update()
	if f.pane == nil || text == "" || f.onlyActions() {
		f.typing.Stop()
		return
	}
	ctx := f.typing.Next(f.pane.Ctx)
	f.pane.Tasks.After(ctx, lookAfter, func() {
		f.glance = f.pane.Glance(ctx, text, func() {
			if ctx.Err() == nil {
				f.update()
			}
		})
		f.update()
	})
	f.pane.Tasks.After(ctx, lateAfter, func() {
		f.late = true
		f.update()
	})
}

// onlyActions reports whether what is typed begins with the sign of actions, and is no comparison with a number.
func (f *Field) onlyActions() bool {
	text := strings.TrimSpace(f.Entry.Text)
	return strings.HasPrefix(text, ">") && searchpane.Query{Text: text}.Check() != nil
}

// key handles a key of the field, and reports whether it did.
func (f *Field) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyDown:
		f.show()
		f.move(1)
	case fyne.KeyUp:
		f.move(-1)
	case fyne.KeyReturn, fyne.KeyEnter:
		f.show()
		f.choose()
	default:
		return false
	}
	return true
}

// move selects the next row in a direction that can be chosen.
func (f *Field) move(way int64) {
	all := f.Data.All()
	for i := f.at + way; i >= 0 && i < int64(len(all)); i += way {
		if all[i].do != nil {
			f.at, f.moved = i, true
			f.list.SelectIndex(i, true)
			return
		}
	}
}

// choose does what the selected row stands for. Until the user has selected one it waits for the best.
func (f *Field) choose() {
	r, ok := f.Data.At(f.at)
	switch {
	case !f.moved && f.waiting():
		f.sent = true
	case !ok || r.do == nil:
		f.Focus(f.Entry)
	case r.stays:
		f.Focus(f.Entry)
		r.do()
	default:
		f.Leave()
		r.do()
	}
}

// waiting reports whether something better than the first row may be found yet.
func (f *Field) waiting() bool {
	if f.pane == nil || f.onlyActions() || strings.TrimSpace(f.Entry.Text) == "" {
		return false
	}
	if f.glance == nil {
		return true // it is about to be looked for
	}
	for _, part := range f.parts {
		if len(part.Hits) > 0 {
			return false
		}
		if !part.Done {
			return true
		}
	}
	return false
}

// best returns the first row that leads somewhere, or else the first that can be chosen, or -1.
func best(rows []Row) int64 {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.do != nil && !r.last })
	if i < 0 {
		i = slices.IndexFunc(rows, func(r Row) bool { return r.do != nil })
	}
	return int64(i)
}

// update shows what is found so far.
func (f *Field) update() {
	f.parts = nil
	if f.glance != nil {
		f.parts = f.glance.Parts()
	}
	rows := f.rows()
	f.Data.Set(rows)
	f.list.Recount()
	if f.at = min(f.at, int64(len(rows))-1); !f.moved {
		f.at = best(rows)
	}
	f.list.SelectIndex(f.at, true)
	if f.Shown() {
		f.fit()
		f.layer.Refresh()
	}
	if f.sent && !f.waiting() {
		f.sent = false
		f.choose()
	}
}
