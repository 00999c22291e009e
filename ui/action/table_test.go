package action

import (
	"testing"

	"fyne.io/fyne/v2"
)

// TestFirstEnabled: a menu that a key opens has its highlight on the first item that can be chosen.
func TestFirstEnabled(t *testing.T) {
	off := &fyne.MenuItem{Label: "off", Disabled: true}
	on := fyne.NewMenuItem("on", func() {})
	for want, items := range map[int][]*fyne.MenuItem{0: {off}, 1: {on, off}, 3: {off, fyne.NewMenuItemSeparator(), off, on}} {
		if got := firstEnabled(items); got != want {
			t.Errorf("%d of %d items, want %d", got, len(items), want)
		}
	}
}
