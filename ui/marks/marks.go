// Package marks lists a person's bookmarks and notes on a document, and makes them.
package marks

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Host lists the functions of its document that the pane may call.
type Host struct {
	File           func() string                          // of the document, or ""
	Current        func() *model.Place                    // the selected node, or nil
	Chosen         func() (model.Span, bool)              // the bytes that are selected
	GoToNode       func(path string)                      // selects a node; the list keeps the keyboard
	GoToBytes      func(source string, off, length int64) // selects bytes, and what they are of
	MarksKept      func()                                 // other marks are kept
	ShowMarks      func()                                 // brings the list to the front
	ShowTab        func()                                 // shows the tab in front anew
	NewDescription func()                                 // begins a description of the file with the marks
}

// row is a mark with what it is on.
type row struct {
	marks.Mark
	typ   string
	held  model.Value // or nil if it is not known
	gone  string      // why there is no such place, or ""
	value string      // held or gone as text
}

// Pane lists the marks of a document.
type Pane struct {
	shell.Opened
	OnChanged func() // there are marks, or none any more
	host      Host
	identity  string // of the document, or "" if not known yet
	unlooked  bool   // for marks, which takes bytes of a server

	all    []row
	byPath atomic.Pointer[map[string]string] // colours by the paths of nodes
	list   *treeview.Tree
	ofOne  []*kit.Button // those that do something with the selected mark
	data   *treeview.Slice[row]
	filter *kit.Entry
	notice *widget.Label // how the marks were found
	none   *widget.Label // why the list is empty
	page   fyne.CanvasObject
}

// New makes the pane, and loads the marks of the document. For a file of a server without marks at its address, Object loads
// them: identifying the file takes bytes from everywhere.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, notice: kit.QuietLabel("")}
	p.data = treeview.SliceOf(func(r row) treeview.Row {
		row := treeview.Row{Cells: []string{r.Title(), placeOf(&r.Mark), r.typ, r.value}, Swatches: []color.Color{look.MarkColor(r.Colour)}}
		if r.gone != "" {
			row.Mark = treeview.Warning
		}
		return row
	})
	p.list = p.NewList(p.Ctx, "marks", p.data, []treeview.Column{
		{Title: "Note", Width: 220, Stretch: 2}, {Title: "Where", Width: 260, Stretch: 2}, {Title: "Type", Width: 70, Quiet: true},
		{Title: "Value", Width: 200, Mono: true, Stretch: 1}})
	p.list.OnSelected = func(it treeview.Item) {
		p.enable()
		p.goTo(it)
	}
	p.list.OnChosen = p.data.With(func(r row) { p.ask("Mark", r.Mark) })
	p.filter = p.NewFilter(p.list, func(string) { p.narrow() })
	add := widget.NewButtonWithIcon("Mark the selection", theme.ContentAddIcon(), p.Add)
	edit := kit.IconButton(theme.DocumentCreateIcon(), "Change the selected mark", func() { p.list.OnChosen(p.list.Selection.Item()) })
	remove := kit.IconButton(theme.DeleteIcon(), "Delete the selected mark", p.remove)
	p.ofOne = []*kit.Button{edit, remove}
	p.enable()
	describe := kit.IconButton(theme.DocumentIcon(), "Begin a description with the marks as fields", p.host.NewDescription)
	p.notice.Truncation = fyne.TextTruncateEllipsis
	p.notice.Hide()
	field := kit.AtLeast(kit.FieldWide, p.filter)
	bar := kit.BarPadded(container.NewVBox(kit.Flow(field, add, edit, remove, describe, field), p.notice))
	p.none = kit.QuietLabel(noMarks)
	p.none.Alignment, p.none.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	p.page = kit.Under(bar, container.NewStack(p.list, kit.Padded(36, 0, 0, 0, container.NewVBox(p.none))))
	if p.Doc != nil {
		if p.unlooked = p.Doc.Far() && !marks.Seen(host.File()); !p.unlooked {
			p.load()
		}
	}
	return p
}

// noMarks is the text of the empty list.
const noMarks = "No marks yet. Ctrl+B marks the selected node or bytes, with a note, a colour and a type."

// Title returns the title of the tab.
func (p *Pane) Title() string {
	if len(p.all) == 0 {
		return "Marks"
	}
	return "Marks " + model.Grouped(int64(len(p.all)))
}

// Object returns the content of the tab.
func (p *Pane) Object() fyne.CanvasObject {
	if p.unlooked {
		p.load()
	}
	return p.page
}

// ColorOf returns the colour of the mark on a node, or nil. It is safe on every goroutine.
func (p *Pane) ColorOf(path string) color.Color {
	if colours := p.byPath.Load(); colours != nil {
		if name, marked := (*colours)[path]; marked {
			return look.MarkColor(name)
		}
	}
	return nil
}

// Any reports whether there are marks, or some may be found.
func (p *Pane) Any() bool { return p.unlooked || len(p.all) > 0 }

// All returns the marks of the document.
func (p *Pane) All() (list []marks.Mark) {
	for _, r := range p.all {
		list = append(list, r.Mark)
	}
	return list
}

// EachIn visits the bytes of a source that have marks, with the colours of these.
func (p *Pane) EachIn(src *model.Source, visit func(at model.Span, c color.Color)) {
	for _, r := range p.all {
		if r.Source == src.Name() && src.Holds(r.Offset, r.Length) {
			visit(src.Span(r.Offset, r.Length), look.MarkColor(r.Colour))
		}
	}
}

// say shows a text above the list, or none if "".
func (p *Pane) say(text string) {
	p.notice.SetText(text)
	kit.SetVisible(p.notice, text != "")
	p.page.Refresh()
}

// store opens the store of marks, and identifies the document unless its identity is known.
func (p *Pane) store(ctx context.Context, known string) (s *marks.Store, identity string, err error) {
	if s, err = marks.Open(); err == nil && known == "" {
		known, err = marks.Identity(ctx, p.Doc)
	}
	return s, known, err
}

// load reads the marks in the background.
func (p *Pane) load() {
	p.unlooked = false
	file, known := p.host.File(), p.identity
	p.Tasks.Go(p.Ctx, "", func(ctx context.Context, _ model.Progress) func() {
		store, identity, err := p.store(ctx, known)
		if err != nil {
			return func() { p.say(phrase.Sentence(err)) }
		}
		list, found, was, err := store.Load(identity, file)
		rows := make([]row, len(list))
		colours := map[string]string{}
		for i := range list {
			rows[i].Mark = list[i]
			r := &rows[i]
			if r.typ, r.held, r.gone = list[i].Holds(ctx, p.Doc); r.held != nil {
				r.value = model.Show(ctx, r.held, phrase.ShownValue)
			} else {
				r.value = r.gone
			}
			if list[i].Path != "" {
				colours[list[i].Path] = list[i].Colour
			}
		}
		return func() {
			p.identity, p.all = identity, rows
			p.byPath.Store(&colours)
			p.say(foundText(found, was, err))
			p.narrow()
			p.host.MarksKept()
			if p.OnChanged != nil {
				p.OnChanged()
			}
		}
	})
}

// foundText describes how the marks were found where that matters.
func foundText(found marks.Found, was string, err error) string {
	switch {
	case err != nil:
		return phrase.Sentence(err)
	case found == marks.Elsewhere:
		return "Made when the file was " + was
	case found == marks.ByPath:
		return "The file has changed since: they may be at other places now"
	}
	return ""
}

// narrow lists the marks that the filter lets through.
func (p *Pane) narrow() {
	text := strings.ToLower(p.filter.Text)
	var rows []row
	for _, r := range p.all {
		if phrase.Holds(text, r.Text, r.Path, r.typ, r.value, r.Colour) {
			rows = append(rows, r)
		}
	}
	was, is := p.selected()
	p.data.Set(rows)
	p.list.Recount()
	if is {
		p.list.KeepIndex(int64(slices.IndexFunc(rows, func(r row) bool { return r.ID == was.ID })))
	}
	p.list.Invalidate()
	p.enable()
	if p.none.SetText(noMarks); len(p.all) > 0 {
		p.none.SetText("None of the " + model.GroupedCount(int64(len(p.all)), "mark") + " has these words.")
	}
	kit.SetVisible(p.none, len(rows) == 0)
}

// selected returns the mark that is selected in the list.
func (p *Pane) selected() (r row, is bool) {
	if it := p.list.Selection.Item(); it != nil {
		return p.data.At(it)
	}
	return r, false
}

// enable enables what does something with the selected mark, if there is one.
func (p *Pane) enable() {
	_, is := p.selected()
	for _, b := range p.ofOne {
		if is {
			b.Enable()
		} else {
			b.Disable()
		}
	}
}

// goTo selects what a row's mark is on.
func (p *Pane) goTo(it treeview.Item) {
	r, ok := p.data.At(it)
	switch {
	case !ok:
	case r.gone != "": // arrow keys go over it: no dialog
		p.Notify(phrase.Short(r.Title(), phrase.ShownValue) + ": " + r.gone)
	case r.Path != "":
		p.host.GoToNode(r.Path)
	case r.Source != "":
		p.host.GoToBytes(r.Source, r.Offset, r.Length)
	default:
		p.host.GoToNode(p.Doc.Views[0].Name)
	}
}

// Step goes to the next mark, or with -1 to the one before.
func (p *Pane) Step(by int64) {
	if p.unlooked {
		p.host.ShowMarks()
		return
	}
	n := int64(len(p.data.All()))
	if n == 0 {
		p.Notify("There are no marks")
		return
	}
	at := int64(-1)
	if i, ok := p.list.Selection.Item().(int64); ok {
		at = i
	} else if by < 0 {
		at = 0
	}
	p.host.ShowMarks()
	p.list.SelectIndex((at+by+n)%n, false)
}

// Add marks the selected bytes, the selected node or the file; where the first of these that there is has a mark, it asks what
// to do with that.
func (p *Pane) Add() { p.AddIn("") }

// AddIn is Add with a colour. With "" it is the usual one, or that of the mark at that place.
func (p *Pane) AddIn(colour string) {
	at, _ := p.host.Chosen()
	p.AddTo(colour, at)
}

// AddTo is AddIn for bytes that need not be selected.
func (p *Pane) AddTo(colour string, at model.Span) {
	on := p.places(cmp.Or(colour, marks.Colours[0]), at)
	for _, r := range p.all {
		if m := &on[0]; r.Path == m.Path && r.Source == m.Source && r.Offset == m.Offset && r.Length == m.Length {
			r.Colour = cmp.Or(colour, r.Colour)
			p.ask("Mark", r.Mark)
			return
		}
	}
	p.ask("New mark", on...)
}

// places returns new marks of a colour on the bytes, if any, on the selected node and on the file.
func (p *Pane) places(usual string, at model.Span) (on []marks.Mark) {
	if at.Len > 0 {
		on = append(on, marks.Mark{Colour: usual, Source: at.Source.Name(), Offset: at.Off, Length: at.Len})
	}
	if node := p.host.Current(); node != nil {
		m := marks.Mark{Colour: usual, Path: node.Path()}
		if at := node.Node.Span(); at.Source != nil {
			m.Source, m.Offset, m.Length = at.Source.Name(), at.Off, at.Len
		}
		on = append(on, m)
	}
	return append(on, marks.Mark{Colour: usual})
}

// placeOf describes the place of a mark.
func placeOf(m *marks.Mark) string {
	switch {
	case m.Path != "":
		return m.Path
	case m.Source != "":
		return fmt.Sprintf("%s  %s, %s", m.Source, phrase.Hex(m.Offset), phrase.Bytes(m.Length))
	}
	return "the file"
}

// ask asks for the note, colour and type of a mark, and for its place if there are several, and keeps it.
func (p *Pane) ask(title string, on ...marks.Mark) {
	m := on[0]
	var dialog *shell.Modal
	note := kit.NewEntry(nil)
	note.MultiLine, note.Wrapping = true, fyne.TextWrapWord
	note.SetText(m.Text)
	note.SetPlaceHolder("Note (optional)")
	note.SetMinRowsVisible(3)
	typ := kit.NewSelectEntry(slices.Concat(marks.TypeNames, []string{"u8[]", "f32[3]"}))
	typ.SetText(m.Type)
	typ.SetPlaceHolder("What the bytes are, such as u16, f32be, u8[4], text")
	wrong := widget.NewLabel("")
	wrong.Importance = widget.DangerImportance
	wrong.Wrapping = fyne.TextWrapWord
	place := choosePlace(on, func(at *marks.Mark) {
		m.Path, m.Source, m.Offset, m.Length = at.Path, at.Source, at.Offset, at.Length
		typ.Enable()
		if m.Source == "" {
			typ.SetText("")
			typ.Disable()
		}
	})
	form := widget.NewForm(widget.NewFormItem("On", place), widget.NewFormItem("Note", note), widget.NewFormItem("Colour", chooseColour(&m)),
		widget.NewFormItem("Type", typ))
	keep := func() bool {
		m.Text, m.Type = note.Text, strings.TrimSpace(typ.Text)
		err := m.Check()
		if err == nil {
			err = m.Fits()
		}
		if err != nil {
			wrong.SetText(phrase.Sentence(err))
			return false
		}
		p.change("keeping a mark", func(s *marks.Store, identity, file string) error { return s.Add(identity, file, m) })
		return true
	}
	note.Key = func(name fyne.KeyName) bool { // with Shift it is a new line
		enter := (name == fyne.KeyReturn || name == fyne.KeyEnter) && !kit.ShiftHeld()
		if enter && keep() {
			dialog.Hide()
		}
		return enter
	}
	dialog = p.ShowModal(title, nil, container.NewVBox(form, wrong), 520, shell.Button{Text: "Cancel"}, shell.Button{Text: "Save", Main: true, Act: keep})
	p.Focus(note)
}

// chooseColour offers the colours that a mark may have.
func chooseColour(m *marks.Mark) *kit.Select {
	var titles []string
	for _, name := range marks.Colours {
		titles = append(titles, phrase.Capital(name))
	}
	choice := kit.NewSelect(titles, func(title string) { m.Colour = marks.Colours[slices.Index(titles, title)] })
	choice.SetSelected(phrase.Capital(m.Colour))
	return choice
}

// choosePlace shows the place of a mark, or lets the user choose one of several.
func choosePlace(on []marks.Mark, chosen func(at *marks.Mark)) fyne.CanvasObject {
	const short = 60
	if len(on) == 1 {
		chosen(&on[0])
		return widget.NewLabel(phrase.Short(placeOf(&on[0]), short))
	}
	var titles []string
	for i := range on {
		titles = append(titles, phrase.Short(placeOf(&on[i]), short))
	}
	choice := kit.NewSelect(titles, func(title string) { chosen(&on[slices.Index(titles, title)]) })
	choice.SetSelectedIndex(0)
	return choice
}

// remove deletes the selected mark.
func (p *Pane) remove() {
	r, ok := p.selected()
	if !ok {
		p.Notify("Select a mark first")
		return
	}
	p.change("removing a mark", func(s *marks.Store, identity, file string) error { return s.Remove(identity, file, r.ID) })
}

// change changes the marks that are kept, and shows them anew.
func (p *Pane) change(what string, do func(s *marks.Store, identity, file string) error) {
	p.changeThen(what, do, func() {})
}

// changeThen is change that calls done when they were changed.
func (p *Pane) changeThen(what string, do func(s *marks.Store, identity, file string) error, done func()) {
	file, known := p.host.File(), p.identity
	p.Tasks.Try(p.Ctx, what, func(ctx context.Context, _ model.Progress) (func(), error) {
		store, identity, err := p.store(ctx, known)
		if err != nil {
			return nil, err
		}
		return func() {
			p.load()
			done()
		}, do(store, identity, file)
	})
}
