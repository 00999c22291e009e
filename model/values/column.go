// Package values reads the values of arrays and columns in windows, and computes statistics, distributions and hashes.
// It knows no format: values come from an array, the elements of a node, a column of a table card or a series card.
package values

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cutaway/model"
)

// Window is the number of elements of a window if each is made as a Value.
const Window = 4096

// A Column is a sequence of values that are read in windows.
type Column struct {
	Name string // of a table's column or a series, or "" for an array
	Type string // of an element, in the format's words
	// Packing is the packing of elements that are numbers. Its Number is NoNumber for others, and if elements differ;
	// then only Read reads them.
	Packing model.Packing

	count func() (n int64, exact bool)
	read  func(ctx context.Context, first int64, dst []model.Cell) (int, error)
	// For a series, exact reads integers as such, and floats is the float64 column that a column of integers replaces.
	exact  func(ctx context.Context, first int64, dst []model.Cell) (int, error)
	floats *Column
	array  model.Array // or nil for a card
}

// Len returns the number of elements, or a lower bound if exact is false.
func (c *Column) Len() (n int64, exact bool) { return c.count() }

// Array returns the array of the column, or nil if it is from a card.
func (c *Column) Array() model.Array { return c.array }

// Numeric reports whether the elements are numbers that ReadPacked returns.
func (c *Column) Numeric() bool { return c.Packing.Number != model.NoNumber }

// Read fills dst with the elements from first on and returns their number.
func (c *Column) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	if c.array != nil {
		return readArray(ctx, c.array, first, dst)
	}
	cells := make([]model.Cell, len(dst))
	n, err := c.read(ctx, first, cells)
	for i := range n {
		dst[i] = cells[i].Value
	}
	return n, err
}

// Cells is like Read, with the bytes and the node of each element, if known.
func (c *Column) Cells(ctx context.Context, first int64, dst []model.Cell) (int, error) {
	if c.array == nil {
		return c.read(ctx, first, dst)
	}
	window := make([]model.Value, len(dst))
	n, err := readArray(ctx, c.array, first, window)
	for i := range n {
		dst[i] = model.Cell{Value: window[i]}
		if at := c.Packing.At; at.Source != nil && c.Packing.Decode == nil {
			size := c.Packing.Size()
			dst[i].Spans = []model.Span{at.Source.Span(at.Off+(first+int64(i))*size, size)}
		}
	}
	return n, err
}

// ReadPacked fills dst with whole elements from first on as little-endian numbers, and returns their number. A column
// that is not Numeric has none. An element without a value is an error.
func (c *Column) ReadPacked(ctx context.Context, first int64, dst []byte) (int, error) {
	return c.readPacked(ctx, first, dst, nil)
}

// isPacked reports whether elements are read without making Values. If so, every element has a value.
func (c *Column) isPacked() bool { return c.Packing.Decode != nil || c.Packing.At.Source != nil }

// readPacked is like ReadPacked but sets none[i], if none is not nil, for elements without a value. These are zeros in dst.
func (c *Column) readPacked(ctx context.Context, first int64, dst []byte, none []bool) (int, error) {
	if !c.Numeric() {
		return 0, nil
	}
	if c.isPacked() {
		return c.Packing.Read(ctx, first, dst)
	}
	size := c.Packing.Size()
	var window [256]model.Value
	done := 0
	for want := int(int64(len(dst)) / size); done < want; {
		n, err := c.Read(ctx, first+int64(done), window[:min(len(window), want-done)])
		for i, v := range window[:n] {
			at := dst[int64(done+i)*size : int64(done+i+1)*size]
			switch {
			case none != nil && isNone(v):
				none[done+i] = true
				clear(at)
			case !c.pack(at, v):
				return done + i, errUnlike{first + int64(done+i), v}
			case none != nil:
				none[done+i] = false
			}
		}
		if done += n; err != nil || n == 0 {
			return done, err
		}
	}
	return done, ctx.Err()
}

// errUnlike is the error that an element has other numbers than the first one.
type errUnlike struct {
	row   int64
	value model.Value
}

func (e errUnlike) Error() string {
	return fmt.Sprintf("element %d is %s, unlike those before it", e.row, model.ShowHeld(e.value, 40))
}

// readArray reads until dst is full, the array ends, or an error occurs.
func readArray(ctx context.Context, a model.Array, first int64, dst []model.Value) (int, error) {
	done := 0
	for want := int(max(min(int64(len(dst)), a.Len()-first), 0)); done < want; {
		n, err := a.Read(ctx, first+int64(done), dst[done:want])
		if done += n; err != nil || n == 0 {
			return done, err
		}
	}
	return done, ctx.Err()
}

// ArrayColumn returns the elements of an array as a column.
func ArrayColumn(ctx context.Context, a model.Array) (*Column, error) {
	c := &Column{Type: a.Elem(), Packing: model.PackingOf(a), array: a}
	c.count = func() (int64, bool) { return a.Len(), true }
	if c.Numeric() {
		return c, nil
	}
	return c, c.look(ctx)
}

// mostLooked is the most elements that are searched for one with a value.
const mostLooked = 1 << 16

// look sets the packing by the first element that has a value.
func (c *Column) look(ctx context.Context) error {
	var window [64]model.Value
	for first := int64(0); first < mostLooked; first += int64(len(window)) {
		n, err := c.Read(ctx, first, window[:])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if i := slices.IndexFunc(window[:n], func(v model.Value) bool { return !isNone(v) }); i >= 0 {
			c.Packing = packingLike(window[i], c.Type)
			return nil
		}
		switch {
		case n == 0 && first == 0 && err != nil && !errors.As(err, new(model.Problem)):
			return err
		case n < len(window):
			return nil
		}
	}
	return nil
}

// isNone reports whether an element has no value.
func isNone(v model.Value) bool {
	_, none := v.(model.None)
	return v == nil || none
}

// packingLike returns the packing of elements like v.
func packingLike(v model.Value, elem string) model.Packing {
	numbers := flatten(nil, v, 0)
	if len(numbers) == 0 {
		return model.Packing{}
	}
	p := model.Packing{Number: model.NumberOf(numbers[0], elem), Components: len(numbers)}
	for _, x := range numbers {
		if model.NumberOf(x, elem) != p.Number {
			return model.Packing{}
		}
	}
	return p
}

const maxNesting = 8

// AppendComponents appends the components of an element: the numbers of a vector, those of a matrix row by row, or the
// element itself.
func AppendComponents(dst []model.Value, v model.Value) []model.Value { return flatten(dst, v, 0) }

func flatten(dst []model.Value, v model.Value, depth int) []model.Value {
	t, ok := v.(model.Tuple)
	if !ok || len(t) == 0 || depth >= maxNesting {
		return append(dst, v)
	}
	for _, x := range t {
		dst = flatten(dst, x, depth+1)
	}
	return dst
}

// pack writes v as numbers. It returns false if these are not of the column's kinds.
func (c *Column) pack(dst []byte, v model.Value) bool {
	var room [16]model.Value
	numbers := flatten(room[:0], v, 0)
	if len(numbers) != c.Packing.Components {
		return false
	}
	width := int(c.Packing.Number.Size())
	for i, x := range numbers {
		if !alike(x, c.Packing.Number) || !model.FitsInteger(x, width) {
			return false
		}
		putNumber(dst[i*width:(i+1)*width], x)
	}
	return true
}

// Of returns the columns of a node: its array, the columns of its table cards and its series, or those of its elements;
// or else those of its only child that has any. It returns none if there are no values.
func Of(ctx context.Context, p *model.Place) ([]*Column, error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	owner, err := Owner(ctx, p)
	if owner == nil || err != nil {
		return nil, err
	}
	switch owner.Node.Value.(type) {
	case model.Array, model.Seq:
		return arrayColumns(ctx, model.Sequence(ctx, owner))
	}
	if columns, err := cardColumns(ctx, &owner.Node); len(columns) > 0 || err != nil {
		return columns, err
	}
	t, err := model.FieldsOf(ctx, owner, math.MaxInt64, nil)
	switch {
	case err != nil:
		return nil, err
	case t.Plain():
		return arrayColumns(ctx, t.Array())
	}
	t.Bare = true
	return tableColumns(ctx, nil, t)
}

func arrayColumns(ctx context.Context, a model.Array) ([]*Column, error) {
	c, err := ArrayColumn(ctx, a)
	return []*Column{c}, err
}

// Owner returns the node with the values of p, as Meant does, or nil.
func Owner(ctx context.Context, p *model.Place) (*model.Place, error) {
	owner := Meant(ctx, p, true, hasValues, model.HasElements)
	return owner, ctx.Err()
}

func hasValues(ctx context.Context, n *model.Node) bool {
	return IsArray(n) || len(model.RowCards(ctx, n)) > 0
}

// cardColumns returns the columns of the node's tables, or else its series.
func cardColumns(ctx context.Context, n *model.Node) ([]*Column, error) {
	var columns, series []*Column
	for _, card := range model.RowCards(ctx, n) {
		switch card := card.(type) {
		case model.Table:
			var err error
			if columns, err = tableColumns(ctx, columns, card); err != nil {
				return nil, err
			}
		case model.Series:
			c, err := SeriesColumn(card).Exact(ctx)
			if err != nil {
				return nil, err
			}
			series = append(series, c)
		}
	}
	if len(columns) > 0 {
		return columns, nil
	}
	return series, nil
}

func tableColumns(ctx context.Context, columns []*Column, t model.Table) ([]*Column, error) {
	for k := range t.Columns() {
		c, err := TableColumn(ctx, t, k)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// TableColumn returns column k of a table.
func TableColumn(ctx context.Context, t model.Table, k int) (*Column, error) {
	all := t.Columns()
	c := &Column{Name: all[k].Name, Type: all[k].Type, count: t.Rows}
	c.read = func(ctx context.Context, first int64, dst []model.Cell) (int, error) {
		rows := make([][]model.Cell, len(dst))
		cells := make([]model.Cell, len(dst)*len(all))
		for i := range rows {
			rows[i] = cells[i*len(all) : (i+1)*len(all)]
		}
		n, err := t.Read(ctx, first, rows)
		for i := range n {
			if dst[i] = rows[i][k]; dst[i].Value == nil {
				dst[i].Value = model.None{}
			}
		}
		return n, err
	}
	return c, c.look(ctx)
}

// SeriesColumn returns the values of a series over time, as float64s.
func SeriesColumn(s model.Series) *Column {
	c := &Column{Name: s.CardTitle(), Type: "double", count: s.Points, Packing: model.Packing{Number: model.NumberF64, Components: 1}}
	c.read = seriesCells(s, func(pt *model.Point) model.Value { return model.Float64(pt.Value) })
	c.exact = seriesCells(s, (*model.Point).Number)
	return c
}

// seriesCells returns a function that reads the points of a series with the values that value returns.
func seriesCells(s model.Series, value func(*model.Point) model.Value) func(ctx context.Context, first int64, dst []model.Cell) (int, error) {
	return func(ctx context.Context, first int64, dst []model.Cell) (int, error) {
		points := make([]model.Point, len(dst))
		n, err := s.Read(ctx, first, points)
		for i, pt := range points[:n] {
			dst[i] = model.Cell{Value: value(&pt), Spans: []model.Span{pt.Span}, Path: pt.Path}
			if pt.None {
				dst[i].Value = model.None{}
			}
		}
		return n, err
	}
}

// Exact returns the column with its integers as such, if it has them as float64s.
func (c *Column) Exact(ctx context.Context) (*Column, error) {
	if c.exact == nil {
		return c, nil
	}
	x := *c
	x.read, x.exact, x.floats = c.exact, nil, c
	err := x.look(ctx)
	if k := x.Packing.Number; k != model.NumberF64 {
		x.Type = map[model.NumberKind]string{model.NumberI64: "int64", model.NumberU64: "uint64"}[k]
	}
	return &x, err
}
