package entry

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"cutaway/model"
)

// Entries are named as they are written, unnamed ones [i]. Their segments are the same in the layout and in the entries
// view. The first children of a container have their names, cut if long, with ~2, ~3 for repeated ones. Children beyond
// have "[i]" or "[i] name", so that they need no list. A child keeps its segment while its container grows.
const (
	ListedNames = 1024 // children of a container that are listed
	NameBytes   = 200  // bytes of a long name that its segment has
)

// Names of nodes that are no entries. They have blanks, unlike the names of .NET's members. An entry with such a name
// has name~2 in its path.
const (
	startName  = "start entry"
	endName    = "end entry"
	brokenName = "broken entry"   // after the last entry
	restName   = "trailing bytes" // likewise
	FieldKey   = "field key"      // before the entries of a Nodes list
)

// A nameCache keeps the segments of the children of the containers that were used last.
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

// list returns the segments of a container, and drops those of others if there are too many.
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
	l.segments.Reserve(startName, endName, brokenName, restName, FieldKey)
	c.lists[container] = l
	c.order = append(c.order, container)
	return l
}

// segmentsUpTo returns the segments of the first children of a container, at least n unless ctx ends.
func (s *Stream) segmentsUpTo(ctx context.Context, container, n int64) *nameList {
	l := s.kids.list(container)
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.segments.Len()
	if k >= n {
		return l
	}
	i := container + 1
	if k > 0 {
		i = s.Child(container, k)
	}
	for ; k < n; k++ {
		name := s.Name(ctx, i, k)
		if ctx.Err() != nil {
			break // names are paths: one that could not be read is none
		}
		l.segments.Add(Shorten(name, NameBytes))
		i = s.Next(i)
		if !l.dropped {
			s.kids.kept.Add(1)
		}
	}
	return l
}

// Name returns the name of entry i, child k of its container.
func (s *Stream) Name(ctx context.Context, i, k int64) string {
	if name, named := s.WrittenName(ctx, i); named {
		return name
	}
	return model.IndexName(k)
}

// Shorten cuts a text to about n bytes.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// Segment returns the path segment of child k of a container.
func (s *Stream) Segment(ctx context.Context, container, k int64) string {
	if k < ListedNames {
		n, _ := s.Count(container)
		l := s.segmentsUpTo(ctx, container, max(min(n, ListedNames), k+1))
		l.mu.Lock()
		defer l.mu.Unlock()
		if k < l.segments.Len() {
			return l.segments.At(k)
		}
		return model.IndexName(k) // ctx has ended
	}
	return FarSegment(s.Name(ctx, s.Child(container, k), k), k)
}

// FarSegment returns the segment of a child beyond the list: its number, and its name if it has one.
func FarSegment(name string, k int64) string {
	index := model.IndexName(k)
	if name == index {
		return index
	}
	return index + " " + Shorten(cmp.Or(name, model.NoName), NameBytes)
}

// WithName gives the node of child k of a container the name of its entry, if the node is called by its segment.
func (s *Stream) WithName(ctx context.Context, n model.Node, container, k int64) model.Node {
	return n.Named(s.Name(ctx, s.Child(container, k), k))
}

// ChildAt finds a child by its segment.
func (s *Stream) ChildAt(ctx context.Context, container int64, segment string) (int64, bool) {
	n, _ := s.Count(container)
	if first, _, _ := strings.Cut(segment, " "); strings.HasPrefix(segment, "[") {
		if k, ok := model.ParseIndex(first); ok && k < n && s.Segment(ctx, container, k) == segment {
			return k, true
		}
	}
	l := s.segmentsUpTo(ctx, container, min(n, ListedNames))
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.segments.Find(segment)
}

// Path returns the path of entry i in the layout or the entries view.
func (s *Stream) Path(ctx context.Context, view string, i int64) string {
	var b strings.Builder
	b.WriteString(s.BasePath(view))
	for c := Root; c < i; {
		k, ok := s.ChildOver(c, i)
		if !ok {
			b.WriteString("/" + endName) // i closes c
			break
		}
		b.WriteString("/" + model.EscapeSegment(s.Segment(ctx, c, k)))
		c = s.Child(c, k)
	}
	return b.String()
}

// BasePath returns the path of the node whose children are the top-level entries.
func (s *Stream) BasePath(view string) string {
	switch {
	case view == model.LayoutView:
		return s.opt.Layout
	case s.opt.Name != "":
		return view + "/" + model.EscapeSegment(s.opt.Name)
	}
	return view
}
