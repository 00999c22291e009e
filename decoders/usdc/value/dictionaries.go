package value

import (
	"context"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// fillDictionary makes a child of each entry of a record that is a dictionary, or ends with one.
func (in *nodes) fillDictionary(ctx context.Context, n *model.Node, o *grammar.Object) {
	rec := o.Record()
	n.Brief = usda.Plural(int64(o.Uint(ctx, rec.Field("count"))), "entry", "entries")
	if rows := in.entryRows(ctx, o.List(ctx, rec.Field("entries"))); rows != nil {
		n.Children = rows
	}
}

// entryRows returns the entries of a dictionary, each under its key; nil where there are none. An entry that is cut
// has no node.
func (in *nodes) entryRows(ctx context.Context, l *grammar.List) model.Children {
	count := int64(0)
	if l != nil {
		count = min(l.Known(), maxLeaves/3)
	}
	entry := in.values.plan.Record("entry")
	key, value := entry.Field("key"), entry.Field("value")
	if count > 0 && l.Object(ctx, count-1).SpanOf(ctx, value).Len == 0 {
		count--
	}
	if count == 0 {
		return nil
	}
	return newNamedRows(count, func(ctx context.Context, i int64) (string, bool) {
		text, err := in.values.crate.StringAt(ctx, uint32(l.Object(ctx, i).Uint(ctx, key)))
		return text, err == nil
	}, func(ctx context.Context, i int64, name string) model.Node {
		entry := l.Object(ctx, i)
		index := uint32(entry.Uint(ctx, key))
		refs := func(ctx context.Context) []model.Ref {
			refs := in.values.crate.IndexRefs(ctx, table.ScalarString, index, true)
			for i := range refs {
				refs[i].Kind = "key"
			}
			return refs
		}
		n := in.values.value(ctx, name, table.Rep(entry.Uint(ctx, value)), holder{span: entry.SpanOf(ctx, value), outer: in, refs: refs})
		n.Spans = append(n.Spans, entry.SpanOf(ctx, key))
		if _, err := in.values.crate.Indexed(ctx, table.ScalarString, true, index); err != nil {
			n.Problems = append(n.Problems, coding.ProblemAt(err, entry.SpanOf(ctx, key)))
		}
		return n
	}, func(ctx context.Context, i int64) model.Span { return l.Object(ctx, i).SpanOf(ctx, key) })
}

// fillNested puts the value that a Value or UnregisteredValue holds in its place; its type says both.
func (in *nodes) fillNested(ctx context.Context, n *model.Node, o *grammar.Object) {
	value := o.Record().Field("value")
	at := o.SpanOf(ctx, value)
	if at.Len == 0 {
		return
	}
	if n.Type != table.TypeValue.String() {
		if p, wrong := in.values.badUnregistered(table.Rep(o.Uint(ctx, value)), at); wrong {
			n.Problems = append(n.Problems, p)
		}
	}
	inner := in.values.value(ctx, n.Name, table.Rep(o.Uint(ctx, value)), holder{span: at, outer: in})
	n.Type += ": " + inner.Type
	n.Value, n.Brief, n.Children, n.Elements = inner.Value, inner.Brief, inner.Children, inner.Elements
	n.Cards = inner.Cards
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := inner.Refs(ctx)
		for i := range refs {
			if refs[i].Kind == table.ValueKind {
				refs[i].Kind = "nested value" // n has a value of its own
			}
		}
		return refs
	}
	for _, s := range inner.Spans {
		if !slices.Contains(n.Spans, s) {
			n.Spans = append(n.Spans, s)
		}
	}
	n.Problems = append(n.Problems, inner.Problems...)
}

// badUnregistered returns the problem of a rep in an UnregisteredValue whose type no text layer can have stated.
func (vs *Values) badUnregistered(r table.Rep, at model.Span) (model.Problem, bool) {
	placed, typ := r.Placement(), r.Type()
	whole := placed.InRep() || placed == table.PlacedAt
	if at.Len == 0 || whole && (typ == table.TypeString || typ == table.TypeDictionary || typ == table.TypeUnregisteredValueListOp) {
		return model.Problem{}, false
	}
	return model.Problemf(model.Malformed, "usdc.value.unregistered", at, "an UnregisteredValue holds a value of type %s", r.TypeName()).
		Want("string, dictionary or UnregisteredValueListOp", r.TypeName()), true
}

// namedRows is rows whose names come from the file; the second of equal names says so.
type namedRows struct {
	count int64
	name  func(ctx context.Context, i int64) (string, bool)
	node  func(ctx context.Context, i int64, segment string) model.Node
	span  func(ctx context.Context, i int64) model.Span // of the name

	names model.Memo[*rowNames]
}

// rowNames are the names of the rows.
type rowNames struct {
	segments model.Segments
	names    map[int64]string // of rows whose segment is another
	again    map[int64]bool   // rows whose name an earlier row has
}

func newNamedRows(count int64, name func(ctx context.Context, i int64) (string, bool), node func(ctx context.Context, i int64, name string) model.Node,
	span func(ctx context.Context, i int64) model.Span) model.Children {
	return &namedRows{count: count, name: name, node: node, span: span}
}

// load reads the names.
func (r *namedRows) load(ctx context.Context) *rowNames {
	all := &rowNames{names: map[int64]string{}, again: map[int64]bool{}}
	seen := make(map[string]bool, r.count)
	for i := range r.count {
		name, ok := r.name(ctx, i)
		if !ok {
			name = model.IndexName(i)
		}
		if all.segments.Add(name) != name {
			all.names[i], all.again[i] = name, seen[name]
		}
		seen[name] = true
	}
	return all
}

var _ model.Finder = (*namedRows)(nil)

func (r *namedRows) Len(context.Context) (int64, bool) { return r.count, true }

func (r *namedRows) At(ctx context.Context, i int64) model.Node {
	all := r.names.Get(ctx, r.load)
	n := r.node(ctx, i, all.segments.At(i))
	if name, other := all.names[i]; other {
		n = n.Named(name)
	}
	if all.again[i] {
		n.Problems = append(n.Problems, repeatedKey(n.Name, r.span(ctx, i)))
	}
	return n
}

func (r *namedRows) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, r, q)
	}
	return r.names.Get(ctx, r.load).segments.Find(q.Name)
}
