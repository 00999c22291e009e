// Package export writes nodes, values and cards for use outside the window: JSON (a line a node, or one nested
// object), YAML, a text tree, CSV, raw or decoded bytes, constants of programming languages, and a report on a whole
// document. FormsOf lists what is offered on the command line and in the window. It reads only model.
//
// Everything is streamed: arrays and tables are read in windows, trees are walked and not kept, so that the memory
// taken does not grow with the file. Every writer ends early with the context's error when the context ends.
package export

import (
	"context"
	"strings"

	"cutaway/model"
)

// Window is the number of elements of an array or rows of a table that are in memory at once.
const Window = 4096

// FirstElements bounds the elements of a longer sequence in JSON, unless it is written whole.
const FirstElements = 64

// RuleUnreadable is the rule of a problem that is met when a value's elements are read for writing.
const RuleUnreadable = "value.unreadable"

// Tally counts the problems that were written.
type Tally struct {
	Errors, Warnings, Notes int64
	Limits                  int64 // of the warnings: where a limit of this program kept bytes from being read
	Unread                  int64 // of the warnings: where a disk or server did not give the bytes
}

// Add counts a problem.
func (t *Tally) Add(p *model.Problem) {
	switch p.Kind {
	case model.Limit:
		t.Limits++
	case model.Unread:
		t.Unread++
	}
	switch p.Kind.Severity() {
	case model.Error:
		t.Errors++
	case model.Warning:
		t.Warnings++
	default:
		t.Notes++
	}
}

// Verdict says in words what was counted. Without an error it begins with clean, such as "sound"; with what a limit
// kept from being read it says that this is so as far as was read. Of bytes that could not be read it knows nothing.
func (t *Tally) Verdict(clean string, style func(model.Severity, string) string) string {
	var parts []string
	if t.Limits > 0 {
		clean += " as far as it was read: " + model.GroupedCount(t.Limits, "limit") + " met"
	}
	switch {
	case t.Unread > 0:
		parts = append(parts, "bytes could not be read at "+model.GroupedCount(t.Unread, "place"))
	case t.Errors == 0:
		parts = append(parts, clean)
	}
	for _, c := range []struct {
		n        int64
		severity model.Severity
		word     string
	}{{t.Errors, model.Error, "error"}, {t.Warnings, model.Warning, "warning"}, {t.Notes, model.Note, "note"}} {
		if c.n > 0 {
			parts = append(parts, style(c.severity, model.GroupedCount(c.n, c.word)))
		}
	}
	return strings.Join(parts, ", ")
}

// Walk is model.Walk, or, with alone, a visit of start only; its pending work is done as opt says.
func Walk(ctx context.Context, start *model.Place, opt model.WalkOptions, alone bool, visit model.Visit) error {
	if !alone {
		return model.Walk(ctx, start, opt, visit)
	}
	return model.Walk(ctx, start, opt, func(p *model.Place) error {
		if err := visit(p); err != nil {
			return err
		}
		return model.ErrSkip
	})
}

// readElements fills dst with the elements of a from first on, over as many reads as it takes, and returns how
// many there were.
func readElements(ctx context.Context, a model.Array, first int64, dst []model.Value) (int, error) {
	if left := a.Len() - first; left < int64(len(dst)) {
		dst = dst[:max(left, 0)]
	}
	got := 0
	for got < len(dst) {
		n, err := a.Read(ctx, first+int64(got), dst[got:])
		got += n
		if err != nil {
			return got, err
		}
		if n == 0 {
			return got, model.Problemf(model.Truncated, RuleUnreadable, model.Span{},
				"the array ends after %d elements, it claims %d", first+int64(got), a.Len())
		}
	}
	return got, ctx.Err()
}
