package grammar

import (
	"context"

	"cutaway/model"
)

// A survey visits records without making nodes. It adds up how their fields cover the bytes, and stops at the first thing that is
// worth a node: a problem, a source that can be made, a Custom type.
type survey struct {
	r     *Reading
	c     model.Coverage
	end   int64 // of the covered bytes
	depth int   // of records in each other
	plain bool
	every bool // also elements that a walk does not open
}

// surveyDepth is the most records in each other that a survey looks at: where something is wrong further down, each of the nodes on the
// way is surveyed in vain.
const surveyDepth = 16

// Bulk returns the survey of fields.
func (*fields) Bulk() *model.BulkFuncs { return fieldsBulk }

var fieldsBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, _ model.Progress) (model.Coverage, bool, error) {
		return c.(*fields).survey(ctx)
	},
}

func (c *fields) survey(ctx context.Context) (model.Coverage, bool, error) {
	if c.Pending() {
		return model.Coverage{}, false, nil
	}
	r := farReading(ctx)
	defer r.endFar()
	v := survey{r: r, end: c.o.start, plain: true}
	v.object(c.o)
	return v.c, v.plain, ctx.Err()
}

// Bulk returns the survey of elements.
func (*elements) Bulk() *model.BulkFuncs { return elementsBulk }

var elementsBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, _ model.Progress) (model.Coverage, bool, error) {
		return c.(*elements).survey(ctx)
	},
}

func (c *elements) survey(ctx context.Context) (model.Coverage, bool, error) {
	if c.Pending() {
		return model.Coverage{}, false, nil
	}
	r := farReading(ctx)
	defer r.endFar()
	v := survey{r: r, end: c.l.start, plain: true}
	v.list(c.l, false)
	return v.c, v.plain, ctx.Err()
}

// Sound reports whether no field of the object, or of its inner records and lists, has a problem. It makes no nodes.
func (o *Object) Sound(r *Reading) bool {
	v := survey{r: r, end: o.start, plain: true, every: true}
	v.object(o)
	return v.plain
}

// cover adds a leaf.
func (v *survey) cover(off, end int64, role model.Role) {
	n := end - max(off, v.end)
	if n <= 0 {
		return // bit fields share bytes
	}
	v.end = end
	switch role {
	case model.Padding:
		v.c.Padding += n
	case model.Unreferenced:
		v.c.Unreferenced += n
	case model.Unknown:
		v.c.Unknown += n
	default:
		v.c.Explained += n
	}
}

func (v *survey) object(o *Object) {
	if v.depth++; v.depth > surveyDepth {
		v.plain = false
		return
	}
	defer func() { v.depth-- }()
	o.complete(v.r)
	if o.broken || o.rec.sequence < len(o.rec.Fields) {
		v.plain = false // fields that are read elsewhere need not lie in the object
	}
	for i := range o.rec.Checks {
		v.plain = v.plain && !o.rec.Checks[i].broken(Scope{v.r, o}, ObjectValue(o))
	}
	for i := 0; i < o.rec.sequence && v.plain && !v.r.stopped; i++ {
		f := o.rec.Fields[i]
		s := new(slot)
		if o.whole {
			if _, scalar := f.Of.(*Scalar); scalar && !f.checked() {
				off := o.start + o.rec.offsets[i]
				v.cover(off, off+f.size(), f.Role)
				continue
			}
			o.readWhole(v.r, i, s)
		} else {
			s = &o.slots[i]
		}
		v.slot(o, f, s)
	}
	if o.session.Tile && o.ownsStream() {
		v.cover(o.End(), o.stream.End, model.Unknown)
	}
}

func (v *survey) slot(o *Object, f *Field, s *slot) {
	if s.state == absent || f.Skip {
		return
	}
	v.plain = v.plain && s.problem == nil && !s.packed
	for i := range f.Checks {
		if _, list := s.ref.(*List); list {
			break
		}
		if !v.plain {
			return
		}
		value, _ := Piece{o, f, v.r, s}.value()
		v.plain = !f.Checks[i].broken(Scope{v.r, o}, value)
	}
	if !v.plain {
		return
	}
	switch ref := s.ref.(type) {
	case *Object:
		v.object(ref)
		v.cover(s.off, s.end, model.Explained)
	case *List:
		v.list(ref, v.leavesOut(o, f, s))
	default:
		if _, custom := s.typ.(*Custom); custom {
			v.plain = false
			return
		}
		v.cover(s.off, s.end, f.Role)
	}
}

// leavesOut reports whether a walk does not open the elements of a list, which have rules. It is asked of long lists alone.
func (v *survey) leavesOut(o *Object, f *Field, s *slot) bool {
	l := s.ref.(*List)
	if v.every || len(f.Checks) == 0 || l.size <= 0 || l.Known() < stride {
		return false
	}
	r := atGlance(v.r.ctx)
	defer r.endGlance()
	n := model.Node{Name: f.Name}
	Piece{o, f, r, s}.fill(&n)
	return n.Elements
}

// list visits the elements of a list. A walk may leave them out.
func (v *survey) list(l *List, leftOut bool) {
	known, done := l.counted()
	if !done || l.problem != nil || l.check(v.r, model.Span{}) != nil {
		v.plain = false
		return
	}
	f := l.field
	oneLeaf := l.size > 0 && l.bits == nil && (!f.Inlined || !f.ruled()) // a walk goes into what is inlined only
	if !oneLeaf || !leftOut && len(f.Checks) > 0 {
		c, end := v.c, v.end
		l.each(v.r, known, func(s *slot) bool {
			v.slot(l.owner, f, s)
			return v.plain
		})
		if oneLeaf {
			v.c, v.end = c, end
		}
	}
	if oneLeaf {
		v.cover(l.start, l.start+known*l.size, f.Role)
	}
	if rest := l.rest(); rest.Len > 0 {
		v.cover(rest.Off, rest.End(), model.Unknown)
	}
}
