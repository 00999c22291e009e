package omnilive

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/omnilive"

// expectation is an entry of expected.json.
type expectation struct {
	Error       bool            `json:"error"`
	Form        string          `json:"form"`
	Schema      string          `json:"schema"`
	IsDiff      bool            `json:"isDiff"`
	BaseVersion uint64          `json:"baseVersion"`
	Counts      *expectedCounts `json:"counts"`
	Outcomes    []string        `json:"outcomes"`
	Sequence    [][]string      `json:"sequence"`
	Problems    int             `json:"problems"`
	Layer       map[string]any  `json:"layer"`
}

type expectedCounts struct {
	Commands    map[string]int64 `json:"commands"`
	SetFields   int64            `json:"setFields"`
	TimeSamples int64            `json:"timeSamples"`
	Parts       int64            `json:"parts"`
}

func expected(t testing.TB) map[string]expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Skip("the corpus is not here: ", err)
	}
	var all map[string]expectation
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCorpus compares every file with what its generator says of it.
func TestCorpus(t *testing.T) {
	for name, want := range expected(t) {
		if want.Sequence != nil {
			continue
		}
		t.Run(name, func(t *testing.T) { compareFile(t, name, want) })
	}
}

func compareFile(t *testing.T, name string, want expectation) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(corpus, name))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want.Error {
		if report.Sound() {
			t.Error("no error")
		}
		return
	}
	if n := counted(report); n != want.Problems {
		t.Errorf("%d problems, want %d", n, want.Problems)
		for _, p := range report.Problems {
			if p.Kind.Severity() > model.Note {
				t.Logf("%s: %s: %s", p.Path, p.Rule, p.Error())
			}
		}
	}
	if want.Counts == nil {
		return
	}
	facts := factsOf(t, doc)
	kinds := map[string]int64{}
	for _, m := range facts["commands"].(model.Object) {
		kinds[m.Key] = int64(m.Value.(model.Int))
	}
	commands := int64(0)
	for _, n := range want.Counts.Commands {
		commands += n
	}
	for key, w := range map[string]model.Value{
		"form": model.Text(want.Form), "schema": model.Text(want.Schema), "isDiff": model.Bool(want.IsDiff),
		"baseVersion": model.Uint(want.BaseVersion), "setFields": model.Int(want.Counts.SetFields),
		"timeSamples": model.Int(want.Counts.TimeSamples), "parts": model.Int(want.Counts.Parts), "commandCount": model.Int(commands),
	} {
		if facts[key] != w {
			t.Errorf("%s is %v, want %v", key, facts[key], w)
		}
	}
	if !reflect.DeepEqual(kinds, want.Counts.Commands) {
		t.Errorf("commands %v, want %v", kinds, want.Counts.Commands)
	}
	if got := outcomesUnder(t, doc, commandsView); !reflect.DeepEqual(got, append([]string{}, want.Outcomes...)) {
		t.Errorf("outcomes %q, want %q", got, want.Outcomes)
	}
	compareLayer(t, doc, want.Layer)
}

// counted is how many problems are more than notes.
func counted(r *model.Report) int {
	n := 0
	for i := range r.Problems {
		if r.Problems[i].Kind.Severity() > model.Note {
			n++
		}
	}
	return n
}

func factsOf(t testing.TB, doc *model.Document) map[string]model.Value {
	t.Helper()
	list, err := doc.Facts(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	facts := make(map[string]model.Value)
	for _, f := range list {
		facts[f.Key] = f.Value
	}
	return facts
}

// outcomesUnder lists the outcomes of the commands under a path.
func outcomesUnder(t testing.TB, doc *model.Document, path string) []string {
	t.Helper()
	root, err := doc.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	n, _ := root.Len()
	for i := range n {
		row := root.Child(i)
		if err := row.Resolve(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		list = append(list, model.Show(row.Child(0).Node.Value, 100))
	}
	return list
}

// kindNames are the names of the lists of children in expected.json, by spec type.
var kindNames = map[string]string{
	"Prim": "prims", "Attribute": "properties", "Relationship": "properties", "Connection": "connections",
	"RelationshipTarget": "targets", "Mapper": "mappers", "MapperArg": "mapperArgs", "VariantSet": "variantSets",
	"Variant": "variants", "Expression": "expressions",
}

// compareLayer compares the layer view with expected.json's layer.
func compareLayer(t *testing.T, doc *model.Document, want map[string]any) {
	t.Helper()
	root := doc.View(layerView).Place()
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]any)
	if root.Node.Value != nil {
		noteSection(t, root, got, true)
	}
	n, _ := root.Len()
	for i := range n {
		c := root.Child(i)
		if strings.HasPrefix(c.Node.Name, "#") {
			noteSection(t, c, got, false)
		}
	}
	a, b := asJSON(t, got), asJSON(t, want)
	if a != b {
		t.Errorf("layer\n%s\nwant\n%s", a, b)
	}
}

func asJSON(t *testing.T, v map[string]any) string {
	t.Helper()
	var lines []string
	for path, section := range v {
		b, err := json.Marshal(section)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, path+" "+string(b))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// noteSection writes a section of the layer view as expected.json does, and those below it.
func noteSection(t *testing.T, p *model.Place, into map[string]any, isRoot bool) {
	fields, samples, kids := map[string]any{}, []any{}, map[string]any{}
	lists := map[string][]string{}
	n, _ := p.Len()
	for i := range n {
		c := p.Child(i)
		switch {
		case c.Node.Type == "overwritten", c.Node.Type == "section id":
		case c.Node.Type == samplesName:
			count, _ := c.Len()
			for k := range count {
				s := c.Child(k)
				v := jsonSetting(t, s)
				v["time"] = jsonNumber(float64(s.Child(0).Node.Value.(model.Float64)))
				samples = append(samples, v)
			}
		case sectionIn(c) != nil:
			if isRoot && strings.HasPrefix(c.Node.Name, "#") && c.Node.Problems != nil && strings.HasPrefix(model.Show(c.Node.Value, 1000), "#") {
				continue // a placeholder without a parent
			}
			noteSection(t, c, into, false)
			kind := kindNames[c.Node.Type]
			if kind == "" {
				kind = "others"
			}
			lists[kind] = append(lists[kind], sectionIn(c).name)
		default:
			fields[strings.TrimSuffix(keyOf(c), "~2")] = jsonSetting(t, c)
		}
	}
	for kind, names := range lists {
		kids[kind] = names
	}
	s := sectionIn(p)
	section := map[string]any{"id": s.id, "fields": fields, "timeSamples": samples, "children": kids, "specType": p.Node.Type}
	var number int
	if _, err := fmt.Sscanf(p.Node.Type, "spec type %d", &number); err == nil {
		section["specType"] = number
	}
	if s.base {
		section["base"] = true
	}
	into[model.Show(p.Node.Value, 1<<20)] = section
}

func keyOf(p *model.Place) string {
	if p.Node.Name == `""` {
		return ""
	}
	return p.Node.Name
}

// shownSection is what the layer view says of a section.
type shownSection struct {
	id   uint64
	name string
	base bool
}

// sectionIn is the section that a place shows; nil: it is none.
func sectionIn(p *model.Place) *shownSection {
	if n, _ := p.Len(); n == 0 || p.Child(0).Node.Type != "section id" {
		return nil
	}
	s := &shownSection{id: uint64(p.Child(0).Node.Value.(model.Uint)), name: p.Node.Name, base: len(p.Node.Problems) > 0}
	s.name = strings.TrimSuffix(s.name, fmt.Sprintf("#%d", s.id))
	s.name = strings.TrimSuffix(s.name, "~2") // a field has the name
	cut := func(prefix, suffix string) {
		s.name = strings.TrimSuffix(strings.TrimPrefix(s.name, prefix), suffix)
	}
	switch p.Node.Type {
	case "Attribute", "Relationship", "MapperArg":
		cut(".", "")
	case "Connection", "RelationshipTarget":
		cut("[", "]")
	case "Mapper":
		cut(".mapper[", "]")
	case "VariantSet":
		cut("{", "=}")
	case "Variant":
		cut("{", "}")
		_, s.name, _ = strings.Cut(s.name, "=")
	case "Expression":
		s.name = ""
	}
	return s
}

// jsonSetting writes a field as expected.json does.
func jsonSetting(t *testing.T, p *model.Place) map[string]any {
	v := map[string]any{"type": nil, "isArray": false, "count": nil, "value": nil}
	n, _ := p.Len()
	if c := child(p, "value"); c != nil {
		v = jsonValue(t, c, 8)
	}
	for i := range n {
		if c := p.Child(i); c.Node.Name == "external" {
			if err := c.Resolve(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			v["external"] = jsonExternal(c)
		}
	}
	if p.Node.Type == "external value" {
		var part int
		if _, err := fmt.Sscanf(p.Node.Brief, "part %d", &part); err != nil {
			t.Error(err)
		}
		v["external"] = map[string]any{"part": part, "size": 70000, "hashMatches": nil}
	}
	return v
}

func jsonExternal(p *model.Place) map[string]any {
	x := map[string]any{}
	n, _ := p.Len()
	for i := range n {
		switch c := p.Child(i); c.Node.Name {
		case "size", "part":
			x[c.Node.Name] = uint64(c.Node.Value.(model.Uint))
		case "matches":
			x["hashMatches"] = bool(c.Node.Value.(model.Bool))
		}
	}
	return x
}

func child(p *model.Place, name string) *model.Place {
	n, _ := p.Len()
	for i := range n {
		if c := p.Child(i); c.Node.Name == name {
			return c
		}
	}
	return nil
}

// jsonValue writes a value as expected.json does; limit is how many elements of arrays.
func jsonValue(t *testing.T, p *model.Place, limit int) map[string]any {
	v := map[string]any{"type": nil, "isArray": false, "count": nil, "value": nil}
	head := child(p, "type")
	if head == nil {
		return v
	}
	typ := head.Child(0).Node.Value.(model.Symbol)
	isArray := bool(head.Child(1).Node.Value.(model.Bool))
	v["isArray"], v["type"] = isArray, typ.Name
	if typ.Name == "" {
		v["type"] = typ.Number
	}
	if raw := child(p, "bytes"); raw != nil {
		s := p.Node.Span()
		b, err := s.Source.Bytes(s.Off, min(s.Len, 16)) // as many as the generator lists
		if err != nil {
			t.Fatal(err)
		}
		v["raw"] = fmt.Sprintf("%x", b)
		return v
	}
	switch count := child(p, "count"); {
	case isArray:
		n := int(count.Node.Value.(model.Uint))
		v["count"], v["value"] = n, jsonItems(t, child(p, "elements"), limit)
	default:
		jsonScalar(t, p, typ.Name, v)
	}
	return v
}

func jsonItems(t *testing.T, items *model.Place, limit int) []any {
	list := []any{}
	if items == nil {
		return list
	}
	n, _ := items.Len()
	for i := range min(n, int64(limit)) {
		list = append(list, jsonItem(t, items.Child(i)))
	}
	return list
}

// jsonItem writes an element: a fixed value, a text, a nested value or a record.
func jsonItem(t *testing.T, p *model.Place) any {
	if p.Node.Type == "Payload" || p.Node.Type == "Reference" {
		x := map[string]any{}
		x["asset"], x["path"] = jsonText(child(p, "assetPath")), jsonText(child(p, "primPath"))
		offset := child(p, "layerOffset").Node.Value.(model.Tuple)
		x["offset"], x["scale"] = jsonPlain(offset[0]), jsonPlain(offset[1])
		if data := child(p, "customData"); data != nil {
			x["customData"] = jsonEntries(t, child(data, "items"))
		}
		return x
	}
	if p.Node.Type == "text" {
		return jsonText(p)
	}
	if inner := child(p, "value"); inner != nil {
		return jsonValue(t, inner, 8)
	}
	return jsonPlain(p.Node.Value)
}

func jsonText(p *model.Place) string {
	var s string
	switch v := p.Node.Value.(type) {
	case model.Text:
		s = string(v)
	case model.Blob:
		b, _ := v.Span.Source.Bytes(v.Span.Off, v.Span.Len)
		s = string(b)
	}
	return s
}

func jsonEntries(t *testing.T, items *model.Place) map[string]any {
	x := map[string]any{}
	if items == nil {
		return x
	}
	n, _ := items.Len()
	for i := range n {
		e := items.Child(i)
		x[jsonText(child(e, "key"))] = jsonValue(t, child(child(e, "value"), "value"), 8)
	}
	return x
}

// jsonScalar writes what is no array.
func jsonScalar(t *testing.T, p *model.Place, typ string, v map[string]any) {
	items := child(p, "items")
	if c := child(p, "count"); c != nil {
		v["count"] = uint64(c.Node.Value.(model.Uint))
	}
	switch {
	case child(p, "length") != nil:
		v["count"] = uint64(child(p, "length").Node.Value.(model.Uint))
		s := ""
		if text := child(p, "text"); text != nil {
			s = jsonText(text)
		}
		v["value"] = shortText(s)
	case typ == "Dictionary":
		v["value"] = jsonEntries(t, items)
		if all := v["value"].(map[string]any); len(all) > 8 {
			v["value"] = firstEntries(t, items, 8)
		}
	case typ == "VariantSelectionMap":
		x := map[string]any{}
		if items != nil {
			n, _ := items.Len()
			for i := range n {
				x[jsonText(child(items.Child(i), "variantSet"))] = jsonText(child(items.Child(i), "variant"))
			}
		}
		v["value"] = x
	case typ == "TimeSamples":
		list := []any{}
		if items != nil {
			n, _ := items.Len()
			for i := range n {
				e := items.Child(i)
				list = append(list, []any{jsonPlain(child(e, "time").Node.Value), jsonValue(t, child(child(e, "value"), "value"), 8)})
			}
		}
		v["value"] = list
	case strings.HasSuffix(typ, "ListOp"):
		jsonListOp(t, p, v)
	case typ == "Payload":
		q := *p
		q.Node.Type = "Payload"
		v["value"] = jsonItem(t, &q)
	case child(p, "count") != nil:
		v["value"] = jsonItems(t, items, 8)
	case typ == "Value" || typ == "UnregisteredValue":
		v["value"] = jsonValue(t, child(p, "value"), 8)
	case typ == "ValueBlock":
	default:
		v["value"] = jsonPlain(child(p, "value").Node.Value)
		if tuple, ok := child(p, "value").Node.Value.(model.Tuple); ok {
			v["value"] = flat(tuple)
		}
	}
}

func firstEntries(t *testing.T, items *model.Place, n int64) map[string]any {
	x := map[string]any{}
	for i := range n {
		e := items.Child(i)
		x[jsonText(child(e, "key"))] = jsonValue(t, child(child(e, "value"), "value"), 8)
	}
	return x
}

func jsonListOp(t *testing.T, p *model.Place, v map[string]any) {
	header := child(p, "header")
	x := map[string]any{"explicit": bool(header.Child(0).Node.Value.(model.Bool))}
	count := 0
	for _, l := range listOpParts {
		part := child(p, l.name)
		if part == nil {
			continue
		}
		name := l.name
		if name == "explicit" {
			name = "explicitItems"
		}
		x[name] = jsonItems(t, child(part, "items"), 8)
		count += int(child(part, "count").Node.Value.(model.Uint))
	}
	v["value"], v["count"] = x, count
}

// flat lists the numbers of a tuple of tuples.
func flat(t model.Tuple) []any {
	var list []any
	for _, v := range t {
		if inner, ok := v.(model.Tuple); ok {
			list = append(list, flat(inner)...)
		} else {
			list = append(list, jsonPlain(v))
		}
	}
	return list
}

// jsonPlain writes a scalar or tuple.
func jsonPlain(v model.Value) any {
	switch v := v.(type) {
	case model.Bool:
		return bool(v)
	case model.Int:
		return float64(v)
	case model.Uint:
		return float64(v)
	case model.Float64:
		return jsonNumber(float64(v))
	case model.Float32:
		return jsonNumber(float64(v))
	case model.Half:
		return jsonNumber(float64(v.Float()))
	case model.Symbol:
		if v.Name == "" {
			return v.Number
		}
		return v.Name
	case model.Tuple:
		return flat(v)
	}
	return nil
}

func jsonNumber(f float64) any {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if f == 0 && !math.Signbit(f) {
		return 0.0
	}
	return f
}

// shortText cuts a text as expected.json does: 256 bytes; bytes that are not UTF-8 are escaped.
func shortText(s string) string {
	if len(s) > 256 {
		s = s[:256]
	}
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// TestSequence applies the five deltas of the corpus after one another.
func TestSequence(t *testing.T) {
	for name, want := range expected(t) {
		if want.Sequence == nil {
			continue
		}
		var names []string
		for i := range want.Sequence {
			names = append(names, fmt.Sprintf("seq-%d.oodf", i+1))
		}
		doc := openSequence(t, names, nil)
		for i, n := range names {
			if got := outcomesUnder(t, doc, commandsView+"/"+n); !reflect.DeepEqual(got, want.Sequence[i]) {
				t.Errorf("%s, %s: outcomes %q, want %q", name, n, got, want.Sequence[i])
			}
		}
		compareLayer(t, doc, want.Layer)
		if report, err := doc.CheckAll(t.Context(), nil); err != nil || !report.Sound() || len(report.Tiling) > 0 {
			t.Errorf("check: %v, %v", report, err)
		}
	}
}

func openSequence(t *testing.T, names []string, options map[string]string) *model.Document {
	t.Helper()
	var sources []*model.Source
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(corpus, n))
		if err != nil {
			t.Skip(err)
		}
		sources = append(sources, model.NewSource(n, n, model.LayoutView+"/"+n, model.BytesReader(data)))
	}
	doc, err := openTogether(t.Context(), sources, &model.OpenRequest{Name: "seq", Files: model.NoFiles{}, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
