package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cutaway/model"
)

// withLimit sets the cache's limit for one test, which then begins with an empty cache.
func withLimit(t *testing.T, bytes int64) {
	t.Helper()
	SetCacheLimit(0)
	SetCacheLimit(bytes)
	t.Cleanup(func() { SetCacheLimit(256 << 20) })
	if use := cacheUse(); use != 0 {
		t.Fatalf("%d bytes in use at the start", use)
	}
}

// made is a reader of raw that counts how often it was inflated.
func made(raw []byte, runs *atomic.Int64) *CachedReader {
	return Cached(int64(len(raw)), func(_ context.Context, w io.Writer) error {
		runs.Add(1)
		for at := 0; at < len(raw); at += 1000 {
			if _, err := w.Write(raw[at:min(at+1000, len(raw))]); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestCachedReads(t *testing.T) {
	for name, limit := range map[string]int64{"in memory": 10 << 20, "in a file": 100} {
		t.Run(name, func(t *testing.T) {
			withLimit(t, limit)
			var runs atomic.Int64
			raw := noise(300_000)
			r := made(raw, &runs)
			if runs.Load() != 0 {
				t.Error("inflated before it was read")
			}
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					p := make([]byte, 10)
					if _, err := r.ReadAt(t.Context(), p, 1234); err != nil || !bytes.Equal(p, raw[1234:1244]) {
						t.Error("wrong read", err)
					}
				})
			}
			wg.Wait()
			checkReader(t, r, raw)
			if runs.Load() != 1 {
				t.Errorf("inflated %d times", runs.Load())
			}
			if use := cacheUse(); use > limit {
				t.Errorf("%d bytes in use", use)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if _, err := r.ReadAt(t.Context(), make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
				t.Error("after close:", err)
			}
			if use := cacheUse(); use != 0 {
				t.Errorf("%d bytes in use after close", use)
			}
		})
	}
}

func TestCacheDropsAndRemakes(t *testing.T) {
	withLimit(t, 333_333)
	var runs [3]atomic.Int64
	var readers [3]*CachedReader
	raw := noise(100_000)
	read := func(i int) {
		t.Helper()
		p := make([]byte, 100)
		if _, err := readers[i].ReadAt(t.Context(), p, 500); err != nil || !bytes.Equal(p, raw[500:600]) {
			t.Fatal("wrong read", err)
		}
	}
	for i := range readers {
		readers[i] = made(raw, &runs[i])
	}
	read(0)
	read(1)
	read(0)
	read(2) // drops 1, which was used longest ago
	if use := cacheUse(); use != 200_000 {
		t.Errorf("%d bytes in use", use)
	}
	read(0)
	read(1) // drops 2
	for i, want := range []int64{1, 2, 1} {
		if got := runs[i].Load(); got != want {
			t.Errorf("reader %d was inflated %d times, want %d", i, got, want)
		}
	}
	SetCacheLimit(1)
	if use := cacheUse(); use != 0 {
		t.Errorf("%d bytes in use over the limit", use)
	}
	SetCacheLimit(333_333)
	read(2)
	readers = [3]*CachedReader{}
	for limit := time.Now().Add(time.Minute); cacheUse() != 0; time.Sleep(time.Millisecond) {
		runtime.GC()
		if time.Now().After(limit) {
			t.Fatal("readers that nobody has keep bytes in use")
		}
	}
}

// TestCacheUnderLoad reads many sources from many goroutines with room for few of them.
func TestCacheUnderLoad(t *testing.T) {
	withLimit(t, 400_000)
	var runs atomic.Int64
	raw := noise(100_000)
	var readers []*CachedReader
	for range 12 {
		readers = append(readers, made(raw, &runs))
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			p := make([]byte, 200)
			for i := range 300 {
				off := int64(i * 37 % 99_000)
				if _, err := readers[(i*(g+1)+i*i)%12].ReadAt(t.Context(), p, off); err != nil || !bytes.Equal(p, raw[off:off+200]) {
					t.Error("wrong read", err)
					return
				}
			}
		})
	}
	wg.Wait()
	if use := cacheUse(); use > 400_000 || use <= 0 {
		t.Errorf("%d bytes in use", use)
	}
	for _, r := range readers {
		r.Close()
	}
	if use := cacheUse(); use != 0 {
		t.Errorf("%d bytes in use after all are closed", use)
	}
}

func TestCachedShort(t *testing.T) {
	cause := errors.New("broken at the third wheel")
	for name, limit := range map[string]int64{"in memory": 10 << 20, "in a file": 10} {
		t.Run(name, func(t *testing.T) {
			withLimit(t, limit)
			raw := noise(1000)
			r := Cached(2000, func(_ context.Context, w io.Writer) error {
				_, err := w.Write(raw)
				return errors.Join(err, cause)
			})
			defer r.Close()
			p := make([]byte, 100)
			if n, err := r.ReadAt(t.Context(), p, 900); n != 100 || err != nil {
				t.Errorf("in the good part: %d, %v", n, err)
			}
			for _, off := range []int64{950, 1000, 1500, 1950} {
				n, err := r.ReadAt(t.Context(), p, off)
				if n != int(max(0, 1000-off)) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, cause) ||
					!strings.Contains(err.Error(), "only 1000 of 2000 bytes") || !strings.Contains(err.Error(), "third wheel") {
					t.Errorf("at %d: %d, %v", off, n, err)
				}
			}
			good, err := r.Good(context.Background())
			if good != 1000 || !errors.Is(err, cause) {
				t.Errorf("good %d, %v", good, err)
			}
		})
	}
}

func TestCachedTooLong(t *testing.T) {
	for name, limit := range map[string]int64{"in memory": 10 << 20, "in a file": 10} {
		t.Run(name, func(t *testing.T) {
			withLimit(t, limit)
			var refused error
			r := Cached(1000, func(_ context.Context, w io.Writer) error {
				_, refused = w.Write(noise(1500))
				return refused
			})
			defer r.Close()
			checkReader(t, r, noise(1000))
			if !errors.Is(refused, io.ErrShortWrite) {
				t.Error("what was too long was taken:", refused)
			}
		})
	}
}

func TestCachedCancel(t *testing.T) {
	withLimit(t, 1<<20)
	var runs atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	r := Cached(10, func(ctx context.Context, w io.Writer) error {
		if runs.Add(1) == 1 {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		}
		_, err := w.Write(noise(10))
		return err
	})
	defer r.Close()
	first := make(chan error)
	good := func(ctx context.Context) error {
		_, err := r.Good(ctx)
		return err
	}
	go func() { first <- good(ctx) }()
	<-started
	second := make(chan error)
	go func() { second <- good(context.Background()) }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error("cancelled:", err)
	}
	if err := <-second; err != nil {
		t.Error("who waited:", err)
	}
	checkReader(t, r, noise(10))
	if runs.Load() != 2 {
		t.Error(runs.Load(), "runs")
	}
}

// TestTemporaryFiles checks that none is left behind, on systems that remove open files and on others.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	withLimit(t, 10)
	left := func() int {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	var runs atomic.Int64
	r := made(noise(5000), &runs)
	checkReader(t, r, noise(5000))
	r.Close()
	if n := left(); n != 0 {
		t.Errorf("%d files left after close", n)
	}
	for _, end := range []func(f *Temporary) error{(*Temporary).Close, func(*Temporary) error { return RemoveTemporary() }} {
		f, err := os.CreateTemp(dir, "t")
		if err != nil {
			t.Fatal(err)
		}
		named := nameTemporary(f)
		if err := end(named); err != nil || left() != 0 {
			t.Errorf("%d files left: %v", left(), err)
		}
	}
	defer func(limit int64) { cache.temporary = limit }(cache.temporary)
	cache.temporary = 4000
	_, err := made(noise(5000), &runs).ReadAt(t.Context(), make([]byte, 1), 0)
	if err == nil || !strings.Contains(err.Error(), "temporary file, 4000 bytes") || !strings.Contains(err.Error(), "memory, 10 bytes") {
		t.Errorf("over the limit: %v", err)
	}
}

func TestInflated(t *testing.T) {
	withLimit(t, 1<<20)
	raw := noise(50_000)
	span := blockSpan(compressLZ4(t, raw))
	r := Inflated(span, int64(len(raw)), CopyLZ4)
	defer r.Close()
	checkReader(t, r, raw)
	cut := Inflated(span.Source.Span(span.Off, span.Len-100), int64(len(raw)), CopyLZ4)
	defer cut.Close()
	good, err := cut.Good(context.Background())
	var fault *Fault
	if !errors.As(err, &fault) || fault.Out != good || good == 0 || good >= int64(len(raw)) {
		t.Errorf("cut: %d good, %v", good, err)
	}
	gone := Inflated(model.NewFileSource("t", brokenReader{100}).Span(10, 50), 1000, CopyZstd)
	defer gone.Close()
	if _, err := gone.ReadAt(t.Context(), make([]byte, 1), 0); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "could not be read") {
		t.Errorf("unreadable: %v", err)
	}
}

// TestPanicReleases: what was made before an inflation panicked is given up, in memory and in a file, and the next read makes it
// anew.
func TestPanicReleases(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, limit := range []int64{1 << 20, 1000} { // in memory, in a file
		withLimit(t, limit)
		before, broken := cacheUse(), true
		var to io.Writer
		r := Cached(200_000, func(_ context.Context, w io.Writer) error {
			to = w
			_, err := w.Write(noise(200_000))
			if broken {
				panic("a bug")
			}
			return err
		})
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was hidden")
				}
			}()
			_, _ = r.ReadAt(t.Context(), make([]byte, 1), 0)
		}()
		if use := cacheUse(); use != before {
			t.Errorf("limit %d: %d bytes are still in use, %d before", limit, use, before)
		}
		if f, ok := to.(*fileSink); ok != (limit == 1000) || ok && !errors.Is(f.file.Close(), fs.ErrClosed) {
			t.Errorf("limit %d: the temporary file is still open", limit)
		}
		broken = false
		checkReader(t, r, noise(200_000))
		r.Close()
	}
}

// cacheUse is how many bytes of inflated data are in memory now.
func cacheUse() int64 {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	return cache.use
}

// TestDropsOldest drops what was used longest ago, and looks at few others for it.
func TestDropsOldest(t *testing.T) {
	const n, room = 4000, 1000 // readers, and how many of them have room
	withLimit(t, 4*100*room/3+4)
	readers, runs := make([]*CachedReader, n), make([]atomic.Int64, n)
	read := func(i int) int64 {
		before := runs[i].Load()
		if _, err := readers[i].ReadAt(t.Context(), make([]byte, 1), 0); err != nil {
			t.Fatal(err)
		}
		return runs[i].Load() - before
	}
	before := cache.looked
	for i := range n {
		readers[i] = made(make([]byte, 100), &runs[i])
		read(i)
		if read(0) != 0 {
			t.Fatalf("what is used all the time is dropped for reader %d", i)
		}
	}
	if looked := cache.looked - before; looked > 2*n {
		t.Errorf("%d entries were looked at to drop %d", looked, n-room)
	}
	for i := n - 1; i > n-room; i-- {
		if read(i) != 0 {
			t.Fatalf("reader %d of %d is dropped, and older ones are not", i, n)
		}
	}
	if read(n-room-1) == 0 {
		t.Error("more is kept than there is room for")
	}
	for _, r := range readers {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(cache.held) != 0 || cacheUse() != 0 {
		t.Errorf("%d entries and %d bytes are held after all were closed", len(cache.held), cacheUse())
	}
}
