package decoders

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders/guard"
	"cutaway/internal/natural"
	"cutaway/model"
	"cutaway/source"
	"cutaway/source/far"
)

// maxTogether is the most files in one document.
const maxTogether = 4096

// Together returns the format that opens all files with these extensions as one document, or nil.
func Together(paths []string) *model.Format {
	for _, f := range All() {
		if f.OpenTogether != nil && len(paths) > 1 && !slices.ContainsFunc(paths, func(path string) bool { return !hasEnding(f, path) }) {
			return f
		}
	}
	return nil
}

// TogetherEndings returns the extensions of files that can be opened as one document.
func TogetherEndings() []string {
	var list []string
	for _, f := range All() {
		if f.OpenTogether != nil {
			list = append(list, f.Extensions()...)
		}
	}
	return list
}

func hasEnding(f *model.Format, path string) bool {
	return slices.Contains(f.Extensions(), strings.ToLower(filepath.Ext(baseName(path))))
}

// HoldsTogether reports whether a folder holds files that can be opened as one document.
func HoldsTogether(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !e.IsDir() && slices.ContainsFunc(All(), func(f *model.Format) bool { return f.OpenTogether != nil && hasEnding(f, e.Name()) })
	})
}

// IsTogether reports whether a folder holds files that can be opened as one document, and no others of a known format.
func IsTogether(dir string) bool {
	names, err := source.Names(dir)
	others := slices.ContainsFunc(names, func(name string) bool {
		known := slices.ContainsFunc(All(), func(f *model.Format) bool { return hasEnding(f, name) })
		return known && !slices.ContainsFunc(All(), func(f *model.Format) bool { return f.OpenTogether != nil && hasEnding(f, name) })
	})
	return err == nil && !others && HoldsTogether(dir)
}

// openFolder opens the files of a folder as one document, with the first format that can.
func openFolder(ctx context.Context, dir string, opt OpenOptions) (*model.Document, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range All() {
		if f.OpenTogether == nil || opt.Format != "" && opt.Format != f.Name {
			continue
		}
		var paths []string
		for _, e := range entries {
			if !e.IsDir() && hasEnding(f, e.Name()) {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
		if len(paths) > 0 {
			return openAll(ctx, f, filepath.Base(filepath.Clean(dir)), paths, opt)
		}
	}
	return nil, fmt.Errorf("cannot open %s: it is a folder, and holds no files that are opened together (%s)", dir, strings.Join(TogetherEndings(), ", "))
}

// openTogether opens files as one document. All must be of one format, by detection or extension.
func openTogether(ctx context.Context, paths []string, opt OpenOptions) (*model.Document, error) {
	name := fmt.Sprintf("%s and %d more", baseName(paths[0]), len(paths)-1)
	if opt.At != 0 {
		return nil, fmt.Errorf("%s: files that are opened together are decoded from their beginnings", name)
	}
	var last error
	for _, f := range All() {
		if f.OpenTogether == nil || opt.Format != "" && opt.Format != f.Name {
			continue
		}
		if last = checkFormat(ctx, f, paths, opt); last == nil {
			return openAll(ctx, f, name, paths, opt)
		}
	}
	if last == nil {
		last = fmt.Errorf("files of the format %s are opened one by one", opt.Format)
	}
	return nil, fmt.Errorf("cannot open %s as one document: %w", name, last)
}

// checkFormat returns an error if a file is not of format f. Files with its extension are: damaged ones are opened too.
func checkFormat(ctx context.Context, f *model.Format, paths []string, opt OpenOptions) error {
	for _, path := range paths {
		if opt.Format != "" || hasEnding(f, path) {
			continue // the format shows its damage
		}
		file, err := OpenBytes(ctx, path, opt)
		if err != nil {
			return err
		}
		probe, err := NewProbe(ctx, model.NewFileSource(path, file), baseName(path))
		if err == nil {
			if d := guard.Detect(ctx, f, probe); d.Confidence < model.Guess {
				err = fmt.Errorf("%s is no %s: %s", baseName(path), f.Title, d.Reason)
			}
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// openAll opens files of one format as a document with the given name, in natural order of their names.
func openAll(ctx context.Context, f *model.Format, name string, paths []string, opt OpenOptions) (*model.Document, error) {
	if len(paths) > maxTogether {
		return nil, fmt.Errorf("%s: %d files are more than the %d that are opened together", name, len(paths), maxTogether)
	}
	paths = slices.Clone(paths)
	slices.SortStableFunc(paths, func(a, b string) int { return natural.Compare(baseName(a), baseName(b)) })
	var sources []*model.Source
	var files []Bytes
	shut := func() error {
		var err error
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
		return err
	}
	taken := make(map[string]bool)
	for _, path := range paths {
		file, err := OpenBytes(ctx, path, opt)
		if err != nil {
			return nil, errors.Join(err, shut())
		}
		files = append(files, file)
		base := baseName(path)
		for taken[base] {
			base += "~"
		}
		taken[base] = true
		sources = append(sources, model.NewSource(base, base, model.LayoutView+"/"+model.EscapeSegment(base), file))
	}
	format := *f
	format.Open = func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		return f.OpenTogether(ctx, sources, req)
	}
	doc, err := open(ctx, &format, &model.OpenRequest{
		Source: sources[0], Name: name, Why: fmt.Sprintf("%d files that are opened together", len(paths)), Opener: Opener{}, Files: model.NoFiles{},
		Forced: opt.Format != "", Options: opt.Options.Options,
	})
	if err == nil {
		err = knowsOptions(&format, doc, opt.Options.Options)
	}
	if err != nil {
		return nil, errors.Join(err, shut())
	}
	doc.OnClose(shut)
	return doc, nil
}

// Expand returns the files that patterns name, in their order and without duplicates or file itself. A pattern is the
// name of a file, or has the syntax of filepath.Match.
func Expand(file string, patterns []string) ([]string, error) {
	var list []string
	for _, pattern := range patterns {
		found := []string{pattern}
		if far.IsAddress(pattern) {
			list = append(list, far.Keep(pattern))
			continue
		}
		if _, err := os.Stat(pattern); err != nil && strings.ContainsAny(pattern, "*?[") {
			found, _ = filepath.Glob(pattern)
			if len(found) == 0 {
				return nil, fmt.Errorf("no file has a name like %s", pattern)
			}
		}
		for _, path := range found {
			if filepath.Clean(path) != filepath.Clean(file) && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list, nil
}
