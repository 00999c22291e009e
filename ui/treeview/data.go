package treeview

import (
	"context"
	"image/color"
	"sync/atomic"

	"fyne.io/fyne/v2"
)

// Item is a thing that the tree shows; only Data looks inside.
type Item any

// Data is the content of a tree. Count and Pending answer at once, on the UI goroutine. The others may take their time and are
// called in the background.
type Data interface {
	// Root returns the item of the first row.
	Root() Item
	// Count returns the number of known children; more may come while exact is false.
	Count(it Item) (n int64, exact bool)
	// Pending reports whether Resolve must run before the children are known.
	Pending(it Item) bool
	// Child makes child i.
	Child(it Item, i int64) Item
	// Row returns the row of an item.
	Row(it Item) Row
	// Resolve makes the children known and returns the item anew. It ends early only with ctx, with an error.
	Resolve(ctx context.Context, it Item, progress func(done, total int64)) (Item, error)
}

// Unfolding is Data some of whose branches are open as soon as they appear.
type Unfolding interface {
	Data
	// Unfolds lists the children, from number first on, that are branches to be opened. It answers at once, on the UI
	// goroutine.
	Unfolds(it Item, first int64) []Step
}

// Step is one branch of the way to an item: the child's number and its item.
type Step struct {
	Index int64
	Item  Item
}

// Mark is the severity of a row's problems.
type Mark uint8

// The marks, least first.
const (
	Sound Mark = iota
	Note
	Warning
	Error
)

// Row is the content of a row.
type Row struct {
	Cells []string // by column
	// Swatches are colours before the texts, by column; nil shows none.
	Swatches []color.Color
	// Bars are drawn below the texts, by column: how much of the cell's width, 0 to 1.
	Bars []float32
	// Match is a part of a cell's text to be marked, such as the text that a search has found.
	Match Match
	// Inks colour parts of the last text, in their order. Its letters are equally wide.
	Inks []Ink
	// Flow is drawn in the first column of a list: arrows beside the texts.
	Flow    []Lane
	Branch  bool          // it has children, or may have
	Pending bool          // what is below is not decoded yet
	NoValue bool          // the second cell says in words why there is no value yet
	Dim     bool          // of little interest, such as padding
	Folded  bool          // a row for several nodes, opened by a click
	Strong  bool          // the name is bold
	Mark    Mark          // its own problems
	Below   Mark          // the worst problem further down
	Icon    fyne.Resource // before the name, or nil
	Lit     bool          // it belongs to what is selected elsewhere
}

// Match is the bytes [From, To) of the text of a cell; none where they are equal.
type Match struct{ Cell, From, To int }

// An Ink colours the bytes [From, To) of a text, and may draw a box around them.
type Ink struct {
	From, To int
	Color    fyne.ThemeColorName
	Boxed    bool
}

// A Lane is the part of an arrow that is in a row. Lanes are numbered from the text to the left.
type Lane struct {
	At       int
	Up, Down bool // the arrow continues in the row above, or below
	Turn     bool // the arrow begins or ends here
	Head     bool // the arrow ends here
}

// ListOf returns the Data of a list whose items are the numbers of its rows, as int64. count answers at once, on the UI
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

// SliceOf returns an empty Slice.
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

// With returns a function that calls f with the element of an item.
func (s *Slice[T]) With(f func(T)) func(Item) {
	return func(it Item) {
		if one, ok := s.At(it); ok {
			f(one)
		}
	}
}

// Set replaces the elements. Recount must follow, or Invalidate if there are as many as before.
func (s *Slice[T]) Set(rows []T) { s.rows.Store(&rows) }

// All returns the elements. They must not be changed.
func (s *Slice[T]) All() []T {
	if p := s.rows.Load(); p != nil {
		return *p
	}
	return nil
}

// At returns the element of an item; ok is false where the list has become shorter.
func (s *Slice[T]) At(it Item) (one T, ok bool) {
	all := s.All()
	i, _ := it.(int64)
	if i < 0 || i >= int64(len(all)) {
		return one, false
	}
	return all[i], true
}
