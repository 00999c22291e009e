package compare

import (
	"context"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// sides show the values and bytes of a change, before and after side by side.
type sides struct {
	pane   *Pane
	object fyne.CanvasObject
	title  *widget.Label
	side   [2]side
	shown  task.Latest
	moving bool // the bytes are scrolled by the program
	plot   *cards.Pair
	plots  *fyne.Container // hidden without a plot
}

// A side shows one of the documents.
type side struct {
	value *kit.Selectable
	split *container.Split // the value above the bytes
	above float64          // the offset that the program gave it last
	place *widget.Label
	hex   *hexview.View
	at    model.Span // the bytes of the node, without a Source if it has none
	first int64      // the offset of the first byte that differs
	marks []hexview.Range
}

func newSides(p *Pane, a, b string) *sides {
	s := &sides{pane: p, title: widget.NewLabel(""), plot: cards.NewPair()}
	s.title.TextStyle.Monospace = true // the other font has no arrow, and Fyne misplaces what it takes from elsewhere
	s.title.Truncation = fyne.TextTruncateEllipsis
	var panes []fyne.CanvasObject
	for i, title := range []string{a, b} {
		x := &s.side[i]
		name := widget.NewLabelWithStyle([]string{"Before", "After"}[i]+"  ·  "+title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		name.Truncation = fyne.TextTruncateEllipsis
		x.value = kit.NewSelectable("")
		x.value.Wrapping = fyne.TextWrapWord
		x.value.TextStyle.Monospace = true
		x.place = widget.NewLabel("")
		x.place.Importance = widget.LowImportance
		x.place.Truncation = fyne.TextTruncateEllipsis
		x.hex = hexview.New()
		x.hex.SetPost(p.Post)
		x.hex.SetMode(p.Store.Unfolded())
		x.hex.OnScroll = func(off, _ int64) { s.follow(i, off) }
		x.split, x.above = container.NewVSplit(kit.NewScroller(x.value, false), kit.Under(x.place, x.hex)), mostAbove
		x.split.Offset = x.above
		panes = append(panes, kit.Under(name, x.split))
	}
	space := canvas.NewRectangle(color.Transparent)
	space.SetMinSize(fyne.NewSize(100, plotHeight))
	s.plots = container.NewStack(space, s.plot.Object)
	s.plots.Hide()
	s.object = kit.Under(container.NewVBox(s.title, s.plots), container.New(fitting{s}, container.NewHSplit(panes[0], panes[1])))
	return s
}

const plotHeight = 150

// mostAbove is the largest share of a value in its pane.
const mostAbove = 0.3

// fit gives both values the height that the larger one needs, unless the user has moved the divider.
func (s *sides) fit() {
	need := max(s.side[0].value.MinSize().Height, s.side[1].value.MinSize().Height) + theme.Padding()
	for i := range s.side {
		if x := &s.side[i]; x.split.Size().Height > 0 && x.split.Offset == x.above {
			x.above = min(float64(need/x.split.Size().Height), mostAbove)
			x.split.SetOffset(x.above)
		}
	}
}

// fitting lays out the panes of both sides, then fits their values.
type fitting struct{ s *sides }

func (f fitting) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	f.s.fit()
}

func (f fitting) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

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
	mostCompared = 1 << 20 // bytes of a node that are compared
)

// A shownSide holds the content of one side.
type shownSide struct {
	value, place string
	at           model.Span
	marks        []hexview.Range
}

// show shows the change of a row, or nothing for a row without one.
func (s *sides) show(b *branch) {
	within := s.shown.Next(s.pane.Ctx)
	s.draw(nil)
	switch c, piece := b.change, b.piece; {
	case piece != nil:
		s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
			both := readPiece(ctx, piece)
			return func() { s.set(kindText(b.kind()), both) }
		})
	case c == nil:
		s.set("", [2]shownSide{})
	default:
		s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
			title, both := readSides(ctx, c)
			return func() {
				s.set(title, both)
				s.facts(within, c)
			}
		})
	}
}

// same shows an unchanged node, or one inside of an added or removed node.
func (s *sides) same(w *whole, h *held) {
	within := s.shown.Next(s.pane.Ctx)
	s.draw(nil)
	s.pane.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
		title, both := "Not changed", [2]shownSide{}
		if h.branch != nil {
			title = counted(h.branch.counts) + " below"
		}
		if c := h.inside; c != nil {
			title = kindText(c.Kind) + " with " + c.Place().Path()
		}
		for i, p := range w.both(ctx, h) {
			both[i] = sideOf(ctx, p)
		}
		switch {
		case h.shifted:
			both[1].value = "="
		case h.inside == nil && both[0].value != both[1].value:
			title += ", but for what is told elsewhere or does not count"
		}
		return func() { s.set(title, both) }
	})
}

// draw shows the plot of both sides, or none if d is nil.
func (s *sides) draw(d *cards.Drawn) {
	kit.SetVisible(s.plots, d != nil)
	if d != nil {
		s.plot.Show(d)
	}
	s.object.Refresh()
	s.reveal() // there is less room now
}

// facts adds statistics of arrays to the values, and draws arrays of numbers.
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
		cards.Facts(ctx, s.pane.Tasks, cards.ValuesOf(a), func(t cards.Told) {
			x.value.SetText(before + t.Text + "\n\n" + value)
			s.fit()
		})
	}
	if arrays[0] == nil || arrays[1] == nil {
		return
	}
	s.pane.Tasks.Go(ctx, "drawing both", func(ctx context.Context, _ model.Progress) func() {
		d := cards.ReadPair(ctx, [2]string{"before", "after"}, arrays)
		return func() { s.draw(d) }
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

// readSides reads the title and the content of both sides for a change.
func readSides(ctx context.Context, c *diff.Change) (title string, both [2]shownSide) {
	title = kindText(c.Kind)
	if c.Kind == diff.Changed {
		title += "  ·  " + diff.Describe(ctx, c, 80)
		if types := typesOf(c); types[0] != "" {
			title += "  ·  " + types[0] + " → " + types[1]
		}
	}
	both = [2]shownSide{sideOf(ctx, c.A), sideOf(ctx, c.B)}
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
	return title, both
}

// sideOf returns the content for a node, or "–" if p is nil.
func sideOf(ctx context.Context, p *model.Place) shownSide {
	if p == nil {
		return shownSide{value: "–"}
	}
	return shownSide{value: valueText(ctx, p, mostText), place: p.Path(), at: p.Node.Span()}
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

// set shows a title and the content of both sides.
func (s *sides) set(title string, both [2]shownSide) {
	s.title.SetText(title)
	s.moving = true
	defer func() { s.moving = false }()
	for i := range both {
		x, now := &s.side[i], &both[i]
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
	s.fit()
	s.reveal()
}

// reveal scrolls to the first bytes that differ.
func (s *sides) reveal() {
	s.moving = true
	defer func() { s.moving = false }()
	for i := range s.side {
		if x := &s.side[i]; x.at.Source != nil {
			x.hex.Reveal(x.first, 1)
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
