package compare

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/model/values"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// sides show a change: its shapes or curves above the bytes, before and after side by side, and its card.
type sides struct {
	pane     *Pane
	middle   fyne.CanvasObject
	body     *fyne.Container // the split, or the bytes alone if nothing is drawn
	split    *container.Split
	hexes    fyne.CanvasObject
	strip    *kit.TabBar
	stage    *fyne.Container // the drawing that is chosen
	drawings [2]drawing
	asked    int // the drawing that the user has chosen

	card     fyne.CanvasObject
	name     *widget.Label
	sentence *widget.Label
	table    *kit.Selectable // the numbers of the first element that differs
	tableOf  fyne.CanvasObject
	side     [2]side
	shown    task.Latest
	moving   bool // the bytes are scrolled by the program
	shapes   *cards.Twins
	plot     *cards.Pair
}

// A drawing is a way to draw both sides.
type drawing struct {
	title  string
	object fyne.CanvasObject
	has    bool // the shown change can be drawn in this way
}

// A side shows one of the documents.
type side struct {
	value *kit.Selectable
	place *widget.Label
	hex   *hexview.View
	at    model.Span // the bytes of the node, without a Source if it has none
	first int64      // the offset of the first byte that differs
	marks []hexview.Range
}

// sideTitles are the names of the sides.
var sideTitles = [2]string{"Before", "After"}

func newSides(p *Pane, a, b string) *sides {
	s := &sides{pane: p, shapes: cards.NewTwins(), plot: cards.NewPair(), stage: container.NewStack()}
	s.drawings = [2]drawing{{title: "Shape", object: s.shapes.Object}, {title: "Plot", object: s.plot.Object}}
	s.strip = kit.NewTabBar(func(i int) {
		s.asked = i
		s.draw()
	})
	parts := container.NewVBox()
	s.name = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	s.name.SizeName, s.name.Truncation = look.Title, fyne.TextTruncateEllipsis
	s.sentence = widget.NewLabel("")
	s.sentence.Wrapping = fyne.TextWrapWord
	s.table = selectable()
	s.tableOf = container.NewVBox(headed("Values"), padded(s.table))
	parts.Objects = []fyne.CanvasObject{padded(s.name), padded(s.sentence), s.tableOf}
	heads, hexes := [2]fyne.CanvasObject{}, [2]fyne.CanvasObject{}
	for i, title := range []string{a, b} {
		x := &s.side[i]
		heads[i] = sideHead(i, title)
		x.value, x.place = selectable(), widget.NewLabel("")
		x.place.Importance, x.place.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
		x.hex = hexview.New()
		x.hex.SetPost(p.Post)
		x.hex.ShowTip = kit.TipOver(x.hex)
		x.hex.SetMode(p.Store.Unfolded())
		x.hex.OnScroll = func(off, _ int64) { s.follow(i, off) }
		parts.Objects = append(parts.Objects, headed(sideTitles[i]), padded(x.place), padded(x.value))
		hexes[i] = x.hex
	}
	s.card = kit.NewScroller(parts, false)
	titles := container.NewGridWithColumns(2, heads[0], heads[1])
	s.hexes = container.NewHSplit(hexes[0], hexes[1])
	s.split = container.NewVSplit(kit.Under(s.strip, s.stage), s.hexes)
	s.split.Offset = 0.55
	s.body = container.NewStack(s.hexes)
	s.middle = kit.Under(titles, s.body)
	return s
}

// margin is the room beside the words of the card.
const margin = 16

// padded gives a text, which has room around it already, that of the card.
func padded(o fyne.CanvasObject) fyne.CanvasObject {
	return kit.Padded(0, 0, margin-theme.InnerPadding(), margin-theme.InnerPadding(), o)
}

// selectable makes a text in columns that can be copied.
func selectable() *kit.Selectable {
	text := kit.NewSelectable("")
	text.Wrapping, text.TextStyle.Monospace, text.SizeName = fyne.TextWrapWord, true, theme.SizeNameCaptionText
	return text
}

// headed makes the heading of a part of the card.
func headed(title string) fyne.CanvasObject {
	return container.NewVBox(widget.NewSeparator(), kit.Padded(6, 0, margin, margin, kit.NewLine(strings.ToUpper(title), fyne.TextStyle{Bold: true}, theme.ColorNamePlaceHolder, look.Heading)))
}

// sideHead makes the title over a side.
func sideHead(i int, title string) fyne.CanvasObject {
	ink := [2]fyne.ThemeColorName{theme.ColorNameError, theme.ColorNameSuccess}[i]
	name := widget.NewLabel(title)
	name.Truncation = fyne.TextTruncateEllipsis
	return kit.Border(nil, nil, kit.Padded(7, 5, 12, 0, kit.NewLine(sideTitles[i], fyne.TextStyle{Bold: true}, ink, theme.SizeNameText)), nil, name)
}

// draw shows the drawing that the user has chosen if the change has it, or else another one, or only the bytes.
func (s *sides) draw() {
	at := -1
	tabs := make([]kit.Tab, len(s.drawings))
	for i, d := range s.drawings {
		tabs[i].Title = d.title
		if !d.has {
			tabs[i].Why = "not both sides have it"
		} else if at < 0 || i == s.asked {
			at = i
		}
	}
	s.strip.Set(tabs, max(at, 0))
	s.body.Objects = []fyne.CanvasObject{s.hexes}
	if at >= 0 {
		s.stage.Objects = []fyne.CanvasObject{s.drawings[at].object}
		s.stage.Refresh()
		s.body.Objects[0] = s.split
	}
	s.body.Refresh()
	s.reveal() // there is another height now
}

// follow scrolls the other pane to the same place of its node.
func (s *sides) follow(from int, off int64) {
	one, other := &s.side[from], &s.side[1-from]
	if s.moving || one.at.Source == nil || other.at.Source == nil {
		return
	}
	s.moving = true
	other.hex.ScrollTo(max(off-one.at.Off+other.at.Off, 0))
	s.moving = false
}

// Limits of a change that is shown.
const (
	mostText     = 4000
	fewElements  = 200     // characters of an array, whose facts come first
	mostCompared = 1 << 20 // bytes of a node that are compared
)

// A shownSide holds the content of one side.
type shownSide struct {
	value, place string
	at           model.Span
	marks        []hexview.Range
}

// A shownChange holds the content of both sides.
type shownChange struct {
	name, sentence string
	table          string // or ""
	side           [2]shownSide
}

// show shows the change of a row, or nothing for a row without one.
func (s *sides) show(b *branch) {
	within := s.shown.Next(s.pane.Ctx)
	name := b.name
	if b.through {
		name = b.up.name
	}
	switch c, piece := b.change, b.piece; {
	case piece != nil:
		s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
			now := shownChange{name, phrase.Capital(b.kind().String()), "", readPiece(ctx, piece)}
			return func() {
				s.set(now)
				s.drawn(nil, nil)
			}
		})
	case c == nil:
		s.set(shownChange{name: name, sentence: counted(b.counts)})
		s.drawn(nil, nil)
	default:
		s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
			now := readChange(ctx, c)
			now.name = name
			return func() {
				s.set(now)
				s.facts(within, c)
			}
		})
	}
}

// same shows an unchanged node, or one inside of an added or removed node.
func (s *sides) same(w *whole, h *held) {
	within := s.shown.Next(s.pane.Ctx)
	s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
		now := shownChange{name: w.Row(h).Cells[0], sentence: "Not changed"}
		if h.branch != nil {
			now.sentence = counted(h.branch.counts) + " below"
		}
		if c := h.inside; c != nil {
			now.sentence = phrase.Capital(c.Kind.String()) + " with " + c.Place().Path()
		}
		for i, p := range w.both(ctx, h) {
			now.side[i] = sideOf(ctx, p)
		}
		switch {
		case h.shifted:
			now.side[1].value = "="
		case h.inside == nil && now.side[0].value != now.side[1].value:
			now.sentence += ", but for what is told elsewhere or does not count"
		}
		return func() {
			s.set(now)
			s.drawn(nil, nil)
		}
	})
}

// clear shows nothing.
func (s *sides) clear() {
	s.shown.Stop()
	s.set(shownChange{})
	s.drawn(nil, nil)
}

// drawn shows the shapes and curves of both sides, those that there are.
func (s *sides) drawn(shapes *cards.DrawnTwins, curves *cards.Drawn) {
	if s.drawings[0].has = shapes != nil; shapes != nil {
		s.shapes.Show(shapes)
	}
	if s.drawings[1].has = curves != nil; curves != nil {
		s.plot.Show(curves)
	}
	s.draw()
}

// facts adds statistics of arrays to the values, and draws shapes and arrays of numbers.
func (s *sides) facts(ctx context.Context, c *diff.Change) {
	var arrays [2]model.Array
	for i, p := range []*model.Place{c.A, c.B} {
		if p == nil {
			continue
		}
		a, is := p.Node.Value.(model.Array)
		if !is {
			continue
		}
		arrays[i] = a
		x := &s.side[i]
		before := model.GroupedCount(a.Len(), "element") + "\n"
		value := x.value.Text
		cards.Facts(ctx, s.pane.Tasks, cards.ValuesOf(a), func(t cards.Told) { x.value.SetText(before + t.Text + "\n\n" + value) })
	}
	s.pane.Tasks.Go(ctx, "drawing both", func(ctx context.Context, progress model.Progress) func() {
		var curves *cards.Drawn
		if arrays[0] != nil && arrays[1] != nil {
			curves = cards.ReadPair(ctx, [2]string{"before", "after"}, arrays)
		}
		element := int64(-1)
		if c.Elements != nil {
			element = c.Elements.First
		}
		shapes := cards.ReadTwins(ctx, [2]*model.Place{c.A, c.B}, element, progress)
		return func() { s.drawn(shapes, curves) }
	})
}

// readPiece reads the content of both sides for bytes that differ.
func readPiece(ctx context.Context, piece *[2]model.Span) (both [2]shownSide) {
	for i, at := range piece {
		both[i] = shownSide{at: at, place: phrase.Span(at), value: "–"}
		if at.Len > 0 {
			both[i].value = model.Show(ctx, model.Blob{Span: at}, mostText)
		}
	}
	// What could not be read has no marks.
	_ = markRange(ctx, &both, diff.Range{OffA: piece[0].Off, LenA: min(piece[0].Len, mostCompared), OffB: piece[1].Off, LenB: min(piece[1].Len, mostCompared)})
	return both
}

// readChange reads the content of both sides for a change.
func readChange(ctx context.Context, c *diff.Change) (now shownChange) {
	now.sentence = phrase.Capital(c.Kind.String())
	if c.Kind == diff.Moved {
		now.sentence += " from " + c.A.Path() + " to " + c.B.Path()
	}
	if c.Kind == diff.Changed {
		now.sentence += ": " + diff.Describe(ctx, c, 80)
		if types := typesOf(c); types[0] != "" {
			now.sentence += "; " + types[0] + " → " + types[1]
		}
		now.sentence = strings.ReplaceAll(now.sentence, " → ", " to ") // the font has no arrow, and Fyne misplaces what it takes from elsewhere
		now.table = tableOf(ctx, c)
	}
	both := [2]shownSide{sideOf(ctx, c.A), sideOf(ctx, c.B)}
	x, y := both[0].at, both[1].at
	switch {
	case c.Kind != diff.Changed:
		for i := range both {
			if at := both[i].at; at.Source != nil {
				both[i].marks = []hexview.Range{{Off: at.Off, Len: at.Len}}
			}
		}
	case x.Source != nil && y.Source != nil:
		x.Len, y.Len = min(x.Len, mostCompared), min(y.Len, mostCompared)
		// What could not be read has no marks; the value says why.
		_ = diff.Bytes(ctx, x, y, nil, func(r diff.Range) error {
			return markRange(ctx, &both, r)
		})
	}
	now.side = both
	return now
}

// tableOf returns the numbers of a value, or of the first element that differs: before, after, and by how much each has moved. It returns
// "" unless these are two to four numbers.
func tableOf(ctx context.Context, c *diff.Change) string {
	names := [...]string{"x", "y", "z", "w"}
	a, b := numbersOf(ctx, c, c.A), numbersOf(ctx, c, c.B)
	if len(a) < 2 || len(a) > len(names) || len(a) != len(b) {
		return ""
	}
	cells := [4][]string{{""}, {"before"}, {"after"}, {"moved"}}
	if c.Elements != nil {
		cells[0][0] = "[" + strconv.FormatInt(c.Elements.First, 10) + "]"
	}
	for k, before := range a {
		x, isX := model.FloatOf(before)
		y, isY := model.FloatOf(b[k])
		if !isX || !isY {
			return ""
		}
		for i, text := range []string{names[k], model.Show(ctx, before, 12), model.Show(ctx, b[k], 12), movedBy(y - x)} {
			cells[i] = append(cells[i], text)
		}
	}
	var text strings.Builder
	for _, row := range cells {
		for k, cell := range row {
			fmt.Fprintf(&text, [...]string{"%-6s", "%10s"}[min(k, 1)], cell)
		}
		text.WriteByte('\n')
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// numbersOf returns the components of a node's value, or of its first element that differs.
func numbersOf(ctx context.Context, c *diff.Change, p *model.Place) []model.Value {
	v := p.Node.Value
	if a, is := v.(model.Array); is && c.Elements != nil {
		var one [1]model.Value
		if n, err := a.Read(ctx, c.Elements.First, one[:]); n == 0 || err != nil {
			return nil
		}
		v = one[0]
	}
	return values.AppendComponents(nil, v)
}

// movedBy returns a difference with its sign.
func movedBy(d float64) string {
	if d == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.6g", d)
}

// sideOf returns the content for a node, or "–" if p is nil.
func sideOf(ctx context.Context, p *model.Place) shownSide {
	if p == nil {
		return shownSide{value: "–"}
	}
	most := mostText
	if _, isArray := p.Node.Value.(model.Array); isArray {
		most = fewElements
	}
	is := shownSide{value: valueText(ctx, p, most), at: p.Node.Span()}
	if is.at.Source != nil {
		is.place = phrase.Span(is.at)
	}
	return is
}

// markRange marks a difference, byte by byte if both sides have as many bytes.
func markRange(ctx context.Context, both *[2]shownSide, r diff.Range) error {
	mark := func(from, to int64) {
		both[0].marks = append(both[0].marks, hexview.Range{Off: r.OffA + from, Len: min(to, r.LenA) - from})
		both[1].marks = append(both[1].marks, hexview.Range{Off: r.OffB + from, Len: min(to, r.LenB) - from})
	}
	if r.LenA != r.LenB {
		mark(0, max(r.LenA, r.LenB))
		return nil
	}
	x, err := both[0].at.Source.Bytes(ctx, r.OffA, r.LenA)
	if err != nil {
		return err
	}
	y, err := both[1].at.Source.Bytes(ctx, r.OffB, r.LenB)
	if err != nil {
		return err
	}
	for i := 0; i < len(x); i++ {
		from := i
		for i < len(x) && x[i] != y[i] {
			i++
		}
		if i > from {
			mark(int64(from), int64(i))
		}
	}
	return nil
}

// set shows the content of both sides.
func (s *sides) set(now shownChange) {
	s.name.SetText(now.name)
	s.sentence.SetText(now.sentence)
	s.table.SetText(now.table)
	kit.SetVisible(s.tableOf, now.table != "")
	s.moving = true
	defer func() { s.moving = false }()
	for i := range now.side {
		x, now := &s.side[i], &now.side[i]
		x.value.SetText(now.value)
		x.place.SetText(now.place)
		x.at, x.marks = now.at, now.marks
		if x.hex.Source() != now.at.Source {
			x.hex.SetSource(now.at.Source)
		}
		if now.at.Source == nil {
			continue
		}
		x.hex.SetRanges(x.ranges())
		x.first = now.at.Off
		if len(now.marks) > 0 {
			x.first = now.marks[0].Off
		}
		x.hex.SetCursor(x.first)
	}
	s.card.Refresh()
	s.reveal()
}

// around is the number of bytes that are seen before those that differ.
const around = 48

// reveal scrolls to the first bytes that differ.
func (s *sides) reveal() {
	s.moving = true
	defer func() { s.moving = false }()
	for i := range s.side {
		if x := &s.side[i]; x.at.Source != nil {
			x.hex.ScrollTo(max(x.first-around, 0))
		}
	}
}

// ranges returns the marks of the pane: the node and its differences.
func (x *side) ranges() hexview.Ranges {
	r := hexview.Ranges{Matches: x.matches}
	node := []hexview.Range{{Off: x.at.Off, Len: x.at.Len}}
	if len(x.marks) == 1 && x.marks[0].Off <= x.at.Off && x.marks[0].End() >= x.at.End() {
		r.Below = node // a selection would hide the difference
	} else {
		r.Selected = node
	}
	return r
}

// matches appends the differing bytes from first to last.
func (x *side) matches(dst []hexview.Range, first, last int64) []hexview.Range {
	for _, r := range x.marks {
		if r.Len > 0 && r.Off < last && r.End() > first {
			dst = append(dst, r)
		}
	}
	return dst
}
