package search

import (
	"context"
	"math"
	"strings"
	"testing"

	"cutaway/model"
)

// place is a node under a root and a parent: "view/World/…".
func place(ctx context.Context, n model.Node) *model.Place {
	v := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: model.NewList(
			model.Node{Name: "World", Children: model.NewList(n)})}
	}}
	return v.Place(ctx).Child(ctx, 0).Child(ctx, 0)
}

func array(vs ...model.Value) model.Value {
	return &model.Elements{Type: "float", Count: int64(len(vs)), Make: func(_ context.Context, i int64) (model.Value, error) { return vs[i], nil }}
}

func TestMatch(t *testing.T) {
	half := model.Half(0x2e66) // 0.1
	four := model.NewFileSource("f", model.BytesReader("ABCD")).Whole()
	for _, k := range []struct {
		query string
		node  model.Node
		where Where // "" is no hit
		text  string
		fit   string // the part of text that fits
	}{
		{"mesh", model.Node{Name: "MyMesh_2"}, InName, "MyMesh_2", "Mesh"},
		{"Mesh", model.Node{Name: "mymesh"}, "", "", ""},
		{"Mesh", model.Node{Name: "MyMesh"}, InName, "MyMesh", "Mesh"},
		{"größe", model.Node{Name: "Die GRÖSSE, die GRÖßE"}, InName, "Die GRÖSSE, die GRÖßE", "GRÖßE"},
		{"mesh", model.Node{Name: "x", Type: "Mesh"}, InType, "Mesh", "Mesh"},
		{"mesh", model.Node{Name: "x", Value: model.Text("a Mesh")}, InValue, "a Mesh", "Mesh"},
		{"field", model.Node{Name: "x", Brief: "12 fields"}, InValue, "12 fields", "field"},
		{"mesh points", model.Node{Name: "points", Type: "Mesh"}, InType, "Mesh", "Mesh"},
		{"mesh points", model.Node{Name: "points"}, "", "", ""},
		{`"two words"`, model.Node{Name: "x", Value: model.Text("the Two Words")}, InValue, "the Two Words", "Two Words"},
		{`"two words"`, model.Node{Name: "words two"}, "", "", ""},
		{`"42"`, model.Node{Name: "x", Value: model.Int(42)}, InValue, "42", "42"},
		{"/^p.int/", model.Node{Name: "Points"}, InName, "Points", "Point"},
		{"/^P.int/", model.Node{Name: "points"}, "", "", ""},
		{`/a b\/c/`, model.Node{Name: "xa b/c"}, InName, "xa b/c", "a b/c"},
		{`/\S+x/`, model.Node{Name: "AX"}, InName, "AX", "AX"},
		{"42", model.Node{Name: "x", Value: model.Int(42)}, InValue, "42", ""},
		{"42", model.Node{Name: "x", Value: model.Uint(42)}, InValue, "42", ""},
		{"42", model.Node{Name: "x", Value: model.Float32(42)}, InValue, "42", ""},
		{"42", model.Node{Name: "x", Value: model.Int(142)}, "", "", ""},
		{"42", model.Node{Name: "[42]"}, InName, "[42]", "42"},
		{"42", model.Node{Name: "[142]"}, "", "", ""},
		{"42", model.Node{Name: "142_42"}, InName, "142_42", "42"},
		{"0x2a", model.Node{Name: "x", Value: model.Int(42)}, InValue, "42", ""},
		{"-1.5", model.Node{Name: "x", Value: model.Float64(-1.5)}, InValue, "-1.5", ""},
		{"-1.5", model.Node{Name: "x", Value: model.Float64(1.5)}, "", "", ""},
		{"0.1", model.Node{Name: "x", Value: model.Float32(0.1)}, InValue, "0.1", ""},
		{"0.1", model.Node{Name: "x", Value: half}, InValue, "0.1", ""},
		{"18446744073709551615", model.Node{Name: "x", Value: model.Uint(math.MaxUint64)}, InValue, "18446744073709551615", ""},
		{"18446744073709551615", model.Node{Name: "x", Value: model.Uint(math.MaxUint64 - 1)}, "", "", ""},
		{"-9223372036854775808", model.Node{Name: "x", Value: model.Int(math.MinInt64)}, InValue, "-9223372036854775808", ""},
		{">1e6", model.Node{Name: "x", Value: model.Int(1000001)}, InValue, "1000001", ""},
		{">1e6", model.Node{Name: "x", Value: model.Int(1000000)}, "", "", ""},
		{">=1e6", model.Node{Name: "x", Value: model.Int(1000000)}, InValue, "1000000", ""},
		{">-3", model.Node{Name: "x", Value: model.Int(-2)}, InValue, "-2", ""},
		{"<=3", model.Node{Name: "x", Value: model.Float64(3)}, InValue, "3", ""},
		{"<3", model.Node{Name: "x", Value: model.Float64(3)}, "", "", ""},
		{"<0", model.Node{Name: "x", Value: model.Uint(0)}, "", "", ""},
		{"<0.5", model.Node{Name: "x", Value: model.Uint(0)}, InValue, "0", ""},
		{"=0.5", model.Node{Name: "0.5", Value: model.Float64(1)}, "", "", ""},
		{"!=0", model.Node{Name: "x", Value: model.Float64(1)}, InValue, "1", ""},
		{"!=0", model.Node{Name: "x", Value: model.Float64(0)}, "", "", ""},
		{"!=0", model.Node{Name: "x", Value: model.Text("a")}, "", "", ""},
		{"=nan", model.Node{Name: "x", Value: model.Float64(math.NaN())}, InValue, "NaN", ""},
		{"=nan", model.Node{Name: "x", Value: model.Float64(1)}, "", "", ""},
		{"nan", model.Node{Name: "x", Value: model.Float32(math.NaN())}, InValue, "NaN", "NaN"},
		{">1", model.Node{Name: "x", Value: model.Float64(math.NaN())}, "", "", ""},
		{">1e300", model.Node{Name: "x", Value: model.Float64(math.Inf(1))}, InValue, "Infinity", ""},
		{"10..20", model.Node{Name: "x", Value: model.Int(20)}, InValue, "20", ""},
		{"10..20", model.Node{Name: "x", Value: model.Int(21)}, "", "", ""},
		{"10..20", model.Node{Name: "x", Value: model.Int(9)}, "", "", ""},
		{"..5", model.Node{Name: "x", Value: model.Int(-9)}, InValue, "-9", ""},
		{"5..", model.Node{Name: "x", Value: model.Int(9)}, InValue, "9", ""},
		{"a..b", model.Node{Name: "xa..bx"}, InName, "xa..bx", "a..b"},
		{"type:vec3", model.Node{Name: "vec3", Type: "float"}, "", "", ""},
		{"type:vec3", model.Node{Name: "x", Type: "Vec3f[]"}, InType, "Vec3f[]", "Vec3"},
		{"type:vec3?[]", model.Node{Name: "x", Type: "Vec3f[]"}, InType, "Vec3f[]", "Vec3f[]"},
		{"type:vec3?", model.Node{Name: "x", Type: "Vec3f[]"}, "", "", ""},
		{"name:42", model.Node{Name: "142"}, InName, "142", "42"},
		{"name:42", model.Node{Name: "x", Value: model.Int(42)}, "", "", ""},
		{"name:/^a$/", model.Node{Name: "A"}, InName, "A", "A"},
		{"value:42", model.Node{Name: "42"}, "", "", ""},
		{"value:>3", model.Node{Name: "x", Value: model.Int(4)}, InValue, "4", ""},
		{`value:"a b"`, model.Node{Name: "a b", Value: model.Text("xa by")}, InValue, "xa by", "a b"},
		{"size:>3", model.Node{Name: "x", Spans: []model.Span{four}}, InValue, "", ""},
		{"stored:4", model.Node{Name: "x", Spans: []model.Span{four}}, InValue, "", ""},
		{"size:1k..2k", model.Node{Name: "x", Spans: []model.Span{four}}, "", "", ""},
		{"size:<1K x", model.Node{Name: "x", Spans: []model.Span{four}}, InValue, "", ""},
		{"size:0", model.Node{Name: "x"}, "", "", ""},
		{"primvars:st", model.Node{Name: "primvars:st"}, InName, "primvars:st", "primvars:st"},
		{"path:world", model.Node{Name: "x"}, "", "", ""},
		{"path:world x", model.Node{Name: "x"}, InName, "x", "x"},
		{"path:World/x", model.Node{Name: "x"}, InPath, "view/World/x", "World/x"},
		{"World/x", model.Node{Name: "x"}, InPath, "view/World/x", "World/x"},
		{"path:view/*/x", model.Node{Name: "x"}, InPath, "view/World/x", "view/World/x"},
		{"path:/^view.World/ x", model.Node{Name: "x"}, InName, "x", "x"},
		{"tex/wood", model.Node{Name: "x", Value: model.Text("../tex/wood.png")}, InValue, "../tex/wood.png", "tex/wood"},
		{"world", model.Node{Name: "Mesh", Value: model.Text("/World/Mesh")}, "", "", ""},
		{"mesh", model.Node{Name: "Mesh", Value: model.Text("/World/Mesh")}, InName, "Mesh", "Mesh"},
		{"value:world", model.Node{Name: "World", Value: model.Text("/World/World")}, InValue, "/World/World", "World"},
		{"value:/world/", model.Node{Name: "World", Value: model.Text("/World/World")}, InValue, "/World/World", "World"},
		{"value:d/m", model.Node{Name: "Mesh", Value: model.Text("/World/Mesh")}, InValue, "/World/Mesh", "d/M"},
		{"path:x", model.Node{Name: "x"}, InPath, "view/World/x", "x"},
		{"path:/w/", model.Node{Name: "w"}, InPath, "view/World/w", "w"},
		{"red", model.Node{Name: "x", Value: model.Symbol{Number: 3, Name: "Red"}}, InValue, "Red", "Red"},
		{"=3", model.Node{Name: "x", Value: model.Symbol{Number: 3, Name: "Red"}}, InValue, "Red", ""},
		{"true", model.Node{Name: "x", Value: model.Bool(true)}, InValue, "true", "true"},
		{"none", model.Node{Name: "x", Value: model.None{}}, InValue, "None", "None"},
		{"2.5", model.Node{Name: "x", Value: model.Tuple{model.Float32(1), model.Float32(2.5)}}, InValue, "(1, 2.5)", ""},
		{`"1, 2.5"`, model.Node{Name: "x", Value: model.Tuple{model.Float32(1), model.Float32(2.5)}}, InValue, "(1, 2.5)", "1, 2.5"},
		{"b", model.Node{Name: "x", Value: model.Seq{model.Text("a"), model.Text("b")}}, InValue, "b", "b"},
		{"key", model.Node{Name: "x", Value: model.Object{{Key: "a key", Value: model.Int(1)}}}, InValue, "a key", "key"},
		{"7", model.Node{Name: "x", Value: model.Object{{Key: "a", Value: model.Int(7)}}}, InValue, "7", ""},
		{"7", model.Node{Name: "x", Value: array(model.Int(6), model.Int(7))}, InValue, "[6, 7]", ""},
		{"7", model.Node{Name: "x", Value: array(append(make([]model.Value, smallArray), model.Int(7))...)}, "", "", ""},
		{"41", model.Node{Name: "x", Value: model.Blob{Span: model.NewFileSource("f", model.BytesReader("A")).Whole()}}, "", "", ""},
		{"bell", model.Node{Name: "x", Value: model.Text("\x07bell\n")}, InValue, `\abell\n`, "bell"},
	} {
		q, err := ParseQuery(k.query)
		if err != nil {
			t.Errorf("%s: %v", k.query, err)
			continue
		}
		h, ok := q.Match(t.Context(), place(t.Context(), k.node))
		if ok != (k.where != "") || h.Where != k.where || h.Text != k.text || h.Text[h.From:h.To] != k.fit {
			t.Errorf("%s in %q %v: %v %q %q %q, want %q %q %q", k.query, k.node.Name, k.node.Value, ok, h.Where, h.Text, h.Text[h.From:h.To], k.where, k.text, k.fit)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for query, says := range map[string]string{
		"":            "nothing to search for",
		"  \t":        "nothing to search for",
		`a "b c`:      "not closed",
		`""`:          "nothing between the quotes",
		`name:""`:     "nothing between the quotes",
		"type:":       "type: wants a word",
		"type: x":     "type: wants a word",
		"/a(/":        "missing closing )",
		">abc":        "after > comes a number",
		"<=":          "after <= comes a number",
		"value:>=x":   "after >= comes a number",
		">nan":        "NaN is neither",
		"1..x":        "a range has a number at each end",
		"x..1":        "a range has a number at each end",
		"20..10":      "write 10..20",
		"mesh >1 <x1": "after < comes a number",

		strings.Repeat("a", maxQuery+1): "it may have 4096",
	} {
		_, err := ParseQuery(query)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", query, err, says)
		}
	}
}

// Whatever is typed gives a query or an error, and a query matches or not.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"mesh", `"a b" c`, "/a.*[0-9]+/", ">1e6", "10..20", "type:vec3?[]", "name:/x/ value:>=0x2a", "World/Mesh", "-1.5", "..", "=nan", strings.Repeat("*", 500), "path:" + strings.Repeat("a*", 500), "\xff\xfe", "ä*ö"} {
		f.Add(s)
	}
	nodes := []model.Node{
		{Name: "Mesh\xff", Type: "vec3f", Value: model.Tuple{model.Float32(1), model.Half(0x7e00)}},
		{Name: "", Value: model.Text("/World/\xff\x00" + strings.Repeat("ab", 200))},
		{Name: "x", Value: model.Object{{Key: "k", Value: model.Seq{model.Int(-5), model.Symbol{Number: 3}}}}, Brief: "12 fields"},
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := ParseQuery(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		for _, n := range nodes {
			if h, ok := q.Match(t.Context(), place(t.Context(), n)); ok && (h.From > h.To || h.To > len(h.Text) || h.Where == "") {
				t.Errorf("%q: %+v", text, h)
			}
		}
	})
}

func TestLongTextIsShownAroundTheMatch(t *testing.T) {
	q, err := ParseQuery("needle")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("ä\n", 500) + "Needle" + strings.Repeat("ö", 500)
	h, ok := q.Match(t.Context(), place(t.Context(), model.Node{Name: "x", Value: model.Text(text)}))
	if !ok || h.Text[h.From:h.To] != "Needle" || len(h.Text) > 3*shown || !strings.HasPrefix(h.Text, "…") || !strings.HasSuffix(h.Text, "…") {
		t.Errorf("%v %q", ok, h.Text)
	}
}
