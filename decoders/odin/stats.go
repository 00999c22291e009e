package odin

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

var statKeys = []string{"section", "type", "kind", "subtree"}

// stats adds bytes up by a key. The key "section" stands for payloads and the text around them, "kind" for kinds of
// entries, and "type" for .NET types, without the bytes of inner nodes. The key "subtree" stands for the top two levels.
func (d *document) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	sums := map[string]*model.Stat{}
	add := func(key string, count, stored, logical int64) {
		sum := sums[key]
		if sum == nil {
			sum = &model.Stat{Key: key}
			sums[key] = sum
		}
		sum.Count += count
		sum.Stored += stored
		sum.Logical += logical
	}
	around := d.src.Size()
	for k, p := range d.payloads {
		o, err := p.open(ctx)
		if err != nil {
			continue
		}
		stored := p.stored(o)
		around -= stored
		if by == "section" {
			add(fmt.Sprintf("%s [%d]", cmp.Or(p.name, "stream"), k), 1, stored, o.s.Bounds().Len)
		} else if err := statsBy(ctx, o.s, by, progress, add); err != nil {
			return nil, err
		}
	}
	if by == "section" && around > 0 {
		add("text around the payloads", 1, around, around)
	}
	list := make([]model.Stat, 0, len(sums))
	for _, sum := range sums {
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b model.Stat) int { return cmp.Or(cmp.Compare(b.Stored, a.Stored), cmp.Compare(a.Key, b.Key)) })
	return list, nil
}

// stored returns the number of bytes of the file that the payload takes.
func (p *payload) stored(o *openedPayload) int64 {
	switch {
	case p.field != nil:
		return p.field.Value.Len
	case o.gzip != nil:
		return o.gzip.in.Len
	}
	return o.s.Bounds().Len
}

// statsBy adds the bytes of a stream up by a key.
func statsBy(ctx context.Context, s *entry.Stream, by string, progress model.Progress, add addStat) error {
	switch by {
	case "type":
		return statsByType(ctx, s, progress, add)
	case "kind":
		return s.Each(ctx, progress, "counting the entries", func(e *entry.Head) { add(e.Kind.String(), 1, e.Len(), e.Len()) })
	case "subtree":
		return statsBySubtree(ctx, s, progress, add)
	}
	return fmt.Errorf("there are no statistics by %q", by)
}

type addStat func(key string, count, stored, logical int64)

// statsByType adds up the bytes of nodes by type, without inner nodes.
func statsByType(ctx context.Context, s *entry.Stream, progress model.Progress, add addStat) error {
	type open struct {
		last int64
		typ  string
	}
	var stack []open
	return s.Each(ctx, progress, "counting the bytes", func(e *entry.Head) {
		for len(stack) > 0 && stack[len(stack)-1].last < e.Number {
			stack = stack[:len(stack)-1]
		}
		count := int64(0)
		if (e.Kind == kind.ReferenceNode || e.Kind == kind.StructNode) && s.IsContainer(e.Number) {
			typ := dotnet.Readable(s.TypeName(ctx, e))
			if typ == "" {
				typ = "(no type)"
			}
			stack = append(stack, open{s.Next(e.Number) - 1, typ})
			count = 1
		}
		key := "(outside of nodes)"
		if n := len(stack); n > 0 {
			key = stack[n-1].typ
		}
		add(key, count, e.Len(), e.Len())
	})
}

// statsLevels is the depth of the subtrees that are counted apart.
const statsLevels = 2

// statsBySubtree adds up the bytes of the top-level entries and of their children.
func statsBySubtree(ctx context.Context, s *entry.Stream, progress model.Progress, add addStat) error {
	if err := s.ScanAll(ctx, progress); err != nil {
		return err
	}
	var level func(c int64, depth int) error
	level = func(c int64, depth int) error {
		n, _ := s.Count(c)
		for k := range min(n, maxCounted) {
			if err := ctx.Err(); err != nil {
				return err
			}
			i := s.Child(c, k)
			at := s.Span(i)
			add(s.Path(ctx, entry.View, i), s.Next(i)-i, at.Len, at.Len)
			if depth+1 < statsLevels && s.IsContainer(i) {
				if err := level(i, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return level(entry.Root, 0)
}
