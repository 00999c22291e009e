package usdatext

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"cutaway/model"
)

const encodedText = "#usda 1.0\ndef \"Größe\"\n{\n    float x = 1\n}\n"

// encoded16 is encodedText in UTF-16, with a mark or without.
func encoded16(order binary.AppendByteOrder, mark bool) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, c := range utf16.Encode([]rune(encodedText)) {
		out = order.AppendUint16(out, c)
	}
	return string(out)
}

// TestEncodings: a layer in an encoding that USD does not read is known for one, has one problem that says so, which is known without
// a scan, and is read as far as it can be.
func TestEncodings(t *testing.T) {
	for _, k := range []struct {
		name, data, says string
		prims            int64
	}{
		{"mark", "\xef\xbb\xbf" + encodedText, "begins with a UTF-8 byte order mark", 1},
		{"UTF-16LE", encoded16(binary.LittleEndian, true), "is UTF-16", 0},
		{"UTF-16BE", encoded16(binary.BigEndian, true), "is UTF-16", 0},
		{"UTF-16LE, no mark", encoded16(binary.LittleEndian, false), "is UTF-16", 0},
		{"UTF-16BE, no mark", encoded16(binary.BigEndian, false), "is UTF-16", 0},
		{"UTF-8", encodedText, "", 1},
	} {
		src := model.NewFileSource(k.name, model.BytesReader(k.data))
		probe := &model.Probe{Source: src, Name: "a.usd", Head: []byte(k.data)}
		if d := detect(t.Context(), probe); d.Confidence != model.Sure || d.ByName {
			t.Errorf("%s: %+v", k.name, d)
		}
		d, err := open(t.Context(), &model.OpenRequest{Source: src, Name: "a.usd", Files: model.NoFiles{}})
		if err != nil {
			t.Fatal(err)
		}
		known := len(d.View(model.LayoutView).Root(t.Context()).Problems)
		report, err := d.CheckAll(t.Context(), nil)
		if err != nil || len(report.Tiling) > 0 {
			t.Fatal(err, report.Tiling)
		}
		want := 1
		if k.says == "" {
			want = 0
		}
		if len(report.Problems) != want || known != want {
			t.Errorf("%s: %d problems, %d known at once: %v", k.name, len(report.Problems), known, report.Problems)
			continue
		}
		if want == 1 && !strings.Contains(report.Problems[0].Message, "the layer "+k.says+", which USD does not read") {
			t.Errorf("%s: %v", k.name, report.Problems[0])
		}
		facts, err := d.Facts(t.Context(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if f.Key == "prims" && f.Value != model.Int(k.prims) {
				t.Errorf("%s: %v prims", k.name, f.Value)
			}
		}
	}
}
