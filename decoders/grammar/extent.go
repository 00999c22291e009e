package grammar

import (
	"errors"
	"fmt"

	"cutaway/model"
)

// readElement reads one value of a field by a type: its extent, and what that leaves to the type.
func (p Piece) readElement(of Type, in Stream, off int64) {
	p.s.off, p.s.end, p.s.typ, p.s.source = off, off, of, in.Source
	if p.Field.Extent == nil {
		of.read(p.r, p.Object, p.Field, p.s, in, off)
		return
	}
	p.readBounded(p.Field.Extent, of, p.Field.Process, in, off)
}

// readBounded reads a value of a type in an extent.
func (p Piece) readBounded(x *Extent, of Type, process Process, in Stream, off int64) {
	if !p.readExtent(x, in, off) {
		return
	}
	p.s.sized = p.s.problem == nil
	if process != nil {
		p.s.packed = true // until it is unpacked
		return
	}
	p.readInside(of, Stream{in.Source, p.s.from, p.s.to})
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
	return errors.Join(compile(&t.extent.Size, r), t.Type.bind(r))
}

func (t *within) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	s.typ = t.Type
	Piece{o, f, r, s}.readBounded(t.extent, t.Type, t.process, in, off)
	if s.packed {
		s.ref = t
	}
}

// readInside reads what lies in an extent.
func (p Piece) readInside(of Type, in Stream) {
	off, end, cut := p.s.off, p.s.end, p.s.problem
	of.read(p.r, p.Object, p.Field, p.s, in, in.Start)
	p.s.off, p.s.end = off, end
	if cut != nil {
		p.s.problem = cut
	}
}

// unpack makes the bytes that a process keeps from being read, and reads them.
func (p Piece) unpack() {
	defer p.r.unlock(p.Object, p.r.lock(p.Object))
	if !p.s.packed {
		return
	}
	in, of, process := p.s.contentSpan(), p.Field.Of, p.Field.Process
	t, ok := p.s.ref.(*within)
	if ok {
		of, process = t.Type, t.process
	}
	stream, pos := p.r.stream, p.r.pos
	p.r.stream, p.r.pos = p.Object.stream, p.s.end
	b, err := process.Decode(Scope{p.r, p.Object}, in)
	p.r.stream, p.r.pos = stream, pos
	if p.r.ctx.Err() != nil {
		return
	}
	packed := *p.s
	p.s.packed, p.s.ref = false, nil
	panics := true
	defer func() {
		if panics {
			*p.s = packed
		}
	}()
	if err != nil {
		p.s.fail(p.Object, err)
	}
	if err == nil || len(b) > 0 {
		name := process.Codec()
		p.s.decoded = model.Derive(p.Object.pathOf(p.Field, p.r.index), name, p.Field.Name, model.BytesReader(b), model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: name})
		p.readInside(of, Whole(p.s.decoded))
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
// false if they cannot be read.
func (p Piece) readExtent(x *Extent, in Stream, off int64) bool {
	p.s.end = in.End
	if x.Size != nil {
		n, err := evalInt(x.Size, Scope{p.r, p.Object})
		if err != nil {
			p.s.end = off
			p.s.fail(p.Object, err)
			return false
		}
		if !p.s.setRange(p.Object, p.Field, in, off, n) && !p.Object.session.Tile {
			return false
		}
	}
	p.s.inner, p.s.from, p.s.to = true, off, p.s.end
	if x.HasPad {
		n, err := p.r.unpadded(p.s.contentSpan(), x.PadByte)
		if err != nil {
			p.s.fail(p.Object, err)
			return false
		}
		p.s.to = p.s.from + n
	}
	known := p.s.problem != nil || len(x.Terminator) == 0 || p.readTerminated(x, off)
	p.s.more = p.s.end-p.s.to > int64(x.terminators())
	return known
}

// readTerminated looks for the terminator, and reports whether the extent is known.
func (p Piece) readTerminated(x *Extent, off int64) bool {
	width := int64(len(x.Terminator))
	i, err := p.r.find(p.s.contentSpan(), x.Terminator)
	switch {
	case err != nil:
		p.s.fail(p.Object, err)
		return false
	case i < 0 && (x.Size != nil || x.ToEnd || x.Open):
		return true
	case i < 0:
		problem := model.Problemf(model.Truncated, p.Object.session.Truncated, p.s.contentSpan(), "nothing ends it").
			Want(fmt.Sprintf("% x", x.Terminator), "the end of the bytes")
		p.s.problem = &problem
		return false
	}
	p.s.to = p.s.from + i
	if x.Include {
		p.s.to += width
	}
	if x.Size == nil && !x.ToEnd {
		p.s.end = off + i
		if !x.Keep {
			p.s.end += width
		}
	}
	return true
}
