package document

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// Beside is the inspector at the right of trees and bytes, where these are wide enough for it and the user has not put it back into
// its tab.
type Beside struct {
	shell.Opened
	pane   *Pane
	above  *fyne.Container  // the trees and bytes, with the inspector or without
	split  *container.Split // they and the inspector; nil while it is in its tab
	panel  fyne.CanvasObject
	shown  float64 // where the divider was put last, before the user moved it
	asked  bool    // the next arrangement is on its way
	fitted bool    // it had room beside the bytes at the last one
	inside fyne.CanvasObject
}

const (
	// besideFrom is the width from which on the inspector is beside the bytes: a row still has 16 of them.
	besideFrom = 1700
	// besideWide is how wide it is at first, and besideShare its share of what room is more: long numbers are whole there.
	besideWide, besideShare = 376, 0.25
	// besideKey is under what the place of the divider is remembered.
	besideKey = "inspector beside"
)

// newBeside makes the place of the trees and bytes, which are inside.
func newBeside(s *Pane, inside fyne.CanvasObject) *Beside {
	b := &Beside{Opened: s.Opened, pane: s, inside: inside}
	b.above = container.New(besideLayout{b}, inside)
	return b
}

// InspectorBeside reports whether the inspector is beside the bytes now.
func (b *Beside) InspectorBeside() bool { return b != nil && b.split != nil }

// InspectorFits reports whether the window is wide enough for the inspector to be beside the bytes.
func (b *Beside) InspectorFits() bool { return b.fits(b.above.Size().Width) }

func (b *Beside) fits(width float32) bool { return width >= besideFrom }

// ArrangeInspector puts the inspector where it belongs by the width of the window and the user's choice, and reports whether it is
// beside the bytes.
func (b *Beside) ArrangeInspector() bool {
	b.asked, b.fitted = false, b.InspectorFits()
	if on := b.wanted(b.above.Size().Width); on != b.InspectorBeside() {
		b.keepBeside()
		b.put(on)
	}
	b.pane.host.Moved() // menus say where it can be
	return b.InspectorBeside()
}

func (b *Beside) wanted(width float32) bool { return !b.Store.InspectorInTab && b.fits(width) }

// put puts the inspector beside the bytes, or into its tab.
func (b *Beside) put(beside bool) {
	d := b.pane.Details
	if !beside {
		b.split = nil
		b.above.Objects = []fyne.CanvasObject{b.inside}
		d.Inspector.Arrange(false)
		d.again()
	} else {
		if d.Front == TabInspector {
			d.Keep(TabDetails)
		}
		d.Inspector.Arrange(true)
		if b.panel == nil {
			bar := kit.NewTabBar(func(int) {})
			bar.OnClose = func(int) { b.pane.host.FlipInspector() }
			bar.Set([]kit.Tab{{Title: "Inspector", Close: true}}, 0)
			b.panel = kit.Under(bar, d.Inspector.Object)
		}
		b.split = container.NewHSplit(b.inside, b.panel)
		at, own := b.Store.PaneSides[besideKey]
		if !own {
			room := b.above.Size().Width
			at = float64(1 - (besideWide+besideShare*(room-besideFrom))/room)
		}
		b.split.Offset, b.shown = at, at
		b.above.Objects = []fyne.CanvasObject{b.split}
		d.followInspector()
	}
	b.above.Refresh()
	b.Log.Write("inspector-beside", beside)
}

// keepBeside remembers where the user has put the divider.
func (b *Beside) keepBeside() {
	if b.split == nil || b.split.Offset == b.shown {
		return
	}
	if b.Store.PaneSides == nil {
		b.Store.PaneSides = make(map[string]float64)
	}
	b.Store.PaneSides[besideKey] = b.split.Offset
	b.shown = b.split.Offset
}

// Inspect brings the inspector to the front, and gives it the keyboard where it is beside the bytes.
func (b *Beside) Inspect() {
	d := b.pane.Details
	if b.split == nil {
		d.Choose(TabInspector)
		return
	}
	b.Focus(d.Inspector.Rows)
}

// elsewhere is what the inspector's tab says while it is beside the bytes.
func (b *Beside) elsewhere() fyne.CanvasObject {
	here := widget.NewButton("Put it here", func() { b.pane.host.FlipInspector() })
	return container.NewCenter(container.NewVBox(widget.NewLabel("The inspector is at the right of the bytes."), container.NewCenter(here)))
}

// besideLayout gives all room to what there is, and has the inspector put elsewhere when the room is another.
type besideLayout struct{ b *Beside }

func (l besideLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Put(o[0], 0, 0, size.Width, size.Height)
	if b := l.b; (b.fits(size.Width) != b.fitted || b.wanted(size.Width) != b.InspectorBeside()) && !b.asked {
		b.asked = true
		b.Tasks.Show(b.Ctx, func() { b.ArrangeInspector() }) // not while things are laid out
	}
}

func (l besideLayout) MinSize([]fyne.CanvasObject) fyne.Size { return l.b.inside.MinSize() }
