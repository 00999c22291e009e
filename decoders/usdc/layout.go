package usdc

import (
	"cmp"
	"context"
	"slices"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// layoutRoot returns the root of the tree whose leaves tile the file.
func (d *document) layoutRoot(context.Context) model.Node {
	return model.Node{
		Name: model.LayoutView, Type: "Crate", Spans: []model.Span{d.crate.Src.Whole()}, Children: d.root,
		Brief: d.crate.VersionText(), Help: "bootstrap, value data, sections and table of contents, as they are in the file",
	}
}

// layOut makes the root's children out of the bootstrap, the table of contents, the sections and what is between.
func (d *document) layOut() {
	parts := []model.Node{d.crate.BootstrapNode}
	t := &d.crate.Contents
	end := d.crate.BootstrapNode.Span().End()
	for _, p := range d.parts() {
		parts = d.fill(parts, end, p.Span().Off)
		parts = append(parts, p)
		end = p.Span().End()
	}
	if end < d.crate.Size {
		rest := model.Node{
			Name: "trailing", Type: "bytes", Role: model.Unknown, Spans: []model.Span{d.crate.Src.Span(end, d.crate.Size-end)},
			Help: "bytes after all sections and the table of contents",
		}
		if !t.Known {
			rest.Name, rest.Help = "rest", "without a table of contents nothing says what these bytes are"
		}
		parts = append(parts, rest)
	}
	d.root = model.NewList(parts...)
}

// parts lists the sections and the table of contents in the order of the file.
func (d *document) parts() []model.Node {
	t := &d.crate.Contents
	if !t.Known {
		return nil
	}
	parts := []model.Node{t.Node}
	for i := range t.Sections {
		if s := &t.Sections[i]; s.Placed {
			parts = append(parts, d.sectionNode(s))
		}
	}
	slices.SortStableFunc(parts, func(a, b model.Node) int {
		return cmp.Or(cmp.Compare(a.Span().Off, b.Span().Off), cmp.Compare(a.Span().Len, b.Span().Len))
	})
	return parts
}

// fill adds the bytes between two parts: value data, where the version is known.
func (d *document) fill(parts []model.Node, lo, hi int64) []model.Node {
	if lo >= hi {
		return parts
	}
	n := model.Node{Name: "gap", Type: "bytes", Role: model.Unknown, Spans: []model.Span{d.crate.Src.Span(lo, hi-lo)}, Help: "bytes of no section"}
	if r := d.crate.RegionAt(lo); r != nil {
		n.Name, n.Type, n.Role = r.Segment, "values", model.Explained
		n = n.Named(table.ValuesName)
		n.Help = "values too large for their reps, found by offset; what no value covers is unreferenced"
		n.Children = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			return d.values.Children(ctx, progress, lo, hi)
		})
	}
	return append(parts, n)
}

// sectionNode makes the layout's node of a section.
func (d *document) sectionNode(s *table.Entry) model.Node {
	n := model.Node{Name: s.Segment, Type: "section", Spans: []model.Span{d.crate.Src.Span(s.Lo, s.Hi-s.Lo)}}.Named(s.Name)
	load, help := d.crate.Loader(s.Name)
	if load == nil || d.crate.Support != table.Supported || s != d.crate.Contents.Section(s.Name) {
		n.Role = model.Unknown
		n.Value = model.Blob{Span: n.Spans[0]}
		n.Help = "a section that no rule of this version explains"
		return n
	}
	n.Help = help
	n.Children = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		t, err := load(ctx, progress)
		if err != nil {
			return nil, err
		}
		return model.NewList(slices.Clone(t.Nodes)...), nil
	})
	return n
}

// tablePaths returns the paths of the sections that the scene is made of.
func (d *document) tablePaths() []string {
	var paths []string
	for _, name := range table.Required {
		if s := d.crate.Contents.Section(name); d.crate.Support == table.Supported && s != nil && s.Placed {
			paths = append(paths, d.crate.Layout+"/"+name)
		}
	}
	return paths
}
