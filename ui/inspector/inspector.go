// Package inspector shows the bytes at the cursor in every type that they could have, with their bits and checksums.
package inspector

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"math/bits"
	"slices"
	"strconv"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists the functions of its document that the inspector may call.
type Host struct {
	// ChangeReading asks for the value that a row should read at an offset, and replaces the bytes by its encoding.
	ChangeReading func(src *model.Source, off int64, row inspect.Row)
	GoTo          func(path string)        // selects the node of a bit field
	Light         func(spans []model.Span) // highlights the summed bytes and scrolls there
	ShowSpan      func(span model.Span)    // selects bytes
	FlipOrder     func()                   // sets the other byte order for numbers
}

// A Pane is about the bytes at the cursor of the hex pane. It has three tabs: numbers and text that the bytes could be,
// their bits with the bit fields, and checksums of the selected bytes.
type Pane struct {
	shell.Opened
	host   Host
	Object fyne.CanvasObject
	Bar    *kit.TabBar
	Front  int
	box    *fyne.Container

	Rows    *treeview.Tree
	RowData *treeview.Slice[inspect.Row]

	Bits      *bitGrid
	Fields    *treeview.Tree
	FieldData *treeview.Slice[inspect.Field]
	FieldBox  *fyne.Container
	Plain     fyne.CanvasObject // shown if the bytes have no bit fields
	reading   fyne.CanvasObject // shown while the fields are not known yet
	bits      *fyne.Container   // the bits and their fields

	Sums  *sumsPane
	spans []model.Span // to be summed up
	from  string       // words for the selection
	big   atomic.Bool  // numbers are read with the highest byte first

	At      Place // shown, or being read
	looking task.Latest
}

// The tabs of the inspector.
const (
	Numbers = iota
	BitFields
	Sums
)

// A Place is an offset in a source, with the selected node.
type Place struct {
	Source *model.Source
	Off    int64
	Node   *model.Place // the selected node, or nil
}

// New makes the inspector of a document.
func New(s shell.Opened, host Host) *Pane {
	i := &Pane{Opened: s, host: host, box: container.NewStack()}
	i.RowData = treeview.SliceOf(i.row)
	i.Rows = s.NewList(s.Ctx, "", i.RowData, i.columns())
	i.Rows.OnTitle = func(int) { host.FlipOrder() }
	i.Rows.OnChosen = i.RowData.With(func(row inspect.Row) {
		if i.At.Source != nil {
			host.ChangeReading(i.At.Source, i.At.Off, row)
		}
	})
	i.FieldData = treeview.SliceOf(func(f inspect.Field) treeview.Row {
		return treeview.Row{Cells: []string{f.Name, bitsText(f.Mask), f.Value, fmt.Sprintf("%#x", f.Mask)}}
	})
	i.Fields = s.NewList(s.Ctx, "bit fields", i.FieldData, []treeview.Column{
		{Title: "Bit field", Width: 76, Stretch: 2, Least: 60}, {Title: "Bits", Width: 58, Mono: true, Quiet: true, Least: 44},
		{Title: "Value", Width: 56, Stretch: 3, Mono: true, Least: 44}, {Title: "Mask", Width: 44, Mono: true, Quiet: true}})
	i.Fields.OnChosen = i.FieldData.With(func(f inspect.Field) { host.GoTo(f.Path) })
	i.Bits = newBitGrid(func(bit int) {
		for _, f := range i.FieldData.All() {
			if f.Mask>>bit&1 != 0 {
				host.GoTo(f.Path)
				return
			}
		}
	})
	i.Plain, i.reading = kit.Message("No bit fields here."), kit.Message("reading…")
	i.FieldBox = container.NewStack(i.Plain)
	i.bits = kit.Border(kit.Padded(5, 4, 10, 12, i.Bits), nil, nil, nil, i.FieldBox)
	i.Sums = newSumsPane(s, host)
	i.Bar = kit.NewTabBar(i.Choose)
	i.Bar.OnClick = func(int) { i.TakeKeys() }
	i.Bar.Set([]kit.Tab{Numbers: {Title: "Numbers"}, BitFields: {Title: "Bits"}, Sums: {Title: "Checksums"}}, 0)
	i.Object = kit.Under(i.Bar, i.box)
	i.Choose(Numbers)
	return i
}

// Choose shows a tab.
func (i *Pane) Choose(tab int) {
	i.Front = tab
	i.Bar.Set(i.Bar.Tabs, tab)
	if tab == Sums {
		i.Sums.follow(i.spans, i.from)
	}
	kit.Swap(i.box, []fyne.CanvasObject{i.Rows, i.bits, i.Sums.object}[tab])
}

// TakeKeys gives the keyboard to the tab in front.
func (i *Pane) TakeKeys() {
	if to := shell.KeyboardOf(i.box); to != nil {
		i.Focus(to)
	}
}

// columns returns the columns of the numbers, in the byte order that is set.
func (i *Pane) columns() []treeview.Column {
	i.big.Store(i.Store.BigEndian)
	order := "Little endian · big endian"
	if i.Store.BigEndian {
		order = "Big endian · little endian"
	}
	return []treeview.Column{{Title: "Read as", Width: 104, Quiet: true}, {Title: order, Width: 150, Stretch: 1, Mono: true}}
}

// ShowOrder shows the numbers in the byte order that is set.
func (i *Pane) ShowOrder() {
	i.Rows.SetColumns(i.columns())
	i.Rows.Invalidate()
}

// row shows a reading in the byte order that is set, and after it in the other one. It dims readings that the bytes do
// not allow.
func (i *Pane) row(r inspect.Row) treeview.Row {
	v, other := r.Little, r.Big
	if r.Ordered && i.big.Load() {
		v, other = r.Big, r.Little
	}
	text := cmp.Or(v.Text, "—  "+v.Why)
	if r.Ordered && v.Text != "" && other.Text != "" {
		text += "   ·   " + other.Text
	}
	return treeview.Row{Cells: []string{r.Name, text}, Dim: r.Len == 0, Swatches: []color.Color{nil, swatch(v)}}
}

// swatch returns the colour of a value without its transparency, which would hide it, or nil if the value has no
// colour.
func swatch(v inspect.Value) color.Color {
	if v.Color == (color.NRGBA{}) {
		return nil
	}
	return color.NRGBA{R: v.Color.R, G: v.Color.G, B: v.Color.B, A: 0xff}
}

// bitsText returns the numbers of the bits that a mask selects, the lowest being bit 0: "4…7".
func bitsText(mask uint64) string {
	first, last := bits.TrailingZeros64(mask), bits.Len64(mask)-1
	text := strconv.Itoa(first)
	switch {
	case last-first+1 != bits.OnesCount64(mask):
		text += " … " + strconv.Itoa(last) // with gaps
	case last > first:
		text += "…" + strconv.Itoa(last)
	}
	return text
}

// Follow shows a place, and the checksums of spans. from describes in words how these were selected.
func (i *Pane) Follow(at Place, spans []model.Span, from string) {
	i.spans, i.from = spans, from
	if i.Front == Sums {
		i.Sums.follow(spans, from)
	}
	if at == i.At {
		return
	}
	i.wait(!at.Source.Same(i.At.Source) || at.Off != i.At.Off)
	i.At = at
	i.Tasks.Go(i.looking.Next(i.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		got := inspectAt(ctx, i.Doc, at) // the bytes may have to be inflated first
		return func() { i.show(got) }
	})
}

// wait shows that bit fields are not known yet, and with bytes also the numbers.
func (i *Pane) wait(bytes bool) {
	if bytes {
		rows := slices.Clone(i.RowData.All())
		for k := range rows {
			rows[k].Little, rows[k].Big, rows[k].Len = inspect.Value{Text: "…"}, inspect.Value{Text: "…"}, 0
		}
		i.RowData.Set(rows)
		i.Rows.Invalidate()
	}
	i.setBits(nil, i.Bits.Off, nil, -1)
	i.FieldData.Set(nil)
	kit.Swap(i.FieldBox, i.reading)
}

// setBits shows other bits, and refreshes their container if their size has changed: Fyne alone would lay it out only
// after painting.
func (i *Pane) setBits(b []byte, off int64, masks []uint64, chosen int) {
	before := i.Bits.MinSize()
	i.Bits.set(b, off, masks, chosen)
	if i.Bits.MinSize() != before {
		i.bits.Refresh()
	}
}

// Forget makes the next Follow read the place again, after more of the document was decoded.
func (i *Pane) Forget() { i.At = Place{} }

// An inspection holds the contents of the first two tabs for a place.
type inspection struct {
	at     Place
	rows   []inspect.Row
	span   model.Span // the bytes whose bits are shown
	bytes  []byte
	fields []inspect.Field
	field  int // the index of the selected field, or -1
}

// inspectAt reads the numbers and bit fields at a place.
func inspectAt(ctx context.Context, doc *model.Document, at Place) inspection {
	got := inspection{at: at, field: -1}
	b := make([]byte, inspect.Most)
	n, _ := at.Source.ReadAt(ctx, b, at.Off) // bytes that cannot be read are left out; the hex pane shows the error
	got.rows = inspect.Read(b[:n])
	got.span = at.Source.Span(at.Off, min(1, int64(n)))
	var own string
	if at.Node != nil && at.Node.Node.Span().Covers(at.Source, at.Off) {
		own = at.Node.Path()
		if span := at.Node.Node.Span(); span.Len <= longestBits && len(at.Node.Node.Spans) == 1 {
			got.span = span
		}
		got.setFields(inspect.FieldsAt(ctx, at.Node))
	}
	if len(got.fields) == 0 {
		if p, _ := doc.At(ctx, at.Source, at.Off); p != nil {
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

// longestBits is the maximum number of bytes whose bits are shown.
const longestBits = 8

// setFields sets the bit fields and their bytes, if the cursor is in these bytes: a node may have bits elsewhere.
func (g *inspection) setFields(span model.Span, fields []inspect.Field) {
	if len(fields) > 0 && span.Covers(g.at.Source, g.at.Off) {
		g.span, g.fields = span, fields
	}
}

// show shows an inspection.
func (i *Pane) show(got inspection) {
	first := len(i.RowData.All()) == 0
	i.RowData.Set(got.rows)
	if first {
		i.Rows.Recount()
	} else {
		i.Rows.Invalidate() // their number is the same, so that the selected one stays
	}
	masks := make([]uint64, len(got.fields))
	for k, f := range got.fields {
		masks[k] = f.Mask
	}
	i.setBits(got.bytes, got.span.Off, masks, got.field)
	i.FieldData.Set(got.fields)
	i.Fields.Recount()
	if got.field >= 0 {
		i.Fields.SelectIndex(int64(got.field), true)
	}
	if len(got.fields) > 0 {
		kit.Swap(i.FieldBox, i.Fields)
	} else {
		kit.Swap(i.FieldBox, i.Plain)
	}
	little, big := got.row("u16")
	i.Log.Write("inspect", got.at.Source.Name(), got.at.Off, little, big, len(got.fields), got.field)
}

// row returns the reading of a row in both byte orders.
func (g *inspection) row(name string) (little, big string) {
	for _, r := range g.rows {
		if r.Name == name {
			return r.Little.Text, r.Big.Text
		}
	}
	return "", ""
}
