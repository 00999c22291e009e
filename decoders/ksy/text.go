package ksy

import (
	"context"
	"errors"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// This file maps nodes to lines of the description and back.

// text returns the description as text.
func (f *describedFile) text() *model.Description {
	d := &model.Description{Findings: f.description.Findings, Of: f.passages, Next: f.next}
	for _, m := range f.description.Modules {
		d.Files = append(d.Files, model.DescriptionFile{Name: m.Name, Text: m.Text})
	}
	return d
}

// unguarded returns the document with the engine's own nodes.
func (f *describedFile) unguarded() *model.Document {
	return &model.Document{Views: []*model.View{f.fields, {Name: model.LayoutView, Of: f.src, Root: func(context.Context) model.Node { return f.layout() }}}}
}

// passages returns the lines of the description that define the node at a path.
func (f *describedFile) passages(ctx context.Context, path string) (list []model.Passage, err error) {
	p, err := f.unguarded().Lookup(ctx, path)
	if err != nil {
		return nil, err
	}
	if tile := p.Parent; tile != nil && tile.Parent == nil && p.Segments()[0].Node.Name == model.LayoutView {
		if p.Node.Refs == nil {
			return nil, nil // not described
		}
		return f.passages(ctx, p.Node.Refs(ctx)[0].Path)
	}
	if from := f.fieldOf(p); from != nil {
		list = append(list, from.node.passage())
	}
	if o := grammar.ObjectOf(p.Node.Children); o != nil {
		of := f.compiler.types[o.Record()].node
		if meta := of.get("meta"); of.parent == nil && meta != nil { // the whole text describes the top type
			of = meta
		}
		list = append(list, of.passage())
	}
	return list, nil
}

// fieldOf returns the field of a place, or of the list around it, or nil for a root.
func (f *describedFile) fieldOf(p *model.Place) *Field {
	for ; p.Parent != nil; p = p.Parent {
		if l := grammar.ListOf(p.Parent.Node.Children); l != nil {
			return l.Field().Origin.(*Field)
		}
		if o := grammar.ObjectOf(p.Parent.Node.Children); o != nil {
			for _, out := range o.Record().Fields {
				if out.Name == p.Node.Name {
					return out.Origin.(*Field)
				}
			}
		}
	}
	return nil
}

// passage returns the lines of a node of the text.
func (n *node) passage() model.Passage {
	return model.Passage{File: n.file.name, First: n.firstLine(), Last: n.lastLine()}
}

func (n *node) firstLine() int {
	if n.parent == nil {
		return 1
	}
	line, _ := n.keyPlace()
	return line
}

// lastLine returns the last line of a node. A block ends before the first line that is indented no deeper than its key.
func (n *node) lastLine() int {
	first, column := n.keyPlace()
	text := n.file.text[n.file.offset(n.line, n.column):]
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return n.lastInside()
	}
	if n.key == nil {
		column--
	}
	last := first
	for line := first + 1; line <= len(n.file.lines); line++ {
		at := n.file.lines[line-1]
		whole, _, _ := strings.Cut(n.file.text[at:], "\n")
		inner := strings.TrimLeft(whole, " ")
		if inner = strings.TrimSpace(inner); inner == "" {
			continue
		}
		if indent := len(whole) - len(strings.TrimLeft(whole, " ")); n.parent != nil && indent < column {
			break
		}
		if !strings.HasPrefix(inner, "#") {
			last = line
		}
	}
	return last
}

// lastInside returns the last line at which a descendant of n begins.
func (n *node) lastInside() int {
	last := n.line
	for _, item := range n.items {
		last = max(last, item.lastInside())
	}
	return last
}

// A textLine is the innermost declaration at a line: a field, or else a type.
type textLine struct {
	field *Field
	of    *Type // the type of the field, or the type itself
}

// lineAt returns the innermost declaration at a line of a file.
func (d *Description) lineAt(file string, line int) (t textLine, ok bool) {
	least := 0
	holds := func(n *node) bool {
		if n == nil || n.file.name != file || line < n.firstLine() || line > n.lastLine() {
			return false
		}
		length := n.lastLine() - n.firstLine() + 1
		if ok && length > least {
			return false
		}
		ok, least = true, length
		return true
	}
	c := &checker{loader: &loader{d: d}}
	c.each(func(of *Type) {
		if holds(of.node) {
			t = textLine{of: of}
		}
		for _, list := range [][]*Field{of.Seq, of.Instances} {
			for _, field := range list {
				if holds(field.node) {
					t = textLine{field, of}
				}
			}
		}
	})
	return t, ok
}

// leading returns the types with fields through which to is reached, and to itself.
func (d *Description) leading(to *Type) map[*Type]bool {
	leads := map[*Type]bool{to: true}
	c := &checker{loader: &loader{d: d}}
	for grown := true; grown; {
		grown = false
		c.each(func(t *Type) {
			for _, f := range t.readFields() {
				if !leads[t] && f.leadsTo(leads) {
					leads[t], grown = true, true
				}
			}
		})
	}
	return leads
}

// leadsTo reports whether a field may be of one of the types.
func (f *Field) leadsTo(types map[*Type]bool) bool {
	for _, u := range f.Uses() {
		if u.Form == FormUser && types[u.Type] {
			return true
		}
	}
	return false
}

var errFound = errors.New("found")

// next returns the path of the first node after the one at path after that the line declares. After the last it returns
// the first.
func (f *describedFile) next(ctx context.Context, file string, line int, after string, progress model.Progress) (string, error) {
	what, ok := f.description.lineAt(file, line)
	if !ok || what.field != nil && what.field.ID == "" {
		return "", nil
	}
	if after != "" {
		if near, passed := f.near(ctx, what, after); near != "" || ctx.Err() != nil {
			return near, ctx.Err()
		} else if !passed {
			after = ""
		}
	}
	leads := f.description.leading(what.of)
	first, found := "", ""
	passed := after == ""
	opt := model.WalkOptions{Resolve: true, Elements: true, Fleeting: true, Progress: progress}
	err := f.walk(ctx, opt, func(p *model.Place) error {
		if f.declares(what, p) {
			path := p.Path()
			if first == "" {
				first = path
			}
			if passed {
				found = path
				return errFound
			}
			passed = path == after
		}
		if f.mayHold(leads, p) {
			return nil
		}
		return model.ErrSkip
	}, nil)
	switch {
	case errors.Is(err, errFound):
		return found, nil
	case err != nil:
		return "", err
	}
	return first, nil
}

// declares reports whether t is the declaration of a place.
func (f *describedFile) declares(what textLine, p *model.Place) bool {
	if what.field == nil {
		o := grammar.ObjectOf(p.Node.Children)
		return o != nil && f.compiler.types[o.Record()] == what.of
	}
	if p.Parent == nil || p.Node.Name != what.field.ID {
		return false
	}
	o := grammar.ObjectOf(p.Parent.Node.Children)
	return o != nil && f.compiler.types[o.Record()] == what.of
}

// mayHold reports whether a place may contain records of the types.
func (f *describedFile) mayHold(leads map[*Type]bool, p *model.Place) bool {
	if o := grammar.ObjectOf(p.Node.Children); o != nil {
		return leads[f.compiler.types[o.Record()]]
	}
	l := grammar.ListOf(p.Node.Children)
	return l != nil && l.Field().Origin.(*Field).leadsTo(leads)
}

// near returns a node that the line declares in the records around path. self reports that it declares path itself.
func (f *describedFile) near(ctx context.Context, what textLine, path string) (near string, self bool) {
	p, err := f.unguarded().Lookup(ctx, path)
	if err != nil {
		return "", false
	}
	if f.declares(what, p) {
		return "", true
	}
	for ; p != nil; p = p.Parent {
		o := grammar.ObjectOf(p.Node.Children)
		switch {
		case o == nil || f.compiler.types[o.Record()] != what.of:
		case what.field == nil:
			return p.Path(), false
		default:
			if _, ok := model.IndexOf(ctx, p.Node.Children, what.field.ID); ok {
				return p.Path() + "/" + what.field.ID, false
			}
		}
	}
	return "", false
}
