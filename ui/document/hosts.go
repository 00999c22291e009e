package document

import (
	"context"
	"image/color"
	"slices"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/model/timeline"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/inspector"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// Decoded follows the decoding of a part: there may be more problems and more fields, and more that filters show.
func (s *Pane) Decoded() {
	s.Known()
	s.Filters.Again()
}

// Known is Decoded without the filters.
func (s *Pane) Known() {
	s.Details.Problems.Look()
	s.refresh()
}

// refresh shows anew what depends on how much is decoded.
func (s *Pane) refresh() {
	for _, t := range s.Hex.All() {
		t.Forget()
	}
	s.Details.Inspector.Forget()
	s.Details.followInspector()
	s.Details.Search.List.Invalidate()
	if s.current == nil {
		return
	}
	if fresh := s.current.Fresh(s.Ctx); fresh != s.current {
		s.current = fresh
		s.Hex.Show(fresh, false)
		s.CursorMoved()
		s.Details.set(fresh, Showing{others: s.Details.others, card: s.Details.stand(), marked: true})
		s.host.Moved()
	}
}

// Checked follows the end of a check: all that it got to is decoded.
func (s *Pane) Checked() {
	s.refresh()
	s.Filters.Again()
}

// ProblemsFound shows what is known of problems elsewhere than in their list.
func (s *Pane) ProblemsFound(soFar bool) {
	if !soFar {
		for _, t := range s.Hex.All() {
			t.SetProblems(s.Details.Problems.Found())
		}
	}
	s.raiseAlarm()
	s.explainEmpty()
	s.host.ProblemsFound()
}

// ShowProblems brings the list of problems to the front.
func (s *Pane) ShowProblems() { s.Details.Choose(TabProblems) }

// ProblemsInFront reports whether the list of problems is in front.
func (s *Pane) ProblemsInFront() bool { return s.Details.Front == TabProblems }

// ReferencesInFront reports whether the list of references is in front.
func (s *Pane) ReferencesInFront() bool { return s.Details.Front == TabReferences }

// ShowTab shows the tab in front below the trees anew, and the titles.
func (s *Pane) ShowTab() { s.Details.again() }

// ShowTitles shows the titles of the tabs below the trees anew.
func (s *Pane) ShowTitles() { s.Details.showTabs() }

// subject is the bytes to sum up, and who selected them.
func (s *Pane) subject() (spans []model.Span, from string) {
	t := s.Hex.Shown
	if off, n := t.View.Selection(); n > 0 {
		return []model.Span{t.Src.Span(off, n)}, "selected"
	}
	if s.current == nil {
		return nil, ""
	}
	for _, span := range s.current.Node.Spans {
		if span.Mask = 0; span.Source != nil && span.Len > 0 {
			spans = append(spans, span)
		}
	}
	if len(spans) == 1 && spans[0] == spans[0].Source.Whole() {
		return spans, "in all"
	}
	return spans, "of “" + s.current.Label() + "”"
}

// Problems are those that are known of the document.
func (s *Pane) Problems() []model.LocatedProblem { return s.Details.Problems.Found() }

// Hits are those of the search; nil: there are none.
func (s *Pane) Hits() hexpane.Hits {
	if r := s.Details.Search.Run; r != nil {
		return r.Hits
	}
	return nil
}

// Searched is what a search looks at: the tree and the bytes that are shown.
func (s *Pane) Searched() (view *model.View, src *model.Source, srcTitle string) {
	return s.view, s.Hex.Shown.Src, s.Hex.Shown.Title()
}

// FindNext goes to the next thing that was found, or with back to the one before: a match of the filter where the keyboard
// is there, or nothing is searched for, else a hit of the search.
func (s *Pane) FindNext(back bool) {
	f, focused := s.Filters.Now(), s.Win.Canvas().Focused()
	if f.Run != nil && (s.Details.Search.Run == nil || focused == s.Filters.Entry || focused == s.Front(s.view)) {
		f.Step(back)
		return
	}
	n := int64(1)
	if back {
		n = -1
	}
	s.Details.Search.Step(n)
}

// MarkHits marks the hits of the search among the bytes.
func (s *Pane) MarkHits() {
	for _, t := range s.Hex.All() {
		t.FindMatches()
	}
}

// ShowSearch brings the search to the front.
func (s *Pane) ShowSearch() { s.Details.Choose(tabSearch) }

// OpenMember opens a member of the file in a tab of its own.
func (s *Pane) OpenMember(inner, path string) { s.host.OpenMember(inner, path) }

// File is the file of the document; "": there is none.
func (s *Pane) File() string { return s.host.File() }

// Chosen is the bytes that are selected in the hex pane by hand.
func (s *Pane) Chosen() (model.Span, bool) {
	t := s.Hex.Shown
	off, n := t.View.Selection()
	return t.Src.Span(off, n), n > 0
}

// MarksKept shows that other marks are kept.
func (s *Pane) MarksKept() {
	s.Details.showTabs()
	for _, t := range s.Hex.All() {
		t.ShowKept()
	}
	for _, t := range s.allTrees() {
		t.Invalidate()
	}
}

// KeptIn is the bytes of a source that the person has marked, with their colours.
func (s *Pane) KeptIn(src *model.Source) (kept []hexview.Kept) {
	s.Details.Kept.EachIn(src, func(at model.Span, c color.Color) {
		kept = append(kept, hexview.Kept{Range: hexview.Range{Off: at.Off, Len: at.Len}, Color: c})
	})
	return kept
}

// TimesShown follows the time bar, which appears, goes or is folded.
func (s *Pane) TimesShown() {
	if s.Object != nil {
		s.Object.Refresh()
	}
}

// ShowMarks brings the marks to the front.
func (s *Pane) ShowMarks() { s.Details.Choose(tabMarks) }

// NewDescription begins a description of the file with the marks.
func (s *Pane) NewDescription() { s.host.NewDescription() }

// Light lights bytes that a list tells of.
func (s *Pane) Light(spans []model.Span) { s.Hex.LightSpans(spans) }

// lightItem lights the bytes of a row of a tree that the pointer is over, and those that they were made from; nil: of none.
func (s *Pane) lightItem(it treeview.Item) {
	over := s.over.Next(s.Ctx)
	if it == nil || filter.PlaceOf(it).IsStub() {
		s.Hex.Light(nil)
		return
	}
	spans := filter.PlaceOf(it).Place.Node.Spans
	s.Hex.Light(spans)
	if !slices.ContainsFunc(spans, func(at model.Span) bool { return at.Source != nil && at.Source.Origin() != nil }) {
		return
	}
	s.Tasks.Go(over, "", func(ctx context.Context, _ model.Progress) func() {
		all := slices.Clone(spans)
		for _, span := range spans[:min(len(spans), maxLit)] {
			if span.Source != nil {
				all = append(all, slices.Concat(trace(ctx, span)...)...)
			}
		}
		return func() {
			s.Hex.Light(all)
			s.Log.Write("lit", all[len(all)-1].Source.Name(), all[len(all)-1].Off, len(all))
		}
	})
}

// maxLit is of how many spans of a node the bytes that they were made from are lit.
const maxLit = 64

// maxHovered is the most bytes of a pending node that the pointer over one of them has decoded.
const maxHovered = 1 << 20

// HoverText says what the byte at off of src belongs to, and what is made of it. It runs on a goroutine of its own; ctx ends when
// the pointer goes on.
func (s *Pane) HoverText(ctx context.Context, src *model.Source, off int64) (string, model.Span) {
	p, final := s.Doc.At(ctx, src, off)
	if p == nil {
		return "", model.Span{}
	}
	if !final && p.Node.Span().Len <= maxHovered {
		if deep, err := s.Doc.ResolveAt(ctx, src, off, nil); err == nil && deep != nil {
			p, final = deep, true
		}
	}
	text := hoverLines(ctx, p)
	if !final {
		text += "\nnot decoded yet"
	}
	if made, lit := madeOf(ctx, p, src, off); made != nil {
		return text + "\n→ " + hoverLines(ctx, made), lit
	}
	if p.Parent == nil {
		return text, model.Span{} // lighting all lights nothing
	}
	return text, p.Node.Span()
}

// hoverLines is a node's path, value and type.
func hoverLines(ctx context.Context, p *model.Place) string {
	text := p.Path()
	if value := nodes.ValueText(ctx, &p.Node, 80); value != "" {
		text += "\n" + value
	}
	if p.Node.Type != "" {
		text += "\n" + p.Node.Type
	}
	return text
}

// madeOf is the first node that the byte at off of src, which p has, went into when it was decompressed, and those bytes of src
// around it that this node was made from; nil: nothing is known to be made of it, or it is too much to be decompressed for this.
func madeOf(ctx context.Context, p *model.Place, src *model.Source, off int64) (made *model.Place, lit model.Span) {
	for p != nil && (len(p.Node.Derived) == 0 || !p.Node.Span().Covers(src, off)) {
		p = p.Parent
	}
	if p == nil || p.Node.Span().Len > maxHovered {
		return nil, lit
	}
	root, err := p.Derive(ctx, 0)
	if err != nil {
		return nil, lit
	}
	made = into(ctx, root, off)
	for _, span := range slices.Concat(trace(ctx, made.Node.Span())...) {
		if span.Covers(src, off) {
			return made, span
		}
	}
	return made, p.Node.Span()
}

// Typed puts bytes in place of others; false: they are refused.
func (s *Pane) Typed(src *model.Source, off int64, was, now []byte) bool {
	return s.host.Typed(src, off, was, now)
}

// Tried is what is in place of a source's bytes; nil: nothing.
func (s *Pane) Tried(src *model.Source) hexview.Over { return s.host.Tried(src) }

// Tries reports whether bytes can be typed over.
func (s *Pane) Tries() bool { return s.host.Tries() }

// ShowTried shows what is in place of bytes now.
func (s *Pane) ShowTried() {
	for _, t := range s.Hex.All() {
		t.ShowTried()
	}
}

// Times are the tracks of the tree that is shown, and the moment that is selected; nil: none is.
func (s *Pane) Times() ([]*timeline.Index, *timeline.Stop) { return s.Time.Tracks, s.Time.At }

// Pass shows a moment that is played in the time bar.
func (s *Pane) Pass(at *timeline.Stop) { s.Time.Pass(at) }

// StepTime selects the next record of the stream, or the one before.
func (s *Pane) StepTime(back bool) { s.Time.Step(back, false) }

// ChangeReading asks for what a row of the inspector should read.
func (s *Pane) ChangeReading(at inspector.Place, row inspect.Row) { s.host.ChangeReading(at, row) }
