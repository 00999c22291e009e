// Package cards shows the cards of a node: tables, listings, words, pictures, curves over time, sound.
package cards

import (
	"context"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/phrase"
	"cutaway/ui/picture"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists what cards may ask of their document.
type Host struct {
	Follow    func(r model.Ref)      // goes where a row or a point leads
	ShowSpan  func(span model.Span)  // marks bytes; the selected node stays
	Selection func() context.Context // ends when another node is selected
	GoToNode  func(path string)      // selects a node; the keyboard stays where it is
	Current   func() *model.Place    // the selected node, or nil
	// Times returns the tracks of the tree that is shown, and the selected moment or nil.
	Times          func() ([]*timeline.Index, *timeline.Stop)
	Pass           func(s *timeline.Stop) // a moment is played; the selected node stays
	ExportSelected func()                 // asks how the selected nodes are to be exported
	ExportRows     func(rows [][2]int64)  // asks how some rows of the selected node are to be exported
	Enlarge        func()                 // gives the card the whole window, or takes it back
}

// Deck is the cards of a node.
type Deck struct {
	shell.Opened
	host  Host
	cards []model.Card
	views map[int]cardView

	pointed task.Latest // reads what is under the pointer
	painted task.Latest // reads what a shape is coloured by
	scenes  task.Latest // reads a scene
	marked  task.Latest // looks for the element that is selected
	picked  pick
	looks   map[string]*picture.Look // by stream
	curve   *timed                   // the plot over time that was made last, or nil
	series  *overTime                // the last view of a series, or nil
	field   string                   // the series that was chosen last of several
	zUp     bool                     // the third axis of shapes is up, as the last one that says so or the user has it
	beside  bool                     // the user wants pictures with those of other streams
	several bool                     // the picture stands for those of several streams
}

// New makes the deck of a document, without cards.
func New(opened shell.Opened, host Host) *Deck {
	return &Deck{Opened: opened, host: host, views: make(map[int]cardView), looks: make(map[string]*picture.Look)}
}

// A pick is an element that was clicked in a card while the selected node stays: its number and bytes, which other cards of the same array
// mark too.
type pick struct {
	i  int64
	at model.Span // without a source there is none
}

// pick marks the bytes of an element that was clicked, and remembers it.
func (d *Deck) pick(i int64, r model.Ref) {
	d.picked = pick{i, r.Span}
	d.showBytes(r)
}

// Unpick forgets the element that was clicked in a card.
func (d *Deck) Unpick() { d.picked = pick{} }

// cardView is a card on the screen.
type cardView struct {
	object  fyne.CanvasObject
	stop    context.CancelFunc
	list    *treeview.Tree // of a table's rows or a listing's lines, or nil
	shape   *turntable     // or nil
	scene   *sceneCard     // or nil
	picture *pictureCard   // or nil
	plot    *plotted       // of an array, or nil
	code    *Code          // or nil
}

// A State is the card in front and the place in its list.
type State struct {
	Title    string // of the card, or "" if none is in front
	Row, Top int64  // the row that is selected, negative where none is, and the first in sight
	Keys     bool   // the list has the keyboard
}

// State returns the state of card k, which is in front.
func (d *Deck) State(k int) State {
	titles := d.Titles()
	if k < 0 || k >= len(titles) {
		return State{}
	}
	at := State{Title: titles[k], Row: -1}
	if list := d.views[k].list; list != nil {
		if row, is := list.Selection.Item().(int64); is {
			at.Row = row
		}
		at.Top, at.Keys = list.Top(), d.Win.Canvas().Focused() == fyne.Focusable(list)
	}
	return at
}

// Resume restores the state of card k after it is shown. quiet leaves the bytes of the row alone.
func (d *Deck) Resume(k int, at State, quiet bool) {
	list := d.views[k].list
	if list == nil {
		return
	}
	list.SetTop(at.Top)
	list.SelectIndex(at.Row, quiet)
	if at.Keys {
		d.Focus(list)
	}
}

// RowOf returns the row of a byte if card k is the table of an array whose elements are stored in sequence. moved reports that another
// row is selected.
func (d *Deck) RowOf(k int, src *model.Source, off int64) (row int64, has, moved bool) {
	if k < 0 || k >= len(d.cards) || d.views[k].list == nil {
		return 0, false, false
	}
	table, is := d.cards[k].(*arrayTable)
	if !is {
		return 0, false, false
	}
	at, size := table.column.Packing.At, table.column.Packing.Size()
	if size <= 0 || !at.Covers(src, off) {
		return 0, false, false
	}
	row = (off - at.Off) / size
	return row, true, d.views[k].list.Selection.Item() != treeview.Item(row)
}

// Code returns card k if it is a listing that was shown, or nil.
func (d *Deck) Code(k int) *Code { return d.views[k].code }

// SelectRow selects a row of card k.
func (d *Deck) SelectRow(k int, row int64) { d.views[k].list.SelectIndex(row, false) }

// markRow makes a row the selected one and brings it into sight; the bytes of another one that are marked stay.
func markRow(list *treeview.Tree, row int64) {
	list.KeepIndex(row)
	list.Reveal(row)
}

// keepRow selects the row of a clicked point in the table of its array, for when that is shown. Marked bytes stay.
func (d *Deck) keepRow(row int64) {
	for k, card := range d.cards {
		if _, is := card.(*arrayTable); is {
			d.Card(k)
			markRow(d.views[k].list, row)
		}
	}
}

// drawable picks the cards that the window can draw; several series are one card.
func drawable(cards []model.Card) []model.Card {
	var can []model.Card
	var set *seriesSet
	for _, c := range cards {
		switch c := c.(type) {
		case model.Series:
			if set == nil {
				set = &seriesSet{CardBase: model.CardBase{Title: "Series"}}
				can = append(can, set)
			}
			set.list = append(set.list, c)
		case *arrayPlot, model.Table, model.Words, model.Picture, model.Listing, model.Shape, model.Scene, model.Sound:
			can = append(can, c)
		case model.Media:
			if isSound(c) {
				can = append(can, c)
			}
		}
	}
	if set != nil && len(set.list) == 1 {
		can[slices.Index(can, model.Card(set))] = set.list[0]
	}
	return can
}

// Set shows the cards of another node, as far as they can be drawn; with beside its picture together with those of other streams.
func (d *Deck) Set(cards []model.Card, beside bool) {
	for _, v := range d.views {
		v.stop()
	}
	clear(d.views)
	d.curve = nil
	d.cards, d.several = drawable(cards), beside
}

// Titles returns the titles of the cards.
func (d *Deck) Titles() []string {
	var titles []string
	for _, c := range d.cards {
		titles = append(titles, c.CardTitle())
	}
	return titles
}

// OfKind returns the numbers of the cards of a kind.
func (d *Deck) OfKind(kind string) (list []int) {
	for k, c := range d.cards {
		if kindOf(c) == kind {
			list = append(list, k)
		}
	}
	return list
}

// A Kind is a kind of card, with other words that people search for.
type Kind = struct{ Title, Words string }

// Kinds are the kinds of cards in the order of a stage.
var Kinds = []Kind{
	{"Shape", "3d mesh geometry model points triangles"},
	{"Image", "picture photo texture frame video pixels"},
	{"Plot", "chart graph curve line series histogram"},
	{"Table", "rows columns values array grid spreadsheet"},
	{"Text", "listing disassembly code instructions program usda words"},
	{"Sound", "audio wave play listen"},
}

// kindOf returns the kind of a card.
func kindOf(c model.Card) string {
	switch c.(type) {
	case *arrayPlot, *seriesSet, model.Series:
		return "Plot"
	case model.Table:
		return "Table"
	case model.Picture:
		return "Image"
	case model.Shape, model.Scene:
		return "Shape"
	case model.Sound, model.Media: // of media only sound is drawn
		return "Sound"
	}
	return "Text"
}

// Offered returns the kinds of those cards that can be drawn, each with the name that it has for such a card.
func (f *Found) Offered() map[string]string {
	names := make(map[string]string)
	for _, c := range drawable(f.Cards) {
		kind := kindOf(c)
		names[kind] = kind
		if _, is := c.(model.Listing); is {
			names[kind] = "Listing"
		} else if title := c.CardTitle(); kind == "Text" && strings.ToUpper(title) == title { // the name of a language, such as USDA
			names[kind] = title
		}
	}
	return names
}

// KindOf returns the kind of the card that has a title, or "".
func (f *Found) KindOf(title string) string {
	for _, c := range drawable(f.Cards) {
		if c.CardTitle() == title {
			return kindOf(c)
		}
	}
	return ""
}

// OnlyPoints reports whether the shape of a node is nothing but the points of its array: a shape that it is a part of shows more.
func (f *Found) OnlyPoints() bool {
	for _, c := range f.Cards {
		if _, bare := c.(*pointsOf); kindOf(c) == "Shape" && !bare {
			return false
		}
	}
	return true
}

// Card is card k on the screen, made when it is looked at first.
func (d *Deck) Card(k int) fyne.CanvasObject {
	if v, ok := d.views[k]; ok {
		return v.object
	}
	ctx, cancel := context.WithCancel(d.Ctx)
	v := cardView{stop: cancel}
	switch c := d.cards[k].(type) {
	case *arrayPlot:
		v.object, v.plot = d.plotCard(ctx, c, d.keepRow)
	case *arrayTable:
		v.object, v.list = d.arrayCard(ctx, c)
	case model.Table:
		v.object, v.list = d.columnsCard(ctx, c)
	case model.Listing:
		v.code = d.codeCard(ctx, c)
		v.object, v.list = v.code.object, v.code.list
	case model.Words:
		v.object, v.list = d.wordsCard(ctx, c)
	case model.Picture:
		v.picture = d.pictureCard(ctx, c)
		v.object = v.picture.object
	case *seriesSet:
		v.object = d.setCard(ctx, c)
	case model.Series:
		v.object = d.seriesCard(ctx, c)
	case model.Shape:
		v.object, v.shape = d.shapeCard(ctx, c)
	case model.Scene:
		v.object, v.scene = d.sceneCard(ctx, c)
	case model.Sound:
		v.object = d.soundCard(ctx, c, func(context.Context, model.Progress) (model.Sound, error) { return c, nil })
	case model.Media:
		v.object = d.soundCard(ctx, c, joined(c))
	}
	d.views[k] = v
	return v.object
}

// stretchedColumns is the most columns of a table that are stretched to fill the pane; wider tables scroll.
const stretchedColumns = 8

// windowRows is the number of rows of a table that are read at once.
const windowRows = 64

// windowed reads rows in windows and caches the last few windows. It is safe for concurrent use.
type windowed[T any] struct {
	read func(first int64, dst []T) (int, error)

	mu   sync.Mutex
	kept map[int64]window[T]
	old  []int64
}

type window[T any] struct {
	rows []T
	err  error
}

// get returns row i, or the reason why it cannot be read.
func (w *windowed[T]) get(i int64) (row T, err error) {
	k := i / windowRows
	w.mu.Lock()
	defer w.mu.Unlock()
	win, ok := w.kept[k]
	if !ok {
		win.rows = make([]T, windowRows)
		n, err := w.read(k*windowRows, win.rows)
		win.rows, win.err = win.rows[:n], err
		if w.kept == nil {
			w.kept = make(map[int64]window[T])
		}
		w.kept[k] = win
		w.old = append(w.old, k)
		if len(w.old) > 8 {
			delete(w.kept, w.old[0])
			w.old = w.old[1:]
		}
	}
	if at := int(i - k*windowRows); at < len(win.rows) {
		return win.rows[at], nil
	}
	return row, win.err
}

// readTable reads the rows of a table in windows.
func readTable(ctx context.Context, table model.Table) *windowed[[]model.Cell] {
	return &windowed[[]model.Cell]{read: func(first int64, dst [][]model.Cell) (int, error) {
		for i := range dst {
			dst[i] = make([]model.Cell, len(table.Columns()))
		}
		return table.Read(ctx, first, dst)
	}}
}

// tableRow is row i of a table in a list that ends with ctx.
func tableRow(ctx context.Context, rows *windowed[[]model.Cell], i int64) treeview.Row {
	r := treeview.Row{Cells: []string{model.Grouped(i)}}
	cells, err := rows.get(i)
	if cells == nil && err != nil {
		r.Cells = append(r.Cells, err.Error())
		r.Mark = treeview.Error
	}
	for _, c := range cells {
		r.Cells = append(r.Cells, model.Show(ctx, c.Value, phrase.ShownValue))
	}
	return r
}

// numberColumn has room for the numbers of n rows.
func numberColumn(title string, n int64) treeview.Column {
	width := max(76, 16+9*float32(len(model.Grouped(n))))
	return treeview.Column{Title: title, Width: width, Mono: true, Right: true, Quiet: true}
}

func (d *Deck) tableCard(ctx context.Context, table model.Table) *treeview.Tree {
	rows := readTable(ctx, table)
	n, _ := table.Rows()
	columns := []treeview.Column{numberColumn("Row", n)}
	for _, c := range table.Columns() {
		title := c.Name
		if c.Type != "" {
			title += "  " + c.Type
		}
		columns = append(columns, treeview.Column{Title: title, Width: max(numberWide(c.Type), titleWide(title)), Mono: true, Right: isNumeric(c.Type)})
	}
	if len(columns) <= stretchedColumns {
		for i := range columns {
			if !columns[i].Right {
				columns[i].Stretch = 1
			}
		}
	}
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	list := d.NewList(ctx, "", treeview.ListOf(table.Rows, func(i int64) treeview.Row { return tableRow(ctx, rows, i) }), columns)
	d.copyable(ctx, list, table, rows, titles)
	list.OnSelected = func(it treeview.Item) {
		then := d.showBytes
		if _, is := table.(*arrayTable); is {
			then = func(r model.Ref) { d.pick(it.(int64), r) }
		}
		d.row(ctx, then, func() (model.Ref, error) {
			cells, err := rows.get(it.(int64))
			return model.Ref{Span: spanOf(cells)}, err
		})
	}
	list.OnChosen = func(it treeview.Item) {
		d.row(ctx, d.host.Follow, func() (model.Ref, error) {
			cells, err := rows.get(it.(int64))
			for _, c := range cells {
				if c.Path != "" {
					return model.Ref{Path: c.Path}, err
				}
			}
			return model.Ref{Span: spanOf(cells)}, err
		})
	}
	return list
}

// row reads the reference of a row in the background and passes it on. Errors are shown in the row itself.
func (d *Deck) row(ctx context.Context, then func(model.Ref), read func() (model.Ref, error)) {
	d.Tasks.Go(ctx, "", func(context.Context, model.Progress) func() {
		r, err := read()
		if err != nil {
			return nil
		}
		return func() { then(r) }
	})
}

// spanOf returns the bytes of a row, from those of the first cell to those of the last. Cells in other sources or far away are left out.
func spanOf(cells []model.Cell) model.Span {
	var all model.Span
	for _, c := range cells {
		for _, s := range c.Spans {
			switch {
			case all.Source == nil:
				all = model.Span{Source: s.Source, Off: s.Off, Len: s.Len}
			case s.Source.Same(all.Source) && s.Off >= all.Off && s.Off <= all.End()+all.Len:
				all.Len = max(all.Len, s.End()-all.Off)
			}
		}
	}
	return all
}

// isNumeric reports whether a column's type, in some format's words, is a number's.
func isNumeric(typ string) bool {
	for _, word := range []string{"int", "float", "double", "half", "long", "short", "byte", "real", "u8", "u16", "u32", "u64"} {
		if strings.Contains(strings.ToLower(typ), word) && !strings.ContainsAny(typ, "[(") {
			return true
		}
	}
	return false
}

// titleWide is the width of a column for its title, as far as that is not long.
func titleWide(title string) float32 {
	const most, pads = 260, 14
	return min(fyne.MeasureText(title, theme.TextSize(), fyne.TextStyle{}).Width+pads, most)
}

// numberWide is the width of a column: numbers of 64 bits have up to 24 characters, and say something else when they are cut.
func numberWide(typ string) float32 {
	for _, word := range []string{"double", "64"} {
		if strings.Contains(strings.ToLower(typ), word) && isNumeric(typ) {
			return 190
		}
	}
	return 130
}

func firstSpan(spans []model.Span) model.Span {
	if len(spans) == 0 {
		return model.Span{}
	}
	return spans[0]
}

// showBytes marks the bytes of a row without leaving the card.
func (d *Deck) showBytes(r model.Ref) {
	if r.Span.Source != nil {
		d.host.ShowSpan(r.Span)
	}
}

// load makes a card's content in the background. The label says an error, also that the user stopped the work, but nothing once within
// has ended: other content or another card has taken the place.
func (d *Deck) load(within context.Context, card model.Card, work func(context.Context, model.Progress) (func(), error), tell interface{ SetText(text string) }) {
	failed := func(err error) {
		if within.Err() == nil {
			tell.SetText("This cannot be shown: " + err.Error())
		}
	}
	d.Tasks.Always(within, "making "+card.CardTitle(), func(ctx context.Context, progress model.Progress) func() {
		show, err := work(ctx, progress)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return func() { failed(err) }
		}
		return func() {
			if within.Err() == nil {
				show()
			}
		}
	}, failed)
}
