package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// DividerWide is the width of a divider in Fyne's units.
const DividerWide = 5

// Divider is the line between two columns. A drag moves it; where it is then is its owner's affair.
type Divider struct {
	widget.BaseWidget
	onDrag func(by float32)
	onEnd  func()
	hover  bool
	ground Ground
	line   *canvas.Rectangle
}

// NewDivider makes a divider. While it is dragged it calls onDrag with the distance to the right, and then onEnd.
func NewDivider(onDrag func(by float32), onEnd func()) *Divider {
	d := &Divider{onDrag: onDrag, onEnd: onEnd, ground: NewGround(), line: &canvas.Rectangle{}}
	d.ExtendBaseWidget(d)
	return d
}

// Dragged hands on the distance of a drag.
func (d *Divider) Dragged(e *fyne.DragEvent) { d.onDrag(e.Dragged.DX) }

// DragEnd ends a drag.
func (d *Divider) DragEnd() { d.onEnd() }

// Cursor returns the arrows to the left and the right.
func (d *Divider) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// MouseIn lights the line.
func (d *Divider) MouseIn(*desktop.MouseEvent) { d.hover = true; d.Refresh() }

// MouseMoved does nothing.
func (d *Divider) MouseMoved(*desktop.MouseEvent) {}

// MouseOut darkens the line.
func (d *Divider) MouseOut() { d.hover = false; d.Refresh() }

// CreateRenderer makes the line.
func (d *Divider) CreateRenderer() fyne.WidgetRenderer {
	d.paint()
	line := container.New(layout.NewCustomPaddedLayout(0, 0, DividerWide/2, DividerWide/2), d.line)
	return widget.NewSimpleRenderer(Filled(func() fyne.Size { return fyne.NewSize(DividerWide, 1) }, d.ground.Object, line))
}

// Refresh paints the line anew.
func (d *Divider) Refresh() {
	d.paint()
	d.line.Refresh()
}

func (d *Divider) paint() {
	d.ground.Paint(Paint(theme.ColorNameHeaderBackground))
	d.line.FillColor = Paint(theme.ColorNameSeparator)
	if d.hover {
		d.line.FillColor = Paint(theme.ColorNamePrimary)
	}
}
