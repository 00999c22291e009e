package usda

import (
	"context"

	"cutaway/model"
)

// SceneContent says what a node of the scene counts for when two scenes are compared.
func SceneContent(ctx context.Context, n *model.Node) model.Content {
	switch n.Type {
	case "path": // there because something names it
		return model.Content{None: true}
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
		case "primChildren", "properties", "variantSetChildren", "variantChildren":
			return model.Content{Order: true}
		}
	}
	return model.Content{Where: isSpec(n.Type)}
}
