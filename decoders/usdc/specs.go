package usdc

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/read"
	"cutaway/model"
)

// specTypes names the spec types (chapter 6).
var specTypes = [...]string{
	"unknown", "attribute", "connection", "expression", "mapper", "mapperArg",
	"prim", "pseudoRoot", "relationship", "relationshipTarget", "variant", "variantSet",
}

func specTypeName(t uint32) string {
	if t < uint32(len(specTypes)) {
		return specTypes[t]
	}
	return ""
}

// specTable is the specs (chapter 6), 12 bytes each.
type specTable struct {
	sectionTable
	c                   *crate
	paths, sets, types  []uint32
	pathInts, setInts   *codedInts // from 0.4.0 on
	typeInts            *codedInts
	off, stride, filler int64 // of the records, below 0.4.0
	problems            map[int64][]model.Problem
	byPath              []int32 // first spec of each path; -1: none
}

// specs loads the specs; the error is that of the context, damage leaves a shorter table.
func (c *crate) specs(ctx context.Context, progress model.Progress) (*specTable, error) {
	return c.specTable.Get(ctx, progress, c.loadSpecs)
}

func (c *crate) loadSpecs(ctx context.Context, progress model.Progress) (*specTable, error) {
	s := &specTable{c: c, problems: map[int64][]model.Problem{}}
	sec, err := c.need("SPECS")
	if err != nil {
		return s, nil
	}
	r := read.New(ctx, c.src, sec.lo, sec.hi, "usdc.specs.truncated")
	count := r.U64("count", "number of specs")
	s.claim(r, count)
	var nodes [3]*model.Node
	switch {
	case !r.Ok():
	case c.inflated():
		nodes, err = s.readCompressed(ctx, progress, r)
	default:
		nodes, err = s.readRecords(ctx, r, count)
	}
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, progress, nodes); err != nil {
		return nil, err
	}
	if c.inflated() {
		for _, n := range nodes {
			if n != nil {
				r.Add(*n)
			}
		}
	}
	s.nodes = finish(r, "SPECS")
	return s, nil
}

func (s *specTable) readRecords(ctx context.Context, r *read.Cursor, count uint64) (nodes [3]*model.Node, err error) {
	s.stride = 12
	if s.c.before(0, 2) {
		s.filler, s.stride = 4, 16
	}
	n := r.Count(count, s.stride, "usdc.specs.count")
	if n == 0 {
		return nodes, nil
	}
	at := r.Skip("specs", n*s.stride, model.Explained, "records of path, field set and type")
	node := r.Field()
	node.Type, node.Value, node.Brief = "Spec[]", nil, plural(n, "spec", "specs")
	node.Children = model.FixedRows(r.Source(), at.Off, s.stride, n, s.recordNode)
	s.off = at.Off
	err = eachRecord(ctx, r.Source(), at.Off, s.stride, n, func(_ int64, b []byte) {
		b = b[s.filler:]
		s.paths = append(s.paths, binary.LittleEndian.Uint32(b))
		s.sets = append(s.sets, binary.LittleEndian.Uint32(b[4:]))
		s.types = append(s.types, binary.LittleEndian.Uint32(b[8:]))
	})
	return [3]*model.Node{node, node, node}, readFailure(ctx, err, node, "usdc.specs.read")
}

func (s *specTable) recordNode(ctx context.Context, i int64) model.Node {
	at := s.off + i*s.stride
	r := read.New(ctx, s.c.src, at, at+s.stride, "usdc.specs.truncated")
	r.Pad("filler", s.filler, "stale memory")
	s.showPath(ctx, r.U32("path", "PathIndex"), r.Field())
	s.showSet(r.U32("fieldSet", "FieldSetIndex: position in FIELDSETS"), r.Field())
	showType(r.U32("type", "spec type"), r.Field())
	n := r.Node(model.IndexName(i), "Spec", "")
	n.Brief, _ = s.c.path(ctx, s.paths[i])
	n.Refs = s.recordRefs(i)
	return n
}

func (s *specTable) recordRefs(i int64) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref { return []model.Ref{{Kind: "target", Path: s.scenePath(ctx, i)}} }
}

func (s *specTable) showPath(ctx context.Context, i uint32, n *model.Node) {
	text, err := s.c.path(ctx, i)
	if err == nil && text == "" {
		n.Type, n.Value = "PathIndex", model.Symbol{Number: int64(i), Name: "the empty path"}
		return
	}
	showIndex(n, "PathIndex", i, text, s.c.pathRef(ctx, i), err)
}

func (s *specTable) showSet(i uint32, n *model.Node) {
	n.Type, n.Value = "FieldSetIndex", model.Uint(i)
	n.Refs = func(ctx context.Context) []model.Ref { return s.c.setRefs(ctx, i) }
}

func showType(t uint32, n *model.Node) {
	n.Type, n.Value = "SpecType", model.Symbol{Number: int64(t), Name: specTypeName(t)}
}

func (s *specTable) readCompressed(ctx context.Context, progress model.Progress, r *read.Cursor) (nodes [3]*model.Node, err error) {
	columns, err := s.readColumns(ctx, progress, s.c, r, "SPECS", s.claimed, []intColumn{
		{name: "pathIndexes", title: "SPECS pathIndexes", typ: "PathIndex[]", help: "the path of each spec, as coded integers",
			show: s.showSpecPath},
		{name: "fieldSetIndexes", title: "SPECS fieldSetIndexes", typ: "FieldSetIndex[]",
			help: "where the field set of each spec begins in FIELDSETS, as coded integers",
			show: func(_ context.Context, _, v int64, n *model.Node) { s.showSet(uint32(v), n) }},
		{name: "types", title: "SPECS types", typ: "SpecType[]", help: "the type of each spec, as coded integers",
			show: func(_ context.Context, _, v int64, n *model.Node) { showType(uint32(v), n) }},
	})
	ints, values := [...]**codedInts{&s.pathInts, &s.setInts, &s.typeInts}, [...]*[]uint32{&s.paths, &s.sets, &s.types}
	for k := range columns {
		*ints[k], *values[k], nodes[k] = columns[k].ints, columns[k].values, &columns[k].node
	}
	return nodes, err
}

// showSpecPath shows spec i by its path, with what else the spec has.
func (s *specTable) showSpecPath(ctx context.Context, i, v int64, n *model.Node) {
	s.showPath(ctx, uint32(v), n)
	path := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		var refs []model.Ref
		if path != nil {
			refs = path(ctx)
		}
		return append(refs, model.Ref{Kind: "target", Path: s.scenePath(ctx, i)},
			s.c.links.specSets.Ref("fieldset", i), s.c.links.specTypes.Ref("type", i))
	}
}

// count is the number of specs that are there whole.
func (s *specTable) count() int64 {
	return int64(min(len(s.paths), len(s.sets), len(s.types)))
}

// place is the bytes of one number of spec i: 0 its path, 1 its field set, 2 its type.
func (s *specTable) place(ctx context.Context, i int64, which int64) model.Span {
	if s.pathInts == nil {
		return s.c.src.Span(s.off+i*s.stride+s.filler+4*which, 4)
	}
	ints := [...]*codedInts{s.pathInts, s.setInts, s.typeInts}[which]
	list, err := ints.load(ctx, nil)
	if err != nil {
		return model.Span{}
	}
	return list.place(ctx, i)
}

// check makes the checks of chapter 15 and finds the spec of each path.
func (s *specTable) check(ctx context.Context, progress model.Progress, nodes [3]*model.Node) error {
	p, err := s.c.paths(ctx, progress)
	if err != nil {
		return err
	}
	sets, err := s.c.fieldSets(ctx, progress)
	if err != nil {
		return err
	}
	s.byPath = make([]int32, len(p.byPath))
	for i := range s.byPath {
		s.byPath[i] = -1
	}
	listed := 0
	report := func(i, which int64, problem model.Problem) {
		if listed++; listed <= maxListed {
			problem = problemAt(problem, s.place(ctx, i, which))
			nodes[which].Problems = append(nodes[which].Problems, problem)
			s.problems[i] = append(s.problems[i], problem)
		}
	}
	for i := range s.count() {
		if i&(1<<16-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.checkPath(i, p, report)
		if set := s.sets[i]; sets.complete() && !sets.startsGroup(set) {
			report(i, 1, s.badSet(set, sets))
		}
		if t := s.types[i]; t == 0 || specTypeName(t) == "" {
			report(i, 2, model.Problemf(model.Malformed, "usdc.specs.type", model.Span{}, "spec type %d does not exist", t).Want("1 to 11", t))
		}
	}
	return nil
}

func (s *specTable) badSet(set uint32, sets *fieldSets) model.Problem {
	if int64(set) >= sets.claimed {
		return outOfRange("field-set", set, sets.claimed)
	}
	return model.Problemf(model.Malformed, "usdc.specs.field-set", model.Span{},
		"field set index %d leads inside a field set, not to its beginning", set).Want("0 or behind a terminator", set)
}

func (s *specTable) checkPath(i int64, p *pathTable, report func(i, which int64, problem model.Problem)) {
	path := s.paths[i]
	switch {
	case p.known && (path == none || int64(path) >= p.claimed):
		report(i, 0, outOfRange("path", path, p.claimed))
	case int64(path) >= int64(len(s.byPath)) || p.byPath[path] < 0:
		if p.complete {
			report(i, 0, model.Problemf(model.Malformed, "usdc.specs.empty-path", model.Span{}, "the spec is of the empty path"))
		}
	case s.byPath[path] >= 0:
		report(i, 0, model.Problemf(model.Malformed, "usdc.specs.path-repeated", model.Span{},
			"spec %d has the same path", s.byPath[path]))
	default:
		s.byPath[path] = int32(i)
	}
}

// of is the spec of a path; ok is false where it has none.
func (s *specTable) of(path uint32) (i int64, ok bool) {
	if int64(path) >= int64(len(s.byPath)) || s.byPath[path] < 0 {
		return 0, false
	}
	return int64(s.byPath[path]), true
}

// spans is the bytes that a spec is shown for: its path index, below 0.4.0 its record.
func (s *specTable) spans(ctx context.Context, i int64) []model.Span {
	if s.pathInts == nil {
		return []model.Span{s.c.src.Span(s.off+i*s.stride, s.stride)}
	}
	l, err := s.pathInts.load(ctx, nil)
	if err != nil {
		return nil
	}
	return l.spans(ctx, i)
}

// scenePath is the path of the scene node that shows spec i.
func (s *specTable) scenePath(ctx context.Context, i int64) string {
	x, err := s.c.sceneIndex(ctx, nil)
	if err != nil {
		return sceneView
	}
	return x.specPath(ctx, int32(i))
}
