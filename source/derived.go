package source

import (
	"context"
	"runtime"
	"sync"
	"time"
	"weak"

	"cutaway/model"
)

// Derived holds weak references to the derived sources of a document, so that a part of a file never has two sources in
// use. Neither these references nor their cleanups keep sources or the document alive, even if the sources refer to
// Derived. The zero value is ready.
type Derived struct {
	mu   sync.Mutex
	held map[string]derived
}

type derived struct {
	src      weak.Pointer[model.Source]
	problems []model.Problem
	pause    *model.Pause
}

// Get returns the source named owner@name and its problems. It calls derive if the source is not in use, or if bytes
// could not be read and a pause is over. A source derived under a context that has ended is an error.
func (d *Derived) Get(ctx context.Context, owner, name string, derive func() (*model.Source, []model.Problem, error)) (*model.Source, []model.Problem, error) {
	path := owner + "@" + name
	d.mu.Lock()
	known := d.held[path]
	d.mu.Unlock()
	if src := known.src.Value(); src != nil && !known.pause.Over() {
		return src, known.problems, nil
	}
	began := time.Now()
	src, problems, err := derive()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if other := d.held[path]; other.src != known.src && other.src.Value() != nil {
		return other.src.Value(), other.problems, nil // another call derived it meanwhile
	}
	if d.held == nil {
		d.held = map[string]derived{}
	}
	d.held[path] = derived{weak.Make(src), problems, &model.Pause{}}
	d.held[path].pause.Begin(began, model.LacksBytes(problems))
	runtime.AddCleanup(src, forget, entry{weak.Make(d), path})
	return src, problems, nil
}

// An entry is the key of a released source in a table, which may be released too.
type entry struct {
	table weak.Pointer[Derived]
	path  string
}

func forget(e entry) {
	d := e.table.Value()
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[e.path].src.Value() == nil {
		delete(d.held, e.path)
	}
}
