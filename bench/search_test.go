package bench

import (
	"context"
	"syscall"
	"testing"
	"time"

	"cutaway/decoders"
	"cutaway/internal/crategen"
	"cutaway/model"
	"cutaway/model/search"
)

// opened opens a file behind the guard, as the window does.
func opened(b *testing.B, file string) *model.Document {
	b.Helper()
	doc, err := decoders.OpenFile(b.Context(), file, decoders.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = doc.Close() })
	return doc
}

// cpu is the seconds of processor time that the process has taken, in all its threads.
func cpu(tb testing.TB) float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		tb.Fatal(err)
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9
}

// benchmarkTree searches a view for what is not there, and reports nodes a second and the ratio to a walk that does
// nothing with the nodes.
func benchmarkTree(b *testing.B, file, view, query string, opt search.TreeOptions) {
	doc := opened(b, file)
	q, err := search.ParseQuery(query)
	if err != nil {
		b.Fatal(err)
	}
	start := doc.View(view).Place()
	walk := func() int64 {
		n := int64(0)
		err := model.Walk(b.Context(), start, model.WalkOptions{Resolve: opt.Resolve, Derived: opt.Derived, Elements: opt.Elements}, func(*model.Place) error {
			n++
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	walk() // loads the tables
	nodes, hits := int64(0), 0
	before := cpu(b)
	b.ResetTimer()
	for b.Loop() {
		var err error
		nodes, err = search.Tree(context.Background(), start, q, opt, func(search.Hit) error {
			hits++
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(nodes)*float64(b.N)/(cpu(b)-before), "nodes/cpu-s")
	rate := float64(nodes) * float64(b.N) / b.Elapsed().Seconds()
	begin := time.Now()
	walked := float64(walk()) / time.Since(begin).Seconds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(nodes), "nodes")
	b.ReportMetric(rate, "nodes/s")
	b.ReportMetric(rate/walked, "x-walk")
	if hits > 0 {
		b.Errorf("%d hits of what is not there", hits)
	}
}

var everything = search.TreeOptions{Resolve: true, Derived: true}

func BenchmarkSearchScene(b *testing.B) {
	benchmarkTree(b, input(b, crategen.Specs, 200_000), "scene", "not-there", everything)
}
