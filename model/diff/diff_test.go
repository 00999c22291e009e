package diff

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// node makes a node whose type is that of its value; elements of lists are named by their numbers.
func node(name string, v model.Value, kids ...model.Node) model.Node {
	n := model.Node{Name: name, Type: fmt.Sprintf("%T", v), Value: v}
	if len(kids) > 0 {
		n.Children = model.NewList(kids...)
	}
	return n
}

func group(name string, kids ...model.Node) model.Node { return node(name, nil, kids...) }

// list is nodes without names of their own.
func list(kids ...model.Node) model.Node {
	for i := range kids {
		kids[i].Name = model.IndexName(int64(i))
	}
	return group("r", kids...)
}

func texts(words ...string) []model.Node {
	var nodes []model.Node
	for _, w := range words {
		nodes = append(nodes, node("", model.Text(w)))
	}
	return nodes
}

func array(values ...model.Value) model.Array {
	return &model.Elements{Type: "x", Count: int64(len(values)), Make: func(_ context.Context, i int64) (model.Value, error) { return values[i], nil }}
}

func side(root model.Node, content func(context.Context, *model.Place) model.Content) Side {
	v := &model.View{Name: "view", Root: func(context.Context) model.Node { return root }, Content: content}
	d := &model.Document{Views: []*model.View{v}}
	return SideOf(d, v.Place(context.Background()))
}

// told is what a comparison reports, a change a line.
func told(t *testing.T, a, b model.Node, opt Options, content func(context.Context, *model.Place) model.Content) []string {
	t.Helper()
	var lines []string
	err := Trees(t.Context(), side(a, content), side(b, content), opt, func(c *Change) error {
		line := c.Kind.Sign()
		if c.A != nil {
			line += " " + c.A.Path()
		}
		if c.B != nil && (c.A == nil || c.A.Path() != c.B.Path()) {
			line += " " + c.B.Path()
		}
		if c.Kind == Changed {
			line += ": " + Describe(t.Context(), c, 40)
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTrees(t *testing.T) {
	prim := func(name string, size float64) model.Node {
		return group(name, node("size", model.Float64(size)), node("kind", model.Text("cube")), node("made by", model.Text("hand")))
	}
	for _, c := range []struct {
		name string
		a, b model.Node
		opt  Options
		want []string
	}{
		{"the same in another order", group("r", prim("a", 1), prim("b", 2)), group("r", prim("b", 2), prim("a", 1)), Options{}, nil},
		{"a value", group("r", prim("a", 1)), group("r", prim("a", 2)), Options{}, []string{"~ view/a/size: 1 → 2"}},
		{"a type", node("r", nil, node("a", model.Int(1))), node("r", nil, node("a", model.Text("1"))), Options{}, []string{"~ view/a: 1"}},
		{"within the tolerance", group("r", prim("a", 1)), group("r", prim("a", 1.01)), Options{Tolerance: 0.1}, nil},
		{"infinity is infinity", node("r", model.Float64(math.Inf(1))), node("r", model.Float64(math.Inf(1))), Options{}, nil},
		{"NaN is NaN", node("r", model.Float64(math.NaN())), node("r", model.Float64(math.NaN())), Options{}, nil},
		{"large integers", node("r", model.Uint(1<<63)), node("r", model.Uint(1<<63+1)), Options{}, []string{"~ view: 9223372036854775808 → 9223372036854775809"}},
		{"large integers within the tolerance", node("r", model.Uint(1<<63)), node("r", model.Uint(1<<63+1)), Options{Tolerance: 1}, nil},
		{"large integers and floats", node("r", array(model.Int(1<<60), model.Uint(math.MaxUint64), model.Int(1<<53+1))),
			node("r", array(model.Float64(1<<60), model.Float64(1<<64), model.Float64(1<<53))), Options{},
			[]string{"~ view: 2 of 3 elements; [1] 18446744073709551615 → 1.8446744073709552e+19; at most by 1"}},
		{"arrays of large integers", node("r", array(model.Int(1<<60), model.Int(2), model.Int(-1<<63))), node("r", array(model.Int(1<<60+1), model.Int(2), model.Int(1<<62))), Options{},
			[]string{"~ view: 2 of 3 elements; [0] 1152921504606846976 → 1152921504606846977; at most by 13835058055282163712"}},
		{"added and removed", group("r", prim("a", 1), node("x", model.Int(1))), group("r", prim("a", 1), node("y", model.Int(2))), Options{},
			[]string{"- view/x", "+ view/y"}},
		{"renamed", group("r", prim("a", 1), prim("b", 2)), group("r", prim("c", 1), prim("b", 2)), Options{}, []string{"> view/a view/c"}},
		{"moved", group("r", group("x", prim("a", 1)), group("y", prim("b", 2))), group("r", group("x"), group("y", prim("b", 2), prim("a", 1))),
			Options{}, []string{"> view/x/a view/y/a"}},
		{"renamed and changed", group("r", prim("a", 1), prim("b", 2)), group("r", prim("c", 9), prim("b", 2)), Options{},
			[]string{"> view/a view/c", "~ view/a/size view/c/size: 1 → 9"}},
		{"an element more", list(texts("a", "b", "c")...), list(texts("a", "x", "b", "c")...), Options{}, []string{"+ view/[1]"}},
		{"an element less", list(texts("a", "b", "c")...), list(texts("b", "c")...), Options{}, []string{"- view/[0]"}},
		{"an element changed", list(texts("a", "b", "c")...), list(texts("a", "x", "c")...), Options{}, []string{"~ view/[1]: b → x"}},
		{"an element moved", list(texts("a", "b", "c")...), list(texts("c", "a", "b")...), Options{}, []string{"> view/[2] view/[0]"}},
		{"arrays", node("r", array(model.Int(1), model.Int(2), model.Int(3))), node("r", array(model.Int(1), model.Int(5), model.Int(4))), Options{},
			[]string{"~ view: 2 of 3 elements; [1] 2 → 5; at most by 3"}},
		{"an array and none", node("r", array(model.Int(1))), node("r", model.Text("x")), Options{}, []string{"~ view: [1] → x"}},
		{"longer arrays", node("r", array(model.Int(1))), node("r", array(model.Int(1), model.Int(5))), Options{},
			[]string{"~ view: 1 → 2 elements, 1 differs"}},
		{"long texts", node("r", model.Text(strings.Repeat("long ", 20)+"a")), node("r", model.Text(strings.Repeat("long ", 20)+"b")), Options{},
			[]string{"~ view: …g long long a → …g long long b"}},
	} {
		if got := told(t, c.a, c.b, c.opt, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStored: how a value is stored is told by its bytes, but not where these lead to.
func TestStored(t *testing.T) {
	file := model.NewFileSource("f", model.BytesReader([]byte{1, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 9}))
	floats := func(at model.Span, coding string) model.Node {
		e := &model.Elements{Type: "float", Count: 1, Make: func(context.Context, int64) (model.Value, error) { return model.Float32(0), nil },
			Pack: model.Packing{Number: model.NumberF32, Components: 1, At: at, Coding: coding}}
		return model.Node{Name: "r", Spans: []model.Span{at}, Value: e}
	}
	one := func(at model.Span, leads bool) model.Node {
		n := model.Node{Name: "r", Spans: []model.Span{at}, Value: model.Int(1)}
		if leads {
			n.Refs = func(context.Context) []model.Ref { return nil }
		}
		return n
	}
	for _, c := range []struct {
		name string
		a, b model.Node
		want int
	}{
		{"-0 is 0", floats(file.Span(4, 4), ""), floats(file.Span(8, 4), ""), 1},
		{"the same bytes", floats(file.Span(8, 4), ""), floats(file.Span(8, 4), ""), 0},
		{"another coding", floats(file.Span(8, 4), ""), floats(file.Span(8, 4), "integers"), 1},
		{"other bytes", one(file.Span(0, 1), false), one(file.Span(12, 1), false), 1},
		{"more bytes", one(file.Span(0, 1), true), one(file.Span(0, 4), true), 1},
		{"bytes that lead elsewhere", one(file.Span(0, 1), true), one(file.Span(12, 1), true), 0},
	} {
		if got := told(t, c.a, c.b, Options{}, nil); len(got) > 0 {
			t.Errorf("%s: by content %q", c.name, got)
		}
		if got := told(t, c.a, c.b, Options{Stored: true}, nil); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestContent(t *testing.T) {
	content := func(_ context.Context, p *model.Place) model.Content {
		n := &p.Node
		switch {
		case n.Name == "id":
			return model.Content{None: true}
		case n.Name == "order":
			return model.Content{Order: true}
		case n.Name == "usual" && n.Value == model.Int(0):
			return model.Content{Fallback: true}
		case strings.HasPrefix(n.Name, "["):
			return model.Content{Key: model.ShowHeld(n.Value, 20)}
		}
		_, where := n.Value.(model.Text)
		return model.Content{Where: where}
	}
	order := func(names ...model.Value) model.Node { return node("order", array(names...)) }
	for _, c := range []struct {
		name string
		a, b model.Node
		want []string
	}{
		{"what does not count", group("r", node("id", model.Int(1))), group("r", node("id", model.Int(2)), node("place", model.Text("/r"))), []string{"+ view/place"}},
		{"paths do not count", node("r", model.Text("/a")), node("r", model.Text("/b")), nil},
		{"what holds without it", group("r", node("usual", model.Int(0)), node("x", model.Int(1))), group("r", node("x", model.Int(1))), nil},
		{"what does not", group("r", node("x", model.Int(1))), group("r", node("usual", model.Int(2)), node("x", model.Int(1))), []string{"+ view/usual"}},
		{"another than what holds without it", group("r", node("usual", model.Int(0))), group("r", node("usual", model.Int(2))), []string{"~ view/usual: 0 → 2"}},
		{"order that follows", group("r", order(model.Text("a"), model.Text("b"))), group("r", order(model.Text("c"), model.Text("a"), model.Text("b"))), nil},
		{"order of its own", group("r", order(model.Text("a"), model.Text("b"))), group("r", order(model.Text("b"), model.Text("c"), model.Text("a"))),
			[]string{"~ view/order: [\"a\", \"b\"] → [\"b\", \"c\", \"a\"]"}},
		{"lists by key", list(node("", model.Int(1), node("v", model.Int(7))), node("", model.Int(2), node("v", model.Int(8)))),
			list(node("", model.Int(0), node("v", model.Int(6))), node("", model.Int(1), node("v", model.Int(9))), node("", model.Int(2), node("v", model.Int(8)))),
			[]string{"~ view/[0]/v view/[1]/v: 7 → 9", "+ view/[0]"}},
	} {
		if got := told(t, c.a, c.b, Options{}, content); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCommonRuns holds the runs against what they say, and against the longest common subsequence where it is short.
func TestCommonRuns(t *testing.T) {
	rand := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		letters := 2 + rand.IntN(30)
		random := func() []childToMatch {
			l := make([]childToMatch, rand.IntN(40))
			for i := range l {
				l[i].hash = uint64(rand.IntN(letters))
			}
			return l
		}
		a, b := random(), random()
		endA, endB := 0, 0
		for _, r := range commonRuns(a, b) {
			if r.a < endA || r.b < endB || r.n < 1 {
				t.Fatalf("%v and %v: run %v after %d and %d", a, b, r, endA, endB)
			}
			for k := range r.n {
				if a[r.a+k] != b[r.b+k] {
					t.Fatalf("%v and %v: run %v is of two things", a, b, r)
				}
			}
			endA, endB = r.a+r.n, r.b+r.n
		}
	}
}

// TestBytes edits random bytes and makes the one side of the other by what is reported.
func TestBytes(t *testing.T) {
	rand := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		a := make([]byte, rand.IntN(1<<(8+round%13)))
		for i := range a {
			a[i] = byte(rand.Uint32())
		}
		b := slices.Clone(a)
		edits := rand.IntN(5)
		sizes := 0
		for range edits {
			at, n := rand.IntN(len(b)+1), rand.IntN(2000)
			sizes += n
			patch := make([]byte, n)
			for i := range patch {
				patch[i] = byte(rand.Uint32())
			}
			end := min(at+n, len(b))
			switch rand.IntN(3) {
			case 0:
				b = slices.Insert(b, at, patch...)
			case 1:
				b = slices.Delete(b, at, end)
			default:
				copy(b[at:end], patch)
			}
		}
		ranges := byteRanges(t, a, b)
		if made := applied(a, b, ranges); !bytes.Equal(made, b) {
			t.Fatalf("round %d: the ranges %v do not make %d bytes of %d", round, ranges, len(b), len(a))
		}
		var told int64
		for _, r := range ranges {
			told += max(r.LenA, r.LenB)
		}
		if told > int64(sizes+edits*4*sameBytes) {
			t.Errorf("round %d: %d bytes are told of, %d were edited", round, told, sizes)
		}
	}
}

func TestBytesFarApart(t *testing.T) {
	rand := rand.New(rand.NewPCG(5, 6))
	a := make([]byte, 9<<20)
	for i := range a {
		a[i] = byte(rand.Uint32())
	}
	inserted := make([]byte, 3<<20)
	for i := range inserted {
		inserted[i] = byte(rand.Uint32())
	}
	b := slices.Insert(slices.Clone(a), 1<<20, inserted...)
	if got := byteRanges(t, a, b); len(got) != 1 || got[0].LenA != 0 || got[0].LenB != 3<<20 {
		t.Errorf("inserted 3 MiB: %v", got)
	}
	if got := byteRanges(t, b, a); len(got) != 1 || got[0].LenB != 0 || got[0].LenA != 3<<20 {
		t.Errorf("taken out 3 MiB: %v", got)
	}
}

// TestBytesOfOtherLength: a long run and a short one that have nothing in common.
func TestBytesOfOtherLength(t *testing.T) {
	long, short := bytes.Repeat([]byte{1, 2, 3}, 1<<16), bytes.Repeat([]byte{7, 8}, 56)
	for _, c := range [][2][]byte{{long, short}, {short, long}} {
		if got := byteRanges(t, c[0], c[1]); len(got) != 1 || !bytes.Equal(applied(c[0], c[1], got), c[1]) {
			t.Errorf("%d bytes and %d that have nothing in common: %v", len(c[0]), len(c[1]), got)
		}
	}
}

func byteRanges(t *testing.T, a, b []byte) []Range {
	t.Helper()
	x, y := model.NewFileSource("a", model.BytesReader(a)), model.NewFileSource("b", model.BytesReader(b))
	var ranges []Range
	if err := Bytes(t.Context(), x.Whole(), y.Whole(), nil, func(r Range) error {
		ranges = append(ranges, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ranges
}

// applied is a with the ranges of it exchanged for those of b.
func applied(a, b []byte, ranges []Range) []byte {
	var made []byte
	at := int64(0)
	for _, r := range ranges {
		made = append(made, a[at:r.OffA]...)
		made = append(made, b[r.OffB:r.OffB+r.LenB]...)
		at = r.OffA + r.LenA
	}
	return append(made, a[at:]...)
}
