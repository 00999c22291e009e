package size

import (
	"slices"
	"sort"
	"sync/atomic"
)

// Peek shows one who waits on another goroutine how far a measurement is.
type Peek struct {
	wanted atomic.Bool
	got    atomic.Pointer[Tree]
}

// Tree returns the tree as it was soon after the last call, or nil if nothing is new. Its nodes must not be changed. Its
// Left are bytes that a node may still be found for.
func (p *Peek) Tree() *Tree {
	t := p.got.Swap(nil)
	p.wanted.Store(true)
	return t
}

// peek hands out the tree so far, if that is wanted.
func (m *measurement) peek() {
	p := m.opt.Peek
	if p == nil || len(m.open) == 0 || !p.wanted.CompareAndSwap(true, false) {
		return
	}
	var root *Node
	for i := len(m.open) - 1; i >= 0; i-- {
		n := *m.open[i].node // its children so far do not change any more
		n.Open, n.Children = true, slices.Clone(n.Children)
		if root != nil {
			n.Stored += root.Stored
			n.Logical += root.Logical
			n.Count += root.Count
			n.Children = append(n.Children, root)
		}
		sort.SliceStable(n.Children, func(i, k int) bool { return n.Children[i].Stored > n.Children[k].Stored })
		root = &n
	}
	root.name(m.view)
	p.got.Store(&Tree{Total: m.total, Root: root, Left: m.total - root.Stored, top: slices.Clone(m.top)})
}
