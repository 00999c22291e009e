package hexview

import (
	"encoding/base64"
	"go/format"
	"strings"
	"testing"

	"cutaway/model"
)

func TestCopyFormats(t *testing.T) {
	src := model.NewFileSource("f", model.BytesReader("Hi\x00\xff é, fourteen bytes"))
	for name, want := range map[string]string{
		"hex":    "48 69 00 ff 20",
		"text":   "Hi.\uFFFD ",
		"base64": base64.StdEncoding.EncodeToString([]byte("Hi\x00\xff ")),
		"c":      "const unsigned char data[5] = {\n\t0x48, 0x69, 0x00, 0xff, 0x20,\n};\n",
		"go":     "var data = []byte{\n\t0x48, 0x69, 0x00, 0xff, 0x20,\n}\n",
	} {
		got, err := Copy(t.Context(), src, name, Range{0, 5})
		if err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", name, got, err, want)
		}
	}
	if got, _ := Copy(t.Context(), src, "text", Range{5, 4}); got != "é, " {
		t.Errorf("UTF-8 is copied as %q", got)
	}
}

func TestCopiedGoIsFormatted(t *testing.T) {
	for n := 1; n < 30; n++ {
		got, err := Copy(t.Context(), counting(n), "go", Range{0, int64(n)})
		if err != nil {
			t.Fatal(err)
		}
		want, err := format.Source([]byte(got))
		if err != nil || string(want) != got {
			t.Errorf("%d bytes: gofmt makes %q of %q (%v)", n, want, got, err)
		}
	}
}

func TestCopyRefusals(t *testing.T) {
	large := model.NewFileSource("large", sparse(1<<62))
	for what, c := range map[string]struct {
		src    *model.Source
		format string
		ranges []Range
		want   string
	}{
		"too much":         {large, "hex", []Range{{0, CopyLimit + 1}}, "4 MiB"},
		"too much in all":  {large, "hex", []Range{{0, CopyLimit}, {1 << 40, 1}}, "4 MiB"},
		"immense":          {large, "hex", []Range{{1, 1<<63 - 1}, {1, 1<<63 - 1}}, "4 MiB"},
		"nothing":          {large, "hex", nil, "no bytes"},
		"no source":        {nil, "hex", []Range{{0, 1}}, "no bytes"},
		"unknown format":   {large, "morse", []Range{{0, 1}}, `"morse"`},
		"outside of bytes": {counting(10), "hex", []Range{{8, 4}}, "0x8"},
	} {
		if got, err := Copy(t.Context(), c.src, c.format, c.ranges...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s gives %q, %v, want an error with %q", what, got, err, c.want)
		}
	}
}
