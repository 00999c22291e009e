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

// A form reads entries that are written in one way. Its methods are safe for concurrent use.
type form interface {
	// head reads the head of entry h.i at h.off, which is cleared. It returns false if the entry is cut off or not valid.
	head(p *heads, h *head) bool
	// decode decodes the entry at an offset whose own bytes are length long.
	decode(ctx context.Context, s *stream, i, off, length int64) entry
	// nameOf returns the name of the entry at an offset, or false if it has none.
	nameOf(ctx context.Context, s *stream, off, length int64) (string, bool)
	// fields returns the parts of an entry in the layout, which tile its own bytes.
	fields(ctx context.Context, s *stream, i, off, length int64) model.Children
	// rest returns the layout of the bytes after the last entry.
	rest(ctx context.Context, s *stream, off int64) []model.Node
	// encoding names the form in facts.
	encoding() string
}

// The forms of streams.
var (
	Binary form = binaryForm{} // chapters 2 to 6
	JSON   form = jsonForm{}   // chapter 10
	Nodes  form = nodesForm{}  // the Nodes list of Unity YAML, chapter 11.2
)

// A stream is a run of entries. They are indexed on demand by one scan, which can be cancelled and resumed; indexed entries never
// change.
type stream struct {
	tree
	opt   options
	src   *model.Source
	start int64
	end   int64
	form  form
	// Of the binary form:
	plan    *lang.Plan
	session *grammar.Session
	record  *grammar.Record // of an entry

	most  int64             // entries that memory allows
	scan  scanner           // guarded by mu
	names map[uint32]string // of types by the entries that define them, guarded by mu

	found sync.Map // node id → entry
	finds atomic.Int64
	kids  nameCache
	tail  model.Once[[]model.Node]
	odd   model.Once[survey] // entries whose nodes may have a problem
}

// options say where a stream is shown, and what belongs to it.
type options struct {
	layout    string                // path of the layout node whose children are the top-level entries
	name      string                // segment of the stream in the views, or "" if it is the only one
	externals *externals            // or nil if no carrier lists the objects outside of the stream
	marks     func(typ string) bool // reports the types whose nodes marked returns, or nil for none
}

// entryMemory bounds the memory of an entry in bytes, for the index and for a check.
const entryMemory = 16

// newStream returns the stream of the entries in a span.
func newStream(in model.Span, f form, o options) *stream {
	s := &stream{opt: o, src: in.Source, start: in.Off, end: in.End(), form: f, tree: tree{x: newIndex(in.Off)}, names: map[uint32]string{}}
	s.scan = scanner{s: s, marked: map[int32]bool{}, bytesNode: noNodeFound}
	s.most = min(maxEntries, source.CacheLimit()/entryMemory)
	s.plan = language.For(s)
	s.session, s.record = s.plan.Session(), s.plan.Record("Entry")
	return s
}

// source returns the source that holds the stream.
func (s *stream) source() *model.Source { return s.src }

// bounds returns the range of the stream.
func (s *stream) bounds() model.Span { return s.src.Span(s.start, s.end-s.start) }

// encoding names the form of the entries: binary, json or nodes.
func (s *stream) encoding() string { return s.form.encoding() }

// marks reports whether nodes of a type are marked.
func (s *stream) marks(typ string) bool { return s.opt.marks != nil && s.opt.marks(typ) }

// span returns the range of an entry and the entries in it. A container that is not scanned to its end yet reaches to the end of the
// stream.
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

// entries returns the number of entries found so far. In JSON the brackets that close a container are no entries.
func (s *stream) entries() int64 {
	if s.lock() {
		defer s.mu.RUnlock()
	}
	if s.encoding() == encodingJSON {
		return s.x.n - s.x.ends
	}
	return s.x.n
}

// marked scans all, and returns the nodes whose types are marked, in their order.
func (s *stream) marked(ctx context.Context, progress model.Progress) ([]int64, error) {
	if err := s.scanAll(ctx, progress); err != nil {
		return nil, err
	}
	return slices.Clone(s.x.marked), nil
}
