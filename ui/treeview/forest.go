package treeview

import (
	"context"
	"sync"
)

// A Twig is a row of a Forest with the rows below it.
type Twig[T any] struct {
	One  T
	Kids []*Twig[T]
	Open bool // as soon as it appears
	Mark Mark

	up    *Twig[T]
	below Mark // the worst further down
}

// A Forest is the Data of a tree, or of a list whose rows may be branches, that is in memory. It is safe on every goroutine.
type Forest[T any] struct {
	Show func(T) Row // makes the row of a twig, in the background

	mu  sync.RWMutex
	top *Twig[T]
}

// ForestOf returns a Forest with nothing but its root.
func ForestOf[T any](show func(T) Row) *Forest[T] {
	return &Forest[T]{Show: show, top: &Twig[T]{}}
}

// Set replaces the root. Restart or Recount must follow.
func (f *Forest[T]) Set(top *Twig[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.top = top
}

// Add adds a row below another one that the forest may have. Grow must follow where it is shown.
func (f *Forest[T]) Add(to, t *Twig[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t.up, to.Kids = to, append(to.Kids, t)
	for up, worst := to, max(t.Mark, t.below); up != nil && up.below < worst; up = up.up {
		up.below = worst
	}
}

// Top returns the rows below the root, which must not be changed.
func (f *Forest[T]) Top() []*Twig[T] { return f.kids(f.Root()) }

// kids returns the rows below an item.
func (f *Forest[T]) kids(it Item) []*Twig[T] {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return it.(*Twig[T]).Kids
}

// Root returns the root.
func (f *Forest[T]) Root() Item {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.top
}

// Count returns the number of rows below an item.
func (f *Forest[T]) Count(it Item) (int64, bool) { return int64(len(f.kids(it))), true }

// Pending reports that all is known.
func (f *Forest[T]) Pending(Item) bool { return false }

// Child returns row i below an item.
func (f *Forest[T]) Child(it Item, i int64) Item { return f.kids(it)[i] }

// Row returns the row of an item.
func (f *Forest[T]) Row(it Item) Row {
	t := it.(*Twig[T])
	row := f.Show(t.One)
	f.mu.RLock()
	defer f.mu.RUnlock()
	row.Branch, row.Mark, row.Below = len(t.Kids) > 0, t.Mark, t.below
	return row
}

// Resolve returns the item.
func (f *Forest[T]) Resolve(_ context.Context, it Item, _ func(done, total int64)) (Item, error) {
	return it, nil
}

// Unfolds returns the steps to the rows below an item that begin open.
func (f *Forest[T]) Unfolds(it Item, first int64) (steps []Step) {
	for i, t := range f.kids(it) {
		if int64(i) >= first && t.Open && len(f.kids(t)) > 0 {
			steps = append(steps, Step{Index: int64(i), Item: t})
		}
	}
	return steps
}
