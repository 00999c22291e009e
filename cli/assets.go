package cli

import (
	"context"
	"errors"
	"io/fs"

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
	finder, err := decoders.NewAssetFinder(ctx, o.Document, o.target)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	look := func(at *model.Place, asset string, span model.Span) {
		known, seen := there[asset]
		if !seen {
			_, err := finder.Find(asset)
			known = !errors.Is(err, fs.ErrNotExist)
			there[asset] = known
		}
		if !known {
			p := model.Problemf(model.Suspicious, missingAssetRule, span, "the file %s is not there", asset)
			missing = append(missing, model.LocatedProblem{Path: at.Path(), Problem: p})
		}
	}
	err = model.Walk(ctx, o.Views[0].Place(ctx), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		for _, asset := range decoders.Assets(ctx, &p.Node) {
			look(p, asset, p.Node.Span())
		}
		return nil
	})
	return missing, err
}
