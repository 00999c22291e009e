package model

import "context"

// A NameIndex finds nodes of a view by their names, by the format's tables and without making nodes. It leaves out details
// of nodes, such as the fields of a USD spec.
type NameIndex struct {
	// Each calls rank with names of the view, each as often as it likes, and visit with those nodes whose rank is not
	// negative, in the order of the format's tables, until visit returns false.
	Each func(ctx context.Context, progress Progress, rank func(name string) int, visit func(rank int, node int64) bool) error
	// Path returns the path of a node that was visited.
	Path func(ctx context.Context, node int64) string
}
