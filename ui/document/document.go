// Package document shows one opened document: its trees and lists, stage, bytes and card. It keeps the user's position and history.
package document

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/cards"
	"cutaway/ui/damage"
	"cutaway/ui/description"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/named"
	"cutaway/ui/nodes"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/shell"
	"cutaway/ui/sizes"
	"cutaway/ui/stage"
	"cutaway/ui/task"
	"cutaway/ui/timebar"
	"cutaway/ui/trying"
)

// Host lists the functions of its tab that an opened document may call.
type Host struct {
	Export         exporting.Host
	LastExport     *exporting.Last
	InFront        func() bool                        // reports whether the tab is in front
	TypesPlace     func() bool                        // reports whether the user types where to go
	ShowPlace      func(text, path string)            // in the status bar and the location bar
	Moved          func()                             // follows another node, or another history
	Did            func(event Event, at *model.Place) // learns what the user did, and the node where he is now
	ProblemsFound  func()                             // follows other known problems
	OpenPart       func(title string, at model.Span)  // in a tab of its own
	Target         func() decoders.Target             // returns what the document was opened as
	OpenFile       func(file, path string)            // opens a file in a tab, at a node
	OpenAsset      func(path, name string)            // opens a file that the document names in a tab, at the node of a name
	DecodeSpan     func(at model.Span)                // asks for a format, and opens a tab
	Outer          func(at model.Span) model.Span     // returns the same bytes in the document that contains this one, if any
	ShowOuter      func(at model.Span)                // shows bytes of that document
	NewDescription func()                             // begins a description of the file
	FlipOrder      func()                             // changes the byte order of numbers, in all tabs
}

// A Trail holds the user's history, search and filters. It stays when options or a reload make another document.
type Trail struct {
	History  *history
	Query    searchpane.Query  // the last search
	Filtered map[string]string // the filters of the trees, by view
}

// NewTrail returns an empty trail.
func NewTrail() *Trail {
	return &Trail{newHistory(), searchpane.Query{Decode: true}, make(map[string]string)}
}

// A Pane shows one opened document.
type Pane struct {
	shell.Opened
	Trail   *Trail
	Trees   *Trees
	Nav     *Navigation
	Origin  *Origin
	Actions *Actions
	host    Host
	editor  *trying.Editor
	Object  *fyne.Container // the notice and the columns

	Lists  *Lists
	Stage  *stage.Pane
	Hex    *hexpane.Pane
	Text   *description.Pane // nil: the document has no description
	Sizes  *sizes.Pane
	Files  *named.Pane
	Damage *damage.Pane
	Side   *Side
	Time   *timebar.Pane
	Frame  *Frame
	Notice *fyne.Container
	alarm  alarm

	coming  *Position // the position that is being restored, or nil
	current *model.Place
	own     own               // bytes of current
	finer   *model.Place      // a layout node with fewer bytes than current at the byte by which current was found, or nil
	others  references.Owners // of the byte by which current was found
	summary *summary          // of current, or nil while it is gathered
	about   context.Context   // ends with the selection
	present task.Latest       // makes about
	over    task.Latest       // traces the bytes of the row under the pointer
}

// New makes the panes of a document below bar, which may be nil. refused is a page on a file of unknown format, or nil.
func New(opened shell.Opened, host Host, editor *trying.Editor, before *Trail, bar, refused fyne.CanvasObject) *Pane {
	s := &Pane{Opened: opened, host: host, editor: editor, Trail: before}
	s.about = s.present.Next(s.Ctx)
	s.makeTrees()
	s.Nav = &Navigation{Opened: opened, pane: s}
	s.Origin = &Origin{Opened: opened, pane: s}
	s.Actions = &Actions{Opened: opened, pane: s}
	s.Lists = newLists(s, s.Trees.Filters.Object)
	s.Hex = hexpane.New(s.Opened, hexHost(s))
	s.Sizes = sizes.New(s.Opened, sizes.Host{GoToNode: s.Nav.GoToNode, View: s.Trees.View, Current: s.Current, Measured: s.measured,
		ShowTab: func() { s.Stage.Again() }, Asked: func() bool { return s.Stage.Chosen() == Sizes }})
	s.Stage = stage.New(s.Opened, stageHost(s), s.ownCards(refused))
	s.Time = timebar.New(s.Opened, timebar.Host{GoToNode: s.Nav.GoToNode, View: s.Trees.View, Current: s.Current, FocusTree: s.Trees.FocusTree, TimesShown: s.timesShown, Moved: s.followTime})
	s.Side = newSide(s)
	s.Frame = newFrame(s, kit.Under(s.Trees.head(s.Lists), s.Lists.Object), s.Side.Object)
	s.Notice = container.NewStack()
	if bar == nil {
		bar = container.NewStack()
	}
	s.Object = kit.Under(s.Notice, kit.Under(bar, s.Frame.Object))
	return s
}

// followTime follows that another moment is selected.
func (s *Pane) followTime() {
	s.Stage.FollowTime()
	s.Side.Card.FollowTime()
}

// measured follows the measuring of a view.
func (s *Pane) measured(all bool) {
	s.Trees.Measured(all)
	s.Side.Card.Again()
}

// ownCards returns the cards of the document itself: its description, why no format fits, its damage, its sizes, and what it names.
func (s *Pane) ownCards(refused fyne.CanvasObject) (list []stage.Fixed) {
	if s.Doc.Description != nil {
		s.Text = description.New(s.Opened, description.Host{Current: s.Current, GoToNode: s.Nav.GoToNode})
		list = append(list, stage.Fixed{Title: Description, Before: true, Object: func() fyne.CanvasObject { return s.Text.Object }})
	}
	if refused != nil {
		list = append(list, stage.Fixed{Title: WhatIsIt, Before: true, Object: func() fyne.CanvasObject { return refused }})
	}
	s.Damage = damage.New(s.Opened, damageHost(s))
	list = append(list, stage.Fixed{Title: Damage, Before: true, Object: s.Damage.Object, Keys: s.Damage.Keys,
		Wanted: func() bool { return s.Lists != nil && s.Lists.Problems.Errors > 0 }})
	s.Files = named.New(s.Opened, namedHost(s))
	return append(list, stage.Fixed{Title: Sizes, Object: s.Sizes.Object, Keys: s.Sizes.TakeKeys},
		stage.Fixed{Title: Files, Object: s.Files.Object, Keys: s.Files.TakeKeys, Wanted: s.Files.Has, Opens: s.Files.NamesSome})
}

// The cards of a document itself.
const (
	Damage      = "Damage"
	Sizes       = "Sizes"
	Files       = "Files"
	Description = "Description"
	WhatIsIt    = "What is it?"
)

// Cards are the cards of a document itself, with other words that people search for.
var Cards = []struct{ Title, Words string }{{Sizes, "treemap largest space storage where bytes went"}, {Files, "names needs dependencies closure references textures missing"},
	{Description, "kaitai ksy struct text source"}, {WhatIsIt, "unknown format why not recognised"}, {Damage, "damaged broken corrupt repair recover what is left"}}

// Start shows the first tree and looks for problems.
func (s *Pane) Start() {
	s.Hex.AtFirst = true
	s.ShowView(s.Doc.Views[0], true)
	s.Trees.FocusTree()
	s.Lists.Problems.Look()
}

// ShowView switches the tree pane. With choose, the tree's selection becomes the window's.
func (s *Pane) ShowView(v *model.View, choose bool) {
	if choose && s.Trees.view != nil {
		s.Nav.leave()
	}
	s.Trees.switchTo(v)
	s.Sizes.ViewShown()
	s.Time.ViewShown()
	s.Trees.measure()
	s.Log.Write("view", v.Name)
	s.host.Moved()
	if choose {
		if it := s.Trees.Front(v).Selection.Item(); it != nil {
			s.SelectItem(filter.PlaceOf(it))
		}
	}
}

// SelectItem follows the tree's selection. A source that is not derived yet is derived first.
func (s *Pane) SelectItem(p *nodes.Item) {
	if !p.IsStub() {
		s.Show(p.Place.Fresh(s.Ctx), Showing{hex: true, history: true})
		return
	}
	s.wait(p.Place, "opening "+p.Path()+"…")
	s.host.ShowPlace("opening…", p.Path())
	s.Tasks.Go(s.Nav.way.Next(s.Ctx), "opening "+p.Path(), func(ctx context.Context, progress model.Progress) func() {
		at, err := p.Decode(ctx, progress)
		if err != nil { // ctx has ended
			return func() { s.wait(p.Place, "The opening of "+p.Path()+" was cancelled.") }
		}
		return func() { s.Show(at, Showing{hex: true, history: true}) }
	})
}

// Showing says what follows a selection.
type Showing struct {
	tree    bool // the tree of its view selects the node
	focus   bool // the tree also gets the keyboard
	hex     bool // the hex pane scrolls to the node's bytes
	history bool
	others  references.Owners
	finer   *model.Place
	event   Event       // of the user
	card    cards.State // is restored, if the node has such a card
	marked  bool        // the selected bytes are not those of the card's row
}

// Show makes a node the selected one.
func (s *Pane) Show(p *model.Place, how Showing) {
	if how.history {
		s.coming = nil
		s.Nav.leave()
	}
	s.Nav.way.Stop()
	again := s.current != nil && s.current.Path() == p.Path() && s.summary != nil
	if !again {
		s.about = s.present.Next(s.Ctx)
	}
	s.Hex.AtFirst = s.Hex.AtFirst && s.current == nil
	s.current, s.finer = p, how.finer
	if how.tree {
		s.showInTree(p, how.focus)
	}
	span := p.Node.Span()
	s.showOwn(how.hex)
	if again {
		s.stay(p, how)
	} else {
		s.describe(p, how)
	}
	if s.Text != nil {
		s.Text.Follow(p.Path())
	}
	src := "-"
	if span.Source != nil {
		src = span.Source.Name()
	}
	if how.history {
		s.Trail.History.add(p.Path())
	}
	s.Origin.findMapped(s.own.first())
	s.Time.Follow(p)
	s.CursorMoved()
	s.host.Moved()
	if how.history {
		s.host.Did(how.event, p)
	}
	s.Log.Write("selected", p.Path(), src, span.Off, span.Len)
	s.logPlaces(span)
}

// showInTree selects a node in the tree of its view.
func (s *Pane) showInTree(p *model.Place, focus bool) {
	v := s.Doc.View(nodes.ViewOf(p))
	if v == nil {
		return
	}
	if v != s.Trees.view {
		s.ShowView(v, false)
	}
	s.Trees.selectIn(v, p)
	if focus {
		s.Focus(s.Trees.Front(v))
	}
}

// ShowSpan shows bytes in the hex pane; the selected node stays.
func (s *Pane) ShowSpan(span model.Span) {
	t := s.Hex.TabFor(span.Source)
	s.Hex.Choose(t)
	t.View.Select(span.Off, span.Len)
	t.View.Reveal(span.Off, max(span.Len, 1))
	s.CursorMoved()
	s.logPlaces(span)
}

// Current returns the selected node, or nil before there is one.
func (s *Pane) Current() *model.Place { return s.current }

// Marks returns the marks of nodes with problems.
func (s *Pane) Marks() *nodes.Marks { return s.Lists.Problems.Marks }

// Selection returns a context that ends when another node is selected.
func (s *Pane) Selection() context.Context { return s.about }

// SetNotice shows a line above the panes until the user closes it or another line replaces it.
func (s *Pane) SetNotice(icon fyne.Resource, label *widget.Label, buttons ...fyne.CanvasObject) {
	if label.Wrapping == fyne.TextWrapOff {
		label.Truncation = fyne.TextTruncateEllipsis
	}
	s.setNotice(theme.ColorNameHeaderBackground, icon, label, buttons...)
}

func (s *Pane) setNotice(ground fyne.ThemeColorName, icon fyne.Resource, text fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	hide := kit.IconButton(theme.CancelIcon(), "Hide this line", func() {
		s.Notice.Objects = nil
		s.Object.Refresh()
	})
	sign := container.NewCenter(widget.NewIcon(icon))
	row := kit.Border(nil, nil, sign, container.NewCenter(container.NewHBox(append(buttons, hide)...)), text)
	s.Notice.Objects = []fyne.CanvasObject{kit.NewBacked(ground, kit.Padded(2, 2, 8, 4, row))}
	s.Object.Refresh()
}

// An Event is a deed of the user that the first steps on the sample ask for.
type Event int

// The events. Selected is every selection that is none of the others.
const (
	Selected    Event = iota
	AskedByte         // asked what a byte is
	WentInto          // followed bytes into their decompressed form
	Followed          // followed a reference
	SawProblems       // opened the list of problems
)
