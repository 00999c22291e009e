// Package search looks for nodes and bytes of a document: a few of each kind as they are typed, and all in a list below the tree.
package search

import (
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

// Scope is a part of a document that is searched.
type Scope int

// The scopes.
const (
	InTree   Scope = iota // the nodes of the view that is shown, those with the name first
	InNames               // their names
	InValues              // everything but their names
	InSource              // the bytes of the source that is shown
	InAll                 // the bytes of every source, derived ones too
)

var scopeTitles = []string{"Names and values", "Names", "Values", "Bytes here", "Bytes everywhere"}

// ofNodes reports whether nodes are searched, and not bytes.
func (s Scope) ofNodes() bool { return s < InSource }

// Query is a text to search for, and where.
type Query struct {
	Text     string
	Scope    Scope
	Fold     bool // of text among bytes: in any case
	Decode   bool // of nodes: decode what is not decoded yet
	Elements bool // of nodes: look at the elements of long arrays
}

// pattern returns the bytes to search for.
func (f Query) pattern() (*search.Pattern, error) {
	return search.ParsePattern(f.Text, search.Auto, search.PatternOptions{IgnoreCase: f.Fold})
}

// Check returns the error of an invalid query.
func (f Query) Check() error {
	var err error
	if f.Scope.ofNodes() {
		_, err = search.ParseQuery(f.Text)
	} else {
		_, err = f.pattern()
	}
	return err
}

// Host lists the functions of its document that the search may call.
type Host struct {
	Searched   func() (view *model.View, src *model.Source, srcTitle string) // returns the tree and the bytes that are shown
	GoToNode   func(path string)                                             // selects a found node
	GoToBytes  func(source string, off, length int64)                        // selects found bytes and their node
	OpenMember func(inner, path string)                                      // opens a member of the file in a tab, at a node
	File       func() string                                                 // returns the file, or "" for a document without one
	MarkHits   func()                                                        // marks the hits among the bytes
	Decoded    func()                                                        // more may be decoded than before
	FocusTree  func()
	ShowSearch func() // brings the list to the front
	ShowTitles func() // shows the titles of the tabs anew
}

// A Pane shows the hits and the state of a search.
type Pane struct {
	shell.Opened
	host   Host
	page   fyne.CanvasObject
	Box    *fyne.Container // the list, or words in its place
	scope  *kit.Select
	Fold   *kit.Check
	Decode *kit.Check
	each   *kit.Check // elements of arrays
	Stop   *widget.Button
	up     *kit.Button
	down   *kit.Button
	Said   *widget.Label
	why    *widget.Button // says why a part was not searched
	List   *treeview.Tree
	Data   *hitData

	text   string    // what is searched for
	Run    *Run      // the last search; nil before the first
	At     int64     // the number of the shown hit, or -1
	eager  bool      // the first hit is shown as soon as it is found
	keys   bool      // the list gets the keyboard as soon as it is on the screen
	from   *foundHit // the hit of Take that catchUp looks for, or nil
	owed   int64     // the number of steps that wait for from
	passed int64     // the number of hits among which from is not
	titled string    // the title of the tab
	note   string    // what happened at the last step
	marked int64     // the number of hits that are marked in the bytes
}

// New makes the list of a document with its choices set.
func New(opened shell.Opened, host Host, want Query) *Pane {
	p := &Pane{Opened: opened, host: host, At: -1, Box: container.NewStack(), titled: "Search"}
	p.Stop = widget.NewButton("Stop", func() { p.Run.stop() })
	p.up = kit.IconButton(theme.MoveUpIcon(), "Previous hit (Shift+F3)", func() { p.Step(-1) })
	p.down = kit.IconButton(theme.MoveDownIcon(), "Next hit (F3)", func() { p.Step(1) })
	p.scope = kit.NewSelect(scopeTitles, nil)
	p.Fold = kit.NewCheck("Ignore case", nil)
	p.Decode = kit.NewCheck("Decode everything", nil)
	p.each = kit.NewCheck("Elements of arrays", nil)
	p.Said = widget.NewLabel("")
	p.Said.Truncation = fyne.TextTruncateEllipsis
	p.Said.SizeName = theme.SizeNameCaptionText
	p.why = widget.NewButton("Why…", p.showWhy)
	p.why.Importance = widget.LowImportance
	p.makeList()
	p.Set(want)
	p.scope.OnChanged = func(string) { p.chosen() }
	for _, c := range []*kit.Check{p.Fold, p.Decode, p.each} {
		c.OnChanged = func(bool) { p.chosen() }
	}
	what := kit.Flow(p.scope, kit.AtLeast(scopeWidth, p.scope), p.Fold, p.Decode, p.each, p.Stop, p.up, p.down)
	bar := kit.NewBacked(theme.ColorNameBackground, kit.Padded(4, 2, 6, 6, container.NewVBox(kit.Border(nil, nil, nil, p.why, p.Said), what)))
	p.page = kit.Under(bar, p.Box)
	p.update()
	return p
}

// scopeWidth is the width of the choices of scope in Fyne's units.
const scopeWidth = 150

// Object returns what the pane shows.
func (p *Pane) Object() fyne.CanvasObject { return p.page }

// Title returns the text of the tab.
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

// Want returns the query that the user has chosen.
func (p *Pane) Want() Query {
	return Query{Text: p.text, Scope: Scope(max(p.scope.SelectedIndex(), 0)), Fold: p.Fold.Checked, Decode: p.Decode.Checked, Elements: p.each.Checked}
}

// Set makes the choices.
func (p *Pane) Set(f Query) {
	chosen := p.scope.OnChanged
	p.scope.OnChanged = nil
	p.scope.SetSelectedIndex(int(f.Scope))
	p.scope.OnChanged = chosen
	p.text, p.Fold.Checked, p.Decode.Checked, p.each.Checked = f.Text, f.Fold, f.Decode, f.Elements
	for _, c := range []*kit.Check{p.Fold, p.Decode, p.each} {
		c.Refresh()
	}
}

// ShowAll searches, and shows the list.
func (p *Pane) ShowAll(f Query) {
	if f.Text != p.text {
		p.from = nil // a hit of another text
	}
	p.Set(f)
	p.keys = true
	p.host.ShowSearch()
	p.Begin()
}

// chosen searches anew after another choice.
func (p *Pane) chosen() {
	p.note = ""
	if p.text != "" {
		p.Begin()
	}
	p.update()
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
	p.say()
	for _, b := range []*kit.Button{p.up, p.down} {
		if p.Run != nil && p.Run.Hits.Len() > 0 {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	content := fyne.CanvasObject(p.List)
	switch {
	case p.Run == nil:
		content = kit.Message("Ctrl+F searches; “all” there lists everything here. F3 and Shift+F3 go to the next hit and the one before.")
	case p.Run.Hits.Len() == 0 && !p.Run.Over:
		content = kit.Message("Searching…")
	case p.Run.Hits.Len() == 0:
		content = kit.Message("Nothing found. What is not decoded, elements of arrays and all bytes can be chosen above.")
	}
	if len(p.Box.Objects) == 0 || p.Box.Objects[0] != content {
		kit.Swap(p.Box, content)
	}
	if p.keys && content == p.List {
		p.keys = false
		p.Focus(p.List)
	}
	if title := p.Title(); title != p.titled {
		p.titled = title
		p.host.ShowTitles()
	}
}

// choices shows what goes with what is wanted and found, and lays the rows out anew where that has changed.
func (p *Pane) choices(want Query) {
	changed := false
	for _, c := range []struct {
		o    fyne.CanvasObject
		seen bool
	}{{p.Fold, !want.Scope.ofNodes()}, {p.Decode, want.Scope.ofNodes()}, {p.each, want.Scope == InTree || want.Scope == InValues},
		{p.Stop, p.running()}, {p.why, p.Run != nil && p.Run.failed != nil}} {
		changed = changed || c.o.Visible() != c.seen
		kit.SetVisible(c.o, c.seen)
	}
	if changed {
		p.page.Refresh()
	}
}

// say shows how far the search is.
func (p *Pane) say() {
	text := ""
	if p.Run != nil {
		text = p.Run.say(p.At)
		if p.note != "" {
			text += " · " + p.note
		}
	}
	if text != p.Said.Text {
		p.Said.SetText(text)
	}
}

// showWhy shows at length why a part was not searched.
func (p *Pane) showWhy() {
	p.TellWords("Not all was searched", theme.WarningIcon(), phrase.Sentence(p.Run.failed))
}
