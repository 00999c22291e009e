package livediff

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"cutaway/internal/livegen"
)

// TestRandom writes layers whose names, types and values are drawn by lot: usd-core must be able to read each text.
func TestRandom(t *testing.T) {
	layers := make(map[string]entry)
	folder := t.TempDir()
	for seed := range uint64(150) {
		name := strconv.FormatUint(seed, 10) + ".oodf"
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, randomLayer(rand.New(rand.NewPCG(seed, 11))).Build(), 0o644); err != nil {
			t.Fatal(err)
		}
		layers[name] = entry{USDA: usda(t, opened(t, file))}
	}
	compare(t, layers)
}

var (
	oddNames = []string{"World", "a", "größe", "子", "a b", "1a", "", "a.b", "x/y", "primvars:st", "line\nbreak", "\"", "def", "rel",
		"\xff", "{v=x}", "<a>", "#", "a::b", "None", "name", "/World/a", "/A.b", "/A{v=x}", "..", "/"}
	oddKeys = []string{"default", "typeName", "specifier", "kind", "documentation", "comment", "customData", "references", "payload",
		"apiSchemas", "inheritPaths", "specializes", "variantSetNames", "variantSelection", "active", "permission", "subLayers",
		"primOrder", "propertyOrder", "upAxis", "metersPerUnit", "odd", "doc", "a b", "größe", "variability", "custom", "timeSamples",
		"connectionPaths", "targetPaths", "symmetryFunction", "displayUnit", "spline", "relocates", "layerRelocates"}
	oddTexts = []string{"", "x", "float", "int[]", "double3", "token", "dictionary", "rel", "two\nlines", "\"quoted\"", "@", "a@@@b", "\x00\x01",
		"\xff\xfe", "/World", "/A.b", "</A>", "color3f[]", "foo", "def", "[1, 2]", "Z", "//(", "\\", "'''", "\"\"\""}
)

// randomLayer is a layer drawn by lot.
func randomLayer(r *rand.Rand) *livegen.Delta {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	d := &livegen.Delta{Commands: []livegen.Command{{Kind: livegen.Create, Section: 1, Type: 7}}}
	specs := []uint32{6, 6, 6, 1, 1, 1, 8, 11, 10, 2, 9, 0, 3}
	for id := uint64(2); id < 2+uint64(r.IntN(30)); id++ {
		d.Commands = append(d.Commands, livegen.Command{Kind: livegen.Create, Parent: 1 + r.Uint64N(id-1), Section: id, Name: pick(oddNames),
			Type: specs[r.IntN(len(specs))]})
	}
	for range r.IntN(60) {
		s := livegen.Setting{Section: 1 + r.Uint64N(uint64(len(d.Commands))), Key: pick(oddKeys), Value: randomValue(r, 0)}
		if r.IntN(6) == 0 {
			s.Sample, s.Time, s.Key = true, float64(r.IntN(5)), ""
		}
		d.Settings = append(d.Settings, s)
	}
	return d
}

// randomValue is a value with its header: mostly of a type's layout.
func randomValue(r *rand.Rand, depth int) []byte {
	number := func(n, size int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n))[:size] }
	text := func() []byte {
		s := oddTexts[r.IntN(len(oddTexts))]
		return append(number(len(s), 4), s...)
	}
	bytes := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return b
	}
	sizes := []int{1: 1, 1, 4, 4, 8, 8, 2, 4, 8, 13: 32, 72, 128, 32, 16, 8, 16, 8, 4, 8, 24, 12, 6, 12, 32, 16, 8, 16}
	typ := []byte{3, 8, 9, 10, 10, 11, 11, 12, 17, 24, 31, 31, 32, 34, 35, 41, 42, 43, 45, 47, 51, 55}[r.IntN(22)]
	if r.IntN(3) == 0 {
		typ = byte(1 + r.IntN(60))
	}
	b := []byte{typ, 0}
	count := r.IntN(3)
	repeat := func(item func() []byte) {
		b = append(b, number(count, 8)...)
		for range count {
			b = append(b, item()...)
		}
	}
	nested := func() []byte {
		inner := randomValue(r, depth+1)
		return append(number(len(inner), 8), inner...)
	}
	arc := func(data bool) []byte {
		a := append(append(text(), text()...), bytes(16)...)
		if data {
			a = append(a, number(0, 8)...)
		}
		return a
	}
	listOp := func(item func() []byte) {
		bits := byte(r.IntN(128))
		b = append(b, bits)
		for _, bit := range []byte{2, 4, 32, 64, 8, 16} {
			if bits&bit != 0 {
				repeat(item)
			}
		}
	}
	switch {
	case int(typ) < len(sizes) && sizes[typ] > 0:
		b = append(b, bytes(sizes[typ])...)
	case typ == 10 || typ == 11 || typ == 12:
		b = append(b, text()...)
	case typ == 31 && depth < 3:
		repeat(func() []byte { return append(text(), nested()...) })
	case typ == 32 || typ == 33 || typ == 34:
		listOp(text)
	case typ == 35:
		listOp(func() []byte { return arc(true) })
	case typ == 55:
		listOp(func() []byte { return arc(false) })
	case typ == 41 || typ == 40 || typ == 50:
		repeat(text)
	case typ == 42 || typ == 43 || typ == 44:
		b = append(b, number(r.IntN(4), 4)...)
	case typ == 45:
		repeat(func() []byte { return append(text(), text()...) })
	case typ == 47:
		b = append(b, arc(false)...)
	case typ == 51:
	case (typ == 52 || typ == 53) && depth < 3:
		b = append(b, randomValue(r, depth+1)...)
	default:
		b = append(b, bytes(r.IntN(40))...)
	}
	return b
}
