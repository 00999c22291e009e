package scene

import (
	"context"
	"io"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// specText is a spec as a USD text layer.
type specText struct {
	usda.TextCard
	scene *Scene
	item  int32
}

// textCards makes the card of the text of an item's spec.
func (s *Scene) textCards(item int32) func(context.Context) []model.Card {
	return func(context.Context) []model.Card {
		return []model.Card{&specText{usda.NewTextCard(), s, item}}
	}
}

func (t *specText) WriteText(ctx context.Context, w io.Writer, omitted *model.Omissions) error {
	x, err := t.scene.Index(ctx, nil)
	if err != nil {
		return err
	}
	var n model.Node
	if t.item == 0 {
		n = t.scene.Root(ctx)
		n.Type, n.Value, n.Children = "pseudoRoot", model.Text("/"), x.children(0)
	} else {
		n = x.node(ctx, t.item)
	}
	version, err := t.scene.textVersion(ctx)
	if err != nil {
		return err
	}
	return usda.Write(ctx, w, omitted, &n, version)
}

// textVersion returns the oldest version of the syntax that has all that the layer has: what crates learnt of values, text learnt too.
func (s *Scene) textVersion(ctx context.Context) (string, error) {
	if s.crate.Before(13, 0) {
		return "1.0", nil
	}
	has, err := s.Features(ctx, nil)
	return has.Text(), err
}
