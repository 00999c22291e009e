package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/source/far"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/palette"
	"cutaway/ui/phrase"
	"cutaway/ui/settings"
)

// maxClosed is how many closed tabs can be opened again, maxBranches how many open branches of a tab are remembered.
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
		add(key, alt, func() { w.withSession(func(s *session) { s.Details.ChooseForKeys(i) }) })
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

// openMenu opens menu i of the menu bar, for the keyboard.
func (w *Window) openMenu(i int) { kit.OpenMenu(w.Win.Canvas(), i) }

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
		return *s.was, true
	}
	files, err := absolute(append([]string{s.file}, s.with...))
	t = settings.Tab{Files: files, Format: s.opts.Format, At: s.opts.At, Options: s.opts.Options}
	if s.Pane != nil && s.Current() != nil {
		t.Open = s.OpenBranches(maxBranches)
		// Where the user has gone nowhere, the file's first bytes are shown again, not what the root was made from.
		if path := s.Current().Path(); path != s.Doc.Views[0].Name {
			t.Path = path
		}
	}
	return t, s.file != "" && err == nil
}

// keepTabs remembers the tabs for the next start.
func (w *Window) keepTabs() {
	w.Store.Tabs, w.Store.Tab = nil, 0
	for _, s := range w.sessions {
		if t, ok := s.state(); ok {
			if s == w.active {
				w.Store.Tab = len(w.Store.Tabs)
			}
			w.Store.Tabs = append(w.Store.Tabs, t)
		}
	}
}

// comeBack opens the tabs of the last time; false: there are none. Only the one in front is read; the others are when they
// are looked at.
func (w *Window) comeBack() bool {
	if w.Store.NoTabs {
		return false
	}
	var front *session
	for i, t := range w.Store.Tabs {
		if s := w.asLeft(t); s != nil {
			w.sessions = append(w.sessions, s)
			if front == nil || i <= w.Store.Tab {
				front = s
			}
		}
	}
	if front != nil {
		w.activate(front)
	}
	return front != nil
}

// asLeft is a tab as it was left, not read yet; nil where its file has gone.
func (w *Window) asLeft(t settings.Tab) *session {
	if len(t.Files) == 0 {
		return nil
	}
	s := newSession(w, t.Files[0])
	s.with, s.opts = t.Files[1:], decoders.Options{Format: t.Format, At: t.At, Options: t.Options}
	s.was = &t
	if _, err := os.Stat(s.target().File); errors.Is(err, fs.ErrNotExist) && !far.IsAddress(s.file) {
		s.stop()
		return nil
	}
	return s
}

// wake reads the file of a tab that was only remembered.
func (s *session) wake() {
	if s.was != nil && s.Pane == nil {
		s.load(Target{})
	}
}

// reopenTab opens the tab that was closed last.
func (w *Window) reopenTab() {
	for len(w.closedTabs) > 0 {
		last := len(w.closedTabs) - 1
		t := w.closedTabs[last]
		w.closedTabs = w.closedTabs[:last]
		if s := w.asLeft(t); s != nil {
			w.add(s)
			return
		}
	}
}

// showPalette lists what can be done now.
func (w *Window) showPalette() {
	var actions []palette.Action
	var list func(m *fyne.Menu, above string)
	list = func(m *fyne.Menu, above string) {
		for _, i := range m.Items {
			title := above + kit.MenuTitle(i)
			switch {
			case i.IsSeparator || i.Disabled:
			case i.ChildMenu != nil:
				list(i.ChildMenu, title+" › ")
			case i.Action != nil:
				actions = append(actions, palette.Action{Title: title, Key: kit.KeyWords(i.Shortcut), Do: i.Action})
			}
		}
	}
	for _, m := range w.menu.main.Items {
		list(m, m.Label+" › ")
	}
	for _, s := range w.settings() {
		if slices.ContainsFunc(actions, func(a palette.Action) bool { return strings.Contains(a.Title+" ›", "› "+s.Title+" ›") }) {
			continue // menus do it at once
		}
		actions = append(actions, palette.Action{Title: "Settings › " + s.Title + "…", Do: func() { w.showSettings(s.Title) }})
	}
	w.palette = palette.Show(w.Shell, append(actions, w.paneActions()...))
}

// paneActions show the tabs of the details, and the other list of the one of sizes.
func (w *Window) paneActions() []palette.Action {
	var actions []palette.Action
	w.withSession(func(s *session) {
		for i, t := range s.Details.Bar.Tabs {
			a := palette.Action{Title: "Pane › " + t.Title, Do: func() { s.Details.ChooseForKeys(i) }}
			if i < 9 {
				a.Key = kit.KeyWords(&desktop.CustomShortcut{KeyName: fyne.KeyName(fmt.Sprint(i + 1)), Modifier: alt})
			}
			actions = append(actions, a)
		}
		actions = append(actions, palette.Action{Title: "Pane › Sizes › Savings", Do: func() {
			s.Details.ChooseForKeys(document.TabSizes)
			s.Details.Sizes.AskSavings()
		}})
	})
	return actions
}

// tabMenu offers what can be done with the file of tab i, at a place of the canvas.
func (w *Window) tabMenu(i int, at fyne.Position) {
	s := w.sessions[i]
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
	menu := fyne.NewMenu("", compared, name, fyne.NewMenuItemSeparator(), kit.MenuItem("Close", "", 0, func() { w.close(s) }), others)
	widget.ShowPopUpMenuAtPosition(menu, w.Win.Canvas(), at)
}
