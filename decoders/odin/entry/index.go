package entry

import "sort"

// The index of a stream has the length of each entry's own bytes in 2 bytes, and its place in the tree in 4. Besides,
// it has the offset of every 32nd entry in 8, every 64th child of a large container in 4, and every 4th reference node
// in 12. That is less than 8 bytes an entry. Entries have no gaps between them, so an offset is a sum of at most 31
// lengths.
const (
	chunkBits  = 16 // entries of a chunk of the flat arrays, as a power of two
	chunkSize  = 1 << chunkBits
	baseEvery  = 32
	markEvery  = 64
	nodeEvery  = 4
	longLength = 0xffff // a length that is in index.long
	maxDepth   = 400    // levels; containers below are shown as plain entries
	linkBits   = 30
	linkMask   = 1<<linkBits - 1
)

// MaxEntries bounds the entries of a stream.
const MaxEntries = 1<<30 - 1

// Numbers of no entry.
const (
	Root   = int64(-1) // the container of the top-level entries
	NoNode = int64(-1) // where a node has no id
)

// A class says whether an entry is a container.
type class uint8

const (
	plain class = iota
	refNode
	structNode
	array
)

type longEntry struct {
	entry  int64
	length int64
}

// A nodeMark is every 4th reference node with an id above all before.
type nodeMark struct {
	id    int64
	entry uint32
}

// A typeDef is a definition of a type id.
type typeDef struct {
	id    int32
	entry uint32
}

// A marks holds every 64th child of a container with more than 64.
type marks struct {
	count int64
	at    []uint32
}

// A frame is a container that is open while the stream is scanned.
type frame struct {
	entry int64
	class class
	count int64
	marks *marks
}

type index struct {
	n     int64
	start int64 // offset of entry 0
	end   int64 // offset after the last entry
	lens  [][]uint16
	links [][]uint32 // class << 30 | entries up to the end entry; 0 entries while the container is open
	// The last of lens and links, which have room for more.
	newLens  []uint16
	newLinks []uint32
	bases    []int64
	long     []longEntry
	big      map[int64]*marks

	stack    []frame // open containers, the root first
	flat     []class // open containers below the depth limit
	deep     map[int64]int64
	unclosed map[int64]bool // containers that the end of the stream left open
	ends     int64          // end entries, stray ones included

	nodes     int64 // reference nodes with an id
	lastNode  int64 // the largest id so far
	nodeMarks []nodeMark
	ascending int64           // reference nodes in ascending order so far
	strayNode map[int64]int64 // first entry of ids that do not ascend
	backNodes map[int64]bool  // entries with such ids
	defs      []typeDef
	oddDefs   map[int32][]int32 // definitions of ids that are not in the order 0, 1, 2 …, or repeated
	marked    []int64           // nodes whose types the stream marks
}

// newIndex returns the index of a stream before its first entry, which begins at an offset.
func newIndex(start int64) index {
	return index{
		start: start, end: start, lastNode: -1,
		stack: []frame{{entry: Root, class: structNode}},
		big:   map[int64]*marks{}, deep: map[int64]int64{}, unclosed: map[int64]bool{},
		strayNode: map[int64]int64{}, backNodes: map[int64]bool{}, oddDefs: map[int32][]int32{},
	}
}

// add appends an entry of length bytes that is no end, as a child of the innermost open container, and opens it if it
// is a container.
func (x *index) add(length int64, c class) {
	i := x.n
	top := &x.stack[len(x.stack)-1]
	if top.count++; top.count > markEvery {
		if top.marks == nil {
			top.marks = &marks{at: []uint32{uint32(top.entry + 1)}}
			x.big[top.entry] = top.marks
		}
		top.marks.count = top.count
		if (top.count-1)%markEvery == 0 {
			top.marks.at = append(top.marks.at, uint32(i))
		}
	}
	if c == plain {
		x.push(length, 0)
		return
	}
	if len(x.flat) > 0 || len(x.stack) > maxDepth {
		if len(x.flat) == 0 {
			if _, known := x.deep[top.entry]; !known {
				x.deep[top.entry] = i
			}
		}
		x.flat = append(x.flat, c)
		x.push(length, 0)
		return
	}
	x.push(length, uint32(c)<<linkBits)
	x.stack = append(x.stack, frame{entry: i, class: c})
}

// close appends an end entry for a node or an array. One that does not match the innermost open container becomes its
// plain child.
func (x *index) close(length int64, ofArray bool) {
	x.ends++
	if n := len(x.flat); n > 0 {
		if (x.flat[n-1] == array) == ofArray {
			x.flat = x.flat[:n-1]
		}
		x.add(length, plain)
		return
	}
	top := x.stack[len(x.stack)-1]
	if top.entry == Root || (top.class == array) != ofArray {
		x.add(length, plain)
		return
	}
	x.links[top.entry>>chunkBits][top.entry&(chunkSize-1)] |= uint32(x.n - top.entry)
	x.stack = x.stack[:len(x.stack)-1]
	x.push(length, 0)
}

// push appends an entry of length bytes.
func (x *index) push(length int64, link uint32) {
	at := x.n & (chunkSize - 1)
	if at == 0 || at == int64(len(x.newLens)) {
		x.makeRoom(at)
	}
	if x.n%baseEvery == 0 {
		x.bases = append(x.bases, x.end)
	}
	short := uint16(longLength)
	if length < longLength {
		short = uint16(length)
	} else {
		x.long = append(x.long, longEntry{x.n, length})
	}
	x.newLens[at], x.newLinks[at] = short, link
	x.n++
	x.end += length
}

// makeRoom begins a chunk where the last one is full. The first one grows, for small streams.
func (x *index) makeRoom(at int64) {
	room := int64(chunkSize)
	if x.n < chunkSize {
		room = max(2*at, 16)
	}
	lens, links := make([]uint16, room), make([]uint32, room)
	if at > 0 {
		copy(lens, x.newLens)
		copy(links, x.newLinks)
		x.lens, x.links = x.lens[:0], x.links[:0]
	}
	x.newLens, x.newLinks = lens, links
	x.lens, x.links = append(x.lens, lens), append(x.links, links)
}

// finish closes what is left open when the stream ends.
func (x *index) finish() {
	for _, f := range x.stack[1:] {
		x.unclosed[f.entry] = true
		x.links[f.entry>>chunkBits][f.entry&(chunkSize-1)] |= uint32(x.n - 1 - f.entry)
	}
	x.stack = x.stack[:1]
	x.flat = nil
}

// link returns the class and the length of the subtree of an entry.
func (x *index) link(i int64) uint32 { return x.links[i>>chunkBits][i&(chunkSize-1)] }

// class returns the class of an entry.
func (x *index) class(i int64) class {
	if i == Root {
		return structNode
	}
	return class(x.link(i) >> linkBits)
}

// last returns the last entry of i's subtree, which is its end entry if it has one. Of an open container it is the last
// so far.
func (x *index) last(i int64) int64 {
	if i == Root {
		return x.n - 1
	}
	l := x.link(i)
	if d := int64(l & linkMask); d > 0 || l == 0 || x.unclosed[i] {
		return i + d
	}
	return x.n - 1
}

// open reports whether a container is not scanned to its end yet.
func (x *index) open(i int64, done bool) bool {
	if done {
		return false
	}
	return i == Root || x.class(i) != plain && x.link(i)&linkMask == 0
}

// endEntry returns the entry that ends a container, or false if none is found.
func (x *index) endEntry(i int64) (int64, bool) {
	if i == Root || x.class(i) == plain || x.link(i)&linkMask == 0 || x.unclosed[i] {
		return 0, false
	}
	return x.last(i), true
}

// length returns the number of an entry's own bytes.
func (x *index) length(i int64) int64 {
	if l := x.lens[i>>chunkBits][i&(chunkSize-1)]; l != longLength {
		return int64(l)
	}
	k := sort.Search(len(x.long), func(k int) bool { return x.long[k].entry >= i })
	return x.long[k].length
}

// offset returns the offset of an entry, or of the end for the entry after the last.
func (x *index) offset(i int64) int64 {
	if i >= x.n {
		return x.end
	}
	off := x.bases[i/baseEvery]
	for k := i - i%baseEvery; k < i; k++ {
		off += x.length(k)
	}
	return off
}

// entryAt finds the entry over the byte at off.
func (x *index) entryAt(off int64) (int64, bool) {
	if off < x.start || off >= x.end {
		return 0, false
	}
	b := sort.Search(len(x.bases), func(k int) bool { return x.bases[k] > off }) - 1
	i := int64(b) * baseEvery
	for pos := x.bases[b]; i < x.n; i++ {
		pos += x.length(i)
		if off < pos {
			return i, true
		}
	}
	return 0, false
}

// count returns the number of children that a container has so far, without its end entry.
func (x *index) count(c int64) int64 {
	if m := x.big[c]; m != nil {
		return m.count
	}
	n := int64(0)
	for i, stop := c+1, x.stop(c); i < stop; i = x.last(i) + 1 {
		n++
	}
	return n
}

// stop returns the entry after the last child.
func (x *index) stop(c int64) int64 {
	if end, ok := x.endEntry(c); ok {
		return end
	}
	return x.last(c) + 1
}

// child returns the entry of child k of a container.
func (x *index) child(c, k int64) int64 {
	i, at := c+1, int64(0)
	if m := x.big[c]; m != nil {
		i, at = int64(m.at[k/markEvery]), k-k%markEvery
	}
	for ; at < k; at++ {
		i = x.last(i) + 1
	}
	return i
}

// childOver finds the child of c whose subtree holds entry e.
func (x *index) childOver(c, e int64) (int64, bool) {
	if e <= c || e >= x.stop(c) {
		return 0, false
	}
	i, k := c+1, int64(0)
	if m := x.big[c]; m != nil {
		b := sort.Search(len(m.at), func(b int) bool { return int64(m.at[b]) > e }) - 1
		i, k = int64(m.at[b]), int64(b)*markEvery
	}
	for x.last(i) < e {
		i = x.last(i) + 1
		k++
	}
	return k, true
}

// node adds the id of a reference node.
func (x *index) node(entry, id int64) {
	x.nodes++
	if id <= x.lastNode {
		x.backNodes[entry] = true
		if _, known := x.strayNode[id]; !known {
			x.strayNode[id] = entry
		}
		return
	}
	if x.ascending%nodeEvery == 0 {
		x.nodeMarks = append(x.nodeMarks, nodeMark{id, uint32(entry)})
	}
	x.ascending++
	x.lastNode = id
}

// define adds a definition of a type id. Almost all ids are the numbers of their definitions. Others have lists.
func (x *index) define(entry int64, id int32) {
	k := int32(len(x.defs))
	x.defs = append(x.defs, typeDef{id: id, entry: uint32(entry)})
	list := x.oddDefs[id]
	if list == nil && id >= 0 && id < k && x.defs[id].id == id {
		list = []int32{id}
	}
	if list != nil || id != k {
		x.oddDefs[id] = append(list, k)
	}
}

// definedBefore returns the newest definition of a type id at or before an entry, or false if there is none.
func (x *index) definedBefore(id int32, entry int64) (typeDef, bool) {
	if list := x.oddDefs[id]; list != nil {
		k := sort.Search(len(list), func(k int) bool { return int64(x.defs[list[k]].entry) > entry })
		if k == 0 {
			return typeDef{}, false
		}
		return x.defs[list[k-1]], true
	}
	if id >= 0 && int(id) < len(x.defs) && x.defs[id].id == id && int64(x.defs[id].entry) <= entry {
		return x.defs[id], true
	}
	return typeDef{}, false
}

// redefined reports whether the definition at an entry is not the first of its id.
func (x *index) redefined(id int32, entry int64) bool {
	list := x.oddDefs[id]
	return len(list) > 0 && int64(x.defs[list[0]].entry) < entry
}

// nodeRange returns the range of entries that has the reference node with an id, if its id ascends.
func (x *index) nodeRange(id int64) (from, to int64) {
	k := sort.Search(len(x.nodeMarks), func(k int) bool { return x.nodeMarks[k].id > id })
	if k == 0 {
		return -1, -1
	}
	to = x.n
	if k < len(x.nodeMarks) {
		to = int64(x.nodeMarks[k].entry)
	}
	return int64(x.nodeMarks[k-1].entry), to
}

// hasStrayEnds reports whether end entries close nothing. It is false if containers are below the depth limit.
func (x *index) hasStrayEnds() bool {
	if len(x.deep) > 0 {
		return false
	}
	closed := int64(0)
	for i := range x.n {
		if _, ok := x.endEntry(i); ok {
			closed++
		}
	}
	return closed != x.ends
}
