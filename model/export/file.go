package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cutaway/model"
)

// ToFile writes the file at path. It writes to a temporary name in the same folder, and renames that when complete or
// removes it on failure. So an existing file is replaced entirely or not at all. It refuses to replace files that are
// read for d, which was opened from the file or folder open. It writes directly to devices and pipes.
func ToFile(path, open string, d *model.Document, write func(io.Writer) error) error {
	if Reads(open, d, path) {
		return fmt.Errorf("%s is a file that is read; it is never changed", path)
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole // replace the file, not the link
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot write %s: it is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		return toDevice(path, write)
	}
	return toTemporary(path, info, write)
}

// toTemporary writes to a temporary name and renames that to path. info describes the file at path, or is nil.
func toTemporary(path string, info fs.FileInfo, write func(io.Writer) error) error {
	perm := fs.FileMode(0o666) // of any new file
	if info != nil {
		perm = 0o600 // until it gets the permissions of the replaced file
	}
	tmp, err := createBeside(path, perm)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	written := false
	defer func() {
		if !written { // write panicked
			_ = errors.Join(tmp.Close(), os.Remove(tmp.Name()))
		}
	}()
	err = write(tmp)
	written = true
	if file := new(fs.PathError); errors.As(err, &file) && file.Path == tmp.Name() {
		err = fmt.Errorf("cannot write %s: %w", path, file.Err)
	}
	if err == nil {
		err = reason(tmp.Sync())
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil && info != nil {
		err = reason(os.Chmod(tmp.Name(), info.Mode().Perm()))
	}
	if err == nil {
		if err = reason(os.Rename(tmp.Name(), path)); err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

func toDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Reads reports whether the file at path is read for d: the file open, another file of the document, a part of a joined
// file, or any file in the folder open.
func Reads(open string, d *model.Document, path string) bool {
	if same(path, open) || same(filepath.Dir(path), open) && exists(path) {
		return true
	}
	if d == nil {
		return false
	}
	for _, src := range d.Sources {
		if f, ok := src.Reader().(interface{ Path() string }); ok && same(path, f.Path()) {
			return true
		}
		for _, part := range src.Segments() {
			if same(path, filepath.Join(filepath.Dir(open), filepath.Base(part.File))) {
				return true
			}
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func same(a, b string) bool {
	ia, err := os.Stat(a)
	if err != nil {
		return false
	}
	ib, err := os.Stat(b)
	return err == nil && os.SameFile(ia, ib)
}

// reason returns err without the temporary name, which means nothing to the user.
func reason(err error) error {
	var link *os.LinkError
	var file *fs.PathError
	switch {
	case errors.As(err, &link):
		return link.Err
	case errors.As(err, &file):
		return file.Err
	}
	return err
}

// createBeside creates a new file in the folder of path.
func createBeside(path string, perm fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	const longest = 200 // bytes of the name that are kept: file systems allow 255
	for range 100 {
		name := filepath.Join(dir, "."+base[:min(len(base), longest)]+".cutaway-"+strconv.FormatUint(rand.Uint64(), 36))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free temporary name beside %s", path)
}

// To writes r to path: a file, or a folder, which it makes, if the form writes several files or path ends in a
// separator. Existing files are replaced.
func To(ctx context.Context, path, open string, f *Form, r *Request, count func(io.Writer) io.Writer) (found Tally, err error) {
	if f.count != nil && len(r.Places) == 1 {
		if err := r.Places[0].Resolve(ctx, r.Progress); err != nil {
			return found, err
		}
	}
	folder := os.IsPathSeparator(path[len(path)-1])
	many := f.folder || f.Many(ctx, r.Places) && filepath.Ext(path) != f.Extension || folder && f.items(ctx, r.Places) > 0
	if !many && !folder {
		return found, ToFile(path, open, r.Doc, func(w io.Writer) (err error) {
			found, err = f.writeWhole(ctx, count(w), r)
			return err
		})
	}
	if why := f.Refuse(ctx, r.Places); why != "" {
		return found, errors.New(why)
	}
	if _, missing := os.Stat(path); missing != nil {
		defer func() {
			if err != nil {
				_ = os.Remove(path) // fails if the folder has files
			}
		}()
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return found, fmt.Errorf("cannot make the folder %s: %w", path, reason(err))
	}
	if !many {
		return To(ctx, filepath.Join(path, f.FileName(r.Doc, r.Places)), open, f, r, count)
	}
	return found, f.files(ctx, r, creator(path, open, r.Doc, count))
}

// creator returns a function that writes a file in a folder.
func creator(folder, open string, doc *model.Document, count func(io.Writer) io.Writer) func(name string, write func(io.Writer) error) error {
	return func(name string, write func(io.Writer) error) error {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return fmt.Errorf("cannot make the folder %s: %w", filepath.Dir(file), reason(err))
		}
		return ToFile(file, open, doc, func(w io.Writer) error { return write(count(w)) })
	}
}

// writeWhole is like Write but fails if requested bytes could not be read, since the file would be incomplete. Reports are
// exempt: they describe such failures.
func (f *Form) writeWhole(ctx context.Context, w io.Writer, r *Request) (found Tally, err error) {
	before := model.FailedRead(r.Doc)
	found, err = f.Write(ctx, w, r)
	if after := model.FailedRead(r.Doc); err == nil && after != before && !f.Document {
		err = after
	}
	return found, err
}

// cleanName returns a name without characters that some system rejects.
func cleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 0x20 || strings.ContainsRune(`<>:"/\|?*`, r) || r == '\ufffd' {
			return '-'
		}
		return r
	}, name)
	clean = strings.Trim(clean, ". -")
	switch {
	case clean == "":
		return "export"
	case !filepath.IsLocal(clean):
		return "_" + clean // such as con or nul, which are devices of Windows
	}
	return clean
}

// FileName returns a default name for a file with the places' nodes, without characters that some system rejects.
func (f *Form) FileName(d *model.Document, places []*model.Place) string {
	name := strings.TrimSuffix(d.Name, filepath.Ext(d.Name))
	if len(places) > 0 && !f.Document {
		of := name
		if name = places[0].Node.Name; name == d.Name {
			name = of
		} else if places[0].Parent == nil || strings.HasPrefix(name, "[") {
			name = of + " " + name
		}
	}
	clean := cleanName(name)
	if runes := []rune(clean); len(runes) > 60 {
		clean = string(runes[:60])
	}
	switch {
	case f.Document:
		clean += " report"
	case len(places) > 1:
		clean += fmt.Sprintf(" and %d more", len(places)-1)
	}
	return clean + f.Extension
}
