package scene

import (
	"bytes"
	"context"
	"slices"
	"sort"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// Names finds prims, properties and variants of the scene by the table of tokens: each text is judged once, however
// many items have it as their last element.
func (s *Scene) Names() *model.NameIndex {
	return &model.NameIndex{
		Each: func(ctx context.Context, progress model.Progress, rank func(string) int, visit func(int, int64) bool) error {
			x, err := s.Index(ctx, progress)
			if err != nil {
				return err
			}
			return x.eachNamed(ctx, rank, visit)
		},
		Way: func(ctx context.Context, node int64) []int64 {
			x, err := s.Index(ctx, nil)
			if err != nil {
				return nil
			}
			return x.way(int32(node))
		},
	}
}

// eachNamed visits the items whose last element has a rank; that of a property begins with its dot.
func (x *Index) eachNamed(ctx context.Context, rank func(name string) int, visit func(rank int, node int64) bool) error {
	ranks := [2][]int8{make([]int8, x.Tokens.Count), make([]int8, x.Tokens.Count)} // of the text, and as a property
	ranked := false
	err := x.Tokens.EachText(ctx, func(i uint32, text []byte) {
		name := string(bytes.TrimSuffix(text, []byte{0}))
		ranks[0][i], ranks[1][i] = int8(rank(name)), int8(rank("."+name))
		ranked = ranked || ranks[0][i] >= 0 || ranks[1][i] >= 0
	})
	if err != nil || !ranked {
		return err
	}
	for item, token := range x.Paths.Token.All() {
		of := ranks[0]
		if x.Paths.Property.Has(int32(item)) {
			of = ranks[1]
		}
		if int64(token) >= int64(len(of)) || of[token] < 0 || !x.isBelowRoot(int32(item)) {
			continue
		}
		if item&0xFFFF == 0 && ctx.Err() != nil || !visit(int(of[token]), item) {
			break
		}
	}
	return ctx.Err()
}

// way returns the numbers of the children that lead from the root to an item.
func (x *Index) way(item int32) (way []int64) {
	for parent := x.Paths.Parent(item); parent >= 0 && len(way) < table.MaxPathDepth; item, parent = parent, x.Paths.Parent(parent) {
		kids := x.kids.Of(int64(parent))
		among := sort.Search(int(kids.Len()), func(i int) bool { return int32(kids.At(int64(i))) >= item })
		way = append(way, int64(len(x.group(parent))+among))
	}
	slices.Reverse(way)
	return way
}

// isBelowRoot reports whether an item is in the scene, which it may not be in a damaged table.
func (x *Index) isBelowRoot(item int32) bool {
	for depth := 0; item > 0 && depth < table.MaxPathDepth; depth++ {
		if item = x.Paths.Parent(item); item == 0 {
			return true
		}
	}
	return false
}
