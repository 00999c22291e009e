package document

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// Below is where the details are: below the trees and bytes or at their right, hidden to a strip of tabs, and how
// large, which each kind of tab remembers for itself.
type Below struct {
	shell.Opened
	Split  *container.Split // of the trees with the bytes, and the details
	box    *fyne.Container  // it, or its first part over the strip
	strip  fyne.CanvasObject
	whole  *fyne.Container // the strip and what its tab shows
	fold   *kit.Button
	beside *kit.Button
	told   func()  // after a change of where it is
	shown  float64 // where the divider was put last, before the user moved it
	kind   string  // of the tab in front
	lent   float64 // where the divider was before a drawing took room for itself; 0: none has
}

// atRight is the share of the width that the trees and bytes have at first, where the details are at the right.
const atRight = 0.66

// forDrawing is the share of the height that the trees and bytes have at first while a drawing is below them, whose pixels are what
// it says.
const forDrawing = 0.45

// isDrawing reports whether a kind of tab is a drawing.
func isDrawing(kind string) bool {
	switch kind {
	case "Image", "Plot", "Shape", "Sound", "Sizes":
		return true
	}
	return false
}

// newBelow puts the details, whose content is under its tabs, to what is above them.
func newBelow(opened shell.Opened, above fyne.CanvasObject, d *Details, told func()) *Below {
	b := &Below{Opened: opened, kind: d.kind(), told: told}
	b.fold = kit.IconButton(theme.MenuDropDownIcon(), "Hide or show this pane (Ctrl+J)", func() { b.Hide(!b.Store.PaneHidden) })
	b.beside = kit.IconButton(theme.ViewRestoreIcon(), "Put this pane below or at the right", b.Turn)
	line := kit.NewBacked(theme.ColorNameHeaderBackground, kit.Border(nil, widget.NewSeparator(), nil, nil)) // the buttons' too
	b.strip = container.NewStack(line, container.New(ended{}, d.Bar, b.beside, b.fold))
	b.whole = kit.Under(b.strip, d.box)
	b.Split = container.NewVSplit(above, b.whole)
	b.Split.Offset = b.Store.PaneSide
	b.box = container.NewStack(b.Split)
	b.Arrange()
	return b
}

// Arrange follows what the window remembers.
func (b *Below) Arrange() {
	b.Split.Horizontal = b.Store.PaneRight
	b.lent = 0
	b.place()
	b.Split.Refresh()
	b.fold.SetIcon(theme.MenuDropDownIcon())
	if b.Store.PaneHidden {
		b.fold.SetIcon(theme.MenuDropUpIcon())
		b.box.Objects = []fyne.CanvasObject{kit.Border(nil, b.strip, nil, nil, b.Split.Leading)}
	} else {
		b.box.Objects = []fyne.CanvasObject{b.Split}
	}
	b.box.Refresh()
	b.whole.Refresh() // the strip may have been elsewhere
}

// Hide hides the pane to its strip, or shows it again.
func (b *Below) Hide(hidden bool) {
	if hidden == b.Store.PaneHidden {
		return
	}
	b.keep()
	b.Store.PaneHidden = hidden
	b.Arrange()
	b.Save()
	b.told()
	b.Log.Write("pane-hidden", hidden)
}

// Turn puts the pane to the right, or below again.
func (b *Below) Turn() {
	b.keep()
	b.Store.PaneRight = !b.Store.PaneRight
	b.Arrange()
	b.Save()
	b.told()
	b.Log.Write("pane-right", b.Store.PaneRight)
}

// inFront follows the tab that is in front, by its kind.
func (b *Below) inFront(kind string) {
	if b == nil || kind == b.kind {
		return
	}
	b.keep()
	b.kind = kind
	draws := isDrawing(kind) && !b.Store.PaneRight
	if draws && b.lent == 0 {
		b.lent = b.Split.Offset
	}
	switch _, own := b.Store.PaneSides[b.key()]; {
	case own:
		b.place()
	case draws:
		b.put(min(b.lent, forDrawing))
	case b.lent != 0:
		b.put(b.lent)
	}
	if !draws {
		b.lent = 0
	}
}

// put puts the divider somewhere, which is not the user's doing.
func (b *Below) put(at float64) {
	b.Split.SetOffset(at)
	b.shown = b.Split.Offset
}

// key is under what the place of the divider is remembered.
func (b *Below) key() string {
	if b.Store.PaneRight {
		return "right " + b.kind
	}
	return b.kind
}

// place puts the divider where it was left last with a tab of this kind, else where others have it.
func (b *Below) place() {
	at, own := b.Store.PaneSides[b.key()]
	switch {
	case own:
	case b.Store.PaneRight:
		at = atRight
	case isDrawing(b.kind):
		at = min(b.Store.PaneSide, forDrawing)
	default:
		at = b.Store.PaneSide
	}
	b.put(at)
}

// keep remembers where the user has put the divider.
func (b *Below) keep() {
	if b.Split.Offset == b.shown {
		return
	}
	if b.Store.PaneSides == nil {
		b.Store.PaneSides = make(map[string]float64)
	}
	b.Store.PaneSides[b.key()] = b.Split.Offset
	b.shown = b.Split.Offset
}

// ended puts small buttons at the right end of a bar, as high as it is.
type ended struct{}

const endWide = 26

func (ended) Layout(o []fyne.CanvasObject, size fyne.Size) {
	left := size.Width - endWide*float32(len(o)-1)
	kit.Put(o[0], 0, 0, max(left, 0), size.Height)
	for i, b := range o[1:] {
		kit.Put(b, left+endWide*float32(i), 0, endWide, size.Height)
	}
}

func (ended) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+endWide*float32(len(o)-1), o[0].MinSize().Height)
}
