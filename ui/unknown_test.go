package ui

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// TestInside: what is in a file of no known format is listed; a row shows its bytes, a file is opened in a tab.
func TestInside(t *testing.T) { synctest.Test(t, testInside) }

func testInside(t *testing.T) {
	b := newBench(t)
	crate, err := os.ReadFile("../testdata/usdc/arcs.usdc")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	file.WriteString("PK\x03\x04\x00\x01a text of this file\x00")
	file.WriteString("\x01q{Zx3!k\x00")
	file.Write(make([]byte, 0x400-file.Len()))
	file.Write(crate)
	s := b.open(Target{File: write(t, "all.bin", file.Bytes())})
	f := newFindings(s, s.Pane.Doc.Source())
	b.until("what is inside", func() bool { return len(f.inside) == 1 && len(f.texts) > 1 })
	rows := f.data.All()
	if rows[0].span.Off != 0x400 || rows[0].open == nil || rows[1].text != "a text of this file" || !strings.HasPrefix(f.said.Text, "1 file of known formats and ") ||
		slices.ContainsFunc(rows, func(x finding) bool { return x.text == "q{Zx3!k" }) || !strings.Contains(f.said.Text, " of characters left out that have no word") {
		t.Errorf("%+v, %q", rows[:2], f.said.Text)
	}
	f.list.OnSelected(int64(1))
	if off, n := s.Pane.Hex.Shown.View.Selection(); off != 6 || n != 19 {
		t.Errorf("%d bytes at %d are selected", n, off)
	}
	f.list.OnChosen(int64(0))
	in := b.w.active
	b.until("the crate", func() bool { return in.Pane != nil && in.Pane.Current() != nil })
	if in == s || in.Pane.Doc.Format != "usdc" {
		t.Errorf("opened %s", in.Pane.Doc.Format)
	}
}

// TestEmptyFile: of an empty file it is only said that it is empty.
func TestEmptyFile(t *testing.T) { synctest.Test(t, testEmptyFile) }

func testEmptyFile(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: write(t, "empty.usdc", nil)})
	if got := words(s.Pane.Details.Refused); got != "The file is empty." {
		t.Errorf("%q", got)
	}
}

// TestRefusedCard: the card of a file of no known format says first what it is, then what helps; one that may be of a format is opened
// as that.
func TestRefusedCard(t *testing.T) { synctest.Test(t, testRefusedCard) }

func testRefusedCard(t *testing.T) {
	b := newBench(t)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 485323\n"
	s := b.open(Target{File: write(t, "pointer.usd", []byte(pointer))})
	if got := words(s.Pane.Details.Refused); !strings.Contains(got, "A Git LFS pointer; its 485,323 bytes were not fetched") || !strings.Contains(got, "What helps: git lfs pull") ||
		!strings.Contains(got, "no PXR-USDC at the start") || strings.Contains(got, "Open as OpenUSD crate") {
		t.Errorf("%q", got)
	}
	s = b.open(Target{File: write(t, "odd.usdc", []byte("\x01\x02\x03\xfe and more that is no crate"))})
	if got := words(s.Pane.Details.Refused); !strings.Contains(got, "Not recognised: no PXR-USDC at the start") || !strings.Contains(got, "Open as OpenUSD crate") {
		t.Errorf("%q", got)
	}
	buttonWith(s.Pane.Details.Refused, "Open as OpenUSD crate").OnTapped()
	as := b.w.active
	b.until("the crate", func() bool {
		return as != s && as.Pane != nil && as.Pane.Doc.Format == "usdc" && as.Pane.Details.Refused == nil
	})
}

// TestHasWord: words, names, numbers and times are texts; characters that compressed bytes have by chance are not.
func TestHasWord(t *testing.T) {
	for text, want := range map[string]bool{"fgetfilecon": true, "__gmon_start__": true, "GLIBC_2.2.5": true, "readHeader": true, "Größe": true,
		"Привет": true, "日本語文": true, "2024-01-15 12:30": true, "keys.md": true, "%s: no such file": true, "what is this? ": true, `a="b"; send it!`: true,
		"8<Ginx": false, "q{Zx3!k": false, "aQxZpL": false, "#########": false, "ékЖ日x!": false, "xkcdfg": false} {
		if got := hasWord(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
