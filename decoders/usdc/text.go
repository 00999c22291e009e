package usdc

import (
	"context"
	"io"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// specText is a spec as a USD text layer.
type specText struct {
	model.CardBase
	c    *crate
	item int32
}

// textCards makes the card of the text of an item's spec.
func (c *crate) textCards(item int32) func(context.Context) []model.Card {
	return func(context.Context) []model.Card {
		return []model.Card{&specText{model.CardBase{Title: usda.CardTitle}, c, item}}
	}
}

// WriteText implements model.Words.
func (t *specText) WriteText(ctx context.Context, w io.Writer, omitted *model.Omissions) error {
	x, err := t.c.sceneIndex(ctx, nil)
	if err != nil {
		return err
	}
	var n model.Node
	if t.item == 0 {
		n = t.c.sceneRoot(ctx)
		n.Type, n.Value, n.Children = "pseudoRoot", model.Text("/"), x.children(0)
	} else {
		n = x.node(ctx, t.item)
	}
	return usda.Write(ctx, w, omitted, &n, t.c.textVersion())
}

// textVersion is the version of the syntax that the layer needs: what crates learn of values, text learns too.
func (c *crate) textVersion() string {
	switch {
	case !c.before(14, 0):
		return "1.2" // array edits
	case !c.before(13, 0):
		return "1.1" // algorithms of tangents
	}
	return "1.0"
}
