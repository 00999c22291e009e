package source

import (
	"context"
	"runtime"
	"sync"
	"time"
	"weak"

	"cutaway/model"
)

// Derived knows the derived sources of a document that somebody still holds, so that one part of a file never has two
// of them. It keeps none alive, nor does what it leaves with the garbage collector keep the document: it may lie in
// what its sources lead to. The zero value is ready.
type Derived struct {
	mu   sync.Mutex
	held map[string]derived
}

type derived struct {
	src      weak.Pointer[model.Source]
	problems []model.Problem
	pause    *model.Pause
}

// Get returns the source of a name that the node at owner has, and what is wrong with it; derive makes it where nobody
// holds it, or after a while where bytes could not be read. What was made under a context that has ended is an error.
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
		return other.src.Value(), other.problems, nil // two made it at once
	}
	if d.held == nil {
		d.held = map[string]derived{}
	}
	d.held[path] = derived{weak.Make(src), problems, &model.Pause{}}
	d.held[path].pause.Begin(began, model.LacksBytes(problems))
	runtime.AddCleanup(src, forget, entry{weak.Make(d), path})
	return src, problems, nil
}

// An entry is the key of a source that is gone in a table, which may be gone too.
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
