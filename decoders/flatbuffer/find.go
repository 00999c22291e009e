package flatbuffer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/source"
)

// Bounds of the search for a schema.
const (
	maxSchemaFiles = 256     // schemas looked at in a folder
	maxSearched    = 4 << 20 // bytes of a schema that is looked at
)

// SchemaFolder returns the folder of the user's configuration whose schemas are found by file identifier, or "" if the
// system names no such place.
func SchemaFolder() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "cutaway", "schemas")
}

// folders lists the folders that may have the schema of a source: the user's, then that of the file.
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

// FindSchema finds a schema by file identifier, in the folders of the user and of the file. It returns nil if there is
// none; the error then says why schemas that have the identifier cannot be used.
func FindSchema(ctx context.Context, src *model.Source, identifier string) (*Schema, error) {
	if identifier == SchemaIdentifier {
		return ownSchema(), nil
	}
	var refused error
	for _, dir := range folders(src) {
		names, err := source.Names(dir)
		if err != nil {
			continue
		}
		looked := 0
		for _, name := range names {
			path := filepath.Join(dir, name)
			if !slices.Contains(schemaEndings, strings.ToLower(filepath.Ext(path))) {
				continue
			}
			if looked++; looked > maxSchemaFiles {
				break
			}
			if !hasIdentifier(path, identifier) {
				continue
			}
			s, err := LoadSchema(ctx, path)
			if err == nil && s.Identifier == identifier {
				return s, nil
			}
			refused = errors.Join(refused, err)
		}
	}
	return nil, refused
}

// schemaEndings are those of schemas, compiled and not.
var schemaEndings = []string{".bfbs", ".fbs"}

// hasIdentifier reports whether a schema's text or bytes hold the identifier, without parsing it.
func hasIdentifier(path, identifier string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSearched {
		return false
	}
	lookedAt.Lock()
	defer lookedAt.Unlock()
	l := lookedAt.by[path]
	if l.of == nil || !os.SameFile(l.of, info) || l.of.Size() != info.Size() || !l.of.ModTime().Equal(info.ModTime()) {
		data, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		if l = (schemaLook{info, identifiersIn(path, data)}); len(lookedAt.by) >= mostLooked || lookedAt.by == nil {
			lookedAt.by = make(map[string]schemaLook)
		}
		lookedAt.by[path] = l
	}
	return slices.Contains(l.identifiers, identifier)
}

// A schemaLook holds the strings of a schema that may be its identifier.
type schemaLook struct {
	of          os.FileInfo
	identifiers []string
}

// lookedAt caches the looks at schemas: each of many buffers in a folder asks for all.
var lookedAt struct {
	sync.Mutex
	by map[string]schemaLook
}

const mostLooked = 4 * maxSchemaFiles

// identifiersIn returns the identifier of a text, or all strings of four bytes of a compiled schema.
func identifiersIn(path string, data []byte) (list []string) {
	if !strings.EqualFold(filepath.Ext(path), ".bfbs") {
		if m := identifierLine.FindSubmatch(data); m != nil {
			list = append(list, string(m[1]))
		}
		return list
	}
	for length := []byte{identifierSize, 0, 0, 0}; len(data) > 0; {
		i := bytes.Index(data, length)
		if i < 0 || i+len(length)+identifierSize >= len(data) {
			return list
		}
		if data = data[i+len(length):]; data[identifierSize] == 0 {
			list = append(list, string(data[:identifierSize]))
		}
	}
	return list
}

// found holds the schema of a buffer.
type found struct {
	schema   *Schema // or nil
	prefixed bool    // the buffer is size-prefixed
	unusable error   // why schemas that have its identifier cannot be used
}

// schemaFor finds the schema of a buffer: the user's, or one by the identifier at either place.
func schemaFor(ctx context.Context, src *model.Source, head []byte, given string) (found, error) {
	at := func(off int) string {
		if len(head) < off+identifierSize || !isIdentifier(string(head[off:off+identifierSize])) {
			return ""
		}
		return string(head[off : off+identifierSize])
	}
	f := found{prefixed: isPrefixed(ctx, src, head)}
	if given != "" {
		s, err := LoadSchema(ctx, given)
		if err != nil {
			return f, err
		}
		f.schema = s
		f.prefixed = f.prefixed || s.Identifier != "" && at(8) == s.Identifier && at(4) != s.Identifier
		return f, nil
	}
	if id := at(4); id != "" {
		if f.schema, f.unusable = FindSchema(ctx, src, id); f.schema != nil {
			f.prefixed = false
			return f, nil
		}
	}
	if id := at(8); id != "" && f.prefixed {
		f.schema, f.unusable = FindSchema(ctx, src, id)
	}
	return f, nil
}

// isPrefixed reports whether the first number is that of the bytes that follow, and a root table is among them.
func isPrefixed(ctx context.Context, src *model.Source, head []byte) bool {
	if len(head) < 12 || int64(le.Uint32(head)) != src.Size()-offsetSize {
		return false
	}
	b := NewBuffer(src, 0, src.Size(), true)
	r := b.Reader(ctx)
	defer b.Release(r)
	_, ok := r.Root()
	return ok
}

var errNoIdentifier = errors.New("no file identifier of a schema in the schema folder or beside the file")
