package ksy

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/source"
)

const suite = "../../../shared/corpus/kaitai/"

// misread is a case whose third element the reference's JavaScript reads from an array in which the second, which fits no
// case, was left out; so it finds no bytes.
const misread = "switch_repeat_expr_invalid"

// suiteCase is a case of the official suite.
type suiteCase struct {
	ID       string
	Data     string
	Fails    string
	Limit    string
	Expected json.RawMessage
}

// reading is a node of the official compiler's reading.
type reading struct {
	Name     any
	Type     string
	IO       int
	Start    *int64
	End      *int64
	Value    json.RawMessage
	Fields   []reading
	Items    []reading
	Instance bool
	Same     bool
	Cut      bool
	Enum     string
	Error    string
	IOs      []struct {
		Base *int64
		Size int64
	}
}

func TestSuite(t *testing.T) {
	text, err := os.ReadFile(suite + "cases.json")
	if err != nil {
		t.Skip("no ../shared")
	}
	var cases []suiteCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if string(c.Expected) == "null" || c.ID == misread {
			continue
		}
		t.Run(c.ID, func(t *testing.T) { runCase(t, c) })
	}
}

func runCase(t *testing.T, c suiteCase) {
	text, err := os.ReadFile(suite + "expected/" + c.ID + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var want reading
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	f, err := source.Open(suite+"src/"+c.Data, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	src := model.NewFileSource(c.Data, f)
	req := &model.OpenRequest{Source: src, Name: c.Data, Options: map[string]string{schemaOption: filepath.FromSlash(suite + "formats/" + c.ID + ".ksy")}}
	d, err := open(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Views[0].Place(t.Context())
	m := &comparison{t: t, want: &want, lenient: c.Fails != "" || want.Error != "" || c.Limit != ""}
	m.record(p, &want)
}

type comparison struct {
	t       *testing.T
	want    *reading
	lenient bool
}

func (m *comparison) fail(p *model.Place, format string, args ...any) {
	m.t.Errorf("%s: %s", p.Path(), fmt.Sprintf(format, args...))
}

// camel is the reference's spelling of a name.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	if parts[0] == "" {
		return "_" + strings.ToLower(parts[1][:1]) + parts[1][1:] + strings.Join(parts[2:], "")
	}
	return strings.Join(parts, "")
}

func (m *comparison) record(p *model.Place, want *reading) {
	if err := p.Resolve(m.t.Context(), nil); err != nil {
		m.t.Fatal(err)
	}
	n, _ := p.Len(m.t.Context())
	var names []string
	for i := range n {
		names = append(names, camel(p.Child(m.t.Context(), i).Node.Name))
	}
	for i := range want.Fields {
		f := &want.Fields[i]
		if m.lenient && string(f.Value) == "null" || f.Error != "" {
			for k, name := range names {
				if name == f.Name {
					names[k] = ""
				}
			}
			continue
		}
		found := -1
		for k, name := range names {
			if name == f.Name {
				found = k
			}
		}
		if found < 0 {
			m.fail(p, "no %v; there are %q", f.Name, names)
			continue
		}
		names[found] = ""
		m.node(p.Child(m.t.Context(), int64(found)), f)
	}
	for _, name := range names {
		if name != "" && !m.lenient {
			m.fail(p, "%s is too much", name)
		}
	}
}

func (m *comparison) node(p *model.Place, want *reading) {
	if len(p.Node.Problems) > 0 && !m.lenient {
		m.fail(p, "problems: %v", p.Node.Problems)
	}
	if want.Same || want.Cut {
		return
	}
	if want.Start != nil && !m.lenient {
		m.span(p, want)
	}
	switch {
	case want.Items != nil:
		if err := p.Resolve(m.t.Context(), nil); err != nil {
			m.t.Fatal(err)
		}
		n, _ := p.Len(m.t.Context())
		if n != int64(len(want.Items)) && !m.lenient {
			m.fail(p, "%d elements, not %d: %v", n, len(want.Items), model.Show(m.t.Context(), p.Node.Value, 80))
		}
		for i := range min(n, int64(len(want.Items))) {
			m.node(p.Child(m.t.Context(), i), &want.Items[i])
		}
	case want.Fields != nil:
		m.record(p, want)
	case want.Value != nil:
		m.value(p, want)
	}
}

func (m *comparison) span(p *model.Place, want *reading) {
	at := p.Node.Span()
	if at.Source == nil {
		m.fail(p, "no span")
		return
	}
	if len(p.Node.Spans) == 0 || at.Len != *want.End-*want.Start {
		m.fail(p, "spans %v, not %d to %d", p.Node.Spans, *want.Start, *want.End)
	}
}

func (m *comparison) value(p *model.Place, want *reading) {
	got := p.Node.Value
	var text string
	var number float64
	var truth bool
	var raw struct{ Bytes *string }
	switch {
	case string(want.Value) == "null":
		if got != nil {
			m.fail(p, "%v, not null", got)
		}
	case strings.Contains(string(want.Value), `"stream"`):
	case json.Unmarshal(want.Value, &text) == nil:
		if v, ok := got.(model.Text); !ok || string(v) != text {
			m.fail(p, "%v, not %q", got, text)
		}
	case json.Unmarshal(want.Value, &truth) == nil:
		if v, ok := got.(model.Bool); !ok || bool(v) != truth {
			m.fail(p, "%v, not %v", got, truth)
		}
	case json.Unmarshal(want.Value, &number) == nil:
		if v, ok := numberOf(got); !ok || math.Abs(v-number) > math.Abs(number)*tolerance(number) {
			m.fail(p, "%T %v, not %v", got, got, number)
		}
	case json.Unmarshal(want.Value, &raw) == nil && raw.Bytes != nil:
		blob, ok := got.(model.Blob)
		if !ok {
			m.fail(p, "%T %v, not bytes", got, got)
			return
		}
		b, err := blob.Span.Source.Bytes(m.t.Context(), blob.Span.Off, blob.Span.Len)
		if err != nil || hex.EncodeToString(b) != *raw.Bytes {
			m.fail(p, "%x, not %s: %v", b, *raw.Bytes, err)
		}
	default:
		m.fail(p, "cannot compare %s", want.Value)
	}
}

// tolerance is by how much of it a number may differ: the reference's integers beyond 2^53 have lost digits.
func tolerance(number float64) float64 {
	if math.Abs(number) > 1<<52 {
		return 1e-6
	}
	return 1e-15
}

func numberOf(v model.Value) (float64, bool) {
	switch v := v.(type) {
	case model.Int:
		return float64(v), true
	case model.Uint:
		return float64(v), true
	case model.Float64:
		return float64(v), true
	case model.Float32:
		return float64(v), true
	case model.Symbol:
		return float64(v.Number), true
	case model.Bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
