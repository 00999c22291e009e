package decoders

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cutaway/model"
)

// TestEmbedded finds a crate and a recording within other bytes, also where a block ends in a magic; a magic alone is none.
func TestEmbedded(t *testing.T) {
	crate, err := os.ReadFile("../testdata/usdc/arcs.usdc")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	file.WriteString(strings.Repeat("filler ", 100) + "VisionRe but no recording" + strings.Repeat(" ", 99))
	file.Write(make([]byte, 0x400-file.Len()))
	file.Write(crate)
	file.Write(make([]byte, scanned-4-file.Len()))
	file.Write(crate)
	src := model.NewFileSource("all", model.BytesReader(file.Bytes()))
	var got []string
	if err := Embedded(t.Context(), src, nil, func(in Inside) bool {
		got = append(got, in.String())
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if want := "an OpenUSD crate begins at 0x400|an OpenUSD crate begins at 0xffffc"; strings.Join(got, "|") != want {
		t.Errorf("found %q, want %s", got, want)
	}
}

func TestLooksLike(t *testing.T) {
	for head, want := range map[string]string{
		"":                             "",
		"\x00\x01\x02\x03":             "",
		"%PDF-1.7\n":                   "application/pdf (.pdf)",
		"\x89PNG\r\n\x1a\n\x00\x00":    "image/png (.png)",
		"PK\x03\x04 and nothing more.": "application/zip (.zip)",
	} {
		if got := looksLike([]byte(head)); got != want {
			t.Errorf("%q looks like %q, want %q", head, got, want)
		}
	}
}

func TestEntropy(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for text, want := range map[string]float64{"aaaa": 0, "abab": 1, string(all): 8} {
		if got, err := Entropy(t.Context(), model.NewFileSource("f", model.BytesReader([]byte(text))), nil); got != want || err != nil {
			t.Errorf("%g, want %g, %v", got, want, err)
		}
	}
}

// TestKindOf: what is of no known format is told by what it is, in words.
func TestKindOf(t *testing.T) {
	for looks, want := range map[string]string{"image/png (.png)": "a PNG image", "application/x-executable": "an ELF executable",
		"audio/mpeg (.mp3)": "an MP3 sound", "text/html; charset=utf-8 (.html)": "an HTML text", "application/x-tar (.tar)": "a tar archive",
		"application/vnd.apache.parquet (.parquet)": "a PARQUET file", "image/jpeg (.jpg)": "a JPG image", "image/svg+xml (.svg)": "an SVG image"} {
		if got := withArticle(kindOf(looks)); got != want {
			t.Errorf("%q is %q, want %q", looks, got, want)
		}
	}
}
