package far

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"cutaway/model"
	"cutaway/source"
)

// Options control how a file is opened.
type Options struct {
	Download bool              // download to a temporary file if the server does not support ranges
	Progress model.Progress    // of the download
	Via      http.RoundTripper // or nil for the network
}

// A File is a file of a server. It is safe for concurrent use.
type File struct {
	address string // without secrets
	first   *url.URL
	client  *http.Client
	id      identity
	size    int64
	fetched atomic.Int64

	ctx  context.Context // ends with the file; fetches run under it
	stop context.CancelFunc
	work sync.WaitGroup

	mu      sync.Mutex
	at      *url.URL  // the target of redirects, or nil if unknown
	changed error     // once set, reads fail
	lost    error     // why it was given up last
	until   time.Time // until then reads fail with lost

	blocks blocks
	local  *source.Temporary // of a downloaded file, or nil if it is read by ranges
}

var _ model.Reader = (*File)(nil)

// Open opens the file at an address, which may be from Keep. It reads the first block.
func Open(ctx context.Context, address string, opt Options) (*File, error) {
	f := &File{address: Shown(address)}
	if HasSecret(address) {
		f.address = address
	}
	u, err := url.Parse(fullAddress(address))
	if err != nil || u.Host == "" {
		return nil, &Error{f.address, "it is not an address", nil}
	}
	if wrong := wrongPort(u); wrong != "" {
		return nil, &Error{f.address, wrong, nil}
	}
	u.Fragment = ""
	if opt.Via == nil {
		opt.Via = transport
	}
	f.first, f.client = u, client(opt.Via, u)
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.blocks.init(f)
	if err := f.begin(ctx, opt); err != nil {
		f.stop()
		return nil, err
	}
	return f, nil
}

// Size returns the size that the server sent.
func (f *File) Size() int64 { return f.size }

// Far reports whether bytes are still to be fetched, which is false for a downloaded file.
func (f *File) Far() bool { return f.local == nil }

// Fetched returns the number of bytes received so far, including useless answers.
func (f *File) Fetched() int64 { return f.fetched.Load() }

// ReadAt reads bytes at an offset. It fails with *ErrChanged once the file has changed, and with fs.ErrClosed after
// Close.
func (f *File) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fs.ErrInvalid
	case off >= f.size:
		return 0, io.EOF
	case f.ctx.Err() != nil:
		return 0, fs.ErrClosed
	}
	want := p[:min(int64(len(p)), f.size-off)]
	n, err := f.read(ctx, want, off)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (f *File) read(ctx context.Context, p []byte, off int64) (int, error) {
	if f.local != nil {
		return f.local.ReadAt(p, off)
	}
	if err := f.Changed(); err != nil {
		return 0, err
	}
	return f.blocks.read(ctx, p, off)
}

// Changed returns the *ErrChanged by which reading has ended, or nil if no answer of the server indicates a change.
func (f *File) Changed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// Unversioned reports whether the server sends neither ETag nor Last-Modified, so that only a change of size is
// noticed.
func (f *File) Unversioned() bool { return f.Far() && f.id == identity{} }

// Close cancels running fetches and releases the file. Later reads fail.
func (f *File) Close() error {
	f.stop()
	f.work.Wait()
	if f.local != nil {
		return f.local.Close()
	}
	return nil
}

// A Folder gives access to the files beside one at an address, until ctx ends.
type Folder struct {
	ctx    context.Context // of the opening, during which alone files beside the opened one are read
	beside string
	opt    Options

	mu     sync.Mutex
	opened map[string]*File
}

var _ model.Files = (*Folder)(nil)

// Beside returns the folder of the file at an address.
func Beside(ctx context.Context, address string, opt Options) *Folder {
	return &Folder{ctx: ctx, beside: address, opt: opt, opened: make(map[string]*File)}
}

// Sibling returns the address, from Keep, of a file by its path from the folder of another one. It returns "" if that
// one's address is signed, since the signature is only valid for one file.
func Sibling(address, file string) string {
	u, err := url.Parse(fullAddress(address))
	if err != nil || u.RawQuery != "" {
		return ""
	}
	u.Path, u.RawPath, u.Fragment = path.Join(path.Dir(u.Path), file), "", ""
	return Keep(u.String())
}

// Open opens a file by name. It fails beside an address that is signed, since the signature is only valid for one file.
func (d *Folder) Open(name string) (model.Reader, error) {
	next := Sibling(d.beside, name)
	if next == "" || name != path.Base(name) || name == ".." {
		return nil, fs.ErrNotExist
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.opened[name]; f != nil {
		return f, nil
	}
	f, err := Open(d.ctx, next, d.opt)
	var status *statusError
	if errors.As(err, &status) && !status.isTemporary() {
		return nil, fs.ErrNotExist // object stores answer 403 for missing objects
	}
	if err != nil {
		return nil, err
	}
	d.opened[name] = f
	return f, nil
}

// List returns nothing, since servers do not list their files.
func (d *Folder) List() ([]string, error) { return nil, nil }

// Close closes the files that were opened.
func (d *Folder) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	for _, f := range d.opened {
		err = errors.Join(err, f.Close())
	}
	return err
}
