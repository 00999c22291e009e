// Package bench measures the crate decoder on files of 1 GB and of 2 million specs, beside usd-core where that is
// installed, and tests on smaller files that opening reads little. The files are generated into build/bench on first
// use. `go test -bench . ./bench` prints, for each job:
//
//	s          seconds of the job, in a process of its own that did nothing before
//	MB-read    read of the file, pages touched twice counted twice
//	nodes      nodes made
//	nodes/s    their rate
//	MB-peak    the process's peak of resident memory (VmHWM), the mapped file's touched pages included
//	cpu-s      processor seconds of the process
//	x-time     seconds in ratio to usd-core doing the like of the job in the same run
//	x-peak     peak in ratio to usd-core's
package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"cutaway/decoders/usdc"
	"cutaway/internal/crategen"
	"cutaway/internal/usddiff"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/model/size"
	"cutaway/source"
)

const folder = "../build/bench"

// A result is what a measured process prints.
type result struct {
	Seconds float64
	CPU     float64 // of the processor, in seconds
	Read    int64   // bytes
	Nodes   int64
	Peak    int64 // kB
}

// Environment variables that make the test binary a measured process.
const (
	jobVariable  = "CUTAWAY_BENCH_JOB"
	fileVariable = "CUTAWAY_BENCH_FILE"
)

// processes are what else the test binary can be, by the variable that asks for it.
var processes = make(map[string]func(args []string) error)

func TestMain(m *testing.M) {
	for variable, do := range processes {
		if os.Getenv(variable) == "" {
			continue
		}
		if err := do(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if name := os.Getenv(jobVariable); name != "" {
		if err := measure(name, os.Getenv(fileVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// jobs are what is measured, once the document is open.
var jobs = map[string]func(ctx context.Context, doc *model.Document) error{
	// first: what it takes until the first screen of rows can be shown.
	"first": func(ctx context.Context, doc *model.Document) error {
		for _, path := range []string{"layout", "scene", "scene/World"} {
			p, err := doc.Lookup(ctx, path)
			if err == nil {
				err = p.Resolve(ctx, nil)
			}
			if err != nil {
				return err
			}
			n, _ := p.Len(ctx)
			for i := range min(n, 50) {
				model.Show(ctx, p.Child(ctx, i).Node.Value, 80)
			}
		}
		return nil
	},
	// walk: every node of the scene with its value, arrays as one.
	"walk": func(ctx context.Context, doc *model.Document) error {
		return model.Walk(ctx, doc.View("scene").Place(ctx), model.WalkOptions{Resolve: true}, func(*model.Place) error { return nil })
	},
	// references: what leads to a token, a field set's beginning, a path and a value, 1,000 of each listed.
	"references": func(ctx context.Context, doc *model.Document) error {
		for _, path := range []string{
			"layout/TOKENS/text@inflated/[1]", "layout/FIELDSETS/indexes@inflated/integers/[0]",
			"layout/PATHS/pathIndexes@inflated/integers/[1]", "layout/FIELDS/reps@inflated/[0]",
		} {
			p, err := doc.Lookup(ctx, path)
			if err != nil {
				return err
			}
			if _, n, err := doc.ReferencedBy(ctx, p, 1000, nil); err != nil || n == 0 {
				return fmt.Errorf("%d references to %s: %w", n, path, err)
			}
		}
		return nil
	},
	// sizes: what each node of the scene takes.
	"sizes": func(ctx context.Context, doc *model.Document) error {
		_, err := size.Measure(ctx, doc, doc.View("scene"), size.Options{})
		return err
	},
	// diff: the scene compared with that of the same file in which one value is another one.
	"diff": func(ctx context.Context, doc *model.Document) error {
		other, err := openChanged(ctx, doc.Source().Title())
		if err != nil {
			return err
		}
		changes := 0
		a, b := doc.View("scene"), other.View("scene")
		err = diff.Trees(ctx, diff.Side{View: a, Start: a.Place(ctx)}, diff.Side{View: b, Start: b.Place(ctx)}, diff.Options{}, func(*diff.Change) error {
			changes++
			return nil
		})
		if err == nil && changes != 1 {
			err = fmt.Errorf("%d changes, want 1", changes)
		}
		return err
	},
	// check: the whole layout with all that is derived from it, and every check that the format has.
	"check": func(ctx context.Context, doc *model.Document) error {
		report, err := doc.CheckAll(ctx, nil)
		if err == nil && !report.Sound() {
			err = fmt.Errorf("not sound: %v", report.Problems[0])
		}
		return err
	},
}

// openChanged opens a bulk crate in which one bit of a value is another one: of the last sample, or else of an array.
func openChanged(ctx context.Context, file string) (*model.Document, error) {
	f, err := source.Open(file, source.Options{})
	if err != nil {
		return nil, err
	}
	half := []byte{0, 0, 0, 0x3f, 0, 0, 9, 0x40} // 0.5 as the value of a sample
	at := f.Size() / 2
	begin := make([]byte, min(f.Size(), 16<<20))
	if _, err := f.ReadAt(ctx, begin, 0); err != nil {
		return nil, err
	}
	if i := bytes.LastIndex(begin, half); i >= 0 {
		at = int64(i) + 2
	}
	return usdc.Format.Open(ctx, &model.OpenRequest{Source: model.NewFileSource(file, changed{f, at}), Name: file, Files: model.NoFiles{}})
}

// changed is a file of which one bit of one byte is another one.
type changed struct {
	model.Reader
	at int64
}

func (c changed) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(ctx, b, off)
	if i := c.at - off; i >= 0 && i < int64(n) {
		b[i] ^= 0x40
	}
	return n, err
}

// measure does a job and prints its result.
func measure(name, file string) error {
	ctx := context.Background()
	start := time.Now()
	f, err := source.Open(file, source.Options{})
	if err != nil {
		return err
	}
	counter := source.NewCounter(f)
	doc, err := usdc.Format.Open(ctx, &model.OpenRequest{
		Source: model.NewFileSource(file, counter), Name: file, Files: model.NoFiles{},
	})
	if err != nil {
		return err
	}
	if err := jobs[name](ctx, doc); err != nil {
		return err
	}
	r := result{Seconds: time.Since(start).Seconds(), Read: counter.Bytes(), Nodes: model.NodesMade()}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	r.CPU = time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if peak == nil {
		return fmt.Errorf("no VmHWM in /proc/self/status")
	}
	if r.Peak, err = strconv.ParseInt(string(peak[1]), 10, 64); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// run starts a measured process and reads its result.
func run(tb testing.TB, cmd *exec.Cmd) result {
	tb.Helper()
	var r result
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		tb.Fatalf("%v: %v", cmd, err)
	}
	return r
}

// input returns a generated crate, made on first use.
func input(tb testing.TB, kind crategen.Kind, size int64) string {
	tb.Helper()
	name, err := crategen.Kept(folder, kind, size)
	if err != nil {
		tb.Fatal(err)
	}
	return name
}

func benchmark(b *testing.B, kind crategen.Kind, job string) {
	file := input(b, kind, kind.DefaultSize())
	warm(b, file)
	var sum result
	for b.Loop() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), jobVariable+"="+job, fileVariable+"="+file)
		r := run(b, cmd)
		sum.Seconds += r.Seconds
		sum.CPU += r.CPU
		sum.Read, sum.Nodes, sum.Peak = r.Read, r.Nodes, max(sum.Peak, r.Peak)
	}
	seconds := sum.Seconds / float64(b.N)
	b.ReportMetric(0, "ns/op") // holds the process's start
	b.ReportMetric(seconds, "s")
	b.ReportMetric(sum.CPU/float64(b.N), "cpu-s")
	b.ReportMetric(float64(sum.Read)/1e6, "MB-read")
	b.ReportMetric(float64(sum.Nodes), "nodes")
	b.ReportMetric(float64(sum.Nodes)/seconds, "nodes/s")
	b.ReportMetric(float64(sum.Peak)/1e3, "MB-peak")
	if python := usddiff.Python(); python != "" && (job == "first" || job == "walk") {
		r := run(b, exec.Command(python, "usdcore.py", job, file))
		b.ReportMetric(seconds/r.Seconds, "x-time")
		b.ReportMetric(float64(sum.Peak)/float64(r.Peak), "x-peak")
	}
}

// warm reads a file once, so that all who are measured find it in the system's cache.
func warm(tb testing.TB, file string) {
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for {
		if _, err := f.Read(block); err != nil {
			return
		}
	}
}

func BenchmarkArraysFirst(b *testing.B)      { benchmark(b, crategen.Arrays, "first") }
func BenchmarkArraysWalk(b *testing.B)       { benchmark(b, crategen.Arrays, "walk") }
func BenchmarkArraysCheck(b *testing.B)      { benchmark(b, crategen.Arrays, "check") }
func BenchmarkSpecsFirst(b *testing.B)       { benchmark(b, crategen.Specs, "first") }
func BenchmarkSpecsWalk(b *testing.B)        { benchmark(b, crategen.Specs, "walk") }
func BenchmarkSpecsCheck(b *testing.B)       { benchmark(b, crategen.Specs, "check") }
func BenchmarkSpecsReferences(b *testing.B)  { benchmark(b, crategen.Specs, "references") }
func BenchmarkArraysReferences(b *testing.B) { benchmark(b, crategen.Arrays, "references") }
func BenchmarkSpecsSizes(b *testing.B)       { benchmark(b, crategen.Specs, "sizes") }
func BenchmarkSpecsDiff(b *testing.B)        { benchmark(b, crategen.Specs, "diff") }
func BenchmarkArraysSizes(b *testing.B)      { benchmark(b, crategen.Arrays, "sizes") }
func BenchmarkArraysDiff(b *testing.B)       { benchmark(b, crategen.Arrays, "diff") }
func BenchmarkChildrenFirst(b *testing.B)    { benchmark(b, crategen.Children, "first") }
