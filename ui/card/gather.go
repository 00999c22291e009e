package card

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// Bounds of the card.
const (
	fewSpans     = 6 // that are listed at once
	mostSpans    = 200
	shownUsers   = 5   // nodes that use another, by name
	shownRefs    = 12  // the others are in the list of references
	mostChildren = 200 // of a root, whose sizes are compared
	largest      = 6   // children that are listed
)

// isLong reports whether a value has no room beside its label.
func isLong(text string) bool {
	const most = 60 // bytes
	return len(text) > most || strings.Contains(text, "\n")
}

// An about gathers the detail of a node.
type about struct {
	*Pane
	ctx   context.Context
	place *model.Place
	node  *model.Node
	view  *model.View
	got   *Detail
	says  *profile.Profile
	own   []model.Span
}

// Gather reads everything that the card says of a node, whose cards were found. It may take its time.
func (d *Pane) Gather(ctx context.Context, p *model.Place, found cards.Found) *Detail {
	n := &p.Node
	a := &about{Pane: d, ctx: ctx, place: p, node: n, view: d.Doc.View(nodes.ViewOf(p)), got: &Detail{found: found}}
	got := a.got
	got.Refs = d.host.Refs(ctx, n, !d.Doc.Far()) // of a file of a server nothing is read that is not shown
	a.says = profile.Of(ctx, d.Doc, p, found.Array, got.Refs)
	a.own = nodes.Principal(ctx, n, d.Doc.Far())
	got.Title, got.Sentence = a.says.Title, a.says.Sentence
	if a.view != nil {
		got.icon = nodes.KindIcon(ctx, a.view, p, d.Doc.Far())
	}
	got.Parts = append(got.Parts, a.problems("Problems", false))
	if p.Parent == nil {
		got.Parts = append(got.Parts, a.identity())
	}
	a.values()
	got.Parts = append(got.Parts, a.inside(), a.stored(), a.links(), a.problems("Notes", true), a.storage())
	return got
}

// rows makes rows of lines. The first references of each become links.
func (d *Pane) rows(lines []model.Said, mono bool) (rows []Row) {
	for _, s := range lines {
		row := Row{Label: s.Label, Text: s.Text, mono: mono, quiet: s.Quiet}
		for k, r := range s.Refs {
			if k == shownRefs {
				row.Links = append(row.Links, Link{"and " + model.Grouped(int64(len(s.Refs)-k)) + " more", d.host.ShowReferences})
				break
			}
			follow := func() { d.host.Follow(r) }
			if r.Text == "" {
				row.name = follow
			} else {
				row.Links = append(row.Links, Link{r.Text, follow})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// problems are the node's errors and warnings, or its notes. A fault of the program can be copied with its stack.
func (a *about) problems(title string, notes bool) Part {
	part, count := Part{Title: title}, 0
	for _, p := range a.node.Problems {
		if (p.Kind.Severity() == model.Note) != notes {
			continue
		}
		count++
		part.wrong = part.wrong || p.Kind.Severity() == model.Error
		row := Row{Text: phrase.Capital(strings.TrimSuffix(p.Message, ".")) + ".", level: nodes.MarkOf(p.Kind.Severity())}
		if p.Stack != "" {
			report := phrase.Problem(p) + "\n\n" + p.Stack
			row.Links = []Link{{"copy it for a bug report", func() { a.App.Clipboard().SetContent(report) }}}
		}
		part.Rows = append(part.Rows, row)
		if p.Expected != "" || p.Found != "" {
			part.Rows = append(part.Rows, Row{Label: "expected", Text: cmp.Or(p.Expected, "nothing"), mono: true}, Row{Label: "found", Text: cmp.Or(p.Found, "nothing"), mono: true})
		}
		if p.Span.Source != nil {
			part.Rows = append(part.Rows, Row{Label: "at", mono: true, Links: []Link{{phrase.Offset(p.Span), func() { a.host.VisitSpan(p.Span) }}}})
		}
		part.Rows = append(part.Rows, Row{Label: "rule", Text: p.Rule, mono: true})
		part.Rows = append(part.Rows, a.rows(model.Say(nil, "clause", a.host.Clause(p.Rule)), true)...)
	}
	if count > 1 {
		part.Note = model.Grouped(int64(count))
	}
	return part
}

// values adds the node's value, the facts of the format, the facts of many values, and the values of children.
func (a *about) values() {
	sum := a.toRead()
	part := Part{Title: "Values", Rows: a.value(sum)}
	part.first = len(part.Rows)
	if a.place.Parent != nil {
		part.Rows = append(part.Rows, a.rows(a.says.Facts, true)...)
	}
	part.Rows = append(part.Rows, a.rows(a.says.Values, true)...)
	if len(a.says.Values) > 0 && len(a.says.Inside) == 0 {
		part.Note = a.says.Count
	}
	if a.got.sum = sum; sum == nil {
		part.late = a.atMoment
		a.got.Parts = append(a.got.Parts, part)
		a.overRecords()
		return
	}
	part.Note, part.late = sum.Note, func() []Row { return append(a.spread(sum), a.atMoment()...) }
	a.got.Parts = append(a.got.Parts, part, Part{Title: "Statistics", folds: true, late: func() []Row {
		if sum.told == nil || sum.told.Facts.Text != nil {
			return nil
		}
		return []Row{{Text: sum.told.Text, mono: true}}
	}})
}

// atMoment returns the row of the value at the selected moment.
func (d *Pane) atMoment() []Row { return d.rows(d.moment, true) }

// value returns the row of the node's own value, if it has one that is not shown otherwise.
func (a *about) value(sum *summary) []Row {
	v := a.says.Value
	switch {
	case a.got.found.Array != nil || v == a.place && (a.node.IsGroup(a.ctx) || a.place.Parent == nil):
	case v != nil:
		text := a.withUnit(profile.FullValue(a.ctx, &v.Node))
		if said := v.Node.Children != nil && strings.Contains(a.says.Sentence, text); text != "" && !said {
			return []Row{{Label: "value", Text: text, mono: true}}
		}
	case sum == nil && len(a.says.Values) == 0 && len(a.says.Inside) == 0:
		return a.rows(model.Say(nil, "value", a.says.Summary), true)
	}
	return nil
}

// overRecords adds the ranges of the columns of a group's table.
func (a *about) overRecords() {
	if a.place.Parent == nil || a.Doc.Far() || !a.node.IsGroup(a.ctx) {
		return
	}
	if lines, rows := profile.Columns(a.ctx, a.place, a.got.found.Cards); len(lines) > 0 {
		part := Part{Title: "Over all records", Rows: a.rows(lines, true), Note: model.GroupedCount(rows, "row")}
		for i, line := range lines {
			if len(line.Refs) > 0 {
				part.Rows[i].name = func() { a.host.GoToPlot(line.Refs[0].Path) }
			}
		}
		a.got.Parts = append(a.got.Parts, part)
	}
}

// withUnit is a number as its tree shows it, where that is the number with a unit.
func (a *about) withUnit(value string) string {
	if _, is := a.node.Value.(model.Float64); !is {
		return value
	}
	return cmp.Or(a.says.Summary, value)
}

// inside lists the groups among the children, or the largest children of a root with their bytes.
func (a *about) inside() Part {
	if a.node.IsPending() {
		return Part{Title: "Inside", Rows: []Row{{Text: "not decoded yet: open the node in the tree"}}}
	}
	part := Part{Title: "Inside", Rows: a.rows(a.says.Inside, false)}
	if len(part.Rows) > 0 || len(a.says.Values) == 0 && a.got.found.Array == nil {
		part.Note = a.says.Count
	}
	if n, _ := a.place.Len(a.ctx); a.place.Parent == nil && !a.Doc.Far() && n <= mostChildren && len(a.says.Inside) > 1 {
		part = Part{Title: "Where the bytes are"}
		var below []*model.Place
		var labels []string
		for i := range n {
			p := a.place.Child(a.ctx, i)
			below, labels = append(below, p), append(labels, a.view.LabelOf(a.ctx, p))
		}
		part.late = func() []Row { return a.largest(below, labels) }
	}
	return part
}

// largest shows the largest of some nodes as bars.
func (d *Pane) largest(below []*model.Place, labels []string) (rows []Row) {
	sizes := make([]nodes.Sizes, len(below))
	order := make([]int, 0, len(below))
	rest := int64(0)
	for i, p := range below {
		if sizes[i] = d.host.Size(p); sizes[i].Known && sizes[i].Whole > 0 {
			order = append(order, i)
			rest += sizes[i].Whole
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(sizes[k].Whole, sizes[i].Whole) })
	for _, i := range order[:min(len(order), largest)] {
		p, at := below[i], sizes[i]
		rest -= at.Whole
		rows = append(rows, Row{Text: fmt.Sprint(labels[i], at.Whole), drawn: func() fyne.CanvasObject {
			return newBar(kit.NewLink(labels[i], false, func() { d.host.GoTo(p.Path()) }), at.Whole, at.Part)
		}})
	}
	if others := int64(len(order) - largest); others > 0 {
		rows = append(rows, Row{Label: "and " + model.Grouped(others) + " more", Text: phrase.Bytes(rest)})
	}
	return rows
}

// links lists the parent of the node, its references, and the way to those that refer to the node.
func (a *about) links() Part {
	part := Part{Title: "Links", Rows: a.rows(a.says.Links, false)}
	if target := a.got.found.Target; target != "" {
		part.Rows = append(part.Rows, Row{Label: "numbers of", Links: []Link{{target, func() { a.host.GoTo(target) }}}})
	}
	part.first, part.late = len(part.Rows), a.usedBy
	return part
}

// usedBy lists the nodes that use the node: the first by name, then the way to all references.
func (a *about) usedBy() []Row {
	users, all := a.says.UsedBy, Link{"look for references", a.host.ShowReferences}
	switch known := a.users; {
	case a.Doc.ReferencedBy == nil || a.place.Parent == nil:
		all.Text = ""
	case known != nil:
		users = slices.Concat(users, known.links)
		if all.Text = ""; known.total > 0 {
			all.Text = model.GroupedCount(known.total, "reference") + " in the file"
		}
	case !a.Doc.Far():
		all.Text = "…"
	}
	row := Row{Label: "used by"}
	if len(users) > 0 {
		row = a.rows(model.Say(nil, row.Label, "", users[:min(len(users), shownUsers)]...), false)[0]
	}
	if all.Text != "" {
		row.Links = append(row.Links, all)
	}
	if len(row.Links) == 0 {
		return nil
	}
	return []Row{row}
}

// storage says how the file says the node: paths, types, the fields and bits of tables, the hash.
func (a *about) storage() Part {
	n := a.node
	part := Part{Title: "How the file says it", folds: true, Note: a.says.FieldCount, Rows: a.rows(a.says.Fields, true)}
	part.Rows = append(part.Rows, a.spans("bytes", others(n.Spans, a.own))...)
	if more := len(n.Spans) - mostSpans; more > 0 {
		part.Rows = append(part.Rows, Row{Text: "and " + model.Grouped(int64(more)) + " more"})
	}
	part.first = len(part.Rows)
	part.late = func() (rows []Row) {
		if sum := a.got.sum; sum != nil && sum.Array && sum.told != nil && sum.told.Whole() {
			rows = append(rows, Row{Label: "hash", Text: fmt.Sprintf("hash %016x", sum.told.Facts.Hash), mono: true})
		}
		return rows
	}
	return part
}

// spans makes a row of links to bytes.
func (a *about) spans(label string, spans []model.Span) []Row {
	row := Row{Label: label, mono: true}
	for _, s := range spans {
		if s.Source != nil {
			text := phrase.Span(s)
			if s.Source.Same(a.Doc.Source()) {
				text = strings.TrimSuffix(text, "   in "+s.Source.Title())
			}
			row.Links = append(row.Links, Link{text, func() { a.host.VisitSpan(s) }})
		}
	}
	if len(row.Links) == 0 {
		return nil
	}
	return []Row{row}
}

// others returns the first spans that are none of the node's own.
func others(spans, own []model.Span) (rest []model.Span) {
	for _, s := range spans[:min(len(spans), mostSpans)] {
		if !slices.Contains(own[:min(len(own), mostSpans)], s) {
			rest = append(rest, s)
		}
	}
	return rest
}

// identity says what the file is; how adds how it is stored.
func (a *about) identity() Part {
	var facts []model.Fact
	var err error
	if scanned := a.scanned.Load(); scanned != nil {
		facts = *scanned
	} else if a.Doc.Facts != nil {
		facts, err = a.Doc.Facts(a.ctx, true, nil)
	}
	identity, stored, unknown := profile.Identify(a.ctx, a.Doc, facts, a.says.Facts)
	a.says.Fields = append(a.says.Fields, stored...)
	part := Part{Title: "What it is", Rows: a.rows(identity, false), late: func() []Row {
		return a.rows(model.Say(nil, "verdicts", a.host.Verdicts()), false)
	}}
	if err != nil {
		part.Rows = append(part.Rows, Row{Label: "facts", Text: err.Error(), level: treeview.Warning})
	}
	if a.got.uncounted = len(unknown) > 0; a.got.uncounted {
		part.Rows = append(part.Rows, Row{Label: "not counted yet", Text: strings.Join(unknown, ", "), Links: []Link{{"count them", a.count}}})
	}
	part.first = len(part.Rows)
	return part
}
