package odin

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// objectNode is entry i in the object view: what it means, by the type of its node and the shape of what is in it.
func (s *stream) objectNode(ctx context.Context, i int64, name string) model.Node {
	e := s.entry(ctx, i)
	return s.objectOf(ctx, &e, name)
}

func (s *stream) objectOf(ctx context.Context, e *entry, name string) model.Node {
	n := model.Node{Name: name, Type: s.objectType(ctx, e), Value: s.objectValue(ctx, e), Spans: []model.Span{s.viewSpan(e)}}
	if s.class(e.i) == plain {
		n.Spans[0] = s.ownSpan(e)
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{{Kind: "entry", Path: s.path(ctx, viewEntries, e.i)}}
		return append(refs, s.targetRefs(ctx, viewObjects, e)...)
	}
	if e.kind == kPrimitives && e.value == nil && s.class(e.i) == plain {
		s.showPrimitives(ctx, &n, e)
		return n
	}
	if s.class(e.i) == plain {
		return n
	}
	n.Help = e.typ.name
	n.Problems = s.containerProblems(ctx, e, n.Spans[0])
	p := s.planOf(ctx, e)
	if p.leaf >= 0 {
		s.showLeaf(ctx, &n, &p)
		return n
	}
	k := &objectChildren{s: s, c: e.i, plan: p}
	if e.kind == kArray || e.kind == kPrimitives {
		k.plan.array, k.plan.arrayAt = e.i, -1
		s.planArray(ctx, &k.plan)
	}
	n.Brief = s.objectBrief(ctx, e, &k.plan)
	if v := s.wholeValue(ctx, e, &k.plan); v != nil {
		n.Value = v
	}
	n.Children = k
	if a := k.plan.array; a >= 0 && !s.isOpen(a) {
		if list := s.entry(ctx, a); list.kind == kPrimitives {
			n.Value, n.Elements = s.listValue(&list), true
		} else {
			n.Columns = []model.Column{}
		}
		if a != e.i {
			list := s.entry(ctx, a)
			if pr, ok := s.arrayProblem(ctx, &list, s.viewSpan(&list)); ok {
				n.Problems = append(n.Problems, pr)
			}
		}
	}
	return n
}

// listValue is the elements of a primitive array of a text form.
func (s *stream) listValue(list *entry) model.Value {
	n, _ := s.count(list.i)
	return &model.Elements{Type: "", Count: n, Make: func(ctx context.Context, i int64) (model.Value, error) {
		e := s.entry(ctx, s.child(list.i, i))
		return e.value, nil
	}}
}

// objectType returns the type of the object that an entry stands for.
func (s *stream) objectType(ctx context.Context, e *entry) string {
	switch e.kind {
	case kRefNode, kStructNode:
		if e.typ.name != "" {
			return dotnet.Short(e.typ.name)
		}
		if e.typ.tag == idTypeID {
			return fmt.Sprintf("type %d", e.typ.id)
		}
		if p := s.planOf(ctx, e); p.pair {
			return "pair"
		}
		return ""
	case kInternal:
		if target, ok := s.nodeOf(ctx, e.ref); ok && target < e.i {
			t := s.entry(ctx, target)
			return dotnet.Short(t.typ.name)
		}
		return "reference"
	case kExternalIndex, kExternalGUID, kExternalString:
		return "external reference"
	case kNull:
		return "null"
	}
	if word := kinds[e.kind].keyword; word != "" {
		return word
	}
	return kinds[e.kind].name
}

// objectValue is the value of an entry that is no container.
func (s *stream) objectValue(ctx context.Context, e *entry) model.Value {
	switch e.kind {
	case kInternal:
		return model.Text(s.referenceText(ctx, e))
	case kExternalIndex:
		if o, ok := s.external(e.ref); ok {
			return model.Text(fmt.Sprintf("→ object %d: %s", e.ref, o.text))
		}
		return model.Text(fmt.Sprintf("→ object %d", e.ref))
	case kExternalGUID, kExternalString:
		return model.Text("→ " + model.Show(ctx, e.value, textio.MaxBytes))
	}
	return e.value
}

// referenceText names the node that an internal reference leads to, with its value where it is but one.
func (s *stream) referenceText(ctx context.Context, e *entry) string {
	text := fmt.Sprintf("→ #%d", e.ref)
	target, ok := s.nodeOf(ctx, e.ref)
	if !ok || target >= e.i {
		return text
	}
	t := s.entry(ctx, target)
	p := s.planOf(ctx, &t)
	if p.leaf == noEntry {
		return text
	}
	if child := s.entry(ctx, p.leaf); child.isScalar() {
		text += " " + model.Show(ctx, meaning(ctx, &p.typ, child.value), 60)
	}
	return text
}

// showLeaf gives an object the value of its only child.
func (s *stream) showLeaf(ctx context.Context, n *model.Node, p *plan) {
	child := s.entry(ctx, p.leaf)
	if !child.isScalar() {
		inner := s.objectOf(ctx, &child, n.Name)
		n.Value, n.Brief, n.Children, n.Elements = inner.Value, inner.Brief, inner.Children, inner.Elements
		if child.kind != kPrimitives {
			n.Problems = append(n.Problems, inner.Problems...)
		}
		return
	}
	t := &p.typ
	if t.Full == nullableName && len(t.Args) == 1 {
		t = &t.Args[0]
	}
	n.Value = meaning(ctx, t, s.objectValue(ctx, &child))
}

// wholeValue is the value of an object of few scalars that are written by position: a vector, a colour, a version.
func (s *stream) wholeValue(ctx context.Context, e *entry, p *plan) model.Value {
	n, exact := s.count(e.i)
	if p.names == nil || !exact || n == 0 || n > int64(len(p.names)) || p.array >= 0 {
		return nil
	}
	var tuple model.Tuple
	for k := range n {
		child := s.entry(ctx, s.child(e.i, k))
		if child.named {
			return nil
		}
		v := s.objectValue(ctx, &child)
		if !child.isScalar() {
			if !child.isNode() || n > 2 {
				return nil
			}
			inner := s.planOf(ctx, &child)
			if v = s.wholeValue(ctx, &child, &inner); v == nil {
				return nil
			}
		}
		tuple = append(tuple, v)
	}
	if p.typ.Full == "System.Version" {
		return model.Text(versionText(ctx, tuple))
	}
	return tuple
}

func versionText(ctx context.Context, parts model.Tuple) string {
	var words []string
	for _, v := range parts {
		if v != model.Int(-1) {
			words = append(words, model.Show(ctx, v, 20))
		}
	}
	return strings.Join(words, ".")
}

// objectBrief says what an object is, in a few words.
func (s *stream) objectBrief(ctx context.Context, e *entry, p *plan) string {
	var words []string
	if e.node != noNodeFound {
		words = append(words, fmt.Sprintf("#%d", e.node))
	}
	n, exact := s.count(e.i)
	switch {
	case p.pair && n == 2:
		return s.pairBrief(ctx, e)
	case p.array >= 0:
		list := s.entry(ctx, p.array)
		text := s.arrayBrief(ctx, &list)
		if p.ranks != nil {
			sizes := make([]string, len(p.ranks))
			for i, r := range p.ranks {
				sizes[i] = fmt.Sprint(r)
			}
			text = strings.Join(sizes, " × ") + ": " + text
		}
		words = append(words, text)
	case !exact:
	default:
		words = append(words, model.Counted(n, "field"))
	}
	return strings.Join(words, ", ")
}

// pairBrief is a pair of a dictionary as key → value, where they are values.
func (s *stream) pairBrief(ctx context.Context, e *entry) string {
	var words []string
	for k := range int64(2) {
		n := s.objectNode(ctx, s.child(e.i, k), "")
		switch {
		case n.Value != nil:
			words = append(words, model.Show(ctx, n.Value, 40))
		default:
			words = append(words, n.Type)
		}
	}
	return strings.Join(words, " → ")
}

// objectChildren is the children of an object: its fields, with the elements of its array in the array's place.
type objectChildren struct {
	s    *stream
	c    int64
	plan plan

	members model.Memo[*model.Segments] // of those of plan
}

var _ interface {
	model.Children
	model.Pending
	model.Finder
} = (*objectChildren)(nil)

// split returns the number of fields before the elements, of elements, and of fields after them.
func (k *objectChildren) split() (before, elements, after int64, exact bool) {
	p := &k.plan
	n, exact := k.s.count(k.c)
	if p.array < 0 {
		return n, 0, 0, exact
	}
	list, _ := k.s.count(p.array)
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

func (k *objectChildren) Len(context.Context) (int64, bool) {
	before, elements, after, exact := k.split()
	return before + elements + after, exact
}

func (k *objectChildren) Pending() bool { return k.s.isOpen(k.c) }

func (k *objectChildren) Resolve(ctx context.Context, progress model.Progress) error {
	return k.s.closed(ctx, progress, k.c)
}

func (k *objectChildren) At(ctx context.Context, at int64) model.Node {
	before, elements, _, _ := k.split()
	switch {
	case at < before:
		return k.field(ctx, at)
	case at < before+elements:
		return k.element(ctx, at-before)
	}
	return k.field(ctx, at-elements+1)
}

// field is the field that child number k of the node is.
func (k *objectChildren) field(ctx context.Context, number int64) model.Node {
	segment, written := k.segment(ctx, number)
	n := k.s.objectNode(ctx, k.s.child(k.c, number), segment)
	if written {
		n = k.s.named(ctx, n, k.c, number)
	}
	return n
}

// segment returns the path segment of the field that child number of the node is, and whether the stream has its name.
func (k *objectChildren) segment(ctx context.Context, number int64) (segment string, written bool) {
	segment = k.s.segment(ctx, k.c, number)
	unnamed := segment == model.IndexName(number)
	switch {
	case k.plan.pair && pairNames[segment] != "":
		return pairNames[segment], false
	case unnamed && number < int64(len(k.plan.names)):
		return k.plan.names[number], false
	case unnamed && k.plan.array >= 0:
		return "field " + segment, false
	}
	return segment, true
}

// element is element i of the array.
func (k *objectChildren) element(ctx context.Context, i int64) model.Node {
	s, p := k.s, &k.plan
	switch {
	case p.members != nil:
		return k.memberNode(ctx, i)
	case p.ranks != nil:
		return s.objectNode(ctx, s.child(p.array, i+1), gridName(p.ranks, i))
	}
	n := s.objectNode(ctx, s.child(p.array, i), model.IndexName(i))
	if declared := p.typ.ElementOrArgument(); declared != "" && unsized(n.Type) {
		n.Type = declared
	}
	return n
}

// unsized reports whether a type is that of a number whose width a text form does not record.
func unsized(typ string) bool {
	return typ == kinds[kInteger].keyword || typ == kinds[kFloating].keyword
}

// memberNode is a member of an ISerializable type: the value, with the type that the pair declares.
func (k *objectChildren) memberNode(ctx context.Context, i int64) model.Node {
	s, m := k.s, k.plan.members[i]
	var n model.Node
	if m.value >= 0 {
		n = s.objectNode(ctx, m.value, k.memberSegment(ctx, i)).Named(k.memberName(ctx, i))
	}
	if m.typ >= 0 {
		typ := s.entry(ctx, m.typ)
		declared, _ := typ.value.(model.Text)
		at := s.ownSpan(&typ)
		if m.value < 0 {
			n = model.Node{Name: k.memberName(ctx, i), Value: model.None{}, Brief: "the value is missing", Spans: []model.Span{at},
				Refs: func(ctx context.Context) []model.Ref {
					return []model.Ref{{Kind: "entry", Path: s.path(ctx, viewEntries, m.typ)}}
				}}
		} else {
			n.Spans = append(n.Spans, at)
		}
		if n.Type == "" || n.Type == "null" || m.value < 0 || unsized(n.Type) {
			n.Type = dotnet.Short(string(declared))
		}
		n.Help = "declared as " + string(declared)
	}
	return n
}

// memberName is the name of the member's value; of one without a value, its number.
func (k *objectChildren) memberName(ctx context.Context, i int64) string {
	m := k.plan.members[i]
	if m.value < 0 {
		return model.IndexName(i)
	}
	return k.s.nameOf(ctx, m.value, i)
}

// memberSegment returns the path segment of a member.
func (k *objectChildren) memberSegment(ctx context.Context, i int64) string {
	if i >= listedNames {
		return farSegment(k.memberName(ctx, i), i)
	}
	return k.memberSegments(ctx).At(i)
}

// memberSegments are the segments of the first members.
func (k *objectChildren) memberSegments(ctx context.Context) *model.Segments {
	return k.members.Get(ctx, func(ctx context.Context) *model.Segments {
		all := new(model.Segments)
		for i := range k.plan.members[:min(len(k.plan.members), listedNames)] {
			all.Add(shorten(k.memberName(ctx, int64(i)), shownName))
		}
		return all
	})
}

func (k *objectChildren) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return k.locate(ctx, q.Source, q.Off)
	}
	return k.index(ctx, q.Name)
}

func (k *objectChildren) index(ctx context.Context, segment string) (int64, bool) {
	if i, ok := k.elementAt(ctx, segment); ok {
		return i, true
	}
	p := &k.plan
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
	number, ok := k.s.childAt(ctx, k.c, written)
	if !ok || p.array >= 0 && number == p.arrayAt || !is(number) {
		return 0, false
	}
	return k.position(number), true
}

// elementAt finds an element of the array, or a member, by its segment.
func (k *objectChildren) elementAt(ctx context.Context, segment string) (int64, bool) {
	before, elements, _, _ := k.split()
	i, ok := model.ParseIndex(segment)
	switch {
	case k.plan.ranks != nil:
		i, ok = gridIndex(k.plan.ranks, segment)
	case k.plan.members != nil:
		i, ok = k.memberAt(ctx, segment)
	}
	return before + i, ok && i < elements
}

// memberAt finds a member by its segment.
func (k *objectChildren) memberAt(ctx context.Context, segment string) (int64, bool) {
	first, _, _ := strings.Cut(segment, " ")
	if i, ok := model.ParseIndex(first); ok && i >= listedNames {
		return i, i < int64(len(k.plan.members)) && k.memberSegment(ctx, i) == segment
	}
	return k.memberSegments(ctx).Find(segment)
}

// position returns the index of child number among the children shown.
func (k *objectChildren) position(number int64) int64 {
	if k.plan.array < 0 || number < k.plan.arrayAt {
		return number
	}
	_, elements, _, _ := k.split()
	return number - 1 + elements
}

// gridIndex is the inverse of gridName.
func gridIndex(ranks []int64, name string) (int64, bool) {
	if len(name) < 2 || name[0] != '[' || name[len(name)-1] != ']' {
		return 0, false
	}
	index := parseRanks(strings.ReplaceAll(name[1:len(name)-1], ",", "|"))
	if len(index) != len(ranks) {
		return 0, false
	}
	i := int64(0)
	for d, at := range index {
		n := max(ranks[d], 1)
		if d > 0 && at >= n || i > maxEntries || at > maxEntries {
			return 0, false
		}
		i = i*n + at
	}
	return i, true
}

func (k *objectChildren) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(k.s.src) {
		return 0, false
	}
	e, ok := k.s.entryAt(off)
	if !ok {
		return 0, false
	}
	return k.childOver(e)
}

// childOver returns the index of the child whose entries hold entry e.
func (k *objectChildren) childOver(e int64) (int64, bool) {
	before, elements, _, _ := k.split()
	p := &k.plan
	if p.array != k.c {
		number, ok := k.s.childOver(k.c, e)
		if !ok {
			return 0, false
		}
		if p.array < 0 || number != p.arrayAt {
			return k.position(number), true
		}
	}
	i, ok := k.s.childOver(p.array, e)
	switch {
	case !ok:
		return 0, false
	case p.ranks != nil:
		return before + i - 1, i > 0 && i-1 < elements
	case p.members != nil:
		child := k.s.child(p.array, i)
		for m, pair := range p.members {
			if pair.typ == child || pair.value == child {
				return before + int64(m), true
			}
		}
		return 0, false
	}
	return before + i, true
}

// objectPath is the path of the object view's node that shows entry i, or of the deepest one that holds it.
func (s *stream) objectPath(ctx context.Context, i int64) string {
	var b strings.Builder
	b.WriteString(s.base(viewObjects))
	k := &objectChildren{s: s, c: rootEntry, plan: noPlan()}
	for {
		at, ok := k.childOver(i)
		if !ok {
			return b.String()
		}
		n := k.At(ctx, at)
		b.WriteString(n.PathUnder(""))
		inner, ok := n.Children.(*objectChildren)
		if !ok {
			return b.String()
		}
		k = inner
	}
}

// pathIn is the path of entry i in a view.
func (s *stream) pathIn(ctx context.Context, view string, i int64) string {
	if view == viewObjects {
		return s.objectPath(ctx, i)
	}
	return s.path(ctx, view, i)
}

// objectsRoot is the root of the object view of one stream.
func (s *stream) objectsRoot(name string) model.Node {
	return model.Node{Name: name, Type: s.form.encoding() + " stream", Spans: []model.Span{s.bounds()},
		Children: &objectChildren{s: s, c: rootEntry, plan: noPlan()}, Help: "the objects that the entries describe"}
}
