package odin

import (
	"context"
	"slices"
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
	name      string
	externals *externals // nil if no carrier lists them
	// Of the binary form:
	plan    *lang.Plan
	session *grammar.Session
	record  *grammar.Record // of an entry

	tree
	most  int64                 // entries that memory allows
	scan  scanner               // guarded by mu
	names map[uint32]string     // of types by the entries that define them, guarded by mu
	marks func(typ string) bool // reports the types whose nodes marked lists

	found sync.Map // node id → entry
	finds atomic.Int64
	kids  nameCache
	tail  model.Once[[]model.Node]

	odd model.Once[survey] // entries whose nodes may have a problem
}

// entryMemory bounds the memory of an entry in bytes, for the index and for a check.
const entryMemory = 16

func newStream(src *model.Source, start, end int64, f entryFormat, layoutPath string) *stream {
	s := &stream{src: src, start: start, end: end, form: f, layoutPath: layoutPath, tree: tree{x: newIndex(start)}, names: map[uint32]string{}, marks: isUdonRoot}
	s.scan = scanner{s: s, marked: map[int32]bool{}, bytesNode: noNodeFound}
	s.most = min(maxEntries, source.CacheLimit()/entryMemory)
	s.plan = language.For(s)
	s.session, s.record = s.plan.Session(), s.plan.Record("Entry")
	return s
}

// span is the range of an entry with all that is in it. A container that is not scanned to its end yet reaches to
// the end of the stream.
func (s *stream) span(i int64) model.Span {
	if s.lock() {
		defer s.mu.RUnlock()
	}
	off := s.x.offset(i)
	end := s.end
	if !s.x.open(i, s.done.Load()) {
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

// entries is the number of entries. In JSON the brackets that close a container are no entries.
func (s *stream) entries() int64 {
	if s.lock() {
		defer s.mu.RUnlock()
	}
	if s.form.encoding() == encodingJSON {
		return s.x.n - s.x.ends
	}
	return s.x.n
}

// marked returns the nodes whose types the stream marks, in their order. All is scanned for that.
func (s *stream) marked(ctx context.Context, progress model.Progress) ([]int64, error) {
	if err := s.scanAll(ctx, progress); err != nil {
		return nil, err
	}
	return slices.Clone(s.x.marked), nil
}
