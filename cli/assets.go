package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source/far"
)

// missingAssetRule is the rule of paths to files that are not there.
const missingAssetRule = "assets.missing"

// missingAssets are the asset paths of the document's first view whose files are neither beside the file, nor, for the
// layer of a package, in its package. Beside a file of a server the server is asked. What could not be looked for is told.
func (o *opened) missingAssets(ctx context.Context) (missing []model.LocatedProblem, err error) {
	finder, err := decoders.NewAssetFinder(ctx, o.Document, o.target)
	if err != nil {
		return nil, err
	}
	there, unsought := map[string]bool{}, []error(nil)
	look := func(at *model.Place, asset string, span model.Span) {
		known, seen := there[asset]
		if !seen {
			err := o.seek(ctx, finder, asset)
			known = !errors.Is(err, fs.ErrNotExist)
			there[asset] = known
			if known && err != nil {
				unsought = append(unsought, err)
			}
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
	if n := int64(len(unsought)); n > 0 && ctx.Err() == nil {
		o.s.meter.clear()
		o.s.say("%s could not be looked for, the first because %v", model.GroupedCount(n, "asset path"), unsought[0])
	}
	return missing, err
}

// seek looks for the file that an asset path names: an error that is fs.ErrNotExist says that there is none, another one why that is
// not known.
func (o *opened) seek(ctx context.Context, finder *decoders.AssetFinder, asset string) error {
	found, err := finder.Find(asset)
	switch {
	case err != nil || found.File == o.target.File || !far.IsAddress(found.File):
		return err
	case strings.Contains(asset, "<"):
		return fmt.Errorf("%s stands for many files, and a server does not list what it has", asset)
	}
	file, err := decoders.OpenBytes(ctx, found.File, decoders.OpenOptions{})
	if err != nil {
		return err
	}
	return file.Close()
}
