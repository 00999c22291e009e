// Package example decodes tide gauge files, the small format that docs/adding-a-format.md walks through.
package example

import (
	"bytes"
	"context"

	"cutaway/decoders/grammar"
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
	Rules: language.RuleList(), Specification: language.Describe,
}

func detect(_ context.Context, p *model.Probe) model.Detection {
	if bytes.HasPrefix(p.Head, []byte(magic)) {
		return model.Detection{Confidence: model.Sure, Reason: "begins with TIDE"}
	}
	return model.Detection{Reason: "no TIDE at the start"}
}

// open reads nothing yet: fields are read when someone looks.
func open(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
	src := req.Source
	plan := language.For(nil)
	session := plan.Session()
	session.Tile = true
	root := plan.Record("Tide file").Open(session, grammar.Whole(src), 0)
	layout := func(ctx context.Context) model.Node { return root.Node(ctx, "file") }
	return &model.Document{
		Format: "tide", Version: "1", Title: "Tide gauge readings", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: layout}},
		Facts: func(ctx context.Context, _ bool, _ model.Progress) ([]model.Fact, error) {
			return []model.Fact{{Key: "stations", Title: "Stations", Value: model.Uint(root.Uint(ctx, plan.Field("Tide file", "count")))}}, ctx.Err()
		},
	}, nil
}
