package shell

import (
	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
)

// A Width is an arrangement of the parts of a tab for windows of some size.
type Width int

// The widths of windows.
const (
	Wide   Width = iota // three columns
	Middle              // two
	Narrow              // one
)

// The limits of the widths, and the shares and bounds of the columns, in Fyne's units.
const (
	wideFrom, narrowBelow, lowBelow = 1240, 900, 560
	treeShare, treeLeast, treeMost  = 0.30, 320, 460
	treeNarrow                      = 0.32
	cardShare, cardLeast, cardMost  = 0.23, 300, 420
	middleLeast                     = 300
)

// WidthOf returns the arrangement for a window of a size.
func WidthOf(window fyne.Size) Width {
	switch {
	case window.Width < narrowBelow || window.Height < lowBelow:
		return Narrow
	case window.Width < wideFrom:
		return Middle
	}
	return Wide
}

// Columns returns the widths of the left and the right column in so much room, as the user has set them. With two columns there is no right
// one.
func (s *Shell) Columns(w Width, room float32) (left, right float32) {
	left = min(max(treeShare*room, treeLeast), treeMost)
	if w == Middle {
		left = treeNarrow * room
	}
	if s.Store.TreeWide > 0 {
		left = max(s.Store.TreeWide, treeLeast/2)
	}
	if w == Wide {
		right = min(max(cardShare*room, cardLeast), cardMost)
		if s.Store.CardWide > 0 {
			right = max(s.Store.CardWide, cardLeast/2)
		}
		right = min(right, max(room-left-middleLeast-2*kit.DividerWide, cardLeast/2))
	}
	return min(left, max(room-right-middleLeast-2*kit.DividerWide, 0)), right
}
