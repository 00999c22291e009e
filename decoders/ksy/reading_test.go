package ksy

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"cutaway/model"
)

// shows holds the value of a field, as text; "": there is none.
func shows(t *testing.T, d *model.Document, path, want string) {
	t.Helper()
	p, err := d.Lookup(t.Context(), path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if got := model.Show(t.Context(), p.Node.Value, 80); got != want || len(p.Node.Problems) > 0 {
		t.Errorf("%s is %q, not %q; %v", path, got, want, p.Node.Problems)
	}
}

// Bit fields that are not there leave those after them where they are.
func TestAbsentBits(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: a, type: b2}, {id: b, type: b6, if: a == 0}, {id: c, type: b4}, {id: d, type: b2}, {id: e, type: u1}]", "\x96\x07")
	for path, want := range map[string]string{"a": "2", "c": "5", "d": "2", "e": "7"} {
		shows(t, d, "fields/"+path, want)
	}
}

// A size that is not there is none, also at a place that does not exist.
func TestNoSize(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: n, type: u1}, {id: a, size: none}, {id: b, type: u1, repeat: expr, repeat-expr: none}, {id: c, type: u1}]\n"+
		"instances: {none: {value: n, if: n > 9}, far: {pos: -5, size: 0}}", "\x01\x02")
	shows(t, d, "fields/c", "2")
	shows(t, d, "fields/far", "")
}

// A field may ask for what was read before it of a record that is not whole yet.
func TestHalfRead(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: x, type: x}]\ntypes: {x: {seq: [{id: n, type: u1}, {id: y, type: y}]}, y: {seq: [{id: b, size: _root.x.n}]}}", "\x02ab")
	shows(t, d, "fields/x/y/b", "61 62")
}

// A value that is a record, or a list of them, is a link to it.
func TestRecordsAsValues(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: a, type: x, repeat: eos}]\ninstances: {first: {value: 'a[0]'}, all: {value: a}}\n"+
		"types: {x: {seq: [{id: n, type: u1}]}}", "\x01\x02")
	for path, want := range map[string]string{"first": "fields/a/[0]", "all": "fields/a", "all/[1]": "fields/a/[1]"} {
		p, err := d.Lookup(t.Context(), "fields/"+path)
		if err != nil || p.Node.Refs == nil || p.Node.Refs(t.Context())[0].Path != want || path != "all" && p.Node.Children != nil {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
}

// A folder that has itself in it is shown once in itself, as a link.
func TestFolderInItself(t *testing.T) {
	d := reads(t, "meta: {id: t}\ninstances: {root: {pos: 0, type: folder}}\ntypes: {folder: {seq: [{id: entries, type: entry, repeat: expr, repeat-expr: 2}]}, "+
		"entry: {seq: [{id: at, type: u1}], instances: {folder: {pos: at, type: folder}}}}", "\x00\x02\x00\x02")
	nodes := 0
	err := model.Walk(t.Context(), d.Views[0].Place(t.Context()), model.WalkOptions{Resolve: true}, func(*model.Place) error {
		nodes++
		return nil
	})
	if err != nil || nodes > 40 {
		t.Errorf("%d nodes, %v", nodes, err)
	}
	p, err := d.Lookup(t.Context(), "fields/root/entries/[0]/folder")
	if err != nil || p.Node.Refs(t.Context())[0].Path != "fields/root" {
		t.Errorf("%+v, %v", p, err)
	}
}

// What can be reached on 2^64 ways is checked once.
func TestManyWays(t *testing.T) {
	var types []string
	for i := range 64 {
		types = append(types, fmt.Sprintf("t%d: {instances: {a: {pos: 0, type: t%d}, b: {pos: 0, type: t%d}}}", i, i+1, i+1))
	}
	d := reads(t, "meta: {id: t}\ninstances: {a: {pos: 0, type: t0}}\ntypes: {"+strings.Join(types, ", ")+", t64: {seq: [{id: magic, contents: x}]}}", "y")
	r, err := d.CheckAll(t.Context(), nil)
	if err != nil || len(r.Problems) == 0 || len(r.Problems) > 2 {
		t.Errorf("%v, %v", r, err)
	}
}

// An instance refers to the fields that its position was computed from.
func TestPositionRefs(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: head, type: head}, {id: ofs, type: u1, repeat: expr, repeat-expr: 2}]\n"+
		"instances: {a: {pos: 'head.base + ofs[1]', size: 1}}\ntypes: {head: {seq: [{id: base, type: u1}]}}", "\x01\x09\x02z")
	shows(t, d, "fields/a", "7a")
	p, err := d.Lookup(t.Context(), "fields/a")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, ref := range p.Node.Refs(t.Context()) {
		paths = append(paths, ref.Kind+" "+ref.Path)
	}
	if want := []string{"position fields/head/base", "position fields/ofs/[1]"}; !slices.Equal(paths, want) {
		t.Errorf("%q", paths)
	}
}

// rawDeflated is text as a member of a ZIP archive is: deflated, with nothing around it.
func rawDeflated(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The processes of kaitai_compress, and a program that the user names; what nobody names is a problem.
func TestProcesses(t *testing.T) {
	const text = "Hello, Cutaway. Hello, Cutaway. Hello, Cutaway."
	var z bytes.Buffer
	w, err := zstd.NewWriter(&z)
	if err != nil {
		t.Fatal(err)
	}
	lz, br, sn := lz4.NewWriter(nil), brotli.NewWriter(nil), snappy.Encode(nil, []byte(text))
	var lb, bb, xb, mb, gb bytes.Buffer
	lz.Reset(&lb)
	br.Reset(&bb)
	xw, err := xz.NewWriter(&xb)
	if err != nil {
		t.Fatal(err)
	}
	mw, err := lzma.NewWriter(&mb)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []io.WriteCloser{w, lz, br, xw, mw, gzip.NewWriter(&gb)} {
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	bz := "BZh91AY&SY\xb5\xd1\xbb\x03\x00\x00\x06\x95\x80`\x05P\x00\x06@\x00\x10\x10\x80  \x00\"\x83@\x9a\x01\xa0\x10\x13"
	for name, in := range map[string]string{"zstd": z.String(), "lz4": lb.String(), "brotli": bb.String(), "snappy": string(sn),
		"lzma_xz": xb.String(), "lzma_lzma": mb.String(), "gzip": gb.String()} {
		d := reads(t, "meta: {id: t}\nseq: [{id: a, type: body, size-eos: true, process: kaitai.compress."+name+"}]\n"+
			"types: {body: {seq: [{id: s, type: str, size-eos: true, encoding: ASCII}]}}", in)
		shows(t, d, "fields/a/s", text)
	}
	for container, in := range map[string]string{"-1": rawDeflated(t, text), "16": gb.String()} {
		d := reads(t, "meta: {id: t}\nseq: [{id: a, type: body, size-eos: true, process: kaitai.compress.zlib("+container+")}]\n"+
			"types: {body: {seq: [{id: s, type: str, size-eos: true, encoding: ASCII}]}}", in)
		shows(t, d, "fields/a/s", text)
	}
	d := reads(t, "meta: {id: t}\nseq: [{id: a, size-eos: true, process: kaitai.compress.zlib(7)}]", rawDeflated(t, text))
	if p, err := d.Lookup(t.Context(), "fields/a"); err != nil || len(p.Node.Problems) != 1 || !strings.Contains(p.Node.Problems[0].Message, "-1 (raw)") {
		t.Errorf("a container that there is not: %+v, %v", p.Node.Problems, err)
	}
	d = reads(t, "meta: {id: t}\nseq: [{id: a, size-eos: true, process: kaitai.compress.bz2}]", bz[:20])
	if p, err := d.Lookup(t.Context(), "fields/a"); err != nil || len(p.Node.Problems) == 0 {
		t.Errorf("a cut run of bz2: %+v, %v", p, err)
	}
	const own = "meta: {id: t}\nseq: [{id: a, type: body, size-eos: true, process: 'own.codec(0x41, [0x42])'}]\n" +
		"types: {body: {seq: [{id: s, type: str, size-eos: true, encoding: ASCII}]}}"
	if p, err := reads(t, own, "aab").Lookup(t.Context(), "fields/a"); err != nil || len(p.Node.Problems) != 1 {
		t.Errorf("a process that nobody named: %+v, %v", p, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	script := put(t, t.TempDir(), "own.sh", "#!/bin/sh\ntr ab AB\necho \" $1 $2\"\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(CodecsVariable, "other=x; own.codec="+script)
	shows(t, reads(t, own, "aab"), "fields/a/s", "AAB 65 42\\n")
}

// A type that is declared nowhere is one of a description beside, where that allows it.
func TestOpaqueTypes(t *testing.T) {
	folder := t.TempDir()
	put(t, folder, "hello.ksy", "meta: {id: hello}\nseq: [{id: one, type: u1}]")
	file := put(t, folder, "main.ksy", "meta: {id: main, ks-opaque-types: true}\nseq: [{id: a, type: hello}, {id: b, type: nowhere}]")
	d, err := open(t.Context(), &model.OpenRequest{Source: model.NewFileSource("x", model.BytesReader("\x05")), Name: "x",
		Options: map[string]string{schemaOption: file}})
	if err != nil {
		t.Fatal(err)
	}
	shows(t, d, "fields/a/one", "5")
	if p, err := d.Lookup(t.Context(), "fields/b"); err != nil || len(p.Node.Problems) != 1 || p.Node.Problems[0].Rule != ruleOpaque {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestSwitchCases reads switches whose cases end in their own way. The wanted values are what the reference compiler's JavaScript reads;
// where field a is, and what follows it, says where it ends.
func TestSwitchCases(t *testing.T) {
	const sub = "types: {rec: {seq: [{id: x, type: strz}]}}"
	for _, c := range []struct {
		attributes, cases string
		data              string // after the byte that chooses the case
		a, next           string // "a/x" of case 4; the byte after a
	}{
		{"", "2: strz", "\x02ab\x00c", "ab", "99"},
		{"consume: false", "2: strz", "\x02ab\x00c", "ab", "0"},
		{"include: true", "2: strz", "\x02ab\x00c", `ab\x00`, "99"},
		{"eos-error: false", "2: strz", "\x02abc", "abc", ""},
		{"terminator: 0x62", "2: strz", "\x02ab\x00c", "a", "0"},
		{"terminator: 0x62", "2: str", "\x02ab\x00c", "a", "0"},
		{"terminator: 0x62", "4: rec", "\x04\x00ab\x00c", "", "0"},
		{"terminator: 0x62", "2: str", "\x03ab\x00c", "", "97"},
		{"terminator: 0x62", "3: u2", "\x03ab\x00c", "25185", "0"},
		{"size: 3", "2: strz", "\x02a\x00bc", "a", "99"},
		{"size: 3, include: true", "2: strz", "\x02a\x00bc", `a\x00`, "99"},
		{"size: 3", "2: str", "\x02a\x00bc", `a\x00b`, "99"},
		{"size: 3", "2: str", "\x03a\x00bc", "61 00 62", "99"},
		{"size: 3", "3: u2", "\x03ab\x00c", "25185", "0"},
		{"size: 3", "4: rec", "\x04a\x00bc", "a", "99"},
		{"size: 4, pad-right: 0x20, terminator: 0x7c", "2: str", "\x02a|  c", "a", "99"},
		{"size: 4, pad-right: 0x20, terminator: 0x7c", "2: str", "\x03a|  c", "61 7c 20 20", "99"},
		{"size: 4, pad-right: 0x20, terminator: 0x7c", "2: str, _: str", "\x03a|  c", "a", "99"},
		{"size: 4, pad-right: 0x20", "4: rec", "\x04a\x00  c", "a", "99"},
		{"size-eos: true", "2: strz", "\x02ab\x00c", "ab", ""},
		{"size-eos: true", "2: strz", "\x03ab", "61 62", ""},
		{"size-eos: true, pad-right: 0", "2: str", "\x02ab\x00\x00", "ab", ""},
		{"size: 2, process: xor(1)", "4: rec", "\x04`\x01c", "a", "99"},
		{"size: 2, process: xor(1)", "2: str", "\x02abc", "ab", "99"},
		{"size: 2, process: xor(1)", "2: str", "\x03abc", "60 63", "99"},
		{"repeat: expr, repeat-expr: 2", "2: strz", "\x02ab\x00d\x00c", "ab d", "99"},
		{"repeat: expr, repeat-expr: 2", "4: rec", "\x04ab\x00d\x00c", "ab d", "99"},
		{"repeat: expr, repeat-expr: 2, size: 2", "2: strz", "\x02a\x00dec", "a de", "99"},
		{"repeat: until, repeat-until: _io.pos > 4", "2: strz", "\x02ab\x00d\x00c", "ab d", "99"},
		{"repeat: eos", "2: strz", "\x02ab\x00d\x00", "ab d", ""},
	} {
		attributes := c.attributes
		if attributes != "" {
			attributes += ", "
		}
		d := reads(t, "meta: {id: t, endian: le, encoding: ASCII}\nseq:\n  - {id: k, type: u1}\n  - {id: a, "+attributes+"type: {switch-on: k, cases: {"+c.cases+
			"}}}\n  - {id: next, type: u1, if: not _io.eof}\n"+sub, c.data)
		var a []string
		next := ""
		err := model.Walk(t.Context(), d.View("fields").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			n := &p.Node
			switch path := p.Path(); {
			case len(n.Problems) > 0:
				t.Errorf("%s, %s, %q: %s: %v", c.attributes, c.cases, c.data, path, n.Problems)
			case path == "fields/next":
				next = model.Show(t.Context(), n.Value, 80)
			case n.Value != nil && strings.HasPrefix(path, "fields/a") && n.Name != "rest":
				a = append(a, model.Show(t.Context(), n.Value, 80))
			}
			return nil
		})
		if got := strings.Join(a, " "); got != c.a || next != c.next || err != nil {
			t.Errorf("%s, %s, %q: %q and then %q, not %q and %q; %v", c.attributes, c.cases, c.data, got, next, c.a, c.next, err)
		}
	}
}

// TestFixedSize: a record whose conditions, sizes and counts are constants has a fixed size, so a list of such is computed.
func TestFixedSize(t *testing.T) {
	for text, want := range map[string]int64{
		"seq: [{id: a, size: 2 * 4 - 1}]":                                                              7,
		"seq: [{id: a, type: u1, repeat: expr, repeat-expr: 1 + 2}, {id: b, type: u4}]":                7,
		"seq: [{id: a, type: u4, if: 1 + 1 == 2}, {id: b, type: u2, if: 'not true or 3 < 2'}]":         4,
		"seq: [{id: a, size: 'sizeof<u4> * e::two.to_i.as<u1>', if: true}]\nenums: {e: {2: two}}":      -1,
		"seq: [{id: a, size: 'true ? sizeof<x> : 9'}]\ntypes: {x: {seq: [{id: y, type: u8}]}}":         8,
		"seq: [{id: a, type: u1}, {id: b, size: a}]":                                                   -1,
		"seq: [{id: a, type: u1}, {id: b, type: u1, if: a > 1}]":                                       -1,
		"seq: [{id: a, type: u1, if: false and a > 1}, {id: b, type: u1}]\ninstances: {c: {value: a}}": 1,
	} {
		rec, _, err := compile(memory(t, "meta: {id: t, endian: le}\n"+text, nil).Main)
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Size(); got != want {
			t.Errorf("%s: %d bytes, not %d", text, got, want)
		}
	}
}
