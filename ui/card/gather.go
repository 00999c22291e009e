package card

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// Bounds of what the card says.
const (
	shownInFull  = 6000 // bytes of a value; more is for the stage or an export
	shownOfArray = 90   // bytes of an array
	shownBytes   = 128  // of a blob
	fewSpans     = 6    // that are listed at once
	mostSpans    = 200
	shownRefs    = 12      // the others are in the list of references
	shownInside  = 8       // nodes below
	shownAxes    = 4       // components with a histogram
	fewFarBytes  = 1 << 20 // of a file of a server, to tell of values without being asked to
)

// isLong reports whether a value has no room beside its label.
func isLong(text string) bool {
	const most = 60 // bytes
	return len(text) > most || strings.Contains(text, "\n")
}

// about is what is gathered of a node.
type about struct {
	*Pane
	ctx     context.Context
	place   *model.Place
	node    *model.Node
	view    *model.View
	got     *Detail
	value   *model.Place // whose value is meant by the node, or nil for a group
	fold    model.Fold
	summary string // of the view
	says    string // the node's own value, where that is how the file says it
	own     []model.Span
	how     []Row
}

// Gather reads everything that the card says of a node, whose cards were found. It may take its time.
func (d *Pane) Gather(ctx context.Context, p *model.Place, found cards.Found) *Detail {
	n := &p.Node
	a := &about{Pane: d, ctx: ctx, place: p, node: n, view: d.Doc.View(nodes.ViewOf(p)), got: &Detail{found: found}, value: p}
	if a.view != nil && a.view.Summary != nil {
		a.summary = a.view.Summary(ctx, n)
	}
	a.own = nodes.Principal(ctx, n, d.Doc.Far())
	got := a.got
	got.Refs = d.host.Refs(ctx, n, !d.Doc.Far()) // of a file of a server nothing is read that is not shown
	a.meant()
	got.Title, got.Sentence = a.title(), a.sentence()
	if a.view != nil {
		got.icon = nodes.KindIcon(ctx, a.view, n, d.Doc.Far())
	}
	got.Parts = append(got.Parts, Part{Title: "Problems", Rows: a.problems(false)})
	if p.Parent == nil {
		got.Parts = append(got.Parts, a.identity()...)
	}
	a.values()
	got.Parts = append(got.Parts, a.inside(), a.stored(), a.links(), Part{Title: "Notes", Rows: a.problems(true)}, a.told())
	return got
}

// meant finds the node whose value is meant by this one, such as the default of an attribute.
func (a *about) meant() {
	if a.view == nil || a.view.Fold == nil || a.Doc.Far() {
		return
	}
	if a.fold = a.view.Fold(a.ctx, a.node); a.fold.Fields == 0 {
		return
	}
	a.value, a.says = nil, fullValue(a.ctx, a.node)
	if a.fold.Through >= 0 {
		a.value = a.place.Child(a.ctx, a.fold.Through)
	}
}

func (a *about) title() string {
	if a.place.Parent == nil && a.Doc.Source() != nil {
		return a.Doc.Source().Title()
	}
	name := a.label(a.place)
	if _, element := model.ParseIndex(name); element && a.place.Parent != nil {
		name = a.label(a.place.Parent) + " " + name
	}
	return name
}

// label is the name of a node of the view as its tree shows it.
func (a *about) label(p *model.Place) (name string) {
	if a.view != nil && a.view.Label != nil {
		name = a.view.Label(a.ctx, &p.Node)
	}
	return cmp.Or(name, p.Label())
}

// sentence says what the node is.
func (a *about) sentence() string {
	n, what := a.node, a.node.Type
	switch array := a.got.found.Array; {
	case n.Role != model.Explained && a.place.Parent != nil:
		what = map[model.Role]string{model.Padding: "Padding", model.Unreferenced: "Bytes that nothing refers to", model.Unknown: "Bytes that no rule explains"}[n.Role]
	case array != nil:
		typ, _, cut := strings.Cut(a.summary, " × ")
		if !cut {
			typ = array.Elem() + "[]"
		}
		what = typ + " of " + model.GroupedCount(array.Len(), "element")
	case a.value != nil && a.value != a.place:
		what = strings.TrimSpace(a.value.Node.Type + " " + n.Type)
	case a.value == nil && a.isLeaf():
	case n.Children != nil && n.Value == nil || a.value == nil:
		what = cmp.Or(inWords(a.summary), what)
	}
	if at := a.place.Parent; at == nil {
		what = strings.TrimSuffix(a.Doc.Title+": "+what, ": ")
	} else if what != "" {
		what += ", in " + a.label(at)
	}
	text := strings.TrimSuffix(what, ".") + "."
	if n.Help != "" {
		text += " " + strings.TrimSuffix(phrase.Capital(n.Help), ".") + "."
	}
	return text
}

// isLeaf reports whether all that is below the node is how the file says it.
func (a *about) isLeaf() bool {
	count, exact := a.place.Len(a.ctx)
	return exact && count == a.fold.Fields
}

// inWords is a summary with commas between its parts.
func inWords(summary string) string {
	parts := strings.Split(summary, "·")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, ", ")
}

// problems are the node's errors and warnings, or its notes. A fault of the program can be copied with its stack.
func (a *about) problems(notes bool) (rows []Row) {
	for _, p := range a.node.Problems {
		if (p.Kind.Severity() == model.Note) != notes {
			continue
		}
		text := phrase.Problem(p)
		row := Row{Text: text, level: nodes.MarkOf(p.Kind.Severity())}
		if p.Stack != "" {
			report := text + "\n\n" + p.Stack
			row.Links = []Link{{"copy it for a bug report", func() { a.App.Clipboard().SetContent(report) }}}
		}
		rows = append(rows, row)
	}
	return rows
}

// values adds the node's value, or what is known of its values.
func (a *about) values() {
	part := Part{Title: "Values"}
	if a.value != nil {
		if text := a.withUnit(fullValue(a.ctx, &a.value.Node)); text != "" && a.got.found.Array == nil {
			part.Rows = append(part.Rows, Row{Label: "value", Text: text, mono: true})
		}
	} else if a.isLeaf() && a.summary != "" && a.got.found.Array == nil {
		part.Rows = append(part.Rows, Row{Label: "value", Text: a.summary, mono: true})
	}
	sum := a.toRead()
	if a.got.sum = sum; sum == nil {
		a.got.Parts = append(a.got.Parts, part)
		return
	}
	if array := a.got.found.Array; array != nil {
		part.Note = model.Grouped(array.Len()) + " × " + array.Elem()
	} else {
		part.Note = "over time"
	}
	part.late = func() []Row { return a.spread(sum) }
	a.got.Parts = append(a.got.Parts, part, Part{Title: "Statistics", folds: true, late: func() []Row {
		if sum.told == nil || sum.told.Facts.Text != nil {
			return nil
		}
		return []Row{{Text: sum.told.Text, mono: true}}
	}})
}

// toRead says which values there are to tell of, or is nil if there are none.
func (a *about) toRead() *summary {
	found := a.got.found
	if found.Array != nil {
		sum := &summary{of: cards.ValuesOf(found.Array), size: size.Of(&found.At.Node), array: true}
		if a.Doc.Far() && sum.size.Stored > fewFarBytes {
			sum.waits = phrase.Bytes(sum.size.Stored)
		}
		return sum
	}
	if over := cards.OverTime(a.place, found.Cards); over != nil {
		sum := &summary{of: over}
		if a.Doc.Far() {
			sum.waits = "all records"
		}
		return sum
	}
	return nil
}

// spread shows what is known of values: of each component the least, the greatest and what is between; the first and the last.
func (d *Pane) spread(sum *summary) (rows []Row) {
	if sum.told == nil {
		switch {
		case sum.started:
			return []Row{{Text: "reading…"}}
		case sum.waits != "":
			return []Row{{Text: "not read yet", Links: []Link{{"Read " + sum.waits + " from the server", func() { d.read(sum) }}}}}
		}
		return []Row{{Text: "not read yet"}}
	}
	f, c := sum.told.Facts, sum.told.Column
	if len(f.By) <= shownAxes {
		for k := range f.By {
			if one := &f.By[k]; one.Finite > 0 {
				rows = append(rows, Row{drawn: newSpread(cards.AxisName(c, k), k, one)})
			}
		}
	}
	if f.Text != nil {
		rows = append(rows, Row{Text: sum.told.Text})
	}
	if !sum.array {
		return append(rows, Row{Text: model.GroupedCount(f.Count, "value")})
	}
	if !sum.told.Whole() {
		return append(rows, Row{Text: "the first " + model.Grouped(f.Count) + " of " + model.Grouped(f.Total)})
	}
	return append(rows, Row{Label: "first", Text: model.ShowHeld(f.First, 60), mono: true}, Row{Label: "last", Text: model.ShowHeld(f.Last, 60), mono: true})
}

// withUnit is a number as its tree shows it, where that is the number with a unit.
func (a *about) withUnit(value string) string {
	if _, is := a.node.Value.(model.Float64); !is {
		return value
	}
	return cmp.Or(a.summary, value)
}

// inside says what is below the node: how much, and the first of it with values.
func (a *about) inside() Part {
	part, n := Part{Title: "Inside"}, a.node
	count, exact := a.place.Len(a.Ctx)
	count -= a.fold.Fields
	switch {
	case n.IsPending():
		part.Rows = append(part.Rows, Row{Text: "not decoded yet: open the node in the tree"})
		return part
	case count <= 0 && exact:
		return part
	}
	what := "part"
	if n.Elements {
		what = "element"
	}
	part.Note = model.GroupedCount(count, what)
	if !exact {
		part.Note = "at least " + part.Note
	}
	if n.Elements || a.Doc.Far() || a.got.found.Array != nil {
		return part
	}
	for i := range min(count, shownInside) {
		p := a.place.Child(a.ctx, a.fold.Fields+i)
		text := ""
		if a.view != nil && a.view.Summary != nil {
			text = a.view.Summary(a.ctx, &p.Node)
		}
		text = cmp.Or(text, nodes.ValueText(a.ctx, &p.Node, shownOfArray/2), p.Node.Type)
		part.Rows = append(part.Rows, Row{Label: a.label(p), Text: text, name: func() { a.host.GoTo(p.Path()) }})
	}
	return part
}

// stored says where the node's bytes are, and how they are coded.
func (a *about) stored() Part {
	part := Part{Title: "Stored"}
	part.late = func() (rows []Row) {
		if len(a.own) > 0 && a.own[0].Source != nil {
			rows = a.where()
		} else {
			rows = a.belowSize(a.place)
		}
		if sum := a.got.sum; sum != nil && sum.array {
			if sum.told != nil {
				rows = append(rows, Row{Text: sum.told.Stored(sum.size) + "."})
			}
			if saving := a.host.Saving(a.got.found.At.Path()); saving != "" {
				rows = append(rows, Row{Text: saving + "."})
			}
		}
		return rows
	}
	if a.node.Shared {
		part.Rows = append(part.Rows, Row{Text: "Several owners share these bytes."})
	}
	row := Row{Label: "opens as"}
	for k, der := range a.node.Derived {
		path := a.place.Path() + "@" + model.EscapeSegment(der.Name)
		text := der.Title
		if der.Codec != "" {
			text += " (" + der.Codec + ")"
		}
		row.Links = append(row.Links, Link{text, func() { a.host.GoTo(path) }}, Link{"in a tab of its own", func() { a.host.OpenDerived(a.place, k) }})
	}
	if len(row.Links) > 0 {
		part.Rows = append(part.Rows, row)
	}
	return part
}

// where links to the node's bytes, with their share of the file and a strip of it.
func (a *about) where() (rows []Row) {
	n, places := nodes.Extent(a.own)
	first := a.own[0]
	text := fmt.Sprintf("%s at %s", phrase.Bytes(n), phrase.Hex(first.Off))
	if places > 1 {
		text = fmt.Sprintf("%s in %d places, first at %s", phrase.Bytes(n), places, phrase.Hex(first.Off))
	}
	share := ""
	if src := first.Source; src.Size() > 0 {
		share = fmt.Sprintf("%.3g %% of ", 100*float64(n)/float64(src.Size())) + map[bool]string{true: "the file", false: src.Title()}[src.Same(a.Doc.Source())]
	}
	rows = append(rows, a.shareRow(kit.NewLink(text, true, func() { a.host.VisitSpan(first) }), share), Row{drawn: newStrip(first.Source, a.own[:places])})
	if places != len(a.own) || places > 1 {
		rows = append(rows, a.spans("", a.own[:min(len(a.own), fewSpans)])...)
	}
	return rows
}

// shareRow shows a text, and at the right of it how much of the file that is.
func (d *Pane) shareRow(text fyne.CanvasObject, share string) Row {
	return Row{drawn: &fyne.Container{Layout: sharing{}, Objects: []fyne.CanvasObject{text,
		kit.NewLine(share, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameText)}}}
}

// belowSize says how much of the file a node takes with all below, as far as that is known.
func (d *Pane) belowSize(p *model.Place) []Row {
	s := d.host.Size(p)
	if !s.Known || s.Whole == 0 {
		return nil
	}
	text := phrase.Bytes(s.Whole)
	switch {
	case s.AtMost:
		text = "at most " + text
	case s.AtLeast:
		text = "at least " + text
	}
	if p.Parent != nil {
		text += " in all"
	}
	return []Row{d.shareRow(kit.NewLine(text, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameText),
		fmt.Sprintf("%.3g %% of the file", 100*s.Part))}
}

// leads reports whether a reference leads to something that a person means: a node of the view, or another file.
func (a *about) leads(r model.Ref) bool {
	return r.File != "" || a.view == nil || a.view.Name == model.LayoutView || strings.HasPrefix(r.Path, a.view.Name+"/")
}

// links says in words whose the node is, what it refers to, and what refers to it. References to how the file says it are for the last part.
func (a *about) links() Part {
	part, at := Part{Title: "Links"}, a.place.Parent
	if at != nil {
		part.Rows = append(part.Rows, Row{Label: "of", Links: []Link{{a.label(at), func() { a.host.GoTo(at.Path()) }}}})
	}
	for k, r := range a.got.Refs {
		rows := &part.Rows
		if !a.leads(r) {
			rows = &a.how
		}
		if k == shownRefs {
			more := "and " + model.Grouped(int64(len(a.got.Refs)-k)) + " more"
			*rows = append(*rows, Row{Links: []Link{{more, func() { a.host.ShowReferences() }}}})
			break
		}
		link := Link{cmp.Or(r.File, r.Text, r.Path), func() { a.host.Follow(r) }}
		if last := len(*rows) - 1; last >= 0 && (*rows)[last].Label == r.Kind {
			(*rows)[last].Links = append((*rows)[last].Links, link)
		} else {
			*rows = append(*rows, Row{Label: r.Kind, Links: []Link{link}})
		}
	}
	if target := a.got.found.Target; target != "" {
		part.Rows = append(part.Rows, Row{Label: "numbers of", Links: []Link{{target, func() { a.host.GoTo(target) }}}})
	}
	if a.Doc.ReferencedBy != nil && at != nil {
		part.Rows = append(part.Rows, Row{Label: "used by", Links: []Link{{"show references", a.host.ShowReferences}}})
	}
	return part
}

// told says how the file says the node: paths, types, the bits of tables, the hash.
func (a *about) told() Part {
	n := a.node
	part := Part{Title: "How the file says it", folds: true}
	add := func(label, text string) {
		if text != "" {
			part.Rows = append(part.Rows, Row{Label: label, Text: text, mono: true})
		}
	}
	add("path", a.place.Path())
	add("type", n.Type)
	add("says", a.says)
	part.Rows = append(part.Rows, a.how...)
	part.Rows = append(part.Rows, a.spans("bytes", others(n.Spans, a.own))...)
	if more := len(n.Spans) - mostSpans; more > 0 {
		part.Rows = append(part.Rows, Row{Text: "and " + model.Grouped(int64(more)) + " more"})
	}
	part.late = func() (rows []Row) {
		if sum := a.got.sum; sum != nil && sum.array && sum.told != nil && sum.told.Whole() {
			rows = append(rows, Row{Label: "hash", Text: fmt.Sprintf("hash %016x", sum.told.Facts.Hash), mono: true})
		}
		return rows
	}
	return part
}

// spans is a row of bytes, each span a link to them.
func (a *about) spans(label string, spans []model.Span) []Row {
	row := Row{Label: label, mono: true}
	for _, s := range spans {
		if s.Source != nil {
			row.Links = append(row.Links, Link{phrase.Span(s), func() { a.host.VisitSpan(s) }})
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

// identity says what is known of the document; what takes a table is folded.
func (a *about) identity() []Part {
	doc := a.Doc
	part := Part{Title: "What it is", Rows: []Row{{Label: "Format", Text: doc.Title}, {Label: "Recognised", Text: doc.Why}}}
	if doc.Facts == nil {
		return []Part{part}
	}
	tables := Part{Title: "Tables", folds: true}
	var facts []model.Fact
	var err error
	if scanned := a.scanned.Load(); scanned != nil {
		facts = *scanned
	} else {
		facts, err = doc.Facts(a.ctx, true, nil)
	}
	if err != nil {
		part.Rows = append(part.Rows, Row{Label: "Facts", Text: err.Error(), level: treeview.Warning})
	}
	var unknown []string
	for _, f := range facts {
		if f.Value == nil {
			unknown = append(unknown, f.Title)
			continue
		}
		to, text := &part, factText(a.ctx, &f)
		if strings.Contains(text, "\n") {
			to = &tables
		}
		to.Rows = append(to.Rows, Row{Label: phrase.Capital(f.Title), mono: true, Text: text})
	}
	if a.got.uncounted = len(unknown) > 0; a.got.uncounted {
		part.Rows = append(part.Rows, Row{Label: "Not counted yet", Text: strings.Join(unknown, ", "), Links: []Link{{"count them", a.count}}})
	}
	return []Part{part, tables}
}

// fullValue is a value as the card shows it: integers also in hexadecimal, arrays with their length.
func fullValue(ctx context.Context, n *model.Node) string {
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
		return fmt.Sprintf("%s × %s   %s", model.Grouped(v.Len()), v.Elem(), model.Show(ctx, v, shownOfArray))
	case model.Blob:
		return model.Show(ctx, v, shownBytes*3) // the bytes are in the middle
	case model.Text:
		if pretty := phrase.Pretty(string(v)); len(v) <= shownInFull && pretty != string(v) {
			return pretty
		}
		if strings.ContainsAny(string(v), "\n\t") && len(v) <= shownInFull {
			return strings.ToValidUTF8(string(v), "\ufffd")
		}
	}
	return model.Show(ctx, n.Value, shownInFull)
}
