package ksy

import (
	"regexp"
	"strconv"

	"cutaway/decoders/expr"
)

var simpleTypes = map[string]*expr.Type{"str": expr.StrType, "strz": expr.StrType, "bytes": expr.BytesType, "bool": expr.BoolType, "struct": expr.StructType,
	"io": expr.IOType, "any": expr.AnyType}

// Words returns the path of the type in quotes, for messages.
func (t *Type) Words() string { return strconv.Quote(t.path()) }

// Words returns the path of the enum, for messages.
func (e *Enum) Words() string { return e.path() }

func (e *Enum) path() string {
	if e.Owner.Outer == nil {
		return e.Name
	}
	return e.Owner.path() + "::" + e.Name
}

// accepts reports whether a param of type t accepts a value of type v.
func accepts(t, v *expr.Type) bool {
	switch {
	case t.Kind == expr.Any, t.Kind == expr.Struct && v.IsStructure(), t.Kind == expr.Float && v.Kind == expr.Int:
		return true
	case t.Kind == expr.Array && v.Kind == expr.Array:
		return accepts(t.Of, v.Of)
	case t.Kind == expr.Array && v.Kind == expr.Bytes:
		return t.Of.Kind == expr.Int
	case t.Kind == expr.User && typeIn(t).Opaque, v.Kind == expr.User && typeIn(v).Opaque:
		return t.IsStructure() && v.IsStructure()
	}
	return expr.Same(t, v)
}

var builtinPattern = regexp.MustCompile(`^(?:([us])([1248])|f([48])|b(0|[1-9][0-9]{0,3}))(le|be)?$`)

// builtin parses the name of a type that is read from bytes: u1, s4le, f8, b12, b3le. The order is NoOrder if the name
// has none.
func builtin(name string) (use Use, ok bool) {
	m := builtinPattern.FindStringSubmatch(name)
	if m == nil || m[2] == "1" && m[5] != "" {
		return use, false
	}
	use = Use{Form: FormInt, Signed: m[1] == "s", Order: orders[m[5]]}
	if m[3] != "" {
		use.Form = FormFloat
	} else if m[4] != "" {
		use.Form = FormBits
	}
	use.Width, _ = strconv.Atoi(m[2] + m[3] + m[4])
	return use, true
}

// data returns the type of the value that a builtin type reads.
func (u *Use) data() *expr.Type {
	switch u.Form {
	case FormInt:
		return &expr.Type{Kind: expr.Int, Signed: u.Signed, Width: u.Width}
	case FormFloat:
		return &expr.Type{Kind: expr.Float, Width: u.Width}
	case FormBits:
		if u.Width == 1 {
			return expr.BoolType
		}
		return &expr.Type{Kind: expr.Int, Width: u.Width, Bits: true}
	case FormStr:
		return expr.StrType
	case FormUser:
		return userType(u.Type)
	}
	return expr.BytesType
}
