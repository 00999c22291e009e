package window

import (
	"path/filepath"
	"slices"
	"strings"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/action"
	"cutaway/ui/cards"
	"cutaway/ui/document"
	"cutaway/ui/folder"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
	"cutaway/ui/preferences"
	"cutaway/ui/stage"
	"cutaway/ui/tab"
)

// table lists all that a user can do: the menus, then what only lists of actions have, then what only keys do.
func table(w *Window) []*action.Group {
	menu := func(title string, all []*action.Action) *action.Group {
		return &action.Group{Title: title, Menu: true, Actions: all}
	}
	return []*action.Group{menu("File", fileActions(w)), menu("Edit", editActions(w)), menu("View", viewActions(w)), menu("Go", goActions(w)),
		menu("Tools", toolActions(w)), menu("Help", helpActions(w)),
		{Title: "Compare", Actions: compareActions(w)}, {Title: "Inspector", Actions: inspectActions(w)}, {Title: "Mark", Actions: []*action.Action{{Among: true, More: w.more(colourActions)}}},
		{Title: "Tab", Actions: []*action.Action{{Among: true, More: func() []*action.Action { return pageActions(w, w.Pages.Front) }}}},
		{Title: "Show", Actions: []*action.Action{{Among: true, More: w.more(showActions)}}},
		{Title: "Node", Actions: among(w, func(t *tab.Tab) []*action.Action {
			if t.Pane == nil || t.Pane.Current() == nil {
				return nil
			}
			return action.FromMenu(t.Pane.Actions.NodeItems(nodes.ItemOf(t.Pane.Current()), nil))
		})},
		{Title: "Bytes", Actions: among(w, func(t *tab.Tab) []*action.Action {
			if t.Pane == nil {
				return nil
			}
			shown := t.Pane.Hex.Shown
			return action.FromMenu(t.Pane.Actions.BytesItems(shown, shown.View.Cursor()))
		})},
		{Title: "Settings", Actions: []*action.Action{{Among: true, More: w.more(settingActions)}}},
		{Title: "Keys", Actions: keyActions(w)}}
}

// more returns a function that lists the actions of a submenu.
func (w *Window) more(of func(w *Window) []*action.Action) func() []*action.Action {
	return func() []*action.Action { return of(w) }
}

// among returns actions that depend on the tab in front, as one of a group.
func among(w *Window, of func(t *tab.Tab) []*action.Action) []*action.Action {
	return []*action.Action{{Among: true, More: func() []*action.Action {
		if w.Active == nil {
			return nil
		}
		return of(w.Active)
	}}}
}

// A need returns why something cannot be done with a tab now, whose document is open, or "".
type need func(t *tab.Tab) string

const noFile = "no file is open"

// open returns a function that does something with the tab in front, once its document is open.
func (w *Window) open(do func(*tab.Tab)) func() { return func() { w.withOpen(do) } }

// ready returns what an action lacks that works on an open document.
func (w *Window) ready(more ...need) func() string {
	return func() string {
		if w.Active == nil || w.Active.Pane == nil {
			return noFile
		}
		for _, n := range more {
			if why := n(w.Active); why != "" {
				return why
			}
		}
		return ""
	}
}

// anyPage returns what an action lacks that needs a tab, whatever it shows.
func (w *Window) anyPage(more ...func() string) func() string {
	return func() string {
		if w.Pages.Front == nil {
			return "no tab is open"
		}
		for _, n := range more {
			if why := n(); why != "" {
				return why
			}
		}
		return ""
	}
}

// orFolder returns what an action lacks that also works on a folder in front.
func (w *Window) orFolder(need func() string) func() string {
	return func() string {
		if _, is := w.Pages.Front.(*folder.Pane); is {
			return ""
		}
		return need()
	}
}

// folderOr returns a function that does something with the folder in front, or else something with a file.
func (w *Window) folderOr(do func(*folder.Pane), of func()) func() {
	return func() {
		if f, is := w.Pages.Front.(*folder.Pane); is {
			do(f)
		} else {
			of()
		}
	}
}

func fileActions(w *Window) []*action.Action {
	o := w.Opener
	return []*action.Action{
		{ID: "file.open", Title: "Open…", Key: "Ctrl+O", Words: "load read file", Do: o.AskFile},
		{ID: "file.other", Title: "Open other", Words: "load read", More: func() []*action.Action {
			return []*action.Action{
				{ID: "file.address", Title: "Open address…", Words: "url http https web server download", Do: o.AskAddress},
				{ID: "file.folder", Title: "Open folder…", Words: "directory audit scan many files", Do: o.AskFolder},
				{ID: "file.several", Title: "Open parts as one…", Words: "several join together", Do: o.AskSeveral},
				{ID: "file.clipboard", Title: "Open from clipboard…", Key: "Ctrl+Alt+V", Words: "paste hex base64", Do: o.AskPasted},
			}
		}},
		{ID: "file.recent", Title: "Open recent", Words: "last history", Need: func() string { return unless(len(w.recent) > 0, "no file was opened yet") },
			More: w.more(recentActions)},
		{ID: "file.sample", Title: "Open the sample", Words: "example demo welcome", Do: func() {
			w.Shell.Store.NoHello = false
			w.OpenSample()
		}}, action.Line,
		{ID: "file.compare", Title: "Compare…", Key: "Ctrl+Shift+M", Words: "diff difference changes with", Help: "compare files and nodes, the open ones first", Need: w.ready(),
			Do: w.open(w.comparer.with)},
		{ID: "file.export", Title: "Export…", Key: "Ctrl+Shift+E", Words: "save write convert csv json numpy parquet", Need: w.orFolder(w.ready()),
			Do: w.folderOr((*folder.Pane).Export, w.open(func(t *tab.Tab) { t.Pane.Actions.ExportSelected() }))},
		{ID: "file.report", Title: "Save report…", Words: "export summary html markdown", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Actions.ExportReport() })}, action.Line,
		{ID: "file.reload", Title: "Refresh", Key: "Ctrl+R", Words: "reload again revert", Need: w.orFolder(w.ready()),
			Do: w.folderOr((*folder.Pane).Look, w.open((*tab.Tab).Reload))},
		{ID: "file.close", Title: "Close tab", Key: "Ctrl+W", Need: w.anyPage(), Do: func() { w.Pages.Close(w.Pages.Front) }},
		{ID: "file.reopen", Title: "Reopen closed tab", Key: "Ctrl+Shift+T", Words: "restore undo",
			Need: func() string { return unless(len(w.Shell.Store.Closed) > 0, "no tab was closed") }, Do: w.Pages.reopen}, action.Line,
		{ID: "file.quit", Title: "Quit", Key: "Ctrl+Q", Words: "exit end", Do: w.Quit, Quit: true},
	}
}

// compareActions compare files and nodes without the dialog.
func compareActions(w *Window) []*action.Action {
	c := w.comparer
	return []*action.Action{
		{ID: "file.compare.tab", Title: "Compare with the tab before", Words: "diff open files two tabs", Need: w.ready(w.anotherTab), Do: w.open(c.before)},
		{ID: "file.several.compare", Title: "Compare several…", Words: "hold side by side diff columns files", Do: c.several},
		{ID: "file.compare.next", Title: "Compare node with the next", Key: "Ctrl+Alt+M", Words: "diff sibling record", Need: w.ready(aSibling), Do: w.open(c.next)},
		{ID: "file.compare.keep", Title: "Keep node for comparing", Words: "diff remember", Need: w.ready(), Do: w.open(c.remember)},
		{ID: "file.compare.kept", Title: "Compare node with the kept one", Words: "diff", Need: w.ready(w.aKeptNode), Do: w.open(c.node)},
		{ID: "go.change.next", Title: "Next change", Key: "F8", Words: "diff difference comparison", Need: w.anyPage(w.changes), Do: w.step(1)},
		{ID: "go.change.previous", Title: "Previous change", Key: "F7", Words: "diff difference comparison", Need: w.anyPage(w.changes), Do: w.step(-1)},
	}
}

// step returns a function that goes to the next change of the comparison in front, or with -1 to the one before.
func (w *Window) step(by int) func() {
	return func() {
		if p, is := w.Pages.Front.(stepper); is {
			p.Step(by)
		}
	}
}

// recentActions open the recent files that still exist.
func recentActions(w *Window) (all []*action.Action) {
	for _, r := range w.recent {
		all = append(all, &action.Action{Title: r.Title() + "  —  " + filepath.Dir(r[0]), Do: func() { w.Open(opening.TargetOf(r)) }})
	}
	return all
}

func editActions(w *Window) []*action.Action {
	all := []*action.Action{
		{ID: "edit.try", Title: "Try bytes", Key: "Ctrl+Shift+Y", Words: "edit change patch write hex modify overwrite", Need: w.ready(),
			Help: "try bytes: digits, or characters in the text, take the place of others; Tab goes from the ones to the other",
			On:   func() bool { return w.Active != nil && w.Active.Pane != nil && w.Active.Editor.On },
			Do:   w.open(func(t *tab.Tab) { t.Editor.Flip() })},
		{ID: "edit.undo", Title: "Undo", Key: "Ctrl+Z", Words: "revert back", Need: w.ready(aStepDone), Do: w.open(func(t *tab.Tab) { t.Editor.StepBack() })},
		{ID: "edit.redo", Title: "Redo", Key: "Ctrl+Y Ctrl+Shift+Z", Words: "again", Need: w.ready(aStepUndone), Do: w.open(func(t *tab.Tab) { t.Editor.StepOn() })},
		action.Line,
		{ID: "edit.copy.path", Title: "Copy path", Key: "Ctrl+Shift+C", Words: "clipboard name", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Actions.CopyPath() })},
		{ID: "edit.copy.value", Title: "Copy value", Key: "Ctrl+Shift+V", Words: "clipboard text", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Actions.CopyValue() })},
		{ID: "edit.copy.bytes", Title: "Copy bytes as", Words: "clipboard hex base64 c array", Need: w.ready(), More: func() (all []*action.Action) {
			for _, f := range hexview.CopyFormats {
				all = append(all, &action.Action{Title: f.Title, Do: w.open(func(t *tab.Tab) { t.Pane.Actions.CopyBytes(f.Name) })})
			}
			return all
		}}, action.Line,
		{ID: "edit.mark", Title: "Mark…", Key: "Ctrl+B", Words: "bookmark note comment highlight annotate", Help: "mark the selected bytes or node, with a note",
			Need: w.ready(), Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.Add() })},
		{ID: "edit.marks", Title: "Marks", Words: "bookmarks notes annotations", More: w.more(markActions)}, action.Line,
		{ID: "edit.find", Title: "Find…", Key: "Ctrl+F", Words: "search look for text number bytes", Help: "search: names, values, bytes and actions",
			Do: w.folderOr((*folder.Pane).Filter, func() { w.Find.Open("") })},
		{ID: "edit.find.next", Title: "Find next", Key: "F3", Words: "search again", Help: "next hit of the search, or match of the filter", Need: w.ready(somethingSought),
			Do: w.open(func(t *tab.Tab) { t.Pane.FindNext(false) })},
		{ID: "edit.find.previous", Title: "Find previous", Key: "Shift+F3", Words: "search back", Need: w.ready(somethingSought),
			Do: w.open(func(t *tab.Tab) { t.Pane.FindNext(true) })},
		{ID: "edit.filter", Title: "Filter the tree…", Key: "Ctrl+Shift+F", Words: "narrow hide only folder files", Need: w.orFolder(w.ready()),
			Do: w.folderOr((*folder.Pane).Filter, w.open(func(t *tab.Tab) { t.Pane.Trees.Filters.Open() }))}, action.Line}
	return append(all, &action.Action{ID: "edit.tried", Title: "Bytes tried", Words: "changes edit patch", More: w.more(tryActions)}, action.Line,
		&action.Action{ID: "edit.settings", Title: "Settings…", Key: "Ctrl+,", Words: "preferences options configure", Do: func() { w.ShowSettings("") }})
}

// markActions go from mark to mark, and read and write them.
func markActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "edit.mark.next", Title: "Next mark", Key: "Ctrl+Shift+B", Words: "bookmark", Need: w.ready(aMark), Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.Step(1) })},
		{ID: "edit.mark.previous", Title: "Previous mark", Key: "Ctrl+Alt+B", Words: "bookmark", Need: w.ready(aMark), Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.Step(-1) })},
		{ID: "edit.marks.import", Title: "Import marks…", Words: "bookmarks read", Need: w.ready(), Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.Import() })},
		{ID: "edit.marks.export", Title: "Export marks…", Words: "bookmarks save write", Need: w.ready(aMark), Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.Export() })},
	}
}

// tryActions are about bytes that are tried.
func tryActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "edit.value", Title: "Change value…", Words: "edit modify set type", Need: w.ready(typable),
			Do: w.open(func(t *tab.Tab) { t.Editor.ChangeValue(t.Pane.Current()) })},
		{ID: "edit.save", Title: "Save as a new file…", Words: "write patched changed copy", Need: w.ready(aChange), Do: w.open(func(t *tab.Tab) { t.Editor.SaveAs(nil) })},
		{ID: "edit.patch.save", Title: "Save patch list…", Words: "diff export changes", Need: w.ready(aChange), Do: w.open(func(t *tab.Tab) { t.Editor.SaveList() })},
		{ID: "edit.patch.read", Title: "Read patch list…", Words: "apply import changes", Need: w.ready(), Do: w.open(func(t *tab.Tab) { t.Editor.AskForList() })},
		{ID: "edit.drop", Title: "Discard changes", Words: "drop revert undo reset", Need: w.ready(aChange), Do: w.open(func(t *tab.Tab) { t.Editor.ReplaceAll(nil) })},
	}
}

func viewActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "view.arrange", Title: "Stage and bytes", Words: "arrangement layout split panes", More: w.more(arrangements)},
		{ID: "view.full", Title: "Full stage", Key: "F11", Words: "full screen large enlarge maximise picture window", Need: w.ready(), Help: "the stage alone; Escape comes back",
			On: w.holds(func(t *tab.Tab) bool { return t.Pane.Frame.IsFull() }), Do: w.open(func(t *tab.Tab) { t.Pane.Frame.FullStage(!t.Pane.Frame.IsFull()) })},
		{ID: "view.cards", Title: "Cards", Words: "stage", More: w.more(cardActions)},
		{ID: "view.pin", Title: "Pin the card", Key: "P", Words: "keep stage hold lock", Need: w.ready(), Help: "keep the card on the stage whatever is selected; where a card or its strip has the keyboard",
			On: w.holds(func(t *tab.Tab) bool { return t.Pane.Stage.Pinned }), Do: w.open(func(t *tab.Tab) { t.Pane.Stage.Pin(!t.Pane.Stage.Pinned) })},
		{ID: "view.card", Title: "Card", Key: "Ctrl+J", Words: "details properties value facts information selected node drawer", Need: w.ready(),
			Help: "the card of what is selected; in a narrow window a drawer", On: w.holds(func(t *tab.Tab) bool { return t.Pane.Frame.Drawer() }), Do: w.open(func(t *tab.Tab) { t.Pane.Frame.FlipCard() })},
		{ID: "view.inspect", Title: "Inspector", Key: "Ctrl+I", Words: "inspect bytes at the cursor", Help: "inspect the bytes at the cursor", Need: w.ready(),
			On: func() bool { return w.Shell.Store.InspectorOpen }, Do: w.open(func(t *tab.Tab) { t.Pane.Side.Inspect() })}, action.Line,
		{ID: "view.tree.next", Title: "Next tree", Key: "Ctrl+T", Words: "view layout scene switch", Need: w.ready(anotherTree), Do: w.open(func(t *tab.Tab) { t.Pane.Trees.NextView() })},
		{ID: "view.sort", Title: "Sort the tree by", Words: "order column folder files", Need: w.orFolder(w.ready()), More: w.more(sortActions)},
		{ID: "view.lists", Title: "Lists", Words: "pane panel", More: w.more(listActions)}, action.Line,
		{ID: "view.format", Title: "Format", Words: "decode type options description", More: w.more(formatActions)},
		{ID: "view.bytes", Title: "Bytes", Words: "hex group endian row width encoding offsets", More: func() (all []*action.Action) {
			for _, s := range w.setter.bytesSettings() {
				all = append(all, settingAction(s))
			}
			return append(all, &action.Action{ID: "view.hex.keep", Title: "Keep this hex tab", Key: "Ctrl+D", Words: "pin bytes", Need: w.ready(), Do: w.open(keepHexTab)})
		}},
		{ID: "view.look", Title: "Look", Words: "appearance", More: func() []*action.Action {
			return []*action.Action{choices(w, "theme", "dark light colours high contrast look appearance"), choices(w, "text_size", "font zoom large small"),
				choices(w, "room", "compact row height spacing")}
		}},
	}
}

// formatActions say as what the file is decoded.
func formatActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "view.as", Title: "Open as…", Key: "Ctrl+Shift+O", Words: "format decode type", Help: "open the file as another format", Need: w.aFile, Do: w.askAs},
		{ID: "view.options", Title: "Options…", Words: "format settings schema", Need: w.ready(settable), Do: w.open(func(t *tab.Tab) { t.Options.Ask() })},
		{Among: true, More: w.more(fileOptions)},
		{ID: "view.describe", Title: "New description…", Words: "kaitai ksy struct template format", Need: w.ready(), Do: w.open((*tab.Tab).NewDescription)},
	}
}

// askAs asks for the format of the file in front.
func (w *Window) askAs() {
	if w.Active != nil {
		w.Active.AskAs()
	}
}

// keepHexTab keeps the tab of the bytes that is shown: what is decompressed next gets another.
func keepHexTab(t *tab.Tab) { t.Pane.Hex.Pin(t.Pane.Hex.Shown) }

// holds returns a function that reports whether something holds of the tab in front, once its document is open.
func (w *Window) holds(is func(*tab.Tab) bool) func() bool {
	return func() bool { return w.Active != nil && w.Active.Pane != nil && is(w.Active) }
}

// arrangements show the stage, the bytes or both.
func arrangements(w *Window) (all []*action.Action) {
	words := map[stage.Arrangement]string{stage.Both: "split", stage.Stage: "only card picture", stage.Bytes: "only hex"}
	for _, a := range stage.Arrangements {
		all = append(all, &action.Action{ID: "view.arrange." + a.Title, Title: a.Title, Words: words[a.Is] + " arrangement", Need: w.ready(),
			On: w.holds(func(t *tab.Tab) bool { return t.Pane.Frame.Arranged() == a.Is }), Do: w.open(func(t *tab.Tab) { t.Pane.Frame.Arrange(a.Is) })})
	}
	return all
}

// fileOptions offers each option of the document that is a file, such as a schema, by itself, and a description where its format has no
// setting for one.
func fileOptions(w *Window) (all []*action.Action) {
	t := w.Active
	if t == nil || t.Pane == nil {
		return nil
	}
	if t.Pane.Doc.SetOption != nil {
		for _, o := range t.Pane.Doc.Options {
			if o.Kind == model.File {
				all = append(all, &action.Action{Title: o.Title + "…", Do: func() { t.Options.ChooseFile(o) }})
			}
		}
	}
	if !t.Described() {
		all = append(all, &action.Action{ID: "view.readby", Title: "Read by a description…", Words: "kaitai ksy struct template", Do: t.AskDescription})
	}
	return all
}

// sortActions sort the tree by a column, as its heads do for the mouse.
func sortActions(w *Window) (all []*action.Action) {
	var rows interface {
		Columns() []string
		SortedBy() int
		SortBy(column int)
	}
	if f, is := w.Pages.Front.(*folder.Pane); is {
		rows = f
	} else {
		rows = w.Active.Pane.Trees
	}
	for i, title := range rows.Columns() {
		if title != "" {
			all = append(all, &action.Action{Title: title, On: func() bool { return i == rows.SortedBy() }, Do: func() { rows.SortBy(i) }})
		}
	}
	return all
}

// keysOfSettings are the keys of settings that have one.
var keysOfSettings = map[string]string{"fold": "Ctrl+Shift+H", "second_bytes": `Ctrl+\`}

// settingAction returns a switch as an action, and choices as a submenu.
func settingAction(s preferences.Setting) *action.Action {
	a := &action.Action{ID: "setting." + s.Key, Title: s.Title, Key: keysOfSettings[s.Key], Help: strings.TrimSuffix(s.Help, ".")}
	if s.Switch != nil {
		a.On, a.Do = s.Switch.On, func() { s.Switch.Set(!s.Switch.On()) }
		return a
	}
	a.More = func() (all []*action.Action) {
		for _, c := range s.Choices {
			all = append(all, &action.Action{Title: c.Title, On: c.Holds, Do: c.Choose})
		}
		return all
	}
	return a
}

// choices returns the submenu of a setting, whose choices are made anew each time.
func choices(w *Window, key, words string) *action.Action {
	a := settingAction(w.Setting(key))
	a.Words, a.More = words, func() []*action.Action { return settingAction(w.Setting(key)).More() }
	return a
}

// settingActions show each setting in the dialog.
func settingActions(w *Window) (all []*action.Action) {
	for _, s := range w.Settings() {
		all = append(all, &action.Action{ID: "settings." + s.Key, Title: s.Title + "…", Words: s.Help, Do: func() { w.ShowSettings(s.Title) }})
	}
	return all
}

func goActions(w *Window) []*action.Action {
	time := func(id, title, key, words string, do func(t *tab.Tab)) *action.Action {
		return &action.Action{ID: id, Title: title, Key: key, Words: words + " time timeline", Need: w.ready(times), Do: w.open(do)}
	}
	return []*action.Action{
		{ID: "go.back", Title: "Back", Key: "Alt+←", Words: "previous history", Need: w.ready(aWayBack), Do: w.open(func(t *tab.Tab) { t.Pane.Nav.Travel(-1) })},
		{ID: "go.forward", Title: "Forward", Key: "Alt+→", Words: "next history", Need: w.ready(aWayForward), Do: w.open(func(t *tab.Tab) { t.Pane.Nav.Travel(1) })},
		{ID: "go.parent", Title: "Parent node", Key: "Alt+Shift+↑", Words: "up above", Help: "parent node; so does a second click on a byte", Need: w.ready(aParent),
			Do: w.open(func(t *tab.Tab) { t.Pane.Nav.ShowParent() })},
		{ID: "go.tree", Title: "Show in Layout", Key: "Ctrl+Shift+J", Words: "layout other view", Help: "show the selected node in the tree that has it, where another one is open",
			Need: w.ready(inAnotherTree), Do: w.open(func(t *tab.Tab) { t.Pane.Nav.ShowInTree() })}, action.Line,
		{ID: "go.reference", Title: "Follow reference", Key: "Ctrl+Enter", Words: "link target jump", Help: "follow the reference; so does a click with Ctrl", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Actions.FollowCurrent() })}, action.Line,
		{ID: "go.path", Title: "Go to path…", Key: "Ctrl+L", Words: "address location name", Need: w.ready(), Do: w.open(func(*tab.Tab) { w.Place.focus(w.Place.Entry.Text) })},
		{ID: "go.name", Title: "Go to a name…", Key: "Ctrl+P", Words: "find prim attribute stream node", Need: w.ready(), Do: func() { w.Find.Open("name:") }},
		{ID: "go.offset", Title: "Go to offset…", Key: "Ctrl+G", Words: "address location byte jump", Need: w.ready(), Do: w.open(func(*tab.Tab) { w.Place.focus("") })},
		{ID: "go.problem", Title: "Go to the first problem", Words: "error damage warning verdict", Need: w.ready(), Do: w.goToFirstProblem}, action.Line,
		time("go.time", "Go to time…", "Ctrl+Shift+G", "seconds frame moment", func(t *tab.Tab) { t.Pane.Time.FocusField() }),
		time("go.gaps", "Gaps and drift", "Alt+Shift+G", "missing dropped rate jitter", func(t *tab.Tab) { t.Pane.Time.ShowList() }),
		{ID: "go.step", Title: "Step in time", Words: "record frame stream next previous", More: func() []*action.Action {
			return []*action.Action{
				time("go.track.previous", "Previous of this track", "Alt+PageUp", "record frame stream", func(t *tab.Tab) { t.Pane.Time.Step(true, false) }),
				time("go.track.next", "Next of this track", "Alt+PageDown", "record frame stream", func(t *tab.Tab) { t.Pane.Time.Step(false, false) }),
				time("go.any.previous", "Previous of any track", "Alt+Shift+PageUp", "record frame stream", func(t *tab.Tab) { t.Pane.Time.Step(true, true) }),
				time("go.any.next", "Next of any track", "Alt+Shift+PageDown", "record frame stream", func(t *tab.Tab) { t.Pane.Time.Step(false, true) }),
			}
		}}, action.Line,
		{ID: "go.origin", Title: "To the bytes it was made from", Key: "Alt+↑", Words: "compressed source stored origin", Need: w.ready(), Do: w.open(func(t *tab.Tab) { t.Pane.Origin.ToOrigin(1) })},
		{ID: "go.made", Title: "To what is made from these bytes", Key: "Alt+↓", Words: "decompress inflate unpack", Need: w.ready(), Do: w.open(func(t *tab.Tab) { t.Pane.Origin.ToOrigin(-1) })},
	}
}

func toolActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "tools.check", Title: "Check everything", Key: "Ctrl+K", Words: "validate verify lint problems errors", Help: "check the whole file", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Problems.Check() })},
		{ID: "tools.decode", Title: "Read bytes as…", Key: "Ctrl+E", Words: "decode selection interpret format", Help: "decode the selected bytes in a tab of their own", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Actions.DecodeSelection() })},
		{ID: "tools.descriptions", Title: "Descriptions and codecs…", Words: "kaitai ksy folders process plugins", Do: func() { w.ShowSettings("descriptions") }},
		{ID: "tools.cancel", Title: "Stop running work", Words: "cancel abort", Need: w.anyPage(w.workThatRuns), Do: func() { w.Pages.Front.Work().CancelAll() }},
	}
}

func helpActions(w *Window) []*action.Action {
	return []*action.Action{
		{ID: "help.start", Title: "Start here", Words: "tour tutorial first steps learn", Do: w.StartHere},
		{ID: "help.actions", Title: "Search actions…", Key: "Ctrl+Shift+P", Words: "command palette search what to do", Do: func() { w.Find.Open(">") }},
		{ID: "help.keys", Title: "Keys", Key: "Ctrl+/", Words: "shortcuts keyboard hotkeys bindings", Help: "this list", Do: w.showKeys},
		{ID: "help.about", Title: "About Cutaway", Words: "version licence", Do: w.showAbout},
	}
}

// listActions open the lists of a document.
func listActions(w *Window) (all []*action.Action) {
	for i, l := range document.Listed {
		all = append(all, &action.Action{ID: "list." + l.Name, Title: l.Name, Key: l.Key, Words: "pane list " + l.Words, Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Lists.ShowForKeys(i) })})
	}
	return all
}

// inspectActions unfold the inspector at one of its tabs.
func inspectActions(w *Window) (all []*action.Action) {
	for tabOf, words := range []string{inspector.Numbers: "Numbers integer float", inspector.BitFields: "Bits flags mask", inspector.Sums: "Checksums crc hash md5 sha"} {
		title, words, _ := strings.Cut(words, " ")
		all = append(all, &action.Action{ID: "inspect." + title, Title: title, Words: "inspector inspect " + words, Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Side.InspectAs(tabOf) })})
	}
	return all
}

// cardActions put cards on the stage: those of nodes, then those of documents.
func cardActions(w *Window) (all []*action.Action) {
	for _, k := range slices.Concat(cards.Kinds, document.Cards) {
		all = append(all, &action.Action{ID: "card." + k.Title, Title: k.Title, Words: "card stage " + k.Words,
			Need: w.ready(func(t *tab.Tab) string { return unless(t.Pane.Stage.Has(k.Title), "what is selected has none") }),
			Do:   w.open(func(t *tab.Tab) { t.Pane.Stage.ChooseForKeys(k.Title) })})
	}
	return append(all, &action.Action{ID: "card.savings", Title: "Savings", Words: "sizes could be saved duplicates compress smaller", Need: w.ready(),
		Do: w.open(func(t *tab.Tab) {
			t.Pane.Stage.ChooseForKeys(document.Sizes)
			t.Pane.Sizes.AskSavings()
		})})
}

// colourActions mark what is selected in a colour.
func colourActions(w *Window) (all []*action.Action) {
	for _, colour := range marks.Colours {
		all = append(all, &action.Action{ID: "mark." + colour, Title: "Mark in " + colour + "…", Words: "bookmark highlight colour", Need: w.ready(),
			Do: w.open(func(t *tab.Tab) { t.Pane.Lists.Kept.AddIn(colour) })})
	}
	return all
}

// pageActions returns the actions on a page, or none if there is no page.
func pageActions(w *Window, p Page) (all []*action.Action) {
	if p == nil {
		return nil
	}
	if t, is := p.(*tab.Tab); is {
		compared := &action.Action{Title: "Compare…", Do: func() { w.comparer.with(t) }}
		if a := w.Active; a != nil && a != t {
			compared = &action.Action{Title: "Compare with " + phrase.Short(a.Title(), kit.LongestTab), Do: func() { w.comparer.tabs(t, a) }}
		}
		compared.Need = func() string { return unless(t.Pane != nil, noFile) }
		all = append(all, compared, &action.Action{ID: "tab.copy", Title: "Copy the path of the file", Words: "name clipboard",
			Need: func() string { return unless(t.Subject.File != "", "it is no file") },
			Do:   func() { w.Shell.App.Clipboard().SetContent(t.Subject.File) }}, action.Line)
	}
	return append(all, &action.Action{ID: "tab.close", Title: "Close", Do: func() { w.Pages.Close(p) }},
		&action.Action{ID: "tab.close.others", Title: "Close the others", Need: w.anotherPage, Do: func() {
			for _, other := range slices.Clone(w.Pages.All) {
				if other != p {
					w.Pages.Close(other)
				}
			}
		}})
}

// showActions show each tree of the document in front, and each tab.
func showActions(w *Window) (all []*action.Action) {
	w.withOpen(func(t *tab.Tab) {
		for i, v := range t.Pane.Doc.Views {
			all = append(all, &action.Action{Title: v.Title, Words: "tree view", Do: func() { t.Pane.Trees.Views.Choose(i) }})
		}
	})
	for _, p := range w.Pages.All {
		all = append(all, &action.Action{Title: p.Title(), Words: "tab file switch", Do: func() { w.Pages.Show(p) }})
	}
	return all
}
