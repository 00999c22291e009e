package source

import (
	"context"

	"cutaway/model"
)

// A Unit is a run of input that makes a run of output as a whole, such as a zstd frame.
type Unit struct {
	In     model.Span
	Out    int64 // offset of its output in the derived source
	OutLen int64 // bytes
}

type unitMapping struct {
	units  []Unit
	kind   string
	stored bool
}

// NewFrameMapping returns the mapping of contiguous frames. Every output byte depends on all of its frame.
func NewFrameMapping(frames ...Unit) model.Mapping { return &unitMapping{units: frames, kind: "frame"} }

// NewStoredMapping returns the mapping of bytes that were joined unchanged.
func NewStoredMapping(in ...model.Span) model.Mapping {
	m := &unitMapping{kind: "stored", stored: true}
	var out int64
	for _, s := range in {
		m.units = append(m.units, Unit{In: s, Out: out, OutLen: s.Len})
		out += s.Len
	}
	return m
}

func (m *unitMapping) From(ctx context.Context, off, length int64) ([]model.Piece, error) {
	var pieces []model.Piece
	for _, u := range m.units {
		from, to := max(off, u.Out), min(off+length, u.Out+u.OutLen)
		if from >= to {
			continue
		}
		p := model.Piece{Off: from, Len: to - from, In: []model.Span{u.In}, Kind: m.kind, Unit: u.In, CopyFrom: -1}
		if m.stored {
			p.In = []model.Span{u.In.Source.Span(u.In.Off+from-u.Out, to-from)}
		}
		pieces = append(pieces, p)
	}
	return pieces, ctx.Err()
}

func (m *unitMapping) To(ctx context.Context, off, length int64) ([]model.OutputRange, error) {
	var ranges []model.OutputRange
	for _, u := range m.units {
		from, to := max(off, u.In.Off), min(off+length, u.In.End())
		switch {
		case from >= to:
		case m.stored:
			ranges = append(ranges, model.OutputRange{Off: u.Out + from - u.In.Off, Len: to - from})
		default:
			ranges = append(ranges, model.OutputRange{Off: u.Out, Len: u.OutLen})
		}
	}
	return ranges, ctx.Err()
}
