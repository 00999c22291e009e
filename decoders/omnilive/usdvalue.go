package omnilive

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// maxWritten is how many elements of an array are written as text.
const maxWritten = 1 << 20

// usdTypes are the names of attribute types by type number, where they are not the type's in lower case.
var usdTypes = map[string]string{
	"AssetPath": "asset", "Vec2d": "double2", "Vec2f": "float2", "Vec2h": "half2", "Vec2i": "int2", "Vec3d": "double3",
	"Vec3f": "float3", "Vec3h": "half3", "Vec3i": "int3", "Vec4d": "double4", "Vec4f": "float4", "Vec4h": "half4", "Vec4i": "int4",
}

// usdType is the name of the type of an attribute that holds the value; "" for what no attribute holds.
func (x *value) usdType() string {
	t := x.known()
	if t == nil || !t.array {
		return ""
	}
	name := usdTypes[t.name]
	if name == "" {
		name = strings.ToLower(t.name)
	}
	if x.isArray {
		name += "[]"
	}
	return name
}

// text writes the value as USD text; false where text cannot hold it.
func (x *value) text(ctx context.Context) (string, bool) {
	if x.raw {
		return "", false
	}
	t := x.known()
	if x.isArray {
		return x.list(ctx, func(_ *shape, off, end int64) (string, bool) { return x.scalar(ctx, off, end) })
	}
	switch t.shape.form {
	case fixed, text:
		return x.scalar(ctx, x.data, x.end)
	case nothing:
		return "None", true
	case rest:
		inner := x.v.read(ctx, x.data, x.end, x.depth+1)
		return inner.text(ctx)
	}
	switch t.name {
	case "Dictionary":
		return x.v.dictionary(ctx, x.data, x.end, x.depth)
	case "VariantSelectionMap":
		return x.selections(ctx)
	case "TokenVector", "StringVector":
		return x.list(ctx, func(_ *shape, off, end int64) (string, bool) { return x.v.quoted(ctx, off+4, end) })
	case "DoubleVector":
		return x.list(ctx, func(s *shape, off, _ int64) (string, bool) { return number(ctx, x.v.fixedValue(ctx, s, off)), true })
	case "Payload":
		return x.v.arc(ctx, t.shape, x.data, x.end)
	}
	return "", false
}

// list writes the items of an array or vector in brackets.
func (x *value) list(ctx context.Context, item func(s *shape, off, end int64) (string, bool)) (string, bool) {
	list, ok := x.each(ctx, item)
	return "[" + strings.Join(list, ", ") + "]", ok
}

// each writes the items of an array or vector.
func (x *value) each(ctx context.Context, item func(s *shape, off, end int64) (string, bool)) ([]string, bool) {
	r := x.v.scan(ctx)
	defer x.v.release(r)
	s, off, count := x.known().shape, x.data, x.count
	if !x.isArray {
		n, _ := r.Number(off, 8)
		s, off, count = s.item, off+8, int64(n)
	}
	if count > maxWritten {
		return nil, false
	}
	var list []string
	for range count {
		next, _ := x.v.measure(r, s, off, x.end)
		text, ok := item(s, off, next)
		if !ok {
			return nil, false
		}
		list = append(list, text)
		off = next
	}
	return list, true
}

// scalar writes one value of the type at off.
func (x *value) scalar(ctx context.Context, off, end int64) (string, bool) {
	t := x.known()
	switch {
	case t.name == "AssetPath":
		return asset(ctx, x.v, off+4, end), true
	case t.name == "Path":
		return "", false
	case t.shape.form == text:
		return x.v.quoted(ctx, off+4, end)
	}
	v := x.v.fixedValue(ctx, t.shape, off)
	if q, ok := v.(model.Tuple); ok && strings.HasPrefix(t.name, "Quat") {
		v = model.Tuple{q[3], q[0], q[1], q[2]} // text has the real part first
	}
	if s, ok := v.(model.Symbol); ok {
		return s.Name, s.Name != ""
	}
	return number(ctx, v), true
}

// number writes numbers and tuples of them.
func number(ctx context.Context, v model.Value) string {
	switch v := v.(type) {
	case model.Bool:
		if v {
			return "1"
		}
		return "0"
	case model.Float64:
		return float(float64(v), 64)
	case model.Float32:
		return float(float64(v), 32)
	case model.Half:
		return float(float64(v.Float()), 32)
	case model.Tuple:
		var list []string
		for _, e := range v {
			list = append(list, number(ctx, e))
		}
		return "(" + strings.Join(list, ", ") + ")"
	}
	return model.Show(ctx, v, 100)
}

func float(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// quoted writes the text in [off, end); false where it is not UTF-8.
func (v *values) quoted(ctx context.Context, off, end int64) (string, bool) {
	b, err := v.src.Bytes(ctx, off, end-off)
	return quote(string(b)), err == nil && utf8.Valid(b)
}

// quote writes a string in quotes, with line breaks as escapes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// asset writes an asset path between at signs, of which there are three where it holds one.
func asset(ctx context.Context, v *values, off, end int64) string {
	b, err := v.src.Bytes(ctx, off, end-off)
	switch s := string(b); {
	case err != nil:
		return "@@"
	case strings.Contains(s, "@"):
		return "@@@" + strings.ReplaceAll(s, "@@@", `\@@@`) + "@@@"
	default:
		return "@" + s + "@"
	}
}

// dictionary writes a dictionary's entries: type, name, value.
func (v *values) dictionary(ctx context.Context, off, end int64, depth int) (string, bool) {
	r := v.scan(ctx)
	defer v.release(r)
	n, _ := r.Number(off, 8)
	off += 8
	var list []string
	for range n {
		keyEnd, _ := v.measure(r, textShape, off, end)
		key, ok := v.quoted(ctx, off+4, keyEnd)
		next, _ := v.measure(r, sizedShape, keyEnd, end)
		x := v.read(ctx, keyEnd+8, next, depth+1)
		typ := x.usdType()
		if t := x.known(); t != nil && t.name == "Dictionary" {
			typ = "dictionary"
		}
		value, fits := x.text(ctx)
		if !ok || !fits || typ == "" {
			return "", false
		}
		list = append(list, typ+" "+key+" = "+value)
		off = next
	}
	return "{ " + strings.Join(list, "; ") + " }", true
}

// selections writes which variants are chosen.
func (x *value) selections(ctx context.Context) (string, bool) {
	list, ok := x.each(ctx, func(_ *shape, off, end int64) (string, bool) {
		r := x.v.scan(ctx)
		defer x.v.release(r)
		mid, _ := x.v.measure(r, textShape, off, end)
		set, ok1 := x.v.quoted(ctx, off+4, mid)
		variant, ok2 := x.v.quoted(ctx, mid+4, end)
		return "string " + set + " = " + variant, ok1 && ok2
	})
	return "{ " + strings.Join(list, "; ") + " }", ok
}

// arc writes a reference or payload: asset path, prim path, layer offset.
func (v *values) arc(ctx context.Context, s *shape, off, end int64) (string, bool) {
	r := v.scan(ctx)
	defer v.release(r)
	text := ""
	at := [5]int64{off}
	for i, f := range s.fields {
		at[i+1], _ = v.measure(r, f.shape, at[i], end)
	}
	if at[1]-at[0] > 4 {
		text = asset(ctx, v, at[0]+4, at[1])
	}
	path, err := v.src.Bytes(ctx, at[1]+4, at[2]-at[1]-4)
	if err != nil || len(path) > 0 && !isPath(string(path)) {
		return "", false
	}
	if len(path) > 0 || text == "" {
		text += "<" + string(path) + ">"
	}
	var extra []string
	if o, ok := v.fixedValue(ctx, offsetShape, at[2]).(model.Tuple); ok {
		if o[0] != model.Value(model.Float64(0)) {
			extra = append(extra, "offset = "+number(ctx, o[0]))
		}
		if o[1] != model.Value(model.Float64(1)) {
			extra = append(extra, "scale = "+number(ctx, o[1]))
		}
	}
	if len(s.fields) == 4 {
		if n, _ := r.Number(at[3], 8); n > 0 {
			data, ok := v.dictionary(ctx, at[3], at[4], 0)
			if !ok {
				return "", false
			}
			extra = append(extra, "customData = "+data)
		}
	}
	if len(extra) > 0 {
		text += " (" + strings.Join(extra, "; ") + ")"
	}
	return text, true
}

// listOpText writes a list op as a line for each of its lists. Text holds either an explicit list or the others.
func (x *value) listOpText(ctx context.Context, key string) ([]string, bool) {
	r := x.v.scan(ctx)
	defer x.v.release(r)
	header, _ := r.U8(x.data)
	item := x.known().shape.item
	words := map[string]string{"explicit": "", "added": "add ", "prepended": "prepend ", "appended": "append ", "deleted": "delete ", "ordered": "reorder "}
	var lines []string
	off := x.data + 1
	isExplicit := header&1 == 1
	for _, l := range listOpParts {
		if header>>l.bit&1 == 0 {
			continue
		}
		n, _ := r.Number(off, 8)
		off += 8
		if n > 0 && isExplicit != (l.name == "explicit") {
			return nil, false
		}
		var list []string
		for range n {
			next, _ := x.v.measure(r, item, off, x.end)
			text, ok := x.listOpItem(ctx, key, off, next)
			if !ok {
				return nil, false
			}
			list = append(list, text)
			off = next
		}
		if len(list) > 0 {
			lines = append(lines, fmt.Sprintf("%s%s = [%s]", words[l.name], key, strings.Join(list, ", ")))
		}
	}
	if len(lines) == 0 && isExplicit {
		lines = append(lines, key+" = None")
		return lines, key != variantSets // which text cannot empty
	}
	return lines, true
}

// listOpItem writes the item of a list op from off to next; false where text cannot hold it.
func (x *value) listOpItem(ctx context.Context, key string, off, next int64) (text string, ok bool) {
	item := x.known().shape.item
	switch {
	case x.known().name == "PathListOp":
		b, err := x.v.src.Bytes(ctx, off+4, next-off-4)
		return "<" + string(b) + ">", err == nil && utf8.Valid(b) && isPath(string(b))
	case item.form == fixed:
		return number(ctx, x.v.fixedValue(ctx, item, off)), true
	case item == textShape:
		text, ok = x.v.quoted(ctx, off+4, next)
		return text, ok && (key != variantSets || isVariantName(strings.Trim(text, `"`)))
	case item.form == record:
		return x.v.arc(ctx, item, off, next)
	}
	return "", false
}
