package usdc

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

func TestDictionary(t *testing.T) {
	b := newBuilder(8)
	inner := b.put(uint64(1), b.str("x"), int64(8), inlined(typeInt, 7))
	// The second entry's jump leaves room for the array that it holds.
	outer := b.put(uint64(4), b.str("a"), int64(8), inlined(typeBool, 1),
		b.str("b"), int64(8+16), uint64(1), 0.5, atOffset(typeDouble, inner+28+8+20+4+8)|repArray,
		b.str("c"), int64(8), atOffset(typeDictionary, inner),
		b.str("a"), int64(8), inlined(typeToken, 0))
	b.field("f", atOffset(typeDictionary, outer))
	n := valueOf(t, b)
	expect(t, n, 2, "v=4 entries{a=true; b=[0.5]; c=1 entry{x=7}; a=;-)!usdc.value.repeated-key}")
	if len(n.Spans) != 3 || n.Spans[0] != n.Spans[0].Source.Span(outer, 8+20+12) || n.Spans[1].Off != outer+8+20+12+16 {
		t.Errorf("spans %v", n.Spans)
	}
	if i, ok := model.IndexOf(t.Context(), n.Children, "a~2"); !ok || i != 3 {
		t.Errorf("a~2 is %d, %v", i, ok)
	}
	// In the layout: inner, the head of outer, the array, the rest of outer.
	layoutIs(t, b, []string{
		"0x58 dictionary", "0x74 dictionary", "0x9c double[]", "0xac dictionary, continued"})
}

// layoutIs compares the names, types and roles of the value data.
func layoutIs(t *testing.T, b *builder, want []string) []model.LocatedProblem {
	t.Helper()
	d := openBytes(t, "built", b.bytes())
	r, err := d.CheckAll(context.Background(), nil)
	if err != nil || len(r.Tiling) > 0 {
		t.Fatal(err, r.Tiling)
	}
	p, err := d.Lookup(context.Background(), "layout/values")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	count, _ := p.Len(t.Context())
	rows := p.Node.Children
	for i := range count {
		n := rows.At(t.Context(), i)
		line := n.Name + " " + n.Type
		if n.Role != model.Explained {
			line += " " + n.Role.String()
		}
		if n.Shared {
			line += " shared"
		}
		got = append(got, line)
		if j, ok := model.IndexOf(t.Context(), rows, n.Name); !ok || j != i {
			t.Errorf("%s is found as %d, %v; want %d", n.Name, j, ok, i)
		}
		for off := n.Span().Off; off < n.Span().End(); off++ {
			if j, ok := model.Locate(t.Context(), rows, n.Span().Source, off); !ok || j != i {
				t.Errorf("byte %#x is in %d, %v; want %d", off, j, ok, i)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("layout\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return damage(r)
}

func TestTimeSamples(t *testing.T) {
	b := newBuilder(8)
	times := b.put(uint64(2), 1.0, 24.0)
	array := b.put(uint64(1), 0.5)
	b.put([]byte{0xCD, 0xCD})
	// Between the jumps and what they lead to be bytes that are not zero.
	samples := b.put(int64(10), []byte{0xAA, 0xBB}, atOffset(typeDoubleVector, times), int64(8), uint64(3),
		atOffset(typeDouble, array)|repArray, inlined(typeValueBlock, 0), inlined(typeFloat, f32(2)))
	b.field("f", atOffset(typeTimeSamples, samples))
	n := valueOf(t, b)
	expect(t, n, 2, "v=3 samples!usdc.samples.count{[0]=(1, [0.5]){time=1; value=[0.5]}; [1]=(24, None){time=24; value=None}; [2]=2{value=2}}")
	if last := n.Refs(t.Context()); last[len(last)-1].Kind != "times" || last[len(last)-1].Path != "layout/values/0x58" {
		t.Errorf("%v", last)
	}
	cards := n.Cards(t.Context())
	table := cards[0].(model.Table)
	rows := make([][]model.Cell, 5)
	if k, err := table.Read(context.Background(), 1, rows); k != 2 || err != nil || rows[0][0].Value != model.Float64(24) || rows[1][0].Value != nil {
		t.Errorf("table: %d %v %v", k, err, rows)
	}
	layoutIs(t, b, []string{"0x58 DoubleVector", "0x70 double[]", "0x80 bytes unreferenced", "0x82 TimeSamples", "0x8a bytes unreferenced",
		"0x8c TimeSamples, continued"})

	numbers := newBuilder(8)
	at := numbers.put(uint64(2), 1.0, 24.0)
	numbers.field("f", atOffset(typeTimeSamples, numbers.put(int64(8), atOffset(typeDoubleVector, at), int64(8), uint64(2),
		inlined(typeFloat, f32(2)), inlined(typeValueBlock, 0))))
	series := valueOf(t, numbers).Cards(t.Context())[1].(model.Series)
	points := make([]model.Point, 4)
	if k, err := series.Read(context.Background(), 0, points); k != 2 || err != nil || points[0].Time != 1 || points[0].Value != 2 || points[1].Value == points[1].Value {
		t.Errorf("series: %d %v %v", k, err, points)
	}

	for _, c := range []struct {
		times rep
		rule  string
	}{
		{inlined(typeInt, 3), "usdc.samples.times-type"},
		{atOffset(typeFloat, firstValue) | repArray, "usdc.samples.times-type"},
		{atOffset(typeDoubleVector, firstValue+8), "usdc.value.count"},
	} {
		n := builtValue(t, 8, atOffset(typeTimeSamples, firstValue+16), uint64(1), 1e300, int64(8), c.times, int64(8), uint64(1), inlined(typeInt, 1))
		if rules := rulesOf(n); !slices.Equal(rules, []string{c.rule}) || n.Children == nil {
			t.Errorf("%v", n.Problems)
		}
	}
	doubles := newBuilder(8) // some writers have a double[] for the times, which readers take
	at = doubles.put(uint64(2), 1.0, 24.0)
	doubles.field("f", atOffset(typeTimeSamples, doubles.put(int64(8), atOffset(typeDouble, at)|repArray, int64(8), uint64(2), inlined(typeInt, 1), inlined(typeInt, 2))))
	n = valueOf(t, doubles)
	if got := model.Show(t.Context(), n.Children.At(t.Context(), 1).Value, 40); got != "(24, 2)" || n.Problems[0].Kind != model.Suspicious {
		t.Errorf("double[] times: %s, %v", got, n.Problems)
	}
	falling := newBuilder(8)
	at = falling.put(uint64(2), 24.0, 1.0)
	falling.field("f", atOffset(typeTimeSamples, falling.put(int64(8), atOffset(typeDoubleVector, at), int64(8), uint64(2), inlined(typeInt, 1), inlined(typeInt, 2))))
	problems := layoutIs(t, falling, []string{"0x58 DoubleVector", "0x70 TimeSamples"})
	if len(problems) != 1 || problems[0].Rule != "usdc.samples.times-order" || problems[0].Span.Off != at+16 {
		t.Errorf("%v", problems)
	}
}

func TestSplines(t *testing.T) {
	knot := func(v any, dual, bezier, algorithms bool) []any {
		parts := []any{byte(6), 1.0, v}
		if dual {
			parts[0] = byte(7)
			parts = append(parts, v)
		}
		if bezier {
			parts = append(parts, 0.5, 0.25)
		}
		parts = append(parts, v, v)
		if algorithms {
			parts = append(parts, byte(0x20))
		}
		return parts
	}
	join := func(parts ...[]any) []any { return slices.Concat(parts...) }
	for _, c := range []struct {
		name string
		data []any
		want string // without the knots
		knot string
	}{
		{"empty", nil, "v=0 knots", ""},
		{"double, version 1", join([]any{byte(0x11), byte(0x09), uint32(1)}, knot(2.5, false, true, false)),
			"v=1 knot{dataVersion=1; valueType=double; valuesAreTimes=false; curveType=bezier; preExtrapolation=held; postExtrapolation=held; innerLoops=false; knots=1 knot}",
			"flags=6; time=1; value=2.5; preTangentWidth=0.5; postTangentWidth=0.25; preTangentSlope=2.5; postTangentSlope=2.5"},
		{"dual hermite half, sloped, loops, version 2", join([]any{byte(0xB2), byte(0x40 | 3<<3 | 3), 0.5, -0.5, 1.0, 2.0, int32(3), int32(-1), 0.75, uint32(1)}, knot(uint16(0x4100), true, false, true)),
			"v=1 knot{dataVersion=2; valueType=half; valuesAreTimes=false; curveType=hermite; preExtrapolation=sloped; postExtrapolation=sloped; innerLoops=true; preSlope=0.5; postSlope=-0.5; loopStart=1; loopEnd=2; loopsBefore=3; loopsAfter=-1; loopValueOffset=0.75; knots=1 knot}",
			"flags=7; time=1; value=2.5; preValue=2.5; preTangentSlope=2.5; postTangentSlope=2.5; tangentAlgorithms=32"},
		{"timecode, boundaries, version 3", join([]any{byte(0x43), byte(4 | 6<<3), byte(3), -1.0, 9.0, uint32(1)}, knot(2.5, false, true, true)),
			"v=1 knot{dataVersion=3; valueType=timecode; curveType=bezier; preExtrapolation=loop repeat; postExtrapolation=loop oscillate; innerLoops=false; preLoopBoundary=-1; postLoopBoundary=9; knots=1 knot}",
			"flags=6; time=1; value=2.5; preTangentWidth=0.5; postTangentWidth=0.25; preTangentSlope=2.5; postTangentSlope=2.5; tangentAlgorithms=32"},
		{"duration, version 4", join([]any{byte(0x54), byte(9), byte(0), uint32(1)}, knot(2.5, false, true, true)),
			"v=1 knot{dataVersion=4; valueType=duration; curveType=bezier; preExtrapolation=held; postExtrapolation=held; innerLoops=false; knots=1 knot}",
			"flags=6; time=1; value=2.5; preTangentWidth=0.5; postTangentWidth=0.25; preTangentSlope=2.5; postTangentSlope=2.5; tangentAlgorithms=32"},
		{"unspecified", []any{byte(0x01), byte(0)}, "v=0 knots{dataVersion=1; valueType=unspecified; valuesAreTimes=false; curveType=bezier; preExtrapolation=value block; postExtrapolation=value block; innerLoops=false}", ""},
		{"unknown version", []any{byte(0x15), byte(0), byte(1)}, "v=0 knots!usdc.spline.version{dataVersion=5; valueType=double; curveType=bezier}", ""},
		{"unknown value type", []any{byte(0x73), byte(0)}, "v=0 knots!usdc.spline.value-type{dataVersion=3; valueType=7; curveType=bezier}", ""},
		{"leftover", join([]any{byte(0x11), byte(0), uint32(0)}, []any{byte(1)}),
			"v=0 knots!usdc.spline.leftover{dataVersion=1; valueType=double; valuesAreTimes=false; curveType=bezier; preExtrapolation=value block; postExtrapolation=value block; innerLoops=false}", ""},
		{"too many knots", []any{byte(0x11), byte(0), uint32(1 << 30)},
			"v=0 knots!usdc.value.count{dataVersion=1; valueType=double; valuesAreTimes=false; curveType=bezier; preExtrapolation=value block; postExtrapolation=value block; innerLoops=false}", ""},
		{"knot cut by its flags", join([]any{byte(0x11), byte(0), uint32(1), byte(7)}, []any{make([]byte, 48)}),
			"v=0 knots!usdc.spline.knots{dataVersion=1; valueType=double; valuesAreTimes=false; curveType=bezier; preExtrapolation=value block; postExtrapolation=value block; innerLoops=false}", ""},
	} {
		b := newBuilder(15)
		block := newBuilder(15)
		block.put(c.data...)
		b.put(uint64(block.data.Len()), block.data.Bytes(), uint64(1), 1.0, uint64(1), b.str("note"), int64(8), inlined(typeInt, 4))
		b.field("f", atOffset(typeSpline, firstValue))
		n := valueOf(t, b)
		if c.knot == "" {
			stray := "customData=1 entry!usdc.spline.stray-data"
			if strings.HasSuffix(c.want, "}") {
				c.want = c.want[:len(c.want)-1] + "; " + stray + "}"
			} else {
				c.want += "{" + stray + "}"
			}
		}
		if got := text(t.Context(), n, 1); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if n.Spans[0].Len != int64(b.data.Len()) {
			t.Errorf("%s: %v, want %d bytes", c.name, n.Spans, b.data.Len())
		}
		if c.knot != "" {
			k := child(t, child(t, n, "knots"), "[0]")
			want := "[0]=1: 2.5, curve{" + c.knot + "; customData=1 entry}"
			if got := text(t.Context(), k, 1); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
			}
		}
		layoutIs(t, b, []string{"0x58 Spline"})
	}
}

func TestArrayEdits(t *testing.T) {
	edits := func(op, count int64, args ...int64) []int64 { return append([]int64{op<<56 | count}, args...) }
	b := newBuilder(14)
	literals := b.put(uint64(2), int32(5), int32(6))
	words := slices.Concat(edits(0, 2, 0, 1, 1, -1), edits(2, 1, 0, math.MinInt64), edits(4, 1, 3), edits(6, 0), edits(8, 1, 9, 7))
	ops := b.put(uint64(len(words)), words)
	at := b.put(atOffset(typeInt, literals)|repArray, atOffset(typeInt64, ops)|repArray, byte(1))
	b.field("f", atOffset(typeInt, at)|repEdit)
	n := valueOf(t, b)
	if n.Type != "int[] edit" || n.Spans[0].Len != 17 {
		t.Errorf("%s %v", n.Type, n.Spans)
	}
	expect(t, n, 4, "v=5 instructions{literals=[5, 6]; instructions=5 instructions{"+
		"[0]=2 times{[0]=(0, 1){literal=0; destination=1}; [1]=(1, -1){literal=1; destination=-1}}; "+
		"[1]=(0, end){literal=0; position=end}; [2]=(3){position=3}; [3]=0 times; "+
		"[4]=(9, 7)!usdc.edit.literal{size=9; literal=7}}; dense=true}")
	if got := child(t, n, "instructions").Children.At(t.Context(), 2).Type; got != "erase" {
		t.Errorf("operation 4 is %q", got)
	}
	problems := layoutIs(t, b, []string{"0x58 int[]", "0x68 int64[]", "0xe0 int[] edit"})
	if len(problems) != 1 || problems[0].Rule != "usdc.edit.literal" || problems[0].Path != "layout/values/0xe0" {
		t.Errorf("%v", problems)
	}

	// Readers go by the bit in files before 0.14.0 too. The identity has no bytes.
	expect(t, builtValue(t, 13, atOffset(typeInt, 0)|repEdit), 0, "v=no edit!usdc.rep.flags")
	expect(t, builtValue(t, 14, atOffset(typeInt, 0)|repEdit), 0, "v=no edit")
	for _, c := range []struct {
		words []int64
		rule  string
	}{
		{edits(10, 1, 0), "usdc.edit.operation"},
		{edits(0, 3, 0, 0), "usdc.edit.count"},
		{edits(4, 1<<55), "usdc.edit.count"},
	} {
		b := newBuilder(14)
		ops := b.put(uint64(len(c.words)), c.words)
		at := b.put(atOffset(typeInt, 0)|repArray, atOffset(typeInt64, ops)|repArray, byte(0))
		b.field("f", atOffset(typeInt, at)|repEdit)
		if rules := rulesOf(child(t, valueOf(t, b), "instructions")); !slices.Equal(rules, []string{c.rule}) {
			t.Errorf("%v: %v", c.words, rules)
		}
	}
	bad := builtValue(t, 14, atOffset(typeInt, firstValue)|repEdit, inlined(typeInt, 1), atOffset(typeFloat, 0)|repArray, byte(0))
	expect(t, bad, 1, "v={literals=1!usdc.edit.array-type; instructions=[]!usdc.edit.array-type; dense=false}")
}
