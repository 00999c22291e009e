package export

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// cLanguage writes C99, which C++ reads too.
var cLanguage = language{comment: "//", indent: "    ", uniform: true, open: "{", shut: "}", begin: beginC, declare: declareC, end: endC, scalar: scalarC,
	bytes: func(c *literalWriter, read func(func([]byte)) error) error { return c.byteEntries(read) }, finish: func(*literalWriter) {},
	keywords: strings.Fields(`asm auto bool break case catch char class const continue default delete do double else enum explicit export
		extern false float for friend goto if inline int long mutable namespace new operator private protected public register
		restrict return short signed sizeof static struct switch template this throw true try typedef typename union unsigned
		using virtual void volatile while NAN INFINITY main`)}

func beginC(c *literalWriter, list []*literal) {
	var floats, truths bool
	for _, l := range list {
		floats = floats || l.shape.kind == half || l.shape.kind == single || l.shape.kind == double
		truths = truths || l.shape.kind == truth
	}
	c.head()
	if floats {
		c.line("#include <math.h>")
	}
	if truths {
		c.line("#include <stdbool.h>")
	}
	c.line("#include <stdint.h>\n")
}

// head tells where the constants are from.
func (c *literalWriter) head() {
	name := ""
	if c.r.Doc != nil {
		name = " of " + oneLine(c.ctx, c.r.Doc.Name)
	}
	if !c.r.Bare {
		c.line(c.lang.comment + " Constants" + name + ", written by Cutaway.\n")
	}
}

func declareC(c *literalWriter, l *literal) {
	s := &l.shape
	switch {
	case l.empty:
		c.str("// C has no arrays of length 0.")
		c.r.reduce(l.place, "C has no arrays of length 0")
		return
	case l.bytes != nil:
		c.line("static const uint8_t " + l.name + "[] = {")
		return
	}
	typ := typeC(s)
	if s.kind == half {
		c.line("// Half-precision numbers, widened exactly.")
	}
	name := l.name
	if l.array != nil {
		name += "[]"
	}
	for _, n := range s.dims {
		name += fmt.Sprintf("[%d]", n)
	}
	if s.kind == text && l.array == nil && len(s.dims) == 0 {
		typ, name = "char ", name+"[]"
	}
	c.str("static const " + typ + name + " = ")
	if l.array != nil {
		c.line("{")
	}
}

// typeC is the type of a scalar and the blank after it.
func typeC(s *shape) string {
	switch s.kind {
	case truth:
		return "bool "
	case integer:
		sign := "u"
		if s.signed {
			sign = ""
		}
		return fmt.Sprintf("%sint%d_t ", sign, 8*s.width)
	case double:
		return "double "
	case text:
		return "char *const "
	}
	return "float "
}

func endC(c *literalWriter, l *literal) {
	switch {
	case l.empty:
		c.line("")
	case l.bytes != nil || l.array != nil:
		c.line("};")
	default:
		c.line(";")
	}
}

func scalarC(ctx context.Context, _ *literalWriter, dst []byte, v model.Value, s *shape) []byte {
	switch v := v.(type) {
	case model.Bool:
		return strconv.AppendBool(dst, bool(v))
	case model.Int:
		return appendIntC(dst, int64(v), s.width)
	case model.Symbol:
		return appendNote(ctx, appendIntC(dst, v.Number, s.width), v.Name)
	case model.Uint:
		switch {
		case s.width == 8 && v > math.MaxUint32:
			return append(strconv.AppendUint(append(dst, "UINT64_C("...), uint64(v), 10), ')')
		case v > math.MaxInt32:
			return append(strconv.AppendUint(dst, uint64(v), 10), 'u')
		}
		return strconv.AppendUint(dst, uint64(v), 10)
	case model.Half:
		return floatC(dst, float64(v.Float()), 32)
	case model.Float32:
		return floatC(dst, float64(v), 32)
	case model.Float64:
		return floatC(dst, float64(v), 64)
	case model.Text:
		return appendTextC(dst, string(v))
	}
	return dst
}

// appendIntC appends a signed number. The least ones have no literal in C: their digits alone are too great for the sign.
func appendIntC(dst []byte, v int64, width int) []byte {
	switch {
	case v == math.MinInt64:
		return append(dst, "INT64_MIN"...)
	case v == math.MinInt32 && width == 4:
		return append(dst, "INT32_MIN"...)
	case v > math.MaxInt32 || v < math.MinInt32:
		return append(strconv.AppendInt(append(dst, "INT64_C("...), v, 10), ')')
	}
	return strconv.AppendInt(dst, v, 10)
}

// appendNote appends a name as a comment.
func appendNote(ctx context.Context, dst []byte, name string) []byte {
	if name == "" {
		return dst
	}
	return append(dst, " /* "+strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(oneLine(ctx, name))+" */"...)
}

func floatC(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NAN"...)
	case math.IsInf(f, 1):
		return append(dst, "INFINITY"...)
	case math.IsInf(f, -1):
		return append(dst, "-INFINITY"...)
	}
	dst = pointed(dst, f, bits)
	if bits == 32 {
		dst = append(dst, 'f')
	}
	return dst
}

// pointed appends the shortest digits of a finite number with a point or an exponent, so that it is no integer.
func pointed(dst []byte, f float64, bits int) []byte {
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, bits)
	if !strings.ContainsAny(string(dst[at:]), ".e") {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendTextC appends a string; all but printable ASCII is octal, which no digit that follows can change. Question marks
// that follow one another could be trigraphs.
func appendTextC(dst []byte, s string) []byte {
	dst = append(dst, '"')
	column := 0
	for i := range len(s) {
		if column >= lineWidth-4 {
			dst = append(dst, "\"\n    \""...)
			column = 0
		}
		at := len(dst)
		switch b := s[i]; {
		case b == '\n':
			dst = append(dst, `\n`...)
		case b == '"' || b == '\\' || b == '?' && i > 0 && s[i-1] == '?':
			dst = append(dst, '\\', b)
		case b < 0x20 || b >= 0x7f:
			dst = append(dst, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
		default:
			dst = append(dst, b)
		}
		column += len(dst) - at
	}
	return append(dst, '"')
}

// byteEntries writes bytes as numbers.
func (c *literalWriter) byteEntries(read func(func([]byte)) error) error {
	const perLine = 16
	n := 0
	err := read(func(p []byte) {
		for _, b := range p {
			switch {
			case n%perLine != 0:
				_ = c.WriteByte(' ')
			case n > 0:
				_ = c.WriteByte('\n')
				fallthrough
			default:
				c.str(c.lang.indent)
			}
			_, _ = c.Write([]byte{'0', 'x', hexDigits[b>>4], hexDigits[b&15], ','})
			n++
		}
	})
	if n > 0 {
		_ = c.WriteByte('\n')
	}
	return err
}

// goLanguage writes Go as gofmt leaves it.
var goLanguage = language{comment: "//", indent: "\t", uniform: true, open: "{", shut: "}", begin: beginGo, declare: declareGo, end: endGo, scalar: scalarGo,
	bytes: func(c *literalWriter, read func(func([]byte)) error) error { return c.byteEntries(read) }, finish: finishGo,
	keywords: strings.Fields(`break case chan const continue default defer else fallthrough for func go goto if import interface map package
		range return select struct switch type var bool byte float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64
		string true false init main`)}

func beginGo(c *literalWriter, _ []*literal) {
	c.head()
	if !c.r.Bare {
		c.line("package data\n")
	}
}

func declareGo(c *literalWriter, l *literal) {
	s := &l.shape
	if l.bytes != nil {
		c.str("var " + l.name + " = []byte{")
		if !l.empty {
			c.line("")
		}
		return
	}
	if s.kind == half {
		c.line("// Half-precision numbers, widened exactly.")
	}
	typ := typeGo(s)
	for i := len(s.dims) - 1; i >= 0; i-- {
		typ = fmt.Sprintf("[%d]%s", s.dims[i], typ)
	}
	switch {
	case l.empty:
		c.str("var " + l.name + " = []" + typ + "{")
	case l.array != nil:
		c.line("var " + l.name + " = []" + typ + "{")
	case len(s.dims) > 0:
		c.str("var " + l.name + " = " + typ)
	default:
		c.str("var " + l.name + " " + typ + " = ")
	}
}

func typeGo(s *shape) string {
	switch s.kind {
	case truth:
		return "bool"
	case integer:
		return strings.TrimSuffix(typeC(s), "_t ")
	case double:
		return "float64"
	case text:
		return "string"
	}
	return "float32"
}

func endGo(c *literalWriter, l *literal) {
	if l.bytes != nil || l.array != nil {
		c.str("}")
	}
	c.line("")
}

func scalarGo(ctx context.Context, c *literalWriter, dst []byte, v model.Value, _ *shape) []byte {
	switch v := v.(type) {
	case model.Bool:
		return strconv.AppendBool(dst, bool(v))
	case model.Int:
		return strconv.AppendInt(dst, int64(v), 10)
	case model.Symbol:
		return appendNote(ctx, strconv.AppendInt(dst, v.Number, 10), v.Name)
	case model.Uint:
		return strconv.AppendUint(dst, uint64(v), 10)
	case model.Half:
		return c.floatGo(dst, float64(v.Float()), 32)
	case model.Float32:
		return c.floatGo(dst, float64(v), 32)
	case model.Float64:
		return c.floatGo(dst, float64(v), 64)
	case model.Text:
		return strconv.AppendQuote(dst, string(v))
	}
	return dst
}

// floatGo appends a number. Go has no literals for NaN, the infinities and negative zero: helpers behind the constants
// stand for them.
func (c *literalWriter) floatGo(dst []byte, f float64, bits int) []byte {
	name := ""
	switch {
	case math.IsNaN(f):
		name, c.nan = "NaN", true
	case math.IsInf(f, 1):
		name, c.inf = "Inf", true
	case math.IsInf(f, -1):
		name, c.inf = "-Inf", true
	case f == 0 && math.Signbit(f):
		name, c.zero = "NegativeZero", true
	default:
		return strconv.AppendFloat(dst, f, 'g', -1, bits)
	}
	sign, bare := "", strings.TrimPrefix(name, "-")
	if bare != name {
		sign = "-"
	}
	name = sign + c.prefix + bare
	if bits == 32 {
		name = "float32(" + name + ")"
	}
	return append(dst, name...)
}

func finishGo(c *literalWriter) {
	if !c.nan && !c.inf && !c.zero {
		return
	}
	c.line("\n// What has no literal in Go.\nvar " + c.prefix + "Zero float64")
	for _, h := range []struct {
		used       bool
		name, from string
	}{{c.nan, "NaN", "%sZero / %[1]sZero"}, {c.inf || c.zero, "Inf", "1 / %sZero"}, {c.zero, "NegativeZero", "-1 / %sInf"}} {
		if h.used {
			c.line("var " + c.prefix + h.name + " = " + fmt.Sprintf(h.from, c.prefix))
		}
	}
}

// pythonLanguage writes Python 3.
var pythonLanguage = language{comment: "#", indent: "    ", open: "(", shut: ")", lone: ",", begin: func(c *literalWriter, _ []*literal) { c.head() },
	declare: declarePython, end: endPython, scalar: scalarPython, bytes: bytesPython, finish: func(*literalWriter) {},
	keywords: strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from
		global if import in is lambda nonlocal not or pass raise return try while with yield float`)}

func declarePython(c *literalWriter, l *literal) {
	switch {
	case l.bytes != nil:
		c.line(l.name + " = (")
	case l.empty:
		c.str(l.name + " = [")
	case l.array != nil:
		c.line(l.name + " = [")
	default:
		c.str(l.name + " = ")
	}
}

func endPython(c *literalWriter, l *literal) {
	switch {
	case l.bytes != nil:
		c.str(")")
	case l.array != nil:
		c.str("]")
	}
	if v, ok := l.value.(model.Symbol); ok && l.array == nil && v.Name != "" {
		c.str("  # " + oneLine(c.ctx, v.Name))
	} else if c.nameless {
		c.r.reduce(l.place, "%s", nameless)
	}
	c.nameless = false
	c.line("")
}

func scalarPython(_ context.Context, c *literalWriter, dst []byte, v model.Value, s *shape) []byte {
	switch v := v.(type) {
	case model.Bool:
		if v {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case model.Int:
		return strconv.AppendInt(dst, int64(v), 10)
	case model.Symbol:
		c.nameless = c.nameless || v.Name != ""
		return strconv.AppendInt(dst, v.Number, 10)
	case model.Uint:
		return strconv.AppendUint(dst, uint64(v), 10)
	case model.Half:
		return floatPython(dst, float64(v.Float()), 32)
	case model.Float32:
		return floatPython(dst, float64(v), 32)
	case model.Float64:
		return floatPython(dst, float64(v), 64)
	case model.Text:
		return textPython(dst, string(v))
	}
	return c.compositePython(dst, v, s)
}

// textPython appends a string; where it is not UTF-8 its bytes.
func textPython(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return strconv.AppendQuote(dst, text)
	}
	return appendBytesPython(dst, []byte(text))
}

func (c *literalWriter) compositePython(dst []byte, v model.Value, s *shape) []byte {
	switch v := v.(type) {
	case model.Seq:
		return c.listPython(dst, v, s)
	case model.Array:
		return c.arrayPython(dst, v, s)
	case model.Blob:
		return c.blobPython(dst, v)
	case model.Object:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(textPython(dst, m.Key), ": "...)
			dst = c.value(dst, m.Value, s)
		}
		return append(dst, '}')
	}
	return append(dst, "None"...)
}

func (c *literalWriter) listPython(dst []byte, list []model.Value, s *shape) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = c.value(dst, v, s)
	}
	return append(dst, ']')
}

// arrayPython appends the elements of an array that is in another.
func (c *literalWriter) arrayPython(dst []byte, a model.Array, s *shape) []byte {
	if c.depth == maxNesting {
		c.fail(fmt.Errorf("there are lists in more than %d levels: export it as json", maxNesting))
	}
	c.depth++
	defer func() { c.depth-- }()
	dst = append(dst, '[')
	window := make([]model.Value, min(Window, a.Len()))
	for first := int64(0); first < a.Len() && c.failed == nil; first += int64(len(window)) {
		n, err := readElements(c.ctx, a, first, window)
		for i, v := range window[:n] {
			if first > 0 || i > 0 {
				dst = append(dst, ", "...)
			}
			dst = c.value(dst, v, s)
		}
		c.fail(err)
	}
	return append(dst, ']')
}

func (c *literalWriter) blobPython(dst []byte, b model.Blob) []byte {
	bytes, err := b.Span.Source.Bytes(c.ctx, b.Span.Off, b.Span.Len)
	c.fail(err)
	return appendBytesPython(dst, bytes)
}

func floatPython(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, `float("`+strings.ToLower(strconv.FormatFloat(f, 'g', -1, bits))+`")`...)
	}
	return pointed(dst, f, bits)
}

func appendBytesPython(dst, p []byte) []byte {
	dst = append(dst, `b"`...)
	for _, b := range p {
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b < 0x20 || b >= 0x7f:
			dst = append(dst, '\\', 'x', hexDigits[b>>4], hexDigits[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}

// bytesPython writes bytes in lines of 16, which Python joins.
func bytesPython(c *literalWriter, read func(func([]byte)) error) error {
	const perLine = 16
	some := false
	var line []byte
	flush := func(p []byte) {
		some = true
		c.buf = appendBytesPython(c.buf[:0], p)
		c.str(c.lang.indent)
		_, _ = c.Write(c.buf)
		c.line("")
	}
	err := read(func(p []byte) {
		for len(p) > 0 {
			n := min(perLine-len(line), len(p))
			line, p = append(line, p[:n]...), p[n:]
			if len(line) == perLine {
				flush(line)
				line = line[:0]
			}
		}
	})
	if len(line) > 0 || !some {
		flush(line)
	}
	return err
}
