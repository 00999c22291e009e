package ui

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
	"cutaway/ui/trying"
)

// need is what an item of a menu needs, beside an open document or a tab, for something to come of it: it says why that is not so;
// "": it is.
type need func(s *session) (whyNot string)

func unless(so bool, whyNot string) string {
	if so {
		return ""
	}
	return whyNot
}

// needing gives an item that forOpen or forTab has made a need.
func (w *Window) needing(n need, i *fyne.MenuItem) *fyne.MenuItem {
	w.menu.needs[i] = n
	return i
}

// enableItems enables the items of which something can come now. A menu looks at that when it opens, so that nothing is drawn.
func (w *Window) enableItems() {
	for _, i := range slices.Concat(w.menu.forOpen, w.menu.forTab) {
		i.Disabled = w.lack(i) != ""
	}
}

// lack is what an item that forOpen or forTab has made lacks; "": nothing.
func (w *Window) lack(i *fyne.MenuItem) string {
	s, n := w.active, w.menu.needs[i]
	switch {
	case s == nil && slices.Contains(w.menu.forTab, i), slices.Contains(w.menu.forOpen, i) && (s == nil || s.Pane == nil):
		return noFile
	case n == nil:
		return ""
	}
	return n(s)
}

const noFile = "no file is open"

// whyNot says why an item of a menu, which is disabled, cannot be done now.
func (w *Window) whyNot(i *fyne.MenuItem) string {
	m := &w.menu
	why := cmp.Or(w.lack(i), map[*fyne.MenuItem]string{m.recent: "no file was opened yet", m.reopen: "no tab was closed"}[i])
	switch {
	case why != "":
		return why
	case w.active == nil || w.active.Pane == nil:
		return noFile
	}
	return cmp.Or(map[*fyne.MenuItem]string{m.inTree: "its tree is shown", m.text: "the file is not read by a description"}[i],
		map[string]string{"Close the others": "no other tab is open", "Copy the path of the file": "it is no file"}[kit.MenuTitle(i)], "not now")
}

func anotherTab(s *session) string { return unless(len(s.w.sessions) > 1, "no other tab is open") }

func anotherTree(s *session) string {
	return unless(len(s.Pane.Doc.Views) > 1, "this file has no other tree")
}

func workThatRuns(s *session) string { return unless(s.tasks.State().Task != nil, "nothing runs") }

func aKeptNode(s *session) string { return unless(s.w.compared.File != "", "no node is kept") }

func aSibling(s *session) string {
	at := s.Pane.Current()
	return unless(at != nil && at.Parent != nil && at.Index >= 0, "it has no siblings")
}

func aParent(s *session) string {
	return unless(s.Pane.Current() != nil && s.Pane.Current().Parent != nil, "the selected node has none")
}

func aMark(s *session) string { return unless(s.Pane.Details.Kept.Any(), "there are no marks") }

// somethingSought is a search, or a filter of the tree that is shown.
func somethingSought(s *session) string {
	v := s.Pane.Trees.View()
	filtered := v != nil && s.Pane.Trees.Filters.Views[v.Name] != nil && s.Pane.Trees.Filters.Views[v.Name].Run != nil
	return unless(filtered || s.Pane.Details.Search.Run != nil, "nothing was searched for")
}

func times(s *session) string { return unless(len(s.Pane.Time.Tracks) > 0, "this tree has no times") }

func aWayBack(s *session) string {
	return unless(s.Pane.Trail.History.Can(-1), "nothing was visited before")
}

func aWayForward(s *session) string {
	return unless(s.Pane.Trail.History.Can(1), "nothing was gone back from")
}

func settable(s *session) string {
	return unless(len(s.Pane.Doc.Options) > 0 && s.Pane.Doc.SetOption != nil, "this file has none")
}

func roomBeside(s *session) string {
	return unless(s.Pane.Beside.InspectorFits(), "the window is too narrow")
}

// typable is a value that can be typed. The node may have been selected before it was decoded.
func typable(s *session) string {
	at := s.Pane.Current()
	return unless(at != nil && trying.CanType(&at.Fresh(s.ctx).Node), "the selected node has no value to type")
}

func aChange(s *session) string { return unless(s.edits.Len() > 0, "nothing was changed") }

func aStepDone(s *session) string { return unless(s.edits.CanUndo(), "nothing was changed") }

func aStepUndone(s *session) string { return unless(s.edits.CanRedo(), "nothing was undone") }
