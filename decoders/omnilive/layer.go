package omnilive

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

const layerView = "layer"

// layerRoot is the root of the view of the layer that the deltas describe.
func (l *live) layerRoot(ctx context.Context) model.Node {
	n := model.Node{Name: layerView, Type: "layer", Help: "the prims and properties after all commands, fields and time samples"}
	if l.step < len(l.deltas) {
		n.Help = "the prims and properties after the first " + model.GroupedCount(int64(l.step), "delta")
	}
	cards := func(context.Context) []model.Card {
		return []model.Card{&usdText{usda.NewTextCard(), l}}
	}
	n.Cards = cards
	res := l.stepped()
	if res == nil {
		n.Children = l.upTo.when(ctx, l.topChildren)
		return n
	}
	if root := res.layer.find(rootID); res.layer.isAlive(root) {
		help := n.Help
		n = l.sectionNode(ctx, res, root, layerView)
		n.Help, n.Cards, n.Principal = help, cards, model.Group // its bytes are those of all below
	}
	n.Children = l.topChildren(ctx, res)
	return n
}

// topChildren is the root section's children, then the placeholders that have no parent.
func (l *live) topChildren(ctx context.Context, res *result) model.Children {
	if root := res.layer.find(rootID); res.layer.isAlive(root) {
		return l.newChildren(ctx, res, root)
	}
	return l.newChildren(ctx, res, none)
}

// children is the children of a section in the layer view: its fields, its time samples, what was overwritten, and
// the sections below it.
type children struct {
	l      *live
	res    *result
	n      int32
	head   string         // the segment of the section's id, or "" if the node is no section
	fields []int32        // settings that hold
	own    model.Segments // of all but the sections below
	extra  []model.Node   // time samples, overwritten
	lists  [][]int32      // their settings
	kids   []childEntry
	top    []int32 // placeholders without a parent, under the root
}

func (l *live) newChildren(ctx context.Context, res *result, n int32) *children {
	c := &children{l: l, res: res, n: n}
	if n == none || res.layer.nodes[n].id == rootID {
		c.top = res.layer.orphans
	}
	if n == none {
		return c
	}
	s := &res.layer.nodes[n]
	c.kids = s.kids
	c.head = c.own.Add(idName)
	var samples, gone []int32
	for i := range s.settings {
		switch x := &s.settings[i]; {
		case !x.live():
			gone = append(gone, int32(i))
		case x.sample:
			samples = append(samples, int32(i))
		default:
			c.fields = append(c.fields, int32(i))
			c.own.Add(x.key)
		}
	}
	slices.SortStableFunc(samples, func(a, b int32) int { return compareTimes(s.settings[a].time, s.settings[b].time) })
	if len(samples) > 0 {
		group := c.group(samplesName, "sample", "samples that hold, in the order of their times", samples)
		if l.samplesNumbers(ctx, s.settings, samples) {
			group.Cards = func(context.Context) []model.Card {
				return []model.Card{&sampleSeries{model.CardBase{Title: "Time samples"}, l, res, n, samples}}
			}
		}
		c.extra = append(c.extra, group)
	}
	if len(gone) > 0 {
		c.extra = append(c.extra, c.group("overwritten", "value", "fields and samples that do not hold, with what overwrote them", gone))
	}
	return c
}

// Names of nodes of a section besides its fields.
const (
	idName      = "sectionId"
	samplesName = "timeSamples"
)

func compareTimes(a, b float64) int {
	switch {
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (c *children) group(name, thing, help string, list []int32) model.Node {
	c.lists = append(c.lists, list)
	n := model.Node{
		Name: c.own.Add(name), Type: name, Brief: model.GroupedCount(int64(len(list)), thing), Help: help,
		Children: &model.Rows{Count: int64(len(list)), Make: func(ctx context.Context, i int64) model.Node {
			return c.l.settingNode(ctx, c.res, c.n, list[i], model.IndexName(i))
		}},
	}
	return n.Named(name)
}

// Len returns the number of fields, groups and sections below.
func (c *children) Len(context.Context) (int64, bool) {
	return c.own.Len() + int64(len(c.kids)+len(c.top)), true
}

// At returns node i: the id, fields, groups, then sections.
func (c *children) At(ctx context.Context, i int64) model.Node {
	ids := int64(c.ids())
	switch {
	case i < ids:
		return c.idNode(ctx)
	case i < ids+int64(len(c.fields)):
		k := c.fields[i-ids]
		return c.l.settingNode(ctx, c.res, c.n, k, c.own.At(i)).Named(c.res.layer.nodes[c.n].settings[k].key)
	case i < c.own.Len():
		return c.extra[i-ids-int64(len(c.fields))]
	}
	if i -= c.own.Len(); i < int64(len(c.kids)) {
		return c.section(ctx, c.kids[i].section)
	}
	return c.section(ctx, c.top[i-int64(len(c.kids))])
}

// ids returns the number of nodes for the section's id: one, or none if the node is no section.
func (c *children) ids() int {
	if c.head == "" {
		return 0
	}
	return 1
}

func (c *children) idNode(ctx context.Context) model.Node {
	s := &c.res.layer.nodes[c.n]
	n := model.Node{Name: c.head, Type: "section id", Value: model.Uint(s.id), Help: "by which commands name the section"}.Named(idName)
	if s.madeBy.delta == none {
		return n
	}
	d := c.l.deltas[s.madeBy.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	made := d.command(r, s.madeBy.index)
	if t, ok := r.Table(made.table); ok && made.kind >= 0 {
		n.Spans = d.fieldSpans(&t, d.bind.sectionID[made.kind])
	}
	return n
}

func (c *children) section(ctx context.Context, n int32) model.Node {
	node := c.l.sectionNode(ctx, c.res, n, c.kidSegment(n)).Named(c.res.layer.name(n))
	node.Children = c.l.newChildren(ctx, c.res, n)
	return node
}

// kidSegment returns the segment of a section below, which differs from those of fields.
func (c *children) kidSegment(n int32) string {
	name := c.res.layer.segment(n)
	if name == "" {
		name = fmt.Sprintf("#%d", c.res.layer.nodes[n].id)
	}
	for {
		if !c.own.Has(name) {
			return name
		}
		name += "~2"
	}
}

// Find finds a node by its name or by a byte.
func (c *children) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, c, q)
	}
	return c.index(ctx, q.Name)
}

// index finds a segment through the section that it names.
func (c *children) index(_ context.Context, segment string) (int64, bool) {
	if i, ok := c.own.Find(segment); ok {
		return i, true
	}
	base := c.own.Len()
	for i, n := range c.top {
		if c.kidSegment(n) == segment {
			return base + int64(len(c.kids)+i), true
		}
	}
	lay := c.res.layer
	try := func(n int32) (int64, bool) {
		if !lay.isAlive(n) || lay.nodes[n].parent != c.n || c.kidSegment(n) != segment {
			return 0, false
		}
		return base + int64(lay.nodes[n].pos), true
	}
	plain := strings.TrimSuffix(segment, "~2")
	if n, ok := lay.sectionIn(plain); ok {
		if i, ok := try(n); ok {
			return i, true
		}
	}
	for _, bare := range bareNames(plain) {
		for _, n := range lay.sectionsNamed(nameKey{c.n, bare}) {
			if i, ok := try(n); ok {
				return i, true
			}
		}
	}
	if plain != ".expression" {
		return 0, false
	}
	for _, k := range c.kids { // expressions are not named by their section's name
		if i, ok := try(k.section); ok {
			return i, true
		}
	}
	return 0, false
}

// sectionIn finds the section whose id ends a name: "name#12".
func (l *layer) sectionIn(name string) (int32, bool) {
	k := strings.LastIndexByte(name, '#')
	id, err := strconv.ParseUint(name[k+1:], 10, 64)
	if k < 0 || err != nil {
		return none, false
	}
	return l.find(id), true
}

// sectionsNamed lists the sections of a name below a parent.
func (l *layer) sectionsNamed(key nameKey) []int32 {
	n, ok := l.byName[key]
	if !ok {
		return nil
	}
	return append([]int32{n}, l.twins[key]...)
}

// bareNames lists the section names that a path element may come from.
func bareNames(element string) []string {
	list := []string{element}
	inner := func(prefix, suffix string) {
		if s, ok := strings.CutPrefix(element, prefix); ok {
			if s, ok = strings.CutSuffix(s, suffix); ok {
				list = append(list, s)
			}
		}
	}
	inner(".", "")
	inner("[", "]")
	inner(".mapper[", "]")
	inner("{", "=}")
	if s, ok := strings.CutSuffix(element, "}"); ok {
		for i := range s {
			if s[i] == '=' {
				list = append(list, s[i+1:])
			}
		}
	}
	return list
}

// sectionNode is a section: a prim, a property or another spec.
func (l *live) sectionNode(ctx context.Context, res *result, n int32, name string) model.Node {
	s := &res.layer.nodes[n]
	node := model.Node{Name: name, Type: specName(s.specType), Value: model.Text(res.layer.path(n))}
	if s.base {
		node.Help = "a node of a base that is not at hand"
		node.Problems = []model.Problem{{Rule: assumedOutcomes.ruleID(), Kind: model.Assumed, Message: "this section was made before the first delta: only its id is known"}}
		return node
	}
	if made := s.madeBy; made.delta != none {
		d := l.deltas[made.delta]
		r := d.carrier.buffer.Reader(ctx)
		defer d.carrier.buffer.Release(r)
		if c := d.command(r, made.index); c.kind >= 0 {
			node.Spans = []model.Span{d.tableSpan(r, c.table)}
		}
		node.Refs = l.sectionRefs(res, n)
	}
	return node
}

// sectionPath returns the path of a section in the layer view, or "" if the section was deleted.
func (l *live) sectionPath(ctx context.Context, res *result, n int32) string {
	var parts []string
	for range maxLevels {
		if n == none {
			break
		}
		s := &res.layer.nodes[n]
		if s.deleted {
			return ""
		}
		if s.id == rootID {
			break
		}
		root := res.layer.find(rootID)
		parent := s.parent
		if parent == none && res.layer.isAlive(root) {
			parent = root
		}
		c := l.newChildren(ctx, res, parent)
		parts = append(parts, model.EscapeSegment(c.kidSegment(n)))
		n = s.parent
	}
	slices.Reverse(parts)
	return strings.Join(append([]string{layerView}, parts...), "/")
}

// settingNode is a field or time sample that was set.
func (l *live) settingNode(ctx context.Context, res *result, n, i int32, name string) model.Node {
	x := &res.layer.nodes[n].settings[i]
	d := l.deltas[x.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	s, ok := d.setting(r, x.sample, x.index)
	node := model.Node{Name: name, Type: "field", Help: "set by the delta: " + fieldHelp["keyName"]}
	if !ok {
		return node
	}
	label := x.key
	if x.sample {
		label = "at " + model.FormatFloat(x.time, 64)
	}
	node.Spans = []model.Span{d.tableSpan(r, s.table)}
	part := ""
	switch at := d.valueSpan(&s); {
	case s.empty():
		node.Type, node.Brief = "erased", "takes "+label+" away"
	case at.Source == nil:
		node.Type, node.Brief = "external value", fmt.Sprintf("part %d, which is not there", s.index)
	default:
		v := d.values.open(at, 0)
		if at.Len <= smallValue {
			node.Value, node.Brief = v.show(ctx)
		}
		node.Type = v.typeName(ctx)
		if s.external() {
			part = d.layout + "/" + partName(int64(s.index))
		}
		node.Spans = append(node.Spans, at)
		node.Problems = []model.Problem{assumedPacking.note(at)}
		node.Children = l.settingParts(ctx, d, x, s, at)
	}
	if !x.live() && x.over != none {
		by := &res.layer.nodes[n].settings[x.over]
		was := node.Brief
		if node.Value != nil {
			was = model.Show(ctx, node.Value, 40)
		}
		node.Brief = strings.TrimSpace(fmt.Sprintf("%s: %s, overwritten by %s", label, was, l.settingText(by.origin, by.sample)))
		node.Value = nil
	}
	node.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{d.tree.Ref("set by", s.table)}
		if part != "" {
			refs = append(refs, model.Ref{Kind: "value", Path: part})
		}
		return append(refs, l.overwrittenBy(ctx, res, n, x)...)
	}
	return node
}

// overwrittenBy is the link from a setting of section n to the one that took its place.
func (l *live) overwrittenBy(ctx context.Context, res *result, n int32, x *setField) []model.Ref {
	if x.over == none {
		return nil
	}
	by := &res.layer.nodes[n].settings[x.over]
	o := owner{delta: int(by.delta), command: none, field: by.index, sample: none}
	if by.sample {
		o.field, o.sample = none, by.index
	}
	path := l.settingPath(ctx, res, n, o)
	if path == "" {
		return nil
	}
	return []model.Ref{{Kind: "overwritten by", Path: l.sectionPath(ctx, res, n) + "/" + path}}
}

// settingText names a setting for a person.
func (l *live) settingText(p origin, sample bool) string {
	what := "setFields"
	if sample {
		what = samplesName
	}
	if len(l.deltas) > 1 {
		what = l.deltas[p.delta].name + ", " + what
	}
	return what + model.IndexName(p.index)
}

// settingParts is the details of a setting: its time, its order, its value and, of an external one, its check.
func (l *live) settingParts(ctx context.Context, d *delta, x *setField, s setting, at model.Span) model.Children {
	var nodes []model.Node
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	fields := &d.bind.field
	if x.sample {
		fields = &d.bind.sample
	}
	var time, order []model.Span
	if t, ok := r.Table(s.table); ok {
		time, order = d.fieldSpans(&t, fields.time), d.fieldSpans(&t, fields.setOrder)
	}
	if x.sample {
		nodes = append(nodes, model.Node{Name: "time", Type: "double", Value: model.Float64(x.time), Spans: time, Help: fieldHelp["time"]})
	}
	nodes = append(nodes, model.Node{Name: "setOrder", Type: "uint", Value: model.Uint(s.order), Spans: order, Help: fieldHelp["setOrder"], Problems: []model.Problem{assumedSetOrder.note(d.carrier.buffer.Span(s.table, 4))}})
	if s.external() {
		nodes = append(nodes, d.externalNode(s))
	}
	return model.NewList(append(nodes, d.values.node(ctx, "value", at))...)
}

// externalNode returns the node of an external value. Resolving it checks the hash.
func (d *delta) externalNode(s setting) model.Node {
	n := model.Node{Name: "external", Type: "external value", Brief: fmt.Sprintf("part %d, %d bytes", s.index, s.size), Help: "size and SHA-1 are checked when looked at"}
	hash := d.carrier.buffer.Span(s.value.first, s.value.n)
	n.Spans = []model.Span{hash}
	n.Children = d.values.pending(pendingKey{"external", s.table, 0}, func(ctx context.Context, progress model.Progress) (model.Children, error) {
		x, err := d.external(ctx, &s, true, progress)
		if err != nil {
			return nil, err
		}
		list := []model.Node{
			{Name: "SHA-1", Type: "SHA-1", Value: model.Blob{Span: hash}, Spans: []model.Span{hash}, Help: fieldHelp["valueOrExtHash"], Problems: x.problems},
			{Name: "size", Type: "ulong", Value: model.Uint(s.size), Help: fieldHelp["extValueSize"]},
			{Name: "part", Type: "uint", Value: model.Uint(s.index), Help: fieldHelp["extValueIndex"]},
		}
		if x.checked {
			list = append(list, model.Node{Name: "matches", Type: "bool", Value: model.Bool(x.matches), Help: "whether the part's SHA-1 is the field's hash"})
		}
		return model.NewList(list...), nil
	})
	return n
}
