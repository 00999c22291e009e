package search

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// hitData makes the rows of the hits in sight, in the background.
type hitData struct {
	ctx context.Context
	doc *model.Document
	run atomic.Pointer[Run]

	mu  sync.Mutex
	src *model.Source // the source of the last row
}

func (p *Pane) makeList() {
	p.Data = &hitData{ctx: p.Ctx, doc: p.Doc}
	p.List = p.NewList(p.Ctx, "search", treeview.ListOf(p.Data.count, p.Data.Row), []treeview.Column{
		{Title: "Found as", Width: 80, Quiet: true}, {Title: "Value", Width: 260, Stretch: 3, Mono: true},
		{Title: "Node", Width: 160, Stretch: 2}, {Title: "Source", Width: 150, Quiet: true},
		{Title: "Offset", Width: 96, Mono: true, Right: true, Quiet: true}})
	p.List.OnSelected = func(it treeview.Item) {
		p.note = ""
		p.GoTo(it.(int64))
	}
	p.List.OnChosen = func(it treeview.Item) {
		p.note = ""
		p.open(it.(int64))
	}
	p.List.OnEscape = p.Escape
}

// count returns the number of hits so far. The pane lets the list grow.
func (d *hitData) count() (int64, bool) {
	r := d.run.Load()
	if r == nil {
		return 0, true
	}
	return r.Hits.Len(), true
}

// Row returns the row of hit i.
func (d *hitData) Row(i int64) treeview.Row {
	r := d.run.Load()
	f, ok := r.Hits.At(i)
	switch {
	case !ok:
		return treeview.Row{}
	case f.Path != "":
		return d.nodeRow(r, f)
	}
	return d.bytesRow(r, f)
}

// nodeRow returns the row of a node: its match, or its value if the name or path matches.
func (d *hitData) nodeRow(r *Run, f foundHit) treeview.Row {
	row := treeview.Row{Cells: []string{string(f.where), f.text, f.Path, f.member, ""}}
	if f.member != "" {
		return row
	}
	p, err := d.doc.Lookup(d.ctx, f.Path)
	if err != nil {
		row.Cells[1] = err.Error()
		return row
	}
	if f.text == "" {
		row.Cells[1] = nodes.ValueText(d.ctx, &p.Node, phrase.ShownValue)
		switch h, ok := r.query.Match(d.ctx, p); {
		case !ok:
		case h.Where == search.InPath:
			row.Match = nodes.MatchOf(row.Cells, 2, h.Text[h.From:h.To])
		case h.Where == search.InName:
			if part := model.EscapeSegment(h.Text[h.From:h.To]); strings.Contains(f.Path, part) {
				from := strings.LastIndex(f.Path, part)
				row.Match = treeview.Match{Cell: 2, From: from, To: from + len(part)}
			}
		default:
			row.Cells[1] = h.Text
			row.Match = treeview.Match{Cell: 1, From: h.From, To: h.To}
		}
	}
	if span := p.Node.Span(); span.Source != nil {
		row.Cells[3], row.Cells[4] = span.Source.Title(), phrase.Hex(span.Off)
	}
	return row
}

// bytesRow returns the row of found bytes: the bytes around them, and their deepest known node.
func (d *hitData) bytesRow(r *Run, f foundHit) treeview.Row {
	row := treeview.Row{Cells: []string{"", "", "", f.Source, ""}}
	src, err := d.source(f.Source)
	if err != nil {
		row.Cells[1] = err.Error()
		return row
	}
	found, _ := src.Bytes(d.ctx, f.Off, f.Len) // what cannot be read is not shown
	row.Cells[0], row.Cells[1] = r.pattern.FormOf(found).String(), search.Around(d.ctx, src, f.Off, f.Len)
	row.Match = treeview.Match{Cell: 1, From: strings.IndexByte(row.Cells[1], '[') + 1, To: strings.IndexByte(row.Cells[1], ']')}
	if p, _ := d.doc.At(d.ctx, src, f.Off); p != nil {
		row.Cells[2] = p.Path()
	}
	row.Cells[3], row.Cells[4] = src.Title(), phrase.Hex(f.Off)
	return row
}

// source finds a source by name. Neighbours in the list are mostly of one.
func (d *hitData) source(name string) (*model.Source, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.src != nil && d.src.Name() == name {
		return d.src, nil
	}
	src, err := d.doc.SourceByName(d.ctx, name)
	if err == nil {
		d.src = src
	}
	return src, err
}
