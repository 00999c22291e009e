package odin

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"cutaway/model"
)

// Entries are named as they are written, unnamed ones [i]. Their segments in the layout and in the entries view are the same:
// of the first children of a container the names, cut where they are long, with ~2, ~3 for repeated ones; of those beyond, "[i]"
// or "[i] name", so that they need no list. A container that grows while it is scanned never gives a child another one.
const (
	listedNames = 1024
	shownName   = 200 // bytes of a long name that are in its segment
)

// Names of parts of a container that are no members. They have blanks, as no member of .NET has; an entry of such a
// name all the same has name~2 in its path.
const (
	startName = "start entry"
	endName   = "end entry"
)

// nameCache keeps the segments of the children of the containers that were asked for last.
type nameCache struct {
	mu    sync.Mutex
	lists map[int64]*nameList
	order []int64 // the oldest first
	kept  atomic.Int64
}

// Bounds of the cache.
const (
	cachedLists = 4096
	cachedNames = 1 << 16
)

type nameList struct {
	mu       sync.Mutex
	segments model.Segments
	dropped  bool // from the cache
}

func (c *nameCache) list(container int64) *nameList {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lists[container]; l != nil {
		return l
	}
	if c.lists == nil {
		c.lists = map[int64]*nameList{}
	}
	for len(c.order) > 0 && (len(c.order) >= cachedLists || c.kept.Load() > cachedNames) {
		oldest := c.lists[c.order[0]]
		oldest.mu.Lock()
		c.kept.Add(-oldest.segments.Len())
		oldest.dropped = true
		oldest.mu.Unlock()
		delete(c.lists, c.order[0])
		c.order = c.order[1:]
	}
	l := new(nameList)
	l.segments.Reserve(startName, endName, brokenName, restName, keyName)
	c.lists[container] = l
	c.order = append(c.order, container)
	return l
}

// segmentsUpTo lists the segments of the first children of a container, at least n of them unless ctx ends.
func (s *stream) segmentsUpTo(ctx context.Context, container, n int64) *nameList {
	l := s.kids.list(container)
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.segments.Len()
	if k >= n {
		return l
	}
	i := container + 1
	if k > 0 {
		i = s.child(container, k)
	}
	for ; k < n; k++ {
		name := s.nameOf(ctx, i, k)
		if ctx.Err() != nil {
			break // names are paths: one that could not be read is none
		}
		l.segments.Add(shorten(name, shownName))
		i = s.next(i)
		if !l.dropped {
			s.kids.kept.Add(1)
		}
	}
	return l
}

// nameOf is the name of entry i, child k of its container.
func (s *stream) nameOf(ctx context.Context, i, k int64) string {
	if name, named := s.nameAt(ctx, i); named {
		return name
	}
	return model.IndexName(k)
}

// shorten cuts a text to about n bytes.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// segment returns the path segment of child k of a container.
func (s *stream) segment(ctx context.Context, container, k int64) string {
	if k < listedNames {
		n, _ := s.count(container)
		l := s.segmentsUpTo(ctx, container, max(min(n, listedNames), k+1))
		l.mu.Lock()
		defer l.mu.Unlock()
		if k < l.segments.Len() {
			return l.segments.At(k)
		}
		return model.IndexName(k) // ctx has ended
	}
	return farSegment(s.nameOf(ctx, s.child(container, k), k), k)
}

// farSegment is the segment of a child that is beyond the list: its number, and its name where it has one.
func farSegment(name string, k int64) string {
	index := model.IndexName(k)
	if name == index {
		return index
	}
	return index + " " + shorten(cmp.Or(name, model.NoName), shownName)
}

// named gives the node of child k of a container the name of its entry, where it is called by its segment.
func (s *stream) named(ctx context.Context, n model.Node, container, k int64) model.Node {
	return n.Named(s.nameOf(ctx, s.child(container, k), k))
}

// childAt finds a child by its segment.
func (s *stream) childAt(ctx context.Context, container int64, segment string) (int64, bool) {
	n, _ := s.count(container)
	if first, _, _ := strings.Cut(segment, " "); strings.HasPrefix(segment, "[") {
		if k, ok := model.ParseIndex(first); ok && k < n && s.segment(ctx, container, k) == segment {
			return k, true
		}
	}
	l := s.segmentsUpTo(ctx, container, min(n, listedNames))
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.segments.Find(segment)
}

// path is the path of entry i in the layout or the entries view.
func (s *stream) path(ctx context.Context, view string, i int64) string {
	var b strings.Builder
	b.WriteString(s.base(view))
	for c := rootEntry; c < i; {
		k, ok := s.childOver(c, i)
		if !ok {
			b.WriteString("/" + endName) // i closes c
			break
		}
		b.WriteString("/" + model.EscapeSegment(s.segment(ctx, c, k)))
		c = s.child(c, k)
	}
	return b.String()
}

// base is the path of the node whose children are the top-level entries.
func (s *stream) base(view string) string {
	switch {
	case view == model.LayoutView:
		return s.opt.layout
	case s.opt.name != "":
		return view + "/" + model.EscapeSegment(s.opt.name)
	}
	return view
}

const keyName = "field key"

// Names of the nodes after the last entry.
const (
	brokenName = "broken entry"
	restName   = "trailing bytes"
)
