package model

import (
	"errors"
	"fmt"
	"io"
)

// Kind says what sort of wrong a problem is; it fixes the severity.
type Kind uint8

// The kinds of problems.
const (
	Malformed  Kind = iota // bytes are wrong: an error
	Truncated              // bytes are missing: an error
	Suspicious             // legal but odd: a warning
	Assumed                // the format's rule is not known for sure: a note
	Limit                  // a bound of this program's was met, so not all was read: a warning
)

// String is the kind's name in JSON.
func (k Kind) String() string {
	return [...]string{"malformed", "truncated", "suspicious", "assumed", "limit"}[k]
}

// Severity is how much a problem matters.
type Severity uint8

// The severities, least first.
const (
	Note Severity = iota
	Warning
	Error
)

// String is the severity's name in JSON.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Severity is what the kind is worth: a file is sound when it has no Error.
func (k Kind) Severity() Severity {
	switch k {
	case Suspicious, Limit:
		return Warning
	case Assumed:
		return Note
	default:
		return Error
	}
}

// A Problem is something wrong at a place.
type Problem struct {
	Rule     string // stable identifier, format first: "usdc.toc.section-out-of-file"
	Kind     Kind
	Span     Span   // where; a missing range begins where the bytes end
	Expected string // what the rule wants, in words or numbers; may be empty
	Found    string // what is there; may be empty
	Message  string // one sentence for a person, without the place
	Stack    string // of a panic: what goes into a bug report, no part of the message; else empty
}

// Problemf makes a problem with a formatted message.
func Problemf(kind Kind, rule string, at Span, format string, args ...any) Problem {
	return Problem{Rule: rule, Kind: kind, Span: at, Message: fmt.Sprintf(format, args...)}
}

// Want adds what was expected and found.
func (p Problem) Want(expected, found any) Problem {
	p.Expected, p.Found = fmt.Sprint(expected), fmt.Sprint(found)
	return p
}

// Error implements error, so that decoders can return a problem where a value could not be had.
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

// AsProblem turns an error into a problem at a place: a Problem stays itself, the end of the bytes is
// Truncated under rule, anything else Malformed under it.
func AsProblem(err error, rule string, at Span) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	kind := Malformed
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		kind = Truncated
	}
	return Problem{Rule: rule, Kind: kind, Span: at, Message: err.Error()}
}
