package usddiff

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
)

// toCrates lets usd-core read text layers and write them as crates; it says which it refuses.
const toCrates = `
import sys
from pxr import Sdf, Tf
pairs = sys.argv[1:]
for text, crate in zip(pairs[::2], pairs[1::2]):
    try:
        layer = Sdf.Layer.FindOrOpen(text)
        ok = layer and layer.Export(crate)
    except Tf.ErrorException as error:
        ok = False
        print(text, str(error)[:300].replace("\n", " "), sep="\t")
`

// toTexts lets usd-core write crates as text.
const toTexts = `
import sys
from pxr import Sdf
pairs = sys.argv[1:]
for crate, text in zip(pairs[::2], pairs[1::2]):
    Sdf.Layer.FindOrOpen(crate).Export(text)
`

func run(t *testing.T, interpreter, script string, args []string) string {
	t.Helper()
	out, err := exec.Command(interpreter, append([]string{"-c", script}, args...)...).Output()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	return string(out)
}

// wheelTexts are the text layers of the interpreter's own usd-core.
func wheelTexts(t *testing.T, interpreter string) []string {
	where := strings.TrimSpace(run(t, interpreter, "import pxr, os; print(os.path.dirname(pxr.__file__))", nil))
	var all []string
	err := filepath.WalkDir(where, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".usda" {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReadText compares the scene of text layers with that of the crates that usd-core makes of them; a comparison as
// "cutaway diff" makes it finds nothing either.
func TestReadText(t *testing.T) {
	interpreter := python(t)
	folder := t.TempDir()
	crates := scenes(t, interpreter, sceneCount(t))
	var texts, args []string
	for i, crate := range crates {
		texts = append(texts, filepath.Join(folder, "scene-"+strconv.Itoa(i)+".usda"))
		args = append(args, crate, texts[i])
	}
	run(t, interpreter, toTexts, args)
	texts = append(texts, wheelTexts(t, interpreter)...)
	own, err := filepath.Glob("../../testdata/usda/*.usda")
	if err != nil {
		t.Fatal(err)
	}
	texts = append(texts, own...)
	args = nil
	for i, text := range texts {
		args = append(args, text, filepath.Join(folder, "from-"+strconv.Itoa(i)+".usdc"))
	}
	refused := run(t, interpreter, toCrates, args)
	fields, layers := 0, 0
	for i, text := range texts {
		crate := args[2*i+1]
		t.Run(filepath.Base(text), func(t *testing.T) {
			_, report := open(t, text, "")
			if strings.Contains(refused, text+"\t") {
				if report.Sound() {
					t.Errorf("sound, but usd-core refuses it:\n%s", refused)
				}
				return
			}
			if _, err := os.Stat(crate); err != nil {
				t.Fatal(err)
			}
			for _, p := range report.Problems {
				if p.Kind.Severity() != model.Note && !strings.HasPrefix(p.Rule, "usd.data.") && !strings.HasSuffix(p.Rule, "-twice") { // usd-core checks no data
					t.Errorf("usd-core reads it, we have a problem at %s: %v", p.Path, p.Problem)
				}
			}
			layers++
			got, want := sceneOf(t, text), sceneOf(t, crate)
			if growing.Match(readFile(t, text)) {
				dropExplicit(got, want)
			} else if changes := compared(t, text, crate); len(changes) > 0 {
				t.Errorf("a comparison of the layer as text and as crate finds %d changes: %.300q", len(changes), changes)
			}
			fields += sameScenes(t, got, want)
		})
	}
	t.Logf("%d of %d layers compared, %d nodes", layers, len(texts), fields)
}

// sceneOf is every node of a scene by its path: type and value.
func sceneOf(t *testing.T, file string) map[string]string {
	t.Helper()
	doc, _ := open(t, file, "")
	defer doc.Close()
	nodes := map[string]string{}
	err := model.Walk(t.Context(), doc.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if p.Node.Type == pathOnly {
			return nil
		}
		value := p.Node.Brief
		if p.Node.Value != nil {
			value = fmt.Sprint(exact(t.Context(), p.Node.Value))
		}
		nodes[p.Path()] = p.Node.Type + " " + value
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// exact writes a value whole.
func exact(ctx context.Context, v model.Value) any {
	switch v := v.(type) {
	case model.Array, model.Tuple:
		list, ok := plain(ctx, v).([]any)
		if !ok {
			return plain(ctx, v)
		}
		for i := range list {
			if e, ok := list[i].(model.Value); ok {
				list[i] = exact(ctx, e)
			}
		}
		return list
	case model.Symbol:
		return v.Name
	}
	return model.Show(ctx, v, 1<<20)
}

// growing is an array edit after which usd-core takes the next explicit list of targets or connections for one to prepend
// or append.
var growing = regexp.MustCompile(`edit \[(.*; )?(prepend|append) `)

// dropExplicit takes out list ops that are explicit in one scene only.
func dropExplicit(got, want map[string]string) {
	for path, g := range got {
		if (strings.HasSuffix(path, "/targetPaths") || strings.HasSuffix(path, "/connectionPaths")) && g != want[path] &&
			strings.HasSuffix(g, " explicit") {
			for _, nodes := range []map[string]string{got, want} {
				maps.DeleteFunc(nodes, func(p, _ string) bool { return p == path || strings.HasPrefix(p, path+"/") })
			}
		}
	}
}

func sameScenes(t *testing.T, got, want map[string]string) int {
	t.Helper()
	wrong := 0
	fail := func(format string, args ...any) {
		if wrong++; wrong < 12 {
			t.Errorf(format, args...)
		}
	}
	for _, path := range sorted(want) {
		if slices.Contains([]string{"connectionChildren", "targetChildren"}, filepath.Base(path)) {
			continue
		}
		if g, there := got[path]; !there {
			fail("%s: not found, the crate has %.200s", path, want[path])
		} else if g != want[path] {
			fail("%s: %.300s, the crate has %.300s", path, g, want[path])
		}
	}
	for _, path := range sorted(got) {
		if _, there := want[path]; !there {
			fail("%s: the crate has none, we have %.200s", path, got[path])
		}
	}
	return len(want)
}
