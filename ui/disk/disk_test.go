package disk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"cutaway/model"
	"cutaway/ui/disk"
	"cutaway/ui/files"
)

// TestDeadDisk: with a disk that does not answer the window goes on; when it answers, what was asked for is done.
func TestDeadDisk(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "a.bin", make([]byte, 1000))
		s := b.Open(opening.Target{File: path})
		answers := make(chan struct{})
		disk.SetSlow(func() { <-answers })
		t.Cleanup(func() { disk.SetSlow(nil) })

		s.Look()
		s.Look() // one question is enough
		if !s.Looking {
			t.Error("nothing is being found out")
		}
		other := windowtest.WriteFile(t, "other.bin", make([]byte, 10))
		b.W.Open(opening.Target{File: other})
		b.W.Dropped([]fyne.URI{storage.NewFileURI(windowtest.WriteFile(t, "dropped.bin", make([]byte, 10)))})
		b.W.UpdateMenu()
		c := files.ChooseHere(b.W.Shell, "Choose", filepath.Dir(path), nil, false, func(string) {})
		if c.Take(path) {
			t.Error("taken unseen")
		}
		x := b.ExportDialog(s, []*model.Place{s.Pane.Current()}, "json")
		x.Path.SetText(path)
		if len(b.W.Pages.All) != 1 || len(c.Data.All()) != 0 {
			t.Errorf("%d tabs, %d files in the list", len(b.W.Pages.All), len(c.Data.All()))
		}
		close(answers)
		b.Until("all answers", func() bool {
			return !s.Looking && len(b.W.Pages.All) == 3 && c.Folder == filepath.Dir(path) && strings.Contains(x.Told.Text, "is open here")
		})
	})
}

// TestNoFileCallOnTheScreen: whatever asks the file system does so inside of work, a goroutine or disk.Ask, or in a function that
// says so, which only these call.
func TestNoFileCallOnTheScreen(t *testing.T) {
	questions := map[string][]string{
		"os":       {"Stat", "Lstat", "ReadDir", "ReadFile", "Open", "OpenFile", "Create", "Remove", "Rename", "MkdirAll"},
		"filepath": {"EvalSymlinks", "Glob", "Walk", "WalkDir"},
		"decoders": {"HoldsTogether", "IsTogether", "Expand", "ParseTarget"},
		"export":   {"Reads"},
		"closure":  {"Find"},
	}
	background := []string{"Ask", "Go", "Try", "Always", "changeThen"}
	const says = "asks the file system"
	// The folder of settings, of sound that plays, of the log of tests: files of our own. Tests may wait.
	own := []string{"settings", "player", "eventlog", "handover", "screenlog.go", "windowtest"}
	asked := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			slices.ContainsFunc(own, func(part string) bool { return slices.Contains(strings.Split(path, string(filepath.Separator)), part) }) {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			f, is := call.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			of, is := f.X.(*ast.Ident)
			if !is || !slices.Contains(questions[of.Name], f.Sel.Name) {
				return true
			}
			if last, is := call.Args[len(call.Args)-1].(*ast.Ident); is && last.Name == "nil" {
				return true // a target in an address: no file is looked for
			}
			asked++
			fine := slices.ContainsFunc(around[:len(around)-1], func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					return true
				case *ast.CallExpr:
					outer, is := n.Fun.(*ast.SelectorExpr)
					return is && slices.Contains(background, outer.Sel.Name)
				case *ast.FuncDecl:
					return strings.Contains(strings.ReplaceAll(n.Doc.Text(), "\n", " "), says)
				}
				return false
			})
			if !fine {
				t.Errorf("%s: %s.%s may wait for a disk for ever", set.Position(call.Pos()), of.Name, f.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil || asked < 10 {
		t.Fatalf("%d questions are found, %v", asked, err)
	}
}
