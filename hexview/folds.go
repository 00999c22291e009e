package hexview

import (
	"fmt"
	"sort"

	"cutaway/model"
)

// A Fold is a run of bytes that may be shown as one row: equal bytes, or bytes that nothing explains.
type Fold struct {
	Range
	Equal bool
	Byte  byte // which, if they are equal
}

// leastFolded is how many whole rows a fold hides at least: one that saves less only hides.
const leastFolded = 3

// String says what is folded, for its row.
func (f Fold) String() string {
	n := model.Grouped(f.Len)
	if f.Equal {
		return fmt.Sprintf("%s × %02x", n, f.Byte)
	}
	return n + " bytes that nothing explains"
}

// foldedRows is a fold in a grid: rows that are shown as one.
type foldedRows struct {
	first, rows int64 // the rows that are hidden, counted as if nothing was
	saved       int64 // how many fewer rows there are before it
	fold        Fold
}

// at is the row of the screen that stands for the fold.
func (f *foldedRows) at() int64 { return f.first - f.saved }

// hides is how many rows fewer there are after it.
func (f *foldedRows) hides() int64 { return f.saved + f.rows - 1 }

// bytes is what is hidden.
func (g *grid) bytes(f *foldedRows) Range {
	cols := int64(g.cols)
	return Range{f.first * cols, min(f.rows*cols, g.size-f.first*cols)}
}

// refold works out which rows are hidden. The folds are in the order of their offsets, the longer of two first; one in
// another counts where that one is open.
func (g *grid) refold(folds []Fold, open map[Range]bool) {
	g.folded, g.open = nil, nil
	cols, rows := int64(g.cols), g.size/int64(g.cols)+min(g.size%int64(g.cols), 1)
	var saved, after int64
	for _, f := range folds {
		first, last := max((f.Off+cols-1)/cols, after), f.End()/cols
		if f.End() == g.size {
			last = rows
		}
		if last-first < leastFolded {
			continue
		}
		row := foldedRows{first, last - first, saved, f}
		if open[f.Range] {
			g.open = append(g.open, row)
			continue
		}
		g.folded = append(g.folded, row)
		saved, after = row.hides(), last
	}
}

// saved is how many rows of the source are not shown.
func (g *grid) saved() int64 {
	if len(g.folded) == 0 {
		return 0
	}
	return g.folded[len(g.folded)-1].hides()
}

// offsetOf is the first byte of a row of the screen; of one after the last, the source's end or beyond. fold is not nil where
// the row stands for a fold.
func (g *grid) offsetOf(row int64) (off int64, fold *foldedRows) {
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].at() > row }) - 1
	if i >= 0 {
		f := &g.folded[i]
		if f.at() == row {
			return f.first * int64(g.cols), f
		}
		row += f.hides()
	}
	return row * int64(g.cols), nil
}

// until is how many rows there are from a row of the screen on, at most so many, before the next fold.
func (g *grid) until(row int64, most int) int {
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].at() >= row })
	if i < len(g.folded) {
		most = int(min(int64(most), g.folded[i].at()-row))
	}
	return most
}

// rowOf is the row of the screen that shows a byte; fold is not nil where it is folded.
func (g *grid) rowOf(off int64) (row int64, fold *foldedRows) {
	row = off / int64(g.cols)
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].first > row }) - 1
	if i < 0 {
		return row, nil
	}
	f := &g.folded[i]
	if row < f.first+f.rows {
		return f.at(), f
	}
	return row - f.hides(), nil
}

// openAt is the open fold that begins in the row of a byte.
func (g *grid) openAt(off int64) (Fold, bool) {
	row := off / int64(g.cols)
	i := sort.Search(len(g.open), func(i int) bool { return g.open[i].first >= row })
	if i < len(g.open) && g.open[i].first == row {
		return g.open[i].fold, true
	}
	return Fold{}, false
}

// SetFolds says what may be folded, in the order of offsets and the longer of two at one offset first; it is folded where the mode
// has Fold. Those that the user has opened stay open, and what was brought into sight last stays there. The slice is kept.
// SetSource removes it.
func (v *View) SetFolds(folds []Fold) {
	v.folds = folds
	v.refold()
}

// refold works out the rows anew. The first byte in sight stays in the first row.
func (v *View) refold() {
	if v.grid == nil {
		return
	}
	first, _ := v.grid.offsetOf(v.top)
	v.foldGrid()
	v.top, _ = v.grid.rowOf(v.clamp(first))
	v.top = min(v.top, v.grid.lastTop())
	v.stale = true
	v.redraw()
}

// foldGrid folds the rows of a new grid, or anew.
func (v *View) foldGrid() {
	v.grid.folded, v.grid.open = nil, nil
	if !v.mode.Fold {
		return
	}
	v.grid.refold(v.folds, v.opened)
	for v.wanted.Len > 0 && v.unfold(v.wanted) {
		v.grid.refold(v.folds, v.opened)
	}
}

// open opens what hides the beginning of a range.
func (v *View) open(r Range) {
	if _, f := v.grid.rowOf(v.clamp(r.Off)); f != nil {
		v.refold()
	}
}

// unfold opens the fold that hides the beginning of a range, but not all of it.
func (v *View) unfold(r Range) bool {
	_, f := v.grid.rowOf(v.clamp(r.Off))
	if f == nil {
		return false
	}
	if hidden := v.grid.bytes(f); r.Off <= hidden.Off && r.End() >= hidden.End() {
		return false
	}
	v.setOpen(f.fold, true)
	return true
}

// keep remembers where the user is, so that no later fold hides it.
func (v *View) keep(off int64) {
	if _, f := v.grid.rowOf(off); f == nil {
		v.wanted = Range{off, 1}
	}
}

// wholeFold is an end of a selection that takes all of the fold that it is in: the fold's first byte, or its last.
func (v *View) wholeFold(off int64, first bool) int64 {
	_, f := v.grid.rowOf(off)
	if f == nil {
		return off
	}
	hidden := v.grid.bytes(f)
	if first {
		return hidden.Off
	}
	return hidden.End() - 1
}

func (v *View) setOpen(f Fold, open bool) {
	if v.opened == nil {
		v.opened = make(map[Range]bool)
	}
	if delete(v.opened, f.Range); open {
		v.opened[f.Range] = true
	}
}

// flip opens a fold, or folds it again.
func (v *View) flip(f Fold, open bool) {
	v.setOpen(f, open)
	v.wanted = Range{}
	v.hideTip()
	v.refold()
	if v.OnScroll != nil {
		v.OnScroll(v.VisibleBytes())
	}
}

// Folded lists what is folded at present.
func (v *View) Folded() []Fold {
	if v.grid == nil {
		return nil
	}
	all := make([]Fold, len(v.grid.folded))
	for i := range all {
		all[i] = v.grid.folded[i].fold
	}
	return all
}
