package export

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

var everything = model.WalkOptions{Resolve: true, Derived: true}

func lines(t *testing.T, opt model.WalkOptions) ([]string, Tally) {
	t.Helper()
	var b bytes.Buffer
	out := NewLines(ctx, &b, LineOptions{})
	if err := model.Walk(ctx, exporttest.Sample(model.Malformed).View("layout").Place(t.Context()), opt, out.Write); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), out.Tally()
}

// A fault of the program comes with its stack.
func TestStack(t *testing.T) {
	p := model.Problem{Rule: "cutaway.fault", Message: "oh no", Stack: "main.go:7\n"}
	if got := string(AppendProblem(nil, &model.LocatedProblem{Path: "layout", Problem: p}, nil, Grouped{})); !strings.HasSuffix(got, `"message":"oh no","stack":"main.go:7\n"}`) {
		t.Error(got)
	}
}

func TestLines(t *testing.T) {
	got, tally := lines(t, everything)
	want := []string{
		`{"path":"layout","name":"layout","type":"file","value":null,"spans":[{"source":"file","offset":0,"length":40}],"refs":[],"problems":[],"children":5}`,
		`{"path":"layout/header","name":"header","type":"Header","value":null,"spans":[{"source":"file","offset":0,"length":8}],"refs":[],"problems":[],"children":3}`,
		`{"path":"layout/header/magic","name":"magic","type":"bytes","value":{"base64":"AAECAw=="},"spans":[{"source":"file","offset":0,"length":4}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/header/flags","name":"flags","type":"u8","value":null,"spans":[{"source":"file","offset":4,"length":1}],"refs":[],"problems":[],"children":2}`,
		`{"path":"layout/header/flags/low","name":"low","type":"bits","value":4,"spans":[{"source":"file","offset":4,"length":1,"mask":15}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/header/flags/high","name":"high","type":"bits","value":0,"spans":[{"source":"file","offset":4,"length":1,"mask":240}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/header/count","name":"count","type":"u24","value":3,"spans":[{"source":"file","offset":5,"length":3}],` +
			`"refs":[{"kind":"target","path":"layout/points"},{"kind":"range","path":"","span":{"source":"file","offset":8,"length":4}}],` +
			`"problems":[{"rule":"fake.malformed","kind":"malformed","severity":"error","source":"file","offset":5,"length":3,"path":"layout/header/count","expected":"an even number","found":"3","message":"the count is odd"}],"children":0}`,
		`{"path":"layout/points","name":"points","type":"int[]","value":[0,100,200,300],"spans":[{"source":"file","offset":8,"length":16}],"refs":[],"problems":[],"children":4}`,
		`{"path":"layout/pac%2Fked","name":"pac/ked","type":"block","value":null,"spans":[{"source":"file","offset":24,"length":8}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/pac%2Fked@inflated","name":"inflated","type":"records","value":null,"spans":[{"source":"layout/pac%2Fked@inflated","offset":0,"length":20}],"refs":[],"problems":[],"children":2}`,
		`{"path":"layout/pac%2Fked@inflated/a","name":"a","type":"record","value":null,"spans":[{"source":"layout/pac%2Fked@inflated","offset":0,"length":12}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/pac%2Fked@inflated/b","name":"b","type":"record","value":"two\nlines","spans":[{"source":"layout/pac%2Fked@inflated","offset":12,"length":8}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/padding","name":"padding","type":"","value":null,"spans":[{"source":"file","offset":32,"length":4}],"refs":[],"problems":[],"children":0}`,
		`{"path":"layout/unknown","name":"unknown","type":"","value":null,"spans":[{"source":"file","offset":36,"length":4}],"refs":[],"problems":[],"children":0}`,
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d\ngot  %s\nwant %s", i, got[i], want[i])
		}
	}
	if tally != (Tally{Errors: 1}) {
		t.Errorf("tally %+v", tally)
	}
}

func TestPendingNodeHasUnknownChildren(t *testing.T) {
	got, _ := lines(t, model.WalkOptions{})
	if !strings.HasSuffix(got[1], `"children":-1}`) {
		t.Errorf("got %s", got[1])
	}
}

func TestUnreadableValueIsAProblemOfItsNode(t *testing.T) {
	src := bytesSource(make([]byte, 8))
	node := model.Node{Name: "x", Type: "int[]", Value: numbers(4, 2), Spans: []model.Span{src.Span(2, 4)}}
	var b bytes.Buffer
	out := NewLines(ctx, &b, LineOptions{})
	v := model.View{Name: "layout", Root: func(context.Context) model.Node { return node }}
	if err := errors.Join(out.Write(v.Place(t.Context())), out.Flush()); err != nil {
		t.Fatal(err)
	}
	var line struct {
		Value    struct{ Count int }
		Problems []struct {
			Rule           string
			Offset, Length int64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if len(line.Problems) != 1 || line.Problems[0].Rule != "test.bad" || line.Problems[0].Offset != 2 || line.Value.Count != 4 {
		t.Errorf("got %s", b.String())
	}
	if out.Tally().Errors != 1 {
		t.Errorf("tally %+v", out.Tally())
	}
}

// Nested objects hold the same nodes as the lines, in the same order.
func TestNestedHoldsTheLines(t *testing.T) {
	var b bytes.Buffer
	tally, err := JSON(ctx, &b, []*model.Place{exporttest.Sample(model.Malformed).View("layout").Place(t.Context())}, NestOptions{Walk: everything})
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	var flat []map[string]any
	var unroll func(n map[string]any)
	unroll = func(n map[string]any) {
		nodes := n["nodes"].([]any)
		delete(n, "nodes")
		flat = append(flat, n)
		for _, c := range nodes {
			unroll(c.(map[string]any))
		}
	}
	unroll(root)
	want, wantTally := lines(t, everything)
	if len(flat) != len(want) || tally != wantTally {
		t.Fatalf("%d nodes and %+v, want %d and %+v", len(flat), tally, len(want), wantTally)
	}
	for i, line := range want {
		var node map[string]any
		if err := json.Unmarshal([]byte(line), &node); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(node, flat[i]) {
			t.Errorf("node %d is %v, want %v", i, flat[i], node)
		}
	}
}

func TestNestedSeveralWholeAndAlone(t *testing.T) {
	src := bytesSource(nil)
	v := model.View{Name: "layout", Root: func(context.Context) model.Node {
		return model.Node{Name: "x", Value: numbers(10_000, -1), Children: model.NewList(model.Node{Name: "below"})}
	}, Of: src}
	var b bytes.Buffer
	places := []*model.Place{v.Place(t.Context()), v.Place(t.Context())}
	if _, err := JSON(ctx, &b, places, NestOptions{Whole: true, Alone: true}); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Value []int
		Nodes []any
	}
	if err := json.Unmarshal(b.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || len(list[1].Value) != 10_000 || list[1].Value[9_999] != 9_999 || len(list[0].Nodes) != 0 {
		t.Errorf("got %d objects with %d elements", len(list), len(list[0].Value))
	}
}

// When the context ends, nested JSON is closed, so that what was written can be read.
func TestCancelledNestedIsWhole(t *testing.T) {
	stopping, cancel := context.WithCancel(ctx)
	defer cancel()
	w := writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	var b bytes.Buffer
	_, err := JSON(stopping, io.MultiWriter(&b, w), []*model.Place{exporttest.Many(t.Context(), 100_000)}, NestOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if !json.Valid(b.Bytes()) {
		t.Errorf("not JSON: …%s", b.Bytes()[max(0, b.Len()-200):])
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestLinesEndWithTheContext(t *testing.T) {
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	out := NewLines(stopped, io.Discard, LineOptions{})
	if err := out.Write(exporttest.Many(t.Context(), 1000)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWriteErrorsAreTold(t *testing.T) {
	full := errors.New("disk full")
	out := NewLines(ctx, writerFunc(func([]byte) (int, error) { return 0, full }), LineOptions{})
	err := model.Walk(ctx, exporttest.Many(t.Context(), 10_000), everything, out.Write)
	if err := errors.Join(err, out.Flush()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkLines(b *testing.B) {
	const nodes = 1_000_000
	b.ReportAllocs()
	for range b.N {
		out := NewLines(ctx, bufio.NewWriter(io.Discard), LineOptions{})
		if err := model.Walk(ctx, exporttest.Many(b.Context(), nodes), everything, out.Write); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(nodes*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}

func BenchmarkTree(b *testing.B) {
	const nodes = 1_000_000
	b.ReportAllocs()
	for range b.N {
		out := NewTree(ctx, io.Discard, TextOptions{})
		if err := model.Walk(ctx, exporttest.Many(b.Context(), nodes), everything, out.Write); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(nodes*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}

// The memory that is in use does not grow with the number of nodes.
func TestLinesTakeConstantMemory(t *testing.T) {
	const nodes = 300_000
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	out := NewLines(ctx, io.Discard, LineOptions{})
	var early, late uint64
	var seen int
	err := model.Walk(ctx, exporttest.Many(t.Context(), nodes), everything, func(p *model.Place) error {
		switch seen++; seen {
		case nodes / 10:
			early = inUse()
		case nodes:
			late = inUse()
		}
		return out.Write(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if late > early+1<<20 {
		t.Errorf("%d bytes in use after %d nodes, %d after %d", early, nodes/10, late, nodes)
	}
}

func TestDeepNestedGrowsWithItsDepth(t *testing.T) {
	size := func(levels int) int {
		var n model.Node
		for range levels {
			n = model.Node{Name: "level", Children: model.NewList(n)}
		}
		view := &model.View{Name: "deep", Root: func(context.Context) model.Node { return n }}
		var b bytes.Buffer
		if _, err := JSON(ctx, &b, []*model.Place{view.Place(ctx)}, NestOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `{"path":null,"name":"level"`) {
			t.Error("a long path is told")
		}
		return b.Len()
	}
	if one, two := size(4_000), size(8_000); two > one*2 {
		t.Errorf("4,000 levels take %d bytes, 8,000 take %d", one, two)
	}
}

// deepView is a chain of nodes, each with a leaf before the next one, made when they are looked at. At the deepest, reached is
// called.
func deepView(ctx context.Context, levels int, reached func()) *model.Place {
	var level func(depth int) model.Node
	level = func(depth int) model.Node {
		if depth == levels {
			reached()
			return model.Node{Name: "level"}
		}
		return model.Node{Name: "level", Children: &model.Rows{Count: 2, Make: func(_ context.Context, i int64) model.Node {
			if i == 0 {
				return model.Node{Name: "leaf", Value: model.Int(depth)}
			}
			return level(depth + 1)
		}}}
	}
	view := &model.View{Name: "deep", Root: func(context.Context) model.Node { return level(0) }}
	return view.Place(ctx)
}

// TestDeepNestsTakeTimeAndMemoryByTheirDepth counts what is allocated, for the time that it takes, and what is in use at the
// deepest node: twice the depth takes twice as much of either. A line of each node, whose paths are long, keeps less than 1 KB
// of each level.
func TestDeepNestsTakeTimeAndMemoryByTheirDepth(t *testing.T) {
	type figures struct{ allocated, live int64 }
	measure := func(levels int, write func(*model.Place) error) (f figures) {
		var m runtime.MemStats
		inUse := func() int64 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		before := inUse()
		all := int64(m.TotalAlloc)
		if err := write(deepView(t.Context(), levels, func() { f.live = inUse() - before })); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&m)
		f.allocated = int64(m.TotalAlloc) - all
		return f
	}
	nested := func(p *model.Place) error {
		_, err := JSON(ctx, io.Discard, []*model.Place{p}, NestOptions{Walk: model.WalkOptions{Resolve: true, Fleeting: true}})
		return err
	}
	lines := func(p *model.Place) error {
		out := NewLines(ctx, io.Discard, LineOptions{})
		return model.Walk(ctx, p, model.WalkOptions{Resolve: true, Fleeting: true}, out.Write)
	}
	small, large := measure(50_000, nested), measure(100_000, nested)
	t.Logf("nested: %+v, %+v", small, large)
	if large.allocated > small.allocated*5/2 || large.live > small.live*5/2 {
		t.Errorf("100,000 levels take %+v, 50,000 %+v", large, small)
	}
	few, many := measure(2_000, lines), measure(4_000, lines)
	t.Logf("lines: %+v, %+v", few, many)
	if many.live > few.live*5/2 || many.live > 4_000<<10 {
		t.Errorf("a line each of 4,000 levels keeps %d bytes, of 2,000 %d", many.live, few.live)
	}
}
