package export

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/values"
)

// NumPy writes the array at a place as a .npy file, with a row for each element. Without an array it writes the table
// or series as an array of structures, with a field for each column.
func NumPy(ctx context.Context, w io.Writer, r *Request, p *model.Place) error {
	if err := p.Resolve(ctx, r.Progress); err != nil {
		return err
	}
	owner := withRows(ctx, p)
	if owner == nil {
		return errors.New(noRows(ctx, p))
	}
	out := bufio.NewWriterSize(w, flushAt)
	card, array, err := rowsIn(ctx, r, owner)
	if err != nil {
		return err
	}
	if array != nil && r.Times == (Times{}) {
		c, err := values.ArrayColumn(ctx, array)
		if err != nil {
			return err
		}
		if c.Numeric() {
			return errors.Join(numPyArray(ctx, out, c, r.Progress), out.Flush())
		}
	}
	g, err := rowsGrid(ctx, r, p, card, array)
	if err != nil {
		return err
	}
	return errors.Join(numPyTable(ctx, out, g, r, p), out.Flush())
}

// numPyTypes are the names of number kinds.
var numPyTypes = map[model.NumberKind]string{
	model.NumberBool: "|b1", model.NumberI8: "|i1", model.NumberU8: "|u1", model.NumberI16: "<i2", model.NumberU16: "<u2", model.NumberI32: "<i4",
	model.NumberU32: "<u4", model.NumberI64: "<i8", model.NumberU64: "<u8", model.NumberF16: "<f2", model.NumberF32: "<f4", model.NumberF64: "<f8",
}

// numPyHead returns the header of a file: the type and shape of the elements.
func numPyHead(descr, shape string) []byte {
	const before, align = 12, 64
	text := "{'descr': " + descr + ", 'fortran_order': False, 'shape': (" + shape + "), }"
	text += strings.Repeat(" ", align-1-(before+len(text))%align) + "\n"
	b := append([]byte("\x93NUMPY"), 2, 0)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
}

func numPyArray(ctx context.Context, w io.Writer, c *values.Column, progress model.Progress) error {
	n, _ := c.Len()
	shape := strconv.FormatInt(n, 10) + ","
	if c.Packing.Components != 1 {
		shape += " " + strconv.Itoa(c.Packing.Components)
	}
	if _, err := w.Write(numPyHead("'"+numPyTypes[c.Packing.Number]+"'", shape)); err != nil {
		return err
	}
	size := c.Packing.Size()
	window := make([]byte, min(Window, max(n, 1))*size)
	for first := int64(0); first < n; {
		got, err := c.ReadPacked(ctx, first, window[:min(int64(len(window)), (n-first)*size)])
		if err != nil {
			return err
		}
		if got == 0 {
			return model.Problemf(model.Truncated, RuleUnreadable, model.Span{}, "the array ends after %d elements, it claims %d", first, n)
		}
		if _, err := w.Write(window[:int64(got)*size]); err != nil {
			return err
		}
		first += int64(got)
		progress.Report(first, n, Writing)
	}
	return ctx.Err()
}

// A cellType is the type of a column's cells. The first cell with a value determines it.
type cellType struct {
	number model.NumberKind // or NoNumber for text
	width  int              // characters of text
	list   int64            // number of elements in a cell that is a list, or 0
	each   int
}

// descr returns the NumPy type, without the name.
func (c *cellType) descr() string {
	switch {
	case c.number == model.NoNumber:
		return fmt.Sprintf("'<U%d'", max(c.width, 1))
	case c.list > 0 && c.each > 1:
		return fmt.Sprintf("'%s', (%d, %d)", numPyTypes[c.number], c.list, c.each)
	case c.list > 0:
		return fmt.Sprintf("'%s', (%d,)", numPyTypes[c.number], c.list)
	}
	return "'" + numPyTypes[c.number] + "'"
}

// Limits of texts: the most characters, since all take as many as the longest, and the rows that are searched for the
// longest. Types are those of the first rows, and of as many more as are needed for a value in every column.
const (
	maxText  = 4096
	textRows = 1 << 20
	typeRows = Window
)

// numPyTable writes a grid as structures. It reads rows with texts twice: all texts take as many bytes as the longest
// of their column.
func numPyTable(ctx context.Context, w io.Writer, g *grid, r *Request, p *model.Place) error {
	columns, rows, err := cellTypes(ctx, g)
	if err != nil {
		return err
	}
	var fields []string
	names := map[string]int{}
	for k, c := range columns {
		name := g.columns[k]
		if names[name]++; names[name] > 1 {
			name += "~" + strconv.Itoa(names[name])
		}
		fields = append(fields, "("+strconv.QuoteToASCII(name)+", "+c.descr()+")")
	}
	if _, err := w.Write(numPyHead("["+strings.Join(fields, ", ")+"]", strconv.FormatInt(rows, 10)+",")); err != nil {
		return err
	}
	var buf []byte
	lacks := cellLacks{}
	defer lacks.report(r, p, g)
	return eachRow(ctx, g, r.Progress, func(row []model.Value) (err error) {
		buf = buf[:0]
		for k := range columns {
			lacks.look(k, cell(row, k))
			if buf, err = columns[k].append(ctx, buf, row, k); err != nil {
				return fmt.Errorf("%s: %w", g.columns[k], err)
			}
		}
		_, err = w.Write(buf)
		return err
	})
}

// cellTypes returns the types of the columns, and the number of rows.
func cellTypes(ctx context.Context, g *grid) (columns []cellType, rows int64, err error) {
	columns = make([]cellType, len(g.columns))
	known, texts := make([]bool, len(columns)), false
	all, exact := g.count()
	err = eachRow(ctx, g, nil, func(row []model.Value) error {
		rows++
		for k := range columns {
			if err := columns[k].measure(ctx, row, k, &known[k]); err != nil {
				return fmt.Errorf("%s, row %d: %w", g.columns[k], rows-1, err)
			}
			texts = texts || known[k] && columns[k].number == model.NoNumber
		}
		switch {
		case texts && rows > textRows:
			return fmt.Errorf("these are texts of more than %s rows: write the table as csv or parquet", model.Grouped(textRows))
		case rows >= typeRows && exact && !texts && (rows > textRows || !slices.Contains(known, false)):
			rows = all
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return columns, rows, err
}

// eachRow calls visit for the rows of a grid. A row is valid until visit returns.
func eachRow(ctx context.Context, g *grid, progress model.Progress, visit func(row []model.Value) error) error {
	window := make([][]model.Value, min(Window, max(1, maxCells/max(len(g.columns), 1))))
	for first := int64(0); ; {
		n, err := fill(ctx, g, first, window)
		if err != nil || n == 0 {
			return err
		}
		for _, row := range window[:n] {
			if err := visit(row); err != nil {
				return err
			}
		}
		first += int64(n)
		all, _ := g.count()
		progress.Report(first, max(all, first), Writing)
	}
}

// cell returns cell k of a row, or nil if it has no value.
func cell(row []model.Value, k int) model.Value {
	if k >= len(row) {
		return nil
	}
	if _, none := row[k].(model.None); none {
		return nil
	}
	return row[k]
}

func (c *cellType) measure(ctx context.Context, row []model.Value, k int, known *bool) error {
	v := cell(row, k)
	if v == nil {
		return nil
	}
	if a, ok := v.(model.Array); ok {
		return c.measureList(ctx, a, known)
	}
	if c.list > 0 {
		return errUneven
	}
	if !*known {
		*known, c.number = true, model.NumberOf(v, "")
	}
	switch v := v.(type) {
	case model.Text:
		c.width = max(c.width, utf8.RuneCountInString(string(v)))
	case model.Symbol:
		c.width = max(c.width, utf8.RuneCountInString(symbolText(v)))
	default:
		if model.NumberOf(v, "") == model.NoNumber {
			return errors.New("this is neither a number nor text: write the table as csv or parquet")
		}
	}
	if c.width > maxText {
		return fmt.Errorf("a text is longer than %s characters: write the table as csv or parquet", model.Grouped(maxText))
	}
	return nil
}

// errUneven is the error that the cells of a column differ in size.
var errUneven = errors.New("these are lists that are not all of one length and kind of number: write the table as csv or parquet")

// measureList sets the type to that of a list of numbers, or fails if it differs from the type that is known.
func (c *cellType) measureList(ctx context.Context, a model.Array, known *bool) error {
	column, err := values.ArrayColumn(ctx, a)
	if err != nil {
		return err
	}
	p := &column.Packing
	if !*known && column.Numeric() && a.Len() > 0 && a.Len() <= maxText {
		*known, c.number, c.list, c.each = true, p.Number, a.Len(), p.Components
	}
	if !column.Numeric() || c.list != a.Len() || c.number != p.Number || c.each != p.Components {
		return errUneven
	}
	return nil
}

func (c *cellType) appendList(ctx context.Context, b []byte, v model.Value) ([]byte, error) {
	a, ok := v.(model.Array)
	if !ok || c.measureList(ctx, a, new(true)) != nil {
		return b, errUneven
	}
	column, err := values.ArrayColumn(ctx, a)
	if err != nil {
		return b, err
	}
	at, size := len(b), column.Packing.Size()
	b = append(b, make([]byte, c.list*size)...)
	for done := int64(0); done < c.list; {
		n, err := column.ReadPacked(ctx, done, b[int64(at)+done*size:])
		if err != nil || n == 0 {
			return b, cmp.Or(err, errUneven)
		}
		done += int64(n)
	}
	return b, nil
}

func (c *cellType) append(ctx context.Context, b []byte, row []model.Value, k int) ([]byte, error) {
	v := cell(row, k)
	if c.list > 0 && v != nil {
		return c.appendList(ctx, b, v)
	}
	if c.number == model.NoNumber {
		return c.appendText(b, v)
	}
	if v == nil && c.list == 0 {
		v = missing[c.number]
	}
	if v == nil {
		return b, errors.New("a row has no value here: write the table as csv or parquet")
	}
	if model.NumberOf(v, "") != c.number {
		return b, fmt.Errorf("%s is of another type than the values before it", model.ShowHeld(v, 40))
	}
	b, _ = appendLE(b, v, 8, 0) // a number
	return b, nil
}

// appendText appends a text with 32 bits per character.
func (c *cellType) appendText(b []byte, v model.Value) ([]byte, error) {
	text := ""
	switch v := v.(type) {
	case nil:
	case model.Text:
		text = string(v)
	case model.Symbol:
		text = symbolText(v)
	default:
		return b, fmt.Errorf("%s is of another type than the values before it", model.ShowHeld(v, 40))
	}
	width := 0
	for _, r := range text {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
		width++
	}
	room := max(c.width, 1)
	if width > room { // the table returned another text than in the first pass
		return b, fmt.Errorf("%s is longer than the texts were at first", model.ShowHeld(v, 40))
	}
	return append(b, make([]byte, 4*(room-width))...), nil
}

// symbolText returns the name of a symbol, or its number if it has none.
func symbolText(s model.Symbol) string {
	if s.Name == "" {
		return strconv.FormatInt(s.Number, 10)
	}
	return s.Name
}

// cellLacks holds the losses in NumPy's cells, by column.
type cellLacks map[cellLack]bool

type cellLack struct {
	column int
	what   string
}

func (l cellLacks) look(column int, v model.Value) {
	text, isText := v.(model.Text)
	switch {
	case v == nil:
		l[cellLack{column, "a cell without a value is NaN or an empty text"}] = true
	case isText && !utf8.ValidString(string(text)):
		l[cellLack{column, notUTF8}] = true
	case isText && strings.HasSuffix(string(text), "\x00"):
		l[cellLack{column, "a text ends before its last NUL"}] = true
	}
}

func (l cellLacks) report(r *Request, p *model.Place, g *grid) {
	for _, lack := range slices.SortedFunc(maps.Keys(l), func(a, b cellLack) int { return cmp.Or(a.column-b.column, cmp.Compare(a.what, b.what)) }) {
		r.reduce(p, "column %s: %s", g.columns[lack.column], lack.what)
	}
}

// missing holds the floats that mean "no value".
var missing = map[model.NumberKind]model.Value{
	model.NumberF16: model.Half(0x7e00), model.NumberF32: model.Float32(math.NaN()), model.NumberF64: model.Float64(math.NaN()),
}
