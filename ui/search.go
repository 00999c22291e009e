package ui

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// searchScope says where is searched.
type searchScope int

const (
	inTree   searchScope = iota // the nodes of the view that is shown
	inSource                    // the bytes of the source that is shown
	inAll                       // the bytes of every source, derived ones too
)

var scopeTitles = []string{"Tree", "Bytes here", "Bytes everywhere"}

// searchFor is what is searched for.
type searchFor struct {
	text   string
	scope  searchScope
	form   search.Form // of bytes
	fold   bool        // of text: in any case
	decode bool        // of the tree: decode what is not decoded yet
}

// pattern is what bytes are searched for.
func (f searchFor) pattern() (*search.Pattern, error) {
	return search.ParsePattern(f.text, f.form, search.PatternOptions{IgnoreCase: f.fold})
}

// check tells what is wrong with it.
func (f searchFor) check() error {
	var err error
	if f.scope == inTree {
		_, err = search.ParseQuery(f.text)
	} else {
		_, err = f.pattern()
	}
	return err
}

// isText tells whether the bytes may be text, which has upper and lower case.
func (f searchFor) isText() bool {
	return f.form == search.Auto || f.form == search.UTF8 || f.form == search.UTF16LE || f.form == search.UTF16BE
}

// searchPane is the tab in which a document is searched: what for, where, and what was found.
type searchPane struct {
	s      *session
	page   fyne.CanvasObject
	box    *fyne.Container // the list, or words in its place
	entry  *kit.Entry
	scope  *widget.Select
	form   *widget.Select
	forms  *fyne.Container // form, in its width
	fold   *widget.Check
	decode *widget.Check
	start  *widget.Button
	up     *widget.Button
	down   *widget.Button
	said   *widget.Label
	why    *widget.Button // tells why not all was searched
	list   *treeview.Tree
	data   *hitData

	run    *searchRun // the last search; nil before the first
	at     int64      // the hit that was gone to; -1: none
	eager  bool       // the first hit is gone to as soon as there is one
	titled string     // what the tab says
	note   string     // what happened at the last step
	marked int64      // how many hits are marked among the bytes
}

func newSearchPane(s *session) *searchPane {
	p := &searchPane{s: s, at: -1, box: container.NewStack(), titled: "Search"}
	p.entry = kit.NewEntry(p.escape)
	p.entry.Key = p.key
	p.entry.Icon = theme.SearchIcon()
	p.entry.TextStyle.Monospace = true
	p.entry.OnChanged = func(string) { p.changed() }
	p.start = widget.NewButton("Find", p.submit)
	p.up = kit.IconButton(theme.MoveUpIcon(), func() { p.step(-1) })
	p.down = kit.IconButton(theme.MoveDownIcon(), func() { p.step(1) })
	p.scope = widget.NewSelect(scopeTitles, nil)
	var forms []string
	for _, f := range search.Forms() {
		forms = append(forms, f.Title())
	}
	p.form = widget.NewSelect(forms, nil)
	p.fold = widget.NewCheck("Ignore case", nil)
	p.decode = widget.NewCheck("Decode everything", nil)
	p.said = widget.NewLabel("")
	p.said.Truncation = fyne.TextTruncateEllipsis
	p.said.SizeName = theme.SizeNameCaptionText
	p.why = widget.NewButton("Why…", p.tellWhy)
	p.why.Importance = widget.LowImportance
	p.makeList()
	p.set(s.searched)
	p.scope.OnChanged = func(string) { p.chosen() }
	p.form.OnChanged = func(string) { p.chosen() }
	p.fold.OnChanged = func(bool) { p.chosen() }
	p.decode.OnChanged = func(bool) { p.chosen() }

	p.forms = kit.AtLeast(scopeWidth, p.form)
	what := container.NewBorder(nil, nil, kit.AtLeast(scopeWidth, p.scope), container.NewHBox(p.start, p.up, p.down), p.entry)
	how := container.NewBorder(nil, nil, container.NewHBox(p.forms, p.fold, p.decode), p.why, p.said)
	bar := kit.NewBacked(theme.ColorNameBackground, container.New(layout.NewCustomPaddedLayout(4, 2, 6, 6), container.NewVBox(what, how)))
	p.page = kit.Under(bar, p.box)
	p.update()
	return p
}

// scopeWidth is the width of the choices of scope and form.
const scopeWidth = 170

func (p *searchPane) panel() panel {
	return panel{p.title, func() fyne.CanvasObject { return p.page }}
}

// title is the tab's text.
func (p *searchPane) title() string {
	if p.run == nil {
		return "Search"
	}
	text := "Search " + model.Grouped(p.run.hits.len())
	if !p.run.over {
		text += " …"
	}
	return text
}

// want is what the fields say.
func (p *searchPane) want() searchFor {
	return searchFor{text: p.entry.Text, scope: searchScope(max(p.scope.SelectedIndex(), 0)),
		form: search.Forms()[max(p.form.SelectedIndex(), 0)], fold: p.fold.Checked, decode: p.decode.Checked}
}

// set fills the fields.
func (p *searchPane) set(f searchFor) {
	p.entry.SetText(f.text)
	p.scope.SetSelectedIndex(int(f.scope))
	for i, form := range search.Forms() {
		if form == f.form {
			p.form.SetSelectedIndex(i)
		}
	}
	p.fold.SetChecked(f.fold)
	p.decode.SetChecked(f.decode)
}

// focus brings the tab to the front and gives the keyboard to the field.
func (p *searchPane) focus() {
	p.s.details.choose(tabSearch)
	p.focusField()
	p.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	p.s.LogField("search", p.entry)
}

func (p *searchPane) focusField() { p.s.Focus(p.entry) }

// changed follows what is typed.
func (p *searchPane) changed() {
	p.s.searched = p.want()
	p.note = ""
	p.update()
}

// chosen follows the choices beside the field, where typing goes on.
func (p *searchPane) chosen() {
	p.changed()
	p.focusField()
}

// key does what a key means in the field; false: nothing of its own.
func (p *searchPane) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if p.run != nil && p.run.what == p.want() {
			p.stepHeld()
		} else {
			p.begin()
		}
	case fyne.KeyDown:
		if p.run != nil && p.run.hits.len() > 0 {
			p.s.Focus(p.list)
		}
	default:
		return false
	}
	return true
}

// stepHeld goes to the next hit, or with Shift held to the one before.
func (p *searchPane) stepHeld() {
	n := int64(1)
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
		n = -1
	}
	p.step(n)
}

// submit is what the button does: it starts a search, or ends the one that runs.
func (p *searchPane) submit() {
	if p.running() {
		p.run.stop()
	} else {
		p.begin()
	}
	p.focusField()
}

// escape ends the search that runs, or goes back to the tree.
func (p *searchPane) escape() {
	if p.running() {
		p.run.stop()
		return
	}
	p.s.FocusTree()
}

func (p *searchPane) running() bool { return p.run != nil && !p.run.over }

// update brings the pane up to what is wanted and found.
func (p *searchPane) update() {
	want := p.want()
	kit.SetVisible(p.forms, want.scope != inTree)
	kit.SetVisible(p.fold, want.scope != inTree && want.isText())
	kit.SetVisible(p.decode, want.scope == inTree)
	p.entry.SetPlaceHolder([...]string{
		inTree:   "name, value or path   \"two words\"   /regexp/   >1e6   10..20   type:vec3f",
		inSource: "50 58 ?? 2d   or text   or, as a number, 0.5 or 0x2a",
		inAll:    "50 58 ?? 2d   or text   or, as a number, 0.5 or 0x2a",
	}[want.scope])
	text := "Find"
	if p.running() {
		text = "Cancel"
	}
	if p.start.Text != text {
		p.start.SetText(text)
	}
	p.say(want)
	kit.SetVisible(p.why, p.run != nil && p.run.failed != nil)
	for _, b := range []*widget.Button{p.up, p.down} {
		if p.run != nil && p.run.hits.len() > 0 {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	content := fyne.CanvasObject(p.list)
	if p.run == nil || p.run.hits.len() == 0 {
		content = kit.Message(p.empty())
	}
	if len(p.box.Objects) == 0 || p.box.Objects[0] != content {
		kit.Swap(p.box, content)
	}
	if title := p.title(); title != p.titled {
		p.titled = title
		p.s.details.showTabs()
	}
}

// say shows what is wrong with what is wanted, or how far the search is.
func (p *searchPane) say(want searchFor) {
	text, importance := "", widget.MediumImportance
	err := want.check()
	switch {
	case want.text != "" && err != nil && !errors.Is(err, search.ErrEmpty):
		text, importance = err.Error(), widget.DangerImportance
	case p.run != nil:
		text = p.run.say(p.at)
		if p.note != "" {
			text += " · " + p.note
		}
	}
	if text != p.said.Text || importance != p.said.Importance {
		p.said.Importance = importance
		p.said.SetText(text)
	}
}

// tellWhy tells at length why not all was searched.
func (p *searchPane) tellWhy() {
	p.s.TellWords("Not all was searched", theme.WarningIcon(), phrase.Sentence(p.run.failed))
}

// empty is what stands in place of a list without hits.
func (p *searchPane) empty() string {
	switch {
	case p.run == nil:
		return "Enter searches. F3 and Shift+F3 go to the next hit and the one before; Escape cancels."
	case !p.run.over:
		return "Searching…"
	case p.run.stopped:
		return "Nothing was found before the search was cancelled."
	}
	return "Nothing found in " + p.run.where + "."
}

// find opens the search.
func (s *session) find() { s.details.search.focus() }
