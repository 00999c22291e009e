package decoders

import (
	"context"

	"cutaway/model"
)

// bytesFormat shows any file as plain bytes, for looking at it in the hex pane.
var bytesFormat = &model.Format{
	Name:  "bytes",
	Title: "Plain bytes",
	Depth: "nothing is decoded",
	Detect: func(context.Context, *model.Probe) model.Detection {
		return model.Detection{Reason: "any file is plain bytes, but only when asked for: --format bytes"}
	},
	Open: openBytes,
}

// headFact is how many bytes the fact "head" shows.
const headFact = 16

func openBytes(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
	src := req.Source
	root := func(context.Context) model.Node {
		return model.Node{
			Name: "bytes", Type: "bytes", Role: model.Unknown,
			Value: model.Blob{Span: src.Whole()}, Spans: []model.Span{src.Whole()},
			Help: "no format explains these bytes",
		}
	}
	return &model.Document{
		Format: "bytes", Title: "plain bytes", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Root: root, Of: src}},
		Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) {
			head := src.Span(0, min(src.Size(), headFact))
			return []model.Fact{{Key: "head", Title: "First bytes", Value: model.Blob{Span: head}}}, nil
		},
	}, nil
}
