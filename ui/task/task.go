// Package task is work beside the screen: it is started on the UI goroutine, runs on one of its own, is shown in the
// status bar while it lasts, can be cancelled, and is dropped when what it was for has gone.
package task

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"cutaway/model"
)

// ShownAfter is how long work runs before the window shows that it does.
const ShownAfter = 100 * time.Millisecond

// bigWork is how long work runs that leaves much memory behind.
const bigWork = time.Second

// Group is the work for one document. Its methods are safe on every goroutine.
type Group struct {
	post   func(func())                 // the way onto the UI goroutine
	change func()                       // there: what runs, or how far it is, has changed
	fail   func(what string, err error) // there: work has failed

	mu      sync.Mutex
	list    []*Task
	ticking bool
}

// NewGroup makes a Group. post runs a function on the UI goroutine; the others are called there: change when what runs,
// or how far it is, has changed, and fail when work that Try has started fails.
func NewGroup(post func(func()), change func(), fail func(what string, err error)) *Group {
	return &Group{post: post, change: change, fail: fail}
}

// Task is one piece of work that the status bar may show.
type Task struct {
	group   *Group
	what    string
	ctx     context.Context
	cancel  context.CancelFunc
	started time.Time

	done, total int64  // under group.mu
	detail      string // under group.mu
}

// Work is what runs on a goroutine of its own. It returns what is to be done with the outcome on the UI goroutine; nil:
// nothing.
type Work func(ctx context.Context, progress model.Progress) (show func())

// Always does work, and with its outcome what it returns, even when within has ended meanwhile. A what of "" is not
// shown in the status bar. Where work panics, failed gets that as an error on the UI goroutine; nil: the user is told.
func (g *Group) Always(within context.Context, what string, work Work, failed func(err error)) {
	if failed == nil {
		failed = func(err error) { g.fail(what, err) }
	}
	ctx, end, progress := within, func() {}, model.Progress(nil)
	if what != "" {
		var t *Task
		ctx, t = g.Start(within, what)
		end, progress = t.End, t.Progress
	}
	go func() {
		began := time.Now()
		show := survive(ctx, progress, work, failed)
		if show != nil {
			g.post(show)
		}
		end()
		if time.Since(began) >= bigWork {
			debug.FreeOSMemory() // what it has used would lie idle: the window waits most of the time
		}
	}()
}

// survive does work. A panic costs the work, not the window: failed is then what is to be shown.
func survive(ctx context.Context, progress model.Progress, work Work, failed func(err error)) (show func()) {
	defer func() {
		if r := recover(); r != nil {
			err := fmt.Errorf("Cutaway failed: %v. This is a fault of the program, not of the file", r) //nolint:staticcheck // begins with a name
			show = func() { failed(err) }
		}
	}()
	return work(ctx, progress)
}

// Go does work, and with its outcome what it returns unless within has ended by then.
func (g *Group) Go(within context.Context, what string, work Work) {
	g.Always(within, what, func(ctx context.Context, progress model.Progress) func() {
		show := work(ctx, progress)
		if show == nil {
			return nil
		}
		return unless(within, show)
	}, func(err error) { unless(within, func() { g.fail(what, err) })() })
}

// Try does work that can fail, as Go does. An error is told to the user, unless it is that the work was cancelled.
func (g *Group) Try(within context.Context, what string, work func(ctx context.Context, progress model.Progress) (show func(), err error)) {
	g.Go(within, what, func(ctx context.Context, progress model.Progress) func() {
		show, err := work(ctx, progress)
		switch {
		case err == nil:
			return show
		case errors.Is(err, context.Canceled):
			return nil
		}
		return func() { g.fail(what, err) }
	})
}

// After does something on the UI goroutine a while later, unless within has ended by then.
func (g *Group) After(within context.Context, wait time.Duration, do func()) {
	time.AfterFunc(wait, func() { g.Show(within, do) })
}

// Show does something on the UI goroutine unless within has ended by then.
func (g *Group) Show(within context.Context, do func()) { g.post(unless(within, do)) }

// unless is do, which does nothing once ctx has ended.
func unless(ctx context.Context, do func()) func() {
	return func() {
		if ctx.Err() == nil {
			do()
		}
	}
}

// Every tells of work now and again, until over is closed: look runs in the background, and what it returns on the UI
// goroutine, unless that is nil. It waits each time until the window has taken it, since the queue of the UI is unbounded. The longer that
// takes the longer is the next wait: the work comes first.
func (g *Group) Every(over <-chan struct{}, look func() (show func())) {
	for wait := ShownAfter; ; {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		began := time.Now()
		show := look()
		if show == nil {
			continue
		}
		told := make(chan struct{})
		g.post(func() {
			show()
			close(told)
		})
		select {
		case <-told:
		case <-over:
			return
		}
		wait = max(ShownAfter, 4*time.Since(began))
	}
}

// Start registers work that runs elsewhere; call End when it is over.
func (g *Group) Start(within context.Context, what string) (context.Context, *Task) {
	ctx, cancel := context.WithCancel(within)
	t := &Task{group: g, what: what, ctx: ctx, cancel: cancel, started: time.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = append(g.list, t)
	if !g.ticking {
		g.ticking = true
		go g.tick()
	}
	return ctx, t
}

// End takes the task out of what runs.
func (t *Task) End() {
	t.cancel()
	t.group.mu.Lock()
	defer t.group.mu.Unlock()
	for i, other := range t.group.list {
		if other == t {
			t.group.list = append(t.group.list[:i:i], t.group.list[i+1:]...)
			return
		}
	}
}

// Cancel ends the work as soon as it looks.
func (t *Task) Cancel() { t.cancel() }

// Started is when the work began.
func (t *Task) Started() time.Time { return t.started }

// Progress is a model.Progress.
func (t *Task) Progress(done, total int64, what string) {
	t.group.mu.Lock()
	defer t.group.mu.Unlock()
	t.done, t.total, t.detail = done, total, what
}

// tick tells of changes while there is work, at most ten times a second, since the queue of the UI is unbounded; and
// once more when there is none.
func (g *Group) tick() {
	for idle := false; !idle; {
		time.Sleep(ShownAfter)
		g.mu.Lock()
		idle = len(g.list) == 0
		g.ticking = !idle
		g.mu.Unlock()
		told := make(chan struct{})
		g.post(func() {
			g.change()
			close(told)
		})
		<-told
	}
}

// State is what to show of the work: the task that has run longest.
type State struct {
	Task        *Task // nil: nothing runs for long enough to be shown
	Text        string
	Done, Total int64 // Total is 0 where it is not known
	More        int   // other tasks
}

// State returns what runs for longer than ShownAfter.
func (g *Group) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	var s State
	for _, t := range g.list {
		if time.Since(t.started) < ShownAfter {
			continue
		}
		if s.Task != nil {
			s.More++
			continue
		}
		s = State{Task: t, Text: t.what, Done: t.done, Total: t.total}
		if t.detail != "" {
			s.Text += ": " + t.detail
		}
		if t.ctx.Err() != nil { // it ends when it next looks
			s.Text = "cancelling: " + t.what
		}
	}
	return s
}

// CancelAll ends all work.
func (g *Group) CancelAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.list {
		t.cancel()
	}
}

// Len is how much work runs.
func (g *Group) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.list)
}

// Latest is work of which only the last counts: what was begun before ends when another begins. It belongs on the UI
// goroutine; the zero value is ready.
type Latest struct{ cancel context.CancelFunc }

// Next ends what was begun before and returns the context for what begins now.
func (l *Latest) Next(within context.Context) context.Context {
	l.Stop()
	ctx, cancel := context.WithCancel(within)
	l.cancel = cancel
	return ctx
}

// Stop ends what was begun.
func (l *Latest) Stop() {
	if l.cancel != nil {
		l.cancel()
	}
}
