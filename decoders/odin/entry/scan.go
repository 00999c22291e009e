package entry

import (
	"context"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// until scans until enough holds or all is scanned. It returns an error only when ctx ends.
func (s *Stream) until(ctx context.Context, progress model.Progress, enough func() bool) error {
	for {
		stop, at := s.advance(ctx, enough)
		if stop {
			return nil
		}
		progress.Report(at-s.start, s.end-s.start, "finding the entries")
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// advance scans a few thousand entries more, unless enough holds or all is scanned. stop reports that, and at is the
// offset that the scan has reached.
func (s *Stream) advance(ctx context.Context, enough func() bool) (stop bool, at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done.Load() && !enough() && (s.scan.step(ctx) || s.x.n >= s.most) {
		s.x.finish()
		s.scan.heads = nil
		s.done.Store(true)
	}
	return s.done.Load() || enough(), s.x.end
}

// ScanAll scans to the end.
func (s *Stream) ScanAll(ctx context.Context, progress model.Progress) error {
	return s.until(ctx, progress, func() bool { return false })
}

// ScanContainer scans until a container is known to its end.
func (s *Stream) ScanContainer(ctx context.Context, progress model.Progress, c int64) error {
	return s.until(ctx, progress, func() bool { return !s.x.open(c, false) })
}

// scanBatch is the number of entries of a step.
const scanBatch = 1 << 14

// A scanner finds the entries of a stream and adds them to its index, while the stream's lock is held.
type scanner struct {
	s         *Stream
	heads     *heads         // nil before the first step and after one that panicked
	ended     bool           // an EndOfStream entry was found
	marked    map[int32]bool // type ids that s.marks wants
	bytesNode int64          // of the Nodes list: the last node that is an array of bytes, or NoNode
}

// step adds the entries of a batch to the index, and reports whether that was all.
func (c *scanner) step(ctx context.Context) (done bool) {
	p := c.heads
	if p == nil {
		p = newHeads(ctx, c.s)
	}
	c.heads = nil // one that panics is not used again
	p.r.Resume(ctx)
	done = c.batch(ctx, p)
	c.heads = p
	return done
}

// batch adds the next entries, and reports whether that was all.
func (c *scanner) batch(ctx context.Context, p *heads) (done bool) {
	s, x := c.s, &c.s.x
	var h Head
	for range scanBatch {
		switch {
		case c.ended || x.end >= s.end || x.n >= s.most:
			return true
		case !p.read(x.n, x.end, &h):
			return ctx.Err() == nil // a read that was stopped is tried again
		}
		c.add(&h)
	}
	return false
}

// add adds an entry to the index.
func (c *scanner) add(h *Head) {
	x, length := &c.s.x, h.Len()
	switch h.Kind {
	case kind.ReferenceNode:
		x.add(length, refNode)
		if h.Node >= 0 {
			x.node(h.Number, h.Node)
		}
		c.noteType(h)
	case kind.StructNode:
		x.add(length, structNode)
		if h.Tag != kind.TypeID || len(c.marked) > 0 { // most nodes use a type that no mark is about
			c.noteType(h)
		}
	case kind.Array:
		x.add(length, array)
	case kind.PrimitiveArray:
		x.add(length, c.primitivesClass())
	case kind.EndOfNode, kind.EndOfArray:
		x.close(length, h.Kind == kind.EndOfArray)
	case kind.EndOfStream:
		x.add(length, plain)
		c.ended = c.s.Encoding() == EncodingBinary
	default:
		x.add(length, plain)
	}
}

// primitivesClass returns the class of the primitive array that follows. It is an entry of the binary form, and an
// array with an end in the text forms. An array of bytes is an entry of the Nodes list too.
func (c *scanner) primitivesClass() class {
	switch c.s.Encoding() {
	case EncodingBinary:
		return plain
	case EncodingNodes:
		stack := c.s.x.stack
		if around := stack[len(stack)-1].entry; around >= 0 && around == c.bytesNode {
			return plain
		}
	}
	return array
}

// noteType adds the definition of a type to the index, and a node whose type is marked.
func (c *scanner) noteType(h *Head) {
	marked := h.Tag == kind.TypeID && c.marked[h.TypeID]
	switch h.Tag {
	case kind.TypeName:
		c.s.x.define(h.Number, h.TypeID)
		marked = c.s.marks(h.typeName)
		if marked || c.marked[h.TypeID] {
			c.marked[h.TypeID] = marked
		}
	case 0:
		marked = c.s.marks(h.typeName)
		if c.s.Encoding() == EncodingNodes && isByteArray(h.typeName) {
			c.bytesNode = h.Number
		}
	}
	if marked {
		c.s.x.marked = append(c.s.x.marked, h.Number)
	}
}
