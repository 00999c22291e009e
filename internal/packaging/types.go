// Package packaging writes the files by which a desktop knows the program: MIME types, desktop entry, document types of
// macOS, associations of Windows, icons, licences. All are derived from the formats.
package packaging

import (
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
)

// The program's names.
const (
	ID      = "dev.cutaway.Cutaway" // of the desktop entry, the icon and the bundle
	Program = "cutaway"             // the file
	Name    = "Cutaway"             // for people; the class of its window on X11
	Summary = "Explore binary formats byte by byte"
)

// A Type is one kind of file, of a format or general.
type Type struct {
	model.FileType
	Known bool // the system's own database describes it
}

// Types lists what we open: the files of every format, and general types that may hold something of ours.
var Types = func() []Type {
	var list []Type
	for _, f := range decoders.All() {
		for _, t := range f.Types {
			list = append(list, Type{t, false})
		}
	}
	return append(list,
		Type{model.FileType{
			MIME: "application/json", Title: "JSON document", Extensions: []string{".json"}, UTI: "public.json", After: textEditors,
		}, true},
		Type{model.FileType{
			MIME: "application/octet-stream", Title: "Unknown bytes", Extensions: []string{".bin"}, UTI: "public.data",
			After: []string{"org.gnome.GHex", "okteta", "org.kde.okteta", "net.werwolv.imhex", "bless"},
		}, true})
}()

// textEditors come before us for text.
var textEditors = []string{
	"org.gnome.TextEditor", "org.gnome.gedit", "org.kde.kate", "org.kde.kwrite", "org.xfce.mousepad", "mousepad",
	"xed", "pluma", "featherpad", "org.cosmic.TextEditor", "com.system76.CosmicEdit", "io.elementary.code", "code", "codium",
	"geany", "emacs", "gvim", "vim",
}

// others returns the desktop entries that take precedence for types that we are only offered for. A desktop prefers a
// program that names a type to one that names its parent, so that we would otherwise replace the text editor.
func (t *Type) others() []string {
	if t.Parent == "text/plain" {
		return textEditors
	}
	return t.After
}

// mimes lists the MIME types of some or all.
func mimes(keep func(*Type) bool) []string {
	var list []string
	for i := range Types {
		if keep(&Types[i]) {
			list = append(list, Types[i].MIME)
		}
	}
	return list
}

func everyType(*Type) bool { return true }

// sentence writes the extensions of the formats for a text: ".a, .b and .c".
func sentence(keep func(*Type) bool) string {
	var list []string
	for i := range Types {
		if t := &Types[i]; keep(t) && !t.Known {
			list = append(list, t.Extensions...)
		}
	}
	list = slices.Compact(list)
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
