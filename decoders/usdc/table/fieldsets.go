package table

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// FieldSets is the list of field indexes whose groups, each ended by None, are the field sets (chapter 6). It is
// kept, 4 bytes an index.
type FieldSets struct {
	Section
	column
	List []uint32
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
	showNumber((*Crate).showFieldIndex, s, v, n)
}

// FieldSets loads the field sets; the error is that of the context, damage leaves a shorter list.
func (c *Crate) FieldSets(ctx context.Context, progress model.Progress) (*FieldSets, error) {
	return c.fieldSetTable.Get(ctx, progress, c.loadFieldSets)
}

func (c *Crate) loadFieldSets(ctx context.Context, progress model.Progress) (*FieldSets, error) {
	s := &FieldSets{column: column{name: "indexes", show: c.showFieldIndex}}
	f, err := c.Fields(ctx, progress)
	if err != nil || !s.open(ctx, c, "FIELDSETS") {
		return s, err
	}
	if err := s.readColumns(ctx, progress, "indexes", s.claimed, &s.column); err != nil {
		return s, err
	}
	s.check(ctx, &f.Section, "field")
	s.List, s.Values = s.Values.Unpacked(), model.Numbers{} // its groups are asked for all the time
	if n := s.claimed; s.complete() && n > 0 && s.List[n-1] != None {
		s.node.Problems = append(s.node.Problems, model.Problemf(model.Malformed, "usdc.fieldsets.unterminated", s.place(ctx, n-1),
			"the last field set has no end").Want("-1", s.List[n-1]))
	}
	s.finish()
	return s, nil
}

// showFieldIndex shows a number as the index of a field.
func (c *Crate) showFieldIndex(ctx context.Context, _, v int64, n *model.Node) {
	i, name := uint32(v), ""
	err := errNone
	if i != None {
		name, err = c.FieldName(ctx, i)
	}
	showIndex(n, fieldIndex.Name(), i, name, c.Entries.FieldRef(i), err)
}

// FieldName returns the text of the name of field i.
func (c *Crate) FieldName(ctx context.Context, i uint32) (string, error) {
	f, err := c.Fields(ctx, nil)
	switch {
	case err != nil:
		return "", err
	case int64(i) < f.Count:
		return f.Name(ctx, int64(i))
	case !f.Holds(i):
		return "", outOfRange("field", i, f.claimed)
	}
	return "", f.lostEntry("field", i)
}

// startsGroup reports whether a field set begins at position i of the list.
func (s *FieldSets) startsGroup(i uint32) bool {
	return int64(i) < int64(len(s.List)) && (i == 0 || s.List[i-1] == None)
}

// Group returns the field indexes from position i on, up to the terminator.
func (s *FieldSets) Group(i uint32) []uint32 {
	if int64(i) >= int64(len(s.List)) {
		return nil
	}
	for end := int(i); end < len(s.List); end++ {
		if s.List[end] == None {
			return s.List[i:end]
		}
	}
	return s.List[i:]
}

// CountGroups counts the field sets.
func (s *FieldSets) CountGroups() int64 {
	n := int64(0)
	for _, i := range s.List {
		if i == None {
			n++
		}
	}
	return n
}

// FieldSetRefs leads to the beginning of a field set, if the list has it.
func (c *Crate) FieldSetRefs(ctx context.Context, i uint32) []model.Ref {
	if s, err := c.FieldSets(ctx, nil); err != nil || int64(i) >= int64(len(s.List)) {
		return nil
	}
	return []model.Ref{c.Entries.Positions.Ref("fieldset", int64(i))}
}

// complete reports whether the whole list could be decoded.
func (s *FieldSets) complete() bool { return s.known && int64(len(s.List)) == s.claimed }

// StartOf returns the position at which the field set begins that holds position i of the list.
func (s *FieldSets) StartOf(i int64) int64 {
	i = min(i, int64(len(s.List)))
	for i > 0 && s.List[i-1] != None {
		i--
	}
	return i
}
