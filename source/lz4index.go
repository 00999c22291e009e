package source

import (
	"context"
	"sort"

	"cutaway/model"
)

// An LZ4Block is a block and the range of its output.
type LZ4Block struct {
	In     model.Span
	Out    int64 // offset of its output in the derived source
	OutLen int64 // bytes
	Linked bool  // matches may refer to output before the block
	Stored bool  // the input is the output: a block of a frame that did not shrink
}

const (
	sequencesPerCheckpoint = 1024
	lookupWindow           = 4 << 10
	indexWindow            = 64 << 10
)

// An lz4Index finds the sequence with an input or output byte of a block. It walks from a checkpoint; there is one
// every 1024 sequences, made as needed. Offsets count in the block and its output.
type lz4Index struct {
	block LZ4Block

	turn   chan struct{} // capacity 1: holds a value while the index grows
	front  walker        // after the last sequence walked
	checks []checkpoint  // of sequences 0, 1024, …
	fault  *Fault        // that ends the block, once found
	broken Sequence      // the valid part of the faulty sequence
}

type checkpoint struct{ in, out int64 }

func newLZ4Index(block LZ4Block) *lz4Index {
	x := &lz4Index{block: block, turn: make(chan struct{}, 1)}
	x.front = x.walkerAt(checkpoint{}, 0, indexWindow)
	if !x.front.done {
		x.checks = []checkpoint{{}}
	}
	return x
}

// walkerAt returns a walker at checkpoint c, which is that of sequence index.
func (x *lz4Index) walkerAt(c checkpoint, index, window int64) walker {
	in := x.block.In
	w := newSpanWalker(in, outputLimit{x.block.OutLen, expectedSize}, window)
	w.done = c.in >= in.Len
	w.at, w.out, w.index = c.in, c.out, index
	if x.block.Linked {
		w.floor = -x.block.Out
	}
	return w
}

// grow walks until enough returns true or the block ends, and returns the checkpoints so far. progress may be nil.
func (x *lz4Index) grow(ctx context.Context, enough func(front *walker) bool, progress model.Progress) ([]checkpoint, error) {
	select {
	case x.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-x.turn }()
	var s Sequence
	for !x.front.done && !enough(&x.front) {
		if fault := x.front.next(ctx, &s); fault != nil {
			x.fault, x.broken = fault, s
			break
		}
		if x.front.index%sequencesPerCheckpoint != 0 || x.front.done {
			continue
		}
		x.checks = append(x.checks, checkpoint{x.front.at, x.front.out})
		progress.Report(x.front.at, x.front.end, "LZ4 sequences")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return x.checks, nil // append-only
}

// seek returns a walker at or before the sequence at a position. reached reports whether the position is at or after a
// checkpoint. It grows the index as needed.
func (x *lz4Index) seek(ctx context.Context, reached func(c checkpoint) bool) (walker, error) {
	checks, err := x.grow(ctx, func(front *walker) bool { return !reached(checkpoint{front.at, front.out}) }, nil)
	if err != nil {
		return walker{}, err
	}
	i := sort.Search(len(checks), func(i int) bool { return !reached(checks[i]) }) - 1
	if i < 0 {
		return walker{done: true}, nil
	}
	return x.walkerAt(checks[i], int64(i)*sequencesPerCheckpoint, lookupWindow), nil
}

// An lz4Mapping is the mapping of a run of LZ4 blocks.
type lz4Mapping struct {
	blocks  []LZ4Block
	indexes []*lz4Index
}

// NewLZ4Mapping returns the mapping of blocks with contiguous outputs. Their inputs lie in one source, in the same
// order. It reads on demand, and keeps 16 bytes for every 1024 sequences read.
func NewLZ4Mapping(blocks []LZ4Block) model.Mapping {
	m := &lz4Mapping{blocks: blocks}
	for _, b := range blocks {
		m.indexes = append(m.indexes, newLZ4Index(b))
	}
	return m
}

// From returns the pieces of a range, clipped. The input of a match is its token, offset and length bytes, that of a
// literal the bytes themselves. Broken blocks have pieces for their valid part.
func (m *lz4Mapping) From(ctx context.Context, off, length int64) ([]model.Piece, error) {
	var pieces []model.Piece
	end := off + length
	i := sort.Search(len(m.blocks), func(i int) bool { return m.blocks[i].Out+m.blocks[i].OutLen > off })
	for ; i < len(m.blocks) && m.blocks[i].Out < end; i++ {
		b := &m.blocks[i]
		from, to := max(off, b.Out), min(end, b.Out+b.OutLen)
		if b.Stored {
			pieces = append(pieces, model.Piece{Off: from, Len: to - from, Kind: "stored", Unit: b.In, CopyFrom: -1,
				In: []model.Span{b.In.Source.Span(b.In.Off+from-b.Out, to-from)}})
			continue
		}
		var err error
		if pieces, err = m.indexes[i].from(ctx, from-b.Out, to-b.Out, pieces); err != nil {
			return pieces, err
		}
	}
	return pieces, nil
}

// from appends the pieces of the block's output [off, end).
func (x *lz4Index) from(ctx context.Context, off, end int64, pieces []model.Piece) ([]model.Piece, error) {
	w, err := x.seek(ctx, func(c checkpoint) bool { return c.out <= off })
	if err != nil {
		return pieces, err
	}
	err = x.each(ctx, &w, func(s *Sequence) bool {
		if from, to := max(off, s.Out), min(end, s.MatchOut()); from < to {
			pieces = append(pieces, model.Piece{
				Off: x.block.Out + from, Len: to - from, Kind: "literal", Unit: x.unit(s), CopyFrom: -1,
				In: []model.Span{x.span(s.LiteralsAt+from-s.Out, to-from)}})
		}
		if from, to := max(off, s.MatchOut()), min(end, s.OutEnd()); from < to {
			pieces = append(pieces, model.Piece{
				Off: x.block.Out + from, Len: to - from, Kind: "match", Unit: x.unit(s), CopyFrom: x.block.Out + from - s.Distance,
				In: []model.Span{x.span(s.Token, 1), x.span(s.OffsetAt, s.End-s.OffsetAt)}})
		}
		return s.OutEnd() < end
	})
	return pieces, err
}

// each calls visit for sequences until it returns false or the valid part ends.
func (x *lz4Index) each(ctx context.Context, w *walker, visit func(s *Sequence) bool) error {
	var s Sequence
	for !w.done {
		if w.index%sequencesPerCheckpoint == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fault := w.next(ctx, &s)
		if fault != nil && fault.unread() {
			return fault
		}
		if !visit(&s) {
			return nil
		}
	}
	return nil
}

func (x *lz4Index) span(off, length int64) model.Span {
	return x.block.In.Source.Span(x.block.In.Off+off, length)
}

func (x *lz4Index) unit(s *Sequence) model.Span { return x.span(s.Token, s.End-s.Token) }

// To returns the output of input ranges. Adjacent ranges are joined.
func (m *lz4Mapping) To(ctx context.Context, off, length int64) ([]model.OutputRange, error) {
	var ranges []model.OutputRange
	add := func(off, length int64) {
		if n := len(ranges); n > 0 && ranges[n-1].Off+ranges[n-1].Len == off {
			ranges[n-1].Len += length
		} else if length > 0 {
			ranges = append(ranges, model.OutputRange{Off: off, Len: length})
		}
	}
	end := off + length
	for i := range m.blocks {
		b := &m.blocks[i]
		from, to := max(off, b.In.Off), min(end, b.In.End())
		if from >= to {
			continue
		}
		from, to = from-b.In.Off, to-b.In.Off
		if b.Stored {
			add(b.Out+from, min(to, b.OutLen)-from)
			continue
		}
		x := m.indexes[i]
		w, err := x.seek(ctx, func(c checkpoint) bool { return c.in <= from })
		if err != nil {
			return ranges, err
		}
		err = x.each(ctx, &w, func(s *Sequence) bool {
			if s.End > from && s.Token < to {
				out, n := s.madeBy(max(from, s.Token), min(to, s.End))
				add(b.Out+out, n)
			}
			return s.End < to
		})
		if err != nil {
			return ranges, err
		}
	}
	return ranges, nil
}

// madeBy returns the output that depends on the sequence's input [from, to): the literals if these are literals,
// otherwise all of the output.
func (s *Sequence) madeBy(from, to int64) (off, length int64) {
	if from >= s.LiteralsAt && to <= s.LiteralsAt+s.Literals {
		return s.Out + from - s.LiteralsAt, to - from
	}
	return s.Out, s.OutEnd() - s.Out
}
