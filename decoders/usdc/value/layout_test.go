package value_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/internal/handgen"
	"cutaway/model"
)

func TestLayoutOfValues(t *testing.T) {
	b := handgen.NewBuilder(8)
	b.Put([]byte("dead value"))
	shared := b.Put(uint64(3), []byte{1, 0, 1}) // ends at 0x6d
	b.Put([]byte{9, 9, 9})
	aligned := b.Put(uint64(1), 2.5) // at 0x70, after padding
	tail := b.Put(0.1)
	b.Put([]byte("trailing"))
	b.Field("a", atOffset(table.TypeBool, shared)|table.ArrayBit)
	b.Field("b", atOffset(table.TypeBool, shared)|table.ArrayBit|table.InlinedBit) // the same: the bit means nothing here
	b.Field("c", atOffset(table.TypeDouble, aligned)|table.ArrayBit)
	b.Field("d", atOffset(table.TypeDouble, tail))
	problems := layoutIs(t, b, []string{"0x58 bytes unreferenced", "0x62 bool[] shared", "0x6d padding padding",
		"0x70 double[]", "0x80 double", "0x88 bytes unreferenced"})
	if len(problems) != 1 || problems[0].Rule != "usdc.rep.flags" {
		t.Error(problems)
	}
	want := `[{type: "bool[]", count: 2, inlined: 0, values: 1, compressed: 0, shared: 1, stored: 11, logical: 11}, ` +
		`{type: "double", count: 1, inlined: 0, values: 1, compressed: 0, shared: 0, stored: 8, logical: 8}, ` +
		`{type: "double[]", count: 1, inlined: 0, values: 1, compressed: 0, shared: 0, stored: 16, logical: 16}]`
	if got := decodertest.Facts(t, handgen.Open(t, usdc.Format, "built", b.Bytes()))["valueTypes"]; got != want {
		t.Errorf("facts\n%s\nwant\n%s", got, want)
	}
}

func TestRepsOfSamples(t *testing.T) {
	b := handgen.NewBuilder(8)
	times := b.Put(uint64(2), 1.0, 2.0)
	at := b.Put(int64(8), atOffset(table.TypeDoubleVector, times), int64(8), uint64(2), inlined(table.TypeFloat, handgen.Float32(2)), atOffset(table.TypeDouble, 1<<40))
	b.Field("f", atOffset(table.TypeTimeSamples, at))
	d := handgen.Open(t, usdc.Format, "built", b.Bytes())
	p, err := d.Lookup(context.Background(), "layout/values/0x70/values/[1]")
	if err != nil || p.Node.Brief != "double at 0x10000000000" || p.Node.Span().Off != at+40 {
		t.Errorf("%v %v", p, err)
	}
	r, err := d.CheckAll(context.Background(), nil)
	if err != nil || len(handgen.Damage(r)) != 1 || handgen.Damage(r)[0].Rule != "usdc.rep.past-end" || handgen.Damage(r)[0].Path != "layout/values/0x70" {
		t.Errorf("%v %v", r.Problems, err)
	}
	stats, err := d.Stats(context.Background(), "type", nil)
	want := []model.Stat{{Key: "float", Count: 1, Logical: 4}, {Key: "double", Count: 1}, {Key: "TimeSamples", Count: 1, Stored: 48, Logical: 48},
		{Key: "DoubleVector", Count: 1, Stored: 24, Logical: 24}}
	if err != nil || !slices.Equal(stats, want) {
		t.Errorf("%v %v", stats, err)
	}
}

func TestOverlappingValues(t *testing.T) {
	b := handgen.NewBuilder(8)
	first := b.Put(uint64(2), 1.0, 2.0)
	b.Field("a", atOffset(table.TypeDouble, first)|table.ArrayBit)
	b.Field("b", atOffset(table.TypeDouble, first+8))
	b.Field("c", atOffset(table.TypeMatrix2d, first+16))
	b.Put(3.0, 4.0, 5.0)
	problems := layoutIs(t, b, []string{"0x58 double[]", "0x70 matrix2d, continued"})
	var rules []string
	for _, p := range problems {
		rules = append(rules, fmt.Sprintf("%s %#x", p.Rule, p.Span.Off))
	}
	if !slices.Equal(rules, []string{"usdc.value.overlap 0x60", "usdc.value.overlap 0x68"}) {
		t.Errorf("%v", rules)
	}
}

func TestCompressedArrayInLayout(t *testing.T) {
	ints := make([]int64, 20)
	for i := range ints {
		ints[i] = int64(i % 3)
	}
	b := handgen.NewBuilder(8)
	b.Field("f", atOffset(table.TypeFloat, b.Put(uint64(20), byte('t'), uint32(2), []float32{0.5, -2}, handgen.Ints(4, ints...)))|table.ArrayBit|table.CompressedBit)
	problems := layoutIs(t, b, []string{"0x58 float[]"})
	if len(problems) != 1 || problems[0].Rule != "usdc.array.table-index" || problems[0].Path != "layout/values/0x58/integers@inflated" {
		t.Errorf("%v", problems)
	}
	d := handgen.Open(t, usdc.Format, "built", b.Bytes())
	p, err := d.Lookup(context.Background(), "layout/values/0x58/integers@inflated/integers/[1]")
	if err != nil {
		t.Fatal(err)
	}
	refs := p.Node.Refs(t.Context())
	entry, err := d.Lookup(context.Background(), refs[0].Path)
	if err != nil || p.Node.Value != model.Uint(1) || entry.Node.Value != model.Float32(-2) {
		t.Errorf("%v leads to %v: %v", p.Node.Value, refs, err)
	}
	// The value's element and the integer are the same bytes of the same source.
	value, err := d.Lookup(context.Background(), "layout/values/0x58")
	if err != nil {
		t.Fatal(err)
	}
	a := value.Node.Value.(model.Array)
	if n, err := a.Read(context.Background(), 0, make([]model.Value, 20)); n != 2 || err == nil {
		t.Errorf("read %d, %v; the third index is outside the table", n, err)
	}
}

// TestArrayInSection: an array that runs into a section is told, with what its integers lack.
func TestArrayInSection(t *testing.T) {
	coded := handgen.Ints(4, make([]int64, 20)...)
	binary.LittleEndian.PutUint64(coded, binary.LittleEndian.Uint64(coded)+2)
	b := handgen.NewBuilder(8)
	b.Field("f", atOffset(table.TypeFloat, b.Put(uint64(40), byte('i'), coded))|table.ArrayBit|table.CompressedBit)
	var rules []string
	for _, p := range handgen.Damage(handgen.CheckAll(t, handgen.Open(t, usdc.Format, "built", b.Bytes()))) {
		rules = append(rules, p.Rule+" "+p.Kind.String())
	}
	if !slices.Equal(rules, []string{"usdc.value.overlap suspicious", "usdc.compress.lz4 truncated"}) {
		t.Errorf("%v", rules)
	}
}

func TestValuesInsideThemselves(t *testing.T) {
	b := handgen.NewBuilder(8)
	self := b.At()
	b.Put(uint64(1), b.Str("k"), int64(8), atOffset(table.TypeDictionary, self))
	b.Field("f", atOffset(table.TypeDictionary, self))
	handgen.Expect(t, valueOf(t, b), 5, "v=1 entry{k=not taken apart!usdc.value.cycle}")
	problems := layoutIs(t, b, []string{"0x58 dictionary shared"})
	if len(problems) != 1 || problems[0].Rule != "usdc.value.cycle" {
		t.Errorf("%v", problems)
	}

	// Two that hold each other, and TimeSamples that hold themselves.
	pair := handgen.NewBuilder(8)
	pair.Put(int64(8), atOffset(table.TypeValue, handgen.FirstValue+16), int64(8), atOffset(table.TypeValue, handgen.FirstValue))
	pair.Field("f", atOffset(table.TypeValue, handgen.FirstValue))
	if got := handgen.Text(t.Context(), valueOf(t, pair), 5); !strings.Contains(got, "usdc.value.cycle") {
		t.Error(got)
	}
	samples := handgen.NewBuilder(8)
	times := samples.Put(uint64(1), 1.0)
	at := samples.At()
	samples.Put(int64(8), atOffset(table.TypeDoubleVector, times), int64(8), uint64(1), atOffset(table.TypeTimeSamples, at))
	samples.Field("f", atOffset(table.TypeTimeSamples, at))
	handgen.Expect(t, valueOf(t, samples), 2, "v=1 sample{[0]=1: not taken apart!usdc.value.cycle{time=1; value=not taken apart!usdc.value.cycle}}")
}

// deepest is the deepest nesting of values that is followed.
const deepest = 1024

func TestDeepAndWideNesting(t *testing.T) {
	chain := func(depth, width int) *handgen.Builder {
		b := handgen.NewBuilder(8)
		key := b.Str("k")
		at := b.Put(uint64(0))
		for range depth {
			parts := []any{uint64(width)}
			for range width {
				parts = append(parts, key, int64(8), atOffset(table.TypeDictionary, at))
			}
			at = b.Put(parts...)
		}
		b.Field("f", atOffset(table.TypeDictionary, at))
		return b
	}
	count := func(n model.Node) (nodes int, rules map[string]int) {
		rules = map[string]int{}
		var visit func(n model.Node)
		visit = func(n model.Node) {
			nodes++
			for _, p := range n.Problems {
				rules[p.Rule]++
			}
			if n.Children == nil {
				return
			}
			k, _ := n.Children.Len(t.Context())
			for i := range k {
				visit(n.Children.At(t.Context(), i))
			}
		}
		visit(n)
		return nodes, rules
	}
	for _, c := range []struct {
		depth, width int
		nodes        int
		rule         string
	}{
		{63, 1, 64, ""},
		{deepest - 1, 1, deepest, ""},
		{deepest + 500, 1, deepest + 1, "usdc.value.depth"},
		{12, 2, 1<<13 - 1, ""},
		{40, 2, 1, "usdc.value.expansion"},
	} {
		b := chain(c.depth, c.width)
		nodes, rules := count(valueOf(t, b))
		if c.rule == "" {
			delete(rules, "usdc.value.repeated-key")
		}
		if nodes != c.nodes || c.rule == "" && len(rules) > 0 || c.rule != "" && rules[c.rule] != 1 {
			t.Errorf("%d deep, %d wide: %d nodes, want %d; %v", c.depth, c.width, nodes, c.nodes, rules)
		}
		d := handgen.Open(t, usdc.Format, "built", b.Bytes())
		r, err := d.CheckAll(context.Background(), nil)
		if err != nil || len(r.Tiling) > 0 {
			t.Error(err, r.Tiling)
		}
		found := 0
		for _, p := range r.Problems {
			if p.Rule == c.rule {
				found++
				if limit := c.rule == "usdc.value.depth"; limit != (p.Kind == model.Limit) || limit != r.Sound() {
					t.Errorf("%s is of kind %s; sound: %t", p.Rule, p.Kind, r.Sound())
				}
			}
		}
		if c.rule != "" && found != 1 {
			t.Errorf("%d deep, %d wide: the check finds %s %d times", c.depth, c.width, c.rule, found)
		}
		if r.Coverage[0].Unreferenced > 0 {
			t.Errorf("%d bytes are not reached", r.Coverage[0].Unreferenced)
		}
	}
}

// readCorpus reads a file of the corpus.
func readCorpus(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(handgen.Corpus(), name))
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	return b
}

// sceneValues are the values of a crate as text, by the names of their fields.
func sceneValues(t *testing.T, name string) map[string][]string {
	t.Helper()
	c := table.Open(t.Context(), model.NewFileSource(name, model.BytesReader(readCorpus(t, name))))
	f, err := c.Fields(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	values, all := value.New(c), map[string][]string{}
	for i := range f.Count {
		r, err := f.Rep(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		field, _ := f.Name(t.Context(), i)
		n := values.Node(t.Context(), "v", r, f.RepSpan(i), nil)
		all[field] = append(all[field], n.Type+" "+handgen.Text(t.Context(), n, 9))
	}
	for k := range all {
		slices.Sort(all[k])
	}
	return all
}

// TestSceneInAllVersions compares the scene of the corpus, which is the same in all versions except what a version
// cannot hold.
func TestSceneInAllVersions(t *testing.T) {
	base := sceneValues(t, "made/scene-0.8.0.usdc")
	for _, v := range strings.Fields("0.0.1 0.1.0 0.2.0 0.4.0 0.5.0 0.6.0 0.7.0 0.9.0 0.10.0 0.11.0 0.12.0 0.13.0 0.14.0 0.15.0 0.16.0") {
		got := sceneValues(t, "made/scene-"+v+".usdc")
		old := slices.Contains(strings.Fields("0.0.1 0.1.0 0.2.0 0.4.0 0.5.0 0.6.0 0.7.0"), v)
		for _, field := range slices.Sorted(maps.Keys(base)) {
			var missing []string
			for _, want := range base[field] {
				if !slices.Contains(got[field], want) {
					missing = append(missing, want)
				}
			}
			switch {
			case len(missing) == 0:
			case field == "properties" && !old: // later versions have more of them
			case field == "payload" && old:
				if !strings.HasPrefix(got[field][0], "Payload v=@load.usd@</Other>{assetPath=load.usd; primPath=/Other}") {
					t.Errorf("%s %s: %s", v, field, got[field])
				}
			case (field == "references" || field == "targetPaths") && (v == "0.0.1" || v == "0.1.0"):
			default:
				t.Errorf("%s %s: missing\n%s\nof\n%s", v, field, strings.Join(missing, "\n"), strings.Join(got[field], "\n"))
			}
		}
		for field, texts := range got {
			for _, s := range texts {
				if strings.Contains(s, "!") {
					t.Errorf("%s %s: %s", v, field, s)
				}
			}
		}
	}
	last := sceneValues(t, "made/scene-0.16.0.usdc")
	for field, want := range map[string]string{
		"layerRelocates": `Relocates v=[("/World/Child", "/Other")]`,
		"spline":         "Spline v=2 knots{dataVersion=3; valueType=float; curveType=bezier; preExtrapolation=sloped; postExtrapolation=loop repeat; innerLoops=true; preLoopBoundary=-1; postLoopBoundary=11; preSlope=0.5; loopStart=1; ",
	} {
		if len(last[field]) != 1 || !strings.HasPrefix(last[field][0], want) {
			t.Errorf("%s: %s, want %s", field, last[field], want)
		}
	}
}

// TestDamagedValues checks that a damaged value is told, at its place, and costs no other.
func TestDamagedValues(t *testing.T) {
	base := sceneValues(t, "made/scene-0.8.0.usdc")
	for name, want := range map[string]string{
		"array-cints-huge":  "layout/values/0x4d8 usdc.array.count",
		"array-cints-short": "layout/values/0x4d8/integers@inflated/integers usdc.integers.truncated",
		"array-code-x":      "layout/values/0x4d8 usdc.array.code",
		"array-count-huge":  "layout/values/0x4d8 usdc.array.past-end",
		"array-lut-oob":     "layout/values/0x4d8/integers@inflated usdc.array.table-index",
		"dict-3000-deep":    "layout/values/0xdcf8 usdc.value.depth",
		"dict-doubling-40":  "layout/values/0x7a8 usdc.value.expansion",
		"dict-in-itself":    "layout/values/0x4d8 usdc.value.cycle",
		"dict-key-oob":      "layout/values/0x4d8/[0].key usdc.index.string-out-of-range",
		"jump-negative":     "layout/values/0x4d8 usdc.value.jump",
		"jump-zero":         "layout/values/0x4d8 usdc.value.jump",
		"rep-inlined-quat":  "layout/FIELDS/reps@inflated/[70] usdc.rep.cannot-inline",
		"rep-past-end":      "layout/FIELDS/reps@inflated/[70] usdc.rep.past-end",
		"rep-type-0":        "layout/FIELDS/reps@inflated/[70] usdc.rep.unknown-type",
		"rep-type-200":      "layout/FIELDS/reps@inflated/[70] usdc.rep.unknown-type",
		"samples-in-itself": "layout/values/0x4e8 usdc.value.cycle",
		"samples-times-int": "layout/values/0x4d8 usdc.samples.times-type",
	} {
		file := "made/x-" + name + ".usdc"
		d := handgen.Open(t, usdc.Format, file, readCorpus(t, file))
		r, err := d.CheckAll(context.Background(), nil)
		if err != nil || len(r.Tiling) > 0 {
			t.Fatal(name, err, r.Tiling)
		}
		var got []string
		for _, p := range handgen.Damage(r) {
			got = append(got, p.Path+" "+p.Rule)
			if p.Span.Source == nil || !p.Span.Source.Holds(p.Span.Off, p.Span.Len) {
				t.Errorf("%s: %s is at %v", name, p.Rule, p.Span)
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		whole := sceneValues(t, file)
		for field, texts := range base {
			for _, s := range texts {
				if !slices.Contains(whole[field], s) && field != "properties" {
					t.Errorf("%s: %s is lost: %s", name, field, s)
				}
			}
		}
	}
}

// TestMutations damages value data at random: whatever is there gives a layout that tiles, and ends.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, name := range []string{"made/scene-0.0.1.usdc", "made/scene-0.6.0.usdc", "made/scene-0.16.0.usdc"} {
		sound := readCorpus(t, name)
		for round := range 60 {
			b := slices.Clone(sound)
			for range 1 + rng.Intn(6) {
				i := handgen.FirstValue + rng.Intn(1500)
				b[i] = byte([]int{0, 0xFF, 1 << rng.Intn(8), rng.Intn(256)}[rng.Intn(4)])
			}
			d := handgen.Open(t, usdc.Format, name, b)
			r, err := d.CheckAll(context.Background(), nil)
			if err != nil || len(r.Tiling) > 0 {
				t.Fatalf("%s round %d: %v %v", name, round, err, r.Tiling)
			}
			steps := 0
			err = model.Walk(context.Background(), d.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
				if steps++; steps > 1<<20 {
					return fmt.Errorf("the walk does not end")
				}
				if p.Node.Refs != nil {
					p.Node.Refs(t.Context())
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%s round %d: %v", name, round, err)
			}
		}
	}
}

// valueOf returns the node of the only or last field.
func valueOf(t testing.TB, b *handgen.Builder) model.Node {
	t.Helper()
	c := table.Open(t.Context(), model.NewFileSource("built", model.BytesReader(b.Bytes())))
	f, err := c.Fields(context.Background(), nil)
	if err != nil || f.Count != int64(len(b.Fields)) {
		t.Fatalf("fields: %d, %v; want %d", f.Count, err, len(b.Fields))
	}
	i := f.Count - 1
	r, err := f.Rep(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	return value.New(c).Node(t.Context(), "v", r, f.RepSpan(i), nil)
}

// atOffset is the rep of a value at off.
func atOffset(t table.ValueType, off int64) table.Rep {
	return table.Rep(t)<<table.TypeShift | table.Rep(off)
}

// inlined is an inlined rep.
func inlined(t table.ValueType, low uint32) table.Rep {
	return table.Rep(t)<<table.TypeShift | table.InlinedBit | table.Rep(low)
}

// builtValue is the value of a rep in a crate of version 0.minor with data.
func builtValue(t testing.TB, minor uint8, r table.Rep, data ...any) model.Node {
	t.Helper()
	b := handgen.NewBuilder(minor)
	b.Put(data...)
	b.Field("f", r)
	return valueOf(t, b)
}
