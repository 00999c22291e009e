package window

import (
	"slices"

	"fyne.io/fyne/v2"

	"cutaway/ui/disk"
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
	for _, t := range w.Tabs {
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
		w.Tabs = append(w.Tabs, t)
		if front == nil || i <= w.Shell.Store.Tab {
			front = t
		}
	}
	return front
}

func (w *Window) asLeft(was settings.Tab) *tab.Tab { return tab.AsLeft(w.Shell, w.host, was) }

// reopenTab opens the tab that was closed last, where it was.
func (w *Window) reopenTab() {
	last := len(w.Shell.Store.Closed) - 1
	if last < 0 {
		return
	}
	was := w.Shell.Store.Closed[last]
	w.Shell.Store.Closed = w.Shell.Store.Closed[:last]
	t := w.asLeft(was)
	w.Tabs = slices.Insert(w.Tabs, min(max(was.Place, 0), len(w.Tabs)), t)
	w.Activate(t)
}

// Begin opens what was open last, and in front what the program was started with. It returns folders that are no document: their
// windows come up over this one.
func (w *Window) Begin(targets []opening.Target) (folders []string) {
	front := w.comeBack()
	began := false
	for _, t := range targets {
		disk.Ask(w.Shell.Post, t.IsFolder, func(folder bool) {
			switch {
			case !folder:
				w.openFile(t)
			case began:
				w.OpenFolder(t.File)
			default:
				folders = append(folders, t.File)
			}
		})
	}
	began = true
	switch {
	case w.Active != nil:
	case front != nil:
		w.Activate(front)
	case len(folders) > 0:
		w.showEmpty()
	default:
		w.OpenSample()
	}
	return folders
}
