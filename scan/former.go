package scan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"cutaway/decoders"
	"cutaway/internal/natural"
	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/source/far"
)

// A Former maps names of files to the lines of an earlier scan.
type Former map[string]*File

// The changes of a file since an earlier scan.
const (
	Same    = "same"    // its content is as it was
	Changed = "changed" // it is another
	New     = "new"     // not in the earlier scan
	Gone    = "gone"    // no longer exists
)

// wholly is the greatest size of a file whose identity covers every byte. A larger file is unchanged only if its time
// of modification is unchanged too.
const wholly = 3 << 20

// identify sets the identity of a file's content, and its change. A file that cannot be read has no identity.
func (o *Options) identify(ctx context.Context, f *File, target decoders.Target) {
	f.Identified, f.By = true, o.By
	size, id, err := identity(ctx, target.File, o.Open)
	if err == nil {
		f.Identity = id
	}
	if info, err := os.Stat(target.File); err == nil {
		f.Modified = info.ModTime().UTC().Format(time.RFC3339Nano)
	}
	if o.Since == nil {
		return
	}
	was := o.Since[f.Name]
	switch {
	case was == nil:
		f.Change = New
	case was.Identity == f.Identity && (size <= wholly || was.Modified == f.Modified):
		f.Change = Same
	default:
		f.Change = Changed
	}
}

// identity returns the size of a file and its identity, whatever its format.
func identity(ctx context.Context, file string, opt decoders.OpenOptions) (size int64, id string, err error) {
	bytes, err := decoders.OpenBytes(ctx, file, opt)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, bytes.Close()) }()
	id, err = marks.Identity(ctx, &model.Document{Sources: []*model.Source{model.NewFileSource(file, bytes)}})
	return bytes.Size(), id, err
}

// reuse copies the earlier line of an unchanged file. It returns false if the line lacks something.
func (o *Options) reuse(f *File) bool {
	if f.Change != Same || f.Identity == "" {
		return false
	}
	was := o.Since[f.Name]
	lacks := func(key string) bool {
		return !slices.ContainsFunc(was.Facts, func(m model.Member) bool { return m.Key == key })
	}
	if was.Failed != "" || was.By != o.By || o.Deep && !was.Checked || slices.ContainsFunc(o.Fields, lacks) {
		return false
	}
	if was.Size > wholly && f.Modified == "" { // of a server, which only says that it is as large
		return false
	}
	change, modified := f.Change, f.Modified
	*f = *was
	f.Change, f.Modified = change, modified
	return true
}

// Missing returns the files of the earlier scan that no longer exist, by name. It skips the files that seen accepts,
// and addresses, which would need a request.
func (former Former) Missing(seen func(name string) bool) []*File {
	var gone []*File
	for name, was := range former {
		if seen(name) || far.IsAddress(name) {
			continue
		}
		if _, err := os.Stat(decoders.ParseTarget(name, isThere).File); errors.Is(err, fs.ErrNotExist) {
			f := *was
			f.Change = Gone
			gone = append(gone, &f)
		}
	}
	slices.SortFunc(gone, func(a, b *File) int { return natural.Compare(a.Name, b.Name) })
	return gone
}
