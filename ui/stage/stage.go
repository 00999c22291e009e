// Package stage shows one of the cards of a document, large, above its bytes.
//
// Its strip has the kinds of cards that the document's nodes have, each at its place whatever is selected. The card is of the kind that
// was chosen last: a node without one of that kind is shown in that of a node above it.
package stage

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/shell"
)

// A Fixed card is one of the document, not of a node.
type Fixed struct {
	Title  string
	Before bool // its place is before the cards of nodes
	Object func() fyne.CanvasObject
	Keys   func() // gives it the keyboard, or nil if the first thing that takes keys gets it.
	// Wanted reports whether the strip has the card, or is nil if it always has.
	Wanted func() bool
	// Opens reports whether a document without a shape opens with the card, or is nil if it does not. It runs in the background.
	Opens func(ctx context.Context) bool
}

// Host lists what the stage may ask of its document.
type Host struct {
	Cards     func(current func() *model.Place) cards.Host // what cards may ask; current is the node that they are of
	Arrange   func(a Arrangement)
	Arranged  func() Arrangement
	FullStage func(on bool)
	IsFull    func() bool
	FocusTree func()
	Changed   func() // another card is on the stage
}

// Pane is the stage: its strip, and below it a card.
type Pane struct {
	shell.Opened
	host   Host
	Strip  *kit.TabBar
	Head   *fyne.Container // the strip and its buttons
	Object *fyne.Container // the card
	Deck   *cards.Deck
	fixed  []Fixed
	names  map[string]string // the kinds of cards that nodes of the document have, and what the strip calls them

	way    []Level      // the selected node and those above it
	node   *model.Place // whose cards the deck has; nil before there is one
	kind   string       // of the card on the stage
	walked bool         // another node than the first was selected
	chosen string       // the kind that the user chose last, or ""
	byType map[string]string
	titles map[string]string // of several cards of a kind the one that was chosen last, by kind
	Pinned bool              // the card stays whatever is selected.
	from   string            // path of the node that was selected in the card, which stays until another is.

	offer   fyne.CanvasObject // to show the card of a file of a server
	pin     *kit.Button
	several *kit.Select // which of several cards of a kind
	words   *kit.TabBar // the arrangements
	full    *kit.Button
}

// A Level is a node with its cards.
type Level struct {
	At     *model.Place
	of     *model.Place // the node with the cards: At, or one that stands for At
	beside bool         // a picture is shown beside those of other tracks
	Cards  cards.Found
	kinds  map[string]string
	whole  bool   // its shape is more than the points of its array
	opens  string // the card of the document that comes first at its root, or ""
}

// New makes the stage of a document, without a card. fixed are the cards of the document itself.
func New(opened shell.Opened, host Host, fixed []Fixed) *Pane {
	p := &Pane{Opened: opened, host: host, fixed: fixed, names: make(map[string]string), byType: make(map[string]string), titles: make(map[string]string),
		Object: container.NewStack()}
	of := host.Cards(func() *model.Place { return p.node })
	goTo := of.GoToNode
	of.GoToNode = func(path string) {
		p.from = path
		goTo(path)
	}
	for _, v := range opened.Doc.Views {
		for _, name := range v.Cards {
			kind := name
			if !slices.ContainsFunc(cards.Kinds, func(k cards.Kind) bool { return k.Title == name }) {
				kind = "Text"
			}
			p.note(map[string]string{kind: name})
		}
	}
	p.Deck = cards.New(opened, of)
	p.Strip = kit.NewTabBar(func(i int) { p.Choose(p.Kinds()[i]) })
	p.Strip.OnClick = func(int) { p.TakeKeys() }
	p.Strip.OnDouble = func() { host.FullStage(!host.IsFull()) }
	p.offer = container.NewCenter(kit.NewTextButton("Read this card from the server", func() { p.Choose(p.kind) }))
	p.makeHead()
	p.showStrip()
	return p
}

// Kinds returns the kinds of cards in the order of the strip.
func (p *Pane) Kinds() (all []string) {
	for _, f := range p.fixed {
		if f.Before && f.isWanted() {
			all = append(all, f.Title)
		}
	}
	for _, k := range cards.Kinds {
		if p.names[k.Title] != "" {
			all = append(all, k.Title)
		}
	}
	for _, f := range p.fixed {
		if !f.Before && f.isWanted() {
			all = append(all, f.Title)
		}
	}
	return all
}

func (f *Fixed) isWanted() bool { return f.Wanted == nil || f.Wanted() }

// At most mostAbove nodes above the selected one are looked at for cards.
const mostAbove = 64

// Way finds the cards of a node and of those above it, in the background. Those that are known already are kept, unless with anew.
func (p *Pane) Way(ctx context.Context, at *model.Place, known []Level, anew bool) (way []Level) {
	for ; at != nil && len(way) < mostAbove; at = at.Parent {
		path := at.Path()
		i := slices.IndexFunc(known, func(l Level) bool { return l.At.Path() == path })
		switch {
		case i >= 0 && !anew:
			way = append(way, known[i])
		case len(way) > 0 && p.Doc.Far(): // of a file of a server nothing is read that is not shown
			return way
		default:
			way = append(way, p.level(ctx, at))
		}
	}
	return way
}

// level finds the cards of a node, or those of another node that stands for this one.
func (p *Pane) level(ctx context.Context, at *model.Place) Level {
	if v := p.Doc.View(nodes.ViewOf(at)); v != nil && v.Shows != nil && !p.Doc.Far() {
		path, beside := v.Shows(ctx, at)
		if of, err := p.Doc.Lookup(ctx, path); path != "" && err == nil {
			l := p.level(ctx, of)
			l.At, l.beside = at, beside
			return l
		}
	}
	found := cards.Of(ctx, p.Doc, at)
	l := Level{At: at, of: at, Cards: found, kinds: found.Offered(), whole: !found.OnlyPoints()}
	if n, exact := at.Len(ctx); at.Parent != nil && at.Parent.Node.Elements && exact && n <= components { // a vector is a row of its array
		delete(l.kinds, "Table")
		delete(l.kinds, "Plot")
	}
	if at.Parent == nil && l.kinds["Shape"] == "" {
		l.opens = p.opening(ctx)
	}
	return l
}

// opening returns the first card of the document that begins a document without a shape, or "".
func (p *Pane) opening(ctx context.Context) string {
	i := slices.IndexFunc(p.fixed, func(f Fixed) bool { return f.Opens != nil && !p.Doc.Far() && f.isWanted() && f.Opens(ctx) })
	if i < 0 {
		return ""
	}
	return p.fixed[i].Title
}

// components is the most numbers of an element that is a vector or matrix.
const components = 16

// Known returns the levels that Way may keep.
func (p *Pane) Known() []Level { return p.way }

// Set follows the selection of a node with the cards that Way found.
func (p *Pane) Set(way []Level) {
	if len(p.way) == 0 || p.way[0].At.Path() != way[0].At.Path() {
		p.Deck.Unpick()
		p.walked = len(p.way) > 0
		if len(p.way) > 0 && p.way[0].At.Path() == p.from { // the selection leaves it; on the way there other nodes may be set
			p.from = ""
		}
	}
	p.way = way
	for _, l := range way {
		p.note(l.kinds)
	}
	p.arrange()
}

// note takes the kinds of cards of a node among those of the document.
func (p *Pane) note(kinds map[string]string) {
	for kind, name := range kinds {
		if was, known := p.names[kind]; known && was != name {
			name = kind // they are not all in one language
		}
		p.names[kind] = name
	}
}

// fixedOf returns the card of the document that has a title, or nil.
func (p *Pane) fixedOf(title string) *Fixed {
	if i := slices.IndexFunc(p.fixed, func(f Fixed) bool { return f.Title == title && f.isWanted() }); i >= 0 {
		return &p.fixed[i]
	}
	return nil
}

// reach returns which level has a card of a kind: the selected node or the nearest above it, or -1. The points of an array alone give way
// to a shape that they are a part of.
func (p *Pane) reach(kind string) int {
	first := -1
	for i, l := range p.way {
		switch {
		case l.kinds[kind] == "":
		case kind != "Shape" || l.whole:
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

// can reports whether the selection has a kind of card.
func (p *Pane) can(kind string) bool { return p.fixedOf(kind) != nil || p.reach(kind) >= 0 }

// wanted returns the kind of card that is to be on the stage: the one that was chosen last, else the one that was chosen last for nodes
// of the type, else the first of the strip that there is.
func (p *Pane) wanted() string {
	typ := ""
	if len(p.way) > 0 {
		typ = p.way[0].At.Node.Type
	}
	for _, kind := range []string{p.chosen, p.byType[typ]} {
		if kind != "" && p.can(kind) {
			return kind
		}
	}
	for _, kind := range p.Kinds() {
		f := p.fixedOf(kind)
		before := f != nil && f.Before
		switch i := p.reach(kind); {
		case before && p.hasOwn(): // it is of the whole document
		case !before && len(p.way) == 1 && p.way[0].opens != "":
			return p.way[0].opens
		case f != nil, i == 0, i > 0 && p.way[i].of == p.way[i].At:
			return kind
		}
	}
	return ""
}

// hasOwn reports whether the selected node is not the root and has a card of its own.
func (p *Pane) hasOwn() bool {
	return len(p.way) > 0 && p.way[0].At.Parent != nil && slices.ContainsFunc(p.Kinds(), func(kind string) bool { return p.reach(kind) == 0 })
}

// arrange puts the wanted card on the stage and marks the selection there.
func (p *Pane) arrange() {
	stays := p.from != "" && len(p.way) > 0 && p.way[0].At.Path() == p.from && p.fixedOf(p.kind) == nil && p.node != nil &&
		slices.ContainsFunc(p.way, func(l Level) bool { return l.of.Path() == p.node.Path() })
	if !p.Pinned && !stays {
		p.exchange(p.wanted())
	}
	p.showStrip()
	p.mark()
}

// exchange puts a card of a kind on the stage.
func (p *Pane) exchange(kind string) {
	was := p.kind
	if f := p.fixedOf(kind); f != nil {
		p.kind = kind
		p.swap(f.Object(), was == kind)
	} else if i := p.reach(kind); i >= 0 {
		p.kind = kind
		l := &p.way[i]
		if p.node != l.of {
			p.node = l.of
			p.Deck.Set(l.Cards.Cards, l.beside)
		}
		if p.Doc.Far() && p.chosen != kind { // nothing is read of a server that nobody has asked for
			p.swap(p.offer, was == kind)
		} else {
			p.swap(p.Deck.Card(p.card()), was == kind)
		}
	}
	if was != p.kind {
		p.Log.Write("stage", p.kind)
		p.host.Changed()
	}
}

// card returns the number of the card of the deck that is on the stage, or -1. Of several of its kind it is the one chosen last.
func (p *Pane) card() int {
	list := p.Deck.OfKind(p.kind)
	titles := p.Deck.Titles()
	for _, k := range list {
		if titles[k] == p.titles[p.kind] {
			return k
		}
	}
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

// swap shows an object. It takes the keyboard from an object of the same kind; otherwise the tree gets it.
func (p *Pane) swap(o fyne.CanvasObject, same bool) {
	if len(p.Object.Objects) == 1 && p.Object.Objects[0] == o {
		return
	}
	had := shell.Holds(p.Object, p.Win.Canvas().Focused())
	p.Object.Objects = []fyne.CanvasObject{o}
	p.Object.Refresh()
	switch {
	case had && same:
		p.TakeKeys()
	case had:
		p.host.FocusTree()
	}
}

// Unpick forgets the element that was clicked in a card.
func (p *Pane) Unpick() {
	p.Deck.Unpick()
	p.mark()
}

// FollowTime follows that another moment is selected.
func (p *Pane) FollowTime() { p.mark() }

// mark marks the selection in the card.
func (p *Pane) mark() {
	k := p.card()
	if p.fixedOf(p.kind) != nil || k < 0 || len(p.Object.Objects) == 0 || p.Object.Objects[0] == p.offer {
		return
	}
	i := slices.IndexFunc(p.way, func(l Level) bool { return l.of.Path() == p.node.Path() })
	if i < 0 {
		return
	}
	var below []*model.Place
	for _, l := range p.way[:i] {
		below = append([]*model.Place{l.At}, below...)
	}
	p.Deck.Mark(k, below)
}

// Choose puts a kind of card on the stage, which stays until another one is chosen.
func (p *Pane) Choose(kind string) {
	if kind == "" {
		return
	}
	if p.chosen = kind; len(p.way) > 0 {
		p.byType[p.way[0].At.Node.Type] = kind
	}
	p.Pinned, p.from = false, ""
	p.arrange()
}

// ChooseCard puts a card of the selected node on the stage by its title, and reports whether there is one.
func (p *Pane) ChooseCard(title string) bool {
	if len(p.way) == 0 {
		return false
	}
	kind := p.way[0].Cards.KindOf(title)
	if kind != "" {
		p.titles[kind] = title
		p.Choose(kind)
	}
	return kind != ""
}

// ChooseForKeys is Choose; the card gets the keyboard.
func (p *Pane) ChooseForKeys(kind string) {
	if p.host.Arranged() == Bytes {
		p.host.Arrange(Both)
	}
	p.Choose(kind)
	p.TakeKeys()
}

// ChoosePlace is ChooseForKeys of place i of the strip, if there is one.
func (p *Pane) ChoosePlace(i int) {
	if all := p.Kinds(); i < len(all) {
		p.ChooseForKeys(all[i])
	}
}

// Chosen returns the kind of card that was chosen last, or "".
func (p *Pane) Chosen() string { return p.chosen }

// Kind returns the kind of the card that is on the stage.
func (p *Pane) Kind() string { return p.kind }

// Has reports whether the strip has a kind of card and the selection too.
func (p *Pane) Has(kind string) bool { return slices.Contains(p.Kinds(), kind) && p.can(kind) }

// TakeKeys gives the keyboard to the card, or where it takes none to the strip.
func (p *Pane) TakeKeys() {
	if f := p.fixedOf(p.kind); f != nil && f.Keys != nil {
		f.Keys()
	} else if to := shell.KeyboardOf(p.Object); to != nil {
		p.Focus(to)
	} else {
		p.Focus(p.Strip)
	}
}

// HasKeys reports whether the card or the strip has the keyboard.
func (p *Pane) HasKeys() bool {
	f := p.Win.Canvas().Focused()
	return f == fyne.Focusable(p.Strip) || shell.Holds(p.Object, f)
}

// Code returns the listing on the stage if it has the keyboard, or nil.
func (p *Pane) Code() *cards.Code {
	if p.fixedOf(p.kind) != nil || !p.HasKeys() {
		return nil
	}
	return p.Deck.Code(p.card())
}

// Offer follows that a card of the document comes first in the strip now. It is put on the stage, unless the user has
// chosen a card or selected another node than the first: then the card on the stage counts as chosen.
func (p *Pane) Offer() {
	if first := p.Kinds()[0]; p.fixedOf(first) == nil || p.Strip.Tabs[0].Title == first {
		return
	}
	if p.chosen == "" && p.walked {
		p.chosen = p.kind
	}
	p.arrange()
}

// Again shows the card anew, where it is one of the document's that may be another object now.
func (p *Pane) Again() {
	if f := p.fixedOf(p.kind); f != nil {
		p.swap(f.Object(), true)
	}
}

// Stand returns the shown card with the user's place.
func (p *Pane) Stand() cards.State {
	if p.fixedOf(p.kind) != nil {
		return cards.State{}
	}
	return p.Deck.State(p.card())
}

// Resume shows the card again that was on the stage when its node was left, if the node has it.
func (p *Pane) Resume(at cards.State, quiet bool) {
	if p.Pinned || len(p.way) == 0 || at.Title == "" || p.node == nil || p.node.Path() != p.way[0].of.Path() {
		return // where it is of a node above, what is selected says the row
	}
	for i, title := range p.Deck.Titles() {
		if title == at.Title && i == p.card() {
			p.Deck.Resume(i, at, quiet)
		}
	}
}

// RowOf returns the row of a byte in the card that is shown, as cards.Deck.RowOf.
func (p *Pane) RowOf(src *model.Source, off int64) (row int64, has, moved bool) {
	if p.fixedOf(p.kind) != nil {
		return 0, false, false
	}
	return p.Deck.RowOf(p.card(), src, off)
}

// SelectRow selects a row of the card that is shown.
func (p *Pane) SelectRow(row int64) { p.Deck.SelectRow(p.card(), row) }

// Pin keeps the card whatever is selected, or no longer.
func (p *Pane) Pin(on bool) {
	p.Pinned = on
	p.arrange()
	p.Log.Write("pinned", on)
	p.host.Changed()
}

// pinIcon is a drawing pin.
var pinIcon = theme.NewThemedResource(fyne.NewStaticResource("pin.svg", []byte(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M8 3h8v2l-1 1v5l3 3v2h-5v5l-1 1-1-1v-5H6v-2l3-3V6L8 5z"/></svg>`)))
