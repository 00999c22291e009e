package entry

import (
	"context"
	"fmt"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A containerChildren holds the children of a container. In the layout they are its start, its entries and its end, and
// after the top-level entries the bytes that could not be followed. In the entries view they are its entries and its
// end. They grow while the stream is scanned.
type containerChildren struct {
	s      *Stream
	c      int64
	layout bool
}

var _ interface {
	model.Children
	model.Pending
	model.Finder
} = (*containerChildren)(nil)

// first returns the position of the first entry among the children.
func (k *containerChildren) first() int64 {
	if k.layout && k.c != Root {
		return 1
	}
	return 0
}

func (k *containerChildren) Len(ctx context.Context) (int64, bool) {
	n, exact := k.s.Count(k.c)
	n += k.first()
	if !exact {
		return n, false
	}
	if _, ok := k.s.endEntry(k.c); ok {
		n++
	}
	if k.layout && k.c == Root {
		n += int64(len(k.s.rest(ctx)))
	}
	return n, true
}

func (k *containerChildren) At(ctx context.Context, number int64) model.Node {
	i := number - k.first()
	n, _ := k.s.Count(k.c)
	switch {
	case i < 0:
		return k.startNode()
	case i < n:
		e := k.s.Child(k.c, i)
		segment := k.s.Segment(ctx, k.c, i)
		if k.layout {
			return k.s.WithName(ctx, k.layoutNode(ctx, e, segment), k.c, i)
		}
		return k.s.WithName(ctx, k.s.entryNode(ctx, e, segment), k.c, i)
	}
	if end, ok := k.s.endEntry(k.c); ok {
		if k.layout {
			return k.layoutNode(ctx, end, endName)
		}
		return k.s.entryNode(ctx, end, endName)
	}
	if rest := k.s.rest(ctx); i-n < int64(len(rest)) {
		return rest[i-n]
	}
	at := k.s.Bounds() // the context ended after the number of children was asked for
	return model.Node{Spans: []model.Span{at}, Problems: []model.Problem{model.AsProblem(ctx.Err(), RuleTruncated, at)}}
}

func (k *containerChildren) Pending() bool { return k.s.IsOpen(k.c) }

func (k *containerChildren) Resolve(ctx context.Context, progress model.Progress) error {
	return k.s.ScanContainer(ctx, progress, k.c)
}

func (k *containerChildren) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return k.locate(ctx, q.Source, q.Off)
	}
	return k.index(ctx, q.Name)
}

func (k *containerChildren) index(ctx context.Context, segment string) (int64, bool) {
	if i, ok := k.s.ChildAt(ctx, k.c, segment); ok {
		return i + k.first(), true
	}
	n, exact := k.Len(ctx)
	if segment == startName && k.first() == 1 {
		return 0, true
	}
	if !exact {
		return 0, false
	}
	count, _ := k.s.Count(k.c)
	for i := k.first() + count; i < n; i++ {
		if n := k.At(ctx, i); n.InPath() == segment {
			return i, true
		}
	}
	return 0, false
}

func (k *containerChildren) locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(k.s.src) {
		return 0, false
	}
	e, ok := k.s.EntryAt(off)
	if !ok {
		if !k.layout || k.c != Root {
			return 0, false
		}
		count, _ := k.s.Count(k.c)
		for i, n := range k.s.rest(ctx) {
			if n.Span().Covers(src, off) {
				return count + int64(i), true
			}
		}
		return 0, false
	}
	if e == k.c {
		return 0, k.first() == 1
	}
	if i, ok := k.s.ChildOver(k.c, e); ok {
		return i + k.first(), true
	}
	if end, ok := k.s.endEntry(k.c); ok && end == e {
		count, _ := k.s.Count(k.c)
		return count + k.first(), true
	}
	return 0, false
}

// rest returns the layout after the last entry, or nil before the stream is scanned or when ctx has ended.
func (s *Stream) rest(ctx context.Context) []model.Node {
	if !s.complete() {
		return nil
	}
	nodes, err := s.tail.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*[]model.Node, error) {
		nodes := s.restNodes(ctx, s.indexedTo())
		return &nodes, nil
	})
	if err != nil {
		return nil
	}
	return *nodes
}

// fieldsOf returns the fields of an entry.
func (s *Stream) fieldsOf(i int64) model.Children {
	return model.Defer(func(ctx context.Context) model.Children {
		off, length := s.OwnRange(i)
		return s.form.fields(ctx, s, i, off, length)
	})
}

// startNode returns the node of the entry that begins the container.
func (k *containerChildren) startNode() model.Node {
	off, length := k.s.OwnRange(k.c)
	return model.Node{Name: startName, Spans: []model.Span{k.s.src.Span(off, length)}, Children: k.s.fieldsOf(k.c)}
}

// layoutNode returns the node of entry i of the container in the layout.
func (k *containerChildren) layoutNode(ctx context.Context, i int64, name string) model.Node {
	s := k.s
	e := s.Entry(ctx, i)
	n := model.Node{Name: name, Type: e.Word, Brief: s.brief(ctx, &e), Spans: []model.Span{s.Span(i)}}
	if !s.IsContainer(i) {
		n.Children = s.fieldsOf(i)
		if name != endName && e.isEnd() && !s.isDeep(k.c) {
			n.Problems = []model.Problem{model.Problemf(model.Malformed, ruleStrayEnd, n.Spans[0],
				"the entry does not close what is open here; readers drop it").Want(k.closing(), e.Word)}
		}
		return n
	}
	n.Children = &containerChildren{s: s, c: i, layout: true}
	n.Problems = s.ContainerProblems(ctx, &e, n.Spans[0])
	return n
}

// closing names the entry that closes the container.
func (k *containerChildren) closing() string {
	switch {
	case k.c == Root:
		return "no end, since nothing is open"
	case k.s.IsArray(k.c):
		return kind.EndOfArray.String()
	}
	return kind.EndOfNode.String()
}

// ContainerProblems returns the problems of a container as a whole, none before it is scanned to its end.
func (s *Stream) ContainerProblems(ctx context.Context, e *Entry, at model.Span) []model.Problem {
	if s.IsOpen(e.Number) {
		return nil
	}
	var list []model.Problem
	if s.unclosed(e.Number) && s.Indexed() < s.most {
		what := "node"
		if e.Kind == kind.Array {
			what = "array"
		}
		p := model.Problemf(model.Truncated, ruleUnclosed, s.src.Span(e.Off, e.Len), "the %s is never closed: the entries end inside it", what)
		if rest := s.rest(ctx); len(rest) > 0 {
			p.Because = rest[0].Span()
		}
		list = append(list, p)
	}
	if deep, is := s.firstDeep(e.Number); is {
		off, length := s.OwnRange(deep)
		list = append(list, model.Problemf(model.Limit, ruleDepth, s.src.Span(off, length),
			"containers are nested deeper than this program follows; what is in them is listed flat").
			Want(fmt.Sprintf("at most %d levels", maxDepth), "more"))
	}
	if p, ok := s.ArrayProblem(ctx, e, at); ok {
		list = append(list, p)
	}
	return list
}

// brief describes the content of an entry in a few words.
func (s *Stream) brief(ctx context.Context, e *Entry) string {
	switch e.Kind {
	case kind.ReferenceNode, kind.StructNode:
		text := "no type"
		if e.Type.Name != "" {
			text = dotnet.Readable(e.Type.Name)
		} else if e.Type.Tag == kind.TypeID {
			text = fmt.Sprintf("type %d", e.Type.ID)
		}
		if e.Node != NoNode {
			text += fmt.Sprintf(" #%d", e.Node)
		}
		return text
	case kind.Array:
		return s.ArrayBrief(ctx, e)
	case kind.PrimitiveArray:
		if s.IsArray(e.Number) {
			return s.ArrayBrief(ctx, e)
		}
		return fmt.Sprintf("%d × %d bytes", e.Count, e.Size)
	}
	return model.Show(ctx, e.Value, 60)
}

// restNodes returns the layout of the bytes after the last entry.
func (s *Stream) restNodes(ctx context.Context, off int64) []model.Node {
	if s.Indexed() < s.most {
		return s.form.rest(ctx, s, off)
	}
	at := s.src.Span(off, s.end-off)
	if at.Len == 0 {
		return nil
	}
	return []model.Node{{Name: restName, Type: "bytes", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at}, Help: "entries beyond the limit",
		Problems: []model.Problem{model.Problemf(model.Limit, ruleTooMany, at,
			"more entries than Cutaway's limit, which follows from how much memory it may use; --max-memory raises it").
			WantAtMost(s.most, "more")}}}
}

// LayoutRoot returns the root of the layout of a source that is one stream.
func (s *Stream) LayoutRoot(name string) model.Node {
	return model.Node{Name: name, Type: s.Encoding() + " stream", Spans: []model.Span{s.Bounds()},
		Children: s.LayoutChildren()}
}

// LayoutChildren returns the top-level entries in the layout, and the nodes after the last.
func (s *Stream) LayoutChildren() model.Children {
	return &containerChildren{s: s, c: Root, layout: true}
}
