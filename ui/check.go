package ui

import (
	"context"
	"errors"
	"sync"

	"cutaway/model"
	"cutaway/ui/nodes"
)

// survey looks for the problems of what is decoded, in the background.
func (s *session) survey() {
	if s.checked || s.checking != nil {
		return
	}
	s.surveys++
	serial, kept, views := s.surveys, s.kept, s.Doc.Views
	s.Tasks.Try(s.ctx, "looking for problems", func(ctx context.Context, _ model.Progress) (func(), error) {
		report, err := s.Doc.Known(ctx)
		if err != nil {
			return nil, err
		}
		problems := merged(kept, report.Problems)
		worst := &nodes.Marks{}
		worst.Set(problems, views)
		return func() {
			if serial == s.surveys {
				s.setProblems(problems, worst)
			}
		}, nil
	})
}

// moreKnown follows the decoding of a part: there may be more problems and more fields, and more that filters show.
func (s *session) moreKnown() {
	s.known()
	s.filters.again()
}

// known is moreKnown without the filters.
func (s *session) known() {
	s.survey()
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

// checkRun is a check of the whole document while it runs. What it finds is shown as it is found.
type checkRun struct {
	cancel context.CancelFunc

	mu          sync.Mutex
	found       []model.LocatedProblem
	done, total int64
}

func (c *checkRun) add(p model.LocatedProblem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, p)
}

func (c *checkRun) progress(done, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done, c.total = done, total
}

// now is what was found so far, and how far the check is.
func (c *checkRun) now() (found []model.LocatedProblem, done, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found[:len(c.found):len(c.found)], c.done, c.total
}

// Check decodes everything and lists all problems. When it is cancelled, what was found stays.
func (s *session) Check() {
	s.details.choose(tabProblems)
	if s.checking != nil {
		return
	}
	s.surveys++
	doc, views, known := s.Doc, s.Doc.Views, s.marks
	c := &checkRun{}
	s.checking = c
	within, cancel := context.WithCancel(s.Ctx)
	c.cancel = cancel
	s.details.problems.showState()
	s.Tasks.Always(within, "checking", func(ctx context.Context, progress model.Progress) func() {
		over := make(chan struct{})
		told := make(chan struct{})
		go func() {
			defer close(told)
			s.Tasks.Every(over, s.streamed(c, known, views))
		}()
		report, err := doc.CheckFound(ctx, func(done, total int64, what string) {
			progress(done, total, what)
			c.progress(done, total)
		}, c.add)
		close(over)
		<-told
		worst := &nodes.Marks{}
		worst.Set(report.Problems, views)
		return func() {
			if s.checking == c && s.ctx.Err() == nil {
				s.endCheck(report, worst, err)
			}
		}
	})
}

// endCheck shows the outcome of a check; err says that it was cancelled.
func (s *session) endCheck(report *model.Report, worst *nodes.Marks, err error) {
	s.checking.cancel()
	s.checking = nil
	s.checked = err == nil
	s.surveys++
	s.kept = nil
	problems := report.Problems
	if !s.checked {
		s.kept = problems
	}
	s.setProblems(problems, worst)
	s.refresh()
	s.filters.again()
	s.Log.Write("done", "check", len(problems))
	if !s.checked {
		s.survey() // what is known besides
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Tell("checking", err)
	}
}

// streamed returns what looks at what a check has found since it looked last, marks it in known, and shows it.
func (s *session) streamed(c *checkRun, known *nodes.Marks, views []*model.View) func() func() {
	marked := 0
	return func() func() {
		found, done, total := c.now()
		fresh := len(found) > marked
		if fresh {
			known.Add(found[marked:], views)
			marked = len(found)
		}
		return func() {
			if s.checking != c {
				return
			}
			if fresh {
				s.problems = found
				s.invalidateTrees()
				s.details.problems.changed()
				s.w.showWhat()
			}
			s.details.problems.showProgress(done, total)
		}
	}
}

// merged adds to problems those that are not among them.
func merged(problems, more []model.LocatedProblem) []model.LocatedProblem {
	if len(problems) == 0 {
		return more
	}
	type key struct {
		path, rule, message string
		off, len            int64
	}
	keyOf := func(p *model.LocatedProblem) key {
		return key{p.Path, p.Rule, p.Message, p.Span.Off, p.Span.Len}
	}
	seen := make(map[key]bool, len(problems))
	for i := range problems {
		seen[keyOf(&problems[i])] = true
	}
	all := problems[:len(problems):len(problems)]
	for i := range more {
		if !seen[keyOf(&more[i])] {
			all = append(all, more[i])
		}
	}
	return all
}

// setProblems shows the problems that are known, and what they mark.
func (s *session) setProblems(problems []model.LocatedProblem, worst *nodes.Marks) {
	s.problems = problems
	s.marks.Take(worst)
	s.invalidateTrees()
	s.placeProblems()
	for _, t := range s.hex.tabs {
		t.setProblems(problems)
	}
	s.details.problems.changed()
	s.w.showWhat()
}

func (s *session) invalidateTrees() {
	for _, t := range s.allTrees() {
		t.Invalidate()
	}
}

// maxPlaced is how many problems are looked up in the views that are not the layout.
const maxPlaced = 100

// maxPlacedIn is how many nodes of a view are marked for one problem.
const maxPlacedIn = 1000

// placeProblems finds the nodes of the other views to which problems of the layout belong, and marks them too.
func (s *session) placeProblems() {
	problems, serial, all := s.problems, s.surveys, s.Doc.Views
	var views []*model.View
	for _, v := range all {
		if v.Find != nil {
			views = append(views, v)
		}
	}
	if len(problems) == 0 || len(views) == 0 {
		return
	}
	s.Tasks.Try(s.ctx, "placing problems", func(ctx context.Context, _ model.Progress) (func(), error) {
		placed := problems[:len(problems):len(problems)]
		for _, p := range problems[:min(len(problems), maxPlaced)] {
			for _, v := range views {
				if p.Span.Source == nil || nodes.ViewName(p.Path) == v.Name {
					continue
				}
				paths, _, err := v.Find(ctx, p.Span, maxPlacedIn)
				if err != nil {
					return nil, err
				}
				for _, path := range paths {
					placed = append(placed, model.LocatedProblem{Path: path, Problem: p.Problem})
				}
			}
		}
		worst := &nodes.Marks{}
		worst.Set(placed, all)
		return func() {
			if serial == s.surveys {
				s.marks.Take(worst)
				s.invalidateTrees()
			}
		}, nil
	})
}

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
