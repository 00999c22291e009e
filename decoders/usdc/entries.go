package usdc

import (
	"context"
	"strings"

	"cutaway/model"
)

// entries are the numbered things of the tables, which refs lead to.
type entries struct {
	tokens, strings, fields, names, positions model.Entries
	items, elements, jumps                    model.Entries
	specs, specSets, specTypes                model.Entries
}

// A listedTable is a table whose entries are the rows of one node of the layout.
type listedTable struct {
	e      *model.Entries
	path   string                                                                // below the layout's root, of the integers' owner where there are integers
	old    string                                                                // below 0.4.0; what follows "[]" is a field of each record
	column func(t *tables) *column                                               // or nil if over finds entries by bytes
	count  func(t *tables) int64                                                 // or nil if that is the length of the column
	over   func(ctx context.Context, t *tables, s model.Span) (first, end int64) // or nil if the column finds entries by bytes
}

func (c *crate) listedTables() []listedTable {
	l := &c.entries
	specs := func(t *tables) int64 { return t.specs.count() }
	items := func(t *tables) int64 { return t.paths.items() }
	return []listedTable{
		{e: &l.tokens, path: "TOKENS/text@inflated", old: "TOKENS/text", count: func(t *tables) int64 { return t.tokens.n },
			over: func(ctx context.Context, t *tables, s model.Span) (int64, int64) {
				return rangeOf(ctx, t.tokens.find, s)
			}},
		{e: &l.strings, path: "STRINGS/indexes", old: "STRINGS/indexes", column: func(t *tables) *column { return &t.strings.column }},
		{e: &l.fields, path: "FIELDS/reps@inflated", old: "FIELDS/fields", count: func(t *tables) int64 { return t.fields.n },
			over: func(_ context.Context, t *tables, s model.Span) (int64, int64) {
				return model.RowsOver(s, t.fields.src, t.fields.off+repSize-t.fields.stride, t.fields.stride, t.fields.n)
			}},
		{e: &l.names, path: "FIELDS/names", old: "FIELDS/fields/[]/name", column: func(t *tables) *column { return &t.fields.nameColumn },
			count: func(t *tables) int64 { return t.fields.n }},
		{e: &l.positions, path: "FIELDSETS/indexes", old: "FIELDSETS/indexes", column: func(t *tables) *column { return &t.sets.column },
			count: func(t *tables) int64 { return int64(len(t.sets.list)) }},
		{e: &l.items, path: "PATHS/pathIndexes", old: "PATHS/items", column: pathColumn(0), count: items},
		{e: &l.elements, path: "PATHS/elementTokenIndexes", old: "PATHS/items/[]/elementTokenIndex", column: pathColumn(1), count: items},
		{e: &l.jumps, path: "PATHS/jumps", column: pathColumn(2), count: items},
		{e: &l.specs, path: "SPECS/pathIndexes", old: "SPECS/specs", column: specColumn(0), count: specs},
		{e: &l.specSets, path: "SPECS/fieldSetIndexes", old: "SPECS/specs/[]/fieldSet", column: specColumn(1), count: specs},
		{e: &l.specTypes, path: "SPECS/types", column: specColumn(2), count: specs},
	}
}

func pathColumn(i int) func(t *tables) *column {
	return func(t *tables) *column { return &t.paths.columns[i] }
}
func specColumn(i int) func(t *tables) *column {
	return func(t *tables) *column { return &t.specs.columns[i] }
}

// describeEntries sets where the entries of the tables are, and how many there are.
func (c *crate) describeEntries() {
	for _, t := range c.listedTables() {
		c.describeTable(t)
	}
}

func (c *crate) describeTable(t listedTable) {
	if t.count == nil {
		t.count = func(all *tables) int64 { return t.column(all).values.Len() }
	}
	t.e.Count = func(ctx context.Context, progress model.Progress) (int64, error) {
		all, err := c.tables(ctx, progress)
		if err != nil {
			return 0, err
		}
		return t.count(all), nil
	}
	path, record, field := t.path, "", ""
	if !c.inflated() {
		path = t.old
		record, field, _ = strings.Cut(t.old, "/[]")
	}
	switch {
	case field != "":
		t.e.Of = isNone
		t.e.Path = func(i int64) string { return c.layout + "/" + record + "/" + model.IndexName(i) + field }
		return
	case c.inflated() && t.column != nil && t.e != &c.entries.strings:
		path += "@" + inflatedName + "/integers"
	}
	t.e.Base = c.layout + "/" + path
	t.e.Over = func(ctx context.Context, s model.Span) (first, end int64, err error) {
		all, err := c.tables(ctx, nil)
		switch {
		case err != nil:
			return 0, 0, err
		case t.over != nil:
			first, end = t.over(ctx, all, s)
			return first, end, nil
		case t.e == &c.entries.items && all.paths.old != nil:
			first, end = all.paths.old.itemsOver(ctx, s)
			return first, end, nil
		}
		return t.column(all).overlapping(ctx, s)
	}
}

// isNone is the Of of entries without nodes of their own.
func isNone(*model.Place) (int64, bool) { return 0, false }

// all returns the entries of all tables.
func (e *entries) all() []*model.Entries {
	return []*model.Entries{&e.tokens, &e.strings, &e.fields, &e.names, &e.positions, &e.items, &e.elements, &e.jumps,
		&e.specs, &e.specSets, &e.specTypes}
}
