package model

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
)

// A Reader is random access to bytes of known size. ReadAt follows io.ReaderAt and is safe for concurrent use. If bytes
// have to be fetched or decompressed, it fails when ctx ends; others may ignore ctx. A reader of a file that has shrunk
// or changed returns an error; it never panics.
type Reader interface {
	ReadAt(ctx context.Context, p []byte, off int64) (n int, err error)
	Size() int64
}

// Far reports whether bytes of r, or of a reader below, come from a server, so that reading them takes time.
func Far(r Reader) bool {
	f, ok := r.(interface{ Far() bool })
	return ok && f.Far()
}

// FileSource is the name of the only source of a single file.
const FileSource = "file"

// A Source is a named run of bytes with random access: the file, a member of a package, or bytes derived from another
// source. Offsets count from its first byte.
type Source struct {
	name       string
	title      string
	layoutPath string
	reader     Reader
	origin     *Origin
	segments   []Segment
	failed     atomic.Pointer[failedRead]
	lost       lostRanges
}

// A failedRead is a failure to read other than the end of the bytes or a cancelled context.
type failedRead struct{ err error }

// Failed returns the last error of reading s, or nil. Errors are failures of disks and servers, and files that have
// shrunk; the end of the bytes and a cancelled context are none. Everything read before is right, but a tree may lack
// the rest. Different failures are different errors.
func (s *Source) Failed() error {
	if f := s.failed.Load(); f != nil {
		return f
	}
	return nil
}

// FailedRead returns Failed of the files of d.
func FailedRead(d *Document) error {
	for _, s := range d.Sources {
		if err := s.Root().Failed(); err != nil {
			return err
		}
	}
	return nil
}

// mostLost is the most unreadable ranges that a source records.
const mostLost = 16

// lostRanges holds the first unreadable ranges of a source, with their errors.
type lostRanges struct {
	mu   sync.Mutex
	list []lostRange
}

type lostRange struct {
	off, end int64
	err      error
}

// add records a range, or extends the last one.
func (l *lostRanges) add(off, end int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.list {
		if r := &l.list[i]; off >= r.off && off <= r.end && err.Error() == r.err.Error() {
			r.end = max(r.end, end)
			return
		}
	}
	if len(l.list) < mostLost {
		l.list = append(l.list, lostRange{off, end, err})
	}
}

// unread returns the problems of the first unreadable ranges.
func (s *Source) unread() (problems []Problem) {
	s.lost.mu.Lock()
	defer s.lost.mu.Unlock()
	for _, r := range s.lost.list {
		problems = append(problems, AsProblem(r.err, RuleRead, s.Span(r.off, r.end-r.off)))
	}
	return problems
}

func (f *failedRead) Error() string { return f.err.Error() }
func (f *failedRead) Unwrap() error { return f.err }

// An Origin describes the input of a derived source.
type Origin struct {
	Parent *Source
	Spans  []Span // bytes of Parent, in the order of decoding
	Codec  string // "LZ4", "zstd", "stored", …
	Map    Mapping
	// Member means that the bytes are one of the document's Members, which reports their problems.
	Member bool
}

// StoredCodec is the codec of a source whose bytes are stored unchanged in its parent.
const StoredCodec = "stored"

// A Mapping links output ranges of a derived source to input ranges of its parent, both ways. Offsets of the output
// count in the derived source; spans lie in the parent.
type Mapping interface {
	// From returns the pieces that made the output [off, off+length), in output order.
	From(ctx context.Context, off, length int64) ([]Piece, error)
	// To returns the output ranges that depend on the parent's bytes [off, off+length), in output order. For a literal
	// byte this is one byte; for the token, length or offset of a sequence it is the sequence's whole output.
	To(ctx context.Context, off, length int64) ([]OutputRange, error)
}

// An OutputRange is a range of a derived source.
type OutputRange struct{ Off, Len int64 }

// A Piece is a run of output with the input that made it.
type Piece struct {
	Off, Len int64  // output range in the derived source
	In       []Span // parent's bytes: of a literal the bytes themselves, of a match its token, offset and length
	Kind     string // "literal", "match", "stored", "frame"
	Unit     Span   // the coding unit, such as the whole LZ4 sequence
	CopyFrom int64  // output offset that a match was copied from, or -1
}

// A Segment is one file of a source that consists of several. Start is the offset in the joined bytes.
type Segment struct {
	File    string
	Start   int64
	Length  int64
	Missing bool // neighbours name the file, but it does not exist; Length is then 0
}

// NewSource returns a source over r. name identifies it in spans and JSON, title is for tabs, and layoutPath is the
// path of its layout's root, "layout" for a file.
func NewSource(name, title, layoutPath string, r Reader) *Source {
	return &Source{name: name, title: title, layoutPath: layoutPath, reader: r}
}

// NewFileSource returns the source of a single file.
func NewFileSource(title string, r Reader) *Source {
	return NewSource(FileSource, title, LayoutView, r)
}

// Derive returns a source derived from another one. It is named ownerPath@name, which is also the path of its layout's
// root.
func Derive(ownerPath, name, title string, r Reader, origin Origin) *Source {
	path := ownerPath + "@" + name
	s := NewSource(path, title, path, r)
	s.origin = &origin
	return s
}

// WithSegments sets the files that make up s, and returns s.
func (s *Source) WithSegments(segments []Segment) *Source {
	s.segments = segments
	return s
}

// Name identifies the source in its document: "file", or the path of the owner, "@" and the derivation.
func (s *Source) Name() string { return s.name }

// Title returns the short name for a tab.
func (s *Source) Title() string { return s.title }

// LayoutPath returns the path of the root of the source's layout.
func (s *Source) LayoutPath() string { return s.layoutPath }

// Size returns the number of bytes.
func (s *Source) Size() int64 { return s.reader.Size() }

// ReadAt reads bytes at an offset, fewer only at the end.
func (s *Source) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := s.reader.ReadAt(ctx, p, off)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, s.countFailure(err, off+int64(n), off+int64(len(p)))
}

// countFailure records a failed read and returns its error. For a file, an error other than the end of its bytes
// becomes a *failedRead, by which KindOf distinguishes it from faults of the bytes.
func (s *Source) countFailure(err error, off, end int64) error {
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		failedReads.Add(1)
	}
	if err == io.ErrUnexpectedEOF || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, fs.ErrInvalid) { // an offset that no file has
		return err
	}
	failed := &failedRead{err}
	s.failed.Store(failed)
	if s.origin != nil {
		return err // the parent has recorded the failure
	}
	s.lost.add(off, min(end, s.Size()), failed)
	return failed
}

// failedReads counts the failed reads of all sources, end of the bytes excepted, which may succeed later. See Defer.
var failedReads atomic.Int64

// A ScatteredReader is a Reader with a cheaper way to read few bytes at many distant offsets.
type ScatteredReader interface {
	ReadScattered(ctx context.Context, p []byte, off int64) (n int, err error)
}

// A ResidentReader holds bytes in memory, to be read without a copy.
type ResidentReader interface {
	// LookAt calls look with the n bytes at off, which must not be changed, nor kept after look returns. It returns
	// false if some of the bytes are not in memory; look may then have been called with a part.
	LookAt(off, n int64, look func(b []byte)) bool
}

// LookAt calls LookAt of a ResidentReader, and returns false for other readers.
func (s *Source) LookAt(off, n int64, look func(b []byte)) bool {
	r, ok := s.reader.(ResidentReader)
	return ok && r.LookAt(off, n, look)
}

// ReadScattered is like ReadFull, for few bytes at one of many distant offsets.
func (s *Source) ReadScattered(ctx context.Context, p []byte, off int64) (int, error) {
	r, ok := s.reader.(ScatteredReader)
	if !ok {
		return s.ReadFull(ctx, p, off)
	}
	n, err := r.ReadScattered(ctx, p, off)
	if err != nil && err != io.EOF {
		err = s.countFailure(err, off+int64(n), off+int64(len(p)))
	}
	return full(p, n, err)
}

// Reader returns the reader below the source.
func (s *Source) Reader() Reader { return s.reader }

// Origin returns the origin of a derived source, or nil.
func (s *Source) Origin() *Origin { return s.origin }

// Segments returns the files that make up the source, or nil for a single file.
func (s *Source) Segments() []Segment { return s.segments }

// Span returns the span [off, off+length) of s.
func (s *Source) Span(off, length int64) Span { return Span{Source: s, Off: off, Len: length} }

// Whole returns the span of all of s.
func (s *Source) Whole() Span { return s.Span(0, s.Size()) }

// Bytes reads exactly n bytes at off into new memory. It checks n against the size before it allocates; the error is
// io.ErrUnexpectedEOF if there are fewer.
func (s *Source) Bytes(ctx context.Context, off, n int64) ([]byte, error) {
	if !s.Holds(off, n) {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	if _, err := s.ReadFull(ctx, b, off); err != nil {
		return nil, err
	}
	return b, nil
}

// ReadFull reads len(p) bytes at off. The error is io.ErrUnexpectedEOF if there are fewer.
func (s *Source) ReadFull(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := s.ReadAt(ctx, p, off)
	return full(p, n, err)
}

// full returns the result of a read that wanted all of p.
func full(p []byte, n int, err error) (int, error) {
	if n == len(p) {
		return n, nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Holds reports whether [off, off+n) lies inside s, without overflow.
func (s *Source) Holds(off, n int64) bool {
	return off >= 0 && n >= 0 && off <= s.Size() && n <= s.Size()-off
}

// Root returns the outermost parent of s: the file that its bytes come from.
func (s *Source) Root() *Source {
	for s.origin != nil {
		s = s.origin.Parent
	}
	return s
}

// Far reports whether the bytes of s, or those they derive from, come from a server.
func (s *Source) Far() bool { return Far(s.Root().reader) }

// Same reports whether s and o have the same bytes of one document. A derived source may be made more than once; one
// that could not be read to its end differs from the whole.
func (s *Source) Same(o *Source) bool {
	return s == o || s != nil && o != nil && s.name == o.name && s.origin != nil && s.Root() == o.Root() && s.Size() == o.Size()
}

// Owner returns the path of the node that a derived source belongs to, or "".
func (s *Source) Owner() string {
	if s.origin == nil {
		return ""
	}
	i := strings.LastIndexByte(s.name, '@')
	return s.name[:i]
}

// A Window is a Reader over part of another one.
type Window struct {
	r         Reader
	off, size int64
}

// NewWindow returns a reader over r's bytes [off, off+size).
func NewWindow(r Reader, off, size int64) *Window { return &Window{r, off, size} }

// Far reports whether the other reader is far.
func (w *Window) Far() bool { return Far(w.r) }

// Size returns the length of the window.
func (w *Window) Size() int64 { return w.size }

// ReadAt reads within the window.
func (w *Window) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off < 0 || off >= w.size {
		return 0, io.EOF
	}
	if room := w.size - off; int64(len(p)) > room {
		n, err := w.r.ReadAt(ctx, p[:room], w.off+off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return w.r.ReadAt(ctx, p, w.off+off)
}

// A BytesReader is a Reader over memory.
type BytesReader []byte

// Size returns the number of bytes.
func (b BytesReader) Size() int64 { return int64(len(b)) }

// ReadAt copies bytes from memory.
func (b BytesReader) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	if off < 0 || off >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
