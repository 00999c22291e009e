package ksy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const fixtures = "../../testdata/ksy"

// samples are described files, by the description that reads them.
var samples = map[string]string{
	"png": "picture.png", "zip": "archive.zip", "zip_members": "members.zip", "gif": "picture.gif", "bmp": "picture.bmp", "midi": "song.mid", "pcap": "packets.pcap",
	"msgpack": "map.msgpack", "shp": "shapes.shp", "mo": "words.mo", "stl": "solid.stl", "wav": "tone.wav", "tar": "files.tar", "der": "tree.der",
}

// by is the format with a description of the fixtures.
func by(description string) *model.Format {
	f := *Format
	f.Open = func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		again := *req
		again.Options = map[string]string{schemaOption: filepath.Join(fixtures, description+ending)}
		return open(ctx, &again)
	}
	return &f
}

// TestSamples holds the invariants of every document over files of many formats.
func TestSamples(t *testing.T) {
	for description, name := range samples {
		t.Run(description, func(t *testing.T) {
			decodertest.Invariants(t, by(description), func() *model.Document {
				return decodertest.OpenFile(t, by(description), filepath.Join(fixtures, name))
			})
			d := decodertest.OpenFile(t, by(description), filepath.Join(fixtures, name))
			r, err := d.CheckAll(t.Context(), nil)
			if err != nil || len(r.Problems) > 0 || r.Coverage[0].Unknown > 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// repeated are the fields that are repeated to the end, so that a file may end after any element.
var repeated = []string{"pcap", "shp", "tar"}

// TestMutate changes and cuts the samples.
func TestMutate(t *testing.T) {
	for description, name := range samples {
		t.Run(description, func(t *testing.T) {
			opt := decodertest.MutateOptions{Try: 60}
			if strings.Contains(strings.Join(repeated, " "), description) {
				opt.Exceptions = append(opt.Exceptions, decodertest.Exception{Path: "layout", Cut: true, Reason: "the last field is repeated to the end"})
			}
			decodertest.Mutate(t, by(description), decodertest.ReadFiles(t, filepath.Join(fixtures, name)), opt)
		})
	}
}

// FuzzData reads any bytes by a description that has most of the language.
func FuzzData(f *testing.F) {
	description := filepath.Join("testdata", "pages.ksy")
	format := *Format
	format.Open = func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		again := *req
		again.Options = map[string]string{schemaOption: description}
		return open(ctx, &again)
	}
	decodertest.Fuzz(f, &format, decodertest.ReadFiles(f, fixtures+"/*.*"))
}

// FuzzDescription reads a few bytes by any description that is sound.
func FuzzDescription(f *testing.F) {
	files, err := filepath.Glob(fixtures + "/*.ksy")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "\x01\x02\x03\x04abcd\xff\xff\xff\xff")
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		file := put(t, t.TempDir(), "fuzz.ksy", text)
		d, err := open(ctx, &model.OpenRequest{Source: model.NewFileSource("x", model.BytesReader(data)), Name: "x",
			Options: map[string]string{schemaOption: file}})
		if err != nil {
			return
		}
		if _, err := d.CheckAll(ctx, nil); err != nil {
			t.Error(err)
		}
	})
}

// TestHostile holds that descriptions that would go on for ever, or take all memory, end with a limit.
func TestHostile(t *testing.T) {
	deep := "x" + strings.Repeat(" + x", 100)
	for name, text := range map[string]string{
		"endless elements":      "seq: [{id: a, type: none, repeat: until, repeat-until: 'false'}]\ntypes: {none: {}}",
		"endless count":         "seq: [{id: a, type: none, repeat: expr, repeat-expr: 0x7fffffffffffffff}]\ntypes: {none: {}}",
		"itself":                "seq: [{id: a, type: t}]",
		"itself at a place":     "instances: {a: {pos: 0, type: t}, b: {pos: 0, type: t}}",
		"itself with a number":  "seq: [{id: a, type: in(0)}]\ntypes: {in: {params: [{id: n, type: u4}], instances: {a: {pos: 0, type: in(n + 1)}, b: {pos: 0, type: in(n + 2)}}}}",
		"size beyond all":       "seq: [{id: a, size: 0x7fffffffffffffff}]",
		"count beyond all":      "seq: [{id: a, type: u8le, repeat: expr, repeat-expr: 0x7fffffffffffffff}]",
		"shift beyond all":      "seq: [{id: a, size: '1 << 4000000000'}]",
		"numbers that double":   "instances: {x: {value: 'y * y'}, y: {value: 'z * z'}, z: {value: '0xffffffffffffffff * 0xffffffffffffffff'}}",
		"texts that double":     doubling("'abcdefgh'", 40),
		"lists in each other":   "seq: [{id: a, type: l, repeat: eos}]\ntypes: {l: {seq: [{id: b, type: l, repeat: eos}]}}",
		"long expression":       "seq: [{id: x, type: u1}]\ninstances: {v: {value: " + deep + "}}",
		"a chain of instances":  chain(60),
		"bytes of each element": "seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {seq: [{id: b, type: u1}], instances: {all: {pos: 0, type: u1, repeat: eos}}}}",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			file := put(t, t.TempDir(), "hostile.ksy", "meta: {id: t}\n"+text)
			d, err := open(ctx, &model.OpenRequest{Source: model.NewFileSource("x", model.BytesReader(strings.Repeat("\x01\x02", 500))), Name: "x",
				Options: map[string]string{schemaOption: file}})
			if err != nil {
				t.Logf("refused: %v", err)
				return
			}
			r, err := d.CheckAll(ctx, nil)
			if err != nil {
				t.Fatalf("did not end: %v", err)
			}
			for _, p := range r.Problems[:min(2, len(r.Problems))] {
				t.Logf("%s: %v %s", p.Path, p.Kind, p.Message)
			}
		})
	}
}

// doubling is instances each of which is the one before twice.
func doubling(first string, n int) string {
	list := []string{"v0: {value: \"" + first + "\"}"}
	for i := range n {
		list = append(list, fmt.Sprintf("v%d: {value: v%d + v%d}", i+1, i, i))
	}
	return "instances: {" + strings.Join(list, ", ") + "}"
}

// chain is instances each of which needs the one before twice.
func chain(n int) string {
	list := []string{"v0: {value: 1}"}
	for i := range n {
		list = append(list, fmt.Sprintf("v%d: {value: v%d + v%d}", i+1, i, i))
	}
	return "instances: {" + strings.Join(list, ", ") + "}"
}
