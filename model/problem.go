package model

import (
	"errors"
	"fmt"
	"io"
)

// A Kind is a kind of problem. It implies the severity.
type Kind uint8

// The kinds of problems.
const (
	Malformed  Kind = iota // bytes are wrong: an error
	Truncated              // bytes are missing: an error
	Suspicious             // legal but odd: a warning
	Assumed                // the format's rule is uncertain: a note
	Limit                  // a limit of this program was exceeded, so not all was read: a warning
	Unread                 // bytes cannot be read, so that their content is unknown: a warning
)

// String returns the kind's name in JSON.
func (k Kind) String() string {
	return [...]string{"malformed", "truncated", "suspicious", "assumed", "limit", "unread"}[k]
}

// A Severity orders problems by their weight.
type Severity uint8

// The severities, least first.
const (
	Note Severity = iota
	Warning
	Error
)

// String returns the severity's name in JSON.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Severity returns the severity of the kind. A file without an Error is sound.
func (k Kind) Severity() Severity {
	switch k {
	case Suspicious, Limit, Unread:
		return Warning
	case Assumed:
		return Note
	default:
		return Error
	}
}

// A Problem is a fault at a place.
type Problem struct {
	Rule     string // stable identifier, format first: "usdc.toc.section-out-of-file"
	Kind     Kind
	Span     Span   // a missing range begins where the bytes end
	Expected string // the expectation of the rule, in words or numbers, or ""
	Found    string // the content of the bytes, or ""
	Message  string // one sentence for a person, without the place
	Because  Span   // the damaged range that caused the problem, or no Source
	Stack    string // of a panic, for a bug report and not part of the message, or ""
}

// Problemf returns a problem with a formatted message.
func Problemf(kind Kind, rule string, at Span, format string, args ...any) Problem {
	return Problem{Rule: rule, Kind: kind, Span: at, Message: fmt.Sprintf(format, args...)}
}

// Want returns p with what was expected and found.
func (p Problem) Want(expected, found any) Problem {
	p.Expected, p.Found = fmt.Sprint(expected), fmt.Sprint(found)
	return p
}

// WantAtMost returns p with the greatest number that was expected, and the number found.
func (p Problem) WantAtMost(most, found any) Problem {
	return p.Want(fmt.Sprint("at most ", most), found)
}

// FollowsFrom reports whether the problem follows from another one, in the damaged range or in bytes derived from that.
func (p Problem) FollowsFrom(other *Problem) bool {
	if p.Because.Source == nil || other.Because.Source != nil || other.Kind.Severity() != Error || other.Span.Source == nil {
		return false
	}
	at := other.Span
	for !p.Because.Source.Same(at.Source) {
		origin := at.Source.Origin()
		if origin == nil || len(origin.Spans) == 0 {
			return false
		}
		at = origin.Spans[0]
	}
	if p.Because.Len == 0 { // where the bytes end, in the middle of a field
		return other.Kind == Truncated && at.Off <= p.Because.Off && at.End() >= p.Because.Off
	}
	return at.Off >= p.Because.Off && at.Off <= p.Because.End()
}

// Error implements error, so that decoders can return a problem instead of a value.
func (p Problem) Error() string {
	s := p.Message
	if p.Expected != "" || p.Found != "" {
		s += fmt.Sprintf(" (expected %s, found %s)", orNothing(p.Expected), orNothing(p.Found))
	}
	return s
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// RuleRead is the rule of bytes that a disk or server failed to return, whatever is stored there.
const RuleRead = "source.read"

// AsProblem returns an error as a problem of kind KindOf. A Problem is returned unchanged. The rule is RuleRead if
// bytes could not be read, otherwise rule.
func AsProblem(err error, rule string, at Span) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	kind := KindOf(err)
	if kind == Unread {
		rule = RuleRead
	}
	return Problem{Rule: rule, Kind: kind, Span: at, Message: err.Error()}
}

// KindOf returns the kind of an error of reading or decoding: Unread if a disk or server failed or the file has shrunk,
// Truncated at the end of the bytes, otherwise Malformed.
func KindOf(err error) Kind {
	var failed *failedRead
	switch {
	case errors.As(err, &failed):
		return Unread
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Truncated
	}
	return Malformed
}

// doubted returns p. If bytes of its file could not be read, it drops the claim that the readable ones are wrong: the
// missing ones may be the reason. src is the source of a problem without a place.
func (p Problem) doubted(src *Source) Problem {
	if p.Span.Source != nil {
		src = p.Span.Source
	}
	if p.Kind.Severity() == Error && src != nil && src.Root().Failed() != nil {
		p.Kind = Unread
		p.Message += "; it may follow from bytes that could not be read"
	}
	return p
}
