package document

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/ui/nodes"
)

// indexed matches a path, and the indexes of an element at its end.
var indexed = regexp.MustCompile(`^(.*?)/?((?:\[\d+\])*)$`)

// GoToNear selects the node of a path that is from the selected node, or from one above it: .points[12] of a mesh is the element 12 of
// its points. So is a name in the format's own notation. It calls refused where there is none.
func (s *Navigation) GoToNear(text string, refused func()) {
	from := s.pane.current
	s.Tasks.Go(s.way.Next(s.Ctx), "going to "+text, func(ctx context.Context, _ model.Progress) func() {
		p := s.near(ctx, from, text)
		if p == nil {
			return refused
		}
		return func() { s.pane.Show(p, Showing{tree: true, focus: true, hex: true, history: true}) }
	})
}

// near returns the node that text stands for, or nil if there is none.
func (s *Navigation) near(ctx context.Context, from *model.Place, text string) *model.Place {
	parts := indexed.FindStringSubmatch(text)
	if parts == nil {
		return nil
	}
	path, indexes := parts[1], parts[2]
	if path == "" && from != nil {
		return s.elementOf(ctx, from, indexes)
	}
	if named := s.Doc.PathNamed(ctx, path); named != path {
		if p, err := s.Doc.Lookup(ctx, named); err == nil {
			return s.elementOf(ctx, p, indexes)
		}
	}
	for ; from != nil; from = from.Parent {
		if p, err := s.Doc.Lookup(ctx, from.Path()+"/"+path); err == nil {
			return s.elementOf(ctx, p, indexes)
		}
	}
	return nil
}

// elementOf returns an element of a node, or of the child whose children are shown as those of the node, or nil if there is none.
func (s *Navigation) elementOf(ctx context.Context, p *model.Place, indexes string) *model.Place {
	if indexes == "" {
		return p
	}
	below := "/" + strings.ReplaceAll(indexes, "][", "]/[")
	if v := s.Doc.View(nodes.ViewOf(p)); v.Fold != nil && p.Node.Children != nil {
		if through := v.Fold(ctx, &p.Node).Through; through >= 0 {
			p = p.Child(ctx, through)
		}
	}
	at, err := s.Doc.Lookup(ctx, p.Path()+below)
	if err != nil {
		return nil
	}
	return at
}

// Limits of completing a path: the children that are looked at, and the names that are told.
const mostCompleted, mostTold = 200_000, 12

// Complete looks for how a path that is typed may go on. It calls found with the longest text that all nodes have which begin so, the
// names of the first of them, and how many there are.
func (s *Navigation) Complete(within context.Context, text string, found func(longer string, names []string, all int)) {
	s.Tasks.Go(within, "completing "+text, func(ctx context.Context, _ model.Progress) func() {
		above, begun := "", text
		var names []string
		if slash := strings.LastIndexByte(text, '/'); slash < 0 {
			for _, v := range s.Doc.Views {
				names = append(names, v.Name)
			}
		} else {
			above, begun = text[:slash+1], text[slash+1:]
			if p, err := s.Doc.Lookup(ctx, text[:slash]); err == nil && p.Node.Children != nil {
				n, _ := p.Len(ctx)
				for i := range min(n, mostCompleted) {
					child := model.Lean(ctx, p.Node.Children, i)
					names = append(names, model.EscapeSegment(child.InPath()))
				}
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, begun) })
		longer := commonStart(names)
		if len(names) == 1 {
			if p, err := s.Doc.Lookup(ctx, above+longer); err == nil && p.Node.Children != nil {
				longer += "/"
			}
		}
		return func() { found(above+longer, names[:min(len(names), mostTold)], len(names)) }
	})
}

// commonStart returns what all names begin with.
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
