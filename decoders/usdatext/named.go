package usdatext

import (
	"context"
	"strings"

	"cutaway/model"
)

// named returns the scene path of the spec with a USD path such as /World/Mesh.points.
func (l *layer) named(ctx context.Context, name string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(name, "/")
	if _, err := l.load(ctx, nil); err != nil || !ok {
		return "", false
	}
	path = sceneView
	for at := int32(0); rest != ""; rest = strings.TrimPrefix(rest, "/") {
		var element string
		if at, element = l.under(at, rest); element == "" {
			return "", false
		}
		path += "/" + model.EscapeSegment(l.segment(ctx, at))
		rest = rest[len(element):]
	}
	return path, true
}

// under returns the child that rest begins with and its element there, or "" if rest begins with none.
func (l *layer) under(of int32, rest string) (i int32, element string) {
	for k := l.index.specs[of].kid; k >= 0; k = l.index.specs[k].next {
		if l.index.specs[k].kind == kindVariantSet { // its variants are siblings in the scene
			if i, element = l.under(k, rest); element != "" {
				return i, element
			}
		}
		e := l.element(k)
		if after, is := strings.CutPrefix(rest, e); is && (after == "" || e[0] == '{' || strings.IndexByte("/.{", after[0]) >= 0) {
			return k, e
		}
	}
	return 0, ""
}
