package udm

import (
	"context"
	"sync"

	"cutaway/model"
)

// heavyCount is how many children a part has at least whose children are found only when asked for, and then kept.
const heavyCount = 4096

// heavies knows the parts with many children. There are few of them: each has thousands of bytes.
type heavies struct {
	mu   sync.Mutex
	held map[position]*heavy
}

// position is an offset of a source.
type position struct {
	source string
	off    int64
}

// heavy is a part with many children.
type heavy struct {
	v        *bin
	content  model.Once[content]
	mu       sync.Mutex
	inLayout *model.Lazy
	inAsset  *model.Lazy
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
	d.heavies.mu.Lock()
	defer d.heavies.mu.Unlock()
	at := position{v.src.Name(), v.off}
	h := d.heavies.held[at]
	if h == nil {
		if d.heavies.held == nil {
			d.heavies.held = map[position]*heavy{}
		}
		h = &heavy{v: v}
		d.heavies.held[at] = h
	}
	return h
}

// load is the value's content, found once where it is heavy.
func (v *bin) load(ctx context.Context, progress model.Progress) (*content, error) {
	if !v.heavy(ctx) {
		return v.d.recent.get(position{v.src.Name(), v.off}, func() (*content, error) { return v.content(ctx, progress) })
	}
	h := v.d.heavyPart(v)
	return h.content.Get(ctx, progress, h.v.content)
}

// layout are the children of the heavy value's layout node.
func (h *heavy) layout(fields func(context.Context, model.Progress) ([]model.Node, error)) *model.Lazy {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.inLayout == nil {
		h.inLayout = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			nodes, err := fields(ctx, progress)
			if err != nil {
				return nil, err
			}
			return model.NewList(nodes...), nil
		})
	}
	return h.inLayout
}

// asset are the children of the heavy value's asset node.
func (h *heavy) asset(make func(context.Context, model.Progress) (model.Children, error)) *model.Lazy {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.inAsset == nil {
		h.inAsset = model.NewLazy(make)
	}
	return h.inAsset
}

// maxRecent is how many contents are kept of values that were looked at lately.
const maxRecent = 256

// recent keeps the contents of values that were looked at lately: going down to a node goes through the same elements
// again and again.
type recent struct {
	mu    sync.Mutex
	held  map[position]*content
	order [maxRecent]position
	next  int
}

func (r *recent) get(at position, find func() (*content, error)) (*content, error) {
	r.mu.Lock()
	k := r.held[at]
	r.mu.Unlock()
	if k != nil {
		return k, nil
	}
	k, err := find()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held == nil {
		r.held = make(map[position]*content, maxRecent)
	}
	if r.held[at] == nil {
		delete(r.held, r.order[r.next])
		r.order[r.next], r.held[at] = at, k
		r.next = (r.next + 1) % maxRecent
	}
	return k, nil
}
