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

// OpenOptions say how a file is opened.
type OpenOptions struct {
	Options
	Source source.Options
	With   []string // other files that are opened with it, as one document

	// Download gets a file of a server that gives no ranges to a temporary file.
	Download bool
	Progress model.Progress // of that

	// Patch is bytes of the file that are read in place of what it holds; nil: none. Their offsets count in the file.
	Patch *source.Patch
}

// Bytes is what the bytes of a file are read from.
type Bytes interface {
	model.Reader
	Close() error
}

// OpenBytes opens a file, here or of a server, whatever format it is of. The caller closes it.
func OpenBytes(ctx context.Context, path string, opt OpenOptions) (Bytes, error) {
	if far.IsAddress(path) {
		f, err := far.Open(ctx, path, far.Options{Download: opt.Download, Progress: opt.Progress})
		if err != nil {
			return nil, err // no typed nil
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

// beside are the files of the folder that a file lies in.
func beside(ctx context.Context, path string, opt OpenOptions) interface {
	model.Files
	Close() error
} {
	if far.IsAddress(path) {
		return far.Beside(ctx, path, far.Options{Download: opt.Download, Progress: opt.Progress})
	}
	return source.Dir(path, opt.Source)
}

// baseName is the name of a file without its folder.
func baseName(path string) string {
	if far.IsAddress(path) {
		return far.Name(path)
	}
	return filepath.Base(path)
}

// OpenFile opens the file at path, or at an http(s) address, which may be one that far.Keep gave; the formats can open the files beside it. A folder is opened as one document of its
// files, where a format opens several together. The caller closes the document.
func OpenFile(ctx context.Context, path string, opt OpenOptions) (*model.Document, error) {
	info, err := os.Stat(path)
	folderOf := err == nil && info.IsDir()
	switch {
	case opt.Patch.Len() > 0 && (folderOf || len(opt.With) > 0):
		return nil, fmt.Errorf("cannot open %s: a patch is of one file, and this is several that are opened together", path)
	case len(opt.With) > 0:
		return openTogether(ctx, append([]string{path}, opt.With...), opt)
	case folderOf:
		return openFolder(ctx, path, opt)
	}
	f, err := OpenBytes(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	folder := beside(ctx, path, opt)
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
		tellUnversioned(doc)
	}
	return doc, nil
}

// tellUnversioned adds to what is known of a document that its server does not say which version of the file it gives.
func tellUnversioned(doc *model.Document) {
	of := doc.Facts
	doc.Facts = func(ctx context.Context, quick bool, progress model.Progress) (facts []model.Fact, err error) {
		if of != nil {
			facts, err = of(ctx, quick, progress)
		}
		return append(slices.Clip(facts), model.Fact{Key: "unversioned", Title: "server",
			Value: model.Text("tells neither ETag nor Last-Modified of the file: a change that keeps its size is not noticed")}), err
	}
}

// OpenTarget opens the file of t, or the member of it that t names. With a member, opt.Options are about the
// member; its package is opened as what it is. The node or offset of t is the caller's affair.
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

// openMember opens the member of outer that inner names, as opt says.
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
