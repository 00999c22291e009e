package usddiff

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	gen "cutaway/internal/crategen"
)

// typedValue is a value of a type, as the text of the layer names the type.
type typedValue struct {
	typ   string
	value gen.Value
}

// typedValues are values of all kinds of types, small, large, and such as others do not have.
func typedValues() []typedValue {
	return []typedValue{
		{"bool", gen.Bool(true)}, {"bool", gen.Bool(false)}, {"uchar", gen.Inline(gen.TUChar, 200)}, {"int", gen.Int(-7)}, {"int", gen.Int(300)},
		{"uint", gen.Inline(gen.TUInt, math.MaxUint32)}, {"int64", gen.Int64(-5)}, {"int64", gen.Int64(1 << 40)}, {"uint64", gen.UInt64(math.MaxUint64)},
		{"half", gen.Inline(gen.THalf, 0x3E00)}, {"float", gen.Float(0.01)}, {"float", gen.Float(-2.5)}, {"float", gen.Float(float32(math.Inf(1)))},
		{"double", gen.Double(3)}, {"double", gen.Double(1e300)}, {"double", gen.Double(math.NaN())}, {"string", gen.Text("a \"b\"\nc")},
		{"token", gen.Token("word")}, {"asset", gen.Asset("a/b.png")}, {"float3", gen.Bytes(gen.TFloat3, gen.Floats(1, 2.5, 3))},
		{"double3", gen.Bytes(gen.TDouble3, gen.Doubles(1, 2.5, 3))}, {"int2", gen.Bytes(gen.TInt2, gen.Words(4, 1, -2))},
		{"float4", gen.Bytes(gen.TFloat4, gen.Floats(1, 2, 3, 4))}, {"quatf", gen.Bytes(gen.TQuatf, gen.Floats(1, 2, 3, 4))},
		{"matrix2d", gen.Bytes(gen.TMatrix2d, gen.Doubles(1, 2, 3, 4))}, {"int[]", gen.Ints(gen.TInt, 1, -2)}, {"float[]", gen.FloatArray(0.5, 2)},
		{"bool[]", gen.Array(gen.TBool, 2, []byte{1, 0})}, {"string[]", gen.Texts(gen.TString, "a", "b c")}, {"token[]", gen.Texts(gen.TToken, "a")},
		{"asset[]", gen.Texts(gen.TAsset, "a.png")}, {"dictionary", gen.Dict(gen.Entry{Key: "k", Value: gen.Int(1)})}, {"None", gen.Inline(gen.TValueBlock, 0)},
	}
}

// oddSpec is a prim, attribute or relationship with fields that writers of layers may have, but usd-core's own hardly ever.
type oddSpec struct {
	name     string
	of       gen.SpecType
	typeName string
	fields   []gen.Field
}

func oddSpecs() []oddSpec {
	var all []oddSpec
	prim := func(name string, fields ...gen.Field) { all = append(all, oddSpec{name, gen.Prim, "", fields}) }
	field := func(name string, value gen.Value) gen.Field { return gen.Field{Name: name, Value: value} }
	for _, v := range typedValues() {
		prim("unknown "+v.typ, field("foo", v.value))
		prim("instanceable "+v.typ, field("instanceable", v.value))
		prim("displayName "+v.typ, field("displayName", v.value))
		for _, name := range []string{"elementSize", "arraySizeConstraint", "weight", "colorSpace", "foo"} {
			all = append(all, oddSpec{name + " " + v.typ, gen.Attribute, "int", []gen.Field{field(name, v.value)}})
		}
		for _, typ := range []string{"bool", "uchar", "int", "uint", "int64", "uint64", "half", "float", "double", "timecode", "string", "token", "asset",
			"float3", "color3d", "int2", "quatf", "int[]", "double[]", "string[]", "asset[]", "Foo::Bar", "Foo:Bar", "opaque"} {
			all = append(all, oddSpec{typ + " = " + v.typ, gen.Attribute, typ, []gen.Field{field("default", v.value)}},
				oddSpec{typ + " samples of " + v.typ, gen.Attribute, typ, []gen.Field{field("timeSamples", gen.Samples([]float64{1, 2}, v.value, v.value))}})
		}
	}
	for _, name := range []string{"Foo.Bar", "Foo::Bar", "Foo::Bar.Baz", "Foo:Bar", "5x", "def", "Foo.def", "Foo.", "a b"} {
		prim("type "+name, field("typeName", gen.Token(name)))
	}
	for _, selected := range []string{"", "a", ".a", "5-x", "`${X}`", "`", "`a", "a b", "`\"a\\\"b\"`"} {
		prim("selection "+selected, field("variantSelection", gen.Selections("v", selected)))
		prim("selection of "+selected, field("variantSelection", gen.Selections(selected, "a")))
	}
	for bits := range 1 << 7 {
		list := func(bit int, names ...string) []string {
			if bits>>bit&1 == 0 {
				return nil
			}
			return names
		}
		of := func(typ gen.Type, item func(*gen.Writer, string)) gen.Value {
			prefix := "/"
			if typ != gen.TPathListOp {
				prefix = ""
			}
			return gen.ListOp[string]{Type: typ, Item: item, Explicit: bits&1 == 1, Items: list(1, prefix+"I"), Added: list(2, prefix+"A"),
				Prepended: list(3, prefix+"P"), Appended: list(4, prefix+"Q"), Deleted: list(5, prefix+"D"), Ordered: list(6, prefix+"O")}.Value
		}
		name := "list op " + strconv.FormatInt(int64(bits), 2)
		prim(name, field("inheritPaths", of(gen.TPathListOp, gen.PathItem)), field("apiSchemas", of(gen.TTokenListOp, gen.TokenItem)),
			field("variantSetNames", of(gen.TStringListOp, gen.StringItem)))
		arc := func(names []string) []gen.Arc {
			if names == nil {
				return nil
			}
			return []gen.Arc{{Asset: names[0] + ".usda", Scale: 1}}
		}
		prim(name+" of references", field("references", gen.ListOp[gen.Arc]{Type: gen.TReferenceListOp, Item: gen.ReferenceItem, Explicit: bits&1 == 1,
			Items: arc(list(1, "I")), Added: arc(list(2, "A")), Prepended: arc(list(3, "P")), Appended: arc(list(4, "Q")), Deleted: arc(list(5, "D")),
			Ordered: arc(list(6, "O"))}.Value))
		all = append(all, oddSpec{name + " of targets", gen.Relationship, "", []gen.Field{field("targetPaths", of(gen.TPathListOp, gen.PathItem))}},
			oddSpec{name + " of connections", gen.Attribute, "int", []gen.Field{field("connectionPaths", of(gen.TPathListOp, gen.PathItem))}})
	}
	for variability := range uint32(2) {
		all = append(all, oddSpec{"variability", gen.Relationship, "", []gen.Field{field("variability", gen.Inline(gen.TVariability, variability))}})
	}
	edit := gen.ArrayEdit([]int64{42, 43}, []int64{2, 0, 1, 1, -1})
	return append(all, oddSpec{"no variability", gen.Relationship, "", nil},
		oddSpec{"edits in samples", gen.Attribute, "int[]", []gen.Field{field("timeSamples", gen.Samples([]float64{1, 2}, edit, gen.Ints(gen.TInt, 1)))}})
}

// oddCrates writes a crate for each odd spec, or, unless CUTAWAY_SCENES is set, for some of them.
func oddCrates(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	var files []string
	every := 5
	if os.Getenv("CUTAWAY_SCENES") != "" {
		every = 1
	}
	for i, odd := range oddSpecs() {
		if i%every != 0 {
			continue
		}
		content := func(w *gen.Writer) {
			w.Spec("/", gen.PseudoRoot, gen.Field{Name: "primChildren", Value: gen.Tokens("A")})
			head := []gen.Field{{Name: "specifier", Value: gen.Inline(gen.TSpecifier, 0)}}
			if odd.of == gen.Prim {
				w.Spec("/A", gen.Prim, append(head, odd.fields...)...)
				return
			}
			w.Spec("/A", gen.Prim, append(head, gen.Field{Name: "properties", Value: gen.Tokens("x")})...)
			if odd.typeName != "" {
				odd.fields = append(odd.fields, gen.Field{Name: "typeName", Value: gen.Token(odd.typeName)})
			}
			w.Spec("/A.x", odd.of, odd.fields...)
		}
		var m gen.Memory
		w := gen.NewWriter(&m, gen.Version{0, 14, 0})
		content(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := strings.Map(func(c rune) rune {
			if strings.ContainsRune("/`\"\\[]", c) {
				return '_'
			}
			return c
		}, odd.name)
		file := filepath.Join(folder, strconv.Itoa(i)+" "+name+".usdc")
		if err := os.WriteFile(file, m, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
