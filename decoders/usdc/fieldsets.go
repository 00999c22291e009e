package usdc

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/read"
	"cutaway/model"
)

// fieldSets is the list of field indexes whose groups, each ended by none, are the field sets (chapter 6). It is
// kept, 4 bytes an index.
type fieldSets struct {
	sectionTable
	list []uint32
	ints *codedInts // from 0.4.0 on
	off  int64      // of the first index, below 0.4.0
}

// fieldSets loads the field sets; the error is that of the context, damage leaves a shorter list.
func (c *crate) fieldSets(ctx context.Context, progress model.Progress) (*fieldSets, error) {
	return c.fieldSetTable.Get(ctx, progress, c.loadFieldSets)
}

func (c *crate) loadFieldSets(ctx context.Context, progress model.Progress) (*fieldSets, error) {
	s := &fieldSets{}
	sec, err := c.need("FIELDSETS")
	if err != nil {
		return s, nil
	}
	f, err := c.fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	r := read.New(ctx, c.src, sec.lo, sec.hi, "usdc.fieldsets.truncated")
	count := r.U64("count", "number of list elements, terminators included")
	s.claim(r, count)
	switch {
	case !r.Ok():
	case c.inflated():
		err = s.readCompressed(ctx, progress, c, r, f)
	default:
		err = s.readPlain(ctx, c, r, count, f)
	}
	if err != nil {
		return nil, err
	}
	s.nodes = finish(r, "FIELDSETS")
	return s, nil
}

func (s *fieldSets) readPlain(ctx context.Context, c *crate, r *read.Cursor, count uint64, f *fieldTable) error {
	n := r.Count(count, 4, "usdc.fieldsets.count")
	if n == 0 {
		return nil
	}
	at := r.Skip("indexes", 4*n, model.Explained, "FieldIndexes; -1 ends a field set")
	node := r.Field()
	node.Type, node.Value, node.Brief, node.Elements = "FieldIndex[]", nil, plural(n, "index", "indexes"), true
	node.Children = model.FixedRows(c.src, at.Off, 4, n, func(ctx context.Context, i int64) model.Node {
		row := model.Node{Name: model.IndexName(i), Spans: []model.Span{c.src.Span(at.Off+4*i, 4)}}
		c.showField(ctx, &row, s.list[i])
		return row
	})
	s.off = at.Off
	s.list = make([]uint32, 0, n)
	err := eachRecord(ctx, c.src, at.Off, 4, n, func(i int64, b []byte) {
		index := binary.LittleEndian.Uint32(b)
		s.list = append(s.list, index)
		if !f.has(index) && len(node.Problems) < maxListed {
			node.Problems = append(node.Problems, problemAt(outOfRange("field", index, f.claimed), c.src.Span(at.Off+4*i, 4)))
		}
	})
	if err != nil {
		return readFailure(ctx, err, node, "usdc.fieldsets.read")
	}
	if uint64(n) == count {
		s.checkEnd(node, c.src.Span(at.End()-4, 4))
	}
	return nil
}

func (s *fieldSets) readCompressed(ctx context.Context, progress model.Progress, c *crate, r *read.Cursor, f *fieldTable) error {
	columns, err := s.readColumns(ctx, progress, c, r, "FIELDSETS", s.claimed, []intColumn{{
		name: "indexes", title: "FIELDSETS", typ: "FieldIndex[]", help: "FieldIndexes, as coded integers; -1 ends a field set",
		show: func(ctx context.Context, _, v int64, n *model.Node) { c.showField(ctx, n, uint32(v)) },
	}})
	if err != nil {
		return err
	}
	col := &columns[0]
	s.ints, s.list = col.ints, col.values
	f.checkInts(ctx, &col.node, col.list, s.list, "field")
	if good := col.list.good; good == s.claimed && good > 0 {
		s.checkEnd(&col.node, col.list.place(ctx, good-1))
	}
	r.Add(col.node)
	return nil
}

func (s *fieldSets) checkEnd(node *model.Node, at model.Span) {
	if last := s.list[len(s.list)-1]; last != none {
		node.Problems = append(node.Problems, model.Problemf(model.Malformed, "usdc.fieldsets.unterminated", at,
			"the last field set has no end").Want("-1", last))
	}
}

// showField makes n the node of a field index.
func (c *crate) showField(ctx context.Context, n *model.Node, i uint32) {
	var name string
	err := errNone
	if i != none {
		name, err = c.fieldName(ctx, i)
	}
	showIndex(n, "FieldIndex", i, name, c.fieldRef(i), err)
}

// fieldName is the text of the name of field i.
func (c *crate) fieldName(ctx context.Context, i uint32) (string, error) {
	f, err := c.fields(ctx, nil)
	switch {
	case err != nil:
		return "", err
	case int64(i) < f.n:
		return f.name(ctx, int64(i))
	case !f.has(i):
		return "", outOfRange("field", i, f.claimed)
	}
	return "", missing("field", i)
}

// startsGroup tells whether a field set begins at position i of the list.
func (s *fieldSets) startsGroup(i uint32) bool {
	return int64(i) < int64(len(s.list)) && (i == 0 || s.list[i-1] == none)
}

// group is the field indexes from position i on, up to the terminator.
func (s *fieldSets) group(i uint32) []uint32 {
	if int64(i) >= int64(len(s.list)) {
		return nil
	}
	for end := int(i); end < len(s.list); end++ {
		if s.list[end] == none {
			return s.list[i:end]
		}
	}
	return s.list[i:]
}

// groups counts the field sets.
func (s *fieldSets) groups() int64 {
	n := int64(0)
	for _, i := range s.list {
		if i == none {
			n++
		}
	}
	return n
}

// setRefs leads to the beginning of a field set, if the list has it.
func (c *crate) setRefs(ctx context.Context, i uint32) []model.Ref {
	if s, err := c.fieldSets(ctx, nil); err != nil || int64(i) >= int64(len(s.list)) {
		return nil
	}
	return []model.Ref{c.links.positions.Ref("fieldset", int64(i))}
}

// complete tells whether the whole list could be decoded.
func (s *fieldSets) complete() bool { return s.known && int64(len(s.list)) == s.claimed }
