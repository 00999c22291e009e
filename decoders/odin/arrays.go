package odin

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// What a StartOfArray announces depends on who wrote it (chapter 5).

// membersName is the name of the strings in an array of an ISerializable type that each begin a member.
const membersName = "type"

// ranksName is the name of the string that begins a multi-dimensional array.
const ranksName = "ranks"

// An arrayContents holds the number of entries that an array has, beside the one that it announces.
type arrayContents struct {
	entries  int64 // children
	ranks    []int64
	elements int64 // children that are elements or members
	members  bool  // of an ISerializable type: pairs
	missing  int64 // members without a value
	gap      int64 // the type of the first of those
}

// holdingOf counts what the array e holds.
func (s *stream) holdingOf(ctx context.Context, e *entry) arrayContents {
	n, _ := s.count(e.i)
	h := arrayContents{entries: n, elements: n}
	if n == 0 {
		return h
	}
	first := s.entry(ctx, s.child(e.i, 0))
	if first.kind != kind.String || !first.named {
		return h
	}
	switch first.name {
	case ranksName:
		h.elements--
		text, _ := first.value.(model.Text)
		h.ranks = parseRanks(string(text))
	case membersName:
		h.members = true
		h.elements, h.missing = 0, 0
		s.eachMember(ctx, e.i, func(m member) bool {
			h.elements++
			if m.value < 0 {
				if h.missing++; h.missing == 1 {
					h.gap = m.typ
				}
			}
			return true
		})
	}
	return h
}

// member is a pair of an ISerializable type: the entry with the type and that with the value, -1 where it is missing.
type member struct{ typ, value int64 }

// eachMember pairs the children of an array by their names: "type" opens a pair, the next entry of another name is
// its value. Of two entries named "type" in a row, the second is the value of a member of that name if it is no type
// name; else the first has no value.
func (s *stream) eachMember(ctx context.Context, array int64, visit func(m member) bool) {
	n, _ := s.count(array)
	open := member{-1, -1}
	i := array + 1
	for range n {
		name, named := s.nameAt(ctx, i)
		isType := named && name == membersName
		switch {
		case isType && open.typ >= 0 && !s.isTypeText(ctx, i):
			open.value = i
			if !visit(open) {
				return
			}
			open = member{-1, -1}
		case isType:
			if open.typ >= 0 && !visit(open) {
				return
			}
			open = member{i, -1}
		default:
			open.value = i
			if !visit(open) {
				return
			}
			open = member{-1, -1}
		}
		i = s.next(i)
	}
	if open.typ >= 0 {
		visit(open)
	}
}

func (s *stream) nameAt(ctx context.Context, i int64) (string, bool) {
	off, length := s.ownRange(i)
	return s.form.nameOf(ctx, s, off, length)
}

// isTypeText reports whether an entry is a string that reads as a .NET type name.
func (s *stream) isTypeText(ctx context.Context, i int64) bool {
	e := s.entry(ctx, i)
	text, ok := e.value.(model.Text)
	return ok && e.kind == kind.String && dotnet.Plausible(string(text))
}

// arrayBrief says what an array announces and holds.
func (s *stream) arrayBrief(ctx context.Context, e *entry) string {
	if s.isOpen(e.i) || !s.isArray(e.i) {
		return fmt.Sprintf("announces %d", e.announced)
	}
	h := s.holdingOf(ctx, e)
	what := "element"
	if h.members {
		what = "member"
	}
	if h.elements == e.announced && h.missing == 0 {
		return model.Counted(h.elements, what)
	}
	text := fmt.Sprintf("announces %d, holds %d", e.announced, h.elements)
	if h.members {
		text += " " + what + "s"
	}
	if h.missing > 0 {
		text += fmt.Sprintf(", %d without a value", h.missing)
	}
	return text
}

// arrayProblem compares what an array announces with what it holds. A length that no bytes support is a problem of
// its field.
func (s *stream) arrayProblem(ctx context.Context, e *entry, at model.Span) (model.Problem, bool) {
	if !s.isArray(e.i) || e.announced < 0 || e.announced > s.end-e.off || s.unclosed(e.i) {
		return model.Problem{}, false
	}
	h := s.holdingOf(ctx, e)
	switch {
	case h.members && h.missing > 0 && h.elements == e.announced:
		typ := s.entry(ctx, h.gap)
		return model.Problemf(model.Assumed, ruleMemberMissing, s.ownSpan(&typ),
			"the value of this member is missing, as writers leave it out when it cannot be written; the array announces %d members and holds %d entries",
			e.announced, h.entries).Want(fmt.Sprintf("%d entries", 2*e.announced), fmt.Sprintf("%d entries", h.entries)), true
	case h.ranks != nil && !product(h.ranks, e.announced):
		return model.Problemf(model.Suspicious, ruleArrayRanks, at, "the dimensions of the array do not multiply to the length that it announces").
			Want(e.announced, fmt.Sprint(h.ranks)), true
	case h.elements != e.announced:
		return model.Problemf(model.Suspicious, ruleArrayCount, at, "the array does not hold as many elements as it announces").
			Want(e.announced, h.elements), true
	}
	return model.Problem{}, false
}

// product reports whether numbers multiply to n.
func product(numbers []int64, n int64) bool {
	total := int64(1)
	for _, v := range numbers {
		if v > 0 && total > math.MaxInt64/v {
			return false
		}
		total *= v
	}
	return total == n
}
