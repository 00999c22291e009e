package document

import (
	"context"
	"errors"
	"slices"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/references"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Navigation goes to other nodes: by path, byte, reference or problem, and back.
type Navigation struct {
	shell.Opened
	pane *Pane
	way  task.Latest // looks for the next node to select
}

// ComeBack restores a position, as far as the document still has it.
func (s *Navigation) ComeBack(at Position) {
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
			s.pane.Trail.History.repeat()
			s.pane.host.Moved()
		}
		s.pane.Stage.SelectRow(row)
		s.pane.host.Did(AskedByte, s.pane.current)
		return
	}
	if again && s.pane.current != nil && s.pane.current.Parent != nil {
		s.pane.Show(s.pane.current.Parent, Showing{tree: nodes.ViewOf(s.pane.current) == s.pane.Trees.view.Name, history: true, event: AskedByte})
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

// found holds the nodes that have a byte.
type found struct {
	byte   model.Span
	layout *model.Place   // the deepest layout node
	here   []*model.Place // the first nodes of the open view whose principal bytes have it
	made   []*model.Place // or else the first nodes that depend on the byte, such as by their names
	total  int64          // the number of the nodes of here or made
	owner  *model.Place   // or else the nearest node of the view
}

// showFound selects the node that was found, or of several the one visited last, and offers a layout node that has fewer bytes. Without a
// node whose principal bytes have the byte, it shows the layout node, and the tree selects a node that depends on the byte.
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
			s.pane.Show(f.layout, Showing{history: true, event: AskedByte, others: references.Owners{Paths: paths, Total: f.total}})
		}
		return
	}
	how := Showing{tree: true, history: true, event: AskedByte}
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

// maxHere is the number of nodes with the same byte that are offered.
const maxHere = 64

// findByte finds the nodes that have the byte at off of src, in the layout and in a view.
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

// toNode is a selection that all panes follow.
var toNode = Showing{tree: true, focus: true, hex: true, history: true}

// GoTo selects the node at a path, in any view.
func (s *Navigation) GoTo(path string) { s.goTo(path, s.lookup(path), toNode, nil) }

// GoToOr does the same, but calls refused if there is no such node.
func (s *Navigation) GoToOr(path string, refused func(err error)) {
	s.goTo(path, s.lookup(path), toNode, refused)
}

// GoToNear selects the node at a path from the selected one, or calls refused if there is no such node.
func (s *Navigation) GoToNear(text string, refused func(err error)) {
	from := s.pane.current
	s.goTo(text, func(ctx context.Context) (*model.Place, error) {
		if p := search.Near(ctx, s.Doc, from, text); p != nil {
			return p, nil
		}
		return nil, errNoNode
	}, toNode, refused)
}

var errNoNode = errors.New("there is no such node")

func (s *Navigation) lookup(path string) func(context.Context) (*model.Place, error) {
	return func(ctx context.Context) (*model.Place, error) { return s.Doc.Lookup(ctx, path) }
}

// goTo selects the node that find returns. An error goes to refused, or to the user if that is nil.
func (s *Navigation) goTo(name string, find func(context.Context) (*model.Place, error), how Showing, refused func(err error)) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+name, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := find(ctx)
		switch {
		case err == nil:
			return func() { s.pane.Show(p, how) }, nil
		case refused == nil || ctx.Err() != nil:
			return nil, err
		}
		return func() { refused(err) }, nil
	})
}

// VisitSpan shows bytes as ShowSpan does; Back shows those that were shown before.
func (s *Navigation) VisitSpan(span model.Span) {
	s.leave()
	s.pane.Trail.History.repeat()
	s.pane.ShowSpan(span)
	s.pane.host.Moved()
}

// Elsewhere returns the view that ShowInTree would open, or nil if it is open.
func (s *Navigation) Elsewhere() *model.View {
	if s.pane.current == nil || s.pane.Trees.view == nil {
		return nil
	}
	if v := s.Doc.View(nodes.ViewOf(s.inOther())); v != s.pane.Trees.view {
		return v
	}
	return nil
}

// inOther returns the node that ShowInTree selects.
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

// Travel steps n visits through the history.
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

// leave stores the state of the panes in the present visit.
func (s *Navigation) leave() {
	s.pane.Trail.History.leave(s.pane.Trees.view.Name, bytesOf(s.pane.Hex.Shown), s.pane.Stage.Stand())
}

// revisit restores a visit. src is the source of its bytes, or nil.
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

// GoToOffset goes to an offset of the bytes that are shown.
func (s *Navigation) GoToOffset(off int64) { s.GoToOffsetOf(s.pane.Hex.Shown.Src, off) }

// GoToOffsetOf moves the hex pane to an offset of a source, and selects the node of the byte.
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

// Follow follows a reference: to a node, to the node of some bytes, or to a file, which opens in a tab of its own.
func (s *Navigation) Follow(r model.Ref) {
	s.Log.Write("followed", r.Kind, phrase.Target(r))
	switch {
	case r.File != "":
		s.pane.host.OpenAsset(r.File, r.Path)
	case r.Path != "":
		s.goTo(r.Path, s.lookup(r.Path), Showing{tree: true, focus: true, hex: true, history: true, event: Followed}, nil)
	case r.Span.Source != nil:
		s.leave()
		s.pane.ShowSpan(r.Span)
		s.pane.host.Did(Followed, s.pane.current)
		s.Tapped(r.Span.Source, r.Span.Off, false)
	}
}

// GoToProblem selects the node and the bytes of a problem. With focus it also gives the tree the keyboard, and opens the member of a
// package that has the problem in a tab of its own.
func (s *Navigation) GoToProblem(p model.LocatedProblem, focus bool) {
	if p.Member != "" {
		switch {
		case !focus:
		case s.pane.host.Export.File() == "":
			s.Tell("going to "+p.Where(), errors.New("these bytes are of no file whose members could be opened"))
		default:
			s.pane.openMember(p.Member, p.Path)
		}
		return
	}
	if p.Path == "" {
		if p.Span.Source != nil {
			s.pane.ShowSpan(p.Span)
		}
		return
	}
	s.GoToPlace(model.LocatedSpan{Path: p.Path, Span: p.Span}, focus)
}

// GoToPlace selects a node, and bytes that may be those of another reading of the document.
func (s *Navigation) GoToPlace(p model.LocatedSpan, focus bool) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+p.Path, func(ctx context.Context, _ model.Progress) (func(), error) {
		at, err := s.Doc.Lookup(ctx, p.Path)
		if err != nil {
			return nil, err
		}
		own := at.Node.Span()
		if p.Source != nil && !p.Source.Same(own.Source) {
			if src, err := s.Doc.SourceByName(ctx, p.Source.Name()); err == nil {
				p.Source = src
			}
		}
		return func() {
			s.pane.Show(at, Showing{tree: true, focus: focus, hex: true, history: true})
			if p.Source != nil && (p.Off != own.Off || p.Len != own.Len || !p.Source.Same(own.Source)) {
				s.pane.ShowSpan(p.Span)
			}
		}, nil
	})
}

// openMember opens a member of the file in a tab, at a node.
func (s *Pane) openMember(inner, path string) {
	s.host.OpenFile(decoders.Target{File: s.host.Target().File, Inner: inner, Offset: -1}.String(), path)
}

// GoToNode selects a node that was found; the list keeps the keyboard.
func (s *Navigation) GoToNode(path string) {
	s.goTo(path, s.lookup(path), Showing{tree: true, hex: true, history: true}, nil)
}

// GoToBytes selects bytes that were found, and their node.
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

// GoToAgain selects the node at a path of an earlier reading of the document, if it still exists.
func (s *Navigation) GoToAgain(path string) {
	s.goTo(path, s.lookup(path), Showing{tree: true, hex: true}, func(error) {})
}
