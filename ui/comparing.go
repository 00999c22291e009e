package ui

import (
	"slices"

	"fyne.io/fyne/v2/theme"

	"cutaway/decoders"
	"cutaway/ui/compare"
	"cutaway/ui/files"
)

// compareWith asks for a file and shows what it and the session's have not in common.
func (s *session) compareWith() {
	if !s.comparable() {
		return
	}
	files.Choose(s.Shell, "Compare "+s.Title()+" with", s.w.lastFolder(), fileKinds(), false, func(path string) {
		compare.Show(s.Shell, compare.Part{File: s.file}, compare.Part{File: path}, s.comparedWith())
	})
}

// compareTabs shows what this tab and the one that is shown have not in common; that to the left counts as the one before.
func (s *session) compareTabs(shown *session) {
	a, b := s, shown
	if slices.Index(s.w.sessions, s) > slices.Index(s.w.sessions, shown) {
		a, b = b, a
	}
	if a.comparable() && b.comparable() {
		compare.Show(s.Shell, compare.Part{File: a.file}, compare.Part{File: b.file}, a.comparedWith())
	}
}

// compareBefore shows what the tab to the left, or of the first tab the one to the right, and this one have not in common.
func (s *session) compareBefore() {
	i := slices.Index(s.w.sessions, s)
	switch {
	case i > 0:
		s.w.sessions[i-1].compareTabs(s)
	case len(s.w.sessions) > 1:
		s.w.sessions[1].compareTabs(s)
	default:
		s.Notify("There is no other tab: Compare with… asks for a file")
	}
}

// comparable reports whether the tab's document can be compared, and says why not.
func (s *session) comparable() bool {
	if s.file == "" || s.buffer != nil {
		s.TellWords("Only a file can be compared", theme.InfoIcon(), "Save these bytes to a file first, and open that.")
		return false
	}
	return true
}

// comparedWith is how the files of a comparison are opened.
func (s *session) comparedWith() decoders.OpenOptions {
	var opt decoders.OpenOptions
	opt.Options = s.opts
	return opt
}

// keepForComparing remembers the selected node, of any tab, as the one that another is compared with.
func (s *session) keepForComparing() {
	p := s.Pane.Current()
	if p == nil || !s.comparable() {
		return
	}
	s.w.compared = compare.Part{File: s.file, Path: p.Path()}
	s.w.enableItems()
	s.Notify("Kept: go to another node, and choose Compare node with the kept one")
}

// compareNode shows what the selected node and the kept one have not in common.
func (s *session) compareNode() {
	p := s.Pane.Current()
	switch {
	case p == nil || !s.comparable():
	case s.w.compared.File == "":
		s.Notify("No node is kept: choose Keep node for comparing on one first")
	default:
		compare.Show(s.Shell, s.w.compared, compare.Part{File: s.file, Path: p.Path()}, s.comparedWith())
	}
}

// compareNext shows what the selected node and its next sibling have not in common, such as two records of a stream.
func (s *session) compareNext() {
	p := s.Pane.Current()
	if p == nil || !s.comparable() {
		return
	}
	if p.Parent == nil || p.Index < 0 {
		s.Notify("This node has no siblings")
		return
	}
	if n, _ := p.Parent.Len(s.ctx); p.Index+1 >= n {
		s.Notify("This node is the last of its siblings")
		return
	}
	next := p.Parent.Child(s.ctx, p.Index+1)
	compare.Show(s.Shell, compare.Part{File: s.file, Path: p.Path()}, compare.Part{File: s.file, Path: next.Path()}, s.comparedWith())
}

// holdSideBySide asks for several files of one kind, and shows what their bytes are to each other.
func (w *Window) holdSideBySide() {
	files.ChooseSeveral(w.Shell, "Hold several files of one kind side by side", "Hold side by side", w.lastFolder(), fileKinds(), func(paths []string) {
		if len(paths) < 2 {
			w.Notify("Mark at least two files")
			return
		}
		compare.ShowSeveral(w.Shell, paths)
	})
}
