package usdatext

import (
	"context"

	"cutaway/decoders/usda"
	"cutaway/model"
)

func (*pieces) Bulk() *model.BulkFuncs { return piecesBulk }

var piecesBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, progress model.Progress) (model.Coverage, bool, error) {
		return c.(*pieces).survey(ctx, progress)
	},
}

// survey returns the coverage of the tokens of a part without making their nodes: a layer with a million prims has
// twenty million.
func (c *pieces) survey(ctx context.Context, progress model.Progress) (model.Coverage, bool, error) {
	s := &survey{l: c.l, progress: progress}
	plain := s.part(ctx, c.of) && s.sum.Sum() == c.of.end-c.of.off
	return s.sum, plain, ctx.Err()
}

// A survey sums the coverage of tokens, as the nodes of a part would.
type survey struct {
	l        *layer
	progress model.Progress
	sum      model.Coverage
	reported int64
}

// part adds a part. It returns false if a node of the part would have a problem.
func (s *survey) part(ctx context.Context, of textPart) bool {
	if of.end > s.l.index.end || ctx.Err() != nil {
		return false
	}
	if of.off-s.reported > 1<<20 {
		s.reported = of.off
		s.progress.Report(of.off, s.l.src.Size(), "reading tokens")
	}
	off, room := of.off, maxPieces()
	if of.whole {
		for _, p := range s.l.partsIn(of) {
			if p.end > of.end || p.off < off {
				continue
			}
			if !s.tokens(ctx, off, p.off, &room) || !s.part(ctx, p) {
				return false
			}
			room--
			off = p.end
		}
	}
	return s.tokens(ctx, off, of.end, &room) && room > 0
}

// An openArray is a bracket that is not closed yet, with the coverage before it.
type openArray struct {
	off    int64
	before model.Coverage
}

// tokens adds the tokens of a range and subtracts their number from room. It returns false if a token cannot be read or
// room is used up.
func (s *survey) tokens(ctx context.Context, off, end int64, room *int) bool {
	if off >= end {
		return true
	}
	x := newLexer(ctx, s.l.src, off, end, nil)
	var open []openArray
	for ; *room > 0; *room-- {
		at := x.pos
		if a, long := s.l.index.arrays[at]; long && a.end <= end {
			s.sum.Explained += a.end - at
			x.pos = a.end
			continue
		}
		before := s.sum
		kind, text, ok := x.raw()
		if !ok {
			return x.err == nil
		}
		switch kind {
		case usda.Blank, usda.Newline:
			s.sum.Padding += x.pos - at
		case usda.Bad:
			s.sum.Unknown += x.pos - at
		default:
			s.sum.Explained += x.pos - at
		}
		switch last := len(open) - 1; {
		case text[0] == '[':
			open = append(open, openArray{at, before})
		case text[0] == ']' && last >= 0:
			if array := open[last]; x.pos-array.off > longArray { // one node, blanks included
				s.sum = array.before
				s.sum.Explained += x.pos - array.off
			}
			open = open[:last]
		}
	}
	return false
}
