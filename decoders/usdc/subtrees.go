package usdc

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// subtreeStats counts the specs of each subtree under the root and the bytes of their values, each value once: with
// the subtree that has it first.
func (c *crate) subtreeStats(ctx context.Context, progress model.Progress) ([]model.Stat, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return nil, err
	}
	sum := &subtrees{x: x, reps: map[rep]bool{}, pass: grammar.NewReading(ctx, grammar.Near), done: make(bitset, x.fields.n/64+1),
		sets: make(bitset, len(x.sets.list)/64+1)}
	sum.seen = newSampleWalk(ctx, c, func(_ context.Context, r rep, _ int64) { sum.value(r) })
	root := model.Stat{Key: "/"}
	if x.paths.items() > 0 {
		if err := sum.item(ctx, 0, &root); err != nil {
			return nil, err
		}
	}
	stats := []model.Stat{root}
	top := x.kids.Of(0)
	for i, kid := range top.All() {
		progress.Report(i, top.Len(), "subtrees")
		stat := model.Stat{Key: x.paths.itemText(ctx, int32(kid))}
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
	x     *scene
	seen  *nestWalk // visits nested values once
	pass  *grammar.Reading
	reps  map[rep]bool
	done  bitset // fields that were added
	sets  bitset // field sets that were added, by where they begin
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
	set := s.x.specs.sets.At(spec)
	if int64(set) >= int64(len(s.x.sets.list)) || s.sets.contains(int32(set)) {
		return nil
	}
	s.sets.set(int32(set))
	s.stat = stat
	for _, f := range s.x.sets.group(set) {
		if s.steps++; int64(f) >= s.x.fields.n || s.done.contains(int32(f)) {
			continue
		}
		s.done.set(int32(f))
		r, err := s.x.fields.rep(ctx, int64(f))
		if err != nil {
			continue
		}
		s.value(r)
		if r.unfolds() && r.payload() < s.x.crate.size {
			s.seen.visit(ctx, r, 0)
		}
	}
	return nil
}

// value adds the bytes of one value: of an inlined one its plain size, of one outside its rep what it takes, once.
func (s *subtrees) value(r rep) {
	if !r.outside() {
		if f := r.placement(); f == placedInRep || f == placedSmall {
			s.stat.Logical += r.typ().info().elem.size()
		}
		return
	}
	if r.payload() >= s.x.crate.size {
		return
	}
	r = s.x.crate.normal(r)
	if s.reps[r] {
		return
	}
	s.reps[r] = true
	s.x.values.leaves(s.pass, r, func(l *grammar.Leaf) bool {
		s.stat.Stored += l.Len
		s.stat.Logical += uncompressedSize(r, l)
		return true
	})
}
