package ui

import (
	"context"

	"cutaway/model"
)

// moreKnown follows the decoding of a part: there may be more problems and more fields, and more that filters show.
func (s *session) moreKnown() {
	s.known()
	s.filters.again()
}

// known is moreKnown without the filters.
func (s *session) known() {
	s.details.problems.Look()
	s.refresh()
}

// refresh shows anew what depends on how much is decoded.
func (s *session) refresh() {
	for _, t := range s.hex.tabs {
		t.forget()
	}
	s.details.inspector.Forget()
	s.details.followInspector()
	s.details.search.list.Invalidate()
	if s.current == nil {
		return
	}
	if fresh := s.current.Fresh(s.ctx); fresh != s.current {
		s.current = fresh
		s.details.set(fresh, s.details.others)
	}
}

// Checked follows the end of a check: all that it got to is decoded.
func (s *session) Checked() {
	s.refresh()
	s.filters.again()
}

// ProblemsFound shows what is known of problems elsewhere than in their list.
func (s *session) ProblemsFound(soFar bool) {
	if !soFar {
		for _, t := range s.hex.tabs {
			t.setProblems(s.details.problems.Found())
		}
	}
	s.w.showWhat()
}

// MarksChanged shows the marks of nodes with problems anew.
func (s *session) MarksChanged() {
	for _, t := range s.allTrees() {
		t.Invalidate()
	}
}

// ShowProblems brings the list of problems to the front.
func (s *session) ShowProblems() { s.details.choose(tabProblems) }

// ProblemsInFront reports whether the list of problems is in front.
func (s *session) ProblemsInFront() bool { return s.details.shown == tabProblems }

// ReferencesInFront reports whether the list of references is in front.
func (s *session) ReferencesInFront() bool { return s.details.shown == tabReferences }

// ShowTab shows the tab in front below the trees anew, and the titles.
func (s *session) ShowTab() { s.details.again() }

// ShowTitles shows the titles of the tabs below the trees anew.
func (s *session) ShowTitles() { s.details.showTabs() }

// GoToProblem selects the node that has a problem, in the tree and in the bytes, and the bytes that are wrong. With
// focus the tree gets the keyboard.
func (s *session) GoToProblem(p model.LocatedProblem, focus bool) {
	if p.Path == "" {
		if p.Span.Source != nil {
			s.ShowSpan(p.Span)
		}
		return
	}
	s.Tasks.Try(s.way.Next(s.ctx), "going to "+p.Path, func(ctx context.Context, _ model.Progress) (func(), error) {
		at, err := s.Doc.Lookup(ctx, p.Path)
		if err != nil {
			return nil, err
		}
		return func() {
			s.show(at, showing{tree: true, focus: focus, hex: true, history: true})
			if own := at.Node.Span(); p.Span.Source != nil && (p.Span.Off != own.Off || p.Span.Len != own.Len || !p.Span.Source.Same(own.Source)) {
				s.ShowSpan(p.Span)
			}
		}, nil
	})
}
