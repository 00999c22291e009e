package udm

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/model/export"

	"github.com/pierrec/lz4/v4"
)

// asText is a node as the engine would write it.
func asText(t testing.TB, d *model.Document, path string) string {
	t.Helper()
	p, err := d.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Node.Cards(t.Context()) {
		if words, ok := c.(model.Words); ok {
			var b strings.Builder
			if err := words.WriteText(t.Context(), &b, nil); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
	}
	t.Fatalf("%s has no words", path)
	return ""
}

func TestWritten(t *testing.T) {
	f := fixtureFiles(t, "twin.udm_b")[0]
	d := openBytes(t, f.Name, f.Data)
	for key, want := range map[string]string{
		"nil":             "$nil nil ",
		"string":          `$string string "C:\\dir "x""`,
		"utf8":            "$utf8 utf8 [base64][w6k=]",
		"float":           "$float float -0.25",
		"double":          "$double double 0.001",
		"bool":            "$bool bool 1",
		"quat":            "$quat quat [1,0.5,0.25,0.125]",
		"srgba":           "$srgba srgba [255,128,0,255]",
		"stransform":      "$stransform stransform [[1,2,3][1,0.5,0.25,0.125][4,5,6]]",
		"mat3x4":          "$mat3x4 mat3x4 [[0,1,2,3][4,5,6,7][8,9,10,11]]",
		"blob":            "$blob blob [AQID]",
		"lz4":             "$lz4 lz4 [3][MGFiYw==]",
		"element":         "\"element\"\n{\n\t$uint8 space~0 5\n\t$bool x 1\n}",
		"empty":           "\"empty\"\n{\n\t\n}",
		"vectors":         "$array vectors [vec3;2][[1,2,3],[4,5,6]]",
		"nils":            "$array nils [nil;2][,,]",
		"strings":         `$array strings [string;2]["a","bc"]`,
		"structs":         "$array structs [struct<uint8:a,vec2>;2][[7,[1.5,-2]],[9,[0,4]]]",
		"arrays":          `$array arrays [array;2][[uint8;2][1,2],[string;2]["a","bc"]]`,
		"elements":        "$array elements [element;1][\n\t{\n\t\t$bool x 1\n\t}\n]",
		"elements/[0]":    "$bool x 1",
		"lz4Numbers":      "$arrayLz4 lz4Numbers [uint16;3;6][YAEAAgADAA==]",
		"lz4Empty":        "$arrayLz4 lz4Empty [element;0;0][]",
		"struct":          "$struct<uint8:a,vec2> struct [7,[1.5,-2]]",
		"half":            "$half half 1",
		"with %2F and \"": `$uint8 "with / and "" 1`,
		"{":               `$uint8 "{" 2`,
	} {
		if got := asText(t, d, "asset/assetData/"+key); got != want {
			t.Errorf("%s is written as\n%s\nwant\n%s", key, got, want)
		}
	}
}

// TestWrittenAgain writes the content of every file and reads it again: it is the same tree, but for what the text form
// cannot hold: numbers of more decimals, quotation marks, and the order of the children.
func TestWrittenAgain(t *testing.T) {
	for _, f := range corpusFiles(t) {
		if f.Name == "jp_language.udm" || f.Name == "made_all_types.udm" {
			continue // quotation marks are not escaped
		}
		d := openBytes(t, f.Name, f.Data)
		text := asText(t, d, "asset/assetData")
		if strings.HasPrefix(text, `"assetData"`) {
			text += "\n$string assetType \"X\" $uint32 assetVersion 1"
		}
		again := openBytes(t, f.Name, []byte(text))
		if r := checkAll(t, again); !r.Sound() {
			t.Errorf("%s as text is not sound: %v", f.Name, r.Problems[0])
		}
		before, after := shape1(tree(t, d, "asset/assetData")), shape1(tree(t, again, "asset/assetData"))
		if len(before) != len(after) {
			t.Errorf("%s: %d nodes, as text %d", f.Name, len(before), len(after))
		}
		for line := range before {
			if !after[line] {
				t.Errorf("%s: as text there is no %s", f.Name, line)
				break
			}
		}
	}
}

// shape1 is the paths and types of a tree.
func shape1(tree string) map[string]bool {
	lines := map[string]bool{}
	for _, line := range strings.Split(tree, "\n") {
		name, _, _ := strings.Cut(line, " = ")
		lines[name] = true
	}
	return lines
}

// TestWrittenOmissions tells of what the text form lacks, with the path of each, and of nothing that it has.
func TestWrittenOmissions(t *testing.T) {
	const text = `"assetData" {
		"sound" { $float half 0.5 $double eighth 0.12345678 $string plain "a" $array n [float;2][1.25,-2] }
		"lossy" { $float a 0.12345 $array list [vec3;2][[1,2,3],[0.00001,0,0]] $double zero -0.0 $string b "one \" mark" "key\"" { $uint8 x 1 } }
		} $string assetType "X" $uint32 assetVersion 1`
	d := openBytes(t, "lossy.udm", []byte(text))
	p, err := d.Lookup(t.Context(), "asset/assetData")
	if err != nil {
		t.Fatal(err)
	}
	var o model.Omissions
	if err := export.Words(t.Context(), io.Discard, &o, p, asciiTitle.Title); err != nil {
		t.Fatal(err)
	}
	paths := func(list []model.Omission, _ int64) (paths []string) {
		for _, one := range list {
			paths = append(paths, strings.TrimPrefix(one.Path, "asset/assetData/"))
		}
		return paths
	}
	if got, want := paths(o.Reduced()), []string{"lossy/a", "lossy/list", "lossy/zero"}; !slices.Equal(got, want) {
		t.Errorf("reduced are %q, want %q", got, want)
	}
	if got, want := paths(o.Lost()), []string{"lossy/b", `lossy/key"`}; !slices.Equal(got, want) {
		t.Errorf("lost are %q, want %q", got, want)
	}
}

// TestReferences follows references both ways.
func TestReferences(t *testing.T) {
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		d := openBytes(t, name, fixtureFiles(t, name)[0].Data)
		for from, to := range map[string]string{
			"asset/assetData/ref":      "asset/assetData/elements/[0]/x",
			"asset/assetData/refs/[0]": "asset/assetData/element/x",
			"asset/assetData/refs/[1]": "asset/assetData/strings/[1]",
		} {
			p, err := d.Lookup(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, r := range p.Node.Refs(t.Context()) {
				found = found || r.Kind == "reference" && r.Path == to
			}
			back, n, err := decodertest.Referrers(t, d, to, 10)
			if !found || err != nil || n != 1 || back[0].Path != from {
				t.Errorf("%s: %s leads to %v; back: %v, %d, %v", name, from, p.Node.Refs(t.Context()), back, n, err)
			}
		}
	}
}

// TestReferenceToNothing says of a reference without a target that there is none, and leads to its own bytes.
func TestReferenceToNothing(t *testing.T) {
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		data := bytes.ReplaceAll(fixtureFiles(t, name)[0].Data, []byte("elements[0]/x"), []byte("elements[7]/x"))
		p, err := openBytes(t, name, data).Lookup(t.Context(), "asset/assetData/ref")
		if err != nil {
			t.Fatal(err)
		}
		refs := p.Node.Refs(t.Context())
		last := refs[len(refs)-1]
		if last.Kind != "reference" || last.Path != "" || last.Span != p.Node.Span() || !strings.Contains(last.Text, "elements[7]/x: nothing") {
			t.Errorf("%s: %v", name, last)
		}
	}
}

// TestFind goes from the bytes of the layout to the nodes of the asset.
func TestFind(t *testing.T) {
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		d := openBytes(t, name, fixtureFiles(t, name)[0].Data)
		asset := d.View(assetView)
		n := 0
		err := model.Walk(t.Context(), asset.Place(t.Context()), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
			path := p.Path()
			if s := p.Node.Span(); s.Source != nil && s.Len > 0 && p.Parent != nil {
				n++
				found, _, err := d.Owners(t.Context(), asset, s.Source.Span(s.Off, 1), 100)
				if err != nil || len(found) != 1 || !strings.HasPrefix(found[0].Path(), path) {
					t.Errorf("%s: the owner of the bytes of %s is %v, %v", name, path, found, err)
				}
			}
			return nil
		})
		if err != nil || n < 100 {
			t.Errorf("%s: %d nodes, %v", name, n, err)
		}
	}
}

// TestLargeBlock cuts a large block short: its first values show, and the check tells.
func TestLargeBlock(t *testing.T) {
	for _, missing := range []int{0, 5} {
		d := openBytes(t, "large", largeBlock(missing))
		first, err := d.Lookup(t.Context(), "asset/assetData/x/[10]")
		if err != nil || model.Show(t.Context(), first.Node.Value, 20) != "10" {
			t.Errorf("value 10: %v, %v", first, err)
		}
		r := checkAll(t, d)
		if r.Sound() != (missing == 0) {
			t.Errorf("%d bytes are missing, problems: %v", missing, r.Problems)
		}
		for _, p := range r.Problems {
			if p.Rule != ruleLZ4 || p.Path != "layout/root/values/assetData/values/x/data@inflated" {
				t.Errorf("%s: %s", p.Path, p.Error())
			}
		}
	}
}

// largeBlock is a file with a compressed array of two million numbers, whose block lacks some bytes at its end.
func largeBlock(missing int) []byte {
	const count = 2 << 20
	plain := make([]byte, 0, 4*count)
	for i := range uint32(count) {
		plain = binary.LittleEndian.AppendUint32(plain, i)
	}
	block := make([]byte, lz4.CompressBlockBound(len(plain)))
	var c lz4.Compressor
	n, _ := c.CompressBlock(plain, block)
	n -= missing
	property := binary.LittleEndian.AppendUint64([]byte{byte(types.ArrayLZ4)}, uint64(n))
	property = binary.LittleEndian.AppendUint32(append(property, byte(types.Uint32)), count)
	return around(append(property, block[:n]...))
}
