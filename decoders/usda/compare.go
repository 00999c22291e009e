package usda

import (
	"context"

	"cutaway/model"
)

// SceneContent returns the significance of a scene node when two scenes are compared.
func SceneContent(ctx context.Context, p *model.Place) model.Content {
	n := &p.Node
	switch n.Type {
	case "path": // there because something names it
		return model.Content{None: true}
	case "bool", "Variability", "Specifier", "LayerOffset":
		return model.Content{Fallback: isFallback(p)}
	case "PathVector":
		if n.Name == "connectionChildren" || n.Name == "targetChildren" { // of connectionPaths and targetPaths; text has none
			return model.Content{None: true}
		}
	case "u8":
		return model.Content{None: n.Name == "bits"} // of a list operation: which lists follow
	case "sample":
		if n.Children == nil {
			return model.Content{}
		}
		if t := n.Children.At(ctx, 0); t.Name == "time" && t.Value != nil {
			return model.Content{Key: model.Show(ctx, t.Value, 32)}
		}
	case "TokenVector":
		switch n.Name {
		case "primChildren", "variantSetChildren", "variantChildren":
			return model.Content{Order: true}
		case "properties": // text has them sorted by their names
			return model.Content{None: true}
		}
	}
	return model.Content{Where: isSpec(n.Type)}
}

// isFallback reports whether a field has its fallback value. Text states such fields of every spec, while crates may
// omit them; crates below 0.8.0 omit the layer offset of payloads.
func isFallback(p *model.Place) bool {
	n := &p.Node
	if n.Type == "LayerOffset" {
		offset, is := n.Value.(model.Tuple)
		return is && len(offset) == 2 && offset[0] == model.Float64(0) && offset[1] == model.Float64(1)
	}
	if p.Parent == nil || !isSpec(p.Parent.Node.Type) {
		return false // an entry of a dictionary
	}
	switch v := n.Value.(type) {
	case model.Bool:
		return n.Name == "custom" && !bool(v)
	case model.Symbol:
		return n.Name == "variability" && v.Name == "varying" || n.Name == "specifier" && v.Name == "over"
	}
	return false
}
