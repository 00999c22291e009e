package folder

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cutaway/internal/natural"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// row is a file of the table.
type row struct {
	*scan.File
	name    string // within the folder
	verdict string
	facts   string
}

// The columns of the table.
const (
	byName = iota
	byFormat
	byVersion
	bySize
	byVerdict
	byErrors
	byWarnings
	byFirst
	byFacts
	byChange
)

var columns = []treeview.Column{byName: {Title: "File", Width: 260, Least: 220, Stretch: 1, Marked: true}, byFormat: {Title: "Format", Width: 80, Least: 56},
	byVersion: {Title: "Version", Width: 68, Least: 58}, bySize: {Title: "Bytes", Width: 92, Right: true, Mono: true}, byVerdict: {Title: "Verdict", Width: 110, Least: 92},
	byErrors: {Title: "Errors", Width: 60, Right: true, Mono: true}, byWarnings: {Title: "Warnings", Width: 78, Right: true, Mono: true},
	byFirst: {Title: "First problem", Width: 420, Least: 300, Stretch: 6}, byFacts: {Title: "Facts", Width: 200, Least: 40, Stretch: 4, Quiet: true},
	byChange: {Title: "Change", Width: 70}}

// A row has at most shownFacts facts, each of at most shownFact bytes.
const shownFacts, shownFact = 8, 60

// rowOf is the row of a file; name is its name within the folder.
func rowOf(ctx context.Context, f *scan.File, name string) *row {
	r := &row{File: f, name: name}
	switch {
	case f.Change == scan.Gone:
		r.verdict = "not there"
	case f.Unopened.PassedOver():
		r.verdict = "no format"
	case f.Failed != "":
		r.verdict = "not read"
	case f.Found.Errors > 0:
		r.verdict = "damaged"
	case !f.Checked:
		r.verdict = "not checked"
	default: // warnings have a column of their own
		r.verdict = r.soundness(export.Tally{Notes: f.Found.Notes, Limits: f.Found.Limits})
	}
	var facts []string
	for _, m := range f.Facts {
		if m.Value == nil || m.Key == "version" || m.Value == model.Value(model.None{}) {
			continue
		}
		if facts = append(facts, phrase.Capital(cmp.Or(f.Titles[m.Key], m.Key))+" "+model.Show(ctx, m.Value, shownFact)); len(facts) == shownFacts {
			break
		}
	}
	r.facts = strings.Join(facts, "  ·  ")
	return r
}

// soundness says which of its problems were counted, as the status bar of a document does.
func (r *row) soundness(counted export.Tally) string {
	clean := "no problems"
	if r.Found != (export.Tally{}) {
		clean = "no error"
	}
	return counted.Verdict(clean, func(_ model.Severity, text string) string { return text })
}

// problem is the first one, or why the file could not be read.
func (r *row) problem() string {
	switch {
	case r.Cause != nil && r.Cause.Format != "": // its advice is for the command line
		return r.Cause.Text
	case r.Failed != "":
		line, _, _ := strings.Cut(r.Failed, "\n")
		return strings.TrimSuffix(line, ":")
	}
	return r.First
}

// mark returns the sign of a row by its worst problem.
func (r *row) mark() treeview.Mark {
	switch {
	case r.Change == scan.Gone, r.Unopened.PassedOver():
		return treeview.Sound
	case r.Failed != "", r.Found.Errors > 0:
		return treeview.Error
	case r.Found.Warnings > 0:
		return treeview.Warning
	}
	return treeview.Sound
}

// show is the row as the table has it.
func (r *row) show() treeview.Row {
	count := func(n int64) string {
		if n == 0 {
			return ""
		}
		return model.Grouped(n)
	}
	size := ""
	if r.Size >= 0 {
		size = model.Grouped(r.Size)
	}
	return treeview.Row{Mark: r.mark(), Dim: r.Unopened.PassedOver() || r.Change == scan.Gone, Cells: []string{byName: r.name, byFormat: r.Format, byVersion: r.Version, bySize: size,
		byVerdict: r.verdict, byErrors: count(r.Found.Errors), byWarnings: count(r.Found.Warnings), byFirst: r.problem(), byFacts: r.facts, byChange: r.Change}}
}

// Which files are shown.
const (
	known    = "Known formats"
	troubled = "With problems"
	failing  = "With errors"
	altered  = "Changed, new, gone"
	every    = "All files"
)

// anyFormat is the choice of no format.
const anyFormat = "Any format"

// A query chooses the files that are shown, and their order.
type query struct {
	which, format, text string
	column              int
	down                bool
}

// takes reports whether a row is shown.
func (q *query) takes(r *row) bool {
	fits := true
	switch q.which {
	case known:
		fits = !r.Unopened.PassedOver()
	case troubled:
		fits = r.mark() >= treeview.Warning
	case failing:
		fits = r.mark() == treeview.Error
	case altered:
		fits = r.Change != "" && r.Change != scan.Same
	}
	if q.format != "" && q.format != anyFormat && q.format != r.Format && q.format != r.kind() {
		fits = false
	}
	if !fits || q.text == "" {
		return fits
	}
	all := strings.ToLower(strings.Join([]string{r.name, r.Format, r.Version, r.verdict, r.problem(), r.facts, r.Change}, "\n"))
	for word := range strings.FieldsSeq(strings.ToLower(q.text)) {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}

// kind is the format with its version.
func (r *row) kind() string { return strings.TrimSpace(r.Format + " " + r.Version) }

// arrange lists the rows that a query takes, in its order, equal ones by name.
func (q *query) arrange(rows []*row) []*row {
	var list []*row
	for _, r := range rows {
		if q.takes(r) {
			list = append(list, r)
		}
	}
	sign := 1
	if q.down {
		sign = -1
	}
	slices.SortFunc(list, func(a, b *row) int {
		return cmp.Or(sign*q.compare(a, b), natural.Compare(a.name, b.name))
	})
	return list
}

func (q *query) compare(a, b *row) int {
	switch q.column {
	case bySize:
		return cmp.Compare(a.Size, b.Size)
	case byErrors:
		return cmp.Compare(a.Found.Errors, b.Found.Errors)
	case byWarnings:
		return cmp.Compare(a.Found.Warnings, b.Found.Warnings)
	case byFormat:
		return cmp.Or(cmp.Compare(a.Format, b.Format), natural.Compare(a.Version, b.Version))
	case byVersion:
		return natural.Compare(a.Version, b.Version)
	case byVerdict:
		return cmp.Compare(a.verdict, b.verdict)
	case byFirst:
		return cmp.Compare(a.problem(), b.problem())
	case byFacts:
		return natural.Compare(a.facts, b.facts)
	case byChange:
		return cmp.Compare(a.Change, b.Change)
	}
	return natural.Compare(a.name, b.name)
}

// kinds are the formats of rows, each followed by its versions where there are several.
func kinds(rows []*row) []string {
	versions := map[string]map[string]bool{}
	for _, r := range rows {
		if r.Format == "" {
			continue
		}
		if versions[r.Format] == nil {
			versions[r.Format] = map[string]bool{}
		}
		versions[r.Format][r.kind()] = true
	}
	list := []string{anyFormat}
	for format, with := range versions {
		list = append(list, format)
		for kind := range with {
			if len(with) > 1 && kind != format {
				list = append(list, kind)
			}
		}
	}
	slices.SortFunc(list[1:], natural.Compare)
	return list
}

// summary counts the files and those with problems.
func summary(rows []*row, shown int) string {
	var bad, warned, unread, unknown, altering int64
	without := scan.Withouts{}
	for _, r := range rows {
		switch {
		case r.Unopened == scan.Without:
			without.Add(r.Name)
		case r.Unopened.PassedOver():
			unknown++
		case r.Change == scan.Gone:
		case r.Failed != "":
			unread++
		case r.Found.Errors > 0:
			bad++
		case r.Found.Warnings > 0:
			warned++
		}
		if r.Change != "" && r.Change != scan.Same {
			altering++
		}
	}
	parts := []string{model.GroupedCount(int64(len(rows)), "file")}
	for _, p := range []struct {
		n    int64
		text string
	}{{bad, "with errors"}, {warned, "with warnings only"}, {unread, "not read"}, {unknown, "of no known format"}, {altering, "changed, new or gone"}} {
		if p.n > 0 {
			parts = append(parts, model.Grouped(p.n)+" "+p.text)
		}
	}
	if text := without.String(); text != "" {
		parts = append(parts, text)
	}
	if shown > 0 && shown < len(rows) {
		parts = append(parts, model.Grouped(int64(shown))+" shown")
	}
	return strings.Join(parts, " · ")
}

// line returns the text of a row for the line below the table.
func (r *row) line() string {
	verdict := r.verdict
	if r.Checked && r.Change != scan.Gone {
		verdict = r.soundness(r.Found)
	}
	parts := []string{r.name, verdict}
	if p := r.problem(); p != "" {
		parts = append(parts, phrase.Capital(p))
	}
	if r.facts != "" {
		parts = append(parts, r.facts)
	}
	return strings.Join(parts, "  ·  ")
}
