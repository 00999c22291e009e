package udm

import (
	"context"
	"strings"

	"cutaway/model"
)

// walker goes down the asset by names.
type walker struct {
	ctx  context.Context
	path []string // of the asset node, escaped
	v    datum    // where it is; nil: at a packed value
	c    *contents
	row  bool // at a packed struct, whose members are next
	err  error
}

// walk begins at the root of the asset, or in a text without asset keys at its assetData.
func (d *udm) walk(ctx context.Context) (*walker, error) {
	a, err := d.openAsset(ctx, nil)
	if err != nil {
		return nil, err
	}
	w := &walker{ctx: ctx, path: []string{assetView}}
	if a == nil {
		return w, nil
	}
	w.v, w.c = a.top, a.c
	if a.bare {
		w.path = append(w.path, keyData)
	}
	return w, nil
}

func (w *walker) String() string { return strings.Join(w.path, "/") }

// contents is what is in the place reached.
func (w *walker) contents() *contents {
	if w.c == nil && w.v != nil {
		w.c, w.err = w.v.contents(w.ctx, nil)
	}
	if w.c == nil {
		return &contents{}
	}
	return w.c
}

// step goes to the child of that name, if there is one.
func (w *walker) step(name string) bool {
	c := w.contents()
	switch {
	case w.row:
		for _, n := range c.shape.names {
			if n == name {
				w.v, w.row, w.c = nil, false, &contents{}
				w.path = append(w.path, model.EscapeSegment(name))
				return true
			}
		}
		return false
	case c.rows != nil:
		if w.v.kind() == tStruct {
			w.row = true
			return w.step(name)
		}
		i, ok := model.ParseIndex(name)
		if !ok || i >= c.rows.len(w.ctx) || c.rows.nodes(w.ctx) == nil {
			return false
		}
		w.row = c.shape != nil
		if !w.row {
			w.c = &contents{}
		}
		w.v = nil
	case c.named:
		i, ok := c.find(w.ctx, name)
		if !ok {
			return false
		}
		w.v, w.c = c.at(w.ctx, i).datum, nil
	default:
		i, ok := model.ParseIndex(name)
		if !ok || i >= c.n {
			return false
		}
		w.v, w.c = c.at(w.ctx, i).datum, nil
	}
	w.path = append(w.path, model.EscapeSegment(name))
	return true
}

// kind is the type of the place reached; tUnknown: a packed value.
func (w *walker) kind() typeID {
	if w.v == nil {
		return tUnknown
	}
	return w.v.kind()
}

// owned is what a layout path turned out to be.
type owned struct {
	path   string // of the asset node that owns the layout node
	parent string // of the layout's element, where the path is that of a key or a child of it
	isKey  bool
	other  string // the name in the parent of the key's value, or the number of the value's key
}

// owner finds the asset node that owns a layout node, by the names on the way.
func (d *udm) owner(ctx context.Context, path string) (owned, error) {
	w, err := d.walk(ctx)
	if err != nil {
		return owned{}, err
	}
	segments := strings.Split(path, "/")
	o := &ownerSearch{w: w, rest: segments[1:], seen: segments[:1]}
	if d.binary {
		if len(o.rest) > 0 && o.next() == rootName {
			o.binary(ctx)
		}
	} else {
		o.block(ctx)
	}
	o.found.path = w.String()
	return o.found, w.err
}

// ownerSearch reads a layout path from the front.
type ownerSearch struct {
	w     *walker
	seen  []string
	rest  []string
	found owned
}

// next takes a segment; "" behind the last.
func (o *ownerSearch) next() string {
	if len(o.rest) == 0 {
		return ""
	}
	s := o.rest[0]
	o.seen, o.rest = append(o.seen[:len(o.seen):len(o.seen)], s), o.rest[1:]
	return s
}

func (o *ownerSearch) parent() string { return strings.Join(o.seen, "/") }

// step takes a segment as the name of a child of the asset node.
func (o *ownerSearch) step() bool {
	s := o.next()
	return s != "" && o.w.step(keyName(model.UnescapeSegment(s)))
}

// binary reads what is in a value in the binary form.
func (o *ownerSearch) binary(ctx context.Context) {
	for {
		o.found = owned{}
		at := o.parent()
		s, derived, _ := strings.Cut(o.next(), "@")
		switch {
		case derived != "":
			continue
		case s == valuesName:
			number := o.keyNumber(ctx)
			o.found = owned{parent: at, other: number}
			if !o.plainStep() {
				o.found = owned{}
				return
			}
		case s == keysName:
			o.key(ctx, at)
			return
		case s == itemsName:
			if !o.plainStep() {
				return
			}
		case s == dataName:
			if o.plainStep() {
				o.plainStep()
			}
			return
		default:
			return
		}
		if len(o.rest) == 0 {
			return
		}
	}
}

// plainStep is step where the names are the keys.
func (o *ownerSearch) plainStep() bool {
	s := o.next()
	return s != "" && o.w.step(model.UnescapeSegment(s))
}

// keyNumber is the number of the key of the child whose name is next.
func (o *ownerSearch) keyNumber(ctx context.Context) string {
	c := o.w.contents()
	if len(o.rest) == 0 || !c.named {
		return ""
	}
	i, ok := c.find(ctx, model.UnescapeSegment(o.rest[0]))
	if !ok {
		return ""
	}
	return model.IndexName(i)
}

// key goes to the child whose key has the number that is next.
func (o *ownerSearch) key(ctx context.Context, at string) {
	c := o.w.contents()
	i, ok := model.ParseIndex(o.next())
	if !ok || !c.named || i >= c.n {
		return
	}
	name := c.at(ctx, i).name
	if o.w.step(name) {
		o.found = owned{parent: at, isKey: true, other: model.EscapeSegment(name)}
	}
}

// block reads what is in a block of a text.
func (o *ownerSearch) block(ctx context.Context) {
	if len(o.rest) == 0 || !strings.HasSuffix(o.rest[0], "'") && reserved.MatchString(model.UnescapeSegment(o.rest[0])) {
		return
	}
	if o.step() {
		o.value(ctx)
	}
}

// value reads what is in an entry or an item of a text.
func (o *ownerSearch) value(ctx context.Context) {
	switch o.next() {
	case roleNames[isBlock]:
		o.block(ctx)
	case roleNames[isValue]:
		if o.w.kind() == tStruct {
			o.plainStep()
		}
	case roleNames[isItems]:
		if !o.plainStep() {
			return
		}
		switch o.w.kind() {
		case tElement:
			o.block(ctx)
		case tUnknown:
			o.plainStep()
		default:
			o.value(ctx)
		}
	case roleNames[isData]:
		if o.next() == roleNames[isBase64]+"@"+decodedName && o.next() == blockName+"@"+inflatedName {
			o.binary(ctx)
		}
	}
}

// find returns the asset node that owns the bytes of s.
func (d *udm) find(ctx context.Context, s model.Span) ([]string, error) {
	p, err := d.doc.ResolveAt(ctx, s.Source, s.Off, nil)
	if err != nil || p == nil {
		return nil, err
	}
	o, err := d.owner(ctx, p.Path())
	if err != nil {
		return nil, err
	}
	return []string{o.path}, nil
}

// references are the properties of type ref, by the paths of their targets.
type references struct{ to map[string][]string }

// referencedBy lists the asset node that owns a layout node, the key of a value and the value of a key; and for an asset
// node the references to it.
func (d *udm) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := p.Path()
	var refs []model.Ref
	if view, _, _ := strings.Cut(path, "/"); strings.HasPrefix(view, model.LayoutView) {
		o, err := d.owner(ctx, path)
		if err != nil {
			return nil, 0, err
		}
		refs = append(refs, model.Ref{Kind: "asset", Path: o.path})
		switch {
		case o.isKey:
			refs = append(refs, model.Ref{Kind: "key", Path: o.parent + "/" + valuesName + "/" + o.other})
		case o.other != "":
			refs = append(refs, model.Ref{Kind: "value", Path: o.parent + "/" + keysName + "/" + o.other})
		}
	} else {
		all, err := d.targets.Get(ctx, progress, d.collectReferences)
		if err != nil {
			return nil, 0, err
		}
		for _, from := range all.to[path] {
			refs = append(refs, model.Ref{Kind: "reference", Path: from})
		}
	}
	n := int64(len(refs))
	return refs[:min(len(refs), limit)], n, nil
}

// collectReferences goes through the asset for properties of type ref.
func (d *udm) collectReferences(ctx context.Context, progress model.Progress) (*references, error) {
	all := &references{to: map[string][]string{}}
	err := d.eachDatum(ctx, progress, func(s *step) error {
		if s.datum.kind() != tRef {
			return nil
		}
		text, _ := s.datum.look(s.ctx).value.(model.Text)
		if to, ok := d.target(ctx, string(text)); ok {
			all.to[to] = append(all.to[to], s.at.String())
		}
		return nil
	})
	return all, err
}

// target is the path of the asset node that a reference leads to: parts relative to assetData with / between them, each
// with any number of [index] behind it.
func (d *udm) target(ctx context.Context, ref string) (string, bool) {
	w, err := d.walk(ctx)
	if err != nil || ref == "" {
		return "", false
	}
	if len(w.path) == 1 && !w.step(keyData) {
		return "", false
	}
	for _, part := range strings.Split(ref, "/") {
		if part == "" {
			continue
		}
		if !w.step(part) && !w.indexed(part) {
			return "", false
		}
	}
	return w.String(), w.err == nil
}

// indexed steps to a name and from there to the numbers in brackets behind it.
func (w *walker) indexed(part string) bool {
	open := strings.IndexByte(part, '[')
	if open < 0 || !w.step(part[:open]) {
		return false
	}
	for part = part[open:]; part != ""; {
		index, rest, ok := strings.Cut(part, "]")
		if !ok || !w.step(index+"]") {
			return false
		}
		part = rest
	}
	return true
}
