package export_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/cli"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/document"
	exporting "cutaway/ui/export"
	"cutaway/ui/nodes"
	"cutaway/ui/uitest"
)

// pick selects a node and those after it in the tree, n in all.
func pick(b *windowtest.Bench, s *tab.Tab, path string, n int) {
	b.Helper()
	s.Pane.Nav.GoTo(path)
	b.At(s, path)
	t := s.Pane.Trees.Tree(s.Pane.Trees.View())
	t.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	for range n - 1 {
		t.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	t.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	b.Until("the selection", func() bool {
		return t.Selection.Count() == int64(n) && s.Pane.Current() == t.Selection.Item().(*nodes.Item).Place
	})
}

// write exports to a file and waits until it is there.
func write(b *windowtest.Bench, d *exporting.Dialog, path string) {
	b.Helper()
	d.Path.SetText(path)
	b.PressMain()
	b.Until("the export, told: "+d.Told.Text, func() bool { return d.Until.Err() != nil || d.Writing == nil })
}

// TestExportEqualsTheCommandLine: three nodes that are selected in the tree are written as the command line writes them,
// in JSON, CSV and every other form that suits them.
func TestExportEqualsTheCommandLine(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file, dir := filepath.Join("../..", "testdata", "usdc", "value-types.usdc"), t.TempDir()
		if _, err := os.Stat(file); err != nil {
			t.Skip("there is no " + file)
		}
		b.W.Open(opening.Target{File: file})
		s := b.W.Active
		b.Until("the file", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		pick(b, s, "scene/World/.double3s", 1)
		// Three rows that do not stand side by side.
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		for range 5 {
			was := tree.Selection.Item()
			tree.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyDown, Modifier: fyne.KeyModifierShortcutDefault})
			b.Until("the next row", func() bool { return tree.Selection.Item() != nil && tree.Selection.Item() != was })
			if name := tree.Selection.Item().(*nodes.Item).Place.Node.Name; name == ".double4s" || name == ".doubles" {
				tree.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: fyne.KeyModifierShortcutDefault})
			}
		}
		places := b.Chosen(s)
		var paths []string
		for _, p := range places {
			paths = append(paths, p.Path())
		}
		if got := strings.Join(paths, " "); got != "scene/World/.double3s scene/World/.double4s scene/World/.doubles" {
			t.Fatalf("selected %s", got)
		}
		for _, f := range exporting.Forms {
			if f.Refuse(t.Context(), exporting.Copies(places)) != "" {
				continue
			}
			var want, errs bytes.Buffer
			if status := cli.Main(context.Background(), "", append([]string{"export", file, "--as", f.Name}, paths...), &want, &errs); status != 0 {
				t.Fatalf("%s: status %d, %s", f.Name, status, errs.String())
			}
			out := filepath.Join(dir, "out"+f.Extension)
			write(b, b.ExportDialog(s, places, f.Name), out)
			if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%s: %v, %d bytes, the command line has %d", f.Name, err, len(got), want.Len())
			}
		}
	})
}

// TestExportDialog: the preview and the size follow the form and its options, and forms that do not suit say why.
func TestExportDialog(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		pick(b, s, "layout/table", 1)
		d := b.ExportDialog(s, b.Chosen(s), "json")
		b.Until("the preview", func() bool { return len(d.Shown.All()) > 0 && strings.HasPrefix(d.Size.Text, "Size: exactly") })
		alone := len(d.Shown.All())
		if lines := d.Shown.All(); lines[0] != "{" || lines[1] != `  "path": "layout/table",` || alone > 90 { // 64 elements are in its value
			t.Errorf("preview %q", lines)
		}
		d.Elements.SetChecked(true)
		b.Until("the elements", func() bool { return len(d.Shown.All()) > alone+100 })
		d.Levels.SetText("0")
		b.Until("one level", func() bool { return len(d.Shown.All()) == alone })
		if !strings.HasSuffix(d.Path.Text, "table.json") || d.Save.Text != "Export" || d.Save.Disabled() || d.Whole.Hidden {
			t.Errorf("path %q, button %q", d.Path.Text, d.Save.Text)
		}
		d.Forms.SelectIndex(int64(slices.IndexFunc(exporting.Forms, func(f *export.Form) bool { return f.Name == "raw" })), false)
		b.Until("the bytes", func() bool {
			return d.Form.Name == "raw" && len(d.Shown.All()) == 100 && d.Size.Text == "Size: exactly 1,600 bytes"
		})
		if !strings.HasSuffix(d.Path.Text, "table.bin") || !d.Copy.Disabled() || !d.Whole.Hidden {
			t.Errorf("path %q", d.Path.Text)
		}
		d.Choose(exporting.Forms.ByName("usda"))
		if !d.Save.Disabled() || !strings.Contains(d.Told.Text, "layout/table has no form called") {
			t.Errorf("of a form that does not suit %q is told", d.Told.Text)
		}
		d.Choose(exporting.Forms.ByName("html"))
		if d.Save.Disabled() || d.Check.Hidden {
			t.Error("the report cannot be saved")
		}
		d.Escape()
		if b.W.Shell.Win.Canvas().Overlays().Top() != nil || d.Until.Err() == nil {
			t.Error("Escape does not close the dialog")
		}
	})
}

// TestExportToFile: what is there is replaced after a word; the path is told and can be copied.
func TestExportToFile(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		out := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(out, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		pick(b, s, "layout/table", 1)
		d := b.ExportDialog(s, b.Chosen(s), "c")
		d.Path.SetText(out)
		if d.Save.Text != "Replace" || !strings.Contains(d.Told.Text, "will be replaced") {
			t.Errorf("button %q, told %q", d.Save.Text, d.Told.Text)
		}
		if d.Forms.OnChosen(d.Forms.Selection.Item()); d.Writing != nil || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(d.Path) {
			t.Error("Enter on a form replaces a file, or does not go to its name")
		}
		b.W.Exported.Dir = filepath.Dir(out)
		if err := os.WriteFile(filepath.Join(b.W.Exported.Dir, "table.go"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		d.Path.SetText(d.Proposed)
		d.Choose(exporting.Forms.ByName("go"))
		if filepath.Base(d.Path.Text) != "table.go" || !strings.Contains(d.Told.Text, "table.go is there already") {
			t.Errorf("%s is proposed, told %q", d.Path.Text, d.Told.Text)
		}
		d.Choose(exporting.Forms.ByName("c"))
		if d.Told.Text != "" || d.Save.Text != "Export" {
			t.Errorf("told %q, button %q", d.Told.Text, d.Save.Text)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
		d.Path.SetText(out)
		d.Forms.OnChosen(d.Forms.Selection.Item())
		b.Until("the export, told: "+d.Told.Text, func() bool { return d.Until.Err() != nil || d.Writing == nil })
		if got, err := os.ReadFile(out); err != nil || !strings.Contains(string(got), "static const uint64_t table[] = {") {
			t.Errorf("%s, %v", got, err)
		}
		if len(s.Pane.Notice.Objects) == 0 || b.W.Exported.Form.Name != "c" || b.W.Exported.Dir != filepath.Dir(out) {
			t.Error("the export is not told of, or not remembered")
		}
	})
}

// TestExportFails: why is said in the dialog, nothing is left, and it can be tried again.
func TestExportFails(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		pick(b, s, "layout/table", 1)
		d := b.ExportDialog(s, b.Chosen(s), "json")
		write(b, d, filepath.Join(t.TempDir(), "no", "such", "x.json"))
		if !strings.Contains(d.Told.Text, "no such file") || d.Until.Err() != nil || d.Save.Disabled() {
			t.Errorf("told %q", d.Told.Text)
		}
		out := filepath.Join(t.TempDir(), "x.json")
		write(b, d, out)
		if _, err := os.Stat(out); err != nil {
			t.Error(err)
		}
	})
}

// TestExportCancelled: Escape ends the writing, not the dialog; nothing is written.
func TestExportCancelled(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		dir := t.TempDir()
		pick(b, s, "layout/slow", 1)
		d := b.ExportDialog(s, b.Chosen(s), "json")
		d.Path.SetText(filepath.Join(dir, "x.json"))
		d.Start()
		if d.Writing == nil || !d.Save.Disabled() {
			t.Fatal("nothing is written")
		}
		d.Escape()
		b.Until("the end", func() bool { return d.Writing == nil })
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || !strings.Contains(d.Told.Text, "nothing was written") {
			t.Errorf("%d files, %v, told %q", len(left), err, d.Told.Text)
		}
		d.Escape()
	})
}

// TestCopyAs: nodes are copied as code that is in other code; too much is told.
func TestCopyAs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		pick(b, s, "layout/header/version", 1)
		s.Pane.Trees.ChosenNodes("copying", func(places []*model.Place) { s.Pane.Actions.Exporter().CopyAs(places, exporting.Forms.ByName("go")) })
		b.Until("the text", func() bool {
			return b.W.Shell.App.Clipboard().Content() == "// layout/header/version: u32\nvar version uint32 = 7\n"
		})
		big := model.View{Name: "v", Root: func(context.Context) model.Node {
			return model.Node{Name: "x", Value: model.Text(strings.Repeat("x", exporting.CopiedForm))}
		}}
		r := &export.Request{Doc: s.Pane.Doc, Places: []*model.Place{big.Place(t.Context())}}
		if _, _, err := exporting.Copied(context.Background(), exporting.Forms.ByName("json"), r); err == nil || !strings.Contains(err.Error(), "more than 1 MB") {
			t.Errorf("got %v", err)
		}
	})
}

// TestTooManyNodes: more than can be kept are refused in words; the rows are not made.
func TestTooManyNodes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Shell.Store.CheckLimit = -1 // nothing measures it
		s, doc := b.Fake()
		b.Idle() // nothing looks at the views
		src := doc.Source()
		doc.Views = append(doc.Views, &model.View{Name: "long", Title: "Long", Root: func(context.Context) model.Node {
			return model.Node{Name: "long", Children: &model.Rows{Count: 1 << 30, Make: func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Spans: []model.Span{src.Span(i%uitest.Size, 1)}}
			}}}
		}})
		s.Pane.ShowView(doc.Views[2], true)
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		before := model.NodesMade()
		tree.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		b.Idle()
		s.Pane.Actions.ExportSelected()
		const looked = 4500 // the table of a sequence takes its columns from the first 1,024 elements
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil || model.NodesMade()-before > looked {
			t.Errorf("%d nodes made", model.NodesMade()-before)
		}
		if text := s.Pane.Trees.PickedText(); !strings.Contains(text, "1,073,741,825 nodes selected") {
			t.Errorf("the status bar says %q", text)
		}
	})
}

// TestCopySeveral copies the paths and the values of all selected nodes, each on a line.
func TestCopySeveral(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := filepath.Join("../..", "testdata", "usdc", "value-types.usdc")
		if _, err := os.Stat(file); err != nil {
			t.Skip("there is no " + file)
		}
		b.W.Open(opening.Target{File: file})
		s := b.W.Active
		b.Until("the document", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		pick(b, s, "layout/bootstrap/magic", 2)
		var paths, values []string
		for _, p := range b.Chosen(s) {
			paths, values = append(paths, p.Path()), append(values, nodes.ValueText(t.Context(), &p.Node, document.CopiedValue))
		}
		if len(paths) != 2 {
			t.Fatal(paths)
		}
		s.Pane.Actions.CopyPath()
		want := strings.Join(paths, "\n")
		b.Until("the paths "+want, func() bool { return b.W.Shell.App.Clipboard().Content() == want })
		s.Pane.Actions.CopyValue()
		want = strings.Join(values, "\n")
		b.Until("the values "+want, func() bool { return b.W.Shell.App.Clipboard().Content() == want })
	})
}

// TestExportTellsWhatIsLost: after a file is written the window tells what the command line tells of it: what is lost in a dialog, which
// can be had again, and what is reduced above the panes.
func TestExportTellsWhatIsLost(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := t.TempDir()
		file, out := filepath.Join(dir, "quotes.udm"), filepath.Join(dir, "out")
		text := `$string assetType "scene" $uint32 assetVersion 1 "assetData" { $float fov 0.7853982 $array list [float;70][` + strings.Repeat("1,", 69) + "1]"
		for _, name := range strings.Split("abcdefghijklm", "") {
			text += " $string " + name + ` "one \" mark"`
		}
		if err := os.WriteFile(file, []byte(text+" }"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.W.Open(opening.Target{File: file})
		s := b.W.Active
		b.Until("the file", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		places := []*model.Place{s.Pane.Doc.Views[0].Place(t.Context())}
		for _, k := range []struct {
			form, told string
			lost       bool
		}{{"ascii", "13 values are lost", true}, {"json", "Reduced: asset/assetData/list: only the first 64 elements (“Long arrays whole” writes all)", false}} {
			write(b, b.ExportDialog(s, places, k.form), out)
			notice := windowtest.ShownTexts(s.Pane.Notice)
			if !strings.Contains(notice, k.told) {
				t.Errorf("%s: told %q", k.form, notice)
			}
			top := b.W.Shell.Win.Canvas().Overlays().Top()
			if (top != nil) != k.lost {
				t.Fatalf("%s: there is a dialog: %v", k.form, top != nil)
			}
			if !k.lost {
				continue
			}
			var stdout, stderr bytes.Buffer
			cli.Main(t.Context(), "", []string{"export", file, "--as", k.form}, &stdout, &stderr)
			for line := range strings.Lines(stderr.String()) {
				_, line, _ = strings.Cut(strings.TrimSpace(line), "cutaway: ")
				if _, line, _ = strings.Cut(line, ": "); !strings.Contains(windowtest.ShownTexts(top), line) {
					t.Errorf("%s: the dialog does not tell %q", k.form, line)
				}
			}
			b.Press(top, "Copy")
			if got := b.W.Shell.App.Clipboard().Content(); strings.Count(got, "lost: ") != 13 || !strings.Contains(got, "reduced: ") {
				t.Errorf("%s: copied are %q", k.form, got)
			}
			b.Press(top, "Close")
			b.Press(s.Pane.Notice, "What is lost…")
			if top = b.W.Shell.Win.Canvas().Overlays().Top(); top == nil || !strings.Contains(windowtest.ShownTexts(top), "Not everything was exported") {
				t.Errorf("%s: what is lost is not shown again", k.form)
			}
			b.Press(top, "Close")
		}
	})
}

// TestPicturesAreProposed: of pictures the dialog begins with a form of pictures, whatever was exported before, and of others with none.
func TestPicturesAreProposed(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/pixels.vrs"})
		b.W.Exported.Form = exporting.Forms.ByName("csv")
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		pictures, others := 0, 0
		for _, track := range s.Pane.Time.Tracks {
			at, err := s.Pane.Doc.Lookup(t.Context(), track.Track.Path)
			if err != nil {
				t.Fatal(err)
			}
			media := len(model.CardsOf[model.Media](t.Context(), &at.Node)) > 0
			d := b.ExportDialog(s, []*model.Place{at}, "")
			if d.Form.Media != media {
				t.Errorf("of %s %s is proposed", track.Track.Path, d.Form.Name)
			}
			if media {
				pictures++
			} else {
				others++
			}
			d.Escape()
		}
		if pictures == 0 || others == 0 {
			t.Errorf("%d streams of pictures, %d others", pictures, others)
		}
	})
}
