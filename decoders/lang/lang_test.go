package lang

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// file is what the documents of the tests know.
type file struct{ version int64 }

type kindRow struct {
	name  string
	size  int64
	of    Type
	named bool
}

var kindRows = []kindRow{
	1: {"Byte", 1, U8, false},
	2: {"Pair", 4, Rec("Pair"), true},
	3: {"Text", 0, Rec("Text"), true},
	4: {"Nested", 0, Rec("Entry"), false},
}

// all is a language that has one of everything.
func all() *Language {
	return &Language{
		Name: "all", Short: "cut",
		Known: []Known{Know("file.version", "version", func(f *file) int64 { return f.version })},
		Funcs: []Func{{Name: "double", Do: func(_ Scope, args []Value) Value {
			n, _ := args[0].Int()
			return grammar.IntValue(2 * n)
		}}},
		Tables: []*Table{Labels("counts", func(n int64) string {
			if n == 0 {
				return "none"
			}
			return ""
		}), NewTable("kinds", kindRows,
			Label("name", func(r *kindRow) string { return r.name }),
			Number("size", func(r *kindRow) int64 { return r.size }),
			Flag("named", func(r *kindRow) bool { return r.named }),
			Of(func(r *kindRow) Type { return r.of }))},
		Entries: []Entries{{Name: "entries", List: "File.entries[]", Text: func(_ context.Context, _ any, i int64) string { return fmt.Sprintf("entry %d", i) },
			Refs: func(_ context.Context, doc any, i int64, kind string) []model.Ref {
				return []model.Ref{{Kind: kind, Path: fmt.Sprintf("v%d/%d", doc.(*file).version, i)}}
			}}},
		Records: []*Record{
			NewRecord("File",
				F("magic", UTF8("2"), ""),
				F("count", U8, "").NamedBy("counts").Numbered(),
				F("extra", U16, "from version 2 on").If("file.version >= 2"),
				F("entries", Rec("Entry"), "").Times("count"),
				Rest("rest", ""),
			),
			// Then with one byte that chooses, a field before it that depends on that byte, and itself inside of itself.
			NewRecord("Entry",
				F("kind", U8, "").NamedBy("kinds"),
				F("name", Rec("Text"), "").If("kinds[kind].named"),
				Then("kind",
					On(1, F("value", U8, "")),
					On(2, F("value", Rec("Pair"), ""), F("first", U8, "").To("entries", "first")),
					On(3, F("value", Rec("Text"), "")),
					On(4, F("inner", Rec("Entry"), "")),
				).TitledBy("kinds")),
			NewRecord("Pair", F("a", U16, ""), F("b", U16, "").If("file.version >= 2")),
			NewRecord("Text", F("length", U8, ""), F("text", UTF8("length"), "")),
			NewRecord("List(kind)",
				F("flags", U8, "").Parts(B("big", 1, ""), B("mode", 3, "", "plain", "odd")),
				Let("big", "flags.big == 1"),
				F("count", U8, ""),
				F("items", Row("kinds", "kind"), "").Times("count"),
				F("tail", U16, "").If("big"),
			),
			NewRecord("Sums", F("count", I8, ""), F("size", U8, "").EndsIf("count < 0"), F("sums", U8, "").Times("count")),
			NewRecord("Outer",
				F("head", U8, ""),
				F("value", Rec("Text"), "").If("head == 1").Inline().Exactly(),
				F("bytes", Bytes("left"), "").If("left > 0 and head != 3").Unknown(),
				F("bytes", Bytes("left"), "of another kind").If("left > 0 and head == 3"),
			),
			NewRecord("Range", F("length", U8, ""), F("sized", In("length", Rec("Sized")), ""), Rest("rest", "")),
			NewRecord("Sized", F("size", U8, ""), F("count", U8, "").If("size > 0")),
			NewRecord("Padded(most)",
				F("value", Rec("Text"), "").Inline().Leaving("most"),
				F("bytes", Bytes("left"), "").If("left > 0 and not has(value)").Unknown(),
			),
			NewRecord("second Pair", F("c", U8, "")).Titled("Pair"),
		},
		Rules: []Rule{
			{ID: "cut", Help: "bytes are missing"},
			{ID: "magic", On: "File.magic", Soft: "count == 0", Holds: `it == "AL"`, Says: "no file of this kind"},
			{ID: "kind", On: "Entry.kind", Holds: "it in 1..4", Stops: true, Says: "there is no kind {it}: it is {it:#02x}"},
			{ID: "value", On: "Entry.value", Kind: Suspicious, If: "kind == kinds.Byte", Holds: "it <= 100", Says: "{it} is much"},
			{ID: "length", On: "Text.length", Holds: "fits"},
			{ID: "items", On: "List.count", Kind: Truncated, Holds: "fits", Stops: true},
			{ID: "item", On: "List.items[]", Kind: Suspicious, If: "kind == 1", Holds: "it != 7", Want: "not {double(7) - 7}", Says: "item {index} of {count} is 7"},
			{ID: "pair", On: "Pair", Kind: Suspicious, If: "file.version >= 2", Holds: "b >= a", Want: "{a} or more", Found: "{b}", Says: "a is above b", Clause: "3"},
			{ID: "nested", On: "Sized.count", Kind: Truncated, Hard: "beyond > 0", Holds: "it <= after(size)", Want: "at most {after(size)}",
				Says: "{it} things, but {after(size):byte}"},
			{ID: "list", On: "List.items", Kind: Assumed, Holds: "known(items) != 3", Found: "{known(items):item}", Says: "{bytes(items):byte} in three"},
		},
		Looks: []Look{
			{On: "List.items", Node: func(_ Scope, it Value, n *Node) { n.Brief = fmt.Sprintf("%d items", it.List().Known()) }},
			{On: "List.items[]", Node: func(s Scope, _ Value, n *Node) { n.Brief = fmt.Sprintf("item %d", s.Index()) }},
		},
	}
}

// tree reads a record over data, and writes what is shown of it.
func tree(t *testing.T, p *Plan, record, data string, args ...Value) string {
	t.Helper()
	src := model.NewFileSource("test", model.BytesReader(data))
	session := p.Session()
	session.Tile = true
	o := p.Record(record).Open(session, grammar.Whole(src), 0, args...)
	var b strings.Builder
	v := &model.View{Name: model.LayoutView, Of: src, Root: func(ctx context.Context) model.Node { return o.Node(ctx, "file") }}
	err := model.Walk(t.Context(), v.Place(t.Context()), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
		n := &p.Node
		fmt.Fprintf(&b, "%s %s %d+%d", strings.TrimPrefix(p.Path(), "layout/"), n.Type, n.Span().Off, n.Span().Len)
		if n.Value != nil {
			fmt.Fprintf(&b, " = %s", model.Show(t.Context(), n.Value, 40))
		}
		if n.Brief != "" {
			fmt.Fprintf(&b, " (%s)", n.Brief)
		}
		if n.Refs != nil {
			fmt.Fprintf(&b, " ->%s", n.Refs(t.Context())[0].Path)
		}
		for i := range n.Problems {
			fmt.Fprintf(&b, " !%s %s: %s", n.Problems[i].Kind, n.Problems[i].Rule, n.Problems[i].Error())
		}
		if again, err := (&model.Document{Sources: []*model.Source{src}, Views: []*model.View{v}}).Lookup(t.Context(), p.Path()); err != nil || again.Path() != p.Path() {
			fmt.Fprintf(&b, " is not found: %v", err)
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return b.String()
}

func expect(t *testing.T, got string, want ...string) {
	t.Helper()
	if text := strings.Join(want, "\n") + "\n"; got != text {
		t.Errorf("got\n%swant\n%s", got, text)
	}
}

func plan(t *testing.T, version int64) *Plan {
	t.Helper()
	p, err := all().Plan(&file{version})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCases: one flat record for each case, with the byte that chooses known in it.
func TestCases(t *testing.T) {
	expect(t, tree(t, plan(t, 1), "File", "AL\x04\x01\x65\x02\x01x\x05\x00\x09\x04\x01\x07\x09"),
		"layout File 0+15",
		"magic text 0+2 = AL",
		"count u8 2+1 = 4",
		"entries Entry[] 3+12",
		"entries/[0] Byte 3+2",
		"entries/[0]/kind u8 3+1 = Byte",
		"entries/[0]/value u8 4+1 = 101 !suspicious all.value: 101 is much (expected at most 100, found 101)",
		"entries/[1] Pair 5+6",
		"entries/[1]/kind u8 5+1 = Pair",
		"entries/[1]/name Text 6+2",
		"entries/[1]/name/length u8 6+1 = 1",
		"entries/[1]/name/text text 7+1 = x",
		"entries/[1]/value Pair 8+2",
		"entries/[1]/value/a u16 8+2 = 5",
		"entries/[1]/first u8 10+1 = 9 (entry 9) ->v1/9",
		"entries/[2] Nested 11+3",
		"entries/[2]/kind u8 11+1 = Nested",
		"entries/[2]/inner Byte 12+2",
		"entries/[2]/inner/kind u8 12+1 = Byte",
		"entries/[2]/inner/value u8 13+1 = 7",
		"entries/[3] Entry 14+1",
		"entries/[3]/kind u8 14+1 = 9 !malformed all.kind: there is no kind 9: it is 0x09 (expected 1 to 4, found 9)")
	expect(t, tree(t, plan(t, 2), "File", "XL\x02\x01\x00\x01\x02more"),
		"layout File 0+11",
		"magic text 0+2 = XL !malformed all.magic: no file of this kind (expected AL, found XL)",
		"count u8 2+1 = 2",
		"extra u16 3+2 = 1",
		"entries Entry[] 5+3",
		"entries/[0] Byte 5+2",
		"entries/[0]/kind u8 5+1 = Byte",
		"entries/[0]/value u8 6+1 = 2",
		"entries/[1] Entry 7+1",
		"entries/[1]/kind u8 7+1 = 109 !malformed all.kind: there is no kind 109: it is 0x6d (expected 1 to 4, found 109)",
		"rest bytes 8+3 = 6f 72 65")
	expect(t, tree(t, plan(t, 1), "File", "AM\x00"), // a rule that matters less where nothing follows
		"layout File 0+3",
		"magic text 0+2 = AM !suspicious all.magic: no file of this kind (expected AL, found AM)",
		"count u8 2+1 = none (0)",
		"entries Entry[] 3+0")
	expect(t, tree(t, plan(t, 2), "File", "AL\x02\x01\x00\x04"), // a tag that is cut off
		"layout File 0+6",
		"magic text 0+2 = AL",
		"count u8 2+1 = 2",
		"extra u16 3+2 = 1",
		"entries Entry[] 5+1 !truncated all.cut: entries claims 2 bytes, but 1 bytes follow (expected at most 1, found 2)",
		"entries/[0] Nested 5+1",
		"entries/[0]/kind u8 5+1 = Nested",
		"entries/[0]/inner Entry 6+0",
		"entries/[0]/inner/kind u8 6+0 !truncated all.cut: kind is cut off (expected 1 byte, found 0 bytes)")
}

// TestFixed: conditions on what the document knows are decided, so records have a fixed size.
func TestFixed(t *testing.T) {
	for version, want := range map[int64][2]int64{1: {2, 2}, 2: {4, 4}} {
		p := plan(t, version)
		if r := p.Record("Pair"); r.Size() != want[0] || r.Least() != want[1] {
			t.Errorf("version %d: %d bytes, at least %d", version, r.Size(), r.Least())
		}
		if r := p.Record("Entry"); r.Least() != 1 || r.Size() != -1 {
			t.Errorf("an entry has %d bytes, at least %d", r.Size(), r.Least())
		}
	}
	if r := plan(t, 1).Record("List"); r.Offset(r.Field("items")) != 2 {
		t.Errorf("a list after a count that may end its record is at %d", r.Offset(r.Field("items")))
	}
	b := make([]byte, 4)
	n := plan(t, 2).Number("Pair", "b")
	if n.Put(b, 0x1234); n.Off() != 2 || n.U16(b) != 0x1234 || b[2] != 0x34 {
		t.Errorf("b at %d: % x", n.Off(), b)
	}
}

// TestNumbers: fields at the same place in every document are found without one.
func TestNumbers(t *testing.T) {
	file := all().Records[0]
	if n := file.Number("count"); n.Off() != 2 || n.Len() != 1 || file.Least() != 3 {
		t.Errorf("count at %d, %d bytes; the head has %d", n.Off(), n.Len(), file.Least())
	}
	defer func() {
		if recover() == nil {
			t.Error("a field behind a condition is at a fixed place")
		}
	}()
	file.Number("extra")
}

// TestTitled: nodes of a record that shares its title with another.
func TestTitled(t *testing.T) {
	expect(t, tree(t, plan(t, 1), "second Pair", "\x01"), "layout Pair 0+1", "c u8 0+1 = 1")
}

// TestHard: what a range of bytes lacks is missing in the file only where the range ends with it.
func TestHard(t *testing.T) {
	p := plan(t, 1)
	expect(t, tree(t, p, "Range", "\x02\x01\x02"),
		"layout Range 0+3",
		"length u8 0+1 = 2",
		"sized Sized 1+2",
		"sized/size u8 1+1 = 1",
		"sized/count u8 2+1 = 2 !truncated all.nested: 2 things, but 1 byte (expected at most 1, found 2)")
	expect(t, tree(t, p, "Range", "\x02\x01\x02\x07"),
		"layout Range 0+4",
		"length u8 0+1 = 2",
		"sized Sized 1+2",
		"sized/size u8 1+1 = 1",
		"sized/count u8 2+1 = 2 !malformed all.nested: 2 things, but 1 byte (expected at most 1, found 2)",
		"rest bytes 3+1 = 07")
}

// TestNames: functions of a field that other cases have too are of the record's own, and rules name fields of records after them.
func TestNames(t *testing.T) {
	l := &Language{
		Name: "names", Short: "cut",
		Records: []*Record{
			NewRecord("File", F("kind", U8, ""), Then("kind",
				On(1, F("data", Bytes("1"), "")),
				On(2, F("data", Bytes("2"), ""), F("head", Rec("Head"), "")))),
			NewRecord("Head", F("n", U8, "")),
		},
		Rules: []Rule{
			{ID: "data", On: "File.data", Holds: "bytes(data) == 1", Want: "1", Found: "{bytes(data)}", Says: "much"},
			{ID: "kind", On: "File.kind", If: "kind == 2", Holds: "head.n == 1", Want: "1", Found: "{head.n}", Says: "odd"},
		},
	}
	p, err := l.Plan(nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, tree(t, p, "File", "\x01\x02"), "layout File 0+2", "kind u8 0+1 = 1", "data bytes 1+1 = 02")
	expect(t, tree(t, p, "File", "\x02\x03\x04\x05"),
		"layout File 0+4",
		"kind u8 0+1 = 2 !malformed names.kind: odd (expected 1, found 5)",
		"data bytes 1+2 = 03 04 !malformed names.data: much (expected 1, found 2)",
		"head Head 3+1",
		"head/n u8 3+1 = 5")
}

// TestShared: documents that know the same share their records, and no more than so many are kept.
func TestShared(t *testing.T) {
	l := all()
	one, other, again := &file{1}, &file{2}, &file{1}
	if p := l.Shared(again); l.Shared(one).Record("Pair") != p.Record("Pair") || p.Session().Env != again {
		t.Error("two documents of a version have two records, or one session")
	}
	if l.Shared(one).Record("Pair") == l.Shared(other).Record("Pair") {
		t.Error("documents of two versions have one record")
	}
	for v := range int64(maxShared + 5) {
		l.Shared(&file{v})
	}
	if len(l.shared) != maxShared {
		t.Errorf("%d plans are kept", len(l.shared))
	}
}

// TestEqualNames: of two fields of a name that are there together the second is numbered. What is said of the elements of a list
// is not said of a number of its name, and entries may show the numbers that name them.
func TestEqualNames(t *testing.T) {
	l := &Language{
		Name: "equal", Short: "cut",
		Known:   []Known{Know("crate", "version", func(f *file) int64 { return Version(0, uint8(f.version), 0) })},
		Entries: []Entries{{Name: "things", Show: func(_ Scope, it Value, n *Node) { n.Brief = "thing " + it.String() }}},
		Records: []*Record{NewRecord("File",
			Pad("filler", U8, "").If("crate < v0.2.0"),
			F("thing", U8, "").Times("2").If("crate < v0.2.0").To("things", "thing"),
			F("thing", U8, "").If("crate >= v0.2.0").To("things", "thing"),
			Pad("filler", U8, ""))},
		Looks: []Look{{On: "File.thing[]", Node: func(_ Scope, _ Value, n *Node) { n.Brief += " of a list" }}},
	}
	for data, want := range map[string][]string{
		"\x01\x02\x03\x04": {"layout File 0+4", "filler u8 0+1 = 1", "thing u8[] 1+2 = [2, 3]", "thing/[0] u8 1+1 = 2 (thing 2 of a list)",
			"thing/[1] u8 2+1 = 3 (thing 3 of a list)", "filler~2 u8 3+1 = 4"},
		"\x02\x03": {"layout File 0+2", "thing u8 0+1 = 2 (thing 2)", "filler u8 1+1 = 3"},
	} {
		p, err := l.Plan(&file{int64(data[0])})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, tree(t, p, "File", data), want...)
	}
	if got := strings.Join(l.Exceptions(), ", "); got != "look on File.thing[], look on numbers of things" {
		t.Error(got)
	}
}

// TestLists: the type of a list is chosen once, and rules are of it or of its elements.
func TestLists(t *testing.T) {
	p := plan(t, 2)
	expect(t, tree(t, p, "List", "\x05\x03\x06\x07\x08\xff\x01", grammar.IntValue(1)),
		"layout List 0+7",
		"flags u8 0+1 = 5",
		"flags/big bit 0+1 = true",
		"flags/mode bits 0+1 = 2",
		"flags/unused bits 0+1 = 0",
		"count u8 1+1 = 3",
		"items u8[] 2+3 = [6, 7, 8] (3 items) !assumed all.list: 3 bytes in three (expected nothing, found 3 items)",
		"items/[0] u8 2+1 = 6 (item 0)",
		"items/[1] u8 3+1 = 7 (item 1) !suspicious all.item: item 1 of 3 is 7 (expected not 7, found 7)",
		"items/[2] u8 4+1 = 8 (item 2)",
		"tail u16 5+2 = 511")
	expect(t, tree(t, p, "List", "\x02\x02\x09\x00\x02\x00\x03\x00\x04\x00", grammar.IntValue(2)),
		"layout List 0+10",
		"flags u8 0+1 = 2",
		"flags/big bit 0+1 = false",
		"flags/mode bits 0+1 = odd",
		"flags/unused bits 0+1 = 0",
		"count u8 1+1 = 2",
		"items Pair[] 2+8 (2 items)",
		"items/[0] Pair 2+4 (item 0) !suspicious all.pair: a is above b (expected 9 or more, found 2)",
		"items/[0]/a u16 2+2 = 9",
		"items/[0]/b u16 4+2 = 2",
		"items/[1] Pair 6+4 (item 1)",
		"items/[1]/a u16 6+2 = 3",
		"items/[1]/b u16 8+2 = 4")
	expect(t, tree(t, p, "List", "\x00\x03\x01\x00\x02\x00\x03\x00\x04\x00", grammar.IntValue(2)),
		"layout List 0+10",
		"flags u8 0+1 = 0",
		"flags/big bit 0+1 = false",
		"flags/mode bits 0+1 = plain",
		"flags/unused bits 0+1 = 0",
		"count u8 1+1 = 3 !truncated all.items: count claims 3 elements of at least 4 bytes, but 8 bytes follow (expected at most 2, found 3)",
		"rest bytes 2+8 = 01 00 02 00 03 00 04 00")
}

// TestEndsIf: a record ends after a field where a condition holds, and what follows is not read.
func TestEndsIf(t *testing.T) {
	p := plan(t, 1)
	expect(t, tree(t, p, "Sums", "\x01\x02\x03"),
		"layout Sums 0+3",
		"count i8 0+1 = 1",
		"size u8 1+1 = 2",
		"sums u8[] 2+1 = [3]",
		"sums/[0] u8 2+1 = 3")
	expect(t, tree(t, p, "Sums", "\xff\x02\x03"),
		"layout Sums 0+3",
		"count i8 0+1 = -1",
		"size u8 1+1 = 2",
		"rest bytes 2+1 = 03")
}

// TestInline: the fields of a record in place of a field that is there only where it takes all bytes.
func TestInline(t *testing.T) {
	p := plan(t, 1)
	expect(t, tree(t, p, "Outer", "\x01\x02ab"),
		"layout Outer 0+4",
		"head u8 0+1 = 1",
		"length u8 1+1 = 2",
		"text text 2+2 = ab")
	for _, data := range []string{"\x01\x02abc", "\x01\x04abc", "\x02\x02ab", "\x03\x02ab"} {
		expect(t, tree(t, p, "Outer", data),
			fmt.Sprintf("layout Outer 0+%d", len(data)),
			fmt.Sprintf("head u8 0+1 = %d", data[0]),
			fmt.Sprintf("bytes bytes 1+%d = % x", len(data)-1, data[1:]))
	}
}

// TestLeaving: a field that may leave some bytes is absent where it leaves more.
func TestLeaving(t *testing.T) {
	p := plan(t, 1)
	for data, fields := range map[string][]string{
		"\x02ab":    {"length u8 0+1 = 2", "text text 1+2 = ab"},
		"\x01ab":    {"length u8 0+1 = 1", "text text 1+1 = a", "rest bytes 2+1 = 62"},
		"\x01abcd":  {"bytes bytes 0+5 = 01 61 62 63 64"},
		"\x09abcde": {"bytes bytes 0+6 = 09 61 62 63 64 65"},
	} {
		expect(t, tree(t, p, "Padded", data, grammar.IntValue(1)), append([]string{fmt.Sprintf("layout Padded 0+%d", len(data))}, fields...)...)
	}
}

// TestCompile: a record that a file describes.
func TestCompile(t *testing.T) {
	p := plan(t, 2)
	r, err := p.Compile(NewRecord("made", F("a", BytesN(2), ""), F("b", U16, "").Times("3"), F("pair", Rec("Pair"), "").If("double(2) == 4")))
	if err != nil || r.Least() != 8 {
		t.Fatalf("%v, at least %d bytes", err, r.Least())
	}
	r, err = p.Compile(NewRecord("made", F("a", U8, ""), F("a~2", U8, ""), F("a", U8, ""), F("a", U8, "")))
	if err != nil || r.Fields[1].Name != "a~2" || r.Fields[2].Name != "a~3" || r.Fields[3].Name != "a~4" {
		t.Errorf("fields of one name: %v", err)
	}
	label := func(_ Scope, it Value, n *Node) { n.Brief = "looked at " + it.Kind().String() }
	r, err = p.Compile(NewRecord("made", F("a", U8, "").Look(label), F("b", U8, "").Times("2").Look(label)))
	if err != nil {
		t.Fatal(err)
	}
	src := model.NewFileSource("test", model.BytesReader([]byte{1, 2, 3}))
	nodes := r.Open(p.Session(), grammar.Whole(src), 0).Nodes(t.Context())
	if len(nodes) != 2 || nodes[0].Brief != "looked at a number" || nodes[1].Brief != "looked at a list" || nodes[1].Children.At(t.Context(), 1).Brief != "" {
		t.Errorf("looks of single fields: %+v", nodes)
	}
	if _, err := p.Compile(NewRecord("made", F("a", U8, "").If("b"))); err == nil || !strings.Contains(err.Error(), `no field, parameter or value "b"`) {
		t.Errorf("of a name that is not there: %v", err)
	}
	r, err = p.Compile(NewRecord("made", F("size~1", U8, ""), F("block~1", Bytes("size_1"), "")),
		Rule{ID: "size", On: "made.size~1", Holds: "it in 0..room", Stops: true, Want: "0 to {room}", Says: "too large"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"\x02ab": "[] []", "\x03ab": "[too large (expected 0 to 2, found 3)]"} {
		src := model.NewFileSource("made", model.BytesReader(text))
		var got []string
		for _, n := range r.Open(p.Session(), grammar.Whole(src), 0).Nodes(t.Context()) {
			got = append(got, fmt.Sprint(n.Problems))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %s, want %s", text, got, want)
		}
	}
}

// TestMistakes: Build finds each mistake, also in cases and texts.
func TestMistakes(t *testing.T) {
	for want, spoil := range map[string]func(l *Language){
		`no field, parameter or value "cuont"`:         func(l *Language) { l.Records[0].Fields[3].Times("cuont") },
		`no record "Entri"`:                            func(l *Language) { l.Records[0].Fields[3].of = Rec("Entri") },
		"List takes 1 arguments":                       func(l *Language) { l.Records[0].Fields[3].of = Rec("List") },
		`no table or function "kind"`:                  func(l *Language) { l.Records[1].Fields[0].table = "kind" },
		`no table "kinks" with types`:                  func(l *Language) { l.Records[4].Fields[3].of = Row("kinks", "kind") },
		`no entries "entry"`:                           func(l *Language) { l.Records[0].Fields[1].To("entry", "") },
		`rule magic on File.magick: File has no field`: func(l *Language) { l.Rules[1].On = "File.magick" },
		`rule magic on Fil.magic: no record "Fil"`:     func(l *Language) { l.Rules[1].On = "Fil.magic" },
		`look on List.item: List has no field`:         func(l *Language) { l.Looks[0].On = "List.item" },
		"rule magic: it says nothing":                  func(l *Language) { l.Rules[1].Holds = "" },
		`"{it" at`:                                     func(l *Language) { l.Rules[1].Says = "{it" },
		`no function "triple"`:                         func(l *Language) { l.Rules[6].Want = "{triple(1)}" },
		`rule all.value: in "vale <= 100"`:             func(l *Language) { l.Rules[3].Holds = "vale <= 100" },
		`two of the kind record are named "Pair"`:      func(l *Language) { l.Records = append(l.Records, NewRecord("Pair", F("a", U8, ""))) },
		`"length" has no methods here`:                 func(l *Language) { l.Records[3].Fields[1].of = UTF8("length.length(1)") },
		`a string and an integer can't be compared`:    func(l *Language) { l.Rules[1].Holds = "it == 1" },
		`"big" is told by itself`:                      func(l *Language) { l.Records[4].Fields[1].value = "big" },
		`in "kind +" at`:                               func(l *Language) { l.Records[1].Fields[2].on = "kind +" },
		`value "file.versoin"`:                         func(l *Language) { l.Records[0].Fields[2].If("file.versoin > 1") },
		`rule all.item: in "kind == 1 or"`:             func(l *Language) { l.Rules[6].If = "kind == 1 or" },
		`rule all.length: in "{room:}"`:                func(l *Language) { l.Rules[4].Says = "{room:}" },
		`no record "File1"`:                            func(l *Language) { l.Entries[0].List = "File1.entries[]" },
		`rule all.value: in "{it.x}"`:                  func(l *Language) { l.Rules[3].Says = "{it.x}" },
		`"has" takes the name of a field`:              func(l *Language) { l.Records[0].Fields[2].If("has(1)") },
	} {
		if spoil == nil {
			continue
		}
		l := all()
		spoil(l)
		if err := l.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if err := all().Build(); err != nil {
		t.Error(err)
	}
}

func TestRuleList(t *testing.T) {
	list := all().RuleList()
	if len(list) != 10 || list[0] != (model.Rule{ID: "all.cut", Help: "bytes are missing"}) || list[1].Help != "no file of this kind" {
		t.Errorf("%v", list)
	}
	if got := strings.Join(all().Exceptions(), ", "); got != "func double, look on List.items, look on List.items[], table counts" {
		t.Error(got)
	}
}
