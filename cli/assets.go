package cli

import (
	"context"

	"cutaway/decoders"
	"cutaway/model"
)

// wrongAssets are the asset paths of the document's layers whose files are neither beside the layer nor, for one in a package, in
// that; or those that hold nothing. Assets beside a file of a server are asked of the server. Assets that could not be looked for are counted.
func (o *opened) wrongAssets(ctx context.Context) ([]model.LocatedProblem, error) {
	if decoders.FilesOf(o.Document) == nil {
		return nil, nil
	}
	finder, err := decoders.NewAssetFinder(o.Document, o.target)
	if err != nil {
		return nil, err
	}
	l := &assetLook{}
	err = l.layer(ctx, finder, o.Document, "")
	if err == nil {
		err = o.EachMember(ctx, func(inner string, member *model.Document, err error) error {
			if err != nil {
				return nil // already reported for the package
			}
			return l.layer(ctx, finder.In(inner, member.First), member, inner)
		})
	}
	if n := int64(len(l.unsought)); n > 0 && ctx.Err() == nil {
		o.s.meter.clear()
		o.s.say("%s could not be looked for, the first because %v", model.GroupedCount(n, "asset path"), l.unsought[0])
	}
	return l.wrong, err
}

// An assetLook counts the assets of layers that were looked for.
type assetLook struct {
	wrong    []model.LocatedProblem
	unsought []error
}

// layer looks for the files that a layer names, which is the first view of a document.
func (l *assetLook) layer(ctx context.Context, finder *decoders.AssetFinder, doc *model.Document, member string) error {
	names := decoders.FilesOf(doc)
	if names == nil {
		return nil
	}
	known := map[string]*model.Problem{} // nil: there, or not looked for
	return model.Walk(ctx, doc.Views[0].Place(ctx), model.WalkOptions{Resolve: true}, func(at *model.Place) error {
		for _, asset := range names.Of(ctx, &at.Node) {
			p, seen := known[asset]
			if !seen {
				found, wrong, err := finder.Check(ctx, asset)
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case err != nil:
					l.unsought = append(l.unsought, err)
				case wrong:
					p = &found
				}
				known[asset] = p
			}
			if p == nil {
				continue
			}
			located := doc.Locate(at.Path(), *p)
			located.Member, located.Span = member, at.Node.Span()
			l.wrong = append(l.wrong, located)
		}
		return nil
	})
}
