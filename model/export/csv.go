package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// firstWindow is the number of rows that are read first, so that a preview is fast.
const firstWindow = 64

// maxCells is the most cells in memory; windows of wide tables have fewer rows.
const maxCells = 1 << 16

// A grid has columns of values, read in windows of rows.
type grid struct {
	columns []string
	count   func() (n int64, exact bool)
	// read appends to dst[i] the cells of row first+i, and returns the number of rows.
	read  func(ctx context.Context, first int64, dst [][]model.Value) (int, error)
	timed bool // the first column has times, in order
}

// between drops the rows whose times are outside of t, and reports whether it dropped any.
func (g *grid) between(ctx context.Context, t Times) (some bool, err error) {
	if t == (Times{}) {
		return false, nil
	}
	if !g.timed {
		return false, errors.New("the rows have no times that tell which of them are meant")
	}
	var failed error
	row := [][]model.Value{nil}
	n, exact := g.count()
	if !exact {
		n = 0
		if err := eachRow(ctx, g, nil, func([]model.Value) error { n++; return nil }); err != nil {
			return false, err
		}
	}
	first, end, err := t.items(n, func(i int64) float64 {
		if _, err := fill(ctx, g, i, row); err != nil {
			failed = err
			return 0
		}
		f, _ := cell(row[0], 0).(model.Float64)
		return float64(f)
	})
	if err := errors.Join(failed, err); err != nil {
		return false, err
	}
	read := g.read
	g.count = func() (int64, bool) { return end - first, true }
	g.read = func(ctx context.Context, at int64, dst [][]model.Value) (int, error) { return read(ctx, first+at, dst) }
	return end-first < n, nil
}

// isTimed reports whether rows begin with a time.
func isTimed(card model.Card) bool {
	switch c := card.(type) {
	case model.Series:
		return true
	case model.Table:
		columns := c.Columns()
		return len(columns) > 1 && columns[0].Type == "double" && (columns[0].Name == "time" || columns[0].Name == "timestamp")
	}
	return false
}

// CSV writes arrays and tables as comma-separated values (RFC 4180, UTF-8, LF) with a line of titles. For each place it
// writes its table or series card, its array or its elements, or else those of its only child that has such. Tuples
// have a column for each component. Several places are written side by side: the node's name precedes their titles, or
// more of the path if names are equal, and empty cells pad shorter ones.
func CSV(ctx context.Context, w io.Writer, r *Request) error {
	var grids []*grid
	names := shortNames(r.Places)
	for k, p := range r.Places {
		g, err := gridOf(ctx, r, p)
		if err != nil {
			return err
		}
		if len(r.Places) > 1 {
			for i, c := range g.columns {
				g.columns[i] = names[k] + "." + c
			}
		}
		grids = append(grids, g)
	}
	return writeGrids(ctx, w, grids, r)
}

// shortNames returns the names of the nodes, or if any are equal, the shortest ends of all paths that differ.
func shortNames(places []*model.Place) []string {
	names := make([]string, len(places))
	at := slices.Clone(places)
	for grown := true; grown; {
		grown = false
		seen := make(map[string]bool)
		for i, p := range at {
			switch {
			case p == nil:
			case names[i] == "":
				names[i] = p.Node.Name
			default:
				names[i] = p.Node.Name + "/" + names[i]
			}
			grown = grown || seen[names[i]]
			seen[names[i]] = true
			if p != nil {
				at[i] = p.Parent
			}
		}
		grown = grown && slices.ContainsFunc(at, func(p *model.Place) bool { return p != nil })
	}
	return names
}

// writeGrids writes grids side by side, with a line of titles.
func writeGrids(ctx context.Context, w io.Writer, grids []*grid, r *Request) error {
	width := 0
	out := bufio.NewWriterSize(w, flushAt)
	c := csvWriter{ctx: ctx, w: out, safe: r.Safe}
	for _, g := range grids {
		width += len(g.columns)
		for _, name := range g.columns {
			c.cell(model.Text(name))
		}
	}
	c.end()
	if err := c.rows(grids, min(Window, max(1, maxCells/max(width, 1))), r.Progress); err != nil {
		return err
	}
	if c.deep && len(r.Places) > 0 {
		r.lose(r.Places[0], "what is nested in more than %d levels, which is a limit of this program", maxNesting)
	}
	return out.Flush()
}

// rows writes the rows of all grids, a window at a time, to the end of the longest.
func (c *csvWriter) rows(grids []*grid, window int, progress model.Progress) error {
	rows := make([][][]model.Value, len(grids))
	var all int64
	for _, g := range grids {
		n, _ := g.count()
		all = max(all, n)
	}
	for k := range rows {
		rows[k] = make([][]model.Value, window)
	}
	size := min(window, firstWindow)
	for first := int64(0); ; size = min(window, 4*size) {
		most := 0
		for k, g := range grids {
			got, err := fill(c.ctx, g, first, rows[k][:size])
			if err != nil {
				return err
			}
			most = max(most, got)
		}
		if most == 0 {
			return nil
		}
		for i := range most {
			for k, g := range grids {
				c.row(rows[k][i], len(g.columns))
			}
			c.end()
			if c.err != nil {
				return c.err
			}
		}
		first += int64(most)
		progress.Report(first, max(all, first), Writing)
	}
}

// fill reads a window of a grid. Rows after its end become empty.
func fill(ctx context.Context, g *grid, first int64, dst [][]model.Value) (int, error) {
	for i := range dst {
		dst[i] = dst[i][:0]
	}
	got := 0
	for got < len(dst) {
		if err := ctx.Err(); err != nil {
			return got, err
		}
		want := dst[got:]
		at := first + int64(got)
		if n, exact := g.count(); exact && n-at < int64(len(want)) {
			want = want[:max(n-at, 0)]
		}
		if len(want) == 0 {
			return got, nil
		}
		n, err := g.read(ctx, at, want)
		got += n
		if err != nil {
			return got, fmt.Errorf("row %d: %w", first+int64(got), err)
		}
		if n == 0 {
			return got, nil
		}
	}
	return got, nil
}

// gridOf returns the rows of the node at p within the times.
func gridOf(ctx context.Context, r *Request, p *model.Place) (*grid, error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	owner := withRows(ctx, p)
	if owner == nil {
		return nil, errors.New(noRows(ctx, p))
	}
	card, array, err := rowsIn(ctx, r, owner)
	if err != nil {
		return nil, err
	}
	return rowsGrid(ctx, r, p, card, array)
}

// rowsGrid returns the rows of rowsIn as a grid, within the times.
func rowsGrid(ctx context.Context, r *Request, p *model.Place, card model.Card, array model.Array) (g *grid, err error) {
	switch c := card.(type) {
	case model.Table:
		g, err = tableGrid(ctx, c)
	case model.Series:
		g = seriesGrid(c)
	default:
		g, err = arrayGrid(ctx, array)
	}
	if err != nil {
		return nil, err
	}
	some, err := g.between(ctx, r.Times)
	if some {
		r.reduce(p, notInTime)
	}
	return g, err
}

// tableGrid returns a grid with a column for each component of a table's cells. The first cell with a value determines
// the components.
func tableGrid(ctx context.Context, t model.Table) (*grid, error) {
	columns := t.Columns()
	likes, err := firstValues(ctx, t)
	if err != nil {
		return nil, err
	}
	g := &grid{count: t.Rows, timed: isTimed(t)}
	widths := make([]int, len(columns))
	for i, c := range columns {
		parts := components(nil, likes[i], c.Name, 0)
		g.columns, widths[i] = append(g.columns, parts...), len(parts)
	}
	var cells [][]model.Cell
	g.read = func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
		for len(cells) < len(dst) {
			cells = append(cells, make([]model.Cell, len(columns)))
		}
		n, err := t.Read(ctx, first, cells[:len(dst)])
		for i := range n {
			for k, cell := range cells[i] {
				dst[i] = spread(dst[i], cell.Value, widths[k])
			}
		}
		return n, err
	}
	return g, nil
}

// firstValues returns the first value of each column, among the first rows.
func firstValues(ctx context.Context, t model.Table) ([]model.Value, error) {
	of := t
	if some, ok := t.(*someTable); ok {
		of = some.Table
	}
	columns := len(t.Columns())
	likes, left := make([]model.Value, columns), columns
	if f, ok := of.(*model.FieldTable); ok {
		for k := range likes {
			likes[k] = f.Like(k)
		}
		return likes, nil
	}
	g := cellsGrid(t)
	window := make([][]model.Value, min(firstWindow, max(1, maxCells/max(columns, 1))))
	for first := int64(0); left > 0 && first < typeRows; first += int64(len(window)) {
		n, err := fill(ctx, g, first, window)
		for _, row := range window[:n] {
			for k, v := range row {
				if likes[k] == nil && !isNone(v) {
					likes[k] = v
					left--
				}
			}
		}
		switch {
		case err != nil && n == 0 && first == 0:
			return nil, err
		case n < len(window):
			return likes, nil // the writer of the rows reports the error
		}
	}
	return likes, nil
}

// cellsGrid returns a table as a grid with one column for each of its own.
func cellsGrid(t model.Table) *grid {
	columns := len(t.Columns())
	return &grid{columns: make([]string, columns), count: t.Rows, read: func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
		cells := make([][]model.Cell, len(dst))
		for i := range cells {
			cells[i] = make([]model.Cell, columns)
		}
		n, err := t.Read(ctx, first, cells)
		for i := range n {
			for _, cell := range cells[i] {
				dst[i] = append(dst[i], cell.Value)
			}
		}
		return n, err
	}}
}

func isNone(v model.Value) bool {
	_, none := v.(model.None)
	return v == nil || none
}

// spread appends the components of a cell as width columns. A cell with other components is written whole to the first
// column.
func spread(row []model.Value, v model.Value, width int) []model.Value {
	at := len(row)
	if row = values.AppendComponents(row, v); len(row) == at+width {
		return row
	}
	row = append(row[:at], v)
	for range width - 1 {
		row = append(row, nil)
	}
	return row
}

func seriesGrid(s model.Series) *grid {
	value := "value"
	if u := s.Unit(); u != "" {
		value += " (" + u + ")"
	}
	var points []model.Point
	return &grid{
		columns: []string{"time", value},
		count:   s.Points,
		timed:   true,
		read: func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
			if len(points) < len(dst) {
				points = make([]model.Point, len(dst))
			}
			n, err := s.Read(ctx, first, points[:len(dst)])
			for i, pt := range points[:n] {
				dst[i] = append(dst[i], model.Float64(pt.Time), pt.Number())
			}
			return n, err
		},
	}
}

// arrayGrid returns a grid with a column for each component of the elements. The first element with a value determines
// the components.
func arrayGrid(ctx context.Context, a model.Array) (*grid, error) {
	like, err := firstElement(ctx, a)
	if err != nil {
		return nil, err
	}
	g := &grid{columns: components(nil, like, "value", 0), count: func() (int64, bool) { return a.Len(), true }}
	var window []model.Value
	g.read = func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
		if len(window) < len(dst) {
			window = make([]model.Value, len(dst))
		}
		n, err := readElements(ctx, a, first, window[:len(dst)])
		for i, v := range window[:n] {
			dst[i] = spread(dst[i], v, len(g.columns))
		}
		return n, err
	}
	return g, nil
}

// firstElement returns the first element that has a value, among the first ones of an array, or nil.
func firstElement(ctx context.Context, a model.Array) (model.Value, error) {
	window := make([]model.Value, firstWindow)
	for first := int64(0); first < min(a.Len(), typeRows); first += firstWindow {
		n, err := readElements(ctx, a, first, window)
		if i := slices.IndexFunc(window[:n], func(v model.Value) bool { return !isNone(v) }); i >= 0 {
			return window[i], nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func components(dst []string, v model.Value, name string, depth int) []string {
	t, ok := v.(model.Tuple)
	if !ok || len(t) == 0 || depth >= maxNesting {
		return append(dst, name)
	}
	for i, c := range t {
		dst = components(dst, c, name+"["+strconv.Itoa(i)+"]", depth+1)
	}
	return dst
}

// A csvWriter writes cells. Its error is that of the underlying writer, or of a value that cannot be read.
type csvWriter struct {
	ctx  context.Context
	w    *bufio.Writer
	buf  []byte
	more bool
	safe bool // mark texts that a spreadsheet would take for formulas
	deep bool // values nested too deep were omitted
	err  error
}

func (c *csvWriter) row(cells []model.Value, columns int) {
	for i := range columns {
		if i < len(cells) {
			c.cell(cells[i])
		} else {
			c.cell(nil)
		}
	}
}

func (c *csvWriter) end() {
	if err := c.w.WriteByte('\n'); err != nil && c.err == nil {
		c.err = err
	}
	c.more = false
}

func (c *csvWriter) cell(v model.Value) {
	if c.more {
		_ = c.w.WriteByte(',') // bufio keeps the error for end
	}
	c.more = true
	c.buf = c.buf[:0]
	switch v := v.(type) {
	case nil, model.None:
	case model.Text:
		c.text(string(v))
	case model.Symbol:
		c.text(model.Show(c.ctx, v, 1<<10))
	case model.Int:
		c.buf = strconv.AppendInt(c.buf, int64(v), 10)
	case model.Uint:
		c.buf = strconv.AppendUint(c.buf, uint64(v), 10)
	case model.Float64:
		c.buf = append(c.buf, model.FormatFloat(float64(v), 64)...)
	case model.Float32:
		c.buf = append(c.buf, model.FormatFloat(float64(v), 32)...)
	case model.Half:
		c.buf = append(c.buf, model.FormatFloat(v.Shortest(), 64)...)
	default:
		c.composite(v)
		return
	}
	if !mustQuote(c.buf) {
		_, _ = c.w.Write(c.buf) // bufio keeps the error for end
		return
	}
	_, _ = c.w.WriteString(`"` + strings.ReplaceAll(string(c.buf), `"`, `""`) + `"`)
}

// composite writes a list or structure as JSON, a long one in pieces.
func (c *csvWriter) composite(v model.Value) {
	begun := false
	e := encoder{ctx: c.ctx, buf: c.buf, whole: true, w: writerTo(func(p []byte) error {
		if !begun {
			begun = true
			_ = c.w.WriteByte('"')
		}
		_, err := c.w.WriteString(strings.ReplaceAll(string(p), `"`, `""`))
		return err
	})}
	e.value(v, 0)
	if begun || mustQuote(e.buf) {
		e.flush()
		_ = c.w.WriteByte('"')
	} else {
		_, _ = c.w.Write(e.buf)
	}
	c.buf = e.buf[:0]
	if c.err == nil {
		c.err = cmp.Or(e.unread, e.failed)
	}
	c.deep = c.deep || e.deep
}

// text appends a text. Spreadsheets take texts that begin with certain characters for formulas.
func (c *csvWriter) text(s string) {
	if c.safe && s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		c.buf = append(c.buf, '\'')
	}
	c.buf = append(c.buf, s...)
}

func mustQuote(cell []byte) bool {
	for i, b := range cell {
		if b == ',' || b == '"' || b == '\n' || b == '\r' || b == ' ' && i == 0 {
			return true
		}
	}
	return false
}
