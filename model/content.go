package model

import "context"

// Content says what a node counts for when two trees are compared, where the node alone does not say it.
type Content struct {
	// Key finds an element of a list in another version of it: a record's time, a sample's. "" where the elements
	// have none: they are found by their content.
	Key string
	// Where says that the value is a position of the node, such as its path, and no content.
	Where bool
	// Order says that the value lists the names of the node's siblings: of these only the order counts.
	Order bool
	// None says that the node and what is below it follow from others, or from how these are stored.
	None bool
	// Fallback says that the node's value holds for a missing one.
	Fallback bool
}

// ContentOf returns the part of a node that comparisons use.
func (v *View) ContentOf(ctx context.Context, p *Place) Content {
	if v == nil || v.Content == nil {
		return Content{}
	}
	return v.Content(ctx, p)
}
