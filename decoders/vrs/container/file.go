// Package container reads the file of a VRS recording: its chunks, headers, description, index and records, damaged or not. The
// chapters named in comments are those of docs/formats/vrs.md.
package container

import (
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// A File is a recording without its records: its chunks, headers, description and index. Opening reads it.
type File struct {
	Src      *model.Source
	Name     string
	firstEnd int64  // end of the first chunk
	nextPart string // name of the chunk after the last one
	Orphan   bool   // a later chunk without the first one
	// noRecordAtIndex: the file header points to an index where no record can be.
	noRecordAtIndex bool
	Head            FileHeader
	plan            *lang.Plan
	session         *grammar.Session
	Desc            *Description // or nil
	Index           *Index       // the one that the file header points to, or nil
	First           int64        // where the user records begin
	Last            int64        // where they must end: at the index after them, or at the end of the source
	Parts           []Section
	Problems        []model.Problem // about the whole recording

	RecordsNode func(ctx context.Context) model.Node                // makes the node of the records
	RefsOfEntry func(i int64) func(ctx context.Context) []model.Ref // returns the links of entry i of the index, or nil
}

// Describe sets the plan of the recording and the session of its objects. The file header is read.
func (f *File) Describe() {
	f.plan = FileLanguage.Shared(f)
	f.session = f.plan.Session()
	f.session.Tile = true
}

// OpenOrphan lays out a chunk without the first one: records from byte 0 on (chapter 9).
func (f *File) OpenOrphan() {
	f.Parts = nil
	f.Last = f.Src.Size()
	f.Problems = append(f.Problems, model.Problemf(model.Truncated, ruleOrphan, f.Src.Span(0, 0),
		"this is a later part of a recording: its first part, with the header, the description and the layouts, is missing; "+
			"open the first part for names and fields%s", f.partsBefore()))
	f.addRecords()
}

// OpenParts finds what lies where: description, index and records (chapter 1). Everything is read from the few places
// that the file header names.
func (f *File) OpenParts(ctx context.Context) {
	size := f.Src.Size()
	at := f.Head.End(size)
	f.Desc = f.readDescription(ctx)
	if f.Desc != nil {
		f.AddRest("unreferenced", at, f.Desc.Hdr.Off, "bytes between the file header and the description")
		f.Parts = append(f.Parts, Section{"description", f.Desc.Hdr.Off, f.Desc.end, f.descriptionNode})
		at = f.Desc.end
	}
	f.Index = f.findIndex(ctx, at)
	if f.Desc != nil {
		f.Desc.findProblems(ctx, f) // how much some matter depends on the index
	}
	f.First, f.Last = f.firstRecord(ctx, at), size
	switch {
	case f.Index == nil:
		f.First = at // a walk begins after the description, whatever follows
	case f.Index.Off < f.First:
		f.AddRest("unreferenced", at, f.Index.Off, "bytes in front of the index")
		f.addIndex()
		f.AddRest("reserve", f.Index.end, f.First, "bytes between the index and the first record")
	default:
		f.addUnusedIndex(ctx, at)
		f.Last = f.Index.Off
	}
	f.addRecords()
	if f.Index != nil && f.Index.Off >= f.First {
		f.addIndex()
		f.AddRest("trailing", f.Index.end, size, "bytes after the index, the last thing in a recording")
	}
}

// firstRecord returns the offset of the first user record (chapters 2 and 5.2); at is the end of the description.
func (f *File) firstRecord(ctx context.Context, at int64) int64 {
	size := f.Src.Size()
	given := f.Head.firstUserRecord
	if f.Index != nil && f.Index.Split() {
		switch {
		case given > 0 && given <= size:
			return max(given, f.Index.end)
		case given == 0 && f.firstEnd < size:
			return f.firstEnd
		}
		return size
	}
	if given < at || given > size {
		// Unset, or at the description.
		given = at
	}
	if x := f.Index; x != nil && x.Off < given && given < x.end {
		f.overlap(ctx, x, given)
		return x.end
	}
	return given
}

// overlap settles an index that reaches beyond the first record: one of the two places is wrong.
func (f *File) overlap(ctx context.Context, x *Index, first int64) {
	if h, ok := f.usableAt(ctx, first); !ok || h.ID().isSpecial() {
		return // the first record's place is wrong, which is a problem of the file header
	}
	x.end = first
	x.Infos.Len = max(min(x.Infos.Len, first-x.Infos.Off), 0)
	x.fail(model.Problemf(model.Malformed, ruleIndexSize, f.Span(x.Off, FieldRecordSize), "the index reaches into the first record").
		WantAtMost(first-x.Off, x.hdr.Size()))
}

// addUnusedIndex adds what is between the description and the first record: an index that a later one replaced.
func (f *File) addUnusedIndex(ctx context.Context, at int64) {
	if h, ok := f.usableAt(ctx, at); ok && at < f.First && h.ID().isIndex() {
		off, end := at, min(h.End(), f.First)
		f.Parts = append(f.Parts, Section{UnusedIndex, off, end, func(context.Context) model.Node { return f.unusedIndexNode(off, end) }})
		at = end
	}
	f.AddRest("reserve", at, f.First, "bytes in front of the first record")
}

// Title returns the title of the document.
func (f *File) Title() string {
	switch {
	case f.Orphan:
		return "VRS recording, a later part alone"
	case f.Head.Version() == "":
		return "VRS recording"
	}
	return fmt.Sprintf("VRS recording %s", f.Head.Version())
}

// A Section is a piece of the layout that is known when the file is open, in the order of the file.
type Section struct {
	Name     string
	Off, End int64
	Make     func(context.Context) model.Node
}

// Path is the path of a node of the layout, whatever the recording is in.
func (f *File) Path(below string) string { return f.Src.LayoutPath() + "/" + below }

// RecordPath returns the path of record i of the layout.
func (f *File) RecordPath(i int64) string { return f.Path(RecordsName) + "/" + model.IndexName(i) }

// PayloadPath returns the path of the payload of record i.
func (f *File) PayloadPath(i int64) string { return f.RecordPath(i) + "/" + PayloadName }

// AddRest adds bytes between parts, if there are any.
func (f *File) AddRest(name string, off, end int64, help string) {
	if off >= end {
		return
	}
	role, problems := model.Unknown, []model.Problem(nil)
	at := f.Src.Span(off, end-off)
	switch name {
	case "reserve":
		role = model.Padding
	case "unreferenced":
		role = model.Unreferenced
	case "trailing":
		if problems = f.foreignParts(off); problems == nil {
			problems = []model.Problem{model.Problemf(model.Suspicious, ruleTrailingBytes, at, "%s", help)}
		}
	}
	for taken := 2; slices.ContainsFunc(f.Parts, func(p Section) bool { return p.Name == name }); taken++ {
		name = fmt.Sprintf("%s %d", name, taken)
	}
	f.Parts = append(f.Parts, Section{name, off, end, func(context.Context) model.Node {
		n := BytesNode(name, at, role, help)
		n.Problems = problems
		return n
	}})
}

// addRecords adds the run of records.
func (f *File) addRecords() {
	f.Parts = append(f.Parts, Section{RecordsName, f.First, max(f.Last, f.First), f.RecordsNode})
}

// Names in the layout.
const (
	RecordsName = "records"
	PayloadName = "payload"
)

// walks reports whether the reference goes from record to record, because there is no index that it can use. It gets no further
// than to the first record whose links are wrong.
func (f *File) walks() bool { return f.Head.Index == 0 || f.Index == nil || f.Index.Broken }

// walks returns whether the reference walks, for expressions.
func walks(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.BoolValue(s.Env().(*File).walks())
}

// ChainMatters returns how bad a wrong link between records is.
func (f *File) ChainMatters() model.Kind {
	if f.walks() {
		return model.Malformed
	}
	return model.Suspicious
}

// Files returns the files of the recording that are not missing.
func (f *File) Files() []model.Segment {
	if segments := f.Src.Segments(); segments != nil {
		return slices.DeleteFunc(slices.Clone(segments), func(s model.Segment) bool { return s.Missing })
	}
	return []model.Segment{{File: f.Name, Length: f.Src.Size()}}
}

// StreamPath returns the path of a stream in the view of streams.
func StreamPath(id StreamID) string { return StreamsView + "/" + id.String() }

// StreamsView is the name of the view of streams.
const StreamsView = "streams"

// Unset stands for a number that the format text does not give.
const Unset = -1
