package decoders

import (
	"go/ast"
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

// A room is what the packages that fit a pattern may import of ours. "a/*" is all below a, "*" everything.
type room struct {
	pattern string
	help    string
	may     []string
	fyne    bool
}

// rooms reads the table of docs/architecture.md.
func rooms(t *testing.T) []room {
	t.Helper()
	_, page, _ := strings.Cut(readDoc(t, "../docs/architecture.md"), "\n## Rooms\n")
	page, _, _ = strings.Cut(page, "\n## ")
	var list []room
	for _, row := range cells(page)[2:] { // after the titles
		r := room{pattern: row[0], help: row[1]}
		for _, may := range strings.Split(row[len(row)-1], ", ") {
			switch may {
			case "–":
			case "Fyne":
				r.fyne = true
			case "all":
				r.may = append(r.may, "*")
			default:
				r.may = append(r.may, may)
			}
		}
		list = append(list, r)
	}
	return list
}

// roomOf finds the room of a folder: the one of its name, or the first whose pattern it fits. A command is in the room of
// what it is a command of; nil: there is none.
func roomOf(rooms []room, dir string) *room {
	dir, _, _ = strings.Cut(dir, "/cmd")
	for i := range rooms {
		if rooms[i].pattern == dir {
			return &rooms[i]
		}
	}
	for i := range rooms {
		if fits, _ := path.Match(rooms[i].pattern, dir); fits {
			return &rooms[i]
		}
	}
	return nil
}

// testsMay is what test files import besides: the shared tests, makers of test files, what they compare with, and
// the format of what a package holds. The window's exports are held against the command line's.
var testsMay = []string{"cli", "decoders", "decoders/decodertest", "decoders/usdatext", "decoders/usdc", "internal/*", "source", "model/export", "model/export/exporttest", "model/search", "ui/uitest", "model/diff", "model/size", "model/values"}

// bench is what tests import that drive the whole window: they may import all that it is made of.
const bench = "ui/window/windowtest"

// TestImports: every package is in a room of docs/architecture.md and imports what the page allows it; every room has
// a package.
func TestImports(t *testing.T) {
	rooms, used, files := rooms(t), make(map[string]bool), 0
	eachGoFile(t, func(name, rel string) {
		files++
		r := roomOf(rooms, path.Dir(rel))
		if r == nil {
			t.Errorf("docs/architecture.md has no row for %s", path.Dir(rel))
			return
		}
		used[r.pattern] = true
		r.checkImports(t, name, rel)
	})
	if files < 20 {
		t.Fatalf("%d files", files)
	}
	for _, r := range rooms {
		if !used[r.pattern] {
			t.Errorf("docs/architecture.md has a row for %s, which is no package", r.pattern)
		}
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

func (r *room) checkImports(t *testing.T, file, rel string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	test := strings.HasSuffix(rel, "_test.go")
	if test && slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(module+"/"+bench) }) {
		return
	}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
			continue
		}
		if why := r.refuse(path.Dir(rel), test, imported); why != "" {
			t.Errorf("%s imports %s: %s", rel, imported, why)
		}
	}
}

// refuse says why a file of a folder in the room may not import a package; "" when it may.
func (r *room) refuse(dir string, test bool, imported string) string {
	if strings.HasPrefix(imported, "fyne.io/") && !r.fyne {
		return "only hexview, ui and main.go know Fyne"
	}
	if r.pattern == "model" && strings.Contains(imported, ".") {
		return "model imports the standard library alone"
	}
	ours, ok := strings.CutPrefix(imported, module+"/")
	if !ok || ours == dir || mayImport(r.may, ours) || test && mayImport(testsMay, ours) {
		return ""
	}
	return r.pattern + " may import " + strings.Join(append([]string{"nothing of ours but"}, r.may...), " ")
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
	rooms := rooms(t)
	for _, k := range []struct {
		dir, imported string
		test, refused bool
	}{
		{"model", "cutaway/source", false, true},
		{"model", "fmt", false, false},
		{"model", "github.com/google/go-cmp/cmp", false, true},
		{"decoders/usdz", "cutaway/decoders/usdc", false, true},
		{"decoders/usdz", "cutaway/decoders", false, true},
		{"decoders/usdz", "cutaway/decoders/grammar", false, false},
		{"decoders/usdz", "cutaway/decoders/decodertest", false, true},
		{"decoders/usdz", "cutaway/decoders/decodertest", true, false},
		{"decoders", "cutaway/decoders/usdz", false, false},
		{"decoders", "fyne.io/fyne/v2", false, true},
		{"hexview", "fyne.io/fyne/v2", false, false},
		{"hexview", "cutaway/source", false, true},
		{"ui/treeview", "cutaway/ui", false, true},
		{"ui", "cutaway/ui/treeview", false, true},
		{"ui/window", "cutaway/ui/tab", false, false},
		{"ui/tab", "cutaway/ui/window", false, true},
		{"ui", "cutaway/decoders/usdc", false, true},
		{"cli", "cutaway/ui", false, true},
		{".", "cutaway/ui", false, false},
	} {
		if why := roomOf(rooms, k.dir).refuse(k.dir, k.test, k.imported); (why != "") != k.refused {
			t.Errorf("%s imports %s: %q", k.dir, k.imported, why)
		}
	}
	if r := roomOf(rooms, "elsewhere"); r != nil {
		t.Errorf("a folder of no room is in %s", r.pattern)
	}
}
