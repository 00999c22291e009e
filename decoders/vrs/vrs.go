// Package vrs decodes Vision Record Stream recordings, a container for streams of sensor records. The chapters named
// in comments are those of docs/formats/vrs.md.
package vrs

import (
	"context"
	"fmt"
	"sync/atomic"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Format is the entry for the list in decoders/formats.go.
var Format = &model.Format{
	Name: "vrs", Title: "VRS recording", Keywords: []string{"VRS"},
	Types: []model.FileType{{
		MIME: "application/x-vrs", Title: "VRS recording", Extensions: []string{".vrs"}, Default: true, Icon: "video-x-generic",
		Magic: []model.Magic{{Text: "VisionRe", And: &model.Magic{Offset: 72, Text: "cord"}}},
	}},
	Depth:  "every byte, streams, records, fields of data layouts, images, audio",
	Detect: detect, Open: open, Rules: rules,
	Forms: []model.OwnForm{{Name: "vrs", Title: "Recording (VRS)", Extension: ".vrs",
		Help: "chosen streams, records and times, or all whole records of an interrupted recording, as a new one with an index"}},
}

const streamsView = "streams"

// recording is one opened recording. Opening reads the headers and the description; the table of records is had when
// it is asked for.
type recording struct {
	src      *model.Source
	name     string
	firstEnd int64  // end of the first chunk
	nextPart string // what the chunk after the last one would be called
	orphan   bool   // a later chunk without the first one
	// noRecordAtIndex: the file header points to an index where no record can be.
	noRecordAtIndex bool
	head            fileHeader
	header          *grammar.Record // of records
	session         *grammar.Session
	desc            *description // nil: none
	index           *index       // the one that the file header points to; nil: none
	first           int64        // where the user records begin
	last            int64        // where they must end: at the index after them, or at the end of the source
	parts           []part
	problems        []model.Problem // about the whole recording
	table           model.Once[table]
	links           links
	progress        walk                                     // what the walk without an index has found so far
	contents        model.Cache[int64, *model.Once[content]] // by number of the record
	shown           model.Cache[shownRecord, *model.Lazy]    // children of records that were opened
	checked         atomic.Pointer[recordHeader]             // whose fields were checked last
}

// shownRecord is a record in one of the views.
type shownRecord struct {
	layout bool
	number int64
}

// Bounds of what is kept of records that were looked at.
const (
	keptContents = 256
	keptShown    = 2048
)

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	r := &recording{name: req.Name}
	if err := r.join(ctx, req); err != nil {
		return nil, err
	}
	r.contents.Limit, r.shown.Limit = keptContents, keptShown
	r.session = r.newSession()
	r.readHeader(ctx)
	r.orphan = r.head.isOrphan(ctx, r)
	if r.orphan {
		r.openOrphan()
	} else if r.head.fatal() {
		r.addRest("unknown", r.head.end(r.src.Size()), r.src.Size(), "bytes of a recording whose header cannot be used")
	} else {
		r.openParts(ctx)
	}
	r.link()
	doc := &model.Document{
		Format: "vrs", Version: r.head.version(), Title: r.title(), Why: req.Why, Name: req.Name,
		Sources: []*model.Source{r.src},
		Views: []*model.View{
			{Name: streamsView, Title: "Streams", Root: r.streamsRoot, Find: r.links.Find(streamsView), Content: recordContent, Summary: r.streamSummary, Timeline: r.timeline},
			{Name: model.LayoutView, Title: "Layout", Of: r.src, Root: r.layoutRoot},
		},
		Facts: r.facts, Stats: r.stats, StatKeys: []string{"section", "type", "subtree"},
		Check: r.check, Checksums: r.checksums, ReferencedBy: r.links.ReferencedBy,
	}
	return doc, ctx.Err()
}

func (r *recording) newSession() *grammar.Session {
	return &grammar.Session{Truncated: ruleTruncated, Env: r, Tile: true}
}

func (r *recording) title() string {
	switch {
	case r.orphan:
		return "VRS recording, a later part alone"
	case r.head.version() == "":
		return "VRS recording"
	}
	return fmt.Sprintf("VRS recording %s", r.head.version())
}

// openOrphan lays out a chunk without the first one: records from byte 0 on (chapter 9).
func (r *recording) openOrphan() {
	r.head, r.header, r.parts = fileHeader{recordHeaderSize: recordHeaderSize}, usualHeader, nil
	r.last = r.src.Size()
	r.problems = append(r.problems, model.Problemf(model.Truncated, ruleOrphan, r.src.Span(0, 0),
		"this is a later part of a recording: its first part, with the header, the description and the layouts, is missing; "+
			"open the first part for names and fields%s", r.partsBefore()))
	r.addRecords()
}

// openParts finds what lies where: description, index and records (chapter 1). Everything is read from the few places
// that the file header names.
func (r *recording) openParts(ctx context.Context) {
	size := r.src.Size()
	at := r.head.end(size)
	r.desc = r.readDescription(ctx)
	if r.desc != nil {
		r.addRest("unreferenced", at, r.desc.hdr.off, "bytes between the file header and the description")
		r.parts = append(r.parts, part{"description", r.desc.hdr.off, r.desc.end, r.descriptionNode})
		at = r.desc.end
	}
	r.index = r.findIndex(ctx, at)
	if r.desc != nil {
		r.desc.findProblems(ctx, r) // how much some matter depends on the index
	}
	r.first, r.last = r.firstRecord(ctx, at), size
	switch {
	case r.index == nil:
		r.first = at // a walk begins after the description, whatever is there
	case r.index.off < r.first:
		r.addRest("unreferenced", at, r.index.off, "bytes in front of the index")
		r.addIndex()
		r.addRest("reserve", r.index.end, r.first, "bytes between the index and the first record")
	default:
		r.addUnusedIndex(ctx, at)
		r.last = r.index.off
	}
	r.addRecords()
	if r.index != nil && r.index.off >= r.first {
		r.addIndex()
		r.addRest("trailing", r.index.end, size, "bytes after the index, the last thing in a recording")
	}
}

// firstRecord is where user records begin (chapters 2 and 5.2); at is the end of the description.
func (r *recording) firstRecord(ctx context.Context, at int64) int64 {
	size := r.src.Size()
	given := r.head.firstUserRecord
	if r.index != nil && r.index.split() {
		switch {
		case given > 0 && given <= size:
			return max(given, r.index.end)
		case given == 0 && r.firstEnd < size:
			return r.firstEnd
		}
		return size
	}
	if given < at || given > size {
		// Unset, or in front of what is known: the description sits there.
		given = at
	}
	if x := r.index; x != nil && x.off < given && given < x.end {
		r.overlap(ctx, x, given)
		return x.end
	}
	return given
}

// overlap settles an index that reaches beyond the first record: one of the two places is wrong.
func (r *recording) overlap(ctx context.Context, x *index, first int64) {
	if h, ok := r.usableAt(ctx, first); !ok || h.id.isSpecial() {
		return // the first record's place is wrong; the file header tells
	}
	x.end = first
	x.infos.Len = max(min(x.infos.Len, first-x.infos.Off), 0)
	x.fail(model.Problemf(model.Malformed, ruleIndexSize, r.src.Span(x.off, 4), "the index reaches into the first record").
		WantAtMost(first-x.off, x.hdr.size))
}

// addUnusedIndex adds what is between the description and the first record: an index that a later one replaced.
func (r *recording) addUnusedIndex(ctx context.Context, at int64) {
	if h, ok := r.usableAt(ctx, at); ok && at < r.first && h.id.isIndex() {
		off, end := at, min(at+int64(h.size), r.first)
		r.parts = append(r.parts, part{unusedIndex, off, end, func(context.Context) model.Node { return r.unusedIndexNode(off, end) }})
		at = end
	}
	r.addRest("reserve", at, r.first, "bytes in front of the first record")
}
