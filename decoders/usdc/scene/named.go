package scene

import (
	"context"
	"strings"

	"cutaway/decoders/usdc/table"
)

// Named returns the path in the scene of the object that a USD path, such as /World/Mesh.points, leads to.
func (s *Scene) Named(ctx context.Context, name string) (path string, ok bool) {
	x, err := s.Index(ctx, nil)
	if err != nil || !strings.HasPrefix(name, "/") || x.Paths.Items() == 0 {
		return "", false
	}
	item := int32(0)
	for rest := name[1:]; rest != ""; {
		element, after := table.FirstElement(rest)
		if item, ok = x.under(ctx, item, element); !ok {
			return "", false
		}
		rest = strings.TrimPrefix(after, "/")
	}
	return x.Path(ctx, item), true
}

// under returns the item under another one that adds an element to its path.
func (x *Index) under(ctx context.Context, item int32, element string) (kid int32, ok bool) {
	for _, kid := range x.kids.Of(int64(item)).All() {
		if x.Paths.Element(ctx, int32(kid)) == element {
			return int32(kid), true
		}
	}
	return 0, false
}
