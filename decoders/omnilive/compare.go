package omnilive

import (
	"context"
	"slices"
	"strings"

	"cutaway/model"
)

// layerContent returns the content of a node for comparing two layers. Ids of sections, the order of settings and overwritten
// settings do not count.
func layerContent(_ context.Context, p *model.Place) model.Content {
	n := &p.Node
	switch {
	case n.Type == "section id", n.Name == "setOrder" && n.Type == "uint", n.Name == "overwritten" && n.Type == "overwritten":
		return model.Content{None: true}
	}
	path, is := n.Value.(model.Text)
	return model.Content{Where: is && strings.HasPrefix(string(path), "/") && slices.Contains(specTypes[:], n.Type)}
}
