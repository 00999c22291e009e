// Package action has the table of all that a user can do. It makes the menus, the keys, the list of actions and docs/keys.md.
package action

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// An Action is one thing that a user can do.
type Action struct {
	ID    string // such as "file.open"
	Title string // as its menu has it
	Words string // others that people search for
	Key   string // such as "Ctrl+O"; of several, which spaces separate, menus show the first
	Help  string // what the key does, where the title does not say it
	Do    func()
	Need  func() string    // returns why it cannot be done now, or ""; nil where it always can
	On    func() bool      // reports whether it holds; nil where it is no switch
	More  func() []*Action // the actions of a submenu, made anew each time; Do is nil then
	Among bool             // those of More stand in the menu itself
	Quit  bool             // it ends the program: macOS has a menu of its own for that
	Quiet bool             // only its key does it; no list shows it
	item  *fyne.MenuItem   // of its menu; nil before it has one
}

// Line is a line between actions of a menu.
var Line = &Action{}

// A Group is a menu of the menu bar, or further actions of one kind.
type Group struct {
	Title   string
	Menu    bool // the menu bar has it
	Actions []*Action
}

// Each calls f with all actions, submenus included; above is the titles that lead to an action.
func (t *Table) Each(f func(above string, a *Action)) {
	var list func(above string, all []*Action)
	list = func(above string, all []*Action) {
		for _, a := range all {
			switch {
			case a == Line || a.Quiet:
			case a.More == nil:
				f(above, a)
			case a.whyNot() != "":
				f(above, a)
			case a.Among:
				list(above, a.More())
			default:
				list(above+a.Title+" › ", a.More())
			}
		}
	}
	for _, g := range t.Groups {
		list(g.Title+" › ", g.Actions)
	}
}

// whyNot returns why an action cannot be done now, or "".
func (a *Action) whyNot() string {
	if a.Need == nil {
		return ""
	}
	return a.Need()
}

// Find returns the action of the table with an ID, which must be there.
func (t *Table) Find(id string) *Action {
	for _, g := range t.Groups {
		if i := slices.IndexFunc(g.Actions, func(a *Action) bool { return a.ID == id }); i >= 0 {
			return g.Actions[i]
		}
	}
	var found *Action
	t.Each(func(_ string, a *Action) { // of a submenu
		if a.ID == id {
			found = a
		}
	})
	if found != nil {
		return found
	}
	panic("no action has the ID " + id)
}

// modifiers are those of shortcuts, as keys have them before their name.
var modifiers = map[string]fyne.KeyModifier{"Ctrl": fyne.KeyModifierShortcutDefault, "Alt": fyne.KeyModifierAlt, "Shift": fyne.KeyModifierShift}

// names are those of keys that Fyne names otherwise.
var names = map[string]fyne.KeyName{"←": fyne.KeyLeft, "→": fyne.KeyRight, "↑": fyne.KeyUp, "↓": fyne.KeyDown, "PageUp": fyne.KeyPageUp,
	"PageDown": fyne.KeyPageDown, "Enter": fyne.KeyReturn}

// Shortcut returns the shortcut that a key such as "Ctrl+Shift+M" stands for.
func Shortcut(key string) *desktop.CustomShortcut {
	parts := strings.Split(key, "+")
	s := &desktop.CustomShortcut{KeyName: fyne.KeyName(parts[len(parts)-1])}
	if name, other := names[string(s.KeyName)]; other {
		s.KeyName = name
	}
	for _, p := range parts[:len(parts)-1] {
		s.Modifier |= modifiers[p]
	}
	if s.KeyName == fyne.KeyTab { // with the Cmd of macOS it is the system's
		s.Modifier = s.Modifier&^fyne.KeyModifierShortcutDefault | fyne.KeyModifierControl
	}
	return s
}

// Items returns actions as items of a menu. wrap is put around what each does.
func Items(all []*Action, wrap func(func()) func()) (items []*fyne.MenuItem) {
	for _, a := range all {
		switch {
		case a == Line:
			items = append(items, fyne.NewMenuItemSeparator())
		case a.Among:
			items = append(items, Items(a.More(), wrap)...)
		default:
			items = append(items, a.menuItem(wrap))
		}
	}
	return items
}

// menuItem returns an action as the item of a menu: one made before is brought up to date.
func (a *Action) menuItem(wrap func(func()) func()) *fyne.MenuItem {
	if a.item == nil {
		a.item = fyne.NewMenuItem(a.Title, nil)
		a.item.IsQuit = a.Quit
		if a.Do != nil {
			a.item.Action = wrap(a.Do)
		}
		if keys := strings.Fields(a.Key); len(keys) > 0 {
			a.item.Shortcut = Shortcut(keys[0])
		}
	}
	a.item.Disabled = a.whyNot() != ""
	a.item.Checked = a.On != nil && a.On()
	if a.More != nil {
		a.item.ChildMenu = fyne.NewMenu("")
		if !a.item.Disabled {
			a.item.ChildMenu.Items = Items(a.More(), wrap)
		}
	}
	return a.item
}

// FromMenu returns the items of a menu as actions: what a context menu offers can be searched too.
func FromMenu(items []*fyne.MenuItem) (all []*Action) {
	for _, i := range items {
		a := &Action{Title: kit.MenuTitle(i), Do: i.Action, Key: kit.KeyWords(i.Shortcut)}
		switch {
		case i.IsSeparator:
			continue
		case i.Disabled:
			a.Need = func() string { return "not now" }
		case i.ChildMenu != nil:
			a.More = func() []*Action { return FromMenu(i.ChildMenu.Items) }
		}
		all = append(all, a)
	}
	return all
}
