package odin

import (
	"context"
	"sync"
	"sync/atomic"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

// The encodings, as facts name them.
const (
	encodingBinary = "binary"
	encodingJSON   = "json"
	encodingNodes  = "nodes"
)

// An entryFormat reads entries in one form: binary, JSON or the Nodes list of Unity YAML. Its methods are safe for concurrent use.
type entryFormat interface {
	// head reads the head of entry h.i at h.off, which is cleared; false where it is not whole or not valid.
	head(p *heads, h *head) bool
	// decode decodes the entry at an offset whose own bytes are length long.
	decode(ctx context.Context, s *stream, i, off, length int64) entry
	// nameOf is the name of the entry there; false where it has none.
	nameOf(ctx context.Context, s *stream, off, length int64) (string, bool)
	// fields are the parts of an entry in the layout: they tile its own bytes.
	fields(ctx context.Context, s *stream, i, off, length int64) model.Children
	// rest is the layout of the bytes after the last entry, which may be none.
	rest(ctx context.Context, s *stream, off int64) []model.Node
	// encoding names the form in facts.
	encoding() string
}

// A stream is a run of entries. They are indexed on demand by one scan, which can be cancelled and resumed; indexed entries never
// change.
type stream struct {
	src   *model.Source
	start int64
	end   int64
	form  entryFormat
	// layoutPath is the path of the layout node whose children are the top-level entries.
	layoutPath string
	// name is the segment of the stream in the views; "" where it is the only one.
	name    string
	carrier *carrier // the Unity object that holds it, or nil
	// Of the binary form:
	plan    *lang.Plan
	session *grammar.Session
	record  *grammar.Record // of an entry

	mu    sync.RWMutex
	x     index
	done  bool
	names map[uint32]string // of types by the entries that define them
	// Of the scan:
	scan      *heads
	ended     bool           // an EndOfStream entry was met
	udonTypes map[int32]bool // type ids that are Udon's
	most      int64          // entries that memory allows
	bytesNode int64          // of the Nodes list: the last node that is an array of bytes

	found sync.Map // node id → entry
	finds atomic.Int64
	kids  nameCache
	tail  model.Once[[]model.Node]

	programs model.Once[[]udonPart]
	udon     *model.Lazy
	odd      model.Once[survey] // entries whose nodes may have a problem
}

// entryMemory bounds the memory of an entry in bytes, for the index and for a check.
const entryMemory = 16

func newStream(src *model.Source, start, end int64, f entryFormat, layoutPath string) *stream {
	s := &stream{src: src, start: start, end: end, form: f, layoutPath: layoutPath, x: newIndex(start), names: map[uint32]string{}, udonTypes: map[int32]bool{}, bytesNode: noNodeFound}
	s.most = min(maxEntries, source.CacheLimit()/entryMemory)
	s.plan = language.For(s)
	s.session, s.record = s.plan.Session(), s.plan.Record("Entry")
	s.udon = model.NewLazy(s.udonChildren)
	return s
}

// until scans until enough holds or all is scanned. It returns an error only when ctx ends.
func (s *stream) until(ctx context.Context, progress model.Progress, enough func() bool) error {
	for {
		stop, at := s.advance(ctx, enough)
		if stop {
			return nil
		}
		progress.Report(at-s.start, s.end-s.start, "finding the entries")
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// advance scans a few thousand entries more, unless enough holds or all is scanned, which it reports; at is how far the scan is.
func (s *stream) advance(ctx context.Context, enough func() bool) (stop bool, at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done && !enough() && (s.step(ctx) || s.x.n >= s.most) {
		s.x.finish()
		s.done, s.scan = true, nil
	}
	return s.done || enough(), s.x.end
}

// scanAll scans to the end.
func (s *stream) scanAll(ctx context.Context, progress model.Progress) error {
	return s.until(ctx, progress, func() bool { return false })
}

// closed scans until a container is known to its end.
func (s *stream) closed(ctx context.Context, progress model.Progress, c int64) error {
	return s.until(ctx, progress, func() bool { return !s.x.open(c, false) })
}

func (s *stream) isOpen(c int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.open(c, s.done)
}

func (s *stream) complete() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.done
}

func (s *stream) class(i int64) class {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.class(i)
}

// count is the number of children; a lower bound while not exact.
func (s *stream) count(c int64) (n int64, exact bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.count(c), !s.x.open(c, s.done)
}

func (s *stream) child(c, k int64) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.child(c, k)
}

func (s *stream) childOver(c, e int64) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.childOver(c, e)
}

func (s *stream) endEntry(c int64) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.endEntry(c)
}

func (s *stream) unclosed(c int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.unclosed[c]
}

// entryAt finds the entry whose own bytes hold the one at off.
func (s *stream) entryAt(off int64) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.entryAt(off)
}

// ownRange returns the range of an entry's own bytes.
func (s *stream) ownRange(i int64) (off, length int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.offset(i), s.x.length(i)
}

// span is the range of an entry with all that is in it. A container that is not scanned to its end yet reaches to
// the end of the stream.
func (s *stream) span(i int64) model.Span {
	s.mu.RLock()
	defer s.mu.RUnlock()
	off := s.x.offset(i)
	end := s.end
	if !s.x.open(i, s.done) {
		last := s.x.last(i)
		end = s.x.offset(last) + s.x.length(last)
	}
	return s.src.Span(off, end-off)
}

// entry decodes entry i.
func (s *stream) entry(ctx context.Context, i int64) entry {
	off, length := s.ownRange(i)
	e := s.form.decode(ctx, s, i, off, length)
	e.i, e.off, e.length = i, off, length
	return e
}

// indexed is the number of entries that the index has so far, in JSON with the brackets that close containers.
func (s *stream) indexed() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.x.n
}

// entries is the number of entries. In JSON the brackets that close a container are no entries.
func (s *stream) entries() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.form.encoding() == encodingJSON {
		return s.x.n - s.x.ends
	}
	return s.x.n
}
