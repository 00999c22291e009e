package read

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"cutaway/model"
)

const cutRule = "test.truncated"

func over(ctx context.Context, data []byte) *Cursor {
	return New(ctx, model.NewFileSource("test", model.BytesReader(data)), 0, int64(len(data)), cutRule)
}

// line describes a node and those below it.
func line(ctx context.Context, n *model.Node) string {
	s := fmt.Sprintf("%s:%s@%s", n.Name, n.Type, n.Span())
	if m := n.Span().Mask; m != 0 {
		s += fmt.Sprintf("/%#x", m)
	}
	if n.Value != nil {
		s += "=" + model.Show(ctx, n.Value, 80)
	}
	if n.Brief != "" {
		s += "=" + n.Brief
	}
	if n.Role != model.Explained {
		s += " " + n.Role.String()
	}
	for _, p := range n.Problems {
		s += fmt.Sprintf(" !%s:%s at %s: %s", p.Kind, p.Rule, p.Span, p.Error())
	}
	if n.Children != nil {
		count, _ := n.Children.Len(ctx)
		var below []string
		for i := range count {
			child := n.Children.At(ctx, i)
			below = append(below, line(ctx, &child))
		}
		s += " {" + strings.Join(below, "; ") + "}"
	}
	return s
}

func lines(c *Cursor) string {
	var all []string
	for i := range c.Nodes() {
		all = append(all, line(c.ctx, &c.Nodes()[i]))
	}
	return strings.Join(all, "\n")
}

func want(t *testing.T, c *Cursor, all ...string) {
	t.Helper()
	if got, want := lines(c), strings.Join(all, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	tiles(t, c)
}

// tiles checks that the leaves of c's fields cover c's bytes from its start to Off.
func tiles(t *testing.T, c *Cursor) {
	t.Helper()
	root := c.Node("root", "", "")
	src := c.Source()
	doc := &model.Document{
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Root: func(context.Context) model.Node { return root }, Of: src}},
	}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Off() == src.Size() && (len(r.Tiling) > 0 || r.Coverage[0].Sum() != src.Size()) {
		t.Errorf("the fields do not tile: %v, sum %d of %d", r.Tiling, r.Coverage[0].Sum(), src.Size())
	}
}

func TestNumbers(t *testing.T) {
	data := []byte{0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88}
	le, be := binary.LittleEndian, binary.BigEndian
	for _, big := range []bool{false, true} {
		order := binary.ByteOrder(le)
		if big {
			order = be
		}
		u16, u32, u64 := order.Uint16(data), order.Uint32(data), order.Uint64(data)
		cases := []struct {
			typ  string
			read func(c *Cursor) any
			want any
		}{
			{"u8", func(c *Cursor) any { return c.U8("x", "") }, data[0]},
			{"u16", func(c *Cursor) any { return c.U16("x", "") }, u16},
			{"u32", func(c *Cursor) any { return c.U32("x", "") }, u32},
			{"u64", func(c *Cursor) any { return c.U64("x", "") }, u64},
			{"i8", func(c *Cursor) any { return c.I8("x", "") }, int8(-127)},
			{"i16", func(c *Cursor) any { return c.I16("x", "") }, int16(u16)},
			{"i32", func(c *Cursor) any { return c.I32("x", "") }, int32(u32)},
			{"i64", func(c *Cursor) any { return c.I64("x", "") }, int64(u64)},
			{"f16", func(c *Cursor) any { return c.F16("x", "") }, model.Half(u16)},
			{"f32", func(c *Cursor) any { return c.F32("x", "") }, math.Float32frombits(u32)},
			{"f64", func(c *Cursor) any { return c.F64("x", "") }, math.Float64frombits(u64)},
		}
		for _, k := range cases {
			c := over(t.Context(), data).LittleEndian()
			if big {
				c.BigEndian()
			}
			if got := k.read(c); got != k.want {
				t.Errorf("%s, big-endian %t: got %v, want %v", k.typ, big, got, k.want)
			}
			f := c.Field()
			if f.Type != k.typ || f.Value != valueOf(k.want) {
				t.Errorf("%s: node %s", k.typ, line(t.Context(), f))
			}
			if c.Off() != f.Span().Len || c.Off() != int64(binary.Size(k.want)) {
				t.Errorf("%s: at %d behind a field of %d bytes", k.typ, c.Off(), f.Span().Len)
			}
		}
	}
}

// valueOf is the node's value for a number that was read.
func valueOf(v any) model.Value {
	switch v := v.(type) {
	case model.Half:
		return v
	case float32:
		return model.Float32(v)
	case float64:
		return model.Float64(v)
	}
	if r := reflect.ValueOf(v); r.CanInt() {
		return model.Int(r.Int())
	}
	return model.Uint(reflect.ValueOf(v).Uint())
}

func TestRuns(t *testing.T) {
	c := over(t.Context(), []byte("MAGIname\x00\x00\x00\x00\xde\xad\x00\x00\x07rest"))
	if s := c.Text("magic", 4, "first bytes"); s != "MAGI" {
		t.Errorf("magic %q", s)
	}
	c.Check(c.Field().Value == model.Text("MAGI"), "test.magic", "MAGI", nil, "wrong magic")
	if s := c.PaddedText("name", 8, ""); s != "name" {
		t.Errorf("name %q", s)
	}
	if b := c.Bytes("id", 2, ""); string(b) != "\xde\xad" {
		t.Errorf("id %x", b)
	}
	c.Pad("gap", 2, "")
	c.Pad("none", 0, "")
	c.U8("kind", "")
	c.Symbol("seven")
	c.Rest("tail", model.Unknown, "")
	c.Rest("nothing", model.Unknown, "")
	want(t, c,
		"magic:text@0x0+4=MAGI",
		"name:text@0x4+8=name",
		"id:bytes@0xc+2=de ad",
		"gap:bytes@0xe+2=00 00 padding",
		"kind:u8@0x10+1=seven",
		"tail:bytes@0x11+4=72 65 73 74 unknown",
	)
	if c.Nodes()[0].Help != "first bytes" {
		t.Error("the help is lost")
	}
}

func TestPaddedText(t *testing.T) {
	for data, want := range map[string]string{"ab\x00\x00": "ab", "abcd": "abcd", "a\x00c\x00": `a\x00c`, "\x00\x00": ""} {
		c := over(t.Context(), []byte(data))
		text := c.PaddedText("x", int64(len(data)), "")
		before, _, _ := strings.Cut(data, "\x00")
		if shown := model.Show(t.Context(), c.Field().Value, 80); text != before || shown != want {
			t.Errorf("%q reads as %q and shows as %q", data, text, shown)
		}
	}
}

func TestCutFieldIsOneProblem(t *testing.T) {
	c := over(t.Context(), []byte{1, 2, 3, 4, 5, 6})
	c.U32("first", "")
	if v := c.U32("second", ""); v != 0 {
		t.Errorf("a cut field reads as %d", v)
	}
	if v := c.U8("third", ""); v != 0 || c.Ok() {
		t.Errorf("reading goes on behind the cut: %d", v)
	}
	if !c.Check(false, "test.rule", nil, nil, "a check behind the cut") {
		t.Error("a check behind the cut fails")
	}
	c.Field().Type = "thrown away"
	c.Problem(model.Problemf(model.Malformed, "test.rule", model.Span{}, "thrown away"))
	c.Group("group", "", "", func() { c.U8("in it", "") })
	c.Sized("sized", "", 9, "", func() { c.U8("in it", "") })
	c.Records("records", "r", 3, 4, "", func(*Cursor, int64) {})
	c.Add(model.Node{Name: "added"})
	if n := c.Count(5, 1, "test.count"); n != 0 {
		t.Errorf("count behind the cut: %d", n)
	}
	want(t, c,
		"first:u32@0x0+4=67305985",
		"second:u32@0x4+2 !truncated:test.truncated at 0x4+2: second is cut off (expected 4 bytes, found 2 bytes)",
	)
}

func TestCutAtTheEnd(t *testing.T) {
	c := over(t.Context(), []byte{1})
	c.U8("first", "")
	c.U16("second", "")
	want(t, c, "first:u8@0x0+1=1",
		"second:u16@0x1+0 !truncated:test.truncated at 0x1+0: second is cut off (expected 2 bytes, found 0 bytes)")
	c = over(t.Context(), nil)
	c.U8("only", "")
	want(t, c, "only:u8@0x0+0 !truncated:test.truncated at 0x0+0: only is cut off (expected 1 byte, found 0 bytes)")
}

func TestRangesOutsideTheSource(t *testing.T) {
	src := model.NewFileSource("test", model.BytesReader("12345678"))
	for _, r := range [][2]int64{{-4, 4}, {20, 24}, {4, 2}, {math.MaxInt64, math.MaxInt64}, {8, math.MaxInt64}} {
		c := New(t.Context(), src, r[0], r[1], cutRule)
		if c.U8("x", ""); c.Ok() || len(c.Nodes()) != 1 || c.Nodes()[0].Span().Len != 0 {
			t.Errorf("[%d, %d): read %s", r[0], r[1], lines(c))
		}
	}
	c := New(t.Context(), src, 2, 100, cutRule)
	if c.Remaining() != 6 {
		t.Errorf("the end is not lowered to the source's: %d left", c.Remaining())
	}
	sub := c.BigEndian().Sub(1, 2)
	if v := sub.U16("x", ""); v != 0x3233 || sub.Remaining() != 0 {
		t.Errorf("sub reads %#x, %d left", v, sub.Remaining())
	}
	if over := c.Sub(6, math.MaxInt64); over.Remaining() != 0 {
		t.Errorf("a range that overflows holds %d bytes", over.Remaining())
	}
}

func TestNegativeLength(t *testing.T) {
	c := over(t.Context(), []byte("abc"))
	c.Text("text", -2, "")
	if c.Ok() || c.Off() != 0 || len(c.Nodes()[0].Problems) != 1 {
		t.Errorf("read %s", lines(c))
	}
}

func TestChecks(t *testing.T) {
	c := over(t.Context(), []byte{9, 8})
	v := c.U8("version", "")
	if c.Check(v == 1, "test.version", 1, v, "unknown version") {
		t.Error("a failed check returns true")
	}
	c.Expect(v%2 == 0, "test.even", "an even number", v, "odd version")
	if !c.Check(v == 9, "test.nine", nil, nil, "") {
		t.Error("a check that holds returns false")
	}
	c.U8("next", "")
	c.Problem(model.Problemf(model.Assumed, "test.assumed", model.Span{}, "not known for sure"))
	want(t, c,
		"version:u8@0x0+1=9 !malformed:test.version at 0x0+1: unknown version (expected 1, found 9)"+
			" !suspicious:test.even at 0x0+1: odd version (expected an even number, found 9)",
		"next:u8@0x1+1=8 !assumed:test.assumed at 0x1+1: not known for sure",
	)
}

func TestCount(t *testing.T) {
	for _, k := range []struct {
		n    uint64
		size int64
		want int64
		ok   bool
	}{
		{0, 8, 0, true}, {2, 4, 2, true}, {3, 3, 3, true}, {3, 4, 2, false},
		{math.MaxUint64, 1, 9, false}, {1 << 63, 8, 1, false}, {1, math.MaxInt64, 0, false},
	} {
		c := over(t.Context(), make([]byte, 10))
		c.U8("count", "")
		got := c.Count(k.n, k.size, "test.count")
		if got != k.want || (len(c.Field().Problems) == 0) != k.ok {
			t.Errorf("%d of %d bytes in 9: got %d, %s", k.n, k.size, got, lines(c))
		}
	}
}

func TestBits(t *testing.T) {
	fields := []Bit{{Name: "low", Width: 3}, {Name: "mid", Width: 1}, {Name: "high", Width: 7}}
	c := over(t.Context(), []byte{0xb5, 0x0e})
	if v := c.Bits("flags", 2, "", fields...); v != 0x0eb5 {
		t.Errorf("read %#x", v)
	}
	want(t, c, "flags:u16@0x0+2=0x0eb5 {low:3 bits@0x0+2/0x7=5; mid:bit@0x0+2/0x8=0; high:7 bits@0x0+2/0x7f0=107; "+
		"unused:5 bits@0x0+2/0xf800=1 padding}")
	c = over(t.Context(), []byte{0x0e, 0xb5}).BigEndian()
	c.Bits("flags", 2, "", fields...)
	want(t, c, "flags:u16@0x0+2=0x0eb5 {low:3 bits@0x0+2/0x700=5; mid:bit@0x0+2/0x800=0; high:7 bits@0x0+2/0xf007=107; "+
		"unused:5 bits@0x0+2/0xf8=1 padding}")
}

func TestBitsTile(t *testing.T) {
	for _, size := range []int64{1, 2, 4, 8} {
		for _, big := range []bool{false, true} {
			for width := uint(1); width <= 70; width += 3 {
				c := over(t.Context(), []byte{1, 2, 3, 4, 5, 6, 7, 8})
				if big {
					c.BigEndian()
				}
				c.Bits("x", size, "", Bit{Name: "a", Width: width}, Bit{Name: "b", Width: 5}, Bit{Name: "c", Width: 64})
				var sum uint64
				n, _ := c.Field().Children.Len(t.Context())
				for i := range n {
					m := c.Field().Children.At(t.Context(), i).Spans[0].Mask
					if m == 0 || sum&m != 0 {
						t.Errorf("size %d, width %d: mask %#x over %#x", size, width, m, sum)
					}
					sum |= m
				}
				if sum != ^uint64(0)>>(64-8*size) {
					t.Errorf("size %d, width %d: the masks make %#x", size, width, sum)
				}
			}
		}
	}
}

func TestGroups(t *testing.T) {
	c := over(t.Context(), []byte{1, 2, 3, 4, 5})
	c.U8("a", "")
	c.Group("outer", "Outer", "", func() {
		c.U8("b", "")
		c.Group("inner", "Inner", "", func() { c.U16("c", "") })
	})
	c.U8("d", "")
	want(t, c, "a:u8@0x0+1=1",
		"outer:Outer@0x1+3 {b:u8@0x1+1=2; inner:Inner@0x2+2 {c:u16@0x2+2=1027}}",
		"d:u8@0x4+1=5")
	if root := c.Node("file", "File", ""); root.Span() != c.Source().Whole() {
		t.Errorf("root spans %s", root.Span())
	}
}

func TestCutInsideGroup(t *testing.T) {
	c := over(t.Context(), []byte{1, 2, 3})
	c.Group("outer", "Outer", "", func() {
		c.U8("a", "")
		c.Group("inner", "Inner", "", func() { c.U32("b", ""); c.U8("c", "") })
		c.Group("never", "Inner", "", func() { c.U32("d", "") })
	})
	c.U8("e", "")
	want(t, c, "outer:Outer@0x0+3 {a:u8@0x0+1=1; inner:Inner@0x1+2 "+
		"{b:u32@0x1+2 !truncated:test.truncated at 0x1+2: b is cut off (expected 4 bytes, found 2 bytes)}}")
}

func TestSized(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6}
	read := func(n int64) *Cursor {
		c := over(t.Context(), data)
		c.Sized("header", "Header", n, "", func() { c.U16("a", ""); c.U8("b", "") })
		c.Rest("tail", model.Unknown, "")
		return c
	}
	want(t, read(3), "header:Header@0x0+3 {a:u16@0x0+2=513; b:u8@0x2+1=3}", "tail:bytes@0x3+3=04 05 06 unknown")
	want(t, read(5), "header:Header@0x0+5 {a:u16@0x0+2=513; b:u8@0x2+1=3; rest:bytes@0x3+2=04 05 unknown}",
		"tail:bytes@0x5+1=06 unknown")
	want(t, read(1), "header:Header@0x0+1 {a:u16@0x0+1 "+
		"!truncated:test.truncated at 0x0+1: a is cut off (expected 2 bytes, found 1 byte)}",
		"tail:bytes@0x1+5=02 03 04 05 06 unknown")
	want(t, read(9), "header:Header@0x0+6 !truncated:test.truncated at 0x0+6: header is cut off (expected 9 bytes, found 6 bytes)"+
		" {a:u16@0x0+2=513; b:u8@0x2+1=3; rest:bytes@0x3+3=04 05 06 unknown}")
	if c := read(9); c.Ok() {
		t.Error("a group that is cut off does not cut")
	}
}

func TestEach(t *testing.T) {
	c := over(t.Context(), []byte("\x01a\x02bc\x03de"))
	c.Each("names", "Name", 9, "", func(_ int64) {
		n := c.U8("length", "")
		c.Text("text", int64(n), "")
	})
	want(t, c, "names:Name[]@0x0+8 {[0]:Name@0x0+2 {length:u8@0x0+1=1; text:text@0x1+1=a}; "+
		"[1]:Name@0x2+3 {length:u8@0x2+1=2; text:text@0x3+2=bc}; "+
		"[2]:Name@0x5+3 {length:u8@0x5+1=3; text:text@0x6+2 "+
		"!truncated:test.truncated at 0x6+2: text is cut off (expected 3 bytes, found 2 bytes)}}")
	c = over(t.Context(), []byte("x"))
	calls := 0
	c.Each("nothing", "Empty", math.MaxUint64, "", func(int64) { calls++ })
	if calls != 1 {
		t.Errorf("elements without bytes were read %d times", calls)
	}
}

func u16(b []byte) model.Value { return model.Uint(binary.LittleEndian.Uint16(b)) }

func TestArray(t *testing.T) {
	data := make([]byte, 1+2*100_000)
	for i := range 100_000 {
		binary.LittleEndian.PutUint16(data[1+2*i:], uint16(i))
	}
	c := over(t.Context(), data)
	c.U8("x", "")
	c.Array("numbers", "u16", 100_000, 2, "", u16)
	tiles(t, c)
	f := c.Field()
	if got := model.Show(t.Context(), f.Value, 12); got != "[0, 1, 2, 3, …]" {
		t.Errorf("shown as %s", got)
	}
	a := f.Value.(model.Array)
	window := make([]model.Value, 70_000)
	n, err := a.Read(t.Context(), 50_000, window)
	if n != 50_000 || err != nil || window[0] != model.Uint(50_000) || window[49_999] != model.Uint(99_999&0xffff) {
		t.Errorf("read %d, %v, %v … %v", n, err, window[0], window[n-1])
	}
	if i, ok := model.Locate(t.Context(), f.Children, c.Source(), 1+2*777+1); !ok || i != 777 {
		t.Errorf("byte of element 777 is in %d, %t", i, ok)
	}
	row := f.Children.At(t.Context(), 777)
	if got := line(t.Context(), &row); got != "[777]:u16@0x613+2=777" {
		t.Errorf("element 777: %s", got)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := a.Read(stopped, 0, window); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read: %v", err)
	}
}

func TestArrayCutOff(t *testing.T) {
	for _, n := range []uint64{4, 1 << 62, math.MaxUint64} {
		c := over(t.Context(), []byte{1, 0, 2, 0, 3})
		c.Array("numbers", "u16", n, 2, "", u16)
		f := c.Nodes()[0]
		count, _ := f.Children.Len(t.Context())
		if c.Ok() || count != 2 || f.Span().Len != 5 || len(f.Problems) != 1 || model.Show(t.Context(), f.Value, 80) != "[1, 2]" {
			t.Errorf("%d elements: %s", n, line(t.Context(), &f))
		}
		tiles(t, c)
	}
}

func TestRecords(t *testing.T) {
	c := over(t.Context(), []byte{0, 1, 7, 0, 2, 8, 9}).BigEndian()
	c.Records("points", "Point", 2, 3, "", func(c *Cursor, i int64) {
		c.U16("id", "")
		c.Check(i == 0, "test.first", nil, nil, "not the first")
	})
	c.U8("end", "")
	want(t, c, "points:Point[]@0x0+6=2 elements {[0]:Point@0x0+3 {id:u16@0x0+2=1; rest:bytes@0x2+1=07 unknown}; "+
		"[1]:Point@0x3+3 {id:u16@0x3+2=2 !malformed:test.first at 0x3+2: not the first; rest:bytes@0x5+1=08 unknown}}",
		"end:u8@0x6+1=9")
}

// changed is a file that lost its bytes after it was opened.
type changed struct{ size int64 }

func (c changed) Size() int64 { return c.size }
func (changed) ReadAt(context.Context, []byte, int64) (int, error) {
	return 0, errors.New("the file has shrunk")
}

func TestUnreadableBytes(t *testing.T) {
	src := model.NewFileSource("test", changed{100})
	reads := map[string]func(c *Cursor){
		"number": func(c *Cursor) { c.U32("x", "") },
		"text":   func(c *Cursor) { c.Text("x", 4, "") },
	}
	for name, read := range reads {
		c := New(t.Context(), src, 0, 100, cutRule)
		if read(c); c.Ok() || len(c.Nodes()[0].Problems) != 1 || c.Nodes()[0].Problems[0].Message != "the file has shrunk" {
			t.Errorf("%s: %s", name, lines(c))
		}
	}
	c := New(t.Context(), src, 0, 100, cutRule)
	c.Array("x", "u16", 10, 2, "", u16)
	if row := c.Field().Children.At(t.Context(), 3); len(row.Problems) != 1 || row.Value != nil {
		t.Errorf("element: %s", line(t.Context(), &row))
	}
	if got := model.Show(t.Context(), c.Field().Value, 80); got != "[…]" {
		t.Errorf("shown as %s", got)
	}
}

func TestFewAllocations(t *testing.T) {
	data := make([]byte, 64)
	src := model.NewFileSource("test", model.BytesReader(data))
	got := testing.AllocsPerRun(100, func() {
		c := New(t.Context(), src, 0, 64, cutRule)
		for range 8 {
			c.U64("x", "")
		}
	})
	// The cursor, two things for each field (its span and its value), and a list that doubles.
	if got > 1+2*8+5 {
		t.Errorf("8 fields take %v allocations", got)
	}
}

// edge is bytes of which the last ones cannot be read.
type edge struct {
	model.BytesReader
	readable int64
}

func (e edge) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off+int64(len(p)) > e.readable {
		return 0, errors.New("no bytes here")
	}
	return e.BytesReader.ReadAt(ctx, p, off)
}

// Fields are read together, but bytes behind a field that cannot be read do not cost it.
func TestUnreadableBehindField(t *testing.T) {
	for readable := range int64(13) {
		c := New(t.Context(), model.NewFileSource("test", edge{[]byte("abcdefghijkl"), readable}), 0, 12, cutRule)
		c.Room(2, 12) // the third field takes memory of its own
		for i := range int64(3) {
			v, whole := c.U32("x", ""), 4*(i+1) <= readable
			if want := binary.LittleEndian.Uint32([]byte("abcdefghijkl"[4*i:])); whole && v != want || !whole && v != 0 || c.Ok() != whole {
				t.Errorf("%d bytes are readable: field %d is %#x, ok %t", readable, i, v, c.Ok())
			}
			if f := c.Field(); whole && (len(f.Spans) != 1 || f.Span().Off != 4*i) {
				t.Errorf("field %d has spans %v", i, f.Spans)
			}
		}
	}
}
