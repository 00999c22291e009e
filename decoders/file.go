package decoders

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/source"
	"cutaway/source/far"
)

// OpenOptions control how a file is opened.
type OpenOptions struct {
	Options
	Source source.Options
	With   []string // other files to open together with this one

	// Download copies a file to a temporary one if its server does not support ranges.
	Download bool
	Progress model.Progress // of the download

	// Patch holds bytes that are read instead of the file's, at offsets in the file, or nil.
	Patch *source.Patch
}

// Bytes reads the bytes of an open file.
type Bytes interface {
	model.Reader
	Close() error
}

// OpenBytes opens a file or address, of whatever format. The caller closes it.
func OpenBytes(ctx context.Context, path string, opt OpenOptions) (Bytes, error) {
	if far.IsAddress(path) {
		f, err := far.Open(ctx, path, far.Options{Download: opt.Download, Progress: opt.Progress})
		if err != nil {
			return nil, err // an interface that is nil
		}
		return f, nil
	}
	f, err := source.Open(path, opt.Source)
	switch {
	case err != nil && strings.Contains(path, "://"):
		return nil, fmt.Errorf("cannot open %s: of addresses only http:// and https:// are read", path)
	case err != nil:
		return nil, err
	}
	return f, nil
}

// folderOf returns the files beside the one at path.
func folderOf(ctx context.Context, path string, opt OpenOptions) interface {
	model.Files
	Close() error
} {
	if far.IsAddress(path) {
		return far.Beside(ctx, path, far.Options{Download: opt.Download, Progress: opt.Progress})
	}
	return source.Dir(path, opt.Source)
}

// baseName returns the name of a file without its folder.
func baseName(path string) string {
	if far.IsAddress(path) {
		return far.Name(path)
	}
	return filepath.Base(path)
}

// OpenFile opens the file at path or an http(s) address, which may be one from far.Keep. Formats can open the files
// beside it. A folder is opened as one document of its files if a format supports that. The caller closes the document.
func OpenFile(ctx context.Context, path string, opt OpenOptions) (*model.Document, error) {
	info, err := os.Stat(path)
	isFolder := err == nil && info.IsDir()
	switch {
	case opt.Patch.Len() > 0 && (isFolder || len(opt.With) > 0):
		return nil, fmt.Errorf("cannot open %s: a patch is of one file, and this is several that are opened together", path)
	case len(opt.With) > 0:
		return openTogether(ctx, append([]string{path}, opt.With...), opt)
	case isFolder:
		return openFolder(ctx, path, opt)
	}
	f, err := OpenBytes(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	folder := folderOf(ctx, path, opt)
	shut := func() error { return errors.Join(folder.Close(), f.Close()) }
	name := baseName(path)
	bytes, err := opt.Patch.Over(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), shut())
	}
	doc, err := Opener{files: folder}.OpenWith(ctx, model.NewFileSource(name, bytes), name, opt.Options)
	if err != nil {
		return nil, errors.Join(err, shut())
	}
	doc.OnClose(shut)
	if served, ok := f.(*far.File); ok && served.Unversioned() {
		addUnversioned(doc)
	}
	return doc, nil
}

// addUnversioned adds the fact that the server gives no version of the file.
func addUnversioned(doc *model.Document) {
	of := doc.Facts
	doc.Facts = func(ctx context.Context, quick bool, progress model.Progress) (facts []model.Fact, err error) {
		if of != nil {
			facts, err = of(ctx, quick, progress)
		}
		return append(slices.Clip(facts), model.Fact{Key: "unversioned", Title: "server",
			Value: model.Text("tells neither ETag nor Last-Modified of the file: a change that keeps its size is not noticed")}), err
	}
}

// OpenTarget opens the file of t, or the member that t names. opt.Options apply to the innermost document; packages
// around it are opened by detection. OpenTarget ignores the path and offset of t.
func OpenTarget(ctx context.Context, t Target, opt OpenOptions) (*model.Document, error) {
	if t.Inner == "" {
		return OpenFile(ctx, t.File, opt)
	}
	if len(opt.With) > 0 {
		return nil, fmt.Errorf("%s is a member of a package: only files are opened together", t)
	}
	outer, err := OpenFile(ctx, t.File, OpenOptions{Source: opt.Source, Download: opt.Download, Progress: opt.Progress, Patch: opt.Patch})
	if err != nil {
		return nil, err
	}
	doc, err := openMember(ctx, outer, t.Inner, opt.Options)
	if err != nil {
		return nil, errors.Join(err, outer.Close())
	}
	doc.OnClose(outer.Close)
	return doc, nil
}

// openMember opens a member of outer with opt.
func openMember(ctx context.Context, outer *model.Document, inner string, opt Options) (*model.Document, error) {
	doc, err := outer.OpenMember(ctx, inner)
	if err != nil || opt.Format == "" && opt.At == 0 && len(opt.Options) == 0 {
		return doc, err
	}
	again, err := Opener{}.OpenWith(ctx, doc.Source(), path.Base(inner), opt)
	if err != nil {
		return nil, errors.Join(err, doc.Close())
	}
	again.Inner = doc.Inner
	again.OnClose(doc.Close)
	return again, nil
}
