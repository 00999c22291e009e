package value_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"cutaway/decoders/usdc/table"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// wide is data of a value of each fixed-size type that lies outside its rep.
var wide = []struct {
	typ  table.ValueType
	data []any
	want string
}{
	{table.TypeInt64, []any{int64(-1 << 62)}, "-4611686018427387904"},
	{table.TypeUint64, []any{uint64(1<<64 - 1)}, "18446744073709551615"},
	{table.TypeDouble, []any{0.1}, "0.1"},
	{table.TypeMatrix2d, []any{[]float64{1, 2, 3, 4.5}}, "((1, 2), (3, 4.5))"},
	{table.TypeMatrix3d, []any{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9.5}}, "((1, 2, 3), (4, 5, 6), (7, 8, 9.5))"},
	{table.TypeMatrix4d, []any{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		"((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))"},
	{table.TypeQuatd, []any{[]float64{1, 2, 3, 4}}, "(4, 1, 2, 3)"},
	{table.TypeQuatf, []any{[]float32{1, 2, 3, 4}}, "(4, 1, 2, 3)"},
	{table.TypeQuath, []any{[]uint16{0x3C00, 0x4000, 0x4200, 0x4400}}, "(4, 1, 2, 3)"},
	{table.TypeDouble2, []any{[]float64{0.5, -1}}, "(0.5, -1)"},
	{table.TypeFloat2, []any{[]float32{0.1, -1}}, "(0.1, -1)"},
	{table.TypeInt2, []any{[]int32{1 << 30, -1}}, "(1073741824, -1)"},
	{table.TypeDouble3, []any{[]float64{0.5, -1, 2}}, "(0.5, -1, 2)"},
	{table.TypeFloat3, []any{[]float32{0.1, -1, 2}}, "(0.1, -1, 2)"},
	{table.TypeHalf3, []any{[]uint16{0x3800, 0xBC00, 0x7C00}}, "(0.5, -1, Infinity)"},
	{table.TypeInt3, []any{[]int32{1, 2, 300}}, "(1, 2, 300)"},
	{table.TypeDouble4, []any{[]float64{1, 2, 3, 4.25}}, "(1, 2, 3, 4.25)"},
	{table.TypeFloat4, []any{[]float32{1, 2, 3, 4.25}}, "(1, 2, 3, 4.25)"},
	{table.TypeHalf4, []any{[]uint16{0x3800, 0xBC00, 0x0001, 0}}, "(0.5, -1, 6e-08, 0)"},
	{table.TypeInt4, []any{[]int32{1, 2, 3, 400}}, "(1, 2, 3, 400)"},
	{table.TypeTimeCode, []any{12.5}, "12.5"},
	{table.TypeDuration, []any{-0.1}, "-0.1"},
}

func TestValuesAtOffsets(t *testing.T) {
	for _, minor := range []uint8{1, 4, 8} {
		for _, w := range wide {
			n := builtValue(t, minor, atOffset(w.typ, handgen.FirstValue), w.data...)
			if got := model.Show(t.Context(), n.Value, 200); got != w.want || n.Type != w.typ.String() || len(n.Problems) > 0 {
				t.Errorf("0.%d.0 %s: %s = %s, want %s; %v", minor, w.typ, n.Type, got, w.want, n.Problems)
			}
			if len(n.Spans) != 2 || n.Spans[0].Off != handgen.FirstValue || n.Spans[0].Len != w.typ.Info().Elem.Size() || n.Spans[1].Len != 8 {
				t.Errorf("%s: spans %v", w.typ, n.Spans)
			}
			short := builtValue(t, minor, atOffset(w.typ, 1<<40), w.data...)
			if rules := handgen.RulesOf(short); !slices.Equal(rules, []string{"usdc.rep.past-end"}) {
				t.Errorf("%s after the end: %v", w.typ, rules)
			}
		}
	}
}

func TestInlined(t *testing.T) {
	for _, c := range []struct {
		typ  table.ValueType
		low  uint32
		want string
		mask uint64
	}{
		{table.TypeBool, 1, "true", 0xFF},
		{table.TypeUchar, 200, "200", 0xFF},
		{table.TypeInt, 0xFFFFFFFE, "-2", 0xFFFFFFFF},
		{table.TypeUint, 0xFFFFFFFE, "4294967294", 0xFFFFFFFF},
		{table.TypeInt64, 0xFFFFFFFE, "-2", 0xFFFFFFFF},
		{table.TypeUint64, 0xFFFFFFFE, "4294967294", 0xFFFFFFFF},
		{table.TypeHalf, 0x3E00, "1.5", 0xFFFF},
		{table.TypeFloat, handgen.Float32(0.1), "0.1", 0xFFFFFFFF},
		{table.TypeDouble, handgen.Float32(1.5), "1.5", 0xFFFFFFFF},
		{table.TypeHalf2, 0xC0803E00, "(1.5, -2.25)", 0xFFFFFFFF},
		{table.TypeFloat2, 0xFF01, "(1, -1)", 0xFFFF},
		{table.TypeDouble3, 0xFE0201, "(1, 2, -2)", 0xFFFFFF},
		{table.TypeInt4, 0x80FF7F01, "(1, 127, -1, -128)", 0xFFFFFFFF},
		{table.TypeHalf4, 0x80FF7F01, "(1, 127, -1, -128)", 0xFFFFFFFF},
		{table.TypeHalf3, 0x030201, "(1, 2, 3)", 0xFFFFFF},
		{table.TypeMatrix2d, 0xFF03, "((3, 0), (0, -1))", 0xFFFF},
		{table.TypeMatrix3d, 0x010203, "((3, 0, 0), (0, 2, 0), (0, 0, 1))", 0xFFFFFF},
		{table.TypeMatrix4d, 0x01020304, "((4, 0, 0, 0), (0, 3, 0, 0), (0, 0, 2, 0), (0, 0, 0, 1))", 0xFFFFFFFF},
		{table.TypeSpecifier, 0, "def", 0xFFFFFFFF},
		{table.TypeSpecifier, 1, "over", 0xFFFFFFFF},
		{table.TypeSpecifier, 2, "class", 0xFFFFFFFF},
		{table.TypePermission, 1, "private", 0xFFFFFFFF},
		{table.TypeVariability, 0, "varying", 0xFFFFFFFF},
		{table.TypeVariability, 2, "uniform", 0xFFFFFFFF},
		{table.TypeValueBlock, 0, "None", 0},
		{table.TypeAnimationBlock, 0, "AnimationBlock", 0},
		{table.TypeToken, 0, ";-)", 0xFFFFFFFF},
		{table.TypeAsset, 0, ";-)", 0xFFFFFFFF}, // a TokenIndex
		{table.TypeString, table.None, "None", 0xFFFFFFFF},
	} {
		n := builtValue(t, 8, inlined(c.typ, c.low))
		if got := model.Show(t.Context(), n.Value, 200); got != c.want || len(n.Problems) > 0 {
			t.Errorf("%s %#x: %s, want %s; %v", c.typ, c.low, got, c.want, n.Problems)
		}
		if len(n.Spans) != 1 || n.Spans[0].Mask != c.mask {
			t.Errorf("%s: spans %v mask %#x", c.typ, n.Spans, n.Spans[0].Mask)
		}
		// Types that are always inlined do not look at the bit.
		if c.typ.Info().Inline == table.InlineAlways {
			if plain := builtValue(t, 8, inlined(c.typ, c.low)&^table.InlinedBit); model.Show(t.Context(), plain.Value, 200) != c.want {
				t.Errorf("%s without the inlined bit: %s", c.typ, model.Show(t.Context(), plain.Value, 200))
			}
		}
	}
	if n := builtValue(t, 8, inlined(table.TypeDictionary, 0)); n.Brief != "0 entries" || len(n.Problems) > 0 {
		t.Errorf("empty dictionary: %q %v", n.Brief, n.Problems)
	}
}

func TestInlinedText(t *testing.T) {
	b := handgen.NewBuilder(8)
	b.Str("first")
	b.Field("s", inlined(table.TypeString, b.Str("second")))
	n := valueOf(t, b)
	refs := n.Refs(t.Context())
	if n.Value != model.Text("second") || len(refs) != 1 || refs[0].Kind != "string" || refs[0].Text != "second" {
		t.Errorf("%v %v", n.Value, refs)
	}
}

func TestDamagedReps(t *testing.T) {
	for _, c := range []struct {
		r    table.Rep
		rule string
	}{
		{0, "usdc.rep.unknown-type"},
		{atOffset(200, 100), "usdc.rep.unknown-type"},
		{inlined(table.TypeQuatf, 1), "usdc.rep.cannot-inline"},
		{inlined(table.TypeTimeCode, 1), "usdc.rep.cannot-inline"},
		{inlined(table.TypeDuration, 1), "usdc.rep.cannot-inline"},
		{inlined(table.TypeTokenListOp, 1), "usdc.rep.cannot-inline"},
		{inlined(table.TypeSpline, 0), "usdc.rep.inlined-spline"},
		{atOffset(table.TypeDouble, 1<<47), "usdc.rep.past-end"},
		{atOffset(table.TypeInt, 1<<47) | table.ArrayBit, "usdc.rep.past-end"},
		{atOffset(table.TypeDouble, 16), "usdc.rep.in-bootstrap"},
		{inlined(table.TypeSpecifier, 7), "usdc.value.unknown-enum"},
		{inlined(table.TypeToken, 9999), "usdc.index.token-out-of-range"},
	} {
		if n := builtValue(t, 8, c.r); !slices.Equal(handgen.RulesOf(n), []string{c.rule}) {
			t.Errorf("%#x: %v, want %s", uint64(c.r), handgen.RulesOf(n), c.rule)
		}
	}
}

// TestCutValues reads values whose bytes end with the file.
func TestCutValues(t *testing.T) {
	size := int64(len(func() []byte {
		b := handgen.NewBuilder(8)
		b.Field("f", table.Rep(0))
		return b.Bytes()
	}()))
	for _, r := range []table.Rep{
		atOffset(table.TypeDouble, size-4), atOffset(table.TypeMatrix4d, size-100), atOffset(table.TypeDictionary, size-4),
		atOffset(table.TypeInt, size-3) | table.ArrayBit, atOffset(table.TypeTimeSamples, size-2), atOffset(table.TypeSpline, size-7), atOffset(table.TypePayload, size-6),
	} {
		b := handgen.NewBuilder(8)
		b.Field("f", r)
		n := valueOf(t, b)
		if rules := handgen.RulesOf(n); !slices.Equal(rules, []string{"usdc.value.truncated"}) || n.Problems[0].Kind != model.Truncated {
			t.Errorf("%s: %v", r.Type(), n.Problems)
		}
		if end := n.Spans[0].End(); end != size || len(n.Spans) != 2 {
			t.Errorf("%s: %v, the file ends at %#x", r.Type(), n.Spans, size)
		}
	}
}

// arrayRep is the rep of an array at the first value.
func arrayRep(t table.ValueType) table.Rep { return atOffset(t, handgen.FirstValue) | table.ArrayBit }

// header is the header of an array of n elements in version 0.minor.
func header(minor uint8, n int) []any {
	switch {
	case minor < 5:
		return []any{uint32(1), uint32(n)}
	case minor < 7:
		return []any{uint32(n)}
	}
	return []any{uint64(n)}
}

func TestPlainArrays(t *testing.T) {
	for _, minor := range []uint8{1, 4, 5, 6, 7, 8} {
		for _, w := range wide {
			data := append(header(minor, 3), append(append(slices.Clone(w.data), w.data...), w.data...)...)
			// The compressed bit means nothing here: the array is short or of another type. Nor does the other.
			for _, r := range []table.Rep{arrayRep(w.typ), arrayRep(w.typ) | table.InlinedBit, arrayRep(w.typ) | table.CompressedBit} {
				n := builtValue(t, minor, r, data...)
				want := fmt.Sprintf("[%s, %s, %s]", w.want, w.want, w.want)
				if got := model.Show(t.Context(), n.Value, 1000); got != want || n.Type != w.typ.String()+"[]" || len(damageOf(n)) > 0 {
					t.Errorf("0.%d.0 %s: %s = %s, want %s; %v", minor, w.typ, n.Type, got, want, n.Problems)
				}
				var size bytes.Buffer
				handgen.Put(&size, data...)
				if n.Spans[0].Len != int64(size.Len()) {
					t.Errorf("0.%d.0 %s: %v, want %d bytes", minor, w.typ, n.Spans, size.Len())
				}
				checkElements(t, n)
			}
		}
	}
}

// checkElements compares the elements as nodes with the array's value, whole and in windows.
func checkElements(t testing.TB, n model.Node) {
	t.Helper()
	a := n.Value.(model.Array)
	count := int64(0)
	if n.Children != nil {
		count, _ = n.Children.Len(t.Context())
	}
	if count != a.Len() || n.Elements != (count > 0) {
		t.Fatalf("%d nodes for %d elements", count, a.Len())
	}
	for i := range count {
		var one [1]model.Value
		if k, err := a.Read(context.Background(), i, one[:]); k != 1 || err != nil {
			t.Fatalf("element %d: %v", i, err)
		}
		e := n.Children.At(t.Context(), i)
		if e.Name != model.IndexName(i) || model.Show(t.Context(), e.Value, 500) != model.Show(t.Context(), one[0], 500) || len(e.Spans) == 0 {
			t.Fatalf("element %d: %s = %v, want %v", i, e.Name, e.Value, one[0])
		}
		// The first span of an element, or of its bits, leads back to it or to one that shares the byte.
		if j, ok := model.Locate(t.Context(), n.Children, e.Spans[0].Source, e.Spans[0].Off); !ok || j > i || j < i-3 {
			t.Fatalf("element %d is not found at %v: %d %v", i, e.Spans[0], j, ok)
		}
	}
	if k, err := a.Read(context.Background(), a.Len(), make([]model.Value, 1)); k != 0 || err != nil {
		t.Errorf("after the end: %d %v", k, err)
	}
}

func TestIndexArrays(t *testing.T) {
	b := handgen.NewBuilder(8)
	x, y := b.Token("x"), b.Token("y")
	sx, sy := b.Str("x"), b.Str("y")
	tokens := b.Put(uint64(2), x, y)
	texts := b.Put(uint64(2), sy, sx)
	for _, c := range []struct {
		r    table.Rep
		want string
	}{
		{atOffset(table.TypeToken, tokens) | table.ArrayBit, `["x", "y"]`},
		{atOffset(table.TypeTokenVector, tokens), `["x", "y"]`},
		{atOffset(table.TypeString, texts) | table.ArrayBit, `["y", "x"]`},
		{atOffset(table.TypeAsset, texts) | table.ArrayBit, `["y", "x"]`},
		{atOffset(table.TypePathExpression, texts) | table.ArrayBit, `["y", "x"]`},
		{atOffset(table.TypeStringVector, texts), `["y", "x"]`},
	} {
		b.Field("f", c.r)
		n := valueOf(t, b)
		if got := model.Show(t.Context(), n.Value, 100); got != c.want || len(n.Problems) > 0 {
			t.Errorf("%s: %s, want %s", n.Type, got, c.want)
		}
		checkElements(t, n)
	}
	paths := b.Put(uint64(2), uint32(1), uint32(table.None))
	b.Field("p", atOffset(table.TypePathVector, paths))
	if got := model.Show(t.Context(), valueOf(t, b).Value, 100); got != `["/A", None]` {
		t.Errorf("paths: %s", got)
	}
	bad := b.Put(uint64(2), x, uint32(777))
	b.Field("b", atOffset(table.TypeTokenVector, bad))
	n := valueOf(t, b)
	read := make([]model.Value, 2) // readers take the text of an index that is outside for empty
	if k, err := n.Value.(model.Array).Read(context.Background(), 0, read); k != 2 || err != nil || read[1] != model.Value(model.Text("")) {
		t.Errorf("bad index: read %d, %v, %v", k, err, read)
	}
	if rules := handgen.RulesOf(n.Children.At(t.Context(), 1)); !slices.Equal(rules, []string{"usdc.index.token-out-of-range"}) {
		t.Errorf("bad index: %v", rules)
	}
}

func TestEmptyArrays(t *testing.T) {
	for _, r := range []table.Rep{atOffset(table.TypeFloat3, 0) | table.ArrayBit, atOffset(table.TypeFloat3, 0) | table.ArrayBit | table.CompressedBit | table.InlinedBit} {
		n := builtValue(t, 8, r)
		if a, ok := n.Value.(model.Array); !ok || a.Len() != 0 || a.Elem() != "float3" || len(n.Spans) != 1 || len(damageOf(n)) > 0 {
			t.Errorf("%v", n)
		}
	}
	n := builtValue(t, 8, arrayRep(table.TypeInt), uint64(0))
	if a := n.Value.(model.Array); a.Len() != 0 || n.Children != nil || n.Spans[0].Len != 8 {
		t.Errorf("%v", n)
	}
}

func TestCompressedArrays(t *testing.T) {
	ints := make([]int64, 40)
	for i := range ints {
		ints[i] = int64(i*i) - 100
	}
	index := make([]int64, 40)
	for i := range index {
		index[i] = int64(i % 2)
	}
	shown := func(f func(i int) string) string {
		s := "["
		for i := range 40 {
			if i > 0 {
				s += ", "
			}
			s += f(i)
		}
		return s + "]"
	}
	squares := shown(func(i int) string { return fmt.Sprint(i*i - 100) })
	looked := shown(func(i int) string { return []string{"0.5", "-2"}[i%2] })
	for _, c := range []struct {
		typ   table.ValueType
		minor uint8
		data  []any
		want  string
	}{
		{table.TypeInt, 5, []any{handgen.Ints(4, ints...)}, squares},
		{table.TypeInt, 8, []any{handgen.Ints(4, ints...)}, squares},
		{table.TypeInt64, 6, []any{handgen.Ints(8, ints...)}, squares},
		{table.TypeUint, 7, []any{handgen.Ints(4, index...)}, shown(func(i int) string { return fmt.Sprint(i % 2) })},
		{table.TypeUint64, 7, []any{handgen.Ints(8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)},
			shown(func(int) string { return "18446744073709551615" })},
		{table.TypeHalf, 6, []any{byte('i'), handgen.Ints(4, ints...)}, squares},
		{table.TypeFloat, 6, []any{byte('i'), handgen.Ints(4, ints...)}, squares},
		{table.TypeDouble, 7, []any{byte('i'), handgen.Ints(4, ints...)}, squares},
		{table.TypeHalf, 7, []any{byte('t'), uint32(2), []uint16{0x3800, 0xC000}, handgen.Ints(4, index...)}, looked},
		{table.TypeFloat, 7, []any{byte('t'), uint32(2), []float32{0.5, -2}, handgen.Ints(4, index...)}, looked},
		{table.TypeDouble, 6, []any{byte('t'), uint32(2), []float64{0.5, -2}, handgen.Ints(4, index...)}, looked},
	} {
		n := builtValue(t, c.minor, arrayRep(c.typ)|table.CompressedBit, append(header(c.minor, 40), c.data...)...)
		if got := model.Show(t.Context(), n.Value, 2000); got != c.want || len(n.Problems) > 0 {
			t.Errorf("0.%d.0 %s: %s, want %s; %v", c.minor, c.typ, got, c.want, n.Problems)
		}
		checkElements(t, n)
	}
	// Before the version that brought them, the bit means nothing.
	plain := make([]int32, 16)
	plain[3] = 7
	for typ, minor := range map[table.ValueType]uint8{table.TypeInt: 4, table.TypeFloat: 5} {
		n := builtValue(t, minor, arrayRep(typ)|table.CompressedBit, append(header(minor, 16), plain)...)
		if a := n.Value.(model.Array); a.Len() != 16 || !slices.Equal(handgen.RulesOf(n), []string{"usdc.rep.flags"}) || n.Children.At(t.Context(), 3).Spans[0].Len != 4 {
			t.Errorf("%s in 0.%d.0: %v", typ, minor, n)
		}
	}
}

func TestDamagedArrays(t *testing.T) {
	short := handgen.Ints(4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	for _, c := range []struct {
		typ  table.ValueType
		data []any
		rule string
	}{
		{table.TypeFloat3, []any{uint64(1) << 61}, "usdc.array.past-end"},
		{table.TypeFloat, []any{uint64(20), byte('x')}, "usdc.array.code"},
		{table.TypeFloat, []any{uint64(20), byte('t'), uint32(1 << 30)}, "usdc.array.table-past-end"},
		{table.TypeInt, []any{uint64(20), uint64(1 << 40)}, "usdc.array.coded-past-end"},
		{table.TypeInt, []any{uint64(1) << 40, short}, "usdc.array.count"},
		{table.TypeInt, []any{uint64(16), uint64(200), make([]byte, 200)}, "usdc.array.coded-size"},
	} {
		n := builtValue(t, 8, arrayRep(c.typ)|table.CompressedBit, c.data...)
		if !slices.Equal(damageOf(n), []string{c.rule}) {
			t.Errorf("%s: %v, want %s", c.typ, n.Problems, c.rule)
		}
	}
	// Fewer integers than counted: those that are there are good.
	n := builtValue(t, 8, arrayRep(table.TypeInt)|table.CompressedBit, uint64(20), short)
	dst := make([]model.Value, 20)
	k, err := n.Value.(model.Array).Read(context.Background(), 0, dst)
	if err == nil || k == 20 {
		t.Errorf("cut array: %d, %v", k, err)
	}
	if rules := handgen.RulesOf(n.Children.At(t.Context(), 19)); len(rules) != 1 {
		t.Errorf("element after the cut: %v", rules)
	}
}

func TestReadingWindowsAllocatesOnlyValues(t *testing.T) {
	const count = 4096
	n := builtValue(t, 8, arrayRep(table.TypeDouble), uint64(count), make([]float64, count))
	dst := make([]model.Value, count)
	a := n.Value.(model.Array)
	got := testing.AllocsPerRun(5, func() { _, _ = a.Read(context.Background(), 0, dst) })
	if got > count+8 {
		t.Errorf("%v allocations for %d elements", got, count)
	}
}

func TestListOps(t *testing.T) {
	b := handgen.NewBuilder(8)
	x, y := b.Token("x"), b.Token("y")
	b.Put(byte(0x7E), uint64(1), x, uint64(1), y, uint64(2), x, y, uint64(0), uint64(1), x, uint64(1), y)
	b.Field("f", atOffset(table.TypeTokenListOp, handgen.FirstValue))
	handgen.Expect(t, valueOf(t, b), 2, `v=1 explicit, 1 added, 2 prepended, 0 appended, 1 deleted, 1 ordered{bits=explicit, added, deleted, ordered, prepended, appended`+
		`; explicit=["x"]; added=["y"]; prepended=["x", "y"]; appended=[]; deleted=["x"]; ordered=["y"]}`)

	for _, c := range []struct {
		typ  table.ValueType
		data any
		want string
	}{
		{table.TypeIntListOp, []int32{1, -2}, "[1, -2]"},
		{table.TypeUIntListOp, []int32{1, -2}, "[1, 4294967294]"},
		{table.TypeInt64ListOp, []int64{1, -2}, "[1, -2]"},
		{table.TypeUInt64ListOp, []int64{1, -2}, "[1, 18446744073709551614]"},
		{table.TypePathListOp, []int32{0, 1}, `["/", "/A"]`},
	} {
		n := builtValue(t, 8, atOffset(c.typ, handgen.FirstValue), byte(3), uint64(2), c.data)
		list := handgen.Child(t, n, "explicit")
		if got := model.Show(t.Context(), list.Value, 100); got != c.want {
			t.Errorf("%s: %s, want %s", c.typ, got, c.want)
		}
		checkElements(t, list)
	}
	if n := builtValue(t, 8, atOffset(table.TypeIntListOp, handgen.FirstValue), byte(1)); n.Brief != "explicit, empty" || n.Spans[0].Len != 1 {
		t.Errorf("%v", n)
	}
	n := builtValue(t, 8, atOffset(table.TypeIntListOp, handgen.FirstValue), byte(2), uint64(1<<40))
	if rules := handgen.RulesOf(n); !slices.Equal(rules, []string{"usdc.value.count"}) {
		t.Errorf("%v", n.Problems)
	}
}

func TestVectorsOfPairs(t *testing.T) {
	b := handgen.NewBuilder(8)
	b.Put(uint64(1), b.Str("look"), b.Str("red"))
	b.Field("f", atOffset(table.TypeVariantSelectionMap, handgen.FirstValue))
	n := valueOf(t, b)
	handgen.Expect(t, n, 1, "v=1 set{look=red}")
	if refs := n.Children.At(t.Context(), 0).Refs(t.Context()); len(refs) != 1 || refs[0].Text != "red" {
		t.Errorf("%v", refs)
	}
	handgen.Expect(t, builtValue(t, 8, atOffset(table.TypeLayerOffsetVector, handgen.FirstValue), uint64(2), []float64{1, 2, 3, 4}), 0, "v=[(1, 2), (3, 4)]")
	handgen.Expect(t, builtValue(t, 8, atOffset(table.TypeRelocates, handgen.FirstValue), uint64(1), []uint32{0, 1}), 0, `v=[("/", "/A")]`)
	handgen.Expect(t, builtValue(t, 8, atOffset(table.TypeDoubleVector, handgen.FirstValue), uint64(2), []float64{1, 2.5}), 0, "v=[1, 2.5]")
}

func TestNestedValues(t *testing.T) {
	n := builtValue(t, 8, atOffset(table.TypeUnregisteredValue, handgen.FirstValue), int64(16), uint64(0), inlined(table.TypeInt, 5))
	if n.Type != "UnregisteredValue: int" || n.Value != model.Int(5) || len(n.Spans) != 4 {
		t.Errorf("%v", n)
	}
	op := builtValue(t, 8, atOffset(table.TypeUnregisteredValueListOp, handgen.FirstValue), byte(2), uint64(1), int64(8), inlined(table.TypeToken, 0))
	handgen.Expect(t, handgen.Child(t, op, "explicit"), 1, "explicit=1 item{[0]=;-)}")
	for _, jump := range []int64{0, 7, -8, 1 << 40, -1 << 62} {
		n := builtValue(t, 8, atOffset(table.TypeValue, handgen.FirstValue), jump, inlined(table.TypeInt, 5))
		if rules := handgen.RulesOf(n); !slices.Equal(rules, []string{"usdc.value.jump"}) {
			t.Errorf("jump %d: %v", jump, n.Problems)
		}
	}
}

func TestReferencesAndPayloads(t *testing.T) {
	b := handgen.NewBuilder(8)
	b.Put(byte(2), uint64(2),
		b.Str("m.usd"), uint32(1), 10.0, 2.0, uint64(1), b.Str("why"), int64(8), inlined(table.TypeInt, 3),
		b.Str(""), uint32(table.None), 0.0, 1.0, uint64(0))
	b.Field("f", atOffset(table.TypeReferenceListOp, handgen.FirstValue))
	handgen.Expect(t, handgen.Child(t, valueOf(t, b), "explicit"), 3, "explicit=2 items{[0]=@m.usd@</A>{assetPath=m.usd; primPath=/A; layerOffset=(10, 2); "+
		"customData=1 entry{why=3}}; [1]={assetPath=; primPath=None; layerOffset=(0, 1); customData=0 entries}}")

	for _, c := range []struct {
		minor uint8
		want  string
	}{
		{7, "v=@m.usd@</A>{assetPath=m.usd; primPath=/A}"},
		{8, "v=@m.usd@</A>{assetPath=m.usd; primPath=/A; layerOffset=(5, 0.5)}"},
	} {
		b := handgen.NewBuilder(c.minor)
		b.Put(b.Str("m.usd"), uint32(1), 5.0, 0.5)
		b.Field("f", atOffset(table.TypePayload, handgen.FirstValue))
		handgen.Expect(t, valueOf(t, b), 1, c.want)
		op := handgen.NewBuilder(c.minor)
		op.Put(byte(2), uint64(1), op.Str("m.usd"), uint32(1), 5.0, 0.5)
		op.Field("f", atOffset(table.TypePayloadListOp, handgen.FirstValue))
		item := handgen.Child(t, handgen.Child(t, valueOf(t, op), "explicit"), "[0]")
		handgen.Expect(t, item, 1, "[0]"+c.want[1:])
	}
}

// TestFlags: flags of a rep that its type and version do not ask for are told, and readers' reading is shown.
func TestFlags(t *testing.T) {
	for _, test := range []struct {
		minor uint8
		r     table.Rep
		typ   string
		want  []string
	}{
		{8, inlined(table.TypeInt, 5), "int", nil},
		{8, inlined(table.TypeInt, 5) &^ table.InlinedBit, "int", []string{"usdc.rep.flags"}},
		{8, inlined(table.TypeInt, 5) | 1<<57, "int", []string{"usdc.rep.flags"}},
		{8, inlined(table.TypeInt, 5) | table.CompressedBit, "int", []string{"usdc.rep.flags"}},
		{8, inlined(table.TypeToken, 0) | table.EditBit, "token[] edit", []string{"usdc.rep.flags"}},
		{14, atOffset(table.TypeToken, 0) | table.EditBit, "token[] edit", nil},
		{8, inlined(table.TypeSpecifier, 1) | table.ArrayBit, "Specifier", []string{"usdc.rep.flags"}},
	} {
		if n := builtValue(t, test.minor, test.r); n.Type != test.typ || !slices.Equal(handgen.RulesOf(n), test.want) {
			t.Errorf("%#x in 0.%d.0: %s %v, want %s %v", uint64(test.r), test.minor, n.Type, handgen.RulesOf(n), test.typ, test.want)
		}
	}
}

// damageOf is the rules of what is wrong with a node besides flags of its rep that mean nothing.
func damageOf(n model.Node) []string {
	return slices.DeleteFunc(handgen.RulesOf(n), func(rule string) bool { return rule == "usdc.rep.flags" })
}
