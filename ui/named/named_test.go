package named_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/closure"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/named"
	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"
)

const plain = "#usda 1.0\n"

// scene is a layer without geometry, and files that it names, each in another state.
var scene = map[string]string{
	"main.usda": plain + "(\n    subLayers = [@./links.usda@]\n)\ndef \"A\" (\n    references = [@./gone.usda@, @./arm.usda@]\n)\n{\n" +
		"    asset a = @./a.png@\n    asset b = @https://example.org/x.png@\n}\n",
	"links.usda": plain + "(\n    subLayers = [@./main.usda@]\n)\ndef \"L\" (\n    references = @lib/c.usda@\n)\n{\n}\n",
	"arm.usda":   "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 485323\n",
	"a.png":      "picture",
}

func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// open opens a file and waits for the files that it names.
func open(b *windowtest.Bench, file string) (*tab.Tab, *named.Pane) {
	b.Helper()
	s := b.Open(opening.Target{File: file})
	b.Idle()
	if s.Pane.Stage.Kind() != document.Files {
		b.Fatalf("%s is on the stage of %v", s.Pane.Stage.Kind(), s.Pane.Stage.Kinds())
	}
	p := s.Pane.Files
	b.Until("the files", func() bool { return !p.Running })
	b.Idle()
	return s, p
}

// twigs returns the rows of the tree.
func twigs(p *named.Pane) (list []*treeview.Twig[*closure.File]) {
	var walk func(t *treeview.Twig[*closure.File])
	walk = func(t *treeview.Twig[*closure.File]) {
		list = append(list, t)
		for _, kid := range t.Kids {
			walk(kid)
		}
	}
	walk(p.Data.Root().(*treeview.Twig[*closure.File]))
	return list
}

// rows returns the first columns of the rows, with their signs.
func rows(p *named.Pane) (list []string) {
	for _, t := range twigs(p) {
		row := p.Data.Row(t)
		list = append(list, fmt.Sprint(strings.Repeat(" ", t.One.Depth), strings.Join(row.Cells[:4], ","), " ", row.Mark, row.Below))
	}
	return list
}

// selectFile selects the row of a file by keys.
func selectFile(b *windowtest.Bench, p *named.Pane, name string) {
	b.Helper()
	at := slices.IndexFunc(twigs(p), func(t *treeview.Twig[*closure.File]) bool { return p.Data.Row(t).Cells[0] == name })
	if at < 0 {
		b.Fatalf("no row of %s in %q", name, rows(p))
	}
	b.W.Shell.Focus(p.List)
	press(p, fyne.KeyHome)
	for range at {
		press(p, fyne.KeyDown)
	}
	b.Idle()
}

func press(p *named.Pane, key fyne.KeyName) { p.List.TypedKey(&fyne.KeyEvent{Name: key}) }

// TestFiles: a layer without geometry opens with what it names. A row leads to the bytes in this file that lead to the row's, and the card
// stays; Enter opens a file, or where a missing one is named.
func TestFiles(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := write(t, scene)
		s, p := open(b, filepath.Join(dir, "main.usda"))
		want := []string{"main.usda,,USD text 1.0," + fmt.Sprint(len(scene["main.usda"])) + " 0 3", " links.usda,sublayer,USD text 1.0," + fmt.Sprint(len(scene["links.usda"])) + " 0 3",
			"  main.usda,sublayer,cycle, 3 0", "  lib/c.usda,reference,missing, 3 0", " ./gone.usda,reference,missing, 3 0",
			" arm.usda,reference,broken, a Git LFS pointer," + fmt.Sprint(len(scene["arm.usda"])) + " 3 0", " a.png,asset,,7 0 0", " https://example.org/x.png,asset,not looked at, 1 0"}
		if got := rows(p); !slices.Equal(got, want) {
			t.Errorf("the rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if p.List.Rows() != int64(len(want)) || p.State.Text != "7 files, 2 missing, 1 broken, 1 not looked at" || !strings.HasPrefix(p.Help.Text, "Opened by OpenUSD 2") {
			t.Errorf("%d rows are open; it says %q, %q", p.List.Rows(), p.State.Text, p.Help.Text)
		}
		at := func(name string) {
			t.Helper()
			off, n := s.Pane.Hex.Shown.View.Selection()
			if text := scene["main.usda"]; n < int64(len(name)) || !strings.Contains(text[off:off+n], name) || s.Pane.Stage.Kind() != document.Files {
				t.Errorf("%q is selected, not %s; %s is on the stage", text[off:off+n], name, s.Pane.Stage.Kind())
			}
		}
		selectFile(b, p, "arm.usda")
		at("./arm.usda")
		if !strings.HasPrefix(s.Pane.Current().Path(), "scene/A/references") || !strings.Contains(p.Help.Text, "Git LFS pointer") || b.W.Shell.Win.Canvas().Focused() != p.List {
			t.Errorf("%s is selected; it says %q", s.Pane.Current().Path(), p.Help.Text)
		}
		selectFile(b, p, "lib/c.usda")
		at("./links.usda")
		if !strings.Contains(p.Help.Text, "main.usda names ./links.usda at 0x") || !strings.Contains(p.Help.Text, "links.usda names lib/c.usda at 0x") {
			t.Errorf("the chain is %q", p.Help.Text)
		}
		press(p, fyne.KeyReturn)
		b.Until("the layer that names it", func() bool { return b.W.Active != s && b.W.Active.Pane != nil })
		b.At(b.W.Active, "scene/L/references/explicit/[0]/assetPath")
		if got := b.W.Active.Title(); got != "links.usda" {
			t.Errorf("%s is opened", got)
		}
		b.W.Pages.Show(s)
		selectFile(b, p, "a.png")
		press(p, fyne.KeyReturn)
		b.Until("the picture", func() bool { return b.W.Active != s && b.W.Active.Title() == "a.png" })
	})
}

// TestFilesList: the files are narrowed down to what is wrong or fits a text, with those that lead there, and copied. A folder of the
// settings is searched too.
func TestFilesList(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := write(t, scene)
		_, p := open(b, filepath.Join(dir, "main.usda"))
		p.Wrong.SetChecked(true)
		if got := len(twigs(p)); got != 6 || p.List.Rows() != 6 {
			t.Errorf("%d rows are wrong or lead there: %q", got, rows(p))
		}
		p.Filter.SetText("LIB/")
		if got := rows(p); len(got) != 3 || !strings.Contains(got[2], "lib/c.usda") {
			t.Errorf("the filter leaves %q", got)
		}
		p.CopyAll()
		if text := b.W.Shell.App.Clipboard().Content(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "\nlib/c.usda\treference\tmissing\t\t\tthe file lib/c.usda is not there\n") {
			t.Errorf("%q is copied", text)
		}
		p.Filter.SetText("none of this")
		if text := windowtest.Texts(p.Body); !strings.Contains(text, "No file fits the filter.") {
			t.Errorf("it says %q", text)
		}
		p.Filter.SetText("")
		p.Wrong.SetChecked(false)
		if err := b.W.Setting("assets").Text.Set(write(t, map[string]string{"lib/c.usda": plain})); err != nil {
			t.Fatal(err)
		}
		p.Look()
		b.Until("the files", func() bool { return !p.Running })
		if !strings.HasPrefix(p.State.Text, "7 files, 1 missing") {
			t.Errorf("with a folder to search: %q", p.State.Text)
		}
	})
}

// TestNoFiles: a layer that names nothing opens with its text, and its card says so.
func TestNoFiles(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: filepath.Join(write(t, map[string]string{"a.usda": plain + "def \"A\"\n{\n}\n"}), "a.usda")})
		b.Idle()
		if s.Pane.Stage.Kind() != "Text" {
			t.Errorf("%s is on the stage", s.Pane.Stage.Kind())
		}
		s.Pane.Stage.Choose(document.Files)
		b.Until("the card", func() bool {
			return strings.Contains(windowtest.Texts(s.Pane.Files.Body), "This layer names no other file.")
		})
		if other, _ := b.Fake(); slices.Contains(other.Pane.Stage.Kinds(), document.Files) {
			t.Error("a format without names has the card")
		}
	})
}

// TestStop: a search is stopped, says so, and is begun again.
func TestStop(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := write(t, scene)
		_, p := open(b, filepath.Join(dir, "main.usda"))
		var refs strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&refs, "@./%d.usda@, ", i)
		}
		if err := os.WriteFile(filepath.Join(dir, "links.usda"), []byte(plain+"def \"L\" (\n    references = ["+refs.String()+"]\n)\n{\n}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		test.Tap(p.Again)
		if !p.Stop.Visible() || p.Again.Visible() || !strings.HasPrefix(p.State.Text, "looking…") {
			t.Errorf("while it looks it says %q", p.State.Text)
		}
		test.Tap(p.Stop)
		b.Until("the end", func() bool { return !p.Running })
		if !strings.HasPrefix(p.State.Text, "stopped after ") || !p.Again.Visible() {
			t.Errorf("it says %q", p.State.Text)
		}
		test.Tap(p.Again)
		b.Until("all", func() bool { return strings.HasPrefix(p.State.Text, "5,006 files, 5,001 missing") })
	})
}

// farReader is the bytes of a server.
type farReader struct{ model.Reader }

func (farReader) Far() bool { return true }

// TestFar: beside a file of a server nothing is looked for until the user asks.
func TestFar(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		src := model.NewFileSource("main.usda", farReader{model.BytesReader([]byte(scene["main.usda"]))})
		doc, err := decoders.Opener{}.Open(t.Context(), src, "main.usda")
		if err != nil {
			t.Fatal(err)
		}
		s := b.W.Add(opening.Subject{File: filepath.Join(t.TempDir(), "main.usda")})
		s.Show(doc)
		b.Idle()
		s.Pane.Stage.Choose(document.Files)
		b.Idle()
		p := s.Pane.Files
		if p.Running || p.State.Text != "" {
			t.Fatalf("it says %q unasked", p.State.Text)
		}
		b.Press(p.Body, "Look for the files that it names")
		b.Until("an answer", func() bool { return strings.Contains(windowtest.Texts(p.Body), "The files cannot be looked for") })
	})
}
