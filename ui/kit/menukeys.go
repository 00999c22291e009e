package kit

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// KeyWords writes a shortcut as people do, or returns "" if there is none.
func KeyWords(s fyne.Shortcut) string {
	if m, ok := s.(*menuKey); ok {
		s = m.Shortcut
	}
	c, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return ""
	}
	text := ""
	for _, m := range []struct {
		mod  fyne.KeyModifier
		word string
	}{{fyne.KeyModifierShortcutDefault, "Ctrl+"}, {fyne.KeyModifierAlt, "Alt+"}, {fyne.KeyModifierShift, "Shift+"}} {
		if c.Modifier&m.mod != 0 {
			text += m.word
		}
	}
	key := string(c.KeyName)
	if sign, ok := map[fyne.KeyName]string{fyne.KeyLeft: "←", fyne.KeyRight: "→", fyne.KeyUp: "↑", fyne.KeyDown: "↓", fyne.KeyPageUp: "PageUp",
		fyne.KeyPageDown: "PageDown", fyne.KeyReturn: "Enter"}[c.KeyName]; ok {
		key = sign
	}
	return text + key
}

// menuKey is a shortcut that is in the label of its item. It hides its key from the menu, which would write it in a colour
// that nobody can read.
type menuKey struct {
	fyne.Shortcut
	title string // of the item
}

// MenuTitle is the label of an item without the key.
func MenuTitle(i *fyne.MenuItem) string {
	if k, ok := i.Shortcut.(*menuKey); ok {
		return k.title
	}
	return i.Label
}

// keyGap is the room between the labels of a menu and its keys, keyEnd that between these and its edge.
const keyGap, keyEnd = 26, "   "

// WriteKeys writes the keys of a menu into the labels of its items, one below the other. The menus of macOS are the
// system's, which does that itself.
func WriteKeys(menu *fyne.Menu) {
	if runtime.GOOS == "darwin" {
		return
	}
	width := func(text string) float32 { return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width }
	column := float32(0)
	for _, i := range menu.Items {
		column = max(column, width(MenuTitle(i))+keyGap)
	}
	space, hair := width("x x")-width("xx"), width("x\u200ax")-width("xx")
	for _, i := range menu.Items {
		if i.ChildMenu != nil {
			WriteKeys(i.ChildMenu)
		}
		words := KeyWords(i.Shortcut)
		if words == "" {
			continue
		}
		title := MenuTitle(i)
		if _, written := i.Shortcut.(*menuKey); !written {
			i.Shortcut = &menuKey{i.Shortcut, title}
		}
		gap := column - width(title)
		spaces := int(gap / space)
		hairs := 0
		if hair > 0 { // a user's own font may have none
			hairs = int((gap-float32(spaces)*space)/hair + 0.5)
		}
		i.Label = title + strings.Repeat(" ", spaces) + strings.Repeat("\u200a", hairs) + words + keyEnd
	}
}

// OpenMenu opens menu i of the menu bar of a window, for the keyboard, at its item n, counted from 1, or at none if 0.
func OpenMenu(c fyne.Canvas, i, n int) {
	bar, ok := c.(interface{ ToggleMenu() })
	if !ok { // the system has the menu bar
		return
	}
	bar.ToggleMenu()
	for range i {
		if f := c.Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		}
	}
	menu, open := c.Focused().(interface{ Child() *widget.Menu })
	for range n {
		if open {
			menu.Child().ActivateNext()
		}
	}
}
