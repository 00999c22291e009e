// Package guard catches the panics of decoders. A panic of a decoder is a fault of Cutaway, but it must cost the person
// one node, not the window with all that is open in it. So everything that a document gives out is wrapped here, once for
// all formats: what panics becomes a problem or an error.
package guard

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"cutaway/model"
)

// FaultRule is the rule id of the problem that stands for a panic of a decoder.
const FaultRule = "cutaway.fault"

var strict atomic.Bool

// Strict says whether panics go on after they were met, for tests of formats, which are to see them as what they are.
func Strict(on bool) { strict.Store(on) }

// met is what recover gave. Call it in the deferred function itself: met(recover()).
func met(r any) any {
	if r != nil && strict.Load() {
		panic(r)
	}
	return r
}

func faultText(doing string, r any) string {
	return fmt.Sprintf("Cutaway failed while %s: %v. This is a fault of the program, not of the file", doing, r)
}

// fault is the problem of a panic that was just recovered from; call it where that was done, for its stack.
func fault(at model.Span, doing string, r any) model.Problem {
	return model.Problem{Rule: FaultRule, Kind: model.Malformed, Span: at, Message: faultText(doing, r), Stack: string(debug.Stack())}
}

// caught turns a panic into *err; call it deferred.
func caught(err *error, doing string) {
	if r := met(recover()); r != nil {
		*err = fault(model.Span{}, doing, r)
	}
}

// Open is f.Open behind the guard: a panic is an error, a Problem of FaultRule.
func Open(ctx context.Context, f *model.Format, req *model.OpenRequest) (doc *model.Document, err error) {
	defer caught(&err, "opening the file as "+f.Name)
	if doc, err = f.Open(ctx, req); err != nil {
		return nil, err
	}
	guardDocument(doc)
	return doc, nil
}

// Detect is f.Detect behind the guard: one that panics refuses.
func Detect(ctx context.Context, f *model.Format, p *model.Probe) (d model.Detection) {
	defer func() {
		if r := met(recover()); r != nil {
			d = model.Detection{Reason: faultText("looking at the file", r)}
		}
	}()
	return f.Detect(ctx, p)
}

func guardDocument(d *model.Document) {
	for _, v := range d.Views {
		guardView(v)
	}
	if facts := d.Facts; facts != nil {
		d.Facts = func(ctx context.Context, quick bool, pr model.Progress) (list []model.Fact, err error) {
			defer caught(&err, "collecting facts")
			return facts(ctx, quick, pr)
		}
	}
	if stats := d.Stats; stats != nil {
		d.Stats = func(ctx context.Context, by string, pr model.Progress) (list []model.Stat, err error) {
			defer caught(&err, "counting by "+by)
			return stats(ctx, by, pr)
		}
	}
	if check := d.Check; check != nil {
		d.Check = func(ctx context.Context, pr model.Progress, report func(string, model.Problem)) (err error) {
			defer func() {
				if r := met(recover()); r != nil {
					report(model.LayoutView, fault(d.Source().Whole(), "checking", r))
				}
			}()
			return check(ctx, pr, report)
		}
	}
	if sums := d.Checksums; sums != nil {
		d.Checksums = func(ctx context.Context, pr model.Progress) (list model.Object, err error) {
			defer caught(&err, "adding up checksums")
			return sums(ctx, pr)
		}
	}
	if refs := d.ReferencedBy; refs != nil {
		d.ReferencedBy = func(ctx context.Context, p *model.Place, limit int, pr model.Progress) (list []model.Ref, n int64, err error) {
			defer caught(&err, "looking for references")
			return refs(ctx, p, limit, pr)
		}
	}
	if named := d.Named; named != nil {
		d.Named = func(ctx context.Context, name string) (path string, ok bool) {
			defer func() { met(recover()) }() // nothing has that name
			return named(ctx, name)
		}
	}
	guardFurther(d)
}

// guardFurther guards what opens further documents out of d.
func guardFurther(d *model.Document) {
	if set := d.SetOption; set != nil {
		d.SetOption = func(ctx context.Context, name, value string) (doc *model.Document, err error) {
			defer caught(&err, "setting "+name)
			doc, err = set(ctx, name, value)
			if doc != nil && doc != d {
				doc.Inner = d.Inner
				guardDocument(doc)
				doc.OnClose(d.Close) // it reads d's files
			}
			return doc, err
		}
	}
	if d.Description != nil {
		guardDescription(d.Description)
	}
	if member := d.Member; member != nil {
		d.Member = func(ctx context.Context, inner string) (doc *model.Document, err error) {
			defer caught(&err, "opening "+inner)
			return member(ctx, inner)
		}
	}
}

func guardDescription(d *model.Description) {
	of, next := d.Of, d.Next
	d.Of = func(ctx context.Context, path string) (list []model.Passage, err error) {
		defer caught(&err, "looking for what tells of "+path)
		return of(ctx, path)
	}
	d.Next = func(ctx context.Context, file string, line int, after string, pr model.Progress) (path string, err error) {
		defer caught(&err, "looking for what a line tells of")
		return next(ctx, file, line, after, pr)
	}
}

func guardView(v *model.View) {
	root := v.Root
	v.Root = func(ctx context.Context) (n model.Node) {
		defer func() {
			if r := met(recover()); r != nil {
				n = failedNode(v.Name, r)
			}
		}()
		return guardNode(root(ctx))
	}
	if find := v.Find; find != nil {
		v.Find = func(ctx context.Context, s model.Span, limit int) (paths []string, n int64, err error) {
			defer caught(&err, "looking for the owner of bytes")
			return find(ctx, s, limit)
		}
	}
	if v.Content != nil {
		v.Content = guardContent(v.Content)
	}
	if summary := v.Summary; summary != nil {
		v.Summary = func(ctx context.Context, n *model.Node) (text string) {
			defer func() { met(recover()) }() // the value is shown
			return summary(ctx, n)
		}
	}
	if indexed := v.Indexed; indexed != nil {
		v.Indexed = func(p *model.Place) (path string) {
			defer func() { met(recover()) }() // they are numbers
			return indexed(p)
		}
	}
	if v.Timeline != nil {
		v.Timeline = guardTimeline(v.Timeline)
	}
}

func guardContent(content func(context.Context, *model.Place) model.Content) func(context.Context, *model.Place) model.Content {
	return func(ctx context.Context, p *model.Place) (c model.Content) {
		defer func() { met(recover()) }() // the node counts as it is
		return content(ctx, p)
	}
}

func guardTimeline(timeline func(context.Context, model.Progress) ([]model.Track, error)) func(context.Context, model.Progress) ([]model.Track, error) {
	return func(ctx context.Context, progress model.Progress) (tracks []model.Track, err error) {
		defer caught(&err, "listing the times")
		tracks, err = timeline(ctx, progress)
		for i := range tracks {
			read := tracks[i].Read
			tracks[i].Read = func(ctx context.Context, first int64, dst []model.Moment) (n int, err error) {
				defer caught(&err, "reading times")
				return read(ctx, first, dst)
			}
		}
		return tracks, err
	}
}

func failedNode(name string, r any) model.Node {
	return model.Node{Name: name, Problems: []model.Problem{fault(model.Span{}, "decoding this node", r)}}
}

// guardNode wraps what the node makes on demand.
func guardNode(n model.Node) model.Node {
	n.Value = guardValue(n.Value)
	if n.Children != nil {
		n.Children = guarded{n.Children}
	}
	if n.Refs != nil {
		n.Refs = guardRefs(n.Refs)
	}
	if n.Cards != nil {
		n.Cards = guardCards(n.Cards, n.Span())
	}
	for i, d := range n.Derived {
		if i == 0 {
			n.Derived = append([]*model.Derivation(nil), n.Derived...)
		}
		n.Derived[i] = guardDerivation(d)
	}
	return n
}

// guardRefs and guardCards are not part of guardNode so that their closures do not take the node to the heap, which
// would be most of what a walk over a large tree takes.
func guardRefs(refs func(context.Context) []model.Ref) func(context.Context) []model.Ref {
	return func(ctx context.Context) (list []model.Ref) {
		defer func() { met(recover()) }() // a node without its links is better than none
		return refs(ctx)
	}
}

func guardCards(cards func(context.Context) []model.Card, at model.Span) func(context.Context) []model.Card {
	return func(ctx context.Context) (list []model.Card) {
		defer func() {
			if r := met(recover()); r != nil {
				list = []model.Card{failedCards{model.CardBase{Title: "Cards"}, fault(at, "making the cards", r)}}
			}
		}()
		list = slices.Clone(cards(ctx))
		for i := range list {
			list[i] = guardCard(list[i])
		}
		return list
	}
}

func guardDerivation(d *model.Derivation) *model.Derivation {
	safe := *d
	safe.Open = func(ctx context.Context) (src *model.Source, root model.Node, err error) {
		defer caught(&err, "making "+d.Title)
		src, root, err = d.Open(ctx)
		return src, guardNode(root), err
	}
	return &safe
}

// guarded is Children behind the guard.
type guarded struct{ in model.Children }

func (g guarded) Len(ctx context.Context) (n int64, exact bool) {
	defer func() {
		if met(recover()) != nil {
			n, exact = 0, true
		}
	}()
	return g.in.Len(ctx)
}

func (g guarded) At(ctx context.Context, i int64) (n model.Node) {
	defer func() {
		if r := met(recover()); r != nil {
			n = failedNode(model.IndexName(i), r)
		}
	}()
	return guardNode(g.in.At(ctx, i))
}

// LeanAt implements model.Lean.
func (g guarded) LeanAt(ctx context.Context, i int64) (n model.Node) {
	defer func() {
		if r := met(recover()); r != nil {
			n = failedNode(model.IndexName(i), r)
		}
	}()
	return guardNode(model.LeanAt(ctx, g.in, i))
}

// Recurs implements model.Recurring.
func (g guarded) Recurs(i int64) (of any, n, count int64) {
	defer func() { met(recover()) }() // it is like no other
	if r, ok := g.in.(model.Recurring); ok {
		return r.Recurs(i)
	}
	return nil, 0, 0
}

func (g guarded) Pending() bool {
	defer func() { met(recover()) }() // resolving it would fail, too
	p, ok := g.in.(model.Pending)
	return ok && p.Pending()
}

func (g guarded) Resolve(ctx context.Context, pr model.Progress) (err error) {
	defer caught(&err, "decoding this node")
	return g.in.(model.Pending).Resolve(ctx, pr)
}

// Index implements model.Indexer.
func (g guarded) Index(ctx context.Context, segment string) (i int64, ok bool) {
	defer func() {
		if met(recover()) != nil {
			i, ok = 0, false
		}
	}()
	return model.IndexOf(ctx, g.in, segment)
}

// Locate implements model.Locator.
func (g guarded) Locate(ctx context.Context, src *model.Source, off int64) (i int64, ok bool) {
	defer func() {
		if met(recover()) != nil {
			i, ok = 0, false
		}
	}()
	return model.Locate(ctx, g.in, src, off)
}

// Survey implements model.Surveyor. Where it fails, the check goes to each node and meets the fault there.
func (g guarded) Survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	defer func() {
		if met(recover()) != nil {
			c, plain, err = model.Coverage{}, false, nil
		}
	}()
	return model.Survey(ctx, g.in, progress)
}

// Hashes implements model.Hashed. Where it fails, the nodes are compared and meet the fault there.
func (g guarded) Hashes(ctx context.Context, progress model.Progress) (of func(i int64) uint64, err error) {
	defer func() {
		if met(recover()) != nil {
			of, err = nil, nil
		}
	}()
	if of, err = model.HashesOf(ctx, g.in, progress); of == nil || err != nil {
		return nil, err
	}
	known := of
	return func(i int64) (sum uint64) {
		defer func() {
			if met(recover()) != nil {
				sum = 0
			}
		}()
		return known(i)
	}, nil
}

// Measure implements model.Measurer. Where it fails, who measures goes to the nodes and meets the fault there.
func (g guarded) Measure(ctx context.Context, i int64, m *model.Measurement) (nodes int64, err error) {
	defer func() {
		if met(recover()) != nil {
			nodes, err = 0, nil
		}
	}()
	return model.Measure(ctx, g.in, i, m)
}
