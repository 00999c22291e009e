package search

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"cutaway/model"
)

// indexed matches a path, and the indexes of an element at its end.
var indexed = regexp.MustCompile(`^(.*?)/?((?:\[\d+\])*)$`)

// Near returns the node of a path from another node, or from one above it: .points[12] of a mesh is the element 12 of its
// points. The path may be a name in the format's own notation. Near returns nil if there is no such node.
func Near(ctx context.Context, d *model.Document, from *model.Place, text string) *model.Place {
	parts := indexed.FindStringSubmatch(text)
	if parts == nil {
		return nil
	}
	path, indexes := parts[1], parts[2]
	if path == "" && from != nil {
		return elementOf(ctx, d, from, indexes)
	}
	if named := d.PathNamed(ctx, path); named != path {
		if p, err := d.Lookup(ctx, named); err == nil {
			return elementOf(ctx, d, p, indexes)
		}
	}
	for ; from != nil; from = from.Parent {
		if p, err := d.Lookup(ctx, from.Path()+"/"+path); err == nil {
			return elementOf(ctx, d, p, indexes)
		}
	}
	return nil
}

// elementOf returns an element of a node, or of the child whose children are shown as those of the node, or nil.
func elementOf(ctx context.Context, d *model.Document, p *model.Place, indexes string) *model.Place {
	if indexes == "" {
		return p
	}
	below := "/" + strings.ReplaceAll(indexes, "][", "]/[")
	if v := d.View(p.Segments()[0].Path()); v != nil && v.Fold != nil && p.Node.Children != nil {
		if through := v.Fold(ctx, &p.Node).Through; through >= 0 {
			p = p.Child(ctx, through)
		}
	}
	at, err := d.Lookup(ctx, p.Path()+below)
	if err != nil {
		return nil
	}
	return at
}

// mostCompleted is the most children that are compared with the beginning of a name.
const mostCompleted = 200_000

// Complete returns the longest text that all paths have which begin with text, and the last names of these paths.
func Complete(ctx context.Context, d *model.Document, text string) (longer string, names []string) {
	above, begun := "", text
	if slash := strings.LastIndexByte(text, '/'); slash < 0 {
		for _, v := range d.Views {
			names = append(names, v.Name)
		}
	} else {
		above, begun = text[:slash+1], text[slash+1:]
		if p, err := d.Lookup(ctx, text[:slash]); err == nil && p.Node.Children != nil {
			n, _ := p.Len(ctx)
			for i := range min(n, mostCompleted) {
				child := model.Lean(ctx, p.Node.Children, i)
				names = append(names, model.EscapeSegment(child.InPath()))
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, begun) })
	longer = above + commonStart(names)
	if len(names) == 1 {
		if p, err := d.Lookup(ctx, longer); err == nil && p.Node.Children != nil {
			longer += "/"
		}
	}
	return longer, names
}

// commonStart returns the longest text that all names begin with.
func commonStart(names []string) (start string) {
	for i, name := range names {
		if i == 0 {
			start = name
		}
		for !strings.HasPrefix(name, start) {
			start = start[:len(start)-1]
		}
	}
	return strings.ToValidUTF8(start, "")
}
