package entry

import (
	"context"
	"math"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A jsonForm reads the JSON form (chapter 10), which is seldom valid JSON.
type jsonForm struct{}

func (jsonForm) encoding() string { return encodingJSON }

// head reads the head of an entry.
func (jsonForm) head(p *heads, h *Head) bool {
	j := &p.json
	if !readJSON(p.w, h.off, j) {
		return false
	}
	h.end, h.Kind, h.Node = j.end, j.kind, j.node
	switch h.Kind {
	case kind.ReferenceNode, kind.StructNode:
		u := typeText(p.w, j)
		h.Tag, h.TypeID, h.typeName = u.Tag, u.ID, u.Name
	case kind.InternalReference:
		h.Ref, _ = strconv.ParseInt(j.text(p.w, "value"), 10, 64)
	}
	return true
}

// typeText reads the value of "$type".
func typeText(w *textio.Window, h *jsonHead) TypeUse {
	t := h.find("type")
	if t == nil {
		return TypeUse{Tag: kind.UnnamedNull}
	}
	text := w.Text(t.from, t.to)
	if !strings.HasPrefix(text, `"`) {
		id, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return TypeUse{Tag: kind.UnnamedNull}
		}
		return TypeUse{Tag: kind.TypeID, ID: int32(id)}
	}
	text = textio.Unescape(strings.Trim(text, `"`))
	number, name, ok := strings.Cut(text, "|")
	if id, err := strconv.ParseInt(number, 10, 32); ok && err == nil {
		return TypeUse{Tag: kind.TypeName, ID: int32(id), Name: name, Defined: true}
	}
	return TypeUse{Name: text, Defined: true}
}

// decode reads the entry at an offset.
func (jsonForm) decode(ctx context.Context, s *Stream, i, off, length int64) Entry {
	w := textio.NewWindow(ctx, s.src, off+length, jsonWindow)
	var h jsonHead
	if !readJSON(w, off, &h) {
		return Entry{Kind: kind.Invalid, Word: "unreadable", Node: NoNode}
	}
	e := Entry{Kind: h.kind, Word: h.kind.String(), Node: h.node, Lead: h.own - off, Announced: -1}
	if t := h.find("name"); t != nil {
		e.Named, e.Name = true, nameText(w, t)
	}
	switch h.kind {
	case kind.ReferenceNode, kind.StructNode:
		e.Type = typeText(w, &h)
		if e.Type.Tag == kind.TypeID {
			e.Type.Name, e.Type.Defined = s.typeName(ctx, e.Type.ID, i)
		}
	case kind.Array, kind.PrimitiveArray:
		if t := h.find("length"); t != nil {
			e.Announced, _ = strconv.ParseInt(w.Text(t.from, t.to), 10, 64)
		}
	case kind.EndOfNode, kind.EndOfArray:
	default:
		e.Value = jsonValue(h.kind, h.text(w, "value"))
		if v, ok := e.Value.(model.Int); ok && (h.kind == kind.InternalReference || h.kind == kind.ExternalByIndex) {
			e.Ref = int64(v)
		}
	}
	return e
}

// valueSpan returns the characters of a value.
func (jsonForm) valueSpan(ctx context.Context, s *Stream, off, length int64) model.Span {
	var h jsonHead
	if readJSON(textio.NewWindow(ctx, s.src, off+length, jsonWindow), off, &h) {
		if t := h.find("value"); t != nil {
			return s.src.Span(t.from, t.to-t.from)
		}
	}
	return s.src.Span(off+length, 0)
}

// nameOf returns the name of the entry at an offset, or false if it has none.
func (jsonForm) nameOf(ctx context.Context, s *Stream, off, length int64) (string, bool) {
	w := textio.NewWindow(ctx, s.src, off+length, jsonWindow)
	var h jsonHead
	if !readJSON(w, off, &h) || h.find("name") == nil {
		return "", false
	}
	return nameText(w, h.find("name")), true
}

// jsonWindow is the number of bytes that are read at once for one entry.
const jsonWindow = 512

// text returns the text of a token.
func (h *jsonHead) text(w *textio.Window, what string) string {
	t := h.find(what)
	return w.Text(t.from, t.to)
}

// nameText returns the text of a name, whose characters are cut to 8 bits and not escaped.
func nameText(w *textio.Window, t *jsonToken) string {
	return dotnet.DecodeText([]byte(strings.Trim(w.Text(t.from, t.to), `"`)), false)
}

// jsonValue returns the value of a token.
func jsonValue(k kind.Kind, text string) model.Value {
	switch k {
	case kind.String, kind.ExternalByString:
		if strings.HasPrefix(text, `"`) {
			text = strings.TrimPrefix(text, `"`)
			return model.Text(textio.Unescape(strings.TrimSuffix(text, `"`)))
		}
		return model.Text(text)
	case kind.Boolean:
		return model.Bool(strings.EqualFold(text, "true"))
	case kind.Null:
		return model.None{}
	case kind.FloatingPoint:
		return number(text)
	case kind.Integer, kind.InternalReference, kind.ExternalByIndex:
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return model.Int(v)
		}
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return model.Uint(v)
		}
	}
	return model.Text(text)
}

// number reads a floating-point number, whose width is not recorded. It is a float if its digits are those of a float.
// It stays text if it has more digits than a double, as decimals do.
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

// significant returns the digits of a number without sign, point, exponent and the zeros at both ends.
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
