package model

import "context"

// A NameIndex finds nodes of a view by name from the format's tables, without making nodes. It omits details of nodes,
// such as the fields of a USD spec.
type NameIndex struct {
	// Each calls rank with names of the view, possibly more than once. It calls visit with the nodes of names whose
	// rank is not negative, in the order of the tables, until visit returns false.
	Each func(ctx context.Context, progress Progress, rank func(name string) int, visit func(rank int, node int64) bool) error
	// Way returns the numbers of the children that lead from the view's root to a node that was visited.
	Way func(ctx context.Context, node int64) []int64
}
