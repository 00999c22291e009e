package ui

import (
	"context"
	"sync"
	"time"

	"cutaway/model"
)

// progressAfter is how long work runs before the window shows that it does.
const progressAfter = 100 * time.Millisecond

// jobs is the work that runs in the background. Its methods are safe on every goroutine.
type jobs struct {
	post   func(func())
	change func() // on the UI goroutine: what runs, or how far it is, has changed

	mu      sync.Mutex
	list    []*job
	ticking bool
}

// job is one piece of work.
type job struct {
	all     *jobs
	what    string
	ctx     context.Context
	cancel  context.CancelFunc
	started time.Time

	done, total int64  // under all.mu
	detail      string // under all.mu
}

// start registers work; call end when it is over.
func (j *jobs) start(ctx context.Context, what string) (context.Context, *job) {
	ctx, cancel := context.WithCancel(ctx)
	one := &job{all: j, what: what, ctx: ctx, cancel: cancel, started: time.Now()}
	j.mu.Lock()
	j.list = append(j.list, one)
	if !j.ticking {
		j.ticking = true
		go j.tick()
	}
	j.mu.Unlock()
	return ctx, one
}

// end takes the job out of the list.
func (o *job) end() {
	o.cancel()
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	for i, other := range o.all.list {
		if other == o {
			o.all.list = append(o.all.list[:i:i], o.all.list[i+1:]...)
			return
		}
	}
}

// progress is a model.Progress.
func (o *job) progress(done, total int64, what string) {
	o.all.mu.Lock()
	o.done, o.total, o.detail = done, total, what
	o.all.mu.Unlock()
}

var _ model.Progress = (*job)(nil).progress

// tick tells of changes while there is work, at most ten times a second, since the queue of the UI is unbounded; and
// once more when there is none.
func (j *jobs) tick() {
	for idle := false; !idle; {
		time.Sleep(progressAfter)
		j.mu.Lock()
		idle = len(j.list) == 0
		j.ticking = !idle
		j.mu.Unlock()
		told := make(chan struct{})
		j.post(func() {
			j.change()
			close(told)
		})
		<-told
	}
}

// every tells of work now and again, until over is closed: look runs in the background, and what it returns on the UI
// goroutine. It waits each time until the window has taken it, since the queue of the UI is unbounded. The longer that
// takes the longer is the next wait: the work comes first.
func (s *session) every(over <-chan struct{}, look func() (show func())) {
	for wait := progressAfter; ; {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		began := time.Now()
		show := look()
		told := make(chan struct{})
		s.w.post(func() {
			show()
			close(told)
		})
		select {
		case <-told:
		case <-over:
			return
		}
		wait = max(progressAfter, 4*time.Since(began))
	}
}

// running is what to show of the work: the job that has run longest.
type running struct {
	job         *job
	text        string
	done, total int64
	more        int // other jobs
}

// show returns what runs for longer than progressAfter; a nil job says that nothing does.
func (j *jobs) show() running {
	j.mu.Lock()
	defer j.mu.Unlock()
	var r running
	for _, o := range j.list {
		if time.Since(o.started) < progressAfter {
			continue
		}
		if r.job != nil {
			r.more++
			continue
		}
		r = running{job: o, text: o.what, done: o.done, total: o.total}
		if o.detail != "" {
			r.text += ": " + o.detail
		}
		if o.ctx.Err() != nil { // it ends when it next looks
			r.text = "cancelling: " + o.what
		}
	}
	return r
}

// cancelAll ends all work.
func (j *jobs) cancelAll() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, o := range j.list {
		o.cancel()
	}
}
