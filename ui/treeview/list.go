package treeview

import (
	"context"
	"sync/atomic"
)

// ListOf is the Data of a list whose items are the numbers of its rows, as int64. count answers at once, on the UI
// goroutine; row may take its time and is called in the background.
func ListOf(count func() (n int64, exact bool), row func(i int64) Row) Data {
	return &rowList{count, row}
}

type rowList struct {
	count func() (n int64, exact bool)
	row   func(i int64) Row
}

func (l *rowList) Root() Item { return int64(-1) }

func (l *rowList) Count(Item) (int64, bool) { return l.count() }

func (l *rowList) Pending(Item) bool { return false }

func (l *rowList) Child(_ Item, i int64) Item { return i }

func (l *rowList) Row(it Item) Row { return l.row(it.(int64)) }

func (l *rowList) Resolve(_ context.Context, it Item, _ func(done, total int64)) (Item, error) {
	return it, nil
}

// Slice is the Data of a list that shows a slice. It is safe on every goroutine.
type Slice[T any] struct {
	Data
	// Show makes the row of an element, in the background.
	Show func(T) Row

	rows atomic.Pointer[[]T]
}

// SliceOf is an empty Slice.
func SliceOf[T any](show func(T) Row) *Slice[T] {
	s := &Slice[T]{Show: show}
	s.Data = ListOf(func() (int64, bool) { return int64(len(s.All())), true }, func(i int64) Row {
		if one, ok := s.At(i); ok {
			return s.Show(one)
		}
		return Row{}
	})
	return s
}

// Set replaces the elements; the list learns of it by Recount, or by Invalidate where there are as many as before.
func (s *Slice[T]) Set(rows []T) { s.rows.Store(&rows) }

// All is the elements. They must not be changed.
func (s *Slice[T]) All() []T {
	if p := s.rows.Load(); p != nil {
		return *p
	}
	return nil
}

// At is the element of an item; ok is false where the list has become shorter.
func (s *Slice[T]) At(it Item) (one T, ok bool) {
	all := s.All()
	i, _ := it.(int64)
	if i < 0 || i >= int64(len(all)) {
		return one, false
	}
	return all[i], true
}
