package usdc

import (
	"context"
	"math"

	"cutaway/model"
)

// partNode is the layout node of one part of a value.
func (c *crate) partNode(ctx context.Context, t *taken, p *part) model.Node {
	info := &partInfos[p.kind]
	span := c.src.Span(p.off, p.len)
	n := model.Node{Name: p.name(), Type: info.typ, Help: info.help, Spans: []model.Span{span}}
	if size := numberSize(t, p); size > 0 && p.len < size {
		n.Brief = "cut"
		return n
	}
	switch p.kind {
	case partWhole:
		whole := c.elementNode(ctx, n.Name, &t.r.typ().info().elem, false, c.src, p.off)
		whole.Type = c.typeName(t.r)
		return whole
	case partRank, partCount, partTableSize, partKnotBytes, partKnotCount, partDataCount, partDense:
		n.Value = model.Uint(p.raw)
		if p.kind == partCount && p.len == 4 {
			n.Type = "u32"
		}
	case partJump, partTimesJump, partRepsJump:
		n.Value = model.Int(p.raw)
	case partLoopsBefore, partLoopsAfter:
		n.Value = model.Int(int32(p.raw))
	case partCode:
		n.Value = symbols(p.raw, nil)
		if name, ok := map[uint64]string{codeIntegers: "integers", codeTable: "table"}[p.raw]; ok {
			n.Value = model.Symbol{Number: int64(p.raw), Name: name}
		}
	case partElements:
		return c.elementsNode(n, &t.r.typ().info().elem, c.form(t.r) == formArray || p.list > 0, p)
	case partTable:
		return c.elementsNode(n, &t.r.typ().info().elem, true, p)
	case partCoded:
		return c.codedNode(ctx, n, t)
	case partKey, partAssetPath:
		c.fillIndex(ctx, &n, scalarString, p)
	case partPrimPath:
		c.fillIndex(ctx, &n, scalarPath, p)
	case partRep, partTimesRep, partLiterals, partInstructions:
		r := c.repNode(n.Name, rep(p.raw), span)
		if info.help != "" {
			r.Help = info.help
		}
		return r
	case partReps:
		return c.repsNode(n, p)
	case partBits:
		n.Value = model.Uint(p.raw)
		n.Children = bitRows(p.raw, span, listBits, nil)
	case partHeader1, partHeader2, partHeader3:
		c.fillSplineHeader(&n, t, p)
	case partKnots:
		return c.knotsNode(ctx, n, t, p)
	case partSpare:
		n.Value = model.Blob{Span: span}
	default:
		n.Value = model.Float64(math.Float64frombits(p.raw))
	}
	return n
}

// numberSize is the size of a part that is a number or a value of fixed size; 0 for others.
func numberSize(t *taken, p *part) int64 {
	switch p.kind {
	case partElements, partTable, partCoded, partReps, partKnots, partSpare:
		return 0
	case partWhole:
		return t.r.typ().info().elem.size()
	}
	switch partInfos[p.kind].typ {
	case "u8":
		return 1
	case "u32", "i32", "StringIndex", "PathIndex":
		return 4
	}
	if p.kind == partCount {
		return 4
	}
	return 8
}

// elementsNode is a leaf of elements, one behind the other.
func (c *crate) elementsNode(n model.Node, e *elem, inArray bool, p *part) model.Node {
	count := p.len / e.size()
	n.Type = e.name + "[]"
	n.Value = &plainArray{c: c, e: e, inArray: inArray, src: c.src, off: p.off, count: count}
	n.Children, n.Elements = c.plainRows(e, inArray, c.src, p.off, count), true
	return n
}

// codedNode is the compressed integers of an array with the source that they give.
func (c *crate) codedNode(ctx context.Context, n model.Node, t *taken) model.Node {
	k := c.codedVec(ctx, c.vecOf(t))
	n.Value = &codedArray{c: c, vec: k.vec}
	n.Derived = []*model.Derivation{k.ints.derivation()}
	if len(k.ints.nodes) > 0 {
		n.Children = model.NewList(append([]model.Node(nil), k.ints.nodes...)...)
	}
	return n
}

// fillIndex sets the text that an index stands for.
func (c *crate) fillIndex(ctx context.Context, n *model.Node, s scalar, p *part) {
	v, err := c.indexed(ctx, s, true, uint32(p.raw))
	n.Value = v
	if err != nil {
		n.Problems = append(n.Problems, problemAt(err, n.Spans[0]))
	}
	n.Refs = func(ctx context.Context) []model.Ref { return c.indexRefs(ctx, s, uint32(p.raw), true) }
}

// repsNode is the reps of the values of TimeSamples.
func (c *crate) repsNode(n model.Node, p *part) model.Node {
	count := p.len / 8
	n.Type, n.Brief, n.Elements = "value rep[]", plural(count, "rep", "reps"), true
	n.Children = model.FixedRows(c.src, p.off, 8, count, func(ctx context.Context, i int64) model.Node {
		r, span, err := c.repAt(ctx, p.off+8*i)
		if err != nil {
			return model.Node{Name: model.IndexName(i), Spans: []model.Span{span}, Problems: []model.Problem{problemAt(err, span)}}
		}
		return c.repNode(model.IndexName(i), r, span)
	})
	return n
}

// repAt reads the rep at off.
func (c *crate) repAt(ctx context.Context, off int64) (rep, model.Span, error) {
	in := nearby{src: c.src}
	span := c.src.Span(off, 8)
	raw, err := in.u64(ctx, off)
	return rep(raw), span, err
}
