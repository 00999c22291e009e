package usdz_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdatext"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdz"
	"cutaway/model"
)

const (
	ours   = "../../testdata/usdc/*.usdz"
	corpus = "../../../shared/corpus/usdc/*.usdz"
)

func open(t testing.TB, f decodertest.File) *model.Document {
	return decodertest.Open(t, usdz.Format, f.Name, model.BytesReader(f.Data), usdc.Format, usdatext.Format, usdz.Format)
}

// TestProblems holds the rules that each damaged package breaks; those without a line are sound.
func TestProblems(t *testing.T) {
	want := map[string][]string{
		"x-cut.usdz":                {"usdc.bootstrap.toc-offset", "usdz.directory.missing", "usdz.member.data-out-of-file"},
		"x-damaged-layer.usdz":      {"usdc.bootstrap.toc-offset"},
		"x-data-descriptor.usdz":    {"usdz.member.data-descriptor"},
		"x-deflated.usdz":           {"usdz.member.compressed"},
		"x-empty.usdz":              {"usdz.package.no-members"},
		"x-first-no-layer.usdz":     {"usdz.package.root-not-a-layer"},
		"x-comment.usdz":            {"usdz.directory.comment"},
		"x-disk.usdz":               {"usdz.directory.disk"},
		"x-trailing.usdz":           {"usdz.directory.trailing-bytes"},
		"x-no-directory.usdz":       {"usdz.directory.missing"},
		"x-unaligned.usdz":          {"usdz.member.unaligned"},
		"x-wrong-crc.usdz":          {"usdz.member.crc"},
		"package-broken-rules.usdz": {"usdz.member.compressed", "usdz.member.unaligned"},
		"package-foreign.usdz":      {"usdc.paths.order"},
	}
	check := func(t *testing.T, pattern string) {
		for _, f := range decodertest.ReadFiles(t, pattern) {
			if f.Name == "x-nested-40.usdz" {
				continue // TestNesting
			}
			report, err := open(t, f).CheckWith(t.Context(), nil, model.CheckOptions{NoData: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range report.Problems {
				got = append(got, p.Rule)
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if !slices.Equal(got, want[f.Name]) {
				t.Errorf("%s: %v, want %v", f.Name, got, want[f.Name])
			}
		}
	}
	t.Run("ours", func(t *testing.T) { check(t, ours) })
	t.Run("corpus", func(t *testing.T) { check(t, corpus) })
}

func TestInvariants(t *testing.T) {
	for _, pattern := range []string{ours, corpus} {
		t.Run(pattern, func(t *testing.T) {
			for _, f := range decodertest.ReadFiles(t, pattern) {
				if f.Name == "x-nested-40.usdz" {
					continue
				}
				t.Run(f.Name, func(t *testing.T) {
					decodertest.Invariants(t, usdz.Format, func() *model.Document { return open(t, f) })
				})
			}
		})
	}
}

// TestMembers compares what the package tells of its members with what their own tools said.
func TestMembers(t *testing.T) {
	for _, f := range decodertest.ReadFiles(t, corpus) {
		if f.Name != "package-nested.usdz" {
			continue
		}
		doc := open(t, f)
		facts, err := doc.Facts(t.Context(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := `[{path: "file_1.usdc", format: "usdc", size: 680}, {path: "nested.usdz", format: "usdz", size: 2376}, ` +
			`{path: "file_2.usdc", format: "usdc", size: 621}, {path: "subdir/file_3.usdc", format: "usdc", size: 640}]`
		if got := model.Show(t.Context(), facts[0].Value, 1000); facts[0].Key != "members" || got != want {
			t.Errorf("%s: %s", facts[0].Key, got)
		}
		for _, path := range []string{"scene/File", "layout/subdir%2Ffile_3.usdc/data@member/TOKENS", "layout/nested.usdz/data@member/file_1.usdc"} {
			if _, err := doc.Lookup(t.Context(), path); err != nil {
				t.Error(err)
			}
		}
		inner, err := doc.Member(t.Context(), "nested.usdz")
		if err != nil {
			t.Fatal(err)
		}
		layer, err := inner.Member(t.Context(), "subdir/file_3.usdc")
		if err != nil {
			t.Fatal(err)
		}
		if layer.Format != "usdc" || layer.Source().Name() != model.FileSource {
			t.Errorf("the member of the member is %s, source %q", layer.Format, layer.Source().Name())
		}
	}
}

// zipMember writes a local header and data, aligned or not.
func zipMember(b *bytes.Buffer, name string, data []byte, aligned bool) {
	extra := 0
	if aligned {
		extra = (64 - (b.Len()+30+len(name))%64) % 64
	}
	fmt.Fprintf(b, "PK\x03\x04\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	le := func(v uint32, n int) {
		for i := range n {
			b.WriteByte(byte(v >> (8 * i)))
		}
	}
	le(crc32.ChecksumIEEE(data), 4)
	le(uint32(len(data)), 4)
	le(uint32(len(data)), 4)
	le(uint32(len(name)), 2)
	le(uint32(extra), 2)
	b.WriteString(name + strings.Repeat("\x00", extra))
	b.Write(data)
}

// TestNesting opens packages inside packages, far more than there are in any scene; where the opener stops, the
// member is bytes.
func TestNesting(t *testing.T) {
	data := []byte("#usda 1.0\n")
	name := "a.usda"
	for range 100 {
		var b bytes.Buffer
		zipMember(&b, name, data, true)
		data, name = b.Bytes(), "a.usdz"
	}
	doc := open(t, decodertest.File{Name: "deep.usdz", Data: data})
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tiling) > 0 {
		t.Error(report.Tiling)
	}
}

// TestGaps loses a signature in the middle: the member after it is found again through the directory.
func TestGaps(t *testing.T) {
	for _, f := range decodertest.ReadFiles(t, ours) {
		if f.Name != "several.usdz" {
			continue
		}
		doc := open(t, f)
		second := doc.View("layout").Place(t.Context()).Child(t.Context(), 1)
		damaged := bytes.Clone(f.Data)
		damaged[second.Node.Span().Off] ^= 0xFF
		doc = open(t, decodertest.File{Name: f.Name, Data: damaged})
		layout := doc.View("layout").Place(t.Context())
		if n := layout.Child(t.Context(), 1).Node; n.Role != model.Unknown || len(n.Problems) != 1 || n.Problems[0].Rule != "usdz.member.signature" {
			t.Errorf("the damaged member is %s, %v", n.Type, n.Problems)
		}
		if n := layout.Child(t.Context(), 2).Node; n.Type != "member" {
			t.Errorf("after the damage stands %q, a %s", n.Name, n.Type)
		}
	}
}

func TestDetect(t *testing.T) {
	var scene, other bytes.Buffer
	zipMember(&scene, "scene.usda", nil, true)
	zipMember(&other, "word/document.xml", nil, false)
	for _, c := range []struct {
		name string
		data []byte
		want model.Confidence
	}{
		{"a.usdz", scene.Bytes(), model.Sure},
		{"renamed", scene.Bytes(), 90},
		{"a.docx", other.Bytes(), 1},
		{"a.usdz", other.Bytes(), model.Sure},
		{"a.usdz", []byte("PK\x03\x04"), model.Sure},
		{"renamed", []byte("PK\x03\x04"), 1},
		{"a.usdz", []byte("not a zip"), model.No},
	} {
		d := decodertest.Detect(t.Context(), usdz.Format, c.name, c.data)
		if d.Confidence != c.want || d.Reason == "" {
			t.Errorf("%s: %d (%s), want %d", c.name, d.Confidence, d.Reason, c.want)
		}
	}
}

func TestMutate(t *testing.T) {
	decodertest.Mutate(t, usdz.Format, decodertest.ReadFiles(t, "../../testdata/usdc/s*.usdz"), decodertest.MutateOptions{
		Try:    600,
		Beside: []*model.Format{usdc.Format, usdz.Format},
	})
}

func FuzzOpen(f *testing.F) {
	decodertest.Fuzz(f, usdz.Format, decodertest.ReadFiles(f, ours), usdc.Format, usdz.Format)
}

// TestFirstIsPackage: a package whose first member is a package opens through it, as readers do.
func TestFirstIsPackage(t *testing.T) {
	layer := decodertest.ReadFiles(t, "../../testdata/usdc/made-0.8.0.usdc")[0].Data
	outer := stored(t, "inner.usdz", stored(t, "layer.usdc", layer))
	d := open(t, decodertest.File{Name: "outer.usdz", Data: outer})
	report, err := d.CheckAll(t.Context(), nil)
	if err != nil || !report.Sound() {
		t.Errorf("%v %v", err, report.Problems)
	}
	if _, err := d.Lookup(t.Context(), "/World"); err != nil {
		t.Error(err)
	}
	facts, err := d.Facts(t.Context(), false, nil)
	if err != nil || !slices.ContainsFunc(facts, func(f model.Fact) bool { return f.Key == "defaultPrim" }) {
		t.Errorf("the facts of the first layer are missing: %v %v", facts, err)
	}
}

// TestImageMember: a member that no format explains opens as bytes.
func TestImageMember(t *testing.T) {
	d := open(t, decodertest.File{Name: "image.usdz", Data: stored(t, "image.jpg", []byte("picture"))})
	image, err := d.Member(t.Context(), "image.jpg")
	if err != nil {
		t.Fatal(err)
	}
	if n := image.View(model.LayoutView).Root(t.Context()); n.Span().Len != int64(len("picture")) {
		t.Errorf("%v", n)
	}
}

// TestImageCards: an image can be seen at its member, at the member's data and in the member as a document of its own.
func TestImageCards(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.SetNRGBA(2, 1, color.NRGBA{1, 2, 3, 128})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	d := open(t, decodertest.File{Name: "texture.usdz", Data: stored(t, "textures/a.png", b.Bytes())})
	alone, err := d.Member(t.Context(), "textures/a.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		doc  *model.Document
		path string
	}{{d, "layout/textures%2Fa.png"}, {d, "layout/textures%2Fa.png/data"}, {d, "layout/textures%2Fa.png/data@member"}, {alone, "layout"}} {
		p, err := k.doc.Lookup(t.Context(), k.path)
		if err != nil || p.Node.Cards == nil {
			t.Errorf("%s: %v, no cards", k.path, err)
			continue
		}
		px, err := model.PixelsOf(t.Context(), p.Node.Cards(t.Context())[0].(model.Picture))
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		row := make([]float64, px.Width)
		for _, plane := range px.Planes {
			plane.Row(1, row)
			got = append(got, row[2])
		}
		if px.Width != 3 || px.Height != 2 || !slices.Equal(got, []float64{1, 2, 3, 128}) {
			t.Errorf("%s: %d × %d, %v", k.path, px.Width, px.Height, got)
		}
	}
}

// stored is a package of one member, whose data is aligned.
func stored(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	const alignment = 64
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	extra := alignment - (30+len(name)+4)%alignment
	header := zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)),
		UncompressedSize64: uint64(len(data)), Extra: append([]byte{0x86, 0x19, byte(extra), 0}, make([]byte, extra)...)}
	f, err := w.CreateRaw(&header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWhatMembersAre: what is no layer though it is named so, what macOS adds, and names in no known encoding are told; of a package
// without a default layer the others are checked.
func TestWhatMembersAre(t *testing.T) {
	const layer, broken, double = "#usda 1.0\n", "#usda 1.0\ndef X \"a\" {\n    float v = x\n}\n", "\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"
	for _, k := range []struct {
		members  []string // names and contents
		headless bool
		want     []string // rules of problems, with members
	}{
		{[]string{"a.usda", broken}, false, []string{"usda.value"}},
		{[]string{"a.usda", layer, "b.usda", broken}, false, []string{"[b.usda] usda.value"}},
		{[]string{"a.usdc", "garbage", "b.usda", broken}, true, []string{"usdz.member.not-a-layer", "[b.usda] usda.value"}},
		{[]string{"a.png", "picture", "b.usda", broken}, true, []string{"usdz.package.root-not-a-layer", "[b.usda] usda.value"}},
		{[]string{"a.usda", "", "b.usda", broken}, true, []string{"usdz.member.not-a-layer", "[b.usda] usda.value"}},
		{[]string{"a.usdz", "garbage"}, true, []string{"usdz.member.not-a-layer"}},
		{[]string{"a.usda", layer, "b.usdc", "garbage"}, false, []string{"usdz.member.not-a-layer"}},
		{[]string{"a.usda", layer, "b.usdc", ""}, false, []string{"usdz.member.not-a-layer"}},
		{[]string{"a.usda", layer, "__MACOSX/._a.usda", double, "__MACOSX/._b.png", "x", "._c.usdc", double}, false,
			[]string{"usdz.member.apple-double", "usdz.member.apple-double", "usdz.member.apple-double"}},
		{[]string{"a.usda", layer, "._b.usda", broken}, false, []string{"[._b.usda] usda.value"}},
		{[]string{"__MACOSX/._a.usda", double}, true, []string{"usdz.member.not-a-layer"}},
		{[]string{"é.usda", layer}, false, []string{"usdz.member.name-flag"}},
	} {
		var b bytes.Buffer
		for i := 0; i < len(k.members); i += 2 {
			zipMember(&b, k.members[i], []byte(k.members[i+1]), true)
		}
		d := open(t, decodertest.File{Name: "made.usdz", Data: b.Bytes()})
		if (d.Headless != nil) != k.headless {
			t.Errorf("%q: headless: %v", k.members, d.Headless)
		}
		report, err := d.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range report.Problems {
			switch {
			case p.Rule == "usdz.directory.missing":
			case p.Member != "":
				got = append(got, "["+p.Member+"] "+p.Rule)
			default:
				got = append(got, p.Rule)
			}
		}
		if !slices.Equal(got, k.want) {
			t.Errorf("%q: %q, want %q", k.members, got, k.want)
		}
	}
}
