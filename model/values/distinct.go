package values

import "math"

// MostDistinct is the most distinct values that are counted.
const MostDistinct = 10_000

// distinct counts up to MostDistinct values by their bits. It is an open-addressing hash table with 0 for a free slot,
// so keys are never 0.
type distinct struct {
	table   []uint64
	n       int
	zero    bool // the key 0 was added
	last    uint64
	stopped bool // there are more
}

// add adds values: −0 counts as 0, and all NaN as one.
func (d *distinct) add(x []float64) {
	if d.stopped {
		return
	}
	for _, v := range x {
		if v == 0 {
			v = 0 // includes −0
		} else if v != v {
			v = math.NaN()
		}
		if d.addKey(math.Float64bits(v)); d.stopped {
			return
		}
	}
}

func (d *distinct) addKeys(keys []uint64) {
	for _, k := range keys {
		if d.stopped {
			return
		}
		d.addKey(k)
	}
}

func (d *distinct) addKey(key uint64) {
	if key == d.last && d.n > 0 {
		return
	}
	if key == 0 {
		d.zero = true
		return
	}
	if 2*d.n >= len(d.table) {
		d.grow()
	}
	d.last = key
	if d.insert(key) {
		d.n++
		if d.count() < 0 {
			d.stopped, d.table = true, nil
		}
	}
}

// insert inserts a key, and reports whether it is new.
func (d *distinct) insert(key uint64) bool {
	mask := uint64(len(d.table) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> 32 & mask; ; i = (i + 1) & mask {
		switch d.table[i] {
		case key:
			return false
		case 0:
			d.table[i] = key
			return true
		}
	}
}

func (d *distinct) grow() {
	old := d.table
	d.table = make([]uint64, max(64, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			d.insert(key)
		}
	}
}

// count returns the number of distinct values, or -1 for more than MostDistinct.
func (d *distinct) count() int {
	n := d.n
	if d.zero {
		n++
	}
	if d.stopped || n > MostDistinct {
		return -1
	}
	return n
}
