package diff

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// SideOf returns a place of a document as a side of a comparison.
func SideOf(d *model.Document, p *model.Place) Side {
	view, _, _ := strings.Cut(p.Path(), "/")
	view, _, _ = strings.Cut(view, "@")
	return Side{View: d.View(view), Start: p}
}

// SharedView returns the name of the first view of a that b has too, or "". The layout only counts if the formats are
// equal.
func SharedView(a, b *model.Document) string {
	for _, v := range a.Views {
		if b.View(v.Name) != nil && (v.Name != model.LayoutView || a.Format == b.Format) {
			return v.Name
		}
	}
	return ""
}

// Describe returns the change of a value in about limit characters: "1 → 2", or for arrays the number of elements that
// differ, the first of these, and the largest difference.
func Describe(ctx context.Context, c *Change, limit int) string {
	if c.Stored {
		return fmt.Sprintf("the same, stored in %s → %s", model.Grouped(StoredIn(c.A)), model.GroupedCount(StoredIn(c.B), "byte"))
	}
	a, b := c.A.Node.Value, c.B.Node.Value
	if c.Elements == nil {
		return between(ctx, a, b, c.A.Node.Brief, c.B.Node.Brief, limit)
	}
	e := c.Elements
	words, differ := model.Grouped(e.Count), "differ"
	if e.Count == 1 {
		differ = "differs"
	}
	if x, ok := a.(model.Array); ok {
		y := b.(model.Array)
		if x.Len() == y.Len() {
			words += " of " + model.GroupedCount(x.Len(), "element")
		} else {
			words = fmt.Sprintf("%s → %s, %s %s", model.Grouped(x.Len()), model.GroupedCount(y.Len(), "element"), words, differ)
		}
		if e.First < min(x.Len(), y.Len()) {
			words += fmt.Sprintf("; [%d] %s", e.First, between(ctx, element(ctx, x, e.First), element(ctx, y, e.First), "", "", limit))
		}
	} else {
		words = fmt.Sprintf("%s %s, the first at %#x", model.GroupedCount(e.Count, "byte"), differ, e.First)
	}
	if by := e.largest; by.float == by.float && e.Count > 1 {
		words += "; at most by " + by.short()
	}
	return words
}

// StoredIn returns the number of bytes of a node's own spans.
func StoredIn(p *model.Place) (n int64) {
	for _, s := range p.Node.Spans {
		n += s.Len
	}
	return n
}

// short returns a distance in six digits, or all digits of an integer. The change has all.
func (d distance) short() string {
	const shown = 6
	if d.whole > 0 {
		return strconv.FormatUint(d.whole, 10)
	}
	return model.FormatDigits(d.float, shown)
}

// element returns an element of an array, or nil if it cannot be read.
func element(ctx context.Context, a model.Array, i int64) model.Value {
	var one [1]model.Value
	if n, _ := a.Read(ctx, i, one[:]); n == 0 {
		return nil
	}
	return one[0]
}

// between returns two values as text. Of long texts it shows the parts that differ.
func between(ctx context.Context, a, b model.Value, briefA, briefB string, limit int) string {
	x, isText := a.(model.Text)
	y, both := b.(model.Text)
	if isText && both {
		from := parting(string(x), string(y), limit)
		if from > 0 {
			return "…" + model.Show(ctx, x[from:], limit) + " → …" + model.Show(ctx, y[from:], limit)
		}
	}
	show := func(v model.Value, brief string) string {
		if v == nil {
			return brief
		}
		return model.Show(ctx, v, limit)
	}
	before, after := show(a, briefA), show(b, briefB)
	if before == after {
		return before
	}
	return before + " → " + after
}

// parting returns the first offset to show of two texts, so that their difference is visible. It is 0 if the difference
// is near the beginning.
func parting(x, y string, limit int) int {
	const before = 12
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if n < limit-before {
		return 0
	}
	n -= before
	for n > 0 && (!utf8.RuneStart(x[n]) || !utf8.RuneStart(y[n])) {
		n--
	}
	return n
}
