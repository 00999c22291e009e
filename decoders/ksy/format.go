package ksy

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
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
	formatName   = "ksy"
	schemaOption = "schema"
	ending       = ".ksy"
	fieldsView   = "fields"
)

// Format describes files that are read by a description of the user.
var Format = &model.Format{
	Name: formatName, Title: "By a Kaitai Struct description",
	Depth:  "what the description says",
	Detect: detect, Open: open, Slow: true,
	Rules: []model.Rule{
		{ID: ruleTruncated, Help: "the bytes end inside a field"},
		{ID: ruleInvalid, Help: "an expression of the description cannot be computed for this file"},
		{ID: ruleLimit, Help: "a limit of this program's was met; not all was read"},
		{ID: ruleContents, Help: "the bytes are not those that the description wants"},
		{ID: ruleValid, Help: "a value is not what the description allows"},
		{ID: ruleOpaque, Help: "a type is read by code that the description does not bring"},
	},
}

// detect accepts a file if the user names a description or one in the folders fits. In the latter case other formats
// take precedence.
func detect(_ context.Context, p *model.Probe) model.Detection {
	name := p.Options[schemaOption]
	if strings.HasSuffix(strings.ToLower(name), ending) {
		return model.Detection{Confidence: model.Sure + 1, Reason: "read by " + filepath.Base(name)}
	}
	if _, reason := recognise(p); reason != "" {
		return model.Detection{Confidence: model.Guess, Reason: reason}
	}
	return model.Detection{Reason: "no Kaitai Struct description is given, and none of the folders of descriptions fits"}
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	name := req.Options[schemaOption]
	if name == "" {
		head, err := req.Source.Bytes(ctx, 0, min(req.Source.Size(), model.ProbeSize))
		if err != nil {
			return nil, err
		}
		name, _ = recognise(&model.Probe{Source: req.Source, Name: req.Name, Head: head})
	}
	if name == "" {
		return nil, fmt.Errorf("a Kaitai Struct description is needed: --schema FILE%s", ending)
	}
	d, err := loadForFiles(name, Folders())
	if err != nil {
		return nil, err
	}
	rec, compiler, err := compile(d.Main)
	if err != nil {
		return nil, err
	}
	session := &grammar.Session{Truncated: ruleTruncated, Invalid: ruleInvalid, Limit: ruleLimit, Root: fieldsView,
		Memory: source.CacheLimit() / 3}
	root := rec.Open(session, grammar.Whole(req.Source), 0)
	f := &describedFile{src: req.Source, description: d, compiler: compiler, plain: map[*grammar.Field]plainElements{}}
	f.tiles = model.NewLazy(f.readTiles)
	f.fields = &model.View{Name: fieldsView, Title: "Fields", Find: f.find, Cards: []string{"Plot", "Table"},
		Root: func(ctx context.Context) model.Node { return root.Node(ctx, fieldsView) }}
	f.fields.Intro = f.intro
	shown := *f.fields // f.fields stays unguarded: walks inspect the engine's own nodes
	f.doc = &model.Document{
		Format: formatName, Title: d.Main.title(), Why: req.Why, Name: req.Name, Sources: []*model.Source{f.src},
		Views: []*model.View{&shown, {Name: model.LayoutView, Title: "Layout", Of: f.src, Root: func(context.Context) model.Node { return f.layout() }}},
		Facts: f.facts, Check: f.check, Description: f.text(),
		Options: []model.Option{{
			Name: schemaOption, Title: "Schema", Kind: model.File, Choices: []string{ending}, Value: name,
			Help: "the Kaitai Struct description that the file is read by",
		}},
		SetOption: func(ctx context.Context, name, value string) (*model.Document, error) {
			again := *req
			again.Options = map[string]string{name: value}
			return open(ctx, &again)
		},
	}
	return f.doc, nil
}

// A describedFile is a file that is read by a description.
type describedFile struct {
	src         *model.Source
	description *Description
	compiler    *compiler
	walking     sync.Mutex // guards plain
	plain       map[*grammar.Field]plainElements
	doc         *model.Document
	fields      *model.View
	tiles       *model.Lazy
}

// title returns the title of the type.
func (t *Type) title() string {
	if t.Meta.Title != "" {
		return t.Meta.Title
	}
	return t.Name
}

func (f *describedFile) facts(context.Context, bool, model.Progress) ([]model.Fact, error) {
	main := f.description.Main
	return []model.Fact{
		{Key: "description", Title: "description", Value: model.Text(main.Place.Module.Name)},
		{Key: "id", Title: "id", Value: model.Text(main.Name)},
		{Key: "licence", Title: "licence of the description", Value: model.Text(main.Meta.License)},
		{Key: "application", Title: "application", Value: model.Text(strings.Join(main.Meta.Application, ", "))},
	}, nil
}

// check reports the problems of all fields. In lists it makes nodes only of elements that may have problems.
func (f *describedFile) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	opt := model.WalkOptions{Resolve: true, Derived: true, Elements: true, Fleeting: true, Progress: progress}
	var visit model.Visit
	visit = visitOnce(func(p *model.Place) error {
		for _, problem := range p.Node.Problems {
			report(p.Path(), problem)
		}
		l := grammar.ListOf(p.Node.Children)
		if l == nil {
			return nil
		}
		if f.isSound(l) && l.Whole() && len(p.Node.Problems) == 0 {
			return model.ErrSkip
		}
		for i := int64(0); ; i++ {
			var err error
			if i, err = nextOdd(ctx, l, i, unsound, progress); err != nil {
				return err
			}
			if i < 0 {
				return model.ErrSkip
			}
			if err := model.WalkChildren(ctx, p, i, i+1, opt, visit); err != nil {
				return err
			}
		}
	}, report)
	return model.Walk(ctx, f.fields.Place(ctx), opt, visit)
}
