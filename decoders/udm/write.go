package udm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// maxWritten is the longest text that a part of the tree is written as.
const maxWritten = 64 << 20

// asASCII is a child or an item as the engine would write it in the ASCII form (8.5).
type asASCII struct {
	model.CardBase
	m member
}

// asciiTitle is the title of the cards that show a part in the ASCII form.
var asciiTitle = model.CardBase{Title: "as ASCII"}

// WriteText writes the value in the ASCII form. It fails where ctx ends, bytes cannot be read or the text would be too long.
func (a *asASCII) WriteText(ctx context.Context, out io.Writer, omitted *model.Omissions) error {
	return written(ctx, out, omitted, func(w *writer) error {
		if a.m.key == "" && a.m.keySpan.Source == nil {
			return w.bare(a.m.datum)
		}
		return w.member(a.m, 0)
	})
}

// wholeASCII is a file as the engine would write it in the ASCII form.
type wholeASCII struct {
	model.CardBase
	d *udm
}

// WriteText writes the whole asset in the ASCII form.
func (a *wholeASCII) WriteText(ctx context.Context, out io.Writer, omitted *model.Omissions) error {
	return written(ctx, out, omitted, func(w *writer) error {
		top, err := a.d.top(ctx, nil)
		if top == nil || err != nil {
			return err
		}
		return w.bare(top)
	})
}

// valueASCII is a packed value in the ASCII form.
type valueASCII struct {
	model.CardBase
	value model.Value
	typ   types.ID
	shape *shape
}

// WriteText writes a packed value in the ASCII form.
func (a *valueASCII) WriteText(ctx context.Context, out io.Writer, omitted *model.Omissions) error {
	return written(ctx, out, omitted, func(w *writer) error {
		if a.shape == nil {
			return w.scalar(a.typ, a.value)
		}
		w.structure(a.shape, a.value)
		return nil
	})
}

// written passes to out what write writes.
func written(ctx context.Context, out io.Writer, omitted *model.Omissions, write func(w *writer) error) error {
	w := &writer{ctx: ctx, omitted: omitted, Writer: bufio.NewWriter(&boundedText{out: out})}
	if err := write(w); err != nil {
		return err
	}
	w.account()
	return w.Flush()
}

// maxCommas is the most values without bytes that are written, since a file may claim any number.
const maxCommas = 1 << 20

// boundedText is a text that may not become too long.
type boundedText struct {
	out io.Writer
	n   int
}

func (l *boundedText) Write(p []byte) (int, error) {
	if l.n += len(p); l.n > maxWritten {
		return 0, errTooLong
	}
	return l.out.Write(p)
}

var errTooLong = fmt.Errorf("as text this is longer than %d MB, which is as much as Cutaway writes at once", maxWritten>>20)

// writer writes the ASCII form. Errors of writing come with Flush.
type writer struct {
	ctx context.Context
	*bufio.Writer
	omitted *model.Omissions
	at      []string // names down to the value that is written
	rounded bool     // one of its numbers lost decimals
	quoted  bool     // one of its texts has quotation marks
}

// account notes what the text lacks of the value that is written.
func (w *writer) account() {
	if w.rounded {
		w.omitted.Reduce(w.path(), fmt.Sprintf("floats have %d decimals, doubles %d", floatDecimals, doubleDecimals))
	}
	if w.quoted {
		w.lose("a quotation mark, which the form has no way to write")
	}
	w.rounded, w.quoted = false, false
}

func (w *writer) lose(reason string) { w.omitted.Lose(w.path(), reason) }

// path is that of the value which is written, below the node of the card.
func (w *writer) path() string {
	if w.omitted == nil {
		return ""
	}
	return strings.Join(w.at, "/")
}

// inside writes a part of the value that is written, under the part's name.
func (w *writer) inside(name string, write func() error) error {
	w.account()
	w.at = append(w.at, model.EscapeSegment(name))
	err := write()
	w.account()
	w.at = w.at[:len(w.at)-1]
	return err
}

// quote is quote, and notes what is not read again.
func (w *writer) quote(s string) string {
	w.quoted = w.quoted || strings.Contains(s, `"`)
	return ascii.Quote(s)
}

func (w *writer) text(s ...string) {
	for _, part := range s {
		_, _ = w.WriteString(part)
	}
}

func (w *writer) line(depth int) {
	w.text("\n")
	for range depth {
		w.text("\t")
	}
}

// bare writes what has no key: an item, or the whole of a text without asset keys.
func (w *writer) bare(v datum) error {
	if v.kind() != types.Element {
		return w.value(v, 0)
	}
	c, err := v.contents(w.ctx, nil)
	if err != nil {
		return err
	}
	return w.children(c, 0)
}

// member writes a property or child element.
func (w *writer) member(m member, depth int) error {
	v := m.datum
	if v.kind() == types.Element {
		w.text(w.quote(m.key))
		w.line(depth)
		return w.block(v, depth)
	}
	w.text("$", types.Text(v.kind()))
	if v.kind() == types.Struct {
		c, err := v.contents(w.ctx, nil)
		if err != nil {
			return err
		}
		if c.shape != nil {
			w.text(strings.TrimPrefix(c.shape.String(), types.Struct.String()))
		}
	}
	key := ascii.WordText(m.key)
	w.quoted = w.quoted || key != m.key && strings.Contains(m.key, `"`)
	w.text(" ", key, " ")
	return w.value(v, depth)
}

// block writes an element in its brackets.
func (w *writer) block(v datum, depth int) error {
	c, err := v.contents(w.ctx, nil)
	if err != nil {
		return err
	}
	w.text("{")
	w.line(depth + 1)
	if err := w.children(c, depth+1); err != nil {
		return err
	}
	w.line(depth)
	w.text("}")
	return nil
}

// children writes the children of an element, sorted by key.
func (w *writer) children(c *contents, depth int) error {
	all := make([]member, c.n)
	for i := range all {
		all[i] = c.at(w.ctx, int64(i))
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].key < all[j].key })
	for i, m := range all {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if i > 0 {
			w.line(depth)
		}
		if err := w.inside(m.segment, func() error { return w.member(m, depth) }); err != nil {
			return err
		}
	}
	return nil
}

// value writes a value after its key, or an item.
func (w *writer) value(v datum, depth int) error {
	w.limits(v)
	switch v.kind() {
	case types.Element:
		return w.block(v, depth)
	case types.Array, types.ArrayLZ4:
		return w.array(v, depth)
	}
	c, err := v.contents(w.ctx, nil)
	if err != nil {
		return err
	}
	switch v.kind() {
	case types.Blob:
		return w.base64(c.data)
	case types.UTF8:
		w.text("[base64]")
		if text, ok := v.look(w.ctx).value.(model.Text); ok {
			w.text("[", base64.StdEncoding.EncodeToString([]byte(text)), "]")
			return nil
		}
		return w.base64(c.data)
	case types.LZ4:
		if c.block == nil {
			return nil
		}
		w.text("[", strconv.FormatInt(c.block.want, 10), "]")
		return w.base64(c.block.in)
	case types.Struct:
		if c.rows == nil {
			return nil
		}
		return c.rows.eachValue(w.ctx, func(s model.Value) error {
			w.structure(c.shape, s)
			return nil
		})
	case types.Nil:
		return nil
	}
	return w.scalar(v.kind(), v.look(w.ctx).value)
}

// limits notes that a value is not written because it could not be read, or a limit kept it from being read.
func (w *writer) limits(v datum) {
	if w.omitted == nil {
		return
	}
	if !v.kind().Known() {
		w.lose("it could not be read")
	}
	for _, p := range v.look(w.ctx).problems {
		if p.Kind == model.Limit {
			w.lose(p.Message)
		}
	}
}

// array writes a header and the items, or the LZ4 block that they are in.
func (w *writer) array(v datum, depth int) error {
	c, err := v.contents(w.ctx, nil)
	if err != nil {
		return err
	}
	item := types.Text(c.item)
	if c.shape != nil {
		item = c.shape.String()
	}
	n := c.n
	if c.rows != nil {
		n = c.rows.len(w.ctx)
	}
	w.text("[", item, ";", strconv.FormatInt(n, 10))
	if c.block != nil {
		w.text(";", strconv.FormatInt(c.block.want, 10), "]")
		return w.base64(c.block.in)
	}
	w.text("][")
	if c.rows != nil {
		if err := w.rows(c); err != nil {
			return err
		}
	}
	for i := range c.n {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if i > 0 {
			w.text(",")
		}
		if c.item == types.Element {
			w.line(depth + 1)
		}
		item := c.at(w.ctx, i)
		if err := w.inside(item.segment, func() error { return w.value(item.datum, depth+1) }); err != nil {
			return err
		}
	}
	if c.item == types.Element && c.n > 0 {
		w.line(depth)
	}
	w.text("]")
	return nil
}

// rows writes packed values. Those of type nil are commas.
func (w *writer) rows(c *contents) error {
	if size := strideOf(c.item, c.shape); size == 0 && c.rows.len(w.ctx) > maxCommas {
		return fmt.Errorf("%d values without bytes are more than Cutaway writes as text", c.rows.len(w.ctx))
	}
	first := true
	return c.rows.eachValue(w.ctx, func(v model.Value) error {
		if !first || c.item == types.Nil && c.shape == nil {
			w.text(",")
		}
		first = false
		if _, err := w.Write(nil); err != nil {
			return err // the text is too long already
		}
		if c.shape != nil {
			w.structure(c.shape, v)
			return nil
		}
		return w.scalar(c.item, v)
	})
}

// structure writes the values of a struct.
func (w *writer) structure(s *shape, v model.Value) {
	tuple, ok := v.(model.Tuple)
	if !ok {
		w.lose("it could not be read")
	}
	w.text("[")
	for i, m := range tuple {
		if i > 0 {
			w.text(",")
		}
		if s != nil && i < len(s.types) {
			_ = w.scalar(s.types[i], m)
		}
	}
	w.text("]")
}

// scalar writes a value of a fixed-size type, a string or a ref.
func (w *writer) scalar(t types.ID, v model.Value) error {
	switch v := v.(type) {
	case model.Text:
		w.text(w.quote(string(v)))
	case model.Blob:
		return w.longText(v.Span)
	case model.Bool:
		if v {
			w.text("1")
		} else {
			w.text("0")
		}
	case model.Tuple:
		w.tuple(t, v)
	case model.None, nil:
		if t != types.Nil {
			w.lose("it could not be read")
		}
	default:
		w.number(v)
	}
	return nil
}

// tuple writes the numbers of a vector, or the groups of numbers of a matrix or transform; quaternions as w, x, y, z.
func (w *writer) tuple(t types.ID, v model.Tuple) {
	w.text("[")
	for i, m := range v {
		inner, ok := m.(model.Tuple)
		switch {
		case ok:
			w.tuple(innerType(t, len(inner)), inner)
			continue
		case i > 0:
			w.text(",")
		}
		if t == types.Quat && len(v) == 4 {
			m = v[(i+3)%4]
		}
		w.number(m)
	}
	w.text("]")
}

// innerType returns the type of the inner numbers of a value of several groups.
func innerType(t types.ID, n int) types.ID {
	if (t == types.Transform || t == types.STransform) && n == 4 {
		return types.Quat
	}
	return types.Nil
}

// Writers give floats 4 decimals and doubles 8, and leave out zeros at the end.
const (
	floatDecimals  = 4
	doubleDecimals = 8
)

func (w *writer) number(v model.Value) {
	text := numberText(w.ctx, v)
	if w.omitted != nil && !w.rounded {
		w.rounded = rounds(v, text)
	}
	w.text(text)
}

// rounds reports whether a text is not all of a number.
func rounds(v model.Value, text string) bool {
	bits := 64
	var f float64
	switch v := v.(type) {
	case model.Float32:
		f, bits = float64(v), 32
	case model.Float64:
		f = float64(v)
	case model.Half:
		f, bits = float64(v.Float()), 32
	default:
		return false
	}
	read, err := strconv.ParseFloat(text, bits)
	return err != nil || math.Float64bits(read) != math.Float64bits(f) && !math.IsNaN(f)
}

func numberText(ctx context.Context, v model.Value) string {
	switch v := v.(type) {
	case model.Float32:
		return decimals(float64(v), floatDecimals)
	case model.Float64:
		return decimals(float64(v), doubleDecimals)
	case model.Half:
		return decimals(float64(v.Float()), floatDecimals)
	}
	return model.Show(ctx, v, 64)
}

func decimals(f float64, n int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	s := strings.TrimRight(strconv.FormatFloat(f, 'f', n, 64), "0")
	if s = strings.TrimSuffix(s, "."); s == "-0" {
		return "0"
	}
	return s
}

// base64 writes bytes in brackets.
func (w *writer) base64(at model.Span) error {
	w.text("[")
	if at.Source != nil {
		e := base64.NewEncoder(base64.StdEncoding, w.Writer)
		if _, err := io.Copy(e, at.Reader(w.ctx)); err != nil {
			return err
		}
		if err := e.Close(); err != nil {
			return err
		}
	}
	w.text("]")
	return w.ctx.Err()
}

// inText reports whether a long text is a word of a text already, in its quotation marks.
func (w *writer) inText(at model.Span) bool {
	return at.Source.Origin() == nil && !looksBinary(w.ctx, at.Source)
}

// longText writes a text that was not read as one.
func (w *writer) longText(at model.Span) error {
	text := w.inText(at)
	if !text {
		w.text(`"`)
	}
	err := eachRun(w.ctx, at, func(_ int64, run []byte) bool {
		if text {
			_, _ = w.Write(run)
		} else {
			w.quoted = w.quoted || bytes.IndexByte(run, '"') >= 0
			w.text(strings.ReplaceAll(string(run), `\`, `\\`))
		}
		return true
	})
	if !text {
		w.text(`"`)
	}
	return err
}
