package problems

import (
	"context"
	"errors"
	"sync"
	"time"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/nodes"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Host lists the functions of its document that the pane may call.
type Host struct {
	GoToProblem     func(p model.LocatedProblem, focus bool) // selects its node; with focus the tree gets the keyboard
	ShowProblems    func()                                   // brings the list to the front
	ProblemsInFront func() bool                              // reports whether the list is in front
	ShowTitles      func()                                   // shows the titles of the tabs anew
	ProblemsFound   func(soFar bool)                         // is called when others are known, during a check with soFar
	MarksChanged    func()                                   // other nodes are marked
	Checked         func()                                   // a check has ended, and has decoded what it got to
}

// finder finds the problems of a document: those in decoded parts, or by a check all.
type finder struct {
	shell.Opened
	host  Host
	pane  *Pane
	Marks *nodes.Marks // of the nodes with problems

	Found   []model.LocatedProblem // that are known
	causes  []int                  // the number of the problem that each follows from, or -1
	Errors  int                    // the number of errors in found
	first   int                    // the number of the first one, which follows from no other
	limit   int                    // the number of the first limit of ours, or -1
	Whole   bool                   // everything was checked
	Running *checkRun              // or nil
	kept    []model.LocatedProblem // what a check found that was cancelled
	latest  task.Latest            // the last search for problems
}

// FirstError returns the first known error, or nil.
func (f *finder) FirstError() *model.LocatedProblem {
	if f.Errors == 0 {
		return nil
	}
	return &f.Found[f.first]
}

// FirstLimit returns the first known limit of ours that kept something from being read, or nil.
func (f *finder) FirstLimit() *model.LocatedProblem {
	if f.limit < 0 || f.limit >= len(f.Found) {
		return nil
	}
	return &f.Found[f.limit]
}

// setFound sets the known problems.
func (f *finder) setFound(found []model.LocatedProblem) {
	f.Found, f.causes, f.Errors, f.limit = found, model.CausesOf(found), 0, -1
	for i := range found {
		if f.limit < 0 && found[i].Kind == model.Limit {
			f.limit = i
		}
		if found[i].Kind.Severity() == model.Error {
			if f.Errors == 0 || f.causes[f.first] >= 0 && f.causes[i] < 0 {
				f.first = i
			}
			f.Errors++
		}
	}
}

// Look finds the problems of decoded parts in the background.
func (f *finder) Look() {
	if f.Whole || f.Running != nil {
		return
	}
	kept, views, within := f.kept, f.Doc.Views, f.latest.Next(f.Ctx)
	f.Tasks.Try(within, "looking for problems", func(ctx context.Context, _ model.Progress) (func(), error) {
		if err := f.readTables(ctx); err != nil {
			return nil, err
		}
		report, err := f.Doc.Known(ctx)
		if err != nil {
			return nil, err
		}
		problems := merged(kept, report.Problems)
		worst := &nodes.Marks{}
		worst.Set(problems, views)
		return func() { f.set(within, problems, worst) }, nil
	})
}

// readTables decodes the tables of the file, for the limits that are met there, once its first tree needs them.
func (f *finder) readTables(ctx context.Context) error {
	if f.Doc.Views[0].Place(ctx).Node.IsPending() {
		return nil
	}
	_, err := f.Doc.Limits(ctx)
	return err
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

// now returns the problems found so far, and the progress.
func (c *checkRun) now() (found []model.LocatedProblem, done, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found[:len(c.found):len(c.found)], c.done, c.total
}

// Check decodes everything and lists all problems. When it is cancelled, what was found stays.
func (f *finder) Check() {
	f.host.ShowProblems()
	if f.check(); f.Whole {
		f.Log.Write("done", "check", len(f.Found)) // it was before
		f.pane.logPlace(len(f.pane.Data.Top()))
	}
}

// checkAfter is the time from opening a small document to its check, so that it is shown first.
const checkAfter = 400 * time.Millisecond

// CheckSmall checks a document in the background that is no larger than the user has set.
func (f *finder) CheckSmall() {
	var size int64
	for _, src := range f.Doc.Sources {
		size += src.Size()
	}
	if size <= f.Store.CheckBytes() {
		f.Tasks.After(f.Ctx, checkAfter, f.check)
	}
}

// check checks the document unless that is being done, or was.
func (f *finder) check() {
	if f.Running != nil || f.Whole {
		return
	}
	f.latest.Stop()
	c := &checkRun{}
	within, cancel := context.WithCancel(f.Ctx)
	c.cancel = cancel
	f.Running = c
	f.pane.showState()
	f.Tasks.Always(within, "checking", func(ctx context.Context, progress model.Progress) func() {
		over, end := context.WithCancel(ctx)
		defer end()
		told := make(chan struct{})
		go func() {
			defer close(told)
			f.Tasks.Every(over.Done(), f.streamed(c))
		}()
		report, err := f.Doc.CheckFound(ctx, func(done, total int64, what string) {
			progress(done, total, what)
			c.progress(done, total)
		}, c.add)
		end()
		<-told
		worst := &nodes.Marks{}
		worst.Set(report.Problems, f.Doc.Views)
		return func() {
			if f.Ctx.Err() == nil {
				f.ended(report.Problems, worst, err)
			}
		}
	}, func(err error) {
		if f.Ctx.Err() == nil {
			f.ended(nil, &nodes.Marks{}, err)
		}
	})
}

// ended shows the outcome of a check; err says that it was cancelled.
func (f *finder) ended(problems []model.LocatedProblem, worst *nodes.Marks, err error) {
	f.Running.cancel()
	f.Running, f.kept = nil, nil
	f.Whole = err == nil
	if !f.Whole {
		f.kept = problems
	}
	f.set(f.latest.Next(f.Ctx), problems, worst)
	f.host.Checked()
	f.Log.Write("done", "check", len(problems))
	if !f.Whole {
		f.Look() // what is known besides
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		f.Tell("checking", err)
	}
}

// streamed returns a function that marks the problems found since its last call, and returns one that shows them.
func (f *finder) streamed(c *checkRun) func() func() {
	marked := 0
	return func() func() {
		found, done, total := c.now()
		more := len(found) > marked
		if more {
			f.Marks.Add(found[marked:], f.Doc.Views)
			marked = len(found)
		}
		return func() {
			if f.Running != c || f.Ctx.Err() != nil {
				return
			}
			if more {
				f.setFound(found)
				f.host.MarksChanged()
				f.pane.changed()
				f.host.ProblemsFound(true)
			}
			f.pane.showProgress(done, total)
		}
	}
}

// merged adds to problems those that are not among them.
func merged(problems, more []model.LocatedProblem) []model.LocatedProblem {
	if len(problems) == 0 {
		return more
	}
	type key struct {
		where, rule, message string
		off, len             int64
	}
	keyOf := func(p *model.LocatedProblem) key {
		return key{p.Where(), p.Rule, p.Message, p.Span.Off, p.Span.Len}
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

// set shows the problems that are known, and what they mark.
func (f *finder) set(within context.Context, problems []model.LocatedProblem, worst *nodes.Marks) {
	f.setFound(problems)
	f.Marks.Take(worst)
	f.host.MarksChanged()
	f.place(within)
	f.pane.changed()
	f.host.ProblemsFound(false)
}

// At most maxPlaced problems are looked up in the views beside the layout.
const maxPlaced = 100

// At most maxPlacedIn nodes of a view are marked for one problem.
const maxPlacedIn = 1000

// place finds the nodes of other views with problems of the layout, and marks them too.
func (f *finder) place(within context.Context) {
	problems, all := f.Found, f.Doc.Views
	var views []*model.View
	for _, v := range all {
		if v.Find != nil {
			views = append(views, v)
		}
	}
	if len(problems) == 0 || len(views) == 0 {
		return
	}
	f.Tasks.Try(within, "placing problems", func(ctx context.Context, _ model.Progress) (func(), error) {
		placed := problems[:len(problems):len(problems)]
		for _, p := range problems[:min(len(problems), maxPlaced)] {
			for _, v := range views {
				if p.Span.Source == nil || p.Member != "" || nodes.ViewName(p.Path) == v.Name {
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
			f.Marks.Take(worst)
			f.host.MarksChanged()
		}, nil
	})
}

// unexplained reports whether no format reads the document, so that nothing can be right or wrong.
func (f *finder) unexplained() bool { return f.Doc.Format == decoders.PlainBytes }

// empty reports whether the file has no bytes.
func (f *finder) empty() bool { return f.unexplained() && f.Doc.Source().Size() == 0 }

// Worst returns the severity of the worst known problem, Note where none is known.
func (f *finder) Worst() (worst model.Severity) {
	for i := range f.Found {
		worst = max(worst, f.Found[i].Kind.Severity())
	}
	return worst
}

// Soundness describes the number of known problems.
func (f *finder) Soundness() string {
	var t export.Tally
	follow := int64(0)
	for i := range f.Found {
		if f.causes[i] < 0 {
			t.Add(&f.Found[i].Problem)
		} else {
			follow++
		}
	}
	clean := "no problems so far"
	switch {
	case model.FailedRead(f.Doc) != nil:
		clean = "bytes could not be read"
	case f.empty():
		clean = "empty"
	case f.Whole && f.unexplained():
		clean = "of no known format"
	case f.Whole && t == (export.Tally{}):
		clean = "no problems" // a program that plays sound cannot say that a file is
	case f.Whole, t.Limits > 0:
		clean = "no error" // as far as it was read
	case t != (export.Tally{}):
		clean = "no error so far"
	}
	text := t.Verdict(clean, func(_ model.Severity, text string) string { return text })
	if follow > 0 {
		text += ", " + followText(follow)
	}
	return text
}
