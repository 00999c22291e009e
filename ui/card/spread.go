package card

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/model/values"
	"cutaway/ui/cards"
	"cutaway/ui/phrase"
)

// Bounds of what is read of values.
const (
	shownAxes     = 4       // components with a histogram
	fewFarBytes   = 1 << 20 // of a file of a server, to tell of values without being asked to
	readAtOnce    = 1 << 20 // bytes of an array that is read before the card is shown
	curvePoints   = 280     // of a curve
	mostOfCurve   = 1 << 16 // values that are read for a curve
	shownOfValue  = 60      // bytes of the first and the last value
	shownOfBounds = 30      // bytes of the least and the greatest
)

// summary is what is known of the values of a node: of its array, of the points of its shape, or of its field in all records.
type summary struct {
	of      func(context.Context) (*values.Column, error)
	note    string
	column  *values.Column // nil: it is not known yet
	size    size.Size      // of an array
	array   bool
	ends    bool   // the first and the last value are of interest
	waits   string // what is to be read from a server when somebody asks for it, or ""
	started bool
	told    *cards.Told  // nil: nothing is read yet
	curve   *values.Band // over time, or nil
}

// toRead says which values there are to tell of, or is nil if there are none. Of few values it tells at once.
func (a *about) toRead() (sum *summary) {
	found := a.got.found
	switch over := cards.OverTime(a.place, found.Cards); {
	case found.Array != nil:
		sum = &summary{of: cards.ValuesOf(found.Array), size: size.Of(&found.At.Node), array: true, ends: true,
			note: model.Grouped(found.Array.Len()) + " × " + found.Array.Elem()}
		if a.Doc.Far() && sum.size.Stored > fewFarBytes {
			sum.waits = phrase.Bytes(sum.size.Stored)
		}
	case over != nil:
		sum = &summary{of: over, note: "over time"}
		if a.Doc.Far() {
			sum.waits = "all records"
		}
	default:
		return a.points()
	}
	if !a.Doc.Far() {
		sum.readSoon(a.ctx)
	}
	return sum
}

// points returns the points of the node's shape, or nil if it has none.
func (a *about) points() *summary {
	if a.Doc.Far() {
		return nil
	}
	for _, c := range a.got.found.Cards {
		shape, is := c.(model.Shape)
		if !is {
			continue
		}
		points := shape.Points(a.ctx)
		if points == nil || points.Len() == 0 {
			return nil
		}
		sum := &summary{of: cards.ValuesOf(points), note: model.GroupedCount(points.Len(), "point")}
		sum.readSoon(a.ctx)
		return sum
	}
	return nil
}

// readSoon reads values that are few at once.
func (s *summary) readSoon(ctx context.Context) {
	c, err := s.of(ctx)
	if err != nil || c == nil {
		return
	}
	s.column = c
	n, exact := c.Len()
	if !exact || n*max(c.Packing.Size(), 1) > readAtOnce {
		return
	}
	if f, err := values.Summarize(ctx, c, nil); err == nil {
		told := cards.NewTold(c, f)
		s.told = &told
	}
	if !s.array && !s.ends && c.Packing.Components == 1 && n > 2 && n <= mostOfCurve {
		s.curve, _ = values.Bands(ctx, c, 0, -1, curvePoints)
	}
}

// spread shows what is known of values: of each component the least, the greatest and what is between; the first and the last.
func (d *Pane) spread(sum *summary) (rows []Row) {
	if sum.told == nil {
		return d.unread(sum)
	}
	f, c := sum.told.Facts, sum.told.Column
	if len(f.By) <= shownAxes {
		for k := range f.By {
			one := &f.By[k]
			if one.Finite == 0 {
				continue
			}
			text := fmt.Sprint(c.AxisName(k), one.Min, one.Max, one.Histogram.Counts)
			rows = append(rows, Row{Text: text, drawn: func() fyne.CanvasObject {
				return newSpread(c.AxisName(k), k, one, sum.curve)
			}})
		}
	}
	if f.Text != nil {
		rows = append(rows, Row{Text: sum.told.Text})
	}
	switch {
	case !sum.told.Whole():
		rows = append(rows, Row{Text: "the first " + model.Grouped(f.Count) + " of " + model.Grouped(f.Total)})
	case sum.ends:
		rows = append(rows, Row{Label: "first", Text: model.ShowHeld(f.First, shownOfValue), mono: true}, Row{Label: "last", Text: model.ShowHeld(f.Last, shownOfValue), mono: true})
	case sum.note == "over time":
		rows = append(rows, Row{Text: model.GroupedCount(f.Count, "value")})
	}
	return rows
}

// unread stands in place of values that are not read yet, as high as they will be.
func (d *Pane) unread(sum *summary) (rows []Row) {
	switch {
	case sum.waits != "" && !sum.started:
		return []Row{{Text: "not read yet", Links: []Link{{"Read " + sum.waits + " from the server", func() { d.read(sum) }}}}}
	case sum.column == nil || !sum.column.Numeric():
		return []Row{{Text: "reading…"}}
	}
	if axes := sum.column.Packing.Components; axes <= shownAxes {
		for k := range axes {
			name := sum.column.AxisName(k)
			rows = append(rows, Row{Text: "empty " + name, drawn: func() fyne.CanvasObject {
				return newSpread(name, k, &values.Component{}, nil)
			}})
		}
	}
	if sum.ends {
		rows = append(rows, Row{Label: "first", Text: "reading…", mono: true}, Row{Label: "last", Text: "reading…", mono: true})
	}
	return rows
}

// shortNumber is a number in few digits, or "…" if there is none yet.
func shortNumber(v model.Value) string {
	if v == nil {
		return "…"
	}
	if text := model.ShowHeld(v, shownOfBounds); len(text) <= 8 {
		return text
	}
	f, _ := model.FloatOf(v)
	return strings.TrimSuffix(fmt.Sprintf("%.5g", f), ".")
}
