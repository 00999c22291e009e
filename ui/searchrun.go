package ui

import (
	"context"
	"errors"
	"strconv"

	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/phrase"
)

// searchRun is one search. Its hits come in the background; the rest belongs to the UI goroutine.
type searchRun struct {
	what    searchFor
	where   string // in words
	query   *search.Query
	pattern *search.Pattern
	hits    *hits
	stop    context.CancelFunc
	// How it ended.
	over    bool
	full    bool // there are more hits
	stopped bool
	failed  error
}

// say is how far the search is, and at which of its hits we are; -1: at none.
func (r *searchRun) say(at int64) string {
	n := r.hits.len()
	text := model.Grouped(n) + " found in " + r.where
	switch {
	case at >= 0:
		text = "hit " + model.Grouped(at+1) + " of " + model.Grouped(n) + " in " + r.where
	case n == 0 && r.over:
		text = "nothing found in " + r.where
	}
	switch {
	case !r.over:
		text += "…"
	case r.stopped && n == 0:
		text = "stopped before anything was found in " + r.where
	case r.stopped:
		text += " · stopped after " + model.Grouped(n)
	case r.full:
		text += " · there are more, which are not listed"
	case r.failed != nil:
		text += " · " + r.failed.Error()
	}
	return text
}

// begin starts the search that the fields ask for; the one before is ended, and its hits go.
func (p *searchPane) begin() {
	want := p.want()
	r := &searchRun{what: want, hits: newHits()}
	var err error
	if want.scope == inTree {
		r.query, err = search.ParseQuery(want.text)
	} else {
		r.pattern, err = want.pattern()
	}
	if err != nil {
		p.said.Importance = widget.DangerImportance
		p.said.SetText(err.Error())
		return
	}
	s := p.s
	if p.run != nil {
		p.run.stop()
	}
	view, src := s.view, s.hex.shown.src
	r.where = [...]string{inTree: view.Title, inSource: s.hex.shown.title(), inAll: "all sources"}[want.scope]
	if want.scope == inTree && !want.decode {
		r.where = "what is decoded of " + r.where
	}
	p.run, p.at, p.eager, p.note, p.marked = r, -1, true, "", 0
	var within context.Context
	within, r.stop = context.WithCancel(s.Ctx)
	p.data.run.Store(r)
	p.list.Recount()
	p.update()
	p.marks()
	s.Log.Write("search", "started", strconv.Quote(want.text), r.where)
	over := make(chan struct{})
	go s.Tasks.Every(over, func() func() { return func() { p.grown(r) } })
	s.Tasks.Always(within, "searching "+r.where, func(ctx context.Context, progress model.Progress) func() {
		err := r.work(ctx, s.Doc, view, src, progress)
		close(over)
		return func() { p.ended(r, err) }
	})
}

// work searches. What is found goes into the hits.
func (r *searchRun) work(ctx context.Context, doc *model.Document, view *model.View, src *model.Source, progress model.Progress) error {
	bytes := func(_ context.Context, src *model.Source, off, length int64) error {
		if !r.hits.addBytes(src, off, length) {
			return errEnough
		}
		return nil
	}
	switch r.what.scope {
	case inSource:
		return search.Bytes(ctx, src, r.pattern, 0, -1, progress, func(off, length int64) error { return bytes(ctx, src, off, length) })
	case inAll:
		return search.EverySource(ctx, doc, r.pattern, progress, bytes)
	}
	opt := search.TreeOptions{Elements: true, Derived: r.what.decode, Resolve: r.what.decode, Progress: progress}
	_, err := search.Tree(ctx, view.Place(ctx), r.query, opt, func(_ context.Context, h search.Hit) error {
		if !r.hits.addNode(&h, r.isElement(ctx, &h)) {
			return errEnough
		}
		return nil
	})
	return err
}

// isElement tells whether a hit is an element of an array that has no nodes for them: the node itself does not match.
func (r *searchRun) isElement(ctx context.Context, h *search.Hit) bool {
	if _, is := h.Place.Node.Value.(model.Array); !is {
		return false
	}
	_, ok := r.query.Match(ctx, h.Place)
	return !ok
}

// grown shows what was found so far.
func (p *searchPane) grown(r *searchRun) {
	if p.run != r || p.s.Ctx.Err() != nil {
		return
	}
	n := r.hits.len()
	p.list.Grow()
	if p.eager && n > 0 {
		p.eager = false
		p.goTo(0)
	}
	p.update()
	const share = 4 // marking looks at all hits, so it waits for a fourth more of them
	if n > p.marked+p.marked/share {
		p.marked = n
		p.marks()
	}
}

// ended shows how the search has ended.
func (p *searchPane) ended(r *searchRun, err error) {
	r.over = true
	var unread *search.Unread
	switch {
	case errors.Is(err, errEnough):
		r.full = true
	case errors.As(err, &unread):
		r.failed = err
	case errors.Is(err, context.Canceled):
		r.stopped = true
	default:
		r.failed = err
	}
	p.grown(r)
	if p.run != r || p.s.Ctx.Err() != nil {
		return
	}
	p.marks()
	how := "done"
	if r.stopped {
		how = "stopped"
	}
	p.s.Log.Write("search", how, r.hits.len())
	if r.what.scope == inAll || r.what.decode {
		p.s.moreKnown()
	}
}

// marks has the hits marked among the bytes.
func (p *searchPane) marks() {
	for _, t := range p.s.hex.tabs {
		t.findMatches()
	}
}

// step goes n hits on, round the ends. Before the first search, or when something else is asked for, it searches.
func (p *searchPane) step(n int64) {
	r := p.run
	if r == nil || p.want().check() == nil && p.want() != r.what {
		p.begin()
		return
	}
	count := r.hits.len()
	p.note = ""
	next := p.at + n
	switch {
	case count == 0:
		p.update()
		return
	case p.at < 0 && n < 0:
		next = count - 1
	case next >= count && !r.over:
		p.note = "no more yet"
		p.update()
		return
	case next >= count:
		next = 0
		p.note = "continued from the first"
	case next < 0:
		next = count - 1
		p.note = "continued from the last"
	}
	p.goTo(next)
}

// goTo selects a hit, and the node and bytes that it is.
func (p *searchPane) goTo(i int64) {
	f, ok := p.run.hits.at(i)
	if !ok {
		return
	}
	p.at, p.eager = i, false
	p.list.Grow()
	p.list.SelectIndex(i, true)
	p.update()
	s := p.s
	s.Log.Write("hit", i, f.path, f.source, f.off, f.len)
	if f.path != "" {
		s.goToWith(f.path, showing{tree: true, hex: true, history: true})
		return
	}
	view, hist := s.view, s.hist
	s.Tasks.Try(s.way.Next(s.ctx), "going to "+phrase.Hex(f.off), func(ctx context.Context, progress model.Progress) (func(), error) {
		src, err := s.Doc.SourceByName(ctx, f.source)
		if err != nil {
			return nil, err
		}
		what, err := findByte(ctx, s.Doc, view, src, f.off, progress)
		if err != nil {
			return nil, err
		}
		return func() {
			s.showFound(what, hist)
			s.ShowSpan(src.Span(f.off, f.len))
		}, nil
	})
}
