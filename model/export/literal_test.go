package export

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
)

// constants is a node for every sort of literal.
func constants(ctx context.Context) *model.Place {
	src := bytesSource([]byte("\x00\x01\"\\azé?" + strings.Repeat("x", 20)))
	list := func(typ string, vs ...model.Value) model.Value {
		return &model.Elements{Type: typ, Count: int64(len(vs)), Make: func(_ context.Context, i int64) (model.Value, error) { return vs[i], nil }}
	}
	nan, inf := math.NaN(), math.Inf(1)
	return (&model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Children: model.NewList(
			model.Node{Name: ".points", Type: "point3f[]", Value: list("point3f", model.Tuple{model.Float32(0.1), model.Float32(-2), model.Float32(nan)},
				model.Tuple{model.Float32(inf), model.Float32(-inf), model.Float32(math.Copysign(0, -1))})},
			model.Node{Name: "float", Type: "double", Value: model.Float64(-inf)},
			model.Node{Name: "halves", Type: "half[]", Value: list("half", model.Half(0x2e66), model.Half(0x7e00))},
			model.Node{Name: "matrix", Type: "matrix2d", Value: model.Tuple{model.Tuple{model.Float64(1), model.Float64(1e300)}, model.Tuple{model.Float64(0), model.Float64(-1e-9)}}},
			model.Node{Name: "big", Type: "int64[]", Value: list("int64", model.Int(math.MinInt64), model.Int(math.MaxInt64), model.Int(-1))},
			model.Node{Name: "least", Type: "int", Value: model.Int(math.MinInt32)},
			model.Node{Name: "ids", Type: "uint64[]", Value: list("uint64", model.Uint(math.MaxUint64), model.Uint(1<<31), model.Uint(0))},
			model.Node{Name: "bytes", Type: "uchar[]", Value: list("uchar", model.Uint(255))},
			model.Node{Name: "flags", Type: "bool[]", Value: list("bool", model.Bool(true), model.Bool(false))},
			model.Node{Name: "names", Type: "token[]", Value: list("token", model.Text("a\"\\\n??=é\x01"), model.Text("\xff0"), model.Text(""))},
			model.Node{Name: "title", Type: "string", Value: model.Text(strings.Repeat("long ", 40))},
			model.Node{Name: "what", Type: "u8", Value: model.Symbol{Number: 3, Name: "Mesh */ 😀"}},
			model.Node{Name: "none", Type: "float[]", Value: list("float")},
			model.Node{Name: "raw", Spans: []model.Span{src.Whole()}},
			model.Node{Name: "empty", Value: model.Blob{Span: src.Span(3, 0)}},
			model.Node{Name: "points", Type: "prim", Value: model.Text("/x"), Children: model.NewList(
				model.Node{Name: "kind", Value: model.Text("k")}, model.Node{Name: "default", Type: "int2[]", Value: list("int2", model.Tuple{model.Int(1), model.Int(2)})})},
			model.Node{Name: "[7]", Type: "bits", Value: model.Uint(5)},
			model.Node{Name: "many", Type: "int[]", Value: numbers(60, -1)},
		)}
	}}).Place(ctx)
}

func below(ctx context.Context, p *model.Place) []*model.Place {
	var list []*model.Place
	n, _ := p.Len(ctx)
	for i := range n {
		list = append(list, p.Child(ctx, i))
	}
	return list
}

func literals(t *testing.T, form string, places ...*model.Place) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := Common.ByName(form).Write(ctx, &b, &Request{Doc: &model.Document{Name: "a.usdc"}, Places: places}); err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return b.String()
}

// Each language's literals are in testdata as they should be; UPDATE=1 writes them anew.
func TestLiterals(t *testing.T) {
	for form, file := range map[string]string{"c": "constants.h", "go": "constants.go.txt", "python": "constants.py"} {
		got, name := literals(t, form, below(t.Context(), constants(t.Context()))...), filepath.Join("testdata", file)
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v, got\n%s", name, err, got)
		}
	}
}

// What is written in Go compiles and is as gofmt leaves it.
func TestGoCompiles(t *testing.T) {
	got := literals(t, "go", below(t.Context(), constants(t.Context()))...)
	if tidy, err := format.Source([]byte(got)); err != nil || string(tidy) != got {
		t.Errorf("%v: gofmt makes of it\n%s", err, tidy)
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "x.go", got, parser.AllErrors)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("data", files, []*ast.File{f}, nil); err != nil {
		t.Error(err)
	}
}

// What is written in C and Python is taken by a compiler and an interpreter, where there are some, and has the values.
func TestOthersCompile(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "constants.h"), literals(t, "c", below(t.Context(), constants(t.Context()))...))
	put(t, filepath.Join(dir, "constants.py"), literals(t, "python", below(t.Context(), constants(t.Context()))...))
	put(t, filepath.Join(dir, "main.c"), `#include "constants.h"
#include <string.h>
int main(void) {
    return !(sizeof points == 24 && points[0][0] == 0.1f && isnan(points[0][2]) && points[1][0] == INFINITY && signbit(points[1][2]) &&
        big[0] == INT64_MIN && ids[0] == UINT64_MAX && sizeof names == 3 * sizeof(char *) && !strcmp(names[0], "a\"\\\n?\?=\303\251\001") &&
        !strcmp(names[1], "\3770") && strlen(title) == 200 && matrix[0][1] == 1e300 && least == INT32_MIN && sizeof raw == 29 && raw[2] == 0x22 &&
        root_7 == 5 && many[59] == 59 && points_2[0][1] == 2 && what == 3 && flags[0] && halves[0] < 0.1f);
}
`)
	put(t, filepath.Join(dir, "main.py"), `from constants import *
assert points[0][0] == 0.1 and points[0][2] != points[0][2] and str(points[1][2]) == "-0.0"
assert big[0] == -2**63 and ids[0] == 2**64 - 1 and names == ["a\"\\\n??=é\x01", b"\xff0", ""] and len(title) == 200
assert raw == b'\x00\x01"\\az\xc3\xa9?' + b"x" * 20 and empty == b"" and none == [] and root_7 == 5 and many == list(range(60))
assert points_2 == [(1, 2)] and float_ == -float("inf") and flags == [True, False]
`)
	for _, try := range [][]string{{"gcc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-variable", "-Werror", "-pedantic", "main.c", "-o", "main"}, {"./main"}, {"python3", "main.py"}} {
		exe := try[0]
		if found, err := exec.LookPath(exe); err == nil {
			exe = found
		} else if exe != "./main" {
			continue
		} else if _, err := os.Stat(filepath.Join(dir, exe)); err != nil {
			continue
		}
		run := exec.Command(exe, try[1:]...)
		run.Dir = dir
		if text, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", try, err, text)
		}
	}
}

func TestLiteralsRefuse(t *testing.T) {
	list := func(vs ...model.Value) model.Value {
		return &model.Elements{Type: "uint8", Count: int64(len(vs)), Make: func(_ context.Context, i int64) (model.Value, error) { return vs[i], nil }}
	}
	for _, test := range []struct {
		node    model.Node
		message string
	}{
		{model.Node{Name: "x"}, "neither a value nor bytes"},
		{model.Node{Name: "x", Value: model.Object{}}, "is a structure"},
		{model.Node{Name: "x", Value: list(model.Uint(1), model.Text("a"))}, "element 1: not all of it is of one type"},
		{model.Node{Name: "x", Value: list(model.Uint(1), model.Uint(256))}, "element 1: 256 does not fit into 8 bits"},
		{model.Node{Name: "x", Value: list(model.Tuple{model.Uint(1)}, model.Uint(1))}, "element 1: its components are not all alike"},
		{model.Node{Name: "x", Value: list(model.Tuple{model.Uint(1), model.Text("a")})}, "v: not all of it is of one type"},
		{model.Node{Name: "x", Value: list(model.None{})}, "neither a number nor text"},
		{model.Node{Name: "x", Value: numbers(10, 3)}, "element 3 is bad"},
	} {
		v := model.View{Name: "v", Root: func(context.Context) model.Node { return test.node }}
		_, err := Common.ByName("go").Write(ctx, io.Discard, &Request{Places: []*model.Place{v.Place(t.Context())}})
		if err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%v: %v", test.node.Value, err)
		}
	}
}

// countedArray tells the longest window that was asked for.
type countedArray struct {
	model.Elements
	most int
}

func (a *countedArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	a.most = max(a.most, len(dst))
	return a.Elements.Read(ctx, first, dst)
}

// Arrays of any length are read in windows, in every form; what only looks at the beginning reads little.
func TestFormsReadInWindows(t *testing.T) {
	for _, f := range Common {
		made := int64(0)
		a := &countedArray{Elements: model.Elements{Type: "int", Count: 50_000, Make: func(_ context.Context, i int64) (model.Value, error) {
			made++
			return model.Tuple{model.Int(i), model.Int(-i)}, nil
		}}}
		v := model.View{Name: "v", Root: func(context.Context) model.Node { return model.Node{Name: "x", Value: a} }}
		r := &Request{Places: []*model.Place{v.Place(t.Context())}, Whole: true, Depth: -1}
		if f.Document || f.Refuse(t.Context(), r.Places) != "" {
			continue
		}
		if b, whole, err := f.Preview(ctx, r, 1000); err != nil || f.Name != "text" && (len(b) != 1000 || whole) {
			t.Errorf("%s: preview of %d bytes, whole %v, %v", f.Name, len(b), whole, err)
		}
		most := int64(3 * Window)
		if f.Name == "parquet" {
			most += rowsInGroup // a group of rows is written at once
		}
		if made > most {
			t.Errorf("%s: a preview reads %d elements", f.Name, made)
		}
		var told, out int64
		w := writerFunc(func(p []byte) (int, error) { out += int64(len(p)); return len(p), nil })
		var done, all int64
		r.Progress = func(d, n int64, what string) {
			if what == Writing {
				done, all = d, n
			}
		}
		if _, err := f.Write(ctx, w, r); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if knows := f.Name == "csv" || f.Name == "c" || f.Name == "go" || f.Name == "python"; knows && (done != a.Count || all != a.Count) {
			t.Errorf("%s: told of %d elements of %d", f.Name, done, all)
		}
		if size, err := f.Size(ctx, r, func(n int64) { told = n }); err != nil || size != out || f.size == nil && told != out {
			t.Errorf("%s: size %d (told %d), %d bytes are written, %v", f.Name, size, told, out, err)
		}
		if a.most > Window {
			t.Errorf("%s: a window of %d elements", f.Name, a.most)
		}
	}
}

func TestFormsEndWithTheContext(t *testing.T) {
	for _, f := range Common {
		if f.Document || f.Refuse(t.Context(), []*model.Place{constants(t.Context()).Child(t.Context(), 17)}) != "" {
			continue
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := f.Write(stopped, io.Discard, &Request{Places: []*model.Place{constants(t.Context()).Child(t.Context(), 17)}, Depth: -1}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
