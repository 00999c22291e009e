package export

import (
	"bufio"
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

// firstWindow is how many rows are read first, so that who looks at the beginning only need not wait for more.
const firstWindow = 64

// maxCells bounds the cells in memory at once; wide tables are read in shorter windows.
const maxCells = 1 << 16

// grid is columns of values, read in windows of rows.
type grid struct {
	columns []string
	count   func() (n int64, exact bool)
	// read appends to dst[i] the cells of row first+i and returns how many rows there were.
	read  func(ctx context.Context, first int64, dst [][]model.Value) (int, error)
	timed bool // the first column are times, in order
}

// between leaves the rows whose times lie within t.
func (g *grid) between(ctx context.Context, t Times) error {
	if t == (Times{}) {
		return nil
	}
	if !g.timed {
		return errors.New("the rows have no times that tell which of them are meant")
	}
	var failed error
	row := [][]model.Value{nil}
	n, _ := g.count()
	first, end, err := t.items(n, func(i int64) float64 {
		if _, err := fill(ctx, g, i, row); err != nil {
			failed = err
			return 0
		}
		f, _ := cell(row[0], 0).(model.Float64)
		return float64(f)
	})
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	read := g.read
	g.count = func() (int64, bool) { return end - first, true }
	g.read = func(ctx context.Context, at int64, dst [][]model.Value) (int, error) { return read(ctx, first+at, dst) }
	return nil
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

// CSV writes arrays and tables as comma-separated values (RFC 4180, UTF-8, lines end in LF) with a line of titles:
// the place's table or series card, its array, or its elements; else those of the only one of its children that has
// such. Tuples have a column for each component. Several
// places stand side by side, their titles preceded by the node's name (by more of the path where names are alike); shorter ones end in empty cells.
func CSV(ctx context.Context, w io.Writer, places []*model.Place, times Times, progress model.Progress) error {
	var grids []*grid
	names := shortNames(places)
	for k, p := range places {
		g, err := gridOf(ctx, p, times)
		if err != nil {
			return err
		}
		if len(places) > 1 {
			for i, c := range g.columns {
				g.columns[i] = names[k] + "." + c
			}
		}
		grids = append(grids, g)
	}
	return writeGrids(ctx, w, grids, progress)
}

// shortNames are the nodes' names, or, if two have the same, the shortest ends of all paths that tell them apart.
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
func writeGrids(ctx context.Context, w io.Writer, grids []*grid, progress model.Progress) error {
	width := 0
	out := bufio.NewWriterSize(w, flushAt)
	c := csvWriter{ctx: ctx, w: out}
	for _, g := range grids {
		width += len(g.columns)
		for _, name := range g.columns {
			c.cell(model.Text(name))
		}
	}
	c.end()
	if err := c.rows(grids, min(Window, max(1, maxCells/max(width, 1))), progress); err != nil {
		return err
	}
	return out.Flush()
}

// rows writes the rows of all grids, a window at a time, until the longest has ended.
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

// fill reads one window of a grid; rows after its end become empty.
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

// gridOf finds what of a node has rows, and takes those within the times.
func gridOf(ctx context.Context, p *model.Place, times Times) (*grid, error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	owner := withRows(ctx, p)
	if owner == nil {
		return nil, errors.New(noRows(ctx, p))
	}
	g, err := rowsOf(ctx, owner)
	if err != nil {
		return nil, err
	}
	return g, g.between(ctx, times)
}

func rowsOf(ctx context.Context, owner *model.Place) (*grid, error) {
	switch c := rowCard(ctx, &owner.Node).(type) {
	case model.Table:
		return tableGrid(ctx, c)
	case model.Series:
		return seriesGrid(c), nil
	}
	a, err := arrayOf(ctx, owner)
	if err != nil {
		return nil, err
	}
	return arrayGrid(ctx, a)
}

// tableGrid has a column for each component of the cells, as the first row has them. A cell that has others is
// whole in the first of its columns.
func tableGrid(ctx context.Context, t model.Table) (*grid, error) {
	columns := t.Columns()
	cells := [][]model.Cell{make([]model.Cell, len(columns))}
	if n, exact := t.Rows(); n > 0 || !exact {
		if _, err := t.Read(ctx, 0, cells); err != nil {
			return nil, err
		}
	}
	g := &grid{count: t.Rows, timed: isTimed(t)}
	widths := make([]int, len(columns))
	for i, c := range columns {
		parts := components(nil, cells[0][i].Value, c.Name, 0)
		g.columns, widths[i] = append(g.columns, parts...), len(parts)
	}
	g.read = func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
		for len(cells) < len(dst) {
			cells = append(cells, make([]model.Cell, len(columns)))
		}
		n, err := t.Read(ctx, first, cells[:len(dst)])
		for i := range n {
			for k, cell := range cells[i] {
				at := len(dst[i])
				if dst[i] = values.AppendComponents(dst[i], cell.Value); len(dst[i]) == at+widths[k] {
					continue
				}
				dst[i] = append(dst[i][:at], cell.Value)
				for range widths[k] - 1 {
					dst[i] = append(dst[i], nil)
				}
			}
		}
		return n, err
	}
	return g, nil
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

// arrayGrid has a column for each component of the elements, as the first element has them.
func arrayGrid(ctx context.Context, a model.Array) (*grid, error) {
	var one [1]model.Value
	if a.Len() > 0 {
		if _, err := readElements(ctx, a, 0, one[:]); err != nil {
			return nil, err
		}
	}
	g := &grid{columns: components(nil, one[0], "value", 0), count: func() (int64, bool) { return a.Len(), true }}
	var window []model.Value
	g.read = func(ctx context.Context, first int64, dst [][]model.Value) (int, error) {
		if len(window) < len(dst) {
			window = make([]model.Value, len(dst))
		}
		n, err := readElements(ctx, a, first, window[:len(dst)])
		for i, v := range window[:n] {
			dst[i] = values.AppendComponents(dst[i], v)
			if len(dst[i]) != len(g.columns) {
				return i, fmt.Errorf("the element has %d components, the first one %d", len(dst[i]), len(g.columns))
			}
		}
		return n, err
	}
	return g, nil
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

// csvWriter writes cells; its error is that of the writer below it, or of a value that cannot be read.
type csvWriter struct {
	ctx  context.Context
	w    *bufio.Writer
	buf  []byte
	more bool
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
		c.buf = append(c.buf, v...)
	case model.Symbol:
		c.buf = append(c.buf, model.Show(c.ctx, v, 1<<10)...)
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
		var err error
		if c.buf, err = AppendValue(c.ctx, c.buf, v); err != nil && c.err == nil {
			c.err = err
		}
	}
	if !mustQuote(c.buf) {
		_, _ = c.w.Write(c.buf) // bufio keeps the error for end
		return
	}
	_, _ = c.w.WriteString(`"` + strings.ReplaceAll(string(c.buf), `"`, `""`) + `"`)
}

func mustQuote(cell []byte) bool {
	for i, b := range cell {
		if b == ',' || b == '"' || b == '\n' || b == '\r' || b == ' ' && i == 0 {
			return true
		}
	}
	return false
}
