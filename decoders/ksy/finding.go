package ksy

import (
	"fmt"
	"sort"

	"cutaway/decoders/expr"
	"cutaway/model"
)

// Limits on a description. The finding of a description that exceeds one names the limit.
const (
	maxText       = 4 << 20 // bytes of a module's text
	maxNodes      = 1 << 19 // YAML nodes of a module, aliases expanded
	maxNesting    = 64      // nested lists, mappings and types
	maxIndent     = 1024    // column of an entry of a list or mapping
	maxKeys       = 8192    // keys of a mapping; reading takes quadratic time
	maxModules    = 256     // the description and its imports
	maxInstances  = 1024    // length of a chain of instances that depend on each other
	maxFindings   = 250     // findings of a description
	maxMeant      = 1000    // names that are searched for a suggestion
	maxMeantName  = 40      // bytes of such a name
	maxBitWidth   = 64
	newestVersion = "0.11" // of the language, for meta/ks-version
	oldestVersion = "0.6"
)

// A Finding is an error or a warning about a description. Its path consists of keys as written: /seq/0/type.
type Finding = model.SchemaFinding

// A report collects the findings of all modules.
type report struct {
	list   []Finding
	errors int
	seen   map[Finding]bool
	muted  bool // while inferring types only to find parents, and in fields that have a finding
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

// atNode reports an error at a node's value.
func (r *report) atNode(n *node, format string, args ...any) {
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

// nodeOf returns the node with the text of an expression.
func nodeOf(e *expr.Expr) *node { return e.Origin.(*node) }

// atExpr reports an error at an expression.
func (r *report) atExpr(e *expr.Expr, format string, args ...any) {
	r.atText(nodeOf(e), e.Offset, format, args...)
}

func (r *report) warn(n *node, format string, args ...any) {
	r.add(Finding{Schema: n.file.name, Path: n.path(), Line: n.line, Column: n.column, Message: fmt.Sprintf(format, args...), Warning: true})
}

// sorted returns the findings in the order of module names, then of the text.
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

// meant returns the end of a message about an unknown name: the known name that was probably meant, or "".
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

// distance returns the edit distance of two names; a swap of neighbours counts as one edit.
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
