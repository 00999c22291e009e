package opening_test

import (
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/uitest"
)

// TestClipboard: pasted bytes open in a tab of their own; nothing in the clipboard is said in words.
func TestClipboard(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Opener.AskPasted()
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil || len(b.W.Pages.All) != 0 {
			t.Fatal("nothing is told of an empty clipboard")
		}
		b.W.Shell.App.Clipboard().SetContent("00 01 02 03")
		b.W.Opener.AskPasted()
		b.PressMain()
		s := b.Tab()
		if s.Title() != "Clipboard" || s.Pane.Doc.Source().Size() != 4 || s.Subject.IsSample() || !s.Pane.Stage.Has(document.WhatIsIt) {
			t.Errorf("%s of %d bytes", s.Title(), s.Pane.Doc.Source().Size())
		}
		s.Reload()
		if again := b.Tab(); again == s || again.Pane.Doc.Source().Size() != 4 {
			t.Error("pasted bytes cannot be reloaded")
		}
	})
}

// TestDecodePart: bytes of a file become a document; they lead back, and outlive the tab that they are from.
func TestDecodePart(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		outer := b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", []byte(strings.Repeat("0123456789abcdef", 10)))})
		outer.Pane.Hex.Shown.View.Select(36, 20)
		outer.Pane.Actions.DecodeSelection()
		b.PressMain()
		s := b.Tab()
		if got, _ := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); s.Pane.Doc.Source().Size() != 20 || string(got) != "4567" {
			t.Fatalf("%d bytes, first %q", s.Pane.Doc.Source().Size(), got)
		}
		s.Pane.Nav.GoToOffset(3)
		b.Until("its origin", func() bool { return strings.Contains(s.Pane.Origin.OriginText, " ← 0x24+20 in a.bin") })
		s.Pane.Hex.Shown.View.Select(3, 2)
		s.Pane.Origin.ToOrigin(1)
		if off, n := outer.Pane.Hex.Shown.View.Selection(); b.W.Active != outer || off != 39 || n != 2 {
			t.Errorf("the way up leads to %d+%d", off, n)
		}
		b.W.Pages.Close(outer)
		if got, err := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); string(got) != "4567" {
			t.Errorf("after its tab is closed: %q, %v", got, err)
		}
		b.W.Pages.Show(s)
		s.Pane.Origin.ToOrigin(1)
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("nothing is told of the closed tab")
		}
		b.W.Pages.Close(s)
		if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); err == nil {
			t.Error("the file is still open")
		}
	})
}

// TestOpenDerived: a source that is derived from a node opens in a tab of its own; the details and the tree offer it.
func TestOpenDerived(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/packed")
		b.At(s, "layout/packed")
		links := b.CardRow(s, s.Pane.Current(), "opens as").Links
		if len(links) != 2 || links[1].Text != "in a tab of its own" {
			t.Fatal("the card does not offer it")
		}
		links[1].Tap()
		b.Until("the tab", func() bool { return b.W.Active != s })
		inner := b.Tab()
		if inner.Title() != "packed part" || inner.Pane.Doc.Source().Size() != 2*uitest.PackedLen {
			t.Errorf("%s of %d bytes", inner.Title(), inner.Pane.Doc.Source().Size())
		}
		inner.Pane.Nav.GoToOffset(10)
		b.Until("its origin", func() bool {
			return len(inner.Pane.Origin.Origins) == 2 && inner.Pane.Origin.Origins[1][0].Off == uitest.PackedAt
		})
		if inner.Pane.Origin.Origins[0][0].Source.Origin() == nil {
			t.Error("the first level is not the derived source")
		}
	})
}

// TestGivenAs: given bytes can be decoded as another format.
func TestGivenAs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Opener.Subject(opening.Subject{Buffer: &opening.Buffer{Title: "x", Src: model.NewFileSource("x", model.BytesReader("some bytes"))}})
		s := b.Tab()
		b.W.Opener.Subject(opening.Subject{Buffer: s.Subject.Buffer, Options: decoders.Options{Format: decoders.PlainBytes, At: 5}})
		again := b.Tab()
		if again == s || again.Pane.Doc.Source().Size() != 5 || again.Pane.Stage.Has(document.WhatIsIt) {
			t.Errorf("%d bytes", again.Pane.Doc.Source().Size())
		}
	})
}
