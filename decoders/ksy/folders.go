package ksy

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cutaway/decoders/expr"
	"cutaway/model"
)

// FoldersVariable names the environment variable with folders of descriptions, separated as in PATH.
const FoldersVariable = "CUTAWAY_FORMATS"

// library caches the descriptions in the user's folders. A description is read again when it changes.
var library struct {
	mu      sync.Mutex
	folders []string
	read    map[string]*foundDescription
}

// A foundDescription is a description in a folder.
type foundDescription struct {
	file    string
	changed time.Time
	tree    *Description
	magic   []magic
	err     error
}

// UseFolders sets the folders of descriptions, in addition to those of the environment.
func UseFolders(folders ...string) {
	library.mu.Lock()
	defer library.mu.Unlock()
	library.folders = slices.Clone(folders)
}

// Folders returns the folders of descriptions.
func Folders() []string {
	library.mu.Lock()
	defer library.mu.Unlock()
	return slices.Concat(library.folders, filepath.SplitList(os.Getenv(FoldersVariable)))
}

// A Listed is a description in a folder, for people to choose from.
type Listed struct {
	File       string
	Name       string // its id
	Title      string
	Licence    string
	Extensions []string // without the dot
	Err        error    // why it cannot be used, *model.ErrSchema if its text is invalid
}

// List returns the descriptions in the folders, by file.
func List() []Listed {
	var out []Listed
	for _, s := range shelves() {
		l := Listed{File: s.file, Err: s.err}
		if s.tree != nil {
			meta := s.tree.Main.Meta
			l.Name, l.Title, l.Licence, l.Extensions = s.tree.Main.Name, s.tree.Main.title(), meta.License, meta.FileExtension
		}
		out = append(out, l)
	}
	return out
}

// maxShelved is the most descriptions in folders.
const maxShelved = 10_000

// shelves reads the descriptions in the folders.
func shelves() []*foundDescription {
	folders := Folders()
	var out []*foundDescription
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error { // unreadable folders and files are skipped
			if err == nil && len(out) < maxShelved && entry.Type().IsRegular() && strings.HasSuffix(file, ending) {
				out = append(out, shelve(file, folders))
			}
			return nil
		})
	}
	return out
}

func shelve(file string, folders []string) *foundDescription {
	info, err := os.Stat(file)
	if err != nil {
		return &foundDescription{file: file, err: err}
	}
	library.mu.Lock()
	s := library.read[file]
	library.mu.Unlock()
	if s != nil && s.changed.Equal(info.ModTime()) {
		return s
	}
	s = &foundDescription{file: file, changed: info.ModTime()}
	if s.tree, s.err = loadForFiles(file, folders); s.err == nil {
		s.magic, _ = magicOf(s.tree.Main, 0)
	}
	library.mu.Lock()
	defer library.mu.Unlock()
	if library.read == nil {
		library.read = map[string]*foundDescription{}
	}
	library.read[file] = s
	return s
}

// loadForFiles loads a description, and returns an error if it cannot read files.
func loadForFiles(file string, folders []string) (*Description, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	d, err := Load(file, folders...)
	switch {
	case err != nil:
		return nil, err
	case !d.Sound():
		return nil, &model.ErrSchema{Findings: d.Findings}
	}
	if n := len(d.Main.Params); n > 0 {
		return nil, fmt.Errorf("%s takes %s, so it does not describe a file alone", d.Main.Name, plural(n, "param"))
	}
	return d, nil
}

// A magic is bytes at a fixed offset of a file.
type magic struct {
	at   int
	want []byte
}

// magicOf returns the contents at fixed offsets that a type begins with. end is the offset of the first field without a
// fixed offset, or -1 if all have one.
func magicOf(t *Type, at int) (found []magic, end int) {
	for _, f := range t.Seq {
		if f.If != nil || f.Repeat != Once || f.Switch != nil {
			return found, -1
		}
		switch {
		case f.Contents != nil:
			found = append(found, magic{at, f.Contents})
			at += len(f.Contents)
		case isSmall(f.Size):
			at += int(f.Size.Int.Int64())
		case f.Use.Form == FormInt || f.Use.Form == FormFloat:
			at += f.Use.Width
		case isPlainType(f) && f.Use.Type != t:
			inner, end := magicOf(f.Use.Type, at)
			if found = append(found, inner...); end < 0 {
				return found, -1
			}
			at = end
		default:
			return found, -1
		}
	}
	return found, at
}

// isSmall reports whether a size is constant and small enough for detection to skip.
func isSmall(size *expr.Expr) bool {
	return size != nil && size.Op == expr.OpInt && size.Int.IsInt64() && size.Int.Int64() < model.ProbeSize
}

// isPlainType reports whether a field is a type of the description without a size of its own.
func isPlainType(f *Field) bool {
	return f.Use.Form == FormUser && f.Size == nil && !f.SizeEOS && f.Term == nil && !f.Use.Type.Opaque
}

// fits reports whether the head of a file has all of the magic.
func (s *foundDescription) fits(head []byte) bool {
	for _, m := range s.magic {
		if m.at+len(m.want) > len(head) || !bytes.Equal(head[m.at:m.at+len(m.want)], m.want) {
			return false
		}
	}
	return true
}

// recognise returns the description in the folders for a file: the one with the longest magic, or else one for its
// extension whose magic fits.
func recognise(p *model.Probe) (file, reason string) {
	most := 0
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(p.Name)), ".")
	for _, s := range shelves() {
		if s.err != nil || !s.fits(p.Head) {
			continue
		}
		length := 0
		for _, m := range s.magic {
			length += 2 * len(m.want)
		}
		named := ext != "" && slices.Contains(s.tree.Main.Meta.FileExtension, ext)
		why := fmt.Sprintf("begins as %s says", s.file)
		if named {
			length++
			why = fmt.Sprintf("named .%s, as %s says", ext, s.file)
		}
		if length > most && (named || length >= 2*leastMagic) {
			most, file, reason = length, s.file, why
		}
	}
	return file, reason
}

// leastMagic is the number of magic bytes that must fit if the extension does not.
const leastMagic = 3
