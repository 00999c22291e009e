package odin

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
	"cutaway/source"
)

var gzipPlan = sync.OnceValue(func() *lang.Plan { return gzipLanguage.For(nil) })

// maxInflated bounds the size of an inflated payload.
const maxInflated = 256 << 20

// A gzipPart is gzip data inside of a source, inflated as a source of its own.
type gzipPart struct {
	in    model.Span
	src   *model.Source // its bytes are the good part
	fault *source.Fault
}

// newGzipPart inflates the data once, to know how much is good. owner is the path of the layout node whose derivation
// the source is.
func newGzipPart(ctx context.Context, owner string, in model.Span, title string) (*gzipPart, error) {
	var size textio.Counter
	var fault *source.Fault
	if err := source.CopyGzip(ctx, &size, in, -1, maxInflated); err != nil && !errors.As(err, &fault) {
		return nil, err
	}
	reader := source.Inflated(in, int64(size), source.CopyGzip)
	src := model.Derive(owner, "inflated", title, reader, model.Origin{
		Parent: in.Source, Spans: []model.Span{in}, Codec: "gzip",
		Map: source.NewFrameMapping(source.Unit{In: in, OutLen: int64(size)}),
	})
	return &gzipPart{in: in, src: src, fault: fault}, nil
}

// problems returns the problem that the data does not inflate to its end.
func (g *gzipPart) problems() []model.Problem {
	if g.fault == nil {
		return nil
	}
	kind := model.Malformed
	switch {
	case g.fault.Err != nil:
		kind = model.KindOf(g.fault.Err)
	case g.src.Size() == maxInflated:
		kind = model.Limit
	}
	at := min(max(g.fault.In, 0), g.in.Len)
	return []model.Problem{model.Problemf(kind, ruleGzip, g.in.Source.Span(g.in.Off+at, g.in.Len-at),
		"the payload does not inflate beyond its byte %d: %s", g.src.Size(), g.fault.Reason)}
}

// layoutNode returns the node of the gzip data. The source of the stream derives from the node, and root makes its
// layout.
func (g *gzipPart) layoutNode(ctx context.Context, name string, root func() model.Node) model.Node {
	n := model.Node{Name: name, Type: "gzip", Spans: []model.Span{g.in}, Problems: g.problems(),
		Children: gzipPlan().Record("gzip").Open(gzipPlan().Session(), grammar.Whole(g.in.Source), g.in.Off).Children(ctx), Brief: fmt.Sprintf("%d bytes inflated", g.src.Size())}
	n.Derived = []*model.Derivation{{Name: "inflated", Title: g.src.Title(), Codec: "gzip", Open: func(context.Context) (*model.Source, model.Node, error) {
		return g.src, root(), nil
	}}}
	return n
}
