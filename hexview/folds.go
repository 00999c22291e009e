package hexview

import (
	"fmt"
	"sort"

	"cutaway/model"
)

// A Fold is a run of bytes that may be shown as one row: equal bytes, or unknown ones.
type Fold struct {
	Range
	Equal bool
	Byte  byte // the value of equal bytes
}

// leastFolded is the least number of whole rows that a fold must hide to be worthwhile.
const leastFolded = 3

// String describes the fold in its row.
func (f Fold) String() string {
	n := model.Grouped(f.Len)
	if f.Equal {
		return fmt.Sprintf("%s × %02x", n, f.Byte)
	}
	return n + " bytes that nothing explains"
}

// foldedRows is a range of a grid's rows that is shown as one.
type foldedRows struct {
	first, rows int64 // the hidden rows, numbered without folds
	saved       int64 // number of rows saved by earlier folds
	fold        Fold
}

// screenRow returns the row of the screen that stands for the fold.
func (f *foldedRows) screenRow() int64 { return f.first - f.saved }

// hides returns the number of rows saved by this fold and all earlier ones.
func (f *foldedRows) hides() int64 { return f.saved + f.rows - 1 }

// bytes returns the hidden bytes.
func (g *grid) bytes(f *foldedRows) Range {
	cols := int64(g.cols)
	return Range{f.first * cols, min(f.rows*cols, g.size-f.first*cols)}
}

// refold computes the hidden rows. folds are in the order of their offsets, the longer of two first. A fold inside
// another counts if that one is open.
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

// saved returns the number of rows of the source that are not shown.
func (g *grid) saved() int64 {
	if len(g.folded) == 0 {
		return 0
	}
	return g.folded[len(g.folded)-1].hides()
}

// offsetOf returns the first byte of a row of the screen, or for a row after the last the source's end or beyond. fold
// is the fold that the row stands for, or nil.
func (g *grid) offsetOf(row int64) (off int64, fold *foldedRows) {
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].screenRow() > row }) - 1
	if i >= 0 {
		f := &g.folded[i]
		if f.screenRow() == row {
			return f.first * int64(g.cols), f
		}
		row += f.hides()
	}
	return row * int64(g.cols), nil
}

// rowsTo returns the number of rows, at most most, from a row of the screen to the next fold.
func (g *grid) rowsTo(row int64, most int) int {
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].screenRow() >= row })
	if i < len(g.folded) {
		most = int(min(int64(most), g.folded[i].screenRow()-row))
	}
	return most
}

// rowOf returns the row of the screen with a byte. fold is the fold around the byte, or nil.
func (g *grid) rowOf(off int64) (row int64, fold *foldedRows) {
	row = off / int64(g.cols)
	i := sort.Search(len(g.folded), func(i int) bool { return g.folded[i].first > row }) - 1
	if i < 0 {
		return row, nil
	}
	f := &g.folded[i]
	if row < f.first+f.rows {
		return f.screenRow(), f
	}
	return row - f.hides(), nil
}

// openAt returns the open fold that begins in the row of a byte.
func (g *grid) openAt(off int64) (Fold, bool) {
	row := off / int64(g.cols)
	i := sort.Search(len(g.open), func(i int) bool { return g.open[i].first >= row })
	if i < len(g.open) && g.open[i].first == row {
		return g.open[i].fold, true
	}
	return Fold{}, false
}

// SetFolds sets the folds, by offset, the longer of two at one offset first. They are used if the mode has Fold. Folds
// that the user has opened stay open, and the last revealed bytes stay visible. SetFolds keeps the slice. SetSource
// removes the folds.
func (v *View) SetFolds(folds []Fold) {
	v.folds = folds
	v.refold()
}

// refold computes the rows again. The first visible byte stays in the first row.
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

// foldGrid folds the rows of the current grid.
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

// open opens the folds that hide the beginning of a range.
func (v *View) open(r Range) {
	if _, f := v.grid.rowOf(v.clamp(r.Off)); f != nil {
		v.refold()
	}
}

// unfold opens the fold that hides the beginning of a range, unless it hides the whole range.
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

// keepVisible keeps later folds from hiding the user's position.
func (v *View) keepVisible(off int64) {
	if _, f := v.grid.rowOf(off); f == nil {
		v.wanted = Range{off, 1}
	}
}

// wholeFold extends an end of a selection to the first or last byte of the fold around it.
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

// flip opens or closes a fold.
func (v *View) flip(f Fold, open bool) {
	v.setOpen(f, open)
	v.wanted = Range{}
	v.hideTip()
	v.refold()
	if v.OnScroll != nil {
		v.OnScroll(v.VisibleBytes())
	}
}

// Folded returns the closed folds.
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
