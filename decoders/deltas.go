package decoders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders/omnilive"
	"cutaway/model"
	"cutaway/source"
)

// maxDeltas is how many files of a folder are opened as one document.
const maxDeltas = 4096

// openFolder opens the live layers of a folder as one document: deltas that are applied in the order of their names.
func openFolder(ctx context.Context, dir string, opt OpenOptions) (*model.Document, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && slices.Contains(omnilive.Format.Extensions, ext) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("cannot open %s: it is a folder, and holds no live layers (%s)", dir, strings.Join(omnilive.Format.Extensions, ", "))
	}
	return OpenDeltas(ctx, filepath.Base(filepath.Clean(dir)), paths, opt)
}

// OpenDeltas opens the live layers at paths as one document, named name: deltas that are applied in the order of their
// names, numbers in them by value. Of opt only the options of the document and of the sources count.
func OpenDeltas(ctx context.Context, name string, paths []string, opt OpenOptions) (*model.Document, error) {
	if len(paths) > maxDeltas {
		return nil, fmt.Errorf("%s: %d live layers are more than the %d that are opened together", name, len(paths), maxDeltas)
	}
	paths = slices.Clone(paths)
	slices.SortStableFunc(paths, func(a, b string) int { return compareNames(filepath.Base(a), filepath.Base(b)) })
	var sources []*model.Source
	var names []string
	var files []*source.File
	shut := func() error {
		var err error
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
		return err
	}
	for _, path := range paths {
		f, err := source.Open(path, opt.Source)
		if err != nil {
			return nil, errors.Join(err, shut())
		}
		files = append(files, f)
		base := filepath.Base(path)
		for slices.Contains(names, base) {
			base += "~"
		}
		names = append(names, base)
		sources = append(sources, model.NewSource(base, base, model.LayoutView+"/"+model.EscapeSegment(base), f))
	}
	format := *omnilive.Format
	format.Open = func(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
		return omnilive.OpenDeltas(sources, names, req)
	}
	doc, err := open(ctx, &format, &model.OpenRequest{
		Source: sources[0], Name: name, Why: fmt.Sprintf("%d live layers", len(paths)), Opener: Opener{}, Files: model.NoFiles{}, Options: opt.Options.Options,
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

// compareNames orders names as a person would: digits in them by the number they make.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the digits that s begins with.
func digits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
