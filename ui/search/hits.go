package search

import (
	"math"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/model/search"
)

// maxHits is the number of hits that are listed.
const maxHits = 1_000_000

// A hit is a found node or found bytes. A search may have a million hits, so a hit has neither nodes nor text: the list looks them up
// for the rows in sight.
type hit struct {
	off, len int64
	src      int32  // the number of its source in hits.sources, or -1 if it has no bytes
	where    uint8  // the part of a node, in hits.wheres
	in       uint16 // the number of its member of a package in hits.members, or 0
	dir      int32  // the number of its parent's path in hits.dirs, or -1 for bytes
	name     string
}

// hits are the hits of a search in the order of finding. One goroutine adds, all may read.
type hits struct {
	mu      sync.RWMutex
	chunks  [][]hit
	n       int64
	sources []string // names
	number  map[string]int32
	wheres  []search.Where
	dirs    []string
	members []string         // from 1 on; hits in members have no bytes, which are of another document
	texts   map[int64]string // of hits in members and in elements without nodes
}

// hitChunk is the number of hits in a chunk. Added hits never move.
const hitChunk = 4096

func newHits() *hits {
	return &hits{number: make(map[string]int32), texts: make(map[int64]string), members: []string{""}}
}

// Len returns the number of hits so far.
func (h *hits) Len() int64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.n
}

// add adds a hit, under mu. It reports whether there was room.
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

// source returns the number of a source, under mu.
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

// addMember adds a node of a member of a package, with its text. It reports whether there was room.
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

// node returns the hit of a node without its bytes, under mu.
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

// whereOf returns the number of a part of a node, under mu.
func (h *hits) whereOf(w search.Where) uint8 {
	for i := range h.wheres {
		if h.wheres[i] == w {
			return uint8(i)
		}
	}
	h.wheres = append(h.wheres, w)
	return uint8(len(h.wheres) - 1)
}

// A foundHit is a hit with its names.
type foundHit struct {
	Path     string // of a node; "" for bytes
	where    search.Where
	text     string // of an element without a node, or of a node in a member
	member   string // of a package, or "" for the document itself
	Source   string // "" where it has no bytes
	Off, Len int64
}

// At returns hit i, or false if there are fewer.
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
