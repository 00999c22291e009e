package omnilive

import (
	"context"
	"strings"

	"cutaway/model"
)

// Bounds of what a summary has.
const (
	mostSummed  = 3 // items of a list
	summedWidth = 60
)

// summary is the data of a shape, which was measured, in a few words: "prepended @a.usd@</A>, @b.usd@; deleted </C>".
func (v *values) summary(ctx context.Context, s *shape, off, end int64, depth int) string {
	sc := v.scan(ctx)
	defer v.release(sc)
	return v.sum(ctx, sc, s, off, end, depth)
}

func (v *values) sum(ctx context.Context, sc *scan, s *shape, off, end int64, depth int) string {
	switch s.form {
	case fixed:
		return model.ShowHeld(v.fixedValue(ctx, s, off), summedWidth)
	case text:
		return model.Show(ctx, v.text(ctx, off+4, end-off-4), summedWidth)
	case list:
		return v.sumList(ctx, sc, s, off, end, depth)
	case listOp:
		return v.sumListOp(ctx, sc, s, off, end, depth)
	case record:
		return v.sumRecord(ctx, sc, s, off, end, depth)
	case sized:
		inner := v.glance(ctx, off+8, end, depth+1)
		return inner.typeName()
	}
	return ""
}

func (v *values) sumList(ctx context.Context, sc *scan, s *shape, off, end int64, depth int) string {
	n, ok := sc.Number(off, 8)
	if !ok {
		return ""
	}
	var items []string
	off += 8
	for range min(n, mostSummed) {
		next, ok := v.measure(sc, s.item, off, end)
		if !ok {
			break
		}
		items = append(items, v.sum(ctx, sc, s.item, off, next, depth))
		off = next
	}
	if n > mostSummed {
		items = append(items, "… of "+model.Grouped(int64(n)))
	}
	return strings.Join(items, ", ")
}

// sumListOp names each list that is there with its items; "explicit, empty" is one that takes what others have away.
func (v *values) sumListOp(ctx context.Context, sc *scan, s *shape, off, end int64, depth int) string {
	header, ok := sc.U8(off)
	if !ok {
		return ""
	}
	off++
	var lists []string
	for _, l := range listOpParts {
		if header>>l.bit&1 == 0 {
			continue
		}
		of := &shape{form: list, name: l.name, item: s.item}
		next, ok := v.measure(sc, of, off, end)
		if !ok {
			break
		}
		lists = append(lists, strings.TrimSpace(l.name+" "+v.sumList(ctx, sc, of, off, next, depth)))
		off = next
	}
	switch {
	case len(lists) > 0:
		return strings.Join(lists, "; ")
	case header&1 != 0:
		return "explicit, empty"
	}
	return "no items"
}

// sumRecord is a reference or payload as USD writes it, of others the fields.
func (v *values) sumRecord(ctx context.Context, sc *scan, s *shape, off, end int64, depth int) string {
	var fields []string
	for _, f := range s.fields {
		next, ok := v.measure(sc, f.shape, off, end)
		if !ok {
			break
		}
		fields = append(fields, v.sum(ctx, sc, f.shape, off, next, depth))
		off = next
	}
	if !s.leads || len(fields) < len(payload.fields) {
		return strings.Join(fields, ": ")
	}
	text := ""
	if fields[0] != "" || fields[1] == "" {
		text = "@" + fields[0] + "@"
	}
	if fields[1] != "" {
		text += "<" + fields[1] + ">"
	}
	if offset := fields[2]; offset != "(0, 1)" {
		text += " offset " + offset
	}
	return text
}
