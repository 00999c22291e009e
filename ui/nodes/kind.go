package nodes

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/look"
)

// KindIcon returns the icon of the kind of a node of a view. A root is a group.
func KindIcon(ctx context.Context, v *model.View, p *model.Place, far bool) fyne.Resource {
	k := (&Data{View: v, Far: far}).kindOf(ctx, &p.Node)
	if p.Parent == nil && k == model.ValueKind {
		k = model.GroupKind
	}
	return Icons[k]
}

// kindOf returns the kind of a node of the view.
func (d *Data) kindOf(ctx context.Context, n *model.Node) model.NodeKind {
	if n.Role != model.Explained {
		return model.DetailKind
	}
	if d.View != nil && d.View.Kind != nil {
		if k := d.View.Kind(ctx, n); k != model.AnyKind {
			return k
		}
	}
	if n.Cards != nil && !d.Far {
		for _, c := range n.Cards(ctx) {
			switch c.(type) {
			case model.Shape, model.Picture, model.Sound:
				return model.ShapeKind
			case model.Listing:
				return model.CodeKind
			}
		}
	}
	switch {
	case n.IsGroup(ctx), d.holds(ctx, n):
		return model.GroupKind
	case n.Refs != nil && !d.Far && d.leadsOn(n.Refs(ctx)):
		return model.LinkKind
	}
	return model.ValueKind
}

// holds reports whether a node has folded fields and other children besides.
func (d *Data) holds(ctx context.Context, n *model.Node) bool {
	if d.View == nil || d.View.Fold == nil || d.Far || n.Children == nil {
		return false
	}
	fields := d.View.Fold(ctx, n).Fields
	count, _ := n.Children.Len(ctx)
	return fields > 0 && count > fields
}

// leadsOn reports whether the first of refs leads to a node of the view or into another file.
func (d *Data) leadsOn(refs []model.Ref) bool {
	return len(refs) > 0 && (refs[0].File != "" || strings.HasPrefix(refs[0].Path, d.View.Name+"/"))
}

// Icons are those of kinds, each with a glyph and colour of its own: a plate with the glyph cut out.
var Icons = map[model.NodeKind]fyne.Resource{
	model.GroupKind:  icon(look.Group, "M5.5 5.5v5h5v-5z"),
	model.ShapeKind:  icon(look.Shape, "M8 4.2L3.8 11.5h8.4z"),
	model.ValueKind:  icon(look.Value, "M4.5 5v2h7V5z M4.5 9v2h5V9z"),
	model.LinkKind:   icon(look.Link, "M3.8 7v2h4v2.6L12.2 8 7.8 4.4V7z"),
	model.CodeKind:   icon(look.Code, "M4 4.2v1.8h4V4.2z M6.5 7.1v1.8h5.5V7.1z M4 10v1.8h4V10z"),
	model.DetailKind: icon(look.Detail, "M3.6 3.6v8.8h8.8V3.6z"),
}

// icon returns a plate in a colour without a glyph, whose outline runs against the plate's.
func icon(ink fyne.ThemeColorName, glyph string) fyne.Resource {
	const plate = "M3.5 1h9A2.5 2.5 0 0 1 15 3.5v9a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 1 12.5v-9A2.5 2.5 0 0 1 3.5 1z"
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#000" fill-rule="evenodd" d="` + plate + " " + glyph + `"/></svg>`
	return theme.NewColoredResource(fyne.NewStaticResource(string(ink)+".svg", []byte(svg)), ink)
}
