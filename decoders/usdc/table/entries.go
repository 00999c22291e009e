package table

import (
	"context"
	"strings"

	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/model/crossref"
)

// EntryLists are the entries of the tables, with their places in the layout.
type EntryLists struct {
	Tokens, Strings, Fields, Names, Positions crossref.Entries
	Items, Elements, Jumps                    crossref.Entries
	Specs, SpecSets, SpecTypes                crossref.Entries
}

// A listedTable is a table whose entries are the rows of one node of the layout.
type listedTable struct {
	e      *crossref.Entries
	path   string                                                                // below the layout's root, of the integers' owner where there are integers
	old    string                                                                // below 0.4.0; what follows "[]" is a field of each record
	column func(t *Tables) *column                                               // or nil if over finds entries by bytes
	count  func(t *Tables) int64                                                 // or nil if that is the length of the column
	over   func(ctx context.Context, t *Tables, s model.Span) (first, end int64) // or nil if the column finds entries by bytes
}

// listedTables describes the tables with entries.
func (c *Crate) listedTables() []listedTable {
	l := &c.Entries
	specs := func(t *Tables) int64 { return t.Specs.Count() }
	items := func(t *Tables) int64 { return t.Paths.Items() }
	return []listedTable{
		{e: &l.Tokens, path: "TOKENS/text@inflated", old: "TOKENS/text", count: func(t *Tables) int64 { return t.Tokens.Count },
			over: func(ctx context.Context, t *Tables, s model.Span) (int64, int64) {
				return coding.RangeOf(ctx, t.Tokens.Find, s)
			}},
		{e: &l.Strings, path: "STRINGS/indexes", old: "STRINGS/indexes", column: func(t *Tables) *column { return &t.Strings.column }},
		{e: &l.Fields, path: "FIELDS/reps@inflated", old: "FIELDS/fields", count: func(t *Tables) int64 { return t.Fields.Count },
			over: func(_ context.Context, t *Tables, s model.Span) (int64, int64) {
				return crossref.RowsOver(s, t.Fields.Src, t.Fields.off+RepSize-t.Fields.stride, t.Fields.stride, t.Fields.Count)
			}},
		{e: &l.Names, path: "FIELDS/names", old: "FIELDS/fields/[]/name", column: func(t *Tables) *column { return &t.Fields.nameColumn },
			count: func(t *Tables) int64 { return t.Fields.Count }},
		{e: &l.Positions, path: "FIELDSETS/indexes", old: "FIELDSETS/indexes", column: func(t *Tables) *column { return &t.Sets.column },
			count: func(t *Tables) int64 { return int64(len(t.Sets.List)) }},
		{e: &l.Items, path: "PATHS/pathIndexes", old: "PATHS/items", column: pathColumn(0), count: items},
		{e: &l.Elements, path: "PATHS/elementTokenIndexes", old: "PATHS/items/[]/elementTokenIndex", column: pathColumn(1), count: items},
		{e: &l.Jumps, path: "PATHS/jumps", column: pathColumn(2), count: items},
		{e: &l.Specs, path: "SPECS/pathIndexes", old: "SPECS/specs", column: specColumn(0), count: specs},
		{e: &l.SpecSets, path: "SPECS/fieldSetIndexes", old: "SPECS/specs/[]/fieldSet", column: specColumn(1), count: specs},
		{e: &l.SpecTypes, path: "SPECS/types", column: specColumn(2), count: specs},
	}
}

func pathColumn(i int) func(t *Tables) *column {
	return func(t *Tables) *column { return &t.Paths.columns[i] }
}
func specColumn(i int) func(t *Tables) *column {
	return func(t *Tables) *column { return &t.Specs.columns[i] }
}

// describeEntries sets where the entries of the tables are, and how many there are.
func (c *Crate) describeEntries() {
	for _, t := range c.listedTables() {
		c.describeTable(t)
	}
}

func (c *Crate) describeTable(t listedTable) {
	if t.count == nil {
		t.count = func(all *Tables) int64 { return t.column(all).Values.Len() }
	}
	t.e.Count = func(ctx context.Context, progress model.Progress) (int64, error) {
		all, err := c.Tables(ctx, progress)
		if err != nil {
			return 0, err
		}
		return t.count(all), nil
	}
	path, record, field := t.path, "", ""
	if !c.Compressed() {
		path = t.old
		record, field, _ = strings.Cut(t.old, "/[]")
	}
	switch {
	case field != "":
		t.e.Of = IsNone
		t.e.Path = func(i int64) string { return c.Layout + "/" + record + "/" + model.IndexName(i) + field }
		return
	case c.Compressed() && t.column != nil && t.e != &c.Entries.Strings:
		path += "@" + coding.InflatedName + "/integers"
	}
	t.e.Base = c.Layout + "/" + path
	t.e.Over = func(ctx context.Context, s model.Span) (first, end int64, err error) {
		all, err := c.Tables(ctx, nil)
		switch {
		case err != nil:
			return 0, 0, err
		case t.over != nil:
			first, end = t.over(ctx, all, s)
			return first, end, nil
		case t.e == &c.Entries.Items && all.Paths.old != nil:
			first, end = all.Paths.old.itemsOver(ctx, s)
			return first, end, nil
		}
		return t.column(all).overlapping(ctx, s)
	}
}

// IsNone is the Of of entries without nodes of their own.
func IsNone(*model.Place) (int64, bool) { return 0, false }

// All returns the entries of all tables.
func (e *EntryLists) All() []*crossref.Entries {
	return []*crossref.Entries{&e.Tokens, &e.Strings, &e.Fields, &e.Names, &e.Positions, &e.Items, &e.Elements, &e.Jumps,
		&e.Specs, &e.SpecSets, &e.SpecTypes}
}

// TokenRef leads to token i in the layout.
func (e *EntryLists) TokenRef(i uint32) model.Ref {
	return e.Tokens.Ref("token", int64(i))
}

// StringRef leads to entry i of the string table.
func (e *EntryLists) StringRef(i uint32) model.Ref {
	return e.Strings.Ref("string", int64(i))
}

// FieldRef leads to field i: to its record below 0.4.0, else to its value rep.
func (e *EntryLists) FieldRef(i uint32) model.Ref {
	return e.Fields.Ref("field", int64(i))
}

// SpecRef leads to spec i: to its record below 0.4.0, else to its path index.
func (e *EntryLists) SpecRef(i uint32) model.Ref {
	return e.Specs.Ref("spec", int64(i))
}
