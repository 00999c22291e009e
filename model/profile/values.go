package profile

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"unicode"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/model/values"
)

// Bounds of the values that are read for a profile.
const (
	readAtOnce  = 1 << 20 // bytes of values that are read before anything is shown
	savedAtOnce = 4 << 20 // bytes of arrays that are searched for savings
	curvePoints = 280     // of a curve
	mostOfCurve = 1 << 16 // values that are read for a curve
)

// overTimeNote is the note of values over time before they are counted.
const overTimeNote = "over time"

// Values are the values that characterise a node: its array, the points of its shape, or its field in all records.
type Values struct {
	Of     func(context.Context) (*values.Column, error)
	Note   string         // their number in words, or "over time" before they are counted
	Column *values.Column // or nil if it is not known yet
	Facts  *values.Facts  // or nil if they are not read yet
	Curve  *values.Band   // of values over time, or nil
	Array  bool
	Size   size.Size // of an array
}

// ValuesOf returns the values that characterise a node, or nil if there are none. array is its array and at the node of that, or nil.
// It reads the values if they are few.
func ValuesOf(ctx context.Context, doc *model.Document, p *model.Place, array model.Array, at *model.Place, cards []model.Card) *Values {
	v := &Values{Note: overTimeNote, Of: overTime(p, cards)}
	if points := pointsOf(ctx, cards); v.Of == nil && points != nil && !doc.Far() {
		v.Note, v.Of = model.GroupedCount(points.Len(), "point"), columnOf(points)
	}
	if array != nil {
		v.Array, v.Size, v.Of = true, size.Of(&at.Node), columnOf(array)
		v.Note = model.Grouped(array.Len()) + " × " + array.Elem()
	}
	if v.Of == nil {
		return nil
	}
	if !doc.Far() {
		v.readFew(ctx)
	}
	return v
}

func columnOf(a model.Array) func(context.Context) (*values.Column, error) {
	return func(ctx context.Context) (*values.Column, error) { return values.ArrayColumn(ctx, a) }
}

// pointsOf returns the points of the first shape, or nil.
func pointsOf(ctx context.Context, cards []model.Card) model.Array {
	for _, c := range cards {
		if shape, is := c.(model.Shape); is {
			if points := shape.Points(ctx); points != nil && points.Len() > 0 {
				return points
			}
			return nil
		}
	}
	return nil
}

// overTime returns the values of a node over time, or nil if it has no series or those of several fields.
func overTime(p *model.Place, cards []model.Card) func(context.Context) (*values.Column, error) {
	some := false
	for _, c := range cards {
		_, series := c.(model.Series)
		some = some || series
		if t, is := c.(model.Table); is && len(t.Columns()) > 2 { // a time and more than one field
			return nil
		}
	}
	if !some {
		return nil
	}
	return func(ctx context.Context) (*values.Column, error) {
		columns, err := values.Of(ctx, p)
		if err != nil || len(columns) == 0 {
			return nil, err
		}
		return columns[len(columns)-1], nil // the first of two is the time
	}
}

// readFew reads values that are few.
func (v *Values) readFew(ctx context.Context) {
	c, err := v.Of(ctx)
	if err != nil || c == nil {
		return
	}
	v.Column = c
	n, exact := c.Len()
	if !exact || n*max(c.Packing.Size(), 1) > readAtOnce {
		return
	}
	v.Facts, err = values.Summarize(ctx, c, nil)
	if err != nil {
		v.Facts = nil
	}
	if v.Note == overTimeNote && v.Facts != nil {
		v.Note = model.GroupedCount(v.Facts.Count, "value") + " over time"
	}
	if !v.Array && c.Packing.Components == 1 && n > 2 && n <= mostOfCurve {
		v.Curve, _ = values.Bands(ctx, c, 0, -1, curvePoints)
	}
}

// Coding returns a sentence on the coding of an array, or "".
func (v *Values) Coding() string {
	if v == nil || !v.Array || v.Column == nil {
		return ""
	}
	coding := []rune(v.Column.Coding() + " " + v.Column.Type)
	coding[0] = unicode.ToUpper(coding[0])
	text := string(coding)
	if v.Column.Coding() == "plain" {
		text += ", not compressed"
	}
	text += ": " + model.GroupedCount(v.Size.Stored, "byte")
	if v.Size.Logical != v.Size.Stored && v.Size.Stored > 0 {
		text += fmt.Sprintf(" for %s, ratio %s", model.Grouped(v.Size.Logical), strconv.FormatFloat(float64(v.Size.Logical)/float64(v.Size.Stored), 'g', 4, 64))
	}
	return text + "."
}

// Saving returns a sentence on the bytes of a node that the file does not need, or "" if there are none or the search takes long.
func Saving(ctx context.Context, doc *model.Document, p *model.Place, bytes int64) string {
	if doc.Far() || max(bytes, size.Of(&p.Node).Stored) > savedAtOnce {
		return ""
	}
	saved, err := size.SavingBelow(ctx, doc, p)
	if err != nil || saved == 0 {
		return ""
	}
	return "It could be about " + model.GroupedCount(saved, "byte") + " less."
}

// Share returns a part of something in percent, in few digits.
func Share(part float64) string {
	switch percent := 100 * part; {
	case percent > 0 && percent < 0.01:
		return "under 0.01 %"
	case percent < 10:
		return strconv.FormatFloat(math.Round(percent*100)/100, 'g', 2, 64) + " %"
	default:
		return fmt.Sprintf("%.3g %%", percent)
	}
}
