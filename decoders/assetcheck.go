package decoders

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"cutaway/model"
)

// Rules about the files that asset paths name.
const (
	ruleAssetMissing = "assets.missing"
	ruleAssetBroken  = "assets.broken"
	ruleAssetSearch  = "assets.search-path"
)

// Check looks for the file of an asset path and reads its first bytes. wrong reports whether p is a problem; the error
// says why this is unknown.
func (f *AssetFinder) Check(ctx context.Context, asset string) (p model.Problem, wrong bool, err error) {
	found, p, wrong, err := f.Look(ctx, asset)
	for _, t := range found {
		if wrong || err != nil {
			break
		}
		_, p, wrong, err = f.Broken(ctx, t, asset)
	}
	return p, wrong, err
}

// Look looks for the files of an asset path. wrong reports whether p is a problem, of a path without files or of one
// that few readers find; the error says why this is unknown.
func (f *AssetFinder) Look(ctx context.Context, asset string) (found []Target, p model.Problem, wrong bool, err error) {
	found, err = f.Find(ctx, asset)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.names.Elsewhere(asset) != "":
		return nil, model.Problemf(model.Assumed, ruleAssetSearch, model.Span{},
			"%s is not beside the %s; %s", asset, f.names.Holder, f.names.Elsewhere(asset)), true, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, missingAsset(asset), true, nil
	case err != nil:
		return nil, p, false, err
	case f.member != "" && found[0].File != f.of.File && f.isBesidePackage(asset):
		return found, model.Problemf(model.Suspicious, ruleAssetMissing, model.Span{},
			"the file %s is not in the package; one beside the package is found only by readers that run in its folder", asset), true, nil
	}
	return found, p, false, nil
}

// isBesidePackage reports whether a path leads from a member to a file beside the package.
func (f *AssetFinder) isBesidePackage(asset string) bool {
	_, mapped := f.places.mapped(asset)
	return f.names.Searched(asset) && !mapped && !strings.Contains(asset, "://")
}

// A Seen is the outcome of reading the first bytes of a file.
type Seen struct {
	Size int64  // or -1 if it was not read
	Is   string // why it cannot have content of any format: "empty: the file has no bytes", or ""
}

// Broken reads the first bytes of a file that Look has found. wrong reports whether p is a problem; the error says why
// this is unknown.
func (f *AssetFinder) Broken(ctx context.Context, t Target, asset string) (seen Seen, p model.Problem, wrong bool, err error) {
	size, cause, err := f.broken(ctx, t)
	seen = Seen{Size: size}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return seen, missingAsset(asset), true, nil
	case err != nil:
		return seen, p, false, err
	case cause == nil:
		return seen, p, false, nil
	}
	seen.Is = cause.Text
	why := "it is " + cause.Text
	if cause.Hint != "" {
		why += ": " + cause.Hint
	}
	return seen, model.Problemf(model.Suspicious, ruleAssetBroken, model.Span{}, "the file %s is there, but %s", f.assetName(t, asset), why), true, nil
}

func missingAsset(asset string) model.Problem {
	return model.Problemf(model.Suspicious, ruleAssetMissing, model.Span{}, "the file %s is not there", asset)
}

// assetName returns the asset path of a file: asset, or what it matches if it is a pattern.
func (f *AssetFinder) assetName(t Target, asset string) string {
	if !f.isPattern(asset) {
		return asset
	}
	return path.Join(path.Dir(asset), path.Base(innermost(t)))
}

// innermost returns the name of the innermost member of t, or of the file, with slashes.
func innermost(t Target) string {
	if levels := memberLevels(t.Inner); len(levels) > 0 {
		return levels[len(levels)-1]
	}
	return strings.ReplaceAll(t.File, `\`, "/")
}

// broken returns the size of an existing file or -1, and why it cannot have content of any format, or nil.
func (f *AssetFinder) broken(ctx context.Context, t Target) (size int64, cause *model.Cause, err error) {
	const enough = 1 << 10
	var src model.Reader
	if t.Inner == "" && t.File != f.of.File {
		file, err := OpenBytes(ctx, t.File, OpenOptions{})
		if err != nil {
			return -1, nil, err
		}
		defer func() { _ = file.Close() }() // opened for reading only
		src = file
	} else {
		doc, done, err := f.open(ctx, t)
		var refused *model.ErrUnrecognized
		switch {
		case errors.As(err, &refused):
			return -1, &model.Cause{Text: refused.Cause.Text}, nil
		case err != nil:
			return -1, nil, err
		}
		defer done()
		src = doc.Source()
	}
	head := make([]byte, min(src.Size(), enough))
	n, err := src.ReadAt(ctx, head, 0)
	if n < len(head) {
		return -1, nil, err
	}
	return src.Size(), Broken(head, src.Size(), innermost(t)), nil
}
