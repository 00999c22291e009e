package vrs

import (
	"context"
	"errors"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// Chapter 5: the index record.

// infoRecord describes an entry of the index, which is one record of the recording.
var infoRecord = grammar.NewRecord("record info", append([]*grammar.Field{
	grammar.F("timestamp", grammar.F64, "seconds"),
	grammar.F("recordSize", grammar.U32, "header included"),
	grammar.F("recordType", grammar.U8, "what the record is: 1 State, 2 Configuration, 3 Data, 4 Tags").NamedBy(nameRecordType).Numbered(),
}, streamIDFields()...)...)

var infoNumbers = [5]grammar.Number(infoRecord.Numbers())

// infoSize is the number of bytes of an index entry.
const infoSize = 19

// indexRecord describes index records: the counts only where the index is a classic one, and its entries as the format
// shows them.
func indexRecord(x *index, show func() model.Node) *grammar.Record {
	classic := grammar.When(func(grammar.Scope) bool { return x.hdr.version == classicIndex })
	role, help := model.Padding, "room that was reserved for the index and is not used"
	if x.broken || x.incomplete {
		role, help = model.Unknown, "bytes of an index that cannot be used"
	}
	entries := &grammar.Custom{
		Read: func(_ grammar.Scope, _ grammar.Stream, off int64) (int64, grammar.Value, *model.Problem) {
			return off + x.infos.Len, grammar.Value{}, nil
		},
		Node: func(_ grammar.Scope, _ grammar.Value, n *model.Node) { *n = show() },
	}
	reserve := grammar.F("reserve", grammar.Raw, help).ToEnd().If(anyLeft)
	reserve.Role = role
	return grammar.NewRecord("index record",
		grammar.F("header", recordHeaderType, ""),
		grammar.F("streamCount", grammar.U32, "streams that follow").If(classic),
		grammar.F("streams", streamIDRecord, "informative; streams may be missing").If(classic).Times(grammar.Ref("streamCount")).
			Shown(showElements),
		grammar.F("recordCount", grammar.U32, "records that are listed").If(classic),
		grammar.F(entriesName, entries, "").If(grammar.When(func(grammar.Scope) bool { return x.infos.Len > 0 && !x.broken })),
		reserve,
	)
}

// indexObject is the index record, of which nothing is read yet.
func (r *recording) indexObject(x *index) *grammar.Object {
	rec := indexRecord(x, func() model.Node { return r.entriesNode(x) })
	return rec.Open(r.session, streamOver(r.src.Span(x.off, x.end-x.off)), x.off)
}

// showElements tells how many elements a list has, whose help is not theirs.
func showElements(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if l := v.List(); l != nil {
		n.Brief = model.GroupedCount(l.Known(), "element")
	} else {
		n.Help = ""
	}
}

// Formats of the index, by the version in its record header.
const (
	classicIndex = 2
	splitIndex   = 3
)

// maxIndexed is the most records that an index may list.
const maxIndexed = 500_000_000

// maxIndexRatio is the most that index entries can shrink.
const maxIndexRatio = 100_000

// index is the index record that counts.
type index struct {
	off, end   int64 // of the record; the end of the bytes that it may use
	hdr        recordHeader
	streams    int64      // that it lists
	count      int64      // entries
	infos      model.Span // of the entries as they are stored
	frames     []source.ZstdFrame
	compressed bool
	incomplete bool // not all records are listed
	broken     bool // no entry can be had
	problems   []model.Problem
	entries    model.Once[indexEntries]
}

func (x *index) split() bool { return x.hdr.version == splitIndex }

// indexEntries are the bytes of the entries, after decompression.
type indexEntries struct {
	src   *model.Source
	off   int64
	count int64
	fault *model.Problem
}

// LacksBytes makes Once ask again.
func (e *indexEntries) LacksBytes() bool { return e.fault != nil && e.fault.Kind == model.Unread }

// info is one entry of the index.
type info struct {
	time float64
	size uint32
	kind recordType
	id   streamID
}

// infoScan reads entries of the index where they are, so many at once.
type infoScan struct {
	e      *indexEntries
	many   int64
	window []byte
	first  int64 // that the window has
}

// manyInfos is how many entries are read at once that follow each other.
const manyInfos = 4096

// from is the bytes of the entries from entry i on, as many as are read at once; none where they cannot be read. They
// are valid until the next call.
func (s *infoScan) from(ctx context.Context, i int64) []byte {
	if at := (i - s.first) * infoSize; at >= 0 && at < int64(len(s.window)) {
		return s.window[at:]
	}
	n := min(s.many, s.e.count-i) * infoSize
	if int64(cap(s.window)) < n {
		s.window = make([]byte, n)
	}
	s.window, s.first = s.window[:n], i
	if _, err := s.e.src.ReadFull(ctx, s.window, s.e.off+i*infoSize); err != nil {
		s.window = nil
	}
	return s.window
}

// info is entry i; false where it cannot be read.
func (s *infoScan) info(ctx context.Context, i int64) (info, bool) {
	b := s.from(ctx, i)
	if b == nil {
		return info{}, false
	}
	return parseInfo(b), true
}

// parseInfo reads the entry that b begins with.
func parseInfo(b []byte) info {
	n := &infoNumbers
	return info{
		time: n[0].F64(b), size: n[1].U32(b), kind: recordType(n[2].U8(b)),
		id: streamID{typeIDOf(int32(n[3].U32(b))), n[4].U16(b)},
	}
}

func (e *indexEntries) span(i int64) model.Span { return e.src.Span(e.off+i*infoSize, infoSize) }

// describe is the entry in a few words.
func (f info) describe() string {
	return fmt.Sprintf("%s %s at %s, %s", f.id, f.kind, secondsText(f.time), model.GroupedCount(int64(f.size), "byte"))
}

// agrees reports whether an entry says the same as a record's header.
func (f *info) agrees(h *recordHeader) bool {
	return sameBits(f.time, h.time) && f.size == h.size && f.kind == h.kind && f.id == h.id
}

// sized reports whether an entry and a record's header say the same but for the size.
func (f *info) sized(h *recordHeader) bool {
	same := *f
	same.size = h.size
	return same.agrees(h)
}

// findIndex reads the head of the index record; at is the end of the description. It is nil where there is none.
func (r *recording) findIndex(ctx context.Context, at int64) *index {
	off := r.head.index
	if off == 0 {
		// A recording with a split head that crashed may not have it either.
		if h, ok := r.usableAt(ctx, at); ok && h.id.isIndex() && h.version == splitIndex {
			off = at
		}
	}
	h, err := r.headerAt(ctx, off)
	r.noRecordAtIndex = err != nil || h.unusableIndex(r.head.recordHeaderSize) != ""
	if off < at || r.noRecordAtIndex || !h.isIndex() {
		return nil
	}
	x := &index{off: off, hdr: h, end: min(h.end(), r.src.Size())}
	switch h.version {
	case classicIndex:
		r.readClassic(ctx, x)
		if h.end() > r.src.Size() {
			x.cut(r.src.Span(off, x.end-off))
		}
	case splitIndex:
		r.readSplit(ctx, x)
	default:
		x.infos = r.src.Span(x.end, 0)
		x.fail(model.Problemf(model.Suspicious, ruleIndexVersion, r.src.Span(off+12, 4), "this format of the index is not known").
			Want("2 or 3", h.version))
	}
	return x
}

// cut notes that the index reaches beyond the end of the file. The reference reads none of it; where its entries are all
// there, it is its size that is wrong.
func (x *index) cut(there model.Span) {
	p := model.Problemf(model.Suspicious, ruleIndexSize, there, "the size of the index reaches beyond the end of the file; the records were found by walking")
	if x.broken {
		p = model.Problemf(model.Truncated, ruleTruncated, there, "the index is cut off")
	}
	x.problems = nil
	x.fail(p.Want(model.GroupedCount(int64(x.hdr.size), "byte"), model.GroupedCount(there.Len, "byte")))
}

// fail notes why no entry can be had.
func (x *index) fail(p model.Problem) {
	x.broken = true
	x.problems = append(x.problems, p)
}

// readClassic reads the counts in front of the entries (chapter 5.1).
func (r *recording) readClassic(ctx context.Context, x *index) {
	o := r.indexObject(x)
	field := o.Record().Field
	x.infos = r.src.Span(min(x.off+r.head.recordHeaderSize, x.end), 0)
	streams := o.List(ctx, field("streams"))
	counted := o.SpanOf(ctx, field("recordCount"))
	if streams != nil {
		x.streams = streams.Known()
		if claimed := int64(o.Uint(ctx, field("streamCount"))); claimed > x.streams {
			x.fail(model.Problemf(model.Malformed, ruleIndexCount, o.SpanOf(ctx, field("streamCount")), "the index counts more streams than it has room for").
				WantAtMost(x.streams, claimed))
			return
		}
	}
	if counted.Len < 4 {
		x.fail(model.Problemf(model.Malformed, ruleIndexCount, r.src.Span(x.off, x.end-x.off), "the index is too short for its counts"))
		return
	}
	x.count = int64(o.Uint(ctx, field("recordCount")))
	x.infos = r.src.Span(counted.End(), x.end-counted.End())
	x.compressed = x.hdr.uncompressed > 0
	tooMany := func(most int64) {
		x.fail(model.Problemf(model.Malformed, ruleIndexCount, counted, "the index counts more records than it has bytes for").
			WantAtMost(most, x.count))
	}
	plain := 8 + 6*x.streams + infoSize*x.count
	switch {
	case x.count > maxIndexed:
		tooMany(maxIndexed)
	case infoSize*x.count > max(maxInflated, r.src.Size()):
		tooMany(max(maxInflated, r.src.Size()) / infoSize)
	case !x.compressed && infoSize*x.count > x.infos.Len:
		tooMany(x.infos.Len / infoSize)
	case !x.compressed:
		x.infos.Len = infoSize * x.count
	case infoSize*x.count/maxIndexRatio > x.infos.Len:
		tooMany(x.infos.Len * maxIndexRatio / infoSize)
	case plain != int64(x.hdr.uncompressed) && infoSize*x.count > int64(x.hdr.uncompressed):
		tooMany((int64(x.hdr.uncompressed) - 8 - 6*x.streams) / infoSize)
	default:
		if plain != int64(x.hdr.uncompressed) {
			x.problems = append(x.problems, model.Problemf(model.Suspicious, ruleIndexSize, r.src.Span(x.off+28, 4),
				"uncompressedSize is not the size of the index's payload").Want(plain, x.hdr.uncompressed))
		}
		r.findFrames(ctx, x, 1)
		x.holdCount(counted)
	}
}

// holdCount holds the number of records against what the frame of the entries says that it makes.
func (x *index) holdCount(counted model.Span) {
	if len(x.frames) == 0 || x.frames[0].ContentSize < 0 || x.frames[0].ContentSize == infoSize*x.count {
		return
	}
	x.fail(model.Problemf(model.Malformed, ruleIndexCount, counted, "the index counts another number of records than its frame makes").
		Want(x.frames[0].ContentSize/infoSize, x.count))
}

// findFrames finds the zstd frames of the entries; what follows them is reserve. most bounds them; 0: any.
func (r *recording) findFrames(ctx context.Context, x *index, most int) {
	b, err := r.src.Bytes(ctx, x.infos.Off, x.infos.Len)
	if err != nil {
		x.fail(model.AsProblem(err, ruleIndexInflate, x.infos))
		return
	}
	frames, fault := source.ZstdFrames(b)
	if most > 0 && len(frames) > most {
		frames = frames[:most]
	}
	x.frames = frames
	if len(frames) == 0 {
		if fault != nil {
			at := r.src.Span(x.infos.Off+min(fault.In, x.infos.Len), 0)
			kind := model.Malformed
			if head := string(b[:min(len(b), len(zstdMagic))]); head != zstdMagic[:len(head)] {
				kind = model.Suspicious // the reference goes over to the records without an error
			}
			x.fail(model.Problemf(kind, ruleIndexInflate, at, "the entries of the index cannot be inflated: %s", fault.Reason))
		}
		x.infos.Len = 0
		return
	}
	x.infos.Len = frames[len(frames)-1].End
}

// readSplit finds the entries of an index in a first part of its own (chapter 5.2).
func (r *recording) readSplit(ctx context.Context, x *index) {
	at := x.off + r.head.recordHeaderSize
	n := int64(x.hdr.size) - r.head.recordHeaderSize
	part := max(min(r.firstEnd, r.src.Size()), min(at, r.src.Size()))
	x.end = part
	if n > 0 && at+n < part {
		x.end = at + n
	}
	x.incomplete = n == 0 || at+n > part
	x.infos = r.src.Span(min(at, x.end), max(x.end-at, 0))
	if n == 0 {
		x.problems = append(x.problems, model.Problemf(model.Suspicious, ruleIndexIncomplete, r.src.Span(x.off, min(r.head.recordHeaderSize, x.end-x.off)),
			"the index was not completed: the recording was interrupted"))
	}
	head, _ := r.src.Bytes(ctx, x.infos.Off, min(x.infos.Len, 4))
	switch x.compressed = string(head) == zstdMagic; {
	case x.compressed:
		all := x.infos.Len
		r.findFrames(ctx, x, 0)
		if x.infos.Len < all {
			x.incomplete = true
		}
		var size int64
		for _, f := range x.frames {
			size += max(f.ContentSize, 0)
		}
		if x.hdr.uncompressed > 0 && size != int64(x.hdr.uncompressed) {
			x.incomplete = true
			x.problems = append(x.problems, model.Problemf(model.Malformed, ruleIndexSize, r.src.Span(x.off+28, 4),
				"the frames of the index make another number of bytes than its header gives").Want(size, x.hdr.uncompressed))
		}
		x.count = size / infoSize
		if size%infoSize != 0 {
			x.incomplete = true
		}
	default:
		x.count = x.infos.Len / infoSize
		x.incomplete = x.incomplete || x.infos.Len%infoSize != 0
		x.infos.Len = x.count * infoSize
	}
	if n == 0 && r.firstEnd == r.src.Size() && r.head.firstUserRecord == 0 {
		x.problems = append(x.problems, model.Problemf(model.Truncated, ruleNoRecords, r.src.Span(r.src.Size(), 0),
			"the user records cannot be located: they begin in the next part%s", r.nextPartHint()))
	}
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// loadEntries gives the entries, decompressed. The error is that of ctx.
func (r *recording) loadEntries(ctx context.Context, x *index) (*indexEntries, error) {
	return x.entries.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*indexEntries, error) {
		e := &indexEntries{src: r.src, off: x.infos.Off, count: x.count}
		if x.broken {
			e.count = 0
			return e, nil
		}
		if x.compressed {
			if err := r.inflateEntries(ctx, x, e); err != nil {
				return nil, err
			}
		}
		return e, nil
	})
}

func (r *recording) inflateEntries(ctx context.Context, x *index, e *indexEntries) error {
	size := x.count * infoSize
	cached := source.Inflated(x.infos, size, source.CopyZstd)
	good, err := cached.Good(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p := model.AsProblem(err, ruleIndexInflate, x.infos)
		if p.Kind != model.Unread {
			p = model.Problemf(model.Malformed, ruleIndexInflate, x.infos, "the entries of the index cannot all be inflated: %v", err)
		}
		if fault := (*source.Fault)(nil); errors.As(err, &fault) && fault.Limit {
			p.Kind, p.Rule = model.Limit, ruleInflateLimit
		}
		e.fault = &p
	}
	var units []source.Unit
	out := int64(0)
	for _, f := range x.frames {
		made := min(max(f.ContentSize, 0), good-out)
		units = append(units, source.Unit{In: r.src.Span(x.infos.Off+f.At, f.End-f.At), Out: out, OutLen: made})
		out += made
	}
	e.src = model.Derive(r.path(entriesPath), inflatedName, "index", model.NewWindow(cached, 0, good),
		model.Origin{Parent: r.src, Spans: []model.Span{x.infos}, Codec: "zstd", Map: source.NewFrameMapping(units...)})
	e.off, e.count = 0, good/infoSize
	return nil
}

// The nodes of the index.

const (
	indexName   = "index"
	entriesName = "entries"
	unusedIndex = "unused index"
	entriesPath = indexName + "/" + entriesName
)

func (r *recording) addIndex() {
	r.parts = append(r.parts, part{indexName, r.index.off, r.index.end, r.indexNode})
}

func (r *recording) indexNode(ctx context.Context) model.Node {
	x := r.index
	n := r.indexObject(x).Node(ctx, indexName)
	n.Help, n.Brief, n.Problems = "lists the records in the order of the file", model.GroupedCount(x.count, "record"), x.problems
	return n
}

// entriesNode is the entries as they are stored.
func (r *recording) entriesNode(x *index) model.Node {
	n := model.Node{Name: entriesName, Type: "record info[]", Spans: []model.Span{x.infos}, Brief: model.GroupedCount(x.count, "entry")}
	if x.count != 1 {
		n.Brief = model.Grouped(x.count) + " entries"
	}
	if !x.compressed {
		n.Elements = x.count > 0
		n.Children = r.entryRows(&indexEntries{src: r.src, off: x.infos.Off, count: x.count})
		return n
	}
	n.Type, n.Value = "zstd frames", model.Blob{Span: x.infos}
	n.Derived = []*model.Derivation{{
		Name: inflatedName, Title: "index", Codec: "zstd",
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			e, err := r.loadEntries(ctx, x)
			if err != nil {
				return nil, model.Node{}, err
			}
			root := model.Node{
				Name: entriesName, Type: "record info[]", Brief: model.Grouped(e.count) + " entries",
				Spans: []model.Span{e.src.Whole()}, Elements: e.count > 0 && e.src.Size()%infoSize == 0,
				Children: r.entryRows(e),
			}
			if e.fault != nil {
				root.Problems = []model.Problem{*e.fault}
			}
			if e.src.Size()%infoSize != 0 {
				root.Children = nil
			}
			return e.src, root, nil
		},
	}}
	return n
}

// entryRows are the entries as rows of fields.
func (r *recording) entryRows(e *indexEntries) model.Children {
	return model.FixedRows(e.src, e.off, infoSize, e.count, func(ctx context.Context, i int64) model.Node {
		at := e.span(i)
		n := infoRecord.Open(r.session, streamOver(at), at.Off).Node(ctx, model.IndexName(i))
		if b, err := e.src.Bytes(ctx, at.Off, at.Len); err == nil {
			n.Brief = parseInfo(b).describe()
		}
		if t := r.table.Made(); t != nil && t.indexed && i < t.n() {
			n.Refs = func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "record", Path: r.recordPath(i), Span: r.src.Span(t.off[i], t.end(i)-t.off[i])}}
			}
		}
		return n
	})
}

// unusedIndexNode is an index that a later one replaced.
func (r *recording) unusedIndexNode(off, end int64) model.Node {
	at := r.src.Span(off, end-off)
	return model.Node{
		Name: unusedIndex, Type: "index record", Spans: []model.Span{at},
		Help: "the file header does not point to it",
		Problems: []model.Problem{model.Problemf(model.Suspicious, ruleUnusedIndex, at,
			"an index that the file header does not point to; it is not used")},
		Children: model.DeferList(func(ctx context.Context) []model.Node {
			return r.withHeader(ctx, off, end, "unused", model.Unreferenced, "entries that do not count")
		}),
	}
}

// indexOffsetProblem is what is wrong with the offset of the index in the file header.
func (r *recording) indexOffsetProblem() (p model.Problem, breach bool) {
	h := &r.head
	switch most := max(r.src.Size()-h.recordHeaderSize, 0); {
	case h.fatal() || r.orphan || r.index != nil && h.index == 0:
	case h.index == 0:
		return model.Problemf(model.Suspicious, ruleNoIndex, model.Span{}, "the recording was not closed, so it has no index; its records are found by walking"), true
	case h.index > r.src.Size()-h.recordHeaderSize:
		return model.Problemf(model.Truncated, ruleIndexOffset, model.Span{}, "the index lies after the end of the file%s", r.nextPartHint()).
			WantAtMost(most, h.index), true
	case r.index == nil:
		kind := model.Suspicious
		if r.noRecordAtIndex { // the reference does not open the file
			kind = model.Malformed
		}
		return model.Problemf(kind, ruleIndexOffset, model.Span{}, "there is no index record where the header points to").
			Want("the offset of a record of type 1", h.index), true
	}
	return p, false
}
