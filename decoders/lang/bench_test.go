package lang

import (
	"bytes"
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// benchmarked is a record of ten numbers, all but two of them conditional, by the condition.
func benchmarked(cond E) *Language {
	fields := []*Field{F("bits", U8, ""), F("count", U8, "")}
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		f := F(name, U16, "")
		if cond != "" {
			f.If(E(string(cond) + string('0'+rune(i))))
		}
		fields = append(fields, f)
	}
	return &Language{Name: "bench", Short: "cut", Known: []Known{Know("file.version", "", func(v int64) int64 { return v })},
		Records: []*Record{
			NewRecord("Records", F("list", Rec("Record"), "").ToEnd()),
			NewRecord("Record", fields...),
			NewRecord("Entries", F("list", Rec("Entry"), "").ToEnd()),
			NewRecord("Entry", F("id", U8, ""), Then("id", On(1, F("a", U16, "")), On(2, F("b", U32, ""), F("c", U8, "")))),
			NewRecord("Names", F("list", Rec("Name"), "").ToEnd()),
			NewRecord("Name", F("length", U8, ""), F("text", UTF8("length"), "")),
		}}
}

func benchmark(b *testing.B, rec *grammar.Record, data []byte) {
	src := model.NewFileSource("bench", model.BytesReader(data))
	session := &grammar.Session{Truncated: "bench.cut"}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := grammar.NewReading(b.Context(), grammar.Far)
		o := rec.Read(r, session, grammar.Whole(src), 0)
		list := o.List(b.Context(), rec.Field("list"))
		if n, err := list.Len(o.Scope(r)); err != nil || n == 0 {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	data := bytes.Repeat([]byte("\xff\x021122334455667788"), 1<<14)
	b.Run("bits", func(b *testing.B) { benchmark(b, benchmarked("bits & 1 << ").For(int64(1)).Record("Records"), data) })
	b.Run("known", func(b *testing.B) {
		benchmark(b, benchmarked("file.version >= 1 and 7 >= ").For(int64(1)).Record("Records"), data)
	})
	b.Run("fixed", func(b *testing.B) { benchmark(b, benchmarked("").For(int64(1)).Record("Records"), data) })
	names := bytes.Repeat([]byte("\x03abc"), 1<<16)
	b.Run("text", func(b *testing.B) { benchmark(b, benchmarked("").For(int64(1)).Record("Names"), names) })
	b.Run("cases", func(b *testing.B) {
		benchmark(b, benchmarked("").For(int64(1)).Record("Entries"), bytes.Repeat([]byte("\x01ab\x02cdefg"), 1<<15))
	})
}
