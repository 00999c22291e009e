package table_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/table"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// tocEntrySize is the number of bytes of an entry of the table of contents.
const tocEntrySize = 32

// reservedAt is the offset of the reserved bytes of the bootstrap.
const reservedAt = 24

// emptyCrate is the sections of a crate of version 0.8.0 with one token, for tests of the table of contents.
func emptyCrate() []byte {
	return (&handgen.Paths{Version: crategen.Version{0, 8, 0}}).Bytes(handgen.Tree{Element: ""})
}

// tocField gives the bytes of entry i's start (which 0) or size (1).
func tocField(b []byte, i, which int) []byte {
	at := int64(binary.LittleEndian.Uint64(b[16:])) + 8 + int64(i)*tocEntrySize + 16 + 8*int64(which)
	return b[at : at+8]
}

// tocLines reads the table of contents.
func tocLines(b []byte) (lines []tocLine) {
	entries := b[binary.LittleEndian.Uint64(b[16:])+8:]
	for ; len(entries) >= tocEntrySize; entries = entries[tocEntrySize:] {
		name, _, _ := strings.Cut(string(entries[:16]), "\x00")
		lines = append(lines, tocLine{name, int64(binary.LittleEndian.Uint64(entries[16:])), int64(binary.LittleEndian.Uint64(entries[24:]))})
	}
	return lines
}

// TestSectionsPlaced: whatever the table of contents says, the layout tiles the file and the damage is told.
func TestSectionsPlaced(t *testing.T) {
	for _, test := range []struct {
		name           string
		entry, field   int // of the table of contents: what is overwritten
		value          int64
		rule           string
		path           string
		survivingToken bool // the tokens are decoded all the same
	}{
		{"starts before the file", 0, 0, -1, "usdc.toc.section-out-of-file", "layout/toc/sections/[0]", false},
		{"starts in the bootstrap", 0, 0, 20, "usdc.toc.section-overlap", "layout/toc/sections/[0]", false},
		{"starts after the file", 5, 0, 1 << 40, "usdc.toc.section-out-of-file", "layout/toc/sections/[5]", true},
		{"negative size", 5, 1, -5, "usdc.toc.section-size", "layout/toc/sections/[5]", true},
		{"runs off the file", 5, 1, 1 << 40, "usdc.toc.section-size", "layout/toc/sections/[5]", true},
		{"runs into the next", 0, 1, 100, "usdc.toc.section-size", "layout/toc/sections/[0]", true},
		{"same start as another", 1, 0, 88, "usdc.toc.section-size", "layout/toc/sections/[1]", true},
		{"size too small", 0, 1, 20, "usdc.toc.section-size", "layout/toc/sections/[0]", true},
	} {
		b := emptyCrate()
		copy(tocField(b, test.entry, test.field), []byte{
			byte(test.value), byte(test.value >> 8), byte(test.value >> 16), byte(test.value >> 24),
			byte(test.value >> 32), byte(test.value >> 40), byte(test.value >> 48), byte(test.value >> 56)})
		r := handgen.CheckAll(t, handgen.Open(t, usdc.Format, test.name, b))
		if !slices.ContainsFunc(r.Problems, func(p model.LocatedProblem) bool { return p.Rule == test.rule && p.Path == test.path }) {
			t.Errorf("%s: no %s at %s in %v", test.name, test.rule, test.path, r.Problems)
		}
		tokens, err := table.Open(t.Context(), model.NewFileSource("sections", model.BytesReader(b))).Tokens(context.Background(), nil)
		if err != nil || tokens.Count > 0 != test.survivingToken {
			t.Errorf("%s: %d tokens, %v", test.name, tokens.Count, err)
		}
	}
}

// sceneIs is every node of the scene: path, type and value.
func sceneIs(t *testing.T, b []byte) []string {
	t.Helper()
	d := handgen.Open(t, usdc.Format, "scene", b)
	for _, p := range handgen.CheckAll(t, d).Problems {
		if p.Kind.Severity() == model.Error {
			t.Errorf("%s: %v", p.Path, p.Problem)
		}
	}
	var lines []string
	err := model.Walk(t.Context(), d.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		lines = append(lines, p.Path()+" "+p.Node.Type+" "+model.Show(t.Context(), p.Node.Value, 200))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// withEntry is a crate with one more entry in its table of contents, which moves to the end of the file.
func withEntry(b []byte, entry tocLine, first bool) []byte {
	at := binary.LittleEndian.Uint64(b[16:])
	count := binary.LittleEndian.Uint64(b[at:])
	entries := slices.Clone(b[at+8 : at+8+count*tocEntrySize])
	line := make([]byte, 16, tocEntrySize)
	copy(line, entry.name)
	line = binary.LittleEndian.AppendUint64(line, uint64(entry.start))
	line = binary.LittleEndian.AppendUint64(line, uint64(entry.size))
	if first {
		entries = append(line, entries...)
	} else {
		entries = append(entries, line...)
	}
	grown := slices.Clone(b)
	binary.LittleEndian.PutUint64(grown[16:], uint64(len(b)))
	return append(binary.LittleEndian.AppendUint64(grown, count+1), entries...)
}

type tocLine struct {
	name        string
	start, size int64
}

// TestIgnoredSections: sections that readers ignore, of a name that they do not know or that is listed before, have no say in where
// the others end, wherever they begin.
func TestIgnoredSections(t *testing.T) {
	b, err := os.ReadFile("../../../testdata/usdc/made-0.8.0.usdc")
	if err != nil {
		t.Fatal(err)
	}
	want := sceneIs(t, b)
	for _, s := range tocLines(b) {
		for _, off := range []int64{0, 1, s.size / 2, s.size - 1} {
			for _, size := range []int64{0, 3, s.size, 1 << 40, -1} {
				for _, name := range []string{"XFOO", s.name} {
					bytes := withEntry(b, tocLine{name, s.start + off, size}, name == "XFOO")
					if got := sceneIs(t, bytes); !slices.Equal(got, want) {
						t.Fatalf("%s with %d bytes at %d of %s: the scene differs", name, size, off, s.name)
					}
				}
			}
		}
	}
}

// TestSectionInBootstrap: a section may begin in the reserved bytes of the bootstrap, which readers do not look at.
func TestSectionInBootstrap(t *testing.T) {
	b := emptyCrate()
	want := sceneIs(t, b)
	moved := 0
	for i, s := range tocLines(b) {
		if s.size > handgen.FirstValue-reservedAt {
			continue
		}
		for _, at := range []int64{reservedAt, handgen.FirstValue - s.size} {
			changed := slices.Clone(b)
			copy(changed[at:], b[s.start:s.start+s.size])
			binary.LittleEndian.PutUint64(tocField(changed, i, 0), uint64(at))
			if got := sceneIs(t, changed); !slices.Equal(got, want) {
				t.Errorf("%s at %d: the scene differs", s.name, at)
			}
			moved++
		}
	}
	if moved == 0 {
		t.Error("no section fits")
	}
}

// TestForeignSections: sections of any name get names of their own in the layout.
func TestForeignSections(t *testing.T) {
	body := []byte("body")
	b := handgen.Assemble(crategen.Version{0, 8, 0}, handgen.Section{Name: "values", Body: body}, handgen.Section{Name: "", Body: body}, handgen.Section{Name: "toc", Body: body},
		handgen.Section{Name: "bootstrap", Body: body}, handgen.Section{Name: "x", Body: body}, handgen.Section{Name: "x", Body: body}, handgen.Section{Name: "a/b", Body: body})
	d := handgen.Open(t, usdc.Format, "foreign", b)
	root := d.View(model.LayoutView).Place(t.Context())
	n, _ := root.Len(t.Context())
	var names, segments []string
	for i := range n {
		child := root.Child(t.Context(), i).Node
		names, segments = append(names, child.Name), append(segments, child.InPath())
	}
	if want := []string{"bootstrap", "values", "", "toc", "bootstrap", "x", "x", "a/b", "toc"}; !slices.Equal(names, want) {
		t.Errorf("children %q, want %q", names, want)
	}
	want := []string{"bootstrap", "section values~2", "(unnamed)", "toc~2", "bootstrap~2", "x", "x~2", "a/b", "toc"}
	if !slices.Equal(segments, want) {
		t.Errorf("in paths %q, want %q", segments, want)
	}
	if p, err := d.Lookup(context.Background(), "layout/a%2Fb"); err != nil || p.Node.Role != model.Unknown {
		t.Errorf("a section with a slash in its name: %v", err)
	}
	handgen.CheckAll(t, d)
}

// TestVersions: of versions that cannot be decoded the sections are shown as bytes, of foreign ones nothing.
func TestVersions(t *testing.T) {
	for _, test := range []struct {
		v       crategen.Version
		words   string
		section bool
	}{
		{crategen.Version{0, 3, 0}, "withdrawn", true},
		{crategen.Version{0, 3, 9}, "withdrawn", true},
		{crategen.Version{0, 17, 0}, "newest known is 0.16", true},
		{crategen.Version{1, 0, 0}, "major versions", false},
	} {
		b := emptyCrate()
		copy(b[8:], test.v[:])
		d := handgen.Open(t, usdc.Format, "version", b)
		r := handgen.CheckAll(t, d)
		if len(r.Problems) != 1 || r.Problems[0].Path != "layout/bootstrap/version" || !strings.Contains(r.Problems[0].Message, test.words) {
			t.Errorf("%s: %v", test.v, r.Problems)
		}
		p, err := d.Lookup(context.Background(), "layout/TOKENS")
		if (err == nil) != test.section || err == nil && p.Node.Role != model.Unknown {
			t.Errorf("%s: TOKENS: %v", test.v, err)
		}
		if d.Version != test.v.String() {
			t.Errorf("version %q, want %s", d.Version, test.v)
		}
	}
}

// TestNewerPatch: the patch number does not matter.
func TestNewerPatch(t *testing.T) {
	b := emptyCrate()
	b[10] = 77
	if r := handgen.Damage(handgen.CheckAll(t, handgen.Open(t, usdc.Format, "patch", b))); len(r) > 0 {
		t.Error(r)
	}
}

// TestWithdrawn: of 0.3 that reading is taken that fits: the uncompressed sections of 0.2, or compressed ones with one
// count in PATHS. No reader opens either, which is said.
func TestWithdrawn(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../../../testdata/usdc/" + name)
		if err != nil {
			t.Fatal(err)
		}
		data[9], data[10] = 3, 0
		return data
	}
	one := (&handgen.Paths{Version: crategen.Version{0, 4, 0}, Tokens: []string{";-)"}}).Bytes(handgen.Tree{Element: "", Kids: []handgen.Tree{{Element: "A", Kids: []handgen.Tree{{Element: "b", Property: true}}}}})
	one[9] = 3
	for name, test := range map[string]struct {
		data        []byte
		words, path string // found in it; "": its sections are bytes
	}{
		"plain":     {read("made-0.2.0.usdc"), "shown as the uncompressed sections of 0.2", "scene/World"},
		"one count": {withoutSecondCount(one), "shown as compressed sections with one count in PATHS", "paths/[0]/[1]/[2]"},
		"neither":   {read("made-0.8.0.usdc"), "neither of its two readings fits", ""},
	} {
		d := handgen.Open(t, usdc.Format, name, test.data)
		r := handgen.Damage(handgen.CheckAll(t, d))
		if len(r) != 1 || !strings.Contains(r[0].Message, test.words) || !strings.Contains(r[0].Message, "no reader opens it") {
			t.Errorf("%s: %v", name, r)
		}
		if p, err := d.Lookup(t.Context(), cmp.Or(test.path, "layout/TOKENS")); err != nil || test.path == "" && p.Node.Role != model.Unknown {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// withoutSecondCount takes the count of items out of the section PATHS of a crate.
func withoutSecondCount(data []byte) []byte {
	number := func(at int64) int64 { return int64(binary.LittleEndian.Uint64(data[at:])) }
	toc := number(16)
	paths := int64(-1)
	for i := range number(toc) {
		if entry := toc + 8 + 32*i; strings.HasPrefix(string(data[entry:]), "PATHS\x00") {
			paths = number(entry + 16)
			binary.LittleEndian.PutUint64(data[entry+24:], uint64(number(entry+24)-8))
		}
	}
	for i := range number(toc) {
		if entry := toc + 8 + 32*i; number(entry+16) > paths {
			binary.LittleEndian.PutUint64(data[entry+16:], uint64(number(entry+16)-8))
		}
	}
	binary.LittleEndian.PutUint64(data[16:], uint64(toc-8))
	return slices.Delete(data, int(paths+8), int(paths+16))
}
