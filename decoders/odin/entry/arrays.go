package entry

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// What a StartOfArray announces depends on who wrote it (chapter 5).

// MembersName is the name of the strings in an array of an ISerializable type that each begin a member.
const MembersName = "type"

// RanksName is the name of the string that begins a multi-dimensional array.
const RanksName = "ranks"

// A contents counts the entries of an array.
type contents struct {
	entries  int64 // children
	ranks    []int64
	elements int64 // children that are elements or members
	members  bool  // of an ISerializable type: pairs
	missing  int64 // members without a value
	gap      int64 // the type of the first of those
}

// contentsOf counts the entries of array e.
func (s *Stream) contentsOf(ctx context.Context, e *Entry) contents {
	n, _ := s.Count(e.Number)
	h := contents{entries: n, elements: n}
	if n == 0 {
		return h
	}
	first := s.Entry(ctx, s.Child(e.Number, 0))
	if first.Kind != kind.String || !first.Named {
		return h
	}
	switch first.Name {
	case RanksName:
		h.elements--
		text, _ := first.Value.(model.Text)
		h.ranks = ParseRanks(string(text))
	case MembersName:
		h.members = true
		h.elements, h.missing = 0, 0
		s.EachMember(ctx, e.Number, func(m Member) bool {
			h.elements++
			if m.Value < 0 {
				if h.missing++; h.missing == 1 {
					h.gap = m.Type
				}
			}
			return true
		})
	}
	return h
}

// A Member is a member of an ISerializable type: the entry with its type and the entry with its value. Either is -1 if
// it is missing.
type Member struct{ Type, Value int64 }

// EachMember pairs the children of an array by their names until visit returns false. An entry named "type" begins a
// pair, and the next entry of another name is its value. Of two entries named "type" in a row, the second is the value
// of a member of that name, unless it reads as a type name. Then the first has no value.
func (s *Stream) EachMember(ctx context.Context, array int64, visit func(m Member) bool) {
	n, _ := s.Count(array)
	open := Member{-1, -1}
	i := array + 1
	for range n {
		name, named := s.WrittenName(ctx, i)
		isType := named && name == MembersName
		switch {
		case isType && open.Type >= 0 && !s.isTypeText(ctx, i):
			open.Value = i
			if !visit(open) {
				return
			}
			open = Member{-1, -1}
		case isType:
			if open.Type >= 0 && !visit(open) {
				return
			}
			open = Member{i, -1}
		default:
			open.Value = i
			if !visit(open) {
				return
			}
			open = Member{-1, -1}
		}
		i = s.Next(i)
	}
	if open.Type >= 0 {
		visit(open)
	}
}

// WrittenName returns the name of an entry, or false if it has none.
func (s *Stream) WrittenName(ctx context.Context, i int64) (string, bool) {
	off, length := s.OwnRange(i)
	return s.form.nameOf(ctx, s, off, length)
}

// isTypeText reports whether an entry is a string that reads as a .NET type name.
func (s *Stream) isTypeText(ctx context.Context, i int64) bool {
	e := s.Entry(ctx, i)
	text, ok := e.Value.(model.Text)
	return ok && e.Kind == kind.String && dotnet.Plausible(string(text))
}

// ArrayBrief returns the number of elements that an array announces and has, in words.
func (s *Stream) ArrayBrief(ctx context.Context, e *Entry) string {
	if s.IsOpen(e.Number) || !s.IsArray(e.Number) {
		return fmt.Sprintf("announces %d", e.Announced)
	}
	h := s.contentsOf(ctx, e)
	what := "element"
	if h.members {
		what = "member"
	}
	if h.elements == e.Announced && h.missing == 0 {
		return model.Counted(h.elements, what)
	}
	text := fmt.Sprintf("announces %d, holds %d", e.Announced, h.elements)
	if h.members {
		text += " " + what + "s"
	}
	if h.missing > 0 {
		text += fmt.Sprintf(", %d without a value", h.missing)
	}
	return text
}

// ArrayProblem reports that array e does not have what it announces. A length beyond the bytes that follow is a problem
// of its field.
func (s *Stream) ArrayProblem(ctx context.Context, e *Entry, at model.Span) (model.Problem, bool) {
	if !s.IsArray(e.Number) || e.Announced < 0 || e.Announced > s.end-e.Off || s.unclosed(e.Number) {
		return model.Problem{}, false
	}
	h := s.contentsOf(ctx, e)
	switch {
	case h.members && h.missing > 0 && h.elements == e.Announced:
		typ := s.Entry(ctx, h.gap)
		return model.Problemf(model.Assumed, ruleMemberMissing, s.OwnSpan(&typ),
			"the value of this member is missing, as writers leave it out when it cannot be written; the array announces %d members and holds %d entries",
			e.Announced, h.entries).Want(fmt.Sprintf("%d entries", 2*e.Announced), fmt.Sprintf("%d entries", h.entries)), true
	case h.ranks != nil && !product(h.ranks, e.Announced):
		return model.Problemf(model.Suspicious, ruleArrayRanks, at, "the dimensions of the array do not multiply to the length that it announces").
			Want(e.Announced, fmt.Sprint(h.ranks)), true
	case h.elements != e.Announced:
		return model.Problemf(model.Suspicious, ruleArrayCount, at, "the array does not hold as many elements as it announces").
			Want(e.Announced, h.elements), true
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

// ParseRanks reads "2|3", or returns nil for any other text.
func ParseRanks(text string) []int64 {
	var ranks []int64
	for _, part := range strings.Split(text, "|") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 || len(ranks) == 32 {
			return nil
		}
		ranks = append(ranks, n)
	}
	return ranks
}
