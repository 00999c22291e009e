package size

import (
	"slices"
	"sort"
	"sync/atomic"
)

// A Peek shows the progress of a measurement to another goroutine.
type Peek struct {
	wanted atomic.Bool
	got    atomic.Pointer[Tree]
}

// Tree returns the tree as of soon after the last call, or nil if nothing is new. Its nodes must not be changed. Its
// Left are the bytes that a node may still be found for.
func (p *Peek) Tree() *Tree {
	t := p.got.Swap(nil)
	p.wanted.Store(true)
	return t
}

// peek publishes the tree so far, if requested.
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
	root.name(m.view.Name)
	p.got.Store(&Tree{Total: m.total, Root: root, Left: m.total - root.Stored, top: slices.Clone(m.top)})
}
