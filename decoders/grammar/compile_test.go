package grammar

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"cutaway/decoders/expr"
)

// words is a vocabulary for tests.
type testWords map[string]int64

// Name finds numbers.
func (w testWords) Name(name string) (*Value, bool) {
	n, ok := w[name]
	v := IntValue(n)
	return &v, ok
}

// Column finds the squares.
func (testWords) Column(table, column string) (Column, bool) {
	return Column{Type: expr.IntType, At: func(row int64) (Value, bool) { return IntValue(row * row), row >= 0 && row < 10 }}, table == "rows" && column == "square"
}

// Func finds twice(n).
func (testWords) Func(name string) (Function, bool) {
	return Function{Args: 1, Type: expr.IntType, Do: func(_ Scope, args []Value) (Value, error) {
		n, _ := args[0].Int()
		return IntValue(2 * n), nil
	}}, name == "twice"
}

// formulaRecord has fields of all kinds, over formulaBytes.
func formulaRecord() *Record {
	inner := &Record{Title: "inner", Fields: []*Field{{Name: "x y", Of: U8}}}
	return &Record{Title: "test", Params: []string{"given"}, Vocabulary: testWords{"crate": 7 << 8, "crate.coded": 1, "rows.three": 3}, Fields: []*Field{
		{Name: "a", Of: U8, Parts: []Bit{{Name: "low", Width: 4}, {Name: "high", Width: 3}, {Name: "top", Width: 1}}},
		{Name: "b", Of: I16},
		{Name: "huge", Of: U64},
		{Name: "count", Of: U8, Condition: Formula("a > 0x20")},
		{Name: "absent", Of: U8, Condition: Formula("a == 1")},
		{Name: "items", Of: U16, Repeat: times("count")},
		{Name: "text", Of: UTF8, Extent: sized("count + 1")},
		{Name: "inner", Of: inner},
		{Name: "real", Of: F64},
	}}
}

var formulaBytes = []byte{0xA5, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0x80, 2, 1, 0, 2, 0, 'a', 'b', 'c', 9, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F, 0xEE}

func TestFormula(t *testing.T) {
	for _, one := range []struct {
		text string
		want Value
	}{
		{"a", IntValue(0xA5)},
		{"a.low + a.high * 100", IntValue(5 + 200)},
		{"a.top and a.low == 5", BoolValue(true)},
		{"b", IntValue(-2)},
		{"b * 4 - 1", IntValue(-9)},
		{"b / 4", IntValue(-1)},
		{"b % 4", IntValue(2)},
		{"b >> 1", IntValue(-1)},
		{"huge", UintValue(1 << 63)},
		{"huge + 1", IntValue(math.MaxInt64)},
		{"huge - 1 > 0", BoolValue(true)},
		{"huge * huge", IntValue(math.MaxInt64)},
		{"b * huge", IntValue(math.MinInt64)},
		{"huge == 0x8000000000000000", BoolValue(true)},
		{"huge == 0x8000000000000001", BoolValue(false)},
		{"huge in (1, 0x8000000000000000)", BoolValue(true)},
		{"huge >> 63", IntValue(1)},
		{"huge & 0x8000000000000000 != 0", BoolValue(true)},
		{"huge &^ 0x8000000000000000", IntValue(0)},
		{"1 << 70", IntValue(math.MaxInt64)},
		{"count * 8", IntValue(16)},
		{"absent", Value{}},
		{"absent + 1", IntValue(1)},
		{"has(absent) ? absent : count", IntValue(2)},
		{"has(count)", BoolValue(true)},
		{"absent == 0 and not absent", BoolValue(true)},
		{"known(items) == count", BoolValue(true)},
		{"items[1]", IntValue(2)},
		{"bytes(items)", IntValue(4)},
		{"text == \"abc\"", BoolValue(true)},
		{"text in (\"x\", \"abc\")", BoolValue(true)},
		{"inner.x_y", IntValue(9)},
		{"real == real", BoolValue(false)},
		{"left", IntValue(1)},
		{"pos", IntValue(28)},
		{"start", IntValue(0)},
		{"depth", IntValue(0)},
		{"crate >= v0.7.0 and crate < v0.8.0", BoolValue(true)},
		{"crate.coded ? 1 : 2", IntValue(1)},
		{"rows.three + 1", IntValue(4)},
		{"rows[count].square", IntValue(4)},
		{"twice(count) + 1", IntValue(5)},
		{"min(count, 100) + max(1, 3)", IntValue(5)},
		{"a in 1..0xA4", BoolValue(false)},
		{"a in (0xA5, 'i')", BoolValue(true)},
		{"given + 1", IntValue(12)},
		{"root.given", IntValue(11)},
		{"root.count", IntValue(2)},
		{"~a & 0xff", IntValue(0x5A)},
	} {
		rec := formulaRecord()
		rec.Fields = append(rec.Fields, &Field{Name: "result", Computed: Formula(one.text)})
		if err := rec.Build(); err != nil {
			t.Errorf("%s: %v", one.text, err)
			continue
		}
		r := NewReading(t.Context(), Near)
		o := rec.Read(r, session(), over(formulaBytes), 0, IntValue(11))
		got, err := o.Scope(r).Value(rec.Field("result"))
		if err != nil || !got.same(one.want) {
			t.Errorf("%s is %v (%s), %v, want %v (%s)", one.text, got, got.kind, err, one.want, one.want.kind)
		}
	}
}

func TestFormulaErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a +":             `in "a +" at 4: a value is missing at the end of "a +"`,
		"nobody + 1":      `in "nobody + 1" at 1: no field, parameter or value "nobody"`,
		"1 + inner.z":     `in "1 + inner.z" at 11: "inner" has no field "z"`,
		"a.middle":        `in "a.middle" at 3: the number "a" has no part "middle"`,
		"text + 1":        `in "text + 1" at 6: "+" can't be applied to a string and an integer`,
		"count == text":   `in "count == text" at 7: an integer and a string can't be compared`,
		"twice(1, 2)":     `in "twice(1, 2)" at 1: "twice" takes 1 arguments, not 2`,
		"thrice(1)":       `in "thrice(1)" at 1: no function "thrice"`,
		"has(1 + 2)":      `in "has(1 + 2)" at 7: "has" takes the name of a field`,
		"count.length(1)": `in "count.length(1)" at 7: "length" has no methods here; there are functions, such as min(a, b)`,
		"text ? 1 : 2":    `in "text ? 1 : 2" at 1: the condition of ? : is a boolean, not a string`,
		"rows[a].other":   `in "rows[a].other" at 9: no table "rows" with a column "other"`,
	} {
		rec := formulaRecord()
		rec.Fields = append(rec.Fields, &Field{Name: "result", Computed: Formula(text)})
		if err := rec.Build(); err == nil || err.Error() != `field "result": `+want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

// BenchmarkFormula computes expressions as text beside the same as functions of Go, in turns: a noisy machine slows both.
func BenchmarkFormula(b *testing.B) {
	rec := &Record{Title: "bench", Vocabulary: testWords{"crate": 7 << 8},
		Fields: []*Field{{Name: "bits", Of: U32}, {Name: "count", Of: U32}, {Name: "huge", Of: U64}, {Name: "there", Of: U8, Condition: Formula("bits != 0")}}}
	if err := rec.Build(); err != nil {
		b.Fatal(err)
	}
	r := NewReading(b.Context(), Near)
	o := rec.Read(r, session(), over(make([]byte, 17)), 0)
	s := o.Scope(r)
	bits, count, huge := rec.Field("bits"), rec.Field("count"), rec.Field("huge")
	for _, one := range []struct {
		text    string
		closure func(s Scope) Value
	}{
		{"count * 8", func(s Scope) Value { return IntValue(s.Int(count) * 8) }},
		{"bits & 0x20 != 0", func(s Scope) Value { return BoolValue(s.Int(bits)&0x20 != 0) }},
		{"bits & 2 != 0 or count > 0 or count == 7", func(s Scope) Value { return BoolValue(s.Int(bits)&2 != 0 || s.Int(count) > 0 || s.Int(count) == 7) }},
		{"crate >= v0.5.0", func(s Scope) Value { return BoolValue(s.Env() == nil) }},
		{"huge > 7", func(s Scope) Value {
			v, _ := s.Value(huge)
			n, _ := v.Uint()
			return BoolValue(n > 7)
		}},
		{"bits in 1..4", func(s Scope) Value { n := s.Int(bits); return BoolValue(n >= 1 && n <= 4) }},
		{"bits in (1, 2, 4, 8)", func(s Scope) Value { n := s.Int(bits); return BoolValue(n == 1 || n == 2 || n == 4 || n == 8) }},
	} {
		text := Formula(one.text)
		if err := text.bind(rec); err != nil {
			b.Fatal(err)
		}
		b.Run(one.text, func(b *testing.B) {
			least := [2]time.Duration{time.Hour, time.Hour}
			const times = 1000
			for b.Loop() {
				for k, compute := range [2]func() (int64, error){
					func() (int64, error) { return int64(one.closure(s).bits), nil },
					func() (int64, error) { return evalInt(text, s) },
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
	record := func(condition func(bit int64) Expr) *Record {
		fields := []*Field{{Name: "bits", Of: U32}, {Name: "last", Of: U32}}
		for i := range 8 {
			f := &Field{Name: string(rune('a' + i)), Of: U32}
			f.Condition = condition(1 << i)
			fields = append(fields, f)
		}
		rec := &Record{Title: "bench", Fields: fields, Vocabulary: testWords{"crate": 7 << 8}}
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
		condition func(bit int64) Expr
	}{
		{"none", func(int64) Expr { return nil }},
		{"closures", func(bit int64) Expr {
			return Computed(func(s Scope) (Value, error) { return BoolValue(s.Int(s.o.rec.Fields[0])&bit != 0), nil })
		}},
		{"text", func(bit int64) Expr { return Formula(fmt.Sprintf("bits & %d != 0", bit)) }},
		{"version", func(int64) Expr { return Formula("crate >= v0.7.0") }},
	} {
		rec := record(one.condition)
		b.Run(one.name, func(b *testing.B) {
			r := NewReading(b.Context(), Near)
			in := over(data)
			for b.Loop() {
				rec.Read(r, session(), in, 0).Release(r)
			}
		})
	}
}

// FuzzFormula holds that no text makes the compiler or what it compiles panic.
func FuzzFormula(f *testing.F) {
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
		rec := formulaRecord()
		rec.Fields = append(rec.Fields, &Field{Name: "result", Computed: Formula(text)}, &Field{Name: "more", Of: U8, Condition: Formula(text), Place: &Place{Pos: Formula(text)}})
		if rec.Build() != nil {
			return
		}
		r := NewReading(t.Context(), Near)
		o := rec.Read(r, session(), over(formulaBytes), 0, IntValue(11))
		_, _ = o.Scope(r).Value(rec.Field("result"))
		_, _ = o.Scope(r).Value(rec.Field("more"))
		rec.Read(r, session(), over(formulaBytes[:15]), 0, StringValue("text"))
	})
}
