// Package flatbuffer decodes FlatBuffers by their schema, and shows what can be inferred without one. It is also the
// library for formats that are made of FlatBuffers.
//
// records.go describes the encoding, describe.go the types of a schema, which schema.go reads. verify.go and infer.go
// walk a buffer, objects.go puts the objects in order, tree.go and fields.go show them, links.go links them.
package flatbuffer

import (
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/model"
)

var le = binary.LittleEndian

// Name is the format's name.
const Name = "flatbuffer"

// Format is the entry for the list of formats.
var Format = &model.Format{
	Name: Name, Title: "FlatBuffer", Keywords: []string{"FlatBuffers"},
	Types: []model.FileType{{
		MIME: "application/x-flatbuffers-schema", Title: "FlatBuffers schema, compiled", Extensions: []string{".bfbs"},
		Magic: []model.Magic{{Offset: 4, Text: "BFBS"}},
	}},
	Depth:  "every byte, tables and fields by your schema (.bfbs, .fbs); without one what can be inferred",
	Detect: detect, Open: open, Rules: Rules(OwnPrefix), Specification: language.Describe,
}

const (
	schemaOption = "schema"
	detectedBy   = 64 // items of each vector that detection looks at
	openedBy     = 4096
	byHand       = model.Sure - 1 // how sure a schema makes that is handed in
	leastBuffer  = 12             // bytes: root offset, and a table with its vtable
)

// detect knows a buffer by its schema only: handed in, or found by the file identifier.
func detect(ctx context.Context, p *model.Probe) model.Detection {
	given := p.Options[schemaOption] != ""
	if len(p.Head) < leastBuffer && !given {
		return model.Detection{Reason: "too short for a FlatBuffer"}
	}
	f, err := schemaFor(ctx, p.Source, p.Head, p.Options[schemaOption])
	s := f.schema
	switch {
	case err != nil:
		return model.Detection{Reason: err.Error()}
	case f.unusable != nil:
		return model.Detection{Reason: f.unusable.Error()}
	case s == nil:
		return model.Detection{Reason: errNoIdentifier.Error()}
	}
	b := NewBuffer(p.Source, 0, p.Source.Size(), f.prefixed)
	v := b.Verify(ctx, s, detectedBy)
	switch {
	case given && v.Errors > 0:
		return model.Detection{Confidence: byHand, Reason: fmt.Sprintf("the schema %s is handed in; by it the file has errors: %v", s.Name, v.First())}
	case given:
		return model.Detection{Confidence: byHand, Reason: fmt.Sprintf("verifies by the schema %s, which is handed in", s.Name)}
	case s.Identifier != "" && b.Identifier(ctx) == s.Identifier:
		return model.Detection{Confidence: model.Guess + 30, Reason: fmt.Sprintf("the identifier %s is that of the schema %s", s.Identifier, s.Name)}
	case v.Errors == 0:
		return model.Detection{Confidence: model.Guess + 10, Reason: fmt.Sprintf("verifies by the schema %s", s.Name)}
	}
	return model.Detection{Reason: fmt.Sprintf("not by the schema %s: %v", s.Name, v.First())}
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	src := req.Source
	head, err := src.Bytes(ctx, 0, min(src.Size(), leastBuffer))
	if err != nil {
		return nil, err
	}
	by, err := schemaFor(ctx, src, head, req.Options[schemaOption])
	if err != nil {
		return nil, err
	}
	s := by.schema
	b := NewBuffer(src, 0, src.Size(), by.prefixed)
	f := &file{b: b, tree: NewTree(b, b.Verify(ctx, s, openedBy), src.LayoutPath()), unusable: by.unusable}
	title := "FlatBuffer without a schema"
	if s != nil {
		title = "FlatBuffer by " + s.Name
	}
	views := []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: f.root}}
	if s != nil {
		fields := &fieldsView{f.tree, fieldsName}
		views = append([]*model.View{{Name: fieldsName, Title: "Fields", Root: fields.root, Find: fields.find, Intro: fieldsIntro}}, views...)
	}
	return &model.Document{
		Format: Name, Title: title, Why: req.Why, Name: req.Name, Sources: []*model.Source{src}, Views: views,
		Facts: f.facts, ReferencedBy: f.tree.referencedBy,
		Options: []model.Option{{
			Name: schemaOption, Title: "Schema", Kind: model.File, Choices: schemaEndings, Value: req.Options[schemaOption],
			Help: "the schema of the buffer, compiled or not; without it one is looked for by the file identifier in " + SchemaFolder(),
		}},
		SetOption: func(ctx context.Context, name, value string) (*model.Document, error) {
			again := *req
			again.Options = map[string]string{name: value}
			return open(ctx, &again)
		},
	}, nil
}

// file is an opened buffer.
type file struct {
	b        *Buffer
	tree     *Tree
	unusable error // why schemas that have the identifier cannot be used
}

func (f *file) root(ctx context.Context) model.Node {
	n := f.tree.Node(model.LayoutView, "")
	extra := n.Problems[:len(n.Problems):len(n.Problems)]
	switch s := f.tree.S; s {
	case nil:
		n.Brief, n.Help = "no schema", "tables, fields and targets are inferred; a ? ends the types of what is"
		if f.unusable != nil {
			extra = append(extra, UnusableSchema(OwnPrefix, f.b.Whole(), f.unusable))
		}
		extra = append(extra, model.Problemf(model.Assumed, OwnPrefix+ruleInferred, f.b.Whole(), "there is no schema: tables, the widths of fields and what they lead to are inferred"))
	default:
		n.Brief, n.Help = "schema "+s.Name, "root table "+s.Objects[s.Root].Name
		if id := f.b.Identifier(ctx); s.Identifier != "" && id != s.Identifier {
			at := f.b.Span(f.b.rootAt+offsetSize, identifierSize)
			extra = append(extra, model.Problemf(model.Suspicious, OwnPrefix+ruleIdentifier, at, "the file identifier is not the schema's").Want(s.Identifier, id))
		}
	}
	n.Problems = extra
	return n
}

// UnusableSchema is the problem that a schema with the buffer's identifier was found and cannot be used.
func UnusableSchema(prefix string, at model.Span, err error) model.Problem {
	return model.Problemf(model.Suspicious, prefix+ruleUnusable, at, "a schema with this identifier cannot be used: %v", err)
}

// facts is the identity card; the counts need a walk over the whole buffer.
func (f *file) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	schema, root := model.Text("none: inferred"), model.Text("")
	if s := f.tree.S; s != nil {
		schema, root = model.Text(s.Name), model.Text(s.Objects[s.Root].Name)
	}
	list := []model.Fact{
		{Key: "identifier", Title: "identifier", Main: true, Value: model.Text("")},
		{Key: "sizePrefixed", Title: "size-prefixed", Value: model.Bool(f.b.rootAt > 0)},
		{Key: "schema", Title: "schema", Main: true, Value: schema},
		{Key: "rootTable", Title: "root table", Main: true, Value: root},
	}
	if id := f.b.Identifier(ctx); isIdentifier(id) {
		list[0].Value = model.Text(id)
	}
	counts := []model.Fact{
		aTable: {Key: "tables", Title: "tables", Scan: true, Main: true}, aVTable: {Key: "vtables", Title: "vtables", Scan: true},
		aString: {Key: "strings", Title: "strings", Scan: true}, aVector: {Key: "vectors", Title: "vectors", Scan: true},
	}
	if !quick || !f.tree.first.partial {
		w, err := f.tree.walked(ctx, progress)
		if err != nil {
			return nil, err
		}
		var n [aGap + 1]int64
		for i := range w.objects {
			n[w.objects[i].kind]++
		}
		for k := range counts {
			counts[k].Value = model.Int(n[k])
		}
	}
	return append(list, counts...), nil
}
