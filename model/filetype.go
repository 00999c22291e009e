package model

import "slices"

// A FileType is a kind of file of a format, as desktops know it.
type FileType struct {
	MIME       string
	Title      string   // for people
	Extensions []string // with the dot, lower case
	Shared     []string // those of Extensions that other programs use too
	Magic      []Magic  // any of these identifies the type
	Parent     string   // the MIME type that it specializes, or "" for bytes
	// Default means that we open the type by default, unless the user has chosen another program. Other types are only
	// offered under Open with….
	Default bool
	// After are the desktop entries, without ".desktop", of programs that take precedence for types without Default.
	// Those not installed do not count. Text has its own list.
	After []string
	Icon  string // its name in a theme, or "" for a general one
	UTI   string // the identifier of the type in macOS, or ""
}

// A Magic is text at an offset, and possibly more text elsewhere.
type Magic struct {
	Offset int
	Text   string
	And    *Magic
}

// Extensions returns those of all types, in their order.
func (f *Format) Extensions() []string {
	var list []string
	for i := range f.Types {
		list = append(list, f.Types[i].Extensions...)
	}
	return list
}

// Owned returns the extensions that no other format uses: a file with one of these that does not open is reported.
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

// MIME returns the format's first MIME type, or "" if it has no files of its own.
func (f *Format) MIME() string {
	if len(f.Types) == 0 {
		return ""
	}
	return f.Types[0].MIME
}
