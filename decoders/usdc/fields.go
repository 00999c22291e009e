package usdc

import (
	"context"

	"cutaway/model"
)

// fieldTable is the table of fields (chapter 6): name token and value rep of each.
type fieldTable struct {
	n int64
}

// fields loads the fields; the error is that of the context, damage leaves a shorter table.
func (c *crate) fields(ctx context.Context, progress model.Progress) (*fieldTable, error) {
	return c.fieldTable.get(ctx, progress, func(context.Context, model.Progress) (*fieldTable, error) { return &fieldTable{}, nil })
}

// count is the number of fields that have both name and rep.
func (f *fieldTable) count() int64 { return f.n }

// name is the text of the name of field i, 0 ≤ i < count.
func (f *fieldTable) name(i int64) (string, error) { return "", errNone }

// nameToken is the token index of the name of field i.
func (f *fieldTable) nameToken(i int64) uint32 { return none }

// rep is the value rep of field i.
func (f *fieldTable) rep(i int64) (rep, error) { return 0, errNone }

// reps calls do for each field's rep in order, reading them in large steps.
func (f *fieldTable) reps(ctx context.Context, do func(i int64, r rep)) error { return nil }

// repSpan is the 8 bytes of the rep of field i: in the inflated source of the reps, below 0.4.0 in the file.
func (f *fieldTable) repSpan(i int64) model.Span { return model.Span{} }
