package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
)

// Rows selects rows of an array or table by number. Its ranges ascend and do not overlap. Without ranges it selects
// all.
type Rows []RowRange

// A RowRange is the rows First ≤ i < End.
type RowRange struct{ First, End int64 }

// ParseRows parses ranges separated by commas: A:B, A: for A and all after, :B for the first B, and A for a single row.
func ParseRows(text string) (Rows, error) {
	var list Rows
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		a, b, ranged := strings.Cut(part, ":")
		r := RowRange{0, 1 << 62}
		var err, err2 error
		if a != "" {
			r.First, err = strconv.ParseInt(a, 10, 64)
		}
		switch {
		case b != "":
			r.End, err2 = strconv.ParseInt(b, 10, 64)
		case !ranged:
			r.End = r.First + 1
		}
		if err != nil || err2 != nil || r.First < 0 || r.End <= r.First {
			return nil, fmt.Errorf("%q is no range of rows: write 0:10, or several with commas between them", part)
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b RowRange) int { return int(max(min(a.First-b.First, 1), -1)) })
	for i := 1; i < len(list); i++ {
		if list[i].First < list[i-1].End {
			return nil, errors.New("the ranges of rows reach into one another")
		}
	}
	return list, nil
}

// String returns the text that ParseRows parses.
func (r Rows) String() string {
	var parts []string
	for _, one := range r {
		if one.End == one.First+1 {
			parts = append(parts, strconv.FormatInt(one.First, 10))
		} else {
			parts = append(parts, fmt.Sprintf("%d:%d", one.First, one.End))
		}
	}
	return strings.Join(parts, ", ")
}

// ranges returns the selected ranges of n existing rows, and their total length.
func (r Rows) ranges(n int64) (list Rows, count int64) {
	for _, one := range r {
		if one.End = min(one.End, n); one.First < one.End {
			list, count = append(list, one), count+one.End-one.First
		}
	}
	return list, count
}

// read reads at most n contiguous selected rows from number first on. It calls read with the number of the first among
// all rows.
func (r Rows) read(first int64, n int, read func(first int64, n int) (int, error)) (int, error) {
	for _, one := range r {
		left := one.End - one.First
		if first < left {
			return read(one.First+first, int(min(int64(n), left-first)))
		}
		first -= left
	}
	return 0, nil
}

// chosenRows returns p, or its only child with rows, reduced to the selected rows. others reports whether it has more,
// as far as is known.
func (r Rows) chosenRows(ctx context.Context, request *Request, p *model.Place) (some *model.Place, others bool, err error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, false, err
	}
	owner := withRows(ctx, p)
	if owner == nil {
		return nil, false, errors.New(noRows(ctx, p))
	}
	some = owner.Copy()
	n := &some.Node
	only := func(card model.Card, all int64, exact bool) (*model.Place, bool, error) {
		n.Cards = func(context.Context) []model.Card { return []model.Card{card} }
		_, count := r.ranges(all)
		return some, count < all || !exact, nil
	}
	card, a, err := rowsIn(ctx, request, owner)
	if err != nil {
		return nil, false, err
	}
	switch c := card.(type) {
	case model.Table:
		all, exact := c.Rows()
		return only(&someTable{Table: c, rows: r}, all, exact)
	case model.Series:
		all, exact := c.Points()
		return only(&someSeries{Series: c, rows: r}, all, exact)
	}
	rows, count := r.ranges(a.Len())
	n.Value, n.Children, n.Elements, n.Spans = &someArray{a: a, rows: rows, n: count}, nil, false, nil
	return some, count < a.Len(), nil
}

// someArray is a selection of the elements of an array.
type someArray struct {
	model.ArrayBase
	a    model.Array
	rows Rows
	n    int64
}

func (s *someArray) Elem() string { return s.a.Elem() }

func (s *someArray) Len() int64 { return s.n }

func (s *someArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	return s.rows.read(first, len(dst), func(first int64, n int) (int, error) { return s.a.Read(ctx, first, dst[:n]) })
}

func (s *someArray) Packing() model.Packing {
	of := model.PackingOf(s.a)
	if of.Number == model.NoNumber {
		return model.Packing{}
	}
	size := of.Size()
	return model.Packing{Number: of.Number, Components: of.Components, Coding: of.Coding,
		Decode: func(ctx context.Context, first int64, dst []byte) (int, error) {
			return s.rows.read(first, int(int64(len(dst))/size), func(first int64, n int) (int, error) { return of.Read(ctx, first, dst[:int64(n)*size]) })
		}}
}

// someTable is a selection of the rows of a table.
type someTable struct {
	model.Table
	rows Rows
}

func (t *someTable) Rows() (int64, bool) { return t.rows.count(t.Table.Rows()) }

func (t *someTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	return t.rows.read(first, len(dst), func(first int64, n int) (int, error) { return t.Table.Read(ctx, first, dst[:n]) })
}

// someSeries is a selection of the points of a series.
type someSeries struct {
	model.Series
	rows Rows
}

func (s *someSeries) Points() (int64, bool) { return s.rows.count(s.Series.Points()) }

func (s *someSeries) Read(ctx context.Context, first int64, dst []model.Point) (int, error) {
	return s.rows.read(first, len(dst), func(first int64, n int) (int, error) { return s.Series.Read(ctx, first, dst[:n]) })
}

// count returns the number of selected rows of n, and whether it is exact.
func (r Rows) count(n int64, exact bool) (int64, bool) {
	_, count := r.ranges(n)
	return count, exact
}
