package document_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/phrase"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"cutaway/assets"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/uitest"
)

// TestAlarm: a small file is checked by itself. Of a damaged one the first error is above the panes, with the way
// there; it is red and has a sign in the status bar, in both tabs and in the tree; an empty view says why it is.
func TestAlarm(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := filepath.Join(t.TempDir(), "cut.usdc")
		if err := os.WriteFile(file, assets.Sample[:len(assets.Sample)*2/3], 0o600); err != nil {
			t.Fatal(err)
		}
		b.W.Open(opening.Target{File: file})
		s := b.W.Active
		b.Until("the file", func() bool { return s.Pane != nil })
		b.Until("its check", func() bool { return s.Pane.Lists.Problems.Whole })
		b.Idle()
		first := s.Pane.Lists.Problems.FirstError()
		if first == nil || len(s.Pane.Notice.Objects) != 1 {
			t.Fatal("no error, or none is told")
		}
		told := windowtest.ShownTexts(s.Pane.Notice)
		for _, want := range []string{"Damaged at 0x10.", phrase.Capital(first.Message)} {
			if !strings.Contains(told, want) {
				t.Errorf("the line above the panes does not say %q:\n%s", want, told)
			}
		}
		if b.W.Status.Verdict.Worst != theme.ColorNameError {
			t.Errorf("the status bar says %q as if nothing were wrong", b.W.Status.Verdict.Text)
		}
		if !b.W.Pages.Bar.Tabs[0].Bad || !s.Pane.Lists.Bar.Tabs[document.ListProblems].Bad || s.Pane.Lists.Bar.Tabs[document.ListMarks].Bad {
			t.Error("the tabs have no sign, or all have")
		}
		if got := windowtest.ShownTexts(s.Pane.Trees.TreeBox); !strings.Contains(got, "could be read") || !strings.Contains(got, first.Message) {
			t.Errorf("the empty tree does not say why it is:\n%s", got)
		}
		b.Press(s.Pane.Notice, "Go there")
		b.At(s, first.Path)
		if got := windowtest.ShownTexts(s.Pane.Trees.TreeBox); strings.Contains(got, "could be read") {
			t.Errorf("a tree with rows says that it has none:\n%s", got)
		}
		s.Pane.Nav.GoTo(s.Pane.Doc.Views[0].Name)
		b.At(s, s.Pane.Doc.Views[0].Name)
		b.W.Shell.Win.Canvas().Capture()
		verdict := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.W.Status.Verdict)
		windowtest.Click(b.W.Shell.Win.Canvas(), verdict.AddXY(10, 5), desktop.MouseButtonPrimary, 0)
		b.At(s, first.Path)
		b.W.OpenSample()
		whole := b.W.Active
		b.Until("the check of the sample", func() bool { return whole.Pane != nil && whole.Pane.Lists.Problems.Whole })
		b.Idle()
		if len(whole.Pane.Notice.Objects) != 0 || b.W.Status.Verdict.Worst != theme.ColorNameSuccess || b.W.Pages.Bar.Tabs[1].Bad || !strings.Contains(b.W.Status.Verdict.Text, "No problems") {
			t.Errorf("a sound file is told to be damaged: %q", b.W.Status.Verdict.Text)
		}
		b.W.Pages.Show(s)
		if b.W.Status.Verdict.Worst != theme.ColorNameError {
			t.Error("the sign of a damaged file has gone with its tab")
		}
	})
}

// TestNothingThere: an empty file says that it is empty.
func TestNothingThere(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := filepath.Join(t.TempDir(), "empty")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		b.W.Open(opening.Target{File: file})
		s := b.W.Active
		b.Until("the file", func() bool { return s.Pane != nil })
		b.Idle()
		if got := windowtest.ShownTexts(s.Pane.Trees.TreeBox); !strings.Contains(got, "The file is empty.") {
			t.Errorf("the tree of an empty file says\n%s", got)
		}
	})
}

// TestLimitTold: where a limit kept something from being read, the line above the panes and the status bar say so as soon as
// the tree is there, without a check: the tables that it is made of are looked at.
func TestLimitTold(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Shell.Store.CheckLimit = -1
		doc := uitest.New()
		close(doc.Gate)
		src := doc.Source()
		limit := model.Problemf(model.Limit, "fake.too-many", src.Span(100, 8), "only the first entries are taken")
		table := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) {
			return model.NewList(model.Node{Name: "entries", Spans: []model.Span{src.Span(100, 8)}, Problems: []model.Problem{limit}}), nil
		})
		doc.Tables = []string{"layout/TABLE"}
		doc.View(model.LayoutView).Root = func(context.Context) model.Node {
			return model.Node{Name: "fake.bin", Spans: []model.Span{src.Whole()}, Children: model.NewList(model.Node{Name: "TABLE", Spans: []model.Span{src.Whole()}, Children: table})}
		}
		s := b.W.Add(opening.Subject{File: "fake.bin"})
		s.Show(doc.Document)
		b.Idle()
		if told := windowtest.ShownTexts(s.Pane.Notice); !strings.Contains(told, "Not all of this file was read") || !strings.Contains(told, "at 0x64.\nOnly the first entries are taken. More is read by Edit") {
			t.Fatalf("the line above the panes says %q", told)
		}
		if text := b.W.Status.Verdict.Text; s.Pane.Lists.Problems.Whole || !strings.Contains(text, "No error as far as it was read: 1 limit met") {
			t.Errorf("the status bar says %q", text)
		}
		b.Press(s.Pane.Notice, "Go there")
		b.At(s, "layout/TABLE/entries")
	})
}
