// Package usdc decodes OpenUSD crate files (.usdc and binary .usd), versions 0.0.1 to 0.16.0.
//
// records.go describes a file's records, as the specification does; the other files follow its chapters: bootstrap.go (3),
// toc.go (4), compress.go and integers.go (5), tokens.go, strings.go, fields.go, fieldsets.go, specs.go (6),
// pathsold.go and paths.go (7), rep.go and types.go (8, 9), those of values (10 to 13). layout.go, scene.go and
// pathtree.go make the views.
package usdc

import (
	"context"
	"fmt"
	"sync/atomic"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

// version is the crate version of a file; versions compare as tuples.
type version struct{ major, minor, patch uint8 }

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch) }

// crate is one opened file. Its tables are loaded when they are first asked for and kept.
type crate struct {
	src           *model.Source
	layout        string // path of the layout's root: src.LayoutPath()
	size          int64  // of src, in bytes
	ver           version
	plan          *lang.Plan // the descriptions for ver and oneCount
	valuePlan     *lang.Plan
	support       versionSupport
	oneCount      bool // of 0.3, where that reading fits: sections are compressed, and PATHS has one count
	toc           contents
	bootstrapNode model.Node
	bootstrapEnd  int64          // where its bytes end: before a section in the reserved ones
	root          model.Children // of the layout
	regions       []region       // of value data, in the order of the file
	top, pathTree *model.Lazy
	derived       source.Derived
	stream        grammar.Stream   // all of src
	session       *grammar.Session // that values are read in

	tokenTable    model.Once[tokens]
	stringTable   model.Once[stringTable]
	fieldTable    model.Once[fieldTable]
	fieldSetTable model.Once[fieldSets]
	pathTable     model.Once[pathTable]
	specTable     model.Once[specTable]

	recent      model.Cache[rep, *storedValue]
	codedArrays model.Cache[int64, *codedElements] // by the offset of the integers
	unfolded    unfoldedCounts
	scan        model.Once[valueScan]

	structures              [typeEnd]atomic.Pointer[grammar.Record] // descriptions that were asked for, by type
	arrayRecord, editRecord atomic.Pointer[grammar.Record]

	index   model.Once[scene]
	hashes  model.Once[itemHashes]
	entries entries
	scenes  scenes
	links   links
}

// scenes leads from tables to nodes of the scene that is made of them.
type scenes interface {
	// pathRef leads to the node of path i.
	pathRef(ctx context.Context, i uint32) model.Ref
	// specRef leads to the node of spec i.
	specRef(ctx context.Context, i int64) model.Ref
}

// before reports whether the file's version is lower than 0.minor.patch.
func (c *crate) before(minor, patch uint8) bool {
	v := c.ver
	return v.major == 0 && (v.minor < minor || v.minor == minor && v.patch < patch)
}

// inflated reports whether the structural sections are compressed: from 0.4.0 on, and in a reading of 0.3.
func (c *crate) inflated() bool { return c.oneCount || !c.before(4, 0) }

// versionNumber returns the version as expressions have it.
func (c *crate) versionNumber() int64 { return lang.Version(c.ver.major, c.ver.minor, c.ver.patch) }

// codedNumber returns 1 if the structural sections are compressed.
func (c *crate) codedNumber() int64 { return truth(c.inflated()) }

// oneCountNumber returns 1 if PATHS has one count.
func (c *crate) oneCountNumber() int64 { return truth(c.oneCount) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// tokenRef leads to token i in the layout.
func (c *crate) tokenRef(i uint32) model.Ref {
	return c.entries.tokens.Ref("token", int64(i))
}

// stringRef leads to entry i of the string table.
func (c *crate) stringRef(i uint32) model.Ref {
	return c.entries.strings.Ref("string", int64(i))
}

// fieldRef leads to field i: to its record below 0.4.0, else to its value rep.
func (c *crate) fieldRef(i uint32) model.Ref {
	return c.entries.fields.Ref("field", int64(i))
}

// specRef leads to spec i: to its record below 0.4.0, else to its path index.
func (c *crate) specRef(i uint32) model.Ref {
	return c.entries.specs.Ref("spec", int64(i))
}

// newCrate reads the bootstrap and the table of contents, and finds where everything is; sections are loaded when they are asked for.
func newCrate(ctx context.Context, src *model.Source) *crate {
	c := &crate{src: src, layout: src.LayoutPath(), size: src.Size(), bootstrapEnd: bootstrapSize}
	c.plan = language.Shared(c)
	node, tocAt := c.readBootstrap(ctx)
	c.plan = language.Shared(c) // of the version, which is known now
	if tocAt > 0 && (c.support == supported || c.support == withdrawn || c.support == tooNew) {
		c.readTOC(ctx, tocAt)
	}
	if c.bootstrapEnd < bootstrapSize { // a section is in the reserved bytes
		o := c.bootstrap(grammar.NewReading(ctx, bootstrapSize), &grammar.Session{Env: c}, c.bootstrapEnd)
		node = o.Node(ctx, "bootstrap")
	}
	c.bootstrapNode = node
	c.findRegions(node.Span().End())
	c.describeEntries()
	return c
}
