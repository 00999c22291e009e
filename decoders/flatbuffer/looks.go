package flatbuffer

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The looks of the language, and those of descriptions that a schema makes.

// showSharing marks the parts of a vtable that several tables have.
func showSharing(s grammar.Scope, _ grammar.Value, n *model.Node) {
	tables, _ := s.Object().Arg(0).Int()
	n.Shared = tables > 1
}

// showOffsets counts the offsets of a vector, which are no array of numbers to a person.
func showOffsets(_ grammar.Scope, it grammar.Value, n *model.Node) {
	n.Value, n.Brief = nil, fmt.Sprintf("%d offsets", it.List().Known())
}

// showCount counts the structs of a list.
func showCount(_ grammar.Scope, it grammar.Value, n *model.Node) {
	n.Brief = model.Counted(it.List().Known(), "element")
}

// showArray gives the array of a struct its type.
func showArray(typ string) func(s grammar.Scope, it grammar.Value, n *model.Node) {
	return func(s grammar.Scope, it grammar.Value, n *model.Node) {
		if n.Type = typ; n.Value == nil {
			showCount(s, it, n)
		}
	}
}

// showName gives a field its name that is not its own in paths.
func showName(name string) func(grammar.Scope, grammar.Value, *model.Node) {
	return func(_ grammar.Scope, _ grammar.Value, n *model.Node) { *n = n.Named(name) }
}

// target finds the object that the offset of a node leads to, or nil.
func target(s grammar.Scope, it grammar.Value, n *model.Node) (*Tree, *object) {
	v, _ := it.Uint()
	t := s.Env().(*Tree)
	return t, t.known().find(t.B.target(n.Span().Off-t.B.base, v))
}

// showRootTable links the offset to the root table.
func showRootTable(s grammar.Scope, it grammar.Value, n *model.Node) {
	if t, o := target(s, it, n); o != nil {
		n.Refs = t.refs("root table", int64(o.off))
	}
}

// showVTable links a table to its vtable.
func showVTable(s grammar.Scope, it grammar.Value, n *model.Node) {
	back, _ := it.Int()
	t := s.Env().(*Tree)
	if o := t.known().find(n.Span().Off - t.B.base - back); o != nil && o.kind == aVTable {
		n.Refs = t.refs("vtable", int64(o.off))
	}
}

func showTable(s grammar.Scope, it grammar.Value, n *model.Node)  { showTarget(s, it, n, "table") }
func showString(s grammar.Scope, it grammar.Value, n *model.Node) { showTarget(s, it, n, "string") }
func showVector(s grammar.Scope, it grammar.Value, n *model.Node) { showTarget(s, it, n, n.Type) }

// showTarget links an offset to its object, with the text of a string.
func showTarget(s grammar.Scope, it grammar.Value, n *model.Node, kind string) {
	t, o := target(s, it, n)
	if o == nil || o.kind == aGap {
		return
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		ref := t.refTo(kind, int64(o.off))
		if text, ok := t.textOf(ctx, o); ok {
			ref.Text = model.Show(ctx, text, 60)
		}
		return []model.Ref{ref}
	}
}

// showGuessed shows a slot that no schema explains as an offset, if it leads to something that looks like an object.
func showGuessed(s grammar.Scope, _ grammar.Value, n *model.Node) {
	if n.Span().Len < offsetSize {
		return
	}
	t := s.Env().(*Tree)
	r := t.B.Reader(s.Reading().Context())
	defer t.B.Release(r)
	o := t.known().find(r.target(n.Span().Off - t.B.base))
	if o == nil {
		return
	}
	if what := objectNames[o.kind]; what != "" {
		n.Type, n.Help = "→ "+what+guessed, "inferred: it leads to what looks like a "+what
		n.Refs = t.refs(what, int64(o.off))
	}
}

var objectNames = [...]string{aTable: "table", aVTable: "", aString: "string", aVector: "vector", aGap: ""}
