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
	return Func(func(Scope) (Value, error) { f.call(); return IntValue(n), nil })
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
	some := func() *Field { return F("a", U8, "") }
	list := func(set func(r *Repeat)) *Field {
		b := F("b", name, "").Times(Const(2))
		set(b.Repeat)
		return b
	}
	until := list(func(r *Repeat) {
		r.Count, r.Until = nil, Func(func(s Scope) (Value, error) { f.call(); return BoolValue(s.Item().Object() != nil), nil })
	})
	placed := F("c", U8, "")
	placed.Place = &Place{Pos: f.value(3), IO: Func(func(s Scope) (Value, error) { f.call(); return StreamValue(s.Object().Stream()), nil })}
	packed := F("b", Raw, "").Sized(Const(2))
	packed.Process = fusedProcess{f}
	inside := F("b", Cases(f.value(1), map[int64]Type{1: name}, nil), "").Sized(Const(2))
	inside.Process = fusedProcess{&fuse{}}
	ordered := &Record{Title: "Ordered", Fields: []*Field{F("x", U16.RecordOrder(), "")},
		BigEndian: Func(func(Scope) (Value, error) { f.call(); return BoolValue(true), nil })}
	computed := F("c", nil, "")
	computed.Computed = f.value(7)
	return map[string][]*Field{
		"When":      {some(), F("b", U8, "").If(When(func(Scope) bool { f.call(); return true }))},
		"Calc":      {some(), F("b", Raw, "").Sized(Calc(func(Scope) int64 { f.call(); return 1 }))},
		"Func":      {some(), F("b", name, "").Times(f.value(2))},
		"StopIf":    {some().StopIf(When(func(Scope) bool { f.call(); return false })), F("b", U8, "")},
		"Until":     {some(), until},
		"Checks":    {F("a", U8, "").Check("t", pass, "", ""), F("b", name, "").Check("t", pass, "", "")},
		"Found":     {F("a", U8, "").CheckBy(Check{Rule: "t", OK: Is(1000), Found: func(Scope, Value) string { f.call(); return "found" }})},
		"Ends":      {F("a", U8, "").Ends(func(Scope, Value) (p model.Problem, breach bool) { f.call(); return p, false }), F("b", U8, "")},
		"list rule": {some(), list(func(r *Repeat) { r.Checks = []Check{{Rule: "t", OK: pass}} })},
		"Names":     {some(), list(func(r *Repeat) { r.Names = func(Scope) Names { return fusedNames{f} } })},
		"Shown":     {F("a", U8, "").Shown(func(_ Scope, _ Value, n *model.Node) { f.call(); n.Brief = "shown" })},
		"NamedBy":   {F("a", U8, "").NamedBy(func(Scope, int64) string { f.call(); return "name" })},
		"Place":     {some(), placed},
		"Process":   {some(), packed},
		"inside":    {some(), inside},
		"BigEndian": {F("a", ordered, "")},
		"Broken":    {F("a", U8, "").Ends(func(Scope, Value) (p model.Problem, breach bool) { return p, true }), F("b", U8, "")},
		"Computed":  {some(), computed},
		"Call":      {F("a", Call(&Record{Title: "Called", Params: []string{"n"}, Fields: []*Field{F("x", Raw, "").Sized(Const(1))}}, f.value(1)), "")},
		"Cases":     {F("a", Cases(f.value(1), map[int64]Type{1: name}, nil), "")},
		"Pick":      {F("a", &Switch{On: Const(1), Types: []Type{name}, Pick: func(Scope, Value) (Type, error) { f.call(); return name, nil }}, "")},
		"Text":      {F("a", Text("text", func(b []byte) (string, error) { f.call(); return string(b), nil }), "").Sized(Const(2))},
		"Text, bad": {F("a", Text("text", func([]byte) (string, error) { f.call(); return "", errors.New("bad") }), "").Sized(Const(2))},
		"As":        {F("a", U8.As("as", func(n uint64) model.Value { f.call(); return model.Uint(n) }), "")},
		"Fixed":     {F("a", Fixed("fixed", 2, func([]byte) model.Value { f.call(); return model.Uint(1) }), "")},
		"Custom": {F("a", &Custom{Display: "custom",
			Read: func(_ Scope, _ Stream, off int64) (int64, Value, *model.Problem) {
				f.call()
				return off + 1, Value{}, nil
			},
			Node: func(Scope, Value, *model.Node) { f.call() }}, ""), F("b", U8, "")},
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
			item := NewRecord("Item", fused(f)[kind]...)
			file := NewRecord("File", F("first", U8, ""), F("items", item, "").Times(Const(12)), F("last", item, ""))
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
