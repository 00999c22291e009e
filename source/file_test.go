package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cutaway/model"
)

var ways = map[string]Options{"mapped": {}, "pread": {Pread: true}}

func writeFile(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.bin")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// noise is bytes none of which is zero.
func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(1 + i%251)
	}
	return b
}

func openFile(t testing.TB, path string, opt Options) *File {
	t.Helper()
	f, err := Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFileReads(t *testing.T) {
	for name, opt := range ways {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{0, 1, 4095, 4096, blockSize - 1, blockSize, 3*blockSize + 17, 7 * blockSize} {
				raw := noise(size)
				f := openFile(t, writeFile(t, raw), opt)
				checkReader(t, f, raw)
			}
		})
	}
}

// checkReader compares reads at random places, and around the end, with reads of the bytes.
func checkReader(t *testing.T, r model.Reader, raw []byte) {
	t.Helper()
	if r.Size() != int64(len(raw)) {
		t.Fatalf("size %d, want %d", r.Size(), len(raw))
	}
	rng := rand.New(rand.NewPCG(uint64(len(raw)), 1))
	for i := range 200 {
		off := rng.IntN(len(raw) + 2)
		p := make([]byte, rng.IntN(1+len(raw)*(i%2)+100))
		n, err := r.ReadAt(t.Context(), p, int64(off))
		want := make([]byte, len(p))
		wantN, wantErr := model.BytesReader(raw).ReadAt(t.Context(), want, int64(off))
		if n != wantN || err != wantErr || !bytes.Equal(p, want) {
			t.Fatalf("ReadAt(%d bytes, %d) of %d: %d, %v; want %d, %v", len(p), off, len(raw), n, err, wantN, wantErr)
		}
	}
	if _, err := r.ReadAt(t.Context(), make([]byte, 1), -1); err == nil {
		t.Error("a negative offset was read")
	}
}

// TestTruncated cuts a file while goroutines read it: every read gives right bytes or ErrShrunk.
func TestTruncated(t *testing.T) {
	const size, cut = 2 << 20, 1<<20 + 1000 // inside a page
	raw := noise(size)
	for name, opt := range ways {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, raw)
			f := openFile(t, path, opt)
			var wg sync.WaitGroup
			stop := make(chan struct{})
			failed := make(chan string, 8)
			for g := range 4 {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(g), 9))
					p := make([]byte, 5000)
					for {
						select {
						case <-stop:
							return
						default:
						}
						off := r.Int64N(size - 5000)
						n, err := f.ReadAt(t.Context(), p[:1+r.IntN(4999)], off)
						if !bytes.Equal(p[:n], raw[off:off+int64(n)]) {
							failed <- fmt.Sprintf("wrong bytes at %d+%d (%v)", off, n, err)
							return
						}
						var shrunk *ErrShrunk
						if err != nil && (!errors.As(err, &shrunk) || !errors.Is(err, io.ErrUnexpectedEOF)) {
							failed <- fmt.Sprint("unexpected error ", err)
							return
						}
					}
				})
			}
			time.Sleep(5 * time.Millisecond)
			if err := os.Truncate(path, cut); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Millisecond)
			close(stop)
			wg.Wait()
			select {
			case msg := <-failed:
				t.Fatal(msg)
			default:
			}
			if _, cached := f.bytes.(*blocks); cached {
				return // its blocks may hold the bytes of before
			}
			// Behind the cut there is nothing; across it the part before.
			p := make([]byte, 20000)
			if n, err := f.ReadAt(t.Context(), p, size-20000); n != 0 || err == nil {
				t.Errorf("after the cut: %d bytes, %v", n, err)
			}
			n, err := f.ReadAt(t.Context(), p, cut-7000)
			var shrunk *ErrShrunk
			if n != 7000 || !errors.As(err, &shrunk) || shrunk.Now != cut || shrunk.Was != size {
				t.Errorf("across the cut: %d bytes, %v", n, err)
			}
			n, err = f.ReadAt(t.Context(), p[:200], cut-100)
			if n != 100 || !errors.As(err, &shrunk) {
				t.Errorf("across the cut, within its page: %d bytes, %v", n, err)
			}
			if !strings.Contains(err.Error(), "shrunk") {
				t.Errorf("message %q", err)
			}
		})
	}
}

// TestLookAt looks at bytes where they are: the same that are read, none that are not there.
func TestLookAt(t *testing.T) {
	const size, cut = 1 << 20, 1<<19 + 1000
	raw := noise(size)
	path := writeFile(t, raw)
	f := openFile(t, path, Options{})
	look := func(off, n int64) bool {
		same := false
		return f.LookAt(off, n, func(b []byte) { same = bytes.Equal(b, raw[off:off+n]) }) && same
	}
	if _, mapped := f.bytes.(*mapping); !mapped {
		if look(0, 10) {
			t.Error("bytes of a file that is not mapped")
		}
		return
	}
	for _, r := range [][2]int64{{0, size}, {0, 1}, {size - 1, 1}, {4095, 4098}} {
		if !look(r[0], r[1]) {
			t.Errorf("other bytes at %v", r)
		}
	}
	for _, r := range [][2]int64{{0, size + 1}, {-1, 10}, {size, 1}, {0, 0}} {
		if f.LookAt(r[0], r[1], func([]byte) { t.Errorf("looked at %v", r) }) {
			t.Errorf("bytes at %v", r)
		}
	}
	if err := os.Truncate(path, cut); err != nil {
		t.Fatal(err)
	}
	sum := byte(0)
	touch := func(b []byte) {
		for _, v := range b {
			sum ^= v
		}
	}
	for r, want := range map[[2]int64]bool{{0, cut}: true, {0, cut + 1}: false, {cut, 8}: false, {0, size}: false, {size - 8, 8}: false} {
		if got := f.LookAt(r[0], r[1], touch); got != want {
			t.Errorf("after the cut, at %v: %t", r, got)
		}
	}
	f.Close()
	if look(0, 10) {
		t.Error("bytes of a closed file")
	}
}

// TestGuardOnlyItsOwn checks that a bug under the guard is not taken for a cut file.
func TestGuardOnlyItsOwn(t *testing.T) {
	f := openFile(t, writeFile(t, noise(100)), Options{})
	m, ok := f.bytes.(*mapping)
	if !ok {
		t.Skip("this system maps no files")
	}
	defer func() {
		if r := recover(); r == nil {
			t.Error("a fault elsewhere was swallowed")
		}
	}()
	var faulted bool
	func() {
		defer unguard(guard(), m, nil, &faulted)
		var nowhere *[8]byte
		nowhere[runtime.NumCPU()%8]++
	}()
}

func TestClose(t *testing.T) {
	for name, opt := range ways {
		t.Run(name, func(t *testing.T) {
			raw := noise(3 * blockSize)
			f := openFile(t, writeFile(t, raw), opt)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					p := make([]byte, 1000)
					for {
						n, err := f.ReadAt(t.Context(), p, blockSize-500)
						if errors.Is(err, fs.ErrClosed) {
							return
						}
						if err != nil || !bytes.Equal(p[:n], raw[blockSize-500:blockSize+500]) {
							t.Error("wrong read", n, err)
							return
						}
					}
				})
			}
			time.Sleep(2 * time.Millisecond)
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			wg.Wait()
			if err := f.Close(); err != nil {
				t.Error("second close:", err)
			}
		})
	}
}

func TestChanged(t *testing.T) {
	changes := map[string]func(path string) error{
		"size":    func(p string) error { return os.Truncate(p, 5) },
		"time":    func(p string) error { return os.Chtimes(p, time.Time{}, time.Now().Add(time.Hour)) },
		"removed": os.Remove,
		"replaced": func(p string) error {
			info, err := os.Stat(p)
			if err != nil {
				return err
			}
			return errors.Join(os.WriteFile(p+"2", noise(100), 0o600), os.Chtimes(p+"2", time.Time{}, info.ModTime()),
				os.Rename(p+"2", p))
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, noise(100))
			f := openFile(t, path, Options{})
			if changed, err := f.Changed(); changed || err != nil {
				t.Fatalf("at first: %t, %v", changed, err)
			}
			err := change(path)
			if _, gone := os.Stat(path); runtime.GOOS == "windows" && (errors.Is(err, fs.ErrPermission) || name == "removed" && gone == nil) {
				t.Skip("Windows before 10 keeps the name of an open file: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if changed, err := f.Changed(); !changed || err != nil {
				t.Errorf("%t, %v", changed, err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := Open(os.DevNull, Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("device: %v", err)
	}
}

func TestFolder(t *testing.T) {
	path := writeFile(t, noise(10))
	dir := filepath.Dir(path)
	if err := os.WriteFile(filepath.Join(dir, "other.bin"), noise(20), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	var d model.Files = Dir(path, Options{})
	names, err := d.List()
	if err != nil || strings.Join(names, " ") != "file.bin other.bin" {
		t.Errorf("list %q, %v", names, err)
	}
	r, err := d.Open("other.bin")
	if err != nil || r.Size() != 20 {
		t.Fatal(r, err)
	}
	if again, _ := d.Open("other.bin"); again != r {
		t.Error("opened twice")
	}
	for _, name := range []string{"none", "../file.bin", dir + "/file.bin", "", ".", ".."} {
		if _, err := d.Open(name); err == nil {
			t.Errorf("opened %q", name)
		}
	}
	if _, err := d.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("absent:", err)
	}
	folder := d.(*Folder)
	if len(folder.Files()) != 1 {
		t.Error("files", folder.Files())
	}
	if err := folder.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.ReadAt(t.Context(), make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Error("after close:", err)
	}
}

func TestJoined(t *testing.T) {
	raw := noise(1000)
	cuts := []int{0, 0, 1, 2, 300, 300, 300, 999, 1000, 1000}
	var parts []model.Reader
	for i := 1; i < len(cuts); i++ {
		parts = append(parts, model.BytesReader(raw[cuts[i-1]:cuts[i]]))
	}
	j := Join(parts...)
	checkReader(t, j, raw)
	for off := range int64(1000) {
		part, inside := j.Part(off)
		if got := parts[part].(model.BytesReader)[inside]; got != raw[off] {
			t.Fatalf("byte %d: part %d+%d", off, part, inside)
		}
	}
	if part, _ := j.Part(1000); part != -1 {
		t.Error("a part after the end")
	}
	checkReader(t, Join(), nil)
	short := Join(model.BytesReader(raw[:10]), brokenReader{5}, model.BytesReader(raw[:10]))
	if n, err := short.ReadAt(t.Context(), make([]byte, 20), 0); n != 10 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a broken part: %d, %v", n, err)
	}
}

// farReader is a reader of a server's file.
type farReader struct{ model.BytesReader }

func (farReader) Far() bool { return true }

// TestFar: whatever is read through, what comes from a server says so.
func TestFar(t *testing.T) {
	near, server := model.BytesReader("near"), farReader{model.BytesReader("far")}
	patched, err := (*Patch)(nil).Put(0, []byte("x"), []byte("f")).Over(server)
	if err != nil {
		t.Fatal(err)
	}
	file := model.NewFileSource("far", server)
	derived := model.Derive("layout", "inflated", "inflated", near, model.Origin{Parent: file})
	for name, c := range map[string]struct {
		r    model.Reader
		want bool
	}{
		"bytes": {near, false}, "far": {server, true}, "joined": {Join(near, server), true}, "joined near": {Join(near, near), false},
		"window": {model.NewWindow(server, 1, 1), true}, "near window": {model.NewWindow(near, 1, 1), false}, "counter": {NewCounter(server), true},
		"patched": {patched, true}, "part": {model.NewWindow(derived, 0, 2), true}, "source": {file, true},
	} {
		if got := (&model.Document{Sources: []*model.Source{model.NewFileSource("a", near), model.NewFileSource("b", c.r)}}).Far(); got != c.want {
			t.Errorf("%s: far %v, want %v", name, got, c.want)
		}
	}
}

// brokenReader claims a size but has no bytes.
type brokenReader struct{ size int64 }

func (b brokenReader) Size() int64                                            { return b.size }
func (brokenReader) ReadAt(_ context.Context, _ []byte, _ int64) (int, error) { return 0, io.EOF }

func TestCounter(t *testing.T) {
	c := NewCounter(model.BytesReader(noise(10 * CountedPage)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, _ = c.ReadAt(t.Context(), make([]byte, 10), CountedPage-5)
			_, _ = c.ReadAt(t.Context(), make([]byte, 2*CountedPage), 9*CountedPage)
		})
	}
	wg.Wait()
	if c.Calls() != 8 || c.Bytes() != 4*(10+CountedPage) || c.Pages() != 3 {
		t.Errorf("%d calls, %d bytes, %d pages", c.Calls(), c.Bytes(), c.Pages())
	}
	c.Reset()
	if c.Calls() != 0 || c.Bytes() != 0 || c.Pages() != 0 {
		t.Error("not reset")
	}
}

// TestNames: a folder is listed anew when it has changed, also while nobody may see that by its time.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	list := func() string {
		names, err := Names(dir)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, " ")
	}
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	put("a")
	past := time.Now().Add(-time.Hour)
	for _, old := range []bool{false, true} {
		if old { // at rest, so that the list is kept
			if err := os.Chtimes(dir, past, past); err != nil {
				t.Fatal(err)
			}
		}
		first := list()
		put(fmt.Sprintf("b%t", old))
		if now := list(); now != first+fmt.Sprintf(" b%t", old) {
			t.Errorf("at rest %t: %q, then %q", old, first, now)
		}
	}
}
