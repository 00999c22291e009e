package cli

import (
	"fmt"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/source/far"
)

// checkedFiles collects the results of a check of several files. Files found in folders are reported in brief: their problems, and
// their number.
type checkedFiles struct {
	v      *checkVerb
	s      *session
	many   bool
	looked lookedAt
	worst  error // of files that were named

	begun bool // something was printed
	line  bool // it was the line of a file that does not open
	brief bool // the current file is reported in brief
	found bool // some files were found in folders

	// How many files there are of each kind.
	sound, bad, warned, limited, unread int64
	noted                               int64 // pointers that are allowed
}

// check checks a file.
func (c *checkedFiles) check(f scan.Name) error {
	file := far.Keep(f.File)
	c.brief, c.found = f.Found && !c.v.JSON && !c.v.All && !c.v.Coverage, c.found || f.Found
	err := c.v.limited(c.s, file, func() error { return c.v.check(c.s, file, c) })
	if err != nil && c.looked.passes(f, err) {
		return nil
	}
	c.looked.files++
	switch allowed := c.looked.allows(err); {
	case err == nil:
		return nil
	case !c.many && !allowed || c.s.ctx.Err() != nil:
		return err
	default:
		return c.unopened(f, file, err, allowed)
	}
}

// space prints the empty line between two files; where each is a line only, none.
func (c *checkedFiles) space(line bool) {
	if c.begun && (!line || !c.line) {
		fmt.Fprintln(c.s.out)
	}
	c.begun, c.line = true, line
}

// count counts a file that was opened. One that could not be checked to its end counts as one that does not open.
func (c *checkedFiles) count(one *checked) {
	switch {
	case one.unread:
		c.unread++
	case !one.whole:
	case one.found.Errors > 0:
		c.bad++
	case one.found.Limits > 0:
		c.limited++
	case one.found.Warnings > 0:
		c.warned++
	default:
		c.sound++
	}
}

// print prints a file in brief if it has problems.
func (c *checkedFiles) print(one *checked) {
	if one.whole && one.found.Errors+one.found.Warnings+one.found.Limits == 0 {
		return
	}
	c.space(false)
	fmt.Fprintf(c.s.out, "%s  %s\n", c.s.style.Strong(export.PathText(one.file)), one.verdict(c.s))
	c.s.problems(one)
}

// unopened reports a file that could not be checked.
func (c *checkedFiles) unopened(f scan.Name, file string, err error, allowed bool) error {
	s := c.s
	if allowed {
		c.noted++
	} else {
		c.unread++
	}
	if c.v.JSON {
		o := model.Object{{Key: "file", Value: model.Text(file)}, {Key: "failed", Value: model.Text(err.Error())}}
		told := s.object(append(o, scan.CauseMembers(refusedBy(err, c.v.Why))...))
		if told != nil {
			return told
		}
	}
	if !allowed && (!f.Found || !cannotOpen(err)) {
		c.worst = s.worse(c.worst, err)
		return nil
	}
	s.missed = s.missed || !allowed
	if !c.v.JSON {
		c.printUnopened(err, allowed)
	}
	return nil
}

// printUnopened prints the line of a file that lies in a folder and was not read, among the others.
func (c *checkedFiles) printUnopened(err error, allowed bool) {
	severity := model.Error
	if allowed {
		severity = model.Note
	}
	c.space(true)
	fmt.Fprintf(c.s.out, "%s %s\n", c.s.style.Severity(severity, export.Mark(severity)), lines(c.s.message(err)))
}

// sum prints how many files there are of each kind, where folders were gone through.
func (c *checkedFiles) sum() {
	if !c.found || c.v.JSON || c.looked.files == 0 {
		return
	}
	var parts []string
	for _, p := range []struct {
		n    int64
		text string
	}{{c.sound, "sound"}, {c.bad, "with errors"}, {c.warned, "with warnings"}, {c.limited, "with limits"}, {c.unread, "not read"}, {c.noted, "not fetched"}} {
		if p.n > 0 {
			parts = append(parts, model.Grouped(p.n)+" "+p.text)
		}
	}
	c.s.meter.clear()
	c.space(false)
	if len(parts) == 1 {
		parts[0] = strings.Replace(parts[0], model.Grouped(c.looked.files), "all", 1)
	}
	fmt.Fprintln(c.s.out, model.GroupedCount(c.looked.files, "file")+": "+strings.Join(parts, ", "))
}
