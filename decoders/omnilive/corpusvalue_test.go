package omnilive

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"cutaway/model"
)

// jsonValue writes a value as expected.json does: of arrays the first 8 elements.
func jsonValue(t *testing.T, p *model.Place) map[string]any {
	v := map[string]any{"type": nil, "isArray": false, "count": nil, "value": nil}
	head := child(t.Context(), p, "type")
	if head == nil {
		return v
	}
	typ := head.Child(t.Context(), 0).Node.Value.(model.Symbol)
	isArray := bool(head.Child(t.Context(), 1).Node.Value.(model.Bool))
	v["isArray"], v["type"] = isArray, typ.Name
	if typ.Name == "" {
		v["type"] = typ.Number
	}
	if raw := child(t.Context(), p, "bytes"); raw != nil {
		s := p.Node.Span()
		b, err := s.Source.Bytes(t.Context(), s.Off, min(s.Len, 16)) // as many as the generator lists
		if err != nil {
			t.Fatal(err)
		}
		v["raw"] = fmt.Sprintf("%x", b)
		return v
	}
	switch count := child(t.Context(), p, "count"); {
	case isArray:
		n := int(count.Node.Value.(model.Uint))
		v["count"], v["value"] = n, jsonItems(t, child(t.Context(), p, "elements"))
	default:
		jsonScalar(t, p, typ.Name, v)
	}
	return v
}

func jsonItems(t *testing.T, items *model.Place) []any {
	list := []any{}
	if items == nil {
		return list
	}
	n, _ := items.Len(t.Context())
	for i := range min(n, 8) {
		list = append(list, jsonItem(t, items.Child(t.Context(), i)))
	}
	return list
}

// jsonItem writes an element: a fixed value, a text, a nested value or a record.
func jsonItem(t *testing.T, p *model.Place) any {
	if p.Node.Type == "Payload" || p.Node.Type == "Reference" {
		x := map[string]any{}
		x["asset"], x["path"] = jsonText(t.Context(), child(t.Context(), p, "assetPath")), jsonText(t.Context(), child(t.Context(), p, "primPath"))
		offset := child(t.Context(), p, "layerOffset").Node.Value.(model.Tuple)
		x["offset"], x["scale"] = jsonPlain(offset[0]), jsonPlain(offset[1])
		if data := child(t.Context(), p, "customData"); data != nil {
			x["customData"] = jsonEntries(t, child(t.Context(), data, "items"))
		}
		return x
	}
	if p.Node.Type == "text" {
		return jsonText(t.Context(), p)
	}
	if inner := child(t.Context(), p, "value"); inner != nil {
		return jsonValue(t, inner)
	}
	return jsonPlain(p.Node.Value)
}

func jsonText(ctx context.Context, p *model.Place) string {
	var s string
	switch v := p.Node.Value.(type) {
	case model.Text:
		s = string(v)
	case model.Blob:
		b, _ := v.Span.Source.Bytes(ctx, v.Span.Off, v.Span.Len)
		s = string(b)
	}
	return s
}

func jsonEntries(t *testing.T, items *model.Place) map[string]any {
	x := map[string]any{}
	if items == nil {
		return x
	}
	n, _ := items.Len(t.Context())
	for i := range n {
		e := items.Child(t.Context(), i)
		x[jsonText(t.Context(), child(t.Context(), e, "key"))] = jsonValue(t, child(t.Context(), child(t.Context(), e, "value"), "value"))
	}
	return x
}

// jsonScalar writes what is no array.
func jsonScalar(t *testing.T, p *model.Place, typ string, v map[string]any) {
	items := child(t.Context(), p, "items")
	if c := child(t.Context(), p, "count"); c != nil {
		v["count"] = uint64(c.Node.Value.(model.Uint))
	}
	switch {
	case child(t.Context(), p, "length") != nil:
		v["count"] = uint64(child(t.Context(), p, "length").Node.Value.(model.Uint))
		s := ""
		if text := child(t.Context(), p, "text"); text != nil {
			s = jsonText(t.Context(), text)
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
			n, _ := items.Len(t.Context())
			for i := range n {
				x[jsonText(t.Context(), child(t.Context(), items.Child(t.Context(), i), "variantSet"))] = jsonText(t.Context(), child(t.Context(), items.Child(t.Context(), i), "variant"))
			}
		}
		v["value"] = x
	case typ == "TimeSamples":
		list := []any{}
		if items != nil {
			n, _ := items.Len(t.Context())
			for i := range n {
				e := items.Child(t.Context(), i)
				list = append(list, []any{jsonPlain(child(t.Context(), e, "time").Node.Value), jsonValue(t, child(t.Context(), child(t.Context(), e, "value"), "value"))})
			}
		}
		v["value"] = list
	case strings.HasSuffix(typ, "ListOp"):
		jsonListOp(t, p, v)
	case typ == "Payload":
		q := p.Copy()
		q.Node.Type = "Payload"
		v["value"] = jsonItem(t, q)
	case child(t.Context(), p, "count") != nil:
		v["value"] = jsonItems(t, items)
	case typ == "Value" || typ == "UnregisteredValue":
		v["value"] = jsonValue(t, child(t.Context(), p, "value"))
	case typ == "ValueBlock":
	default:
		v["value"] = jsonPlain(child(t.Context(), p, "value").Node.Value)
		if tuple, ok := child(t.Context(), p, "value").Node.Value.(model.Tuple); ok {
			v["value"] = flat(tuple)
		}
	}
}

func firstEntries(t *testing.T, items *model.Place, n int64) map[string]any {
	x := map[string]any{}
	for i := range n {
		e := items.Child(t.Context(), i)
		x[jsonText(t.Context(), child(t.Context(), e, "key"))] = jsonValue(t, child(t.Context(), child(t.Context(), e, "value"), "value"))
	}
	return x
}

func jsonListOp(t *testing.T, p *model.Place, v map[string]any) {
	header := child(t.Context(), p, "header")
	x := map[string]any{"explicit": bool(header.Child(t.Context(), 0).Node.Value.(model.Bool))}
	count := 0
	for _, l := range listNames {
		part := child(t.Context(), p, l)
		if part == nil {
			continue
		}
		name := l
		if name == "explicit" {
			name = "explicitItems"
		}
		x[name] = jsonItems(t, child(t.Context(), part, "items"))
		count += int(child(t.Context(), part, "count").Node.Value.(model.Uint))
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
