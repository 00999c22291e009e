package usdc

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// fieldSets is the list of field indexes whose groups, each ended by none, are the field sets (chapter 6). It is
// kept, 4 bytes an index.
type fieldSets struct {
	sectionTable
	column
	list []uint32
}

// showPositions shows the list of field indexes; coded ones are shown where they are read.
func showPositions(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if l := v.List(); l != nil {
		n.Value, n.Brief = nil, usda.Plural(l.Known(), "index", "indexes")
	}
}

// showPosition shows one of them.
func showPosition(_ grammar.Scope, _ grammar.Value, n *model.Node) { n.Help = "" }

// showFieldIndex shows a field as the index of a field.
func showFieldIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	showNumber((*crate).showFieldIndex, s, v, n)
}

// fieldSets loads the field sets; the error is that of the context, damage leaves a shorter list.
func (c *crate) fieldSets(ctx context.Context, progress model.Progress) (*fieldSets, error) {
	return c.fieldSetTable.Get(ctx, progress, c.loadFieldSets)
}

func (c *crate) loadFieldSets(ctx context.Context, progress model.Progress) (*fieldSets, error) {
	s := &fieldSets{column: column{name: "indexes", show: c.showFieldIndex}}
	f, err := c.fields(ctx, progress)
	if err != nil || !s.open(ctx, c, "FIELDSETS") {
		return s, err
	}
	if err := s.readColumns(ctx, progress, "indexes", s.claimed, &s.column); err != nil {
		return s, err
	}
	s.check(ctx, &f.sectionTable, "field")
	s.list, s.values = s.values.Unpacked(), model.Numbers{} // groups of it are asked for all the time
	if n := s.claimed; s.complete() && n > 0 && s.list[n-1] != none {
		s.node.Problems = append(s.node.Problems, model.Problemf(model.Malformed, "usdc.fieldsets.unterminated", s.place(ctx, n-1),
			"the last field set has no end").Want("-1", s.list[n-1]))
	}
	s.finish()
	return s, nil
}

// showFieldIndex shows a number as the index of a field.
func (c *crate) showFieldIndex(ctx context.Context, _, v int64, n *model.Node) {
	i, name := uint32(v), ""
	err := errNone
	if i != none {
		name, err = c.fieldName(ctx, i)
	}
	showIndex(n, fieldIndex.Name(), i, name, c.fieldRef(i), err)
}

// fieldName is the text of the name of field i.
func (c *crate) fieldName(ctx context.Context, i uint32) (string, error) {
	f, err := c.fields(ctx, nil)
	switch {
	case err != nil:
		return "", err
	case int64(i) < f.n:
		return f.name(ctx, int64(i))
	case !f.holds(i):
		return "", outOfRange("field", i, f.claimed)
	}
	return "", missing("field", i)
}

// startsGroup reports whether a field set begins at position i of the list.
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
	return []model.Ref{c.entries.positions.Ref("fieldset", int64(i))}
}

// complete reports whether the whole list could be decoded.
func (s *fieldSets) complete() bool { return s.known && int64(len(s.list)) == s.claimed }

// startOf returns the position at which the field set begins that holds position i of the list.
func (s *fieldSets) startOf(i int64) int64 {
	i = min(i, int64(len(s.list)))
	for i > 0 && s.list[i-1] != none {
		i--
	}
	return i
}
