package document

import (
	"context"
	"errors"
	"slices"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/references"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Navigation is the ways to another node: by path, byte, reference, problem, and back.
type Navigation struct {
	shell.Opened
	pane *Pane
	way  task.Latest // the work that leads to the next selection, which ends it
}

// ComeBack shows the document as it was left, as far as it still is so. Until then that is where the user is.
func (s *Navigation) ComeBack(at Stand) {
	s.pane.coming = &at
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+at.Path, func(ctx context.Context, _ model.Progress) (func(), error) {
		found := at.Find(ctx, s.Doc)
		return func() {
			s.pane.coming = nil
			s.pane.Resume(at, found)
			s.Log.Write("resumed", at.Path)
		}, ctx.Err()
	})
}

// Tapped selects what the byte at off of src is in the view that is open.
func (s *Navigation) Tapped(src *model.Source, off int64, again bool) {
	s.Log.Write("hex-tap", src.Name(), off)
	if row, has, moved := s.pane.Stage.RowOf(src, off); has && (moved || !again) {
		if moved {
			s.leave()
			s.pane.Trail.History.again()
			s.pane.host.Moved()
		}
		s.pane.Stage.SelectRow(row)
		s.pane.host.Did(AskedByte, s.pane.current)
		return
	}
	if again && s.pane.current != nil && s.pane.current.Parent != nil {
		s.pane.Show(s.pane.current.Parent, Showing{tree: nodes.ViewOf(s.pane.current) == s.pane.Trees.view.Name, history: true, deed: AskedByte})
		return
	}
	view, hist := s.pane.Trees.view, s.pane.Trail.History
	s.Tasks.Try(s.way.Next(s.Ctx), "looking up "+phrase.Hex(off), func(ctx context.Context, progress model.Progress) (func(), error) {
		found, err := findByte(ctx, s.Doc, view, src, off, progress)
		if err != nil {
			return nil, err
		}
		return func() { s.showFound(found, hist) }, nil
	})
}

// found is what a byte is.
type found struct {
	byte   model.Span
	layout *model.Place   // the deepest layout node
	here   []*model.Place // in the view that is open, the first of those that mean it
	made   []*model.Place // without these the first of those that follow from it, such as by their names
	total  int64          // the number of these or those
	owner  *model.Place   // the nearest in the view where it has neither
}

// showFound selects what was found; of several nodes, the one visited last. Where its bytes are more than those of the layout's node,
// the way to that is offered. Where no node means the byte, the layout's node is shown, and the tree selects one that follows from it.
func (s *Navigation) showFound(f found, hist *history) {
	list := f.here
	if len(list) == 0 {
		list = f.made
	}
	paths := make([]string, len(list))
	for i, p := range list {
		paths[i] = p.Path()
	}
	k := hist.latest(paths)
	if len(f.here) == 0 {
		if len(list) > 0 {
			f.owner = list[k]
		}
		if f.layout != nil {
			if f.owner != nil {
				s.pane.Trees.selectIn(s.pane.Trees.view, f.owner)
			}
			s.pane.Show(f.layout, Showing{history: true, deed: AskedByte, others: references.Owners{Paths: paths, Total: f.total}})
		}
		return
	}
	how := Showing{tree: true, history: true, deed: AskedByte}
	how.others = references.Owners{Paths: slices.Concat(paths[:k], paths[k+1:]), Total: f.total - 1}
	if f.layout != nil && leastOver(s.pane.ownSpans(f.here[k]), f.byte) > f.layout.Node.Span().Len {
		how.finer = f.layout
	}
	s.pane.Show(f.here[k], how)
}

// leastOver returns the length of the least of the spans with a byte, or 0 if none has it.
func leastOver(spans []model.Span, at model.Span) (least int64) {
	for _, s := range spans {
		if s.Covers(at.Source, at.Off) && (least == 0 || s.Len < least) {
			least = s.Len
		}
	}
	return least
}

// maxHere is how many nodes with the same byte are offered.
const maxHere = 64

// findByte finds what the byte at off of src is, in the layout and in a view.
func findByte(ctx context.Context, doc *model.Document, view *model.View, src *model.Source, off int64, progress model.Progress) (found, error) {
	f := found{byte: src.Span(off, 1)}
	var err error
	if f.layout, err = doc.ResolveAt(ctx, src, off, progress); err != nil {
		return f, err
	}
	if view.Name == model.LayoutView {
		if f.layout != nil {
			f.here = []*model.Place{f.layout}
		}
		return f, nil
	}
	owners, total, err := doc.Owners(ctx, view, f.byte, maxHere)
	if err != nil {
		return f, err
	}
	for _, p := range owners {
		if slices.ContainsFunc(nodes.Principal(ctx, &p.Node, doc.Far()), func(own model.Span) bool { return own.Covers(src, off) }) {
			f.here = append(f.here, p)
		} else {
			f.made = append(f.made, p)
		}
	}
	if f.total = total; len(f.here) > 0 {
		f.total -= int64(len(f.made))
		return f, nil
	}
	if len(f.made) > 0 {
		return f, nil
	}
	// Not in this view: whose bytes are around it, or were made from it?
	for p := f.layout; p != nil && f.owner == nil; p = p.Parent {
		span := p.Node.Span()
		if span.Source == nil || p.Parent == nil {
			continue
		}
		near, _, err := doc.Owners(ctx, view, span, 1)
		if err != nil {
			return f, err
		}
		if len(near) > 0 {
			f.owner = near[0]
		}
	}
	return f, nil
}

// GoTo selects the node at a path, whatever view it is in.
func (s *Navigation) GoTo(path string) {
	s.goToWith(path, Showing{tree: true, focus: true, hex: true, history: true})
}

// GoToOr is GoTo; why there is no such node is for refused.
func (s *Navigation) GoToOr(path string, refused func(err error)) {
	s.Tasks.Go(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) func() {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return func() { refused(err) }
		}
		return func() { s.pane.Show(p, Showing{tree: true, focus: true, hex: true, history: true}) }
	})
}

// GoToNear is GoToOr for a path from the selected node.
func (s *Navigation) GoToNear(text string, refused func()) {
	from := s.pane.current
	s.Tasks.Go(s.way.Next(s.Ctx), "going to "+text, func(ctx context.Context, _ model.Progress) func() {
		p := search.Near(ctx, s.Doc, from, text)
		if p == nil {
			return refused
		}
		return func() { s.pane.Show(p, Showing{tree: true, focus: true, hex: true, history: true}) }
	})
}

func (s *Navigation) goToWith(path string, how Showing) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return nil, err
		}
		return func() { s.pane.Show(p, how) }, nil
	})
}

// VisitSpan shows bytes as ShowSpan does; Back shows those that were shown before.
func (s *Navigation) VisitSpan(span model.Span) {
	s.leave()
	s.pane.Trail.History.again()
	s.pane.ShowSpan(span)
	s.pane.host.Moved()
}

// Elsewhere is the view of the selected node, if another one is open, or of that which is finer; nil: the node's view is.
func (s *Navigation) Elsewhere() *model.View {
	if s.pane.current == nil || s.pane.Trees.view == nil {
		return nil
	}
	if v := s.Doc.View(nodes.ViewOf(s.inOther())); v != s.pane.Trees.view {
		return v
	}
	return nil
}

// inOther is the node that another view shows of what is selected.
func (s *Navigation) inOther() *model.Place {
	if s.pane.finer != nil && nodes.ViewOf(s.pane.current) == s.pane.Trees.view.Name {
		return s.pane.finer
	}
	return s.pane.current
}

// ShowInTree selects the selected node in the tree of its own view.
func (s *Navigation) ShowInTree() {
	if s.Elsewhere() != nil {
		s.pane.Show(s.inOther(), Showing{tree: true, focus: true, history: true})
	}
}

// ShowParent selects the node above.
func (s *Navigation) ShowParent() {
	if s.pane.current != nil && s.pane.current.Parent != nil {
		s.pane.Show(s.pane.current.Parent, Showing{tree: true, hex: true, history: true})
	}
}

// Travel goes through the history.
func (s *Navigation) Travel(n int) {
	if !s.pane.Trail.History.Can(n) {
		return
	}
	s.leave()
	was := s.pane.Trail.History.move(n)
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+was.path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, was.path)
		if err != nil {
			return nil, err
		}
		src, err := s.Doc.SourceByName(ctx, was.hex.Source)
		if err != nil { // it was not derived, or is not any more
			src = nil
		}
		return func() { s.revisit(was, p, src) }, ctx.Err()
	})
	s.pane.host.Moved()
}

// leave notes in the history what the window shows of the present visit.
func (s *Navigation) leave() {
	s.pane.Trail.History.leave(s.pane.Trees.view.Name, bytesOf(s.pane.Hex.Shown), s.pane.Stage.Stand())
}

// revisit selects the node of a visit and shows the bytes that were shown then; src is their source, or nil.
func (s *Navigation) revisit(was visit, p *model.Place, src *model.Source) {
	here := was.view == "" || was.view == nodes.ViewOf(p)
	if !here {
		if v := s.Doc.View(was.view); v != nil {
			s.pane.ShowView(v, false)
		}
	}
	s.pane.Show(p, Showing{tree: here, focus: here, hex: src == nil, card: was.card, marked: was.hex.Len > 0})
	if src == nil {
		return
	}
	t := s.pane.Hex.TabFor(src)
	s.pane.Hex.Choose(t)
	if span := p.Node.Span(); span.Source.Same(src) && !span.Covers(src, was.hex.Cursor) {
		was.hex.Cursor, was.hex.Seen = span.Off, false // it is of the click that ended the visit
	}
	was.hex.showIn(t)
	s.pane.CursorMoved()
}

// GoToOffset moves the hex pane to an offset of the source that it shows, and selects what is there.
func (s *Navigation) GoToOffset(off int64) { s.GoToOffsetOf(s.pane.Hex.Shown.Src, off) }

// GoToOffsetOf is GoToOffset in any source.
func (s *Navigation) GoToOffsetOf(src *model.Source, off int64) {
	s.leave()
	t := s.pane.Hex.Shown
	if !t.Src.Same(src) {
		t = s.pane.Hex.TabFor(src)
		s.pane.Hex.Choose(t)
	}
	t.View.SetCursor(off)
	t.View.Reveal(off, 1)
	s.Tapped(src, off, false)
}

// Follow goes where a reference leads: a file opens in a tab of its own. Of bytes without a path it selects what they are.
func (s *Navigation) Follow(r model.Ref) {
	s.Log.Write("followed", r.Kind, phrase.Target(r))
	switch {
	case r.File != "":
		s.pane.host.OpenAsset(r.File, r.Path)
	case r.Path != "":
		s.goToWith(r.Path, Showing{tree: true, focus: true, hex: true, history: true, deed: Followed})
	case r.Span.Source != nil:
		s.leave()
		s.pane.ShowSpan(r.Span)
		s.pane.host.Did(Followed, s.pane.current)
		s.Tapped(r.Span.Source, r.Span.Off, false)
	}
}

// GoToProblem selects the node that has a problem, in the tree and in the bytes, and the bytes that are wrong. With
// focus the tree gets the keyboard, and a member of the package that has it opens in a tab of its own.
func (s *Navigation) GoToProblem(p model.LocatedProblem, focus bool) {
	if p.Member != "" {
		switch {
		case !focus:
		case s.pane.host.Export.File() == "":
			s.Tell("going to "+p.Where(), errors.New("these bytes are of no file whose members could be opened"))
		default:
			s.pane.host.OpenMember(p.Member, p.Path)
		}
		return
	}
	if p.Path == "" {
		if p.Span.Source != nil {
			s.pane.ShowSpan(p.Span)
		}
		return
	}
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+p.Path, func(ctx context.Context, _ model.Progress) (func(), error) {
		at, err := s.Doc.Lookup(ctx, p.Path)
		if err != nil {
			return nil, err
		}
		return func() {
			s.pane.Show(at, Showing{tree: true, focus: focus, hex: true, history: true})
			if own := at.Node.Span(); p.Span.Source != nil && (p.Span.Off != own.Off || p.Span.Len != own.Len || !p.Span.Source.Same(own.Source)) {
				s.pane.ShowSpan(p.Span)
			}
		}, nil
	})
}

// GoToNode selects a node that was found; the list keeps the keyboard.
func (s *Navigation) GoToNode(path string) {
	s.goToWith(path, Showing{tree: true, hex: true, history: true})
}

// GoToBytes selects bytes that were found, and what they are of.
func (s *Navigation) GoToBytes(source string, off, length int64) {
	view, hist := s.pane.Trees.view, s.pane.Trail.History
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+phrase.Hex(off), func(ctx context.Context, progress model.Progress) (func(), error) {
		src, err := s.Doc.SourceByName(ctx, source)
		if err != nil {
			return nil, err
		}
		what, err := findByte(ctx, s.Doc, view, src, off, progress)
		if err != nil {
			return nil, err
		}
		return func() {
			s.showFound(what, hist)
			s.pane.ShowSpan(src.Span(off, length))
		}, nil
	})
}

// GoToAgain goes to a path that was there before, if it still is.
func (s *Navigation) GoToAgain(path string) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return func() {}, ctx.Err()
		}
		return func() { s.pane.Show(p, Showing{tree: true, hex: true}) }, nil
	})
}
