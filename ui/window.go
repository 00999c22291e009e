package ui

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/source/far"
	"cutaway/ui/compare"
	"cutaway/ui/disk"
	"cutaway/ui/eventlog"
	exporting "cutaway/ui/export"
	"cutaway/ui/handover"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/palette"
	"cutaway/ui/phrase"
	"cutaway/ui/preferences"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/start"
	"cutaway/ui/task"
)

// Window is the program's window. All its methods belong on the UI goroutine, post excepted.
type Window struct {
	*shell.Shell
	exported exporting.Last

	listener *handover.Listener // takes what other starts are asked to open; nil: nothing does

	sessions []*session
	active   *session

	idle *time.Timer // until the memory of what was closed is given back

	tabs        *kit.TabBar
	stack       *fyne.Container
	body        *fyne.Container
	guide       *start.Guide // the first steps on the sample
	status      *statusBar
	location    *kit.Entry
	refused     *widget.Label // why the location does not lead anywhere
	search      *widget.Button
	inTree      *widget.Button // shows the selected node in its own tree, where another is open
	bar         *fyne.Container
	back        *kit.Button
	forward     *kit.Button
	up          *kit.Button
	menu        menuItems
	closed      chan struct{}
	keys        map[string]func()   // those that no item of a menu has, by the name of the shortcut
	palette     *palette.Palette    // the last one
	preferences *preferences.Dialog // the last one
	compared    compare.Part        // the node that was kept to be compared with another
	closing     bool
}

// The sizes of a window that was never opened before.
const (
	firstWidth, firstHeight = 1360, 860
	firstTree, firstPanes   = 0.55, 0.66
	firstText               = 0.55
)

func newWindow(a fyne.App, st *settings.Store, log *eventlog.Log, post func(func())) *Window {
	w := &Window{Shell: &shell.Shell{App: a, Post: post, Store: st, Log: log}, closed: make(chan struct{}), keys: make(map[string]func())}
	st.Gather = w.gather
	st.Closed = slices.DeleteFunc(st.Closed, func(t settings.Tab) bool { return len(t.Files) == 0 }) // of a damaged store
	look.KeepFontsFew(a.Settings())
	a.Settings().SetTheme(look.Of(st.Settings))
	if st.TreeSide == 0 {
		st.TreeSide = firstTree
	}
	if st.PaneSide == 0 {
		st.PaneSide = firstPanes
	}
	if st.TextSide == 0 {
		st.TextSide = firstText
	}
	w.Win = a.NewWindow(programName)
	w.Win.SetPadded(false)
	w.status = newStatusBar()
	w.Notify = w.notify
	w.tabs = kit.NewTabBar(func(i int) { w.activate(w.sessions[i]) })
	w.tabs.OnClose = func(i int) { w.close(w.sessions[i]) }
	w.tabs.OnMenu = w.tabMenu
	w.stack = container.NewStack()
	w.body = container.NewStack(w.stack)
	w.guide = start.New(w.Shell, w.body)
	w.Win.SetContent(kit.WithTips(kit.Under(w.toolbar(), container.New(kit.Tight{}, w.tabs, w.guide.Object, w.status.object))))
	if err := w.useDescriptions(); err != nil {
		fyne.LogError("the codecs of descriptions", err)
	}
	w.useCache()
	w.makeMenu()
	w.addKeys()
	width, height := st.Width, st.Height
	if width < 400 || height < 300 {
		width, height = firstWidth, firstHeight
	}
	w.Win.Resize(fyne.NewSize(width, height))
	w.Win.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { w.dropped(uris) })
	w.Win.SetCloseIntercept(w.quit)
	w.Win.SetMaster()
	w.Win.Canvas().SetOnTypedKey(w.typedKey)
	w.Win.Canvas().SetOnTypedRune(w.typedRune)
	go w.watchFiles()
	go log.WatchStalls(post, w.closed)
	if log.On() {
		go w.answerLooks()
	}
	w.updateControls()
	return w
}

// toolbar makes the bar with the buttons and the location.
func (w *Window) toolbar() fyne.CanvasObject {
	open := widget.NewButtonWithIcon("Open", theme.FolderOpenIcon(), w.chooseFile)
	open.Importance = widget.LowImportance
	w.back = kit.IconButton(theme.NavigateBackIcon(), "Back (Alt+←)", func() { w.travel(-1) })
	w.forward = kit.IconButton(theme.NavigateNextIcon(), "Forward (Alt+→)", func() { w.travel(1) })
	w.up = kit.IconButton(theme.MoveUpIcon(), "Parent node (Alt+Shift+↑)", func() { w.withSession(func(s *session) { s.Pane.Nav.ShowParent() }) })
	w.location = kit.NewEntry(w.leaveLocation)
	w.location.TextStyle.Monospace = true
	w.location.SetPlaceHolder("Go to a path or an offset: layout/…   0x400   +16   end-16")
	w.location.OnSubmitted = w.goToText
	w.location.OnChanged = func(string) { w.refuse(nil) }
	w.location.OnFocus = func(gained bool) { // what was typed and not sent leads nowhere
		if !gained && !w.refused.Visible() {
			w.withSession(func(s *session) { s.Pane.CursorMoved() })
		}
	}
	w.refused = widget.NewLabel("")
	w.refused.Importance, w.refused.Truncation = widget.DangerImportance, fyne.TextTruncateEllipsis
	w.refused.Hide()
	left := container.NewHBox(open, widget.NewSeparator(), w.back, w.forward, w.up)
	w.search = widget.NewButtonWithIcon("Search…  (Ctrl+F)", theme.SearchIcon(), func() { w.withSession(func(s *session) { s.Pane.Details.Search.Open() }) })
	w.search.Importance = widget.LowImportance
	w.inTree = widget.NewButton("", func() { w.withSession(func(s *session) { s.Pane.Nav.ShowInTree() }) })
	w.inTree.Hide()
	w.bar = kit.Border(nil, nil, left, container.NewHBox(w.inTree, w.search), w.location)
	return kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(4, 4, 6, 6), container.NewVBox(w.bar, w.refused)))
}

// add puts a session into a tab after the others and shows it.
func (w *Window) add(s *session) {
	w.sessions = append(w.sessions, s)
	w.activate(s)
}

// replace puts a session into the tab of another one, which is closed.
func (w *Window) replace(old, fresh *session) {
	for i, s := range w.sessions {
		if s == old {
			w.sessions[i] = fresh
		}
	}
	old.keepDividers()
	old.close()
	w.activate(fresh)
}

// activate shows a session.
func (w *Window) activate(s *session) {
	if w.active != nil {
		w.active.keepDividers()
	}
	w.active = s
	w.stack.Objects = []fyne.CanvasObject{s.object}
	if s.Pane != nil {
		s.Pane.ShowDividers()
	}
	w.stack.Refresh()
	w.updateTabs()
	w.updateHello()
	w.showWhat()
	w.showWork()
	w.updateControls()
	if s.Pane != nil {
		s.Pane.CursorMoved()
		s.Pane.Trees.FocusTree()
	} else {
		w.showNowhere()
	}
	s.wake()
	w.Save()
}

// showWhere says in the status bar where the user is.
func (w *Window) showWhere(place string) {
	w.status.place = place
	w.status.where.SetText(place)
}

// noticeStays is how long a notice stands where the place does.
const noticeStays = 8 * time.Second

// notify says something in the status bar for a while.
func (w *Window) notify(text string) {
	w.status.where.SetText(text)
	time.AfterFunc(noticeStays, func() {
		w.Post(func() {
			if w.status.where.Text == text {
				w.status.where.SetText(w.status.place)
			}
		})
	})
}

// showNowhere shows that there is no place: where the tab before was is none of this one's.
func (w *Window) showNowhere() {
	w.showWhere("")
	if !w.location.Focused {
		w.location.SetText("")
	}
}

// close closes a tab, or asks first where bytes were tried in it that are not saved.
func (w *Window) close(s *session) {
	if s.edits.Unsaved() {
		w.askToDrop("Close "+s.Title()+"?", []*session{s}, func() { w.shut(s) })
		return
	}
	w.shut(s)
}

// shut closes a tab.
func (w *Window) shut(s *session) {
	at := -1
	for i, other := range w.sessions {
		if other == s {
			at = i
		}
	}
	if at < 0 {
		return
	}
	if t, ok := s.state(); ok {
		t.Place = at
		w.Store.Closed = append(w.Store.Closed[max(0, len(w.Store.Closed)-maxClosed+1):], t)
	}
	w.Save()
	s.keepDividers()
	s.close()
	w.giveBack()
	w.sessions = slices.Concat(w.sessions[:at], w.sessions[at+1:]) // a new list: the old one would hold what is closed
	if w.active != s {
		w.updateTabs()
		return
	}
	w.active = nil
	if len(w.sessions) == 0 {
		w.showEmpty()
		return
	}
	w.activate(w.sessions[max(at-1, 0)])
}

// giveBack gives the memory of what was closed back to the system, which would else lie idle: a while after the last tab was
// closed, since Fyne holds for a minute what it has drawn, and drops that some ten seconds after it draws next.
func (w *Window) giveBack() {
	const drawn, dropped = 65 * time.Second, 15 * time.Second
	if w.idle != nil {
		w.idle.Stop()
	}
	w.idle = time.AfterFunc(drawn, func() {
		w.Post(func() {
			w.status.object.Refresh()
			time.AfterFunc(dropped, debug.FreeOSMemory)
		})
	})
}

// showEmpty is the window without a file.
func (w *Window) showEmpty() {
	w.stack.Objects = []fyne.CanvasObject{container.NewCenter(kit.AtLeast(420, w.helloText(false)))}
	w.stack.Refresh()
	w.updateTabs()
	w.updateHello()
	w.showNowhere()
	w.showWhat()
	w.showWork()
	w.updateControls()
}

func (w *Window) updateTabs() {
	tabs := make([]kit.Tab, len(w.sessions))
	selected := 0
	for i, s := range w.sessions {
		title := s.Title()
		if s.opts.Format != "" {
			title += " as " + s.opts.Format
		}
		if s.edits.Len() > 0 {
			title += " *"
		}
		tabs[i] = kit.Tab{Title: title, Close: true, Bad: s.Pane != nil && s.Pane.Details.Problems.Errors > 0}
		if s == w.active {
			selected = i
		}
	}
	w.tabs.Set(tabs, selected)
	w.enableItems()
	w.updateTitle()
}

// programName is the title of the window without a file.
const programName = "Cutaway"

func (w *Window) updateTitle() {
	title := programName
	if w.active != nil {
		title = w.active.Title() + " · " + programName
	}
	w.Win.SetTitle(title)
}

// withSession runs f on the session that is shown, if its document is open.
func (w *Window) withSession(f func(*session)) {
	if w.active != nil && w.active.Pane != nil {
		f(w.active)
	}
}

func (w *Window) travel(n int) { w.withSession(func(s *session) { s.Pane.Nav.Travel(n) }) }

// refuse says below the location bar why it does not lead anywhere, until what it says is changed; nil: it does.
func (w *Window) refuse(err error) {
	text := ""
	if err != nil {
		text = phrase.Sentence(err)
	}
	if text == w.refused.Text {
		return
	}
	w.refused.SetText(text)
	kit.SetVisible(w.refused, text != "")
	w.Win.Content().Refresh()
	w.Log.Write("refused", text)
}

// typedKey does what a key means wherever the keyboard is. Fyne takes no key without Ctrl or Alt for a menu's.
func (w *Window) typedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyF3:
		w.withSession(func(s *session) { s.Pane.FindNext(kit.ShiftHeld()) })
	case fyne.KeyF10:
		w.openMenu(0)
	case fyne.KeyEscape:
		w.withSession(func(s *session) { s.Pane.Trees.FocusTree() })
	}
}

// typedRune does what a character means where the keyboard is in no field.
func (w *Window) typedRune(r rune) {
	if r == '?' && w.Win.Canvas().Overlays().Top() == nil {
		w.startHere()
	}
}

// focusLocation lets the user type where to go.
func (w *Window) focusLocation(text string) {
	w.location.SetText(text)
	w.Focus(w.location)
	if text != "" {
		w.location.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// leaveLocation goes back to the tree, whatever was typed.
func (w *Window) leaveLocation() {
	w.Win.Canvas().Unfocus()
	w.withSession(func(s *session) {
		s.Pane.Trees.FocusTree()
		s.Pane.CursorMoved()
	})
}

// dropped opens the files that were dropped on the window.
func (w *Window) dropped(uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if address := addressOf(u); address != "" {
			paths = append(paths, far.Keep(address))
			continue
		}
		paths = append(paths, u.Path())
	}
	disk.Ask(w.Post, func() []string { return undropped(paths) }, w.openSeveral)
}

// undropped returns the names of dropped files, which may come percent-encoded. It asks the file system which are.
func undropped(paths []string) (names []string) {
	for _, path := range paths {
		if plain, err := url.PathUnescape(path); err == nil && !far.IsAddress(path) && stampOf(path) == (fileStamp{}) {
			path = plain
		}
		if !far.IsAddress(path) {
			path = filepath.FromSlash(path)
		}
		names = append(names, path)
	}
	return names
}

// addressOf is the address that a dropped link has; "": it is a file. The driver takes every name for one of a file: it decodes
// what is percent-encoded, and puts the working folder before what does not begin with a slash, where "//" is "/" then.
func addressOf(u fyne.URI) string {
	if far.IsAddress(u.String()) {
		return u.String()
	}
	folder, err := os.Getwd()
	name, within := strings.CutPrefix(filepath.ToSlash(u.Path()), filepath.ToSlash(folder)+"/")
	scheme, rest, ok := strings.Cut(name, ":/")
	if address := scheme + "://" + rest; err == nil && within && ok && far.IsAddress(address) {
		before, query, _ := strings.Cut(strings.ReplaceAll(address, " ", "%20"), "?")
		if query != "" { // in a query + is a space
			before += "?" + strings.ReplaceAll(query, "+", "%2B")
		}
		return before
	}
	return ""
}

// watchFiles looks after the opened files, until the window is closed.
func (w *Window) watchFiles() {
	w.every(2*time.Second, func() {
		w.Post(func() {
			for _, s := range w.sessions {
				s.look()
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
		case <-w.closed:
			return
		case <-tick.C:
			do()
		}
	}
}

// quit closes the window, or asks first where bytes were tried that are not saved.
func (w *Window) quit() {
	var unsaved []*session
	for _, s := range w.sessions {
		if s.edits.Unsaved() {
			unsaved = append(unsaved, s)
		}
	}
	if len(unsaved) > 0 && !w.closing {
		w.askToDrop("Quit?", unsaved, w.leave)
		return
	}
	w.leave()
}

// leave closes the window; what is open in it is remembered.
func (w *Window) leave() {
	if w.closing {
		return
	}
	w.closing = true
	close(w.closed)
	w.stopListening()
	w.remember()
	for _, s := range w.sessions {
		s.close()
	}
	w.Win.SetCloseIntercept(nil)
	w.Win.Close()
}

// gather keeps the tabs, the dividers and the window's size for the next start.
func (w *Window) gather() {
	if w.active != nil {
		w.active.keepDividers()
	}
	w.keepTabs()
	size := w.Win.Canvas().Size()
	w.Store.Width, w.Store.Height = size.Width, size.Height
}

// remember writes all that is remembered, as the window ends.
func (w *Window) remember() {
	if err := w.Store.End(); err != nil {
		fyne.LogError("remembering the window", err)
	}
}

// showWork brings the progress in the status bar up to date.
func (w *Window) showWork() {
	r := task.State{}
	if w.active != nil {
		r = w.active.tasks.State()
	}
	w.status.show(r)
	w.enableItems() // what was searched for, or read, is there now
}

// showWhat brings the description of the file in the status bar up to date.
func (w *Window) showWhat() {
	text, bad := "", false
	if s := w.active; s != nil && s.Pane != nil {
		text = s.triedText() + s.Pane.Doc.Title + "  ·  " + s.Pane.Details.Problems.Soundness()
		bad = s.Pane.Details.Problems.Errors > 0
	}
	w.status.what.Importance = widget.MediumImportance
	if bad {
		w.status.what.Importance = widget.DangerImportance
	}
	w.status.what.SetText(text)
	if bad != w.status.sign.Visible() {
		kit.SetVisible(w.status.sign, bad)
		w.status.row.Refresh()
	}
}
