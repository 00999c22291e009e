// Package hexpane shows the bytes of a document, a tab for each source, with fields, problems and hits marked.
package hexpane

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Host lists the functions of its document that the pane may call.
type Host struct {
	Tapped      func(src *model.Source, off int64, again bool) // called when a byte was clicked, or clicked again
	CursorMoved func()                                         // called when a cursor or selection moved, or another tab is shown
	BytesMenu   func(t *Tab, off int64, at fyne.Position)
	BytesCopied func(n int64, err error)
	HoverText   func(ctx context.Context, src *model.Source, off int64) (text string, span model.Span) // on a goroutine of its own
	Problems    func() []model.LocatedProblem
	Hits        func() Hits                                              // returns the hits of the search, or nil
	KeptIn      func(src *model.Source) []hexview.Kept                   // returns the user's marks
	Typed       func(src *model.Source, off int64, was, now []byte) bool // replaces bytes, or refuses to and returns false
	Tried       func(src *model.Source) hexview.Over                     // returns the replaced bytes, or nil
	Tries       func() bool                                              // reports whether bytes can be typed over
}

// A Pane shows the bytes of a document. It has a tab for each file, the pinned tabs, and one that follows the
// selection.
type Pane struct {
	shell.Opened
	host   Host
	Bar    *kit.TabBar
	box    *fyne.Container
	Object fyne.CanvasObject
	// LitTabs holds a line for each tab with lit bytes that is not in front.
	LitTabs *fyne.Container
	Tabs    []*Tab
	// OnSecondClosed is called when the user closes the second pane.
	OnSecondClosed func()
	Shown          *Tab // the tab that the rest of the window follows: that of the bar, or the second pane
	Follow         *Tab // the tab that follows the selection, or nil before a derived source was shown
	Second         *Tab // the pane below that of the bar, or nil
	AtFirst        bool // the cursor has not been moved since the file was opened

	front    *Tab            // the tab of the bar
	foldings []*folding      // for the sources of the tabs
	body     *fyne.Container // the box, or it and the second pane
	head     *fyne.Container
	words    *fyne.Container // at its end: the words on the bytes of the selected node
}

// A Tab shows one source.
type Tab struct {
	pane   *Pane
	View   *hexview.View
	Src    *model.Source
	File   bool
	Ranges hexview.Ranges

	bands    []hexview.Range
	covered  []hexview.Range // by bands
	asked    []hexview.Range // the ranges of the last search for fields
	asking   task.Latest
	flaws    []hexview.Flaw // in the order of their offsets
	sections []hexview.Section
	profiled *model.Source // the source whose profile was computed last
	Found    *matchMarks   // hits of the search, or nil
}

// New makes the pane with a tab for each file.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, box: container.NewStack(), LitTabs: container.NewWithoutLayout()}
	p.Bar = kit.NewTabBar(func(i int) { p.Choose(p.Tabs[i]) })
	p.Bar.OnClose = func(i int) { p.Close(p.Tabs[i]) }
	p.body = container.NewStack(p.box)
	p.words = container.NewCenter()
	words := kit.Padded(0, 0, 8, 12, p.words)
	p.head = kit.Border(nil, nil, nil, kit.NewBacked(theme.ColorNameBackground, words), container.NewStack(p.Bar, p.LitTabs))
	p.Object = kit.Under(p.head, p.body)
	for _, src := range p.Doc.Sources {
		t := p.newTab(src)
		t.File = true
		p.Tabs = append(p.Tabs, t)
	}
	if len(p.Tabs) > 0 {
		p.Choose(p.Tabs[0])
		p.ShowSecond(p.Store.SecondBytes)
	}
	p.Fold()
	return p
}

func (p *Pane) newTab(src *model.Source) *Tab {
	t := &Tab{pane: p, View: hexview.New()}
	t.View.SetPost(p.Post)
	t.View.SetMode(p.Store.Mode)
	moved := func() {
		p.AtFirst = false
		p.host.CursorMoved()
	}
	t.View.OnTap = func(off int64, again bool) { p.host.Tapped(t.Src, off, again) }
	t.View.OnCursor = func(int64) { moved() }
	t.View.OnSelect = func(_, _ int64) { moved() }
	t.View.OnSecondaryTap = func(off int64, at fyne.Position) { p.host.BytesMenu(t, off, at) }
	t.View.OnCopy = func(n int64, err error) { p.host.BytesCopied(n, err) }
	t.View.OnType = func(off int64, was, now []byte) bool { return p.host.Typed(t.Src, off, was, now) }
	t.View.HoverText = func(ctx context.Context, off int64) (string, model.Span) { return p.host.HoverText(ctx, t.Src, off) }
	t.View.ShowTip = kit.TipOver(t.View)
	t.View.OnFocus = func() { p.activate(t) }
	t.setSource(src)
	return t
}

func (t *Tab) setSource(src *model.Source) {
	t.Src = src
	t.View.Profiled = !src.Far()
	t.View.SetSource(src)
	t.bands, t.covered, t.asked = nil, nil, nil
	t.Found = nil
	t.Ranges = hexview.Ranges{Fields: t.fields, Flaws: t.FlawsIn, Matches: t.Matches}
	t.View.SetRanges(t.Ranges)
	t.ShowTried()
	t.SetProblems(t.pane.host.Problems())
	t.ShowKept()
	t.findSections()
	t.FindMatches()
	t.Profile()
}

// Title returns the tab's title.
func (t *Tab) Title() string {
	if t.File && len(t.pane.Doc.Sources) == 1 {
		return "File"
	}
	return t.Src.Title()
}

// showTabs updates the bar.
func (p *Pane) showTabs() {
	tabs := make([]kit.Tab, len(p.Tabs))
	selected := 0
	for i, t := range p.Tabs {
		tabs[i] = kit.Tab{Title: t.Title(), Close: !t.File}
		if t == p.front {
			selected = i
		}
	}
	p.Bar.Set(tabs, selected)
	p.showLit()
}

// Choose shows a tab.
func (p *Pane) Choose(t *Tab) {
	if p.Shown == t {
		p.showTabs()
		return
	}
	p.Shown = t
	if t != p.Second {
		p.front = t
		kit.Swap(p.box, t.View)
	}
	p.showTabs()
	p.host.CursorMoved()
}

// Close closes a tab.
func (p *Pane) Close(t *Tab) {
	for i, other := range p.Tabs {
		if other != t {
			continue
		}
		p.Tabs = append(p.Tabs[:i:i], p.Tabs[i+1:]...)
		if t == p.Follow {
			p.Follow = nil
		}
		if p.front == t {
			p.Choose(p.Tabs[max(i-1, 0)])
		} else {
			p.showTabs()
		}
		p.Fold()
		return
	}
}

// Pin keeps the tab that follows the selection. The next derived source gets a new tab.
func (p *Pane) Pin(t *Tab) {
	if t == p.Follow {
		p.Follow = nil
	}
}

// tabOf returns the tab that shows src, or nil.
func (p *Pane) tabOf(src *model.Source) *Tab {
	for _, t := range p.Tabs {
		if t.Src.Same(src) {
			return t
		}
	}
	return nil
}

// TabFor returns the tab for src: its own, or the one that follows the selection, which it then changes to src.
func (p *Pane) TabFor(src *model.Source) *Tab {
	if t := p.tabOf(src); t != nil {
		return t
	}
	if p.Follow == nil {
		p.Follow = p.newTab(src)
		p.Tabs = append(p.Tabs, p.Follow)
	} else {
		p.Follow.setSource(src)
	}
	p.Fold()
	return p.Follow
}

// Say shows words on the bytes of the selected node in the head of the pane, as a link that calls tap.
func (p *Pane) Say(words string, tap func()) {
	p.words.Objects = []fyne.CanvasObject{kit.NewLink(words, true, tap)}
	p.head.Refresh()
}

// Show marks in every tab the bytes of a node. With reveal it scrolls to the first ones. Without, the tab stays, since the
// node was selected there. While AtFirst is set, the file's first bytes stay visible.
func (p *Pane) Show(own []model.Span, reveal bool) {
	span := model.Span{}
	if len(own) > 0 {
		span = own[0]
	}
	switch {
	case p.AtFirst:
		if p.Shown != nil && span.Source.Same(p.Shown.Src) {
			p.Shown.View.SetCursor(span.Off)
		}
	case reveal && span.Source != nil:
		p.Choose(p.TabFor(span.Source))
		p.Shown.View.SetCursor(span.Off)
		p.Shown.View.Reveal(span.Off, max(span.Len, 1))
	}
	for _, t := range p.All() {
		t.Ranges.Selected, t.Ranges.Mapped, t.Ranges.Below = t.rangesOf(own), nil, nil
		t.View.SetRanges(t.Ranges)
	}
}

// ShowBelow shows in the strips of a source where the bytes below a group are. With reveal, its largest value comes into sight.
func (p *Pane) ShowBelow(src *model.Source, below [][2]int64, largest model.Span, reveal bool) {
	for _, t := range p.All() {
		if !t.Src.Same(src) {
			continue
		}
		t.Ranges.Below = nil
		for _, r := range below {
			t.Ranges.Below = append(t.Ranges.Below, hexview.Range{Off: r[0], Len: r[1] - r[0]})
		}
		t.View.SetRanges(t.Ranges)
	}
	if reveal && !p.AtFirst && largest.Source != nil {
		p.Choose(p.TabFor(largest.Source))
		p.Shown.View.SetCursor(largest.Off)
		p.Shown.View.Reveal(largest.Off, max(largest.Len, 1))
	}
}

// rangesOf returns the parts of spans in the tab's source, or nil if these are the whole source, where marks say
// nothing.
func (t *Tab) rangesOf(spans []model.Span) []hexview.Range {
	ranges := hexview.RangesOf(t.Src, spans)
	if len(ranges) == 1 && ranges[0].Len == t.Src.Size() {
		return nil
	}
	return ranges
}

// Light lights spans in every tab, such as those of a node under the pointer, and no others. It does not scroll: the
// overview strip shows where they are, and a line on a tab that it has some.
func (p *Pane) Light(spans []model.Span) {
	for _, t := range p.All() {
		if ranges := t.rangesOf(spans); len(ranges) > 0 || len(t.View.Hovered()) > 0 {
			t.View.SetHover(ranges...)
			t.View.RefreshOverview()
		}
	}
	p.showLit()
}

// showLit draws a line on each tab with lit bytes, except the one in front.
func (p *Pane) showLit() {
	p.LitTabs.Objects = nil
	edges := p.Bar.Edges()
	for i, t := range p.Tabs {
		if len(t.View.Hovered()) == 0 || t == p.front {
			continue
		}
		line := canvas.NewRectangle(kit.Paint(theme.ColorNamePrimary))
		from, to := max(edges[i]-p.Bar.Scroll, 0), min(edges[i+1]-p.Bar.Scroll, p.Bar.Room(edges))
		kit.Put(line, from, p.Bar.Height()-litHigh, max(to-from-1, 0), litHigh)
		p.LitTabs.Objects = append(p.LitTabs.Objects, line)
	}
	p.LitTabs.Refresh()
}

// LightSpans lights bytes of the shown source and scrolls to the first one.
func (p *Pane) LightSpans(spans []model.Span) {
	t := p.Shown
	if len(spans) == 0 || !spans[0].Source.Same(t.Src) {
		return
	}
	t.View.SetHover(hexview.RangesOf(t.Src, spans)...)
	t.View.Reveal(spans[0].Off, max(spans[0].Len, 1))
}

// ShowMapped marks the bytes that the selected bytes are derived from.
func (p *Pane) ShowMapped(spans []model.Span) {
	if len(spans) == 0 {
		return
	}
	if t := p.tabOf(spans[0].Source); t != nil {
		t.Ranges.Mapped = hexview.RangesOf(t.Src, spans)
		t.View.SetRanges(t.Ranges)
		if t != p.Shown {
			t.View.Reveal(spans[0].Off, spans[0].Len)
		}
	}
}

// ShowKept shows the user's marks.
func (t *Tab) ShowKept() {
	t.Ranges.Kept = t.pane.host.KeptIn(t.Src)
	t.View.SetRanges(t.Ranges)
	t.View.RefreshOverview()
}

// ShowTried shows the replaced bytes of the source, and sets whether bytes can be typed over.
func (t *Tab) ShowTried() {
	t.View.SetOver(t.pane.host.Tried(t.Src))
	t.View.SetTyping(t.pane.host.Tries())
	t.View.RefreshOverview()
}

// SetProblems marks problems in the tab.
func (t *Tab) SetProblems(problems []model.LocatedProblem) {
	t.flaws = nil
	for i := range problems {
		s, severity := problems[i].Span, problems[i].Kind.Severity()
		if problems[i].Member != "" || !s.Source.Same(t.Src) || severity == model.Note && s.Len == t.Src.Size() {
			continue // a note on the whole source would hide the other notes
		}
		t.flaws = append(t.flaws, hexview.Flaw{Range: hexview.Range{Off: s.Off, Len: max(s.Len, 1)}, Severity: severity})
	}
	slices.SortStableFunc(t.flaws, func(a, b hexview.Flaw) int { return cmp.Compare(a.Off, b.Off) })
	t.View.SetOverview(t.overview)
	t.View.RefreshRanges()
}

// FlawsIn appends to dst the problems with bytes in [first, last), for hexview.Ranges.
func (t *Tab) FlawsIn(dst []hexview.Flaw, first, last int64) []hexview.Flaw {
	end := sort.Search(len(t.flaws), func(i int) bool { return t.flaws[i].Off >= last })
	for _, f := range t.flaws[:end] {
		if f.End() > first {
			dst = append(dst, f)
		}
	}
	return dst
}

// overview returns the marks of the overview strip.
func (t *Tab) overview() []hexview.Mark {
	var marks []hexview.Mark
	if t.Found != nil {
		marks = append(marks[:len(marks):len(marks)], t.Found.Strip...)
	}
	for _, k := range t.Ranges.Kept[:min(len(t.Ranges.Kept), maxMarks)] {
		marks = append(marks[:len(marks):len(marks)], hexview.Mark{Range: k.Range, Kind: hexview.MarkKept, Color: k.Color})
	}
	if tried := t.pane.host.Tried(t.Src); tried != nil {
		tried.Each(0, t.Src.Size(), func(off int64, now []byte) {
			marks = append(marks[:len(marks):len(marks)], hexview.Mark{Range: hexview.Range{Off: off, Len: int64(len(now))}, Kind: hexview.MarkOver})
		})
	}
	lit := t.View.Hovered()
	// Lit ranges are widened: they may be few bytes out of sight, which only the strip shows.
	for _, r := range lit[:min(len(lit), maxMarks)] {
		more := t.Src.Size() / 128
		marks = append(marks[:len(marks):len(marks)], hexview.Mark{Range: hexview.Range{Off: r.Off - more, Len: r.Len + 2*more},
			Kind: hexview.MarkKept, Color: t.View.Colors().Strip})
	}
	for _, f := range t.flaws[:min(len(t.flaws), maxMarks)] {
		kind := [...]hexview.MarkKind{model.Note: hexview.MarkNote, model.Warning: hexview.MarkWarning, model.Error: hexview.MarkError}[f.Severity]
		marks = append(marks, hexview.Mark{Range: f.Range, Kind: kind})
	}
	return marks
}

// Limits on marks.
const (
	maxMarks = 4000
	maxBands = 6000
	aheadOf  = 2048 // bytes around those in sight whose fields are found at once
	litHigh  = 3    // of the line on a tab that has lit bytes
)

// fields appends to dst the known fields with bytes in seen, for hexview.Ranges. It finds the others in the background.
func (t *Tab) fields(dst []hexview.Range, seen []hexview.Range) []hexview.Range {
	if !coveredBy(seen, t.covered) && !coveredBy(seen, t.asked) {
		t.asked = widen(seen, t.Src.Size())
		t.find(t.asked)
	}
	for _, r := range seen {
		k := sort.Search(len(t.bands), func(i int) bool { return t.bands[i].End() > r.Off })
		if n := len(dst); n > 0 && k < len(t.bands) && dst[n-1].Off == t.bands[k].Off {
			k++ // the field is in dst already: it continues after a fold
		}
		for ; k < len(t.bands) && t.bands[k].Off < r.End(); k++ {
			dst = append(dst, t.bands[k])
		}
	}
	return dst
}

// coveredBy reports whether each of ranges is in one of cover.
func coveredBy(ranges, cover []hexview.Range) bool {
	for _, r := range ranges {
		if !slices.ContainsFunc(cover, func(c hexview.Range) bool { return c.Off <= r.Off && c.End() >= r.End() }) {
			return false
		}
	}
	return true
}

// widen extends ranges at both ends by aheadOf, and joins those that meet.
func widen(ranges []hexview.Range, size int64) []hexview.Range {
	var all []hexview.Range
	for _, r := range ranges {
		from, to := max(r.Off-aheadOf, 0), min(r.End()+aheadOf, size)
		if n := len(all); n > 0 && all[n-1].End() >= from {
			all[n-1].Len = to - all[n-1].Off
			continue
		}
		all = append(all, hexview.Range{Off: from, Len: to - from})
	}
	return all
}

// find finds the fields in ranges in the background.
func (t *Tab) find(ranges []hexview.Range) {
	p, src := t.pane, t.Src
	p.Tasks.Go(t.asking.Next(p.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		var bands []hexview.Range
		for _, r := range ranges {
			bands = leaves(ctx, p.Doc, src, bands, r.Off, r.End())
		}
		return func() {
			if t.Src == src {
				t.bands, t.covered = bands, ranges
				t.View.RefreshRanges()
			}
		}
	})
}

// Forget finds the fields, gaps and sections again, after more was decoded.
func (t *Tab) Forget() {
	t.covered, t.asked = nil, nil
	t.View.RefreshRanges()
	if f := t.pane.foldingOf(t.Src); f != nil {
		f.findGaps()
	}
	if t.sections == nil {
		t.findSections()
	}
}

// leaves appends to bands the known leaves of the layout of src in [from, to), without decoding more. The given bands
// come before these.
func leaves(ctx context.Context, doc *model.Document, src *model.Source, bands []hexview.Range, from, to int64) []hexview.Range {
	root, err := doc.Lookup(ctx, src.LayoutPath())
	if err != nil {
		return bands
	}
	end, most := from, len(bands)+maxBands
	if n := len(bands); n > 0 {
		end = max(end, bands[n-1].End())
	}
	var walk func(p *model.Place, depth int)
	walk = func(p *model.Place, depth int) {
		n := &p.Node
		count, _ := p.Len(ctx)
		if isLeaf(n, count) || depth > 64 {
			for _, s := range n.Spans {
				if s.Source.Same(src) && s.Len > 0 && s.Off >= end {
					bands = append(bands, hexview.Range{Off: s.Off, Len: s.Len})
					end = s.End()
				}
			}
			return
		}
		i, ok := model.Locate(ctx, n.Children, src, max(from, n.Span().Off))
		if !ok {
			i = 0
		}
		for ; i < count && len(bands) < most && ctx.Err() == nil; i++ {
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

// isLeaf reports whether a node with count children has none that are known.
func isLeaf(n *model.Node, count int64) bool {
	return n.Children == nil || count == 0 || n.IsPending()
}

// findSections finds the sections of the bytes: the layout's uppermost nodes, and the items of those that are lists.
func (t *Tab) findSections() {
	p, src := t.pane, t.Src
	t.sections = nil
	p.Tasks.Go(p.Ctx, "", func(ctx context.Context, _ model.Progress) func() {
		parts := profile.Sections(ctx, p.Doc, src, maxMarks)
		tones := map[*model.Place]uint8{} // the largest have one each, the others share the last
		for rank, part := range parts {
			tones[part.Place] = uint8(min(1+rank, hexview.Tones))
		}
		slices.SortFunc(parts, func(a, b profile.Section) int { return cmp.Compare(a.Place.Index, b.Place.Index) })
		var list []hexview.Section
		for _, part := range parts {
			list = addSections(ctx, list, src, part.Place, tones[part.Place])
		}
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if t.Src == src {
				t.sections = list
				t.View.SetSections(list)
			}
		}
	})
}

// addSections adds a part of the layout of src in a tone, or the items of a list, every other one with a ground.
func addSections(ctx context.Context, list []hexview.Section, src *model.Source, at *model.Place, tone uint8) []hexview.Section {
	add := func(n *model.Node, plain bool) {
		s := n.Span()
		if !s.Source.Same(src) || s.Len == 0 || len(list) > 0 && s.Off < list[len(list)-1].End() {
			return
		}
		section := hexview.Section{Range: hexview.Range{Off: s.Off, Len: s.Len}, Tone: tone, Plain: plain}
		if n.Role == model.Unknown {
			section.Tone = 0
		}
		list = append(list, section)
	}
	n, _ := at.Len(ctx)
	if n < 2 || n > maxMarks-int64(len(list)) || at.Node.Elements || at.Node.IsPending() || at.Child(ctx, 0).Node.Name != model.IndexName(0) {
		add(&at.Node, false)
		return list
	}
	for i := range n {
		add(&at.Child(ctx, i).Node, i%2 == 1)
	}
	return list
}

// SetMode changes how bytes are shown in all tabs.
func (p *Pane) SetMode(m hexview.Mode) {
	for _, t := range p.All() {
		t.View.SetMode(m)
		t.Profile()
	}
	p.Fold()
}
