package ui

import (
	"encoding/json"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/settings"
)

// maxClosed is how many closed tabs can be opened again, maxBranches how many open branches of a tree are remembered.
const maxClosed, maxBranches = 20, 100

// addKeys gives the window the keys that no item of a menu has.
func (w *Window) addKeys() {
	add := func(key fyne.KeyName, mod fyne.KeyModifier, do func()) {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: mod}
		w.keys[s.ShortcutName()] = w.Uncovered(do)
		w.AddKey(s, do)
	}
	add(fyne.KeyTab, fyne.KeyModifierControl, func() { w.stepTab(1) })
	add(fyne.KeyTab, fyne.KeyModifierControl|fyne.KeyModifierShift, func() { w.stepTab(-1) })
	for i, key := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8} {
		add(key, ctrl, func() { w.showTab(i) })
	}
	add(fyne.Key9, ctrl, func() { w.showTab(len(w.sessions) - 1) })
	for i, key := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8, fyne.Key9, fyne.Key0} {
		add(key, alt, func() { w.withSession(func(s *session) { s.Pane.Details.ChooseForKeys(i) }) })
	}
	for _, s := range []fyne.Shortcut{&fyne.ShortcutUndo{}, &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: ctrl}} {
		w.AddKey(s, func() { w.withSession((*session).undo) })
	}
	for _, s := range []fyne.Shortcut{&fyne.ShortcutRedo{}, &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: ctrl | fyne.KeyModifierShift}} {
		w.AddKey(s, func() { w.withSession((*session).redo) })
	}
	for i, menu := range w.menu.main.Items {
		add(fyne.KeyName(menu.Label[:1]), alt, func() { w.openMenu(i) })
	}
}

// openMenu opens menu i of the menu bar at the first item of which something can come, for the keyboard.
func (w *Window) openMenu(i int) {
	w.enableItems()
	kit.OpenMenu(w.Win.Canvas(), i)
	menu, open := w.Win.Canvas().Focused().(interface{ Child() *widget.Menu })
	for range firstEnabled(w.menu.main.Items[i].Items) {
		if open {
			menu.Child().ActivateNext()
		}
	}
}

// firstEnabled is which item of a menu is the first that is enabled, from 1 and without separators; 0: none is.
func firstEnabled(items []*fyne.MenuItem) int {
	n := 0
	for _, i := range items {
		if !i.IsSeparator {
			n++
		}
		if !i.IsSeparator && !i.Disabled {
			return n
		}
	}
	return 0
}

// stepTab shows the tab n further, around the ends.
func (w *Window) stepTab(n int) {
	if k := len(w.sessions); k > 0 {
		w.showTab((slices.Index(w.sessions, w.active) + n + k) % k)
	}
}

// showTab shows tab i, if there is one.
func (w *Window) showTab(i int) {
	if i >= 0 && i < len(w.sessions) && w.sessions[i] != w.active {
		w.activate(w.sessions[i])
	}
}

// state is the tab as it can be opened again; ok is false for bytes that are no file of their own.
func (s *session) state() (t settings.Tab, ok bool) {
	if s.was != nil {
		return *s.was, s.file != ""
	}
	files, err := absolute(append([]string{s.file}, s.with...))
	t = settings.Tab{Files: files, Format: s.opts.Format, At: s.opts.At, Options: s.opts.Options}
	if s.Pane != nil && s.Pane.Current() != nil {
		at := s.Pane.Stand(maxBranches)
		t.Open = at.Branches
		// Where the user has gone nowhere, another reading begins with its own first tree.
		if at.Path != s.Pane.Doc.Views[0].Name {
			t.Path = at.Path
		}
		t.Stand, _ = json.Marshal(at) // it is of words and numbers
	}
	return t, s.file != "" && err == nil
}

// standOf is where the user was in a tab.
func standOf(t *settings.Tab) document.Stand {
	at := document.Stand{Path: t.Path, Branches: t.Open}
	if json.Unmarshal(t.Stand, &at) != nil { // none, or one that another version has written
		at = document.Stand{Path: t.Path, Branches: t.Open}
	}
	return at
}

// keepTabs remembers the tabs for the next start.
func (w *Window) keepTabs() {
	w.Store.Tabs, w.Store.Tab = nil, 0
	for _, s := range w.sessions {
		if t, ok := s.state(); ok && remembers(t.Files...) {
			if s == w.active {
				w.Store.Tab = len(w.Store.Tabs)
			}
			w.Store.Tabs = append(w.Store.Tabs, t)
		}
	}
}

// comeBack puts the tabs of the last time into the window, unless another one has them; it returns the one that was in front,
// nil: there are none. None is read before it is looked at.
func (w *Window) comeBack() (front *session) {
	if !w.Store.Keep() || w.Store.NoTabs {
		return nil
	}
	for i, t := range w.Store.Tabs {
		if len(t.Files) == 0 {
			continue // of a damaged store
		}
		s := w.asLeft(t)
		w.sessions = append(w.sessions, s)
		if front == nil || i <= w.Store.Tab {
			front = s
		}
	}
	return front
}

// asLeft is a tab as it was left, not read yet. Where its file has gone meanwhile, it will say so.
func (w *Window) asLeft(t settings.Tab) *session {
	s := newSession(w, t.Files[0])
	s.with, s.opts = t.Files[1:], decoders.Options{Format: t.Format, At: t.At, Options: t.Options}
	s.was = &t
	return s
}

// wake reads the file of a tab that was only remembered.
func (s *session) wake() {
	if s.was != nil && s.Pane == nil && !s.loading {
		s.load(Target{})
	}
}

// reopenTab opens the tab that was closed last, where it was.
func (w *Window) reopenTab() {
	last := len(w.Store.Closed) - 1
	if last < 0 {
		return
	}
	t := w.Store.Closed[last]
	w.Store.Closed = w.Store.Closed[:last]
	s := w.asLeft(t)
	w.sessions = slices.Insert(w.sessions, min(max(t.Place, 0), len(w.sessions)), s)
	w.activate(s)
}

// tabMenu offers what can be done with the file of tab i, at a place of the canvas.
func (w *Window) tabMenu(i int, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", w.tabItems(w.sessions[i])...), w.Win.Canvas(), at)
}

// tabItems is what can be done with the file of a tab.
func (w *Window) tabItems(s *session) []*fyne.MenuItem {
	compared := kit.MenuItem("Compare with…", "", 0, s.compareWith)
	if a := w.active; a != nil && a != s {
		compared = kit.MenuItem("Compare with "+phrase.Short(a.Title(), kit.LongestTab), "", 0, func() { s.compareTabs(a) })
	}
	compared.Disabled = s.Pane == nil
	name := kit.MenuItem("Copy the path of the file", "", 0, func() { w.App.Clipboard().SetContent(s.file) })
	name.Disabled = s.file == ""
	others := kit.MenuItem("Close the others", "", 0, func() {
		for _, other := range slices.Clone(w.sessions) {
			if other != s {
				w.close(other)
			}
		}
	})
	others.Disabled = len(w.sessions) < 2
	return []*fyne.MenuItem{compared, name, fyne.NewMenuItemSeparator(), kit.MenuItem("Close", "", 0, func() { w.close(s) }), others}
}
