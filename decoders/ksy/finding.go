package ksy

import (
	"fmt"
	"sort"

	"cutaway/decoders/expr"
	"cutaway/model"
)

// Limits of what is read of a description. Each is named in the finding of the description that meets it.
const (
	maxText       = 4 << 20 // bytes of a module's text
	maxNodes      = 1 << 19 // YAML nodes of a module, aliases counted each time
	maxNesting    = 64      // lists and mappings in each other; types in types
	maxIndent     = 1024    // column of a list's or mapping's entry
	maxKeys       = 8192    // keys of a mapping; reading takes their square
	maxModules    = 256     // the description and its imports
	maxInstances  = 1024    // instances whose values need each other in a chain
	maxFindings   = 250     // of a description
	maxMeant      = 1000    // names among which one that was meant is looked for
	maxMeantName  = 40      // bytes of such a name
	maxBitWidth   = 64
	newestVersion = "0.11" // of the language, for meta/ks-version
	oldestVersion = "0.6"
)

// Finding is something wrong in a description, or, as a warning, something to write otherwise. Its path is that in the
// description, with keys as written: /seq/0/type.
type Finding = model.SchemaFinding

// report collects the findings of all modules.
type report struct {
	list   []Finding
	errors int
	seen   map[Finding]bool
	muted  bool // while types are inferred only to find parents, and over fields that have a finding already
}

func (r *report) add(f Finding) {
	if r.muted || len(r.list) >= maxFindings || r.seen[f] {
		return
	}
	if r.seen == nil {
		r.seen = map[Finding]bool{}
	}
	r.seen[f] = true
	if !f.Warning {
		r.errors++
	}
	r.list = append(r.list, f)
}

// at reports an error at a node's value.
func (r *report) at(n *node, format string, args ...any) {
	r.add(Finding{Schema: n.file.name, Path: n.path(), Line: n.line, Column: n.column, Message: fmt.Sprintf(format, args...)})
}

// atKey reports an error at the key of a node.
func (r *report) atKey(n *node, format string, args ...any) {
	line, column := n.keyPlace()
	r.add(Finding{Schema: n.file.name, Path: n.path(), Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// atText reports an error at a byte of a scalar's text.
func (r *report) atText(n *node, offset int, format string, args ...any) {
	line, column := n.placeOf(offset)
	r.add(Finding{Schema: n.file.name, Path: n.path(), Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// nodeOf returns the node that the text of an expression is in.
func nodeOf(e *expr.Expr) *node { return e.Origin.(*node) }

// atExpr reports an error at an expression.
func (r *report) atExpr(e *expr.Expr, format string, args ...any) {
	r.atText(nodeOf(e), e.Offset, format, args...)
}

func (r *report) warn(n *node, format string, args ...any) {
	r.add(Finding{Schema: n.file.name, Path: n.path(), Line: n.line, Column: n.column, Message: fmt.Sprintf(format, args...), Warning: true})
}

// sorted gives the findings in the order of the modules' names, then of the text.
func (r *report) sorted() []Finding {
	sort.SliceStable(r.list, func(i, j int) bool {
		a, b := r.list[i], r.list[j]
		if a.Schema != b.Schema {
			return a.Schema < b.Schema
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return r.list
}

// meant is the end of a finding about a name that there isn't: the one that was perhaps meant, of those that there are.
func meant[T any](r *report, name string, names map[string]T) string {
	best, least := "", len(name)/3+1
	if r.muted || len(r.list) >= maxFindings || len(names) > maxMeant || len(name) > maxMeantName {
		return ""
	}
	for other := range names {
		if len(other) > maxMeantName {
			continue
		}
		if d := distance(name, other); d < least || d == least && best != "" && other < best {
			best, least = other, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; is %q meant?", best)
}

// distance counts the letters that are added, left out, exchanged, or swapped with the next.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
