package far

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// content is bytes that differ everywhere.
func content(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

// server gives one file by ranges, as well or as badly as its fields say.
type server struct {
	mu       sync.Mutex
	bytes    []byte
	etag     string
	requests atomic.Int64
	before   func(w http.ResponseWriter, r *http.Request, n int64) bool // true: it has answered
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.requests.Add(1)
	if s.before != nil && s.before(w, r, n) {
		return
	}
	s.mu.Lock()
	b, etag := s.bytes, s.etag
	s.mu.Unlock()
	if etag != "" {
		w.Header().Set("ETag", etag)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

func (s *server) change(b []byte, etag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes, s.etag = b, etag
}

// within runs what a server does without a network, so that it can be in a bubble of synctest.
type within struct{ http.Handler }

// RoundTrip implements http.RoundTripper.
func (w within) RoundTrip(r *http.Request) (*http.Response, error) {
	from, to := io.Pipe()
	answer := &piped{header: http.Header{}, to: to, ready: make(chan int, 1)}
	go func() {
		defer func() {
			if recover() != nil { // http.ErrAbortHandler
				to.CloseWithError(io.ErrUnexpectedEOF)
			}
			answer.WriteHeader(http.StatusOK)
			to.Close()
		}()
		w.ServeHTTP(answer, r)
	}()
	context.AfterFunc(r.Context(), func() { to.CloseWithError(r.Context().Err()) })
	select {
	case status := <-answer.ready:
		length, err := strconv.ParseInt(answer.header.Get("Content-Length"), 10, 64)
		if err != nil {
			length = -1
		}
		return &http.Response{StatusCode: status, Header: answer.header, Body: from, ContentLength: length, Request: r}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

type piped struct {
	header http.Header
	to     *io.PipeWriter
	ready  chan int
	once   sync.Once
}

func (p *piped) Header() http.Header { return p.header }

func (p *piped) WriteHeader(status int) { p.once.Do(func() { p.ready <- status }) }

func (p *piped) Write(b []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	return p.to.Write(b)
}

func open(t *testing.T, address string, opt Options) *File {
	t.Helper()
	f, err := Open(t.Context(), address, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// readAll reads a file in order, in pieces.
func readAll(t *testing.T, f *File) []byte {
	t.Helper()
	all := make([]byte, f.Size())
	for off := 0; off < len(all); off += 10_000 {
		if _, err := f.ReadAt(t.Context(), all[off:min(off+10_000, len(all))], int64(off)); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	return all
}

// TestReads reads in order, at random, in large pieces, past the end, and of small and empty files, over a real connection.
func TestReads(t *testing.T) {
	for _, size := range []int{0, 1, blockSize, blockSize + 1, 9*blockSize - 5, 100 * blockSize} {
		s := &server{bytes: content(size), etag: `"a"`}
		web := httptest.NewServer(s)
		f := open(t, web.URL+"/some%20file.vrs", Options{})
		if f.Size() != int64(size) || !bytes.Equal(readAll(t, f), s.bytes) {
			t.Fatalf("%d bytes: other bytes", size)
		}
		if most := int64(3 + size/blockSize/8); s.requests.Load() > max(most, 6) {
			t.Errorf("%d bytes in order: %d requests", size, s.requests.Load())
		}
		if n, err := f.ReadAt(t.Context(), make([]byte, 9), int64(size)); n != 0 || err != io.EOF {
			t.Errorf("past the end: %d, %v", n, err)
		}
		g := open(t, web.URL, Options{})
		random := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			off := random.IntN(size + 1)
			want := s.bytes[off:min(size, off+random.IntN(1+size))]
			got := make([]byte, len(want))
			if n, err := g.ReadAt(t.Context(), got, int64(off)); n != len(want) || err != nil && err != io.EOF || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes at %d: %d, %v", len(want), off, n, err)
			}
		}
		web.Close()
	}
}

// TestReadsFew: what is not read is not fetched.
func TestReadsFew(t *testing.T) {
	s := &server{bytes: content(200 * blockSize)}
	f := open(t, "http://host/f", Options{Via: within{s}})
	for _, block := range []int64{150, 20, 90} {
		if _, err := f.ReadAt(t.Context(), make([]byte, 8), block*blockSize+7); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Fetched(); got != 4*blockSize {
		t.Errorf("%d bytes for 4 blocks", got)
	}
}

// TestBreaksOff: a server that breaks off, refuses for a while and gives less than asked is read to the end, in the time
// that it needs.
func TestBreaksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{bytes: content(40 * blockSize), etag: `"a"`}
		s.before = func(w http.ResponseWriter, r *http.Request, n int64) bool {
			switch n % 4 {
			case 1:
				w.Header().Set("Retry-After", "20")
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			case 2:
				first, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), "-")
				off, _ := strconv.Atoi(first)
				w.Header().Set("ETag", `"a"`)
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", off, min(off+blockSize, len(s.bytes))-1, len(s.bytes)))
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(s.bytes[off : off+min(30_000, len(s.bytes)-off)])
				panic(http.ErrAbortHandler)
			}
			return false
		}
		began := time.Now()
		f := open(t, "http://host/f", Options{Via: within{s}})
		if !bytes.Equal(readAll(t, f), s.bytes) {
			t.Error("other bytes")
		}
		if took := time.Since(began); took < 20*time.Second || took > 10*time.Minute {
			t.Errorf("it took %v", took)
		}
		f.Close()
	})
}

// TestGivesUp: what cannot get better is told at once, what might after some attempts; a server that falls silent is not
// waited for without end.
func TestGivesUp(t *testing.T) {
	for _, k := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request)
		tries  int64
		says   string
		is     error
	}{
		{"not found", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 1, "404 Not Found", fs.ErrNotExist},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, 1, "403 Forbidden", fs.ErrPermission},
		{"signed", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, 1, "may have expired", fs.ErrPermission},
		{"password", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, 1, ".netrc", fs.ErrPermission},
		{"fails", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, attempts, "500 Internal Server Error (6 attempts)", nil},
		{"breaks off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, attempts, "broke off", nil},
		{"silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, attempts, "nothing for 30s", nil},
		{"silent within", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-65535/100000")
			w.WriteHeader(206)
			_, _ = w.Write([]byte("begin"))
			<-r.Context().Done()
		}, attempts, "nothing for 30s", nil},
		{"another range", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-9/100")
			w.WriteHeader(206)
		}, 1, "does not give the range", nil},
		{"nonsense", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-99999999999999999999999/5")
			w.WriteHeader(206)
		}, 1, "does not give the range", nil},
		{"too short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "50")
			w.WriteHeader(200)
			_, _ = w.Write([]byte("begin"))
		}, attempts, "broke off", nil},
		{"breaks off within the first block", breaking(func(from int) bool { return from == 0 }), attempts, "broke off (6 attempts)", nil},
		{"begins anew each time", func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Range", "bytes=0-65535")
			breaking(func(int) bool { return true })(w, r)
		}, 2, "from 0, not from 8000", nil},
		{"breaks off the whole", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "600000")
			_, _ = w.Write(content(30_000))
			panic(http.ErrAbortHandler)
		}, attempts, "broke off (6 attempts)", nil},
		{"compressed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(content(99))
		}, 1, "compressed (Content-Encoding: gzip)", nil},
		{"compressed range", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			breaking(func(int) bool { return true })(w, r)
		}, 1, "compressed (Content-Encoding: br)", nil},
		{"no such port", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://host:99999/g", http.StatusFound)
		}, 1, "port is 99999", nil},
		{"https to http", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://host/g", http.StatusFound) }, 1, "from https to http", nil},
		{"round and round", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "https://host/f", http.StatusFound) }, 11, "redirects too often", nil},
	} {
		for _, download := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := &server{before: func(w http.ResponseWriter, r *http.Request, _ int64) bool { k.answer(w, r); return true }}
				address := "https://host/f"
				if k.name == "signed" {
					address += "?Signature=one"
				}
				f, err := Open(t.Context(), address, Options{Via: within{s}, Download: download})
				if f != nil || err == nil || !strings.Contains(err.Error(), k.says) || k.is != nil && !errors.Is(err, k.is) {
					t.Errorf("%s: %v", k.name, err)
				}
				if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s: it says that the file ends there", k.name)
				}
				if got := s.requests.Load(); got != k.tries {
					t.Errorf("%s: %d requests, not %d", k.name, got, k.tries)
				}
				synctest.Wait()
			})
		}
	}
}

// breakingSize is how many bytes the file of a server has that breaks off: a block.
const breakingSize = 65_536

// breaking answers with the range that is asked for, and breaks off after 8,000 bytes, or before any where gives says no.
func breaking(gives func(from int) bool) http.HandlerFunc {
	const size = breakingSize
	all := content(size)
	return func(w http.ResponseWriter, r *http.Request) {
		var from, to int
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, min(to, size-1), size))
		w.WriteHeader(http.StatusPartialContent)
		if gives(from) {
			_, _ = w.Write(all[from:min(from+8_000, to+1, size)])
		}
		panic(http.ErrAbortHandler)
	}
}

// TestGoesOn: what came of the first block before the server broke off is kept, and is not asked for again.
func TestGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = breakingSize
		var requests atomic.Int64
		web := breaking(func(int) bool { return true })
		f := open(t, "http://host/f", Options{Via: within{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			web(w, r)
		})}})
		given := f.Fetched()
		if !bytes.Equal(readAll(t, f), content(size)) {
			t.Error("other bytes")
		}
		if requests.Load() != 9 || given != size {
			t.Errorf("%d requests for %d bytes, not 9 for %d", requests.Load(), given, size)
		}
	})
}

// TestLost: when a server has been given up, what is read next is not waited for again; later it is asked anew.
func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{bytes: content(20 * blockSize)}
		var silent atomic.Bool
		silent.Store(true)
		s.before = func(_ http.ResponseWriter, r *http.Request, n int64) bool {
			if n == 1 || !silent.Load() {
				return false
			}
			<-r.Context().Done()
			return true
		}
		f := open(t, "http://host/f", Options{Via: within{s}})
		began := time.Now()
		read := func(block int64) error {
			_, err := f.ReadAt(t.Context(), make([]byte, 9), block*blockSize)
			return err
		}
		first := read(5)
		took := time.Since(began)
		if first == nil || took < attempts*stall {
			t.Errorf("%v after %v", first, took)
		}
		for block := int64(6); block < 20; block++ {
			if err := read(block); !errors.Is(err, first) {
				t.Errorf("block %d: %v, not %v", block, err, first)
			}
		}
		if got := time.Since(began); got != took {
			t.Errorf("the other blocks were waited for: %v, not %v", got, took)
		}
		silent.Store(false)
		if time.Sleep(took); read(7) != nil {
			t.Error("not asked again")
		}
	})
}

// TestChanges: a file that changes is noticed at the next fetch, whatever tells of it, and nothing is read after that.
func TestChanges(t *testing.T) {
	first := content(10 * blockSize)
	for _, k := range []struct {
		name  string
		bytes []byte
		etag  string
	}{
		{"ETag", bytes.Repeat([]byte{1}, len(first)), `"b"`}, {"size", first[:9*blockSize], `"a"`}, {"size", first[:blockSize], `"a"`},
		{"version", bytes.Repeat([]byte{1}, len(first)), ""},
	} {
		s := &server{bytes: first, etag: `"a"`}
		f := open(t, "http://host/f", Options{Via: within{s}})
		s.change(k.bytes, k.etag)
		if err := f.Changed(); err != nil {
			t.Errorf("%s: before anything was asked: %v", k.name, err)
		}
		var changed *ErrChanged
		if _, err := f.ReadAt(t.Context(), make([]byte, 9), 5*blockSize); !errors.As(err, &changed) || changed.What != k.name {
			t.Errorf("%s: %v", k.name, err)
		}
		if err := f.Changed(); !errors.As(err, &changed) {
			t.Errorf("%s: not said to have changed: %v", k.name, err)
		}
		s.change(first, `"a"`)
		if _, err := f.ReadAt(t.Context(), make([]byte, 9), 0); !errors.As(err, &changed) {
			t.Errorf("%s: read on after the change: %v", k.name, err)
		}
	}
}

// TestNoRanges: a server without ranges is told with the size; with Download the file is had, small ones without.
func TestNoRanges(t *testing.T) {
	all := content(5*blockSize + 3)
	for _, known := range []bool{true, false} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if known {
				w.Header().Set("Content-Length", strconv.Itoa(len(all)))
			}
			_, _ = w.Write(all)
		})
		web := httptest.NewServer(handler)
		var no *ErrNoRanges
		if _, err := Open(t.Context(), web.URL+"/f", Options{}); !errors.As(err, &no) || !strings.Contains(err.Error(), "--download") ||
			known != strings.Contains(err.Error(), "327,683 bytes") {
			t.Errorf("%v", err)
		}
		var done, total int64
		progress := func(n, of int64, _ string) { done, total = n, of }
		if f := open(t, web.URL+"/f", Options{Download: true, Progress: progress}); !bytes.Equal(readAll(t, f), all) {
			t.Error("other bytes")
		}
		if done != int64(len(all)) || known != (total == done) {
			t.Errorf("%d of %d bytes are told to have come", done, total)
		}
		web.Close()
	}
	small := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(all[:99]) })
	if f := open(t, "http://host/f", Options{Via: within{small}}); !bytes.Equal(readAll(t, f), all[:99]) {
		t.Error("small: other bytes")
	}
}

// TestCancel: who gives up does so at once; another reader of the same block has it still.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{bytes: content(20 * blockSize)}
		s.before = func(_ http.ResponseWriter, r *http.Request, n int64) bool {
			if n > 1 {
				select {
				case <-time.After(10 * time.Second):
				case <-r.Context().Done():
				}
			}
			return false
		}
		f := open(t, "http://host/f", Options{Via: within{s}})
		began := time.Now()
		early, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		done := make(chan error)
		for _, ctx := range []context.Context{early, t.Context()} {
			go func() {
				_, err := f.ReadAt(ctx, make([]byte, 9), 7*blockSize)
				done <- err
			}()
			synctest.Wait()
		}
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := <-done; err != nil || time.Since(began) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		go func() {
			_, err := f.ReadAt(t.Context(), make([]byte, 9), 15*blockSize)
			done <- err
		}()
		synctest.Wait()
		f.Close()
		if err := <-done; !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// TestSecrets: credentials go to the host they are for, not on to another one, and nothing that is shown has them.
func TestSecrets(t *testing.T) {
	netrc := filepath.Join(t.TempDir(), "netrc")
	text := "# mine\nmachine other login o password p\nmacdef x\nmachine host login no password no\n\nmachine host login me\n password secret\nmachine host login you password yours\nmachine sub.host login sub password \"of \\\"sub\\\"\" # mine\ndefault login d password e\n"
	if err := os.WriteFile(netrc, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NETRC", netrc)
	var seen []string
	web := within{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		seen = append(seen, fmt.Sprintf("%s %s:%s %q %s", r.URL.Host, user, password, r.Header.Get("Referer"), r.URL.RawQuery))
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "https://sub.host/real?Signature=two", http.StatusFound)
		case "/far":
			http.Redirect(w, r, "https://us:er@other/real", http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusForbidden)
		default:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(make([]byte, 3*blockSize)))
		}
	})}
	for _, k := range []struct{ address, shown, want string }{
		{"https://host/f", "https://host/f", `host me:secret "" ` + "\n" + `host me:secret "" `},
		{"https://elsewhere/f", "https://elsewhere/f", `elsewhere d:e "" ` + "\n" + `elsewhere d:e "" `},
		{"https://you@host/f", "https://host/f", `host you:yours "" ` + "\n" + `host you:yours "" `},
		{"https://nobody@host/f", "https://host/f", `host nobody: "" ` + "\n" + `host nobody: "" `},
		{"https://you:pw@host/f?X-Amz-Signature=one", "https://host/f?…", `host you:pw "" X-Amz-Signature=one` + "\n" + `host you:pw "" X-Amz-Signature=one`},
		{"https://you:pw@host/moved?sig=one", "https://host/moved?…", `host you:pw "" sig=one` + "\n" + `sub.host sub:of "sub" "" Signature=two` + "\n" + `sub.host sub:of "sub" "" Signature=two`},
		{"https://you:pw@host/far", "https://host/far", `host you:pw "" ` + "\n" + `other o:p "" ` + "\n" + `other o:p "" `},
	} {
		seen = nil
		shown := Keep(k.address)
		if shown != k.shown || Keep(shown) != shown {
			t.Errorf("%s is shown as %s", k.address, shown)
		}
		f := open(t, shown, Options{Via: web})
		if _, err := f.ReadAt(t.Context(), make([]byte, 1), 2*blockSize); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(seen, "\n"); got != k.want {
			t.Errorf("%s:\n%s\nnot\n%s", k.address, got, k.want)
		}
		if HasSecret(shown) != (shown != k.address) {
			t.Errorf("%s has a secret: %t", shown, HasSecret(shown))
		}
		Forget(shown)
	}
	_, err := Open(t.Context(), Keep("https://you:pw@host/gone?sig=abc#layout"), Options{Via: web})
	if err == nil || strings.Contains(err.Error(), "pw") || strings.Contains(err.Error(), "abc") {
		t.Errorf("an error with a secret: %v", err)
	}
	one, two := Keep("https://host/p?id=1"), Keep("https://host/p?id=2")
	if one == two || fullAddress(one) != "https://host/p?id=1" || fullAddress(two) != "https://host/p?id=2" {
		t.Errorf("%s, %s", one, two)
	}
	// A member of a package is none of the address's, and other users of one file are told apart from another file.
	if member := Keep("https://host/q.usdz?id=1[a[0].usdc]#scene"); member != "https://host/q.usdz?…[a[0].usdc]#scene" || fullAddress("https://host/q.usdz?…") != "https://host/q.usdz?id=1" || !HasSecret(member) {
		t.Errorf("%s, %s", member, fullAddress("https://host/q.usdz?…"))
	}
	if me, you := Keep("https://me:pw@host/r"), Keep("https://you:pw@host/r"); me != "https://host/r" || you != "https://host/r?…2" {
		t.Errorf("%s, %s", me, you)
	}
	Keep("https://host/p?id=1")
	if Forget(one); fullAddress(one) != "https://host/p?id=1" {
		t.Error("forgotten while it is used elsewhere")
	}
	if Forget(one); fullAddress(one) != one {
		t.Error("not forgotten")
	}
}

// TestNetrc reads .netrc as curl does.
func TestNetrc(t *testing.T) {
	for _, k := range []struct{ text, host, user, want string }{
		{`machine h login a password b`, "h", "", "a b true"},
		{`machine h login "a b" password "x\"y\\z"`, "h", "", `a b x"y\z true`},
		{`machine h login a password "1\t2\n3\r4\q"`, "h", "", "a 1\t2\n3\r4q true"},
		{`machine h login a password "machine" machine g login c password d`, "g", "", "c d true"},
		{`machine h login a password b"c"`, "h", "", `a b"c" true`},
		{`machine h login a password "" machine h login b password c`, "h", "", "a  true"},
		{`MACHINE H LOGIN a PASSWORD b`, "h", "", "a b true"},
		{`machine h login a password "not closed`, "h", "", "  false"},
		{"machine h # of mine\n# login no\n login a\n password \"#1\" # yes\n", "h", "", "a #1 true"},
		{"machine g login a password b\ndefault login c password d", "h", "", "c d true"},
		{"machine g login a password b", "h", "", "  false"},
		{"machine h login a password b machine h login c password d", "h", "c", "c d true"},
		{"macdef x\nmachine h login no password no\n\nmachine h login a password b", "h", "", "a b true"},
	} {
		login, password, ok := parseNetrc(k.text, k.host, k.user)
		if got := fmt.Sprintf("%s %s %t", login, password, ok); k.want != got && (ok || k.want != "  false") {
			t.Errorf("%s for %s: %q, not %q", k.text, k.host, got, k.want)
		}
	}
}

// TestUnversioned: it is known whether a change can be noticed.
func TestUnversioned(t *testing.T) {
	for etag, want := range map[string]bool{"": true, `"a"`: false} {
		if f := open(t, "http://host/f", Options{Via: within{&server{bytes: content(9), etag: etag}}}); f.Unversioned() != want {
			t.Errorf("with the ETag %q: %t", etag, !want)
		}
	}
}

// TestCertificate says in words what is wrong with a certificate, at once.
func TestCertificate(t *testing.T) {
	web := httptest.NewTLSServer(&server{bytes: content(9)})
	defer web.Close()
	web.Config.ErrorLog = nil
	_, err := Open(t.Context(), web.URL+"/f", Options{})
	if err == nil || !strings.Contains(err.Error(), "authority that this machine does not trust") || strings.Contains(err.Error(), "attempts") {
		t.Error(err)
	}
	trusting := web.Client().Transport.(*http.Transport).Clone()
	trusting.TLSClientConfig.ServerName = "elsewhere.example"
	if _, err = Open(t.Context(), web.URL+"/f", Options{Via: trusting}); err == nil || !strings.Contains(err.Error(), "not for elsewhere.example but for") {
		t.Error(err)
	}
	if f := open(t, web.URL+"/f", Options{Via: web.Client().Transport}); f.Size() != 9 {
		t.Error("with the authority trusted it is not read")
	}
}

// TestProxy reads through the proxy that the variables name.
func TestProxy(t *testing.T) {
	s := &server{bytes: content(9)}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "files.example" {
			t.Errorf("asked for %s", r.URL)
		}
		s.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	for _, variable := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"} {
		t.Setenv(variable, "")
	}
	for _, k := range []struct{ variable, scheme, without string }{
		{"http_proxy", "http", "no_proxy"}, {"all_proxy", "http", "NO_PROXY"}, {"ALL_PROXY", "http", "no_proxy"},
		{"https_proxy", "https", "NO_PROXY"}, {"HTTPS_PROXY", "https", "no_proxy"}, {"ALL_PROXY", "https", "no_proxy"},
	} {
		t.Run(k.variable+" "+k.scheme, func(t *testing.T) {
			t.Setenv(k.variable, proxy.URL)
			for _, without := range []string{"", "files.example"} {
				t.Setenv(k.without, without)
				u, err := proxyFor(&http.Request{URL: &url.URL{Scheme: k.scheme, Host: "files.example"}})
				if err != nil || (u == nil) != (without != "") {
					t.Errorf("%s=%s: %v, %v", k.without, without, u, err)
				}
			}
			t.Setenv(k.without, "")
			if k.scheme == "http" {
				if f := open(t, "http://files.example/f", Options{}); f.Size() != 9 {
					t.Error(f.Size())
				}
			}
		})
	}
	if runtime.GOOS == "windows" {
		return // whose variables have no case
	}
	t.Setenv("HTTP_PROXY", proxy.URL)
	if u, err := proxyFor(&http.Request{URL: &url.URL{Scheme: "http", Host: "files.example"}}); u != nil || err != nil {
		t.Errorf("HTTP_PROXY in capitals, which a request can set in a script of a server, counts: %v, %v", u, err)
	}
}

// TestNobodyThere: an address at which no server is, or one that does not speak TLS, is told at once, and whether it is the
// proxy's.
func TestNobodyThere(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, k := range []struct{ address, proxy, says string }{
		{gone.URL, "", "the connection is refused"},
		{strings.Replace(plain.URL, "http:", "https:", 1), "", "does not speak TLS"},
		{"http://files.example/f", gone.URL, "the proxy cannot be reached: the connection is refused"},
		{"https://files.example/f", gone.URL, "the proxy cannot be reached: the connection is refused"},
		{"https://files.example/f", plain.URL, "the proxy answers 404 Not Found"},
		{"http://127.0.0.1:99999/f", "", "its port is 99999, not one of 1 to 65535"},
		{"https://files.example:0/f", "", "its port is 0, not one of 1 to 65535"},
	} {
		t.Setenv("no_proxy", "")
		t.Setenv("http_proxy", k.proxy)
		t.Setenv("https_proxy", k.proxy)
		_, err := Open(t.Context(), k.address, Options{})
		if err == nil || !strings.Contains(err.Error(), k.says) || strings.Contains(err.Error(), "attempts") {
			t.Errorf("%s by %q: %v", k.address, k.proxy, err)
		}
	}
}

// TestBeside opens files beside one; there is none beside a signed one.
func TestBeside(t *testing.T) {
	web := within{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/dir/b_1.vrs" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("there"))
	})}
	for _, k := range []struct {
		beside, name string
		there        bool
	}{{"http://host/dir/b.vrs", "b_1.vrs", true}, {"http://host/dir/b.vrs", "b_2.vrs", false}, {"http://host/dir/b.vrs", "../dir/b_1.vrs", false},
		{"http://host/dir/b.vrs?signed", "b_1.vrs", false}} {
		d := Beside(t.Context(), Keep(k.beside), Options{Via: web})
		r, err := d.Open(k.name)
		if k.there != (err == nil) || !k.there && !errors.Is(err, fs.ErrNotExist) || k.there && r.Size() != 5 {
			t.Errorf("%s beside %s: %v", k.name, k.beside, err)
		}
		d.Close()
	}
}

// FuzzAnswer: whatever a server answers costs an error, never false bytes, a panic or an end that does not come.
func FuzzAnswer(f *testing.F) {
	f.Add(206, "bytes 0-65535/100000", `"a"`, "7", []byte("bytes"), uint8(3))
	f.Add(206, "bytes 0-4/5", "", "", []byte("bytes"), uint8(0))
	f.Add(200, "", "", "5", []byte("bytes"), uint8(1))
	f.Add(416, "bytes */0", "", "", []byte{}, uint8(0))
	f.Add(503, "", "", "Wed, 21 Oct 2015 07:28:00 GMT", []byte{}, uint8(9))
	f.Fuzz(func(t *testing.T, status int, contentRange, etag, number string, answer []byte, good uint8) {
		if status < 200 || status > 599 {
			t.Skip("net/http lets no other status through")
		}
		all := content(2*blockSize + 17)
		synctest.Test(t, func(t *testing.T) {
			s := &server{bytes: all, etag: `"a"`, before: func(w http.ResponseWriter, _ *http.Request, n int64) bool {
				if n <= int64(good%4) {
					return false
				}
				w.Header().Set("Content-Range", contentRange)
				w.Header().Set("ETag", etag)
				w.Header().Set("Content-Length", number)
				w.Header().Set("Retry-After", number)
				w.Header().Set("Location", number)
				w.WriteHeader(status)
				_, _ = w.Write(answer)
				return true
			}}
			f, err := Open(t.Context(), "http://host/f", Options{Via: within{s}})
			if err != nil {
				return
			}
			defer f.Close()
			if good%4 == 0 {
				return // it is what the answer says
			}
			got := make([]byte, 100)
			if n, err := f.ReadAt(t.Context(), got, 2*blockSize-40); err == nil && status != 206 && !bytes.Equal(got[:n], all[2*blockSize-40:][:n]) {
				t.Error("false bytes")
			}
		})
	})
}
