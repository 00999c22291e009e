package shell

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/ui/task"
)

// A Page is a tab of the window that shows no document, such as a comparison or the files of a folder.
type Page struct {
	*Shell
	Name    string
	Object  *fyne.Container
	Tasks   *task.Group
	Ctx     context.Context // ends with the tab
	end     context.CancelFunc
	inFront func(*Page) bool
}

// NewPage makes a page without name and content. It calls work when other work runs; inFront reports whether the page is in front.
func NewPage(sh *Shell, work func(), inFront func(*Page) bool) *Page {
	p := &Page{Shell: sh, Object: container.NewStack(), Tasks: task.NewGroup(sh.Post, work, sh.Tell), inFront: inFront}
	p.Ctx, p.end = context.WithCancel(context.Background())
	return p
}

// Title returns the text of the tab.
func (p *Page) Title() string { return p.Name }

// Content returns what the tab shows.
func (p *Page) Content() fyne.CanvasObject { return p.Object }

// Work returns what runs for the tab.
func (p *Page) Work() *task.Group { return p.Tasks }

// TakeKeys gives the keyboard to the page, if it is in front.
func (p *Page) TakeKeys() {
	if to := KeyboardOf(p.Object); to != nil && p.inFront(p) {
		p.Focus(to)
	}
}

// End ends all that runs for the tab.
func (p *Page) End() { p.end() }
