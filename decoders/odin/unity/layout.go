package unity

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// The layout of a Unity file: a header, then its objects with their lines; the fields with payloads stand out.
const (
	listedLines = 4096 // lines of an object that are nodes of their own
	blockLines  = 256  // lines of a node beyond
)

// A layout makes the layout of a Unity file.
type layout struct {
	*File
	fieldNode func(ctx context.Context, p *Field) model.Node // of a field with a payload
}

// Layout returns the root of the layout of a file. fieldNode makes the node of a field.
func (f *File) Layout(fieldNode func(ctx context.Context, p *Field) model.Node) model.Node {
	u := &layout{f, fieldNode}
	return model.Node{Name: model.LayoutView, Type: "Unity YAML", Spans: []model.Span{u.source.Whole()}, Children: u.children(),
		Brief: model.Counted(int64(len(u.objects)), "object") + ", " + model.Counted(int64(len(u.Fields)), "payload")}
}

// start returns the offset of the first object.
func (u *layout) start() int64 {
	if len(u.objects) == 0 {
		return u.source.Size()
	}
	return u.objects[0].off
}

// end returns the offset after an object.
func (u *layout) end(doc int) int64 {
	if doc+1 < len(u.objects) {
		return u.objects[doc+1].off
	}
	return u.source.Size()
}

// children returns the header and the objects.
func (u *layout) children() model.Children {
	const header = "header"
	shift := int64(0)
	if u.start() > 0 {
		shift = 1
	}
	return &model.Rows{Count: int64(len(u.objects)) + shift,
		Make: func(_ context.Context, i int64) model.Node {
			if i < shift {
				at := u.source.Span(0, u.start())
				return model.Node{Name: header, Type: "YAML", Spans: []model.Span{at}, Children: u.lines(at.Off, at.End(), 1, nil)}
			}
			return u.objectNode(int(i - shift))
		},
		ByName: func(_ context.Context, name string) (int64, bool) {
			if name == header {
				return 0, shift == 1
			}
			i, ok := model.ParseIndex(name)
			return i + shift, ok && i < int64(len(u.objects))
		},
		ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
			if !src.Same(u.source) || off < 0 || off >= src.Size() {
				return 0, false
			}
			return int64(sort.Search(len(u.objects), func(i int) bool { return u.objects[i].off > off })) - 1 + shift, true
		},
	}
}

// objectNode returns one object of the file.
func (u *layout) objectNode(k int) model.Node {
	d := &u.objects[k]
	at := u.source.Span(d.off, u.end(k)-d.off)
	n := model.Node{Name: model.IndexName(int64(k)), Type: d.class, Brief: d.head, Spans: []model.Span{at}}
	fields := u.fieldsOf(k)
	if len(fields) > 0 {
		n.Brief = fields[0].Carrier.String()
	}
	n.Children = u.lines(at.Off, at.End(), d.line, fields)
	return n
}

// lines returns the lines of a range, found when they are shown. number is that of the first.
func (u *layout) lines(off, end int64, number int, fields []*Field) model.Children {
	return model.DeferList(func(ctx context.Context) []model.Node {
		var nodes []model.Node
		fields, number := fields, number
		l := textio.Lines{Window: textio.NewWindow(ctx, u.source, end, textio.PassAhead), Pos: off}
		for l.Pos < end {
			if len(fields) > 0 && fields[0].Line == l.Pos {
				p := fields[0]
				fields = fields[1:]
				nodes = append(nodes, u.fieldNode(ctx, p))
				for l.Pos < p.LineEnd {
					if _, ok := l.Next(); !ok {
						break
					}
					number++
				}
				l.Pos = p.LineEnd
				continue
			}
			from, first := l.Pos, number
			many := 1
			if len(nodes) >= listedLines {
				many = blockLines
			}
			for k := 0; k < many && l.Pos < end && (k == 0 || len(fields) == 0 || fields[0].Line != l.Pos); k++ {
				if _, ok := l.Next(); !ok {
					l.Pos = end
				}
				number++
			}
			nodes = append(nodes, u.lineNode(ctx, from, l.Pos, first, number-1))
		}
		return nodes
	})
}

// lineNode returns the node of a line, or of several.
func (u *layout) lineNode(ctx context.Context, from, to int64, first, last int) model.Node {
	at := u.source.Span(from, to-from)
	n := model.Node{Name: fmt.Sprintf("line %d", first), Type: "YAML", Spans: []model.Span{at}, Value: textio.Value(ctx, at)}
	if text, ok := n.Value.(model.Text); ok {
		n.Value = model.Text(strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"))
	}
	if p, ok := u.endsAtPayload(ctx, at); ok {
		n.Problems = []model.Problem{p}
	}
	n.Problems = append(n.Problems, u.conflictsIn(at)...)
	if last > first {
		n.Name = fmt.Sprintf("lines %d to %d", first, last)
		n.Value = model.Blob{Span: at}
	}
	return n
}

// conflictsIn returns the problems of the conflict markers in a range.
func (u *layout) conflictsIn(at model.Span) (list []model.Problem) {
	i := sort.Search(len(u.conflicts), func(i int) bool { return u.conflicts[i].at.Off >= at.Off })
	for ; i < len(u.conflicts) && u.conflicts[i].at.Off < at.End(); i++ {
		c := &u.conflicts[i]
		list = append(list, model.Problemf(model.Malformed, ruleConflict, c.at,
			"line %d is a conflict marker of Git: two versions of what follows are in the file, which Unity cannot read; take one of them", c.number).Want("YAML", c.text))
	}
	return list
}

// endsAtPayload reports whether the file ends, inside a line, where the value of a field with a payload would begin.
func (u *layout) endsAtPayload(ctx context.Context, at model.Span) (model.Problem, bool) {
	if at.End() != u.source.Size() || at.Len > textio.HeadBytes {
		return model.Problem{}, false
	}
	l := textio.Lines{Window: textio.NewWindow(ctx, u.source, at.End(), textio.HeadBytes), Pos: at.Off}
	n, ok := l.Next()
	_, _, key, valueAt := n.Key()
	if _, carries := payloadFields[key]; !ok || !carries || n.Next != n.End || valueAt < n.End {
		return model.Problem{}, false
	}
	return model.Problemf(model.Truncated, ruleTextCode, u.source.Span(at.End(), 0), "the file ends where the value of %s would begin", key), true
}
