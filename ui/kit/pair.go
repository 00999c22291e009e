package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Pair is a line with a name at its left and a number at its right, below a list of such.
type Pair struct {
	Object *fyne.Container
	value  *widget.Label
}

// NewPair makes a pair without a number.
func NewPair(name string) *Pair {
	title, value := widget.NewLabel(name), widget.NewLabel("")
	title.Importance, title.SizeName = widget.LowImportance, theme.SizeNameText
	value.TextStyle, value.Importance = fyne.TextStyle{Monospace: true}, widget.LowImportance
	line := canvas.NewRectangle(Paint(theme.ColorNameSeparator))
	line.SetMinSize(fyne.NewSize(1, 1))
	return &Pair{container.NewBorder(line, nil, nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 4, 0), Border(nil, nil, title, value, layout.NewSpacer()))), value}
}

// Set sets the number.
func (p *Pair) Set(value string) { p.value.SetText(value) }
