package model

import (
	"context"
	"hash/maphash"
)

// Bulk is implemented by Children that answer questions about many nodes, or about parts of nodes, without making them.
type Bulk interface {
	Children
	// Bulk returns the same functions for all children of one type, or nil for those without any.
	Bulk() *BulkFuncs
}

// BulkFuncs are functions that take the Children whose Bulk returned them. Each may be nil; the functions of this
// package with the same names then make the nodes.
type BulkFuncs struct {
	// Lean is At for a node that may lack its spans, links, cards and help.
	Lean func(ctx context.Context, c Children, i int64) Node
	// Recurs identifies child i of children that several nodes share, so that a walk makes it only once. The child is
	// number n of the count children of the thing of, which is nil if unknown. Nodes with equal identities are equal,
	// apart from their paths.
	Recurs func(c Children, i int64) (of any, n, count int64)
	// Survey returns how the leaves below the node cover its span. plain is false if a node below has a problem or a
	// derivation, or may have one; a check then makes the nodes. It returns an error only when ctx ends.
	Survey func(ctx context.Context, c Children, progress Progress) (covered Coverage, plain bool, err error)
	// Hashes returns a function for the hash of child i, 0 ≤ i < n, by ContentSeed. It covers the child's name and
	// everything in the child and its descendants. Children with equal hashes, of one document or two, compare as equal
	// and are stored in the same way; those with different hashes may be equal too. An unknown hash is 0. A document
	// computes the hashes at the first call and keeps them.
	Hashes func(ctx context.Context, c Children, progress Progress) (func(i int64) uint64, error)
	// Measure visits the bytes of child i and of its descendants, if these surely take fewer than m.Least bytes of the
	// file. It returns the number of those nodes; otherwise it visits nothing and returns 0. It may omit bytes that it
	// visited before in the same measurement.
	Measure func(ctx context.Context, c Children, i int64, m *Measurement) (nodes int64, err error)
}

// ContentSeed is the seed of all Hashes, so that those of two documents can be compared.
var ContentSeed = maphash.MakeSeed()

// A Measurement holds the state of one measurement of a tree, for each Measure that it calls.
type Measurement struct {
	Least int64
	// Visit takes bytes. packed is the size of the elements if the bytes are those of an array of numbers in another
	// encoding, or 0. Visit must not keep spans.
	Visit func(spans []Span, packed int64)
	// Notes keeps state of Measure functions until the measurement ends, each by a key of its own.
	Notes map[any]any
}

var noBulk BulkFuncs

// BulkOf returns the functions of c, which are all nil if c has none.
func BulkOf(c Children) *BulkFuncs {
	if b, is := c.(Bulk); is {
		if f := b.Bulk(); f != nil {
			return f
		}
	}
	return &noBulk
}

// Lean makes child i of c, without spans, links, cards and help if that is less work.
func Lean(ctx context.Context, c Children, i int64) Node {
	if lean := BulkOf(c).Lean; lean != nil {
		return lean(ctx, c, i)
	}
	return c.At(ctx, i)
}

// Recurs identifies child i of c if several nodes may have it; of is nil if unknown.
func Recurs(c Children, i int64) (of any, n, count int64) {
	if recurs := BulkOf(c).Recurs; recurs != nil {
		return recurs(c, i)
	}
	return nil, 0, 0
}

// Survey returns the coverage of the descendants of c; plain is false if a check must make the nodes.
func Survey(ctx context.Context, c Children, progress Progress) (covered Coverage, plain bool, err error) {
	if survey := BulkOf(c).Survey; survey != nil {
		return survey(ctx, c, progress)
	}
	return Coverage{}, false, nil
}

// Hashes returns a function for the hash of each child of c, or nil if c has none.
func Hashes(ctx context.Context, c Children, progress Progress) (func(i int64) uint64, error) {
	if hashes := BulkOf(c).Hashes; hashes != nil {
		return hashes(ctx, c, progress)
	}
	return nil, nil
}

// Measure visits the bytes of child i of c and of its descendants, or returns 0 nodes if the caller must visit them.
func Measure(ctx context.Context, c Children, i int64, m *Measurement) (nodes int64, err error) {
	if measure := BulkOf(c).Measure; measure != nil {
		return measure(ctx, c, i, m)
	}
	return 0, nil
}

// forwardBulk returns functions that call those of the children that inside returns.
func forwardBulk(inside func(Children) Children) *BulkFuncs {
	return &BulkFuncs{
		Lean:   func(ctx context.Context, c Children, i int64) Node { return Lean(ctx, inside(c), i) },
		Recurs: func(c Children, i int64) (any, int64, int64) { return Recurs(inside(c), i) },
		Survey: func(ctx context.Context, c Children, progress Progress) (Coverage, bool, error) {
			return Survey(ctx, inside(c), progress)
		},
		Hashes: func(ctx context.Context, c Children, progress Progress) (func(i int64) uint64, error) {
			return Hashes(ctx, inside(c), progress)
		},
		Measure: func(ctx context.Context, c Children, i int64, m *Measurement) (int64, error) {
			return Measure(ctx, inside(c), i, m)
		},
	}
}
