// Package example decodes tide gauge files, the small format that docs/adding-a-format.md walks through.
package example

import (
	"bytes"
	"context"

	"cutaway/decoders/read"
	"cutaway/model"
)

const magic = "TIDE"

// Format is the entry for the list in decoders/formats.go.
var Format = &model.Format{
	Name: "tide", Title: "Tide gauge readings", Keywords: []string{"tide"}, Depth: "every byte",
	Types: []model.FileType{{
		MIME: "application/x-tide", Title: "Tide gauge readings", Extensions: []string{".tide"},
		Magic: []model.Magic{{Text: magic}}, Default: true,
	}},
	Detect: detect, Open: open,
	Rules: []model.Rule{
		{ID: "tide.truncated", Help: "the file ends inside a field"},
		{ID: "tide.header.magic", Help: "the file does not begin with TIDE"},
		{ID: "tide.header.version", Help: "only version 1 is known"},
		{ID: "tide.header.stations", Help: "more stations are counted than the bytes can hold"},
		{ID: "tide.trailing", Help: "bytes follow the last station"},
	},
}

func detect(_ context.Context, p *model.Probe) model.Detection {
	if bytes.HasPrefix(p.Head, []byte(magic)) {
		return model.Detection{Confidence: model.Sure, Reason: "begins with TIDE"}
	}
	return model.Detection{Reason: "no TIDE at the start"}
}

// open reads the header only; the stations wait until someone looks.
func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	src := req.Source
	c := read.New(ctx, src, 0, src.Size(), "tide.truncated")
	var count uint32
	c.Group("header", "Header", "", func() { count = header(c) })
	if c.Remaining() > 0 {
		rest := src.Span(c.Off(), c.Remaining())
		c.Add(model.Node{Name: "stations", Type: "Station[]", Spans: []model.Span{rest}, Children: stations(rest, count)})
	}
	root := c.Node("file", "Tide file", "")
	return &model.Document{
		Format: "tide", Version: "1", Title: "Tide gauge readings", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: func(context.Context) model.Node { return root }}},
		Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) {
			return []model.Fact{{Key: "stations", Title: "Stations", Value: model.Uint(count)}}, nil
		},
	}, nil
}

func header(c *read.Cursor) (stations uint32) {
	m := c.Text("magic", 4, "TIDE")
	c.Check(m == magic, "tide.header.magic", magic, m, "this is not a tide file")
	v := c.U8("version", "1")
	c.Check(v == 1, "tide.header.version", 1, v, "unknown version")
	c.Bits("flags", 1, "how levels are meant",
		read.Bit{Name: "unit", Width: 2, Help: "0 millimetre, 1 centimetre, 2 foot"},
		read.Bit{Name: "corrected", Width: 1, Help: "levels are corrected for air pressure"})
	c.Pad("padding", 2, "")
	stations = c.U32("stations", "how many follow")
	c.Count(uint64(stations), leastStation, "tide.header.stations")
	return stations
}
