// Package guard catches the panics of decoders. A panic is a fault of Cutaway, but it must cost the user one node, not
// all open tabs. So everything that a document returns is wrapped here, once for all formats: a panic becomes a problem
// or an error.
//
// A struct of funcs is copied and each func wrapped. An interface is wrapped by one type with all its methods, those of
// its optional interfaces included. TestEverythingIsGuarded reads the model's source and fails for any func or method
// without a wrapper.
package guard

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"cutaway/model"
)

// FaultRule is the rule id of problems that stand for a panic.
const FaultRule = "cutaway.fault"

var strict atomic.Bool

// Strict sets strict mode, which repeats panics instead of catching them, for tests of formats.
func Strict(on bool) { strict.Store(on) }

// recovered returns r, a result of recover, or panics again in strict mode.
func recovered(r any) any {
	if r != nil && strict.Load() {
		panic(r)
	}
	return r
}

func faultText(doing string, r any) string {
	return fmt.Sprintf("Cutaway failed while %s: %v. This is a fault of the program, not of the file", doing, r)
}

// fault returns the problem of a panic. It must be called by the deferred function, to record the stack of the panic.
func fault(at model.Span, doing string, r any) model.Problem {
	return model.Problem{Rule: FaultRule, Kind: model.Malformed, Span: at, Message: faultText(doing, r), Stack: string(debug.Stack())}
}

// caught turns a panic into *err. Defer it; the other results are then zero.
func caught(err *error, doing string) {
	if r := recovered(recover()); r != nil {
		*err = fault(model.Span{}, doing, r)
	}
}

// instead turns a panic into *result = value. Defer it; the other results are then zero.
func instead[T any](result *T, value T) {
	if recovered(recover()) != nil {
		*result = value
	}
}

// quiet turns a panic into zero results. Defer it.
func quiet() { _ = recovered(recover()) }

// Open calls f.Open and returns a panic as an error, a Problem of FaultRule.
func Open(ctx context.Context, f *model.Format, req *model.OpenRequest) (doc *model.Document, err error) {
	defer caught(&err, "opening the file as "+f.Name)
	if doc, err = f.Open(ctx, req); err != nil {
		return nil, err
	}
	guardDocument(doc)
	return doc, nil
}

// Detect calls f.Detect and returns a panic as a refusal.
func Detect(ctx context.Context, f *model.Format, p *model.Probe) (d model.Detection) {
	defer func() {
		if r := recovered(recover()); r != nil {
			d = model.Detection{Reason: faultText("looking at the file", r)}
		}
	}()
	return f.Detect(ctx, p)
}

// guardDocument wraps d in place, since others may hold it already.
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
	guardChecks(d)
	if sums := d.Checksums; sums != nil {
		d.Checksums = func(ctx context.Context, pr model.Progress) (list model.Object, err error) {
			defer caught(&err, "adding up checksums")
			return sums(ctx, pr)
		}
	}
	guardReleases(d)
	if refs := d.ReferencedBy; refs != nil {
		d.ReferencedBy = func(ctx context.Context, p *model.Place, limit int, pr model.Progress) (list []model.Ref, n int64, err error) {
			defer caught(&err, "looking for references")
			return refs(ctx, p, limit, pr)
		}
	}
	if named := d.Named; named != nil {
		d.Named = func(ctx context.Context, name string) (path string, ok bool) {
			defer quiet() // the name is unknown
			return named(ctx, name)
		}
	}
	guardFurther(d)
}

// guardChecks wraps the checks of a document, which report a panic as a problem.
func guardChecks(d *model.Document) {
	if check := d.Check; check != nil {
		d.Check = func(ctx context.Context, pr model.Progress, report func(string, model.Problem)) (err error) {
			defer func() {
				if r := recovered(recover()); r != nil {
					report(d.Source().LayoutPath(), fault(d.Source().Whole(), "checking", r))
				}
			}()
			return check(ctx, pr, report)
		}
	}
	if check := d.CheckData; check != nil {
		d.CheckData = func(ctx context.Context, root bool, pr model.Progress, report func(string, model.Problem)) (err error) {
			defer func() {
				if r := recovered(recover()); r != nil {
					report(d.Source().LayoutPath(), fault(d.Source().Whole(), "checking data", r))
				}
			}()
			return check(ctx, root, pr, report)
		}
	}
}

// guardFurther wraps the functions of d that open further documents.
func guardFurther(d *model.Document) {
	if set := d.SetOption; set != nil {
		d.SetOption = func(ctx context.Context, name, value string) (doc *model.Document, err error) {
			defer caught(&err, "setting "+name)
			doc, err = set(ctx, name, value)
			if doc != nil && doc != d {
				doc.Inner = d.Inner
				guardDocument(doc)
				doc.OnClose(d.Close) // doc reads d's files
			}
			return doc, err
		}
	}
	if change := d.Change; change != nil {
		d.Change = func(ctx context.Context, at *model.Place) (c *model.Change, err error) {
			defer caught(&err, "looking for what can be changed")
			if c, err = change(ctx, at); c != nil {
				guardChange(c)
			}
			return c, err
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

func guardChange(c *model.Change) {
	work := c.Make
	c.Make = func(ctx context.Context, text string) (b []byte, err error) {
		defer caught(&err, "making the changed file")
		return work(ctx, text)
	}
}

func guardReleases(d *model.Document) {
	if releases := d.Releases; releases != nil {
		d.Releases = func(ctx context.Context, pr model.Progress) (list []model.Release, err error) {
			defer caught(&err, "looking for what releases lack")
			list, err = releases(ctx, pr)
			for i := range list {
				guardRelease(&list[i])
			}
			return list, err
		}
	}
}

func guardRelease(r *model.Release) {
	if first := r.First; first != nil {
		r.First = func(ctx context.Context) (p model.LocatedProblem, err error) {
			defer caught(&err, "looking for what "+r.Program+" "+r.Name+" does not read")
			return first(ctx)
		}
	}
}

func guardView(v *model.View) {
	root := v.Root
	v.Root = func(ctx context.Context) (n model.Node) {
		defer orFailed(&n, v.Name)
		return guardNode(root(ctx))
	}
	if find := v.Find; find != nil {
		v.Find = func(ctx context.Context, s model.Span, limit int) (paths []string, n int64, err error) {
			defer caught(&err, "looking for the owner of bytes")
			return find(ctx, s, limit)
		}
	}
	if content := v.Content; content != nil {
		v.Content = func(ctx context.Context, p *model.Place) (c model.Content) {
			defer quiet() // the node counts as usual
			return content(ctx, p)
		}
	}
	guardWords(v)
	if indexed := v.Indexed; indexed != nil {
		v.Indexed = func(p *model.Place) (path string) {
			defer quiet() // the values are numbers
			return indexed(p)
		}
	}
	if v.Names != nil {
		v.Names = guardNames(v.Names)
	}
	if timeline := v.Timeline; timeline != nil {
		v.Timeline = func(ctx context.Context, progress model.Progress) (tracks []model.Track, err error) {
			defer caught(&err, "listing the times")
			tracks, err = timeline(ctx, progress)
			tracks = slices.Clone(tracks)
			for i := range tracks {
				guardTrack(&tracks[i])
			}
			return tracks, err
		}
	}
}

// guardWords guards what a view says of its nodes.
func guardWords(v *model.View) {
	if summary := v.Summary; summary != nil {
		v.Summary = func(ctx context.Context, n *model.Node) (text string) {
			defer quiet() // the value is shown
			return summary(ctx, n)
		}
	}
	if label := v.Label; label != nil {
		v.Label = func(ctx context.Context, n *model.Node) (text string) {
			defer quiet() // its name is shown
			return label(ctx, n)
		}
	}
	if fold := v.Fold; fold != nil {
		v.Fold = func(ctx context.Context, n *model.Node) (f model.Fold) {
			defer quiet() // no children are folded
			return fold(ctx, n)
		}
	}
	if kind := v.Kind; kind != nil {
		v.Kind = func(ctx context.Context, n *model.Node) (k model.NodeKind) {
			defer quiet() // it follows from the node
			return kind(ctx, n)
		}
	}
	if shows := v.Shows; shows != nil {
		v.Shows = func(ctx context.Context, p *model.Place) (path string, beside bool) {
			defer quiet() // the node has no cards
			return shows(ctx, p)
		}
	}
	if intro := v.Intro; intro != nil {
		v.Intro = func(ctx context.Context, p *model.Place) (i model.Intro) {
			defer quiet() // the node is introduced by its type
			return intro(ctx, p)
		}
	}
}

func guardNames(x *model.NameIndex) *model.NameIndex {
	return &model.NameIndex{
		Each: func(ctx context.Context, progress model.Progress, rank func(string) int, visit func(int, int64) bool) (err error) {
			defer caught(&err, "looking for names")
			return x.Each(ctx, progress, rank, visit)
		},
		Way: func(ctx context.Context, node int64) (way []int64) {
			defer quiet() // the node is not found
			return x.Way(ctx, node)
		},
	}
}

func guardTrack(t *model.Track) {
	read := t.Read
	t.Read = func(ctx context.Context, first int64, dst []model.Moment) (n int, err error) {
		defer caught(&err, "reading times")
		return read(ctx, first, dst)
	}
}

// orFailed turns a panic into a node with the fault as its problem. Defer it.
func orFailed(n *model.Node, name string) {
	if r := recovered(recover()); r != nil {
		*n = model.Node{Name: name, Problems: []model.Problem{fault(model.Span{}, "decoding this node", r)}}
	}
}

// guardNode wraps the functions of a node.
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
	if n.Principal != nil {
		n.Principal = guardPrincipal(n.Principal)
	}
	for i, d := range n.Derived {
		if i == 0 {
			n.Derived = append([]*model.Derivation(nil), n.Derived...)
		}
		n.Derived[i] = guardDerivation(d)
	}
	return n
}

// guardRefs, guardPrincipal and guardCards are separate from guardNode, because their closures would move the node to
// the heap, the greatest cost of a walk over a large tree.
func guardRefs(refs func(context.Context) []model.Ref) func(context.Context) []model.Ref {
	return func(ctx context.Context) (list []model.Ref) {
		defer quiet() // a node without links is better than none
		return refs(ctx)
	}
}

func guardPrincipal(spans func(context.Context) []model.Span) func(context.Context) []model.Span {
	return func(ctx context.Context) (list []model.Span) {
		defer quiet() // the other bytes are known
		return spans(ctx)
	}
}

func guardCards(cards func(context.Context) []model.Card, at model.Span) func(context.Context) []model.Card {
	return func(ctx context.Context) (list []model.Card) {
		defer func() {
			if r := recovered(recover()); r != nil {
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
