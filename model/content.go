package model

import "context"

// Content is the significance of a node in comparisons of two trees, if the node alone does not determine it.
type Content struct {
	// Key identifies an element of a list in another version of the list, such as the time of a record or sample. It is
	// "" if elements are identified by their content.
	Key string
	// Where means that the value is a position of the node, such as its path, and no content.
	Where bool
	// Order means that the value lists the names of the node's siblings, so that only their order counts.
	Order bool
	// None means that the node and its descendants follow from others, or from how others are stored.
	None bool
	// Fallback means that a missing node has the same value.
	Fallback bool
}

// ContentOf returns the significance of a node in comparisons.
func (v *View) ContentOf(ctx context.Context, p *Place) Content {
	if v == nil || v.Content == nil {
		return Content{}
	}
	return v.Content(ctx, p)
}
