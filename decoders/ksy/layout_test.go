package ksy

import (
	"slices"
	"testing"
)

// Runs in any order, overlapping or not, tile the whole file.
func TestLay(t *testing.T) {
	at := func(off, end int64) run { return run{tile{off: off, field: nestedField}, end} }
	gap, own := func(off int64) tile { return tile{off: off, field: noField} }, func(off int64) tile { return tile{off: off, field: nestedField} }
	shared := func(off int64) tile { return tile{off, nestedField, true} }
	for _, k := range []struct {
		runs []run
		want []tile
	}{
		{nil, []tile{gap(0)}},
		{[]run{at(0, 10)}, []tile{own(0)}},
		{[]run{at(0, 2), at(2, 4), at(6, 8)}, []tile{own(0), own(2), gap(4), own(6), gap(8)}},
		{[]run{at(6, 8), at(0, 2)}, []tile{own(0), gap(2), own(6), gap(8)}},
		{[]run{at(0, 4), at(0, 4), at(2, 6)}, []tile{shared(0), own(4), gap(6)}},
	} {
		var l tileBuilder
		for _, r := range k.runs {
			l.add(r)
		}
		if got := l.done(10); !slices.Equal(got, k.want) {
			t.Errorf("%v: %v, want %v", k.runs, got, k.want)
		}
	}
}

// The bytes of a field that is a record in processed bytes are the field's.
func TestProcessedRecordIsRead(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: a, size: 2}, {id: b, size-eos: true, process: xor(1), type: inner}]\n"+
		"types: {inner: {seq: [{id: h, type: u1}, {id: rest, size-eos: true}]}}", "ABCDEF")
	r, err := d.CheckAll(t.Context(), nil)
	if err != nil || r.Coverage[0].Explained != 6 || len(r.Tiling) > 0 {
		t.Errorf("%+v %v %v", r.Coverage[0], r.Tiling, err)
	}
}
