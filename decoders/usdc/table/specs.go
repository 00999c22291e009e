package table

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
)

// specTypes names the spec types (chapter 6).
var specTypes = [...]string{
	"unknown", "attribute", "connection", "expression", "mapper", "mapperArg",
	"prim", "pseudoRoot", "relationship", "relationshipTarget", "variant", "variantSet",
}

// RowText returns a row of a table that is its text.
func RowText(row *string) string { return *row }

// SpecTypeName returns the name of a spec type (chapter 6), or "" if there is no such type.
func SpecTypeName(t uint32) string {
	if t < uint32(len(specTypes)) {
		return specTypes[t]
	}
	return ""
}

// Specs is the table of specs (chapter 6): path, field set and type of each.
type Specs struct {
	Section
	Paths, Sets, Types model.Numbers
	columns            [3]column // of paths, field sets and types
	Problems           map[int64][]model.Problem
	ByPath             model.Numbers // first spec of each path, or -1 if there is none
}

// Specs loads the specs; the error is that of the context, damage leaves a shorter table.
func (c *Crate) Specs(ctx context.Context, progress model.Progress) (*Specs, error) {
	return c.specTable.Get(ctx, progress, c.loadSpecs)
}

func (c *Crate) loadSpecs(ctx context.Context, progress model.Progress) (*Specs, error) {
	s := &Specs{Problems: map[int64][]model.Problem{}}
	s.columns = [3]column{
		{name: "pathIndexes", record: "path", show: s.showSpecPath},
		{name: "fieldSetIndexes", record: "fieldSet", show: c.showSetIndex},
		{name: "types", record: "type", show: showType},
	}
	if !s.open(ctx, c, "SPECS") {
		return s, nil
	}
	paths, sets, types := &s.columns[0], &s.columns[1], &s.columns[2]
	if err := s.readColumns(ctx, progress, "specs", s.claimed, paths, sets, types); err != nil {
		return s, err
	}
	s.Paths, s.Sets, s.Types = paths.Values, sets.Values, types.Values
	if paths.size > 0 {
		s.showRecords(ctx, "specs", "spec", "specs", func(ctx context.Context, i int64, n *model.Node) {
			n.Brief, _ = c.PathAt(ctx, s.Paths.At(i))
			n.Refs = func(ctx context.Context) []model.Ref { return []model.Ref{s.c.Scene.SpecRef(ctx, i)} }
		})
	}
	err := s.check(ctx, progress)
	s.finish()
	return s, err
}

// showPathIndex shows a number as the index of a path.
func (c *Crate) showPathIndex(ctx context.Context, _, v int64, n *model.Node) {
	i := uint32(v)
	text, err := c.PathAt(ctx, i)
	if err == nil && text == "" {
		n.Type, n.Value = PathIndex.Name(), model.Symbol{Number: v, Name: "the empty path"}
		return
	}
	showIndex(n, PathIndex.Name(), i, text, c.PathRef(ctx, i), err)
}

// showSpecPath shows a field as the index of a path.
func showSpecPath(s grammar.Scope, v grammar.Value, n *model.Node) {
	showNumber((*Crate).showPathIndex, s, v, n)
}

// showSetIndex shows a field as the index of a field set.
func showSetIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	showNumber((*Crate).showSetIndex, s, v, n)
}

func (c *Crate) showSetIndex(_ context.Context, _, v int64, n *model.Node) {
	n.Type, n.Value = "FieldSetIndex", model.Uint(uint32(v))
	n.Refs = func(ctx context.Context) []model.Ref { return c.FieldSetRefs(ctx, uint32(v)) }
}

func showType(_ context.Context, _, v int64, n *model.Node) {
	n.Type, n.Value = "SpecType", model.Symbol{Number: int64(uint32(v)), Name: SpecTypeName(uint32(v))}
}

// showSpecPath shows spec i by its path, with what else the spec has.
func (s *Specs) showSpecPath(ctx context.Context, i, v int64, n *model.Node) {
	s.c.showPathIndex(ctx, i, v, n)
	path := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		var refs []model.Ref
		if path != nil {
			refs = path(ctx)
		}
		return append(refs, s.c.Scene.SpecRef(ctx, i), s.c.Entries.SpecSets.Ref("fieldset", i), s.c.Entries.SpecTypes.Ref("type", i))
	}
}

// Count returns the number of specs that are whole.
func (s *Specs) Count() int64 {
	return min(s.Paths.Len(), s.Sets.Len(), s.Types.Len())
}

// check makes the checks of chapter 15 and finds the spec of each path.
func (s *Specs) check(ctx context.Context, progress model.Progress) error {
	p, err := s.c.Paths(ctx, progress)
	if err != nil {
		return err
	}
	sets, err := s.c.FieldSets(ctx, progress)
	if err != nil {
		return err
	}
	byPath := make([]int32, p.ByPath.Len())
	for i := range byPath {
		byPath[i] = -1
	}
	listed := 0
	report := func(i int64, of *column, problem model.Problem) {
		if listed++; listed <= maxListed {
			problem = coding.ProblemAt(problem, of.place(ctx, i))
			of.node.Problems = append(of.node.Problems, problem)
			s.Problems[i] = append(s.Problems[i], problem)
		}
	}
	items, setOf, types := p.ByPath.Cursor(), s.Sets.Cursor(), s.Types.Cursor()
	for i, path := range s.Paths.Slice(0, s.Count()).All() {
		if i&(1<<16-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if problem, wrong := s.checkPath(i, path, p, items, byPath); wrong {
			report(i, &s.columns[0], problem)
		}
		if set := setOf.At(i); sets.complete() && !sets.startsGroup(set) {
			report(i, &s.columns[1], s.badSet(set, sets))
		}
		if t := types.At(i); t == 0 || SpecTypeName(t) == "" {
			report(i, &s.columns[2], model.Problemf(model.Malformed, "usdc.specs.type", model.Span{}, "spec type %d does not exist", t).Want("1 to 11", t))
		}
	}
	s.ByPath = model.NumbersOf(byPath)
	return nil
}

func (s *Specs) badSet(set uint32, sets *FieldSets) model.Problem {
	if int64(set) >= sets.claimed {
		return outOfRange("field-set", set, sets.claimed)
	}
	return model.Problemf(model.Malformed, "usdc.specs.field-set", model.Span{},
		"field set index %d leads inside a field set, not to its beginning", set).Want("0 or after a terminator", set)
}

// checkPath enters spec i as the one of its path, unless something is wrong with that.
func (s *Specs) checkPath(i int64, path uint32, p *Paths, items *model.NumbersCursor, byPath []int32) (problem model.Problem, wrong bool) {
	switch {
	case p.known && (path == None || int64(path) >= p.claimed):
		return outOfRange("path", path, p.claimed), true
	case int64(path) >= int64(len(byPath)) || int32(items.At(int64(path))) < 0:
		return model.Problemf(model.Malformed, "usdc.specs.empty-path", model.Span{}, "the spec is of the empty path"), p.Complete
	case byPath[path] >= 0:
		return model.Problemf(model.Malformed, "usdc.specs.path-repeated", model.Span{}, "spec %d has the same path", byPath[path]), true
	}
	byPath[path] = int32(i)
	return problem, false
}

// SpecAt returns the spec of a path, or false if it has none.
func (s *Specs) SpecAt(path uint32) (i int64, ok bool) {
	if int64(path) >= s.ByPath.Len() {
		return 0, false
	}
	i = int64(int32(s.ByPath.At(int64(path))))
	return i, i >= 0
}

// Spans returns the bytes that a spec is shown for: its path index, below 0.4.0 its record.
func (s *Specs) Spans(ctx context.Context, i int64) []model.Span {
	k := &s.columns[0]
	if k.coded != nil {
		return k.coded.Spans(ctx, i)
	}
	return []model.Span{s.c.Src.Span(k.records.Off+i*k.size, k.size)}
}

// PathPlace returns the bytes of the path index of spec i, or those that show it best.
func (s *Specs) PathPlace(ctx context.Context, i int64) model.Span {
	return s.columns[0].place(ctx, i)
}

// TypePlace returns the bytes of the type of spec i, or those that show it best.
func (s *Specs) TypePlace(ctx context.Context, i int64) model.Span {
	return s.columns[2].place(ctx, i)
}

// CodedPaths returns the coded path indexes, or nil below 0.4.0.
func (s *Specs) CodedPaths() *coding.List { return s.columns[0].coded }
