package document

import (
	"context"
	"image/color"
	"slices"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/cards"
	"cutaway/ui/damage"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	markspane "cutaway/ui/marks"
	"cutaway/ui/named"
	"cutaway/ui/nodes"
	"cutaway/ui/problems"
	searchpane "cutaway/ui/search"
	"cutaway/ui/stage"
	"cutaway/ui/treeview"
)

// hexHost lists the functions that the bytes may call.
func hexHost(s *Pane) hexpane.Host {
	return hexpane.Host{Tapped: s.Nav.Tapped, CursorMoved: s.CursorMoved, BytesMenu: s.Actions.BytesMenu, BytesCopied: s.Actions.BytesCopied, HoverText: s.HoverText,
		Problems: func() []model.LocatedProblem { return s.Lists.Problems.Found }, KeptIn: s.keptIn, Typed: s.editor.Typed, Tried: s.editor.Tried, Tries: s.editor.Tries,
		Hits: func() hexpane.Hits {
			if r := s.Lists.Search.Run; r != nil {
				return r.Hits
			}
			return nil
		}}
}

// cardsHost lists the functions that cards may call. current returns their node, which need not be the selected one.
func cardsHost(s *Pane, current func() *model.Place) cards.Host {
	return cards.Host{Follow: s.Nav.Follow, ShowSpan: s.ShowSpan, Selection: s.Selection, GoToNode: s.Nav.GoToNode, Current: current,
		ExportSelected: s.Actions.ExportSelected, ExportRows: s.Actions.ExportRows,
		Times:   func() ([]*timeline.Index, *timeline.Stop) { return s.Time.Tracks, s.Time.At },
		Pass:    func(at *timeline.Stop) { s.Time.Pass(at) },
		Enlarge: func() { s.Frame.FullStage(!s.Frame.IsFull()) }}
}

// stageHost lists the functions that the stage may call.
func stageHost(s *Pane) stage.Host {
	return stage.Host{Cards: func(current func() *model.Place) cards.Host { return cardsHost(s, current) },
		Arrange: func(a stage.Arrangement) { s.Frame.Arrange(a) }, FullStage: func(on bool) { s.Frame.FullStage(on) }, IsFull: func() bool { return s.Frame.IsFull() },
		Arranged:  func() stage.Arrangement { return stage.Arrangement(s.Store.Arranged[s.Doc.Format]) },
		FocusTree: s.Trees.FocusTree, Changed: s.host.Moved}
}

// damageHost answers the card of the damage.
func damageHost(s *Pane) damage.Host {
	return damage.Host{Problems: func() []model.LocatedProblem { return s.Lists.Problems.Found }, GoTo: s.Nav.GoToNode, VisitSpan: s.Nav.VisitSpan,
		Export:     s.Actions.exportLeft,
		ExportGood: func(p *model.Place) { s.Actions.Exporter().Ask([]*model.Place{p}, exporting.Forms.ByName("decoded")) },
		ShowAll:    func() { s.Lists.ShowForKeys(ListProblems) }}
}

// namedHost answers the card of the files that the document names.
func namedHost(s *Pane) named.Host {
	return named.Host{Target: s.host.Target, Open: s.host.OpenFile, GoTo: func(at model.LocatedSpan) {
		if s.Stage.Chosen() != Files {
			s.Stage.Choose(Files) // the card stays whatever its rows select
		}
		s.Nav.GoToPlace(at, false)
	}}
}

// problemsHost lists the functions that the list of problems may call.
func problemsHost(s *Pane, l *Lists) problems.Host {
	return problems.Host{GoToProblem: s.Nav.GoToProblem, ShowTitles: l.ShowTitles, ProblemsFound: s.problemsFound, MarksChanged: s.Trees.MarksChanged, Checked: s.checked,
		ShowProblems:    func() { l.Show(ListProblems) },
		ProblemsInFront: func() bool { return l.Open == ListProblems }}
}

// searchHost lists the functions that the search may call.
func searchHost(s *Pane, l *Lists) searchpane.Host {
	return searchpane.Host{GoToNode: s.Nav.GoToNode, GoToBytes: s.Nav.GoToBytes, OpenMember: s.openMember, File: s.host.Export.File, Decoded: s.Decoded,
		FocusTree: s.Trees.FocusTree, ShowTitles: l.ShowTitles,
		ShowSearch: func() { l.Show(ListSearch) },
		Searched: func() (view *model.View, src *model.Source, srcTitle string) {
			return s.Trees.view, s.Hex.Shown.Src, s.Hex.Shown.Title()
		},
		MarkHits: func() {
			for _, t := range s.Hex.All() {
				t.FindMatches()
			}
		}}
}

// marksHost lists the functions that the list of marks may call.
func marksHost(s *Pane, l *Lists) markspane.Host {
	return markspane.Host{File: s.host.Export.File, Current: s.Current, GoToNode: s.Nav.GoToNode, GoToBytes: s.Nav.GoToBytes, MarksKept: s.marksKept, ShowTab: l.refresh,
		NewDescription: s.host.NewDescription,
		ShowMarks:      func() { l.Show(ListMarks) },
		Chosen: func() (model.Span, bool) {
			t := s.Hex.Shown
			off, n := t.View.Selection()
			return t.Src.Span(off, n), n > 0
		}}
}

// filterHost lists the functions that the filter may call.
func filterHost(s *Pane) filter.Host {
	return filter.Host{View: s.Trees.View, Current: s.Current, NewData: s.Trees.newData, NewTree: s.Trees.NewTree, SelectItem: s.SelectItem,
		SelectWhole: s.Trees.SelectWhole, ShowTree: s.Trees.ShowTree, FocusTree: s.Trees.FocusTree, Known: s.Known}
}

// Decoded follows the decoding of a part: problems, fields and matches of filters may be new.
func (s *Pane) Decoded() {
	s.Known()
	s.Trees.Filters.Again()
}

// Known does the same without the filters.
func (s *Pane) Known() {
	s.Lists.Problems.Look()
	s.refresh()
}

// refresh shows anew what depends on how much is decoded.
func (s *Pane) refresh() {
	for _, t := range s.Hex.All() {
		t.Forget()
	}
	s.Side.Inspector.Forget()
	s.Side.Follow()
	s.Lists.Search.List.Invalidate()
	if s.current == nil {
		return
	}
	if fresh := s.current.Fresh(s.Ctx); fresh != s.current {
		s.current = fresh
		s.showOwn(false)
		s.CursorMoved()
		s.describe(fresh, Showing{others: s.others, card: s.Stage.Stand(), marked: true})
		s.host.Moved()
	}
}

// checked follows the end of a check, which has decoded all that it reached.
func (s *Pane) checked() {
	s.refresh()
	s.Trees.Filters.Again()
	s.Side.Card.Again() // the verdicts may part
}

// problemsFound shows new problems outside of their list.
func (s *Pane) problemsFound(soFar bool) {
	if !soFar {
		for _, t := range s.Hex.All() {
			t.SetProblems(s.Lists.Problems.Found)
		}
	}
	s.raiseAlarm()
	s.Damage.Follow()
	if !soFar {
		s.Stage.Offer()
	}
	if s.Stage.Kind() == Damage {
		s.Stage.Again()
	}
	s.Trees.explainEmpty()
	s.host.ProblemsFound()
}

// subject returns the bytes to sum up, and words for their selection.
func (s *Pane) subject() (spans []model.Span, from string) {
	t := s.Hex.Shown
	if off, n := t.View.Selection(); n > 0 {
		return []model.Span{t.Src.Span(off, n)}, "selected"
	}
	if s.current == nil {
		return nil, ""
	}
	for _, span := range s.own.spans {
		if span.Mask = 0; span.Source != nil && span.Len > 0 {
			spans = append(spans, span)
		}
	}
	if len(spans) == 1 && spans[0] == spans[0].Source.Whole() {
		return spans, "in all"
	}
	return spans, "of “" + s.current.Label() + "”"
}

// FindNext goes to the next line of a listing that has the keyboard. Else it goes to the next match of the filter, if that has the
// keyboard or there is no search, or to the next hit of the search. With back it goes to the one before.
func (s *Pane) FindNext(back bool) {
	if code := s.Stage.Code(); code != nil {
		code.Step(back)
		return
	}
	f, focused := s.Trees.Filters.Now(), s.Win.Canvas().Focused()
	if f.Run != nil && (s.Lists.Search.Run == nil || focused == s.Trees.Filters.Entry || focused == s.Trees.Front(s.Trees.view)) {
		f.Step(back)
		return
	}
	n := int64(1)
	if back {
		n = -1
	}
	s.Lists.Search.Step(n)
}

// marksKept shows that other marks are kept.
func (s *Pane) marksKept() {
	s.Lists.ShowTitles()
	for _, t := range s.Hex.All() {
		t.ShowKept()
	}
	for _, t := range s.Trees.allTrees() {
		t.Invalidate()
	}
}

// keptIn returns the bytes of a source that the person has marked, with their colours.
func (s *Pane) keptIn(src *model.Source) (kept []hexview.Kept) {
	s.Lists.Kept.EachIn(src, func(at model.Span, c color.Color) {
		kept = append(kept, hexview.Kept{Range: hexview.Range{Off: at.Off, Len: at.Len}, Color: c})
	})
	return kept
}

// timesShown follows the time bar, which appears, goes or is folded.
func (s *Pane) timesShown() {
	if s.Frame != nil {
		s.Frame.Middle.Refresh()
	}
	s.Stage.FollowTime()
}

// lightItem lights the bytes of the row under the pointer, and their origins in parent sources. A nil row lights nothing.
func (s *Pane) lightItem(it treeview.Item) {
	over := s.over.Next(s.Ctx)
	if it == nil || filter.PlaceOf(it).IsStub() {
		s.Hex.Light(nil)
		return
	}
	spans := s.ownSpans(filter.PlaceOf(it).Place)
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

// maxLit is the number of spans of a node whose origins are lit.
const maxLit = 64

// maxHovered is the size in bytes of the largest pending node that hovering decodes.
const maxHovered = 1 << 20

// HoverText describes the node of the byte at off of src, and the node that is decompressed from the byte. It runs on a goroutine of its
// own until the pointer moves.
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

// hoverLines returns a node's path, value and type.
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

// madeOf returns the first node that is decompressed from the byte at off of src in p, and the origin of that node in src. It returns nil
// without such a node, or if there is too much to decompress.
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

// ShowTried shows the bytes that replace others now.
func (s *Pane) ShowTried() {
	for _, t := range s.Hex.All() {
		t.ShowTried()
	}
}
