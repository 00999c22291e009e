package grammar

import (
	"errors"
	"fmt"

	"cutaway/model"
)

// readElement reads one value of a field by a type: its extent, and what that leaves to the type.
func (o *Object) readElement(r *Reading, f *Field, of Type, s *slot, in Stream, off int64) {
	s.off, s.end, s.typ, s.source = off, off, of, in.Source
	if f.Extent == nil {
		of.read(r, o, f, s, in, off)
		return
	}
	o.readBounded(r, f, f.Extent, of, f.Process, s, in, off)
}

// readBounded reads a value of a type in an extent.
func (o *Object) readBounded(r *Reading, f *Field, x *Extent, of Type, p Process, s *slot, in Stream, off int64) {
	if !o.readExtent(r, f, x, s, in, off) {
		return
	}
	s.sized = s.problem == nil
	if p != nil {
		s.packed = true // until somebody looks
		return
	}
	o.readInside(r, f, of, s, Stream{in.Source, s.from, s.to})
}

// Within returns a type with an extent of its own, which a process may change, for cases of a switch. The field has neither.
func Within(x *Extent, p Process, of Type) Type { return &within{of, x, p} }

type within struct {
	Type
	extent  *Extent
	process Process
}

// Size returns -1: the extent decides.
func (t *within) Size() int64 { return -1 }

func (t *within) least() int64 { return t.extent.fewest() }

func (t *within) bind(r *Record) error {
	if t.extent.Size == nil {
		return t.Type.bind(r)
	}
	return errors.Join(t.extent.Size.bind(r), t.Type.bind(r))
}

func (t *within) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	s.typ = t.Type
	if o.readBounded(r, f, t.extent, t.Type, t.process, s, in, off); s.packed {
		s.ref = t
	}
}

// readInside reads what lies in an extent.
func (o *Object) readInside(r *Reading, f *Field, of Type, s *slot, in Stream) {
	off, end, cut := s.off, s.end, s.problem
	of.read(r, o, f, s, in, in.Start)
	s.off, s.end = off, end
	if cut != nil {
		s.problem = cut
	}
}

// unpack makes the bytes that a process keeps from being read, and reads them.
func (o *Object) unpack(r *Reading, f *Field, s *slot) {
	defer r.unlock(o, r.lock(o))
	if !s.packed {
		return
	}
	in, of, process := s.contentSpan(), f.Of, f.Process
	t, ok := s.ref.(*within)
	if ok {
		of, process = t.Type, t.process
	}
	stream, pos := r.stream, r.pos
	r.stream, r.pos = o.stream, s.end
	b, err := process.Decode(Scope{r, o}, in)
	r.stream, r.pos = stream, pos
	if r.ctx.Err() != nil {
		return
	}
	packed := *s
	s.packed, s.ref = false, nil
	panics := true
	defer func() {
		if panics {
			*s = packed
		}
	}()
	if err != nil {
		s.fail(o, err)
	}
	if err == nil || len(b) > 0 {
		name := process.Codec()
		s.decoded = model.Derive(o.pathOf(f, r.index), name, f.Name, model.BytesReader(b), model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: name})
		o.readInside(r, f, of, s, Whole(s.decoded))
	}
	panics = false
}

// pathOf returns the path of a field, or of an element of a repeated one.
func (o *Object) pathOf(f *Field, index int64) string {
	path := o.Path() + "/" + model.EscapeSegment(f.Name)
	if f.Repeat != nil {
		path += "/" + model.IndexName(index)
	}
	return path
}

// readExtent finds the bytes of a field: those of its value, and where they end with terminator and padding. It returns
// false where nothing can be made of them.
func (o *Object) readExtent(r *Reading, f *Field, x *Extent, s *slot, in Stream, off int64) bool {
	s.end = in.End
	if x.Size != nil {
		n, err := evalInt(x.Size, Scope{r, o})
		if err != nil {
			s.end = off
			s.fail(o, err)
			return false
		}
		if !s.setRange(o, f, in, off, n) && !o.session.Tile {
			return false
		}
	}
	s.inner, s.from, s.to = true, off, s.end
	if x.HasPad {
		n, err := r.unpadded(s.contentSpan(), x.PadByte)
		if err != nil {
			s.fail(o, err)
			return false
		}
		s.to = s.from + n
	}
	known := s.problem != nil || len(x.Terminator) == 0 || o.readTerminated(r, x, s, off)
	s.more = s.end-s.to > int64(x.terminators())
	return known
}

// readTerminated looks for the terminator, and reports whether the extent is known.
func (o *Object) readTerminated(r *Reading, x *Extent, s *slot, off int64) bool {
	width := int64(len(x.Terminator))
	i, err := r.find(s.contentSpan(), x.Terminator)
	switch {
	case err != nil:
		s.fail(o, err)
		return false
	case i < 0 && (x.Size != nil || x.ToEnd || x.Open):
		return true
	case i < 0:
		p := model.Problemf(model.Truncated, o.session.Truncated, s.contentSpan(), "nothing ends it").
			Want(fmt.Sprintf("% x", x.Terminator), "the end of the bytes")
		s.problem = &p
		return false
	}
	s.to = s.from + i
	if x.Include {
		s.to += width
	}
	if x.Size == nil && !x.ToEnd {
		s.end = off + i
		if !x.Keep {
			s.end += width
		}
	}
	return true
}
