// Package window is the program's window: its tabs and bars, its table of actions, and its life.
package window

import (
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/action"
	"cutaway/ui/disk"
	"cutaway/ui/document"
	"cutaway/ui/eventlog"
	exporting "cutaway/ui/export"
	"cutaway/ui/find"
	"cutaway/ui/folder"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/opening"
	"cutaway/ui/preferences"
	searchpane "cutaway/ui/search"
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
	Pages   *Pages
	Active  *tab.Tab // the file in front, or nil if none is
	Status  *Status
	Place   *Place
	Find    *find.Field
	Guide   *start.Guide // the first steps on the sample

	Preferences *preferences.Dialog // the last one
	Exported    exporting.Last

	host     *tab.Host
	setter   *setter
	comparer *comparer
	Door     *Door
	recent   []settings.RecentFile // that still exist
	welcome  *welcome
	Closed   chan struct{} // once the window is
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
	w.Pages = newPages(w)
	w.host = w.tabHost()
	w.welcome = &welcome{w}
	w.Guide = start.New(w.Shell, w.Pages.Stack)
	w.Find = find.New(w.Shell, w.findHost())
	w.Place = newPlace(w)
	w.Shell.Win.SetContent(kit.WithTips(w.Find.Over(kit.Under(w.Place.object, container.New(kit.Tight{}, w.Pages.Bar, w.Guide.Object, w.Status.Object)))))
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

// findHost lists the functions that the search field may call.
func (w *Window) findHost() find.Host {
	return find.Host{
		Search: func() *searchpane.Pane {
			if w.Active == nil || w.Active.Pane == nil {
				return nil
			}
			return w.Active.Pane.Lists.Search
		},
		Actions:   func() []action.Hit { return w.Actions.Hits() },
		FocusTree: w.open(func(t *tab.Tab) { t.Pane.Trees.FocusTree() })}
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
		Did:          func(deed document.Event, at *model.Place) { w.Guide.Did(deed, at) },
		Settings:     w.ShowSettings,
		Close:        func(t *tab.Tab) { w.Pages.Close(t) },
		Replace:      w.Pages.replace,
		Front:        w.Pages.front,
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
	for _, t := range w.Pages.Tabs() {
		if !t.Subject.IsOf(target) {
			continue
		}
		if t.Pane == nil {
			t.Load(target)
			w.Pages.Show(t)
		} else {
			w.Pages.Show(t)
			t.GoToTarget(target)
		}
		return
	}
	w.Add(opening.Subject{File: target.File, With: target.With}).Load(target)
}

// Add puts a tab of a subject, which is not read yet, after the others and shows it.
func (w *Window) Add(s opening.Subject) *tab.Tab {
	t := tab.New(w.Shell, w.host, s, &trying.Edits{})
	w.Pages.Add(t)
	return t
}

// openSubject opens a subject in a tab of its own.
func (w *Window) openSubject(s opening.Subject) {
	s.Buffer.Take()
	w.Add(s).Load(opening.Target{})
}

// OpenSample shows the built-in sample, beside the welcome if it was not hidden.
func (w *Window) OpenSample() {
	for _, t := range w.Pages.Tabs() {
		if t.Subject.IsSample() && t.Subject.Options.Format == "" {
			w.Pages.Show(t)
			return
		}
	}
	w.openSubject(opening.Subject{})
}

// OpenFolder shows what the files of a folder are.
func (w *Window) OpenFolder(dir string) {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	for _, p := range w.Pages.All {
		if f, is := p.(*folder.Pane); is && f.Dir == dir {
			w.Pages.Show(f)
			return
		}
	}
	disk.Ask(w.Shell.Post, func() bool { return decoders.HoldsTogether(dir) }, func(together bool) {
		var asOne func()
		if together {
			asOne = func() { w.Open(opening.Target{File: dir}) }
		}
		w.Pages.Add(folder.New(w.Pages.blank(), dir, func(file string) { w.Open(opening.Target{File: file}) }, asOne))
	})
}

// Folder returns where the file dialog begins: the folder of the file that is shown, or of the last one.
func (w *Window) Folder() string {
	if w.Active != nil {
		return opening.FolderFor(w.Active.Subject.File, w.Shell.Store.RecentNames())
	}
	return opening.FolderFor("", w.Shell.Store.RecentNames())
}

// showChanged shows the titles of the tabs, and what the file in front is.
func (w *Window) showChanged() {
	w.Pages.showBar()
	w.welcome.Update()
	w.Actions.Enable()
	w.UpdateTitle()
	if t := w.Active; t != nil && t.Pane != nil {
		found := t.Pane.Lists.Problems
		w.Status.showWhat(t.Editor.Text()+t.Pane.Doc.Title, found.Soundness(), colourOf[found.Worst()])
	} else {
		w.Status.showWhat("", "", "")
	}
}

// colourOf are the colours of severities.
var colourOf = map[model.Severity]fyne.ThemeColorName{model.Note: theme.ColorNameSuccess, model.Warning: theme.ColorNameWarning, model.Error: theme.ColorNameError}

// Name is the program's, and the title of the window without a file.
const Name = "Cutaway"

// UpdateTitle gives the window the title of the tab in front.
func (w *Window) UpdateTitle() {
	title := Name
	if w.Pages.Front != nil {
		title = w.Pages.Front.Title() + " · " + Name
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
	for _, t := range w.Pages.Tabs() {
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
		if len(w.Pages.All) == 0 && len(w.Pages.Stack.Objects) > 0 {
			w.Pages.showEmpty() // with the recent files
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
			for _, t := range w.Pages.Tabs() {
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
	unsaved := slices.DeleteFunc(w.Pages.Tabs(), func(t *tab.Tab) bool { return !t.Editor.Unsaved() })
	if len(unsaved) > 0 && !w.Closing {
		w.Pages.askToDrop("Quit?", unsaved, w.leave)
		return
	}
	w.leave()
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
	for _, p := range w.Pages.All {
		p.End()
	}
	w.Shell.Win.SetCloseIntercept(nil)
	w.Shell.Win.Close()
}

// showWork brings the progress in the status bar up to date.
func (w *Window) showWork() {
	r := task.State{}
	if w.Pages.Front != nil {
		r = w.Pages.Front.Work().State()
	}
	w.Status.showWork(r)
	w.Actions.Enable() // a search may have hits now
}

// goToFirstProblem selects the first problem of the file in front, or shows the list where none is known.
func (w *Window) goToFirstProblem() {
	w.withOpen(func(t *tab.Tab) { t.Pane.GoToFirstProblem() })
}
