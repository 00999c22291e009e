package search

import (
	"sync"
	"sync/atomic"

	"cutaway/model"
)

// recurring records recurring nodes that are no hits and have no searched descendants, so that each is made and
// examined once. The query must not depend on the position of a node.
type recurring struct {
	last atomic.Pointer[family] // of the last request
	mu   sync.Mutex
	all  []*family
}

// A family holds the nodes that recur in one thing, as model.Recurs identifies them.
type family struct {
	of   any
	miss []atomic.Uint64 // a bit for each
}

// find returns the family of child i of a node, and its number there, or nil.
func (r *recurring) find(of *model.Place, i int64) (*family, int64) {
	what, n, count := model.Recurs(of.Node.Children, i)
	if what == nil {
		return nil, 0
	}
	if f := r.last.Load(); f != nil && f.of == what {
		return f, n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.all {
		if f.of == what {
			r.last.Store(f)
			return f, n
		}
	}
	f := &family{what, make([]atomic.Uint64, count/64+1)}
	r.all = append(r.all, f)
	r.last.Store(f)
	return f, n
}

// missed reports whether child i of a node is known to be no hit.
func (r *recurring) missed(of *model.Place, i int64) bool {
	f, n := r.find(of, i)
	return f != nil && f.miss[n/64].Load()>>(n%64)&1 != 0
}

// miss records that the node at p is no hit.
func (r *recurring) miss(p *model.Place) {
	if p.Parent == nil || p.Index < 0 || p.Node.Children != nil && !p.Node.Elements || len(p.Node.Derived) > 0 {
		return
	}
	if f, n := r.find(p.Parent, p.Index); f != nil {
		f.miss[n/64].Or(1 << (n % 64))
	}
}
