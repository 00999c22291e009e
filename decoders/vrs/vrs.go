// Package vrs decodes Vision Record Stream recordings, a container for streams of sensor records. The chapters named
// in comments are those of docs/formats/vrs.md.
package vrs

import (
	"context"

	"cutaway/decoders/lang"
	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/model"
)

// Format is the entry for the list in decoders/formats.go.
var Format = &model.Format{
	Name: "vrs", Title: "VRS recording", Keywords: []string{"VRS"},
	Types: []model.FileType{{
		MIME: "application/x-vrs", Title: "VRS recording", Extensions: []string{".vrs"}, Default: true, Icon: "video-x-generic",
		Magic: []model.Magic{{Text: container.MagicFront, And: &model.Magic{Offset: int(container.FieldMagicBack.Off()), Text: container.MagicBack}}},
	}},
	Forms: []model.OwnForm{{Name: "vrs", Title: "Recording (VRS)", Extension: ".vrs",
		Help: "chosen streams, records and times, or all whole records of an interrupted recording, as a new one with an index"}},
	Depth:  "every byte, streams, records, fields of data layouts, images, audio",
	Detect: detect, Open: open, Rules: container.FileLanguage.RuleList(),
	Specification: specification,
}

// A recording is one opened recording. The table of records is made when it is asked for.
type recording struct {
	*container.File
	walker   container.Walker
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
	f := &container.File{Name: name}
	r := &recording{File: f, walker: container.Walker{File: f}}
	f.RecordsNode, f.RefsOfEntry = r.makeRecordsNode(), r.entryRefs
	r.contents.Limit, r.shown.Limit = keptContents, keptShown
	return r
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	r := newRecording(req.Name)
	if err := r.Join(ctx, req); err != nil {
		return nil, err
	}
	r.ReadHeader(ctx)
	if r.Orphan = r.Head.IsOrphan(ctx, r.File); r.Orphan {
		r.Head = container.FileHeader{RecordHeaderSize: container.RecordHeaderSize}
	}
	r.Describe()
	if r.Orphan {
		r.OpenOrphan()
	} else if r.Head.Fatal() {
		r.AddRest("unknown", r.Head.End(r.Src.Size()), r.Src.Size(), "bytes of a recording whose header cannot be used")
	} else {
		r.OpenParts(ctx)
	}
	r.link()
	doc := &model.Document{
		Format: "vrs", Version: r.Head.Version(), Title: r.Title(), Why: req.Why, Name: req.Name,
		Sources: []*model.Source{r.Src},
		Views: []*model.View{
			{Name: container.StreamsView, Title: "Streams", Root: r.streamsRoot, Find: r.links.Find(container.StreamsView), Content: recordContent, Summary: rows{r}.summary, Label: rows{r}.label, Kind: rows{r}.kind, Fold: rows{r}.fold, Shows: rows{r}.shows, Intro: func(ctx context.Context, p *model.Place) model.Intro { return introduce(ctx, r, p) }, Timeline: r.timeline},
			{Name: model.LayoutView, Title: "Layout", Of: r.Src, Root: r.layoutRoot},
		},
		Facts: r.facts, Stats: r.stats, StatKeys: []string{"section", "type", "subtree"},
		Check: r.check, Checksums: r.checksums, ReferencedBy: r.links.ReferencedBy,
	}
	return doc, ctx.Err()
}

// specification describes the records of the file and those of data layouts.
func specification() (model.Specification, error) {
	return lang.Describe(container.FileLanguage, layout.FieldLanguage)
}
