package far

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"cutaway/model"
	"cutaway/source"
)

// Number and delay of repeated requests.
const (
	attempts      = 6                      // successive attempts with almost no progress
	firstDelay    = 250 * time.Millisecond // doubled each time
	longestDelay  = 10 * time.Second
	longestWait   = time.Minute // that a server may ask for
	leastProgress = 4 << 10     // bytes
)

// An identity is a pair of headers that changes with a file.
type identity struct{ etag, modified string }

// differs returns the header that has changed, with its previous and current value.
func (id identity) differs(h http.Header) (what, was, now string) {
	etag, modified := h.Get("ETag"), h.Get("Last-Modified")
	switch {
	case id.etag != "" && etag != "" && etag != id.etag:
		return "ETag", id.etag, etag
	case id.modified != "" && modified != "" && modified != id.modified:
		return "Last-Modified", id.modified, modified
	case (id.etag != "" || id.modified != "") && (id.etag == "" || etag == "") && (id.modified == "" || modified == ""):
		return "version", id.etag + id.modified, "not told"
	}
	return "", "", ""
}

// insist calls attempt, which returns the number of bytes received, until it succeeds, with increasing delays. It gives
// up when there is no prospect. Subsequent calls then fail immediately with the same error, for as long as giving up
// took: so a check of many places does not wait each time.
func (f *File) insist(ctx context.Context, attempt func(ctx context.Context) (int64, error)) error {
	if err := f.lostNow(); err != nil {
		return err
	}
	began, delay := time.Now(), firstDelay
	for failed := 0; ; {
		n, err := f.attempt(ctx, attempt)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if n >= leastProgress {
			failed, delay = 0, firstDelay
		}
		if failed++; failed == attempts || !isTemporary(err) {
			return f.giveUp(f.failure(err, failed), time.Since(began))
		}
		wait := delay/2 + rand.N(delay/2+1)
		var status *statusError
		if errors.As(err, &status) && status.after > 0 {
			wait = min(status.after, longestWait)
		}
		delay = min(2*delay, longestDelay)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lostNow returns the error by which the file was given up recently, or nil.
func (f *File) lostNow() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Now().Before(f.until) {
		return f.lost
	}
	return nil
}

func (f *File) giveUp(err error, took time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost, f.until = err, time.Now().Add(took)
	return err
}

// attempt runs one attempt, under a context that ends after a stall.
func (f *File) attempt(ctx context.Context, attempt func(ctx context.Context) (int64, error)) (int64, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watch := time.AfterFunc(stall, func() { stop(errStalled) })
	defer watch.Stop()
	n, err := attempt(context.WithValue(ctx, watchKey{}, watch))
	if err != nil && errors.Is(context.Cause(ctx), errStalled) {
		err = errStalled
	}
	return n, err
}

// watchKey is the context key of an attempt's timer.
type watchKey struct{}

// failure returns err for a person. It returns *ErrChanged and *ErrNoRanges unchanged.
func (f *File) failure(err error, tried int) error {
	var changed *ErrChanged
	var whole *ErrNoRanges
	if errors.As(err, &changed) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed = changed
		return changed
	}
	if errors.As(err, &whole) {
		return whole
	}
	reason := words(err)
	if tried > 1 {
		reason += fmt.Sprintf(" (%d attempts)", tried)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the answer ended, not the file
	}
	return &Error{f.address, reason, err}
}

// ask requests bytes [off, end). Reading the answer's body counts bytes and keeps the attempt alive.
func (f *File) ask(ctx context.Context, off, end int64) (*http.Response, error) {
	f.mu.Lock()
	u := f.at
	f.mu.Unlock()
	moved := u != nil
	if !moved {
		u = f.first
	}
	req := (&http.Request{Method: http.MethodGet, Header: http.Header{}}).WithContext(ctx)
	to := *u
	req.URL, req.Host = &to, to.Host
	authorize(req, f.first)
	if end > off {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, end-1))
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "cutaway")
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	watch, _ := ctx.Value(watchKey{}).(*time.Timer)
	resp.Body = &body{resp.Body, f, watch}
	if moved && resp.StatusCode >= http.StatusBadRequest {
		f.mu.Lock()
		f.at = nil // a redirect may be signed for a limited time
		f.mu.Unlock()
		drop(resp)
		return f.ask(ctx, off, end)
	}
	if coding := resp.Header.Get("Content-Encoding"); resp.StatusCode < 300 && coding != "" && !strings.EqualFold(coding, "identity") {
		drop(resp)
		return nil, &errProtocol{fmt.Sprintf("the server gives it compressed (Content-Encoding: %s), though it was asked for the bytes as they are", coding)}
	}
	if resp.Request.URL.String() != to.String() {
		f.mu.Lock()
		f.at = resp.Request.URL
		f.mu.Unlock()
	}
	return resp, nil
}

// drop closes an answer. It reads a short rest, so that the connection can be reused.
func drop(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // the answer is useless
	_ = resp.Body.Close()
}

type body struct {
	io.ReadCloser
	f     *File
	watch *time.Timer
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.f.fetched.Add(int64(n))
	if n > 0 && b.watch != nil {
		b.watch.Reset(stall)
	}
	return n, err
}

// statusOf returns the error for an unsuccessful answer.
func statusOf(resp *http.Response) error {
	e := &statusError{status: resp.StatusCode, query: resp.Request != nil && resp.Request.URL.RawQuery != ""}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = time.Duration(min(seconds, 3600)) * time.Second
	} else if at, err := http.ParseTime(resp.Header.Get("Retry-After")); err == nil {
		e.after = max(time.Until(at), 0)
	}
	return e
}

// contentRange parses "bytes 0-99/1000"; size is -1 for *.
func contentRange(text string) (first, last, size int64, ok bool) {
	text, ok = strings.CutPrefix(text, "bytes ")
	run, total, cut := strings.Cut(text, "/")
	if !ok || !cut {
		return 0, 0, 0, false
	}
	number := func(s string) int64 {
		v, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			ok = false
		}
		return int64(v)
	}
	if size = -1; total != "*" {
		size = number(total)
	}
	if run == "*" {
		return 0, -1, size, ok
	}
	from, to, cut := strings.Cut(run, "-")
	first, last = number(from), number(to)
	return first, last, size, ok && cut && first <= last && (size < 0 || last < size)
}

// fetch fills p from off on.
func (f *File) fetch(ctx context.Context, p []byte, off int64) error {
	done := 0
	return f.insist(ctx, func(ctx context.Context) (int64, error) { return f.fill(ctx, p, &done, off) })
}

// fill attempts to fill p from off on, after the first done bytes.
func (f *File) fill(ctx context.Context, p []byte, done *int, off int64) (int64, error) {
	began := *done
	for *done < len(p) {
		n, err := f.part(ctx, p[*done:], off+int64(*done))
		*done += n
		if err != nil || n == 0 {
			return int64(*done - began), errors.Join(err, emptyIf(n == 0 && err == nil))
		}
	}
	return int64(*done - began), nil
}

func emptyIf(empty bool) error {
	if empty {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// part reads one answer, which may be shorter than p.
func (f *File) part(ctx context.Context, p []byte, off int64) (int, error) {
	resp, err := f.ask(ctx, off, off+int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer drop(resp)
	first, last, size, ok := contentRange(resp.Header.Get("Content-Range"))
	success := resp.StatusCode == http.StatusPartialContent || resp.StatusCode == http.StatusOK
	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return 0, &ErrChanged{f.address, "size", strconv.FormatInt(f.size, 10), strconv.FormatInt(max(size, 0), 10)}
	case !success:
		return 0, statusOf(resp)
	}
	if what, was, now := f.id.differs(resp.Header); what != "" {
		return 0, &ErrChanged{f.address, what, was, now}
	}
	switch {
	case resp.StatusCode == http.StatusOK && resp.ContentLength >= 0 && resp.ContentLength != f.size:
		return 0, &ErrChanged{f.address, "size", strconv.FormatInt(f.size, 10), strconv.FormatInt(resp.ContentLength, 10)}
	case resp.StatusCode == http.StatusOK:
		return 0, &ErrNoRanges{f.address, f.size}
	case !ok:
		return 0, &errProtocol{"the server does not say which range it gives"}
	case size >= 0 && size != f.size:
		return 0, &ErrChanged{f.address, "size", strconv.FormatInt(f.size, 10), strconv.FormatInt(size, 10)}
	case first != off:
		return 0, &errProtocol{fmt.Sprintf("the server gives the range from %d, not from %d", first, off)}
	}
	return io.ReadFull(resp.Body, p[:min(int64(len(p)), last-first+1)])
}

// begin requests the first block, which identifies the file. If the answer breaks off, its bytes are kept and the rest
// is requested.
func (f *File) begin(ctx context.Context, opt Options) error {
	var block []byte // or nil while its length is unknown
	done := 0
	err := f.insist(ctx, func(ctx context.Context) (n int64, err error) {
		if block == nil {
			block, done, err = f.meet(ctx, opt)
			n = int64(done)
		}
		if err == nil {
			var more int64
			more, err = f.fill(ctx, block, &done, 0)
			n += more
		}
		return n, err
	})
	if err == nil && len(block) > 0 {
		f.blocks.hold(0, block)
	}
	return err
}

// meet sends the first request. block is the first block, with done bytes received. It is nil if the whole file was
// received, if it is empty, or if the request failed.
func (f *File) meet(ctx context.Context, opt Options) (block []byte, done int, err error) {
	resp, err := f.ask(ctx, 0, blockSize)
	if isRefused(err) {
		return nil, 0, &errProtocol{words(err)} // do not repeat: only a known server may be restarting
	}
	if err != nil {
		return nil, 0, err
	}
	defer drop(resp)
	f.id = identity{resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")}
	first, last, size, ok := contentRange(resp.Header.Get("Content-Range"))
	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && ok && size == 0:
		return nil, 0, nil // an empty file has no range
	case resp.StatusCode == http.StatusOK:
		return nil, 0, f.takeWhole(ctx, resp, opt)
	case resp.StatusCode != http.StatusPartialContent:
		return nil, 0, statusOf(resp)
	case !ok || first != 0:
		return nil, 0, &errProtocol{"the server does not give the range that was asked for"}
	case size < 0:
		return nil, 0, &ErrNoRanges{f.address, -1}
	}
	f.size = size
	block = make([]byte, min(blockSize, size))
	done, err = io.ReadFull(resp.Body, block[:min(last+1, int64(len(block)))])
	return block, done, err
}

// takeWhole receives a file that the server does not send in ranges, in memory if it is small, or in a temporary file
// if requested. Each attempt begins at 0, so that a failed one makes no progress.
func (f *File) takeWhole(ctx context.Context, resp *http.Response, opt Options) error {
	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(resp.Body, blockSize+1))
	if err != nil {
		return err
	}
	if n <= blockSize {
		if resp.ContentLength >= 0 && n != resp.ContentLength {
			return io.ErrUnexpectedEOF
		}
		f.size = n
		f.blocks.hold(0, head.Bytes())
		return nil
	}
	if !opt.Download {
		return &ErrNoRanges{f.address, resp.ContentLength}
	}
	file, err := source.NewTemporary()
	if err != nil {
		return &errProtocol{"there is no temporary file for it: " + err.Error()}
	}
	to := &diskWriter{w: file, progress: opt.Progress, total: resp.ContentLength}
	size, err := io.Copy(to, io.MultiReader(&head, resp.Body))
	if err == nil && resp.ContentLength >= 0 && size != resp.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.size, f.local = size, file
	return ctx.Err()
}

// A diskWriter separates errors of the disk from those of the network, and counts bytes.
type diskWriter struct {
	w           io.Writer
	progress    model.Progress
	done, total int64 // total is negative if the server does not send it
}

func (d *diskWriter) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.done += int64(n)
	d.progress.Report(d.done, max(d.total, 0), "downloading")
	if err != nil {
		err = &errProtocol{"the temporary file cannot be written: " + err.Error()}
	}
	return n, err
}
