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

// Options say how a file is opened.
type Options struct {
	Download bool              // get it to a temporary file where the server gives no ranges
	Progress model.Progress    // of that
	Via      http.RoundTripper // nil: the network
}

// File is a file of a server. It implements model.Reader and is safe for concurrent use.
type File struct {
	address string // as it is shown
	first   *url.URL
	client  *http.Client
	id      identity
	size    int64
	fetched atomic.Int64

	ctx  context.Context // ends with the file; fetches are made under it
	stop context.CancelFunc
	work sync.WaitGroup

	mu      sync.Mutex
	at      *url.URL  // the target of redirects, or nil if not known
	changed error     // once noticed, nothing is read any more
	lost    error     // why it was given up last
	until   time.Time // nothing is asked for before, but lost is reported

	blocks blocks
	local  *source.Temporary // of a file that was downloaded, or nil if it is read by ranges
}

// Open opens the file at an address, which may be one that Keep gave. It reads the first block.
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

// Size returns the number of bytes that the server says.
func (f *File) Size() int64 { return f.size }

// Far reports whether bytes are still to be fetched: those of a file that was downloaded are here.
func (f *File) Far() bool { return f.local == nil }

// Fetched returns the number of bytes that were received so far, those of useless answers included.
func (f *File) Fetched() int64 { return f.fetched.Load() }

// ReadAt implements model.Reader. It fails with *ErrChanged once the file has changed, and with fs.ErrClosed after Close.
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

// Changed returns the *ErrChanged by which reading has ended, or nil if the file is, by the server's answers, the one that
// was opened.
func (f *File) Changed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// Unversioned reports whether the server sends neither ETag nor Last-Modified, so that a change is noticed only by the
// file's size.
func (f *File) Unversioned() bool { return f.Far() && f.id == identity{} }

// Close ends what is under way and releases the file. Later reads fail.
func (f *File) Close() error {
	f.stop()
	f.work.Wait()
	if f.local != nil {
		return f.local.Close()
	}
	return nil
}

// Folder gives access to the files beside one at an address, as long as ctx is not ended. It implements model.Files.
type Folder struct {
	ctx    context.Context // of the opening, which alone looks for files beside the one opened
	beside string
	opt    Options

	mu     sync.Mutex
	opened map[string]*File
}

// Beside is the folder of the file at an address.
func Beside(ctx context.Context, address string, opt Options) *Folder {
	return &Folder{ctx: ctx, beside: address, opt: opt, opened: make(map[string]*File)}
}

// Sibling is the address of a file by its path from the folder of the one at an address, as Keep gives it. It is "" beside one
// whose address is signed: the signature is for that alone.
func Sibling(address, file string) string {
	u, err := url.Parse(fullAddress(address))
	if err != nil || u.RawQuery != "" {
		return ""
	}
	u.Path, u.RawPath, u.Fragment = path.Join(path.Dir(u.Path), file), "", ""
	return Keep(u.String())
}

// Open implements model.Files. There is no file beside one whose address is signed: the signature is for that alone.
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
	if errors.As(err, &status) && !status.passes() {
		return nil, fs.ErrNotExist // object stores answer 403 for missing objects
	}
	if err != nil {
		return nil, err
	}
	d.opened[name] = f
	return f, nil
}

// List implements model.Files: a server does not say what files it has.
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
