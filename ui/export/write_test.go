package export

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"cutaway/model/export"
	"cutaway/ui/phrase"
)

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

// TestPreviewOf: lines are bounded in number and length, a cut character is left out, bytes are dumped.
func TestPreviewOf(t *testing.T) {
	text := export.Common.ByName("text")
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
	if got := previewOf(export.Common.ByName("raw"), []byte("abc"), true); len(got) != 1 || !strings.Contains(got[0], "61 62 63") {
		t.Errorf("%q", got)
	}
}
