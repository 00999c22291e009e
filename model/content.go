package model

import (
	"context"
	"hash/maphash"
)

// Content says what a node counts for when two trees are compared, where the node alone does not say it.
type Content struct {
	// Key finds an element of a list in another version of it: a record's time, a sample's. "" where the elements
	// have none: they are found by what they hold.
	Key string
	// Where says that the node's value tells where the node is, such as its path, and not what it holds.
	Where bool
	// Order says that the value lists the names of the node's siblings: of these only the order counts.
	Order bool
	// None says that the node and what is below it follow from others, or from how these are stored.
	None bool
	// Fallback says that the node says what holds where it is not there.
	Fallback bool
}

// ContentOf is what the node at a place of the view counts for.
func (v *View) ContentOf(ctx context.Context, p *Place) Content {
	if v == nil || v.Content == nil {
		return Content{}
	}
	return v.Content(ctx, p)
}

// Hashed is implemented by Children that know what each of them holds without making nodes: two trees with millions of nodes
// that are nearly the same are compared by it.
type Hashed interface {
	Children
	// Hashes returns the hash of child i, 0 ≤ i < n: of its name and of all that it and what is below it hold, by ContentSeed.
	// Two children with the same hash, of one document or two, are the same to who compares the nodes, and are stored in the
	// same way; those with two may be the same, too. 0: it is not known. The first call of a document takes the work; it
	// keeps what it costs to have.
	Hashes(ctx context.Context, progress Progress) (func(i int64) uint64, error)
}

// ContentSeed is what the hashes of Hashed are made by, so that those of two documents can be compared.
var ContentSeed = maphash.MakeSeed()

// HashesOf asks c; nil: it does not know.
func HashesOf(ctx context.Context, c Children, progress Progress) (func(i int64) uint64, error) {
	if h, ok := c.(Hashed); ok {
		return h.Hashes(ctx, progress)
	}
	return nil, nil
}
