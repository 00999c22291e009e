// Package value reads the values of a crate: those in reps (elements.go, chapter 10 of the specification) and those at offsets:
// arrays (11), structures (12), array edits (13), whose records records.go describes. nodes.go makes nodes of values, layout.go of
// the value data of the file, which scan.go finds. check.go reports what the nodes of the layout do not.
package value

import (
	"sync/atomic"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// Values reads the values of a crate. It is safe for concurrent use.
type Values struct {
	crate   *table.Crate
	plan    *lang.Plan
	stream  grammar.Stream // all of the file
	session *grammar.Session

	recent      model.Cache[table.Rep, *storedValue]
	codedArrays model.Cache[int64, *codedElements] // by the offset of the integers
	ranges      ranges
	unfolded    unfoldedCounts
	scan        model.Once[Scan]

	structures              [table.TypeEnd]atomic.Pointer[grammar.Record] // descriptions that were asked for, by type
	arrayRecord, editRecord atomic.Pointer[grammar.Record]
}

// recentKept is the number of values, and that of arrays of compressed integers, that are kept of those used last.
const recentKept = 16

// New returns the values of a crate. They are read when they are asked for.
func New(crate *table.Crate) *Values {
	vs := &Values{crate: crate, stream: grammar.Whole(crate.Src)}
	vs.recent.Limit, vs.codedArrays.Limit = recentKept, recentKept
	vs.session = newSession(vs)
	vs.plan = RecordLanguage.Shared(vs)
	return vs
}

// Crate returns the crate that has the values.
func (vs *Values) Crate() *table.Crate { return vs.crate }

// versionNumber returns the version of the file as expressions have it.
func (vs *Values) versionNumber() int64 { return vs.crate.VersionNumber() }
