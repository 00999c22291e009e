// Package search is the pane in which a document is searched, and the list of what was found.
package search

import (
	"errors"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Scope says where is searched.
type Scope int

// The scopes.
const (
	InTree   Scope = iota // the nodes of the view that is shown
	InSource              // the bytes of the source that is shown
	InAll                 // the bytes of every source, derived ones too
)

var scopeTitles = []string{"Tree", "Bytes here", "Bytes everywhere"}

// Query is what is searched for.
type Query struct {
	Text     string
	Scope    Scope
	Form     search.Form // of bytes
	Fold     bool        // of text: in any case
	Decode   bool        // of the tree: decode what is not decoded yet
	Elements bool        // of the tree: look at the elements of long arrays
}

// pattern is what bytes are searched for.
func (f Query) pattern() (*search.Pattern, error) {
	return search.ParsePattern(f.Text, f.Form, search.PatternOptions{IgnoreCase: f.Fold})
}

// Check tells what is wrong with it.
func (f Query) Check() error {
	var err error
	if f.Scope == InTree {
		_, err = search.ParseQuery(f.Text)
	} else {
		_, err = f.pattern()
	}
	return err
}

// isText reports whether the bytes may be text, which has upper and lower case.
func (f Query) isText() bool {
	return f.Form == search.Auto || f.Form == search.UTF8 || f.Form == search.UTF16LE || f.Form == search.UTF16BE
}

// Host is what the search needs of the document that it is of.
type Host struct {
	Searched   func() (view *model.View, src *model.Source, srcTitle string) // the tree and the bytes that are shown
	GoToNode   func(path string)                                             // selects a hit that is a node
	GoToBytes  func(source string, off, length int64)                        // selects a hit that is bytes, and what they are of
	OpenMember func(inner, path string)                                      // opens a member of the file in a tab, at a node of it
	File       func() string                                                 // "": the document is of no file, whose members could be opened
	MarkHits   func()                                                        // marks the hits among the bytes
	Decoded    func()                                                        // more may be decoded than before
	FocusTree  func()
	ShowSearch func() // brings the search to the front
	ShowTitles func() // shows the titles of the tabs anew
}

// Pane is the tab in which a document is searched: what for, where, and what was found.
type Pane struct {
	shell.Opened
	host   Host
	page   fyne.CanvasObject
	Box    *fyne.Container // the list, or words in its place
	Entry  *kit.Entry
	scope  *kit.Select
	form   *kit.Select
	Forms  *fyne.Container // form, in its width
	Fold   *kit.Check
	Decode *kit.Check
	each   *kit.Check // elements of arrays
	Start  *widget.Button
	up     *kit.Button
	down   *kit.Button
	Said   *widget.Label
	why    *widget.Button  // tells why not all was searched
	Offer  *widget.Button  // searches wider where nothing was found
	answer *fyne.Container // what is said, with both of them
	blank  *fyne.Container // in place of the list where nothing was found
	List   *treeview.Tree
	Data   *hitData

	Run    *Run   // the last search; nil before the first
	At     int64  // the hit that was gone to; -1: none
	eager  bool   // the first hit is gone to as soon as there is one
	titled string // what the tab says
	note   string // what happened at the last step
	marked int64  // how many hits are marked among the bytes
}

// New makes the pane of a document with its fields filled.
func New(opened shell.Opened, host Host, want Query) *Pane {
	p := &Pane{Opened: opened, host: host, At: -1, Box: container.NewStack(), titled: "Search"}
	p.Entry = kit.NewEntry(p.Escape)
	p.Entry.Key = p.key
	p.Entry.Icon = theme.SearchIcon()
	p.Entry.TextStyle.Monospace = true
	p.Start = widget.NewButton("Find", p.submit)
	p.up = kit.IconButton(theme.MoveUpIcon(), "Previous hit (Shift+F3)", func() { p.Step(-1) })
	p.down = kit.IconButton(theme.MoveDownIcon(), "Next hit (F3)", func() { p.Step(1) })
	p.scope = kit.NewSelect(scopeTitles, nil)
	var forms []string
	for _, f := range search.Forms() {
		forms = append(forms, f.Title())
	}
	p.form = kit.NewSelect(forms, nil)
	p.Fold = kit.NewCheck("Ignore case", nil)
	p.Decode = kit.NewCheck("Decode everything", nil)
	p.each = kit.NewCheck("Elements of arrays", nil)
	p.Said = widget.NewLabel("")
	p.Said.Truncation = fyne.TextTruncateEllipsis
	p.Said.SizeName = theme.SizeNameCaptionText
	p.why = widget.NewButton("Why…", p.tellWhy)
	p.why.Importance = widget.LowImportance
	p.Offer = widget.NewButton("", func() {
		if wider, _, ok := p.wider(); ok {
			p.widen(wider)
		}
	})
	p.makeList()
	p.Set(want)
	p.Entry.OnChanged = func(string) { p.Changed() }
	p.scope.OnChanged = func(string) { p.chosen() }
	p.form.OnChanged = func(string) { p.chosen() }
	p.Fold.OnChanged = func(bool) { p.chosen() }
	p.Decode.OnChanged = func(bool) { p.chosen() }
	p.each.OnChanged = func(bool) { p.chosen() }

	p.Forms = kit.AtLeast(scopeWidth, p.form)
	p.blank = container.NewWithoutLayout()
	p.answer = container.New(&answer{width: math.MaxFloat32}, p.Said, p.why, p.Offer)
	field := kit.AtLeast(fieldWidth, p.Entry)
	what := kit.Flow(field, kit.AtLeast(scopeWidth, p.scope), field, p.Start, p.up, p.down)
	how := kit.Flow(p.answer, p.Forms, p.Fold, p.Decode, p.each, p.answer)
	bar := kit.NewBacked(theme.ColorNameBackground, kit.Padded(4, 2, 6, 6, container.NewVBox(what, how)))
	p.page = kit.Under(bar, p.Box)
	p.update()
	return p
}

// Widths in Fyne's units: of the choices of scope and form, and the least ones of the field and of what is said.
const (
	scopeWidth = 170
	fieldWidth = 100
)

// answer lays out what is said with the buttons behind its words, or below where there is no room for both.
type answer struct {
	width float32 // of the last layout, from which the height follows
}

// buttons is the room that the visible buttons take, and whether it is below what is said.
func (a *answer) buttons(o []fyne.CanvasObject) (size fyne.Size, below bool) {
	for _, button := range o[1:] {
		if button.Visible() {
			size = fyne.NewSize(size.Width+theme.Padding()+button.MinSize().Width, button.MinSize().Height)
		}
	}
	return size, size.Width > 0 && a.width < fieldWidth+size.Width
}

func (a *answer) Layout(o []fyne.CanvasObject, size fyne.Size) {
	a.width = size.Width
	said, room := o[0].(*widget.Label), size.Width
	buttons, below := a.buttons(o)
	if !below {
		room -= buttons.Width
	}
	width := min(max(kit.WordsWidth(said), fieldWidth), room)
	kit.Put(said, 0, 0, width, said.MinSize().Height)
	x, y := width+theme.Padding(), float32(0)
	if below {
		x, y = 0, said.MinSize().Height
	}
	for _, button := range o[1:] {
		if least := button.MinSize(); button.Visible() {
			kit.Put(button, x, y, least.Width, least.Height)
			x += least.Width + theme.Padding()
		}
	}
}

func (a *answer) MinSize(o []fyne.CanvasObject) fyne.Size {
	size, below := a.buttons(o)
	height := o[0].MinSize().Height
	if below {
		return fyne.NewSize(max(size.Width, fieldWidth), height+size.Height)
	}
	return fyne.NewSize(max(size.Width, fieldWidth), max(height, size.Height))
}

// Object is the pane on the screen.
func (p *Pane) Object() fyne.CanvasObject { return p.page }

// Title is the text of the tab.
func (p *Pane) Title() string {
	if p.Run == nil {
		return "Search"
	}
	text := "Search " + model.Grouped(p.Run.Hits.Len())
	if !p.Run.Over {
		text += " …"
	}
	return text
}

// Want is what the fields say.
func (p *Pane) Want() Query {
	return Query{Text: p.Entry.Text, Scope: Scope(max(p.scope.SelectedIndex(), 0)),
		Form: search.Forms()[max(p.form.SelectedIndex(), 0)], Fold: p.Fold.Checked, Decode: p.Decode.Checked, Elements: p.each.Checked}
}

// Set fills the fields.
func (p *Pane) Set(f Query) {
	p.Entry.SetText(f.Text)
	p.scope.SetSelectedIndex(int(f.Scope))
	for i, form := range search.Forms() {
		if form == f.Form {
			p.form.SetSelectedIndex(i)
		}
	}
	p.Fold.SetChecked(f.Fold)
	p.Decode.SetChecked(f.Decode)
	p.each.SetChecked(f.Elements)
}

// Open brings the tab to the front and gives the keyboard to the field.
func (p *Pane) Open() {
	p.host.ShowSearch()
	p.FocusField()
	p.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	p.LogField("search", p.Entry)
}

// FocusField gives the keyboard to the field.
func (p *Pane) FocusField() { p.Focus(p.Entry) }

// Changed follows what is typed.
func (p *Pane) Changed() {
	p.note = ""
	p.update()
}

// chosen follows the choices beside the field, where typing goes on.
func (p *Pane) chosen() {
	p.Changed()
	p.FocusField()
}

// key does what a key means in the field; false: nothing of its own.
func (p *Pane) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if wider, _, ok := p.wider(); ok && p.Run.what == p.Want() {
			p.widen(wider)
		} else if p.Run != nil && p.Run.what == p.Want() {
			p.StepHeld()
		} else {
			p.Begin()
		}
	case fyne.KeyDown:
		if p.Run != nil && p.Run.Hits.Len() > 0 {
			p.Focus(p.List)
		}
	default:
		return false
	}
	return true
}

// StepHeld goes to the next hit, or with Shift held to the one before.
func (p *Pane) StepHeld() {
	n := int64(1)
	if kit.ShiftHeld() {
		n = -1
	}
	p.Step(n)
}

// submit is what the button does: it starts a search, or ends the one that runs.
func (p *Pane) submit() {
	if p.running() {
		p.Run.stop()
	} else {
		p.Begin()
	}
	p.FocusField()
}

// Escape ends the search that runs, or goes back to the tree.
func (p *Pane) Escape() {
	if p.running() {
		p.Run.stop()
		return
	}
	p.host.FocusTree()
}

func (p *Pane) running() bool { return p.Run != nil && !p.Run.Over }

// update brings the pane up to what is wanted and found.
func (p *Pane) update() {
	want := p.Want()
	p.choices(want)
	p.Entry.SetPlaceHolder([...]string{
		InTree:   "name, value or path   \"two words\"   /regexp/   >1e6   10..20   type:vec3f",
		InSource: "50 58 ?? 2d   or text   or, as a number, 0.5 or 0x2a",
		InAll:    "50 58 ?? 2d   or text   or, as a number, 0.5 or 0x2a",
	}[want.Scope])
	text := "Find"
	if p.running() {
		text = "Cancel"
	}
	if p.Start.Text != text {
		p.Start.SetText(text)
	}
	p.say(want)
	for _, b := range []*kit.Button{p.up, p.down} {
		if p.Run != nil && p.Run.Hits.Len() > 0 {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	content := fyne.CanvasObject(p.List)
	_, _, offered := p.wider()
	switch {
	case p.Run == nil:
		content = kit.Message("Enter searches. F3 and Shift+F3 go to the next hit and the one before; Escape cancels.")
	case p.Run.Hits.Len() == 0 && !p.Run.Over:
		content = kit.Message("Searching…")
	case offered:
		content = p.blank // that nothing was found is said above
	}
	if len(p.Box.Objects) == 0 || p.Box.Objects[0] != content {
		kit.Swap(p.Box, content)
	}
	if title := p.Title(); title != p.titled {
		p.titled = title
		p.host.ShowTitles()
	}
}

// choices shows what goes with what is wanted and found, and lays the rows out anew where that has changed.
func (p *Pane) choices(want Query) {
	_, label, offered := p.wider()
	changed := label != p.Offer.Text
	if changed {
		p.Offer.SetText(label)
	}
	for _, c := range []struct {
		o    fyne.CanvasObject
		seen bool
	}{{p.Forms, want.Scope != InTree}, {p.Fold, want.Scope != InTree && want.isText()}, {p.Decode, want.Scope == InTree}, {p.each, want.Scope == InTree},
		{p.why, p.Run != nil && p.Run.failed != nil}, {p.Offer, offered}} {
		changed = changed || c.o.Visible() != c.seen
		kit.SetVisible(c.o, c.seen)
	}
	if changed {
		p.page.Refresh()
	}
}

// say shows what is wrong with what is wanted, or how far the search is.
func (p *Pane) say(want Query) {
	text, importance := "", widget.MediumImportance
	err := want.Check()
	switch {
	case want.Text != "" && err != nil && !errors.Is(err, search.ErrEmpty):
		text, importance = err.Error(), widget.DangerImportance
	case p.Run != nil:
		text = p.Run.say(p.At)
		if p.note != "" {
			text += " · " + p.note
		}
	}
	if text != p.Said.Text || importance != p.Said.Importance {
		p.Said.Importance = importance
		p.Said.SetText(text)
		p.answer.Refresh() // the buttons are behind its words
	}
}

// tellWhy tells at length why not all was searched.
func (p *Pane) tellWhy() {
	p.TellWords("Not all was searched", theme.WarningIcon(), phrase.Sentence(p.Run.failed))
}

// wider is the search to offer where the last one found nothing: in what is not decoded yet and in the elements of arrays, then in
// all bytes.
func (p *Pane) wider() (q Query, label string, ok bool) {
	if p.Run == nil || !p.Run.Over || p.Run.Stopped || p.Run.Hits.Len() > 0 {
		return Query{}, "", false
	}
	q = p.Run.what
	switch {
	case q.Scope == InTree && !q.Decode:
		q.Decode, q.Elements = true, true
		label = "Decode all, search elements too"
	case q.Scope != InAll:
		q.Scope = InAll
		label = "Search the bytes everywhere"
	default:
		return Query{}, "", false
	}
	return q, label, q.Check() == nil
}

// widen searches as it was offered.
func (p *Pane) widen(q Query) {
	p.Set(q)
	if p.Run.what != q {
		p.Begin()
	}
	p.FocusField()
}
