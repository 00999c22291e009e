package decoders

import (
	"context"
	"math"
	"strings"

	"cutaway/model"
)

// PlainBytes is the name of the format that accepts any file.
const PlainBytes = "bytes"

// bytesFormat shows any file as plain bytes in the hex pane.
var bytesFormat = &model.Format{
	Name:  PlainBytes,
	Title: "Plain bytes",
	Depth: "nothing is decoded",
	Detect: func(context.Context, *model.Probe) model.Detection {
		return model.Detection{Reason: "any file is plain bytes, but only when asked for: --format bytes"}
	},
	Open: openBytes,
}

// headFact is the number of bytes that the fact "head" shows.
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
		Format: PlainBytes, Title: "plain bytes", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Root: root, Of: src, Intro: introduceBytes}},
		Facts: func(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
			return bytesFacts(ctx, src, quick, progress)
		},
	}, nil
}

// mostTexts is the number of texts that introduce bytes, leastText the least length of one, shownText the bytes that are shown.
const mostTexts, leastText, shownText = 6, 4, 24

// introduceBytes introduces bytes of no known format by the texts at their beginning.
func introduceBytes(ctx context.Context, p *model.Place) (in model.Intro) {
	src := p.Node.Span().Source
	if src == nil || p.Parent != nil {
		return in
	}
	in.Sentence = model.GroupedCount(src.Size(), "byte") + " of no known format."
	probe, err := NewProbe(ctx, src, "")
	if err != nil {
		return in
	}
	if looks := looksLike(probe.Head); looks != "" {
		in.Sentence += " They look like " + looks + "."
		if strings.HasPrefix(looks, "text/") {
			return in
		}
	}
	var texts []string
	from := 0
	for i := 0; i <= len(probe.Head) && len(texts) < mostTexts; i++ {
		if i < len(probe.Head) && probe.Head[i] >= ' ' && probe.Head[i] <= '~' {
			continue
		}
		if i-from >= leastText {
			texts = append(texts, model.ShowHeld(model.Text(probe.Head[from:i]), shownText))
		}
		from = i + 1
	}
	in.Facts = model.Say(in.Facts, "texts", strings.Join(texts, ", "))
	return in
}

func bytesFacts(ctx context.Context, src *model.Source, quick bool, progress model.Progress) ([]model.Fact, error) {
	head := src.Span(0, min(src.Size(), headFact))
	facts := []model.Fact{{Key: "head", Title: "First bytes", Main: true, Value: model.Blob{Span: head}}}
	probe, err := NewProbe(ctx, src, "")
	if err != nil {
		return facts, err
	}
	if looks := looksLike(probe.Head); looks != "" {
		facts = append(facts, model.Fact{Key: "looksLike", Title: "Looks like", Value: model.Text(looks)})
	}
	if src.Size() == 0 {
		return facts, nil
	}
	entropy := model.Fact{Key: "entropy", Title: "Entropy, bits a byte", Scan: true, Main: true}
	if !quick {
		bits, err := Entropy(ctx, src, progress)
		if err != nil {
			return facts, err
		}
		entropy.Value = model.Float64(math.Round(bits*1000) / 1000)
	}
	return append(facts, entropy), nil
}
