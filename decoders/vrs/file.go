package vrs

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// A file is a recording without its records: its chunks, headers, description and index. Opening reads it.
type file struct {
	src      *model.Source
	name     string
	firstEnd int64  // end of the first chunk
	nextPart string // name of the chunk after the last one
	orphan   bool   // a later chunk without the first one
	// noRecordAtIndex: the file header points to an index where no record can be.
	noRecordAtIndex bool
	head            fileHeader
	plan            *lang.Plan
	session         *grammar.Session
	desc            *description // or nil
	index           *index       // the one that the file header points to, or nil
	first           int64        // where the user records begin
	last            int64        // where they must end: at the index after them, or at the end of the source
	parts           []part
	problems        []model.Problem // about the whole recording

	recordsNode func(ctx context.Context) model.Node                // makes the node of the records
	refsOfEntry func(i int64) func(ctx context.Context) []model.Ref // returns the links of entry i of the index, or nil
}

// plans are the plans of recordings by the size of their record headers.
var plans sync.Map

// describe sets the plan of the recording and the session of its objects. The file header is read.
func (f *file) describe() {
	size := f.head.recordHeaderSize
	if !f.head.sizesOK() {
		size = recordHeaderSize // of a later part; else no record is read
	}
	plan, ok := plans.Load(size)
	if !ok {
		plan, _ = plans.LoadOrStore(size, language.For(&file{head: fileHeader{recordHeaderSize: size}}))
	}
	f.plan = plan.(*lang.Plan).For(f)
	f.session = f.plan.Session()
	f.session.Tile = true
}

// openOrphan lays out a chunk without the first one: records from byte 0 on (chapter 9).
func (f *file) openOrphan() {
	f.parts = nil
	f.last = f.src.Size()
	f.problems = append(f.problems, model.Problemf(model.Truncated, ruleOrphan, f.src.Span(0, 0),
		"this is a later part of a recording: its first part, with the header, the description and the layouts, is missing; "+
			"open the first part for names and fields%s", f.partsBefore()))
	f.addRecords()
}

// openParts finds what lies where: description, index and records (chapter 1). Everything is read from the few places
// that the file header names.
func (f *file) openParts(ctx context.Context) {
	size := f.src.Size()
	at := f.head.end(size)
	f.desc = f.readDescription(ctx)
	if f.desc != nil {
		f.addRest("unreferenced", at, f.desc.hdr.off, "bytes between the file header and the description")
		f.parts = append(f.parts, part{"description", f.desc.hdr.off, f.desc.end, f.descriptionNode})
		at = f.desc.end
	}
	f.index = f.findIndex(ctx, at)
	if f.desc != nil {
		f.desc.findProblems(ctx, f) // how much some matter depends on the index
	}
	f.first, f.last = f.firstRecord(ctx, at), size
	switch {
	case f.index == nil:
		f.first = at // a walk begins after the description, whatever follows
	case f.index.off < f.first:
		f.addRest("unreferenced", at, f.index.off, "bytes in front of the index")
		f.addIndex()
		f.addRest("reserve", f.index.end, f.first, "bytes between the index and the first record")
	default:
		f.addUnusedIndex(ctx, at)
		f.last = f.index.off
	}
	f.addRecords()
	if f.index != nil && f.index.off >= f.first {
		f.addIndex()
		f.addRest("trailing", f.index.end, size, "bytes after the index, the last thing in a recording")
	}
}

// firstRecord returns the offset of the first user record (chapters 2 and 5.2); at is the end of the description.
func (f *file) firstRecord(ctx context.Context, at int64) int64 {
	size := f.src.Size()
	given := f.head.firstUserRecord
	if f.index != nil && f.index.split() {
		switch {
		case given > 0 && given <= size:
			return max(given, f.index.end)
		case given == 0 && f.firstEnd < size:
			return f.firstEnd
		}
		return size
	}
	if given < at || given > size {
		// Unset, or at the description.
		given = at
	}
	if x := f.index; x != nil && x.off < given && given < x.end {
		f.overlap(ctx, x, given)
		return x.end
	}
	return given
}

// overlap settles an index that reaches beyond the first record: one of the two places is wrong.
func (f *file) overlap(ctx context.Context, x *index, first int64) {
	if h, ok := f.usableAt(ctx, first); !ok || h.id().isSpecial() {
		return // the first record's place is wrong, which is a problem of the file header
	}
	x.end = first
	x.infos.Len = max(min(x.infos.Len, first-x.infos.Off), 0)
	x.fail(model.Problemf(model.Malformed, ruleIndexSize, f.span(x.off, fieldRecordSize), "the index reaches into the first record").
		Want(fmt.Sprintf("at most %d", first-x.off), x.hdr.size()))
}

// addUnusedIndex adds what is between the description and the first record: an index that a later one replaced.
func (f *file) addUnusedIndex(ctx context.Context, at int64) {
	if h, ok := f.usableAt(ctx, at); ok && at < f.first && h.id().isIndex() {
		off, end := at, min(h.end(), f.first)
		f.parts = append(f.parts, part{unusedIndex, off, end, func(context.Context) model.Node { return f.unusedIndexNode(off, end) }})
		at = end
	}
	f.addRest("reserve", at, f.first, "bytes in front of the first record")
}

// title returns the title of the document.
func (f *file) title() string {
	switch {
	case f.orphan:
		return "VRS recording, a later part alone"
	case f.head.version() == "":
		return "VRS recording"
	}
	return fmt.Sprintf("VRS recording %s", f.head.version())
}

// part is a piece of the layout that is known when the file is open, in the order of the file.
type part struct {
	name     string
	off, end int64
	make     func(context.Context) model.Node
}

// path is the path of a node of the layout, whatever the recording is in.
func (f *file) path(below string) string { return f.src.LayoutPath() + "/" + below }

func (f *file) recordPath(i int64) string { return f.path(recordsName) + "/" + model.IndexName(i) }

func (f *file) payloadPath(i int64) string { return f.recordPath(i) + "/" + payloadName }

// addRest adds bytes between parts, if there are any.
func (f *file) addRest(name string, off, end int64, help string) {
	if off >= end {
		return
	}
	role, problems := model.Unknown, []model.Problem(nil)
	at := f.src.Span(off, end-off)
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
	for taken := 2; slices.ContainsFunc(f.parts, func(p part) bool { return p.name == name }); taken++ {
		name = fmt.Sprintf("%s %d", name, taken)
	}
	f.parts = append(f.parts, part{name, off, end, func(context.Context) model.Node {
		n := bytesNode(name, at, role, help)
		n.Problems = problems
		return n
	}})
}

// addRecords adds the run of records.
func (f *file) addRecords() {
	f.parts = append(f.parts, part{recordsName, f.first, max(f.last, f.first), f.recordsNode})
}

const (
	recordsName = "records"
	payloadName = "payload"
)

// walks reports whether the reference goes from record to record, because there is no index that it can use. It gets no further
// than to the first record whose links are wrong.
func (f *file) walks() bool { return f.head.index == 0 || f.index == nil || f.index.broken }

// walks returns whether the reference walks, for expressions.
func walks(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.BoolValue(s.Env().(*file).walks())
}

// chainMatters returns how bad a wrong link between records is.
func (f *file) chainMatters() model.Kind {
	if f.walks() {
		return model.Malformed
	}
	return model.Suspicious
}

// files returns the files of the recording that are not missing.
func (f *file) files() []model.Segment {
	if segments := f.src.Segments(); segments != nil {
		return slices.DeleteFunc(slices.Clone(segments), func(s model.Segment) bool { return s.Missing })
	}
	return []model.Segment{{File: f.name, Length: f.src.Size()}}
}

func streamPath(id streamID) string { return streamsView + "/" + id.String() }

const streamsView = "streams"

// unset stands for a number that the format text does not give.
const unset = -1
