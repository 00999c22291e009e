package options_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/options"
)

// TestOptions: changing an option shows the document as it is then, at the same node, in the same view and tab; wrong
// values are told of.
func TestOptions(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table/[4]")
		b.At(s, "layout/table/[4]")
		s.Pane.Lists.Show(document.ListReferences)
		if err := options.ValidOptions(s.Pane.Doc.Options, map[string]string{"step": "12"}); err == nil || !strings.Contains(err.Error(), "from 1 to 9") {
			t.Errorf("told %v", err)
		}
		if b.Menu("Options…").Disabled {
			t.Error("the menu offers no options")
		}
		slider, ok := s.Options.Keys["step"].(*widget.Slider)
		if !ok {
			t.Fatalf("the bar has %v", s.Options.Keys)
		}
		b.W.Shell.Focus(slider)
		before := s.Pane.Doc
		slider.SetValue(4)
		slider.SetValue(3)
		b.Until("the new views", func() bool { return s.Pane.Doc != before && s.Pane.Doc.Title == "Fake step 3" })
		b.At(s, "layout/table/[4]")
		if s.Subject.Options.Options["step"] != "3" || s.Pane.Trees.View().Name != model.LayoutView || s.Pane.Lists.Open != document.ListReferences {
			t.Errorf("%v, view %s, tab %d", s.Subject.Options.Options, s.Pane.Trees.View().Name, s.Pane.Lists.Open)
		}
		if fresh := s.Options.Keys["step"].(*widget.Slider); fresh.Value != 3 || b.W.Shell.Win.Canvas().Focused() != fresh {
			t.Errorf("the slider stands at %g, or lost the keyboard", fresh.Value)
		}
		s.Options.Ask()
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("no options are shown")
		}
	})
}

// TestOptionWidgets: each kind of option has its widget, which tells of values that the option takes.
func TestOptionWidgets(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		told := ""
		draw := func(o model.Option, live bool) fyne.CanvasObject {
			return (&options.Bar{Shell: b.W.Shell}).OptionWidget(o, live, func(v string) { told = v })
		}
		expect := func(want string) {
			t.Helper()
			if told != want {
				t.Errorf("told %q, want %q", told, want)
			}
		}
		draw(model.Option{Kind: model.Choice, Choices: []string{"a", "b"}, Value: "a"}, true).(*kit.Select).SetSelected("b")
		expect("b")
		draw(model.Option{Kind: model.Switch, Value: "false"}, true).(*kit.Check).SetChecked(true)
		expect("true")
		number := draw(model.Option{Kind: model.Number, Min: 0, Max: 5, Value: "2"}, true)
		if got := strings.TrimSpace(windowtest.Words(number)); got != "2 of 5" {
			t.Errorf("the slider says %q", got)
		}
		options.FirstFocusable(number).(*widget.Slider).SetValue(4)
		expect("4")
		long := draw(model.Option{Kind: model.Number, Min: 0, Max: 1 << 40, Value: "7"}, false).(*kit.Entry)
		long.SetText("70000")
		expect("70000")
		file := options.FirstFocusable(draw(model.Option{Kind: model.File, Value: ""}, true)).(*kit.Entry)
		file.SetText("/a/b")
		expect("70000")
		file.OnSubmitted("/a/b")
		expect("/a/b")
	})
}

// TestChooserWants: the window's own dialog lists the endings that are wanted, and takes a folder where one is wanted.
func TestChooserWants(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := t.TempDir()
		for _, name := range []string{"a.bfbs", "b.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		took := ""
		c := files.ChooseHere(b.W.Shell, "Choose", b.W.Folder(), files.Kinds("Schemas", []string{".bfbs"}), false, func(path string) { took = path })
		c.Show(dir)
		if all := c.Data.All(); len(all) != 1 || all[0].Name != "a.bfbs" {
			t.Errorf("it lists %v", all)
		}
		c.Take(filepath.Join(dir, "a.bfbs"))
		if took != filepath.Join(dir, "a.bfbs") {
			t.Errorf("took %q", took)
		}
		c = files.ChooseHere(b.W.Shell, "Choose", b.W.Folder(), nil, true, func(path string) { took = path })
		if c.Take(filepath.Join(dir, "b.txt")) || !strings.Contains(c.Told.Text, "not a folder") {
			t.Errorf("took a file for a folder: %q", c.Told.Text)
		}
		if !c.Take(dir) || took != dir {
			t.Errorf("took %q", took)
		}
	})
}

// TestFolder: a folder of several files opens as one document with a hex tab for each; one that holds nothing of use
// says so.
func TestFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files, err := filepath.Glob(filepath.Join("../..", "testdata", "omnilive", "sequence", "*.oodf"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		b, dir := windowtest.New(t), t.TempDir()
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		b.W.Dropped([]fyne.URI{storage.NewFileURI(dir)})
		s := b.Tab()
		if len(s.Pane.Doc.Sources) != len(files) || len(s.Pane.Hex.Tabs) != len(files) || s.Pane.Hex.Tabs[1].Title() != "seq-2.oodf" {
			t.Errorf("%d sources, %d tabs", len(s.Pane.Doc.Sources), len(s.Pane.Hex.Tabs))
		}
		number := -1
		for i, o := range s.Pane.Doc.Options {
			if o.Kind == model.Number {
				number = i
			}
		}
		if number < 0 {
			t.Fatal("there is no step")
		}
		before, name := s.Pane.Doc, s.Pane.Doc.Options[number].Name
		s.Options.Keys[name].(*widget.Slider).SetValue(2)
		b.Until("the step", func() bool { return s.Pane.Doc != before })
		if got := s.Pane.Doc.Options[number].Value; got != "2" {
			t.Errorf("step %s", got)
		}
		b.W.Open(opening.Target{File: t.TempDir()}) // of no document: a table of its files
		if all := b.W.Pages.All; len(all) != 2 || b.W.Pages.Front != all[1] || b.W.Active != nil {
			t.Fatalf("%d tabs", len(all))
		}
	})
}
