package values

import (
	"fmt"
	"math"
	"strconv"

	"cutaway/model"
)

// Coding names the encoding of a column's elements: "plain", or the codecs.
func (c *Column) Coding() string {
	if c.Packing.Coding != "" {
		return c.Packing.Coding
	}
	text := ""
	for src := c.Packing.At.Source; src != nil && src.Origin() != nil; src = src.Origin().Parent {
		if codec := src.Origin().Codec; codec != "" && text != "" {
			text = codec + ", " + text
		} else if codec != "" {
			text = codec
		}
	}
	if text == "" {
		return "plain"
	}
	return text
}

// Object returns the facts as JSON. stored and logical are the bytes of the array in the file and after decoding, or 0
// if they are in many places.
func (f *Facts) Object(c *Column, stored, logical int64) model.Object {
	total := model.Int(f.Count)
	o := model.Object{
		{Key: "type", Value: model.Text(f.Type)}, {Key: "count", Value: total}, {Key: "components", Value: model.Int(f.Components)},
		{Key: "stored", Value: bytesOrNil(stored)}, {Key: "logical", Value: bytesOrNil(logical)}, {Key: "coding", Value: nil},
		{Key: "ratio", Value: nil}, {Key: "hash", Value: model.Text(fmt.Sprintf("%016x", f.Hash))},
	}
	if stored > 0 {
		o[5].Value = model.Text(c.Coding())
		o[6].Value = model.Float64(float64(logical) / float64(stored))
	}
	o = append(o, model.Member{Key: "first", Value: f.First}, model.Member{Key: "last", Value: f.Last}, model.Member{Key: "none", Value: model.Int(f.None)})
	if f.Text != nil {
		return append(o, f.Text.members()...)
	}
	return append(o, f.lists()...)
}

func bytesOrNil(n int64) model.Value {
	if n == 0 {
		return nil
	}
	return model.Int(n)
}

// lists returns the facts by component.
func (f *Facts) lists() model.Object {
	list := func(key string, of func(c *Component) model.Value) model.Member {
		seq := make(model.Seq, len(f.By))
		for i := range f.By {
			seq[i] = of(&f.By[i])
		}
		return model.Member{Key: key, Value: seq}
	}
	finite := func(value func(c *Component) model.Value) func(c *Component) model.Value {
		return func(c *Component) model.Value {
			if c.Finite == 0 {
				return nil
			}
			return value(c)
		}
	}
	return model.Object{
		list("min", func(c *Component) model.Value { return c.Min }),
		list("max", func(c *Component) model.Value { return c.Max }),
		list("mean", func(c *Component) model.Value { return c.Mean }),
		list("std", finite(func(c *Component) model.Value { return model.Float64(c.Std) })),
		list("nan", func(c *Component) model.Value { return model.Int(c.NaN) }),
		list("inf", func(c *Component) model.Value { return model.Int(c.Inf) }),
		list("zero", func(c *Component) model.Value { return model.Int(c.Zero) }),
		list("negativeZero", func(c *Component) model.Value { return model.Int(c.NegativeZero) }),
		list("distinct", func(c *Component) model.Value { return distinctValue(c.Distinct) }),
		list("sorted", func(c *Component) model.Value { return model.Text(c.Sorted) }),
		list("histogram", finite(func(c *Component) model.Value { return c.Histogram.object() })),
	}
}

// distinctValue returns a number, or no value if there are too many to count.
func distinctValue(n int) model.Value {
	if n < 0 {
		return nil
	}
	return model.Int(n)
}

func (d *Distribution) object() model.Value {
	counts := make(model.Seq, len(d.Counts))
	for i, n := range d.Counts {
		counts[i] = model.Int(n)
	}
	return model.Object{{Key: "from", Value: d.Start(0)}, {Key: "width", Value: model.Float64(d.Width)}, {Key: "counts", Value: counts}}
}

func (w *Words) members() model.Object {
	most := make(model.Seq, min(len(w.Said), MostSaid))
	for i, s := range w.Said[:len(most)] {
		most[i] = model.Object{{Key: "value", Value: model.Text(s.Value)}, {Key: "count", Value: model.Int(s.Count)}}
	}
	return model.Object{{Key: "distinct", Value: distinctValue(w.Distinct)},
		{Key: "longest", Value: model.Int(w.Longest)}, {Key: "longestAt", Value: model.Int(w.LongestI)}, {Key: "most", Value: most}}
}

// ComponentName returns the name of component k of the elements: its number, since names such as x, y, z would be a
// guess, or "" for scalars.
func ComponentName(c *Column, k int) string {
	if c.Packing.Components <= 1 {
		return ""
	}
	return "[" + strconv.Itoa(k) + "]"
}

// MeanText returns the mean as text, or "-" without finite values. It has all digits before the point, and as many
// after it as locate the mean in the spread of the values.
func (c *Component) MeanText() string {
	if c.Finite == 0 {
		return "-"
	}
	mean, ok := c.Mean.(model.Float64)
	if !ok {
		return model.ShowHeld(c.Mean, 40)
	}
	const within = 4 // digits of the spread
	digits := shownDigits
	if size := math.Abs(float64(mean)); c.Std > 0 && size > c.Std {
		digits = max(digits, int(math.Log10(size/c.Std))+within)
	}
	return model.FormatDigits(float64(mean), digits)
}

// StdText returns the standard deviation as text.
func (c *Component) StdText() string {
	if c.Finite == 0 {
		return "-"
	}
	return model.FormatDigits(c.Std, shownDigits)
}

// shownDigits is the number of digits of a computed number.
const shownDigits = 7

// DistinctText returns a number of distinct values as text.
func DistinctText(n int) string {
	if n < 0 {
		return "> " + model.Grouped(MostDistinct)
	}
	return model.Grouped(int64(n))
}
