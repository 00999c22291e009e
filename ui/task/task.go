// Package task runs work in the background. Work is started on the UI goroutine and runs on a goroutine of its own. The
// status bar shows it while it lasts, and the user can cancel it. Its outcome is dropped when its context has ended,
// such as that of a closed tab.
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

// ShownAfter is the time that work runs before the window shows it.
const ShownAfter = 100 * time.Millisecond

// bigWork is the running time of work that is assumed to leave much memory unused.
const bigWork = time.Second

// A Group holds the running work of one document. Its methods are safe on every goroutine.
type Group struct {
	post   func(func())                 // runs a function on the UI goroutine
	change func()                       // called on the UI goroutine when work began, ended or made progress
	fail   func(what string, err error) // called on the UI goroutine when work has failed

	mu      sync.Mutex
	list    []*Task
	ticking bool
}

// NewGroup makes a Group. post runs a function on the UI goroutine, where the other two are called: change when work
// began, ended or made progress, fail when work of Try fails, or when work panics that has no
// failed of its own.
func NewGroup(post func(func()), change func(), fail func(what string, err error)) *Group {
	return &Group{post: post, change: change, fail: fail}
}

// A Task is work that the status bar may show.
type Task struct {
	group   *Group
	what    string
	ctx     context.Context
	cancel  context.CancelFunc
	started time.Time

	done, total int64  // under group.mu
	detail      string // under group.mu
}

// Work is a function that runs on a goroutine of its own. It returns a function that shows the outcome on the UI
// goroutine, or nil if nothing is to be shown.
type Work func(ctx context.Context, progress model.Progress) (show func())

// Always does work and shows its outcome, even when within has ended meanwhile. Work with an empty what is not shown in
// the status bar. If work panics, failed gets an error on the UI goroutine. Without failed, the user sees that error.
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
			debug.FreeOSMemory() // else the memory would lie idle: the window waits most of the time
		}
	}()
}

// survive does work. A panic costs the work, not the window: the returned function then calls failed.
func survive(ctx context.Context, progress model.Progress, work Work, failed func(err error)) (show func()) {
	defer func() {
		if r := recover(); r != nil {
			err := fmt.Errorf("Cutaway failed: %v. This is a fault of the program, not of the file", r) //nolint:staticcheck // begins with a name
			show = func() { failed(err) }
		}
	}()
	return work(ctx, progress)
}

// Go does work, and shows its outcome unless within has ended by then.
func (g *Group) Go(within context.Context, what string, work Work) {
	g.Always(within, what, func(ctx context.Context, progress model.Progress) func() {
		show := work(ctx, progress)
		if show == nil {
			return nil
		}
		return unless(within, show)
	}, func(err error) { unless(within, func() { g.fail(what, err) })() })
}

// Try does work that can fail, as Go does. The user sees its error, unless the work was cancelled.
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

// After calls do on the UI goroutine once wait is over, unless within has ended by then.
func (g *Group) After(within context.Context, wait time.Duration, do func()) {
	time.AfterFunc(wait, func() { g.Show(within, do) })
}

// Show calls do on the UI goroutine unless within has ended by then.
func (g *Group) Show(within context.Context, do func()) { g.post(unless(within, do)) }

// unless returns a function that calls do, or nothing once ctx has ended.
func unless(ctx context.Context, do func()) func() {
	return func() {
		if ctx.Err() == nil {
			do()
		}
	}
}

// Every reports the state of work again and again, until over is closed. It calls look in the background, and on the UI
// goroutine the function that look returned, unless that is nil. It waits each time until that function has returned,
// since the queue of the UI is unbounded. The longer this takes, the longer is the next wait: the work comes first.
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

// Start registers work that runs elsewhere. Its End must be called when it is over.
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

// End removes the task from its group.
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

// Cancel ends the context of the work.
func (t *Task) Cancel() { t.cancel() }

// Started returns the time when the work began.
func (t *Task) Started() time.Time { return t.started }

// Progress is a model.Progress.
func (t *Task) Progress(done, total int64, what string) {
	t.group.mu.Lock()
	defer t.group.mu.Unlock()
	t.done, t.total, t.detail = done, total, what
}

// tick calls change while there is work, and once more after it. It does so at most ten times a second, since the queue
// of the UI is unbounded.
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

// A State describes the running work for the status bar, by the task that has run longest.
type State struct {
	Task        *Task // or nil if nothing has run for long enough to be shown
	Text        string
	Done, Total int64 // Total is 0 where it is not known
	More        int   // other tasks
}

// State describes the tasks that have run for longer than ShownAfter.
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
		if t.ctx.Err() != nil { // it ends when it next checks its context
			s.Text = "cancelling: " + t.what
		}
	}
	return s
}

// CancelAll ends the contexts of all work.
func (g *Group) CancelAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.list {
		t.cancel()
	}
}

// Len returns the number of running tasks.
func (g *Group) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.list)
}

// A Latest cancels earlier work when later work begins, where only the last outcome counts. It belongs on the UI
// goroutine. The zero value is ready.
type Latest struct{ cancel context.CancelFunc }

// Next cancels the work before and returns the context for the work that begins now.
func (l *Latest) Next(within context.Context) context.Context {
	l.Stop()
	ctx, cancel := context.WithCancel(within)
	l.cancel = cancel
	return ctx
}

// Stop cancels the work.
func (l *Latest) Stop() {
	if l.cancel != nil {
		l.cancel()
	}
}
