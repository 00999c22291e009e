package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

// plain makes what YAML read comparable to what JSON read: all numbers are float64.
func plain(v any) any {
	switch v := v.(type) {
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// sameContent reports whether JSON and YAML, read by others, hold the same.
func sameContent(t *testing.T, js, ym []byte) {
	t.Helper()
	var fromJSON, fromYAML any
	if err := json.Unmarshal(js, &fromJSON); err != nil {
		t.Fatalf("JSON: %v in %s", err, js)
	}
	if err := yaml.Unmarshal(ym, &fromYAML); err != nil {
		t.Fatalf("YAML: %v in %s", err, ym)
	}
	if got := plain(fromYAML); !reflect.DeepEqual(got, fromJSON) {
		t.Errorf("YAML\n%s\nholds %v, want %v", ym, got, fromJSON)
	}
}

func TestYAML(t *testing.T) {
	var js, ym bytes.Buffer
	places := func() []*model.Place {
		return []*model.Place{exporttest.Sample(model.Malformed).View("layout").Place(t.Context())}
	}
	tally, err := YAML(ctx, &ym, places(), NestOptions{Walk: everything})
	if err != nil || tally != (Tally{Errors: 1}) {
		t.Fatalf("%+v, %v", tally, err)
	}
	if _, err := JSON(ctx, &js, places(), NestOptions{Walk: everything}); err != nil {
		t.Fatal(err)
	}
	sameContent(t, js.Bytes(), ym.Bytes())
	want := `path: "layout"
name: "layout"
type: "file"
value: null
spans: [{"source":"file","offset":0,"length":40}]
refs: []
problems: []
children: 5
nodes:
  - path: "layout/header"
    name: "header"
    type: "Header"
    value: null
    spans: [{"source":"file","offset":0,"length":8}]
    refs: []
    problems: []
    children: 3
    nodes:
      - path: "layout/header/magic"
`
	if !strings.HasPrefix(ym.String(), want) {
		t.Errorf("got\n%s", ym.String())
	}
	for _, part := range []string{`        refs:
          - {"kind":"target","path":"layout/points"}
          - {"kind":"range","path":"","span":{"source":"file","offset":8,"length":4}}
        problems:
          - rule: "fake.malformed"
            kind: "malformed"
`, `        children: 0
        nodes: []
  - path: "layout/points"
`} {
		if !strings.Contains(ym.String(), part) {
			t.Errorf("there is no\n%s\nin\n%s", part, ym.String())
		}
	}
}

// Every sort of value is read back from YAML as from JSON, whatever its text looks like.
func TestYAMLValues(t *testing.T) {
	list := model.Seq{model.Bool(true), model.None{}, model.Int(-5), model.Int(1 << 60), model.Uint(1<<64 - 1), model.Float64(1e-300), model.Float64(1e300),
		model.Float32(1e20), model.Float64(-1.5e-9), model.Float32(0.1), model.Half(0x7e00), model.Symbol{Number: 4, Name: "no"}, model.Text("\xff"),
		model.Tuple{model.Float32(1), model.Float32(2)}, model.Object{{Key: "a: b", Value: model.Text("c")}}}
	for _, s := range []string{"", "null", "~", "yes", "0x10", "1e3", "2001-01-01", "- a", "a: b", "# x", "&a", "*a", "!!str", "| ", "a\nb\n", " a ", "\t", "\"'\\",
		"\x00\x01\x1b\x7f", "\u0085\u2028\u2029\ufeff\ufffe", "grün 😀", "%", "@", "`", "---", "...", "?", "{}", "[]"} {
		list = append(list, model.Text(s))
	}
	v := model.View{Name: "facts", Root: func(context.Context) model.Node {
		return model.Node{Name: "a: b\n- c", Value: list, Children: model.NewList(model.Node{Name: "long", Value: numbers(200, 100)})}
	}}
	for _, opt := range []NestOptions{{}, {Whole: true}, {Alone: true}} {
		var js, ym bytes.Buffer
		_, err := JSON(ctx, &js, []*model.Place{v.Place(t.Context()), v.Place(t.Context())}, opt)
		_, yerr := YAML(ctx, &ym, []*model.Place{v.Place(t.Context()), v.Place(t.Context())}, opt)
		if err != nil || yerr != nil {
			t.Fatal(err, yerr)
		}
		sameContent(t, js.Bytes(), ym.Bytes())
	}
	var none bytes.Buffer
	if _, err := YAML(ctx, &none, nil, NestOptions{}); err != nil || none.String() != "[]\n" {
		t.Errorf("of nothing %q, %v", none.String(), err)
	}
}

// A tree of very many levels does not become all blanks.
func TestYAMLDeep(t *testing.T) {
	const levels = 3000
	node := model.Node{Name: "x"}
	for range levels {
		node = model.Node{Name: "x", Children: model.NewList(node)}
	}
	v := model.View{Name: "v", Root: func(context.Context) model.Node { return node }}
	var js, ym bytes.Buffer
	_, err := JSON(ctx, &js, []*model.Place{v.Place(t.Context())}, NestOptions{})
	_, yerr := YAML(ctx, &ym, []*model.Place{v.Place(t.Context())}, NestOptions{})
	if err != nil || yerr != nil {
		t.Fatal(err, yerr)
	}
	if ym.Len() > js.Len()+js.Len()/10 {
		t.Errorf("%d bytes of YAML for %d of JSON", ym.Len(), js.Len())
	}
	const read = 200 // readers have limits of their own
	for range levels - read {
		node = node.Children.At(t.Context(), 0)
	}
	js.Reset()
	ym.Reset()
	_, err = JSON(ctx, &js, []*model.Place{v.Place(t.Context())}, NestOptions{})
	_, yerr = YAML(ctx, &ym, []*model.Place{v.Place(t.Context())}, NestOptions{})
	if err != nil || yerr != nil {
		t.Fatal(err, yerr)
	}
	sameContent(t, js.Bytes(), ym.Bytes())
}

// When the context ends, YAML can still be read.
func TestCancelledYAML(t *testing.T) {
	stopping, cancel := context.WithCancel(ctx)
	defer cancel()
	var b bytes.Buffer
	w := writerFunc(func(p []byte) (int, error) { cancel(); return b.Write(p) })
	if _, err := YAML(stopping, w, []*model.Place{exporttest.Many(t.Context(), 20_000)}, NestOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	var got map[string]any
	if err := yaml.Unmarshal(b.Bytes(), &got); err != nil || got["path"] != "layout" {
		t.Errorf("%v", err)
	}
}
