package decodertest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cutaway/model"
)

var mutate = flag.String("mutate", os.Getenv("CUTAWAY_MUTATE"),
	"how many times the mutations of an ordinary test to try, without its limit of time; all: every one")

// mutateTimes returns the factor on the mutations of an ordinary test, or 0 for all mutations.
func mutateTimes(t testing.TB) int {
	t.Helper()
	switch *mutate {
	case "":
		return 1
	case "all":
		return 0
	}
	n, err := strconv.Atoi(*mutate)
	if err != nil || n < 1 {
		t.Fatalf("-mutate %s: a number or all", *mutate)
	}
	return n
}

// Limits of one mutated file.
const (
	smallFile   = 8 << 10          // up to this size every byte is mutated
	maxTime     = time.Second      // to decode, check and examine a file
	aloneTries  = 5                // repetitions of one over a limit; the best counts
	maxAlloc    = 512 << 20        // total bytes allocated
	hangs       = 60 * time.Second // the test ends with the mutation's name
	defaultTry  = 2_000
	shortTry    = 20  // a short test, for the race detector, tries one in so many
	largeShare  = 100 // mutations of a large file
	largeAll    = 2_000
	mutateSeed  = 0x5eed
	mutateTwice = 2  // number of goroutines
	enough      = 20 // number of failures that end the test
)

// An Exception is a change of a sound file that may go unnoticed, or a ref without its inverse.
type Exception struct {
	Path   string // prefix of the path: of the leaf of the changed byte, of the leaf that is cut, or of the ref's target
	Cut    bool   // about truncated files, not changed bytes
	Whole  bool   // of a cut: only if the leaf is missing entirely
	Reason string
}

// MutateOptions control how files are mutated.
type MutateOptions struct {
	Exceptions []Exception
	Try        int             // mutations in an ordinary test, over all files, or 0 for 2,000
	Beside     []*model.Format // the formats of members
}

// Mutate changes the files byte by byte and truncates them at every length, or at a seeded sample for files over 8 KiB.
// No result may panic, take over a second or allocate over 512 MB, and each must tile. A change must be visible: in the
// leaf of the byte, in a derived source, or in a problem that names the byte. A sound file that is truncated has an
// error. An ordinary test tries a fixed number; -mutate N or CUTAWAY_MUTATE=N tries N times as many, "all" tries all.
func Mutate(t testing.TB, f *model.Format, files []File, opt MutateOptions) {
	t.Helper()
	var jobs []mutation
	times := mutateTimes(t)
	for i := range files {
		m := &mutant{format: f, file: files[i], opt: opt}
		if err := m.open(t.Context()); err != nil {
			t.Errorf("%s: %v", m.file.Name, err)
			continue
		}
		jobs = append(jobs, m.mutations(times)...)
	}
	try := opt.Try
	if try == 0 {
		try = defaultTry
	}
	if testing.Short() {
		try /= shortTry
	}
	if try *= times; times == 0 || try > len(jobs) {
		try = len(jobs)
	}
	var next, done, bad atomic.Int64
	var group sync.WaitGroup
	for range mutateTwice {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= try || bad.Load() >= enough {
					return
				}
				// Spread tries evenly over all jobs, so that each part of each file has its share.
				job := jobs[int(int64(i)*int64(len(jobs))/int64(try))]
				if err := job.run(t.Context()); err != nil {
					bad.Add(1)
					t.Errorf("%s, %s: %v", job.of.file.Name, job, err)
				}
				done.Add(1)
			}
		})
	}
	group.Wait()
	t.Logf("%d of %d mutations of %d files", done.Load(), len(jobs), len(files))
}

// A mutant is a file, and its properties before the mutation.
type mutant struct {
	format *model.Format
	file   File
	opt    MutateOptions
	doc    *model.Document
	sound  bool
	known  map[string]bool // keys of its problems
}

func (m *mutant) open(ctx context.Context) error {
	doc, err := open(ctx, m.format, m.file.Name, model.BytesReader(m.file.Data), m.opt.Beside)
	if err != nil {
		return err
	}
	report, err := examine(ctx, doc)
	if err != nil {
		return err
	}
	m.doc, m.sound, m.known = doc, report.Sound(), make(map[string]bool)
	for i := range report.Problems {
		m.known[problemKey(&report.Problems[i])] = true
	}
	return nil
}

func problemKey(p *model.LocatedProblem) string {
	return p.Path + "|" + p.Rule + "|" + nameSpan(p.Span) + "|" + p.Error()
}

// A mutation is one change of a file.
type mutation struct {
	of  *mutant
	off int64 // of the byte, or the new length
	to  byte
	cut bool
}

func (m mutation) String() string {
	if m.cut {
		return fmt.Sprintf("cut to %d bytes", m.off)
	}
	return fmt.Sprintf("byte %#x from %#02x to %#02x", m.off, m.of.file.Data[m.off], m.to)
}

// mutations returns the changes to try. Of large files they are times those of an ordinary test, or the maximum if
// times is 0.
func (m *mutant) mutations(times int) []mutation {
	var all []mutation
	size := len(m.file.Data)
	if size <= smallFile {
		for i := range size {
			all = m.atByte(all, i)
		}
		return all
	}
	rng := rand.New(rand.NewPCG(mutateSeed, uint64(size)))
	n := min(largeShare*times, largeAll)
	if times == 0 {
		n = largeAll
	}
	for len(all) < n {
		some := m.atByte(nil, rng.IntN(size))
		all = append(all, some[rng.IntN(len(some))])
	}
	return all
}

// atByte appends the changes of byte i: to 0x00, to 0xFF, plus one, one bit flipped, and truncated before it.
func (m *mutant) atByte(all []mutation, i int) []mutation {
	was := m.file.Data[i]
	tried := map[byte]bool{was: true}
	for _, to := range []byte{0x00, 0xff, was + 1, was ^ 1<<(i*5%8)} {
		if !tried[to] {
			tried[to] = true
			all = append(all, mutation{of: m, off: int64(i), to: to})
		}
	}
	return append(all, mutation{of: m, off: int64(i), cut: true})
}

// Mutants returns n of the changes that Mutate makes of a file, evenly spread.
func Mutants(f File, n int) []File {
	m := &mutant{file: f}
	all := m.mutations(1)
	var files []File
	for i := range min(n, len(all)) {
		job := all[i*len(all)/min(n, len(all))]
		data := bytes.Clone(f.Data)
		if job.cut {
			data = data[:job.off]
		} else {
			data[job.off] = job.to
		}
		files = append(files, File{f.Name, data})
	}
	return files
}

// patched is a file with one byte changed.
type patched struct {
	model.BytesReader
	off int64
	to  byte
}

var _ model.Reader = patched{}

func (p patched) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	n, err := p.BytesReader.ReadAt(ctx, b, off)
	if i := p.off - off; i >= 0 && i < int64(n) {
		b[i] = p.to
	}
	return n, err
}

func (m mutation) reader() model.Reader {
	if m.cut {
		return model.BytesReader(m.of.file.Data[:m.off])
	}
	return patched{m.of.file.Data, m.off, m.to}
}

// alone keeps other mutations from running while one over a limit is measured again.
var alone sync.RWMutex

// run tries the mutation. One over a limit is tried again alone, since the machine may have been busy.
func (m mutation) run(ctx context.Context) error {
	alone.RLock()
	over, err := m.measured(ctx)
	alone.RUnlock()
	if over == nil || err != nil {
		return err
	}
	alone.Lock()
	defer alone.Unlock()
	for range aloneTries {
		if over, err = m.measured(ctx); over == nil || err != nil {
			return err
		}
	}
	return over
}

func (m mutation) measured(ctx context.Context) (over, err error) {
	alarm := time.AfterFunc(hangs, func() { panic(fmt.Sprintf("%s, %s: hangs", m.of.file.Name, m)) })
	defer alarm.Stop()
	start, before := time.Now(), allocated()
	err = m.tried(ctx)
	if took := time.Since(start); took > timeLimit() {
		return fmt.Errorf("took %v", took), err
	}
	if bytes := allocated() - before; bytes > maxAlloc {
		return fmt.Errorf("allocated %d MB", bytes>>20), err
	}
	return nil, err
}

// timeLimit returns maxTime, and more in a short test, for the race detector.
func timeLimit() time.Duration {
	if testing.Short() {
		return 4 * maxTime
	}
	return maxTime
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (m mutation) tried(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	doc, err := open(ctx, m.of.format, m.of.file.Name, m.reader(), m.of.opt.Beside)
	if err != nil {
		return nil // refused with an error
	}
	defer func() { _ = doc.Close() }()
	report, err := examine(ctx, doc)
	if err != nil {
		return err
	}
	if m.cut {
		return m.cutSeen(ctx, report)
	}
	return m.changeSeen(ctx, doc, report)
}

func (m mutation) cutSeen(ctx context.Context, report *model.Report) error {
	if !m.of.sound || report.Worst() == model.Error {
		return nil
	}
	path, whole := "no layout node", false
	if p, _ := m.of.doc.At(ctx, m.of.doc.Source(), m.off); p != nil {
		span := p.Node.Span()
		path, whole = p.Path(), span.Off == m.off
		if p.Node.Role == model.Unknown && span.End() == m.of.doc.Source().Size() {
			return nil // a text without rules has no known length
		}
	}
	if excepted(m.of.opt.Exceptions, path, true, whole) {
		return nil
	}
	return fmt.Errorf("no error, though the bytes from %s on are missing", path)
}

func excepted(list []Exception, path string, cut, whole bool) bool {
	for _, e := range list {
		if e.Cut == cut && (whole || !e.Whole) && strings.HasPrefix(path, e.Path) {
			return true
		}
	}
	return false
}
