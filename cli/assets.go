package cli

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source/far"
)

// missingAssetRule is the rule of paths to files that are not there.
const missingAssetRule = "assets.missing"

// missingAssets are the asset paths of the document's first view whose files are neither beside the file, nor, for the
// layer of a package, in its package. What is on a server is not looked for.
func (o *opened) missingAssets(ctx context.Context) (missing []model.LocatedProblem, err error) {
	if far.IsAddress(o.target.File) {
		return nil, wrongUsage("--assets looks beside files, and %s is on a server", o.target.File)
	}
	var members []string
	if o.target.Inner != "" {
		outer, err := decoders.OpenFile(ctx, o.target.File, decoders.OpenOptions{})
		if err != nil {
			return nil, err
		}
		defer func() { _ = outer.Close() }() // it was only read
		members = outer.Members
	} else {
		members = o.Members
	}
	there := map[string]bool{}
	look := func(at *model.Place, asset string, span model.Span) {
		known, seen := there[asset]
		if !seen {
			known = o.hasAsset(asset, members)
			there[asset] = known
		}
		if !known {
			p := model.Problemf(model.Suspicious, missingAssetRule, span, "the file %s is not there", asset)
			missing = append(missing, model.LocatedProblem{Path: at.Path(), Problem: p})
		}
	}
	err = model.Walk(ctx, o.Views[0].Place(ctx), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		for _, asset := range assetsOf(ctx, &p.Node) {
			look(p, asset, p.Node.Span())
		}
		return nil
	})
	return missing, err
}

// assetsOf are the paths to other files that a node's value has: of the type asset, or the layers below a layer.
func assetsOf(ctx context.Context, n *model.Node) (assets []string) {
	name := strings.TrimSuffix(n.Type, "[]")
	if name != "asset" && n.Name != "subLayers" {
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
		window := make([]model.Value, 256)
		for at := int64(0); at < v.Len(); {
			read, err := v.Read(ctx, at, window)
			for _, e := range window[:read] {
				add(e)
			}
			if err != nil || read == 0 {
				break
			}
			at += int64(read)
		}
	}
	return assets
}

// hasAsset reports whether the file that an asset path names is there. Paths of other schemes and those that a renderer
// completes (<UDIM>, <attr>) count as there when any file fits.
func (o *opened) hasAsset(asset string, members []string) bool {
	if strings.Contains(asset, "://") {
		return true // not ours to look for
	}
	if outer, _, ok := decoders.SplitMember(asset, func(string) bool { return false }); ok {
		asset = outer
	}
	inner := path.Join(path.Dir(o.target.Inner), asset)
	if slices.Contains(members, inner) || slices.Contains(members, path.Clean(asset)) {
		return true
	}
	name := filepath.FromSlash(asset)
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(o.target.File), name)
	}
	if i, j := strings.IndexByte(name, '<'), strings.IndexByte(name, '>'); i >= 0 && j > i {
		found, err := filepath.Glob(name[:i] + "*" + name[j+1:])
		return err == nil && len(found) > 0
	}
	_, err := os.Stat(name)
	return err == nil
}
