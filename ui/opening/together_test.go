package opening_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/settings"
)

// several writes n copies of a live layer into a folder.
func several(t *testing.T, n int) []string {
	data, err := os.ReadFile("../../testdata/omnilive/world.oodf")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var paths []string
	for i := range n {
		paths = append(paths, filepath.Join(dir, "delta-"+string(rune('1'+i))+".oodf"))
		if err := os.WriteFile(paths[i], data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// TestDropSeveral: files that can be one document are asked about when they are dropped together; reloading keeps them
// together, and they are remembered so.
func TestDropSeveral(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		paths := several(t, 3)
		b.W.Dropped([]fyne.URI{storage.NewFileURI(paths[0]), storage.NewFileURI(paths[1]), storage.NewFileURI(paths[2])})
		if len(b.W.Pages.All) != 0 {
			t.Fatal("they are opened without asking")
		}
		b.PressMain()
		s := b.Tab()
		if len(b.W.Pages.All) != 1 || len(s.Pane.Doc.Sources) != 3 || s.Title() != "delta-1.oodf + 2" {
			t.Fatalf("%d tabs, %d sources, %q", len(b.W.Pages.All), len(s.Pane.Doc.Sources), s.Title())
		}
		s.Reload()
		if s = b.Tab(); len(s.Pane.Doc.Sources) != 3 {
			t.Errorf("reloaded it has %d sources", len(s.Pane.Doc.Sources))
		}
		recent := settings.There(b.W.Shell.Store.RecentNames())
		if len(recent) != 1 || !slices.Equal(recent[0], paths) {
			t.Fatalf("remembered are %q", recent)
		}
		b.W.Open(opening.TargetOf(recent[0]))
		if len(b.W.Pages.All) != 1 {
			t.Error("what is open is opened again")
		}
		if err := os.Remove(paths[1]); err != nil {
			t.Fatal(err)
		}
		s.Look()
		if len(s.Pane.Notice.Objects) == 0 || len(settings.There(b.W.Shell.Store.RecentNames())) != 0 {
			t.Error("a file is gone, and nothing is told of it")
		}
	})
}

// TestDropEach: files of which one cannot be in one document with the others have a tab each, without a question.
func TestDropEach(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		paths := append(several(t, 2), windowtest.WriteFile(t, "a.bin", make([]byte, 10)))
		b.W.Opener.OpenSeveral(paths)
		if len(b.W.Pages.All) != 3 || b.W.Shell.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%d tabs", len(b.W.Pages.All))
		}
	})
}

// TestChooseSeveral marks files and opens them as one document.
func TestChooseSeveral(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		paths := several(t, 3)
		if err := os.WriteFile(filepath.Join(filepath.Dir(paths[0]), "note.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var took []string
		c := files.ChooseSeveral(b.W.Shell, "Open several as one", "Open as one", b.W.Folder(), files.Kinds("Deltas", decoders.TogetherEndings()), func(paths []string) { took = paths })
		c.Show(filepath.Dir(paths[0]))
		if len(c.Data.All()) != 3 {
			t.Errorf("it lists %v", c.Data.All())
		}
		if c.Take(paths[1]) || !strings.HasPrefix(c.Told.Text, "1 file marked") || c.TakeMarked() || took != nil {
			t.Errorf("one file is enough: %q, %q", c.Told.Text, took)
		}
		if row := c.Row(c.Data.All()[1]); row.Cells[3] != "marked" {
			t.Errorf("its row is %q", row.Cells)
		}
		c.MarkAll()
		c.Mark(paths[:1])
		if !c.TakeMarked() || !slices.Equal(took, paths[1:]) {
			t.Errorf("took %q", took)
		}
	})
}

// TestFileOptions: an option that is a file has an entry of its own in the menu of the format while its document is shown.
func TestFileOptions(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, f := b.Fake()
		labels := func() string {
			var all []string
			for _, i := range b.Menu("Format").ChildMenu.Items {
				all = append(all, i.Label)
			}
			return strings.Join(all, "|")
		}
		if strings.Contains(labels(), "Schema…") {
			t.Error("an option is offered that the document does not have")
		}
		f.Options = append(f.Options, model.Option{Name: "schema", Title: "Schema", Kind: model.File, Choices: []string{".bfbs"}})
		b.W.UpdateControls()
		if !strings.Contains(labels(), "Options…|Schema…") {
			t.Fatalf("the menu has %s", labels())
		}
		s.SetOptions(map[string]string{"schema": "/x.bfbs"})
		b.Until("the option", func() bool { return s.Subject.Options.Options["schema"] == "/x.bfbs" })
		b.W.Pages.Close(s)
		if strings.Contains(labels(), "Schema…") {
			t.Error("the option stays without its document")
		}
	})
}
