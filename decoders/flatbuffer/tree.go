package flatbuffer

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A Tree is the layout of one buffer: its root offset, identifier and objects in the order of their places.
type Tree struct {
	B    *Buffer
	S    *Schema // or nil if types are inferred
	Path string  // of the node whose children it makes

	// Decorate may return nodes that show the meaning of the bytes of a vector. They tile at, which is not empty. field
	// is the field of the table that refers to the vector.
	Decorate func(ctx context.Context, table *Table, field *Field, at model.Span) []model.Node

	// Walked is called once a buffer is verified whose first items alone were verified before. Its error is that of
	// ctx, which ended.
	Walked func(ctx context.Context, sound bool, progress model.Progress) error

	Links Links

	session *grammar.Session
	lazy    *model.Lazy
	first   *walk // of the opening
	nested  nestedBuffers

	formsMu    sync.Mutex
	forms      map[formKey]*form
	formFields int // of all forms
}

// A Verdict is the outcome of the verification of a buffer by a schema.
type Verdict struct {
	Schema  *Schema
	Errors  int   // problems that refuse the buffer
	Unknown int   // slots that the schema does not know
	Partial bool  // of some vector only the first items were verified
	Reached int64 // how far into the buffer the verified tables reach
	Rooted  bool  // the root table verifies
	w       *walk
}

// Verify verifies the buffer by a schema, at most limit items of each vector, or all if limit is 0.
func (b *Buffer) Verify(ctx context.Context, s *Schema, limit int64) Verdict {
	w := b.verify(ctx, s, limit)
	v := Verdict{Schema: s, Unknown: w.unknown, Partial: w.partial, Reached: w.reached, Rooted: w.reached > 0, w: w}
	for i := range w.problems {
		if w.problems[i].Kind.Severity() == model.Error {
			v.Errors++
		}
	}
	return v
}

// Sound reports whether all of the tree's buffer verifies by its schema. It walks the buffer first, if need be.
func (t *Tree) Sound(ctx context.Context, progress model.Progress) (bool, error) {
	w, err := t.walked(ctx, progress)
	return err == nil && w.sound(), err
}

// Verifies reports whether all of the buffer verifies by another schema.
func (b *Buffer) Verifies(ctx context.Context, s *Schema, progress model.Progress) (bool, error) {
	w, err := b.walk(ctx, s, 0, progress)
	return err == nil && w.sound(), err
}

func (w *walk) sound() bool {
	return !slices.ContainsFunc(w.problems, func(p located) bool { return p.Kind.Severity() == model.Error })
}

// First returns the first error, or nil if there is none.
func (v *Verdict) First() error {
	for i := range v.w.problems {
		if p := v.w.problems[i].Problem; p.Kind.Severity() == model.Error {
			return p
		}
	}
	return nil
}

// NewTree makes the layout at path of a verified buffer. It is pending if only the first items were verified.
func NewTree(b *Buffer, v Verdict, path string) *Tree {
	t := &Tree{B: b, S: v.Schema, Path: path, first: v.w, session: plan().Session()}
	t.session.Env = t
	t.session.Broken = t.broken
	t.lazy = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		w, err := b.walk(ctx, v.Schema, 0, progress)
		if err == nil && t.Walked != nil {
			err = t.Walked(ctx, w.sound(), progress)
		}
		if err != nil {
			return nil, err
		}
		return t.children(w), nil
	})
	t.link()
	return t
}

// broken puts a field that could not be read on its node. The walk reports what is wrong with the bytes.
func (t *Tree) broken(n *model.Node, p model.Problem) {
	if p.Kind == model.Unread {
		p.Rule = withPrefix(t.B.prefix, p.Rule)
		n.Problems = append(n.Problems, p)
	}
}

// Node returns the node of the whole buffer.
func (t *Tree) Node(name, help string) model.Node {
	n := model.Node{Name: name, Type: "FlatBuffer", Help: help, Spans: []model.Span{t.B.Whole()}}
	if !t.first.partial {
		n.Children = t.children(t.first)
		n.Problems = t.problemsAt(t.first, 0)
		return n
	}
	n.Children = t.lazy
	if c, ok := t.lazy.Resolved().(*objects); ok {
		n.Problems = t.problemsAt(c.w, 0)
		return n
	}
	for i := range t.first.problems {
		n.Problems = append(n.Problems, t.first.problems[i].Problem)
	}
	return n
}

// walked returns the whole walk, which it does first if need be.
func (t *Tree) walked(ctx context.Context, progress model.Progress) (*walk, error) {
	if !t.first.partial {
		return t.first, nil
	}
	if err := t.lazy.Resolve(ctx, progress); err != nil {
		return nil, err
	}
	return t.lazy.Resolved().(*objects).w, nil
}

// problemsAt lists the problems of the object at off, or of the buffer itself if off is 0.
func (t *Tree) problemsAt(w *walk, off uint32) []model.Problem {
	i := sort.Search(len(w.problems), func(i int) bool { return w.problems[i].off >= off })
	var list []model.Problem
	for ; i < len(w.problems) && w.problems[i].off == off; i++ {
		list = append(list, w.problems[i].Problem)
	}
	if off == 0 && w.dropped > 0 {
		list = append(list, model.Problemf(model.Limit, t.B.prefix+ruleWork, t.B.Whole(), "%d more problems are not listed", w.dropped))
	}
	return list
}

// name returns the name of the object at off, its offset in the source.
func (t *Tree) name(off int64) string { return fmt.Sprintf("%#x", t.B.base+off) }

// ObjectPath returns the path of the object at off in the buffer.
func (t *Tree) ObjectPath(off int64) string { return t.Path + "/" + t.name(off) }

// Ref returns a link to the object at off in the buffer, or to its bytes alone if verification did not reach the
// object.
func (t *Tree) Ref(kind string, off int64) model.Ref {
	ref := t.refTo(kind, off)
	if _, ok := t.Entry(off); !ok && t.known() != nil {
		ref.Path = ""
	}
	return ref
}

// objects are the children of the buffer's node: the head, then a row for each object.
type objects struct {
	t      *Tree
	w      *walk
	buffer *grammar.Object // the head
	heads  int64           // its fields and the rest
	rest   *model.Node     // the bytes after the head of a buffer without objects, or nil
}

func (t *Tree) children(w *walk) *objects {
	b := t.B
	end := w.headEnd()
	identified := end > b.rootAt+offsetSize
	c := &objects{t: t, w: w, heads: 1, buffer: t.open(plan().Record("buffer"), 0, flag(b.rootAt > 0), flag(identified))}
	if b.rootAt > 0 && b.size >= offsetSize {
		c.heads++
	}
	if identified {
		c.heads++
	}
	if end = min(end, b.size); len(w.objects) == 0 && b.size > end {
		c.heads++
		c.rest = &model.Node{
			Name: "rest", Type: "bytes", Role: model.Unknown, Help: gapHelp[model.Unknown], Spans: []model.Span{b.Span(end, b.size-end)},
		}
	}
	return c
}

func flag(b bool) grammar.Value {
	if b {
		return grammar.IntValue(1)
	}
	return grammar.IntValue(0)
}

func (t *Tree) ref(kind string, to int64) model.Ref {
	return model.Ref{Kind: kind, Path: t.ObjectPath(to)}
}

// refs returns a function for Node.Refs: the link to the object at an offset.
func (t *Tree) refs(kind string, to int64) func(context.Context) []model.Ref {
	return func(context.Context) []model.Ref { return []model.Ref{t.ref(kind, to)} }
}

// Len returns the number of fields of the head and of objects.
func (c *objects) Len(context.Context) (int64, bool) { return c.heads + int64(len(c.w.objects)), true }

// At makes the node of a field of the head or of an object.
func (c *objects) At(ctx context.Context, i int64) model.Node {
	switch {
	case i >= c.heads:
		return c.object(ctx, c.w.objects[i-c.heads])
	case c.rest != nil && i == c.heads-1:
		return *c.rest
	}
	return c.buffer.Children(ctx).At(ctx, i)
}

// Find finds an object by its name, or the one over a byte.
func (c *objects) Find(ctx context.Context, q model.Query) (int64, bool) {
	if i, ok := model.Find(ctx, c.buffer.Children(ctx), q); ok {
		return i, true
	}
	if q.Source != nil {
		return c.locate(q.Source, q.Off)
	}
	return c.index(q.Name)
}

func (c *objects) index(name string) (int64, bool) {
	if c.rest != nil && name == c.rest.Name {
		return c.heads - 1, true
	}
	off, err := strconv.ParseInt(strings.TrimPrefix(name, "0x"), 16, 64)
	if err != nil || fmt.Sprintf("%#x", off) != name {
		return 0, false
	}
	i := c.w.index(off - c.t.B.base)
	return c.heads + int64(i), i >= 0
}

func (c *objects) locate(src *model.Source, off int64) (int64, bool) {
	if c.rest != nil && c.rest.Span().Covers(src, off) {
		return c.heads - 1, true
	}
	off -= c.t.B.base
	if !src.Same(c.t.B.src) || off < 0 {
		return 0, false
	}
	i := sort.Search(len(c.w.objects), func(i int) bool { return int64(c.w.objects[i].end) > off })
	if i < len(c.w.objects) && int64(c.w.objects[i].off) <= off {
		return c.heads + int64(i), true
	}
	return 0, false
}

// object makes the node of an object.
func (c *objects) object(ctx context.Context, o object) model.Node {
	t := c.t
	n := model.Node{
		Name: t.name(int64(o.off)), Spans: []model.Span{t.B.Span(int64(o.off), int64(o.end)-int64(o.off))},
	}
	if n.Type, n.Help = t.typeOf(c.w, &o); o.off > 0 { // those of 0 are the buffer's own
		n.Problems = t.problemsAt(c.w, o.off)
	}
	switch o.kind {
	case aGap:
		n.Role, n.Value = o.role, model.Blob{Span: n.Spans[0]}
	case aVTable:
		n.Shared, n.Brief = o.owner > 1, model.Counted(int64(o.owner), "table")
		vtable := t.open(plan().Record("vtable"), int64(o.off), grammar.IntValue(int64(o.owner)))
		n.Children = model.NewList(vtable.Nodes(ctx)...) // a survey knows nothing of shared bytes
	case aTable:
		t.tableNode(ctx, &n, o)
	case aString:
		t.stringNode(ctx, &n, &o)
	case aVector:
		t.vectorNode(ctx, &n, c.w, o)
	}
	return n
}

var gapHelp = map[model.Role]string{
	model.Padding: "filler that aligns what follows", model.Unreferenced: "no offset leads here",
	model.Unknown: "without a root table nothing says what these bytes are",
}

// typeOf returns the type of an object, with help.
func (t *Tree) typeOf(w *walk, o *object) (typ, help string) {
	switch o.kind {
	case aGap:
		return "bytes", gapHelp[o.role]
	case aVTable:
		return "vtable", "where the fields of its tables are, by slot"
	case aTable:
		if obj := t.S.table(o); obj != nil {
			return baseName(obj.Name), "table " + obj.Name
		}
		return "table" + guessed, "inferred: no schema tells its fields"
	case aString:
		if t.S == nil {
			return "string" + guessed, "inferred: the bytes look like a string"
		}
		return "string", ""
	}
	if t.S == nil {
		return guessedVectors[w.vectors[o.typ]], ""
	}
	return t.S.typeName(w.vectors[o.typ]), ""
}

// stringNode completes the node of a string.
func (t *Tree) stringNode(ctx context.Context, n *model.Node, o *object) {
	text, ok := t.textOf(ctx, o)
	if !ok {
		n.Help = "a string that runs out of the buffer"
		return
	}
	n.Value = text
	n.Children = t.open(plan().Record("string"), int64(o.off)).Children(ctx)
	if s, ok := text.(model.Text); ok && !utf8.ValidString(string(s)) {
		at := t.B.Span(int64(o.off)+offsetSize, int64(len(s)))
		n.Problems = append(slices.Clip(n.Problems), model.Problemf(model.Assumed, t.B.prefix+ruleUTF8, at, "the string is not UTF-8"))
	}
}

// textOf returns the text of a string, or false if the object is no string or runs out of the buffer.
func (t *Tree) textOf(ctx context.Context, o *object) (model.Value, bool) {
	first := int64(o.off) + offsetSize
	if o.kind != aString || int64(o.end) <= first {
		return nil, false
	}
	return t.text(ctx, t.B.Span(first, int64(o.end)-first-1)), true
}

// text returns a string as text, or, if it is long, as bytes.
func (t *Tree) text(ctx context.Context, at model.Span) model.Value {
	if at.Len <= maxInferredText {
		if p, err := at.Source.Bytes(ctx, at.Off, at.Len); err == nil {
			return model.Text(p)
		}
	}
	return model.Blob{Span: at}
}

// scalar reads a scalar of a type as a value, or as 0 if its bytes are missing.
func (t *Tree) scalar(r *Reader, typ Type, at int64) model.Value {
	of := t.S.scalar(typ)
	p := r.bytes(at, of.Size())
	if p == nil {
		p = make([]byte, of.Size())
	}
	return of.Decode(p, false)
}
