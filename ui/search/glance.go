package search

import (
	"context"
	"errors"
	"slices"
	"sync"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// Group is a kind of what a search finds.
type Group int

// The groups.
const (
	Names Group = iota
	Values
	Elements
	Bytes
	groups
)

// GroupTitles are the groups in words.
var GroupTitles = [groups]string{"Names", "Values", "Elements", "Bytes"}

// scope returns where a list searches for all of a group.
func (g Group) scope() Scope { return [groups]Scope{InNames, InValues, InValues, InSource}[g] }

// Limits of a glance: how many hits of a group it has, and how many it counts.
const (
	glanced = 5
	counted = 1000
)

// Seen is a hit of a glance.
type Seen struct {
	foundHit
	Title, Detail string
	From, To      int // the match in the title; equal: none
}

// Part is what a glance has of a group.
type Part struct {
	Hits  []Seen
	Count int64
	More  bool // than were counted
	Done  bool
}

// Glance is a search for a text as it is typed: the first hits of each group, in what is decoded.
type Glance struct {
	Query Query
	Wrong error // why no node can be searched for, or nil
	Far   bool  // the file is far, and is not read for it

	mu    sync.Mutex
	parts [groups]Part
}

// Parts returns what there is so far, by group.
func (g *Glance) Parts() []Part {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.parts[:])
}

// All returns the query that finds everything of a group.
func (g *Glance) All(of Group) Query {
	q := g.Query
	q.Scope = of.scope()
	q.Elements = of == Elements
	return q
}

// Wider lists the searches to offer where a glance found nothing: of bytes first if the text looks like bytes.
func (g *Glance) Wider() (all []Query) {
	nodes, bytes := g.Query, g.Query
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

// Glance begins to look for a text, until ctx ends. grown is called on the UI goroutine when there is more.
func (p *Pane) Glance(ctx context.Context, text string, grown func()) *Glance {
	g := &Glance{Query: p.Want()}
	g.Query.Text, g.Query.Scope = text, InTree
	query, err := search.ParseQuery(text)
	g.Wrong = err
	pattern, _ := g.Query.pattern()
	view, src, _ := p.host.Searched()
	if p.Doc.Far() {
		g.Far, query, pattern = true, nil, nil
	}
	over, end := context.WithCancel(ctx)
	go p.Tasks.Every(over.Done(), func() func() { return grown })
	left := 2
	run := func(what string, of []Group, work func(ctx context.Context, progress model.Progress) error) {
		done := func(error) {
			g.mu.Lock()
			for _, group := range of {
				g.parts[group].Done = true
			}
			g.mu.Unlock()
			if left--; left == 0 {
				end()
			}
			grown()
		}
		p.Tasks.Always(ctx, what, func(ctx context.Context, progress model.Progress) func() {
			err := work(ctx, progress)
			return func() { done(err) }
		}, done)
	}
	run("looking for “"+text+"”", []Group{Names, Values, Elements}, func(ctx context.Context, progress model.Progress) error {
		if query == nil {
			return nil
		}
		return g.ofNodes(ctx, p.Doc, view, query, progress)
	})
	run("looking for “"+text+"” in the bytes", []Group{Bytes}, func(ctx context.Context, progress model.Progress) error {
		if pattern == nil {
			return nil
		}
		return search.Bytes(ctx, src, pattern, 0, -1, progress, func(off, length int64) error {
			s := Seen{foundHit: foundHit{Source: src.Name(), Off: off, Len: length}, Detail: src.Title() + " " + phrase.Hex(off)}
			return g.add(Bytes, &s, func() { s.Title = contextText(ctx, src, off, length) })
		})
	})
	return g
}

// ofNodes looks for names, then for values and elements.
func (g *Glance) ofNodes(ctx context.Context, doc *model.Document, view *model.View, q *search.Query, progress model.Progress) error {
	named := func(ctx context.Context, h search.Hit) error { return g.node(ctx, Names, &h) }
	if err := search.Names(ctx, doc, view, q, progress, named); err != nil && !errors.Is(err, errFull) {
		return err
	}
	g.mu.Lock()
	g.parts[Names].Done = true
	g.mu.Unlock()
	q, err := q.Measured(ctx, doc, view.Place(ctx), progress)
	if err != nil {
		return err
	}
	opt := search.TreeOptions{Elements: g.Query.Elements, Progress: progress}
	_, err = search.Tree(ctx, view.Place(ctx), q, opt, func(ctx context.Context, h search.Hit) error {
		group := Values
		switch {
		case h.Where == search.InName:
			return nil
		case h.Element:
			group = Elements
		}
		err := g.node(ctx, group, &h)
		if group == Values && g.Query.Elements && !g.Parts()[Elements].More {
			return nil // there may be elements yet
		}
		return err
	})
	return err
}

// node adds a node.
func (g *Glance) node(ctx context.Context, to Group, h *search.Hit) error {
	s := Seen{foundHit: foundHit{Path: h.Path, where: h.Where, Off: h.Off, Len: h.Len}, Title: h.Text, Detail: h.Path, From: h.From, To: h.To}
	if h.Source != nil {
		s.Source = h.Source.Name()
	}
	return g.add(to, &s, func() {
		if h.Where == search.InPath {
			s.Title, s.From, s.To = nodes.ValueText(ctx, &h.Place.Node, phrase.ShownValue), 0, 0
		}
	})
}

// add counts a hit, and keeps it if it is one of the first; complete fills in what is shown of it then. The hits of a group come one
// after the other.
func (g *Glance) add(to Group, s *Seen, complete func()) error {
	g.mu.Lock()
	part := &g.parts[to]
	part.More = part.Count == counted
	full, wanted := part.More, len(part.Hits) < glanced
	if !full {
		part.Count++
	}
	g.mu.Unlock()
	switch {
	case full:
		return errFull
	case wanted:
		complete() // reads
		g.mu.Lock()
		part.Hits = append(part.Hits[:len(part.Hits):len(part.Hits)], *s)
		g.mu.Unlock()
	}
	return nil
}
