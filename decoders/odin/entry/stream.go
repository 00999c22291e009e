// Package entry indexes the entries of a stream, in its three forms, and shows them as they are written. The chapters
// named in comments are those of docs/formats/odin.md.
package entry

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
	EncodingBinary = "binary"
	encodingJSON   = "json"
	EncodingNodes  = "nodes"
)

// A Form reads entries that are written in one way. Its methods are safe for concurrent use.
type Form interface {
	// head reads the head of entry h.i at h.off, which is cleared. It returns false if the entry is cut off or not
	// valid.
	head(p *heads, h *Head) bool
	// decode decodes the entry at an offset whose own bytes are length long.
	decode(ctx context.Context, s *Stream, i, off, length int64) Entry
	// valueSpan returns the bytes of the value of the scalar at an offset, in the way of the form.
	valueSpan(ctx context.Context, s *Stream, off, length int64) model.Span
	// nameOf returns the name of the entry at an offset, or false if it has none.
	nameOf(ctx context.Context, s *Stream, off, length int64) (string, bool)
	// fields returns the parts of an entry in the layout, which tile its own bytes.
	fields(ctx context.Context, s *Stream, i, off, length int64) model.Children
	// rest returns the layout of the bytes after the last entry.
	rest(ctx context.Context, s *Stream, off int64) []model.Node
	// encoding names the form in facts.
	encoding() string
}

// The forms of streams.
var (
	Binary Form = binaryForm{} // chapters 2 to 6
	JSON   Form = jsonForm{}   // chapter 10
	Nodes  Form = nodesForm{}  // the Nodes list of Unity YAML, chapter 11.2
)

// A Stream is a run of entries. They are indexed on demand by one scan, which can be cancelled and resumed; indexed
// entries never change.
type Stream struct {
	Tree
	opt   Options
	src   *model.Source
	start int64
	end   int64
	form  Form
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

// Options say where a stream is shown, and name its surroundings.
type Options struct {
	Layout    string                // path of the layout node whose children are the top-level entries
	Name      string                // segment of the stream in the views, or "" if it is the only one
	Externals *Externals            // or nil if no carrier lists the objects outside of the stream
	Marks     func(typ string) bool // reports the types whose nodes marked returns, or nil for none
}

// entryMemory bounds the memory of an entry in bytes, for the index and for a check.
const entryMemory = 16

// New returns the stream of the entries in a span.
func New(in model.Span, f Form, o Options) *Stream {
	s := &Stream{opt: o, src: in.Source, start: in.Off, end: in.End(), form: f, Tree: Tree{x: newIndex(in.Off)}, names: map[uint32]string{}}
	s.scan = scanner{s: s, marked: map[int32]bool{}, bytesNode: NoNode}
	s.most = min(MaxEntries, source.CacheLimit()/entryMemory)
	s.plan = BinaryLanguage.For(s)
	s.session, s.record = s.plan.Session(), s.plan.Record("Entry")
	return s
}

// Source returns the source that holds the stream.
func (s *Stream) Source() *model.Source { return s.src }

// Bounds returns the range of the stream.
func (s *Stream) Bounds() model.Span { return s.src.Span(s.start, s.end-s.start) }

// Encoding names the form of the entries: binary, json or nodes.
func (s *Stream) Encoding() string { return s.form.encoding() }

// marks reports whether nodes of a type are marked.
func (s *Stream) marks(typ string) bool { return s.opt.Marks != nil && s.opt.Marks(typ) }

// Span returns the range of an entry with its children. An open container reaches to the end of the stream.
func (s *Stream) Span(i int64) model.Span {
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

// Entry decodes entry i.
func (s *Stream) Entry(ctx context.Context, i int64) Entry {
	off, length := s.OwnRange(i)
	e := s.form.decode(ctx, s, i, off, length)
	e.Number, e.Off, e.Len = i, off, length
	return e
}

// ValueSpan returns the bytes of the value of entry i, which is a scalar: of a text form its characters with quotes, of the binary
// form what follows the id and the name.
func ValueSpan(ctx context.Context, s *Stream, i int64) model.Span {
	off, length := s.OwnRange(i)
	return s.form.valueSpan(ctx, s, off, length)
}

// EntryCount returns the number of entries found so far. In JSON the brackets that close a container are no entries.
func (s *Stream) EntryCount() int64 {
	if s.lock() {
		defer s.mu.RUnlock()
	}
	if s.Encoding() == encodingJSON {
		return s.x.n - s.x.ends
	}
	return s.x.n
}

// Marked scans all, and returns the nodes whose types are marked, in their order.
func (s *Stream) Marked(ctx context.Context, progress model.Progress) ([]int64, error) {
	if err := s.ScanAll(ctx, progress); err != nil {
		return nil, err
	}
	return slices.Clone(s.x.marked), nil
}
