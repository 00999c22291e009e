package bench

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"cutaway/decoders"
	"cutaway/internal/crategen"
	"cutaway/internal/udmgen"
	"cutaway/internal/vrsgen"
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
	start := doc.View(view).Place(b.Context())
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
		nodes, err = search.Tree(context.Background(), start, q, opt, func(context.Context, search.Hit) error {
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

// BenchmarkFindNames finds every prim of a name in an open crate of two million specs, and reports the milliseconds of processor
// time and the ratio to looking the same prims up by their paths.
func BenchmarkFindNames(b *testing.B) {
	doc := opened(b, input(b, crategen.Specs, crategen.Specs.DefaultSize()))
	view := doc.View("scene")
	q, err := search.ParseQuery("prim_999")
	if err == nil {
		err = view.Place(b.Context()).Resolve(b.Context(), nil)
	}
	if err != nil {
		b.Fatal(err)
	}
	found, lookedUp := 0.0, 0.0
	for b.Loop() {
		before := cpu(b)
		var paths []string
		err := search.Names(b.Context(), doc, view, q, nil, func(_ context.Context, h search.Hit) error {
			paths = append(paths, h.Path)
			return nil
		})
		between := cpu(b)
		for _, path := range paths {
			if _, err := doc.Lookup(b.Context(), path); err != nil {
				b.Error(err)
			}
		}
		if err != nil || len(paths) == 0 {
			b.Fatalf("%d prims, %v", len(paths), err)
		}
		found += between - before
		lookedUp += cpu(b) - between
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1e3*found/float64(b.N), "ms-cpu")
	b.ReportMetric(found/lookedUp, "x-lookup")
}

// BenchmarkFindName opens a crate of 1 GB and one of two million specs, and finds the last prim of a name by the name. It
// reports the milliseconds until that is the first hit, of which opened are until the tables are loaded, and the ratio to a walk
// with the elements of arrays until that has a node of the name.
func BenchmarkFindName(b *testing.B) {
	for _, k := range []struct {
		kind crategen.Kind
		name string
	}{{crategen.Arrays, "Mesh_0100"}, {crategen.Specs, "prim_999"}, {crategen.Specs, "group_499"}} {
		b.Run(string(k.kind)+" "+k.name, func(b *testing.B) {
			file := input(b, k.kind, k.kind.DefaultSize())
			warm(b, file)
			q, err := search.ParseQuery(k.name)
			if err != nil {
				b.Fatal(err)
			}
			errFound := errors.New("found")
			var opening, whole, walked time.Duration
			for b.Loop() {
				begin := time.Now()
				doc := opened(b, file)
				view := doc.View("scene")
				if err := view.Place(b.Context()).Resolve(b.Context(), nil); err != nil {
					b.Fatal(err)
				}
				opening += time.Since(begin)
				err = search.Find(b.Context(), doc, view, q, search.TreeOptions{}, func(_ context.Context, h search.Hit) error {
					if h.Place.Node.Name != k.name {
						b.Errorf("the first hit is %s", h.Path)
					}
					return errFound
				})
				if !errors.Is(err, errFound) {
					b.Fatal(err)
				}
				whole += time.Since(begin)
				begin = time.Now()
				walk := everything
				walk.Elements = true
				_, err = search.Tree(b.Context(), opened(b, file).View("scene").Place(b.Context()), q, walk, func(_ context.Context, h search.Hit) error {
					if h.Where == search.InName {
						return errFound
					}
					return nil
				})
				if !errors.Is(err, errFound) {
					b.Fatal(err)
				}
				walked += time.Since(begin)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(walked.Seconds()/whole.Seconds(), "x-walk")
			b.ReportMetric(1e3*whole.Seconds()/float64(b.N), "ms")
			b.ReportMetric(1e3*opening.Seconds()/float64(b.N), "ms-opened")
		})
	}
}

// benchmarkBytes searches a mapped file for what is not there, and reports bytes a second and the ratio to a copy of as
// many bytes from memory to memory.
func benchmarkBytes(b *testing.B, text string, form search.Form, opt search.PatternOptions) {
	file := input(b, crategen.Arrays, 256<<20)
	warm(b, file)
	src := opened(b, file).Source()
	p, err := search.ParsePattern(text, form, opt)
	if err != nil {
		b.Fatal(err)
	}
	from, to := make([]byte, 64<<20), make([]byte, 64<<20)
	for i := range from {
		from[i] = byte(i) // memory that was never written is one page of zeros
	}
	copied := int64(0)
	var copying, searching time.Duration
	for b.Loop() { // in turns, so that both have the machine alike
		begin := time.Now()
		hits := 0
		err := search.Bytes(b.Context(), src, p, 0, -1, nil, func(int64, int64) error {
			hits++
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		searching += time.Since(begin)
		begin = time.Now()
		for range src.Size() / int64(len(from)) {
			copied += int64(copy(to, from))
		}
		copying += time.Since(begin)
	}
	rate := float64(src.Size()) * float64(b.N) / searching.Seconds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate/1e9, "GB/s")
	b.ReportMetric(rate/(float64(copied)/copying.Seconds()), "x-copy")
}

func BenchmarkSearchBytesText(b *testing.B) {
	benchmarkBytes(b, "not in this file", search.UTF8, search.PatternOptions{})
}

func BenchmarkSearchBytesIgnoreCase(b *testing.B) {
	benchmarkBytes(b, "not in this file", search.UTF8, search.PatternOptions{IgnoreCase: true})
}

func BenchmarkSearchBytesWildcards(b *testing.B) {
	benchmarkBytes(b, "50 ?? 5? 2d 77", search.Hex, search.PatternOptions{})
}

func BenchmarkSearchBytesFloat(b *testing.B) {
	benchmarkBytes(b, "0.3333", search.F32LE, search.PatternOptions{})
}

func BenchmarkSearchBytesNoFixedByte(b *testing.B) {
	benchmarkBytes(b, "5? ?3 7?", search.Hex, search.PatternOptions{})
}

func BenchmarkSearchBytesFrequentZero(b *testing.B) {
	benchmarkBytes(b, "0", search.U64LE, search.PatternOptions{})
}

func BenchmarkSearchRecords(b *testing.B) {
	benchmarkTree(b, recordingInput(b, vrsgen.Bulk{Records: 20_000, Index: true}), "layout", "not-there", everything)
}

func BenchmarkSearchText(b *testing.B) {
	benchmarkTree(b, udmInput(b, udmgen.Text, 8<<20), "layout", "not-there", everything)
}

// Elements of arrays a second, of 3 floats and of ints.
func BenchmarkSearchElements(b *testing.B) {
	doc := opened(b, input(b, crategen.Arrays, 64<<20))
	q, err := search.ParseQuery("value:>1e9")
	if err != nil {
		b.Fatal(err)
	}
	elements := int64(0)
	start := doc.View("scene").Place(b.Context())
	err = model.Walk(b.Context(), start, model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if a, is := p.Node.Value.(model.Array); is {
			elements += a.Len()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	opt := everything
	opt.Elements = true
	before := cpu(b)
	for b.Loop() {
		if _, err := search.Tree(b.Context(), start, q, opt, func(_ context.Context, h search.Hit) error { return fmt.Errorf("hit %+v", h) }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(elements), "elements")
	b.ReportMetric(float64(elements)*float64(b.N)/(cpu(b)-before), "elements/cpu-s")
	b.ReportMetric(float64(elements)*float64(b.N)/b.Elapsed().Seconds(), "elements/s")
}
