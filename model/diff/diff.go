// Package diff compares two trees by their contents: it reports nodes that were added, removed, changed and moved. It
// ignores how things are stored, the order of parts and versions, unless asked for.
package diff

import (
	"context"
	"hash/maphash"

	"cutaway/model"
)

// A Kind is a kind of change of a node.
type Kind uint8

// The kinds of changes.
const (
	Added Kind = iota
	Removed
	Changed
	Moved
)

// String returns the kind's name in JSON.
func (k Kind) String() string { return [...]string{"added", "removed", "changed", "moved"}[k] }

// Sign returns the kind as one character.
func (k Kind) Sign() string { return [...]string{"+", "-", "~", ">"}[k] }

// A Change is one difference. An added or removed subtree is reported once, by its root.
type Change struct {
	Kind Kind
	A, B *model.Place // before and after; nil before an addition, or after a removal
	// Elements describes the elements of two arrays that differ, or the bytes of two blobs. Other nodes have nil.
	Elements *Elements
	// Stored means that the nodes have the same content, stored differently.
	Stored bool

	hash uint64 // of an added or removed node, without its name, or 0 if unknown
}

// Place returns the node before the change, or as it was added.
func (c *Change) Place() *model.Place {
	if c.A == nil {
		return c.B
	}
	return c.A
}

// Elements describes the elements of two arrays that differ, including those that only one of them has.
type Elements struct {
	Count   int64
	First   int64
	largest distance
}

// Largest returns the largest difference of two numbers, or nil.
func (e *Elements) Largest() model.Value { return e.largest.value() }

// A Side is one of two trees: a place and its view.
type Side struct {
	View  *model.View
	Start *model.Place
}

// Options define differences.
type Options struct {
	Tolerance float64 // greatest difference of numbers that count as equal
	Stored    bool    // compare how things are stored too
	Progress  model.Progress
}

// Trees compares two trees and reports each change, those of the first tree's nodes in its order. It ends early with an
// error of report or of ctx.
func Trees(ctx context.Context, a, b Side, opt Options, report func(*Change) error) error {
	c := &comparer{opt: opt, view: [2]*model.View{a.View, b.View}, seed: maphash.MakeSeed(), report: report}
	if err := c.pair(ctx, a.Start, b.Start); err != nil {
		return err
	}
	return c.flush(ctx)
}

// mostHeld is the most changes that are held until the end, when all moves are known.
const mostHeld = 100_000

// A comparer is an unfinished comparison.
type comparer struct {
	opt    Options
	view   [2]*model.View
	seed   maphash.Seed
	report func(*Change) error

	held   []*Change
	moving bool  // changes are held to find moves
	found  int64 // number of changes
	seen   int64 // number of nodes, for progress
	bufs   []byte
}

// add holds a change that may be part of a move, or reports it.
func (c *comparer) add(ctx context.Context, change *Change) error {
	c.found++
	c.held = append(c.held, change)
	if len(c.held) < mostHeld || c.moving {
		return nil
	}
	return c.flush(ctx)
}

// flush finds moves among the held changes and reports all.
func (c *comparer) flush(ctx context.Context) error {
	if err := c.findMoves(ctx); err != nil {
		return err
	}
	held := c.held
	c.held = nil
	for _, change := range held {
		if err := c.report(change); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// note counts a node, and checks ctx now and then.
func (c *comparer) note(ctx context.Context) error {
	if c.seen++; c.seen%1024 != 0 {
		return nil
	}
	c.opt.Progress.Report(0, 0, model.Grouped(c.seen)+" nodes compared")
	return ctx.Err()
}

func (c *comparer) content(ctx context.Context, side int, p *model.Place) model.Content {
	return c.view[side].ContentOf(ctx, p)
}

// pair compares two corresponding nodes and their descendants.
func (c *comparer) pair(ctx context.Context, a, b *model.Place) error {
	if err := c.note(ctx); err != nil {
		return err
	}
	here := c.content(ctx, 0, a)
	if here.None {
		return nil
	}
	if here.Order {
		same, err := c.sameOrder(ctx, a.Node.Value, b.Node.Value)
		if err != nil || same {
			return err
		}
		return c.add(ctx, &Change{Kind: Changed, A: a, B: b})
	}
	if a.Node.Type != b.Node.Type && c.seen > 1 { // the types of the roots describe the storage of the whole
		whole, err := c.retyped(ctx, a, b, here.Where)
		if whole || err != nil {
			return err
		}
	}
	before := c.found
	if isBranch(&a.Node) || isBranch(&b.Node) {
		if err := c.children(ctx, a, b); err != nil {
			return err
		}
	}
	if c.found > before || here.Where {
		return nil // a value beside children summarizes them
	}
	return c.ownValue(ctx, a, b)
}

// retyped reports a changed type. whole means that the nodes need no further comparison, since they have values.
func (c *comparer) retyped(ctx context.Context, a, b *model.Place, where bool) (whole bool, err error) {
	change := &Change{Kind: Changed, A: a, B: b}
	whole = !where && (a.Node.Value != nil || b.Node.Value != nil)
	if whole {
		if change.Elements, _, err = c.values(ctx, a.Node.Value, b.Node.Value); err != nil {
			return false, err
		}
	}
	return whole, c.add(ctx, change)
}

// ownValue compares the content that two nodes have besides their children.
func (c *comparer) ownValue(ctx context.Context, a, b *model.Place) error {
	change := &Change{Kind: Changed, A: a, B: b}
	var err error
	var same bool
	if change.Elements, same, err = c.values(ctx, a.Node.Value, b.Node.Value); err != nil {
		return err
	}
	if same {
		if change.Stored, err = c.storedApart(ctx, &a.Node, &b.Node); err != nil || !change.Stored {
			return err
		}
	}
	return c.add(ctx, change)
}

// isBranch reports whether a node's content is in its children. Those of an array with a value are that value.
func isBranch(n *model.Node) bool {
	return (n.Children != nil && (!n.Elements || n.Value == nil)) || len(n.Derived) > 0
}

// storedApart reports whether two nodes are stored differently, if that counts. The leaves of a branch are compared by
// themselves.
func (c *comparer) storedApart(ctx context.Context, a, b *model.Node) (bool, error) {
	if !c.opt.Stored || isBranch(a) || isBranch(b) {
		return false, nil
	}
	if len(a.Spans) != len(b.Spans) {
		return true, nil
	}
	for i, x := range a.Spans {
		if y := b.Spans[i]; x.Len != y.Len || x.Mask != y.Mask {
			return true, nil
		}
	}
	x, y := a.Spans, b.Spans
	p, codingA := elementsAt(a.Value)
	q, codingB := elementsAt(b.Value)
	switch {
	case codingA != codingB || len(p) != len(q):
		return true, nil
	case len(p) > 0:
		x, y = p, q
	case a.Refs != nil || b.Refs != nil:
		return false, nil // references differ in every file
	}
	return c.bytesApart(ctx, x, y)
}

// elementsAt returns the bytes of the elements of an array of numbers, before any decoding, and their coding.
func elementsAt(v model.Value) (spans []model.Span, coding string) {
	a, ok := v.(model.Array)
	if !ok {
		return nil, ""
	}
	p := model.PackingOf(a)
	if len(p.Coded) == 0 && p.At.Source != nil {
		p.Coded = []model.Span{p.At}
	}
	return p.Coded, p.Coding
}

// bytesApart reports whether some runs of bytes differ.
func (c *comparer) bytesApart(ctx context.Context, a, b []model.Span) (bool, error) {
	for i, x := range a {
		if x.Mask != 0 {
			continue // bits of a byte: the value has their content
		}
		if e, err := blobs(ctx, x, b[i]); err != nil || e != nil {
			return e != nil, err
		}
	}
	return false, nil
}
