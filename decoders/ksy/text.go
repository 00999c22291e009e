package ksy

import (
	"context"
	"errors"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// What of the text of a description a node comes from, and which nodes come from a line of it.

// text is the description as text.
func (f *describedFile) text() *model.Description {
	d := &model.Description{Findings: f.description.Findings, Of: f.passages, Next: f.next}
	for _, m := range f.description.Modules {
		d.Files = append(d.Files, model.DescriptionFile{Name: m.Name, Text: m.Text})
	}
	return d
}

// unguarded is the document with views whose nodes are the engine's own.
func (f *describedFile) unguarded() *model.Document {
	return &model.Document{Views: []*model.View{f.fields, {Name: model.LayoutView, Of: f.src, Root: func(context.Context) model.Node { return f.layout() }}}}
}

// passages is where the description tells of the node at a path.
func (f *describedFile) passages(ctx context.Context, path string) (list []model.Passage, err error) {
	p, err := f.unguarded().Lookup(ctx, path)
	if err != nil {
		return nil, err
	}
	if tile := p.Parent; tile != nil && tile.Parent == nil && p.Segments()[0].Node.Name == model.LayoutView {
		if p.Node.Refs == nil {
			return nil, nil // what the description does not read
		}
		return f.passages(ctx, p.Node.Refs(ctx)[0].Path)
	}
	if from := f.fieldOf(p); from != nil {
		list = append(list, from.node.passage())
	}
	if o := grammar.ObjectOf(p.Node.Children); o != nil {
		of := f.compiler.types[o.Record()].node
		if meta := of.get("meta"); of.parent == nil && meta != nil { // the whole text tells of the top type
			of = meta
		}
		list = append(list, of.passage())
	}
	return list, nil
}

// fieldOf is the field that a place is, or is an element of; nil for a root.
func (f *describedFile) fieldOf(p *model.Place) *Field {
	for ; p.Parent != nil; p = p.Parent {
		if l := grammar.ListOf(p.Parent.Node.Children); l != nil {
			return f.compiler.sources[l.Field()]
		}
		if o := grammar.ObjectOf(p.Parent.Node.Children); o != nil {
			for _, out := range o.Record().Fields {
				if out.Name == p.Node.Name {
					return f.compiler.sources[out]
				}
			}
		}
	}
	return nil
}

// passage is the lines that a node of the text has.
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

// lastLine is the last line of a node: of a block, all lines that are further in than its key, or as far in as the first key of
// an element.
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

// lastInside is the last line on which something in a node begins.
func (n *node) lastInside() int {
	last := n.line
	for _, item := range n.items {
		last = max(last, item.lastInside())
	}
	return last
}

// textLine is what a line tells of: a field, or else a type.
type textLine struct {
	field *Field
	of    *Type // which the field is in, or itself
}

// toldAt is the innermost field or type at a line of a file.
func (d *Description) toldAt(file string, line int) (t textLine, ok bool) {
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

// leading are the types from which a type is come to by fields, and itself.
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

// leadsTo reports whether a field may be of one of some types.
func (f *Field) leadsTo(types map[*Type]bool) bool {
	for _, u := range f.Uses() {
		if u.Form == FormUser && types[u.Type] {
			return true
		}
	}
	return false
}

var errFound = errors.New("found")

// next finds the first node after the one at a path that a line tells of.
func (f *describedFile) next(ctx context.Context, file string, line int, after string, progress model.Progress) (string, error) {
	what, ok := f.description.toldAt(file, line)
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
		if f.tells(what, p) {
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

// tells reports whether a place is one of those that are looked for.
func (f *describedFile) tells(what textLine, p *model.Place) bool {
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

// mayHold reports whether records of some types may be below a place.
func (f *describedFile) mayHold(leads map[*Type]bool, p *model.Place) bool {
	if o := grammar.ObjectOf(p.Node.Children); o != nil {
		return leads[f.compiler.types[o.Record()]]
	}
	l := grammar.ListOf(p.Node.Children)
	return l != nil && f.compiler.sources[l.Field()].leadsTo(leads)
}

// near is the node that is looked for in the records around the one at a path; is reports that the path is one of those that are
// looked for itself.
func (f *describedFile) near(ctx context.Context, what textLine, path string) (near string, is bool) {
	p, err := f.unguarded().Lookup(ctx, path)
	if err != nil {
		return "", false
	}
	if f.tells(what, p) {
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
