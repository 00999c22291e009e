// Package odin decodes the data of OdinSerializer: the binary and JSON forms, the Nodes list, and the Unity files and
// gzip streams that carry them; and what VRChat's Udon stores in them.
package odin

import (
	"context"

	"cutaway/model"
)

const formatName = "odin"

// Format is OdinSerializer data.
var Format = &model.Format{
	Name:       formatName,
	Title:      "OdinSerializer data",
	Depth:      "every byte, entries, objects, Udon programs",
	Extensions: []string{".odin", ".bytes", ".asset", ".prefab", ".unity"},
	Detect:     detect,
	Open:       open,
	Rules:      rules,
}

// document is one opened file: the streams in it, in the order of the file.
type document struct {
	src     *model.Source
	streams []*stream
	layout  func() model.Node
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	d := &document{src: req.Source}
	d.openBinary()
	doc := &model.Document{
		Format: formatName, Title: "OdinSerializer " + d.streams[0].form.encoding(), Why: req.Why, Name: req.Name,
		Sources: []*model.Source{req.Source},
		Views: []*model.View{
			{Name: viewEntries, Title: "Entries", Root: d.entriesRoot},
			{Name: model.LayoutView, Title: "Layout", Root: d.layout, Of: req.Source},
		},
	}
	return doc, nil
}

func (d *document) openBinary() {
	s := newStream(d.src, 0, d.src.Size(), newBinary(d.src, 0, d.src.Size()), model.LayoutView)
	d.streams = []*stream{s}
	d.layout = func() model.Node { return s.layoutRoot(model.LayoutView) }
}

func (d *document) entriesRoot() model.Node { return d.streams[0].entriesRoot(viewEntries) }

func detect(p *model.Probe) model.Detection { return model.Detection{Reason: "not yet"} }

type carrier struct {
	listed  bool
	objects []external
}
type external struct {
	text string
	span model.Span
}
type references struct{}

func (s *stream) pathIn(view string, i int64) string { return s.path(view, i) }
