// Package model holds the words that all packages share: sources, spans, nodes, views, problems. It knows no format and no screen.
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
	// Of is the source that the layout view is the layout of; nil in other views, and in the layout of a document
	// of several sources.
	Of *Source
	// Find returns the nodes of this view that own bytes of s, the deepest first: at most limit of them, and how many
	// there are. It may end at a node whose children say more, see Document.Owners. It may do work. nil: the view is a
	// layout, or its nodes nest like their spans and are searched from the root.
	Find func(ctx context.Context, s Span, limit int) ([]string, int64, error)
	// Names finds the view's nodes by name at once, or is nil where only a walk does.
	Names *NameIndex
	// Summary returns a few words on a node for its row, or "" where its value does that. It may
	// nil.
	Summary func(ctx context.Context, n *Node) string
	// Content returns the part of a node that comparisons use. If nil, they use name, type, value and children.
	Content func(ctx context.Context, p *Place) Content
	// Indexed returns the path of the array that the numbers of the array at p are indexes of, which need not
	// exist, or "" for other numbers. It may be nil.
	Indexed func(p *Place) string
	// Timeline lists the tracks of the view's times. It is nil for a view without.
	Timeline func(ctx context.Context, progress Progress) ([]Track, error)
}

// Place is the root of the view.
func (v *View) Place(ctx context.Context) *Place {
	nodesMade.Add(1)
	n := v.Root(ctx)
	return newRoot(v.Name, n, v.Of, v.Root)
}

// A Fact is one line of a document's identity card.
type Fact struct {
	Key   string // in JSON; stable
	Title string // for people
	Value Value  // nil when it needs a scan that was not asked for
	Scan  bool   // it takes a scan
	// Units are those of the keys of a value that is made of structures, such as "bytes".
	Units map[string]string
}

// An Option is a named setting of a document.
type Option struct {
	Name    string
	Title   string
	Help    string
	Kind    OptionKind
	Choices []string // of Choice: all of them. Of File: the endings to offer
	Min     int64    // of Number
	Max     int64    // of Number
	Value   string
}

// OptionKind says how an option is set.
type OptionKind uint8

// The kinds of options.
const (
	Choice OptionKind = iota // one of Choices
	Number                   // Min … Max
	File                     // a file's path
	Switch                   // "true" or "false"
)

// A Stat is one line of statistics.
type Stat struct {
	Key     string
	Count   int64
	Stored  int64 // bytes in the file; shared bytes count once
	Logical int64 // bytes after decompression and expansion
}

// A Document is an opened file.
type Document struct {
	Format  string           // a Format's name: "usdc"
	Version string           // of the file, in the format's words
	Title   string           // the format and version for people: "USD crate 0.8.0"
	Why     string           // the reason for the detection
	Refused *ErrUnrecognized // why no format fits bytes that are shown plainly for that reason, or nil
	Name    string           // the file's name, for people
	Inner   string           // of a member of a package: which, as a target names it in the file; "a[b]" is b in a. "": it is none
	Sources []*Source
	Views   []*View // the first is shown first; one is named "layout"

	// Facts lists the identity card. With quick, facts that need a scan have no value; else it scans.
	Facts func(ctx context.Context, quick bool, progress Progress) ([]Fact, error)
	// Tables are the paths of the layout's nodes, besides headers, that hold what the rest of the file is found by, such as
	// tables and indexes. Info decodes them, to report their problems.
	Tables []string
	// Named is the path of the node that a name of the format's own stands for, such as a USD path, or DefaultName. nil: the format has no
	// such names.
	Named func(ctx context.Context, name string) (path string, ok bool)
	// Stats returns the format's own statistics by a key of StatKeys. If nil, "section" and "type" come from the layout.
	Stats    func(ctx context.Context, by string, progress Progress) ([]Stat, error)
	StatKeys []string
	// Check does what a walk over the layout cannot see and reports each problem with the path of its node. It may
	// be nil.
	Check func(ctx context.Context, progress Progress, report func(path string, p Problem)) error
	// Checksums are the checksums by which the format's own tools compare files, by name. With an error come those
	// before it. nil: there are none.
	Checksums func(ctx context.Context, progress Progress) (Object, error)
	// ReferencedBy lists refs that come to a node: at most limit of them, and how many there are. It may build an index
	// first. nil: not known.
	ReferencedBy func(ctx context.Context, p *Place, limit int, progress Progress) ([]Ref, int64, error)

	// Description holds the text that the document is read by, or is nil for a format of the program.
	Description *Description

	Options []Option
	// SetOption changes an option; the views and options are then made anew: use the document returned.
	SetOption func(ctx context.Context, name, value string) (*Document, error)

	// Member opens documents inside this one, such as the files of a package, by inner path; see OpenMember. nil: none.
	Member func(ctx context.Context, inner string) (*Document, error)
	// First is the one whose views by meaning are among Views; "a[b]" where that is the first of a package that comes first. "":
	// there is none.
	First string
	// Headless says why a package has no First, so that the document is not the one it was opened for, or is nil.
	Headless error
	// Members names those whose views by meaning are not among Views; "a[b]" is the member b of the member a.
	Members []string

	closers []func() error
	closing sync.Once
}

// OnClose registers what to do when the document is closed.
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

// DefaultName stands for the default of a file that a reference names without more: of a layer its default prim.
const DefaultName = "/."

// Source is the document's first source: the file.
func (d *Document) Source() *Source { return d.Sources[0] }

// Far reports whether a source comes from a server, from which only requested bytes are read.
func (d *Document) Far() bool { return slices.ContainsFunc(d.Sources, (*Source).Far) }

// SourceByName finds a source by the name that spans and JSON use, making derived ones.
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

// A Format is one family of files.
type Format struct {
	Name     string // in JSON and --format
	Title    string
	Types    []FileType // its files, those that a double click opens first
	Holds    string     // what files of its shared extensions may hold, as a count names it: "Odin data"
	Keywords []string   // words that people search for
	Depth    string     // how far it is decoded, in a few words: "every byte, scene, values"
	// Detect looks at the beginning of a file. It must be quick and read little.
	Detect func(ctx context.Context, p *Probe) Detection
	// Slow is of a format whose Detect reads other files; it is asked only where no other format is sure, or by an option.
	Slow bool
	// Open decodes. Damage is reported by problems in the document; the error says that there is none, in words for
	// a person with a broken file.
	Open func(ctx context.Context, req *OpenRequest) (*Document, error)
	// OpenTogether opens several files as one document, such as deltas that are applied one after another, in the order
	// of the sources; req.Source is the first. nil: each file is a document of its own.
	OpenTogether func(ctx context.Context, sources []*Source, req *OpenRequest) (*Document, error)
	// Rules lists the rule ids of the problems that the format can report, with one line each.
	Rules []Rule
	// Specification returns the format's records and rules as this program reads them, or is nil.
	Specification func() (Specification, error)
	// Files knows how nodes name other files, or is nil if they name none.
	Files *FileNames
	// Forms are the forms of files that only nodes of this format are written in.
	Forms []OwnForm
}

// A Specification is a format's records and rules for a reader.
type Specification interface {
	WriteText(w io.Writer) error // as Markdown
	Object() Object              // as JSON has it
	KSY() (string, error)        // as a Kaitai Struct description, or the error that lists what that cannot say
}

// An OwnForm is a form of files that nodes of one format are written in.
type OwnForm struct {
	Name      string // as the command line has it
	Title     string // for people
	Extension string // of a file's name, with the dot
	Help      string // what is written, in a few words
	Words     string // the title of the Words that write it; if empty, a Copier with the form's name as its Format does
}

// FileNames says how the nodes of a format name other files, and where its readers find these besides next to the file that
// names them.
type FileNames struct {
	Holder string // the format's word for a file that names others: "layer"
	Within string // the name of the part of a node that says what is meant in the file that another part names, or ""
	// Of returns the names in the value of a node.
	Of func(ctx context.Context, n *Node) []string
	// Plain returns the path that a name has, or says why no file has it.
	Plain func(name string) (path string, err error)
	// Searched reports whether readers also look for a path in a package beside its first member, then outside of the package.
	Searched func(path string) bool
	// Elsewhere says where readers find a missing file, or returns "".
	Elsewhere func(path string) string
	// Pattern splits a path that stands for several, which have between before and after what fits; of another path fits is nil.
	Pattern func(path string) (before, after string, fits func(part string) bool)
}

// A Rule describes what a problem's rule id means.
type Rule struct {
	ID   string
	Help string
}

// Probe holds the beginning of a file for detection.
type Probe struct {
	Source *Source
	Name   string // the file's base name
	Head   []byte // the first bytes, at most ProbeSize
	// Options are the settings that the user gave, such as a schema; detection may use them.
	Options map[string]string
}

// ProbeSize bounds Probe.Head, in bytes.
const ProbeSize = 64 << 10

// A Detection says how sure a format is, and why, in words.
type Detection struct {
	Confidence Confidence
	Reason     string // "begins with PXR-USDC"; for No: what is missing, "no PXR-USDC at the start"
	ByName     bool   // the name alone says so: bytes that are plainly something else are not opened
}

// Confidence orders detections; the highest wins.
type Confidence int

// The confidences. A format may use values between Guess and Sure, as scores.
const (
	No    Confidence = 0
	Guess Confidence = 30
	Sure  Confidence = 100
)

// OpenRequest says how to open a source.
type OpenRequest struct {
	Source  *Source
	Name    string // the file's base name, or the inner path of a member
	Why     string // why this format was chosen
	Forced  bool   // the user named the format; the magic may be wrong, which is then a problem
	Opener  Opener
	Files   Files // the files beside it; never nil
	Options map[string]string
}

// An Opener opens sources as documents: members, payloads and selections. Decoders get it from their caller, so
// that no format imports another. Detection chooses the format; ErrUnrecognized says that none fits.
type Opener interface {
	Open(ctx context.Context, src *Source, name string) (*Document, error)
}

// Files gives access to the files beside the one that is opened.
type Files interface {
	// Open opens a file by its base name; errors satisfy errors.Is(err, fs.ErrNotExist) where it is absent.
	Open(name string) (Reader, error)
	// List names the files of the folder.
	List() ([]string, error)
}

// NoFiles is Files for a source that has no folder.
type NoFiles struct{}

// Open finds no file.
func (NoFiles) Open(string) (Reader, error) { return nil, fs.ErrNotExist }

// List returns no files.
func (NoFiles) List() ([]string, error) { return nil, nil }

// ErrUnrecognized says that no format fits, and what the file is instead. Error is one sentence; Reasons are what each
// format says.
type ErrUnrecognized struct {
	Cause   Cause
	Tried   []Tried
	Nearest string // the format that came nearest; may be empty
}

// A Cause says in a few words why a file holds nothing of its format.
type Cause struct {
	ID     string // in JSON; stable
	Text   string // what it is instead: "a Git LFS pointer; its 485,323 bytes were not fetched"
	Hint   string // what to do, such as "git lfs pull"; may be empty
	Format string // the format that it may be of nevertheless, when asked for by name, or ""
}

// The causes that callers distinguish.
const (
	CauseEmpty   = "empty"
	CausePointer = "pointer" // a stand-in that a version control system has left: of Git LFS, git-annex
)

// Advice returns a way out for a command line, or "".
func (c *Cause) Advice() string {
	if c.Format != "" {
		return "--format " + c.Format + " opens it all the same"
	}
	return c.Hint
}

// String is the cause and what to do, in one sentence without its full stop.
func (c *Cause) String() string {
	switch {
	case c.Format != "":
		return c.Text + "; " + c.Advice()
	case c.Hint != "":
		return c.Text + ": " + c.Hint
	}
	return c.Text
}

// Tried is one format's refusal.
type Tried struct{ Format, Reason string }

func (e *ErrUnrecognized) Error() string {
	if e.Cause.Text == "" {
		return "not recognised"
	}
	return e.Cause.String()
}

// Reasons returns a line for each format with why it refuses the file, and the nearest.
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
