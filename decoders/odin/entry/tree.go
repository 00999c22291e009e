package entry

import (
	"sync"
	"sync/atomic"
)

// A Tree holds the entries that the scan of a stream has found so far, and how they nest. Entries are named by their
// numbers, and the container of the top-level entries by Root. Its methods are safe for concurrent use.
type Tree struct {
	mu   sync.RWMutex
	x    index
	done atomic.Bool // the scan has ended, so that x does not change any more
}

// lock takes the lock for reading, unless the scan has ended. It reports whether the caller must release it.
func (t *Tree) lock() bool {
	if t.done.Load() {
		return false
	}
	t.mu.RLock()
	return true
}

// IsOpen reports whether the end of a container is not found yet.
func (t *Tree) IsOpen(c int64) bool {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.open(c, t.done.Load())
}

// complete reports whether all entries are found.
func (t *Tree) complete() bool {
	return t.done.Load()
}

// class returns the class of an entry.
func (t *Tree) class(i int64) class {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.class(i)
}

// IsContainer reports whether an entry has others in it: a node or an array above the depth limit.
func (t *Tree) IsContainer(i int64) bool { return t.class(i) != plain }

// IsArray reports whether an entry is an array that is a container.
func (t *Tree) IsArray(i int64) bool { return t.class(i) == array }

// Count returns the number of children of a container, a lower bound while not exact.
func (t *Tree) Count(c int64) (n int64, exact bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.count(c), !t.x.open(c, t.done.Load())
}

// Child returns child k of a container.
func (t *Tree) Child(c, k int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.child(c, k)
}

// ChildOver returns the number of the child of container c whose subtree holds entry e, or false if none does.
func (t *Tree) ChildOver(c, e int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.childOver(c, e)
}

// endEntry returns the entry that ends a container, or false if none is found.
func (t *Tree) endEntry(c int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.endEntry(c)
}

// unclosed reports whether the stream ends inside of a container.
func (t *Tree) unclosed(c int64) bool {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.unclosed[c]
}

// EntryAt returns the entry whose own bytes hold the one at off.
func (t *Tree) EntryAt(off int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.entryAt(off)
}

// OwnRange returns the range of the own bytes of an entry.
func (t *Tree) OwnRange(i int64) (off, length int64) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.offset(i), t.x.length(i)
}

// Indexed returns the number of entries found so far, in JSON with the brackets that close containers.
func (t *Tree) Indexed() int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.n
}

// isDeep reports whether containers in a container are below the depth limit.
func (t *Tree) isDeep(c int64) bool {
	_, deep := t.firstDeep(c)
	return deep
}

// Next returns the entry after the subtree of an entry.
func (t *Tree) Next(i int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.last(i) + 1
}

// Definition returns the entry that defines the type id that entry i uses.
func (t *Tree) Definition(id int32, i int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	d, ok := t.x.definedBefore(id, i)
	return int64(d.entry), ok
}

// nextRefNode returns the first reference node from ≤ i < to.
func (t *Tree) nextRefNode(from, to int64) (int64, bool) {
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
func (t *Tree) parent(i int64) int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	c := Root
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

// candidates returns the range of entries with an ascending node id, and the first entry with one that does not ascend.
func (t *Tree) candidates(id int64) (from, to, stray int64, isStray bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	from, to = t.x.nodeRange(id)
	stray, isStray = t.x.strayNode[id]
	return from, to, stray, isStray
}

// firstDeep returns the first container below the depth limit in a container, or false if there is none.
func (t *Tree) firstDeep(c int64) (int64, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	deep, ok := t.x.deep[c]
	return deep, ok
}

// indexedTo returns the offset after the last entry found so far.
func (t *Tree) indexedTo() int64 {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return t.x.end
}
