package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

func placeOf(ctx context.Context, n model.Node) *model.Place {
	v := model.View{Name: "scene", Root: func(context.Context) model.Node { return n }}
	return v.Place(ctx)
}

func card(c model.Card) model.Node {
	return model.Node{Name: "x", Cards: func(context.Context) []model.Card { return []model.Card{c} }}
}

func seqOf(vs ...model.Value) model.Node { return model.Node{Name: "x", Value: model.Seq(vs)} }

func TestCSV(t *testing.T) {
	vec := func(x, y float32) model.Value { return model.Tuple{model.Float32(x), model.Float32(y)} }
	tests := []struct {
		name  string
		nodes []model.Node
		want  string
	}{
		{"array", []model.Node{{Name: "x", Value: numbers(3, -1)}}, "value\n0\n1\n2\n"},
		{"empty array", []model.Node{{Name: "x", Value: numbers(0, -1)}}, "value\n"},
		{"tuples", []model.Node{seqOf(vec(0.1, 2), vec(3, 4))}, "value[0],value[1]\n0.1,2\n3,4\n"},
		{"matrices", []model.Node{seqOf(model.Tuple{vec(1, 2), vec(3, 4)})}, "value[0][0],value[0][1],value[1][0],value[1][1]\n1,2,3,4\n"},
		{"kinds", []model.Node{seqOf(nil, model.None{}, model.Bool(true), model.Int(math.MinInt64), model.Uint(math.MaxUint64),
			model.Float64(math.NaN()), model.Half(0x3c00), model.Text(`say "hi", you`), model.Text("two\nlines"), model.Text(" led"),
			model.Symbol{Number: 1, Name: "one"}, model.Symbol{Number: 7}, model.Seq{model.Int(1), model.Int(2)})},
			"value\n\n\ntrue\n-9223372036854775808\n18446744073709551615\nNaN\n1\n\"say \"\"hi\"\", you\"\n\"two\nlines\"\n\" led\"\none\n7\n\"[1,2]\"\n"},
		{"table", []model.Node{card(squares(3))}, "n,\"n, squared\"\n0,0\n1,1\n2,4\n"},
		{"series", []model.Node{card(ramp(2))}, "time,value (m/s)\n0,0.5\n1,0.5\n"},
		{"elements", []model.Node{{Name: "x", Elements: true, Children: model.NewList(
			model.Node{Name: "[0]", Value: model.Int(5)}, model.Node{Name: "[1]", Value: model.Int(6)})}}, "value\n5\n6\n"},
		{"side by side", []model.Node{{Name: "a", Value: numbers(3, -1)}, {Name: "b", Value: numbers(1, -1)}},
			"a.value,b.value\n0,0\n1,\n2,\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var places []*model.Place
			for _, n := range test.nodes {
				places = append(places, placeOf(t.Context(), n))
			}
			var b bytes.Buffer
			if err := CSV(ctx, &b, &Request{Places: places}); err != nil {
				t.Fatal(err)
			}
			if b.String() != test.want {
				t.Errorf("got %q\nwant %q", b.String(), test.want)
			}
			if _, err := csv.NewReader(&b).ReadAll(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Longer than a window, in several reads each.
func TestLongCSV(t *testing.T) {
	for _, c := range []model.Card{squares(3 * Window), ramp(3 * Window)} {
		var b bytes.Buffer
		if err := CSV(ctx, &b, &Request{Places: []*model.Place{placeOf(t.Context(), card(c))}}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 3*Window+1 {
			t.Fatalf("%s: %d rows, %v", c.CardTitle(), len(rows), err)
		}
		if want := "12287"; rows[3*Window][0] != want {
			t.Errorf("%s ends in %v", c.CardTitle(), rows[3*Window])
		}
	}
}

// A cell that has other components than the first one is whole in the first of its columns.
func TestCSVRaggedTuples(t *testing.T) {
	var b bytes.Buffer
	node := seqOf(model.None{}, model.Tuple{model.Int(1), model.Int(2)}, model.Tuple{model.Int(3)}, model.Int(4))
	if err := CSV(ctx, &b, &Request{Places: []*model.Place{placeOf(t.Context(), node)}}); err != nil {
		t.Fatal(err)
	}
	if want := "value[0],value[1]\n,\n1,2\n[3],\n4,\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestCSVRefuses(t *testing.T) {
	tests := []struct {
		name string
		node model.Node
		want string
	}{
		{"a scalar", model.Node{Name: "x", Value: model.Int(1)}, "no array and has no table"},
		{"a bad element", model.Node{Name: "x", Value: numbers(9, 4)}, "row 4: element 4 is bad"},
	}
	for _, test := range tests {
		err := CSV(ctx, io.Discard, &Request{Places: []*model.Place{placeOf(t.Context(), test.node)}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}

func TestBytes(t *testing.T) {
	src := bytesSource([]byte("0123456789"))
	scattered := model.Node{Name: "x", Spans: []model.Span{src.Span(8, 2), src.Span(0, 3)}}
	tests := []struct {
		name         string
		node         model.Node
		raw, decoded string
	}{
		{"scattered", scattered, "89012", "89012"},
		{"text", model.Node{Value: model.Text("hi"), Spans: scattered.Spans}, "89012", "hi"},
		{"blob", model.Node{Value: model.Blob{Span: src.Span(4, 2)}, Spans: scattered.Spans}, "89012", "45"},
		{"floats", model.Node{Value: &model.Elements{Type: "half3", Count: 1, Make: func(context.Context, int64) (model.Value, error) {
			return model.Tuple{model.Half(0x3c00), model.Float32(1), model.Bool(true)}, nil
		}}, Spans: []model.Span{src.Span(0, 1)}}, "0", "\x00\x3c\x00\x00\x80\x3f\x01"},
	}
	for _, test := range tests {
		var raw, decoded bytes.Buffer
		if err := errors.Join(Raw(ctx, &raw, placeOf(t.Context(), test.node)), Decoded(ctx, &decoded, &Request{}, placeOf(t.Context(), test.node))); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if raw.String() != test.raw || decoded.String() != test.decoded {
			t.Errorf("%s: raw %q, decoded %q", test.name, raw.String(), decoded.String())
		}
	}
	d := exporttest.Sample(model.Malformed)
	p, err := d.Lookup(ctx, "layout/pac%2Fked")
	if err != nil {
		t.Fatal(err)
	}
	var decoded bytes.Buffer
	if err := Decoded(ctx, &decoded, &Request{}, p); err != nil || decoded.Len() != 20 {
		t.Errorf("the derived source: %d bytes, %v", decoded.Len(), err)
	}
}

func TestIntegerWidths(t *testing.T) {
	want := map[string]int{"int": 4, "uint": 4, "int3": 4, "int64": 8, "uint64[]": 8, "long": 8, "UInt32": 4, "int16": 2,
		"ushort": 2, "uchar": 1, "byte": 1, "int8": 1, "uint8": 1, "token": 8, "u8le": 8, "s2be": 2, "u4le": 4, "u8": 1}
	got := make(map[string]int)
	for name := range want {
		got[name] = model.IntegerWidth(name)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	b, ok := appendLE(nil, model.Int(-2), 2, 0)
	if !ok || string(b) != "\xfe\xff" {
		t.Errorf("got %x", b)
	}
}

func TestBytesRefuse(t *testing.T) {
	short := bytesSource([]byte("abc"))
	if err := Raw(ctx, io.Discard, placeOf(t.Context(), model.Node{Name: "x"})); err == nil {
		t.Error("a node without bytes was written")
	}
	err := Raw(ctx, io.Discard, placeOf(t.Context(), model.Node{Name: "x", Spans: []model.Span{short.Span(1, 1<<40)}}))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a span past the end: %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := Raw(stopped, io.Discard, placeOf(t.Context(), model.Node{Spans: []model.Span{short.Whole()}})); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context: %v", err)
	}
	if err := CSV(stopped, io.Discard, &Request{Places: []*model.Place{placeOf(t.Context(), card(squares(9)))}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context: %v", err)
	}
}

// structs is a table whose first column is a vector; in one row it is not.
type structs struct{ model.CardBase }

func (structs) Columns() []model.Column { return []model.Column{{Name: "pos"}, {Name: "id"}} }
func (structs) Rows() (int64, bool)     { return 3, true }
func (structs) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := int(min(int64(len(dst)), 3-first))
	for i := range n {
		at := first + int64(i)
		dst[i][0].Value, dst[i][1].Value = model.Tuple{model.Int(at), model.Int(-at)}, model.Int(at)
		if at == 1 {
			dst[i][0].Value = model.None{}
		}
	}
	return n, nil
}

// Vectors in a table have a column for each component, too.
func TestTableOfVectors(t *testing.T) {
	v := model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "vertices", Cards: func(context.Context) []model.Card { return []model.Card{structs{}} }}
	}}
	var b bytes.Buffer
	if err := CSV(ctx, &b, &Request{Places: []*model.Place{v.Place(t.Context()), v.Place(t.Context())}}); err != nil {
		t.Fatal(err)
	}
	want := "vertices.pos[0],vertices.pos[1],vertices.id,vertices.pos[0],vertices.pos[1],vertices.id\n0,0,0,0,0,0\n,,1,,,1\n2,-2,2,2,-2,2\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

// Nodes of the same name are told apart by what they are in.
func TestShortNames(t *testing.T) {
	root := (&model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Children: model.NewList(
			model.Node{Name: "a", Children: model.NewList(model.Node{Name: "data"}, model.Node{Name: "state"})},
			model.Node{Name: "b", Children: model.NewList(model.Node{Name: "data"})})}
	}}).Place(t.Context())
	a, b := root.Child(t.Context(), 0), root.Child(t.Context(), 1)
	for want, places := range map[string][]*model.Place{
		"data state":            {a.Child(t.Context(), 0), a.Child(t.Context(), 1)},
		"a/data b/data":         {a.Child(t.Context(), 0), b.Child(t.Context(), 0)},
		"root/a root/a":         {a, a},
		"a/state a/data b/data": {a.Child(t.Context(), 1), a.Child(t.Context(), 0), b.Child(t.Context(), 0)},
	} {
		if got := strings.Join(shortNames(places), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Where several nodes below have rows, the refusal names them.
func TestCSVNamesCandidates(t *testing.T) {
	array := func(name string) model.Node {
		return model.Node{Name: name, Value: model.Seq{model.Int(1), model.Int(2)}}
	}
	v := model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "v", Children: model.NewList(array("default"), model.Node{Name: "typeName"}, array("times"))}
	}}
	err := CSV(ctx, io.Discard, &Request{Places: []*model.Place{v.Place(ctx)}})
	if want := "v is no array and has no table: name one of those below it, v/default, v/times"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
