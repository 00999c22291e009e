package model

import "slices"

// A FileType is one kind of file of a format, as desktops know it.
type FileType struct {
	MIME       string
	Title      string   // what it is, for people
	Extensions []string // with the dot, lower case
	Shared     []string // those of Extensions that files of other programs have too
	Magic      []Magic  // each of which identifies the type
	Parent     string   // the MIME type that it specializes, or "" for bytes
	// Default says that a double click opens it with us, unless the user has chosen otherwise. Other types are only
	// offered under Open with….
	Default bool
	// After are the desktop entries of programs that come before us where we are only offered, without ".desktop"; those
	// that are not installed do not count. Text has its own.
	After []string
	Icon  string // its name in a theme, or "" for a general one
	UTI   string // the identifier that macOS has for the type, or ""
}

// A Magic is text at an offset, and what must be elsewhere besides.
type Magic struct {
	Offset int
	Text   string
	And    *Magic
}

// Extensions are those of all types, in their order.
func (f *Format) Extensions() []string {
	var list []string
	for i := range f.Types {
		list = append(list, f.Types[i].Extensions...)
	}
	return list
}

// Owned are the extensions that no other format uses: a file with one of these that does not open is reported.
func (f *Format) Owned() []string {
	var list []string
	for i := range f.Types {
		for _, ext := range f.Types[i].Extensions {
			if !slices.Contains(f.Types[i].Shared, ext) {
				list = append(list, ext)
			}
		}
	}
	return list
}

// MIME is the format's first MIME type; "" where it has no files of its own.
func (f *Format) MIME() string {
	if len(f.Types) == 0 {
		return ""
	}
	return f.Types[0].MIME
}
