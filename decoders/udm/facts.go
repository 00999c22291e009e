package udm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// A step is a datum that a pass over the asset visits.
type step struct {
	up    *step     // what it is in
	at    *nodePath // its path in the asset
	named bool      // it is the child of an element
	datum datum
	depth int
	c     *contents // nil before they are asked for
	ctx   context.Context
	tally *arrayTally // of an array that was counted
}

// contents returns the contents of the datum.
func (s *step) contents() (*contents, error) {
	if s.c == nil {
		var err error
		if s.c, err = s.datum.contents(s.ctx, nil); err != nil {
			return nil, err
		}
	}
	return s.c, nil
}

// errSkip is returned by a visitor to leave out the contents of a datum.
var errSkip = errors.New("skip")

// eachDatum visits the root element and all below it, packed values excepted, depth first.
func (d *udm) eachDatum(ctx context.Context, progress model.Progress, visit func(s *step) error) error {
	a, err := d.openAsset(ctx, progress)
	if a == nil || err != nil {
		return err
	}
	root := &step{at: &nodePath{name: assetView}, datum: a.top, c: a.c, ctx: ctx}
	if a.bare {
		root.at = root.at.child(keyData)
	}
	size := d.src.Size()
	seen := 0
	var below func(s *step) error
	below = func(s *step) error {
		if seen++; seen&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if at := s.datum.span(); at.Source == d.src {
				progress.Report(at.Off, size, "going through the properties")
			}
		}
		if err := visit(s); err == errSkip {
			return nil
		} else if err != nil {
			return err
		}
		switch s.datum.kind() {
		case types.Element, types.Array, types.ArrayLZ4:
		default:
			return nil
		}
		if s.depth > maxSteps {
			return nil
		}
		c, err := s.contents()
		if err != nil {
			return err
		}
		for i := range c.n {
			m := c.at(s.ctx, i)
			next := &step{up: s, at: s.at.child(m.segment), named: c.named, datum: m.datum, depth: s.depth + 1, ctx: ctx}
			if err := below(next); err != nil {
				return err
			}
		}
		return nil
	}
	return below(root)
}

// maxSteps bounds how deep eachDatum goes: through all levels of nesting in all blocks inside one another.
const maxSteps = (types.MaxNesting + 1) * (maxInflates + 1)

// A tally holds the counts of a pass over the asset.
type tally struct {
	properties int64 // children of elements
	nodes      int64 // those, the items of arrays of variable-size types and the root of a binary file
	blocks     int64 // LZ4 blocks that are not empty
	inflated   int64 // bytes that they give
	arrays     map[string]*arrayTally
}

// isWithin reports whether the datum is in an array that the tally counts.
func (s *step) isWithin(t *arrayTally) bool {
	for up := s.up; up != nil; up = up.up {
		if up.tally == t {
			return true
		}
	}
	return false
}

// arrayTally is the arrays of one type of items. Their bytes are those of the outermost.
type arrayTally struct {
	typ                             string
	arrays, items, stored, inflated int64
}

func (d *udm) tally(ctx context.Context, progress model.Progress) (*tally, error) {
	t := &tally{arrays: map[string]*arrayTally{}}
	if d.binary && d.root != nil {
		t.nodes++
	}
	err := d.eachDatum(ctx, progress, func(s *step) error {
		if s.named {
			t.properties++
		}
		if s.depth > 0 {
			t.nodes++
		}
		stored, inflated, block, err := s.sizes()
		if err != nil {
			return err
		}
		if block {
			t.blocks++
			t.inflated += inflated
		}
		if k := s.datum.kind(); k == types.Array || k == types.ArrayLZ4 {
			a := t.array(s.c)
			a.arrays++
			if s.tally = a; s.isWithin(a) {
				stored, inflated = 0, 0 // the outer one counts them
			}
			if s.datum.span().Source == d.src {
				a.stored += stored // others are in a block, which counts
			}
			a.inflated += inflated
			a.items += s.c.n
			if s.c.rows != nil {
				a.items += s.c.rows.len(s.ctx)
			}
		}
		return nil
	})
	return t, err
}

// sizes are the bytes of a datum as it stands, and after decompression; block reports whether it is a block that is not
// empty.
func (s *step) sizes() (stored, inflated int64, block bool, err error) {
	stored = s.datum.span().Len
	inflated = stored
	switch s.datum.kind() {
	case types.Array, types.ArrayLZ4, types.LZ4:
		c, err := s.contents()
		if err != nil {
			return 0, 0, false, err
		}
		if b := c.block; b != nil && b.in.Len > 0 {
			return stored, b.want, b.want > 0, nil
		}
	}
	return stored, inflated, false, nil
}

func (t *tally) array(c *contents) *arrayTally {
	name := types.Text(c.item)
	if c.shape != nil {
		name = c.shape.String()
	}
	a := t.arrays[name]
	if a == nil {
		a = &arrayTally{typ: name}
		t.arrays[name] = a
	}
	return a
}

// arraysFact lists the arrays by the type of their items, those with most bytes first.
func (t *tally) arraysFact() model.Value {
	list := slices.Collect(maps.Values(t.arrays))
	slices.SortFunc(list, func(a, b *arrayTally) int {
		return cmp.Or(cmp.Compare(b.inflated, a.inflated), cmp.Compare(a.typ, b.typ))
	})
	seq := model.Seq{}
	for _, a := range list {
		seq = append(seq, model.Object{
			{Key: "type", Value: model.Text(a.typ)}, {Key: "arrays", Value: model.Int(a.arrays)}, {Key: "items", Value: model.Int(a.items)},
			{Key: "stored", Value: model.Int(a.stored)}, {Key: "inflated", Value: model.Int(a.inflated)},
		})
	}
	return seq
}

// facts is the identity card. In a binary file the asset keys are in the root; the rest takes a pass over all, as does
// everything in a text.
func (d *udm) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	form := "ascii"
	if d.binary {
		form = "binary"
	}
	facts := []model.Fact{{Key: "form", Title: "Form", Value: model.Text(form)}}
	if d.binary {
		facts = append(facts, model.Fact{Key: "version", Title: "UDM version", Value: model.Uint(d.version)})
	}
	typ := model.Fact{Key: keyType, Title: "Asset type", Scan: !d.binary}
	version := model.Fact{Key: keyVersion, Title: "Asset version", Scan: !d.binary}
	if !quick || d.binary && (d.root == nil || !d.root.many(ctx)) {
		a, err := d.openAsset(ctx, progress)
		if err != nil {
			return nil, err
		}
		typ.Value, version.Value = a.typeFact(ctx), a.versionFact(ctx)
	}
	counts := []model.Fact{
		{Key: "properties", Title: "Named properties", Scan: true},
		{Key: "nodes", Title: "Nodes of the tree", Scan: true},
		{Key: "lz4Blocks", Title: "LZ4 blocks", Scan: true},
		{Key: "inflatedBytes", Title: "Bytes in LZ4 blocks", Scan: true},
		{Key: "arrays", Title: "Arrays", Scan: true, Units: map[string]string{"stored": "bytes", "inflated": "bytes"}},
	}
	if !quick {
		t, err := d.tally(ctx, progress)
		if err != nil {
			return nil, err
		}
		for i, v := range []model.Value{model.Int(t.properties), model.Int(t.nodes), model.Int(t.blocks), model.Int(t.inflated), t.arraysFact()} {
			counts[i].Value = v
		}
	}
	return append(append(facts, typ, version), counts...), nil
}

func (a *asset) typeFact(ctx context.Context) model.Value {
	if a == nil {
		return nil
	}
	if v := a.child(ctx, keyType); v != nil {
		return v.look(ctx).value
	}
	return model.Text(noAssetType)
}

func (a *asset) versionFact(ctx context.Context) model.Value {
	switch {
	case a == nil:
		return nil
	case a.bare:
		return model.Uint(noAssetVersion)
	}
	if v := a.child(ctx, keyVersion); v != nil {
		return v.look(ctx).value
	}
	return nil
}

// rootProblems says which asset keys the root lacks, or has with another type (4.1, 8.4).
func (d *udm) rootProblems(ctx context.Context, at model.Span) []model.Problem {
	if d.binary {
		if p, ok := d.root.children(ctx).(model.Pending); ok && p.Pending() {
			return nil
		}
	}
	a, err := d.openAsset(ctx, nil)
	if v, ok := a.text(); err != nil || a == nil || a.bare || ok && v.t.x.Cut {
		return nil
	}
	var problems []model.Problem
	for _, want := range []struct {
		key string
		typ types.ID
	}{{keyType, types.String}, {keyVersion, types.Uint32}, {keyData, types.Element}} {
		found := "none"
		if v := a.child(ctx, want.key); v != nil {
			if found = types.Text(v.kind()); v.kind() == want.typ {
				continue
			}
		}
		p := model.Problemf(model.Suspicious, ruleAssetKeys, at, "the root has no %s of its type; the engine refuses such a file", want.key)
		if d.binary && found == "none" {
			if _, named := namesOf(ctx, d.root.o).first(ctx, want.key); named { // its value is cut off
				p.Because = at.Source.Span(at.Source.Size(), 0)
			}
		}
		problems = append(problems, p.Want(fmt.Sprintf("%s: %s", want.key, want.typ), found))
	}
	return problems
}

// stats are bytes and counts by type, or by subtree: each child of assetData with all below it.
func (d *udm) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	if by != "type" && by != "subtree" {
		return nil, fmt.Errorf("there are no statistics by %q", by)
	}
	stats := map[string]*model.Stat{}
	var order []string
	get := func(key string) *model.Stat {
		if stats[key] == nil {
			stats[key] = &model.Stat{Key: key}
			order = append(order, key)
		}
		return stats[key]
	}
	var subtree *model.Stat
	err := d.eachDatum(ctx, progress, func(s *step) error {
		stored, logical, _, err := s.sizes()
		if err != nil {
			return err
		}
		if by == "type" {
			beside, all, err := s.counted()
			if err != nil {
				return err
			}
			stored -= beside
			logical -= all
			if s.datum.span().Source != d.src {
				stored = 0 // it is in a block, which counts
			}
			stat := get(types.Text(s.datum.kind()))
			stat.Count++
			stat.Stored += stored
			stat.Logical += logical
			return nil
		}
		if s.level() == 2 {
			subtree = get(s.at.String())
			subtree.Stored, subtree.Logical = stored, stored
		}
		if subtree == nil || s.level() < 2 {
			return nil
		}
		if subtree.Logical += logical - stored; s.named {
			subtree.Count++
		}
		return nil
	})
	list := make([]model.Stat, 0, len(order))
	for _, key := range order {
		list = append(list, *stats[key])
	}
	return list, err
}

// counted returns the bytes of the contents that count by themselves: those in the same source, and all.
func (s *step) counted() (beside, all int64, err error) {
	switch s.datum.kind() {
	case types.Element, types.Array, types.ArrayLZ4:
	default:
		return 0, 0, nil
	}
	c, err := s.contents()
	if err != nil {
		return 0, 0, err
	}
	own := s.datum.span()
	for i := range c.n {
		at := c.at(s.ctx, i).datum.span()
		if all += at.Len; at.Source == own.Source {
			beside += at.Len
		}
	}
	return beside, all, nil
}

// level returns the number of steps from the root of the asset to the datum.
func (s *step) level() int {
	n := 0
	for w := s.at; w.up != nil; w = w.up {
		n++
	}
	return n
}
