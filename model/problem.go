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
	Unread                 // bytes cannot be read, so that their content is unknown: a warning
)

// String is the kind's name in JSON.
func (k Kind) String() string {
	return [...]string{"malformed", "truncated", "suspicious", "assumed", "limit", "unread"}[k]
}

// Severity orders problems by their weight.
type Severity uint8

// The severities, least first.
const (
	Note Severity = iota
	Warning
	Error
)

// String is the severity's name in JSON.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Severity returns the weight of the kind: a file is sound when it has no Error.
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

// A Problem is something wrong at a place.
type Problem struct {
	Rule     string // stable identifier, format first: "usdc.toc.section-out-of-file"
	Kind     Kind
	Span     Span   // where; a missing range begins where the bytes end
	Expected string // what the rule wants, in words or numbers; may be empty
	Found    string // the content of the bytes; may be empty
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

// WantAtMost adds the highest number that was expected and the one that was found.
func (p Problem) WantAtMost(most, found any) Problem {
	return p.Want(fmt.Sprint("at most ", most), found)
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

// RuleRead is the rule of bytes that a disk or server did not give, whatever is stored there.
const RuleRead = "source.read"

// AsProblem turns an error into a problem at a place, of the kind KindOf: a Problem stays itself; where bytes could not be read
// that is RuleRead, anything else the given rule.
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

// KindOf returns the kind of problem of an error of reading or decoding: Unread if a disk or server failed or the file has
// shrunk since it was opened, Truncated at the end of the bytes, else Malformed.
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

// doubted is p; or, where bytes of the file that it is of could not be read, p without saying that the bytes which could be read are
// wrong: it may follow from those that are missing. src is the source of a problem without a place.
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
