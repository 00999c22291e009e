package values

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cespare/xxhash/v2"

	"cutaway/model"
)

// Facts holds the facts of a column, or during reading those of the elements before Count.
type Facts struct {
	Type       string
	Count      int64 // number of elements read
	Total      int64 // number of all elements; a lower bound unless Exact
	Exact      bool
	Components int   // numbers in an element, or 0 if the elements are no numbers
	None       int64 // elements without a value, which only First and Last include
	Hash       uint64
	By         []Component // of numbers
	Text       *Words      // of other elements
	First      model.Value
	Last       model.Value
}

// A Component holds the facts of one component of the elements. Min to Std are those of the finite values.
type Component struct {
	Finite             int64
	Min, Max, Mean     model.Value // nil if none is finite
	Std                float64
	NaN, Inf           int64
	Zero, NegativeZero int64  // −0 is a zero too
	Distinct           int    // −1 for more than MostDistinct
	Sorted             string // "ascending", "descending", "constant", or ""
	Histogram          Distribution
}

// windowBytes is the size of a window of a numeric column. blockRows is the number of rows that are summed at once,
// which stay in the nearest cache.
const (
	windowBytes = 256 << 10
	blockRows   = 2048
)

// Stats computes the facts of a column in one pass, and keeps no more than they need.
type Stats struct {
	column     *Column
	components []*component
	words      *words
	hash       *xxhash.Digest
	count      int64
	none       int64
	first      model.Value
	last       model.Value
}

// Summarize computes the facts of a column in one pass. each, if not nil, is called after each window, on the same
// goroutine, and may read the facts so far. When ctx ends or reading fails, it returns the facts so far with the error.
func Summarize(ctx context.Context, c *Column, each func(*Stats)) (*Facts, error) {
	s := newStats(c)
	err := s.run(ctx, each)
	if errors.As(err, new(errUnlike)) {
		return Summarize(ctx, c.mixed(), each)
	}
	return s.Facts(), err
}

// mixed returns the column for the case that its elements have different kinds of numbers.
func (c *Column) mixed() *Column {
	if c.floats != nil {
		return c.floats
	}
	mixed := *c
	switch k := c.Packing.Number; {
	case k >= model.NumberI8 && k < model.NumberI64: // the type's name implied shorter integers
		mixed.Packing.Number = model.NumberI64 + (k-model.NumberI8)%2
	default:
		mixed.Packing = model.Packing{}
	}
	return &mixed
}

// Reporting returns a function for Summarize that reports the progress in things called what.
func Reporting(progress model.Progress, what string) func(*Stats) {
	return func(s *Stats) {
		done, total := s.Done()
		progress.Report(done, total, what)
	}
}

func newStats(c *Column) *Stats {
	s := &Stats{column: c, hash: xxhash.New()}
	if !c.Numeric() {
		s.words = newWords()
		return s
	}
	for range c.Packing.Components {
		s.components = append(s.components, newComponent(c.Packing.Number))
	}
	return s
}

// Done returns the number of elements read, and of all.
func (s *Stats) Done() (n, total int64) {
	total, _ = s.column.Len()
	return s.count, total
}

func (s *Stats) run(ctx context.Context, each func(*Stats)) error {
	window := s.values
	if s.column.Numeric() {
		window = s.numbers(make([]byte, max(windowBytes/s.column.Packing.Size(), 1)*s.column.Packing.Size()))
	}
	for {
		n, err := window(ctx)
		s.count += int64(n)
		if each != nil && n > 0 {
			each(s)
		}
		total, exact := s.column.Len()
		if err != nil || n == 0 || exact && s.count >= total {
			return err
		}
	}
}

// numbers returns a function that reads windows of numbers into buf.
func (s *Stats) numbers(buf []byte) func(ctx context.Context) (int, error) {
	size := int(s.column.Packing.Size())
	floats, none := make([]float64, blockRows), s.column.noneRoom(len(buf)/size)
	return func(ctx context.Context) (int, error) {
		n, err := s.column.readPacked(ctx, s.count, buf, none)
		if n == 0 {
			return 0, err
		}
		at := func(i int) model.Value {
			if none != nil && none[i] {
				return model.None{}
			}
			return s.element(buf[i*size : (i+1)*size])
		}
		if s.count == 0 {
			s.first = at(0)
		}
		s.last = at(n - 1)
		b := s.present(buf[:n*size], none)
		for rows := len(b) / size; rows > 0; rows = len(b) / size {
			rows = min(rows, blockRows)
			s.block(b[:rows*size], rows, floats[:rows])
			b = b[rows*size:]
		}
		return n, err
	}
}

// noneMark is hashed for an element without a value.
var noneMark = []byte("an element without a value")

// present hashes the packed elements in b, counts those without a value, and returns the others, compacted.
func (s *Stats) present(b []byte, none []bool) []byte {
	size := int(s.column.Packing.Size())
	if !slices.Contains(none[:min(len(b)/size, len(none))], true) {
		_, _ = s.hash.Write(b) // never fails
		return b
	}
	rest := b[:0]
	for i := range len(b) / size {
		if none[i] {
			s.none++
			_, _ = s.hash.Write(noneMark)
			continue
		}
		one := b[i*size : (i+1)*size]
		_, _ = s.hash.Write(one)
		rest = append(rest, one...)
	}
	return rest
}

// noneRoom returns a slice for marking elements without a value among n, or nil if all have one.
func (c *Column) noneRoom(n int) []bool {
	if c.isPacked() {
		return nil
	}
	return make([]bool, n)
}

func (s *Stats) block(b []byte, rows int, floats []float64) {
	p := &s.column.Packing
	for k, c := range s.components {
		if c.wide != nil {
			c.addWide(floats, b, p.Components, k)
		} else {
			unpack(floats, b, p.Number, p.Components, k)
			c.order(floats)
			c.distinct.add(floats)
		}
		c.add(floats)
		c.seen += int64(rows)
	}
}

// element returns a packed element as a value.
func (s *Stats) element(b []byte) model.Value {
	p := &s.column.Packing
	width := int(p.Number.Size())
	if p.Components == 1 {
		return p.Number.Value(b)
	}
	t := make(model.Tuple, p.Components)
	for i := range t {
		t[i] = p.Number.Value(b[i*width:])
	}
	return t
}

// values reads a window of elements that are no numbers.
func (s *Stats) values(ctx context.Context) (int, error) {
	dst := make([]model.Value, Window)
	n, err := s.column.Read(ctx, s.count, dst)
	var b []byte
	for _, v := range dst[:n] {
		if isNone(v) {
			s.none++
		}
		text := s.words.add(ctx, v)
		b = append(binary.AppendUvarint(b[:0], uint64(len(text))), text...)
		_, _ = s.hash.Write(b) // never fails
	}
	if n > 0 {
		if s.count == 0 {
			s.first = dst[0]
		}
		s.last = dst[n-1]
	}
	return n, err
}

// Facts returns the facts so far.
func (s *Stats) Facts() *Facts {
	f := &Facts{Type: s.column.Type, Count: s.count, Components: len(s.components), None: s.none, Hash: s.hash.Sum64(), First: s.first, Last: s.last}
	f.Total, f.Exact = s.column.Len()
	for _, c := range s.components {
		f.By = append(f.By, c.facts())
	}
	if s.words != nil {
		f.Text = s.words.facts()
	}
	return f
}
