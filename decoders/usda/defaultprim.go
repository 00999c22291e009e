package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// Named is how names lead to nodes of the view of a layer's scene: USD paths as paths says, model.DefaultName to the default prim,
// and to the root where the layer names none. scene is the children of the root.
func Named(view string, scene *model.Lazy, paths func(ctx context.Context, path string) (string, bool)) func(context.Context, string) (string, bool) {
	return func(ctx context.Context, name string) (string, bool) {
		if name != model.DefaultName {
			return paths(ctx, name)
		}
		if path, ok := paths(ctx, defaultPrim(ctx, scene)); ok {
			return path, true
		}
		return view, true
	}
}

// defaultPrim is the USD path of the prim that a reference without one leads to; "/": the layer names none.
func defaultPrim(ctx context.Context, scene *model.Lazy) string {
	if scene.Resolve(ctx, nil) != nil {
		return "/"
	}
	i, ok := model.IndexOf(ctx, scene, "defaultPrim")
	if !ok {
		return "/"
	}
	n := scene.At(ctx, i)
	name, _ := n.Value.(model.Text)
	return "/" + strings.TrimPrefix(string(name), "/") // it may be a path
}
