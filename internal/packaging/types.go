// Package packaging writes what a desktop needs to know of the program: MIME types, desktop entry, document types of
// macOS, associations of Windows, icons, licences. All of it comes from one table, which a test holds against the
// formats.
package packaging

import (
	"slices"
	"strings"
)

// The program's names.
const (
	ID      = "dev.cutaway.Cutaway" // of the desktop entry, the icon and the bundle
	Program = "cutaway"             // the file
	Name    = "Cutaway"             // for people; the class of its window on X11
	Summary = "Explore binary formats byte by byte"
)

// A Type is one kind of file as a desktop knows it.
type Type struct {
	Format     string   // by which we decode it; "" for a general type that may hold something of ours
	MIME       string   // the type
	Comment    string   // what it is, for people
	Extensions []string // with the dot
	Parent     string   // the MIME type that it is a kind of; "" for bytes
	Magic      []Magic  // any of which tells the type
	// Default says that a double click opens it with us, unless the user has chosen otherwise. Other types are only
	// offered under Open with….
	Default bool
	Known   bool // the system's own database describes it
}

// A Magic is text at an offset, and what must stand elsewhere besides.
type Magic struct {
	Offset int
	Text   string
	And    *Magic
}

// Types lists what we open.
var Types = []Type{
	{
		Format: "usdc", MIME: "model/vnd.usdc", Comment: "OpenUSD crate", Default: true,
		Extensions: []string{".usdc"}, Magic: []Magic{{Text: "PXR-USDC"}},
	},
	{
		// Crate or text, which the name does not tell; programs that show scenes come first.
		Format: "usdc", MIME: "model/vnd.usd", Comment: "OpenUSD layer", Extensions: []string{".usd"},
	},
	{
		Format: "usdz", MIME: "model/vnd.usdz+zip", Comment: "OpenUSD package", Default: true,
		Extensions: []string{".usdz"}, Parent: "application/zip",
	},
	{
		Format: "vrs", MIME: "application/x-vrs", Comment: "VRS recording", Default: true,
		Extensions: []string{".vrs"}, Magic: []Magic{{Text: "VisionRe", And: &Magic{Offset: 72, Text: "cord"}}},
	},
	{
		Format: "udm", MIME: "application/x-udm", Comment: "UDM of the Pragma engine, binary", Default: true,
		Extensions: []string{".udm_b", ".pmdl_b", ".pmap_b", ".pnav_b", ".pfmp_b", ".pmat_b", ".pptsys_b", ".pikr_b", ".psg_b"},
		Magic:      []Magic{{Text: "UDMB"}},
	},
	{
		Format: "udm", MIME: "text/x-udm", Comment: "UDM of the Pragma engine, text", Parent: "text/plain",
		Extensions: []string{".udm", ".pmdl", ".pmap", ".pnav", ".pfmp", ".pmat", ".pptsys", ".pikr", ".psg", ".udms"},
	},
	{
		Format: "omnilive", MIME: "application/x-omniverse-live", Comment: "Omniverse live layer", Default: true,
		Extensions: []string{".oodf"}, Magic: []Magic{{Offset: 4, Text: "OODF"}, {Text: "OODF"}, {Offset: 8, Text: "OODF"}},
	},
	{
		Format: "omnilive", MIME: "application/x-omniverse-live-parts", Comment: "Omniverse live layer with its large values",
		Extensions: []string{".ompf", ".live"}, Magic: []Magic{{Text: "OMPF"}},
	},
	{
		Format: "odin", MIME: "application/x-odinserializer", Comment: "OdinSerializer data", Extensions: []string{".odin"},
	},
	{
		Format: "odin", MIME: "application/x-unity-bytes", Comment: "Unity bytes", Extensions: []string{".bytes"},
	},
	{
		Format: "odin", MIME: "application/x-unity-asset", Comment: "Unity asset", Parent: "text/plain", Extensions: []string{".asset"},
	},
	{
		Format: "odin", MIME: "application/x-unity-prefab", Comment: "Unity prefab", Parent: "text/plain", Extensions: []string{".prefab"},
	},
	{
		Format: "odin", MIME: "application/x-unity-scene", Comment: "Unity scene", Parent: "text/plain", Extensions: []string{".unity"},
	},
	{
		Format: "flatbuffer", MIME: "application/x-flatbuffers-schema", Comment: "FlatBuffers schema, compiled",
		Extensions: []string{".bfbs"}, Magic: []Magic{{Offset: 4, Text: "BFBS"}},
	},
	{MIME: "application/json", Comment: "JSON document", Extensions: []string{".json"}, Known: true},
	{MIME: "application/octet-stream", Comment: "Unknown bytes", Extensions: []string{".bin"}, Known: true},
}

// others are desktop entries that come before us for what we are only offered for; those that are not installed do
// not count. A desktop takes a program that names a type before one that names its parent, so that without them we
// would push a text editor aside.
func (t *Type) others() []string {
	switch {
	case t.MIME == "model/vnd.usd":
		return []string{"usdview", "f3d-plugin-usd", "io.github.f3d_app.f3d", "f3d", "org.blender.Blender", "blender"}
	case t.MIME == "application/octet-stream":
		return []string{"org.gnome.GHex", "okteta", "org.kde.okteta", "net.werwolv.imhex", "bless"}
	case t.Parent == "text/plain" || t.MIME == "application/json":
		return []string{
			"org.gnome.TextEditor", "org.gnome.gedit", "org.kde.kate", "org.kde.kwrite", "org.xfce.mousepad", "mousepad",
			"xed", "pluma", "featherpad", "org.cosmic.TextEditor", "com.system76.CosmicEdit", "io.elementary.code", "code", "codium",
			"geany", "emacs", "gvim", "vim",
		}
	}
	return nil
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

func all(*Type) bool { return true }

// sentence writes the extensions of the formats for a text: ".a, .b and .c".
func sentence(keep func(*Type) bool) string {
	var list []string
	for i := range Types {
		if t := &Types[i]; keep(t) && t.Format != "" {
			list = append(list, t.Extensions...)
		}
	}
	list = slices.Compact(list)
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
