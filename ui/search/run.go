package search

import (
	"context"
	"errors"
	"strconv"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// errFull ends a search that has found as much as is listed.
var errFull = errors.New("there are more")

// Run is one search. Its hits come in the background; the rest belongs to the UI goroutine.
type Run struct {
	what    Query
	where   string // in words
	query   *search.Query
	pattern *search.Pattern
	Hits    *hits
	stop    context.CancelFunc
	members searched // of a package, known when it is over
	// How it ended.
	Over    bool
	full    bool // there are more hits
	Stopped bool
	failed  error
}

// say describes the state of the search, at one of its hits or, with -1, at none.
func (r *Run) say(at int64) string {
	n := r.Hits.Len()
	where := r.where + r.members.say()
	text := model.Grouped(n) + " found in " + where
	switch {
	case at >= 0:
		text = "hit " + model.Grouped(at+1) + " of " + model.Grouped(n) + " in " + where
	case n == 0 && r.Over:
		text = "nothing found in " + where
	}
	switch {
	case !r.Over:
		text += "…"
	case r.Stopped && n == 0:
		text = "stopped before anything was found in " + where
	case r.Stopped:
		text += " · stopped after " + model.Grouped(n)
	case r.full:
		text += " · there are more, which are not listed"
	case r.failed != nil:
		text += " · " + r.failed.Error()
	}
	return text
}

// Begin starts the wanted search and ends the one before.
func (p *Pane) Begin() {
	want := p.Want()
	r := &Run{what: want, Hits: newHits()}
	var err error
	if want.Scope.ofNodes() {
		r.query, err = search.ParseQuery(want.Text)
	} else {
		r.pattern, err = want.pattern()
	}
	if err != nil {
		return // the field says why
	}
	if p.Run != nil {
		p.Run.stop()
	}
	view, src, title := p.host.Searched()
	r.where = [...]string{InTree: view.Title, InNames: "the names of " + view.Title, InValues: "the values of " + view.Title, InSource: title, InAll: "all sources"}[want.Scope]
	if want.Scope.ofNodes() && !want.Decode {
		r.where = "what is decoded of " + r.where
	}
	others := want.Scope == InTree && len(p.otherMembers(view)) > 0
	if others && !want.Decode {
		r.where += ", without " + model.GroupedCount(int64(len(p.Doc.Members)), "other member")
	}
	p.Run, p.At, p.eager, p.note, p.marked, p.passed = r, -1, p.from == nil, "", 0, 0
	var within context.Context
	within, r.stop = context.WithCancel(p.Ctx)
	p.Data.run.Store(r)
	p.List.Recount()
	p.update()
	p.host.MarkHits()
	p.Log.Write("search", "started", strconv.Quote(want.Text), r.where)
	over, end := context.WithCancel(within)
	go p.Tasks.Every(over.Done(), func() func() { return func() { p.grown(r) } })
	p.Tasks.Always(within, "searching "+r.where, func(ctx context.Context, progress model.Progress) func() {
		defer end()
		err := r.work(ctx, p.Doc, view, src, progress)
		m := memberSearch{run: r, view: view.Name, progress: progress}
		if err == nil && others && want.Decode {
			err = p.Doc.EachMember(ctx, func(inner string, member *model.Document, err error) error {
				return m.search(ctx, inner, member, err)
			})
		}
		return func() {
			r.members = m.searched
			p.ended(r, err)
		}
	}, func(err error) { p.ended(r, err) })
}

// work fills the hits.
func (r *Run) work(ctx context.Context, doc *model.Document, view *model.View, src *model.Source, progress model.Progress) error {
	bytes := func(_ context.Context, src *model.Source, off, length int64) error {
		if !r.Hits.addBytes(src, off, length) {
			return errFull
		}
		return nil
	}
	switch r.what.Scope {
	case InSource:
		return search.Bytes(ctx, src, r.pattern, 0, -1, progress, func(off, length int64) error { return bytes(ctx, src, off, length) })
	case InAll:
		return search.EverySource(ctx, doc, r.pattern, progress, bytes)
	}
	opt := search.TreeOptions{Elements: r.what.Elements, Derived: r.what.Decode, Resolve: r.what.Decode, Progress: progress}
	node := func(_ context.Context, h search.Hit) error {
		if r.what.Scope == InValues && h.Where == search.InName {
			return nil
		}
		if !r.Hits.addNode(&h, isElement(&h)) {
			return errFull
		}
		return nil
	}
	switch r.what.Scope {
	case InNames:
		return search.Names(ctx, doc, view, r.query, progress, node)
	case InValues:
		q, err := r.query.Measured(ctx, doc, view.Place(ctx), progress)
		if err == nil {
			_, err = search.Tree(ctx, view.Place(ctx), q, opt, node)
		}
		return err
	}
	return search.Find(ctx, doc, view, r.query, opt, node)
}

// isElement reports whether a hit is an element of an array whose elements are no nodes.
func isElement(h *search.Hit) bool {
	_, is := h.Place.Node.Value.(model.Array)
	return is && h.Element
}

// grown shows the hits so far.
func (p *Pane) grown(r *Run) {
	if p.Run != r || p.Ctx.Err() != nil {
		return
	}
	n := r.Hits.Len()
	p.List.Grow()
	if p.eager && n > 0 {
		p.eager = false
		p.GoTo(0)
	}
	p.catchUp(r, n)
	p.update()
	const share = 4 // marking is slow with many hits, so it waits for a fourth more
	if n > p.marked+p.marked/share {
		p.marked = n
		p.host.MarkHits()
	}
}

// ended shows how the search has ended.
func (p *Pane) ended(r *Run, err error) {
	r.Over = true
	var unread *search.Unread
	switch {
	case errors.Is(err, errFull):
		r.full = true
	case errors.As(err, &unread):
		r.failed = err
	case errors.Is(err, context.Canceled):
		r.Stopped = true
	default:
		r.failed = err
	}
	p.grown(r)
	if p.Run != r || p.Ctx.Err() != nil {
		return
	}
	p.host.MarkHits()
	how := "done"
	if r.Stopped {
		how = "stopped"
	}
	p.Log.Write("search", how, r.Hits.Len())
	if r.what.Scope == InAll || r.what.Decode {
		p.host.Decoded()
	}
}

// Take goes to a hit that was found while a query was typed. Step continues there.
func (p *Pane) Take(f Query, s *search.Seen) {
	seen := &foundHit{Path: s.Path, Off: s.Off, Len: s.Len}
	if s.Source != nil {
		seen.Source = s.Source.Name()
	}
	if p.Run != nil {
		p.Run.stop()
		p.Run = nil
		p.Data.run.Store(nil)
		p.List.Recount()
		p.host.MarkHits()
	}
	p.Set(f)
	p.from, p.owed = seen, 0
	p.update()
	p.Log.Write("hit", 0, seen.Path, seen.Source, seen.Off, seen.Len)
	p.goToHit(*seen)
}

// Sought reports whether Step has a hit to continue from.
func (p *Pane) Sought() bool { return p.Run != nil || p.from != nil }

// catchUp looks among the first n hits for the one that Take showed, and then does the steps that waited.
func (p *Pane) catchUp(r *Run, n int64) {
	for ; p.from != nil && p.passed < n; p.passed++ {
		if f, _ := r.Hits.At(p.passed); f.Path == p.from.Path && (f.Path != "" || f.Source == p.from.Source && f.Off == p.from.Off) {
			p.At, p.from = p.passed, nil
		}
	}
	if r.Over {
		p.from = nil
	}
	if p.owed != 0 && p.from == nil && (r.Over || p.At+p.owed < n && p.At+p.owed >= 0) {
		owed := p.owed
		p.owed = 0
		p.Step(owed)
	}
}

// Step goes n hits on, around the ends. It searches first if another search is wanted than the last.
func (p *Pane) Step(n int64) {
	r := p.Run
	switch {
	case r != nil && p.owed != 0:
		return // it is on its way
	case r == nil && p.from != nil:
		p.owed = n
		p.Begin()
		return
	case r == nil || p.Want().Check() == nil && p.Want() != r.what:
		p.Begin()
		return
	}
	count := r.Hits.Len()
	p.note = ""
	next := p.At + n
	switch {
	case count == 0:
		p.update()
		return
	case p.At < 0 && n < 0:
		next = count - 1
	case next >= count && !r.Over:
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
	p.GoTo(next)
}

// GoTo selects a hit, and the node and bytes that it is.
func (p *Pane) GoTo(i int64) {
	f, ok := p.Run.Hits.At(i)
	if !ok {
		return
	}
	p.At, p.eager = i, false
	p.List.Grow()
	p.List.SelectIndex(i, true)
	p.update()
	p.Log.Write("hit", i, f.Path, f.Source, f.Off, f.Len)
	p.goToHit(f)
}

// goToHit selects the node or bytes of a hit.
func (p *Pane) goToHit(f foundHit) {
	switch {
	case f.member != "":
		p.note = "Enter opens " + f.member + " in a tab"
		p.update()
	case f.Path != "":
		p.host.GoToNode(f.Path)
	default:
		p.host.GoToBytes(f.Source, f.Off, f.Len)
	}
}

// open goes to a hit. A member of a package opens in a tab of its own.
func (p *Pane) open(i int64) {
	p.GoTo(i)
	if f, ok := p.Run.Hits.At(i); ok && f.member != "" {
		p.host.OpenMember(f.member, f.Path)
	}
}

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
