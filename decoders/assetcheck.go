package decoders

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"cutaway/model"
)

// The rules of the files that asset paths name.
const (
	ruleAssetMissing = "assets.missing"
	ruleAssetBroken  = "assets.broken"
	ruleAssetSearch  = "assets.search-path"
)

// Check looks for the file that an asset path names and at how it begins: what is wrong with it, and whether that is
// anything. The error says why it is not known.
func (f *AssetFinder) Check(ctx context.Context, asset string) (p model.Problem, wrong bool, err error) {
	found, err := f.Find(ctx, asset)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.names.Elsewhere(asset) != "":
		return model.Problemf(model.Assumed, ruleAssetSearch, model.Span{},
			"%s is not beside the %s; %s", asset, f.names.Holder, f.names.Elsewhere(asset)), true, nil
	case errors.Is(err, fs.ErrNotExist):
		return missingAsset(asset), true, nil
	case err != nil:
		return p, false, err
	case f.member != "" && found[0].File != f.of.File && f.names.Searched(asset):
		return model.Problemf(model.Suspicious, ruleAssetMissing, model.Span{},
			"the file %s is not in the package; one beside the package is found only by readers that run in its folder", asset), true, nil
	}
	for _, t := range found {
		why, err := f.broken(ctx, t)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return missingAsset(asset), true, nil
		case err != nil:
			return p, false, err
		case why != "":
			return model.Problemf(model.Suspicious, ruleAssetBroken, model.Span{},
				"the file %s is there, but %s", f.assetName(t, asset), why), true, nil
		}
	}
	return p, false, nil
}

func missingAsset(asset string) model.Problem {
	return model.Problemf(model.Suspicious, ruleAssetMissing, model.Span{}, "the file %s is not there", asset)
}

// assetName returns the name of a file by the path that stands for it.
func (f *AssetFinder) assetName(t Target, asset string) string {
	if !f.isPattern(asset) {
		return asset
	}
	return path.Join(path.Dir(asset), path.Base(innermost(t)))
}

// innermost is the name of a file, or of the member that is meant, with slashes.
func innermost(t Target) string {
	if levels := memberLevels(t.Inner); len(levels) > 0 {
		return levels[len(levels)-1]
	}
	return strings.ReplaceAll(t.File, `\`, "/")
}

// broken says why a file that is there holds nothing; "": it may hold something.
func (f *AssetFinder) broken(ctx context.Context, t Target) (string, error) {
	const enough = 1 << 10
	var src model.Reader
	if t.Inner == "" && t.File != f.of.File {
		file, err := OpenBytes(ctx, t.File, OpenOptions{})
		if err != nil {
			return "", err
		}
		defer func() { _ = file.Close() }() // it was only read
		src = file
	} else {
		doc, done, err := f.open(ctx, t)
		var refused *model.ErrUnrecognized
		switch {
		case errors.As(err, &refused):
			return "it is " + refused.Cause.Text, nil
		case err != nil:
			return "", err
		}
		defer done()
		src = doc.Source()
	}
	head := make([]byte, min(src.Size(), enough))
	n, err := src.ReadAt(ctx, head, 0)
	if n < len(head) {
		return "", err
	}
	return brokenContent(head, src.Size(), innermost(t)), nil
}

// brokenContent says why a file holds nothing whatever it should be, by its first bytes, its size and its name; "": it may hold
// something.
func brokenContent(head []byte, size int64, name string) string {
	cause := Broken(head, size, name)
	switch {
	case cause == nil:
		return ""
	case cause.Hint != "":
		return "it is " + cause.Text + ": " + cause.Hint
	}
	return "it is " + cause.Text
}
