package decoders

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/source/far"
)

// Assets are the paths to other files that a node's value has: of the type asset, or the layers below a layer. Of an array with
// elements that cannot be read those before them.
func Assets(ctx context.Context, n *model.Node) (assets []string) {
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

// mostAssetParts is how many parts of a node AssetRefs looks at.
const mostAssetParts = 16

// AssetRefs are the files that a node refers to: by its own value or, as an attribute or a reference does, by that of a part.
func AssetRefs(ctx context.Context, n *model.Node) (refs []model.Ref) {
	seen := map[string]bool{}
	add := func(n *model.Node) {
		for _, asset := range Assets(ctx, n) {
			if !seen[asset] {
				seen[asset] = true
				refs = append(refs, model.Ref{Kind: "file", File: asset})
			}
		}
	}
	if add(n); len(refs) > 0 || n.Children == nil || n.IsPending() {
		return refs
	}
	count, _ := n.Children.Len(ctx)
	for i := range min(count, mostAssetParts) {
		part := n.Children.At(ctx, i)
		add(&part)
	}
	return refs
}

// An AssetFinder finds the files that the asset paths of a document name.
type AssetFinder struct {
	of      Target
	members []string // of the package that the document is, or is in
}

// NewAssetFinder makes the finder of a document that was opened as t says. There is none for what is no file of this machine.
func NewAssetFinder(ctx context.Context, doc *model.Document, t Target) (*AssetFinder, error) {
	if t.File == "" || far.IsAddress(t.File) {
		return nil, errors.New("asset paths are looked for beside files of this machine only")
	}
	if t.Inner == "" {
		return &AssetFinder{t, doc.Members}, nil
	}
	outer, err := OpenFile(ctx, t.File, OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = outer.Close() }() // it was only read
	return &AssetFinder{t, outer.Members}, nil
}

// Find finds the file that an asset path names: in the document's package, or beside the file. Where a renderer completes the
// path (<UDIM>, <attr>) it is any that fits. An error that is fs.ErrNotExist says that there is none; addresses are not looked for.
func (f *AssetFinder) Find(asset string) (Target, error) {
	found := Target{Offset: -1}
	if strings.Contains(asset, "://") {
		return found, fmt.Errorf("%s is an address, which is not looked for", asset)
	}
	outer, inner, packed := SplitMember(asset, func(string) bool { return false })
	if packed {
		asset = outer
	}
	for _, name := range []string{path.Join(path.Dir(f.of.Inner), asset), path.Clean(asset)} {
		if slices.Contains(f.members, name) {
			if found.File, found.Inner = f.of.File, name; packed {
				found.Inner += "[" + inner + "]"
			}
			return found, nil
		}
	}
	found.File, found.Inner = filepath.FromSlash(asset), inner
	if !filepath.IsAbs(found.File) {
		found.File = filepath.Join(filepath.Dir(f.of.File), found.File)
	}
	name := found.File
	if i, j := strings.IndexByte(name, '<'), strings.IndexByte(name, '>'); i >= 0 && j > i {
		if all, err := filepath.Glob(name[:i] + "*" + name[j+1:]); err == nil && len(all) > 0 {
			found.File = all[0]
			return found, nil
		}
	}
	if _, err := os.Stat(name); err != nil {
		return found, fmt.Errorf("there is no file %s: %w", name, fs.ErrNotExist)
	}
	return found, nil
}
