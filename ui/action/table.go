package action

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// A Table is all that a user can do in a window. It belongs on the UI goroutine.
type Table struct {
	Groups []*Group
	Main   *fyne.MainMenu
	shell  *shell.Shell
	plain  map[string]*Action // by keys without Ctrl or Alt, which no menu takes
}

// standard are the shortcuts that Fyne sends for keys that it knows.
var standard = map[string]fyne.Shortcut{"Ctrl+Z": &fyne.ShortcutUndo{}, "Ctrl+Y": &fyne.ShortcutRedo{}}

// New makes a table, and gives the window its menus and keys.
func New(s *shell.Shell, groups ...*Group) *Table {
	t := &Table{Groups: groups, Main: fyne.NewMainMenu(), shell: s, plain: make(map[string]*Action)}
	for _, g := range groups {
		if g.Menu {
			t.Main.Items = append(t.Main.Items, fyne.NewMenu(g.Title))
		}
		for _, a := range g.Actions {
			for i, key := range strings.Fields(a.Key) {
				t.addKey(a, key, g.Menu && i == 0)
			}
		}
	}
	t.fill()
	s.Win.SetMainMenu(t.Main)
	return t
}

// addKey gives the window a key of an action, unless its menu takes it.
func (t *Table) addKey(a *Action, key string, inMenu bool) {
	other, has := standard[key]
	if has {
		t.shell.AddKey(other, a.Do)
	}
	switch s := Shortcut(key); {
	case s.Modifier&^fyne.KeyModifierShift == 0:
		t.plain[key] = a
	case !inMenu || has:
		t.shell.AddKey(s, a.Do)
	}
}

// fill brings the items of all menus up to date.
func (t *Table) fill() {
	k := 0
	for _, g := range t.Groups {
		if g.Menu {
			t.Main.Items[k].Items = Items(g.Actions, t.shell.Uncovered)
			kit.WriteKeys(t.Main.Items[k])
			k++
		}
	}
}

// Update brings the menus up to date.
func (t *Table) Update() {
	t.fill()
	t.Main.Refresh()
}

// Enable enables what can be done now, and disables what cannot. A menu looks at that when it opens, so that nothing is drawn.
func (t *Table) Enable() { t.fill() }

// Press does what a key without Ctrl or Alt means, such as F3.
func (t *Table) Press(key fyne.KeyName) {
	name := string(key)
	if kit.ShiftHeld() {
		name = "Shift+" + name
	}
	if a := t.plain[name]; a != nil {
		a.Do()
	}
}

// Type does what a character means where the keyboard is in no field.
func (t *Table) Type(r rune) {
	if a := t.plain[string(r)]; a != nil {
		a.Do()
	}
}

// OpenMenu opens menu i of the menu bar, for the keyboard, at the first item that can be chosen.
func (t *Table) OpenMenu(i int) {
	t.Enable()
	kit.OpenMenu(t.shell.Win.Canvas(), i, firstEnabled(t.Main.Items[i].Items))
}

// firstEnabled returns which item of a menu is the first that is enabled, from 1 and without separators, or 0.
func firstEnabled(items []*fyne.MenuItem) int {
	items = slices.DeleteFunc(slices.Clone(items), func(i *fyne.MenuItem) bool { return i.IsSeparator })
	return 1 + slices.IndexFunc(items, func(i *fyne.MenuItem) bool { return !i.Disabled })
}

// A KeyHelp is a line of the help on keys.
type KeyHelp struct{ Key, Does string }

// Keys lists what the keys of all actions do, in the order of the table.
func (t *Table) Keys() (all []KeyHelp) {
	t.Each(func(_ string, a *Action) {
		does := a.Help
		if does == "" {
			does = strings.ToLower(a.Title[:1]) + strings.TrimSuffix(a.Title[1:], "…")
		}
		if a.Key != "" {
			all = append(all, KeyHelp{strings.Join(strings.Fields(a.Key), "   "), does})
		}
	})
	return all
}
