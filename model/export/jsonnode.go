package export

import (
	"context"
	"io"

	"cutaway/model"
)

// Lines writes nodes as NDJSON: one object a line, keys as in docs/json.md. Call Flush at the end.
type Lines struct{ e encoder }

// NewLines makes a writer of lines to w. Elements are read under ctx.
func NewLines(ctx context.Context, w io.Writer) *Lines {
	return &Lines{encoder{ctx: ctx, w: w, buf: make([]byte, 0, flushAt+4096)}}
}

// Write writes the node at p as one line.
func (l *Lines) Write(p *model.Place) error {
	e := &l.e
	e.node(p)
	e.str("}\n")
	e.spill()
	return e.end()
}

// Flush writes what is still gathered.
func (l *Lines) Flush() error {
	l.e.flush()
	return l.e.failed
}

// Tally counts the problems written so far.
func (l *Lines) Tally() Tally { return l.e.tally }

// end is why writing cannot go on; nil: it can.
func (e *encoder) end() error {
	if e.failed != nil {
		return e.failed
	}
	return e.ctx.Err()
}

// node writes the keys of the node at p; the caller closes the object.
func (e *encoder) node(p *model.Place) {
	n := &p.Node
	e.str(`{"path":`)
	e.buf = appendPath(e.buf, p.Path())
	e.str(`,"name":`)
	e.buf = appendText(e.buf, n.Name)
	e.str(`,"type":`)
	e.buf = appendString(e.buf, n.Type)
	e.str(`,"value":`)
	e.unread = nil
	e.value(n.Value, 0)
	e.str(`,"spans":[`)
	e.spans(n.Spans)
	e.str(`],"refs":[`)
	if n.Refs != nil {
		e.refs(n.Refs())
	}
	e.str(`],"problems":[`)
	for i := range n.Problems {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.problem(p.Path(), &n.Problems[i])
	}
	if e.unread != nil && e.ctx.Err() == nil {
		if len(n.Problems) > 0 {
			e.buf = append(e.buf, ',')
		}
		pr := Unreadable(e.unread, n)
		e.problem(p.Path(), &pr)
	}
	e.str(`],"children":`)
	count := int64(-1)
	if k, exact := p.Len(); exact {
		count = k
	}
	e.buf = appendInt(e.buf, count)
}

// Unreadable is the problem that err was when the value of n was read.
func Unreadable(err error, n *model.Node) model.Problem {
	pr := model.AsProblem(err, RuleUnreadable, n.Span())
	if pr.Span.Source == nil {
		pr.Span = n.Span()
	}
	return pr
}

func (e *encoder) spans(spans []model.Span) {
	more := false
	for _, s := range spans {
		if s.Source == nil {
			continue
		}
		if more {
			e.buf = append(e.buf, ',')
		}
		more = true
		e.span(s)
	}
}

func (e *encoder) span(s model.Span) {
	e.str(`{"source":`)
	e.buf = appendPath(e.buf, s.Source.Name())
	e.str(`,"offset":`)
	e.buf = appendInt(e.buf, s.Off)
	e.str(`,"length":`)
	e.buf = appendInt(e.buf, s.Len)
	if s.Mask != 0 {
		e.str(`,"mask":`)
		e.buf = appendUint(e.buf, s.Mask)
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) refs(refs []model.Ref) {
	for i := range refs {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		r := &refs[i]
		e.str(`{"kind":`)
		e.buf = appendString(e.buf, r.Kind)
		e.str(`,"path":`)
		e.buf = appendPath(e.buf, r.Path)
		if r.Path == "" && r.Span.Source != nil {
			e.str(`,"span":`)
			e.span(r.Span)
		}
		e.buf = append(e.buf, '}')
	}
}

func (e *encoder) problem(path string, p *model.Problem) {
	e.tally.Add(p)
	e.buf = AppendProblem(e.buf, path, p)
}

// AppendProblem appends a problem of the node at path as a JSON object, keys as in docs/json.md. A problem
// without a place has null for source, offset and length.
func AppendProblem(dst []byte, path string, p *model.Problem) []byte {
	dst = append(dst, `{"rule":`...)
	dst = appendString(dst, p.Rule)
	dst = append(dst, `,"kind":"`...)
	dst = append(dst, p.Kind.String()...)
	dst = append(dst, `","severity":"`...)
	dst = append(dst, p.Kind.Severity().String()...)
	if p.Span.Source == nil {
		dst = append(dst, `","source":null,"offset":null,"length":null`...)
	} else {
		dst = append(dst, `","source":`...)
		dst = appendPath(dst, p.Span.Source.Name())
		dst = append(dst, `,"offset":`...)
		dst = appendInt(dst, p.Span.Off)
		dst = append(dst, `,"length":`...)
		dst = appendInt(dst, p.Span.Len)
	}
	dst = append(dst, `,"path":`...)
	dst = appendPath(dst, path)
	dst = append(dst, `,"expected":`...)
	dst = appendString(dst, p.Expected)
	dst = append(dst, `,"found":`...)
	dst = appendString(dst, p.Found)
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, p.Message)
	return append(dst, '}')
}

// JSONOptions say how Nested writes.
type JSONOptions struct {
	Walk  model.WalkOptions
	Whole bool // sequences are written whole, however long
	Alone bool // the nodes are written without what is below them
}

// Nested writes the nodes at places and what is below them as JSON: an object for one place, an array of objects
// for several. Each object has the keys of a line and "nodes", the list of its children. When ctx ends, what was
// begun is closed, so that the output can be read.
func Nested(ctx context.Context, w io.Writer, places []*model.Place, opt JSONOptions) (Tally, error) {
	e := encoder{ctx: ctx, w: w, whole: opt.Whole}
	if len(places) != 1 {
		e.buf = append(e.buf, '[')
	}
	var err error
	for i := 0; i < len(places) && err == nil; i++ {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		err = e.nest(places[i], opt)
	}
	if len(places) != 1 {
		e.buf = append(e.buf, ']')
	}
	e.buf = append(e.buf, '\n')
	e.flush()
	if err != nil {
		return e.tally, err
	}
	return e.tally, e.failed
}

// nest writes one tree. The open objects are those of the places from start down to the last one visited.
func (e *encoder) nest(start *model.Place, opt JSONOptions) error {
	var open []*model.Place
	err := Walk(e.ctx, start, opt.Walk, opt.Alone, func(p *model.Place) error {
		if len(open) > 0 && open[len(open)-1] != p.Parent {
			for open[len(open)-1] != p.Parent {
				e.str("]}")
				open = open[:len(open)-1]
			}
			e.buf = append(e.buf, ',')
		}
		e.node(p)
		e.str(`,"nodes":[`)
		open = append(open, p)
		e.spill()
		return e.end()
	})
	for range open {
		e.str("]}")
	}
	return err
}
