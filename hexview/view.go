// Package hexview provides the hex pane, a widget that shows the bytes of any model.Source as offsets, hexadecimal
// digits and text. It marks ranges, and reports clicks, hovering and selection. It knows no format.
//
// Rows are counted in int64 and only visible ones are read and painted, so a source may have any size. All methods and
// callbacks belong to the UI goroutine, except HoverText.
package hexview

import (
	"context"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
)

// A View is the hex pane, with its own scroll bar and overview strip. Make it with New.
type View struct {
	widget.BaseWidget

	// OnTap is called when a byte is clicked, or Enter is pressed on the cursor. again means a repeated click on what
	// the last one selected, which asks for its parent.
	OnTap func(off int64, again bool)
	// OnSecondaryTap is called when a byte is clicked with the other button; absolute is the position for a menu.
	OnSecondaryTap func(off int64, absolute fyne.Position)
	// OnHover is called when the pointer reaches another byte, and with inside false when it leaves the bytes. pos is
	// in the view's coordinates.
	OnHover func(off int64, inside bool, pos fyne.Position)
	// OnCursor is called when the user moves the cursor.
	OnCursor func(off int64)
	// OnSelect is called when the user changes the selection; length is 0 if it is empty.
	OnSelect func(off, length int64)
	// OnScroll is called when other rows become visible, with the first visible byte and the number of visible bytes.
	OnScroll func(off, length int64)
	// OnFocus is called when the view gets the keyboard's focus.
	OnFocus func()
	// OnCopy is called after Ctrl+C, with the number of bytes copied or the reason for the failure.
	OnCopy func(length int64, err error)
	// OnType is called when keys replace the bytes was by now, see SetTyping. It returns whether it accepts them, and
	// then shows them by SetOver. Both are empty if a pasted text is no digits.
	OnType func(off int64, was, now []byte) bool
	// HoverText returns a tooltip for the byte at off, and the bytes to highlight. It is called on a goroutine of its
	// own, one call at a time, only for the last byte that the pointer reached; ctx ends when the pointer moves on.
	HoverText func(ctx context.Context, off int64) (text string, span model.Span)

	// ShowTip shows a text about the byte under the pointer, at a position in the view, or no text if empty. It may be nil.
	ShowTip func(text string, at fyne.Position)

	// Profiled means that SetProfile will be called for every source.
	Profiled bool

	src      *model.Source
	size     int64
	segments []model.Segment
	loader   *loader
	mode     Mode
	// do runs a function on the UI goroutine; a test replaces it.
	do func(func())

	grid *grid // nil until the view has a size
	top  int64 // the first visible row
	left int   // horizontal scrolling, in pixels
	// reveal is the range to reveal once there is a grid.
	reveal Range

	cursor    int64
	column    int64 // the cursor's column, which a selection that ends in a fold hides
	anchor    int64 // the other end of the selection
	selecting bool
	focused   bool
	shift     bool // is held

	folds  []Fold         // set by SetFolds
	opened map[Range]bool // folds that the user has opened
	wanted Range          // the last revealed bytes, which no fold may hide

	ranges   Ranges
	selected spanSet
	below    spanSet
	mapped   spanSet
	kept     []keptSet
	lit      spanSet // set by SetHover
	overview func() []Mark
	sections []Section
	over     Over
	typing   typing

	raster  *canvas.Raster
	img     *image.RGBA
	painter painter
	scene   scene
	stale   bool // the scene's bands and flaws are outdated

	mouse pointer
	tip   tooltip
	again tapMemory
}

var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Tabbable          = (*View)(nil)
	_ fyne.Tappable          = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.Scrollable        = (*View)(nil)
	_ fyne.Shortcutable      = (*View)(nil)
	_ desktop.Keyable        = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
)

// New returns an empty view.
func New() *View {
	v := &View{do: fyne.Do, mode: Mode{}.normal()}
	v.raster = canvas.NewRaster(v.generate)
	v.raster.ScaleMode = canvas.ImageScalePixels // pixels of the screen are not averaged
	v.painter.others = newFallback(v)
	v.ExtendBaseWidget(v)
	v.applyTheme()
	v.SetSource(nil)
	return v
}

// SetPost replaces fyne.Do, which Fyne's test driver lacks, as the way to the UI goroutine.
func (v *View) SetPost(post func(func())) { v.do = post }

// SetSource shows the bytes of src, from the first one on, without marks, or nothing if nil. It cancels reading of the
// previous source. Call it again when the source's bytes have changed.
func (v *View) SetSource(src *model.Source) {
	v.src, v.size, v.segments = src, 0, nil
	if src != nil {
		v.size, v.segments = src.Size(), src.Segments()
	}
	if v.loader != nil {
		v.loader.stop()
	}
	v.loader = newLoader(src, v.size, func(f func()) { v.do(f) }, v.redraw)
	v.top, v.left, v.reveal = 0, 0, Range{}
	v.cursor, v.anchor, v.selecting = 0, 0, false
	v.again, v.over, v.typing.low = tapMemory{}, nil, false
	v.folds, v.opened, v.wanted = nil, nil, Range{}
	v.hideTip()
	v.lit = nil
	v.SetRanges(Ranges{})
	v.overview, v.sections = nil, nil
	v.scene.profile = nil
	v.relayout()
	v.RefreshOverview()
}

// Source returns the source of the view, or nil.
func (v *View) Source() *model.Source { return v.src }

// SetMode sets how bytes are shown. The first visible byte stays near the top.
func (v *View) SetMode(m Mode) {
	if m = m.normal(); m == v.mode {
		return
	}
	v.mode = m
	v.stale = true
	v.relayout()
}

// Mode returns the mode.
func (v *View) Mode() Mode { return v.mode }

// BytesPerRow returns the number of bytes in a row, or 0 before the view has a size.
func (v *View) BytesPerRow() int {
	if v.grid == nil {
		return 0
	}
	return v.grid.cols
}

// SetRanges replaces the marked ranges. It does not keep the slices.
func (v *View) SetRanges(r Ranges) {
	v.ranges = Ranges{Fields: r.Fields, Flaws: r.Flaws, Matches: r.Matches}
	v.selected = newSpanSet(r.Selected, v.size)
	v.below = newSpanSet(r.Below, v.size)
	v.mapped = newSpanSet(r.Mapped, v.size)
	v.kept = newKeptSets(r.Kept, v.size)
	v.stale = true
	v.rearrange()
}

// rearrange invalidates the overview strip.
func (v *View) rearrange() {
	s := &v.scene.strip
	s.selected, s.size, s.lines, s.sections = v.selected, v.size, s.lines[:0], v.sections
	if len(v.below) > 0 {
		s.selected = v.below
	}
	v.redraw()
}

// SetHover highlights ranges, like the pointer over a byte: those under the pointer in another pane, or none.
func (v *View) SetHover(ranges ...Range) {
	v.lit = newSpanSet(ranges, v.size)
	v.redraw()
}

// Hovered returns the ranges of SetHover.
func (v *View) Hovered() []Range { return v.lit }

// SetOverview sets the marks of the overview strip. marks is called now, when the source changes and by
// RefreshOverview, on the UI goroutine. It should return thousands of marks at most, since the strip has no more
// pixels. SetSource removes the marks.
func (v *View) SetOverview(marks func() []Mark) {
	v.overview = marks
	v.RefreshOverview()
}

// SetSections sets the parts of the source, sorted by offset and not overlapping. SetSource removes them.
func (v *View) SetSections(list []Section) {
	v.sections = list
	v.rearrange()
}

// RefreshOverview updates the marks of the overview strip.
func (v *View) RefreshOverview() {
	v.scene.strip.marks = nil
	if v.overview != nil {
		v.scene.strip.marks = v.overview()
	}
	v.rearrange()
}

// RefreshRanges updates Fields, Flaws and Matches, after more has become known.
func (v *View) RefreshRanges() {
	v.stale = true
	v.redraw()
}

// Cursor returns the offset of the cursor's byte.
func (v *View) Cursor() int64 { return v.cursor }

// SetCursor moves the cursor and drops the selection. It does not scroll.
func (v *View) SetCursor(off int64) {
	v.cursor, v.typing.low = v.clamp(off), false
	v.anchor, v.selecting = v.cursor, false
	v.again = tapMemory{}
	v.redraw()
}

// Selection returns the bytes that were selected by dragging, by keys or with Select; length is 0 if there are none.
func (v *View) Selection() (off, length int64) {
	if !v.selecting || v.size == 0 {
		return v.cursor, 0
	}
	first, last := min(v.anchor, v.cursor), max(v.anchor, v.cursor)
	return first, last - first + 1
}

// Select selects bytes and moves the cursor to the first; length 0 selects none. It does not scroll.
func (v *View) Select(off, length int64) {
	v.again = tapMemory{}
	first := v.clamp(off)
	last := v.size - 1
	if length < v.size-off {
		last = off + length - 1
	}
	v.cursor, v.anchor, v.selecting = first, first, length > 0 && last >= first
	if v.selecting {
		v.anchor = last
	}
	v.redraw()
}

// CopyAs returns the selected bytes, or else those of the selected node, or else the byte at the cursor, in a
// CopyFormat; see Copy.
func (v *View) CopyAs(format string) (string, error) {
	return Copy(v.loader.ctx, v.src, format, v.copied()...)
}

// copied returns the ranges that are copied.
func (v *View) copied() []Range {
	if off, length := v.Selection(); length > 0 {
		return []Range{{off, length}}
	}
	if len(v.selected) > 0 {
		return v.selected
	}
	return []Range{{v.cursor, min(1, v.size)}}
}

// ScrollTo shows the row of off at the top.
func (v *View) ScrollTo(off int64) {
	if v.grid == nil {
		v.reveal = Range{off, 0}
		return
	}
	row, _ := v.grid.rowOf(v.clamp(off))
	v.scrollRows(row)
}

// Reveal scrolls, if necessary, until the range is visible: in the middle if it fits, or else from its first byte on.
// It opens the fold around the first byte, unless the range contains the fold.
func (v *View) Reveal(off, length int64) {
	v.reveal = Range{off, max(length, 1)}
	if v.grid != nil {
		v.doReveal()
	}
}

func (v *View) doReveal() {
	g, r := v.grid, v.reveal
	v.reveal = Range{}
	if r.Len > 0 {
		v.wanted = r
		v.open(r)
	}
	first, _ := g.rowOf(v.clamp(r.Off))
	if r.Len == 0 {
		v.scrollRows(first)
		return
	}
	end := v.size - 1
	if r.Len < v.size-r.Off {
		end = v.clamp(r.End() - 1)
	}
	last, _ := g.rowOf(end)
	full := int64(g.full)
	switch {
	case first >= v.top && last < v.top+full:
	case last-first+1 >= full:
		v.scrollRows(max(0, first-1))
	default:
		v.scrollRows(first - (full-(last-first+1))/2)
	}
	v.revealColumn(int(v.clamp(r.Off) % int64(g.cols)))
}

// revealColumn scrolls sideways, if necessary, until a column is visible.
func (v *View) revealColumn(col int) {
	g := v.grid
	c := g.hexCell(col)
	room := g.strip.from - g.gutter
	switch {
	case c.from-v.left < g.gutter:
		v.scrollSide(c.from - g.gutter)
	case c.to-v.left > g.strip.from:
		v.scrollSide(c.to - g.gutter - room)
	}
}

// VisibleBytes returns the first visible byte and the number of visible bytes, including folds.
func (v *View) VisibleBytes() (off, length int64) {
	if v.grid == nil {
		return 0, 0
	}
	off, _ = v.grid.offsetOf(v.top)
	end, _ := v.grid.offsetOf(v.top + int64(v.grid.shown))
	return off, max(0, min(end, v.size)-off)
}

// A Rect is a rectangle in the view's coordinates.
type Rect struct {
	fyne.Position
	fyne.Size
}

// Center returns the center.
func (r Rect) Center() fyne.Position { return r.AddXY(r.Width/2, r.Height/2) }

// CellRect returns the cells of a byte in the hex and text columns, as they are filled when selected. ok is false if
// the byte is not visible.
func (v *View) CellRect(off int64) (hex, text Rect, ok bool) {
	first, n := v.VisibleBytes()
	if off < first || off >= first+n {
		return Rect{}, Rect{}, false
	}
	g := v.grid
	at, fold := g.rowOf(off)
	if fold != nil {
		return Rect{}, Rect{}, false
	}
	row, col := int(at-v.top), int(off%int64(g.cols))
	cell := func(s span) Rect {
		return Rect{
			fyne.NewPos(v.dp(s.from-v.left), v.dp(row*g.cell.row)),
			fyne.NewSize(v.dp(s.len()), v.dp(g.cell.row)),
		}
	}
	return cell(g.hexCell(col)), cell(g.textCell(col)), true
}

// dp and px convert pixels to the view's units and back.
func (v *View) dp(px int) float32 { return float32(float64(px) / v.grid.scale) }

func (v *View) px(p fyne.Position) (x, y int) {
	return int(math.Floor(float64(p.X) * v.grid.scale)), int(math.Floor(float64(p.Y) * v.grid.scale))
}

func (v *View) clamp(off int64) int64 { return max(0, min(off, v.size-1)) }

// redraw requests a repaint. Fyne keeps one request per object and frame, so any number costs one repaint.
func (v *View) redraw() { canvas.Refresh(v.raster) }

// scrollRows scrolls to a row, clamped.
func (v *View) scrollRows(top int64) {
	top = max(0, min(top, v.grid.lastTop()))
	if top == v.top {
		return
	}
	v.top = top
	v.moved()
}

// scrollSide scrolls sideways.
func (v *View) scrollSide(left int) {
	left = max(0, min(left, v.grid.lastLeft()))
	if left == v.left {
		return
	}
	v.left = left
	v.moved()
}

func (v *View) moved() {
	v.stale = true
	v.hideTip()
	v.redraw()
	if v.OnScroll != nil {
		v.OnScroll(v.VisibleBytes())
	}
}

// Colors returns the current colours of the view.
func (v *View) Colors() Colors { return v.painter.palette.Colors }
