package odin

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"cutaway/model"
)

// The names of nodes in the layout and in the entries view are the same: of the first children of a container the
// names as written, with ~2, ~3 for repeated ones and [i] for unnamed ones; of those beyond, "[i]" or "[i] name", so
// that they need no list. A container that grows while it is scanned never renames a child.
const (
	listedNames = 1024
	shownName   = 200 // bytes of a long name that are shown
)

// Names of parts of a container that are no members. They have blanks, as no member of .NET has; an entry of such a
// name all the same becomes name~2.
const (
	startName = "start entry"
	endName   = "end entry"
)

// nameCache keeps the names of the children of the containers that were asked for last.
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
	mu    sync.Mutex
	names []string
	index map[string]int64
	again map[string]int // the number that was given last to a repeated name

	dropped bool // from the cache
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
		c.kept.Add(-int64(len(oldest.names)))
		oldest.dropped = true
		oldest.mu.Unlock()
		delete(c.lists, c.order[0])
		c.order = c.order[1:]
	}
	l := &nameList{index: map[string]int64{}, again: map[string]int{}}
	for _, taken := range []string{startName, endName, brokenName, restName, keyName} {
		l.index[taken] = -1
	}
	c.lists[container] = l
	c.order = append(c.order, container)
	return l
}

// namesUpTo lists the names of the first children of a container, at least n of them unless ctx ends.
func (s *stream) namesUpTo(ctx context.Context, container, n int64) *nameList {
	l := s.kids.list(container)
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(len(l.names)) >= n {
		return l
	}
	i := container + 1
	if k := int64(len(l.names)); k > 0 {
		i = s.child(container, k)
	}
	for k := int64(len(l.names)); k < n; k++ {
		own := s.ownName(ctx, i, k)
		if ctx.Err() != nil {
			break // names are paths: one that could not be read is none
		}
		l.add(own)
		i = s.next(i)
		if !l.dropped {
			s.kids.kept.Add(1)
		}
	}
	return l
}

func (l *nameList) add(own string) {
	name := own
	for _, taken := l.index[name]; taken; _, taken = l.index[name] {
		l.again[own] = max(l.again[own], 1) + 1
		name = own + "~" + strconv.Itoa(l.again[own])
	}
	l.index[name] = int64(len(l.names))
	l.names = append(l.names, name)
}

// next is the entry after the subtree of i.
func (s *stream) next(i int64) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.last(i) + 1
}

// ownName is the name of entry i as child k, before it is made unique.
func (s *stream) ownName(ctx context.Context, i, k int64) string {
	off, length := s.own(i)
	name, named := s.form.nameOf(ctx, s, off, length)
	switch {
	case !named:
		return model.IndexName(k)
	case name == "":
		return `""`
	}
	return shorten(name, shownName)
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

// childName is the name of child k of a container.
func (s *stream) childName(ctx context.Context, container, k int64) string {
	if k < listedNames {
		n, _ := s.count(container)
		l := s.namesUpTo(ctx, container, max(min(n, listedNames), k+1))
		l.mu.Lock()
		defer l.mu.Unlock()
		if k < int64(len(l.names)) {
			return l.names[k]
		}
		return model.IndexName(k)
	}
	i := s.child(container, k)
	own := s.ownName(ctx, i, k)
	if index := model.IndexName(k); own != index {
		return index + " " + own
	}
	return own
}

// childNamed finds a child by its name.
func (s *stream) childNamed(ctx context.Context, container int64, name string) (int64, bool) {
	n, _ := s.count(container)
	if first, _, _ := strings.Cut(name, " "); strings.HasPrefix(name, "[") {
		if k, ok := model.ParseIndex(first); ok && k < n && s.childName(ctx, container, k) == name {
			return k, true
		}
	}
	l := s.namesUpTo(ctx, container, min(n, listedNames))
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.index[name]
	return k, ok && k >= 0
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
		b.WriteString("/" + model.EscapeSegment(s.childName(ctx, c, k)))
		c = s.child(c, k)
	}
	return b.String()
}

// base is the path of the node whose children are the top-level entries.
func (s *stream) base(view string) string {
	switch {
	case view == model.LayoutView:
		return s.layoutPath
	case s.name != "":
		return view + "/" + model.EscapeSegment(s.name)
	}
	return view
}
