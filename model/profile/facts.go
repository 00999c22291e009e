package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/export/quote"
	"cutaway/model/values"
)

// Bounds of values and tables.
const (
	shownInFull   = 6000    // bytes of a value
	shownBytes    = 384     // characters of a blob
	shownOfBounds = 30      // bytes of the least and the greatest value
	mostCells     = 1 << 12 // of a table whose columns are summed up; each may need its record
	mostColumns   = 24
	fewTables     = 8  // nodes below that are looked at for a table
	mostSections  = 64 // parts of a source
)

// Identify divides the facts of a document: identity identifies the file, stored describes its storage. unknown are the titles of
// facts that are not counted yet. The facts in the introduction of the format come first.
func Identify(ctx context.Context, doc *model.Document, facts []model.Fact, intro []model.Said) (identity, stored []model.Said, unknown []string) {
	identity = append(model.Say(nil, "format", doc.Title), intro...)
	stored = model.Say(nil, "recognised", doc.Why)
	hasMain := slices.ContainsFunc(facts, func(f model.Fact) bool { return f.Main })
	for _, f := range facts {
		_, isList := f.Value.(model.Seq)
		switch main := f.Main || !hasMain && len(intro) == 0 && !isList; {
		case f.Value == nil && main:
			unknown = append(unknown, f.Title)
		case f.Value != nil && main:
			identity = model.Say(identity, strings.ToLower(f.Title[:1])+f.Title[1:], FactLine(ctx, &f))
		case f.Value != nil:
			stored = model.Say(stored, f.Title, FactText(ctx, &f))
		}
	}
	return identity, stored, unknown
}

// FullValue is a value with all that there is room for: integers also in hexadecimal, arrays with their length.
func FullValue(ctx context.Context, n *model.Node) string {
	switch v := n.Value.(type) {
	case nil:
		return n.Brief
	case model.Int:
		if v > 9 {
			return fmt.Sprintf("%d   %#x", int64(v), int64(v))
		}
	case model.Uint:
		if v > 9 {
			return fmt.Sprintf("%d   %#x", uint64(v), uint64(v))
		}
	case model.Symbol:
		return strings.TrimSpace(fmt.Sprintf("%s   %d", v.Name, v.Number))
	case model.Array:
		return fmt.Sprintf("%s × %s   %s", model.Grouped(v.Len()), v.Elem(), model.Show(ctx, v, shownValue))
	case model.Blob:
		return model.Show(ctx, v, shownBytes)
	case model.Text:
		if pretty := quote.Pretty(string(v)); len(v) <= shownInFull && pretty != string(v) {
			return pretty
		}
		if strings.ContainsAny(string(v), "\n\t") && len(v) <= shownInFull {
			return strings.ToValidUTF8(string(v), "\ufffd")
		}
	}
	return model.Show(ctx, n.Value, shownInFull)
}

// refLines adds the references of a node by kind. Those to nodes of the view and to other files are links. Others belong to the
// fields.
func (p *Profile) refLines(refs []model.Ref, view *model.View) {
	for _, r := range refs {
		lines := &p.Links
		if r.File == "" && view != nil && view.Name != model.LayoutView && !strings.HasPrefix(r.Path, view.Name+"/") {
			lines = &p.Fields
		}
		if r.Text == "" {
			r.Text = r.Path
		}
		if r.File != "" {
			r.Text = r.File
		}
		if last := len(*lines) - 1; last >= 0 && (*lines)[last].Label == r.Kind {
			(*lines)[last].Refs = append((*lines)[last].Refs, r)
		} else {
			*lines = model.Say(*lines, r.Kind, "", r)
		}
	}
}

// Columns returns the range of each column of a table over time, and the number of rows. The table is the node's own, or the longest
// one of its children. Columns returns nothing if that is missing or too long.
func Columns(ctx context.Context, p *model.Place, cards []model.Card) (lines []model.Said, rows int64) {
	longest := longestTable(cards)
	if longest == nil {
		var below []model.Card
		count, _ := p.Len(ctx)
		for i := range min(count, fewTables) {
			if n := p.Child(ctx, i).Node; n.Cards != nil {
				below = append(below, n.Cards(ctx)...)
			}
		}
		if longest = longestTable(below); longest == nil {
			return nil, 0
		}
	}
	rows, _ = longest.Rows()
	first := [][]model.Cell{make([]model.Cell, len(longest.Columns()))}
	_, _ = longest.Read(ctx, 0, first) // without it there are no links
	for k := range min(len(longest.Columns()), mostColumns) {
		c, err := values.TableColumn(ctx, longest, k)
		if err != nil {
			continue
		}
		f, err := values.Summarize(ctx, c, nil)
		if err != nil || len(f.By) != 1 || f.By[0].Finite == 0 {
			continue
		}
		text := model.ShowHeld(f.By[0].Min, shownOfBounds)
		if most := model.ShowHeld(f.By[0].Max, shownOfBounds); most != text {
			text += " … " + most
		}
		line := model.Said{Label: c.Name, Text: text}
		if path := first[0][k].Path; path != "" {
			line.Refs = []model.Ref{{Path: path}}
		}
		lines = append(lines, line)
	}
	return lines, rows
}

// longestTable returns the table with several columns that has the most rows, of those that are soon read, or nil.
func longestTable(cards []model.Card) (longest model.Table) {
	most := int64(0)
	for _, c := range cards {
		t, is := c.(model.Table)
		if !is || len(t.Columns()) <= 2 || !strings.Contains(strings.ToLower(t.Columns()[0].Name), "time") {
			continue // a time and a value are a curve
		}
		if n, exact := t.Rows(); exact && n > most && n*int64(len(t.Columns())) <= mostCells {
			longest, most = t, n
		}
	}
	return longest
}

// A Section is an uppermost part of a source.
type Section struct {
	Name      string
	At        model.Span
	Explained bool
}

// Sections returns the uppermost parts of a source, the largest first, or none if there are many or they are not known yet.
func Sections(ctx context.Context, doc *model.Document, src *model.Source) (list []Section) {
	if src == nil || doc.Far() {
		return nil
	}
	root, err := doc.Lookup(ctx, src.LayoutPath())
	if err != nil || root.Node.IsPending() {
		return nil
	}
	n, exact := root.Len(ctx)
	if n > mostSections || !exact {
		return nil
	}
	for i := range n {
		if node := root.Child(ctx, i).Node; node.Span().Source.Same(src) && node.Span().Len > 0 {
			list = append(list, Section{node.Name, node.Span(), node.Role == model.Explained})
		}
	}
	slices.SortStableFunc(list, func(a, b Section) int { return int(min(max(b.At.Len-a.At.Len, -1), 1)) })
	return list
}
