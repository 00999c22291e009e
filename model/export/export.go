// Package export writes nodes, values and cards for use outside of the window. The forms are JSON (a line for each
// node, or one nested object), YAML, a text tree, CSV, raw or decoded bytes, and constants of programming languages.
// Another one is a report on a document. FormsOf lists the forms of the command line and the window. The package only
// depends on model.
//
// All output is streamed: arrays and tables are read in windows, and trees are walked and not kept, so that memory does
// not grow with the file. Every writer returns the context's error early when the context ends.
package export

import (
	"context"
	"strings"

	"cutaway/model"
)

// Window is the number of elements of an array or rows of a table in memory.
const Window = 4096

// FirstElements is the number of elements of longer sequences that JSON shows, unless it writes them whole.
const FirstElements = 64

// RuleUnreadable is the rule of a problem with reading a value's elements.
const RuleUnreadable = "value.unreadable"

// A Tally counts the problems that were written.
type Tally struct {
	Errors, Warnings, Notes int64
	Limits                  int64 // warnings about limits of this program
	Unread                  int64 // warnings about failed reads of a disk or server
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

// Verdict describes the counts. Without an error it begins with clean, such as "sound", qualified if a limit left bytes
// unread. If reads failed, it makes no claim about those bytes.
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

// Walk is model.Walk, or if alone is set a visit of start only, whose pending work is done if opt.Resolve is set.
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

// readElements fills dst with the elements of a from first on, with as many reads as necessary, and returns their
// number.
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
