package document_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
)

// TestIconsHaveTips: no button with a picture only is made but by kit.IconButton, and each says what it does.
func TestIconsHaveTips(t *testing.T) {
	made := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			empty := func(i int) bool { l, ok := call.Args[i].(*ast.BasicLit); return ok && l.Value == `""` }
			switch f.Sel.Name {
			case "NewButtonWithIcon":
				if empty(0) {
					t.Errorf("%s makes a button with a picture only, and no tip", path)
				}
			case "IconButton":
				made++
				if empty(1) {
					t.Errorf("%s makes a button whose tip is empty", path)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || made < 15 {
		t.Errorf("%d buttons found: %v", made, err)
	}
}

// TestTip: the mouse on a button with a picture shows what it does, in the window and in a dialog, until it leaves.
func TestTip(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		tips := func() string { return strings.Join(windowtest.Drawn(kit.TipsOf(b.W.Shell.Win.Canvas())), " ") }
		back := windowtest.First[*kit.Button](b.W.Shell.Win.Content())
		back.MouseIn(&desktop.MouseEvent{})
		if got := tips(); got != "Back (Alt+←)" {
			t.Errorf("the tip says %q", got)
		}
		back.MouseOut()
		if got := tips(); got != "" {
			t.Errorf("%q stays", got)
		}
		in := kit.IconButton(theme.CancelIcon(), "in a dialog", func() {})
		m := b.W.Shell.ShowModal("A dialog", nil, container.NewHBox(in), 300)
		in.FocusGained()
		if got := tips(); got != "in a dialog" {
			t.Errorf("the tip says %q", got)
		}
		m.Hide()
		bar := b.W.Pages.Bar
		b.Open(opening.Target{File: windowtest.WriteFile(t, strings.Repeat("long", 20)+".bin", []byte("bytes that are nothing"))})
		bar.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(30, 5)}})
		if got := tips(); got != b.W.Active.Title() {
			t.Errorf("the tip of a tab whose title is shortened says %q", got)
		}
	})
}

// TestShowInTree: an offset that the open view has no node for is shown in its own tree on demand, and Back undoes that.
func TestShowInTree(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		if b.W.Place.InTree.Visible() {
			t.Error("it is offered where the node is in sight")
		}
		s.Pane.Nav.GoToOffset(3)
		b.Until("the magic", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), "layout/") })
		at := s.Pane.Current().Path()
		if !b.W.Place.InTree.Visible() || b.W.Place.InTree.Text != "Show in Layout" || s.Pane.Trees.View().Name != "scene" {
			t.Fatalf("offered: %v %q over %s", b.W.Place.InTree.Visible(), b.W.Place.InTree.Text, s.Pane.Trees.View().Name)
		}
		b.W.Place.InTree.OnTapped()
		if s.Pane.Trees.View().Name != "layout" || s.Pane.Current().Path() != at || b.W.Place.InTree.Visible() {
			t.Errorf("%s in %s", s.Pane.Current().Path(), s.Pane.Trees.View().Name)
		}
		if it := s.Pane.Trees.Front(s.Pane.Trees.View()).Selection.Item(); it == nil {
			t.Error("the tree has nothing selected")
		}
	})
}

// TestFirstBytes: what is shown first of any file are its own bytes, whatever its first node was made from.
func TestFirstBytes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		for _, path := range sampleFiles(t) {
			s := b.Open(opening.Target{File: path})
			b.Idle()
			if !s.Pane.Hex.Shown.File || len(s.Pane.Hex.Tabs) != len(s.Pane.Doc.Sources) {
				t.Errorf("%s shows %s of %d tabs", path, s.Pane.Hex.Shown.Title(), len(s.Pane.Hex.Tabs))
			}
			if at, _ := s.Pane.Hex.Shown.View.VisibleBytes(); at != 0 {
				t.Errorf("%s is shown from %#x on", path, at)
			}
			own := s.Pane.Current().Node.PrincipalSpans(t.Context())
			if len(own) > 0 && own[0].Source.Same(s.Pane.Hex.Shown.Src) && s.Pane.Hex.Shown.View.Cursor() != own[0].Off {
				t.Errorf("%s: the cursor is at %#x, the selected node at %#x", path, s.Pane.Hex.Shown.View.Cursor(), own[0].Off)
			}
			b.W.Pages.Close(s)
		}
	})
}

// TestBackFromOrigin: Back shows again what Alt+Up led away from.
func TestBackFromOrigin(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/packed@inflated/[1]")
		b.At(s, "layout/packed@inflated/[1]")
		b.Until("the origin", func() bool { return len(s.Pane.Origin.Origins) > 0 })
		inside := s.Pane.Hex.Shown.Src
		s.Pane.Origin.ToOrigin(1)
		if s.Pane.Hex.Shown.Src.Same(inside) {
			t.Fatal("it does not leave the derived source")
		}
		b.Menu("Back").Action()
		b.Until("the bytes before", func() bool { return s.Pane.Hex.Shown.Src.Same(inside) })
		b.Menu("Forward").Action()
		b.Until("the origin again", func() bool { return s.Pane.Hex.Shown.File })
	})
}

// sampleFiles is one small file of each format, as far as the folder has one.
func sampleFiles(t *testing.T) []string {
	var all []string
	dirs, err := filepath.Glob("../../testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		files, _ := filepath.Glob(dir + "/*")
		n := 0
		for _, f := range files {
			if ext := filepath.Ext(f); ext != ".md" && ext != ".txt" && ext != ".json" && ext != ".ksy" && n < 4 && isFile(f) {
				n++
				all = append(all, f)
			}
		}
	}
	return all
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
