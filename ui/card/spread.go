package card

import (
	"fmt"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/model/values"
	"cutaway/ui/cards"
	"cutaway/ui/phrase"
)

// Bounds of the facts of values.
const (
	shownAxes    = 4       // components with a histogram
	fewFarBytes  = 1 << 20 // of a file of a server that are read unasked
	shownOfValue = 60      // bytes of the first and the last value
)

// summary is the values that characterise the node, as far as they are known.
type summary struct {
	*profile.Values
	waits   string // the name of values to be read from a server when somebody asks, or ""
	started bool
	told    *cards.Told // nil: nothing is read yet
}

// toRead returns the values that characterise the node, or nil if there are none.
func (a *about) toRead() *summary {
	found := a.got.found
	v := profile.ValuesOf(a.ctx, a.Doc, a.place, found.Array, found.At, found.Cards)
	if v == nil {
		return nil
	}
	sum := &summary{Values: v}
	if v.Facts != nil {
		told := cards.NewTold(v.Column, v.Facts)
		sum.told = &told
	}
	switch {
	case a.Doc.Far() && !v.Array:
		sum.waits = "all records"
	case a.Doc.Far() && v.Size.Stored > fewFarBytes:
		sum.waits = phrase.Bytes(v.Size.Stored)
	}
	return sum
}

// spread shows what is known of values: of each component the least, the greatest and what is between; the first and the last. Values
// that are not read yet take the room that they will have.
func (d *Pane) spread(sum *summary) (rows []Row) {
	if sum.told == nil && sum.waits != "" && !sum.started {
		return []Row{{Text: "not read yet", Links: []Link{{"Read " + sum.waits + " from the server", func() { d.read(sum) }}}}}
	}
	c, f := sum.Column, &values.Facts{}
	if sum.told != nil {
		c, f = sum.told.Column, sum.told.Facts
	} else if c == nil || !c.Numeric() {
		return []Row{{Text: "reading…"}}
	} else {
		f.By = make([]values.Component, c.Packing.Components)
	}
	rows = spreads(sum, c, f)
	if f.Text != nil {
		rows = append(rows, Row{Text: sum.told.Text})
	}
	first, last := "reading…", "reading…"
	switch {
	case sum.told != nil && !sum.told.Whole():
		return append(rows, Row{Text: "the first " + model.Grouped(f.Count) + " of " + model.Grouped(f.Total)})
	case !sum.Array:
		return rows
	case sum.told != nil:
		first, last = model.ShowHeld(f.First, shownOfValue), model.ShowHeld(f.Last, shownOfValue)
	}
	return append(rows, Row{Label: "first", Text: first, mono: true}, Row{Label: "last", Text: last, mono: true})
}

// spreads returns a row for each component with numbers, if there are few components.
func spreads(sum *summary, c *values.Column, f *values.Facts) (rows []Row) {
	if len(f.By) > shownAxes {
		return nil
	}
	for k := range f.By {
		if one := &f.By[k]; one.Finite > 0 || sum.told == nil {
			name := values.ComponentName(c, k)
			text := fmt.Sprint(name, one.Min, one.Max, one.Histogram.Counts)
			rows = append(rows, Row{Text: text, drawn: func() fyne.CanvasObject { return newSpread(name, k, one, sum.Curve) }})
		}
	}
	return rows
}

// shortNumber is a number in few digits, or "…" if there is none yet.
func shortNumber(v model.Value) string {
	if v == nil {
		return "…"
	}
	if text := model.ShowHeld(v, shownOfValue); len(text) <= 8 {
		return text
	}
	f, _ := model.FloatOf(v)
	return fmt.Sprintf("%.5g", f)
}
