package flatbuffer

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cutaway/model"
)

// Bounds of the search for a schema.
const (
	maxSchemaFiles = 256     // looked at in a folder
	maxSearched    = 4 << 20 // bytes of a schema that is looked at
)

// SchemaFolder is the folder of the user's configuration whose schemas are found by file identifier; "" where the
// system names no such place.
func SchemaFolder() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "cutaway", "schemas")
}

// folders lists where schemas for a source are looked for: the user's folder, then that of the file.
func folders(src *model.Source) []string {
	var list []string
	if dir := SchemaFolder(); dir != "" {
		list = append(list, dir)
	}
	if f, ok := src.Reader().(interface{ Path() string }); ok {
		list = append(list, filepath.Dir(f.Path()))
	}
	return list
}

var identifierLine = regexp.MustCompile(`(?m)^\s*file_identifier\s+"([^"]{4})"`)

// FindSchema looks for a schema by file identifier, in the folders of the user and of the file. It is nil where there is
// none.
func FindSchema(src *model.Source, identifier string) *Schema {
	if identifier == SchemaIdentifier {
		return ownSchema()
	}
	for _, dir := range folders(src) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries[:min(len(entries), maxSchemaFiles)] {
			path := filepath.Join(dir, e.Name())
			if hasIdentifier(path, identifier) {
				if s, err := LoadSchema(path); err == nil && s.Identifier == identifier {
					return s
				}
			}
		}
	}
	return nil
}

// hasIdentifier tells whether a schema's text or bytes hold the identifier, without parsing it.
func hasIdentifier(path, identifier string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	if !slices.Contains([]string{".bfbs", ".fbs"}, ext) {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSearched {
		return false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	if ext == ".bfbs" {
		return strings.Contains(string(data), identifier+"\x00")
	}
	m := identifierLine.FindSubmatch(data)
	return m != nil && string(m[1]) == identifier
}

// schemaFor finds the schema of a buffer: the user's, or one by the identifier at either place. It also tells whether the
// buffer is size-prefixed.
func schemaFor(src *model.Source, head []byte, given string) (s *Schema, prefixed bool, err error) {
	at := func(off int) string {
		if len(head) < off+identifierSize || !isIdentifier(string(head[off:off+identifierSize])) {
			return ""
		}
		return string(head[off : off+identifierSize])
	}
	prefixed = isPrefixed(src, head)
	if given != "" {
		s, err = LoadSchema(given)
		if err == nil && s.Identifier != "" && !prefixed && at(8) == s.Identifier && at(4) != s.Identifier {
			prefixed = true
		}
		return s, prefixed, err
	}
	if id := at(4); id != "" {
		if s = FindSchema(src, id); s != nil {
			return s, false, nil
		}
	}
	if id := at(8); id != "" && prefixed {
		s = FindSchema(src, id)
	}
	return s, prefixed, nil
}

// isPrefixed tells whether the first number is the size of what follows and a root table stands behind it.
func isPrefixed(src *model.Source, head []byte) bool {
	if len(head) < 12 || int64(le.Uint32(head)) != src.Size()-offsetSize {
		return false
	}
	b := NewBuffer(src, 0, src.Size(), true)
	r := b.Reader()
	defer b.Release(r)
	_, ok := r.Root()
	return ok
}

var errNoIdentifier = errors.New("no file identifier of a schema in the schema folder or beside the file")
