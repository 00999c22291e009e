package odin

import (
	"sync"
	"sync/atomic"
)

// A tree is the tree of the entries that the scan of a stream has found so far. Its methods are safe for concurrent use. Containers
// and other entries are named by their numbers, the container of the top-level entries by rootEntry.
type tree struct {
	mu   sync.RWMutex
	x    index
	done atomic.Bool // the scan has ended, so that x does not change any more
}

// lock takes the lock for reading, unless the scan has ended. It reports whether the caller must release it.
func (t *tree) lock() bool {
	if t.done.Load() {
		return false
	}
	t.mu.RLock()
	return true
}

// isOpen reports whether the end of a container is not found yet.
func (t *tree) isOpen(c int64) bool {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.open(c, t.done.Load())
}

// complete reports whether all entries are found.
func (t *tree) complete() bool {
	return t.done.Load()
}

// class returns the class of an entry.
func (t *tree) class(i int64) class {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.class(i)
}

// isContainer reports whether an entry has others in it: a node or an array above the depth limit.
func (t *tree) isContainer(i int64) bool { return t.class(i) != plain }

// isArray reports whether an entry is an array with others in it.
func (t *tree) isArray(i int64) bool { return t.class(i) == array }

// count returns the number of children of a container, a lower bound while not exact.
func (t *tree) count(c int64) (n int64, exact bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.count(c), !t.x.open(c, t.done.Load())
}

// child returns child k of a container.
func (t *tree) child(c, k int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.child(c, k)
}

// childOver returns the number of the child of container c whose subtree holds entry e, or false if none does.
func (t *tree) childOver(c, e int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.childOver(c, e)
}

// endEntry returns the entry that ends a container, or false if none is found.
func (t *tree) endEntry(c int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.endEntry(c)
}

// unclosed reports whether the stream ends inside of a container.
func (t *tree) unclosed(c int64) bool {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.unclosed[c]
}

// entryAt returns the entry whose own bytes hold the one at off.
func (t *tree) entryAt(off int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.entryAt(off)
}

// ownRange returns the range of the own bytes of an entry.
func (t *tree) ownRange(i int64) (off, length int64) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.offset(i), t.x.length(i)
}

// indexed returns the number of entries found so far, in JSON with the brackets that close containers.
func (t *tree) indexed() int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.n
}

// isDeep reports whether containers in a container are below the depth limit.
func (t *tree) isDeep(c int64) bool {
	_, deep := t.firstDeep(c)
	return deep
}

// next returns the entry after the subtree of an entry.
func (t *tree) next(i int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.last(i) + 1
}

// definer returns the entry that defines the type id that entry i uses.
func (t *tree) definer(id int32, i int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	d, ok := t.x.definedBefore(id, i)
	return int64(d.entry), ok
}

// nextRefNode returns the first reference node from ≤ i < to.
func (t *tree) nextRefNode(from, to int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	for i := from; i < to; i++ {
		if t.x.class(i) == refNode {
			return i, true
		}
	}
	return 0, false
}

// parent returns the container of an entry.
func (t *tree) parent(i int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	c := rootEntry
	for c < i {
		k, ok := t.x.childOver(c, i)
		if !ok {
			break
		}
		next := t.x.child(c, k)
		if next == i {
			break
		}
		c = next
	}
	return c
}

// candidates returns the range of entries in which a node id ascends, and the first entry with the id if it does not.
func (t *tree) candidates(id int64) (from, to, stray int64, isStray bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	from, to = t.x.nodeRange(id)
	stray, isStray = t.x.strayNode[id]
	return from, to, stray, isStray
}

// firstDeep returns the first container below the depth limit in a container, or false if there is none.
func (t *tree) firstDeep(c int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	deep, ok := t.x.deep[c]
	return deep, ok
}

// indexedTo returns the offset after the last entry found so far.
func (t *tree) indexedTo() int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.end
}
