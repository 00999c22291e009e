// Package model defines the types that all packages share: sources, spans, nodes, views, problems. It knows no format
// and no screen.
package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// LayoutView is the name of the view that tiles the sources.
const LayoutView = "layout"

// A View is a tree over a document.
type View struct {
	Name  string // the first segment of its paths: "layout", "scene", "streams", …
	Title string // for a tab
	Root  func(context.Context) Node
	// Of is the source that a layout view tiles. It is nil in other views, and in the layout of a document of several
	// sources.
	Of *Source
	// Find returns the paths of at most limit nodes of the view that own bytes of s, deepest first, and the number of
	// all. A node may have deeper owners below it, see Document.Owners. Find may do work. It is nil for a layout, and
	// for views whose nodes nest like their spans, which are searched from the root.
	Find func(ctx context.Context, s Span, limit int) ([]string, int64, error)
	// Names finds the view's nodes by name without a walk, or is nil if only a walk finds them.
	Names *NameIndex
	// Summary returns a few words on a node for its row, or "" if its value suffices. It may be nil.
	Summary func(ctx context.Context, n *Node) string
	// Label returns the name that a tree shows for a node, or "" for its own, which paths have. It may be nil.
	Label func(ctx context.Context, n *Node) string
	// Fold returns the children of a node that a tree shows folded, below the others. It may be nil.
	Fold func(ctx context.Context, n *Node) Fold
	// Kind returns what a person takes a node for, or AnyKind if it follows from the cards, children, value and links. It may be nil.
	Kind func(ctx context.Context, n *Node) NodeKind
	// Shows returns the path of a node whose cards stand for those of p, such as the first picture of a recording, or "". With
	// beside, a picture is to be shown beside those of other tracks at its time. It is asked in the background and may read a
	// little. It may be nil.
	Shows func(ctx context.Context, p *Place) (path string, beside bool)
	// Intro introduces a node to a person. It is asked in the background and may read a little. It may be nil.
	Intro func(ctx context.Context, p *Place) Intro
	// Content returns the significance of a node in comparisons. If nil, they use name, type, value and children.
	Content func(ctx context.Context, p *Place) Content
	// Cards are the kinds of cards that nodes of views such as this may have: "Shape", "Image", "Plot", "Table", "Sound", or
	// another title of text. A node or even a file may lack some.
	Cards []string
	// Indexed returns the path of the array that the numbers at p index, which need not exist, or "" if the numbers are
	// no indexes. It may be nil.
	Indexed func(p *Place) string
	// Timeline returns the tracks of the view's times. It is nil for a view without times.
	Timeline func(ctx context.Context, progress Progress) ([]Track, error)
}

// LabelOf returns the name that a tree of the view, which may be nil, shows for a node.
func (v *View) LabelOf(ctx context.Context, p *Place) string {
	if v != nil && v.Label != nil {
		if name := v.Label(ctx, &p.Node); name != "" {
			return name
		}
	}
	return p.Label()
}

// A Fold says which children of a node are about its storage, such as the fields of a USD spec. Paths, walks and text
// have all children alike; a tree for people shows these in one row below the others.
type Fold struct {
	Fields int64 // the number of such children; they come first
	// Through is the number of the field whose children are shown as those of the node, such as the default of an attribute, or
	// -1. It is less than Fields if there are any.
	Through int64
	Title   string // of their row, or "" for their number: "4 fields"
}

// A NodeKind says what a person takes a node for.
type NodeKind uint8

// The kinds of nodes.
const (
	AnyKind NodeKind = iota
	GroupKind
	ShapeKind // a shape, picture or sound
	ValueKind
	LinkKind
	CodeKind
	DetailKind // about the storage
)

// Place returns the root of the view.
func (v *View) Place(ctx context.Context) *Place {
	nodesMade.Add(1)
	n := v.Root(ctx)
	return newRoot(v.Name, n, v.Of, v.Root)
}

// A Fact is a line of a document's identity card.
type Fact struct {
	Key   string // in JSON; stable
	Title string // for people
	Value Value  // nil if it needs a scan that was not asked for
	Scan  bool   // it needs a scan
	// Main marks a fact that says what the file is, if others of the card say how it is stored.
	Main bool
	// Files marks a fact whose value is names of other files.
	Files bool
	// Units maps the keys of a structured value to units, such as "bytes".
	Units map[string]string
}

// An Option is a named setting of a document.
type Option struct {
	Name    string
	Title   string
	Help    string
	Kind    OptionKind
	Choices []string // of Choice: all values; of File: extensions to offer
	Min     int64    // of Number
	Max     int64    // of Number
	Value   string
}

// An OptionKind is a kind of option.
type OptionKind uint8

// The kinds of options.
const (
	Choice OptionKind = iota // one of Choices
	Number                   // Min … Max
	File                     // a file's path
	Switch                   // "true" or "false"
)

// A Stat is a line of statistics.
type Stat struct {
	Key     string
	Count   int64
	Stored  int64 // bytes in the file; shared bytes count once
	Logical int64 // bytes after decompression and expansion
}

// A Document is an opened file.
type Document struct {
	Format  string           // name of its Format: "usdc"
	Version string           // of the file, in the format's words
	Title   string           // the format and version for people: "USD crate 0.8.0"
	Why     string           // the reason for the detection
	Refused *ErrUnrecognized // why no format fits, if the bytes are shown plainly for that reason, or nil
	Name    string           // the file's name, for people
	Inner   string           // path of the member in the file, or "" for the file: "a[b]" is b in a
	Sources []*Source
	Views   []*View // the first is shown first; one is named "layout"

	// Facts returns the identity card. With quick, facts that need a scan have no value; otherwise it scans.
	Facts func(ctx context.Context, quick bool, progress Progress) ([]Fact, error)
	// Tables are the paths of the layout's nodes, headers excepted, that locate the rest of the file, such as tables
	// and indexes. Info decodes them, to report their problems.
	Tables []string
	// Named returns the path of the node with a name in the format's own notation, such as a USD path, or DefaultName.
	// It is nil if the format has no such names.
	Named func(ctx context.Context, name string) (path string, ok bool)
	// Stats returns the format's own statistics by a key of StatKeys. If nil, "section" and "type" are computed from
	// the layout.
	Stats    func(ctx context.Context, by string, progress Progress) ([]Stat, error)
	StatKeys []string
	// Check reports the problems that a walk over the layout cannot find, each with the path of its node. It may be
	// nil.
	Check func(ctx context.Context, progress Progress, report func(path string, p Problem)) error
	// CheckData reports problems of values, which the format's readers take: that they do not fit each other or their use.
	// With root the document is one that is opened by itself. It may be nil.
	CheckData func(ctx context.Context, root bool, progress Progress, report func(path string, p Problem)) error
	// Checksums returns the checksums by which the format's own tools compare files, by name. With an error it returns
	// those before the failure. It is nil if the format has none.
	Checksums func(ctx context.Context, progress Progress) (Object, error)
	// Releases returns the known releases of the program that the format belongs to, oldest first. Each says whether it
	// refuses the file. It may be nil.
	Releases func(ctx context.Context, progress Progress) ([]Release, error)
	// Judges are those of files of the format, the program first. Of a format with one judge there are none.
	Judges []Judge
	// ReferencedBy returns at most limit refs to a node, and the number of all. It may build an index first. It is nil
	// if references are unknown.
	ReferencedBy func(ctx context.Context, p *Place, limit int, progress Progress) ([]Ref, int64, error)

	// Change returns how the value of a node can be changed in a new file, or the reason why it cannot. It is nil if the format
	// writes no files.
	Change func(ctx context.Context, at *Place) (*Change, error)

	// Description holds the text that defines the document's format, or is nil for a format of the program.
	Description *Description

	Options []Option
	// SetOption changes an option and returns a new document with new views and options.
	SetOption func(ctx context.Context, name, value string) (*Document, error)

	// Member opens a document inside this one, such as a file of a package, by inner path; see OpenMember. It may be
	// nil.
	Member func(ctx context.Context, inner string) (*Document, error)
	// First is the member whose views are among Views, or "" if there is none. It is "a[b]" if the first member a is a
	// package with first member b.
	First string
	// Headless is the reason why a package has no First, so that the document is not the one it was opened for, or nil.
	Headless error
	// Members are the inner paths of the members whose views are not among Views; "a[b]" is the member b of the member
	// a.
	Members []string

	closers []func() error
	closing sync.Once
}

// A Change is a value that a new file can have instead of that of the opened one, of any length.
type Change struct {
	Path  string   // of the node whose value is changed, which need not be the one that was asked for
	Text  string   // the value as it is typed
	Notes []string // sentences on the effects of the change
	// Make returns the bytes of the new file, which it has read back. The error says why the value of the text does not fit.
	Make func(ctx context.Context, text string) ([]byte, error)
}

// OnClose registers a function to call when the document is closed.
func (d *Document) OnClose(f func() error) { d.closers = append(d.closers, f) }

// Close releases the document's files. Reading its sources fails afterwards.
func (d *Document) Close() error {
	var err error
	d.closing.Do(func() {
		for _, f := range d.closers {
			err = errors.Join(err, f())
		}
	})
	return err
}

// View returns a view by name, or nil.
func (d *Document) View(name string) *View {
	for _, v := range d.Views {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// DefaultName is the name of the part of a file that a reference to the file alone targets: for a layer its default
// prim.
const DefaultName = "/."

// Source returns the document's first source: the file.
func (d *Document) Source() *Source { return d.Sources[0] }

// Far reports whether a source comes from a server, so that only requested bytes are read.
func (d *Document) Far() bool { return slices.ContainsFunc(d.Sources, (*Source).Far) }

// SourceByName returns the source with the name that spans and JSON use, making derived ones.
func (d *Document) SourceByName(ctx context.Context, name string) (*Source, error) {
	for _, s := range d.Sources {
		if s.Name() == name {
			return s, nil
		}
	}
	p, err := d.Lookup(ctx, name)
	if err != nil {
		return nil, err
	}
	if p.Of == nil || p.Index >= 0 {
		return nil, fmt.Errorf("%q is a node, not a source", name)
	}
	return p.Of, nil
}

// A Format is a family of files.
type Format struct {
	Name     string // in JSON and --format
	Title    string
	Types    []FileType // its files; the first ones are opened by a double click
	Holds    string     // what files of its shared extensions may hold, in words: "Odin data"
	Keywords []string   // words that people search for
	Depth    string     // how far it is decoded: "every byte, scene, values"
	// Detect examines the beginning of a file. It must be quick and read little.
	Detect func(ctx context.Context, p *Probe) Detection
	// Slow means that Detect reads other files. It is called only if no other format is sure, or if an option asks for
	// it.
	Slow bool
	// Open decodes a file. Damage is reported by problems in the document; it returns an error only if there is no
	// document, for a person with a broken file.
	Open func(ctx context.Context, req *OpenRequest) (*Document, error)
	// OpenTogether opens several files as one document, such as deltas that are applied in order; req.Source is the
	// first of sources. If nil, each file is a document of its own.
	OpenTogether func(ctx context.Context, sources []*Source, req *OpenRequest) (*Document, error)
	// Rules lists the ids of the problems that the format can report, with one line each.
	Rules []Rule
	// Specification returns the format's records and rules as this program reads them. It may be nil.
	Specification func() (Specification, error)
	// Files describes how nodes name other files, or is nil if they name none.
	Files *FileNames
	// Forms are the output forms that only this format has.
	Forms []OwnForm
}

// A Specification describes a format's records and rules for readers.
type Specification interface {
	WriteText(w io.Writer) error // as Markdown
	Object() Object              // as JSON
	KSY() (string, error)        // as a Kaitai Struct description; the error lists the parts that cannot be expressed
}

// An OwnForm is an output form of one format.
type OwnForm struct {
	Name      string // on the command line
	Title     string // for people
	Extension string // of the file's name, with the dot
	Help      string // a few words on the content
	Words     string // the title of the Words that write it, or "" for the Copier whose Format is Name
}

// FileNames describes how the nodes of a format name other files, and where its readers look for these.
type FileNames struct {
	Holder string // the format's word for a file that names others: "layer"
	Within string // the name of the part of a node that names a thing in the other file, or ""
	// Of returns the file names in the value of a node.
	Of func(ctx context.Context, n *Node) []string
	// Arc returns the word for how a place names files, such as "reference".
	Arc func(at *Place) string
	// Layered reports whether a file that is named so is composed with the file that names it.
	Layered func(arc string) bool
	// Part is the arc by which a file becomes a part of the one that names it, with the variables of that one.
	Part string
	// Variables returns the variables that a view sets for names that are expressions.
	Variables func(ctx context.Context, view *Place) map[string]string
	// Expand returns the name that an expression stands for; other names are unchanged.
	Expand func(name string, variables map[string]string) (string, error)
	// Plain returns the path in a name. The error says why no file can have the name.
	Plain func(name string) (path string, err error)
	// Searched reports whether readers also look for a path in a package beside its first member, then outside of the
	// package.
	Searched func(path string) bool
	// Elsewhere says where readers find a missing file, or returns "".
	Elsewhere func(path string) string
	// Pattern splits a path that stands for several, which have a text that satisfies fits between before and after.
	// For other paths fits is nil.
	Pattern func(path string) (before, after string, fits func(part string) bool)
}

// A Rule describes the rule of a problem.
type Rule struct {
	ID     string
	Help   string
	Clause string // of the format's standard, its number and title, or ""
	// Forbidden says that the standard forbids a breach, and the program of the format takes it: by the standard it is an
	// error.
	Forbidden bool
	// Discouraged says that the standard advises against a breach, and the program of the format takes it: by the standard
	// it is a warning.
	Discouraged bool
}

// A Judge says whether files of a format are sound: the program that the format belongs to, or its standard.
type Judge struct {
	Name   string // "openusd"
	Title  string // "OpenUSD"
	Strict bool   // by the standard: breaches of Forbidden rules are errors, of Discouraged ones warnings
	Judges bool   // the version of the file is one that it judges
}

// A Probe holds the beginning of a file for detection.
type Probe struct {
	Source *Source
	Name   string // the file's base name
	Head   []byte // the first bytes, at most ProbeSize
	// Options are settings of the user, such as a schema.
	Options map[string]string
}

// ProbeSize is the greatest length of Probe.Head, in bytes.
const ProbeSize = 64 << 10

// A Detection is the confidence of a format, and the reason.
type Detection struct {
	Confidence Confidence
	Reason     string // "begins with PXR-USDC", or for No what is missing: "no PXR-USDC at the start"
	ByName     bool   // based on the name alone: content that is plainly something else is not opened
}

// Confidence orders detections; the highest wins.
type Confidence int

// The confidences. A format may use values between Guess and Sure as scores.
const (
	No    Confidence = 0
	Guess Confidence = 30
	Sure  Confidence = 100
)

// An OpenRequest describes how to open a source.
type OpenRequest struct {
	Source  *Source
	Name    string // the file's base name, or the inner path of a member
	Why     string // the reason for choosing this format
	Forced  bool   // the user named the format; a wrong magic is then a problem
	Opener  Opener
	Files   Files // the files beside it; never nil
	Options map[string]string
}

// An Opener opens sources as documents: members, payloads and selections. Decoders get one from their caller, so that
// no format imports another. It detects the format; the error is ErrUnrecognized if none fits.
type Opener interface {
	Open(ctx context.Context, src *Source, name string) (*Document, error)
}

// Files gives access to the files beside the opened one.
type Files interface {
	// Open opens a file by its base name. The error is fs.ErrNotExist if the file is absent.
	Open(name string) (Reader, error)
	// List returns the names of the files.
	List() ([]string, error)
}

// NoFiles is Files for a source without a folder.
type NoFiles struct{}

// Open returns fs.ErrNotExist.
func (NoFiles) Open(string) (Reader, error) { return nil, fs.ErrNotExist }

// List returns no files.
func (NoFiles) List() ([]string, error) { return nil, nil }

// ErrUnrecognized is the error that no format fits a file. Error returns one sentence, Reasons the answer of each
// format.
type ErrUnrecognized struct {
	Cause   Cause
	Tried   []Tried
	Nearest string // the format that came nearest, or ""
}

// A Cause is the reason why a file has no content of its format.
type Cause struct {
	ID     string // in JSON; stable
	Text   string // the actual content: "a Git LFS pointer; its 485,323 bytes were not fetched"
	Hint   string // advice, such as "git lfs pull", or ""
	Format string // the format that the file may have nevertheless, if asked for by name, or ""
}

// The causes that callers distinguish.
const (
	CauseEmpty   = "empty"
	CausePointer = "pointer" // a stand-in that a version control system has left: of Git LFS, git-annex
)

// Advice returns a remedy for the command line, or "".
func (c *Cause) Advice() string {
	if c.Format != "" {
		return "--format " + c.Format + " opens it all the same"
	}
	return c.Hint
}

// String returns the cause and the advice in one sentence without full stop.
func (c *Cause) String() string {
	switch {
	case c.Format != "":
		return c.Text + "; " + c.Advice()
	case c.Hint != "":
		return c.Text + ": " + c.Hint
	}
	return c.Text
}

// A Tried is the refusal of a format.
type Tried struct{ Format, Reason string }

func (e *ErrUnrecognized) Error() string {
	if e.Cause.Text == "" {
		return "not recognised"
	}
	return e.Cause.String()
}

// Reasons returns a line for each format with the reason for its refusal, and the nearest format.
func (e *ErrUnrecognized) Reasons() string {
	var lines []string
	for _, t := range e.Tried {
		lines = append(lines, "  "+t.Format+": "+t.Reason)
	}
	if e.Nearest != "" {
		lines = append(lines, "nearest: "+e.Nearest)
	}
	return strings.Join(lines, "\n")
}
