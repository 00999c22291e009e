// Package profile collects what a person wants to know of a node first: what it is, its values, how the file stores it.
package profile

import (
	"cmp"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// Bounds of a profile.
const (
	mostLooked = 64 // children that are looked at
	mostShown  = 12 // values, and as many groups, that are listed
	mostFields = 24 // fields of a spec that are listed
	shownValue = 90 // bytes of a value
)

// A Profile describes a node. Parts without content are empty.
type Profile struct {
	Title    string
	Sentence string
	Value    *model.Place // the node whose value is meant by this one, such as the default of an attribute, or nil for a group
	Summary  string       // of the view
	Facts    []model.Said // those of the format: of a root what the file is
	Values   []model.Said // of the children that have values
	Inside   []model.Said // the children that are groups
	Count    string       // the number of children in words, or ""
	Stored   string       // a sentence of the format on the coding of its bytes
	Links    []model.Said
	UsedBy   []model.Ref  // siblings whose elements are numbers of the elements of the node
	Fields   []model.Said // how the file says it

	FieldCount string // the number of folded children in words, or ""
}

// maker makes the profile of a node.
type maker struct {
	Profile
	ctx   context.Context
	doc   *model.Document
	view  *model.View // or nil
	place *model.Place
	fold  model.Fold
	array model.Array
	count int64 // of children without fields
	exact bool
}

// Of makes the profile of a node, which has or means an array, or nil, and has references. Of a file of a server it reads nothing
// that is not shown.
func Of(ctx context.Context, doc *model.Document, p *model.Place, array model.Array, refs []model.Ref) *Profile {
	m := &maker{ctx: ctx, doc: doc, view: doc.View(rootOf(p).Path()), place: p, array: array}
	m.Value = p
	var intro model.Intro
	if m.view != nil && m.view.Summary != nil {
		m.Summary = m.view.Summary(ctx, &p.Node)
	}
	if m.view != nil && !doc.Far() {
		m.meant()
		if m.view.Intro != nil {
			intro = m.view.Intro(ctx, p)
		}
	}
	count, exact := p.Len(ctx)
	m.count, m.exact = count-m.fold.Fields, exact
	m.Facts, m.Stored = intro.Facts, intro.Stored
	m.Title = cmp.Or(intro.Title, m.title())
	m.Sentence = cmp.Or(intro.Sentence, m.sentence())
	m.listChildren()
	if p.Parent != nil {
		m.Links = model.Say(nil, "of", "", model.Ref{Path: p.Parent.Path(), Text: m.label(p.Parent)})
	}
	m.Links = append(m.Links, intro.Links...)
	m.UsedBy = m.numbering()
	m.fields()
	m.refLines(refs, m.view)
	return &m.Profile
}

// meant finds the node whose value is meant by this one.
func (m *maker) meant() {
	m.fold, m.Value = meantBy(m.ctx, m.view, m.place)
}

// meantBy returns the fold of a node, and the node whose value is meant by it or nil.
func meantBy(ctx context.Context, v *model.View, p *model.Place) (fold model.Fold, of *model.Place) {
	if v.Fold != nil {
		fold = v.Fold(ctx, &p.Node)
	}
	switch {
	case fold.Fields == 0:
		return model.Fold{}, p
	case fold.Through >= 0:
		return fold, p.Child(ctx, fold.Through)
	}
	return fold, nil
}

// fields says how the file says the node.
func (m *maker) fields() {
	n := &m.place.Node
	m.Fields = model.Say(m.Fields, "path", m.place.Path())
	if m.place.Parent != nil {
		m.Fields = model.Say(m.Fields, "type", n.Type)
	}
	m.Fields = model.Say(m.Fields, "clause", m.clause())
	if m.Value != m.place || n.IsGroup(m.ctx) {
		m.Fields = model.Say(m.Fields, "says", FullValue(m.ctx, n))
	}
	for i := range min(m.fold.Fields, mostFields) {
		m.Fields = append(m.Fields, m.line(m.place.Child(m.ctx, i)))
	}
	if m.fold.Fields > 0 {
		m.FieldCount = model.GroupedCount(m.fold.Fields, "field")
	}
}

// clause returns the clause of the format's standard that describes the node, or the value that is meant by it.
func (m *maker) clause() string {
	if m.place.Node.Clause == "" && m.Value != nil {
		return m.Value.Node.Clause
	}
	return m.place.Node.Clause
}

// title is the name of the node; that of an element follows the name of its list.
func (m *maker) title() string {
	if m.place.Parent == nil && m.doc.Source() != nil {
		return m.doc.Source().Title()
	}
	name := m.label(m.place)
	if _, element := model.ParseIndex(name); element && m.place.Parent != nil {
		name = m.label(m.place.Parent) + " " + name
	}
	return name
}

// label is the name of a node of the view as its tree shows it.
func (m *maker) label(p *model.Place) string {
	if p.Parent == nil && m.doc.Source() != nil {
		return m.doc.Source().Title()
	}
	return m.view.LabelOf(m.ctx, p)
}

// roleWords introduces bytes that no rule explains.
var roleWords = map[model.Role]string{
	model.Padding: "Padding", model.Unreferenced: "Bytes that nothing refers to", model.Unknown: "Bytes that no rule explains",
}

// sentence says what the node is, for formats that do not.
func (m *maker) sentence() string {
	n, what := &m.place.Node, m.place.Node.Type
	switch array := m.array; {
	case n.Role != model.Explained && m.place.Parent != nil:
		what = roleWords[n.Role]
	case array != nil:
		typ, _, cut := strings.Cut(m.Summary, " × ")
		if !cut {
			typ = array.Elem()
		}
		what = "array of " + model.Grouped(array.Len()) + " × " + typ
	case m.Value != nil && m.Value != m.place:
		what = strings.TrimSpace(m.Value.Node.Type + " " + n.Type)
	case n.Children != nil && n.Value == nil:
		what = cmp.Or(inWords(m.Summary), joined(", ", n.Type, n.Brief))
	}
	if at := m.place.Parent; at == nil {
		what = joined(": ", m.doc.Title, what)
	} else if what != "" {
		what += " in " + m.label(at)
	}
	return strings.TrimSpace(sentenceOf(what) + " " + sentenceOf(n.Help))
}

// sentenceOf begins words with a capital and ends them with a full stop.
func sentenceOf(words string) string {
	if words == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(words)
	if next, _ := utf8.DecodeRuneInString(words[size:]); !unicode.IsUpper(next) && !unicode.IsDigit(next) {
		first = unicode.ToUpper(first) // but "u32"
	}
	return string(first) + strings.TrimSuffix(words[size:], ".") + "."
}

// joined puts a separator between the texts that are not empty.
func joined(separator string, texts ...string) string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, separator)
}

// inWords is a summary with commas between its parts.
func inWords(summary string) string {
	parts := strings.Split(summary, "·")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, ", ")
}

// valueOf returns the text that the tree shows beside the name of a node.
func (m *maker) valueOf(p *model.Place) (text string) {
	if m.view != nil && m.view.Summary != nil {
		text = m.view.Summary(m.ctx, &p.Node)
	}
	if words, ok := p.Node.InWords(); text == "" && ok {
		text = words
	}
	return cmp.Or(text, model.Preview(m.ctx, &p.Node), model.Show(m.ctx, p.Node.Value, shownValue), p.Node.Type)
}

// listChildren lists the children: values, and groups of others. The values of an only group without groups are those of the node.
func (m *maker) listChildren() {
	n := &m.place.Node
	if n.IsPending() || m.count <= 0 && m.exact {
		return
	}
	m.Count = m.countText()
	if n.Elements || m.doc.Far() || m.array != nil {
		return
	}
	var groups []*model.Place
	for i := range min(m.count, mostLooked) {
		if p := m.place.Child(m.ctx, m.fold.Fields+i); p.Node.IsGroup(m.ctx) {
			groups = append(groups, p)
		} else {
			m.Values = append(m.Values, m.line(p))
		}
	}
	if len(groups) == 1 && m.place.Parent != nil && m.addAll(groups[0]) {
		groups = nil
	}
	for _, p := range groups {
		m.Inside = append(m.Inside, m.line(p))
	}
	unlooked := max(m.count-mostLooked, 0)
	if len(m.Inside) > 0 {
		m.Values, m.Inside = shorten(m.Values, 0), shorten(m.Inside, unlooked)
	} else {
		m.Values = shorten(m.Values, unlooked)
	}
}

// countText returns the number of children in words.
func (m *maker) countText() string {
	what := "part"
	if m.place.Node.Elements {
		what = "element"
	}
	text := model.GroupedCount(m.count, what)
	if !m.exact {
		text = "at least " + text
	}
	return text
}

// addAll adds the values below a group, if these are few and no groups.
func (m *maker) addAll(group *model.Place) bool {
	count, exact := group.Len(m.ctx)
	if !exact || count > mostLooked || group.Node.IsPending() || group.Node.Elements || m.fold.Fields > 0 {
		return false
	}
	var lines []model.Said
	for i := range count {
		p := group.Child(m.ctx, i)
		if p.Node.IsGroup(m.ctx) {
			return false
		}
		lines = append(lines, m.line(p))
	}
	m.Values = append(lines, m.Values...)
	m.Count = model.GroupedCount(count, "field")
	return true
}

// line is a child with its value.
func (m *maker) line(p *model.Place) model.Said {
	said := model.Said{Label: m.label(p), Text: m.valueOf(p), Refs: []model.Ref{{Path: p.Path()}}, Quiet: p.Node.Absent}
	if said.Quiet {
		said.Text += ", by default"
		if _, none := p.Node.Value.(model.None); none {
			said.Text = "not written"
		}
	}
	return said
}

// shorten keeps the first lines, and says how many others there are besides those that were not looked at.
func shorten(lines []model.Said, unlooked int64) []model.Said {
	more := max(int64(len(lines))-mostShown, 0) + unlooked
	lines = lines[:min(len(lines), mostShown)]
	if more > 0 {
		lines = append(lines, model.Said{Text: "and " + model.Grouped(more) + " more"})
	}
	return lines
}
