package search

import (
	"context"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// otherMembers lists the members of a package that are searched after the first one, whose tree is shown.
func (p *Pane) otherMembers(view *model.View) []string {
	if view.Name == model.LayoutView || p.host.File() == "" {
		return nil
	}
	return p.Doc.Members
}

// searched counts the members of a package that were searched, and those without a tree.
type searched struct{ trees, bare int64 }

// say returns both counts in words, after those of the place that was searched.
func (s searched) say() string {
	text := ""
	if s.trees > 0 {
		text = " and " + model.GroupedCount(s.trees, "other member")
	}
	if s.bare > 0 {
		text += ", not in " + model.GroupedCount(s.bare, "member") + " without a tree"
	}
	return text
}

// A memberSearch searches the members of a package.
type memberSearch struct {
	searched
	run      *Run
	view     string // its name; members without it are searched in their first view
	progress model.Progress
}

// search searches a member, unless opening it gave an error.
func (m *memberSearch) search(ctx context.Context, inner string, doc *model.Document, err error) error {
	if err != nil || doc.Format == "bytes" {
		m.bare++
		return nil
	}
	view := doc.View(m.view)
	if view == nil {
		view = doc.Views[0]
	}
	if view.Name == model.LayoutView { // of a package, whose members are searched themselves
		return nil
	}
	m.trees++
	opt := search.TreeOptions{Elements: m.run.what.Elements, Derived: true, Resolve: true, Progress: m.progress}
	start := view.Place(ctx)
	q, err := m.run.query.Measured(ctx, doc, start, opt.Progress)
	if err != nil {
		return err
	}
	_, err = search.Tree(ctx, start, q, opt, func(ctx context.Context, h search.Hit) error {
		text := h.Text
		if h.Where == search.InName || h.Where == search.InPath {
			text = nodes.ValueText(ctx, &h.Place.Node, phrase.ShownValue)
		}
		if !m.run.Hits.addMember(inner, &h, text) {
			return errFull
		}
		return nil
	})
	return err
}
