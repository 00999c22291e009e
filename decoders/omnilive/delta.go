package omnilive

import (
	"context"
	"fmt"
	"sync/atomic"

	"cutaway/decoders/flatbuffer"
	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

// The kinds of commands, in the order of the page.
const (
	createSection = iota
	deleteSection
	moveSection
	reorderChildren
	diffChangeSection
	diffDeleteSection
	commandKinds
)

var commandNames = [commandKinds]string{"CreateSection", "DeleteSection", "MoveSection", "ReorderChildren", "DiffChangeSection", "DiffDeleteSection"}

// binding holds the fields of a schema that this program uses, found by name. A field is nil if the schema lacks it.
type binding struct {
	isDiff, baseVersion, structCommands, setFields, timeSamples *flatbuffer.Field
	sourceFormat                                                *flatbuffer.Field // which a schema may lack

	unionVector bool              // structCommands is a vector of unions, whose types are in commandTypes
	types       *flatbuffer.Field // of the unions: a field of the root, or of the wrapper
	union       *flatbuffer.Field // in the wrapper
	kinds       map[uint8]int     // command kind by the union's type number

	sectionID, parentID, sectionName, sectionType, sectionOrder     [commandKinds]*flatbuffer.Field
	oldParentID, newParentID, newName, childrenList, childrenListID *flatbuffer.Field

	field, sample item
	missing       []string // names that the schema does not have
}

// item holds the fields of SetField or TimeSample.
type item struct {
	sectionID, keyName, time, value, extValueSize, extValueIndex, setOrder *flatbuffer.Field
}

// bind finds the fields of a schema by their names.
func bind(s *flatbuffer.Schema) *binding {
	b := &binding{kinds: make(map[uint8]int)}
	find := func(o *flatbuffer.Object, name string) *flatbuffer.Field {
		if f := o.Field(name); f != nil {
			return f
		}
		b.missing = append(b.missing, o.Name+"."+name)
		return nil
	}
	root := &s.Objects[s.Root]
	b.isDiff, b.baseVersion = find(root, "isDiff"), find(root, "baseVersion")
	b.sourceFormat = root.Field("sourceFormat")
	b.structCommands, b.setFields, b.timeSamples = find(root, "structCommands"), find(root, "setFields"), find(root, "timeSamples")
	b.bindCommands(s, root)
	items := func(f *flatbuffer.Field, key bool) item {
		if f == nil || f.Type.Elem != reflection.BaseTypeObj {
			return item{}
		}
		o := &s.Objects[f.Type.Index]
		x := item{
			sectionID: find(o, "sectionId"), value: find(o, "valueOrExtHash"), extValueSize: find(o, "extValueSize"),
			extValueIndex: find(o, "extValueIndex"), setOrder: find(o, "setOrder"),
		}
		if key {
			x.keyName = find(o, "keyName")
		} else {
			x.time = find(o, "time")
		}
		return x
	}
	b.field, b.sample = items(b.setFields, true), items(b.timeSamples, false)
	return b
}

func (b *binding) bindCommands(s *flatbuffer.Schema, root *flatbuffer.Object) {
	f := b.structCommands
	if f == nil {
		return
	}
	union := -1
	switch f.Type.Elem {
	case reflection.BaseTypeUnion:
		b.unionVector, union = true, f.Type.Index
		b.types = fieldOfSlot(root, f.Slot-1)
	case reflection.BaseTypeObj:
		wrapper := &s.Objects[f.Type.Index]
		for i := range wrapper.Fields {
			if w := &wrapper.Fields[i]; w.Type.Base == reflection.BaseTypeUnion {
				b.union, union = w, w.Type.Index
				b.types = fieldOfSlot(wrapper, w.Slot-1)
			}
		}
	}
	if union < 0 || b.types == nil {
		b.missing = append(b.missing, "a union of commands in structCommands")
		b.structCommands = nil
		return
	}
	for _, v := range s.Enums[union].Values {
		for kind, name := range commandNames {
			if v.Type.Base != reflection.BaseTypeObj || v.Number == 0 || s.Objects[v.Type.Index].IsStruct {
				continue
			}
			if o := &s.Objects[v.Type.Index]; v.Name == name || s.Object(name) == v.Type.Index {
				b.kinds[uint8(v.Number)] = kind
				b.bindCommand(o, kind)
			}
		}
	}
}

func (b *binding) bindCommand(o *flatbuffer.Object, kind int) {
	b.sectionID[kind], b.parentID[kind] = o.Field("sectionId"), o.Field("parentId")
	b.sectionName[kind], b.sectionType[kind], b.sectionOrder[kind] = o.Field("sectionName"), o.Field("sectionType"), o.Field("sectionOrder")
	switch kind {
	case moveSection:
		b.oldParentID, b.newParentID, b.newName = o.Field("oldParentId"), o.Field("newParentId"), o.Field("newName")
	case reorderChildren:
		b.childrenList, b.childrenListID = o.Field("childrenList"), o.Field("childrenListId")
	}
}

func fieldOfSlot(o *flatbuffer.Object, slot int) *flatbuffer.Field {
	for i := range o.Fields {
		if o.Fields[i].Slot == slot && (o.Fields[i].Type.Base == reflection.BaseTypeUType || o.Fields[i].Type.Elem == reflection.BaseTypeUType) {
			return &o.Fields[i]
		}
	}
	return nil
}

// delta is one opened file.
type delta struct {
	name    string // the file's
	carrier *carrier
	choice  choice
	tree    *flatbuffer.Tree // nil: there is no FlatBuffer
	bind    *binding         // nil: no schema
	values  *values
	layout  string // path of the layout's root

	unusable error // why schemas of the user cannot be used

	isDiff       bool
	baseVersion  uint64
	sourceFormat string // for old clients; "" where there is none
	commands     vector
	types        vector // of the commands, with a vector of unions
	fields       vector
	samples      vector
	hashes       hashes
	links        links
	other        atomic.Pointer[flatbuffer.Schema] // reads all where the one that was chosen does not
}

// vector is a vector of the root table.
type vector struct{ first, n int64 }

// newDelta looks at a file: its carrier and the head of its FlatBuffer.
func newDelta(ctx context.Context, src *model.Source, c candidates) *delta {
	d := &delta{name: src.Title(), carrier: newCarrier(ctx, src), values: newValues(src), layout: src.LayoutPath(), unusable: c.unusable}
	b := d.carrier.buffer
	if b == nil {
		return d
	}
	b.Rules(bufferRules)
	d.choice = choose(ctx, b, c.list)
	path := d.layout + "/" + bufferName
	if d.carrier.form == formMultiPart {
		path = d.layout + "/" + partName(0)
		if off, size := d.carrier.part(0); b.Whole().Len < size || b.Whole().Off > off {
			path += "/" + bufferName
		}
	}
	d.tree = flatbuffer.NewTree(b, d.choice.verdict, path)
	d.tree.Decorate, d.tree.Walked = d.decorate, d.tryOthers
	if s := d.choice.verdict.Schema; s != nil {
		d.bind = bind(s)
		d.readRoot(ctx)
	}
	return d
}

func (d *delta) readRoot(ctx context.Context) {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	root, ok := r.Root()
	if !ok {
		return
	}
	b := d.bind
	d.isDiff, d.baseVersion = root.Uint(b.isDiff) != 0, root.Uint(b.baseVersion)
	if b.sourceFormat != nil {
		if first, n, ok := root.Bytes(b.sourceFormat); ok {
			d.sourceFormat = r.Text(first, n, maxName)
		}
	}
	at := func(f *flatbuffer.Field, size int64) vector {
		first, n := root.Vector(f, size)
		return vector{first, n}
	}
	d.fields, d.samples, d.commands = at(b.setFields, 4), at(b.timeSamples, 4), at(b.structCommands, 4)
	if b.unionVector {
		d.types = at(b.types, 1)
		d.commands.n = min(d.commands.n, d.types.n)
	}
}

// command is one command, as it stands in the file.
type command struct {
	kind        int // -1: not known
	table       int64
	sectionID   uint64
	parentID    uint64 // newParentId of MoveSection
	oldParentID uint64
	name        string // newName of MoveSection
	named       bool   // the name is set
	sectionType uint32
	order       uint64
	list        vector // childrenList
	listID      uint64 // childrenListId
}

// childrenLists is the most lists of children that a section has. Its spec type decides which it has.
const childrenLists = 3

// maxName is the most bytes of a name that are read.
const maxName = 64 << 10

// commandTables are the tables of command i: its wrapper's, and its own, which are one with a vector of unions. 0: there
// is none.
func (d *delta) commandTables(r *flatbuffer.Reader, i int64) (outer, inner int64) {
	outer = r.Element(d.commands.first, i)
	if d.bind.unionVector {
		return outer, outer
	}
	if wrapper, ok := r.Table(outer); ok {
		inner = wrapper.Target(d.bind.union)
	}
	return outer, inner
}

// command reads command i; kind is -1 where it cannot be.
func (d *delta) command(r *flatbuffer.Reader, i int64) command {
	c := command{kind: -1}
	b := d.bind
	var number uint8
	outer, inner := d.commandTables(r, i)
	if b.unionVector {
		number, _ = r.U8(d.types.first + i)
	} else if wrapper, ok := r.Table(outer); ok {
		number = uint8(wrapper.Uint(b.types))
	}
	c.table = inner
	kind, known := b.kinds[number]
	t, ok := r.Table(c.table)
	if !known || !ok || c.table == 0 {
		return c
	}
	c.kind = kind
	c.sectionID, c.parentID = t.Uint(b.sectionID[kind]), t.Uint(b.parentID[kind])
	c.sectionType, c.order = uint32(t.Uint(b.sectionType[kind])), t.Uint(b.sectionOrder[kind])
	name := b.sectionName[kind]
	switch kind {
	case moveSection:
		c.parentID, c.oldParentID, name = t.Uint(b.newParentID), t.Uint(b.oldParentID), b.newName
	case reorderChildren:
		c.list.first, c.list.n = t.Vector(b.childrenList, b.childrenList.ElementSize())
		c.listID = t.Uint(b.childrenListID)
	}
	if first, n, ok := t.Bytes(name); ok {
		c.name, c.named = r.Text(first, n, maxName), true
	}
	return c
}

// setting is a SetField or TimeSample, as it stands in the file.
type setting struct {
	table     int64
	sectionID uint64
	key       string
	time      float64
	hasValue  bool
	value     vector // bytes of valueOrExtHash
	size      uint64 // extValueSize
	index     uint64 // extValueIndex
	order     uint64
}

// external reports whether the value is in a part.
func (s *setting) external() bool { return s.size != 0 || s.index != 0 }

// empty reports whether the setting takes the field or sample away.
func (s *setting) empty() bool { return !s.external() && s.value.n == 0 }

// setting reads field i, or sample i.
func (d *delta) setting(r *flatbuffer.Reader, sample bool, i int64) (s setting, ok bool) {
	v, b := d.fields, &d.bind.field
	if sample {
		v, b = d.samples, &d.bind.sample
	}
	s.table = r.Element(v.first, i)
	t, ok := r.Table(s.table)
	if !ok || s.table == 0 {
		return s, false
	}
	s.sectionID, s.size, s.index, s.order = t.Uint(b.sectionID), t.Uint(b.extValueSize), t.Uint(b.extValueIndex), t.Uint(b.setOrder)
	s.value.first, s.value.n, s.hasValue = t.Bytes(b.value)
	if first, n, ok := t.Bytes(b.keyName); ok {
		s.key = r.Text(first, n, maxName)
	}
	if b.time != nil {
		s.time = t.Float(b.time)
	}
	return s, true
}

// bufferNode is the node of the FlatBuffer.
func (d *delta) bufferNode(name string) model.Node {
	help := "the delta"
	n := d.tree.Node(name, help)
	problems := append(d.carrier.notes[:len(d.carrier.notes):len(d.carrier.notes)], n.Problems...)
	s := d.choice.verdict.Schema
	whole := d.carrier.buffer.Whole()
	switch {
	case s == nil:
		n.Help = "no schema reads its root table: what is shown is inferred"
		problems = append(problems, model.AsProblem(d.choice.failed, "omnilive.truncated", whole))
	case s.Name == nameA || s.Name == nameB:
		n.Brief = "schema " + s.Name + ", a reconstruction"
	default:
		n.Brief = "schema " + s.Name
	}
	problems = append(problems, d.schemaProblems(whole)...)
	if s != nil {
		for _, a := range d.assumptions() {
			problems = append(problems, a.note(whole))
		}
		if len(d.bind.missing) > 0 {
			problems = append(problems, model.Problemf(model.Suspicious, "omnilive.schema.binding", whole, "the schema %s does not have %q", s.Name, d.bind.missing))
		}
	}
	n.Problems = problems
	return n
}

// schemaProblems returns the problems of schemas of the user that were not taken.
func (d *delta) schemaProblems(whole model.Span) []model.Problem {
	var list []model.Problem
	if d.unusable != nil {
		list = append(list, flatbuffer.UnusableSchema(bufferRules, whole, d.unusable))
	}
	if other := d.other.Load(); other != nil {
		list = append(list, model.Problemf(model.Suspicious, "omnilive.schema.other", whole,
			"the schema %s was chosen by the first %d items and fails after them; the schema %s reads all: set the option schema",
			d.choice.verdict.Schema.Name, firstItems, other.Name))
	}
	for _, v := range d.choice.others {
		if v.Schema.Name == nameA || v.Schema.Name == nameB {
			continue
		}
		why := fmt.Sprintf("fields that it does not know: %d", v.Unknown)
		if err := v.First(); err != nil {
			why = err.Error()
		}
		list = append(list, model.Problemf(model.Suspicious, "omnilive.schema.not-taken", whole, "the schema %s was tried and another fits better: %s", v.Schema.Name, why))
	}
	return list
}

// partNode is the node of part i.
func (d *delta) partNode(ctx context.Context, i int64) model.Node {
	off, size := d.carrier.part(i)
	at := d.carrier.src.Span(off, size)
	if i > 0 {
		return d.largePart(ctx, i, at)
	}
	inner := d.carrier.buffer.Whole()
	if inner.Off == off {
		return d.bufferNode(partName(0))
	}
	letters := model.Node{Name: "letters", Type: "text", Value: model.Text(identifier), Spans: []model.Span{d.carrier.src.Span(off, 4)}}
	return model.Node{Name: partName(0), Type: "OODF", Spans: []model.Span{at}, Children: model.NewList(letters, d.bufferNode(bufferName))}
}

// largePart is the node of a part that is a value.
func (d *delta) largePart(ctx context.Context, i int64, at model.Span) model.Node {
	n := model.Node{Name: partName(i), Type: d.values.open(at, maxPadding).typeName(ctx), Spans: []model.Span{at},
		Help: "a large value; its type is that of its header"}
	n.Children = d.values.pending(pendingKey{"part", at.Off, at.End()}, func(ctx context.Context, progress model.Progress) (model.Children, error) {
		x, err := d.values.open(at, maxPadding).resolved(ctx, progress)
		if err != nil {
			return nil, err
		}
		nodes := []model.Node{x.node(ctx, "value")}
		if end := x.o.End(); end < at.End() {
			nodes[0].Spans[0].Len = end - at.Off
			span := at.Source.Span(end, at.End()-end)
			nodes = append(nodes, model.Node{Name: "padding", Type: "bytes", Role: model.Padding, Value: model.Blob{Span: span}, Spans: []model.Span{span}, Help: "filler after the value"})
		}
		return model.NewList(nodes...), nil
	})
	return n
}

// decorate shows the bytes of valueOrExtHash as what they are.
func (d *delta) decorate(ctx context.Context, t *flatbuffer.Table, f *flatbuffer.Field, at model.Span) []model.Node {
	if d.bind == nil {
		return nil
	}
	for _, b := range []*item{&d.bind.field, &d.bind.sample} {
		if f != b.value {
			continue
		}
		if t.Uint(b.extValueSize) != 0 || t.Uint(b.extValueIndex) != 0 {
			return []model.Node{{Name: "hash", Type: "SHA-1", Value: model.Blob{Span: at}, Spans: []model.Span{at}, Help: "of the external value, header and all"}}
		}
		return []model.Node{d.values.node(ctx, "value", at)}
	}
	return nil
}

// root is the root of the layout.
func (d *delta) root(name string) model.Node {
	src := d.carrier.src
	return model.Node{
		Name: name, Type: "Live layer", Brief: d.carrier.form, Spans: []model.Span{src.Whole()},
		Children: &sections{d, d.head()},
	}
}

// head is the nodes before the FlatBuffer or the parts, with what lies between.
func (d *delta) head() []model.Node {
	c := d.carrier
	end, next := int64(0), c.src.Size()
	if len(c.head) > 0 {
		end = c.head[len(c.head)-1].Span().End()
	}
	switch {
	case c.form == formMultiPart && len(c.order) > 0:
		next = c.offsets[c.order[0]]
	case c.form != formMultiPart && c.buffer != nil:
		next = c.buffer.Whole().Off
	}
	if next <= end {
		return c.head
	}
	at := c.src.Span(end, next-end)
	gap := model.Node{Name: "gap", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at}, Help: "bytes of no part"}
	if len(c.order) > 0 && at.Len < 64 {
		gap.Role, gap.Help = model.Padding, "filler between the table and the first part"
	}
	return append(c.head[:len(c.head):len(c.head)], gap)
}
