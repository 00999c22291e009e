package omnilive

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"cutaway/model"
)

// kindNames are the names of the lists of children in expected.json, by spec type.
var kindNames = map[string]string{
	"Prim": "prims", "Attribute": "properties", "Relationship": "properties", "Connection": "connections",
	"RelationshipTarget": "targets", "Mapper": "mappers", "MapperArg": "mapperArgs", "VariantSet": "variantSets",
	"Variant": "variants", "Expression": "expressions",
}

// compareLayer compares the layer view with expected.json's layer.
func compareLayer(t *testing.T, doc *model.Document, want map[string]any) {
	t.Helper()
	root := doc.View(layerView).Place(t.Context())
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]any)
	if root.Node.Value != nil {
		noteSection(t, root, got, true)
	}
	n, _ := root.Len(t.Context())
	for i := range n {
		c := root.Child(t.Context(), i)
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
	n, _ := p.Len(t.Context())
	for i := range n {
		c := p.Child(t.Context(), i)
		switch {
		case c.Node.Type == "overwritten", c.Node.Type == "section id":
		case c.Node.Type == samplesName:
			count, _ := c.Len(t.Context())
			for k := range count {
				s := c.Child(t.Context(), k)
				v := jsonSetting(t, s)
				v["time"] = jsonNumber(float64(s.Child(t.Context(), 0).Node.Value.(model.Float64)))
				samples = append(samples, v)
			}
		case sectionIn(t.Context(), c) != nil:
			if isRoot && strings.HasPrefix(c.Node.Name, "#") && c.Node.Problems != nil && strings.HasPrefix(model.Show(t.Context(), c.Node.Value, 1000), "#") {
				continue // a placeholder without a parent
			}
			noteSection(t, c, into, false)
			kind := kindNames[c.Node.Type]
			if kind == "" {
				kind = "others"
			}
			lists[kind] = append(lists[kind], sectionIn(t.Context(), c).name)
		default:
			fields[c.Node.Name] = jsonSetting(t, c)
		}
	}
	for kind, names := range lists {
		kids[kind] = names
	}
	s := sectionIn(t.Context(), p)
	section := map[string]any{"id": s.id, "fields": fields, "timeSamples": samples, "children": kids, "specType": p.Node.Type}
	var number int
	if _, err := fmt.Sscanf(p.Node.Type, "spec type %d", &number); err == nil {
		section["specType"] = number
	}
	if s.base {
		section["base"] = true
	}
	into[model.Show(t.Context(), p.Node.Value, 1<<20)] = section
}

// shownSection is what the layer view says of a section.
type shownSection struct {
	id   uint64
	name string
	base bool
}

// sectionIn is the section that a place shows; nil: it is none.
func sectionIn(ctx context.Context, p *model.Place) *shownSection {
	if n, _ := p.Len(ctx); n == 0 || p.Child(ctx, 0).Node.Type != "section id" {
		return nil
	}
	s := &shownSection{id: uint64(p.Child(ctx, 0).Node.Value.(model.Uint)), name: p.Node.Name, base: len(p.Node.Problems) > 0}
	s.name = strings.TrimSuffix(s.name, fmt.Sprintf("#%d", s.id))
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
	n, _ := p.Len(t.Context())
	if c := child(t.Context(), p, "value"); c != nil {
		v = jsonValue(t, c)
	}
	for i := range n {
		if c := p.Child(t.Context(), i); c.Node.Name == "external" {
			if err := c.Resolve(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			v["external"] = jsonExternal(t.Context(), c)
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

func jsonExternal(ctx context.Context, p *model.Place) map[string]any {
	x := map[string]any{}
	n, _ := p.Len(ctx)
	for i := range n {
		switch c := p.Child(ctx, i); c.Node.Name {
		case "size", "part":
			x[c.Node.Name] = uint64(c.Node.Value.(model.Uint))
		case "matches":
			x["hashMatches"] = bool(c.Node.Value.(model.Bool))
		}
	}
	return x
}

func child(ctx context.Context, p *model.Place, name string) *model.Place {
	n, _ := p.Len(ctx)
	for i := range n {
		if c := p.Child(ctx, i); c.Node.Name == name {
			return c
		}
	}
	return nil
}
