package grammar

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"cutaway/model"
)

// texts returns a list of records whose heads say their sizes, by a count or to the end.
func texts(size *Scalar, endless bool) *Record {
	text := record("Text", &Field{Name: "kind", Of: U8}, &Field{Name: "text length", Of: size}, &Field{Name: "text", Of: Raw, Extent: sized("text length"), NotEmpty: true,
		Condition: computed(func(s Scope) int64 { return s.Number("text length") })})
	list := &Field{Name: "list", Of: text, Repeat: times("count")}
	if endless {
		list = &Field{Name: "list", Of: text, Repeat: toEnd()}
	}
	return record("Texts", &Field{Name: "count", Of: U16}, list)
}

// TestLead: lists that are measured by the heads of their elements are those that reading every element gives, whatever the bytes are
// and however few offsets are kept.
func TestLead(t *testing.T) {
	defer func(n int) { marksKept = n }(marksKept)
	marksKept = 4
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		data := make([]byte, 2+random.IntN(4000))
		binary.LittleEndian.PutUint16(data, uint16(random.IntN(900)))
		for k := 3; k < len(data); k += 1 + random.IntN(9) {
			data[k] = byte(random.IntN(12))
		}
		for _, size := range []*Scalar{U8, U16, U16.BigEndian(), U64} {
			skimmed, read := texts(size, i%3 == 0), texts(size, i%3 == 0)
			of := read.Field("list").Of.(*Record)
			if of.lead == nil {
				t.Fatal("the head is not found to say the size")
			}
			of.lead = nil
			was, now := describeList(t, read, data), describeList(t, skimmed, data)
			if was != now {
				t.Fatalf("%d bytes, %s:\nread    %s\nskimmed %s", len(data), size.Name(), was, now)
			}
		}
	}
}

// describeList writes where each element is, by its number and by its bytes, and the problem of the list.
func describeList(t *testing.T, rec *Record, data []byte) string {
	o := rec.Open(session(), over(data), 0)
	l := o.List(t.Context(), rec.Field("list"))
	n, _ := model.IndexOf(t.Context(), o.Children(t.Context()), "list")
	node := o.Children(t.Context()).At(t.Context(), n)
	if err := node.Children.(model.Pending).Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprint(l.Known(), o.OK(), o.End(), node.Problems)
	for i := range l.Known() {
		e := l.Object(t.Context(), i)
		if k, ok := l.Over(t.Context(), e.Stream().Source, e.Start()); e.Start() < e.End() && (k != i || !ok) {
			t.Fatalf("element %d is found as %d, %t", i, k, ok)
		}
		out += fmt.Sprintf(" %d+%d", e.Start(), e.End()-e.Start())
	}
	return out
}

// TestNoLead: where reading an element can fail, or its size is not the number alone, its head says nothing.
func TestNoLead(t *testing.T) {
	text := &Field{Name: "text", Of: Raw, Extent: sized("length")}
	for name, fields := range map[string][]*Field{
		"other condition": {&Field{Name: "length", Of: U8}, &Field{Name: "text", Of: Raw, Extent: sized("length"), Condition: computed(func(s Scope) int64 { return s.Number("length") - 1 })}},
		"sum":             {&Field{Name: "length", Of: U8}, &Field{Name: "text", Of: Raw, Extent: &Extent{Size: computed(func(s Scope) int64 { return s.Number("length") + 1 })}}},
		"not the last":    {&Field{Name: "length", Of: U8}, text, &Field{Name: "end", Of: U8}},
		"number inside":   {&Field{Name: "length", Of: U8}, &Field{Name: "text", Of: U16, Extent: sized("length")}},
		"signed":          {&Field{Name: "length", Of: I8}, &Field{Name: "text", Of: Raw, Extent: sized("length")}},
		"rule that ends":  {{Name: "length", Of: U8, Checks: []Check{{Rule: "test.length", OK: inRange(0, 9), Ends: true}}}, &Field{Name: "text", Of: Raw, Extent: sized("length")}},
		"half there":      {&Field{Name: "kind", Of: U8}, &Field{Name: "length", Of: U8, Condition: computed(func(s Scope) int64 { return s.Number("kind") & 2 })}, &Field{Name: "text", Of: Raw, Extent: sized("length")}},
	} {
		if r := record(name, fields...); r.lead != nil {
			t.Errorf("%s: the head is taken to say the size", name)
		}
	}
}

// TestProgress: reading a long list reports how far it is, and ends with its context.
func TestProgress(t *testing.T) {
	data := make([]byte, 2+3*60_000)
	binary.LittleEndian.PutUint16(data, 60_000)
	rec := texts(U16, false)
	o := rec.Open(session(), over(data), 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := o.Resolve(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error("it was cancelled and says", err)
	}
	reports, last := 0, int64(0)
	err := o.Resolve(t.Context(), func(done, total int64, _ string) {
		if done <= last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		reports, last = reports+1, done
	})
	if err != nil || reports != 4 || !o.OK() {
		t.Errorf("%v, %d reports", err, reports)
	}
}
