package table

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/source"
)

// maxListed bounds the problems that one node lists.
const maxListed = 1000

// MaxReported bounds the problems of one sort that a check reports.
const MaxReported = 1000

// A Section is the part of a loaded section that all sections have.
type Section struct {
	c       *Crate
	name    string
	object  *grammar.Object // nil if the file does not have the section
	session *grammar.Session
	at      model.Span
	end     int64            // of its content
	Nodes   []model.Node     // they tile the section
	buffers []*coding.Buffer // that are compressed, in the order of the file
	known   bool             // the section exists and states its number of entries
	count   uint64           // the number of entries that it says
	claimed int64            // the same, as far as indexes can reach
}

func (t *Section) table() *Section { return t }

// Lost returns the range of a section with fewer readable entries than it claims, or no range.
func (t *Section) Lost(entries int64) model.Span {
	if !t.known || entries >= t.claimed {
		return model.Span{}
	}
	return t.at
}

// left describes the entries of a section that could be read, and of how many if damage took some.
func (t *Section) left(entries int64, one, several string) string {
	if t.Lost(entries).Source == nil {
		return usda.Plural(entries, one, several)
	}
	return fmt.Sprintf("%s of %s left", model.Grouped(entries), usda.Plural(t.claimed, one, several))
}

// open reads a section by its description, and returns false if the file does not have it.
func (t *Section) open(ctx context.Context, c *Crate, name string) bool {
	s, err := c.need(name)
	if err != nil {
		return false
	}
	t.c, t.name, t.at = c, name, c.Src.Span(s.Lo, s.Hi-s.Lo)
	t.session = &grammar.Session{Truncated: t.rule("truncated"), Env: c}
	t.object = c.plan.Record(name).Open(t.session, grammar.Stream{Source: c.Src, Start: s.Lo, End: s.Hi}, s.Lo)
	t.Nodes = t.object.Nodes(ctx)
	t.end = t.object.End()
	t.known = t.hasBytes("count", 8)
	t.count = t.object.Uint(ctx, t.object.Record().Field("count"))
	t.claimed = int64(min(t.count, None))
	return true
}

// rule returns the id of a rule of the section.
func (t *Section) rule(name string) string {
	return "usdc." + strings.ToLower(t.name) + "." + name
}

// field returns the node of a field that could be read, or nil if there is none.
func (t *Section) field(name string) *model.Node {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return &t.Nodes[i]
		}
	}
	return nil
}

// hasBytes reports whether a field has that many bytes.
func (t *Section) hasBytes(field string, size int64) bool {
	n := t.field(field)
	return n != nil && n.Span().Len >= size
}

// showRecords makes the rows of a list of records, which are not an array's: each is walked. complete may be nil.
func (t *Section) showRecords(ctx context.Context, list, one, many string, complete func(ctx context.Context, i int64, n *model.Node)) {
	n := t.field(list)
	count, _ := n.Children.Len(ctx)
	n.Brief, n.Elements = usda.Plural(count, one, many), false
	n.Children = model.Map(n.Children, func(ctx context.Context, i int64, row *model.Node) {
		row.Help = ""
		if complete != nil {
			complete(ctx, i, row)
		}
	})
}

// setting returns the place of the compressed bytes of a field.
func (t *Section) setting(field string) coding.Setting {
	return coding.Setting{Derived: &t.c.Derived, Owner: t.c.Layout + "/" + t.name + "/" + field, Title: t.name + " " + field}
}

// maxTable returns the number of entries of a section's table that are kept, as memory allows.
func maxTable(section string) int64 {
	const besides = 10 << 20 // bytes that a check takes whatever a table has
	entry := int64(64)       // bytes of an entry, its links and its share of caches
	if section == "FIELDSETS" {
		entry = 20
	}
	return max(source.CacheLimit()-besides, source.CacheLimit()/8) / entry
}

// finish adds the bytes that the content did not use.
func (t *Section) finish() {
	rest, ok := coding.Leftover(t.at.Source, t.end, t.at.End(), "usdc.section.leftover", "section "+t.name)
	if !ok {
		return
	}
	for _, n := range t.Nodes {
		for _, p := range n.Problems {
			if p.Kind.Severity() == model.Error {
				rest.Problems = nil // damage that is reported already kept the bytes from being used
			}
		}
	}
	t.Nodes = append(t.Nodes, rest)
}

// Holds reports whether entry i is in the table, or the table is missing.
func (t *Section) Holds(i uint32) bool { return !t.known || i == None || int64(i) < t.claimed }

// extent returns the number of bytes of room that a section's content takes by its own counts and sizes, by which readers
// go by; ok is false where they do not fit in, or do not say.
func (c *Crate) extent(ctx context.Context, name string, start, room int64) (size int64, ok bool) {
	if !slices.Contains(Required[:], name) || name == "PATHS" && !c.Compressed() {
		return 0, false // where paths end only a walk knows
	}
	rec := c.plan.Record(name)
	pass := grammar.NewReading(ctx, 8)
	o := rec.Read(pass, &grammar.Session{Env: c}, grammar.Stream{Source: c.Src, Start: start, End: start + room}, start)
	coded := false
	for _, f := range rec.Fields {
		if _, is := f.Of.(*grammar.Custom); is && !f.Absent {
			whole, _ := o.Value(ctx, f)
			if fits, _ := whole.Bool(); !fits {
				return 0, false
			}
			coded = true
		}
	}
	if !o.OK() || !coded && !o.Sound(pass) {
		return 0, false
	}
	return o.End() - start, true
}

// readColumns reads columns of a table: lists of n coded integers each, below 0.4.0 a list of records.
func (t *Section) readColumns(ctx context.Context, progress model.Progress, records string, n int64, columns ...*column) error {
	if t.c.Compressed() {
		return t.readIntegers(ctx, progress, n, columns...)
	}
	return t.readRecords(ctx, records, columns...)
}

// readRecords reads columns of a list of records of one size.
func (t *Section) readRecords(ctx context.Context, list string, columns ...*column) error {
	node := t.field(list)
	if node == nil {
		return nil
	}
	f, at := t.object.Record().Field(list), node.Span()
	size := f.Of.Size()
	n := at.Len / size
	builders := make([]model.NumbersBuilder, len(columns))
	for _, col := range columns {
		col.node, col.records, col.size = node, at, size
		if rec, is := f.Of.(*grammar.Record); is {
			col.skip = rec.Offset(rec.Field(col.record))
		}
	}
	err := EachRecord(ctx, t.c.Src, at.Off, size, n, func(_ int64, b []byte) {
		for k, col := range columns {
			builders[k].Add(binary.LittleEndian.Uint32(b[col.skip:]))
		}
	})
	for k, col := range columns {
		col.Values = builders[k].Numbers()
	}
	return readFailure(ctx, err, node, t.rule("read"))
}

// readIntegers decodes columns of n coded integers each. A missing column is a problem of the one before, and ends them.
func (t *Section) readIntegers(ctx context.Context, progress model.Progress, n int64, columns ...*column) error {
	for k, col := range columns {
		col.node = t.field(col.name)
		if col.node == nil {
			if k > 0 {
				t.missing(col.name, columns[k-1])
			}
			return nil
		}
		col.ints = coding.NewTableInts(ctx, t.setting(col.name), col.node.Span(), n, maxTable(t.name), col.show)
		t.buffers = append(t.buffers, &col.ints.Buffer)
		err := col.ints.Complete(ctx, col.node)
		if err != nil {
			return err
		}
		if col.coded, err = col.ints.Load(ctx, progress); err != nil {
			return err
		}
		col.Values, col.coded.Values = col.coded.Values, model.Numbers{}
	}
	return nil
}

// missing reports on a column that the one after it is missing.
func (t *Section) missing(name string, after *column) {
	if after.node != nil && after.node.Span().Len >= 8 {
		end := t.c.Src.Span(after.node.Span().End(), 0)
		after.node.Problems = append(after.node.Problems, model.Problemf(model.Truncated, t.rule("truncated"), end, "%s are missing", name))
	}
}

// readFailure makes an error of reading, which is not the context's, a problem of node.
func readFailure(ctx context.Context, err error, node *model.Node, rule string) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	node.Problems = append(node.Problems, model.AsProblem(err, rule, node.Span()))
	return nil
}

// Loader returns what decodes a section by its name.
func (c *Crate) Loader(name string) (load func(context.Context, model.Progress) (*Section, error), help string) {
	switch name {
	case "TOKENS":
		return tableOf(c.Tokens), "the words of the file, each once"
	case "STRINGS":
		return tableOf(c.strings), "the strings: each is the text of a token"
	case "FIELDS":
		return tableOf(c.Fields), "the fields: a name and a value each"
	case "FIELDSETS":
		return tableOf(c.FieldSets), "lists of fields, each ended by -1"
	case "PATHS":
		return tableOf(c.Paths), "the paths, as a tree stored depth first"
	case "SPECS":
		return tableOf(c.Specs), "the objects of the scene: path, field set and type each"
	}
	return nil, ""
}

// tableOf returns the loader of a section, whatever its table is.
func tableOf[P interface{ table() *Section }](load func(context.Context, model.Progress) (P, error)) func(context.Context, model.Progress) (*Section, error) {
	return func(ctx context.Context, progress model.Progress) (*Section, error) {
		t, err := load(ctx, progress)
		if err != nil {
			return nil, err
		}
		return t.table(), nil
	}
}

// Buffers lists the compressed buffers of a section.
func (c *Crate) Buffers(ctx context.Context, name string, progress model.Progress) ([]*coding.Buffer, error) {
	load, _ := c.Loader(name)
	if load == nil {
		return nil, nil
	}
	t, err := load(ctx, progress)
	if err != nil {
		return nil, err
	}
	return t.buffers, nil
}

// CrateOf returns the crate whose field is read. The document of a session has it as a method Crate.
func CrateOf(s grammar.Scope) *Crate { return s.Env().(interface{ Crate() *Crate }).Crate() }

// Crate returns c.
func (c *Crate) Crate() *Crate { return c }
