package flatbuffer

import (
	"context"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/source"
)

// nestedBuffers are the FlatBuffers inside a buffer's vectors of bytes that were opened, by the offset of their first
// byte.
type nestedBuffers struct {
	mu  sync.Mutex
	all map[int64]*Tree
}

// maxNested is the most nested buffers that are kept. Others are made again when they are opened again.
const maxNested = 256

// nestedName ends the path of a nested buffer, after an @.
const nestedName = "flatbuffer"

// nestedNode returns the node of the elements of a vector of n bytes that is a FlatBuffer, whose root is the object of
// that number in the schema.
func (t *Tree) nestedNode(first, n int64, root int) model.Node {
	at := t.B.Span(first, n)
	return model.Node{
		Name: "elements", Type: "ubyte[]", Value: model.Blob{Span: at}, Spans: []model.Span{at},
		Help: "a FlatBuffer of its own, whose root table is a " + baseName(t.S.Objects[root].Name),
		Derived: []*model.Derivation{{
			Name: nestedName, Title: t.S.Objects[root].Name, Codec: model.StoredCodec,
			Open: func(ctx context.Context) (*model.Source, model.Node, error) {
				inner, err := t.nestedAt(ctx, first, n, root)
				if err != nil {
					return nil, model.Node{}, err
				}
				return inner.B.src, inner.Node(inner.Path, "a FlatBuffer inside a vector of bytes"), nil
			},
		}},
	}
}

// nestedAt returns the layout of the FlatBuffer whose n bytes begin at first.
func (t *Tree) nestedAt(ctx context.Context, first, n int64, root int) (*Tree, error) {
	t.nested.mu.Lock()
	defer t.nested.mu.Unlock()
	if inner := t.nested.all[first]; inner != nil {
		return inner, nil
	}
	at := t.B.Span(first, n)
	schema := *t.S
	schema.Root, schema.Identifier = root, ""
	src := model.Derive(t.ObjectPath(first-offsetSize)+"/elements", nestedName, baseName(schema.Objects[root].Name),
		model.NewWindow(at.Source, at.Off, at.Len),
		model.Origin{Parent: at.Source, Spans: []model.Span{at}, Codec: model.StoredCodec, Map: source.NewStoredMapping(at)})
	b := NewBuffer(src, 0, n, false).Rules(t.B.prefix)
	w, err := b.walk(ctx, &schema, openedBy, nil)
	if err != nil {
		return nil, err
	}
	inner := NewTree(b, Verdict{Schema: &schema, w: w}, src.LayoutPath())
	if len(t.nested.all) >= maxNested || t.nested.all == nil {
		t.nested.all = make(map[int64]*Tree)
	}
	t.nested.all[first] = inner
	return inner, nil
}

// referencedBy finds the users of a node in the buffer that it belongs to.
func (t *Tree) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	if inner := t.holding(p.Path()); inner != nil {
		return inner.referencedBy(ctx, p, limit, progress)
	}
	return t.Links.ReferencedBy(ctx, p, limit, progress)
}

// holding returns the nested buffer that the node at path is in, or nil if it is in none.
func (t *Tree) holding(path string) *Tree {
	t.nested.mu.Lock()
	defer t.nested.mu.Unlock()
	for _, inner := range t.nested.all {
		if path == inner.Path || strings.HasPrefix(path, inner.Path+"/") || strings.HasPrefix(path, inner.Path+"@") {
			return inner
		}
	}
	return nil
}
