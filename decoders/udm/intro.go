package udm

import (
	"cmp"
	"context"
	"strings"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// assetWords are the types of assets in words.
var assetWords = map[string]string{
	"PMDL": "model", "PMAT": "material", "PMAP": "map", "PSKEL": "skeleton", "PCOL": "collision mesh", "PANI": "animation", "PNAV": "navigation mesh",
	"PFMP": "facial animation project", "PPT": "particle system",
}

// intro introduces the asset, its meshes, arrays and properties.
func (d *udm) intro(ctx context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if p.Parent == nil {
		d.introduceAsset(ctx, &in)
		return in
	}
	for _, m := range model.CardsOf[model.Shape](ctx, n) {
		points := m.Points(ctx)
		if points == nil {
			continue
		}
		in.Sentence = "Mesh of " + model.GroupedCount(points.Len(), "point")
		if counts, _, closed := m.Parts(ctx); counts != nil {
			in.Sentence += ", " + model.GroupedCount(counts.Len(), map[bool]string{true: "face", false: "line"}[closed])
		}
		in.Sentence += ", in " + p.Parent.Label() + "."
		return in
	}
	within := " of " + p.Parent.Label() + "."
	switch {
	case p.Parent.Parent == nil && n.Type == types.Title(types.Element):
		in.Sentence = "The content of the asset: " + n.Brief + "."
	case n.Type == types.Title(types.Element):
		in.Sentence = "Element" + within + " It has " + cmp.Or(n.Brief, "no properties") + "."
	case n.Elements || n.Type == types.Title(types.Array) || n.Type == types.Title(types.ArrayLZ4):
		if list, is := n.Value.(model.Array); is {
			in.Sentence = "Array of " + model.Grouped(list.Len()) + " × " + list.Elem() + ","
		} else {
			in.Sentence = strings.TrimSpace("Array of "+n.Brief) + ","
		}
		in.Sentence += within
	default:
		in.Sentence = "Property" + within + " Its type is " + n.Type + "."
	}
	if n.Type == types.Title(types.ArrayLZ4) {
		in.Stored = "The items are packed by LZ4."
	}
	return in
}

// introduceAsset adds the type and version of the asset.
func (d *udm) introduceAsset(ctx context.Context, in *model.Intro) {
	a, err := d.openAsset(ctx, nil)
	if err != nil {
		return
	}
	kind, _ := a.typeFact(ctx).(model.Text)
	in.Sentence = "An asset without a type."
	if kind != "" {
		in.Sentence = "An asset of type " + string(kind) + ": a " + assetWords[string(kind)] + "."
		if assetWords[string(kind)] == "" {
			in.Sentence = "An asset of type " + string(kind) + "."
		}
	}
	in.Facts = model.Say(in.Facts, "asset type", string(kind))
	if version := a.versionFact(ctx); version != nil {
		in.Facts = model.Say(in.Facts, "asset version", model.ShowHeld(version, 40))
	}
	in.Facts = model.Say(in.Facts, "form", map[bool]string{true: "binary", false: "text"}[d.binary])
}
