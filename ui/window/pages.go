package window

import (
	"runtime/debug"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/action"
	"cutaway/ui/compare"
	"cutaway/ui/folder"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/shell"
	"cutaway/ui/tab"
	"cutaway/ui/task"
)

// A Page is a tab of the window: a file, a comparison, or the files of a folder.
type Page interface {
	Title() string
	Content() fyne.CanvasObject
	Work() *task.Group // the running work
	TakeKeys()         // focuses the page, which is in front
	End()
}

var _ = []Page{(*tab.Tab)(nil), (*compare.Pane)(nil), (*compare.Several)(nil), (*folder.Pane)(nil)}

// Pages are the tabs of the window in the order of their bar.
type Pages struct {
	w     *Window
	All   []Page
	Front Page // the one that is shown, or nil if there is none
	Bar   *kit.TabBar
	Stack *fyne.Container // shows it
	idle  *time.Timer     // until the memory of closed tabs is returned
}

func newPages(w *Window) *Pages {
	p := &Pages{w: w, Stack: container.NewStack()}
	p.Bar = kit.NewTabBar(func(i int) { p.Show(p.All[i]) })
	p.Bar.OnClose = func(i int) { p.Close(p.All[i]) }
	p.Bar.OnMenu, p.Bar.OnAdd = p.menu, w.Opener.AskFile
	return p
}

// Tabs returns the pages that are files.
func (p *Pages) Tabs() (files []*tab.Tab) {
	for _, page := range p.All {
		if t, is := page.(*tab.Tab); is {
			files = append(files, t)
		}
	}
	return files
}

// blank makes a page for a comparison or a folder.
func (p *Pages) blank() *shell.Page {
	return shell.NewPage(p.w.Shell, p.w.showWork, func(page *shell.Page) bool { return p.Front != nil && p.Front.Content() == page.Content() })
}

// Add puts a page after the others and shows it.
func (p *Pages) Add(page Page) {
	p.All = append(p.All, page)
	p.Show(page)
}

// Show brings a page to the front.
func (p *Pages) Show(page Page) {
	if p.w.Active != nil {
		p.w.Active.KeepDividers()
	}
	p.Front = page
	p.w.Active, _ = page.(*tab.Tab)
	p.Stack.Objects = []fyne.CanvasObject{page.Content()}
	p.showFront()
	if p.w.Active == nil || p.w.Active.Pane == nil {
		p.w.Place.showNowhere()
	}
	page.TakeKeys()
	p.w.Shell.Save()
}

// showFront follows that another page is in front, or none.
func (p *Pages) showFront() {
	p.Stack.Refresh()
	p.w.showChanged()
	p.w.showWork()
	p.w.UpdateControls()
}

// showEmpty shows the window without a page.
func (p *Pages) showEmpty() {
	p.Front, p.w.Active = nil, nil
	p.Stack.Objects = []fyne.CanvasObject{container.NewCenter(kit.AtLeast(420, p.w.welcome.empty()))}
	p.showFront()
	p.w.Place.showNowhere()
}

// showBar shows the titles of the pages.
func (p *Pages) showBar() {
	tabs := make([]kit.Tab, len(p.All))
	for i, page := range p.All {
		tabs[i] = kit.Tab{Title: page.Title(), Close: true}
		t, is := page.(*tab.Tab)
		if !is {
			continue
		}
		if f := t.Subject.Options.Format; f != "" {
			tabs[i].Title += " as " + f
		}
		if t.Editor.Len() > 0 {
			tabs[i].Title += " *"
		}
		tabs[i].Bad = t.Pane != nil && t.Pane.Lists.Problems.Errors > 0
	}
	p.Bar.Set(tabs, max(slices.Index(p.All, p.Front), 0))
}

// menu offers what can be done with page i, at a place of the canvas.
func (p *Pages) menu(i int, at fyne.Position) {
	items := action.Items(pageActions(p.w, p.All[i]), func(do func()) func() { return do })
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), p.w.Shell.Win.Canvas(), at)
}

// replace closes a tab and shows another one at its position.
func (p *Pages) replace(old, fresh *tab.Tab) {
	p.All[slices.Index(p.All, Page(old))] = fresh
	old.KeepDividers()
	old.End()
	p.Show(fresh)
}

// front brings a tab to the front, or reports that it was closed.
func (p *Pages) front(t opening.Tab) bool {
	page, is := t.(Page)
	if is = is && slices.Contains(p.All, page); is {
		p.Show(page)
	}
	return is
}

// Step shows the page n further, around the ends.
func (p *Pages) Step(n int) {
	if k := len(p.All); k > 0 {
		p.ShowAt((slices.Index(p.All, p.Front) + n + k) % k)
	}
}

// ShowAt shows page i, if there is one.
func (p *Pages) ShowAt(i int) {
	if i >= 0 && i < len(p.All) && p.All[i] != p.Front {
		p.Show(p.All[i])
	}
}

// Close closes a page, and asks first if it has tried bytes that are not saved.
func (p *Pages) Close(page Page) {
	if t, is := page.(*tab.Tab); is && t.Editor.Unsaved() {
		p.askToDrop("Close "+t.Title()+"?", []*tab.Tab{t}, func() { p.Shut(t) })
		return
	}
	p.Shut(page)
}

// MaxClosed is the number of closed tabs that can be opened again.
const MaxClosed = 20

// Shut closes a page without a question.
func (p *Pages) Shut(page Page) {
	at := slices.Index(p.All, page)
	if at < 0 {
		return
	}
	if t, is := page.(*tab.Tab); is {
		if state, ok := t.State(); ok {
			state.Place = at
			closed := &p.w.Shell.Store.Closed
			*closed = append((*closed)[max(0, len(*closed)-MaxClosed+1):], state)
		}
		t.KeepDividers()
	}
	p.w.Shell.Save()
	page.End()
	p.giveBack()
	p.All = slices.Concat(p.All[:at], p.All[at+1:]) // a new list: the old one would hold what is closed
	switch {
	case p.Front != page:
		p.w.showChanged()
	case len(p.All) == 0:
		p.showEmpty()
	default:
		p.w.Active = nil
		p.Show(p.All[max(at-1, 0)])
	}
}

// reopen opens the tab that was closed last, where it was.
func (p *Pages) reopen() {
	closed := &p.w.Shell.Store.Closed
	last := len(*closed) - 1
	if last < 0 {
		return
	}
	was := (*closed)[last]
	*closed = (*closed)[:last]
	t := p.w.asLeft(was)
	p.All = slices.Insert(p.All, min(max(was.Place, 0), len(p.All)), Page(t))
	p.Show(t)
}

// giveBack returns the memory of closed tabs to the system, a while after the last was closed: Fyne holds for a minute what it has
// drawn, and drops that some ten seconds after it draws next.
func (p *Pages) giveBack() {
	const drawn, dropped = 65 * time.Second, 15 * time.Second
	if p.idle != nil {
		p.idle.Stop()
	}
	p.idle = time.AfterFunc(drawn, func() {
		p.w.Shell.Post(func() {
			p.w.Status.Object.Refresh()
			time.AfterFunc(dropped, debug.FreeOSMemory)
		})
	})
}

// askToDrop asks whether bytes that were tried and not saved may go, or are to be saved first.
func (p *Pages) askToDrop(title string, unsaved []*tab.Tab, do func()) {
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
		p.Show(rest[0])
		rest[0].Editor.SaveAs(func() { save(rest[1:]) })
	}
	var m *shell.Modal
	m = p.w.Shell.ShowModal(title, theme.NewWarningThemedResource(theme.WarningIcon()), label, 440, shell.Button{Text: "Cancel"},
		shell.Button{Text: "Discard", Act: func() bool {
			do()
			return true
		}},
		shell.Button{Text: "Save…", Main: true, Act: func() bool {
			m.Hide()
			save(unsaved)
			return false
		}})
}
