package table

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/model/crossref"
)

// A column is one number of each entry of a table: coded integers from 0.4.0 on, before that a field of records.
type column struct {
	name   string        // of the field that has the coded integers
	record string        // of the field of records below 0.4.0, or "" if the numbers stand alone
	show   coding.Show   // completes the node of a number
	Values model.Numbers // as far as they could be read
	node   *model.Node   // of the integers or the records, while the section is loaded

	ints       *coding.Ints // nil below 0.4.0
	coded      *coding.List // of ints
	records    model.Span   // below 0.4.0
	size, skip int64        // bytes of each record, and bytes before the number
}

// place returns the bytes of number i, or those that show it best.
func (k *column) place(ctx context.Context, i int64) model.Span {
	switch {
	case k.coded != nil && i < k.coded.Good:
		return k.coded.Place(ctx, i)
	case k.coded != nil || k.records.Source == nil:
		return model.Span{}
	}
	return k.records.Source.Span(k.records.Off+i*k.size+k.skip, 4)
}

// overlapping returns the numbers that have bytes of a span.
func (k *column) overlapping(ctx context.Context, s model.Span) (first, end int64, err error) {
	if k.coded != nil {
		first, end = k.coded.Overlapping(ctx, s)
	}
	if k.size > 0 {
		first, end = crossref.RowsOver(s, k.records.Source, k.records.Off, k.size, k.records.Len/k.size)
	}
	return first, end, nil
}

// check puts a problem on the column for each of its numbers that is no entry of a table; what names an entry.
func (k *column) check(ctx context.Context, in *Section, what string) {
	for i, index := range k.Values.All() {
		if !in.Holds(index) && len(k.node.Problems) < maxListed {
			k.node.Problems = append(k.node.Problems, coding.ProblemAt(outOfRange(what, index, in.claimed), k.place(ctx, i)))
		}
	}
}

// showNumber shows a field of a record below 0.4.0 as the coded integers after it are shown.
func showNumber(show func(c *Crate, ctx context.Context, i, v int64, n *model.Node), s grammar.Scope, v grammar.Value, n *model.Node) {
	if number, ok := v.Int(); ok {
		show(CrateOf(s), s.Reading().Context(), s.Object().Index(), number, n)
	}
}
