package ui

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/task"
)

// hexPane is the bytes of a document: a tab for each file, those that are pinned, and one that follows the
// selection.
type hexPane struct {
	s      *session
	bar    *kit.TabBar
	box    *fyne.Container
	object fyne.CanvasObject
	tabs   []*hexTab
	shown  *hexTab
	follow *hexTab // nil before a derived source was shown
}

// hexTab shows one source.
type hexTab struct {
	pane   *hexPane
	view   *hexview.View
	src    *model.Source
	file   bool
	ranges hexview.Ranges

	bands    []hexview.Band
	from, to int64         // what bands cover
	asked    hexview.Range // what was asked for last, so that it is once
	asking   task.Latest
	flaws    []hexview.Flaw // in the order of their offsets
	sections []hexview.Mark
	found    *matchMarks // hits of the search; nil: none
}

func newHexPane(s *session) *hexPane {
	p := &hexPane{s: s, box: container.NewStack()}
	p.bar = kit.NewTabBar(func(i int) { p.choose(p.tabs[i]) })
	p.bar.OnClose = func(i int) { p.close(p.tabs[i]) }
	p.object = kit.Under(p.bar, p.box)
	for _, src := range s.Doc.Sources {
		t := p.newTab(src)
		t.file = true
		p.tabs = append(p.tabs, t)
	}
	if len(p.tabs) > 0 {
		p.choose(p.tabs[0])
	}
	return p
}

func (p *hexPane) newTab(src *model.Source) *hexTab {
	t := &hexTab{pane: p, view: hexview.New()}
	t.view.SetRowWidth(p.s.Store.RowWidth)
	t.view.OnTap = func(off int64, again bool) { p.s.tapped(t.src, off, again) }
	t.view.OnCursor = func(off int64) { p.s.showWhere() }
	t.view.OnSelect = func(off, length int64) { p.s.showWhere() }
	t.view.OnSecondaryTap = func(off int64, at fyne.Position) { p.s.hexMenu(t, off, at) }
	t.view.OnCopy = func(n int64, err error) { p.s.copied(n, err) }
	t.view.HoverText = func(off int64) (string, model.Span) { return p.s.hoverText(t.src, off) }
	t.setSource(src)
	return t
}

func (t *hexTab) setSource(src *model.Source) {
	t.src = src
	t.view.SetSource(src)
	t.bands, t.from, t.to, t.asked = nil, 0, 0, hexview.Range{}
	t.found = nil
	t.ranges = hexview.Ranges{Fields: t.fields, Flaws: t.flawsIn, Matches: t.matches}
	t.view.SetRanges(t.ranges)
	t.setProblems(t.pane.s.details.problems.Found())
	t.findSections()
	t.findMatches()
}

// title is the tab's text.
func (t *hexTab) title() string {
	if t.file && len(t.pane.s.Doc.Sources) == 1 {
		return "File"
	}
	return t.src.Title()
}

// showTabs brings the bar up to date.
func (p *hexPane) showTabs() {
	tabs := make([]kit.Tab, len(p.tabs))
	selected := 0
	for i, t := range p.tabs {
		tabs[i] = kit.Tab{Title: t.title(), Close: !t.file}
		if t == p.shown {
			selected = i
		}
	}
	p.bar.Set(tabs, selected)
}

// choose shows a tab.
func (p *hexPane) choose(t *hexTab) {
	if p.shown == t {
		p.showTabs()
		return
	}
	p.shown = t
	kit.Swap(p.box, t.view)
	p.showTabs()
	p.s.showWhere()
}

func (p *hexPane) close(t *hexTab) {
	for i, other := range p.tabs {
		if other != t {
			continue
		}
		p.tabs = append(p.tabs[:i:i], p.tabs[i+1:]...)
		if t == p.follow {
			p.follow = nil
		}
		if p.shown == t {
			p.choose(p.tabs[max(i-1, 0)])
		} else {
			p.showTabs()
		}
		return
	}
}

// pin keeps the tab that follows the selection; the next derived source gets a new one.
func (p *hexPane) pin(t *hexTab) {
	if t == p.follow {
		p.follow = nil
	}
}

// of returns the tab that shows src, or nil.
func (p *hexPane) of(src *model.Source) *hexTab {
	for _, t := range p.tabs {
		if t.src.Same(src) {
			return t
		}
	}
	return nil
}

// tabFor returns the tab for src: its own, or the one that follows.
func (p *hexPane) tabFor(src *model.Source) *hexTab {
	if t := p.of(src); t != nil {
		return t
	}
	if p.follow == nil {
		p.follow = p.newTab(src)
		p.tabs = append(p.tabs, p.follow)
	} else {
		p.follow.setSource(src)
	}
	return p.follow
}

// show marks the bytes of a node and those of its parent, in every tab. With reveal, the first of its bytes come into
// sight; else the tab stays, since the node was chosen there.
func (p *hexPane) show(place *model.Place, reveal bool) {
	span := place.Node.Span()
	if reveal && span.Source != nil {
		p.choose(p.tabFor(span.Source))
		p.shown.view.SetCursor(span.Off)
		p.shown.view.Reveal(span.Off, max(span.Len, 1))
	}
	for _, t := range p.tabs {
		t.ranges.Selected, t.ranges.Parent, t.ranges.Mapped = t.rangesOf(&place.Node), nil, nil
		if place.Parent != nil {
			t.ranges.Parent = hexview.RangesOf(t.src, place.Parent.Node.Spans)
		}
		t.view.SetRanges(t.ranges)
	}
}

// rangesOf picks the bytes of a node that are in the tab; marking all of them would mark nothing.
func (t *hexTab) rangesOf(n *model.Node) []hexview.Range {
	ranges := hexview.RangesOf(t.src, n.Spans)
	if len(ranges) == 1 && ranges[0].Len == t.src.Size() {
		return nil
	}
	return ranges
}

// showMapped marks the parent's bytes that the selection was made from.
func (p *hexPane) showMapped(spans []model.Span) {
	if len(spans) == 0 {
		return
	}
	if t := p.of(spans[0].Source); t != nil {
		t.ranges.Mapped = hexview.RangesOf(t.src, spans)
		t.view.SetRanges(t.ranges)
		if t != p.shown {
			t.view.Reveal(spans[0].Off, spans[0].Len)
		}
	}
}

// setProblems gives the problems to the tab.
func (t *hexTab) setProblems(problems []model.LocatedProblem) {
	t.flaws = nil
	for i := range problems {
		if s := problems[i].Span; s.Source.Same(t.src) {
			t.flaws = append(t.flaws, hexview.Flaw{Range: hexview.Range{Off: s.Off, Len: max(s.Len, 1)},
				Severity: problems[i].Kind.Severity()})
		}
	}
	slices.SortStableFunc(t.flaws, func(a, b hexview.Flaw) int { return cmp.Compare(a.Off, b.Off) })
	t.view.SetOverview(t.overview)
	t.view.RefreshRanges()
}

// flawsIn is the view's Flaws.
func (t *hexTab) flawsIn(dst []hexview.Flaw, first, last int64) []hexview.Flaw {
	end := sort.Search(len(t.flaws), func(i int) bool { return t.flaws[i].Off >= last })
	for _, f := range t.flaws[:end] {
		if f.End() > first {
			dst = append(dst, f)
		}
	}
	return dst
}

// overview is the view's marks of the whole source.
func (t *hexTab) overview() []hexview.Mark {
	marks := t.sections
	if t.found != nil {
		marks = append(marks[:len(marks):len(marks)], t.found.strip...)
	}
	for _, f := range t.flaws[:min(len(t.flaws), maxMarks)] {
		kind := [...]hexview.MarkKind{model.Note: hexview.MarkNote, model.Warning: hexview.MarkWarning, model.Error: hexview.MarkError}[f.Severity]
		marks = append(marks, hexview.Mark{Range: f.Range, Kind: kind})
	}
	return marks
}

// Limits on what is gathered for marking bytes.
const (
	maxMarks = 4000
	maxBands = 6000
	aheadOf  = 2048 // bytes around those in sight whose fields are found at once
)

// fields is the view's Fields: it answers with what is known and has the rest found in the background.
func (t *hexTab) fields(dst []hexview.Band, first, last int64) []hexview.Band {
	if last = min(last, t.src.Size()); (first < t.from || last > t.to) && (first < t.asked.Off || last > t.asked.End()) {
		from, to := max(first-aheadOf, 0), min(last+aheadOf, t.src.Size())
		t.asked = hexview.Range{Off: from, Len: to - from}
		t.find(from, to)
	}
	k := sort.Search(len(t.bands), func(i int) bool { return t.bands[i].End() > first })
	for ; k < len(t.bands) && t.bands[k].Off < last; k++ {
		dst = append(dst, t.bands[k])
	}
	return dst
}

// find finds the fields in [from, to) in the background.
func (t *hexTab) find(from, to int64) {
	s, src := t.pane.s, t.src
	s.Tasks.Go(t.asking.Next(s.ctx), "", func(ctx context.Context, _ model.Progress) func() {
		bands := leaves(ctx, s.Doc, src, from, to)
		return func() {
			if t.src == src {
				t.bands, t.from, t.to = bands, from, to
				t.view.RefreshRanges()
			}
		}
	})
}

// forget has the fields found again, after more was decoded.
func (t *hexTab) forget() {
	t.from, t.to, t.asked = 0, 0, hexview.Range{}
	t.view.RefreshRanges()
	if t.sections == nil {
		t.findSections()
	}
}

// leaves lists the known layout leaves of src in [from, to), without resolving anything.
func leaves(ctx context.Context, doc *model.Document, src *model.Source, from, to int64) []hexview.Band {
	root, err := doc.Lookup(ctx, src.LayoutPath())
	if err != nil {
		return nil
	}
	var bands []hexview.Band
	end := from
	var walk func(p *model.Place, depth int)
	walk = func(p *model.Place, depth int) {
		n := &p.Node
		count, _ := p.Len(ctx)
		if n.Children == nil || count == 0 || n.IsPending() || depth > 64 {
			for _, s := range n.Spans {
				if s.Source.Same(src) && s.Len > 0 && s.Off >= end {
					bands = append(bands, hexview.Band{Range: hexview.Range{Off: s.Off, Len: s.Len}, Odd: oddField(p)})
					end = s.End()
				}
			}
			return
		}
		i, ok := model.Locate(ctx, n.Children, src, max(from, n.Span().Off))
		if !ok {
			i = 0
		}
		for ; i < count && len(bands) < maxBands && ctx.Err() == nil; i++ {
			child := p.Child(ctx, i)
			if s := child.Node.Span(); s.Source.Same(src) && s.Off >= to {
				return
			}
			walk(child, depth+1)
		}
	}
	walk(root, 0)
	sort.SliceStable(bands, func(i, k int) bool { return bands[i].Off < bands[k].Off })
	return bands
}

// oddField chooses between the two colours so that neighbours differ, also across the borders of their parents.
func oddField(p *model.Place) bool {
	sum := int64(0)
	for ; p != nil; p = p.Parent {
		sum += p.Index
	}
	return sum%2 != 0
}

// findSections finds the blocks of the overview strip: the layout's uppermost nodes.
func (t *hexTab) findSections() {
	s, src := t.pane.s, t.src
	t.sections = nil
	s.Tasks.Go(s.ctx, "", func(ctx context.Context, _ model.Progress) func() {
		root, err := s.Doc.Lookup(ctx, src.LayoutPath())
		if err != nil || root.Node.IsPending() {
			return nil
		}
		n, _ := root.Len(s.ctx)
		var marks []hexview.Mark
		for i := range min(n, maxMarks) {
			if ctx.Err() != nil {
				return nil
			}
			node := root.Child(s.ctx, i).Node
			span := node.Span()
			if !span.Source.Same(src) || span.Len == 0 {
				continue
			}
			kind := hexview.MarkSection
			switch {
			case node.Role == model.Unknown:
				kind = hexview.MarkUnknown
			case i%2 == 1:
				kind = hexview.MarkSectionOdd
			}
			marks = append(marks, hexview.Mark{Range: hexview.Range{Off: span.Off, Len: span.Len}, Kind: kind})
		}
		return func() {
			if t.src == src {
				t.sections = marks
				t.view.RefreshOverview()
			}
		}
	})
}

// subject is the bytes to sum up, and who selected them.
func (s *session) subject() (spans []model.Span, from string) {
	t := s.hex.shown
	if off, n := t.view.Selection(); n > 0 {
		return []model.Span{t.src.Span(off, n)}, "selected"
	}
	if s.current == nil {
		return nil, ""
	}
	for _, span := range s.current.Node.Spans {
		if span.Mask = 0; span.Source != nil && span.Len > 0 {
			spans = append(spans, span)
		}
	}
	return spans, "of " + nodes.Name(s.current)
}
