package container

import (
	"context"
	"errors"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

// Chapter 5: the index record.

// The fields of an entry of the index, which is of one record of the recording.
var (
	FieldInfoTimestamp  = infoRecord.Number("timestamp")
	FieldInfoRecordSize = infoRecord.Number("recordSize")
	FieldInfoRecordType = infoRecord.Number("recordType")
	FieldInfoTypeID     = infoRecord.Number("typeId")
	FieldInfoInstanceID = infoRecord.Number("instanceId")
	InfoSize            = infoRecord.Least()
)

// indexEntriesCodec reads the entries of an index as the format shows them: rows, or frames that are inflated.
var indexEntriesCodec = &lang.Codec{
	Read: func(s grammar.Scope, _ grammar.Stream, off int64) (int64, grammar.Value, *model.Problem) {
		size, _ := s.Object().Arg(0).Int()
		return off + size, grammar.Value{}, nil
	},
	Node: func(s grammar.Scope, _ grammar.Value, n *model.Node) {
		f := s.Env().(*File)
		*n = f.entriesNode(f.Index)
	},
}

// IndexObject returns the index record, without reading it.
func (f *File) IndexObject(x *Index) *grammar.Object {
	size := x.Infos.Len
	if x.Broken {
		size = 0
	}
	return f.plan.Record("index record").Open(f.session, StreamOver(f.Src.Span(x.Off, x.end-x.Off)), x.Off,
		grammar.IntValue(size), grammar.BoolValue(!x.Broken && !x.Incomplete))
}

// showElements shows the number of elements of a list, whose help is not theirs.
func showElements(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if l := v.List(); l != nil {
		n.Brief = model.GroupedCount(l.Known(), "element")
	} else {
		n.Help = ""
	}
}

// Formats of the index, by the version in its record header.
const (
	ClassicIndex = 2
	SplitIndex   = 3
)

// maxIndexed is the most records that an index may list.
const maxIndexed = 500_000_000

// maxIndexRatio is the most that index entries can shrink.
const maxIndexRatio = 100_000

// An Index is the index record that counts.
type Index struct {
	Off, end   int64 // of the record; the end of the bytes that it may use
	hdr        Header
	Streams    int64      // that it lists
	Count      int64      // entries
	Infos      model.Span // of the entries as they are stored
	frames     []source.ZstdFrame
	Compressed bool
	Incomplete bool // not all records are listed
	Broken     bool // no entry can be read
	problems   []model.Problem
	entries    model.Once[IndexEntries]
}

// Split reports whether the index is one of a split recording.
func (x *Index) Split() bool { return x.hdr.Version() == SplitIndex }

// IndexEntries are the bytes of the entries, after decompression.
type IndexEntries struct {
	Src   *model.Source
	Off   int64
	Count int64
	fault *model.Problem
}

// LacksBytes makes Once ask again.
func (e *IndexEntries) LacksBytes() bool { return e.fault != nil && e.fault.Kind == model.Unread }

// Info is one entry of the index.
type Info struct {
	Time float64
	Size uint32
	Kind RecordType
	ID   StreamID
}

// An InfoScan reads entries of the index where they are, many at once.
type InfoScan struct {
	e      *IndexEntries
	window []byte
	first  int64 // that the window has
}

// Scan returns a scan of the entries.
func (e *IndexEntries) Scan() *InfoScan { return &InfoScan{e: e} }

// manyInfos is the number of entries that are read at once.
const manyInfos = 4096

// from returns the bytes of the entries from entry i on, as many as are read at once, or none if they cannot be read. They
// are valid until the next call.
func (s *InfoScan) from(ctx context.Context, i int64) []byte {
	if at := (i - s.first) * InfoSize; at >= 0 && at < int64(len(s.window)) {
		return s.window[at:]
	}
	n := min(manyInfos, s.e.Count-i) * InfoSize
	if int64(cap(s.window)) < n {
		s.window = make([]byte, n)
	}
	s.window, s.first = s.window[:n], i
	if _, err := s.e.Src.ReadFull(ctx, s.window, s.e.Off+i*InfoSize); err != nil {
		s.window = nil
	}
	return s.window
}

// Info is entry i; false where it cannot be read.
func (s *InfoScan) Info(ctx context.Context, i int64) (Info, bool) {
	b := s.from(ctx, i)
	if b == nil {
		return Info{}, false
	}
	return parseInfo(b), true
}

// parseInfo reads the entry that b begins with.
func parseInfo(b []byte) Info {
	return Info{
		Time: FieldInfoTimestamp.F64(b), Size: FieldInfoRecordSize.U32(b), Kind: RecordType(FieldInfoRecordType.U8(b)),
		ID: StreamID{typeIDOf(int32(FieldInfoTypeID.U32(b))), FieldInfoInstanceID.U16(b)},
	}
}

func (e *IndexEntries) span(i int64) model.Span { return e.Src.Span(e.Off+i*InfoSize, InfoSize) }

// describe is the entry in a few words.
func (f Info) describe() string {
	return fmt.Sprintf("%s %s at %s, %s", f.ID, f.Kind, SecondsText(f.Time), model.GroupedCount(int64(f.Size), "byte"))
}

// Agrees reports whether an entry says the same as a record's header.
func (f *Info) Agrees(h *Header) bool {
	return sameBits(f.Time, h.Time()) && f.Size == h.Size() && f.Kind == h.Kind() && f.ID == h.ID()
}

// Sized reports whether an entry and a record's header say the same but for the size.
func (f *Info) Sized(h *Header) bool {
	same := *f
	same.Size = h.Size()
	return same.Agrees(h)
}

// findIndex reads the head of the index record; at is the end of the description. It is nil where there is none.
func (f *File) findIndex(ctx context.Context, at int64) *Index {
	off := f.Head.Index
	if off == 0 {
		// A recording with a split head that crashed may not have it either.
		if h, ok := f.usableAt(ctx, at); ok && h.ID().isIndex() && h.Version() == SplitIndex {
			off = at
		}
	}
	h, err := f.HeaderAt(ctx, off)
	f.noRecordAtIndex = err != nil || !h.usableIndex(f.Head.RecordHeaderSize)
	if off < at || f.noRecordAtIndex || !h.isIndex() {
		return nil
	}
	x := &Index{Off: off, hdr: h, end: min(h.End(), f.Src.Size())}
	switch h.Version() {
	case ClassicIndex:
		f.readClassic(ctx, x)
		if h.End() > f.Src.Size() {
			x.cut(f.Src.Span(off, x.end-off))
		}
	case SplitIndex:
		f.readSplit(ctx, x)
	default:
		x.Infos = f.Src.Span(x.end, 0)
		x.fail(model.Problemf(model.Suspicious, ruleIndexVersion, f.Span(off, FieldFormatVersion), "this format of the index is not known").
			Want("2 or 3", h.Version()))
	}
	return x
}

// cut notes that the index reaches beyond the end of the file. The reference reads none of it; where its entries are all
// there, it is its size that is wrong.
func (x *Index) cut(there model.Span) {
	p := model.Problemf(model.Suspicious, ruleIndexSize, there, "the size of the index reaches beyond the end of the file; the records were found by walking")
	if x.Broken {
		p = model.Problemf(model.Truncated, RuleTruncated, there, "the index is cut off")
	}
	x.problems = nil
	x.fail(p.Want(model.GroupedCount(int64(x.hdr.Size()), "byte"), model.GroupedCount(there.Len, "byte")))
}

// fail notes why no entry can be read.
func (x *Index) fail(p model.Problem) {
	x.Broken = true
	x.problems = append(x.problems, p)
}

// readClassic reads the counts in front of the entries (chapter 5.1).
func (f *File) readClassic(ctx context.Context, x *Index) {
	o := f.IndexObject(x)
	field := o.Record().Field
	x.Infos = f.Src.Span(min(x.Off+f.Head.RecordHeaderSize, x.end), 0)
	streams := o.List(ctx, field("streams"))
	counted := o.SpanOf(ctx, field("recordCount"))
	if streams != nil {
		x.Streams = streams.Known()
		if claimed := int64(o.Uint(ctx, field("streamCount"))); claimed > x.Streams {
			x.fail(model.Problemf(model.Malformed, ruleIndexCount, o.SpanOf(ctx, field("streamCount")), "the index counts more streams than it has room for").
				WantAtMost(x.Streams, claimed))
			return
		}
	}
	if counted.Len < grammar.U32.Size() {
		x.fail(model.Problemf(model.Malformed, ruleIndexCount, f.Src.Span(x.Off, x.end-x.Off), "the index is too short for its counts"))
		return
	}
	x.Count = int64(o.Uint(ctx, field("recordCount")))
	x.Infos = f.Src.Span(counted.End(), x.end-counted.End())
	x.Compressed = x.hdr.Uncompressed() > 0
	tooMany := func(most int64) {
		x.fail(model.Problemf(model.Malformed, ruleIndexCount, counted, "the index counts more records than it has bytes for").
			WantAtMost(most, x.Count))
	}
	counts := counted.End() - x.Off - f.Head.RecordHeaderSize // bytes in front of the entries
	plain, uncompressed := counts+InfoSize*x.Count, int64(x.hdr.Uncompressed())
	switch {
	case x.Count > maxIndexed:
		tooMany(maxIndexed)
	case InfoSize*x.Count > max(MaxInflated, f.Src.Size()):
		tooMany(max(MaxInflated, f.Src.Size()) / InfoSize)
	case !x.Compressed && InfoSize*x.Count > x.Infos.Len:
		tooMany(x.Infos.Len / InfoSize)
	case !x.Compressed:
		x.Infos.Len = InfoSize * x.Count
	case InfoSize*x.Count/maxIndexRatio > x.Infos.Len:
		tooMany(x.Infos.Len * maxIndexRatio / InfoSize)
	case plain != uncompressed && InfoSize*x.Count > uncompressed:
		tooMany((uncompressed - counts) / InfoSize)
	default:
		if plain != uncompressed {
			x.problems = append(x.problems, model.Problemf(model.Suspicious, ruleIndexSize, f.Span(x.Off, FieldUncompressedSize),
				"uncompressedSize is not the size of the index's payload").Want(plain, uncompressed))
		}
		f.findFrames(ctx, x, 1)
		x.holdCount(counted)
	}
}

// holdCount holds the number of records against what the frame of the entries says that it makes.
func (x *Index) holdCount(counted model.Span) {
	if len(x.frames) == 0 || x.frames[0].ContentSize < 0 || x.frames[0].ContentSize == InfoSize*x.Count {
		return
	}
	x.fail(model.Problemf(model.Malformed, ruleIndexCount, counted, "the index counts another number of records than its frame makes").
		Want(x.frames[0].ContentSize/InfoSize, x.Count))
}

// findFrames finds the zstd frames of the entries, at most so many, or all if most is 0. The bytes behind them are reserve.
func (f *File) findFrames(ctx context.Context, x *Index, most int) {
	b, err := f.Src.Bytes(ctx, x.Infos.Off, x.Infos.Len)
	if err != nil {
		x.fail(model.AsProblem(err, ruleIndexInflate, x.Infos))
		return
	}
	frames, fault := source.ZstdFrames(b)
	if most > 0 && len(frames) > most {
		frames = frames[:most]
	}
	x.frames = frames
	if len(frames) == 0 {
		if fault != nil {
			at := f.Src.Span(x.Infos.Off+min(fault.In, x.Infos.Len), 0)
			kind := model.Malformed
			if head := string(b[:min(len(b), len(zstdMagic))]); head != zstdMagic[:len(head)] {
				kind = model.Suspicious // the reference then walks without an error
			}
			x.fail(model.Problemf(kind, ruleIndexInflate, at, "the entries of the index cannot be inflated: %s", fault.Reason))
		}
		x.Infos.Len = 0
		return
	}
	x.Infos.Len = frames[len(frames)-1].End
}

// readSplit finds the entries of an index in a first part of its own (chapter 5.2).
func (f *File) readSplit(ctx context.Context, x *Index) {
	at := x.Off + f.Head.RecordHeaderSize
	n := int64(x.hdr.Size()) - f.Head.RecordHeaderSize
	part := max(min(f.firstEnd, f.Src.Size()), min(at, f.Src.Size()))
	x.end = part
	if n > 0 && at+n < part {
		x.end = at + n
	}
	x.Incomplete = n == 0 || at+n > part
	x.Infos = f.Src.Span(min(at, x.end), max(x.end-at, 0))
	if n == 0 {
		x.problems = append(x.problems, model.Problemf(model.Suspicious, ruleIndexIncomplete, f.Src.Span(x.Off, min(f.Head.RecordHeaderSize, x.end-x.Off)),
			"the index was not completed: the recording was interrupted"))
	}
	head, _ := f.Src.Bytes(ctx, x.Infos.Off, min(x.Infos.Len, 4))
	switch x.Compressed = string(head) == zstdMagic; {
	case x.Compressed:
		all := x.Infos.Len
		f.findFrames(ctx, x, 0)
		if x.Infos.Len < all {
			x.Incomplete = true
		}
		var size int64
		for _, f := range x.frames {
			size += max(f.ContentSize, 0)
		}
		if x.hdr.Uncompressed() > 0 && size != int64(x.hdr.Uncompressed()) {
			x.Incomplete = true
			x.problems = append(x.problems, model.Problemf(model.Malformed, ruleIndexSize, f.Span(x.Off, FieldUncompressedSize),
				"the frames of the index make another number of bytes than its header gives").Want(size, x.hdr.Uncompressed()))
		}
		x.Count = size / InfoSize
		if size%InfoSize != 0 {
			x.Incomplete = true
		}
	default:
		x.Count = x.Infos.Len / InfoSize
		x.Incomplete = x.Incomplete || x.Infos.Len%InfoSize != 0
		x.Infos.Len = x.Count * InfoSize
	}
	if n == 0 && f.firstEnd == f.Src.Size() && f.Head.firstUserRecord == 0 {
		x.problems = append(x.problems, model.Problemf(model.Truncated, ruleNoRecords, f.Src.Span(f.Src.Size(), 0),
			"the user records cannot be located: they begin in the next part%s", f.nextPartHint()))
	}
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// LoadEntries gives the entries, decompressed. The error is that of ctx.
func (f *File) LoadEntries(ctx context.Context, x *Index) (*IndexEntries, error) {
	return x.entries.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*IndexEntries, error) {
		e := &IndexEntries{Src: f.Src, Off: x.Infos.Off, Count: x.Count}
		if x.Broken {
			e.Count = 0
			return e, nil
		}
		if x.Compressed {
			if err := f.inflateEntries(ctx, x, e); err != nil {
				return nil, err
			}
		}
		return e, nil
	})
}

func (f *File) inflateEntries(ctx context.Context, x *Index, e *IndexEntries) error {
	size := x.Count * InfoSize
	cached := source.Inflated(x.Infos, size, source.CopyZstd)
	good, err := cached.Good(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p := model.AsProblem(err, ruleIndexInflate, x.Infos)
		if p.Kind != model.Unread {
			p = model.Problemf(model.Malformed, ruleIndexInflate, x.Infos, "the entries of the index cannot all be inflated: %v", err)
		}
		if fault := (*source.Fault)(nil); errors.As(err, &fault) && fault.Limit {
			p.Kind, p.Rule = model.Limit, ruleInflateLimit
		}
		e.fault = &p
	}
	var units []source.Unit
	out := int64(0)
	for _, frame := range x.frames {
		made := min(max(frame.ContentSize, 0), good-out)
		units = append(units, source.Unit{In: f.Src.Span(x.Infos.Off+frame.At, frame.End-frame.At), Out: out, OutLen: made})
		out += made
	}
	e.Src = model.Derive(f.Path(EntriesPath), InflatedName, "index", model.NewWindow(cached, 0, good),
		model.Origin{Parent: f.Src, Spans: []model.Span{x.Infos}, Codec: "zstd", Map: source.NewFrameMapping(units...)})
	e.Off, e.Count = 0, good/InfoSize
	return nil
}

// Names of the nodes of the index.
const (
	IndexName   = "index"
	entriesName = "entries"
	UnusedIndex = "unused index"
	EntriesPath = IndexName + "/" + entriesName
)

func (f *File) addIndex() {
	f.Parts = append(f.Parts, Section{IndexName, f.Index.Off, f.Index.end, f.indexNode})
}

func (f *File) indexNode(ctx context.Context) model.Node {
	x := f.Index
	n := f.IndexObject(x).Node(ctx, IndexName)
	n.Help, n.Brief, n.Problems = "lists the records in the order of the file", model.GroupedCount(x.Count, "record"), x.problems
	return n
}

// entriesNode is the entries as they are stored.
func (f *File) entriesNode(x *Index) model.Node {
	n := model.Node{Name: entriesName, Type: "record info[]", Spans: []model.Span{x.Infos}, Brief: model.GroupedCount(x.Count, "entry")}
	if x.Count != 1 {
		n.Brief = model.Grouped(x.Count) + " entries"
	}
	if !x.Compressed {
		n.Elements = x.Count > 0
		n.Children = f.entryRows(&IndexEntries{Src: f.Src, Off: x.Infos.Off, Count: x.Count})
		return n
	}
	n.Type, n.Value = "zstd frames", model.Blob{Span: x.Infos}
	n.Derived = []*model.Derivation{{
		Name: InflatedName, Title: "index", Codec: "zstd",
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			e, err := f.LoadEntries(ctx, x)
			if err != nil {
				return nil, model.Node{}, err
			}
			root := model.Node{
				Name: entriesName, Type: "record info[]", Brief: model.Grouped(e.Count) + " entries",
				Spans: []model.Span{e.Src.Whole()}, Elements: e.Count > 0 && e.Src.Size()%InfoSize == 0,
				Children: f.entryRows(e),
			}
			if e.fault != nil {
				root.Problems = []model.Problem{*e.fault}
			}
			if e.Src.Size()%InfoSize != 0 {
				root.Children = nil
			}
			return e.Src, root, nil
		},
	}}
	return n
}

// entryRows are the entries as rows of fields.
func (f *File) entryRows(e *IndexEntries) model.Children {
	return model.FixedRows(e.Src, e.Off, InfoSize, e.Count, func(ctx context.Context, i int64) model.Node {
		at := e.span(i)
		n := f.plan.Record("record info").Open(f.session, StreamOver(at), at.Off).Node(ctx, model.IndexName(i))
		if b, err := e.Src.Bytes(ctx, at.Off, at.Len); err == nil {
			n.Brief = parseInfo(b).describe()
		}
		n.Refs = f.RefsOfEntry(i)
		return n
	})
}

// unusedIndexNode is an index that a later one replaced.
func (f *File) unusedIndexNode(off, end int64) model.Node {
	at := f.Src.Span(off, end-off)
	return model.Node{
		Name: UnusedIndex, Type: "index record", Spans: []model.Span{at},
		Help: "the file header does not point to it",
		Problems: []model.Problem{model.Problemf(model.Suspicious, ruleUnusedIndex, at,
			"an index that the file header does not point to; it is not used")},
		Children: model.DeferList(func(ctx context.Context) []model.Node {
			return f.withHeader(ctx, off, end, "unused", model.Unreferenced, "entries that do not count")
		}),
	}
}

// indexOffsetProblem finds what is wrong with the offset of the index.
func (f *File) indexOffsetProblem() (p model.Problem, breach bool) {
	h := &f.Head
	switch most := max(f.Src.Size()-h.RecordHeaderSize, 0); {
	case h.Fatal() || f.Orphan || f.Index != nil && h.Index == 0:
	case h.Index == 0:
		return model.Problemf(model.Suspicious, ruleNoIndex, model.Span{}, "the recording was not closed, so it has no index; its records are found by walking"), true
	case h.Index > f.Src.Size()-h.RecordHeaderSize:
		return model.Problemf(model.Truncated, ruleIndexOffset, model.Span{}, "the index lies after the end of the file%s", f.nextPartHint()).
			WantAtMost(most, h.Index), true
	case f.Index == nil:
		kind := model.Suspicious
		if f.noRecordAtIndex { // the reference does not open the file
			kind = model.Malformed
		}
		return model.Problemf(kind, ruleIndexOffset, model.Span{}, "there is no index record where the header points to").
			Want("the offset of a record of type 1", h.Index), true
	}
	return p, false
}
