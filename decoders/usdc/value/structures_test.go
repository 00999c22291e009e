package value_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/table"
	"cutaway/internal/handgen"
	"cutaway/model"
)

func TestDictionary(t *testing.T) {
	b := handgen.NewBuilder(8)
	inner := b.Put(uint64(1), b.Str("x"), int64(8), inlined(table.TypeInt, 7))
	// The second entry's jump leaves room for the array that it holds.
	outer := b.Put(uint64(4), b.Str("a"), int64(8), inlined(table.TypeBool, 1),
		b.Str("b"), int64(8+16), uint64(1), 0.5, atOffset(table.TypeDouble, inner+28+8+20+4+8)|table.ArrayBit,
		b.Str("c"), int64(8), atOffset(table.TypeDictionary, inner),
		b.Str("a"), int64(8), inlined(table.TypeToken, 0))
	b.Field("f", atOffset(table.TypeDictionary, outer))
	n := valueOf(t, b)
	handgen.Expect(t, n, 2, "v=4 entries{a=true; b=[0.5]; c=1 entry{x=7}; a=;-)!usdc.value.repeated-key}")
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
func layoutIs(t *testing.T, b *handgen.Builder, want []string) []model.LocatedProblem {
	t.Helper()
	d := handgen.Open(t, usdc.Format, "built", b.Bytes())
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
	return handgen.Damage(r)
}

func TestTimeSamples(t *testing.T) {
	b := handgen.NewBuilder(8)
	times := b.Put(uint64(2), 1.0, 24.0)
	array := b.Put(uint64(1), 0.5)
	b.Put([]byte{0xCD, 0xCD})
	// Between the jumps and what they lead to be bytes that are not zero.
	samples := b.Put(int64(10), []byte{0xAA, 0xBB}, atOffset(table.TypeDoubleVector, times), int64(8), uint64(3),
		atOffset(table.TypeDouble, array)|table.ArrayBit, inlined(table.TypeValueBlock, 0), inlined(table.TypeFloat, handgen.Float32(2)))
	b.Field("f", atOffset(table.TypeTimeSamples, samples))
	n := valueOf(t, b)
	handgen.Expect(t, n, 2, "v=3 samples!usdc.samples.count{[0]=(1, [0.5]){time=1; value=[0.5]}; [1]=(24, None){time=24; value=None}; [2]=2{value=2}}")
	if last := n.Refs(t.Context()); last[len(last)-1].Kind != "times" || last[len(last)-1].Path != "layout/values/0x58" {
		t.Errorf("%v", last)
	}
	cards := n.Cards(t.Context())
	rows := cards[0].(model.Table)
	cells := make([][]model.Cell, 5)
	if k, err := rows.Read(context.Background(), 1, cells); k != 2 || err != nil || cells[0][0].Value != model.Float64(24) || cells[1][0].Value != nil {
		t.Errorf("table: %d %v %v", k, err, cells)
	}
	layoutIs(t, b, []string{"0x58 DoubleVector", "0x70 double[]", "0x80 bytes unreferenced", "0x82 TimeSamples", "0x8a bytes unreferenced",
		"0x8c TimeSamples, continued"})

	numbers := handgen.NewBuilder(8)
	at := numbers.Put(uint64(2), 1.0, 24.0)
	numbers.Field("f", atOffset(table.TypeTimeSamples, numbers.Put(int64(8), atOffset(table.TypeDoubleVector, at), int64(8), uint64(2),
		inlined(table.TypeFloat, handgen.Float32(2)), inlined(table.TypeValueBlock, 0))))
	series := valueOf(t, numbers).Cards(t.Context())[1].(model.Series)
	points := make([]model.Point, 4)
	if k, err := series.Read(context.Background(), 0, points); k != 2 || err != nil || points[0].Time != 1 || points[0].Value != 2 || points[1].Value == points[1].Value {
		t.Errorf("series: %d %v %v", k, err, points)
	}

	for _, c := range []struct {
		times table.Rep
		rule  string
	}{
		{inlined(table.TypeInt, 3), "usdc.samples.times-type"},
		{atOffset(table.TypeFloat, handgen.FirstValue) | table.ArrayBit, "usdc.samples.times-type"},
		{atOffset(table.TypeDoubleVector, handgen.FirstValue+8), "usdc.value.count"},
	} {
		n := builtValue(t, 8, atOffset(table.TypeTimeSamples, handgen.FirstValue+16), uint64(1), 1e300, int64(8), c.times, int64(8), uint64(1), inlined(table.TypeInt, 1))
		if rules := handgen.RulesOf(n); !slices.Equal(rules, []string{c.rule}) || n.Children == nil {
			t.Errorf("%v", n.Problems)
		}
	}
	doubles := handgen.NewBuilder(8) // some writers have a double[] for the times, which readers take
	at = doubles.Put(uint64(2), 1.0, 24.0)
	doubles.Field("f", atOffset(table.TypeTimeSamples, doubles.Put(int64(8), atOffset(table.TypeDouble, at)|table.ArrayBit, int64(8), uint64(2), inlined(table.TypeInt, 1), inlined(table.TypeInt, 2))))
	n = valueOf(t, doubles)
	if got := model.Show(t.Context(), n.Children.At(t.Context(), 1).Value, 40); got != "(24, 2)" || n.Problems[0].Kind != model.Suspicious {
		t.Errorf("double[] times: %s, %v", got, n.Problems)
	}
	falling := handgen.NewBuilder(8)
	at = falling.Put(uint64(2), 24.0, 1.0)
	falling.Field("f", atOffset(table.TypeTimeSamples, falling.Put(int64(8), atOffset(table.TypeDoubleVector, at), int64(8), uint64(2), inlined(table.TypeInt, 1), inlined(table.TypeInt, 2))))
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
		b := handgen.NewBuilder(15)
		block := handgen.NewBuilder(15)
		block.Put(c.data...)
		b.Put(uint64(block.Data.Len()), block.Data.Bytes(), uint64(1), 1.0, uint64(1), b.Str("note"), int64(8), inlined(table.TypeInt, 4))
		b.Field("f", atOffset(table.TypeSpline, handgen.FirstValue))
		n := valueOf(t, b)
		if c.knot == "" {
			stray := "customData=1 entry!usdc.spline.stray-data"
			if strings.HasSuffix(c.want, "}") {
				c.want = c.want[:len(c.want)-1] + "; " + stray + "}"
			} else {
				c.want += "{" + stray + "}"
			}
		}
		if got := handgen.Text(t.Context(), n, 1); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if n.Spans[0].Len != int64(b.Data.Len()) {
			t.Errorf("%s: %v, want %d bytes", c.name, n.Spans, b.Data.Len())
		}
		if c.knot != "" {
			k := handgen.Child(t, handgen.Child(t, n, "knots"), "[0]")
			want := "[0]=1: 2.5, curve{" + c.knot + "; customData=1 entry}"
			if got := handgen.Text(t.Context(), k, 1); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
			}
		}
		layoutIs(t, b, []string{"0x58 Spline"})
	}
}

func TestArrayEdits(t *testing.T) {
	edits := func(op, count int64, args ...int64) []int64 { return append([]int64{op<<56 | count}, args...) }
	b := handgen.NewBuilder(14)
	literals := b.Put(uint64(2), int32(5), int32(6))
	words := slices.Concat(edits(0, 2, 0, 1, 1, -1), edits(2, 1, 0, math.MinInt64), edits(4, 1, 3), edits(6, 0), edits(8, 1, 9, 7))
	ops := b.Put(uint64(len(words)), words)
	at := b.Put(atOffset(table.TypeInt, literals)|table.ArrayBit, atOffset(table.TypeInt64, ops)|table.ArrayBit, byte(1))
	b.Field("f", atOffset(table.TypeInt, at)|table.EditBit)
	n := valueOf(t, b)
	if n.Type != "int[] edit" || n.Spans[0].Len != 17 {
		t.Errorf("%s %v", n.Type, n.Spans)
	}
	handgen.Expect(t, n, 4, "v=5 instructions{literals=[5, 6]; instructions=5 instructions{"+
		"[0]=2 times{[0]=(0, 1){literal=0; destination=1}; [1]=(1, -1){literal=1; destination=-1}}; "+
		"[1]=(0, end){literal=0; position=end}; [2]=(3){position=3}; [3]=0 times; "+
		"[4]=(9, 7)!usdc.edit.literal{size=9; literal=7}}; dense=true}")
	if got := handgen.Child(t, n, "instructions").Children.At(t.Context(), 2).Type; got != "erase" {
		t.Errorf("operation 4 is %q", got)
	}
	problems := layoutIs(t, b, []string{"0x58 int[]", "0x68 int64[]", "0xe0 int[] edit"})
	if len(problems) != 1 || problems[0].Rule != "usdc.edit.literal" || problems[0].Path != "layout/values/0xe0" {
		t.Errorf("%v", problems)
	}

	// Readers go by the bit in files before 0.14.0 too. The identity has no bytes.
	handgen.Expect(t, builtValue(t, 13, atOffset(table.TypeInt, 0)|table.EditBit), 0, "v=no edit!usdc.rep.flags")
	handgen.Expect(t, builtValue(t, 14, atOffset(table.TypeInt, 0)|table.EditBit), 0, "v=no edit")
	for _, c := range []struct {
		words []int64
		rule  string
	}{
		{edits(10, 1, 0), "usdc.edit.operation"},
		{edits(0, 3, 0, 0), "usdc.edit.count"},
		{edits(4, 1<<55), "usdc.edit.count"},
	} {
		b := handgen.NewBuilder(14)
		ops := b.Put(uint64(len(c.words)), c.words)
		at := b.Put(atOffset(table.TypeInt, 0)|table.ArrayBit, atOffset(table.TypeInt64, ops)|table.ArrayBit, byte(0))
		b.Field("f", atOffset(table.TypeInt, at)|table.EditBit)
		if rules := handgen.RulesOf(handgen.Child(t, valueOf(t, b), "instructions")); !slices.Equal(rules, []string{c.rule}) {
			t.Errorf("%v: %v", c.words, rules)
		}
	}
	bad := builtValue(t, 14, atOffset(table.TypeInt, handgen.FirstValue)|table.EditBit, inlined(table.TypeInt, 1), atOffset(table.TypeFloat, 0)|table.ArrayBit, byte(0))
	handgen.Expect(t, bad, 1, "v={literals=1!usdc.edit.array-type; instructions=[]!usdc.edit.array-type; dense=false}")
}
