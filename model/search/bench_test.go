package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cutaway/model"
)

// BenchmarkBytes searches memory for what is not there, and reports the ratio to a copy of it, in turns.
func BenchmarkBytes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	data, to := make([]byte, 32<<20), make([]byte, 32<<20)
	for i := range data {
		data[i] = byte(r.IntN(256))
	}
	src := model.NewFileSource("f", model.BytesReader(data))
	for _, k := range []struct {
		name, text string
		form       Form
		opt        PatternOptions
	}{
		{"text", "not in this data", UTF8, PatternOptions{}},
		{"auto", "not in this data", Auto, PatternOptions{}},
		{"case", "not in this data", UTF8, PatternOptions{IgnoreCase: true}},
		{"wildcards", "50 ?? 5? 2d 77 01", Hex, PatternOptions{}},
		{"halves", "5? ?3 7? 1? ?1 ?2 ?4 ?5 6? ?7", Hex, PatternOptions{}},
	} {
		b.Run(k.name, func(b *testing.B) {
			p, err := ParsePattern(k.text, k.form, k.opt)
			if err != nil {
				b.Fatal(err)
			}
			var searching, copying time.Duration
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				begin := time.Now()
				err := Bytes(b.Context(), src, p, 0, -1, nil, func(off, _ int64) error { return fmt.Errorf("found at %d", off) })
				if err != nil {
					b.Fatal(err)
				}
				searching += time.Since(begin)
				begin = time.Now()
				copy(to, data)
				copying += time.Since(begin)
			}
			b.ReportMetric(copying.Seconds()/searching.Seconds(), "x-copy")
		})
	}
}

// BenchmarkTree searches a tree of a million small nodes, and reports the ratio to a walk over it, in turns.
func BenchmarkTree(b *testing.B) {
	start := forest(b.Context(), 1000, 1000)
	for _, text := range []string{"not-there", "/no+t-there/", ">1e9", "type:no*", "a/b"} {
		b.Run(text, func(b *testing.B) {
			q := query(b, text)
			var searching, walking time.Duration
			nodes := int64(0)
			for b.Loop() {
				begin := time.Now()
				n, err := Tree(b.Context(), start, q, TreeOptions{}, func(context.Context, Hit) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
				nodes += n
				searching += time.Since(begin)
				begin = time.Now()
				if err := model.Walk(b.Context(), start, model.WalkOptions{}, func(*model.Place) error { return nil }); err != nil {
					b.Fatal(err)
				}
				walking += time.Since(begin)
			}
			b.ReportMetric(float64(nodes)/searching.Seconds(), "nodes/s")
			b.ReportMetric(walking.Seconds()/searching.Seconds(), "x-walk")
		})
	}
}
