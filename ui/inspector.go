package ui

import (
	"context"
	"fmt"
	"image/color"
	"math/bits"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/kit"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// inspector shows the bytes at the cursor of the hex pane as everything that they could be, their bits with the bit
// fields over them, and checksums of what is selected.
type inspector struct {
	s      *session
	object fyne.CanvasObject

	rows    *treeview.Tree
	rowData *treeview.Slice[inspect.Row]

	bits      *bitGrid
	fields    *treeview.Tree
	fieldData *treeview.Slice[inspect.Field]
	fieldBox  *fyne.Container
	plain     fyne.CanvasObject // says that there are none

	sums *sumsPane

	at      inspected // what is shown or being read
	looking task.Latest
}

// inspectorWide is the room that the inspector takes at least.
const inspectorWide = 1100

// inspected is the place that the inspector looks at.
type inspected struct {
	src  *model.Source
	off  int64
	node *model.Place // the selected one
}

func newInspector(s *session) *inspector {
	i := &inspector{s: s}
	i.rowData = treeview.SliceOf(inspectorRow)
	i.rows = s.w.NewList(s.shown, "inspector", i.rowData, []treeview.Column{
		{Title: "Read as", Width: 122, Quiet: true}, {Title: "Little endian", Width: 150, Stretch: 1, Mono: true},
		{Title: "Big endian", Width: 150, Stretch: 1, Mono: true}})
	i.fieldData = treeview.SliceOf(func(f inspect.Field) treeview.Row {
		return treeview.Row{Cells: []string{f.Name, bitsText(f.Mask), f.Value, fmt.Sprintf("%#x", f.Mask)}}
	})
	i.fields = s.w.NewList(s.shown, "bit fields", i.fieldData, []treeview.Column{
		{Title: "Bit field", Width: 76, Stretch: 2}, {Title: "Bits", Width: 58, Mono: true, Quiet: true},
		{Title: "Value", Width: 56, Stretch: 3, Mono: true}, {Title: "Mask", Width: 44, Mono: true, Quiet: true}})
	i.fields.OnChosen = func(it treeview.Item) {
		if f, ok := i.fieldData.At(it); ok {
			s.goTo(f.Path)
		}
	}
	i.bits = newBitGrid(func(bit int) {
		for _, f := range i.fieldData.All() {
			if f.Mask>>bit&1 != 0 {
				s.goTo(f.Path)
				return
			}
		}
	})
	i.plain = kit.Message("No bit fields here.")
	i.fieldBox = container.NewStack(i.plain)
	i.sums = newSumsPane(s)
	scroll := container.NewVScroll(container.New(layout.NewCustomPaddedLayout(5, 4, 10, 12), i.bits))
	right := container.NewHSplit(container.NewBorder(nil, nil, scroll, nil, i.fieldBox), i.sums.object)
	right.Offset = 0.66
	split := container.NewHSplit(i.rows, right)
	split.Offset = 0.46 // most numbers, and the fields' names, are shown whole
	room := canvas.NewRectangle(color.Transparent)
	room.SetMinSize(fyne.NewSize(inspectorWide, 0))
	i.object = container.NewHScroll(container.NewStack(room, split)) // a narrow window shows a part
	return i
}

// inspectorRow shows a reading. What the bytes do not mean stands back.
func inspectorRow(r inspect.Row) treeview.Row {
	row := treeview.Row{Cells: []string{r.Name, valueOrWhy(r.Little), ""}, Dim: r.Len == 0,
		Swatches: []color.Color{nil, swatch(r.Little), nil}}
	if r.Ordered {
		row.Cells[2], row.Swatches[2] = valueOrWhy(r.Big), swatch(r.Big)
	}
	return row
}

func valueOrWhy(v inspect.Value) string {
	if v.Text == "" {
		return "—  " + v.Why
	}
	return v.Text
}

// swatch is the colour of a value without its transparency, which would hide it; nil where it has none.
func swatch(v inspect.Value) color.Color {
	if v.Color == (color.NRGBA{}) {
		return nil
	}
	return color.NRGBA{R: v.Color.R, G: v.Color.G, B: v.Color.B, A: 0xff}
}

// bitsText says which bits a mask selects, the lowest being bit 0: "4…7".
func bitsText(mask uint64) string {
	first, last := bits.TrailingZeros64(mask), bits.Len64(mask)-1
	text := strconv.Itoa(first)
	switch {
	case last-first+1 != bits.OnesCount64(mask):
		text += " … " + strconv.Itoa(last) // not all of them
	case last > first:
		text += "…" + strconv.Itoa(last)
	}
	return text
}

// panel is the inspector's tab.
func (i *inspector) panel() panel {
	return panel{func() string { return "Inspector" }, func() fyne.CanvasObject {
		i.follow()
		return i.object
	}}
}

// follow looks at the cursor of the hex pane, if the inspector is in sight.
func (i *inspector) follow() {
	t := i.s.hex.shown
	if i.s.details.shown != tabInspector || t == nil {
		return
	}
	i.sums.follow()
	at := inspected{t.src, t.view.Cursor(), i.s.current}
	if at == i.at {
		return
	}
	i.at = at
	i.s.work.Go(i.looking.Next(i.s.shown), "", func(ctx context.Context, _ model.Progress) func() {
		got := insightAt(ctx, i.s.doc, at) // the bytes may have to be inflated first
		return func() { i.show(got) }
	})
}

// again looks once more: more may be known of the place.
func (i *inspector) again() {
	i.at = inspected{}
	i.follow()
}

// insight is what the inspector shows of a place.
type insight struct {
	at     inspected
	rows   []inspect.Row
	span   model.Span // the bytes whose bits are shown
	bytes  []byte
	fields []inspect.Field
	field  int // the one that is selected; -1: none
}

// insightAt reads everything of a place.
func insightAt(ctx context.Context, doc *model.Document, at inspected) insight {
	got := insight{at: at, field: -1}
	b := make([]byte, inspect.Most)
	n, _ := at.src.ReadAt(ctx, b, at.off) // what cannot be read is not there to be looked at; the hex pane says why
	got.rows = inspect.Read(b[:n])
	got.span = at.src.Span(at.off, min(1, int64(n)))
	var own string
	if at.node != nil && at.node.Node.Span().Covers(at.src, at.off) {
		own = at.node.Path()
		if span := at.node.Node.Span(); span.Len <= longestBits && len(at.node.Node.Spans) == 1 {
			got.span = span
		}
		got.setFields(inspect.FieldsAt(ctx, at.node))
	}
	if len(got.fields) == 0 {
		if p, _ := doc.At(ctx, at.src, at.off); p != nil {
			got.setFields(inspect.FieldsAt(ctx, p))
		}
	}
	for k := range got.fields {
		if got.fields[k].Path == own {
			got.field = k
		}
	}
	var err error
	if got.bytes, err = got.span.Source.Bytes(ctx, got.span.Off, got.span.Len); err != nil {
		got.bytes, got.fields = nil, nil
	}
	return got
}

// longestBits is the most bytes whose bits are shown.
const longestBits = 8

// setFields takes bit fields and the bytes under them, if there are any over the cursor: a node may have bits elsewhere.
func (g *insight) setFields(span model.Span, fields []inspect.Field) {
	if len(fields) > 0 && span.Covers(g.at.src, g.at.off) {
		g.span, g.fields = span, fields
	}
}

// show puts what was read on the screen.
func (i *inspector) show(got insight) {
	first := len(i.rowData.All()) == 0
	i.rowData.Set(got.rows)
	if first {
		i.rows.Recount()
	} else {
		i.rows.Invalidate() // there are as many as before, and the selected one stays
	}
	masks := make([]uint64, len(got.fields))
	for k, f := range got.fields {
		masks[k] = f.Mask
	}
	i.bits.set(got.bytes, got.span.Off, masks, got.field)
	i.fieldData.Set(got.fields)
	i.fields.Recount()
	if got.field >= 0 {
		i.fields.SelectIndex(int64(got.field), true)
	}
	if len(got.fields) > 0 {
		kit.Swap(i.fieldBox, i.fields)
	} else {
		kit.Swap(i.fieldBox, i.plain)
	}
	little, big := got.reading("u16")
	i.s.w.Log.Write("inspect", got.at.src.Name(), got.at.off, little, big, len(got.fields), got.field)
}

// reading is what a row says in both byte orders.
func (g *insight) reading(name string) (little, big string) {
	for _, r := range g.rows {
		if r.Name == name {
			return r.Little.Text, r.Big.Text
		}
	}
	return "", ""
}
