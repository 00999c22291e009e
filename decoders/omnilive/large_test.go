package omnilive

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/livegen"
	"cutaway/model"
)

// manyStringsValue returns an array of n strings of 8 letters.
func manyStringsValue(n uint64) []byte {
	value := livegen.Strings(n)
	for i := range n {
		value = binary.LittleEndian.AppendUint32(value, 8)
		value = append(value, "strings "...)
		value[len(value)-1] = 'a' + byte(i%26)
	}
	return value
}

// manyStrings returns a multi-part file whose part 1 is an array of n strings, larger than is read at once.
func manyStrings(n uint64) []byte {
	value := manyStringsValue(n)
	d := &livegen.Delta{Commands: livegen.World(), Settings: []livegen.Setting{
		{Section: 11, Key: "default", Value: livegen.Hash(value), Size: uint64(len(value)), Index: 1},
	}}
	return livegen.MultiPart("OMPF", d.Build(), value)
}

// TestLargeStrings: an array of many strings is pending until it is looked at, tells its progress, can be cancelled
// and asked for again, and has then its items.
func TestLargeStrings(t *testing.T) {
	const count = 200_000
	data := manyStrings(count)
	doc := decodertest.Open(t, Format, "strings.ompf", model.BytesReader(data))
	for _, path := range []string{"layout/part 1", "layer/World/.size/default/value"} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Node.IsPending() {
			t.Fatalf("%s is read at once", path)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.Resolve(ctx, nil); !errors.Is(err, context.Canceled) || !p.Node.IsPending() {
			t.Errorf("%s: cancelled, it says %v", path, err)
		}
		reports, last := 0, int64(0)
		err = p.Resolve(t.Context(), func(done, total int64, _ string) {
			if done < last || done > total {
				t.Errorf("%d of %d bytes after %d", done, total, last)
			}
			reports, last = reports+1, done
		})
		if err != nil || reports < count/(1<<14)-1 {
			t.Errorf("%s: %v, %d reports", path, err, reports)
		}
		for i, want := range map[int64]string{0: "stringsa", 199_999: "stringsh", 100_001: "stringsf"} {
			item, err := doc.Lookup(t.Context(), path+"/value/elements/"+model.IndexName(i)+"/text")
			if err != nil {
				t.Fatal(err)
			}
			if got := model.Show(t.Context(), item.Node.Value, 20); got != want {
				t.Errorf("string %d is %q, want %q", i, got, want)
			}
		}
	}
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(report.Tiling) > 0 || !report.Sound() || report.Coverage[0].Pending > 0 {
		t.Errorf("check: %v, %+v", err, report)
	}
	off := int64(len(data)) - 12*50_000
	p, err := doc.ResolveAt(t.Context(), doc.Source(), off, nil)
	if err != nil || p == nil || p.Node.Name != "text" && p.Node.Name != "length" || !p.Node.Span().Covers(doc.Source(), off) {
		t.Errorf("byte %#x is %v, %v", off, p, err)
	}
}

// TestLargeNested: a large value in another one is pending, has its problem as a node, and its inside when it is looked at.
func TestLargeNested(t *testing.T) {
	const count = 200_000
	value := append([]byte{52, 0}, manyStringsValue(count)...) // a Value in an UnregisteredValue, which may not hold one
	value = append([]byte{53, 0}, value...)
	data := livegen.MultiPart("OMPF", (&livegen.Delta{Commands: livegen.World(), Settings: []livegen.Setting{
		{Section: 11, Key: "default", Value: livegen.Hash(value), Size: uint64(len(value)), Index: 1},
	}}).Build(), value)
	open := func() *model.Document { return decodertest.Open(t, Format, "nested.ompf", model.BytesReader(data)) }
	decodertest.Invariants(t, Format, open)
	for _, path := range []string{"layout/part 1/value/value", "layout/part 1/value/value/value/value"} {
		p, err := open().Lookup(t.Context(), path)
		if err != nil || !p.Node.IsPending() {
			t.Errorf("%s is read at once, or %v", path, err)
		}
	}
	p, err := open().Lookup(t.Context(), "layout/part 1/value/value/value/value/value/elements/[100001]/text")
	if err != nil || model.Show(t.Context(), p.Node.Value, 20) != "stringsf" {
		t.Error(err, "a text of the inner value is not found")
	}
	report, err := open().CheckAll(t.Context(), nil)
	if err != nil || len(report.Problems) == 0 || report.Problems[len(report.Problems)-1].Rule != ruleUnregistered {
		t.Errorf("%v, %v", err, report.Problems)
	}
}
