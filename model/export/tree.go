package export

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// A Style colours text for a terminal. The zero Style does not.
type Style struct{ Colour bool }

// The colours of Style, as SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// Strong marks headings and names.
func (s Style) Strong(t string) string { return s.paint(bold, t) }

// Quiet marks types, offsets and notes.
func (s Style) Quiet(t string) string { return s.paint(dim, t) }

// Data marks values.
func (s Style) Data(t string) string { return s.paint(cyan, t) }

// Good marks additions.
func (s Style) Good(t string) string { return s.paint(green, t) }

// Bad marks removals.
func (s Style) Bad(t string) string { return s.paint(red, t) }

// Severity colours t by severity.
func (s Style) Severity(of model.Severity, t string) string {
	switch of {
	case model.Error:
		return s.paint(red, t)
	case model.Warning:
		return s.paint(yellow, t)
	default:
		return s.paint(dim, t)
	}
}

func (s Style) paint(code, t string) string {
	if !s.Colour || t == "" {
		return t
	}
	return "\x1b[" + code + "m" + t + "\x1b[0m"
}

// Mark returns the sign for a severity, which needs no colour.
func Mark(of model.Severity) string { return [...]string{"·", "!", "✗"}[of] }

// Columns of the text tree, in characters. Longer names, values and types are elided in the middle.
const (
	nameColumn   = 40
	typeColumn   = 20
	offsetColumn = 12
	sizeColumn   = 11
	valueColumn  = 40
	maxIndent    = 24
)

// TextOptions control the text tree.
type TextOptions struct {
	Style Style
	// Value is the width of the value column in characters, or 0 for 40.
	Value int

	request *Request // collects omissions; may be nil
}

// A Tree writes nodes as an indented tree for people: name, value, type, offset and size in columns, with the problems
// of a node on lines below. Call Flush at the end.
type Tree struct {
	ctx    context.Context
	w      io.Writer
	opt    TextOptions
	buf    []byte
	open   []openRow
	tally  Tally
	window [FirstElements]model.Value
}

// NewTree returns a writer of a text tree to w.
func NewTree(ctx context.Context, w io.Writer, opt TextOptions) *Tree {
	if opt.Value == 0 {
		opt.Value = valueColumn
	}
	return &Tree{ctx: ctx, w: w, opt: opt, buf: make([]byte, 0, flushAt+4096)}
}

// Head writes the titles of the columns.
func (t *Tree) Head() {
	line := padRight("name", nameColumn) + " " + padRight("value", t.opt.Value) + " " + padRight("type", typeColumn) + " " +
		padLeft("offset", offsetColumn) + " " + padLeft("size", sizeColumn)
	t.buf = append(t.buf, t.opt.Style.Quiet(line)...)
	t.buf = append(t.buf, '\n')
}

// Write writes the node at p. Places must come in the order of a walk.
func (t *Tree) Write(p *model.Place) error {
	for len(t.open) > 0 && t.open[len(t.open)-1].place != p.Parent {
		t.open = t.open[:len(t.open)-1]
	}
	indent := strings.Repeat("  ", min(len(t.open), maxIndent))
	n := &p.Node
	spans := n.PrincipalSpans(t.ctx)
	value, unread := t.value(n)
	style, name := t.opt.Style, indent+oneLine(t.ctx, p.Label())
	t.account(p, name, value, unread)
	t.field(style.Strong, name, nameColumn)
	t.field(style.Data, value, t.opt.Value)
	t.field(style.Quiet, oneLine(t.ctx, n.Type), typeColumn)
	row := openRow{place: p}
	if len(spans) > 0 && spans[0].Source != nil {
		row.src = spans[0].Source
		t.right(style.Quiet, place(spans[0]), offsetColumn)
		t.buf = append(t.buf, ' ')
		t.right(nil, spansSize(spans), sizeColumn)
		if name := t.otherSource(p, row.src); name != "" {
			t.buf = append(t.buf, "  "...)
			t.buf = append(t.buf, style.Quiet(oneLine(t.ctx, name))...)
		}
	}
	t.open = append(t.open, row)
	t.buf = append(trimSpaces(t.buf), '\n')
	for i := range n.Problems {
		t.problem(indent, &n.Problems[i])
	}
	if unread != nil && t.ctx.Err() == nil {
		pr := Unreadable(unread, n)
		t.problem(indent, &pr)
	}
	if len(t.buf) >= flushAt {
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// account records what a line omits of its node.
func (t *Tree) account(p *model.Place, name, value string, unread error) {
	r := t.opt.request
	if r == nil {
		return
	}
	r.limits(p)
	if unread != nil && t.ctx.Err() == nil {
		r.lose(p, unreadable, unread)
	}
	if isWider(name, nameColumn) || isWider(value, t.opt.Value) || isElided(p.Node.Value, value) {
		r.reduce(p, "shortened to the width of a column")
	}
}

// Flush writes buffered lines.
func (t *Tree) Flush() error {
	_, err := t.w.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

// Tally returns the counts of the problems written so far.
func (t *Tree) Tally() Tally { return t.tally }

func (t *Tree) problem(indent string, p *model.Problem) {
	t.tally.Add(p)
	sev := p.Kind.Severity()
	line := fmt.Sprintf("%s  %s %s: %s", indent, Mark(sev), sev, oneLine(t.ctx, p.Error()))
	t.buf = append(t.buf, t.opt.Style.Severity(sev, line)...)
	t.buf = append(t.buf, t.opt.Style.Quiet("  ["+p.Rule+"]")...)
	t.buf = append(t.buf, '\n')
}

// value returns the text of the value column, and the error of reading elements.
func (t *Tree) value(n *model.Node) (string, error) {
	width := t.opt.Value
	if words, ok := n.InWords(); ok {
		return oneLine(t.ctx, words), nil
	}
	switch v := n.Value.(type) {
	case model.Text:
		return model.Show(t.ctx, v, 8*width), nil // enough for both visible ends
	case model.Array:
		// As many as JSON writes, so that both find the same problems.
		got, err := readElements(t.ctx, v, 0, t.window[:])
		s := model.Show(t.ctx, model.Seq(t.window[:got]), width)
		if int64(got) < v.Len() && !strings.HasSuffix(s, "…]") {
			s = s[:len(s)-1] + ", …]"
		}
		return strconv.FormatInt(v.Len(), 10) + ": " + s, err
	}
	return model.Show(t.ctx, n.Value, width), nil
}

// isElided reports whether text omits a part of v.
func isElided(v model.Value, text string) bool {
	switch v.(type) {
	case model.Tuple, model.Seq, model.Object, model.Array, model.Blob:
		return strings.Contains(text, "…")
	}
	return false
}

// isWider reports whether Elide shortens s.
func isWider(s string, width int) bool { return len(s) > width && utf8.RuneCountInString(s) > width }

// place returns the offset of a span, with @ before an offset in a derived source.
func place(s model.Span) string {
	at := "0x" + strconv.FormatInt(s.Off, 16)
	if s.Source.Origin() != nil {
		return "@" + at
	}
	return at
}

// An openRow is a place that may have children in later rows, and the source of its offset, or nil if it shows none.
type openRow struct {
	place *model.Place
	src   *model.Source
}

// otherSource names the derived source of p's offset if the row above has another one. In the source's own layout the
// path names it.
func (t *Tree) otherSource(p *model.Place, src *model.Source) string {
	if src.Origin() == nil || p.Of != nil && src.Same(p.Of) {
		return ""
	}
	for i := len(t.open) - 1; i >= 0; i-- {
		if above := t.open[i].src; above != nil {
			if above.Same(src) {
				return ""
			}
			break
		}
	}
	return PathText(src.Name())
}

// spansSize returns the size of all spans in bytes, or in bits if all are bit fields.
func spansSize(spans []model.Span) string {
	var sum int64
	field := 0
	whole := false
	for _, s := range spans {
		sum += s.Len
		field += bits.OnesCount64(s.Mask)
		whole = whole || s.Mask == 0
	}
	switch {
	case whole:
		return strconv.FormatInt(sum, 10)
	case field == 1:
		return "1 bit"
	}
	return strconv.Itoa(field) + " bits"
}

func (t *Tree) field(paint func(string) string, s string, width int) {
	s = Elide(s, width)
	t.buf = append(t.buf, paint(s)...)
	for range width - utf8.RuneCountInString(s) + 1 {
		t.buf = append(t.buf, ' ')
	}
}

func (t *Tree) right(paint func(string) string, s string, width int) {
	for range width - len(s) {
		t.buf = append(t.buf, ' ')
	}
	if paint != nil {
		s = paint(s)
	}
	t.buf = append(t.buf, s...)
}

func padRight(s string, width int) string { return s + strings.Repeat(" ", width-len(s)) }

func padLeft(s string, width int) string { return strings.Repeat(" ", width-len(s)) + s }

// Elide shortens s to width characters with an ellipsis in the middle.
func Elide(s string, width int) string {
	if !isWider(s, width) {
		return s
	}
	r := []rune(s)
	head := width / 2
	return string(r[:head]) + "…" + string(r[len(r)-(width-head-1):])
}

// oneLine returns s as one printable line.
func oneLine(ctx context.Context, s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return model.Show(ctx, model.Text(s), len(s)+1)
		}
	}
	return s
}

func trimSpaces(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}
