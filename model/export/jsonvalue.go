package export

import (
	"context"
	"encoding/base64"
	"io"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export/quote"
)

// maxNesting is the greatest depth of values. Only the counts of deeper ones are written.
const maxNesting = model.MaxNesting

// flushAt is the number of bytes that are written at once.
const flushAt = 64 << 10

// An encoder appends JSON or YAML to buf and flushes it to its writer, if any, in pieces.
type encoder struct {
	ctx    context.Context
	w      io.Writer // or nil to keep all in buf
	buf    []byte
	whole  bool     // write sequences as arrays and bytes in full, whatever the length
	keys   []string // the keys of a node to write, or nil for all
	yaml   bool
	nested bool    // nodes are written inside their parents
	levels []level // the open structures
	tally  Tally

	window []model.Value // elements of the outermost array
	unread error         // why elements of the last value could not be read
	short  bool          // a sequence was shortened since the last account
	deep   bool          // values nested too deep were omitted since
	// replaced means that invalid UTF-8 was replaced since.
	replaced bool
	request  *Request // collects omissions; may be nil
	failed   error    // the error that ended writing
}

// AppendValue appends v as JSON by the rules of docs/json.md. The error is a failure to read elements or bytes of v;
// those before are written as {"count":n,"first":[…]}.
func AppendValue(ctx context.Context, dst []byte, v model.Value) ([]byte, error) {
	e := encoder{ctx: ctx, buf: dst}
	e.value(v, 0)
	return e.buf, e.unread
}

func (e *encoder) str(s string) { e.buf = append(e.buf, s...) }

// text writes a string that has no other form for invalid UTF-8.
func (e *encoder) text(s string) {
	e.replaced = e.replaced || !utf8.ValidString(s)
	e.buf = quote.String(e.buf, s)
}

// spill flushes the buffer if it is long.
func (e *encoder) spill() {
	if e.w != nil && len(e.buf) >= flushAt {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.failed == nil && len(e.buf) > 0 {
		_, e.failed = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

func (e *encoder) value(v model.Value, depth int) {
	switch v := v.(type) {
	case model.Bool:
		if v {
			e.str("true")
		} else {
			e.str("false")
		}
	case model.Int:
		e.buf = quote.Int(e.buf, int64(v))
	case model.Uint:
		e.buf = quote.Uint(e.buf, uint64(v))
	case model.Float64:
		e.float(float64(v), 64)
	case model.Float32:
		e.float(float64(v), 32)
	case model.Half:
		e.float(v.Shortest(), 64)
	case model.Text:
		e.buf = quote.Text(e.buf, string(v))
	case model.Symbol:
		if v.Name == "" {
			e.buf = quote.Int(e.buf, v.Number)
		} else {
			e.buf = quote.Text(e.buf, v.Name)
		}
	default:
		e.composite(v, depth)
	}
}

func (e *encoder) composite(v model.Value, depth int) {
	switch v := v.(type) {
	case nil, model.None:
		e.str("null")
	case model.Tuple:
		e.sequence(v, depth)
	case model.Seq:
		e.sequence(v, depth)
	case model.Object:
		e.object(v, depth)
	case model.Blob:
		e.blob(v)
	case model.Array:
		e.array(v, depth)
	}
}

func (e *encoder) sequence(vs []model.Value, depth int) {
	switch {
	case depth >= maxNesting:
		e.countAndFirst(int64(len(vs)), nil, depth)
	case len(vs) <= FirstElements || e.whole:
		e.list(vs, depth)
	default:
		e.countAndFirst(int64(len(vs)), vs[:FirstElements], depth)
	}
}

func (e *encoder) list(vs []model.Value, depth int) {
	e.buf = append(e.buf, '[')
	for i, v := range vs {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.value(v, depth+1)
	}
	e.buf = append(e.buf, ']')
}

func (e *encoder) countAndFirst(count int64, first []model.Value, depth int) {
	switch n := int64(len(first)); {
	case depth >= maxNesting:
		e.deep = e.deep || n < count
	case n == FirstElements:
		e.short = e.short || n < count
	}
	e.str(`{"count":`)
	e.buf = quote.Int(e.buf, count)
	e.str(`,"first":`)
	e.list(first, depth)
	e.buf = append(e.buf, '}')
}

func (e *encoder) object(o model.Object, depth int) {
	if depth >= maxNesting {
		e.countAndFirst(int64(len(o)), nil, depth)
		return
	}
	e.buf = append(e.buf, '{')
	for i, m := range o {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.text(m.Key)
		e.buf = append(e.buf, ':')
		e.value(m.Value, depth+1)
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) array(a model.Array, depth int) {
	count := a.Len()
	switch {
	case depth >= maxNesting:
		e.countAndFirst(count, nil, depth)
		return
	case e.whole:
		e.wholeArray(a, depth)
		return
	}
	window := e.elements(depth, int(min(FirstElements, count)))
	n, err := readElements(e.ctx, a, 0, window)
	if err != nil {
		e.unread = err
	}
	if count > FirstElements || err != nil {
		e.countAndFirst(count, window[:n], depth)
	} else {
		e.list(window[:n], depth)
	}
}

// wholeArray writes every element, a window at a time, up to the first unreadable one.
func (e *encoder) wholeArray(a model.Array, depth int) {
	window := e.elements(depth, int(min(Window, a.Len())))
	e.buf = append(e.buf, '[')
	for first := int64(0); first < a.Len() && e.failed == nil; {
		n, err := readElements(e.ctx, a, first, window)
		for i, v := range window[:n] {
			if first > 0 || i > 0 {
				e.buf = append(e.buf, ',')
			}
			e.value(v, depth+1)
			e.spill()
		}
		if err != nil {
			e.unread = err
			break
		}
		first += int64(n)
	}
	e.buf = append(e.buf, ']')
}

// elements returns memory for n elements. That of the outermost array is reused, since nearly all arrays are outermost.
func (e *encoder) elements(depth, n int) []model.Value {
	if depth > 0 {
		return make([]model.Value, n)
	}
	if len(e.window) < n {
		e.window = make([]model.Value, n)
	}
	return e.window[:n]
}

// wholeBlob writes bytes in full, up to the first unreadable one.
func (e *encoder) wholeBlob(s model.Span) {
	const window = 48 << 10 // a multiple of 3, so that pieces of base64 can be joined
	e.str(`{"base64":"`)
	for off := int64(0); off < s.Len && e.unread == nil; off += window {
		b, err := s.Source.Bytes(e.ctx, s.Off+off, min(window, s.Len-off))
		if err != nil {
			e.unread = err
			break
		}
		e.buf = base64.StdEncoding.AppendEncode(e.buf, b)
		e.spill()
	}
	e.str(`"}`)
}

// blob writes at most 64 bytes as base64. Of more it writes the count and the first 64 as numbers, as of any sequence.
func (e *encoder) blob(b model.Blob) {
	s := b.Span
	if e.whole && s.Source != nil {
		e.wholeBlob(s)
		return
	}
	var p [FirstElements]byte
	n := 0
	if s.Source != nil && s.Len > 0 {
		var err error
		if n, err = s.Source.ReadFull(e.ctx, p[:min(s.Len, FirstElements)], s.Off); err != nil {
			e.unread = err
		}
	}
	if int64(n) == s.Len {
		e.buf = quote.Base64(e.buf, p[:n])
		return
	}
	e.short = e.short || n == FirstElements
	e.str(`{"count":`)
	e.buf = quote.Int(e.buf, s.Len)
	e.str(`,"first":[`)
	for i, c := range p[:n] {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = quote.Uint(e.buf, uint64(c))
	}
	e.str("]}")
}
