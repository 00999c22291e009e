package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// ofPanes are the keys of Help › Keys that no menu of the window has: what has the keyboard takes them, or another window.
var ofPanes = []string{"Ctrl+↑", "Ctrl+↓", "Ctrl+Space", "Ctrl+A", "Ctrl+C", "Shift+↑", "Shift+↓", "Shift+F3", "F7", "F8", "F10", "Shift+F10"}

// TestKeysHandled: each key with Ctrl or Alt, or F and a number, that Help › Keys names is one of the window's, of its menus or of its own, and each of
// those is named there.
func TestKeysHandled(t *testing.T) { synctest.Test(t, testKeysHandled) }

func testKeysHandled(t *testing.T) {
	b := newBench(t)
	b.fake()
	named, handled := make(map[string]bool), make(map[string]bool)
	key := regexp.MustCompile(`(?:Ctrl|Alt|Shift)\+\S*[^\s,]|Ctrl\+,|F\d+`)
	for _, k := range keysText {
		for _, name := range key.FindAllString(k[0], -1) {
			named[name] = true
		}
	}
	for _, more := range []string{"Alt+E", "Alt+V", "Alt+G", "Alt+T", "Alt+H", // after Alt+F
		"Alt+2", "Alt+3", "Alt+4", "Alt+5", "Alt+6", "Alt+7", "Alt+8", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5", "Ctrl+6", "Ctrl+7", // between the first and the last
		"Ctrl+Shift+Tab", "Ctrl+PageUp", "Alt+Shift+PageUp", "Alt+Shift+PageDown"} { // in what the others do
		named[more] = true
	}
	var list func(items []*fyne.MenuItem)
	list = func(items []*fyne.MenuItem) {
		for _, i := range items {
			if words := kit.KeyWords(i.Shortcut); words != "" {
				handled[words] = true
			}
			if i.ChildMenu != nil {
				list(i.ChildMenu.Items)
			}
		}
	}
	for _, m := range b.w.menu.main.Items {
		list(m.Items)
	}
	for name := range b.w.keys { // such as CustomDesktop:Shift+Control+Tab
		_, name, _ = strings.Cut(name, ":")
		parts := strings.Split(name, "+")
		s := &desktop.CustomShortcut{KeyName: fyne.KeyName(parts[len(parts)-1])}
		for part, mod := range map[string]fyne.KeyModifier{"Control": fyne.KeyModifierShortcutDefault, "Alt": fyne.KeyModifierAlt, "Shift": fyne.KeyModifierShift} {
			if slices.Contains(parts[:len(parts)-1], part) {
				s.Modifier |= mod
			}
		}
		handled[kit.KeyWords(s)] = true
	}
	for name := range named {
		if !handled[name] && !slices.Contains(ofPanes, name) {
			t.Errorf("Help › Keys names %s, which the window does not take", name)
		}
	}
	for name := range handled {
		if !named[name] {
			t.Errorf("the window takes %s, which Help › Keys does not name", name)
		}
	}
}
