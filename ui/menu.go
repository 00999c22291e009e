package ui

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/disk"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
)

// menuItems are the menu's items whose state changes.
type menuItems struct {
	main                   *fyne.MainMenu
	view                   *fyne.Menu
	viewItems              []*fyne.MenuItem        // those that are always there
	files                  []*fyne.MenuItem        // one for each option of the document that is a file
	forOpen                []*fyne.MenuItem        // those that need an open document
	forTab                 []*fyne.MenuItem        // those that need a tab
	needs                  map[*fyne.MenuItem]need // what some of both need beside it
	recent, bytes, theme   *fyne.MenuItem
	back, forward          *fyne.MenuItem
	hidden, right, beside  *fyne.MenuItem
	parent, inTree         *fyne.MenuItem
	options, text, sizes   *fyne.MenuItem
	sort                   *fyne.MenuItem
	reopen, textSize, room *fyne.MenuItem
	reuse, restore, try    *fyne.MenuItem
}

const (
	ctrl = fyne.KeyModifierShortcutDefault
	alt  = fyne.KeyModifierAlt
)

// forOpen is an item that does something with the document that is shown, and needs one.
func (w *Window) forOpen(label string, key fyne.KeyName, mod fyne.KeyModifier, act func(*session)) *fyne.MenuItem {
	i := w.MenuItem(label, key, mod, func() { w.withSession(act) })
	w.menu.forOpen = append(w.menu.forOpen, i)
	return i
}

// forTab is an item that needs a tab, whether its document is open or not.
func (w *Window) forTab(label string, key fyne.KeyName, mod fyne.KeyModifier, act func(*session)) *fyne.MenuItem {
	i := w.MenuItem(label, key, mod, func() {
		if w.active != nil {
			act(w.active)
		}
	})
	w.menu.forTab = append(w.menu.forTab, i)
	return i
}

func (w *Window) makeMenu() {
	w.menu.needs = make(map[*fyne.MenuItem]need)
	help := fyne.NewMenu("Help", w.MenuItem("Start here", "", 0, w.startHere),
		w.MenuItem("Find an action…", fyne.KeyP, ctrl|fyne.KeyModifierShift, w.showPalette),
		w.MenuItem("Keys", fyne.KeySlash, ctrl, w.showKeys), w.MenuItem("About Cutaway", "", 0, w.showAbout))
	tools := fyne.NewMenu("Tools", w.forOpen("Check everything", fyne.KeyK, ctrl, func(s *session) { s.Pane.Details.Problems.Check() }),
		w.forOpen("Decode selection as…", fyne.KeyE, ctrl, func(s *session) { s.Pane.Actions.DecodeSelection() }),
		w.MenuItem("Descriptions and codecs…", "", 0, func() { w.showSettings("descriptions") }),
		w.needing(workThatRuns, w.forTab("Cancel running work", "", 0, func(s *session) { s.tasks.CancelAll() })))
	w.menu.main = fyne.NewMainMenu(w.fileMenu(), w.editMenu(), w.viewMenu(), w.goMenu(), tools, help)
	w.updateMenu()
	for _, m := range w.menu.main.Items {
		kit.WriteKeys(m)
	}
	w.Win.SetMainMenu(w.menu.main)
}

func (w *Window) fileMenu() *fyne.Menu {
	w.menu.recent = fyne.NewMenuItem("Open recent", nil)
	w.menu.reopen = w.MenuItem("Restore closed tab", fyne.KeyT, ctrl|fyne.KeyModifierShift, w.reopenTab)
	quit := w.MenuItem("Quit", fyne.KeyQ, ctrl, w.quit)
	quit.IsQuit = true
	return fyne.NewMenu("File", w.MenuItem("Open…", fyne.KeyO, ctrl, w.chooseFile),
		w.MenuItem("Open address…", "", 0, w.openAddress), w.MenuItem("Open folder…", "", 0, w.chooseFolder), w.MenuItem("Open several as one…", "", 0, w.chooseSeveral),
		w.MenuItem("Open from clipboard…", fyne.KeyV, ctrl|alt, w.openClipboard), w.menu.recent,
		w.MenuItem("Open the sample", "", 0, func() {
			w.Store.NoHello = false
			w.openSample()
		}), fyne.NewMenuItemSeparator(),
		w.forOpen("Compare with…", fyne.KeyM, ctrl|fyne.KeyModifierShift, (*session).compareWith),
		w.needing(anotherTab, w.forOpen("Compare with the tab before", "", 0, (*session).compareBefore)),
		w.MenuItem("Hold side by side…", "", 0, w.holdSideBySide),
		w.needing(aSibling, w.forOpen("Compare node with the next", fyne.KeyM, ctrl|alt, (*session).compareNext)),
		w.forOpen("Keep node for comparing", "", 0, (*session).keepForComparing),
		w.needing(aKeptNode, w.forOpen("Compare node with the kept one", "", 0, (*session).compareNode)),
		w.forOpen("Export…", fyne.KeyE, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Actions.ExportSelected() }),
		w.forOpen("Save report…", "", 0, func(s *session) { s.Pane.Actions.ExportReport() }), fyne.NewMenuItemSeparator(),
		w.forOpen("Reload", fyne.KeyR, ctrl, (*session).reload), w.forTab("Close tab", fyne.KeyW, ctrl, w.close),
		w.menu.reopen,
		fyne.NewMenuItemSeparator(), quit)
}

func (w *Window) editMenu() *fyne.Menu {
	bytes := w.forOpen("Copy bytes as", "", 0, nil)
	bytes.Action = nil
	bytes.ChildMenu = fyne.NewMenu("", w.copyItems()...)
	m := fyne.NewMenu("Edit", w.forOpen("Copy path", fyne.KeyC, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Actions.CopyPath() }),
		w.forOpen("Copy value", fyne.KeyV, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Actions.CopyValue() }), bytes, fyne.NewMenuItemSeparator(),
		w.forOpen("Mark…", fyne.KeyB, ctrl, func(s *session) { s.Pane.Details.Kept.Add() }),
		w.needing(aMark, w.forOpen("Next mark", fyne.KeyB, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Details.Kept.Step(1) })),
		w.needing(aMark, w.forOpen("Previous mark", fyne.KeyB, ctrl|alt, func(s *session) { s.Pane.Details.Kept.Step(-1) })),
		w.forOpen("Import marks…", "", 0, func(s *session) { s.Pane.Details.Kept.Import() }),
		w.needing(aMark, w.forOpen("Export marks…", "", 0, func(s *session) { s.Pane.Details.Kept.Export() })), fyne.NewMenuItemSeparator(),
		w.forOpen("Find…", fyne.KeyF, ctrl, func(s *session) { s.Pane.Details.Search.Open() }),
		w.needing(somethingSought, w.forOpen("Find next", fyne.KeyF3, 0, func(s *session) { s.Pane.FindNext(false) })),
		w.needing(somethingSought, w.forOpen("Find previous", fyne.KeyF3, fyne.KeyModifierShift, func(s *session) { s.Pane.FindNext(true) })),
		w.forOpen("Filter the tree…", fyne.KeyF, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Trees.Filters.Open() }),
		fyne.NewMenuItemSeparator())
	m.Items = append(append(m.Items, w.tryItems()...), fyne.NewMenuItemSeparator(),
		w.MenuItem("Settings…", fyne.KeyComma, ctrl, func() { w.showSettings("") }))
	return m
}

func (w *Window) viewMenu() *fyne.Menu {
	m := &w.menu
	m.bytes = fyne.NewMenuItem("Bytes", nil)
	m.theme, m.textSize, m.room = fyne.NewMenuItem("Theme", nil), fyne.NewMenuItem("Text size", nil), fyne.NewMenuItem("Density", nil)
	m.sizes = w.MenuItem("Sizes in the tree", "", 0, func() { w.showSizes(!w.Store.TreeSizes) })
	m.sort = fyne.NewMenuItem("Sort the tree by", nil)
	m.options = w.needing(settable, w.forOpen("Options…", "", 0, func(s *session) { s.options.Ask() }))
	m.text = w.MenuItem("Description", fyne.KeyD, ctrl|fyne.KeyModifierShift, w.flipDescription)
	m.reuse, m.restore = w.settingItem(w.setting("reuse_window")), w.settingItem(w.setting("no_tabs"))
	m.hidden = w.forOpen("Hide the details", fyne.KeyJ, ctrl, func(s *session) { s.Pane.Below.Hide(!s.Store.PaneHidden) })
	m.right = w.forOpen("Details at the right", "", 0, func(s *session) { s.Pane.Below.Turn() })
	m.beside = w.needing(roomBeside, w.forOpen("Inspector beside the bytes", "", 0, func(*session) { w.flipInspector() }))
	m.view = fyne.NewMenu("View", w.forTab("Open as…", fyne.KeyO, ctrl|fyne.KeyModifierShift, func(*session) { w.openAs() }), m.options,
		m.text, w.forOpen("New description…", "", 0, (*session).NewDescription), fyne.NewMenuItemSeparator(),
		w.needing(anotherTree, w.forOpen("Next tree", fyne.KeyT, ctrl, func(s *session) { s.Pane.Trees.NextView() })),
		w.forOpen("Inspect bytes", fyne.KeyI, ctrl, func(s *session) { s.Pane.Beside.Inspect() }),
		w.forOpen("Keep this hex tab", fyne.KeyD, ctrl, func(s *session) { s.Pane.Hex.Pin(s.Pane.Hex.Shown) }),
		m.hidden, m.right, m.beside,
		fyne.NewMenuItemSeparator(), m.sizes, m.sort, m.bytes, m.theme, m.textSize, m.room, m.reuse, m.restore)
	m.viewItems = m.view.Items
	return m.view
}

func (w *Window) goMenu() *fyne.Menu {
	m := &w.menu
	m.back = w.needing(aWayBack, w.forOpen("Back", fyne.KeyLeft, alt, func(*session) { w.travel(-1) }))
	m.forward = w.needing(aWayForward, w.forOpen("Forward", fyne.KeyRight, alt, func(*session) { w.travel(1) }))
	m.inTree = w.MenuItem("Show in its tree", fyne.KeyJ, ctrl|fyne.KeyModifierShift, func() { w.withSession(func(s *session) { s.Pane.Nav.ShowInTree() }) })
	m.parent = w.needing(aParent, w.forOpen("Parent node", fyne.KeyUp, alt|fyne.KeyModifierShift, func(s *session) { s.Pane.Nav.ShowParent() }))
	return fyne.NewMenu("Go", m.back, m.forward, m.parent, m.inTree, fyne.NewMenuItemSeparator(),
		w.needing(anotherTab, w.forTab("Next tab", fyne.KeyPageDown, ctrl, func(*session) { w.stepTab(1) })),
		w.needing(anotherTab, w.forTab("Previous tab", fyne.KeyPageUp, ctrl, func(*session) { w.stepTab(-1) })), fyne.NewMenuItemSeparator(),
		w.forOpen("Follow reference", fyne.KeyReturn, ctrl, func(s *session) { s.Pane.Actions.FollowCurrent() }), fyne.NewMenuItemSeparator(),
		w.forOpen("Go to path…", fyne.KeyL, ctrl, func(*session) { w.focusLocation(w.location.Text) }),
		w.forOpen("Go to offset…", fyne.KeyG, ctrl, func(*session) { w.focusLocation("") }), fyne.NewMenuItemSeparator(),
		w.needing(times, w.forOpen("Go to time…", fyne.KeyG, ctrl|fyne.KeyModifierShift, func(s *session) { s.Pane.Time.FocusField() })),
		w.needing(times, w.forOpen("Previous of this track", fyne.KeyPageUp, alt, func(s *session) { s.Pane.Time.Step(true, false) })),
		w.needing(times, w.forOpen("Next of this track", fyne.KeyPageDown, alt, func(s *session) { s.Pane.Time.Step(false, false) })),
		w.needing(times, w.forOpen("Previous of any track", fyne.KeyPageUp, alt|fyne.KeyModifierShift, func(s *session) { s.Pane.Time.Step(true, true) })),
		w.needing(times, w.forOpen("Next of any track", fyne.KeyPageDown, alt|fyne.KeyModifierShift, func(s *session) { s.Pane.Time.Step(false, true) })),
		w.needing(times, w.forOpen("Gaps and drift", fyne.KeyG, alt|fyne.KeyModifierShift, func(s *session) { s.Pane.Time.ShowList() })),
		fyne.NewMenuItemSeparator(),
		w.forOpen("To the bytes it was made from", fyne.KeyUp, alt, func(s *session) { s.Pane.Origin.ToOrigin(1) }),
		w.forOpen("To what is made from these bytes", fyne.KeyDown, alt, func(s *session) { s.Pane.Origin.ToOrigin(-1) }))
}

// updateMenu makes the menus anew whose items change.
func (w *Window) updateMenu() {
	m := &w.menu
	late := false
	w.recentFiles(func(list []settings.RecentFile) {
		var recent []*fyne.MenuItem
		for _, r := range list {
			recent = append(recent, w.MenuItem(r.Title()+"  —  "+filepath.Dir(r[0]), "", 0, func() { w.open(targetOf(r)) }))
		}
		m.recent.ChildMenu = fyne.NewMenu("", recent...)
		m.recent.Disabled = len(recent) == 0
		if late {
			m.main.Refresh()
		}
	})
	late = true

	m.bytes.ChildMenu = w.bytesMenu()
	for item, key := range map[*fyne.MenuItem]string{m.theme: "theme", m.textSize: "text_size", m.room: "room"} {
		item.ChildMenu = w.settingMenu(key)
	}
	m.sizes.Checked, m.reuse.Checked, m.restore.Checked = w.Store.TreeSizes, w.Store.Reuse, !w.Store.NoTabs
	m.main.Refresh()
}

// recentFiles calls then with the recent files that still exist.
func (w *Window) recentFiles(then func([]settings.RecentFile)) {
	all := w.Store.RecentNames()
	disk.Ask(w.Post, func() []settings.RecentFile { return settings.There(all) }, then)
}

// updateControls enables what can be done now.
func (w *Window) updateControls() {
	m, s := &w.menu, w.active
	open := s != nil && s.Pane != nil
	w.enableItems()
	m.reopen.Disabled = len(w.Store.Closed) == 0
	m.text.Disabled = !open || s.Pane.Text == nil
	m.text.Checked = w.Store.Description && !m.text.Disabled
	w.updateFileOptions()
	w.updateSorts()
	m.try.Checked = open && s.edits.On
	m.hidden.Checked, m.right.Checked, m.beside.Checked = w.Store.PaneHidden, w.Store.PaneRight, open && s.Pane.Beside.InspectorBeside()
	w.offerTree()
	for b, off := range map[*kit.Button]bool{w.back: m.back.Disabled, w.forward: m.forward.Disabled, w.up: m.parent.Disabled} {
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

// offerTree offers to show the selected node in its own tree, where another one is open that does not have it.
func (w *Window) offerTree() {
	var v *model.View
	if s := w.active; s != nil && s.Pane != nil {
		v = s.Pane.Nav.Elsewhere()
	}
	w.menu.inTree.Disabled = v == nil
	if v != nil {
		w.inTree.SetText("Show in " + v.Title)
	}
	if (v != nil) != w.inTree.Visible() {
		kit.SetVisible(w.inTree, v != nil)
		w.bar.Refresh()
	}
}

// updateFileOptions offers each option of the document that is a file, such as a schema, by itself.
func (w *Window) updateFileOptions() {
	m := &w.menu
	m.files = nil
	if s := w.active; s != nil && s.Pane != nil && s.Pane.Doc.SetOption != nil {
		for _, o := range s.Pane.Doc.Options {
			if o.Kind == model.File {
				m.files = append(m.files, w.MenuItem(o.Title+"…", "", 0, func() { s.options.ChooseFile(o) }))
			}
		}
	}
	if item := w.descriptionItem(); item != nil {
		m.files = append(m.files, item)
	}
	m.view.Items = slices.Insert(slices.Clone(m.viewItems), slices.Index(m.viewItems, m.options)+1, m.files...)
}

// updateSorts offers the columns of the tree to sort it by, as its heads do for the mouse.
func (w *Window) updateSorts() {
	m := w.menu.sort
	m.ChildMenu, m.Disabled = fyne.NewMenu(""), w.active == nil || w.active.Pane == nil
	if m.Disabled {
		return
	}
	s := w.active
	for i, title := range s.Pane.Trees.Columns() {
		item := w.MenuItem(title, "", 0, func() { s.Pane.Trees.SortBy(i) })
		item.Checked = i == s.Pane.Trees.SortedBy()
		m.ChildMenu.Items = append(m.ChildMenu.Items, item)
	}
}

// flipInspector has the inspector beside the bytes in wide windows, or always in its tab.
func (w *Window) flipInspector() {
	w.Store.InspectorInTab = !w.Store.InspectorInTab
	if s := w.active; s != nil && s.Pane != nil && !w.Store.InspectorInTab && !s.Pane.Beside.ArrangeInspector() {
		w.Notify("The inspector is beside the bytes once the window is wide enough.")
	}
	for _, s := range w.sessions {
		if s.Pane != nil {
			s.Pane.Beside.ArrangeInspector()
		}
	}
	w.updateControls()
	w.Save()
}

// showSizes shows or hides the columns of sizes in all trees.
func (w *Window) showSizes(on bool) {
	w.Store.TreeSizes = on
	for _, s := range w.sessions {
		if s.Pane != nil {
			s.Pane.Trees.ShowSizes()
		}
	}
	w.updateMenu()
	w.Save()
}

func (w *Window) setLook(to look.Settings) {
	w.Store.Settings = to
	w.App.Settings().SetTheme(look.Of(to))
	w.updateMenu()
	for _, m := range w.menu.main.Items {
		kit.WriteKeys(m) // in columns, which depend on the size of text
	}
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
	{"Shift+↑   Shift+↓", "select several rows of the tree; so does a drag over them, a click with Shift, or clicks one by one with Ctrl+Shift"},
	{"Ctrl+↑   Ctrl+↓   Ctrl+Space", "go on without losing them, and take a row in or out"},
	{"Ctrl+A", "select all rows beside this one"},
	{"Ctrl+Shift+E", "export what is selected"},
	{"Ctrl+L   Ctrl+G", "go to a path, to an offset"},
	{"Ctrl+Shift+G", "go to a time, where the tree has times"},
	{"Alt+Shift+G", "the gaps and the drift of the times"},
	{"Alt+1 … Alt+9   Alt+0", "a tab of the details by its number: Alt+6 is Sizes, Alt+8 the first card, Alt+0 the third"},
	{"Alt+←   Alt+→", "back, forward"},
	{"Alt+↑   Alt+↓", "to the bytes that these were made from, and back"},
	{"Alt+Shift+↑", "parent node; so does a second click on a byte"},
	{"Alt+PageUp   Alt+PageDown", "the record or sample before, the next one; with Shift of any stream or attribute"},
	{"Ctrl+T", "next tree"},
	{"Ctrl+Shift+J", "show the selected node in the tree that has it, where another one is open"},
	{"Ctrl+Shift+D", "show the text of the description that the file is read by, or hide it"},
	{"Ctrl+F", "search: names, values and paths, or bytes; Enter where nothing was found searches wider"},
	{"F3   Shift+F3", "next hit of the search or match of the filter, the one before"},
	{"Ctrl+Shift+F", "filter the tree"},
	{"Ctrl+C", "copy the value, the row of a list, or the bytes"},
	{"Ctrl+Shift+C   Ctrl+Shift+V", "copy the path, the value of what is selected"},
	{"Ctrl+Shift+H", "fold runs of equal bytes and bytes that nothing explains; Enter or a click opens one"},
	{"Ctrl+\\", "show the bytes at a second place too, or no longer"},
	{"Ctrl+I", "inspect the bytes at the cursor"},
	{"Ctrl+J", "hide the details, or show them"},
	{"Ctrl+D", "keep this tab of the bytes; what is decompressed next gets another"},
	{"Ctrl+K", "check the whole file"},
	{"Ctrl+O   Ctrl+W   Ctrl+Shift+T", "open a file, close the tab, open the closed one again"},
	{"Ctrl+Shift+O   Ctrl+R", "open the file as another format, read it anew"},
	{"Ctrl+Tab   Ctrl+PageDown", "next tab; with Shift, or Ctrl+PageUp, the one before"},
	{"Ctrl+1 … Ctrl+8   Ctrl+9", "a tab by its number, the last tab"},
	{"Ctrl+Shift+P", "find an action by a few letters of its name"},
	{"Ctrl+,", "the settings, with a field to search them"},
	{"F10   Alt+F, E, V, G, T, H", "the menus, for the keyboard"},
	{"Menu   Shift+F10", "the menu of the selected row, or of the byte at the cursor"},
	{"Ctrl+Alt+V", "open the bytes in the clipboard"},
	{"Ctrl+B", "mark the selected bytes or node, with a note"},
	{"Ctrl+Shift+B   Ctrl+Alt+B", "next mark, the one before"},
	{"Ctrl+Shift+M", "compare the file with another"},
	{"Ctrl+Alt+M", "compare the selected node with the next"},
	{"F7   F8", "in the window that compares: previous change, next change"},
	{"Arrows, Enter", "in a picture: from pixel to pixel (with Shift by 16), select its bytes"},
	{"+  -  0  1  r  c  a", "in a picture: zoom, fit, 1:1, turn (R: to the left), next channel (C: the one before), next range"},
	{"Ctrl+Shift+Y", "try bytes: digits, or characters in the text, take the place of others; Tab goes from the ones to the other"},
	{"Ctrl+Z   Ctrl+Y", "undo and redo what was tried"},
	{"Space  s  l", "in a picture: play the stream or stop, those of all streams at its time, a window of its own (there F11, Page keys)"},
	{"Arrows  +  -  0  .  ,", "in a shape: turn (with Shift move), zoom, all of it, next point, the one before"},
	{"Arrows  +  -  0  Enter", "in a plot: the cursor (with Shift by the least step), zoom, all of it, select the bytes there; Space plays a sound from there"},
	{"Arrows  +  -  0  Home  End", "in the time bar: next moment and the one before (with Shift of any track), other track, zoom, all times, first, last"},
	{"Ctrl+E", "decode the selected bytes in a tab of their own"},
	{"Escape", "end the search or drop the selected bytes, else back to the tree"},
	{"Tab", "next pane"},
	{"?", "start here: the first five steps, on the built-in sample"},
	{"Ctrl+/", "this list"},
	{"Ctrl+Q", "quit"},
}

func (w *Window) showKeys() {
	grid := container.New(layout.NewFormLayout())
	for _, k := range keysText {
		key := widget.NewLabel(k[0])
		key.TextStyle.Monospace = true
		grid.Add(kit.Dense(key))
		does := widget.NewLabel(k[1])
		does.Wrapping = fyne.TextWrapWord
		grid.Add(kit.Dense(does))
	}
	w.ShowModal("Keys", nil, container.New(layout.NewCustomPaddedLayout(0, 0, 0, 14), grid), 760, shell.Button{Text: "Close", Main: true})
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
		items = append(items, kit.MenuItem(f.Title, "", 0, func() { w.withSession(func(s *session) { s.Pane.Actions.CopyBytes(f.Name) }) }))
	}
	return items
}
