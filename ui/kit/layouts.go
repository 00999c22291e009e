package kit

import (
	"cmp"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Border is container.NewBorder with its objects in the order of reading, which is the order of Tab. Fyne's has the middle
// first.
func Border(top, bottom, left, right fyne.CanvasObject, middle ...fyne.CanvasObject) *fyne.Container {
	all := append([]fyne.CanvasObject{top, left}, middle...)
	all = append(all, right, bottom)
	all = slices.DeleteFunc(all, func(o fyne.CanvasObject) bool { return o == nil })
	return container.New(notNegative{of: layout.NewBorderLayout(top, bottom, left, right)}, all...)
}

// Padded puts room around content, as much as there is.
func Padded(top, bottom, left, right float32, content fyne.CanvasObject) *fyne.Container {
	return container.New(notNegative{of: layout.NewCustomPaddedLayout(top, bottom, left, right)}, content)
}

// notNegative gives no object a negative size where there is too little room.
type notNegative struct{ of fyne.Layout }

func (b notNegative) Layout(o []fyne.CanvasObject, size fyne.Size) {
	b.of.Layout(o, size)
	for _, c := range o {
		if now := c.Size(); now.Width < 0 || now.Height < 0 {
			c.Resize(fyne.NewSize(max(now.Width, 0), max(now.Height, 0)))
		}
	}
}

func (b notNegative) MinSize(o []fyne.CanvasObject) fyne.Size { return b.of.MinSize(o) }

// AtLeast gives content a width that is at least so much.
func AtLeast(width float32, o fyne.CanvasObject) *fyne.Container {
	return Filled(func() fyne.Size {
		width := max(width, o.MinSize().Width)
		if o.Size().Width < width { // wrapped text gets its height from its width
			o.Resize(fyne.NewSize(width, o.Size().Height))
		}
		return fyne.NewSize(width, o.MinSize().Height)
	}, o)
}

// FixedWidth gives content a width, however much it needs.
func FixedWidth(width float32, o fyne.CanvasObject) *fyne.Container {
	return Filled(func() fyne.Size { return fyne.NewSize(width, o.MinSize().Height) }, o)
}

// Filled lays out objects over one another, each in all the room, which is at least as large as least returns.
func Filled(least func() fyne.Size, o ...fyne.CanvasObject) *fyne.Container {
	return container.New(filled(least), o...)
}

type filled func() fyne.Size

func (f filled) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, c := range o {
		Put(c, 0, 0, size.Width, size.Height)
	}
}

func (f filled) MinSize([]fyne.CanvasObject) fyne.Size { return f() }

// Flow puts objects beside one another, and below where they don't fit; stretched takes what its row has left.
func Flow(stretched fyne.CanvasObject, o ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{stretched: stretched, width: math.MaxFloat32}, o...)
}

type flow struct {
	stretched fyne.CanvasObject
	width     float32 // of the last layout, by which the height is computed
}

// rows are the visible objects of each row, and its height.
func (f *flow) rows(o []fyne.CanvasObject) (rows [][]fyne.CanvasObject, heights []float32) {
	right := float32(0)
	for _, c := range o {
		if !c.Visible() {
			continue
		}
		least := c.MinSize()
		if right += theme.Padding() + least.Width; len(rows) == 0 || right > f.width {
			rows, heights, right = append(rows, nil), append(heights, 0), least.Width
		}
		last := len(rows) - 1
		rows[last], heights[last] = append(rows[last], c), max(heights[last], least.Height)
	}
	return rows, heights
}

func (f *flow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	rows, heights := f.rows(o)
	y := float32(0)
	for i, row := range rows {
		left := size.Width + theme.Padding()
		for _, c := range row {
			left -= c.MinSize().Width + theme.Padding()
		}
		x := float32(0)
		for _, c := range row {
			width := min(c.MinSize().Width, max(size.Width, 0))
			if c == f.stretched {
				width += max(left, 0)
			}
			Put(c, x, y, width, heights[i])
			x += width + theme.Padding()
		}
		y += heights[i] + theme.Padding()
	}
}

// MinSize returns the width of the widest object, and the height of the rows of the last layout.
func (f *flow) MinSize(o []fyne.CanvasObject) (size fyne.Size) {
	rows, heights := f.rows(o)
	for i, row := range rows {
		for _, c := range row {
			size.Width = max(size.Width, c.MinSize().Width)
		}
		size.Height += heights[i] + theme.Padding()
	}
	return fyne.NewSize(size.Width, max(size.Height-theme.Padding(), 0))
}

// Put gives an object its place and size.
func Put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

// FieldWide is the width of a filter, or of another field at the end of a bar, in Fyne's units, and what it gives way to.
const (
	FieldWide   = 220
	fieldNarrow = 96
)

// Bar is a line of objects, among them a text that takes all the room that is left. Where that is too little for its words, a
// field gives way before they are cut.
type Bar struct {
	Box  *fyne.Container
	line *fyne.Container
}

// NewBar makes a bar of objects, text and field among them.
func NewBar(text *widget.Label, field fyne.CanvasObject, o ...fyne.CanvasObject) *Bar {
	return NewBarOf(text, field, fieldNarrow, FieldWide, o...)
}

// NewBarOf is NewBar with a field of another width, and what that gives way to.
func NewBarOf(text *widget.Label, field fyne.CanvasObject, narrow, wide float32, o ...fyne.CanvasObject) *Bar {
	text.Truncation = fyne.TextTruncateEllipsis
	line := container.New(bar{text, field, narrow, wide}, o...)
	return &Bar{BarPadded(line), line}
}

// BarPadded puts the usual room around the content of a bar.
func BarPadded(content fyne.CanvasObject) *fyne.Container { return Padded(3, 3, 5, 5, content) }

// Fit lays the bar out anew, after the text or what is shown has changed.
func (b *Bar) Fit() { b.line.Layout.Layout(b.line.Objects, b.line.Size()) }

// WordsWidth returns the width that all words of a label of one line need.
func WordsWidth(l *widget.Label) float32 {
	th := l.Theme()
	size := th.Size(cmp.Or(l.SizeName, theme.SizeNameText))
	return fyne.MeasureText(l.Text, size, l.TextStyle).Width + 2*th.Size(theme.SizeNameInnerPadding) + theme.Padding()
}

type bar struct {
	text         *widget.Label
	field        fyne.CanvasObject
	narrow, wide float32 // of the field
}

func (b bar) Layout(o []fyne.CanvasObject, size fyne.Size) {
	room := size.Width - b.width(o)
	field := float32(0)
	if b.field.Visible() {
		field = min(max(room-WordsWidth(b.text), b.narrow), b.wide)
	}
	x := float32(0)
	for _, c := range o {
		if !c.Visible() {
			continue
		}
		width := c.MinSize().Width
		switch c {
		case b.field:
			width = field
		case b.text:
			width = max(room-field, 0)
		}
		Put(c, x, 0, width, size.Height)
		x += width + theme.Padding()
	}
}

// width returns the width of all objects but the text and the field.
func (b bar) width(o []fyne.CanvasObject) float32 {
	width := -theme.Padding()
	for _, c := range o {
		if c.Visible() {
			width += theme.Padding()
			if c != b.text && c != b.field {
				width += c.MinSize().Width
			}
		}
	}
	return width
}

func (b bar) MinSize(o []fyne.CanvasObject) fyne.Size {
	height := float32(0)
	for _, c := range o {
		if c.Visible() {
			height = max(height, c.MinSize().Height)
		}
	}
	return fyne.NewSize(b.width(o)+b.text.MinSize().Width+b.narrow, height)
}

// HandOn gives a key that means nothing to the widget with the keyboard to the window, or to the dialog over it.
func HandOn(from fyne.CanvasObject, k *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(from); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(k)
	}
}

// HandOnShortcut gives a shortcut that means nothing to the widget with the keyboard to the window.
func HandOnShortcut(from fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(from).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// HandOnRune gives a character that means nothing to the widget with the keyboard to the window.
func HandOnRune(from fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(from); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}
