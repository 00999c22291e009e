package marks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"cutaway/model"
)

// A Type is the type of a mark's bytes: a number, several numbers, or text.
type Type struct {
	name   string           // of an element
	number model.NumberKind // or NoNumber for text
	big    bool
	wide   bool  // text in UTF-16
	many   bool  // several numbers
	count  int64 // number of elements, or 0 for as many as fit
}

// numberNames maps names in types to kinds of numbers.
var numberNames = map[string]model.NumberKind{
	"bool": model.NumberBool, "i8": model.NumberI8, "u8": model.NumberU8, "i16": model.NumberI16, "u16": model.NumberU16,
	"i32": model.NumberI32, "u32": model.NumberU32, "i64": model.NumberI64, "u64": model.NumberU64,
	"f16": model.NumberF16, "f32": model.NumberF32, "f64": model.NumberF64,
}

// TypeNames are the types without suffixes.
var TypeNames = []string{"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "text", "utf16"}

// ParseType parses a type: "u16" or "u16le", "f32be" with the most significant byte first, "f32[3]" and "u8[]", "text",
// "utf16be".
func ParseType(s string) (Type, error) {
	var t Type
	name, count, many := strings.Cut(s, "[")
	if many {
		count, closed := strings.CutSuffix(count, "]")
		n, err := strconv.ParseInt("0"+count, 10, 64)
		if !closed || err != nil {
			return t, unknownType(s)
		}
		t.many, t.count = true, n
	}
	if number := strings.TrimSuffix(name, "le"); numberNames[number] != model.NoNumber { // as it is without
		name = number
	}
	t.name = name
	name, t.big = strings.CutSuffix(name, "be")
	t.number = numberNames[name]
	t.wide = name == "utf16"
	if t.number == model.NoNumber && (t.many || !t.wide && (name != "text" || t.big)) {
		return t, unknownType(s)
	}
	return t, nil
}

func unknownType(s string) error {
	return fmt.Errorf("there is no type %q; there are %s, numbers also with le or be after them, and with [3] or [] for several", s,
		strings.Join(TypeNames, ", "))
}

// Size returns the number of bytes of a value of the type, or 0 for all.
func (t Type) Size() int64 {
	if t.many {
		return t.number.Size() * t.count
	}
	return t.number.Size()
}

// Value reads the value of a span. It returns nil if the span is too short.
func (t Type) Value(ctx context.Context, at model.Span) model.Value {
	if t.number == model.NoNumber {
		return t.text(ctx, at)
	}
	p := model.Packing{Number: t.number, Components: 1, At: at, Big: t.big}
	count := at.Len / p.Size()
	if t.count > 0 {
		count = min(count, t.count)
	}
	one := func(ctx context.Context, i int64) (model.Value, error) {
		var b [8]byte
		n, err := p.Read(ctx, i, b[:p.Size()])
		if n == 0 {
			return nil, err
		}
		return t.number.Value(b[:]), nil
	}
	if t.many {
		return &model.Elements{Type: t.name, Count: count, Make: one}
	}
	v, err := one(ctx, 0)
	if err != nil {
		return nil
	}
	return v
}

// mostText is the most bytes of a text that are read.
const mostText = 64 << 10

func (t Type) text(ctx context.Context, at model.Span) model.Value {
	b, err := at.Source.Bytes(ctx, at.Off, min(at.Len, mostText))
	if err != nil {
		return nil
	}
	if !t.wide {
		return model.Text(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		if t.big {
			units[i] = units[i]>>8 | units[i]<<8
		}
	}
	return model.Text(string(utf16.Decode(units)))
}
