package udm

import (
	"context"
	"slices"
	"strings"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// A walker descends the asset by names.
type walker struct {
	ctx  context.Context
	path []string // of the asset node, escaped
	v    datum    // where it is, or nil if that is a packed value
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

// contents returns the contents of the place that was reached.
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
		if w.v.kind() == types.Struct {
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

// references are the properties of type ref, by the paths of their targets.
type references struct{ to map[string][]string }

// referencedBy lists the asset node that owns a layout node, the key of a value and the value of a key, or the references to an
// asset node.
func (d *udm) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	var refs []model.Ref
	if p.Of != nil {
		owner, err := d.doc.View(assetView).Descend(ctx, p.Node.Span())
		if err != nil {
			return nil, 0, err
		}
		refs = append([]model.Ref{{Kind: "asset", Path: owner.Path()}}, sameNumber(ctx, p)...)
	} else {
		all, err := d.targets.Get(ctx, progress, d.collectReferences)
		if err != nil {
			return nil, 0, err
		}
		for _, from := range all.to[p.Path()] {
			refs = append(refs, model.Ref{Kind: "reference", Path: from})
		}
	}
	n := int64(len(refs))
	return refs[:min(len(refs), limit)], n, nil
}

// sameNumber leads from a key of a binary element to the value of its number, and from a value to its key.
func sameNumber(ctx context.Context, p *model.Place) []model.Ref {
	for at := p; at.Parent != nil && at.Parent.Parent != nil; at = at.Parent {
		other, kind := valuesName, "key"
		if at.Parent.Node.Name == valuesName && at == p {
			other, kind = keysName, "value"
		} else if at.Parent.Node.Name != keysName {
			continue
		}
		element := at.Parent.Parent
		if i, ok := model.IndexOf(ctx, element.Node.Children, other); ok {
			if list := element.Child(ctx, i); list.Node.Children != nil {
				if n, _ := list.Len(ctx); at.Index < n {
					return []model.Ref{{Kind: kind, Path: list.Child(ctx, at.Index).Path()}}
				}
			}
		}
		return nil
	}
	return nil
}

// collectReferences visits the asset for properties of type ref.
func (d *udm) collectReferences(ctx context.Context, progress model.Progress) (*references, error) {
	all := &references{to: map[string][]string{}}
	err := d.eachDatum(ctx, progress, func(s *step) error {
		if s.datum.kind() != types.Ref {
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
// with any number of [index] after it.
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

// named is the path of the property that a path of the engine's names, with dots or slashes between its parts: "flags.loop". It
// is relative to assetData, else to the root.
func (d *udm) named(ctx context.Context, name string) (string, bool) {
	name = strings.Trim(name, "/")
	root, err := d.walk(ctx)
	if err != nil || name == "" {
		return "", false
	}
	if data := root.copy(); len(data.path) == 1 && data.step(keyData) {
		if w := data.follow(name); w != nil {
			return w.String(), true
		}
	}
	w := root.follow(name)
	if w == nil {
		return "", false
	}
	return w.String(), true
}

func (w *walker) copy() *walker {
	c := *w
	c.path = slices.Clone(w.path)
	return &c
}

// follow returns the walker at the end of a path with dots or slashes, or nil if the path leads nowhere. Keys may have dots
// themselves, so that long ones are tried before short ones.
func (w *walker) follow(path string) *walker {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], "./") {
		c := w.copy()
		if !c.step(path[:end]) && !w.indexedAt(&c, path[:end]) {
			continue
		}
		if end == len(path) {
			return c
		}
		if c = c.follow(path[end+1:]); c != nil {
			return c
		}
	}
	return nil
}

// indexedAt makes c w's copy after a step to a name with numbers after it.
func (w *walker) indexedAt(c **walker, part string) bool {
	*c = w.copy()
	return (*c).indexed(part)
}

// indexed steps to a name and from there to the numbers in brackets after it.
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
