// Package vrsdiff compares what the VRS decoder reads with what Meta's own library reads.
package vrsdiff

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs"
	"cutaway/internal/reference"
	"cutaway/model"
)

const (
	corpus   = "../../../shared/corpus/vrs"
	fixtures = "../../testdata/vrs"
)

// record is what read_vrs.py prints of one.
type record struct {
	Stream, Type string
	Version      uint32
	Time         json.Number
	Fields       []map[string]any
	Images       [][3]int64 // width, height, bytes
	Audio        [][3]int64 // sample frames, channels, bytes
	Custom       []int64    // bytes
}

// python is an interpreter that has Meta's vrs.
func python(t *testing.T) string {
	t.Helper()
	if reference.VRS.Python() == "" {
		t.Skip(reference.VRS.Missing)
	}
	return reference.VRS.Python()
}

// TestAgainstMeta compares every field of every record. Left out are what Meta's library does not read itself: record
// headers that have grown (it takes the bytes after byte 32 for the payload's), and 24-bit samples (it ends with an
// exception).
func TestAgainstMeta(t *testing.T) {
	interpreter := python(t)
	for _, k := range []struct {
		file    string
		records int
		fields  int // at least so many were compared
	}{
		{corpus + "/sample_file.vrs", 307, 500},
		{corpus + "/sample_raw_pixel_formats.vrs", 312, 300},
		{corpus + "/chunks.vrs", 306, 500},
		{corpus + "/segmentations.vrs", 12, 147},
		{corpus + "/truncated-gen2-with-bluetooth-600000.vrs", 303, 2900},
		{corpus + "/made-split-head-complete.vrs", 307, 500},
		{corpus + "/made-legacy-description-v1.vrs", 24, 0},
		{corpus + "/truncated-sample_file-50000.vrs", 187, 300},
		{corpus + "/truncated-synthetic_video-450000-no-index.vrs", 45, 0}, // it does not count Tags records
		{fixtures + "/pieces.vrs", 3, 300},
		{fixtures + "/pixels.vrs", 52, 78},
		{fixtures + "/index-in-front.vrs", 7, 6},
		{fixtures + "/index-stale.vrs", 7, 6},
		{fixtures + "/index-none.vrs", 7, 6},
	} {
		t.Run(filepath.Base(k.file), func(t *testing.T) {
			if _, err := os.Stat(k.file); err != nil {
				t.Skipf("%s is not there", k.file)
			}
			d := &differ{t: t, doc: decodertest.OpenFile(t, vrs.Format, k.file), next: map[string]int64{}}
			records := read(t, interpreter, k.file)
			for i := range records {
				d.record(t.Context(), &records[i])
			}
			if len(records) != k.records || d.fields < k.fields {
				t.Errorf("%d records and %d fields were compared, want %d and at least %d", len(records), d.fields, k.records, k.fields)
			}
			t.Logf("%d records, %d fields, %d blocks are equal", len(records), d.fields, d.blocks)
		})
	}
}

// read runs read_vrs.py.
func read(t *testing.T, interpreter, file string) (records []record) {
	t.Helper()
	out, err := exec.Command(interpreter, "read_vrs.py", file).Output()
	if err != nil {
		t.Fatalf("read_vrs.py: %v", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	lines.Scan() // the tags
	for lines.Scan() {
		var r record
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

type differ struct {
	t              *testing.T
	doc            *model.Document
	next           map[string]int64 // record of each group
	fields, blocks int
}

func (d *differ) node(path string) *model.Place {
	p, err := d.doc.Lookup(d.t.Context(), path)
	if err == nil {
		err = p.Resolve(d.t.Context(), nil)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// record compares the next record of its stream and type.
func (d *differ) record(ctx context.Context, r *record) {
	group := "streams/" + r.Stream + "/" + r.Type
	path := fmt.Sprintf("%s/[%d]", group, d.next[group])
	d.next[group]++
	p := d.node(path)
	d.same(ctx, path, r.Time, p.Node.Value)
	var images, audio, custom []model.Node
	layouts := 0
	n, _ := p.Len(ctx)
	for i := range n {
		b := p.Child(ctx, i)
		switch kind, _, _ := strings.Cut(b.Node.Type, "/"); kind {
		case "data_layout":
			if layouts < len(r.Fields) {
				d.layout(ctx, b, r.Fields[layouts])
			}
			layouts++
		case "image":
			images = append(images, b.Node)
		case "audio":
			audio = append(audio, b.Node)
		case "custom":
			custom = append(custom, b.Node)
		}
	}
	if len(images) == 1 && len(r.Images) == 0 && newer(images[0].Brief) {
		images = nil
	}
	if layouts != len(r.Fields) || len(images) != len(r.Images) || len(audio) != len(r.Audio) || len(custom) != len(r.Custom) {
		d.t.Errorf("%s has %d data layouts, %d images, %d audio and %d custom blocks; Meta reads %d, %d, %d, %d", path,
			layouts, len(images), len(audio), len(custom), len(r.Fields), len(r.Images), len(r.Audio), len(r.Custom))
		return
	}
	for i, n := range images {
		if planes, _ := n.Children.(*model.List); planes != nil {
			// Of more planes it gives the first, and of pairs of pixels in odd widths the half.
			if count, _ := planes.Len(ctx); count == 1 && !strings.Contains(n.Brief, "yuy2") {
				d.size(path, n, r.Images[i][2])
			}
		}
	}
	for i, n := range audio {
		if n.Type == "audio/pcm" { // others it decodes
			d.size(path, n, r.Audio[i][2])
		}
	}
	for i, n := range custom {
		d.size(path, n, r.Custom[i])
	}
}

// newer reports whether an image has a pixel format that the released library does not know yet.
func newer(description string) bool {
	return strings.Contains(description, "bayer10_gbrg") || strings.Contains(description, "bayer8_gbrg")
}

func (d *differ) size(path string, n model.Node, want int64) {
	d.blocks++
	if got := n.Span().Len; got != want {
		d.t.Errorf("%s/%s has %d bytes, Meta reads %d", path, n.Name, got, want)
	}
}

// layout compares the fields of a block. Meta leaves out fields that are empty.
func (d *differ) layout(ctx context.Context, block *model.Place, want map[string]any) {
	n, _ := block.Len(ctx)
	seen := 0
	for i := range n {
		field := block.Child(ctx, i)
		v, ok := want[field.Node.Name]
		if !ok {
			if children, _ := field.Len(ctx); children > 0 || model.Show(ctx, field.Node.Value, 100) != "[]" && field.Node.Value != nil && field.Node.Value != model.Value(model.Text("")) {
				d.t.Errorf("%s is %s, Meta has no such field", field.Path(), model.Show(ctx, field.Node.Value, 100))
			}
			continue
		}
		seen++
		d.fields++
		d.field(ctx, field, v)
	}
	if seen != len(want) {
		d.t.Errorf("%s has %d of the %d fields that Meta reads", block.Path(), seen, len(want))
	}
}

func (d *differ) field(ctx context.Context, p *model.Place, want any) {
	if m, ok := want.(map[string]any); ok {
		n, _ := p.Len(ctx)
		if int(n) != len(m) {
			d.t.Errorf("%s has %d entries, Meta reads %d", p.Path(), n, len(m))
		}
		for i := range n {
			entry := p.Child(ctx, i)
			d.same(ctx, entry.Path(), m[entry.Node.Name], entry.Node.Value)
		}
		return
	}
	d.same(ctx, p.Path(), want, p.Node.Value)
}

// same compares a value with what Meta reads.
func (d *differ) same(ctx context.Context, path string, want any, got model.Value) {
	if !equal(want, got) {
		d.t.Errorf("%s is %s, Meta reads %v", path, model.Show(ctx, got, 200), want)
	}
}

func equal(want any, got model.Value) bool {
	switch g := got.(type) {
	case model.Bool:
		return want == bool(g)
	case model.Int:
		if list, ok := want.([]any); ok && len(list) == 1 { // a char
			n, ok := list[0].(json.Number)
			return ok && n.String() == fmt.Sprint(byte(g))
		}
		n, ok := want.(json.Number)
		return ok && n.String() == fmt.Sprint(int64(g))
	case model.Uint:
		n, ok := want.(json.Number)
		return ok && n.String() == fmt.Sprint(uint64(g))
	case model.Symbol:
		return equal(want, model.Int(g.Number))
	case model.Float32:
		return sameFloat(want, float64(g))
	case model.Float64:
		return sameFloat(want, float64(g))
	case model.Text:
		return want == string(g)
	case model.Tuple:
		return sameList(want, g)
	case model.Array:
		list := make([]model.Value, g.Len())
		n, err := g.Read(context.Background(), 0, list)
		return err == nil && n == len(list) && sameList(want, list)
	}
	return false
}

func sameList(want any, got []model.Value) bool {
	list, ok := want.([]any)
	if !ok || len(list) != len(got) {
		return false
	}
	for i := range list {
		if !equal(list[i], got[i]) {
			return false
		}
	}
	return true
}

func sameFloat(want any, got float64) bool {
	switch w := want.(type) {
	case json.Number:
		f, err := w.Float64()
		return err == nil && f == got
	case string:
		return w == "nan" && math.IsNaN(got) || w == "inf" && math.IsInf(got, 1) || w == "-inf" && math.IsInf(got, -1)
	}
	return false
}
