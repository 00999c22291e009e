package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// Named returns a function from names to paths of a view of the scene. It resolves USD paths by paths, and
// model.DefaultName to the default prim, or to the root of the layer if it has none. scene holds the children of the
// root.
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

// defaultPrim returns the USD path of the prim that a reference without a path targets, or "/" if the layer names none.
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
