package compare

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/task"
)

// sides are the values and bytes of a change, before and after side by side.
type sides struct {
	w      *Window
	object fyne.CanvasObject
	title  *widget.Label
	side   [2]side
	shown  task.Latest
	moving bool // the panes follow each other
}

// side is what one of the documents has.
type side struct {
	value *widget.Label
	place *widget.Label
	hex   *hexview.View
	at    model.Span // the bytes of the node; without a Source: none
	marks []hexview.Range
}

func newSides(w *Window, a, b string) *sides {
	s := &sides{w: w, title: widget.NewLabel("")}
	s.title.Truncation = fyne.TextTruncateEllipsis
	var panes []fyne.CanvasObject
	for i, file := range []string{a, b} {
		x := &s.side[i]
		name := widget.NewLabelWithStyle([]string{"Before", "After"}[i]+"  ·  "+filepath.Base(file), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		name.Truncation = fyne.TextTruncateEllipsis
		x.value = widget.NewLabel("")
		x.value.Wrapping, x.value.Selectable = fyne.TextWrapBreak, true
		x.value.TextStyle.Monospace = true
		x.place = widget.NewLabel("")
		x.place.Importance = widget.LowImportance
		x.place.Truncation = fyne.TextTruncateEllipsis
		x.hex = hexview.New()
		x.hex.SetMode(w.shell.Store.Mode)
		x.hex.OnScroll = func(off, _ int64) { s.follow(i, off) }
		split := container.NewVSplit(container.NewVScroll(x.value), kit.Under(x.place, x.hex))
		split.Offset = 0.3
		panes = append(panes, kit.Under(name, split))
	}
	s.object = kit.Under(s.title, container.NewHSplit(panes[0], panes[1]))
	return s
}

// follow scrolls the other pane along, so that both show the same place of their nodes.
func (s *sides) follow(from int, off int64) {
	one, other := &s.side[from], &s.side[1-from]
	if s.moving || one.at.Source == nil || other.at.Source == nil {
		return
	}
	s.moving = true
	other.hex.ScrollTo(max(off-one.at.Off+other.at.Off, 0))
	s.moving = false
}

// Bounds of what is shown of a change.
const (
	mostText     = 4000
	mostCompared = 1 << 20 // bytes of a node whose differences are marked
)

// shownSide is what was found to show on one side.
type shownSide struct {
	value, place string
	at           model.Span
	marks        []hexview.Range
}

// show shows the change of a row, or nothing where it has none.
func (s *sides) show(b *branch) {
	within := s.shown.Next(s.w.ctx)
	c := b.change
	if c == nil {
		s.set("", [2]shownSide{})
		return
	}
	s.w.tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
		title, both := readSides(ctx, c)
		return func() { s.set(title, both) }
	})
}

// readSides reads what there is to show of a change.
func readSides(ctx context.Context, c *diff.Change) (title string, both [2]shownSide) {
	title = c.Kind.Sign() + " " + c.Kind.String()
	if c.Kind == diff.Changed {
		title += "  ·  " + diff.Describe(ctx, c, 80)
	}
	for i, p := range []*model.Place{c.A, c.B} {
		if p == nil {
			both[i].value = "–"
			continue
		}
		both[i] = shownSide{value: valueText(ctx, p, mostText), place: p.Path(), at: p.Node.Span()}
	}
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

// markRange marks a difference; of as many bytes on both sides those that are not the same.
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

// set shows what was read.
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
		x.hex.SetRanges(hexview.Ranges{Selected: []hexview.Range{{Off: now.at.Off, Len: now.at.Len}}, Matches: x.matches})
		first := now.at.Off
		if len(now.marks) > 0 {
			first = now.marks[0].Off
		}
		x.hex.SetCursor(first)
		x.hex.Reveal(first, 1)
	}
}

// matches are the differing bytes in a window of the pane.
func (x *side) matches(dst []hexview.Range, first, last int64) []hexview.Range {
	for _, r := range x.marks {
		if r.Len > 0 && r.Off < last && r.End() > first {
			dst = append(dst, r)
		}
	}
	return dst
}
