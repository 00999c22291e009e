// Package vrs decodes Vision Record Stream recordings, a container for streams of sensor records. The chapters named
// in comments are those of docs/formats/vrs.md.
package vrs

import (
	"context"

	"cutaway/model"
)

// Format is the entry for the list in decoders/formats.go.
var Format = &model.Format{
	Name: "vrs", Title: "VRS recording", Keywords: []string{"VRS"},
	Types: []model.FileType{{
		MIME: "application/x-vrs", Title: "VRS recording", Extensions: []string{".vrs"}, Default: true, Icon: "video-x-generic",
		Magic: []model.Magic{{Text: magicFront, And: &model.Magic{Offset: int(fieldMagicBack.Off()), Text: magicBack}}},
	}},
	Depth:  "every byte, streams, records, fields of data layouts, images, audio",
	Detect: detect, Open: open, Rules: language.RuleList(),
}

// A recording is one opened recording. The table of records is made when it is asked for.
type recording struct {
	*file
	walker   walker
	table    model.Once[table]
	links    links
	contents model.Cache[int64, *model.Once[content]] // by number of the record
	shown    model.Cache[shownRecord, *model.Lazy]    // children of records that were opened
}

// shownRecord is a record in one of the views.
type shownRecord struct {
	layout bool
	number int64
}

// Bounds of the records that are kept.
const (
	keptContents = 256
	keptShown    = 2048
)

// newRecording returns a recording before anything is read.
func newRecording(name string) *recording {
	f := &file{name: name}
	r := &recording{file: f, walker: walker{file: f}}
	f.recordsNode, f.refsOfEntry = r.makeRecordsNode(), r.entryRefs
	r.contents.Limit, r.shown.Limit = keptContents, keptShown
	return r
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	r := newRecording(req.Name)
	if err := r.join(ctx, req); err != nil {
		return nil, err
	}
	r.readHeader(ctx)
	if r.orphan = r.head.isOrphan(ctx, r.file); r.orphan {
		r.head = fileHeader{recordHeaderSize: recordHeaderSize}
	}
	r.describe()
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
