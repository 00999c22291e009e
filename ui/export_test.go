package ui

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/cli"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/uitest"
)

// pick selects a node and those after it in the tree, n in all.
func (b *bench) pick(s *session, path string, n int) {
	b.Helper()
	s.GoTo(path)
	b.at(s, path)
	t := s.tree(s.view)
	t.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	for range n - 1 {
		t.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	t.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	b.until("the selection", func() bool { return t.SelectedCount() == int64(n) && s.current == t.Selected().(*nodes.Item).Place })
}

// dialog opens the export dialog with a form.
func (b *bench) dialog(s *session, places []*model.Place, form string) *exportDialog {
	b.Helper()
	refused := make(map[*export.Form]string)
	for _, f := range export.Forms {
		refused[f] = f.Refuse(s.ctx, fresh(places))
	}
	d := newExportDialog(s, places, refused, export.FormByName(form))
	return d
}

// chosen are the places that an export would take.
func (b *bench) chosen(s *session) (places []*model.Place) {
	b.Helper()
	s.chosenNodes("taking", func(p []*model.Place) { places = p })
	b.until("the places", func() bool { return places != nil })
	return places
}

// write exports to a file and waits until it is there.
func (b *bench) write(d *exportDialog, path string) {
	b.Helper()
	d.path.SetText(path)
	b.pressMain()
	b.until("the export, told: "+d.told.Text, func() bool { return d.ctx.Err() != nil || d.writing == nil })
}

// TestExportEqualsTheCommandLine: three nodes that are selected in the tree are written as the command line writes them,
// in JSON, CSV and every other form that suits them.
func TestExportEqualsTheCommandLine(t *testing.T) { synctest.Test(t, testExportEqualsTheCommandLine) }

func testExportEqualsTheCommandLine(t *testing.T) {
	b := newBench(t)
	file, dir := filepath.Join("..", "testdata", "usdc", "value-types.usdc"), t.TempDir()
	if _, err := os.Stat(file); err != nil {
		t.Skip("there is no " + file)
	}
	b.w.open(Target{File: file})
	s := b.w.active
	b.until("the file", func() bool { return s.Doc != nil && s.current != nil })
	b.pick(s, "scene/World/.double3s", 1)
	// Three rows that do not stand side by side.
	tree := s.tree(s.view)
	for range 5 {
		was := tree.Selected()
		tree.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyDown, Modifier: ctrl})
		b.until("the next row", func() bool { return tree.Selected() != nil && tree.Selected() != was })
		if name := tree.Selected().(*nodes.Item).Place.Node.Name; name == ".double4s" || name == ".doubles" {
			tree.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: ctrl})
		}
	}
	places := b.chosen(s)
	var paths []string
	for _, p := range places {
		paths = append(paths, p.Path())
	}
	if got := strings.Join(paths, " "); got != "scene/World/.double3s scene/World/.double4s scene/World/.doubles" {
		t.Fatalf("selected %s", got)
	}
	for _, f := range export.Forms {
		if f.Refuse(t.Context(), fresh(places)) != "" {
			continue
		}
		var want, errs bytes.Buffer
		if status := cli.Main(context.Background(), "", append([]string{"export", file, "--as", f.Name}, paths...), &want, &errs); status != 0 {
			t.Fatalf("%s: status %d, %s", f.Name, status, errs.String())
		}
		out := filepath.Join(dir, "out"+f.Extension)
		b.write(b.dialog(s, places, f.Name), out)
		if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: %v, %d bytes, the command line has %d", f.Name, err, len(got), want.Len())
		}
	}
}

// TestExportDialog: the preview and the size follow the form and its options, and forms that do not suit say why.
func TestExportDialog(t *testing.T) { synctest.Test(t, testExportDialog) }

func testExportDialog(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	b.pick(s, "layout/table", 1)
	d := b.dialog(s, b.chosen(s), "json")
	b.until("the preview", func() bool { return len(d.shown.All()) > 0 && strings.HasPrefix(d.size.Text, "Size: exactly") })
	if line := d.shown.All()[0]; !strings.HasPrefix(line, `{"path":"layout/table"`) || len(d.shown.All()) != 1 {
		t.Errorf("preview %q", d.shown.All())
	}
	d.elements.SetChecked(true)
	b.until("the elements", func() bool { return len(d.shown.All()) == 101 })
	d.levels.SetText("0")
	b.until("one level", func() bool { return len(d.shown.All()) == 1 })
	if !strings.HasSuffix(d.path.Text, "table.json") || d.save.Text != "Export" || d.save.Disabled() || d.whole.Hidden {
		t.Errorf("path %q, button %q", d.path.Text, d.save.Text)
	}
	d.forms.SelectIndex(4, false)
	b.until("the bytes", func() bool {
		return d.form.Name == "raw" && len(d.shown.All()) == 100 && d.size.Text == "Size: exactly 1,600 bytes"
	})
	if !strings.HasSuffix(d.path.Text, "table.bin") || !d.copy.Disabled() || !d.whole.Hidden {
		t.Errorf("path %q", d.path.Text)
	}
	d.choose(export.FormByName("usda"))
	if !d.save.Disabled() || !strings.Contains(d.told.Text, "layout/table has no form called") {
		t.Errorf("of a form that does not suit %q is told", d.told.Text)
	}
	d.choose(export.FormByName("html"))
	if d.save.Disabled() || d.check.Hidden {
		t.Error("the report cannot be saved")
	}
	d.escape()
	if b.w.Win.Canvas().Overlays().Top() != nil || d.ctx.Err() == nil {
		t.Error("Escape does not close the dialog")
	}
}

// TestExportToFile: what is there is replaced after a word; the path is told and can be copied.
func TestExportToFile(t *testing.T) { synctest.Test(t, testExportToFile) }

func testExportToFile(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	out := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(out, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	b.pick(s, "layout/table", 1)
	d := b.dialog(s, b.chosen(s), "c")
	d.path.SetText(out)
	if d.save.Text != "Replace" || !strings.Contains(d.told.Text, "will be replaced") {
		t.Errorf("button %q, told %q", d.save.Text, d.told.Text)
	}
	b.w.exportDir = filepath.Dir(out)
	if err := os.WriteFile(filepath.Join(b.w.exportDir, "table.go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d.path.SetText(d.proposed)
	d.choose(export.FormByName("go"))
	if filepath.Base(d.path.Text) != "table.go" || !strings.Contains(d.told.Text, "table.go is there already") {
		t.Errorf("%s is proposed, told %q", d.path.Text, d.told.Text)
	}
	d.choose(export.FormByName("c"))
	if d.told.Text != "" || d.save.Text != "Export" {
		t.Errorf("told %q, button %q", d.told.Text, d.save.Text)
	}
	b.write(d, out)
	if got, err := os.ReadFile(out); err != nil || !strings.Contains(string(got), "static const uint64_t table[] = {") {
		t.Errorf("%s, %v", got, err)
	}
	if len(s.notice.Objects) == 0 || b.w.lastForm.Name != "c" || b.w.exportDir != filepath.Dir(out) {
		t.Error("the export is not told of, or not remembered")
	}
}

// TestExportFails: why is said in the dialog, nothing is left, and it can be tried again.
func TestExportFails(t *testing.T) { synctest.Test(t, testExportFails) }

func testExportFails(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	b.pick(s, "layout/table", 1)
	d := b.dialog(s, b.chosen(s), "json")
	b.write(d, filepath.Join(t.TempDir(), "no", "such", "x.json"))
	if !strings.Contains(d.told.Text, "no such file") || d.ctx.Err() != nil || d.save.Disabled() {
		t.Errorf("told %q", d.told.Text)
	}
	out := filepath.Join(t.TempDir(), "x.json")
	b.write(d, out)
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}

// TestExportCancelled: Escape ends the writing, not the dialog; nothing is written.
func TestExportCancelled(t *testing.T) { synctest.Test(t, testExportCancelled) }

func testExportCancelled(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	dir := t.TempDir()
	b.pick(s, "layout/slow", 1)
	d := b.dialog(s, b.chosen(s), "json")
	d.path.SetText(filepath.Join(dir, "x.json"))
	d.start()
	if d.writing == nil || !d.save.Disabled() {
		t.Fatal("nothing is written")
	}
	d.escape()
	b.until("the end", func() bool { return d.writing == nil })
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || !strings.Contains(d.told.Text, "nothing was written") {
		t.Errorf("%d files, %v, told %q", len(left), err, d.told.Text)
	}
	d.escape()
}

// TestCopyAs: nodes are copied as code that stands in other code; too much is told.
func TestCopyAs(t *testing.T) { synctest.Test(t, testCopyAs) }

func testCopyAs(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	b.pick(s, "layout/header/version", 1)
	s.copyAs(export.FormByName("go"))
	b.until("the text", func() bool {
		return b.w.App.Clipboard().Content() == "// layout/header/version: u32\nvar version uint32 = 7\n"
	})
	big := model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "x", Value: model.Text(strings.Repeat("x", copiedForm))}
	}}
	r := &export.Request{Doc: s.Doc, Places: []*model.Place{big.Place(t.Context())}}
	if _, err := copied(context.Background(), export.FormByName("json"), r); err == nil || !strings.Contains(err.Error(), "more than 1 MB") {
		t.Errorf("got %v", err)
	}
}

// TestWords: sizes and errors as people read them.
func TestWords(t *testing.T) {
	if got := phrase.Sentence(errors.New("no")); got != "No." {
		t.Error(got)
	}
	for g, want := range map[guess]string{{5_000_000, 0, 0}: "Size: more than 5.0 MB, counting…", {5_000_000, 10, 30}: "Size: about 15 MB, counting…"} {
		if got := g.text(true); got != want {
			t.Errorf("%v: %s, want %s", g, got, want)
		}
	}
	for n, want := range map[int64]string{1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 1500: "1.5 kB", 9_949: "9.9 kB", 9_950: "10 kB",
		999_499: "999 kB", 999_500: "1.0 MB", 12_345_678: "12 MB", 5e12: "5.0 TB", 1 << 62: "4.6 EB"} {
		if got := phrase.Roughly(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestTooManyNodes: more than can be kept are refused in words; the rows are not made.
func TestTooManyNodes(t *testing.T) { synctest.Test(t, testTooManyNodes) }

func testTooManyNodes(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	src := doc.Source()
	doc.Views = append(doc.Views, &model.View{Name: "long", Title: "Long", Root: func(context.Context) model.Node {
		return model.Node{Name: "long", Children: &model.Rows{Count: 1 << 30, Make: func(_ context.Context, i int64) model.Node {
			return model.Node{Name: model.IndexName(i), Spans: []model.Span{src.Span(i%uitest.Size, 1)}}
		}}}
	}})
	s.showView(doc.Views[2], true)
	tree := s.tree(s.view)
	before := model.NodesMade()
	tree.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.idle()
	s.exportSelected()
	if b.w.Win.Canvas().Overlays().Top() == nil || model.NodesMade()-before > 200 {
		t.Errorf("%d nodes made", model.NodesMade()-before)
	}
	if text := s.pickedText(); !strings.Contains(text, "1,073,741,825 nodes selected") {
		t.Errorf("the status bar says %q", text)
	}
}

// TestPreviewOf: lines are bounded in number and length, a cut character is left out, bytes are dumped.
func TestPreviewOf(t *testing.T) {
	text := export.FormByName("text")
	if got := previewOf(text, []byte("a\tb\nä"), true); strings.Join(got, "|") != "a    b|ä" {
		t.Errorf("%q", got)
	}
	if got := previewOf(text, []byte("aä")[:2], false); strings.Join(got, "|") != "a|…" {
		t.Errorf("%q", got)
	}
	if got := previewOf(text, []byte(strings.Repeat("x\n", 500)), true); len(got) != previewLines+1 || got[previewLines] != "…" {
		t.Errorf("%d lines", len(got))
	}
	if got := previewOf(text, bytes.Repeat([]byte("ä"), 5000), true); len([]rune(got[0])) != previewLine+2 {
		t.Errorf("a line of %d characters", len([]rune(got[0])))
	}
	if got := previewOf(export.FormByName("raw"), []byte("abc"), true); len(got) != 1 || !strings.Contains(got[0], "61 62 63") {
		t.Errorf("%q", got)
	}
}

// TestCopySeveral copies the paths and the values of all selected nodes, each on a line.
func TestCopySeveral(t *testing.T) { synctest.Test(t, testCopySeveral) }

func testCopySeveral(t *testing.T) {
	b := newBench(t)
	file := filepath.Join("..", "testdata", "usdc", "value-types.usdc")
	if _, err := os.Stat(file); err != nil {
		t.Skip("there is no " + file)
	}
	b.w.open(Target{File: file})
	s := b.w.active
	b.until("the document", func() bool { return s.Doc != nil && s.current != nil })
	b.pick(s, "layout/bootstrap/magic", 2)
	var paths, values []string
	for _, p := range b.chosen(s) {
		paths, values = append(paths, p.Path()), append(values, nodes.ValueText(t.Context(), &p.Node, copiedValue))
	}
	if len(paths) != 2 {
		t.Fatal(paths)
	}
	s.CopyPath()
	want := strings.Join(paths, "\n")
	b.until("the paths "+want, func() bool { return b.w.App.Clipboard().Content() == want })
	s.copyValue()
	want = strings.Join(values, "\n")
	b.until("the values "+want, func() bool { return b.w.App.Clipboard().Content() == want })
}
