package grammar

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"cutaway/model"
)

const cut = "test.truncated"

func session() *Session { return &Session{Truncated: cut, Tile: true} }

func over(data []byte) Stream { return Whole(model.NewFileSource("test", model.BytesReader(data))) }

// record builds a record.
func record(title string, fields ...*Field) *Record {
	r := &Record{Title: title, Fields: fields}
	if err := r.Build(); err != nil {
		panic(err)
	}
	return r
}

// sized returns the extent of a number of bytes.
func sized(n string) *Extent { return &Extent{Size: Named(n)} }

// computed is an expression of Go.
func computed(n func(s Scope) int64) Expr {
	return IntCode(func(s Scope) (int64, error) { return n(s), nil })
}

// times repeats a field that often.
func times(n string) *Repeat { return &Repeat{Count: Named(n)} }

// inRange returns the condition that a number lies in a range.
func inRange(from, to uint64) func(s Scope, v Value) bool {
	return func(_ Scope, v Value) bool {
		n, ok := v.Uint()
		return ok && n >= from && n <= to
	}
}

// toEnd repeats a field until the bytes end.
func toEnd() *Repeat { return &Repeat{ToEnd: true} }

// doc is a document whose layout is one record over all bytes.
func doc(rec *Record, data []byte) *model.Document {
	in := over(data)
	o := rec.Open(session(), in, 0)
	return &model.Document{Sources: []*model.Source{in.Source}, Views: []*model.View{{
		Name: model.LayoutView, Of: in.Source, Root: func(ctx context.Context) model.Node { return o.Node(ctx, "file") },
	}}}
}

// tree writes all nodes, one a line: path below the root, type, span, value, problems.
func tree(t *testing.T, d *model.Document) []string {
	t.Helper()
	var lines []string
	err := model.Walk(t.Context(), d.Views[0].Place(t.Context()), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
		n := &p.Node
		line := fmt.Sprintf("%s %s %s", strings.TrimPrefix(p.Path(), "layout"), n.Type, n.Span())
		if n.Span().Mask != 0 {
			line += fmt.Sprintf("/%#x", n.Span().Mask)
		}
		if n.Value != nil {
			line += " = " + model.Show(t.Context(), n.Value, 40)
		}
		for _, p := range n.Problems {
			line += fmt.Sprintf(" !%s %s %s: %s", p.Kind, p.Rule, p.Span, p.Error())
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func expect(t *testing.T, d *model.Document, want ...string) {
	t.Helper()
	if got := tree(t, d); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	tiles(t, d)
}

// tiles holds the layout against its source: no gap, no overlap, and every byte is found again.
func tiles(t *testing.T, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.CheckAll(t.Context(), nil)
	if err != nil || len(r.Tiling) > 0 {
		t.Errorf("check: %v, tiling %q", err, r.Tiling)
	}
	src := d.Source()
	for off := int64(0); off < min(src.Size(), 1<<12); off++ {
		if p, err := d.ResolveAt(t.Context(), src, off, nil); err != nil || p == nil || !p.Node.Span().Covers(src, off) {
			t.Errorf("nothing found at %d: %v, %v", off, p, err)
		}
	}
	return r
}

var (
	point = record("Point", &Field{Name: "x", Of: I16, Help: "to the right"}, &Field{Name: "y", Of: I16.BigEndian(), Help: "down"})
	name  = record("Name", &Field{Name: "length", Of: U8}, &Field{Name: "text", Of: UTF8, Extent: sized("length")})
	shape = record("Shape",
		&Field{Name: "magic", Of: UTF8, Extent: sized("2")},
		&Field{Name: "kind", Of: U8, Names: kindName, Checks: []Check{{Rule: "test.kind", OK: inRange(0, 1), Expected: "0 or 1", Message: "no such kind"}}},
		&Field{Name: "flags", Of: Bits(3)}, &Field{Name: "rest of the flags", Of: Bits(5)},
		&Field{Name: "name", Of: name, Condition: computed(func(s Scope) int64 { return s.Number("flags") & 1 })},
		&Field{Name: "points", Of: point, Repeat: &Repeat{Count: computed(func(s Scope) int64 { return 1 + s.Number("kind") })}},
		&Field{Name: "names", Of: name, Repeat: times("flags")},
		&Field{Name: "weights", Of: F32, Repeat: times("2")},
	)
)

// kindName names the kinds of a shape.
func kindName(_ Scope, n int64) string {
	return map[int64]string{0: "dot", 1: "line"}[n]
}

func TestRecord(t *testing.T) {
	data := append([]byte("SH\x01\x8b\x02ab\x01\x00\x00\x02\xff\xff\x00\x04\x01x\x00\x02yz"), 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 9)
	expect(t, doc(shape, data),
		" Shape 0x0+30",
		"/magic text 0x0+2 = SH",
		"/kind u8 0x2+1 = line",
		"/flags 3 bits 0x3+1/0x7 = 3",
		"/rest of the flags 5 bits 0x3+1/0xf8 = 17",
		"/name Name 0x4+3", "/name/length u8 0x4+1 = 2", "/name/text text 0x5+2 = ab",
		"/points Point[] 0x7+8",
		"/points/[0] Point 0x7+4", "/points/[0]/x i16 0x7+2 = 1", "/points/[0]/y i16be 0x9+2 = 2",
		"/points/[1] Point 0xb+4", "/points/[1]/x i16 0xb+2 = -1", "/points/[1]/y i16be 0xd+2 = 4",
		"/names Name[] 0xf+6",
		"/names/[0] Name 0xf+2", "/names/[0]/length u8 0xf+1 = 1", "/names/[0]/text text 0x10+1 = x",
		"/names/[1] Name 0x11+1", "/names/[1]/length u8 0x11+1 = 0", "/names/[1]/text text 0x12+0 = ",
		"/names/[2] Name 0x12+3", "/names/[2]/length u8 0x12+1 = 2", "/names/[2]/text text 0x13+2 = yz",
		"/weights f32[] 0x15+8 = [1, 2]", "/weights/[0] f32 0x15+4 = 1", "/weights/[1] f32 0x19+4 = 2",
		"/rest bytes 0x1d+1 = 09",
	)
}

// Records whose bit fields add up are of fixed size: lists of them are computed.
func TestBitsOfFixedSize(t *testing.T) {
	rec := record("Flags", &Field{Name: "a", Of: Bits(3)}, &Field{Name: "b", Of: Bits(11)}, &Field{Name: "c", Of: &BitField{Width: 4, Big: true}}, &Field{Name: "n", Of: U8}, &Field{Name: "d", Of: Bits(1)})
	if rec.Size() != 5 {
		t.Fatalf("%d bytes", rec.Size())
	}
	expect(t, doc(record("File", &Field{Name: "flags", Of: rec, Repeat: toEnd()}), []byte{0xff, 0x1, 0x1, 7, 1, 0, 0x20, 3, 8, 2}),
		" File 0x0+10", "/flags Flags[] 0x0+10",
		"/flags/[0] Flags 0x0+5", "/flags/[0]/a 3 bits 0x0+1/0x7 = 7", "/flags/[0]/b 11 bits 0x0+2/0x3ff8 = 63",
		"/flags/[0]/c 4 bits 0x1+2/0xc003 = 4", "/flags/[0]/n u8 0x3+1 = 7", "/flags/[0]/d bit 0x4+1/0x1 = 1",
		"/flags/[1] Flags 0x5+5", "/flags/[1]/a 3 bits 0x5+1/0x7 = 0", "/flags/[1]/b 11 bits 0x5+2/0x3ff8 = 1024",
		"/flags/[1]/c 4 bits 0x6+2/0xc003 = 0", "/flags/[1]/n u8 0x8+1 = 8", "/flags/[1]/d bit 0x9+1/0x1 = 0")
}

func TestCutAndBroken(t *testing.T) {
	expect(t, doc(shape, []byte("SH\x05\x01\x03a")),
		" Shape 0x0+6",
		"/magic text 0x0+2 = SH",
		"/kind u8 0x2+1 = 5 !malformed test.kind 0x2+1: no such kind (expected 0 or 1, found 5)",
		"/flags 3 bits 0x3+1/0x7 = 1", "/rest of the flags 5 bits 0x3+1/0xf8 = 0",
		"/name Name 0x4+2", "/name/length u8 0x4+1 = 3",
		"/name/text text 0x5+1 !truncated test.truncated 0x5+1: text is cut off (expected 3 bytes, found 1 byte)",
	)
	list := record("List", &Field{Name: "count", Of: U32}, &Field{Name: "points", Of: point, Repeat: &Repeat{Count: Named("count"), Rule: "test.count"}})
	d := doc(list, []byte{9, 0, 0, 0, 1, 0, 0, 2, 1})
	expect(t, d, " List 0x0+9", "/count u32 0x0+4 = 9",
		"/points Point[] 0x4+5 !truncated test.count 0x4+5: points claims 9 elements of at least 4 bytes, but 5 bytes follow (expected at most 1, found 9)",
		"/points/[0] Point 0x4+4", "/points/[0]/x i16 0x4+2 = 1", "/points/[0]/y i16be 0x6+2 = 2")
}

// chunk is a RIFF chunk: LISTs hold chunks.
var chunk = riffChunk()

func riffChunk() *Record {
	c := &Record{Title: "chunk"}
	list := &Record{Title: "LIST"}
	list.Fields = []*Field{{Name: "form", Of: UTF8, Extent: sized("4")}, {Name: "chunks", Of: c, Repeat: toEnd()}}
	c.Fields = []*Field{
		{Name: "id", Of: UTF8, Extent: sized("4")},
		{Name: "size", Of: U32, Help: "bytes of the body"},
		{Name: "body", Of: &Switch{On: Named("id"), Types: []Type{list, Raw}, Pick: func(_ Scope, on Value) (Type, error) {
			if on.String() == "LIST" {
				return list, nil
			}
			return Raw, nil
		}}, Extent: sized("size")},
		{Name: "padding", Of: Raw, Extent: &Extent{Size: computed(func(s Scope) int64 { return min(s.Number("size")&1, s.Object().Stream().Size()-s.Pos()) })}, Role: model.Padding},
	}
	if err := c.Build(); err != nil {
		panic(err)
	}
	return c
}

// nest is a LIST in a LIST …, so many deep.
func nest(depth int) []byte {
	var b bytes.Buffer
	for i := depth; i > 0; i-- {
		b.WriteString("LIST")
		_ = binary.Write(&b, binary.LittleEndian, uint32(12*i-8))
		b.WriteString("form")
	}
	return b.Bytes()
}

// A nest far deeper than the engine goes ends with the limit, told at its place, and costs no stack.
func TestDepth(t *testing.T) {
	data := nest(3_000_000) // 36 MB
	r, err := doc(chunk, data).CheckAll(t.Context(), nil)
	if err != nil || len(r.Tiling) > 0 || len(r.Problems) != 1 {
		t.Fatalf("%v, %d problems, tiling %q", err, len(r.Problems), r.Tiling)
	}
	p := r.Problems[0]
	if p.Kind != model.Limit || !strings.Contains(p.Message, "10000") || p.Span.Off < 12*4990 || p.Span.Off > 12*5010 {
		t.Errorf("told %s %s at %s", p.Kind, p.Message, p.Span)
	}
	if !r.Sound() {
		t.Error("a limit is taken for damage")
	}
}

// Lists of unequal elements are pending until they are scanned, in the background and in steps, and then any element
// and any byte is found without another scan.
func TestPendingList(t *testing.T) {
	var b []byte
	var starts []int64
	for i := range 10_000 {
		starts = append(starts, int64(len(b)))
		b = append(b, byte(i%7))
		b = append(b, strings.Repeat("x", i%7)...)
	}
	d := doc(record("Names", &Field{Name: "names", Of: name, Repeat: toEnd()}), b)
	root := d.Views[0].Place(t.Context())
	names := root.Child(t.Context(), 0)
	if !names.Node.IsPending() {
		t.Fatal("10,000 names were read at once")
	}
	if n, exact := names.Len(t.Context()); exact || n != (&Session{}).eager()-1 && n != (&Session{}).eager() {
		t.Errorf("%d names are known, exact %t", n, exact)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := names.Resolve(stopped, nil); err == nil {
		t.Error("a stopped scan ends without an error")
	}
	if err := names.Resolve(t.Context(), nil); err != nil || names.Node.IsPending() {
		t.Fatal(err)
	}
	for _, i := range []int64{0, 1, 31, 32, 33, 4711, 9999} {
		if got := names.Child(t.Context(), i).Node.Span().Off; got != starts[i] {
			t.Errorf("name %d is at %d, not %d", i, got, starts[i])
		}
		if k, ok := model.Locate(t.Context(), names.Node.Children, d.Source(), starts[i]); !ok || k != i {
			t.Errorf("byte %d is in name %d, %t", starts[i], k, ok)
		}
	}
	tiles(t, d)
}

func TestElementsWithoutBytesEnd(t *testing.T) {
	nothing := record("Nothing", &Field{Name: "none", Of: UTF8, Extent: &Extent{Size: computed(func(Scope) int64 { return 0 })}})
	r := tiles(t, doc(record("Forever", &Field{Name: "a", Of: U8}, &Field{Name: "all", Of: nothing, Repeat: toEnd()}), []byte("abc")))
	if len(r.Problems) != 1 || r.Problems[0].Kind != model.Limit {
		t.Errorf("problems: %v", r.Problems)
	}
	many := record("Many", &Field{Name: "none", Of: nothing, Repeat: times("1048576")})
	few := record("Few", &Field{Name: "size", Of: U8}, &Field{Name: "none", Of: nothing, Repeat: times("3")})
	for _, k := range []struct {
		what  string
		list  *Field
		limit bool
	}{
		{"a million in each of a million", &Field{Name: "all", Of: many, Repeat: times("1048576")}, true},
		{"three after each byte", &Field{Name: "all", Of: few, Repeat: toEnd()}, false},
	} {
		d := doc(record("File", k.list), make([]byte, 400_000))
		report, err := d.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		limit := slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool { return p.Kind == model.Limit })
		if limit != k.limit {
			t.Errorf("%s: %v", k.what, report.Problems[:min(len(report.Problems), 3)])
		}
	}
}

// Whatever the bytes are, the layout tiles, and a survey finds the same as a walk to every node.
func TestAnyBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := record("All", &Field{Name: "shapes", Of: shape, Repeat: times("3")}, &Field{Name: "chunk", Of: chunk}, &Field{Name: "names", Of: name, Repeat: toEnd()})
	for range 2000 {
		data := make([]byte, random.IntN(200))
		for i := range data {
			data[i] = byte(random.IntN(5))
		}
		copy(data[min(len(data), random.IntN(100)):], "LIST\x10\x00\x00\x00formabcd\x03\x00\x00\x00")
		d := doc(all, data)
		asked, err := d.CheckAll(t.Context(), nil)
		each, err2 := doc(all, data).CheckEach(t.Context(), nil)
		if err != nil || err2 != nil || len(asked.Tiling)+len(each.Tiling) > 0 || len(asked.Problems) != len(each.Problems) {
			t.Fatalf("%x: %v, %v\n%q\n%q\n%v\n%v", data, err, err2, asked.Tiling, each.Tiling, asked.Problems, each.Problems)
		}
		a, e := *asked.Coverage[0], *each.Coverage[0]
		if a.Source, e.Source = nil, nil; a != e {
			t.Fatalf("%x: covered %+v, going to each %+v", data, a, e)
		}
	}
}

// A record ends where nothing says what follows; a rule may be told by the format; a number may stand for something.
func TestStop(t *testing.T) {
	inner := record("Text",
		&Field{Name: "length", Of: I8, Checks: []Check{{Rule: "test.length", OK: inRange(0, 127), Expected: "0 or more", Message: "negative", Ends: true}}},
		&Field{Name: "text", Of: UTF8, Extent: sized("length")})
	rec := record("Entry", &Field{Name: "text", Of: inner},
		&Field{Name: "truth", Of: U8.As("bool", func(n uint64) model.Value { return model.Bool(n == 1) }), Checks: []Check{{Rule: "test.truth", Kind: model.Suspicious, OK: inRange(0, 1), Expected: "0 or 1", Message: "odd"}, {Find: func(_ Scope, v Value) (model.Problem, bool) {
			n, _ := v.Int()
			return model.Problemf(model.Assumed, "test.found", model.Span{}, "found %d", n), n == 9
		}}}})
	for _, c := range []struct {
		data string
		want []string
	}{
		{"\x01a\x01", []string{" Entry 0x0+3", "/text Text 0x0+2", "/text/length i8 0x0+1 = 1", "/text/text text 0x1+1 = a", "/truth bool 0x2+1 = true"}},
		{"\x00\x09", []string{" Entry 0x0+2", "/text Text 0x0+1", "/text/length i8 0x0+1 = 0", "/text/text text 0x1+0 = ",
			"/truth bool 0x1+1 = false !suspicious test.truth 0x1+1: odd (expected 0 or 1, found 9) !assumed test.found 0x1+1: found 9"}},
		{"\xffa\x01", []string{" Entry 0x0+3", "/text Text 0x0+1", "/text/length i8 0x0+1 = -1 !malformed test.length 0x0+1: negative (expected 0 or more, found -1)",
			"/rest bytes 0x1+2 = 61 01"}},
	} {
		expect(t, doc(rec, []byte(c.data)), c.want...)
		r := NewReading(t.Context(), Near)
		o := rec.Read(r, session(), over([]byte(c.data)), 0)
		if problems := len(tiles(t, doc(rec, []byte(c.data))).Problems); o.OK() != (c.data[0] != 0xff) || o.Sound(r) != (problems == 0) {
			t.Errorf("%q: whole %t, sound %t, %d problems", c.data, o.OK(), o.Sound(r), problems)
		}
		o.Release(r)
	}
}

func TestDescriptionsThatCannotBe(t *testing.T) {
	for want, fields := range map[string][]*Field{
		`no field "b"`:             {&Field{Name: "a", Of: Raw, Extent: sized("b")}},
		"nothing says how long":    {&Field{Name: "a", Of: Raw}},
		"takes 0 arguments, not 1": {&Field{Name: "a", Of: Call(point, Named("1"))}},
		"it has no type":           {{Name: "a"}},
	} {
		if err := (&Record{Fields: fields}).Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// BenchmarkScan finds the elements of a long list, by reading each and by their heads alone.
func BenchmarkScan(b *testing.B) {
	data := bytes.Repeat([]byte("\x03abc"), 1<<18)
	read := record("Name", &Field{Name: "length", Of: U8}, &Field{Name: "text", Of: UTF8, Extent: sized("length")})
	read.lead = nil
	for how, of := range map[string]*Record{"read": read, "heads": name} {
		rec := record("Names", &Field{Name: "names", Of: of, Repeat: toEnd()})
		in := over(data)
		b.Run(how, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r := NewReading(b.Context(), Far)
				o := rec.Read(r, session(), in, 0)
				v, _ := o.value(r, 0)
				if n, _ := v.List().Len(Scope{r, o}); n != 1<<18 {
					b.Fatal(n)
				}
			}
		})
	}
}

func BenchmarkNodes(b *testing.B) {
	data := bytes.Repeat([]byte("\x03abc"), 1<<16)
	d := doc(record("Names", &Field{Name: "names", Of: name, Repeat: toEnd()}), data)
	for b.Loop() {
		n := 0
		_ = model.Walk(b.Context(), d.Views[0].Place(b.Context()), model.WalkOptions{Resolve: true, Fleeting: true}, func(*model.Place) error { n++; return nil })
		b.ReportMetric(float64(n), "nodes")
	}
}

// TestInline shows the elements of a list among the fields of its record.
func TestInline(t *testing.T) {
	tags := record("Tags", &Field{Name: "count", Of: U8}, &Field{Name: "tags", Of: name, Inlined: true, Repeat: &Repeat{Count: Named("count"), Rule: "test.count"}}, &Field{Name: "check", Of: U16})
	outer := record("Outer", &Field{Name: "tags", Of: tags})
	expect(t, doc(outer, []byte("\x02\x01a\x02bcxyz")), " Outer 0x0+9", "/tags Tags 0x0+8", "/tags/count u8 0x0+1 = 2",
		"/tags/[0] Name 0x1+2", "/tags/[0]/length u8 0x1+1 = 1", "/tags/[0]/text text 0x2+1 = a",
		"/tags/[1] Name 0x3+3", "/tags/[1]/length u8 0x3+1 = 2", "/tags/[1]/text text 0x4+2 = bc",
		"/tags/check u16 0x6+2 = 31096", "/rest bytes 0x8+1 = 7a")
	expect(t, doc(outer, []byte("\x09\x01a\x02b")), " Outer 0x0+5", "/tags Tags 0x0+5",
		"/tags/count u8 0x0+1 = 9 !truncated test.count 0x1+4: tags claims 9 bytes, but 4 bytes follow (expected at most 4, found 9)",
		"/tags/[0] Name 0x1+2", "/tags/[0]/length u8 0x1+1 = 1", "/tags/[0]/text text 0x2+1 = a",
		"/tags/[1] Name 0x3+2", "/tags/[1]/length u8 0x3+1 = 2",
		"/tags/[1]/text text 0x4+1 !truncated test.truncated 0x4+1: text is cut off (expected 2 bytes, found 1 byte)")
	for _, path := range []string{"layout/tags/[1]/text", "layout/tags/check", "layout/rest"} {
		p, err := doc(outer, []byte("\x02\x01a\x02bcxyz")).Lookup(t.Context(), path)
		if err != nil || p.Path() != path {
			t.Errorf("%s: %v, %v", path, p, err)
		}
	}
	// A body whose size is known is not read with its record, but its few elements are at once when it is looked at.
	body := record("Body", &Field{Name: "names", Of: name, Repeat: toEnd(), Inlined: true})
	place := doc(record("Sized", &Field{Name: "size", Of: U8}, &Field{Name: "body", Of: body, Extent: sized("size")}), []byte("\x05\x01a\x02bc")).Views[0].Place(t.Context())
	if in := place.Child(t.Context(), 1); in.Node.IsPending() {
		t.Error("two elements are pending")
	}
	many := append([]byte{200}, bytes.Repeat([]byte("\x01a"), 200)...)
	if got := tree(t, doc(outer, append(many, 1, 2))); len(got) != 2+1+200*3+1 {
		t.Errorf("%d nodes", len(got))
	}
}

// TestLongElements: an element that takes long to read is read once, and its node shows what is in it from then on, in each of more
// elements than are remembered.
func TestLongElements(t *testing.T) {
	name := record("Name", &Field{Name: "size", Of: U8}, &Field{Name: "bytes", Of: Raw, Extent: sized("size")})
	for _, last := range [][]*Field{nil, {&Field{Name: "tail", Of: U8}}} {
		block := record("Block", append([]*Field{{Name: "names", Of: name, Repeat: times("300")}}, last...)...)
		size := int64(600 + len(last))
		data := bytes.Repeat(append(bytes.Repeat([]byte("\x01a"), 300), make([]byte, len(last))...), longKept+1)
		got := tree(t, doc(record("File", &Field{Name: "blocks", Of: block, Extent: sized(fmt.Sprint(size)), Repeat: toEnd()}), data))
		if want := 2 + (longKept+1)*(2+300*3+len(last)); len(got) != want {
			t.Errorf("%d nodes, want %d", len(got), want)
		}
	}
}

// TestLongGroups: where the elements of a list that is known to its end begin is not found anew for each look, however few there
// are and however long they take.
func TestLongGroups(t *testing.T) {
	read := 0
	word := &Custom{Display: "word", Fewest: 1, Read: func(_ Scope, _ Stream, off int64) (int64, Value, *model.Problem) {
		read++
		return off + 1, IntValue(0), nil
	}}
	group := record("Group", &Field{Name: "words", Of: word, Repeat: times("20_000")})
	d := doc(record("File", &Field{Name: "groups", Of: group, Repeat: times("3")}, &Field{Name: "after", Of: U8}), make([]byte, 60_001))
	root := d.Views[0].Place(t.Context())
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	groups := root.Child(t.Context(), 0)
	looks := func() {
		read = 0
		for i := range int64(30) {
			groups.Child(t.Context(), i%3)
		}
	}
	looks()
	if looks(); read > 30*1000 {
		t.Errorf("%d words read for 30 looks at groups", read)
	}
	// What a list remembers is given out again: who lets it go must not give its memory away.
	l, r := ListOf(groups.Node.Children), NewReading(t.Context(), Near)
	v, err := l.At(Scope{r, l.owner}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if v.Object().Release(r); len(r.free) > 0 {
		t.Error("the memory of a group that is remembered is used for others")
	}
}

// TestFieldGone: a field that was counted when more of the file could be read is told as unread.
func TestFieldGone(t *testing.T) {
	d := doc(record("File", &Field{Name: "a", Of: U8}), []byte{1})
	if n := d.Views[0].Root(t.Context()).Children.At(t.Context(), 5); len(n.Problems) != 1 || n.Problems[0].Kind != model.Unread {
		t.Errorf("%v", n.Problems)
	}
}

// TestLongInside: a long list in a record in an element is found once, whichever way it is come to.
func TestLongInside(t *testing.T) {
	name := record("Name", &Field{Name: "size", Of: U8}, &Field{Name: "bytes", Of: Raw, Extent: sized("size")})
	body := record("Body", &Field{Name: "names", Of: name, Repeat: toEnd()})
	group := record("Group", &Field{Name: "size", Of: U16}, &Field{Name: "body", Of: body, Extent: sized("size")})
	data := bytes.Repeat(append([]byte{0xd0, 7}, bytes.Repeat([]byte("\x01a"), 1000)...), 5)
	d := doc(record("File", &Field{Name: "groups", Of: group, Repeat: toEnd()}), data)
	names := func() *model.Place {
		groups := d.Views[0].Place(t.Context()).Child(t.Context(), 0)
		return groups.Child(t.Context(), 3).Child(t.Context(), 1).Child(t.Context(), 0)
	}
	first := names()
	if !first.Node.IsPending() {
		t.Fatal("1,000 names were read at once")
	}
	if err := first.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if again := names(); again.Node.IsPending() {
		t.Error("the names are found anew")
	}
}

// TestLookWhileListed: what is known of a list is looked at while more of it is found, as a window does (for the race detector).
func TestLookWhileListed(t *testing.T) {
	name := record("Name", &Field{Name: "size", Of: U8}, &Field{Name: "bytes", Of: Raw, Extent: sized("size")})
	d := doc(record("File", &Field{Name: "names", Of: name, Repeat: toEnd()}), bytes.Repeat([]byte("\x01a\x00\x02bc"), 50_000))
	list := d.Views[0].Place(t.Context()).Child(t.Context(), 0)
	var both sync.WaitGroup
	both.Go(func() {
		if err := list.Node.Resolve(t.Context(), nil); err != nil {
			t.Error(err)
		}
	})
	both.Go(func() {
		for i := int64(0); list.Node.IsPending(); i++ {
			if n := list.Child(t.Context(), i%100).Node; len(n.Problems) > 0 {
				t.Errorf("[%d]: %v", i%100, n.Problems)
			}
		}
	})
	both.Wait()
	if n, all := list.Len(t.Context()); n != 150_000 || !all {
		t.Errorf("%d elements, %t", n, all)
	}
}

// TestManyBits: more elements of bits than are read at once are all there, up to the limit.
func TestManyBits(t *testing.T) {
	d := doc(record("File", &Field{Name: "bits", Of: Bits(3), Repeat: times("800")}, &Field{Name: "after", Of: U8}), append(bytes.Repeat([]byte{0b01001001, 0b00100100, 0b10010010}, 100), 7))
	got := tree(t, d)
	if len(got) != 803 || !strings.HasSuffix(got[801], "/[799] 3 bits 0x12b+1/0xe0 = 4") || got[802] != "/after u8 0x12c+1 = 7" {
		t.Errorf("%d nodes, at the end %q", len(got), got[max(len(got)-2, 0):])
	}
	d = doc(record("File", &Field{Name: "bits", Of: Bits(1), Repeat: toEnd()}), make([]byte, 1<<17))
	root := d.Views[0].Place(t.Context())
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if p := root.Child(t.Context(), 0).Node.Problems; len(p) != 1 || p[0].Kind != model.Limit {
		t.Errorf("%v", p)
	}
}

// TestDecode reads scalars of each size, order and kind.
func TestDecode(t *testing.T) {
	data := []byte{0xfe, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86}
	for _, k := range []struct {
		of   *Scalar
		big  bool
		want string
	}{
		{U8, false, "254"}, {I8, true, "-2"}, {U16, true, "33022"}, {U16.BigEndian(), false, "65152"}, {I16.RecordOrder(), true, "-384"},
		{U24, false, "8487166"}, {I24, false, "-8290050"}, {U24.BigEndian(), false, "16679041"}, {I24.BigEndian(), false, "-98175"},
		{U32.RecordOrder(), false, "2189525246"}, {I64.BigEndian(), false, "-107943993504660090"},
	} {
		if got := model.ShowHeld(k.of.Decode(data, k.big), 40); got != k.want || k.of.Number(data, k.big).String() != k.want {
			t.Errorf("%s is %s, and the number %s, want %s", k.of.Name(), got, k.of.Number(data, k.big), k.want)
		}
	}
}

// TestNumbers holds numbers read out of bytes against the fields of an object.
func TestNumbers(t *testing.T) {
	rec := record("Numbers", &Field{Name: "a", Of: U8}, &Field{Name: "b", Of: U16.BigEndian()}, &Field{Name: "c", Of: I32}, &Field{Name: "d", Of: U64.BigEndian()}, &Field{Name: "e", Of: F64},
		&Field{Name: "f", Of: U32.BigEndian()}, &Field{Name: "text", Of: UTF8, Extent: sized("1")}, &Field{Name: "list", Of: U8, Repeat: times("1")})
	data := binary.LittleEndian.AppendUint64([]byte{1, 2, 3, 0xff, 4, 5, 0x80, 6, 7, 8, 9, 10, 11, 12, 13}, math.Float64bits(0.5))
	data = append(data, 1, 2, 3, 4, 'x', 9)
	at := rec.Numbers()
	got := []Value{UintValue(uint64(at[0].U8(data))), UintValue(uint64(at[1].U16(data))), IntValue(int64(int32(at[2].U32(data)))),
		UintValue(at[3].U64(data)), FloatValue(at[4].F64(data)), UintValue(uint64(at[5].U32(data))), StringValue(string(at[6].Bytes(data)))}
	if len(at) != len(got) {
		t.Errorf("%d fields are at a fixed place", len(at))
	}
	o := rec.Open(session(), over(data), 0)
	for i, field := range rec.Fields[:len(got)] {
		want, err := o.Value(t.Context(), field)
		if err != nil || got[i] != want {
			t.Errorf("%s is %s, want %s: %v", field.Name, got[i], want, err)
		}
	}
}

// TestNumberAfterEnd: a field keeps its place where a rule of the field before it may end the record.
func TestNumberAfterEnd(t *testing.T) {
	rec := record("r", &Field{Name: "a", Of: U32, Checks: []Check{{Rule: "test.a", OK: inRange(1, math.MaxUint32), Ends: true}}}, &Field{Name: "b", Of: U16})
	if b := rec.Number("b"); b.Off() != 4 || b.Len() != 2 || rec.Size() != -1 {
		t.Errorf("b at %d has %d bytes, the record %d", b.Off(), b.Len(), rec.Size())
	}
}

// TestShortNumbers: a number that its extent has too few bytes for has no value.
func TestShortNumbers(t *testing.T) {
	for _, of := range []Type{U32, Bits(25)} {
		size, data := Expr(Named("3")), []byte("012")
		expect(t, doc(record("r", &Field{Name: "a", Of: of, Extent: &Extent{Size: size}}), data), " r 0x0+3",
			"/a "+of.Name()+" 0x0+3 !truncated test.truncated 0x0+3: a is cut off (expected 4 bytes, found 3 bytes)")
	}
}

// An inlined list of records of one size is not looked at as one where a field of them has a rule or a role.
func TestRulesInElements(t *testing.T) {
	item := record("Item", &Field{Name: "a", Of: U8, Checks: []Check{{Rule: "test.five", OK: inRange(0, 5), Expected: "at most 5", Message: "too many"}}}, &Field{Name: "pad", Of: U8, Role: model.Padding})
	d := doc(record("File", &Field{Name: "n", Of: U8}, &Field{Name: "items", Of: item, Repeat: toEnd(), Inlined: true}), []byte{1, 5, 9, 5, 9, 5, 9, 9, 9})
	if r := tiles(t, d); len(r.Problems) != 1 || r.Problems[0].Path != "layout/[3]/a" || r.Coverage[0].Padding != 4 {
		t.Errorf("%v", r)
	}
}
