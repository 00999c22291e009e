package decoders

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"cutaway/model"
)

// whyNot is why bytes by that name do not open; the format where they do.
func whyNot(t *testing.T, data []byte, name string) (c model.Cause, format string) {
	t.Helper()
	doc, err := Opener{}.Open(t.Context(), fileSource(string(data)), name)
	var refused *model.ErrUnrecognized
	switch {
	case errors.As(err, &refused):
		if err.Error() != refused.Cause.String() || strings.Contains(err.Error(), "\n") || len(refused.Tried) != len(All()) {
			t.Errorf("%s: %d tried, %q", name, len(refused.Tried), err)
		}
		return refused.Cause, ""
	case err != nil:
		t.Fatalf("%s: %v", name, err)
	}
	defer doc.Close()
	return c, doc.Format
}

const pointerText = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsize 485323\n"

// through is bytes through a writer that compresses them.
func through(t *testing.T, data []byte, writer func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var out bytes.Buffer
	w := writer(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	return through(t, data, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func zipped(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	_, err := z.Create("a folder/")
	if err != nil {
		t.Fatal(err)
	}
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCauses: what has come in place of a file is told, whatever the file is called that it should have been.
func TestCauses(t *testing.T) {
	crate := readFile(t, "../assets/sample.usdc")
	vrs := readFile(t, "../testdata/vrs/audio.vrs")
	zst := through(t, vrs, func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w)
		if err != nil {
			t.Fatal(err)
		}
		return z
	})
	for _, k := range []struct {
		what string
		data []byte
		id   string
		says []string
	}{
		{"nothing", nil, model.CauseEmpty, []string{"no bytes"}},
		{"pointer", []byte(pointerText), model.CausePointer, []string{"a Git LFS pointer; its 485,323 bytes were not fetched: git lfs pull"}},
		{"pointer, CRLF", []byte(strings.ReplaceAll(pointerText, "\n", "\r\n")), model.CausePointer, []string{"485,323 bytes"}},
		{"pointer, more lines", []byte(strings.Replace(pointerText, "\noid", "\next-0-foo sha256:00\noid", 1) + "\n\n"), model.CausePointer, []string{"485,323 bytes"}},
		{"pointer, a mark before it", []byte("\xef\xbb\xbf\n" + pointerText), model.CausePointer, []string{"485,323 bytes"}},
		{"pointer without a size", []byte(pointerText[:60]), model.CausePointer, []string{"its bytes were not fetched"}},
		{"pointer of 1 byte", []byte(strings.Replace(pointerText, "485323", "1", 1)), model.CausePointer, []string{"its 1 byte was not fetched"}},
		{"pointer of the first version", []byte("version http://git-media.io/v/2\noid sha256:00\nsize 12\n"), model.CausePointer, []string{"12 bytes"}},
		{"annex", []byte("/annex/objects/SHA256E-s12345--0123456789abcdef.usdc\n"), model.CausePointer, []string{"git-annex", "12,345 bytes"}},
		{"page", []byte("<!DOCTYPE html><html><body>404 Not Found</body></html>"), causePage, []string{`an HTML page ("404 Not Found") in place of the file`}},
		{"page after comments", []byte("\xef\xbb\xbf\r\n  <!-- a > b -->\n<!-- more -->\n<HTML lang=en><head><title>\n Sign in </title></head>"), causePage, []string{"HTML", `"Sign in"`}},
		{"page by XML", []byte("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML'><html xmlns='x'><body/></html>"), causePage, []string{"HTML"}},
		{"piece of a page", []byte("<h1>502 Bad Gateway</h1>"), causePage, []string{"HTML", `"502 Bad Gateway"`}},
		{"S3", []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>none</Message></Error>"), causePage, []string{"XML", `"NoSuchKey"`}},
		{"S3 without a declaration", []byte("<Error><Code>AccessDenied</Code></Error>"), causePage, []string{"XML", `"AccessDenied"`}},
		{"JSON", []byte("{\n  \"message\": \"Not Found\",\n  \"documentation_url\": \"https://x\"}"), causePage, []string{"JSON", `"Not Found"`}},
		{"JSON list", []byte("[\"a\"]"), causePage, []string{"JSON"}},
		{"gzip of a crate", gzipped(t, crate), causeCompressed, []string{"OpenUSD crate compressed by gzip: unpack it first, gzip -dc"}},
		{"gzip of a recording", gzipped(t, vrs), causeCompressed, []string{"VRS recording compressed by gzip"}},
		{"gzip of text", gzipped(t, []byte("some words\n")), causeCompressed, []string{"no format here takes what is inside"}},
		{"gzip, cut", gzipped(t, crate)[:12], causeCompressed, []string{"gzip"}},
		{"zstd of a recording", zst, causeCompressed, []string{"VRS recording compressed by zstd", "zstd -dc"}},
		{"LZ4 of a recording", through(t, vrs, func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) }), causeCompressed, []string{"VRS recording compressed by LZ4"}},
		{"zip of a recording", zipped(t, "a.vrs", vrs), causeCompressed, []string{"VRS recording compressed by zip", "unzip"}},
		{"xz", []byte("\xfd7zXZ\x00\x00\x04 and more"), causeCompressed, []string{"xz"}},
		{"zeros", make([]byte, 5000), causeZeros, []string{"only zeros", "5,000 bytes"}},
		{"more zeros", make([]byte, 200_000), causeZeros, []string{"its first 65,536 bytes"}},
		{"picture", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), causeOther, []string{"a PNG image, which no format here reads"}},
		{"conflict", []byte("<<<<<<< HEAD\n" + pointerText + "=======\n" + pointerText + ">>>>>>> other\n"), causeConflict, []string{"merge conflict"}},
		{"AppleDouble", []byte("\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "), CauseMac, []string{"AppleDouble"}},
	} {
		for _, name := range []string{"a.usd", "a.usda", "a.usdc", "a.usdz", "a.vrs", "a.oodf", "a.ompf", "a.bfbs", "a.udm", "a.pmdl_b", "A.USDC"} {
			if k.data == nil && name == "a.udm" || strings.HasPrefix(k.what, "zip ") && name == "a.usdz" {
				continue // an empty text is an empty tree; a package is a zip
			}
			if k.id == causeConflict && name == "a.usda" {
				continue // it opens as what it is named, with errors
			}
			c, format := whyNot(t, k.data, name)
			if c.ID != k.id {
				t.Errorf("%s as %s: cause %q (%s), opens as %q; want %q", k.what, name, c.ID, c.Text, format, k.id)
				continue
			}
			for _, says := range k.says {
				if !strings.Contains(c.String(), says) {
					t.Errorf("%s as %s: %q, without %q", k.what, name, c.String(), says)
				}
			}
		}
	}
}

// TestCutCauses: a file of each type that ends within its magic is cut; one byte more and it opens, with what is wrong in it.
func TestCutCauses(t *testing.T) {
	for _, k := range []struct {
		file   string
		within int // bytes of the magic
	}{{"../assets/sample.usdc", 7}, {"../testdata/vrs/audio.vrs", 7}, {"../testdata/udm/many.udm_b", 3}} {
		data := readFile(t, k.file)
		for n := 1; n <= k.within; n++ {
			if c, format := whyNot(t, data[:n], filepath.Base(k.file)); c.ID != causeCut || !strings.Contains(c.Text, "cut off after "+model.GroupedCount(int64(n), "byte")) {
				t.Errorf("%d bytes of %s: %q (%s), opens as %q", n, k.file, c.ID, c.Text, format)
			}
		}
		for _, n := range []int{k.within + 1, 50} {
			if c, format := whyNot(t, data[:n], filepath.Base(k.file)); format == "" {
				t.Errorf("%d bytes of %s do not open: %s", n, k.file, c.Text)
			}
		}
	}
}

// TestLikelyFormat: the format that a refusal names opens the file when it is asked for.
func TestLikelyFormat(t *testing.T) {
	for _, data := range []string{"what is in here\nnobody knows\n", "\x01\x02\x03\xff\xfe\xfd and more", "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\n"} {
		for _, f := range All() {
			for _, ext := range f.Extensions() {
				c, format := whyNot(t, []byte(data), "a"+ext)
				if format != "" { // by its name
					continue
				}
				if c.Format == "" || !strings.HasSuffix(c.String(), "; --format "+c.Format+" opens it all the same") {
					t.Errorf("a%s: %q", ext, c.String())
					continue
				}
				doc, err := Opener{}.OpenWith(t.Context(), fileSource(data), "a"+ext, Options{Format: c.Format})
				if err != nil {
					t.Errorf("a%s does not open by --format %s: %v", ext, c.Format, err)
					continue
				}
				_ = doc.Close()
			}
		}
	}
	if c, _ := whyNot(t, []byte("\x01\x02\x03\xff"), "a.what"); c.ID != causeUnknown || c.Format != "" || c.Hint != "" {
		t.Errorf("%+v", c)
	}
}

// TestBroken: of files that only stand beside ours it is said what can be said whatever they hold.
func TestBroken(t *testing.T) {
	page := "<!DOCTYPE html><html></html>"
	for _, k := range []struct{ data, name, id string }{
		{"", "a.txt", model.CauseEmpty}, {pointerText, "a.mtlx", model.CausePointer}, {"\x00\x00", "a.ies", causeZeros}, {page, "a.png", causePage}, {page, "a.usd", causePage},
		{page, "a.html", ""}, {"<?xml version='1.0'?><materialx/>", "a.mtlx", ""}, {"{\"a\": 1}", "a.gltf", ""}, {"{\"a\": 1}", "a.exr", causePage},
		{"\x89PNG\r\n\x1a\n", "a.png", ""}, {"\x1f\x8b", "a.png", ""}, {"words", "a.png", ""},
	} {
		c := Broken([]byte(k.data), int64(len(k.data)), k.name)
		if id := ""; c != nil && c.ID != k.id || c == nil && k.id != id {
			t.Errorf("%.20q as %s: %+v, want %q", k.data, k.name, c, k.id)
		}
	}
}

// TestPlainlyElse: a format that knows a file by its name alone does not take what is plainly something else; what is damaged, or has
// nothing but its name, it takes as before.
func TestPlainlyElse(t *testing.T) {
	for data, want := range map[string]string{"#usad 1.0\ndef \"A\" {}\n": "usda", "words": "usda", "\x01\x02\x03": "usda", "#us": "usda", pointerText: ""} {
		if c, format := whyNot(t, []byte(data), "a.usda"); format != want {
			t.Errorf("%.20q opens as %q, want %q: %s", data, format, want, c.Text)
		}
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
