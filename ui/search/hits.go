package search

import (
	"math"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/model/search"
)

// maxHits is how many hits of a search are listed.
const maxHits = 1_000_000

// hit is one thing that a search has found. There may be a million of them, so it has neither nodes nor text: those
// are found again for the rows in sight.
type hit struct {
	off, len int64
	src      int32  // its source's number in hits.sources; -1: it has no bytes
	where    uint8  // the part of a node, in hits.wheres
	in       uint16 // the number of the member of a package that it is in, in hits.members; 0: none
	dir      int32  // of a node: the number of the path of its parent in hits.dirs; -1: it is none, but bytes
	name     string
}

// hits is what a search has found, in the order in which it was found. One goroutine adds, any may read.
type hits struct {
	mu      sync.RWMutex
	chunks  [][]hit
	n       int64
	sources []string // names
	number  map[string]int32
	wheres  []search.Where
	dirs    []string
	members []string         // from 1 on; a hit in one has no bytes, which are those of another document
	texts   map[int64]string // what was found in elements that have no node of their own, and in members
}

// hitChunk is how many hits are kept together: what was added never moves.
const hitChunk = 4096

func newHits() *hits {
	return &hits{number: make(map[string]int32), texts: make(map[int64]string), members: []string{""}}
}

// Len is how many there are so far.
func (h *hits) Len() int64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.n
}

// add adds one, under mu. It reports whether there was room.
func (h *hits) add(one hit) bool {
	if h.n == maxHits {
		return false
	}
	if h.n%hitChunk == 0 {
		h.chunks = append(h.chunks, make([]hit, 0, hitChunk))
	}
	last := &h.chunks[len(h.chunks)-1]
	*last = append(*last, one)
	h.n++
	return true
}

// source is the number of a source, under mu.
func (h *hits) source(src *model.Source) int32 {
	if src == nil {
		return -1
	}
	if k := len(h.sources) - 1; k >= 0 && h.sources[k] == src.Name() {
		return int32(k)
	}
	k, ok := h.number[src.Name()]
	if !ok {
		k = int32(len(h.sources))
		h.sources = append(h.sources, src.Name())
		h.number[src.Name()] = k
	}
	return k
}

// addBytes adds found bytes. It reports whether there was room.
func (h *hits) addBytes(src *model.Source, off, length int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.add(hit{off: off, len: length, src: h.source(src), dir: -1})
}

// addNode adds a found node. It reports whether there was room.
func (h *hits) addNode(found *search.Hit, element bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.node(found)
	if element && h.n < maxHits {
		h.texts[h.n] = found.Text
	}
	one.off, one.len, one.src = found.Off, found.Len, h.source(found.Source)
	return h.add(one)
}

// addMember adds a node of a member of a package, and what is shown of it. It reports whether there was room.
func (h *hits) addMember(member string, found *search.Hit, text string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.members[len(h.members)-1] != member {
		h.members = append(h.members, member)
	}
	if len(h.members) > math.MaxUint16 || h.n == maxHits {
		return false
	}
	one := h.node(found)
	one.src, one.in = -1, uint16(len(h.members)-1)
	h.texts[h.n] = text
	return h.add(one)
}

// node is a hit that is a node, under mu, without its bytes.
func (h *hits) node(found *search.Hit) hit {
	dir, name := "", found.Path
	if i := strings.LastIndexByte(found.Path, '/'); i >= 0 {
		dir, name = found.Path[:i], found.Path[i:]
	}
	if k := len(h.dirs) - 1; k < 0 || h.dirs[k] != dir {
		h.dirs = append(h.dirs, strings.Clone(dir))
	}
	return hit{where: h.whereOf(found.Where), dir: int32(len(h.dirs) - 1), name: strings.Clone(name)}
}

// whereOf is the number of a part of a node, under mu.
func (h *hits) whereOf(w search.Where) uint8 {
	for i := range h.wheres {
		if h.wheres[i] == w {
			return uint8(i)
		}
	}
	h.wheres = append(h.wheres, w)
	return uint8(len(h.wheres) - 1)
}

// foundHit is a hit as it is read.
type foundHit struct {
	Path     string // of a node; "" for bytes
	where    search.Where
	text     string // of an element without a node, or of a node in a member
	member   string // of a package: the one that it is in; "": the document
	Source   string // "" where it has no bytes
	Off, Len int64
}

// At is hit i; ok is false where there is none.
func (h *hits) At(i int64) (f foundHit, ok bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if i < 0 || i >= h.n {
		return f, false
	}
	one := &h.chunks[i/hitChunk][i%hitChunk]
	f = foundHit{Off: one.off, Len: one.len, text: h.texts[i], member: h.members[one.in]}
	if one.src >= 0 {
		f.Source = h.sources[one.src]
	}
	if one.dir >= 0 {
		f.Path, f.where = h.dirs[one.dir]+one.name, h.wheres[one.where]
	}
	return f, true
}

// In calls f with the bytes of all hits in a source so far, and whether they are a node's.
func (h *hits) In(source string, f func(off, length int64, node bool)) {
	h.mu.RLock()
	chunks := append([][]hit(nil), h.chunks...) // what they have does not change
	want, ok := h.number[source]
	h.mu.RUnlock()
	if !ok {
		return
	}
	for _, c := range chunks {
		for i := range c {
			if c[i].src == want {
				f(c[i].off, c[i].len, c[i].dir >= 0)
			}
		}
	}
}
