package window

import (
	"cutaway/ui/tab"
)

func unless(so bool, whyNot string) string {
	if so {
		return ""
	}
	return whyNot
}

func (w *Window) anotherPage() string { return unless(len(w.Pages.All) > 1, "no other tab is open") }

func (w *Window) anotherTab(*tab.Tab) string {
	return unless(len(w.Pages.Tabs()) > 1, "no other file is open")
}

// stepper is a page with changes to go to.
type stepper interface{ Step(by int) }

func (w *Window) changes() string {
	_, is := w.Pages.Front.(stepper)
	return unless(is, "no comparison is shown")
}

func (w *Window) aKeptNode(*tab.Tab) string {
	return unless(w.comparer.kept.File != "", "no node is kept")
}

func anotherTree(t *tab.Tab) string {
	return unless(len(t.Pane.Doc.Views) > 1, "this file has no other tree")
}

func inAnotherTree(t *tab.Tab) string {
	return unless(t.Pane.Nav.Elsewhere() != nil, "its tree is shown")
}

func (w *Window) workThatRuns() string {
	return unless(w.Pages.Front.Work().State().Task != nil, "nothing runs")
}

func (w *Window) aFile() string { return unless(w.Active != nil, noFile) }

func aSibling(t *tab.Tab) string {
	at := t.Pane.Current()
	return unless(at != nil && at.Parent != nil && at.Index >= 0, "it has no siblings")
}

func aParent(t *tab.Tab) string {
	return unless(t.Pane.Current() != nil && t.Pane.Current().Parent != nil, "the selected node has none")
}

func aMark(t *tab.Tab) string { return unless(t.Pane.Lists.Kept.Any(), "there are no marks") }

// somethingSought asks for a search, a filter of the tree that is shown, or a listing with the keyboard.
func somethingSought(t *tab.Tab) string {
	v, views := t.Pane.Trees.View(), t.Pane.Trees.Filters.Views
	filtered := v != nil && views[v.Name] != nil && views[v.Name].Run != nil
	return unless(filtered || t.Pane.Stage.Code() != nil || t.Pane.Lists.Search.Sought(), "nothing was searched for")
}

func times(t *tab.Tab) string { return unless(len(t.Pane.Time.Tracks) > 0, "this tree has no times") }

func aWayBack(t *tab.Tab) string {
	return unless(t.Pane.Trail.History.Can(-1), "nothing was visited before")
}

func aWayForward(t *tab.Tab) string {
	return unless(t.Pane.Trail.History.Can(1), "nothing was gone back from")
}

func settable(t *tab.Tab) string {
	return unless(len(t.Pane.Doc.Options) > 0 && t.Pane.Doc.SetOption != nil, "this file has none")
}

// typable asks for a value that can be typed. The node may have been selected before it was decoded.
func typable(t *tab.Tab) string {
	at := t.Pane.Current()
	return unless(at != nil && t.Editor.CanChange(at.Fresh(t.Pane.Ctx)), "the selected node has no value to type")
}

func aChange(t *tab.Tab) string { return unless(t.Editor.Len() > 0, "nothing was changed") }

func aStepDone(t *tab.Tab) string { return unless(t.Editor.CanUndo(), "nothing was changed") }

func aStepUndone(t *tab.Tab) string { return unless(t.Editor.CanRedo(), "nothing was undone") }
