package udm

import (
	"context"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// maxReported bounds the problems that are reported of one array.
const maxReported = 100

// check looks for bools that are neither 0 nor 1 among packed values, which a walk over the layout leaves out. It also
// measures the large LZ4 blocks, which a walk does not inflate.
func (d *udm) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	return d.eachDatum(ctx, progress, func(s *step) error {
		if v, ok := s.datum.(*textValue); ok && v.t.x.Plain(v.group) {
			return errSkip // neither faults nor base64 data
		}
		switch s.datum.kind() {
		case types.Array, types.ArrayLZ4, types.LZ4:
		default:
			return nil
		}
		c, err := s.contents()
		if err != nil {
			return err
		}
		if b := c.block; b != nil && b.unmeasured() {
			_, p, err := b.walk(ctx)
			if err != nil {
				return err
			}
			if p != nil {
				report(b.owner+"@"+inflatedName, *p)
			}
		}
		p, ok := c.rows.(*packed)
		if in, inflated := c.rows.(*inflatedRows); inflated {
			if p, err = in.packed(s.ctx); err != nil {
				return nil // the node of the block has the problem
			}
			ok = true
		}
		if !ok || p.size() == 0 {
			return nil
		}
		return p.checkBools(ctx, report)
	})
}

func (p *packed) checkBools(ctx context.Context, report func(path string, p model.Problem)) error {
	var offsets []int64
	switch {
	case p.shape != nil:
		for k, t := range p.shape.types {
			if t == types.Bool {
				offsets = append(offsets, p.shape.offsets[k])
			}
		}
	case p.typ == types.Bool:
		offsets = []int64{0}
	}
	if len(offsets) == 0 {
		return nil
	}
	reported := 0
	_, err := p.each(ctx, 0, p.count, func(i int64, b []byte) {
		for _, off := range offsets {
			if b[off] <= 1 || reported >= maxReported {
				continue
			}
			reported++
			n := model.Node{Spans: []model.Span{p.src.Span(p.off+i*p.size()+off, 1)}}
			fill(&n, types.Bool, b[off:])
			report(p.at.child(model.IndexName(i)).String(), n.Problems[0])
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_ = err // the node of the block has the problem
	return nil
}
