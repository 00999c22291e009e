package usdc

import (
	"bytes"
	"context"

	"cutaway/model"
)

// sceneNames finds prims, properties and variants of the scene by the table of tokens: each text is judged once, however
// many items have it as their last element.
func (c *crate) sceneNames() *model.NameIndex {
	return &model.NameIndex{
		Each: func(ctx context.Context, progress model.Progress, rank func(string) int, visit func(int, int64) bool) error {
			x, err := c.sceneIndex(ctx, progress)
			if err != nil {
				return err
			}
			return x.eachNamed(ctx, rank, visit)
		},
		Path: func(ctx context.Context, node int64) string {
			x, err := c.sceneIndex(ctx, nil)
			if err != nil {
				return sceneView
			}
			return x.path(ctx, int32(node))
		},
	}
}

// eachNamed visits the items whose last element has a rank; that of a property begins with its dot.
func (x *scene) eachNamed(ctx context.Context, rank func(name string) int, visit func(rank int, node int64) bool) error {
	ranks := [2][]int8{make([]int8, x.tokens.n), make([]int8, x.tokens.n)} // of the text, and as a property
	ranked := false
	err := x.tokens.eachText(ctx, func(i uint32, text []byte) {
		name := string(bytes.TrimSuffix(text, []byte{0}))
		ranks[0][i], ranks[1][i] = int8(rank(name)), int8(rank("."+name))
		ranked = ranked || ranks[0][i] >= 0 || ranks[1][i] >= 0
	})
	if err != nil || !ranked {
		return err
	}
	for item, token := range x.paths.token.All() {
		of := ranks[0]
		if x.paths.property.contains(int32(item)) {
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

// isBelowRoot reports whether an item is in the scene, which it may not be in a damaged table.
func (x *scene) isBelowRoot(item int32) bool {
	for depth := 0; item > 0 && depth < maxPathDepth; depth++ {
		if item = x.paths.parent(item); item == 0 {
			return true
		}
	}
	return false
}
