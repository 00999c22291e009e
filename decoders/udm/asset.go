package udm

import (
	"context"
	"slices"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// The keys of the root element (4.1).
const (
	keyType    = "assetType"
	keyVersion = "assetVersion"
	keyData    = "assetData"
)

// What stands for the asset keys in a text that has none (8.4).
const (
	noAssetType    = "nil"
	noAssetVersion = 1
)

// A datum is one value of the tree, in either form.
type datum interface {
	kind() types.ID
	span() model.Span
	// layoutPath returns the path of the node in the layout.
	layoutPath(context.Context) string
	// look returns the value, words and problems of the node; it is quick.
	look(context.Context) shownDatum
	// contents returns the children, items or packed values. It fails only when ctx ends.
	contents(ctx context.Context, progress model.Progress) (*contents, error)
	// pending returns the nodes that find finds, made in the background, or nil if finding them takes no time.
	pending(ctx context.Context, find func(context.Context, model.Progress) (model.Children, error)) model.Children
}

// A shownDatum holds the parts of a datum's node.
type shownDatum struct {
	value    model.Value
	brief    string
	problems []model.Problem
	rows     rows // of an array of packed values, or a struct
}

// A contents holds the children of an element, the items of an array, or packed values.
type contents struct {
	named bool
	n     int64
	at    func(ctx context.Context, i int64) member
	find  func(ctx context.Context, name string) (int64, bool) // of named ones
	over  func(ctx context.Context, src *model.Source, off int64) (int64, bool)
	rows  rows
	block *block   // that it was inflated from
	item  types.ID // of an array
	shape *shape
	data  model.Span // of blob, utf8 and lz4: the bytes
}

// member is a child of an element, or an item.
type member struct {
	segment string // what paths have for its node
	key     string
	child   bool // of an element: its key is its name
	keySpan model.Span
	keyPath string // of the key's layout node
	datum   datum
}

// rows are packed values.
type rows interface {
	array(context.Context) model.Value // nil: structs
	nodes(context.Context) model.Children
	cards(context.Context) func(context.Context) []model.Card
	len(context.Context) int64
	elem() string
	types() (item types.ID, s *shape)
	// eachValue visits all; those of structs are tuples.
	eachValue(ctx context.Context, visit func(v model.Value) error) error
}

// assetRoot is the root of the tree by meaning.
func (d *udm) assetRoot(ctx context.Context) model.Node {
	n := model.Node{Name: assetView, Type: "asset", Children: d.asset, Help: "the kind of the asset, its version, and its content by property path"}
	n.Cards = func(context.Context) []model.Card { return []model.Card{&wholeASCII{CardBase: asciiTitle, d: d}} }
	if d.binary && (d.root == nil || !d.root.many(ctx)) {
		n.Children = model.DeferList(d.topNodes)
	}
	return n
}

func (d *udm) topNodes(ctx context.Context) []model.Node {
	children, err := d.assetChildren(ctx, nil)
	if err != nil {
		return nil
	}
	n, _ := children.Len(ctx)
	nodes := make([]model.Node, n)
	for i := range nodes {
		nodes[i] = children.At(ctx, int64(i))
	}
	return nodes
}

// top returns the root element, or nil if there is none.
func (d *udm) top(ctx context.Context, progress model.Progress) (datum, error) {
	if d.binary {
		if d.root == nil || d.root.typ != types.Element {
			return nil, nil
		}
		return d.root, nil
	}
	t, err := d.scan(ctx, progress)
	if err != nil {
		return nil, err
	}
	return t.file(), nil
}

// asset is the root element and where its asset keys are.
type asset struct {
	top  datum
	c    *contents
	keys []int64 // those of the children assetType, assetVersion, assetData that the root has
	bare bool    // a text without asset keys, which is the content of assetData
}

// text is the root element of a text.
func (a *asset) text() (*textValue, bool) {
	if a == nil {
		return nil, false
	}
	v, ok := a.top.(*textValue)
	return v, ok
}

// openAsset finds the asset keys. It returns nil if there is no root element.
func (d *udm) openAsset(ctx context.Context, progress model.Progress) (*asset, error) {
	top, err := d.top(ctx, progress)
	if top == nil || err != nil {
		return nil, err
	}
	a := &asset{top: top}
	if a.c, err = top.contents(ctx, progress); err != nil {
		return nil, err
	}
	for _, key := range []string{keyType, keyVersion, keyData} {
		if i, ok := a.c.find(ctx, key); ok {
			a.keys = append(a.keys, i)
		} else {
			a.bare = !d.binary && key == keyData
		}
	}
	return a, nil
}

// child returns the value of a child of the root, or nil if the root has no such child.
func (a *asset) child(ctx context.Context, key string) datum {
	if i, ok := a.c.find(ctx, key); ok && !a.bare {
		return a.c.at(ctx, i).datum
	}
	return nil
}

func (d *udm) assetChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	a, err := d.openAsset(ctx, progress)
	if err != nil {
		return nil, err
	}
	switch {
	case a == nil:
		return model.NewList(), nil
	case a.bare:
		content := d.assetNode(ctx, member{segment: keyData, datum: a.top})
		content.Help = "a text without assetType, assetVersion and assetData is the content of assetData"
		return model.NewList(
			model.Node{Name: keyType, Type: types.String.String(), Value: model.Text(noAssetType), Help: "taken, for the text does not say it"},
			model.Node{Name: keyVersion, Type: types.Uint32.String(), Value: model.Uint(noAssetVersion), Help: "taken, for the text does not say it"},
			content), nil
	}
	sorted := slices.Clone(a.keys)
	slices.Sort(sorted)
	order := func(i int64) int64 {
		if i < int64(len(a.keys)) {
			return a.keys[i]
		}
		i -= int64(len(a.keys))
		for _, key := range sorted {
			if i >= key {
				i++
			}
		}
		return i
	}
	row := func(child int64, ok bool) (int64, bool) {
		if k := slices.Index(a.keys, child); k >= 0 {
			return int64(k), ok
		}
		i := child + int64(len(a.keys))
		for _, key := range sorted {
			if key < child {
				i--
			}
		}
		return i, ok
	}
	return &model.Rows{
		Count:  a.c.n,
		Make:   func(ctx context.Context, i int64) model.Node { return d.assetNode(ctx, a.c.at(ctx, order(i))) },
		ByName: func(ctx context.Context, name string) (int64, bool) { return row(a.c.find(ctx, name)) },
		ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
			return row(a.c.over(ctx, src, off))
		},
	}, nil
}

// spans returns the bytes of the value and of the key, as far as there are some.
func (m *member) spans() (all []model.Span) {
	for _, at := range []model.Span{m.datum.span(), m.keySpan} {
		if at.Source != nil {
			all = append(all, at)
		}
	}
	return all
}

// assetNode is the node of a child or an item.
func (d *udm) assetNode(ctx context.Context, m member) model.Node {
	v := m.datum
	l := v.look(ctx)
	n := model.Node{Name: m.segment, Type: types.Title(v.kind()), Value: l.value, Brief: l.brief, Problems: l.problems, Help: v.kind().Help()}
	if m.child {
		n = n.Named(m.key)
	}
	if n.Spans = m.spans(); len(n.Spans) == 2 { // the key only names it
		value := n.Spans[:1:1]
		n.Principal = func(context.Context) []model.Span { return value }
	}
	n.Refs = func(ctx context.Context) []model.Ref { return d.assetRefs(ctx, m, l.value) }
	n.Cards = func(ctx context.Context) []model.Card {
		cards := []model.Card{&asASCII{CardBase: asciiTitle, m: m}}
		if l.rows != nil && l.rows.cards(ctx) != nil {
			cards = append(l.rows.cards(ctx)(ctx), cards...)
		}
		return append(meshCards(ctx, v), cards...)
	}
	switch {
	case l.rows != nil && v.kind() == types.Struct:
		if l.rows.len(ctx) > 0 {
			n.Children = alone(ctx, l.rows)
		}
	case l.rows != nil:
		n.Children = withWords(ctx, l.rows)
		n.Elements = n.Children != nil
		if l.rows.len(ctx) == 0 {
			_, s := l.rows.types()
			n.Columns = s.columns()
		}
	case v.kind() == types.Element || v.kind() == types.Array || v.kind() == types.ArrayLZ4:
		n.Children = d.childNodes(ctx, v)
		if v.kind() != types.Element {
			n.Columns = []model.Column{}
		}
	}
	return n
}

// withWords are the nodes of packed values, each with its text.
func withWords(ctx context.Context, r rows) model.Children {
	nodes := r.nodes(ctx)
	if nodes == nil {
		return nil
	}
	return &model.Rows{Count: r.len(ctx), Make: func(ctx context.Context, i int64) model.Node {
		n := nodes.At(ctx, i)
		n.Cards = func(context.Context) []model.Card {
			item, s := r.types()
			return []model.Card{&valueASCII{CardBase: asciiTitle, value: n.Value, typ: item, shape: s}}
		}
		return n
	}}
}

// alone is the members of the one struct of r.
func alone(ctx context.Context, r rows) model.Children {
	if nodes := r.nodes(ctx); nodes != nil {
		return nodes.At(ctx, 0).Children
	}
	return nil
}

// childNodes returns the nodes of the contents of a datum.
func (d *udm) childNodes(ctx context.Context, v datum) model.Children {
	find := func(ctx context.Context, progress model.Progress) (model.Children, error) {
		c, err := v.contents(ctx, progress)
		if err != nil {
			return nil, err
		}
		return &model.Rows{
			Count: c.n, Make: func(ctx context.Context, i int64) model.Node { return d.assetNode(ctx, c.at(ctx, i)) }, ByName: c.find, ByByte: c.over,
		}, nil
	}
	if children := v.pending(ctx, find); children != nil {
		return children
	}
	return model.Defer(func(ctx context.Context) model.Children {
		children, err := find(ctx, nil)
		if err != nil { // ctx's
			return model.NewList()
		}
		return children
	})
}

func (d *udm) assetRefs(ctx context.Context, m member, value model.Value) []model.Ref {
	refs := []model.Ref{{Kind: "layout", Path: m.datum.layoutPath(ctx)}}
	if m.keyPath != "" {
		refs = append(refs, model.Ref{Kind: "key", Path: m.keyPath, Text: m.key})
	}
	if text, ok := value.(model.Text); ok && m.datum.kind() == types.Ref {
		if path, ok := d.target(ctx, string(text)); ok {
			refs = append(refs, model.Ref{Kind: "reference", Path: path, Text: string(text)})
		} else if text != "" {
			refs = append(refs, model.Ref{Kind: "reference", Span: m.datum.span(), Text: string(text) + ": nothing in this asset has this path"})
		}
	}
	return refs
}
