package udm

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

// tree writes the asset view below a path, each node on a line: path, type, value and number of children. What it says
// is the same for both forms of one tree.
func tree(t testing.TB, d *model.Document, path string) string {
	t.Helper()
	p, err := d.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = model.Walk(t.Context(), p, model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
		n, exact := p.Len(t.Context())
		value := model.Show(t.Context(), p.Node.Value, 1<<16)
		if blob, ok := p.Node.Value.(model.Blob); ok {
			bytes, err := blob.Span.Source.Bytes(t.Context(), blob.Span.Off, blob.Span.Len)
			value = fmt.Sprintf("%x %v", bytes, err)
		}
		fmt.Fprintf(&b, "%s %s = %s (%d %t)\n", p.Path(), p.Node.Type, value, n, exact)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTwins compares the two forms of one tree.
func TestTwins(t *testing.T) {
	var trees []string
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		f := fixtureFiles(t, name)[0]
		d := openBytes(t, name, f.Data)
		if r := checkAll(t, d); len(r.Problems) > 0 {
			t.Errorf("%s: %v", name, r.Problems)
		}
		trees = append(trees, tree(t, d, "asset"))
	}
	binary, text := strings.Split(trees[0], "\n"), strings.Split(trees[1], "\n")
	if len(binary) < 100 {
		t.Errorf("only %d nodes", len(binary))
	}
	for i := range max(len(binary), len(text)) {
		if i >= len(binary) || i >= len(text) || binary[i] != text[i] {
			t.Fatalf("the trees differ:\n  binary %s\n  text   %s", at(binary, i), at(text, i))
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// around is a file whose one property x is the bytes given.
func around(property []byte) []byte {
	element := func(keys string, values []byte) []byte {
		body := append([]byte(keys), values...)
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(body))), body...)
	}
	data := element("\x01\x00\x00\x00\x01x", property)
	root := element("\x03\x00\x00\x00\x09assetType\x0cassetVersion\x09assetData",
		append([]byte("\x01\x03nil\x08\x01\x00\x00\x00\x1b"), data...))
	return append([]byte("UDMB\x02\x00\x00\x00\x1b"), root...)
}

// examples are the properties of chapter 9.2, with what the asset shows of them.
var examples = []struct{ name, bytes, want string }{
	{"nil", "00", "nil = None (0 true)"},
	{"half", "20 003C", "half = 1 (0 true)"},
	{"quat", "11 00000000 00000000 00000000 0000803F", "quat (x,y,z,w) = (0, 0, 0, 1) (0 true)"},
	{"srgba", "13 FF8000FF", "srgba = (255, 128, 0, 255) (0 true)"},
	{"hdr", "14 2003 F401 0C00", "hdr = (800, 500, 12) (0 true)"},
	{"string", "01 02 4869", "string = Hi (0 true)"},
	{"long string", "01 FF FF000000 " + strings.Repeat("78", 255), "string = " + strings.Repeat("x", 255) + " (0 true)"},
	{"utf8", "02 02000000 C3A9", "utf8 = é (0 true)"},
	{"ref", "1E 06 706174682F78", "ref = path/x (0 true)"},
	{"blob", "19 0300000000000000 010203", "blob = 010203 <nil> (0 true)"},
	{"lz4", "1A 0400000000000000 0300000000000000 30616263", "lz4 = 616263 <nil> (0 true)"},
	{"struct", "1F 0F00 02 04 0E 0161 00 07 0000C03F 000000C0", "struct = (7, (1.5, -2)) (2 true)\n/a uint8 = 7 (0 true)\n/(unnamed) vec2 = (1.5, -2) (0 true)"},
	{"array of uint16", "1C 06 03000000 0100 0200 0300", "array = [1, 2, 3] (3 true)\n/[0] uint16 = 1 (0 true)\n/[1] uint16 = 2 (0 true)\n/[2] uint16 = 3 (0 true)"},
	{"array of string", "1C 01 02000000 0500000000000000 0161 026263", "array =  (2 true)\n/[0] string = a (0 true)\n/[1] string = bc (0 true)"},
	{"array of struct", "1C 1F 02000000 1A00000000000000 0600 02040E016100 07 0000C03F 000000C0 08 00000000 00000000",
		"array =  (2 true)\n/[0] struct = (7, (1.5, -2)) (2 true)\n/[0]/a uint8 = 7 (0 true)\n/[0]/(unnamed) vec2 = (1.5, -2) (0 true)\n" +
			"/[1] struct = (8, (0, 0)) (2 true)\n/[1]/a uint8 = 8 (0 true)\n/[1]/(unnamed) vec2 = (0, 0) (0 true)"},
	{"array of array", "1C 1C 02000000 0E00000000000000 04 02000000 0102 04 02000000 0102",
		"array =  (2 true)\n/[0] array = [1, 2] (2 true)\n/[0]/[0] uint8 = 1 (0 true)\n/[0]/[1] uint8 = 2 (0 true)\n" +
			"/[1] array = [1, 2] (2 true)\n/[1]/[0] uint8 = 1 (0 true)\n/[1]/[1] uint8 = 2 (0 true)"},
	{"array of element", "1C 1B 01000000 1000000000000000 0800000000000000 01000000 0178 0D01",
		"array =  (1 true)\n/[0] element =  (1 true)\n/[0]/x bool = true (0 true)"},
	{"array of nil", "1C 00 05000000", "array = [None, None, None, None, None] (0 true)"},
	{"arrayLz4 of uint16", "1D 0700000000000000 06 03000000 60 0100 0200 0300",
		"arrayLz4 = [1, 2, 3] (3 true)\n/[0] uint16 = 1 (0 true)\n/[1] uint16 = 2 (0 true)\n/[2] uint16 = 3 (0 true)"},
	{"arrayLz4 of string", "1D 0A00000000000000 01 0900000000000000 02000000 90 02000000 0161 026263",
		"arrayLz4 =  (2 true)\n/[0] string = a (0 true)\n/[1] string = bc (0 true)"},
	{"empty arrayLz4 of element", "1D 0000000000000000 1B 0000000000000000 00000000", "arrayLz4 =  (0 true)"},
	{"arrayLz4 of struct", "1D 1400000000000000 1F 0600 02040E016100 02000000 F003 07 0000C03F 000000C0 08 00000000 00000000",
		"arrayLz4 =  (2 true)\n/[0] struct = (7, (1.5, -2)) (2 true)\n/[0]/a uint8 = 7 (0 true)\n/[0]/(unnamed) vec2 = (1.5, -2) (0 true)\n" +
			"/[1] struct = (8, (0, 0)) (2 true)\n/[1]/a uint8 = 8 (0 true)\n/[1]/(unnamed) vec2 = (0, 0) (0 true)"},
}

func TestExamples(t *testing.T) {
	for _, e := range examples {
		b, err := hex.DecodeString(strings.ReplaceAll(e.bytes, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		d := openBytes(t, e.name, around(b))
		if r := checkAll(t, d); len(r.Problems) > 0 {
			t.Errorf("%s: %v", e.name, r.Problems)
		}
		const path = "asset/assetData/x"
		if got := strings.TrimSpace(strings.ReplaceAll(tree(t, d, path), path, "")); got != e.want {
			t.Errorf("%s: the asset has\n%s\nwant\n%s", e.name, got, e.want)
		}
	}
}

// TestEmptySky holds the layout of a file beside the table of chapter 9.1.
func TestEmptySky(t *testing.T) {
	var d *model.Document
	for _, f := range corpusFiles(t) {
		if f.Name == "empty_sky.pmap_b" {
			d = openBytes(t, f.Name, f.Data)
		}
	}
	const data, entity = "/values/assetData", "/values/assetData/values/entities/items/[0]"
	for _, c := range []struct {
		path   string
		off, n int64
		value  string
	}{
		{"layout/header/identifier", 0, 4, "UDMB"},
		{"layout/header/version", 4, 4, "2"},
		{"layout/root/type", 8, 1, "element"},
		{"layout/root/size", 9, 8, "359"},
		{"layout/root/count", 17, 4, "3"},
		{"layout/root/keys", 21, 33, ""},
		{"layout/root/keys/[0]", 21, 10, "assetData"},
		{"layout/root/keys/[1]", 31, 10, "assetType"},
		{"layout/root/keys/[2]", 41, 13, "assetVersion"},
		{"layout/root" + data + "/type", 54, 1, "element"},
		{"layout/root" + data + "/size", 55, 8, "302"},
		{"layout/root" + data + "/count", 63, 4, "2"},
		{"layout/root" + data + "/keys/[0]", 67, 10, "materials"},
		{"layout/root" + data + "/keys/[1]", 77, 9, "entities"},
		{"layout/root" + data + "/values/materials/valueType", 87, 1, "string"},
		{"layout/root" + data + "/values/materials/count", 88, 4, "2"},
		{"layout/root" + data + "/values/materials/size", 92, 8, "26"},
		{"layout/root" + data + "/values/materials/items/[0]", 100, 18, "tools/toolsnodraw"},
		{"layout/root" + data + "/values/materials/items/[1]", 118, 8, "skybox/"},
		{"layout/root" + data + "/values/entities", 126, 239, ""},
		{"layout/root" + entity + "/size", 140, 8, "217"},
		{"layout/root" + entity + "/count", 148, 4, "5"},
		{"layout/root" + entity + "/keys/[0]", 152, 5, "pose"},
		{"layout/root" + entity + "/keys/[4]", 185, 11, "components"},
		{"layout/root" + entity + "/values/pose", 196, 41, "((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))"},
		{"layout/root" + entity + "/values/className", 237, 8, "skybox"},
		{"layout/root" + entity + "/values/keyValues/keys/[0]", 258, 6, "model"},
		{"layout/root" + entity + "/values/keyValues/values/model", 269, 30, ""},
		{"layout/root" + entity + "/values/outputs/size", 343, 8, "0"},
		{"layout/root" + entity + "/values/components/valueType", 352, 1, "string"},
		{"layout/root/values/assetType", 365, 6, "PMAP"},
		{"layout/root/values/assetVersion", 371, 5, "1"},
	} {
		p, err := d.Lookup(t.Context(), c.path)
		if err != nil {
			t.Error(err)
			continue
		}
		s := p.Node.Span()
		value := model.Show(t.Context(), p.Node.Value, 100)
		if s.Off != c.off || s.Len != c.n || c.value != "" && value != c.value {
			t.Errorf("%s is at %d+%d with %q, want %d+%d with %q", c.path, s.Off, s.Len, value, c.off, c.n, c.value)
		}
	}
}

// TestBase64 decodes all that a reader should accept.
func TestBase64(t *testing.T) {
	f := fixtureFiles(t, "ok-base64-alphabets.udm")[0]
	d := openBytes(t, f.Name, f.Data)
	for key, want := range map[string]string{"a": "-_8=", "b": "-_8=", "c": "AQID", "d": "AQ==", "e": "", "f": "__8A"} {
		p, err := d.Lookup(t.Context(), "asset/assetData/"+key)
		if err != nil {
			t.Fatal(err)
		}
		s := p.Node.Value.(model.Blob).Span
		got, err := s.Source.Bytes(t.Context(), s.Off, s.Len)
		if wanted, _ := base64.URLEncoding.DecodeString(want); err != nil || string(got) != string(wanted) {
			t.Errorf("%s: %x, %v; want %x", key, got, err, wanted)
		}
	}
}
