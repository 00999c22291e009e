package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cutaway/model"
)

// literalForm returns the form of constants in a programming language.
func literalForm(name, title, extension, help string, lang *language) *Form {
	return &Form{Name: name, Title: title, Extension: extension, Help: help, Snippet: true, refuse: noLiteral,
		write: ofValues(func(ctx context.Context, w io.Writer, r *Request) error { return Literals(ctx, w, r, lang) })}
}

// noLiteral returns the reason why the node at p cannot be a constant, or "".
func noLiteral(ctx context.Context, p *model.Place) string {
	switch p.Node.Value.(type) {
	case model.Object:
		return PathText(p.Path()) + " is a structure: export it as json"
	case nil, model.None:
		if withArray(ctx, p) == nil && !model.IsSequence(ctx, &p.Node) && noBytes(ctx, p) != "" && !p.Node.IsPending() {
			return PathText(p.Path()) + " has neither a value nor bytes: export it as json"
		}
	}
	return ""
}

// A kind is a kind of number or text.
type kind uint8

const (
	truth kind = iota
	integer
	half // widened to 32 bits
	single
	double
	text
)

// A shape is the type of a literal, or of the elements of an array.
type shape struct {
	kind   kind
	width  int   // bytes of an integer
	signed bool  // of an integer
	dims   []int // numbers of components of a vector or matrix, outermost first
}

// A literal is a node that becomes a constant.
type literal struct {
	name  string // a unique identifier
	place *model.Place
	note  string       // its type in the format's words, and the number of elements
	bytes []model.Span // to write as bytes, or nil
	array model.Array  // to write as an array, or nil
	value model.Value  // to write as one value
	shape shape        // of the elements, or of the value
	empty bool         // the array has no elements
}

// A literalWriter writes constants. bufio keeps its error for the end.
type literalWriter struct {
	*bufio.Writer
	ctx     context.Context
	lang    *language
	r       *Request
	column  int     // of the line of elements, or 0 between lines
	prefix  string  // the name of the first constant, for helpers
	done    int64   // elements written
	all     int64   // elements of all arrays
	special [4]bool // the specials of the language that were written
	buf     []byte
	depth   int   // of nested lists
	failed  error // why the current value is incomplete
	// nameless means that names of numbers were omitted from the constant.
	nameless bool
}

// fail keeps the first error.
func (c *literalWriter) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// lineWidth is the width at which lines of elements are broken.
const lineWidth = 100

// Literals writes the places' arrays, or else values, or else bytes, as constants of a programming language, named
// after the nodes. For a node without an array it writes that of its only child with one.
func Literals(ctx context.Context, w io.Writer, r *Request, lang *language) error {
	c := &literalWriter{Writer: bufio.NewWriterSize(w, flushAt), ctx: ctx, lang: lang, r: r}
	taken := make(map[string]bool)
	var list []*literal
	for _, p := range r.Places {
		l, err := newLiteral(ctx, p, lang)
		if err != nil {
			return err
		}
		l.name = identifier(p, lang, taken)
		if l.array != nil && l.empty {
			l.value = supposed(l.typeName())
		}
		if lang.uniform && l.bytes == nil {
			if err := l.measure(ctx); err != nil {
				return fmt.Errorf("%s: %w", PathText(p.Path()), err)
			}
		}
		if l.array != nil {
			c.all += l.array.Len()
		}
		list = append(list, l)
	}
	if len(list) > 0 {
		c.prefix = list[0].name
	}
	lang.begin(c, list)
	for i, l := range list {
		if i > 0 {
			c.line("")
		}
		if err := c.literal(l); err != nil {
			return fmt.Errorf("%s: %w", PathText(l.place.Path()), err)
		}
	}
	lang.finish(c)
	return c.Flush()
}

// newLiteral returns the constant of a node.
func newLiteral(ctx context.Context, p *model.Place, lang *language) (*literal, error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	if why := noLiteral(ctx, p); why != "" {
		return nil, errors.New(why)
	}
	l := &literal{place: p, note: p.Node.Type}
	owner := withArray(ctx, p)
	if owner == nil && !lang.uniform && model.IsSequence(ctx, &p.Node) {
		owner = p
	}
	switch v := p.Node.Value.(type) {
	case model.Blob:
		l.setBytes([]model.Span{v.Span})
	case model.Bool, model.Int, model.Uint, model.Symbol, model.Half, model.Float32, model.Float64, model.Tuple, model.Text:
		if owner != nil {
			return l, l.setArray(ctx, owner)
		}
		l.value = v
	default:
		if owner != nil {
			return l, l.setArray(ctx, owner)
		}
		l.setBytes(ownBytes(ctx, p))
	}
	return l, nil
}

func (l *literal) setBytes(spans []model.Span) {
	var sum int64
	for _, s := range spans {
		sum += s.Len
	}
	l.bytes, l.empty, l.note = spans, sum == 0, model.Counted(sum, "byte")
}

func (l *literal) setArray(ctx context.Context, owner *model.Place) error {
	if err := owner.Resolve(ctx, nil); err != nil {
		return err
	}
	a := model.Sequence(ctx, owner)
	l.array, l.empty = a, a.Len() == 0
	typ := owner.Node.Type
	if typ == "" {
		typ = a.Elem()
	}
	l.note = typ + ", " + model.Counted(a.Len(), "element")
	var one [1]model.Value
	if !l.empty {
		if _, err := readElements(ctx, a, 0, one[:]); err != nil {
			return err
		}
		l.value = one[0]
	}
	return nil
}

// typeName returns the format's word for the type of the elements or the value.
func (l *literal) typeName() string {
	if l.array != nil && l.array.Elem() != "" {
		return l.array.Elem()
	}
	return l.place.Node.Type
}

// measure sets the shape of the literal's value, or of its first element, which stands for all.
func (l *literal) measure(ctx context.Context) error {
	s, err := shapeOf(l.value, l.typeName())
	if err == nil {
		err = s.fits(ctx, l.value, 0)
	}
	l.shape = s
	return err
}

// shapeOf returns the shape of v. The name of its type determines the width of an integer.
func shapeOf(v model.Value, typ string) (shape, error) {
	var s shape
	for {
		t, ok := v.(model.Tuple)
		if !ok {
			break
		}
		if len(t) == 0 || len(s.dims) >= maxNesting {
			return s, fmt.Errorf("a vector without components is no constant in this language: export it as json")
		}
		s.dims = append(s.dims, len(t))
		v = t[0]
	}
	switch v.(type) {
	case model.Bool:
		s.kind = truth
	case model.Int:
		s.kind, s.signed, s.width = integer, true, model.IntegerWidth(typ)
	case model.Uint:
		s.kind, s.width = integer, model.IntegerWidth(typ)
	case model.Symbol:
		s.kind, s.signed, s.width = integer, true, 8
	case model.Half:
		s.kind = half
	case model.Float32:
		s.kind = single
	case model.Float64:
		s.kind = double
	case model.Text:
		s.kind = text
	default:
		return s, fmt.Errorf("what is neither a number nor text is no constant in this language: export it as csv or json")
	}
	return s, nil
}

// supposed returns a value of the type that the name of an empty array's type suggests.
func supposed(typ string) model.Value {
	typ = strings.ToLower(typ)
	for _, t := range []struct {
		words []string
		value model.Value
	}{
		{[]string{"half", "f16"}, model.Half(0)}, {[]string{"float", "f32", "single"}, model.Float32(0)}, {[]string{"double", "f64"}, model.Float64(0)},
		{[]string{"bool"}, model.Bool(false)}, {[]string{"string", "token", "text", "asset", "path"}, model.Text("")},
		{[]string{"uint", "ulong", "ushort", "uchar", "byte", "u8", "u16", "u32", "u64"}, model.Uint(0)},
	} {
		for _, word := range t.words {
			if strings.Contains(typ, word) {
				return t.value
			}
		}
	}
	return model.Int(0)
}

// fits returns nil if v, below depth levels of vectors, is of the shape, or the difference as an error.
func (s *shape) fits(ctx context.Context, v model.Value, depth int) error {
	if t, ok := v.(model.Tuple); ok || depth < len(s.dims) {
		if !ok || depth >= len(s.dims) || len(t) != s.dims[depth] {
			return fmt.Errorf("its components are not all alike: export it as csv, json or python")
		}
		for _, c := range t {
			if err := s.fits(ctx, c, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	other, err := shapeOf(v, "")
	switch {
	case err != nil:
		return err
	case other.kind != s.kind || other.signed != s.signed:
		return fmt.Errorf("not all of it is of one type: export it as csv, json or python")
	}
	if !model.FitsInteger(v, s.width) {
		return fmt.Errorf("%s does not fit into %d bits, which its type names", model.Show(ctx, v, 40), 8*s.width)
	}
	return nil
}

// literal writes one constant.
func (c *literalWriter) literal(l *literal) error {
	c.line(c.lang.comment + " " + oneLine(c.ctx, PathText(l.place.Path())) + ": " + oneLine(c.ctx, l.note))
	if l.empty && c.lang.noEmpty != "" {
		c.line(c.lang.comment + " " + c.lang.noEmpty + ".")
		c.r.reduce(l.place, "%s", c.lang.noEmpty)
		return nil
	}
	before, after := c.delimiters(l)
	if c.lang.uniform && l.bytes == nil && l.shape.kind == half {
		c.line(c.lang.comment + " Half-precision numbers, widened exactly.")
	}
	c.str(before)
	switch {
	case l.bytes != nil:
		if err := c.lang.bytes(c, func(write func([]byte)) error { return c.readBytes(l.bytes, write) }); err != nil {
			return err
		}
	case l.array != nil:
		if err := c.elements(l); err != nil {
			return err
		}
	default:
		c.buf = c.value(c.buf[:0], l.value, &l.shape)
		_, _ = c.Write(c.buf)
	}
	if v, ok := l.value.(model.Symbol); ok && l.array == nil && c.nameless {
		after = "  " + c.lang.comment + " " + oneLine(c.ctx, v.Name) + after
	} else if c.nameless {
		c.r.reduce(l.place, "%s", nameless)
	}
	c.nameless = false
	c.str(after)
	return nil
}

// readBytes reads spans in pieces.
func (c *literalWriter) readBytes(spans []model.Span, write func([]byte)) error {
	for _, s := range spans {
		err := copySpan(c.ctx, writerTo(func(p []byte) error {
			write(p)
			_, err := c.Write(nil) // the error that bufio has kept
			return err
		}), s)
		if err != nil {
			return err
		}
	}
	return nil
}

type writerTo func(p []byte) error

func (f writerTo) Write(p []byte) (int, error) { return len(p), f(p) }

// elements writes the elements of an array, as many on a line as fit.
func (c *literalWriter) elements(l *literal) error {
	window := make([]model.Value, Window)
	size := firstWindow
	for first := int64(0); first < l.array.Len(); size = min(Window, 4*size) {
		n, err := readElements(c.ctx, l.array, first, window[:size])
		for i, v := range window[:n] {
			if c.lang.uniform {
				if err := l.shape.fits(c.ctx, v, 0); err != nil {
					return fmt.Errorf("element %d: %w", first+int64(i), err)
				}
			}
			c.buf = c.value(c.buf[:0], v, &l.shape)
			c.entry(c.buf)
		}
		if err := cmp.Or(c.failed, err); err != nil {
			return err
		}
		if _, err := c.Write(nil); err != nil {
			return err
		}
		first += int64(n)
		c.done += int64(n)
		c.r.Progress.Report(c.done, c.all, Writing)
	}
	c.endEntries()
	return nil
}

// value appends a scalar or the components of a vector.
func (c *literalWriter) value(dst []byte, v model.Value, s *shape) []byte {
	t, ok := v.(model.Tuple)
	if !ok {
		return c.scalar(dst, v, s)
	}
	dst = append(dst, c.lang.open...)
	for i, e := range t {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = c.value(dst, e, s)
	}
	if len(t) == 1 {
		dst = append(dst, c.lang.lone...)
	}
	return append(dst, c.lang.shut...)
}

// entry writes an element and a comma, on the current line if it fits.
func (c *literalWriter) entry(b []byte) {
	const indent = 4
	switch {
	case c.column > 0 && c.column+len(b)+2 <= lineWidth:
		_ = c.WriteByte(' ')
		c.column++
	case c.column > 0:
		_ = c.WriteByte('\n')
		fallthrough
	default:
		c.str(c.lang.indent)
		c.column = indent
	}
	_, _ = c.Write(b)
	_ = c.WriteByte(',')
	c.column += len(b) + 1
}

// endEntries ends the line of elements.
func (c *literalWriter) endEntries() {
	if c.column > 0 {
		_ = c.WriteByte('\n')
	}
	c.column = 0
}

func (c *literalWriter) str(s string)  { _, _ = c.WriteString(s) }
func (c *literalWriter) line(s string) { c.str(s + "\n") }

// identifier returns a unique identifier of the language from the node's name. Elements are named after their parents.
func identifier(p *model.Place, lang *language, taken map[string]bool) string {
	var b strings.Builder
	for at := p; ; at = at.Parent {
		name := strings.Trim(strings.Map(identifierRune, at.Node.Name), "_")
		whole := name
		if b.Len() > 0 && name != "" {
			whole += "_"
		}
		rest := whole + b.String()
		b.Reset()
		b.WriteString(rest)
		if rest != "" && (rest[0] < '0' || rest[0] > '9') || at.Parent == nil {
			break
		}
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "data_" + name
	}
	name = strings.TrimSuffix(name, "_")
	if slices.Contains(lang.keywords, name) {
		name += "_"
	}
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	taken[unique] = true
	return unique
}

// identifierRune returns r if every language accepts it in identifiers, or an underscore.
func identifierRune(r rune) rune {
	if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}
