package usdc

import (
	"cmp"
	"context"
	"slices"

	"cutaway/model"
)

// layoutRoot is the root of the tree whose leaves tile the file.
func (c *crate) layoutRoot(context.Context) model.Node {
	return model.Node{
		Name: model.LayoutView, Type: "Crate", Spans: []model.Span{c.src.Whole()}, Children: c.root,
		Brief: c.versionText(), Help: "bootstrap, value data, sections and table of contents, as they are in the file",
	}
}

// layOut makes the root's children out of the bootstrap, the table of contents, the sections and what is between.
func (c *crate) layOut() {
	parts := []model.Node{c.bootstrapNode}
	t := &c.toc
	end := c.bootstrapNode.Span().End()
	for _, p := range c.parts() {
		parts = c.fill(parts, end, p.Span().Off)
		parts = append(parts, p)
		end = p.Span().End()
	}
	if end < c.size {
		rest := model.Node{
			Name: "trailing", Type: "bytes", Role: model.Unknown, Spans: []model.Span{c.src.Span(end, c.size-end)},
			Help: "bytes after all sections and the table of contents",
		}
		if !t.known {
			rest.Name, rest.Help = "rest", "without a table of contents nothing says what these bytes are"
		}
		parts = append(parts, rest)
	}
	c.root = model.NewList(parts...)
}

// parts lists the sections and the table of contents in the order of the file.
func (c *crate) parts() []model.Node {
	t := &c.toc
	if !t.known {
		return nil
	}
	parts := []model.Node{t.node}
	for i := range t.sections {
		if s := &t.sections[i]; s.placed {
			parts = append(parts, c.sectionNode(s))
		}
	}
	slices.SortStableFunc(parts, func(a, b model.Node) int {
		return cmp.Or(cmp.Compare(a.Span().Off, b.Span().Off), cmp.Compare(a.Span().Len, b.Span().Len))
	})
	return parts
}

// fill adds the bytes between two parts: value data, where the version is known.
func (c *crate) fill(parts []model.Node, lo, hi int64) []model.Node {
	if lo >= hi {
		return parts
	}
	n := model.Node{Name: "gap", Type: "bytes", Role: model.Unknown, Spans: []model.Span{c.src.Span(lo, hi-lo)}, Help: "bytes of no section"}
	if r := c.regionAt(lo); r != nil {
		n.Name, n.Type, n.Role = r.segment, "values", model.Explained
		n = n.Named(valuesName)
		n.Help = "values too large for their reps, found by offset; what no value covers is unreferenced"
		n.Children = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			return c.valuesChildren(ctx, progress, lo, hi)
		})
	}
	return append(parts, n)
}

// sectionNode makes the layout's node of a section.
func (c *crate) sectionNode(s *section) model.Node {
	n := model.Node{Name: s.segment, Type: "section", Spans: []model.Span{c.src.Span(s.lo, s.hi-s.lo)}}.Named(s.name)
	load, help := c.loader(s.name)
	if load == nil || c.support != supported || s != c.toc.section(s.name) {
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
		return model.NewList(slices.Clone(t.nodes)...), nil
	})
	return n
}

// tablePaths are the layout's nodes that the scene is found by.
func (c *crate) tablePaths() []string {
	var paths []string
	for _, name := range required {
		if s := c.toc.section(name); c.support == supported && s != nil && s.placed {
			paths = append(paths, c.layout+"/"+name)
		}
	}
	return paths
}

// newDocument reads the bootstrap and the table of contents and lays out the file; sections and values are pending.
func newDocument(ctx context.Context, src *model.Source) *crate {
	c := newCrate(ctx, src)
	c.openValues()
	c.openScene()
	c.layOut()
	c.link()
	return c
}
