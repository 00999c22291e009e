package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// A Pair is a line below a list: a name at its left and a number at its right. It has no room where the list is low.
type Pair struct {
	Object *fyne.Container // the list over the line
	line   *fyne.Container
	value  *widget.Label
}

// lowList is the height of a pair below which the list takes all and the line is hidden.
const lowList = 420

// NewPair makes a line without a number, hidden, below a list.
func NewPair(list fyne.CanvasObject, name string) *Pair {
	title, value := widget.NewLabel(name), widget.NewLabel("")
	title.Importance = widget.LowImportance
	value.TextStyle, value.Importance = fyne.TextStyle{Monospace: true}, widget.LowImportance
	row := Padded(2, 2, 10, 6, Border(nil, nil, Dense(title), Dense(value), layout.NewSpacer()))
	p := &Pair{line: Border(widget.NewSeparator(), nil, nil, nil, row), value: value}
	p.line.Hide()
	p.Object = container.New(overLine{}, list, p.line)
	return p
}

// Set shows a number, or hides the line.
func (p *Pair) Set(value string, shown bool) {
	p.value.SetText(value)
	SetVisible(p.line, shown)
	p.Object.Refresh()
}

// overLine lays out a list over a line.
type overLine struct{}

func (overLine) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (overLine) Layout(o []fyne.CanvasObject, size fyne.Size) {
	high := float32(0)
	if o[1].Visible() && size.Height >= lowList {
		high = o[1].MinSize().Height
	}
	Put(o[0], 0, 0, size.Width, size.Height-high)
	Put(o[1], 0, size.Height-high, size.Width, high)
}
