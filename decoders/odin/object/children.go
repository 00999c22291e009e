package object

import (
	"context"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A children holds the children of an object: its fields, with the elements of its array in the place of the array.
type children struct {
	o     *Objects
	c     int64
	shape shape

	members model.Memo[*model.Segments] // of those of shape
}

var _ interface {
	model.Children
	model.Pending
	model.Finder
} = (*children)(nil)

// split returns the number of fields before the elements, of elements, and of fields after them.
func (k *children) split() (before, elements, after int64, exact bool) {
	p := &k.shape
	n, exact := k.o.s.Count(k.c)
	if p.array < 0 {
		return n, 0, 0, exact
	}
	list, _ := k.o.s.Count(p.array)
	if p.members != nil {
		list = int64(len(p.members))
	} else if p.ranks != nil {
		list--
	}
	if p.array == k.c {
		return 0, list, 0, exact
	}
	return p.arrayAt, list, n - p.arrayAt - 1, exact
}

func (k *children) Len(context.Context) (int64, bool) {
	before, elements, after, exact := k.split()
	return before + elements + after, exact
}

func (k *children) Pending() bool { return k.o.s.IsOpen(k.c) }

func (k *children) Resolve(ctx context.Context, progress model.Progress) error {
	return k.o.s.ScanContainer(ctx, progress, k.c)
}

func (k *children) At(ctx context.Context, at int64) model.Node {
	before, elements, _, _ := k.split()
	switch {
	case at < before:
		return k.field(ctx, at)
	case at < before+elements:
		return k.element(ctx, at-before)
	}
	return k.field(ctx, at-elements+1)
}

// field returns the node of child number of the entry.
func (k *children) field(ctx context.Context, number int64) model.Node {
	segment, written := k.segment(ctx, number)
	n := k.o.Node(ctx, k.o.s.Child(k.c, number), segment)
	if written {
		n = k.o.s.WithName(ctx, n, k.c, number)
	}
	return n
}

// segment returns the path segment of the field that child number of the node is, and whether the stream has its name.
func (k *children) segment(ctx context.Context, number int64) (segment string, written bool) {
	segment = k.o.s.Segment(ctx, k.c, number)
	unnamed := segment == model.IndexName(number)
	switch {
	case k.shape.pair && pairNames[segment] != "":
		return pairNames[segment], false
	case unnamed && number < int64(len(k.shape.names)):
		return k.shape.names[number], false
	case unnamed && k.shape.array >= 0:
		return "field " + segment, false
	}
	return segment, true
}

// element returns element i of the array.
func (k *children) element(ctx context.Context, i int64) model.Node {
	o, p := k.o, &k.shape
	switch {
	case p.members != nil:
		return k.memberNode(ctx, i)
	case p.ranks != nil:
		return o.Node(ctx, o.s.Child(p.array, i+1), gridName(p.ranks, i))
	}
	n := o.Node(ctx, o.s.Child(p.array, i), model.IndexName(i))
	if declared := p.typ.ElementOrArgument(); declared != "" && unsized(n.Type) {
		n.Type = declared
	}
	return n
}

// unsized reports whether a type is that of a number whose width a text form does not record.
func unsized(typ string) bool {
	return typ == kind.Integer.Keyword() || typ == kind.FloatingPoint.Keyword()
}

// memberNode returns a member of an ISerializable type: the value, with the type that the pair declares.
func (k *children) memberNode(ctx context.Context, i int64) model.Node {
	o, m := k.o, k.shape.members[i]
	var n model.Node
	if m.Value >= 0 {
		n = o.Node(ctx, m.Value, k.memberSegment(ctx, i)).Named(k.memberName(ctx, i))
	}
	if m.Type >= 0 {
		typ := o.s.Entry(ctx, m.Type)
		declared, _ := typ.Value.(model.Text)
		at := o.s.OwnSpan(&typ)
		if m.Value < 0 {
			n = model.Node{Name: k.memberName(ctx, i), Value: model.None{}, Brief: "the value is missing", Spans: []model.Span{at},
				Refs: o.s.EntryRefs(m.Type)}
		} else {
			n.Spans = append(n.Spans, at)
		}
		if n.Type == "" || n.Type == "null" || m.Value < 0 || unsized(n.Type) {
			n.Type = dotnet.Short(string(declared))
		}
		n.Help = "declared as " + string(declared)
	}
	return n
}

// memberName returns the name of a member's value, or the number of a member without a value.
func (k *children) memberName(ctx context.Context, i int64) string {
	m := k.shape.members[i]
	if m.Value < 0 {
		return model.IndexName(i)
	}
	return k.o.s.Name(ctx, m.Value, i)
}

// memberSegment returns the path segment of a member.
func (k *children) memberSegment(ctx context.Context, i int64) string {
	if i >= entry.ListedNames {
		return entry.FarSegment(k.memberName(ctx, i), i)
	}
	return k.memberSegments(ctx).At(i)
}

// memberSegments returns the segments of the first members.
func (k *children) memberSegments(ctx context.Context) *model.Segments {
	return k.members.Get(ctx, func(ctx context.Context) *model.Segments {
		all := new(model.Segments)
		for i := range k.shape.members[:min(len(k.shape.members), entry.ListedNames)] {
			all.Add(entry.Shorten(k.memberName(ctx, int64(i)), entry.NameBytes))
		}
		return all
	})
}

func (k *children) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return k.locate(ctx, q.Source, q.Off)
	}
	return k.index(ctx, q.Name)
}

func (k *children) index(ctx context.Context, segment string) (int64, bool) {
	if i, ok := k.elementAt(ctx, segment); ok {
		return i, true
	}
	p := &k.shape
	is := func(number int64) bool {
		of, _ := k.segment(ctx, number)
		return of == segment
	}
	before, _, after, _ := k.split()
	for i := range min(int64(len(p.names)), before+after+1) {
		if (i != p.arrayAt || p.array < 0) && is(i) {
			return k.position(i), true
		}
	}
	if k.c == p.array {
		return 0, false
	}
	written := strings.TrimPrefix(segment, "field ")
	if p.pair {
		for own, shown := range pairNames {
			if shown == segment {
				written = own
			}
		}
	}
	number, ok := k.o.s.ChildAt(ctx, k.c, written)
	if !ok || p.array >= 0 && number == p.arrayAt || !is(number) {
		return 0, false
	}
	return k.position(number), true
}

// elementAt finds an element of the array, or a member, by its segment.
func (k *children) elementAt(ctx context.Context, segment string) (int64, bool) {
	before, elements, _, _ := k.split()
	i, ok := model.ParseIndex(segment)
	switch {
	case k.shape.ranks != nil:
		i, ok = gridIndex(k.shape.ranks, segment)
	case k.shape.members != nil:
		i, ok = k.memberAt(ctx, segment)
	}
	return before + i, ok && i < elements
}

// memberAt finds a member by its segment.
func (k *children) memberAt(ctx context.Context, segment string) (int64, bool) {
	first, _, _ := strings.Cut(segment, " ")
	if i, ok := model.ParseIndex(first); ok && i >= entry.ListedNames {
		return i, i < int64(len(k.shape.members)) && k.memberSegment(ctx, i) == segment
	}
	return k.memberSegments(ctx).Find(segment)
}

// position returns the index of child number among the children shown.
func (k *children) position(number int64) int64 {
	if k.shape.array < 0 || number < k.shape.arrayAt {
		return number
	}
	_, elements, _, _ := k.split()
	return number - 1 + elements
}

// gridIndex returns the number of the element that gridName gives a name, or false if no element has it.
func gridIndex(ranks []int64, name string) (int64, bool) {
	if len(name) < 2 || name[0] != '[' || name[len(name)-1] != ']' {
		return 0, false
	}
	index := entry.ParseRanks(strings.ReplaceAll(name[1:len(name)-1], ",", "|"))
	if len(index) != len(ranks) {
		return 0, false
	}
	i := int64(0)
	for d, at := range index {
		n := max(ranks[d], 1)
		if d > 0 && at >= n || i > entry.MaxEntries || at > entry.MaxEntries {
			return 0, false
		}
		i = i*n + at
	}
	return i, true
}

func (k *children) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(k.o.s.Source()) {
		return 0, false
	}
	e, ok := k.o.s.EntryAt(off)
	if !ok {
		return 0, false
	}
	return k.childOver(e)
}

// childOver returns the index of the child whose entries hold entry e.
func (k *children) childOver(e int64) (int64, bool) {
	before, elements, _, _ := k.split()
	p := &k.shape
	if p.array != k.c {
		number, ok := k.o.s.ChildOver(k.c, e)
		if !ok {
			return 0, false
		}
		if p.array < 0 || number != p.arrayAt {
			return k.position(number), true
		}
	}
	i, ok := k.o.s.ChildOver(p.array, e)
	switch {
	case !ok:
		return 0, false
	case p.ranks != nil:
		return before + i - 1, i > 0 && i-1 < elements
	case p.members != nil:
		child := k.o.s.Child(p.array, i)
		for m, pair := range p.members {
			if pair.Type == child || pair.Value == child {
				return before + int64(m), true
			}
		}
		return 0, false
	}
	return before + i, true
}
