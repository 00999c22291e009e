package ui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/model/marks"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/palette"
)

// showPalette lists every action: those of the menus, of the context menus of what is selected, of the settings and panes.
func (w *Window) showPalette() {
	w.enableItems()
	var actions []palette.Action
	known := func(title string) bool {
		return slices.ContainsFunc(actions, func(a palette.Action) bool { return strings.HasSuffix(a.Title, "› "+title) })
	}
	var list func(items []*fyne.MenuItem, of, above string)
	list = func(items []*fyne.MenuItem, of, above string) {
		for _, i := range items {
			title := above + kit.MenuTitle(i)
			a := palette.Action{Title: of + " › " + title, Key: kit.KeyWords(i.Shortcut), Do: i.Action}
			switch {
			case i.IsSeparator || known(title):
			case i.Disabled:
				a.Do, a.Why = nil, w.whyNot(i)
				actions = append(actions, a)
			case i.ChildMenu != nil:
				list(i.ChildMenu.Items, of, title+" › ")
			case i.Action != nil:
				actions = append(actions, a)
			}
		}
	}
	for _, m := range w.menu.main.Items {
		list(m.Items, m.Label, "")
	}
	if w.active != nil {
		list(w.tabItems(w.active), "Tab", "")
	}
	w.withSession(func(s *session) {
		if s.Pane.Current() != nil {
			list(s.Pane.Actions.NodeItems(nodes.ItemOf(s.Pane.Current()), nil), "Node", "")
		}
		list(s.Pane.Actions.BytesItems(s.Pane.Hex.Shown, s.Pane.Hex.Shown.View.Cursor()), "Bytes", "")
		for _, colour := range marks.Colours {
			actions = append(actions, palette.Action{Title: "Edit › Mark in " + colour + "…", Do: func() { s.Pane.Details.Kept.AddIn(colour) }})
		}
	})
	actions = append(actions, w.paneActions()...)
	for _, s := range w.settings() {
		if slices.ContainsFunc(actions, func(a palette.Action) bool { return strings.Contains(a.Title+" ›", "› "+s.Title+" ›") }) {
			continue // menus do it at once
		}
		actions = append(actions, palette.Action{Title: "Settings › " + s.Title + "…", Do: func() { w.showSettings(s.Title) }})
	}
	w.palette = palette.Show(w.Shell, append(actions, w.cardKeys()...))
}

// cardKeys show the keys that cards have.
func (w *Window) cardKeys() (actions []palette.Action) {
	for _, k := range keysText {
		if where, what, in := strings.Cut(k[1], ": "); in && strings.HasPrefix(where, "in ") {
			actions = append(actions, palette.Action{Title: "Keys › " + where + ": " + what, Key: k[0], Do: w.showKeys})
		}
	}
	return actions
}

// paneActions show the tabs of the details, and the other list of the one of sizes.
func (w *Window) paneActions() []palette.Action {
	var actions []palette.Action
	w.withSession(func(s *session) {
		for i, t := range s.Pane.Details.Bar.Tabs {
			a := palette.Action{Title: "Pane › " + t.Title, Do: func() { s.Pane.Details.ChooseForKeys(i) }}
			if i < 9 {
				a.Key = kit.KeyWords(&desktop.CustomShortcut{KeyName: fyne.KeyName(fmt.Sprint(i + 1)), Modifier: alt})
			}
			actions = append(actions, a)
		}
		actions = append(actions, palette.Action{Title: "Pane › Sizes › Savings", Do: func() {
			s.Pane.Details.ChooseForKeys(document.TabSizes)
			s.Pane.Details.Sizes.AskSavings()
		}})
	})
	return actions
}
