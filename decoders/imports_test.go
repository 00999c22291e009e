package decoders

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "cutaway"

// room is what a folder and all below it may import of ours. "a/*" is all below a.
type room struct {
	folder string
	may    []string
	fyne   bool
}

func (r room) holds(dir string) bool {
	return dir == r.folder || strings.HasPrefix(dir, strings.TrimSuffix(r.folder, "/")+"/")
}

// rooms are all rooms, as docs/architecture.md has them. The first that holds a folder is its room.
var rooms = []room{
	{folder: "model/export/exporttest", may: []string{"model"}},
	{folder: "model/export", may: []string{"model"}},
	{folder: "model/inspect", may: []string{"model"}},
	{folder: "model/search", may: []string{"model"}},
	{folder: "model"},
	{folder: "source", may: []string{"model"}},
	{folder: "decoders/read", may: []string{"model"}},
	{folder: "decoders/decodertest/example", may: []string{"model", "decoders/read"}},
	{folder: "decoders/decodertest", may: []string{"model", "model/export", "source"}},
	// omnilive stands on flatbuffer's reader, as on a library; reflection is generated for it.
	{folder: "decoders/flatbuffer/reflection"},
	{folder: "decoders/flatbuffer", may: []string{"model", "source", "decoders/read", "decoders/flatbuffer/reflection"}},
	{folder: "decoders/omnilive", may: []string{"model", "source", "decoders/read", "decoders/flatbuffer", "decoders/flatbuffer/reflection"}},
	{folder: "decoders/", may: []string{"model", "source", "decoders/read"}},
	{folder: "decoders", may: []string{"model", "source", "decoders/*"}},
	{folder: "hexview", may: []string{"model"}, fyne: true},
	{folder: "ui/handover"},
	{folder: "ui/sysdialog"},
	{folder: "ui/treeview", may: []string{"model"}, fyne: true},
	{folder: "ui", may: []string{"model", "model/*", "source", "decoders", "hexview", "ui/*", "assets"}, fyne: true},
	{folder: "cli", may: []string{"model", "model/*", "source", "decoders"}},
	{folder: "bench", may: []string{"*"}, fyne: true}, // measures all rooms
	{folder: "internal", may: []string{"*"}},          // makers and comparers of test files; no part of the program
	{folder: "assets"},
	{folder: "e2e/emptywindow", fyne: true}, // what the window's memory is held against
	{folder: "e2e"},                         // drives the built program
	{folder: ".", may: []string{"cli", "ui", "decoders"}, fyne: true},
}

// testsMay is what test files import besides: the shared tests, makers of test files, what they compare with, and
// the format of what a package holds. The window's exports are held against the command line's.
var testsMay = []string{"cli", "decoders/decodertest", "decoders/usdc", "internal/*", "source", "model/export", "model/export/exporttest", "model/search"}

func TestImports(t *testing.T) {
	files := 0
	eachGoFile(t, func(name, rel string) {
		files++
		checkImports(t, name, rel)
	})
	if files < 20 {
		t.Fatalf("%d files", files)
	}
}

// eachGoFile calls f with each Go file of the project: its name from here, and from the project's folder.
func eachGoFile(t *testing.T, f func(name, rel string)) {
	t.Helper()
	root := ".."
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(filepath.ToSlash(name)[len(root):], "/")
		if d.IsDir() {
			if rel != "" && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "build" || rel == "tools") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			f(name, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkImports(t *testing.T, file, rel string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	dir := path.Dir(rel)
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
			continue
		}
		if why := refuse(dir, strings.HasSuffix(rel, "_test.go"), imported); why != "" {
			t.Errorf("%s imports %s: %s", rel, imported, why)
		}
	}
}

// refuse says why a file of the folder may not import a package; "" when it may.
func refuse(dir string, test bool, imported string) string {
	for _, room := range rooms {
		if !room.holds(dir) {
			continue
		}
		if strings.HasPrefix(imported, "fyne.io/") && !room.fyne {
			return "only hexview, ui and main.go know Fyne"
		}
		if room.folder == "model" && strings.Contains(imported, ".") {
			return "model stands on the standard library alone"
		}
		ours, ok := strings.CutPrefix(imported, module+"/")
		if !ok || ours == dir || mayImport(room.may, ours) || test && mayImport(testsMay, ours) {
			return ""
		}
		return room.folder + " may import " + strings.Join(append([]string{"nothing of ours but"}, room.may...), " ")
	}
	return "the folder " + dir + " is in no room"
}

func mayImport(list []string, ours string) bool {
	return slices.ContainsFunc(list, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(ours, prefix)
		}
		return ours == pattern
	})
}

func TestRefuse(t *testing.T) {
	for _, k := range []struct {
		dir, imported string
		test, refused bool
	}{
		{"model", "cutaway/source", false, true},
		{"model", "fmt", false, false},
		{"model", "github.com/google/go-cmp/cmp", false, true},
		{"decoders/usdz", "cutaway/decoders/usdc", false, true},
		{"decoders/usdz", "cutaway/decoders", false, true},
		{"decoders/usdz", "cutaway/decoders/read", false, false},
		{"decoders/usdz", "cutaway/decoders/decodertest", false, true},
		{"decoders/usdz", "cutaway/decoders/decodertest", true, false},
		{"decoders", "cutaway/decoders/usdz", false, false},
		{"decoders", "fyne.io/fyne/v2", false, true},
		{"hexview", "fyne.io/fyne/v2", false, false},
		{"hexview", "cutaway/source", false, true},
		{"ui/treeview", "cutaway/ui", false, true},
		{"ui", "cutaway/ui/treeview", false, false},
		{"ui", "cutaway/decoders/usdc", false, true},
		{"cli", "cutaway/ui", false, true},
		{".", "cutaway/ui", false, false},
		{"elsewhere", "cutaway/model", false, true},
	} {
		if why := refuse(k.dir, k.test, k.imported); (why != "") != k.refused {
			t.Errorf("%s imports %s: %q", k.dir, k.imported, why)
		}
	}
}
