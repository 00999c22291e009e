package decodertest

import (
	"context"

	"cutaway/model"
)

// Plain returns a copy of a view whose children implement no optional interface, so that callers visit every node.
func Plain(v *model.View) *model.View {
	p := *v
	p.Root = func(ctx context.Context) model.Node { return plainNode(v.Root(ctx)) }
	return &p
}

func plainNode(n model.Node) model.Node {
	if n.Children != nil {
		n.Children = plain{n.Children}
	}
	return n
}

// plain hides the optional interfaces of Children.
type plain struct{ in model.Children }

var _ model.Pending = plain{}

func (p plain) Len(ctx context.Context) (int64, bool) { return p.in.Len(ctx) }

func (p plain) At(ctx context.Context, i int64) model.Node { return plainNode(p.in.At(ctx, i)) }

func (p plain) Pending() bool {
	in, ok := p.in.(model.Pending)
	return ok && in.Pending()
}

func (p plain) Resolve(ctx context.Context, progress model.Progress) error {
	return p.in.(model.Pending).Resolve(ctx, progress)
}
