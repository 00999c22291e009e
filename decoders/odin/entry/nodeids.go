package entry

import "sort"

// NodeIDs finds reference nodes by their ids in a pass over a stream from its start.
type NodeIDs struct {
	ids     []int64
	entries []uint32
	stray   map[int64]uint32
}

// Add adds a node. An id that does not ascend stands for the first node that has it.
func (t *NodeIDs) Add(id, entry int64) {
	if n := len(t.ids); n > 0 && id <= t.ids[n-1] {
		if t.stray == nil {
			t.stray = map[int64]uint32{}
		}
		if _, known := t.stray[id]; !known {
			t.stray[id] = uint32(entry)
		}
		return
	}
	t.ids, t.entries = append(t.ids, id), append(t.entries, uint32(entry))
}

// Find returns the entry of the node with an id, or false if none was added.
func (t *NodeIDs) Find(id int64) (uint32, bool) {
	k := sort.Search(len(t.ids), func(k int) bool { return t.ids[k] >= id })
	if k < len(t.ids) && t.ids[k] == id {
		return t.entries[k], true
	}
	i, ok := t.stray[id]
	return i, ok
}
