package timeline

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"cutaway/model"
)

// Counters returns the jumps of the columns that count up, in the tables of a track's node. It keeps 8 bytes for each
// row of such a column.
//
// The usual step is the median of the steps from row to row, which must be positive; the spread is the median distance
// of the steps from the usual one. The tolerance is 8 times the spread. It is at least a thousandth of the usual step,
// for clocks that are being set. If that step is 10 or more, it is at least 1, for rounding. A step within the
// tolerance is usual. A column counts up if the tolerance is less than the usual step, and nine steps in ten, or all
// but one, are usual. The others are jumps.
func Counters(ctx context.Context, p *model.Place) ([]Jump, error) {
	var jumps []Jump
	for _, t := range model.CardsOf[model.Table](ctx, &p.Node) {
		found, err := countersOf(ctx, t, p.Path())
		if err != nil {
			return nil, err
		}
		jumps = append(jumps, found...)
	}
	return jumps, nil
}

// Definition of a usual step, see Counters.
const (
	mostSpread = 8
	setting    = 1000
	rounded    = 10
	leastSteps = 4
)

func countersOf(ctx context.Context, t model.Table, path string) ([]Jump, error) {
	const window = 512
	columns := t.Columns()
	counters := make([]counter, len(columns))
	rows := make([][]model.Cell, window)
	for i := range rows {
		rows[i] = make([]model.Cell, len(columns))
	}
	for at := int64(0); ; {
		n, err := t.Read(ctx, at, rows)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, row := range rows[:n] {
			for k := range counters {
				counters[k].next(row[k].Value, at+int64(i))
			}
		}
		if at += int64(n); n == 0 || err != nil {
			break
		}
	}
	var jumps []Jump
	for k := range counters {
		for _, j := range counters[k].jumps() {
			jumps = append(jumps, Jump{Field: columns[k].Name, From: j.from, To: j.to, Path: path + "/" + model.IndexName(j.row)})
		}
	}
	return jumps, nil
}

// A counter is a column that may count up, with its integers as bits.
type counter struct {
	not    bool // the column has other values
	signed bool
	values []uint64
	rows   []int64 // of the values; if nil, value i is in row i
}

func (c *counter) next(v model.Value, row int64) {
	if c.not || v == nil {
		return
	}
	var value uint64
	n, signed := v.(model.Int)
	switch u, unsigned := v.(model.Uint); {
	case signed:
		value = uint64(n)
	case unsigned:
		value = uint64(u)
	case v == model.None{}:
		return
	default:
		c.drop()
		return
	}
	if len(c.values) == 0 {
		c.signed = signed
	}
	if c.signed != signed {
		c.drop()
		return
	}
	if c.rows == nil && row != int64(len(c.values)) {
		c.rows = make([]int64, 0, len(c.values)+1)
		for i := range c.values {
			c.rows = append(c.rows, int64(i))
		}
	}
	c.values = append(c.values, value)
	if c.rows != nil {
		c.rows = append(c.rows, row)
	}
	const looked = 256 // examined again after as many more: measuring keeps nothing
	if n := len(c.values); n >= looked && bits.OnesCount(uint(n)) == 1 {
		if _, _, counts := usualStep(c.steps()); !counts {
			c.drop()
		}
	}
}

func (c *counter) drop() { *c = counter{not: true} }

// steps returns the differences between successive values, limited to 63 bits.
func (c *counter) steps() []int64 {
	if len(c.values) == 0 {
		return nil
	}
	list := make([]int64, len(c.values)-1)
	for i := range list {
		list[i] = c.step(i)
	}
	return list
}

func (c *counter) step(i int) int64 {
	a, b := c.values[i], c.values[i+1]
	if c.signed {
		a, b = a^1<<63, b^1<<63
	}
	if a <= b {
		return int64(min(b-a, math.MaxInt64))
	}
	return -int64(min(a-b, math.MaxInt64))
}

// usualStep returns the median of steps and the tolerance around it. counts is false without a usual step. It sorts
// steps.
func usualStep(steps []int64) (usual int64, off uint64, counts bool) {
	if len(steps) == 0 {
		return 0, 0, false
	}
	slices.Sort(steps)
	usual = steps[len(steps)/2]
	spread := make([]uint64, len(steps))
	for i, s := range steps {
		spread[i] = difference(s, usual)
	}
	slices.Sort(spread)
	middle := spread[len(spread)/2]
	if usual <= 0 || middle > uint64(usual)/mostSpread {
		return usual, 0, false
	}
	off = max(mostSpread*middle, uint64(usual)/setting)
	if usual >= rounded {
		off = max(off, 1)
	}
	return usual, off, off < uint64(usual)
}

// difference returns the distance of two numbers.
func difference(a, b int64) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}

// A jumpAt is an unusual step, and the row after it.
type jumpAt struct {
	from, to model.Value
	row      int64
}

// jumps returns the unusual steps of a column that counts up.
func (c *counter) jumps() []jumpAt {
	n := len(c.values) - 1
	if c.not || n < leastSteps {
		return nil
	}
	usual, off, counts := usualStep(c.steps())
	if !counts {
		return nil
	}
	var list []jumpAt
	unusual := 0
	for i := range n {
		if difference(c.step(i), usual) <= off {
			continue
		}
		if unusual++; len(list) < mostListed {
			list = append(list, c.jump(i))
		}
	}
	if unusual > 1 && unusual*10 > n {
		return nil
	}
	return list
}

// jump returns step i.
func (c *counter) jump(i int) jumpAt {
	value := func(v uint64) model.Value {
		if c.signed {
			return model.Int(v)
		}
		return model.Uint(v)
	}
	j := jumpAt{value(c.values[i]), value(c.values[i+1]), int64(i + 1)}
	if c.rows != nil {
		j.row = c.rows[i+1]
	}
	return j
}
