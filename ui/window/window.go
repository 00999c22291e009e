// Package window is the program's window: its tabs and bars, its table of actions, and its life.
package window

import (
	"runtime/debug"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/action"
	"cutaway/ui/disk"
	"cutaway/ui/document"
	"cutaway/ui/eventlog"
	exporting "cutaway/ui/export"
	"cutaway/ui/folder"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/opening"
	"cutaway/ui/palette"
	"cutaway/ui/preferences"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/start"
	"cutaway/ui/tab"
	"cutaway/ui/task"
	"cutaway/ui/trying"
)

// Window is the program's window. All its methods belong on the UI goroutine.
type Window struct {
	Shell   *shell.Shell
	Opener  *opening.Opener
	Actions *action.Table
	Tabs    []*tab.Tab
	Active  *tab.Tab // nil where there are no tabs
	Bar     *kit.TabBar
	Status  *Status
	Place   *Place
	Guide   *start.Guide // the first steps on the sample

	Palette     *palette.Palette    // the last one
	Preferences *preferences.Dialog // the last one
	Exported    exporting.Last

	host     *tab.Host
	setter   *setter
	comparer *comparer
	Door     *Door
	recent   []settings.RecentFile // that still exist
	idle     *time.Timer           // until the memory of closed tabs is returned
	Stack    *fyne.Container       // the tab that is shown
	Closed   chan struct{}         // once the window is
	Closing  bool
}

// The sizes of a window that was never opened before.
const (
	firstWidth, firstHeight = 1360, 860
	firstStage, firstList   = 0.56, 0.62
	firstCard               = 0.6
)

// New makes a window, which is not shown yet. post runs a function on the UI goroutine.
func New(a fyne.App, st *settings.Store, log *eventlog.Log, post func(func())) *Window {
	w := &Window{Shell: &shell.Shell{App: a, Post: post, Store: st, Log: log}, Closed: make(chan struct{})}
	st.Gather = w.gather
	st.Closed = slices.DeleteFunc(st.Closed, func(t settings.Tab) bool { return len(t.Files) == 0 }) // of a damaged store
	look.KeepFontsFew(a.Settings())
	a.Settings().SetTheme(look.Of(st.Settings))
	for field, first := range map[*float64]float64{&st.StageSide: firstStage, &st.ListSide: firstList, &st.InspectorSide: firstCard} {
		if *field == 0 {
			*field = first
		}
	}
	w.Shell.Win = a.NewWindow(Name)
	w.Shell.Win.SetPadded(false)
	w.Status = newStatus(w.Shell, w.goToFirstProblem)
	w.Shell.Notify = w.Status.notify
	w.Opener = &opening.Opener{Shell: w.Shell, Open: w.Open, Folder: w.OpenFolder, Subject: w.openSubject, Begin: w.Folder}
	w.comparer = &comparer{w: w}
	w.setter = &setter{w}
	w.Door = &Door{w: w}
	w.host = w.tabHost()
	w.Bar = kit.NewTabBar(func(i int) { w.Activate(w.Tabs[i]) })
	w.Bar.OnClose = func(i int) { w.Close(w.Tabs[i]) }
	w.Bar.OnMenu = w.tabMenu
	w.Stack = container.NewStack()
	w.Guide = start.New(w.Shell, w.Stack)
	w.Place = newPlace(w)
	w.Shell.Win.SetContent(kit.WithTips(kit.Under(w.Place.object, container.New(kit.Tight{}, w.Bar, w.Guide.Object, w.Status.Object))))
	if err := w.setter.useDescriptions(); err != nil {
		fyne.LogError("the codecs of descriptions", err)
	}
	w.setter.useCache()
	w.Actions = action.New(w.Shell, table(w)...)
	w.UpdateMenu()
	width, height := st.Width, st.Height
	if width < 400 || height < 300 {
		width, height = firstWidth, firstHeight
	}
	w.Shell.Win.Resize(fyne.NewSize(width, height))
	w.Shell.Win.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { w.Dropped(uris) })
	w.Shell.Win.SetCloseIntercept(w.Quit)
	w.Shell.Win.SetMaster()
	w.Shell.Win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { w.Actions.Press(e.Name) }) // Fyne takes no key without Ctrl or Alt for a menu's
	w.Shell.Win.Canvas().SetOnTypedRune(w.typedRune)
	go w.watchFiles()
	go log.WatchStalls(post, w.Closed)
	if log.On() {
		go answerLooks(w)
	}
	w.UpdateControls()
	return w
}

// tabHost lists the functions that tabs may call.
func (w *Window) tabHost() *tab.Host {
	return &tab.Host{Opener: w.Opener, Exported: &w.Exported,
		InFront:      func(t *tab.Tab) bool { return w.Active == t },
		TypesPlace:   func() bool { return w.Place.Entry.Focused },
		ShowPlace:    func(text, path string) { w.Place.show(text, path) },
		Moved:        w.UpdateControls,
		Changed:      w.showChanged,
		Work:         w.showWork,
		Marked:       func() { w.Actions.Enable() },
		FlipOrder:    w.setter.flipOrder,
		SecondClosed: func() { w.setter.ShowSecond(false) },
		Did:          func(deed document.Deed, at *model.Place) { w.Guide.Did(deed, at) },
		Settings:     w.ShowSettings,
		Close:        w.Close,
		Replace:      w.replace,
		Front:        w.front,
		Remembered:   w.UpdateMenu}
}

// Open opens a file in a new tab; a file that is open already is shown. A folder whose files do not make one document is shown
// as a table.
func (w *Window) Open(t opening.Target) {
	disk.Ask(w.Shell.Post, t.IsFolder, func(folder bool) {
		if folder {
			w.OpenFolder(t.File)
		} else {
			w.openFile(t)
		}
	})
}

func (w *Window) openFile(target opening.Target) {
	for _, t := range w.Tabs {
		if !t.Subject.IsOf(target) {
			continue
		}
		if t.Pane == nil {
			t.Load(target)
			w.Activate(t)
		} else {
			w.Activate(t)
			t.GoToTarget(target)
		}
		return
	}
	w.Add(opening.Subject{File: target.File, With: target.With}).Load(target)
}

// Add puts a tab of a subject, which is not read yet, after the others and shows it.
func (w *Window) Add(s opening.Subject) *tab.Tab {
	t := tab.New(w.Shell, w.host, s, &trying.Edits{})
	w.Tabs = append(w.Tabs, t)
	w.Activate(t)
	return t
}

// openSubject opens a subject in a tab of its own.
func (w *Window) openSubject(s opening.Subject) {
	s.Buffer.Take()
	w.Add(s).Load(opening.Target{})
}

// OpenSample shows the built-in sample, beside the welcome if it was not hidden.
func (w *Window) OpenSample() {
	for _, t := range w.Tabs {
		if t.Subject.IsSample() && t.Subject.Options.Format == "" {
			w.Activate(t)
			return
		}
	}
	w.openSubject(opening.Subject{})
}

// OpenFolder shows what the files of a folder are, in a window of its own.
func (w *Window) OpenFolder(dir string) {
	disk.Ask(w.Shell.Post, func() bool { return decoders.HoldsTogether(dir) }, func(together bool) {
		show := func(file string) {
			w.Open(opening.Target{File: file})
			w.Shell.Win.RequestFocus()
		}
		var asOne func()
		if together {
			asOne = func() { show(dir) }
		}
		folder.Show(w.Shell, dir, show, asOne)
	})
}

// Folder returns where the file dialog begins: the folder of the file that is shown, or of the last one.
func (w *Window) Folder() string {
	if w.Active != nil {
		return opening.FolderFor(w.Active.Subject.File, w.Shell.Store.RecentNames())
	}
	return opening.FolderFor("", w.Shell.Store.RecentNames())
}

// replace closes a tab and shows another one at its position.
func (w *Window) replace(old, fresh *tab.Tab) {
	w.Tabs[slices.Index(w.Tabs, old)] = fresh
	old.KeepDividers()
	old.End()
	w.Activate(fresh)
}

// front brings a tab to the front, or reports that it was closed.
func (w *Window) front(t opening.Tab) bool {
	i := slices.IndexFunc(w.Tabs, func(other *tab.Tab) bool { return opening.Tab(other) == t })
	if i >= 0 {
		w.Activate(w.Tabs[i])
	}
	return i >= 0
}

// Activate shows a tab.
func (w *Window) Activate(t *tab.Tab) {
	if w.Active != nil {
		w.Active.KeepDividers()
	}
	w.Active = t
	w.Stack.Objects = []fyne.CanvasObject{t.Object}
	w.showFront()
	if t.Pane != nil {
		t.Pane.CursorMoved()
		t.Pane.Trees.FocusTree()
	} else {
		w.Place.showNowhere()
	}
	t.Wake()
	w.Shell.Save()
}

// showFront follows that another tab is in front, or none.
func (w *Window) showFront() {
	w.Stack.Refresh()
	w.showChanged()
	w.showWork()
	w.UpdateControls()
}

// Step shows the tab n further, around the ends.
func (w *Window) Step(n int) {
	if k := len(w.Tabs); k > 0 {
		w.ShowTab((slices.Index(w.Tabs, w.Active) + n + k) % k)
	}
}

// ShowTab shows tab i, if there is one.
func (w *Window) ShowTab(i int) {
	if i >= 0 && i < len(w.Tabs) && w.Tabs[i] != w.Active {
		w.Activate(w.Tabs[i])
	}
}

// Close closes a tab, and asks first where its tried bytes are not saved.
func (w *Window) Close(t *tab.Tab) {
	if t.Editor.Unsaved() {
		w.askToDrop("Close "+t.Title()+"?", []*tab.Tab{t}, func() { w.Shut(t) })
		return
	}
	w.Shut(t)
}

// MaxClosed is the number of closed tabs that can be opened again.
const MaxClosed = 20

// Shut closes a tab without a question.
func (w *Window) Shut(t *tab.Tab) {
	at := slices.Index(w.Tabs, t)
	if at < 0 {
		return
	}
	if state, ok := t.State(); ok {
		state.Place = at
		w.Shell.Store.Closed = append(w.Shell.Store.Closed[max(0, len(w.Shell.Store.Closed)-MaxClosed+1):], state)
	}
	w.Shell.Save()
	t.KeepDividers()
	t.End()
	w.giveBack()
	w.Tabs = slices.Concat(w.Tabs[:at], w.Tabs[at+1:]) // a new list: the old one would hold what is closed
	if w.Active != t {
		w.showChanged()
		return
	}
	w.Active = nil
	if len(w.Tabs) == 0 {
		w.showEmpty()
		return
	}
	w.Activate(w.Tabs[max(at-1, 0)])
}

// giveBack returns the memory of closed tabs to the system, a while after the last was closed: Fyne holds for a minute what it has
// drawn, and drops that some ten seconds after it draws next.
func (w *Window) giveBack() {
	const drawn, dropped = 65 * time.Second, 15 * time.Second
	if w.idle != nil {
		w.idle.Stop()
	}
	w.idle = time.AfterFunc(drawn, func() {
		w.Shell.Post(func() {
			w.Status.Object.Refresh()
			time.AfterFunc(dropped, debug.FreeOSMemory)
		})
	})
}

// showEmpty shows the window without a file.
func (w *Window) showEmpty() {
	w.Stack.Objects = []fyne.CanvasObject{container.NewCenter(kit.AtLeast(420, w.helloText()))}
	w.showFront()
	w.Place.showNowhere()
}

// showChanged shows the titles of the tabs, and what the file in front is.
func (w *Window) showChanged() {
	tabs := make([]kit.Tab, len(w.Tabs))
	for i, t := range w.Tabs {
		title := t.Title()
		if f := t.Subject.Options.Format; f != "" {
			title += " as " + f
		}
		if t.Editor.Len() > 0 {
			title += " *"
		}
		tabs[i] = kit.Tab{Title: title, Close: true, Bad: t.Pane != nil && t.Pane.Lists.Problems.Errors > 0}
	}
	w.Bar.Set(tabs, max(slices.Index(w.Tabs, w.Active), 0))
	w.UpdateHello()
	w.Actions.Enable()
	w.UpdateTitle()
	text, bad := "", false
	if t := w.Active; t != nil && t.Pane != nil {
		text = t.Editor.Text() + t.Pane.Doc.Title + "  ·  " + t.Pane.Lists.Problems.Soundness()
		bad = t.Pane.Lists.Problems.Errors > 0
	}
	w.Status.showWhat(text, bad)
}

// Name is the program's, and the title of the window without a file.
const Name = "Cutaway"

// UpdateTitle gives the window the title of the tab in front.
func (w *Window) UpdateTitle() {
	title := Name
	if w.Active != nil {
		title = w.Active.Title() + " · " + Name
	}
	w.Shell.Win.SetTitle(title)
}

// withOpen does something with the tab in front, if its document is open.
func (w *Window) withOpen(do func(*tab.Tab)) {
	if w.Active != nil && w.Active.Pane != nil {
		do(w.Active)
	}
}

// eachOpen does something with all tabs whose documents are open.
func (w *Window) eachOpen(do func(*tab.Tab)) {
	for _, t := range w.Tabs {
		if t.Pane != nil {
			do(t)
		}
	}
}

// UpdateMenu brings the menus up to date, those of recent files once the disk answers.
func (w *Window) UpdateMenu() {
	all := w.Shell.Store.RecentNames()
	w.Actions.Update()
	disk.Ask(w.Shell.Post, func() []settings.RecentFile { return settings.There(all) }, func(there []settings.RecentFile) {
		if slices.EqualFunc(w.recent, there, slices.Equal) {
			return
		}
		w.recent = there
		w.Actions.Update()
		if len(w.Tabs) == 0 && len(w.Stack.Objects) > 0 {
			w.showEmpty() // with the recent files
		}
	})
}

// UpdateControls brings the menus and the bar up to date after the user has gone elsewhere.
func (w *Window) UpdateControls() {
	w.Place.update()
	w.Actions.Update()
}

// typedRune does what a character means where the keyboard is in no field.
func (w *Window) typedRune(r rune) {
	if !w.Shell.Covered() {
		w.Actions.Type(r)
	}
}

// Dropped opens the files that were dropped on the window.
func (w *Window) Dropped(uris []fyne.URI) { opening.Dropped(w.Shell.Post, uris, w.Opener.OpenSeveral) }

// watchFiles looks after the opened files, until the window is closed.
func (w *Window) watchFiles() {
	w.every(2*time.Second, func() {
		w.Shell.Post(func() {
			for _, t := range w.Tabs {
				t.Look()
			}
		})
	})
}

// every does something at intervals, until the window is closed.
func (w *Window) every(interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-w.Closed:
			return
		case <-tick.C:
			do()
		}
	}
}

// Quit closes the window, or asks first where bytes were tried that are not saved.
func (w *Window) Quit() {
	unsaved := slices.DeleteFunc(slices.Clone(w.Tabs), func(t *tab.Tab) bool { return !t.Editor.Unsaved() })
	if len(unsaved) > 0 && !w.Closing {
		w.askToDrop("Quit?", unsaved, w.leave)
		return
	}
	w.leave()
}

// askToDrop asks whether bytes that were tried and not saved may go, or are to be saved first.
func (w *Window) askToDrop(title string, unsaved []*tab.Tab, do func()) {
	label := widget.NewLabel("Bytes were tried that are not saved, as a new file or as a patch list:\n")
	for _, t := range unsaved {
		label.Text += "\n" + t.Title() + ": " + model.GroupedCount(t.Editor.Len(), "byte")
	}
	label.Wrapping = fyne.TextWrapWord
	var save func(rest []*tab.Tab)
	save = func(rest []*tab.Tab) {
		if len(rest) == 0 {
			do()
			return
		}
		w.Activate(rest[0])
		rest[0].Editor.SaveAs(func() { save(rest[1:]) })
	}
	var m *shell.Modal
	m = w.Shell.ShowModal(title, theme.NewWarningThemedResource(theme.WarningIcon()), label, 440, shell.Button{Text: "Cancel"},
		shell.Button{Text: "Drop them", Act: func() bool {
			do()
			return true
		}},
		shell.Button{Text: "Save…", Main: true, Act: func() bool {
			m.Hide()
			save(unsaved)
			return false
		}})
}

// leave closes the window, and remembers its tabs.
func (w *Window) leave() {
	if w.Closing {
		return
	}
	w.Closing = true
	close(w.Closed)
	w.Door.Close()
	w.Remember()
	for _, t := range w.Tabs {
		t.End()
	}
	w.Shell.Win.SetCloseIntercept(nil)
	w.Shell.Win.Close()
}

// showWork brings the progress in the status bar up to date.
func (w *Window) showWork() {
	r := task.State{}
	if w.Active != nil {
		r = w.Active.Tasks.State()
	}
	w.Status.showWork(r)
	w.Actions.Enable() // a search may have hits now
}

// goToFirstProblem selects the first problem of the file in front, or shows the list where none is known.
func (w *Window) goToFirstProblem() {
	w.withOpen(func(t *tab.Tab) { t.Pane.GoToFirstProblem() })
}
