// Package table reads the structural sections of a crate as tables: bootstrap.go (chapter 3 of the specification), contents.go (4),
// tokens.go, strings.go, fields.go, fieldsets.go, specs.go (6), paths.go and oldpaths.go (7), rep.go and types.go (8, 9). records.go
// describes their records. Value reps are part of the tables: a field is a name and a rep. So are the forms that the elements of paths
// may have (elements.go, 7.1).
package table

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

// A CrateVersion is the version of a file.
type CrateVersion struct{ Major, Minor, Patch uint8 }

func (v CrateVersion) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// A Crate is the structural sections of a file as tables, which are loaded when they are first asked for.
type Crate struct {
	Src           *model.Source
	Layout        string // path of the root of Src's layout
	Size          int64  // of Src, in bytes
	Support       Support
	BootstrapNode model.Node // of the layout
	BootstrapEnd  int64      // the offset where its bytes end: before a section in the reserved ones
	Contents      Contents
	Entries       EntryLists
	Derived       source.Derived
	Scene         SceneRefs // set by who makes the scene

	ver      CrateVersion
	oneCount bool       // of 0.3, where that reading fits: sections are compressed, and PATHS has one count
	plan     *lang.Plan // the descriptions for ver and oneCount
	regions  []Region   // of value data, in the order of the file

	tokenTable    model.Once[Tokens]
	stringTable   model.Once[Strings]
	fieldTable    model.Once[Fields]
	fieldSetTable model.Once[FieldSets]
	pathTable     model.Once[Paths]
	specTable     model.Once[Specs]
}

// SceneRefs leads from tables to nodes of the scene.
type SceneRefs interface {
	// PathRef leads to the node of path i.
	PathRef(ctx context.Context, i uint32) model.Ref
	// SpecRef leads to the node of spec i.
	SpecRef(ctx context.Context, i int64) model.Ref
}

// Before reports whether the file's version is lower than 0.minor.patch.
func (c *Crate) Before(minor, patch uint8) bool {
	v := c.ver
	return v.Major == 0 && (v.Minor < minor || v.Minor == minor && v.Patch < patch)
}

// Compressed reports whether the structural sections are compressed: from 0.4.0 on, and in a reading of 0.3.
func (c *Crate) Compressed() bool { return c.oneCount || !c.Before(4, 0) }

// VersionNumber returns the version as expressions have it.
func (c *Crate) VersionNumber() int64 { return lang.Version(c.ver.Major, c.ver.Minor, c.ver.Patch) }

// codedNumber returns 1 if the structural sections are compressed.
func (c *Crate) codedNumber() int64 { return truth(c.Compressed()) }

// oneCountNumber returns 1 if PATHS has one count.
func (c *Crate) oneCountNumber() int64 { return truth(c.oneCount) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Open reads the bootstrap and the table of contents, and finds where everything is; sections are loaded when they are asked for.
func Open(ctx context.Context, src *model.Source) *Crate {
	c := &Crate{Src: src, Layout: src.LayoutPath(), Size: src.Size(), BootstrapEnd: bootstrapSize}
	c.plan = SectionLanguage.Shared(c)
	node, tocAt := c.readBootstrap(ctx)
	c.plan = SectionLanguage.Shared(c) // of the version, which is known now
	if tocAt > 0 && (c.Support == Supported || c.Support == Withdrawn || c.Support == TooNew) {
		c.readTOC(ctx, tocAt)
	}
	if c.BootstrapEnd < bootstrapSize { // a section is in the reserved bytes
		o := c.bootstrap(grammar.NewReading(ctx, bootstrapSize), &grammar.Session{Env: c}, c.BootstrapEnd)
		node = o.Node(ctx, "bootstrap")
	}
	c.BootstrapNode = node
	c.findRegions(node.Span().End())
	c.describeEntries()
	return c
}

// Tables are all tables of a crate.
type Tables struct {
	Tokens  *Tokens
	Strings *Strings
	Fields  *Fields
	Sets    *FieldSets
	Paths   *Paths
	Specs   *Specs
}

// Tables loads all tables; the error is that of the context.
func (c *Crate) Tables(ctx context.Context, progress model.Progress) (*Tables, error) {
	t := new(Tables)
	var err error
	if t.Fields, err = c.Fields(ctx, progress); err != nil {
		return nil, err
	}
	if t.Sets, err = c.FieldSets(ctx, progress); err != nil {
		return nil, err
	}
	if t.Paths, err = c.Paths(ctx, progress); err != nil {
		return nil, err
	}
	if t.Specs, err = c.Specs(ctx, progress); err != nil {
		return nil, err
	}
	if t.Strings, err = c.strings(ctx, progress); err != nil {
		return nil, err
	}
	if t.Tokens, err = c.Tokens(ctx, progress); err != nil {
		return nil, err
	}
	return t, nil
}
