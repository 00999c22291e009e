package window

import (
	"fyne.io/fyne/v2"

	"cutaway/ui/opening"
	"cutaway/ui/settings"
	"cutaway/ui/tab"
)

// gather keeps the tabs, the dividers and the window's size for the next start.
func (w *Window) gather() {
	if w.Active != nil {
		w.Active.KeepDividers()
	}
	w.Shell.Store.Tabs, w.Shell.Store.Tab = nil, 0
	for _, t := range w.Pages.Tabs() {
		if state, ok := t.State(); ok && opening.Remembers(state.Files...) {
			if t == w.Active {
				w.Shell.Store.Tab = len(w.Shell.Store.Tabs)
			}
			w.Shell.Store.Tabs = append(w.Shell.Store.Tabs, state)
		}
	}
	size := w.Shell.Win.Canvas().Size()
	w.Shell.Store.Width, w.Shell.Store.Height = size.Width, size.Height
}

// Remember writes all that is remembered, as the window ends.
func (w *Window) Remember() {
	if err := w.Shell.Store.End(); err != nil {
		fyne.LogError("remembering the window", err)
	}
}

// comeBack puts the tabs of the last time into the window, unless another one has them; it returns the one that was in front, or nil.
// None is read before it is looked at.
func (w *Window) comeBack() (front *tab.Tab) {
	if !w.Shell.Store.Keep() || w.Shell.Store.NoTabs {
		return nil
	}
	for i, was := range w.Shell.Store.Tabs {
		if len(was.Files) == 0 {
			continue // of a damaged store
		}
		t := w.asLeft(was)
		w.Pages.All = append(w.Pages.All, t)
		if front == nil || i <= w.Shell.Store.Tab {
			front = t
		}
	}
	return front
}

func (w *Window) asLeft(was settings.Tab) *tab.Tab { return tab.AsLeft(w.Shell, w.host, was) }

// Begin opens what was open last, and in front what the program was started with.
func (w *Window) Begin(targets []opening.Target) {
	front := w.comeBack()
	for _, t := range targets {
		w.Open(t)
	}
	switch {
	case w.Pages.Front != nil:
	case front != nil:
		w.Pages.Show(front)
	case len(targets) > 0: // whose disk has not answered yet
		w.Pages.showEmpty()
	default:
		w.OpenSample()
	}
}
