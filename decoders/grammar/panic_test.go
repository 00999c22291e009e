package grammar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/model"
)

const theFault = "a fault of the format"

// A fuse panics at one call of many.
type fuse struct{ left int }

func (f *fuse) call() {
	if f.left--; f.left == 0 {
		panic(theFault)
	}
}

// value is a function of a description that computes a number.
func (f *fuse) value(n int64) Expr {
	return Computed(func(Scope) (Value, error) { f.call(); return IntValue(n), nil })
}

// truth is a function of a description that decides a condition.
func (f *fuse) truth(is bool) Expr {
	return Computed(func(Scope) (Value, error) { f.call(); return BoolValue(is), nil })
}

type fusedProcess struct{ *fuse }

func (fusedProcess) Codec() string { return "process" }
func (p fusedProcess) Decode(Scope, model.Span) ([]byte, error) {
	p.call()
	return []byte{1, 2, 3}, nil
}

type fusedNames struct{ *fuse }

func (n fusedNames) Name(_ Scope, i int64) string { n.call(); return fmt.Sprintf("n%d", i) }
func (n fusedNames) Find(_ Scope, name string) (i int64, ok bool) {
	n.call()
	_, err := fmt.Sscanf(name, "n%d", &i)
	return i, err == nil
}

// fused is a field, or some, for each kind of function that a format can pass to a description.
func fused(f *fuse) map[string][]*Field {
	pass := func(Scope, Value) bool { f.call(); return true }
	some := func() *Field { return &Field{Name: "a", Of: U8} }
	list := func(set func(r *Repeat)) *Field {
		b := &Field{Name: "b", Of: name, Repeat: times("2")}
		set(b.Repeat)
		return b
	}
	until := list(func(r *Repeat) {
		r.Count, r.Until = nil, Computed(func(s Scope) (Value, error) { f.call(); return BoolValue(s.Item().Object() != nil), nil })
	})
	placed := &Field{Name: "c", Of: U8}
	placed.Place = &Place{Pos: f.value(3), IO: Computed(func(s Scope) (Value, error) { f.call(); return StreamValue(s.Object().Stream()), nil })}
	packed := &Field{Name: "b", Of: Raw, Extent: sized("2")}
	packed.Process = fusedProcess{f}
	inside := &Field{Name: "b", Of: Cases(f.value(1), map[int64]Type{1: name}, nil), Extent: sized("2")}
	inside.Process = fusedProcess{&fuse{}}
	ordered := &Record{Title: "Ordered", Fields: []*Field{{Name: "x", Of: U16.RecordOrder()}},
		BigEndian: Computed(func(Scope) (Value, error) { f.call(); return BoolValue(true), nil })}
	called := &Record{Title: "Called", Fields: []*Field{{Name: "x", Of: U8, Condition: f.truth(true)}}}
	computed := &Field{Name: "c"}
	computed.Computed = f.value(7)
	return map[string][]*Field{
		"Condition": {some(), &Field{Name: "b", Of: U8, Condition: f.truth(true)}},
		"Size":      {some(), &Field{Name: "b", Of: Raw, Extent: &Extent{Size: f.value(1)}}},
		"inner":     {&Field{Name: "a", Of: called}},
		"Count":     {some(), &Field{Name: "b", Of: name, Repeat: &Repeat{Count: f.value(2)}}},
		"Stop":      {&Field{Name: "a", Of: U8, Stop: f.truth(false)}, &Field{Name: "b", Of: U8}},
		"Until":     {some(), until},
		"Checks":    {&Field{Name: "a", Of: U8, Checks: []Check{{Rule: "t", OK: pass}}}, &Field{Name: "b", Of: name, Checks: []Check{{Rule: "t", OK: pass}}}},
		"Found":     {&Field{Name: "a", Of: U8, Checks: []Check{{Rule: "t", OK: func(Scope, Value) bool { return false }, Found: func(Scope, Value) string { f.call(); return "found" }}}}},
		"Ends":      {&Field{Name: "a", Of: U8, Checks: []Check{{Find: func(Scope, Value) (p model.Problem, breach bool) { f.call(); return p, false }, Ends: true}}}, &Field{Name: "b", Of: U8}},
		"list rule": {some(), list(func(r *Repeat) { r.Checks = []Check{{Rule: "t", OK: pass}} })},
		"Names":     {some(), list(func(r *Repeat) { r.Names = func(Scope) Names { return fusedNames{f} } })},
		"Node":      {&Field{Name: "a", Of: U8, Node: func(_ Scope, _ Value, n *model.Node) { f.call(); n.Brief = "shown" }}},
		"numbers":   {&Field{Name: "a", Of: U8, Names: func(Scope, int64) string { f.call(); return "name" }}},
		"Place":     {some(), placed},
		"Process":   {some(), packed},
		"inside":    {some(), inside},
		"BigEndian": {&Field{Name: "a", Of: ordered}},
		"Broken":    {&Field{Name: "a", Of: U8, Checks: []Check{{Find: func(Scope, Value) (p model.Problem, breach bool) { return p, true }, Ends: true}}}, &Field{Name: "b", Of: U8}},
		"Computed":  {some(), computed},
		"Call":      {&Field{Name: "a", Of: Call(&Record{Title: "Called", Params: []string{"n"}, Fields: []*Field{{Name: "x", Of: Raw, Extent: sized("1")}}}, f.value(1))}},
		"Cases":     {&Field{Name: "a", Of: Cases(f.value(1), map[int64]Type{1: name}, nil)}},
		"Pick":      {&Field{Name: "a", Of: &Switch{On: Named("1"), Types: []Type{name}, Pick: func(Scope, Value) (Type, error) { f.call(); return name, nil }}}},
		"Text":      {&Field{Name: "a", Of: Text("text", func(b []byte) (string, error) { f.call(); return string(b), nil }), Extent: sized("2")}},
		"Text, bad": {&Field{Name: "a", Of: Text("text", func([]byte) (string, error) { f.call(); return "", errors.New("bad") }), Extent: sized("2")}},
		"As":        {&Field{Name: "a", Of: U8.As("as", func(n uint64) model.Value { f.call(); return model.Uint(n) })}},
		"Fixed":     {&Field{Name: "a", Of: Fixed("fixed", 2, func([]byte) model.Value { f.call(); return model.Uint(1) })}},
		"Custom": {&Field{Name: "a", Of: &Custom{Display: "custom",
			Read: func(_ Scope, _ Stream, off int64) (int64, Value, *model.Problem) {
				f.call()
				return off + 1, Value{}, nil
			},
			Node: func(Scope, Value, *model.Node) { f.call() }}}, &Field{Name: "b", Of: U8}},
	}
}

// looks is what can be asked of an object that is a document.
func looks(o *Object) map[string]func(ctx context.Context) string {
	d := &model.Document{Sources: []*model.Source{o.stream.Source}, Views: []*model.View{{Name: model.LayoutView, Of: o.stream.Source,
		Root: func(ctx context.Context) model.Node { return o.Node(ctx, "file") }}}}
	whole := func(ctx context.Context, visit func(p *model.Place)) error {
		return model.Walk(ctx, d.Views[0].Place(ctx), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error { visit(p); return nil })
	}
	return map[string]func(ctx context.Context) string{
		"walk": func(ctx context.Context) (text string) {
			err := whole(ctx, func(p *model.Place) {
				text += fmt.Sprintln(p.Path(), p.Node.Type, p.Node.Span(), p.Node.Value, p.Node.Brief, p.Node.Problems)
			})
			return text + fmt.Sprint(err)
		},
		"check": func(ctx context.Context) string {
			r, err := d.CheckAll(ctx, nil)
			text := fmt.Sprintln(err)
			for _, p := range r.Problems {
				text += fmt.Sprintln(p.Path, p.Rule, p.Error())
			}
			return text
		},
		"look up": func(ctx context.Context) string {
			p, err := d.Lookup(ctx, "layout/items/[8]/a")
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(p.Path(), p.Node.Span())
		},
		"locate": func(ctx context.Context) string {
			p, err := d.ResolveAt(ctx, o.stream.Source, 15, nil)
			return fmt.Sprint(p.Path(), err)
		},
		"leaves": func(ctx context.Context) (text string) {
			r := Borrow(ctx)
			defer r.Return()
			o.Leaves(r, func(l *Leaf) bool { text += fmt.Sprintln(l.Off, l.Len, l.Bits, l.Problem); return true })
			return text
		},
		"leaf": func(ctx context.Context) string {
			o.complete(NewReading(ctx, Near))
			n, ok := o.LeafAt(ctx, 15)
			return fmt.Sprint(n.Name, n.Span(), ok)
		},
		"list": func(ctx context.Context) string {
			l := o.List(ctx, o.rec.Field("items"))
			n, err := l.Len(o.Scope(NewReading(ctx, Near)))
			e := l.Object(ctx, n-1)
			v, err2 := e.Value(ctx, e.rec.Fields[len(e.rec.Fields)-1])
			return fmt.Sprint(n, err, e.Path(), v.Kind(), err2)
		},
		"pieces": func(ctx context.Context) string {
			l := o.List(ctx, o.rec.Field("items"))
			i, err := l.Find(ctx, 0, func(r *Reading, p Piece) bool {
				sound := p.IsSound()
				if o := p.Record(); o != nil {
					o.Pieces(r, func(p Piece) bool { sound = sound && p.IsSound(); return sound })
					sound = sound && o.Others(r, func(p Piece) bool { sound = sound && p.IsSound(); return sound }) == nil
				}
				return !sound
			}, nil)
			return fmt.Sprint(i, err)
		},
		"sound": func(ctx context.Context) string {
			r := Borrow(ctx)
			defer r.Return()
			return fmt.Sprint(o.Sound(r))
		},
	}
}

// look takes a look, whose panic costs it alone. It fails a test that waits for what will never come.
func look(t *testing.T, at func(ctx context.Context) string) (text string, failed any) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		text = at(context.WithoutCancel(t.Context()))
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
	return text, failed
}

// TestPanic has each function of a description panic at each of its first calls. Whatever was asked then panics, as the format's guard
// expects; what is asked later gets the answer of a document in which nothing panicked.
func TestPanic(t *testing.T) {
	data := slices.Repeat([]byte{1}, 60)
	for _, kind := range slices.Sorted(maps.Keys(fused(&fuse{}))) {
		open := func(f *fuse) *Object {
			item := record("Item", fused(f)[kind]...)
			file := record("File", &Field{Name: "first", Of: U8}, &Field{Name: "items", Of: item, Repeat: times("12")}, &Field{Name: "last", Of: item})
			s := session()
			s.Eager = 4
			s.Broken = func(n *model.Node, p model.Problem) { f.call(); n.Problems = append(n.Problems, p) }
			return file.Open(s, over(data), 0)
		}
		want := map[string]string{}
		for name, at := range looks(open(&fuse{})) {
			want[name], _ = look(t, at)
		}
		for first := range want {
			calls := 0
			for k := 1; ; k++ {
				f := &fuse{left: k}
				o := open(f)
				_, failed := look(t, looks(o)[first])
				if failed != any(theFault) && failed != nil {
					t.Fatal(kind, first, k, failed)
				}
				if failed == nil {
					break
				}
				calls++
				for second, at := range looks(o) {
					got, failed := look(t, at)
					if got != want[second] || failed != nil {
						t.Errorf("%s: call %d panics in %q, and then %q gives (%v)\n%s\nin place of\n%s", kind, k, first, second, failed, tail(got), tail(want[second]))
					}
				}
			}
			if first == "walk" && calls == 0 {
				t.Errorf("%s: no function was called", kind)
			}
		}
	}
}

func tail(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(len(lines)-6, 0):], "\n")
}
