package omnilive

import (
	"context"
	"slices"
	"strings"

	"cutaway/model"
)

// layerContent says what a node of the layer counts for when two layers are compared: how commands name a section, and
// the order in which they set things, do not count, nor does what others overwrote.
func layerContent(_ context.Context, p *model.Place) model.Content {
	n := &p.Node
	switch {
	case n.Type == "section id", n.Name == "setOrder" && n.Type == "uint", n.Name == "overwritten" && n.Type == "overwritten":
		return model.Content{None: true}
	}
	path, is := n.Value.(model.Text)
	return model.Content{Where: is && strings.HasPrefix(string(path), "/") && slices.Contains(specTypes[:], n.Type)}
}
