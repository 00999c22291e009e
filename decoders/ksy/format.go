package ksy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

const (
	ruleTruncated = "ksy.truncated"
	ruleInvalid   = "ksy.expression"
	ruleLimit     = "ksy.limit"
	ruleContents  = "ksy.contents"
	ruleValid     = "ksy.valid"
	ruleOpaque    = "ksy.opaque"
)

const (
	schemaOption = "schema"
	ending       = ".ksy"
	fieldsView   = "fields"
)

// Format is the entry for the list of formats: files read by a description of the user's.
var Format = &model.Format{
	Name: "ksy", Title: "By a Kaitai Struct description",
	Depth:  "what the description says",
	Detect: detect, Open: open,
	Rules: []model.Rule{
		{ID: ruleTruncated, Help: "the bytes end inside a field"},
		{ID: ruleInvalid, Help: "an expression of the description cannot be computed for this file"},
		{ID: ruleLimit, Help: "a limit of this program's was met; not all was read"},
		{ID: ruleContents, Help: "the bytes are not those that the description wants"},
		{ID: ruleValid, Help: "a value is not what the description allows"},
		{ID: ruleOpaque, Help: "a type is read by code that the description does not bring"},
	},
}

// detect goes by a description that the user names.
func detect(_ context.Context, p *model.Probe) model.Detection {
	name := p.Options[schemaOption]
	if !strings.HasSuffix(strings.ToLower(name), ending) {
		return model.Detection{Reason: "no Kaitai Struct description is given"}
	}
	return model.Detection{Confidence: model.Sure + 1, Reason: "read by " + filepath.Base(name)}
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	name := req.Options[schemaOption]
	if name == "" {
		return nil, fmt.Errorf("a Kaitai Struct description is needed: --schema FILE%s", ending)
	}
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	d, err := Load(name)
	if err != nil {
		return nil, err
	}
	if !d.Sound() {
		return nil, &model.ErrSchema{Findings: d.Findings}
	}
	rec, _, err := compile(d.Main)
	if err != nil {
		return nil, err
	}
	if n := len(d.Main.Params); n > 0 {
		return nil, fmt.Errorf("%s takes %s, so it does not describe a file alone", d.Main.Name, plural(n, "param"))
	}
	src := req.Source
	session := &grammar.Session{Truncated: ruleTruncated, Invalid: ruleInvalid, Limit: ruleLimit, Root: fieldsView}
	root := rec.Open(session, grammar.Whole(src), 0)
	title := d.Main.Meta.Title
	if title == "" {
		title = d.Main.Name
	}
	return &model.Document{
		Format: "ksy", Title: title, Why: req.Why, Name: req.Name, Sources: []*model.Source{src},
		Views: []*model.View{
			{Name: fieldsView, Title: "Fields", Root: func(ctx context.Context) model.Node { return root.Node(ctx, fieldsView) }},
			{Name: model.LayoutView, Title: "Layout", Of: src, Root: func(context.Context) model.Node { return layout(src) }},
		},
		Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) {
			return []model.Fact{{Key: "description", Title: "Description", Value: model.Text(filepath.Base(name))}}, nil
		},
		Options: []model.Option{{
			Name: schemaOption, Title: "Schema", Kind: model.File, Choices: []string{ending}, Value: name,
			Help: "the Kaitai Struct description that the file is read by",
		}},
	}, nil
}

// layout is the file as one leaf.
func layout(src *model.Source) model.Node {
	return model.Node{Name: model.LayoutView, Type: "bytes", Spans: []model.Span{src.Whole()}}
}
