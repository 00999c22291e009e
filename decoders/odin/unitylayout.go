package odin

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

// path is the path of a payload's field in the layout.
func (p *yamlPayload) path() string {
	return p.value.Source.LayoutPath() + "/" + model.IndexName(int64(p.doc)) + "/" + model.NthSegment(p.carrier.field, p.twin+1)
}

// A unityLayout makes the layout of a Unity file.
type unityLayout struct {
	*yamlFile
	fieldNode func(ctx context.Context, p *yamlPayload) model.Node // of a field with a payload
}

// layout returns the root of the layout of a file, in which fieldNode makes the nodes of the fields with payloads.
func (f *yamlFile) layout(fieldNode func(ctx context.Context, p *yamlPayload) model.Node) model.Node {
	u := &unityLayout{f, fieldNode}
	return model.Node{Name: model.LayoutView, Type: "Unity YAML", Spans: []model.Span{u.src.Whole()}, Children: u.children(),
		Brief: model.Counted(int64(len(u.docs)), "object") + ", " + model.Counted(int64(len(u.payloads)), "payload")}
}

// fieldsOf returns the payloads of an object.
func (f *yamlFile) fieldsOf(doc int) []*yamlPayload {
	first := sort.Search(len(f.payloads), func(i int) bool { return f.payloads[i].doc >= doc })
	end := sort.Search(len(f.payloads), func(i int) bool { return f.payloads[i].doc > doc })
	return f.payloads[first:end]
}

func (u *unityLayout) start() int64 {
	if len(u.docs) == 0 {
		return u.src.Size()
	}
	return u.docs[0].off
}

func (u *unityLayout) end(doc int) int64 {
	if doc+1 < len(u.docs) {
		return u.docs[doc+1].off
	}
	return u.src.Size()
}

func (u *unityLayout) children() model.Children {
	const header = "header"
	shift := int64(0)
	if u.start() > 0 {
		shift = 1
	}
	return &model.Rows{Count: int64(len(u.docs)) + shift,
		Make: func(_ context.Context, i int64) model.Node {
			if i < shift {
				at := u.src.Span(0, u.start())
				return model.Node{Name: header, Type: "YAML", Spans: []model.Span{at}, Children: u.lines(at.Off, at.End(), 1, nil)}
			}
			return u.docNode(int(i - shift))
		},
		ByName: func(_ context.Context, name string) (int64, bool) {
			if name == header {
				return 0, shift == 1
			}
			i, ok := model.ParseIndex(name)
			return i + shift, ok && i < int64(len(u.docs))
		},
		ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
			if !src.Same(u.src) || off < 0 || off >= src.Size() {
				return 0, false
			}
			return int64(sort.Search(len(u.docs), func(i int) bool { return u.docs[i].off > off })) - 1 + shift, true
		},
	}
}

// docNode is one object of the file.
func (u *unityLayout) docNode(k int) model.Node {
	d := &u.docs[k]
	at := u.src.Span(d.off, u.end(k)-d.off)
	n := model.Node{Name: model.IndexName(int64(k)), Type: d.class, Brief: d.head, Spans: []model.Span{at}}
	fields := u.fieldsOf(k)
	if len(fields) > 0 {
		n.Brief = fields[0].carrier.String()
	}
	n.Children = u.lines(at.Off, at.End(), d.line, fields)
	return n
}

// lines is the lines of a range, found when looked at; number is that of the first.
func (u *unityLayout) lines(off, end int64, number int, fields []*yamlPayload) model.Children {
	return model.DeferList(func(ctx context.Context) []model.Node {
		var nodes []model.Node
		fields, number := fields, number
		l := textio.Lines{Window: textio.NewWindow(ctx, u.src, end, textio.PassAhead), Pos: off}
		for l.Pos < end {
			if len(fields) > 0 && fields[0].line == l.Pos {
				p := fields[0]
				fields = fields[1:]
				nodes = append(nodes, u.fieldNode(ctx, p))
				for l.Pos < p.lineEnd {
					if _, ok := l.Next(); !ok {
						break
					}
					number++
				}
				l.Pos = p.lineEnd
				continue
			}
			from, first := l.Pos, number
			many := 1
			if len(nodes) >= listedLines {
				many = blockLines
			}
			for k := 0; k < many && l.Pos < end && (k == 0 || len(fields) == 0 || fields[0].line != l.Pos); k++ {
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

func (u *unityLayout) lineNode(ctx context.Context, from, to int64, first, last int) model.Node {
	at := u.src.Span(from, to-from)
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

// conflictsIn are the conflict markers in a range.
func (u *unityLayout) conflictsIn(at model.Span) (list []model.Problem) {
	i := sort.Search(len(u.conflicts), func(i int) bool { return u.conflicts[i].at.Off >= at.Off })
	for ; i < len(u.conflicts) && u.conflicts[i].at.Off < at.End(); i++ {
		c := &u.conflicts[i]
		list = append(list, model.Problemf(model.Malformed, ruleConflict, c.at,
			"line %d is a conflict marker of Git: two versions of what follows are in the file, which Unity cannot read; take one of them", c.number).Want("YAML", c.text))
	}
	return list
}

// endsAtPayload reports whether the file ends, inside a line, where the value of a field with a payload would begin.
func (u *unityLayout) endsAtPayload(ctx context.Context, at model.Span) (model.Problem, bool) {
	if at.End() != u.src.Size() || at.Len > textio.HeadBytes {
		return model.Problem{}, false
	}
	l := textio.Lines{Window: textio.NewWindow(ctx, u.src, at.End(), textio.HeadBytes), Pos: at.Off}
	n, ok := l.Next()
	_, _, key, valueAt := n.Key()
	if _, carries := payloadFields[key]; !ok || !carries || n.Next != n.End || valueAt < n.End {
		return model.Problem{}, false
	}
	return model.Problemf(model.Truncated, ruleTextCode, u.src.Span(at.End(), 0), "the file ends where the value of %s would begin", key), true
}
