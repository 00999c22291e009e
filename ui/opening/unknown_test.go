package opening_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/ui/document"
	"cutaway/ui/tab"

	"cutaway/ui/opening"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"
)

// TestInside: what is in a file of no known format is listed; a row shows its bytes, a file is opened in a tab.
func TestInside(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		crate, err := os.ReadFile("../../testdata/usdc/arcs.usdc")
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		file.WriteString("PK\x03\x04\x00\x01a text of this file\x00")
		file.WriteString("\x01q{Zx3!k\x00")
		file.Write(make([]byte, 0x400-file.Len()))
		file.Write(crate)
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "all.bin", file.Bytes())})
		card := whatIsIt(s)
		b.Until("what is inside", func() bool {
			said := windowtest.ShownTexts(card)
			return strings.Contains(said, "1 file of known formats and ") && strings.Contains(said, " of characters left out that have no word")
		})
		b.W.Shell.Win.Canvas().Capture() // which lays the rows out
		if said := windowtest.ShownTexts(card); !strings.Contains(said, "0x400") || !strings.Contains(said, "a text of this file") || strings.Contains(said, "q{Zx3!k") {
			t.Errorf("it says %s", said)
		}
		list := windowtest.First[*treeview.Tree](card)
		list.OnSelected(int64(1))
		if off, n := s.Pane.Hex.Shown.View.Selection(); off != 6 || n != 19 {
			t.Errorf("%d bytes at %d are selected", n, off)
		}
		list.OnChosen(int64(0))
		in := b.W.Active
		b.Until("the crate", func() bool { return in.Pane != nil && in.Pane.Current() != nil })
		if in == s || in.Pane.Doc.Format != "usdc" {
			t.Errorf("opened %s", in.Pane.Doc.Format)
		}
	})
}

// whatIsIt is the card that says what an unknown file may be.
func whatIsIt(s *tab.Tab) fyne.CanvasObject {
	s.Pane.Stage.Choose(document.WhatIsIt)
	return s.Pane.Stage.Object.Objects[0]
}

// TestEmptyFile: of an empty file it is only said that it is empty.
func TestEmptyFile(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "empty.usdc", nil)})
		if got := windowtest.Words(whatIsIt(s)); got != "The file is empty." {
			t.Errorf("%q", got)
		}
	})
}

// TestRefusedCard: the card of a file of no known format says first what it is, then what helps; one that may be of a format is opened
// as that.
func TestRefusedCard(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 485323\n"
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "pointer.usd", []byte(pointer))})
		if got := windowtest.Words(whatIsIt(s)); !strings.Contains(got, "A Git LFS pointer; its 485,323 bytes were not fetched") || !strings.Contains(got, "What helps: git lfs pull") ||
			!strings.Contains(got, "no PXR-USDC at the start") || strings.Contains(got, "Open as OpenUSD crate") {
			t.Errorf("%q", got)
		}
		s = b.Open(opening.Target{File: windowtest.WriteFile(t, "odd.usdc", []byte("\x01\x02\x03\xfe and more that is no crate"))})
		if got := windowtest.Words(whatIsIt(s)); !strings.Contains(got, "Not recognised: no PXR-USDC at the start") || !strings.Contains(got, "Open as OpenUSD crate") {
			t.Errorf("%q", got)
		}
		windowtest.ButtonWith(whatIsIt(s), "Open as OpenUSD crate").OnTapped()
		as := b.W.Active
		b.Until("the crate", func() bool {
			return as != s && as.Pane != nil && as.Pane.Doc.Format == "usdc" && !as.Pane.Stage.Has(document.WhatIsIt)
		})
	})
}
