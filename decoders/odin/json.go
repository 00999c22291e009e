package odin

import (
	"context"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
)

// jsonForm is the JSON form (chapter 10), which is seldom valid JSON.
type jsonForm struct {
	w   *window
	pos int64
}

func newJSON(src *model.Source, start, end int64) *jsonForm {
	return &jsonForm{w: newWindow(src, end, textWindow), pos: start}
}

func (f *jsonForm) encoding() string { return encodingJSON }

// step implements form.
func (f *jsonForm) step(ctx context.Context, s *stream) bool {
	x := &s.x
	var h jsonHead
	for range scanBatch {
		if x.n >= maxEntries || !readJSON(ctx, f.w, f.pos, &h) {
			f.w.buf = nil
			return true
		}
		length := h.end - f.pos
		switch h.kind {
		case kRefNode, kStructNode:
			c := structNode
			if h.kind == kRefNode {
				c = refNode
			}
			i := x.add(length, c)
			f.note(ctx, x, i, &h)
		case kArray, kPrimitives:
			x.add(length, array)
		case kEndNode, kEndArray:
			x.close(length, h.kind == kEndArray)
		default:
			x.add(length, plain)
		}
		f.pos = h.end
	}
	return false
}

// note keeps node ids and types.
func (f *jsonForm) note(ctx context.Context, x *index, i int64, h *jsonHead) {
	if h.kind == kRefNode && h.node >= 0 {
		x.node(i, h.node)
	}
	u := f.typeText(ctx, h)
	if u.tag == idTypeName {
		x.define(i, u.id)
	}
	name := u.name
	if u.tag == idTypeID {
		return
	}
	if isUdonRoot(name) {
		x.programs = append(x.programs, i)
	}
}

// typeText reads what stands behind "$type".
func (f *jsonForm) typeText(ctx context.Context, h *jsonHead) typeUse {
	t := h.find("type")
	if t == nil {
		return typeUse{tag: idNull}
	}
	text := rawText(ctx, f.w, *t)
	if !strings.HasPrefix(text, `"`) {
		id, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return typeUse{tag: idNull}
		}
		return typeUse{tag: idTypeID, id: int32(id)}
	}
	text = unescape(strings.Trim(text, `"`))
	number, name, ok := strings.Cut(text, "|")
	if id, err := strconv.ParseInt(number, 10, 32); ok && err == nil {
		return typeUse{tag: idTypeName, id: int32(id), name: name, defined: true}
	}
	return typeUse{name: text, defined: true}
}

// decode implements form.
func (f *jsonForm) decode(ctx context.Context, s *stream, i, off, length int64) entry {
	w := newWindow(s.src, off+length, jsonWindow)
	g := &jsonForm{w: w}
	var h jsonHead
	if !readJSON(ctx, w, off, &h) {
		return entry{kind: kInvalid, form: "unreadable", node: noNodeFound}
	}
	e := entry{kind: h.kind, form: kinds[h.kind].name, node: noNodeFound, lead: h.own - off, announced: -1}
	if t := h.find("name"); t != nil {
		e.named, e.name = true, latin1(strings.Trim(rawText(ctx, w, *t), `"`))
	}
	switch h.kind {
	case kRefNode, kStructNode:
		e.typ = g.typeText(ctx, &h)
		if e.typ.tag == idTypeID {
			e.typ.name, e.typ.defined = s.typeName(ctx, e.typ.id, i)
		}
		if h.kind == kRefNode {
			e.node = h.node
		}
		return e
	case kArray, kPrimitives:
		if t := h.find("length"); t != nil {
			e.announced, _ = strconv.ParseInt(rawText(ctx, w, *t), 10, 64)
		}
		return e
	}
	if t := h.find("value"); t != nil {
		text := rawText(ctx, w, *t)
		e.value = jsonValue(h.kind, text)
		if v, ok := e.value.(model.Int); ok && (h.kind == kInternal || h.kind == kExternalIndex) {
			e.ref = int64(v)
		}
	}
	return e
}

// nameOf implements form.
func (f *jsonForm) nameOf(ctx context.Context, s *stream, off, length int64) (string, bool) {
	w := newWindow(s.src, off+length, jsonWindow)
	var h jsonHead
	if !readJSON(ctx, w, off, &h) {
		return "", false
	}
	t := h.find("name")
	if t == nil {
		return "", false
	}
	return latin1(strings.Trim(rawText(ctx, w, *t), `"`)), true
}

const jsonWindow = 512

// rawText is the text of a token; a long one is cut.
func rawText(ctx context.Context, w *window, t jsonToken) string {
	n := min(t.to-t.from, maxText)
	b, err := w.src.Bytes(ctx, t.from, n)
	if err != nil {
		return ""
	}
	return string(b)
}

// latin1 reads bytes as the characters of names, which are cut to 8 bits.
func latin1(s string) string {
	return decodeText([]byte(s), false)
}

// jsonValue is the value of a token that stands for itself.
func jsonValue(k kind, text string) model.Value {
	switch k {
	case kString, kExternalString:
		if strings.HasPrefix(text, `"`) {
			text = strings.TrimPrefix(text, `"`)
			return model.Text(unescape(strings.TrimSuffix(text, `"`)))
		}
		return model.Text(text)
	case kBoolean:
		return model.Bool(strings.EqualFold(text, "true"))
	case kNull:
		return model.None{}
	case kFloating:
		return number(text)
	case kInteger, kInternal, kExternalIndex:
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return model.Int(v)
		}
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return model.Uint(v)
		}
	}
	return model.Text(text)
}

// number reads a floating-point number. Its width is not recorded: one whose digits are those of a float is taken for
// a float, one with more digits than a double has stays text, as decimals do.
func number(text string) model.Value {
	switch text {
	case "NaN":
		return model.Float64(math.NaN())
	case "Infinity", "∞":
		return model.Float64(math.Inf(1))
	case "-Infinity", "-∞":
		return model.Float64(math.Inf(-1))
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return model.Text(text)
	}
	digits := significant(text)
	switch n := len(digits); {
	case n <= 9 && significant(strconv.FormatFloat(float64(float32(v)), 'e', 8, 64)) == digits:
		return model.Float32(v)
	case n <= 15, significant(strconv.FormatFloat(v, 'e', 16, 64)) == digits, significant(strconv.FormatFloat(v, 'e', -1, 64)) == digits:
		return model.Float64(v)
	}
	return model.Text(text)
}

// significant is the digits of a number without sign, point, exponent and the zeros at both ends.
func significant(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c == 'e' || c == 'E' {
			break
		}
		if c >= '0' && c <= '9' {
			b.WriteRune(c)
		}
	}
	return strings.Trim(b.String(), "0")
}

// unescape replaces the escapes of strings.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var units []uint16
	out := make([]byte, 0, len(s))
	flush := func() {
		out = append(out, textOfUnits(units)...)
		units = units[:0]
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			flush()
			out = append(out, s[i])
			continue
		}
		i++
		if s[i] == 'u' && i+4 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+5], 16, 16); err == nil {
				units = append(units, uint16(v))
				i += 4
				continue
			}
		}
		flush()
		if k := strings.IndexByte(`abfnrt0`, s[i]); k >= 0 {
			out = append(out, "\a\b\f\n\r\t\x00"[k])
		} else {
			out = append(out, s[i])
		}
	}
	flush()
	return string(out)
}
