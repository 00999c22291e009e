package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/model/export/quote"
)

// A language describes the constants of a programming language. In its texts {name} is the constant's name, {type} the
// type of its numbers, and {dims} the lengths of a vector or matrix, as "[3][4]".
type language struct {
	comment  string
	indent   string
	keywords []string
	// uniform means that all elements have one type, which the declaration names.
	uniform bool
	types   map[kind]string // of a uniform language; {sign} and {bits} are those of an integer
	// open and shut are the brackets of a vector; lone follows an only component.
	open, shut, lone string
	// around holds the texts before and after a constant.
	around map[form][2]string
	// noEmpty is the reason for omitting a constant without elements, or "".
	noEmpty string
	truths  [2]string
	// note holds the texts before and after the name of a number, or is empty to omit the name.
	note [2]string
	// points means that a float needs a point or an exponent; narrow follows the digits of a 32-bit one.
	points bool
	narrow string
	// specials are written for floats without digits, or for those that are not empty; narrowSpecial is the text around
	// a 32-bit one. {prefix} is the name of the first constant.
	specials      [4]string
	narrowSpecial string
	quote         func(dst []byte, text string) []byte
	signed        func(dst []byte, n int64, width int) []byte
	unsigned      func(dst []byte, n uint64, width int) []byte
	other         func(c *literalWriter, dst []byte, v model.Value, s *shape) []byte // appends a value that is neither number nor text
	// begin and finish write the text before and after all constants.
	begin  func(c *literalWriter, list []*literal)
	finish func(c *literalWriter)
	// bytes writes the bytes of a literal, which read passes on in pieces.
	bytes func(c *literalWriter, read func(func([]byte)) error) error
}

// A form is a kind of constant, by which the text around it is chosen.
type form uint8

const (
	ofBytes form = iota
	ofNoBytes
	ofElements
	ofNoElements
	ofVector
	ofText
	ofNumber
)

// Floats that may have no digits.
const (
	notANumber = iota
	infinite
	minusInfinite
	minusZero
)

// cLanguage is C99, and C++.
var cLanguage = language{
	comment: "//", indent: "    ", uniform: true, open: "{", shut: "}",
	types: map[kind]string{truth: "bool ", integer: "{sign}int{bits}_t ", half: "float ", single: "float ", double: "double ", text: "char *const "},
	around: map[form][2]string{
		ofBytes:    {"static const uint8_t {name}[] = {\n", "};\n"},
		ofElements: {"static const {type}{name}[]{dims} = {\n", "};\n"},
		ofVector:   {"static const {type}{name}{dims} = ", ";\n"},
		ofText:     {"static const char {name}[] = ", ";\n"},
		ofNumber:   {"static const {type}{name} = ", ";\n"},
	},
	noEmpty: "C has no arrays of length 0",
	truths:  [2]string{"false", "true"}, note: [2]string{" /* ", " */"},
	points: true, narrow: "f", specials: [4]string{"NAN", "INFINITY", "-INFINITY"},
	quote: quote.CText, signed: quote.CInt, unsigned: quote.CUint, other: nothing,
	begin: beginC, finish: func(*literalWriter) {}, bytes: (*literalWriter).byteEntries,
	keywords: strings.Fields(`asm auto bool break case catch char class const continue default delete do double else enum explicit export
		extern false float for friend goto if inline int long mutable namespace new operator private protected public register
		restrict return short signed sizeof static struct switch template this throw true try typedef typename union unsigned
		using virtual void volatile while NAN INFINITY main`),
}

// goLanguage is Go in gofmt's style.
var goLanguage = language{
	comment: "//", indent: "\t", uniform: true, open: "{", shut: "}",
	types: map[kind]string{truth: "bool", integer: "{sign}int{bits}", half: "float32", single: "float32", double: "float64", text: "string"},
	around: map[form][2]string{
		ofBytes:      {"var {name} = []byte{\n", "}\n"},
		ofNoBytes:    {"var {name} = []byte{", "}\n"},
		ofElements:   {"var {name} = []{dims}{type}{\n", "}\n"},
		ofNoElements: {"var {name} = []{dims}{type}{", "}\n"},
		ofVector:     {"var {name} = {dims}{type}", "\n"},
		ofText:       {"var {name} {type} = ", "\n"},
		ofNumber:     {"var {name} {type} = ", "\n"},
	},
	truths: [2]string{"false", "true"}, note: [2]string{" /* ", " */"},
	specials: [4]string{"{prefix}NaN", "{prefix}Inf", "-{prefix}Inf", "{prefix}NegativeZero"}, narrowSpecial: "float32({special})",
	quote: strconv.AppendQuote, signed: quote.Digits, unsigned: quote.UnsignedDigits, other: nothing,
	begin: beginGo, finish: finishGo, bytes: (*literalWriter).byteEntries,
	keywords: strings.Fields(`break case chan const continue default defer else fallthrough for func go goto if import interface map package
		range return select struct switch type var bool byte float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64
		string true false init main`),
}

// pythonLanguage is Python 3.
var pythonLanguage = language{
	comment: "#", indent: "    ", open: "(", shut: ")", lone: ",",
	around: map[form][2]string{
		ofBytes:      {"{name} = (\n", ")\n"},
		ofNoBytes:    {"{name} = (\n", ")\n"},
		ofElements:   {"{name} = [\n", "]\n"},
		ofNoElements: {"{name} = [", "]\n"},
		ofNumber:     {"{name} = ", "\n"},
	},
	truths: [2]string{"False", "True"},
	points: true, specials: [4]string{`float("nan")`, `float("+inf")`, `float("-inf")`},
	quote: quote.PythonText, signed: quote.Digits, unsigned: quote.UnsignedDigits, other: (*literalWriter).compositePython,
	begin: func(c *literalWriter, _ []*literal) { c.head() }, finish: func(*literalWriter) {}, bytes: bytesPython,
	keywords: strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from
		global if import in is lambda nonlocal not or pass raise return try while with yield float`),
}

// head writes a comment on the origin of the constants.
func (c *literalWriter) head() {
	name := ""
	if c.r.Doc != nil {
		name = " of " + oneLine(c.ctx, c.r.Doc.Name)
	}
	if !c.r.Bare {
		c.line(c.lang.comment + " Constants" + name + ", written by Cutaway.\n")
	}
}

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

func beginGo(c *literalWriter, _ []*literal) {
	c.head()
	if !c.r.Bare {
		c.line("package data\n")
	}
}

// finishGo declares helpers for floats without a literal in Go.
func finishGo(c *literalWriter) {
	infinity := c.special[infinite] || c.special[minusInfinite] || c.special[minusZero]
	if !infinity && !c.special[notANumber] {
		return
	}
	c.line("\n// What has no literal in Go.\nvar " + c.prefix + "Zero float64")
	for _, h := range []struct {
		used       bool
		name, from string
	}{{c.special[notANumber], "NaN", "%sZero / %[1]sZero"}, {infinity, "Inf", "1 / %sZero"}, {c.special[minusZero], "NegativeZero", "-1 / %sInf"}} {
		if h.used {
			c.line("var " + c.prefix + h.name + " = " + fmt.Sprintf(h.from, c.prefix))
		}
	}
}

// form returns the form of the constant l.
func (l *literal) form() form {
	switch {
	case l.bytes != nil && l.empty:
		return ofNoBytes
	case l.bytes != nil:
		return ofBytes
	case l.empty:
		return ofNoElements
	case l.array != nil:
		return ofElements
	case len(l.shape.dims) > 0:
		return ofVector
	case l.shape.kind == text:
		return ofText
	}
	return ofNumber
}

// delimiters returns the texts before and after a constant.
func (c *literalWriter) delimiters(l *literal) (before, after string) {
	s := &l.shape
	sign, dims := "u", ""
	if s.signed {
		sign = ""
	}
	for _, n := range s.dims {
		dims += fmt.Sprintf("[%d]", n)
	}
	typ := strings.NewReplacer("{sign}", sign, "{bits}", strconv.Itoa(8*s.width)).Replace(c.lang.types[s.kind])
	text := c.lang.around[l.form()]
	return strings.NewReplacer("{name}", l.name, "{type}", typ, "{dims}", dims).Replace(text[0]), text[1]
}

// scalar appends one number or text.
func (c *literalWriter) scalar(dst []byte, v model.Value, s *shape) []byte {
	lang := c.lang
	switch v := v.(type) {
	case model.Bool:
		if v {
			return append(dst, lang.truths[1]...)
		}
		return append(dst, lang.truths[0]...)
	case model.Int:
		return lang.signed(dst, int64(v), s.width)
	case model.Symbol:
		return c.named(lang.signed(dst, v.Number, s.width), v.Name)
	case model.Uint:
		return lang.unsigned(dst, uint64(v), s.width)
	case model.Half:
		return c.float(dst, float64(v.Float()), 32)
	case model.Float32:
		return c.float(dst, float64(v), 32)
	case model.Float64:
		return c.float(dst, float64(v), 64)
	case model.Text:
		return lang.quote(dst, string(v))
	}
	return lang.other(c, dst, v, s)
}

func nothing(_ *literalWriter, dst []byte, _ model.Value, _ *shape) []byte { return dst }

// named appends the name of a number as a comment, or records its omission.
func (c *literalWriter) named(dst []byte, name string) []byte {
	note := c.lang.note
	switch {
	case name == "":
		return dst
	case note[0] == "":
		c.nameless = true
		return dst
	}
	return append(dst, note[0]+strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(oneLine(c.ctx, name))+note[1]...)
}

// float appends the shortest digits of a number, or the special text of one without digits.
func (c *literalWriter) float(dst []byte, f float64, bits int) []byte {
	which := -1
	switch {
	case math.IsNaN(f):
		which = notANumber
	case math.IsInf(f, 1):
		which = infinite
	case math.IsInf(f, -1):
		which = minusInfinite
	case f == 0 && math.Signbit(f):
		which = minusZero
	}
	if which < 0 || c.lang.specials[which] == "" {
		at := len(dst)
		dst = strconv.AppendFloat(dst, f, 'g', -1, bits)
		if c.lang.points && !strings.ContainsAny(string(dst[at:]), ".e") {
			dst = append(dst, ".0"...)
		}
		if bits == 32 {
			dst = append(dst, c.lang.narrow...)
		}
		return dst
	}
	c.special[which] = true
	special := strings.ReplaceAll(c.lang.specials[which], "{prefix}", c.prefix)
	if around := c.lang.narrowSpecial; bits == 32 && around != "" {
		special = strings.ReplaceAll(around, "{special}", special)
	}
	return append(dst, special...)
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
			_, _ = c.Write([]byte{'0', 'x', quote.HexDigits[b>>4], quote.HexDigits[b&15], ','})
			n++
		}
	})
	if n > 0 {
		_ = c.WriteByte('\n')
	}
	return err
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
			dst = append(quote.PythonText(dst, m.Key), ": "...)
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

// arrayPython appends the elements of an inner array.
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
	return quote.PythonBytes(dst, bytes)
}

// bytesPython writes bytes in lines of 16, which Python concatenates.
func bytesPython(c *literalWriter, read func(func([]byte)) error) error {
	const perLine = 16
	some := false
	var line []byte
	flush := func(p []byte) {
		some = true
		c.buf = quote.PythonBytes(c.buf[:0], p)
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
