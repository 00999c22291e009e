package profile

import (
	"context"
	"strings"

	"cutaway/model"
)

// Bounds of the nodes that use another.
const (
	mostUsers    = 64 // references and siblings that are looked at
	ownersOfUser = 8  // nodes with the bytes of one
)

// rootOf returns the root of the view or source that a node is in.
func rootOf(p *model.Place) *model.Place {
	for p.Parent != nil {
		p = p.Parent
	}
	return p
}

// Users returns links to the nodes of the same view that use a node, each once. in are references to the node: one from
// another view stands for the nodes that have its bytes.
func Users(ctx context.Context, doc *model.Document, p *model.Place, in []model.Ref) (users []model.Ref) {
	root := rootOf(p)
	view := doc.View(root.Path())
	if view == nil {
		return nil
	}
	own, seen := p.Path()+"/", make(map[string]bool)
	for _, r := range in[:min(len(in), mostUsers)] {
		at, err := doc.Lookup(ctx, r.Path)
		if err != nil {
			continue
		}
		found := []*model.Place{at}
		if rootOf(at).Path() != root.Path() {
			if found, _, err = doc.Owners(ctx, view, at.Node.Span(), ownersOfUser); err != nil {
				continue
			}
		}
		for _, user := range found {
			user = unfolded(ctx, view, user)
			if path := user.Path() + "/"; seen[path] || strings.HasPrefix(path, own) || strings.HasPrefix(own, path) {
				continue
			}
			seen[user.Path()+"/"] = true
			users = append(users, model.Ref{Path: user.Path(), Text: fullLabel(ctx, view, user)})
		}
	}
	return users
}

// unfolded returns the nearest node at or above p that is no folded field.
func unfolded(ctx context.Context, v *model.View, p *model.Place) *model.Place {
	if v.Fold == nil {
		return p
	}
	for above := p; above.Parent != nil; above = above.Parent {
		if above.Index < v.Fold(ctx, &above.Parent.Node).Fields {
			p = above.Parent
		}
	}
	return p
}

// fullLabel returns the name of a node. That of a property or an element follows the name of the node that has it.
func fullLabel(ctx context.Context, v *model.View, p *model.Place) string {
	name := v.LabelOf(ctx, p)
	if p.Parent == nil || p.Parent.Parent == nil {
		return name
	}
	if _, element := model.ParseIndex(name); element {
		return v.LabelOf(ctx, p.Parent) + " " + name
	} else if strings.HasPrefix(name, ".") {
		return v.LabelOf(ctx, p.Parent) + name
	}
	return name
}

// numbering returns links to the siblings of an array whose elements are numbers of its elements.
func (m *maker) numbering() (users []model.Ref) {
	if m.view == nil || m.view.Indexed == nil || m.place.Parent == nil || m.array == nil || m.doc.Far() {
		return nil
	}
	n, _ := m.place.Parent.Len(m.ctx)
	for i := range min(n, mostUsers) {
		p := m.place.Parent.Child(m.ctx, i)
		if m.view.Indexed(p) != m.place.Path() {
			continue
		}
		_, of := meantBy(m.ctx, m.view, p)
		if of == nil {
			continue
		}
		if a, is := of.Node.Value.(model.Array); is {
			users = append(users, model.Ref{Path: p.Path(), Text: m.label(p) + " (" + model.Grouped(a.Len()) + ")"})
		}
	}
	return users
}
