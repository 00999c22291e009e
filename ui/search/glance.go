package search

import (
	"context"

	"cutaway/model"
	"cutaway/model/search"
)

// Glance is a search for a text while it is typed.
type Glance struct {
	search.Glance
	Asked Query
	Wrong error // why no node can be searched for, or nil
}

// All returns the query that finds everything of a group.
func (g *Glance) All(of search.Group) Query {
	q := g.Asked
	q.Scope = []Scope{search.GlanceNames: InNames, search.GlanceValues: InValues, search.GlanceElements: InValues, search.GlanceBytes: InSource}[of]
	q.Elements = of == search.GlanceElements
	return q
}

// Wider lists the searches to offer where a glance found nothing: of bytes first if the text looks like bytes.
func (g *Glance) Wider() (all []Query) {
	nodes, bytes := g.Asked, g.Asked
	nodes.Scope, nodes.Decode, nodes.Elements, bytes.Scope = InTree, true, true, InAll
	for _, q := range []Query{nodes, bytes} {
		if q.Check() == nil {
			all = append(all, q)
		}
	}
	if p, err := bytes.pattern(); err == nil && p.FormOf(nil) == search.Hex && len(all) == 2 {
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// Glance begins to look for a text, until ctx ends. grown is called on the UI goroutine when there is more. Far files are not read.
func (p *Pane) Glance(ctx context.Context, text string, grown func()) *Glance {
	g := &Glance{Asked: p.Want()}
	g.Asked.Text, g.Asked.Scope = text, InTree
	g.Doc, g.Elements = p.Doc, g.Asked.Elements
	g.View, g.Source, _ = p.host.Searched()
	query, err := search.ParseQuery(text)
	if g.Wrong = err; !p.Doc.Far() {
		g.Query = query
		g.Pattern, _ = g.Asked.pattern()
	}
	over := make(chan struct{})
	go p.Tasks.Every(over, func() func() { return grown })
	left := 2
	for what, find := range map[string]func(context.Context, model.Progress){"nodes": g.FindNodes, "bytes": g.FindBytes} {
		done := func() {
			if left--; left == 0 {
				close(over)
			}
			grown()
		}
		p.Tasks.Always(ctx, "looking for “"+text+"” in the "+what, func(ctx context.Context, progress model.Progress) func() {
			find(ctx, progress)
			return done
		}, func(error) { done() })
	}
	return g
}
