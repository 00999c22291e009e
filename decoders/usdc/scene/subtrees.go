package scene

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// SubtreeStats counts the specs of each subtree under the root and the bytes of their values, each value once: with
// the subtree that has it first.
func (s *Scene) SubtreeStats(ctx context.Context, progress model.Progress) ([]model.Stat, error) {
	x, err := s.Index(ctx, progress)
	if err != nil {
		return nil, err
	}
	sum := &subtrees{x: x, reps: map[table.Rep]bool{}, pass: grammar.NewReading(ctx, grammar.Near), done: make(table.Bitset, x.Fields.Count/64+1),
		sets: make(table.Bitset, len(x.Sets.List)/64+1)}
	sum.seen = value.NewSampleWalk(ctx, s.values, func(_ context.Context, r table.Rep, _ int64) { sum.value(r) })
	root := model.Stat{Key: "/"}
	if x.Paths.Items() > 0 {
		if err := sum.item(ctx, 0, &root); err != nil {
			return nil, err
		}
	}
	stats := []model.Stat{root}
	top := x.kids.Of(0)
	for i, kid := range top.All() {
		progress.Report(i, top.Len(), "subtrees")
		stat := model.Stat{Key: x.Paths.ItemText(ctx, int32(kid))}
		for stack := []uint32{kid}; len(stack) > 0; {
			item := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, below := range x.kids.Of(int64(item)).All() {
				stack = append(stack, below)
			}
			if err := sum.item(ctx, int32(item), &stat); err != nil {
				return nil, err
			}
		}
		stats = append(stats, stat)
	}
	return stats, nil
}

// subtrees adds up the values of items.
type subtrees struct {
	x     *Index
	seen  *value.NestWalk // visits nested values once
	pass  *grammar.Reading
	reps  map[table.Rep]bool
	done  table.Bitset // fields that were added
	sets  table.Bitset // field sets that were added, by where they begin
	steps int
	stat  *model.Stat
}

// item adds the spec of an item.
func (s *subtrees) item(ctx context.Context, item int32, stat *model.Stat) error {
	const often = 1024
	if s.steps++; s.steps > often {
		s.steps = 0
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	spec, ok := s.x.spec(item)
	if !ok {
		return nil
	}
	stat.Count++
	set := s.x.Specs.Sets.At(spec)
	if int64(set) >= int64(len(s.x.Sets.List)) || s.sets.Has(int32(set)) {
		return nil
	}
	s.sets.Set(int32(set))
	s.stat = stat
	for _, f := range s.x.Sets.Group(set) {
		if s.steps++; int64(f) >= s.x.Fields.Count || s.done.Has(int32(f)) {
			continue
		}
		s.done.Set(int32(f))
		r, err := s.x.Fields.Rep(ctx, int64(f))
		if err != nil {
			continue
		}
		s.value(r)
		if r.Unfolds() && r.Payload() < s.x.crate.Size {
			s.seen.Visit(ctx, r, 0)
		}
	}
	return nil
}

// value adds the bytes of one value: of an inlined one its plain size, of one outside its rep what it takes, once.
func (s *subtrees) value(r table.Rep) {
	if !r.Outside() {
		if r.Placement().InRep() {
			s.stat.Logical += r.Type().Info().Elem.Size()
		}
		return
	}
	if r.Payload() >= s.x.crate.Size {
		return
	}
	r = s.x.crate.Normal(r)
	if s.reps[r] {
		return
	}
	s.reps[r] = true
	s.x.values.Leaves(s.pass, r, func(l *grammar.Leaf) bool {
		s.stat.Stored += l.Len
		s.stat.Logical += value.UncompressedSize(r, l)
		return true
	})
}
