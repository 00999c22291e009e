package flatbuffer

import (
	"math/rand/v2"
	"testing"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// TestRulesAgree: the numbers by which the walk decides about a record break a rule where those of the language do, at each place
// of sound and damaged buffers.
func TestRulesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := read(t, "stall-size-prefixed.mrkt")
	broken := map[string]int{}
	for range 5 {
		b := NewBuffer(model.NewFileSource("x", model.BytesReader(data)), 0, int64(len(data)), true)
		w := &walk{
			b: b, s: &Schema{}, r: b.Reader(t.Context()), ctx: t.Context(), most: 1 << 30,
			seen: make(bitmap, len(data)), vseen: make(bitmap, len(data)), slots: map[int64][]slot{},
		}
		problems := func(step func()) int {
			w.problems = w.problems[:0]
			step()
			return len(w.problems)
		}
		agree := func(record string, off int64, decide func(), args ...grammar.Value) {
			walk, rules := problems(decide), problems(func() { w.breach(0, record, off, args...) })
			if walk != rules {
				t.Errorf("%s at %d: the walk has %d problems, the rules %d", record, off, walk, rules)
			}
			broken[record] += walk
		}
		x, eight := grammar.StringValue("x"), grammar.IntValue(8)
		doubles := &Field{Name: "x", Type: Type{Base: reflection.BaseTypeVector, Elem: reflection.BaseTypeDouble, Index: -1}}
		object := &Object{Fields: []Field{{Name: "x", Type: doubles.Type.element()}}, slots: []int{0, -1}}
		agree("size prefix", 0, w.prefix)
		for off := range b.size - offsetSize {
			agree("offset", off, func() { w.followTo(off, 0, "x", 8, 8) }, x, eight, eight)
			agree("table", off, func() { w.shape(off) })
			agree("string", off, func() { w.text(off, 0) })
			n, _ := w.r.U32(off)
			if (off+offsetSize)%8 == 0 {
				agree("vector", off, func() { w.vectorCount(off, 0, int64(n), doubles) }, x, eight)
			} else if off+offsetSize+8 <= b.size {
				agree("first element", off+offsetSize, func() { w.vectorCount(off, 0, 1, doubles) }, x, eight, eight)
			}
			at, _ := w.r.U16(off)
			table := rng.Int64N(b.size)
			for index, width := range []int64{8, 1} { // known and not
				vtable := off - vtableHead - 2*int64(index)
				t := Table{r: w.r, Off: table, size: 64, vtable: vtable}
				agree("slot", off, func() { w.use(&t, object, slot{index, int64(at)}) },
					x, flag(index == 0), grammar.IntValue(width), grammar.IntValue(width), grammar.IntValue(table), grammar.IntValue(64))
			}
		}
		for range 60 {
			data[rng.IntN(len(data))] = byte(rng.IntN(256))
		}
	}
	for _, record := range []string{"size prefix", "offset", "table", "string", "vector", "first element", "slot"} {
		if broken[record] == 0 {
			t.Errorf("no %s breaks a rule", record)
		}
	}
}
