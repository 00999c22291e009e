package opening

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
)

// TestReadings: pasted text is taken for what it looks like, and what does not fit says why.
func TestReadings(t *testing.T) {
	for _, c := range []struct{ text, way, bytes, why string }{
		{"50 58 52 2d", "hexadecimal digits", "PXR-", ""},
		{"0x50, 0x58,\n0x52, 0x2D", "hexadecimal digits", "PXR-", "not base64: ',' at character 5"},
		{`\x50\x58`, "hexadecimal digits", "PX", ""},
		{"UFhSLVVTREM=", "base64", "PXR-USDC", "not hexadecimal: 'U' is no digit"},
		{"UFhS\nLVVT\nREM", "base64", "PXR-USDC", ""},
		{"data:application/octet-stream;base64,_-8=", "base64", "\xff\xef", ""},
		{"50 5?", "text as it is (UTF-8)", "50 5?", "not hexadecimal: '?' is no digit"},
		{"505,", "text as it is (UTF-8)", "505,", "not hexadecimal: the number of digits, 3, is odd"},
		{"UFhSL", "text as it is (UTF-8)", "UFhSL", "not base64: it is cut short"},
		{"UFhS=", "text as it is (UTF-8)", "UFhS=", "not base64: its padding is wrong"},
		{"{\"a\": 1}", "text as it is (UTF-8)", "{\"a\": 1}", "not base64"},
	} {
		ways, why := readings(c.text)
		if len(ways) == 0 || ways[0].name != c.way || string(ways[0].bytes) != c.bytes || !strings.Contains(strings.Join(why, "\n"), c.why) {
			t.Errorf("%q: %v, %q", c.text, ways, why)
		}
	}
	if ways, _ := readings(" \n"); ways != nil {
		t.Errorf("nothing is taken for %v", ways)
	}
}

// TestDroppedNames: a link is an address, as the driver hands it over too, and a file is none.
func TestDroppedNames(t *testing.T) {
	plain, err := storage.ParseURI("http://host:80" + "/sample.usdc")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		uri  fyne.URI
		want string
	}{{plain, "http://host:80" + "/sample.usdc"}, {storage.NewFileURI("https://host/a b.usdc?sig=a+b"), "https://host/a%20b.usdc?sig=a%2Bb"},
		{storage.NewFileURI("/tmp/sample.usdc"), ""}, {storage.NewFileURI("sample.usdc"), ""}} {
		if got := addressOf(k.uri); got != k.want {
			t.Errorf("%s: %q, want %q", k.uri, got, k.want)
		}
	}
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
