package values

import (
	"fmt"
	"strings"

	"cutaway/model"
)

// mostFacts is the number of lines on an array, so that the text stays short.
const mostFacts = 3

// IsSpatial reports whether the elements can be points.
func (c *Column) IsSpatial() bool {
	n := c.Packing.Components
	return c.Packing.Number.Float() && (n == 2 || n == 3)
}

// InWords writes the facts of a column: a line for all elements, one for each component, and the number of elements so far.
func (f *Facts) InWords(c *Column) string {
	var b strings.Builder
	if f.Count < f.Total {
		fmt.Fprintf(&b, "the first %s of %s: ", model.Grouped(f.Count), model.Grouped(f.Total))
	}
	if f.None > 0 {
		b.WriteString(model.Grouped(f.None) + " without a value · ")
	}
	switch {
	case f.Text != nil:
		fmt.Fprintf(&b, "%s distinct", DistinctText(f.Text.Distinct))
		for i, w := range f.Text.Said[:min(len(f.Text.Said), 3)] {
			b.WriteString([]string{"; most: ", ", ", ", "}[i] + model.ShowHeld(model.Text(w.Value), 40) + " × " + model.Grouped(w.Count))
		}
		if f.Count > f.None {
			fmt.Fprintf(&b, "; longest: %s at [%d]", model.GroupedCount(int64(f.Text.Longest), "byte"), f.Text.LongestI)
		}
		return b.String()
	case f.Components > 1 && b.Len() > 0:
		b.WriteByte('\n')
	}
	shown := len(f.By)
	if shown > mostFacts {
		shown = mostFacts - 1
	}
	for k := range f.By[:shown] {
		if k > 0 {
			b.WriteByte('\n')
		}
		if f.Components > 1 {
			b.WriteString(ComponentName(c, k) + "  ")
		}
		b.WriteString(f.By[k].inWords())
	}
	if more := len(f.By) - shown; more > 0 {
		fmt.Fprintf(&b, "\nand %s more", model.GroupedCount(int64(more), "component"))
	}
	return b.String()
}

func (c *Component) inWords() string {
	var parts []string
	if c.Finite > 0 {
		parts = append(parts, model.ShowHeld(c.Min, 30)+" … "+model.ShowHeld(c.Max, 30),
			"mean "+c.MeanText(), "std "+c.StdText())
	}
	for _, n := range []struct {
		count int64
		what  string
	}{{c.NaN, "NaN"}, {c.Inf, "infinite"}, {c.Zero, "zero"}, {c.NegativeZero, "−0"}} {
		if n.count > 0 {
			parts = append(parts, model.Grouped(n.count)+" "+n.what)
		}
	}
	parts = append(parts, DistinctText(c.Distinct)+" distinct")
	if c.Sorted != "" {
		parts = append(parts, c.Sorted)
	}
	return strings.Join(parts, " · ")
}
