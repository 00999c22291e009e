package ui

import (
	"fmt"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/shell"
)

// menuItems are the menu's items whose state changes.
type menuItems struct {
	main                         *fyne.MainMenu
	view                         *fyne.Menu
	viewItems                    []*fyne.MenuItem // those that are always there
	files                        []*fyne.MenuItem // one for each option of the document that is a file
	recent, reuse, rows, theme   *fyne.MenuItem
	reload, openAs, closeTab     *fyne.MenuItem
	export, report               *fyne.MenuItem
	copyPath, copyValue, copyHex *fyne.MenuItem
	find, findNext, findPrevious *fyne.MenuItem
	filter                       *fyne.MenuItem
	back, forward, parent        *fyne.MenuItem
	path, offset, up, down, pin  *fyne.MenuItem
	inspect, follow              *fyne.MenuItem
	check, stop, options, decode *fyne.MenuItem
}

const (
	ctrl = fyne.KeyModifierShortcutDefault
	alt  = fyne.KeyModifierAlt
)

func (w *Window) makeMenu() {
	m := &w.menu
	on := func(f func(*session)) func() { return func() { w.withSession(f) } }
	m.recent = fyne.NewMenuItem("Open recent", nil)
	m.openAs = kit.MenuItem("Open as…", fyne.KeyO, ctrl|fyne.KeyModifierShift, w.openAs)
	m.reload = kit.MenuItem("Reload", fyne.KeyR, ctrl, on((*session).reload))
	m.closeTab = kit.MenuItem("Close tab", fyne.KeyW, ctrl, func() {
		if w.active != nil {
			w.close(w.active)
		}
	})
	m.export = kit.MenuItem("Export…", fyne.KeyE, ctrl|fyne.KeyModifierShift, on((*session).ExportSelected))
	m.report = kit.MenuItem("Save report…", "", 0, on((*session).ExportReport))
	quit := kit.MenuItem("Quit", fyne.KeyQ, ctrl, w.quit)
	quit.IsQuit = true
	file := fyne.NewMenu("File", kit.MenuItem("Open…", fyne.KeyO, ctrl, w.chooseFile),
		kit.MenuItem("Open folder…", "", 0, w.chooseFolder), kit.MenuItem("Open several as one…", "", 0, w.chooseSeveral), kit.MenuItem("Open from clipboard…", fyne.KeyV, ctrl|alt, w.openClipboard), m.recent,
		kit.MenuItem("Open the sample", "", 0, func() {
			w.Store.NoHello = false
			w.openSample()
		}), fyne.NewMenuItemSeparator(), m.export, m.report, fyne.NewMenuItemSeparator(), m.reload, m.closeTab, fyne.NewMenuItemSeparator(), quit)

	m.copyPath = kit.MenuItem("Copy path", fyne.KeyC, ctrl|fyne.KeyModifierShift, on((*session).CopyPath))
	m.copyValue = kit.MenuItem("Copy value", fyne.KeyV, ctrl|fyne.KeyModifierShift, on((*session).CopyValue))
	m.copyHex = fyne.NewMenuItem("Copy bytes as", nil)
	m.copyHex.ChildMenu = fyne.NewMenu("", w.copyItems()...)
	m.find = kit.MenuItem("Find…", fyne.KeyF, ctrl, on(func(s *session) { s.Details.Search.Open() }))
	m.findNext = kit.MenuItem("Find next", fyne.KeyF3, 0, on(func(s *session) { s.Details.Search.Step(1) }))
	m.findPrevious = kit.MenuItem("Find previous", fyne.KeyF3, fyne.KeyModifierShift, on(func(s *session) { s.Details.Search.Step(-1) }))
	m.filter = kit.MenuItem("Filter the tree…", fyne.KeyF, ctrl|fyne.KeyModifierShift, on(func(s *session) { s.Filters.Open() }))
	edit := fyne.NewMenu("Edit", m.copyPath, m.copyValue, m.copyHex, fyne.NewMenuItemSeparator(),
		m.find, m.findNext, m.findPrevious, m.filter)

	m.rows = fyne.NewMenuItem("Bytes per row", nil)
	m.theme = fyne.NewMenuItem("Theme", nil)
	m.pin = kit.MenuItem("Keep this hex tab", fyne.KeyD, ctrl, on(func(s *session) { s.Hex.Pin(s.Hex.Shown) }))
	m.inspect = kit.MenuItem("Inspect bytes", fyne.KeyI, ctrl, on(func(s *session) { s.Details.Choose(document.TabInspector) }))
	next := kit.MenuItem("Next tree", fyne.KeyT, ctrl, on(func(s *session) { s.NextView() }))
	m.options = kit.MenuItem("Options…", "", 0, on(func(s *session) { s.options.Ask() }))
	m.view = fyne.NewMenu("View", m.openAs, m.options, fyne.NewMenuItemSeparator(), next, m.inspect, m.pin, fyne.NewMenuItemSeparator(), m.rows, m.theme, w.reuseItem())
	m.viewItems = m.view.Items

	m.back = kit.MenuItem("Back", fyne.KeyLeft, alt, func() { w.travel(-1) })
	m.forward = kit.MenuItem("Forward", fyne.KeyRight, alt, func() { w.travel(1) })
	m.parent = kit.MenuItem("Parent node", fyne.KeyUp, alt|fyne.KeyModifierShift, on((*session).ShowParent))
	m.follow = kit.MenuItem("Follow reference", fyne.KeyReturn, ctrl, on((*session).FollowCurrent))
	m.path = kit.MenuItem("Go to path…", fyne.KeyL, ctrl, on(func(s *session) { w.focusLocation(w.location.Text) }))
	m.offset = kit.MenuItem("Go to offset…", fyne.KeyG, ctrl, on(func(s *session) { w.focusLocation("") }))
	m.up = kit.MenuItem("To the bytes it was made from", fyne.KeyUp, alt, on(func(s *session) { s.ToOrigin(1) }))
	m.down = kit.MenuItem("To what is made from these bytes", fyne.KeyDown, alt, on(func(s *session) { s.ToOrigin(-1) }))
	goTo := fyne.NewMenu("Go", m.back, m.forward, m.parent, m.follow, fyne.NewMenuItemSeparator(), m.path, m.offset,
		fyne.NewMenuItemSeparator(), m.up, m.down)

	m.check = kit.MenuItem("Check everything", fyne.KeyK, ctrl, on(func(s *session) { s.Details.Problems.Check() }))
	m.stop = kit.MenuItem("Cancel running work", "", 0, func() {
		if w.active != nil {
			w.active.tasks.CancelAll()
		}
	})
	m.decode = kit.MenuItem("Decode selection as…", fyne.KeyE, ctrl, on((*session).DecodeSelection))
	tools := fyne.NewMenu("Tools", m.check, m.decode, m.stop)
	help := fyne.NewMenu("Help", kit.MenuItem("Keys", fyne.KeySlash, ctrl, w.showKeys), kit.MenuItem("About Cutaway", "", 0, w.showAbout))
	m.main = fyne.NewMainMenu(file, edit, m.view, goTo, tools, help)
	w.updateMenu()
	w.Win.SetMainMenu(m.main)
}

// updateMenu makes the menus anew whose items change.
func (w *Window) updateMenu() {
	m := &w.menu
	var recent []*fyne.MenuItem
	for _, r := range w.Store.RecentFiles() {
		recent = append(recent, kit.MenuItem(r.Title()+"  —  "+filepath.Dir(r[0]), "", 0, func() { w.open(targetOf(r)) }))
	}
	m.recent.ChildMenu = fyne.NewMenu("", recent...)
	m.recent.Disabled = len(recent) == 0

	var rows []*fyne.MenuItem
	for _, n := range []int{0, 8, 16, 24, 32, 64} {
		label := "As many as fit"
		if n > 0 {
			label = fmt.Sprint(n)
		}
		one := kit.MenuItem(label, "", 0, func() { w.setRowWidth(n) })
		one.Checked = w.Store.RowWidth == n
		rows = append(rows, one)
	}
	m.rows.ChildMenu = fyne.NewMenu("", rows...)

	var themes []*fyne.MenuItem
	for _, t := range []struct {
		label  string
		choice look.Choice
	}{{"Like the system", look.System}, {"Light", look.Light}, {"Dark", look.Dark}} {
		one := kit.MenuItem(t.label, "", 0, func() { w.setTheme(t.choice) })
		one.Checked = w.Store.Theme == t.choice
		themes = append(themes, one)
	}
	m.theme.ChildMenu = fyne.NewMenu("", themes...)
	m.main.Refresh()
}

// updateControls enables what can be done now.
func (w *Window) updateControls() {
	m, s := &w.menu, w.active
	open := s != nil && s.Pane != nil
	for _, i := range []*fyne.MenuItem{m.reload, m.export, m.report, m.copyPath, m.copyValue, m.copyHex, m.path, m.offset, m.up, m.down, m.pin, m.inspect, m.follow, m.check, m.decode,
		m.find, m.findNext, m.findPrevious, m.filter} {
		i.Disabled = !open
	}
	m.openAs.Disabled, m.closeTab.Disabled, m.stop.Disabled = s == nil, s == nil, s == nil
	m.options.Disabled = !open || len(s.Doc.Options) == 0 || s.Doc.SetOption == nil
	w.updateFileOptions()
	m.back.Disabled = !open || !s.History.Can(-1)
	m.forward.Disabled = !open || !s.History.Can(1)
	m.parent.Disabled = !open || s.Current() == nil || s.Current().Parent == nil
	for b, off := range map[*widget.Button]bool{w.back: m.back.Disabled, w.forward: m.forward.Disabled, w.up: m.parent.Disabled} {
		if off {
			b.Disable()
		} else {
			b.Enable()
		}
	}
	if open {
		w.location.Enable()
		w.search.Enable()
	} else {
		w.location.Disable()
		w.search.Disable()
	}
	m.main.Refresh()
}

// updateFileOptions offers each option of the document that is a file, such as a schema, by itself.
func (w *Window) updateFileOptions() {
	m := &w.menu
	m.files = nil
	if s := w.active; s != nil && s.Pane != nil && s.Doc.SetOption != nil {
		for _, o := range s.Doc.Options {
			if o.Kind == model.File {
				m.files = append(m.files, kit.MenuItem(o.Title+"…", "", 0, func() { s.options.ChooseFile(o) }))
			}
		}
	}
	m.view.Items = slices.Insert(slices.Clone(m.viewItems), slices.Index(m.viewItems, m.options)+1, m.files...)
}

func (w *Window) setRowWidth(n int) {
	w.Store.RowWidth = n
	for _, s := range w.sessions {
		if s.Pane == nil {
			continue
		}
		for _, t := range s.Hex.Tabs {
			t.View.SetRowWidth(n)
		}
	}
	w.updateMenu()
	w.Save()
}

func (w *Window) setTheme(choice look.Choice) {
	w.Store.Theme = choice
	w.App.Settings().SetTheme(look.New(choice))
	w.updateMenu()
	w.Save()
}

// keysText is the help on keys: pairs of a key and what it does.
var keysText = [][2]string{
	{"Arrows, Page, Home, End", "move in the tree or the bytes"},
	{"→  ←", "open or close a branch, go to the first part or the parent"},
	{"*", "open all siblings"},
	{"letters", "go to the next row whose name begins so"},
	{"Enter", "open or close, follow the reference of a leaf; in lists, go there; in the bytes, select what is here"},
	{"Ctrl+Enter", "follow the reference; so does a click with Ctrl"},
	{"Shift+↑   Shift+↓", "select several rows of the tree; so do clicks with Shift, or one by one with Ctrl+Shift"},
	{"Ctrl+↑   Ctrl+↓   Ctrl+Space", "go on without losing them, and take a row in or out"},
	{"Ctrl+A", "select all rows beside this one"},
	{"Ctrl+Shift+E", "export what is selected"},
	{"Ctrl+L   Ctrl+G", "go to a path, to an offset"},
	{"Alt+←   Alt+→", "back, forward"},
	{"Alt+↑   Alt+↓", "to the bytes that these were made from, and back"},
	{"Alt+Shift+↑", "parent node; so does a second click on a byte"},
	{"Ctrl+T", "next tree"},
	{"Ctrl+F", "search: names, values and paths, or bytes"},
	{"F3   Shift+F3", "next hit, the one before"},
	{"Ctrl+Shift+F", "filter the tree"},
	{"Ctrl+C", "copy the value, the row of a list, or the bytes"},
	{"Ctrl+I", "inspect the bytes at the cursor"},
	{"Ctrl+K", "check the whole file"},
	{"Ctrl+O   Ctrl+W", "open a file, close the tab"},
	{"Ctrl+Alt+V", "open the bytes in the clipboard"},
	{"Ctrl+E", "decode the selected bytes in a tab of their own"},
	{"Escape", "end the search or drop the selected bytes, else back to the tree"},
	{"Tab", "next pane"},
	{"Ctrl+/", "this list"},
}

func (w *Window) showKeys() {
	grid := container.New(layout.NewFormLayout())
	for _, k := range keysText {
		key := widget.NewLabel(k[0])
		key.TextStyle.Monospace = true
		grid.Add(kit.Dense(key))
		grid.Add(kit.Dense(widget.NewLabel(k[1])))
	}
	w.ShowModal("Keys", nil, grid, 560, shell.Button{Text: "Close", Main: true})
}

func (w *Window) showAbout() {
	text := "Opens binary files, says what they are, and shows what each byte means.\nThe opened file is never changed."
	if w.Version != "" {
		text = "Version " + w.Version + "\n\n" + text
	}
	w.TellWords("Cutaway", nil, text)
}

// copyItems offers the ways to copy bytes.
func (w *Window) copyItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, f := range hexview.CopyFormats {
		items = append(items, kit.MenuItem(f.Title, "", 0, func() { w.withSession(func(s *session) { s.CopyBytes(f.Name) }) }))
	}
	return items
}
