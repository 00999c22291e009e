package udm

import (
	"context"

	"cutaway/model"
)

// heavyCount is how many children a part has at least whose children are found only when asked for, and then kept.
const heavyCount = 4096

// position is an offset of a source.
type position struct {
	source string
	off    int64
}

// heavy is a part with many children.
type heavy struct {
	v       *bin
	content model.Once[content]
	inView  model.Cache[string, *model.Lazy] // its children in each view
}

// heavy tells whether finding the value's children takes time.
func (v *bin) heavy(ctx context.Context) bool {
	if v.end-v.off < 2*heavyCount || v.typ != tElement && v.typ != tArray {
		return false
	}
	typ, count, ok := v.itemCount(ctx)
	return ok && count > heavyCount && !typ.fixed() && typ != tStruct
}

// heavyRoot is what is kept of an inflated source with many items.
func (d *udm) heavyRoot(src *model.Source) *heavy {
	return d.heavyPart(&bin{d: d, src: src, off: -1})
}

// heavyPart is what is kept of a heavy value.
func (d *udm) heavyPart(v *bin) *heavy {
	return d.heavies.Of(position{v.src.Name(), v.off}, func() *heavy { return &heavy{v: v} })
}

// load is the value's content, found once where it is heavy.
func (v *bin) load(ctx context.Context, progress model.Progress) (*content, error) {
	if !v.heavy(ctx) {
		return v.d.recent.Get(ctx, position{v.src.Name(), v.off}, func(ctx context.Context) (*content, error) { return v.content(ctx, progress) })
	}
	h := v.d.heavyPart(v)
	return h.content.Get(ctx, progress, h.v.content)
}

// layout are the children of the heavy value's layout node.
func (h *heavy) layout(fields func(context.Context, model.Progress) ([]model.Node, error)) *model.Lazy {
	return h.inView.Of(model.LayoutView, func() *model.Lazy {
		return model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			nodes, err := fields(ctx, progress)
			if err != nil {
				return nil, err
			}
			return model.NewList(nodes...), nil
		})
	})
}

// asset are the children of the heavy value's asset node.
func (h *heavy) asset(make func(context.Context, model.Progress) (model.Children, error)) *model.Lazy {
	return h.inView.Of(assetView, func() *model.Lazy { return model.NewLazy(make) })
}

// maxRecent is how many contents are kept of values that were looked at lately: going down to a node goes through the
// same elements again and again.
const maxRecent = 256
