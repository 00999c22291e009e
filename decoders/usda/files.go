package usda

import (
	"context"
	"errors"
	"path"
	"regexp"
	"strconv"
	"strings"

	"cutaway/model"
)

// Files describes how layers name other files, and how usd-core and renderers find them.
var Files = &model.FileNames{Holder: "layer", Within: "primPath", Of: assetsOf, Plain: plainAsset, Searched: isSearchPath,
	Elsewhere: rendererPath, Pattern: assetPattern, Arc: arcOf, Part: arcSubLayer, Variables: variablesOf, Expand: expand,
	Layered: func(arc string) bool { return arc != arcAsset }}

// assetsOf returns the paths in a value of type asset, the sublayers of a layer, or the template of clips. If an element
// of an array cannot be read, it returns those before.
func assetsOf(ctx context.Context, n *model.Node) (assets []string) {
	if name, _ := elementOf(n.Type); name != "asset" && n.Name != "subLayers" && n.Name != "templateAssetPath" {
		return nil
	}
	add := func(v model.Value) {
		if text, ok := v.(model.Text); ok && text != "" {
			assets = append(assets, string(text))
		}
	}
	switch v := n.Value.(type) {
	case model.Text:
		add(v)
	case model.Seq:
		for _, e := range v {
			add(e)
		}
	case model.Array:
		_ = each(ctx, v, func(e model.Value) bool {
			add(e)
			return true
		})
	}
	return assets
}

// plainAsset returns an asset path without the arguments of its format. The error says why no file can have the path.
func plainAsset(asset string) (string, error) {
	if strings.HasPrefix(asset, "`") {
		return "", errors.New(asset + " is an expression, which depends on the stage")
	}
	asset, _, _ = strings.Cut(asset, ":SDF_FORMAT_ARGS:")
	return asset, nil
}

// isSearchPath reports whether a path is looked for in search paths too, not only relative to its layer.
func isSearchPath(asset string) bool {
	slashes := strings.ReplaceAll(asset, `\`, "/")
	return !path.IsAbs(slashes) && !strings.HasPrefix(slashes, "./") && !strings.HasPrefix(slashes, "../")
}

// rendererPath says where a renderer finds a search path that is not relative to the layer, or returns "".
func rendererPath(asset string) string {
	if isSearchPath(asset) && strings.EqualFold(path.Ext(asset), ".mdl") {
		return "a renderer looks for it in its own search path"
	}
	return ""
}

// clipNumber matches the number of a clip in a template, and its part after the point.
var clipNumber = regexp.MustCompile(`\.(#+(?:\.#+)?)\.[^/.]*$`)

// assetPattern splits an asset path at its placeholder: <UDIM>, a tile number, <attr>, any text, or ###, the number of a
// clip. fits is nil if the path has none.
func assetPattern(asset string) (before, after string, fits func(part string) bool) {
	if m := clipNumber.FindStringSubmatchIndex(asset); m != nil {
		points := strings.Count(asset[m[2]:m[3]], ".")
		return asset[:m[2]], asset[m[3]:], func(part string) bool {
			return part != "" && strings.Trim(part, "0123456789.") == "" && strings.Count(part, ".") == points
		}
	}
	i, j := strings.IndexByte(asset, '<'), strings.IndexByte(asset, '>')
	if i < 0 || j < i {
		return asset, "", nil
	}
	tiled := asset[i:j+1] == "<UDIM>"
	return asset[:i], asset[j+1:], func(part string) bool {
		return part != "" && !strings.Contains(part, "/") && (!tiled || isTile(part))
	}
}

// isTile reports whether usd-core looks for a tile of that number.
func isTile(number string) bool {
	const first, last = 1001, 1100
	n, err := strconv.Atoi(number)
	return err == nil && len(number) == 4 && n >= first && n <= last
}
