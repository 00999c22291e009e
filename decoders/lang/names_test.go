package lang

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// named is a language with all that an expression may name.
func named() *Language {
	type square struct {
		name string
		n    int64
	}
	know := func(name string, n int64) Known { return Know(name, "", func(any) int64 { return n }) }
	return &Language{
		Name: "named", Short: "cut",
		Known: []Known{know("crate", Version(0, 7, 0)), know("crate.coded", 1)},
		Funcs: []Func{{Name: "twice", Do: func(_ Scope, args []Value) Value {
			n, _ := args[0].Int()
			return grammar.IntValue(2 * n)
		}}},
		Tables: []*Table{NewTable("rows", []square{{"zero", 0}, {"one", 1}, {"two", 4}, {"three", 9}},
			Label("name", func(row *square) string { return row.name }), Number("square", func(row *square) int64 { return row.n }))},
		Records: []*Record{NewRecord("inner", F("x y", U8, ""))},
	}
}

// namesRecord returns a record with fields of all kinds, over namesBytes, and more.
func namesRecord(t *testing.T, more ...*Field) (*grammar.Record, error) {
	t.Helper()
	p, err := named().Plan("")
	if err != nil {
		t.Fatal(err)
	}
	return p.Compile(NewRecord("test(given)", append([]*Field{
		F("a", U8, "").Parts(B("low", 4, ""), B("high", 3, ""), B("top", 1, "")),
		F("b", I16, ""),
		F("huge", U64, ""),
		F("count", U8, "").If("a > 0x20"),
		F("absent", U8, "").If("a == 1"),
		F("items", U16, "").Times("count"),
		F("text", UTF8("count + 1"), ""),
		F("inner", Rec("inner"), ""),
		F("real", F64, ""),
	}, more...)...))
}

var namesBytes = []byte{0xA5, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0x80, 2, 1, 0, 2, 0, 'a', 'b', 'c', 9, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F, 0xEE}

// over returns the stream of some bytes.
func over(data []byte) grammar.Stream {
	return grammar.Whole(model.NewFileSource("test", model.BytesReader(data)))
}

func TestExpressions(t *testing.T) {
	for _, one := range []struct {
		text string
		want Value
	}{
		{"a", grammar.IntValue(0xA5)},
		{"a.low + a.high * 100", grammar.IntValue(5 + 200)},
		{"a.top and a.low == 5", grammar.BoolValue(true)},
		{"b", grammar.IntValue(-2)},
		{"b * 4 - 1", grammar.IntValue(-9)},
		{"b / 4", grammar.IntValue(-1)},
		{"b % 4", grammar.IntValue(2)},
		{"b >> 1", grammar.IntValue(-1)},
		{"huge", grammar.UintValue(1 << 63)},
		{"huge + 1", grammar.IntValue(math.MaxInt64)},
		{"huge - 1 > 0", grammar.BoolValue(true)},
		{"huge * huge", grammar.IntValue(math.MaxInt64)},
		{"b * huge", grammar.IntValue(math.MinInt64)},
		{"huge == 0x8000000000000000", grammar.BoolValue(true)},
		{"huge == 0x8000000000000001", grammar.BoolValue(false)},
		{"huge in (1, 0x8000000000000000)", grammar.BoolValue(true)},
		{"huge >> 63", grammar.IntValue(1)},
		{"huge & 0x8000000000000000 != 0", grammar.BoolValue(true)},
		{"huge &^ 0x8000000000000000", grammar.IntValue(0)},
		{"1 << 70", grammar.IntValue(math.MaxInt64)},
		{"count * 8", grammar.IntValue(16)},
		{"absent", Value{}},
		{"absent + 1", grammar.IntValue(1)},
		{"has(absent) ? absent : count", grammar.IntValue(2)},
		{"has(count)", grammar.BoolValue(true)},
		{"absent == 0 and not absent", grammar.BoolValue(true)},
		{"known(items) == count", grammar.BoolValue(true)},
		{"items[1]", grammar.IntValue(2)},
		{"bytes(items)", grammar.IntValue(4)},
		{"text == \"abc\"", grammar.BoolValue(true)},
		{"text in (\"x\", \"abc\")", grammar.BoolValue(true)},
		{"inner.x_y", grammar.IntValue(9)},
		{"real == real", grammar.BoolValue(false)},
		{"left", grammar.IntValue(1)},
		{"pos", grammar.IntValue(28)},
		{"start", grammar.IntValue(0)},
		{"depth", grammar.IntValue(0)},
		{"crate >= v0.7.0 and crate < v0.8.0", grammar.BoolValue(true)},
		{"crate.coded ? 1 : 2", grammar.IntValue(1)},
		{"rows.three + 1", grammar.IntValue(4)},
		{"rows[count].square", grammar.IntValue(4)},
		{"twice(count) + 1", grammar.IntValue(5)},
		{"min(count, 100) + max(1, 3)", grammar.IntValue(5)},
		{"a in 1..0xA4", grammar.BoolValue(false)},
		{"a in (0xA5, 'i')", grammar.BoolValue(true)},
		{"given + 1", grammar.IntValue(12)},
		{"root.given", grammar.IntValue(11)},
		{"root.count", grammar.IntValue(2)},
		{"~a & 0xff", grammar.IntValue(0x5A)},
	} {
		rec, err := namesRecord(t, Shows("result", E(one.text), ""))
		if err != nil {
			t.Errorf("%s: %v", one.text, err)
			continue
		}
		r := grammar.NewReading(t.Context(), grammar.Near)
		o := rec.Read(r, &grammar.Session{}, over(namesBytes), 0, grammar.IntValue(11))
		got, err := o.Scope(r).Value(rec.Field("result"))
		if err != nil || got.Kind() != one.want.Kind() || got.String() != one.want.String() {
			t.Errorf("%s is %v (%s), %v, want %v (%s)", one.text, got, got.Kind(), err, one.want, one.want.Kind())
		}
	}
}

func TestExpressionMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"a +":             `in "a +" at 4: a value is missing at the end of "a +"`,
		"nobody + 1":      `in "nobody + 1" at 1: no field, parameter or value "nobody"`,
		"1 + inner.z":     `in "1 + inner.z" at 11: "inner" has no field "z"`,
		"a.middle":        `in "a.middle" at 3: the number "a" has no part "middle"`,
		"text + 1":        `in "text + 1" at 6: "+" can't be applied to a string and an integer`,
		"count == text":   `in "count == text" at 7: an integer and a string can't be compared`,
		"min(1)":          `in "min(1)" at 1: "min" takes 2 arguments, not 1`,
		"thrice(1)":       `in "thrice(1)" at 1: no function "thrice"`,
		"has(1 + 2)":      `in "has(1 + 2)" at 7: "has" takes the name of a field`,
		"count.length(1)": `in "count.length(1)" at 7: "length" has no methods here; there are functions, such as min(a, b)`,
		"text ? 1 : 2":    `in "text ? 1 : 2" at 1: the condition of ? : is a boolean, not a string`,
		"rows[a].other":   `in "rows[a].other" at 9: no table "rows" with a column "other"`,
	} {
		if _, err := namesRecord(t, Shows("result", E(text), "")); err == nil || err.Error() != `field "result": `+want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

// BenchmarkExpressions computes expressions as text beside the same as functions of Go, in turns: a noisy machine slows both.
func BenchmarkExpressions(b *testing.B) {
	p, err := named().Plan("")
	if err != nil {
		b.Fatal(err)
	}
	rec, err := p.Compile(NewRecord("bench", F("bits", U32, ""), F("count", U32, ""), F("huge", U64, ""), F("there", U8, "").If("bits != 0")))
	if err != nil {
		b.Fatal(err)
	}
	r := grammar.NewReading(b.Context(), grammar.Near)
	o := rec.Read(r, &grammar.Session{}, over(make([]byte, 17)), 0)
	s := o.Scope(r)
	bits, count, huge := rec.Field("bits"), rec.Field("count"), rec.Field("huge")
	for _, one := range []struct {
		text    string
		closure func(s Scope) Value
	}{
		{"count * 8", func(s Scope) Value { return grammar.IntValue(s.Int(count) * 8) }},
		{"bits & 0x20 != 0", func(s Scope) Value { return grammar.BoolValue(s.Int(bits)&0x20 != 0) }},
		{"bits & 2 != 0 or count > 0 or count == 7", func(s Scope) Value {
			return grammar.BoolValue(s.Int(bits)&2 != 0 || s.Int(count) > 0 || s.Int(count) == 7)
		}},
		{"crate >= v0.5.0", func(s Scope) Value { return grammar.BoolValue(s.Env() == nil) }},
		{"huge > 7", func(s Scope) Value {
			v, _ := s.Value(huge)
			n, _ := v.Uint()
			return grammar.BoolValue(n > 7)
		}},
		{"bits in 1..4", func(s Scope) Value { n := s.Int(bits); return grammar.BoolValue(n >= 1 && n <= 4) }},
		{"bits in (1, 2, 4, 8)", func(s Scope) Value { n := s.Int(bits); return grammar.BoolValue(n == 1 || n == 2 || n == 4 || n == 8) }},
	} {
		code, err := (&expression{E(one.text), &words{program: p.program}}).Compile(rec)
		if err != nil {
			b.Fatal(err)
		}
		text := code.Number()
		b.Run(one.text, func(b *testing.B) {
			least := [2]time.Duration{time.Hour, time.Hour}
			const times = 1000
			for b.Loop() {
				for k, compute := range [2]func() (int64, error){
					func() (int64, error) { n, _ := one.closure(s).Integer(); return n, nil },
					func() (int64, error) { return text(s) },
				} {
					start := time.Now()
					for range times {
						if n, err := compute(); err != nil || n > 1 {
							b.Fatal(n, err)
						}
					}
					least[k] = min(least[k], time.Since(start))
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(least[0].Nanoseconds())/times, "closure-ns")
			b.ReportMetric(float64(least[1].Nanoseconds())/times, "text-ns")
		})
	}
}

// BenchmarkConditions reads records of ten fields, eight of which have conditions.
func BenchmarkConditions(b *testing.B) {
	p, err := named().Plan("")
	if err != nil {
		b.Fatal(err)
	}
	words := &words{program: p.program}
	record := func(condition func(bits *grammar.Field, bit int64) grammar.Expr) *grammar.Record {
		fields := []*grammar.Field{{Name: "bits", Of: U32}, {Name: "last", Of: U32}}
		for i := range 8 {
			f := &grammar.Field{Name: string(rune('a' + i)), Of: U32, Condition: condition(fields[0], 1<<i)}
			fields = append(fields, f)
		}
		rec := &grammar.Record{Title: "bench", Fields: fields}
		if err := rec.Build(); err != nil {
			b.Fatal(err)
		}
		return rec
	}
	data := make([]byte, 40)
	for i := range data {
		data[i] = 0xff
	}
	for _, one := range []struct {
		name      string
		condition func(bits *grammar.Field, bit int64) grammar.Expr
	}{
		{"none", func(*grammar.Field, int64) grammar.Expr { return nil }},
		{"closures", func(bits *grammar.Field, bit int64) grammar.Expr {
			return grammar.Computed(func(s Scope) (Value, error) { return grammar.BoolValue(s.Int(bits)&bit != 0), nil })
		}},
		{"text", func(_ *grammar.Field, bit int64) grammar.Expr {
			return &expression{E(fmt.Sprintf("bits & %d != 0", bit)), words}
		}},
		{"version", func(*grammar.Field, int64) grammar.Expr { return &expression{"crate >= v0.7.0", words} }},
	} {
		rec := record(one.condition)
		b.Run(one.name, func(b *testing.B) {
			r := grammar.NewReading(b.Context(), grammar.Near)
			in := over(data)
			for b.Loop() {
				rec.Read(r, &grammar.Session{}, in, 0).Release(r)
			}
		})
	}
}

// FuzzExpressions holds that no text makes the compiler or what it compiles panic.
func FuzzExpressions(f *testing.F) {
	text, err := os.ReadFile("../expr/testdata/builtin.tsv")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		x, _, _ := strings.Cut(line, "\t")
		f.Add(x)
	}
	for _, seed := range []string{"a / 0", "1 << -1", "items[9]", "[1, 2][5]", "root.root.up", "given.a", "rows[-1].square", "text + text", `f"{text}{a:x}"`, "inner == text",
		"huge ^ b", "~huge", "[1, real][0] in (1, text)", "bytes(up)", "known(text)", "has(it)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x := E(text)
		rec, err := namesRecord(t, F("more", U8, "").At(x).If(x), Shows("result", x, ""))
		if err != nil {
			return
		}
		r := grammar.NewReading(t.Context(), grammar.Near)
		session := &grammar.Session{Truncated: "cut"}
		o := rec.Read(r, session, over(namesBytes), 0, grammar.IntValue(11))
		_, _ = o.Scope(r).Value(rec.Field("result"))
		_, _ = o.Scope(r).Value(rec.Field("more"))
		rec.Read(r, session, over(namesBytes[:15]), 0, grammar.StringValue("text"))
	})
}

// TestHiddenNumber: a Let hides the number of its name, also from lists that are measured by the heads of their elements.
func TestHiddenNumber(t *testing.T) {
	l := &Language{Name: "hidden", Short: "cut", Records: []*Record{
		NewRecord("Hidden", F("length", U8, ""), Let("length", "2"), F("text", Bytes("length"), "")),
		NewRecord("Plain", F("length", U8, ""), F("text", Bytes("length"), "").If("length > 0")),
		NewRecord("File", F("count", U8, ""), F("hidden", Rec("Hidden"), "").Times("count"), F("plain", Rec("Plain"), "").ToEnd())}}
	p, err := l.Plan(nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, tree(t, p, "File", "\x02\x09ab\x00cd\x01e\x00"),
		"layout File 0+10", "count u8 0+1 = 2",
		"hidden Hidden[] 1+6",
		"hidden/[0] Hidden 1+3", "hidden/[0]/length u8 1+1 = 9", "hidden/[0]/text bytes 2+2 = 61 62",
		"hidden/[1] Hidden 4+3", "hidden/[1]/length u8 4+1 = 0", "hidden/[1]/text bytes 5+2 = 63 64",
		"plain Plain[] 7+3",
		"plain/[0] Plain 7+2", "plain/[0]/length u8 7+1 = 1", "plain/[0]/text bytes 8+1 = 65",
		"plain/[1] Plain 9+1", "plain/[1]/length u8 9+1 = 0")
}
