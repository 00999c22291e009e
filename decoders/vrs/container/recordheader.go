package container

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Chapter 3: the record header.

// A RecordType is the kind of a record of a stream.
type RecordType uint8

// The types of records.
const (
	UndefinedRecord RecordType = iota
	StateRecord
	ConfigurationRecord
	DataRecord
	TagsRecord
	RecordTypes // the number of types
)

var recordTypeNames = [RecordTypes]string{"Undefined", "State", "Configuration", "Data", "Tags"}

// String returns the name of the type.
func (t RecordType) String() string {
	if t < RecordTypes {
		return recordTypeNames[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// NodeType returns the type of the nodes of such records.
func (t RecordType) NodeType() string { return t.String() + " record" }

// The compressions of payloads.
const (
	StoredPayload uint8 = iota
	LZ4Payload
	ZstdPayload
)

// CompressionNames are the names of the compressions.
var CompressionNames = []string{"none", "lz4", "zstd"}

// A StreamID identifies a stream.
type StreamID struct {
	Typ      int32
	Instance uint16
}

// String returns the id as the reference writes it, such as "200-1".
func (id StreamID) String() string {
	return strconv.Itoa(int(id.Typ)) + "-" + strconv.Itoa(int(id.Instance))
}

// The streams of the special records.
const (
	IndexTypeID       = 1
	DescriptionTypeID = 2
)

func (id StreamID) isIndex() bool       { return id.Typ == IndexTypeID }
func (id StreamID) isDescription() bool { return id.Typ == DescriptionTypeID }
func (id StreamID) isSpecial() bool     { return id.isIndex() || id.isDescription() }

// Type ids from legacyTypes on are an old way of writing those from legacyBase on.
const (
	legacyTypes = 100000
	legacyBase  = 65500
)

// typeIDOf returns the type id that a stored one means. It has 16 bits, and the reference drops the others.
func typeIDOf(stored int32) int32 {
	if stored >= legacyTypes {
		stored += legacyBase - legacyTypes
	}
	return int32(uint16(stored))
}

// nameType names the type of a stream, nameRecordType that of a record.
func nameType(stored int64) string  { return TypeName(typeIDOf(int32(stored))) }
func nameRecordType(n int64) string { return RecordType(n).String() }

func showLegacyType(_ grammar.Scope, v grammar.Value, n *model.Node) {
	stored, _ := v.Int()
	if id := typeIDOf(int32(stored)); stored >= legacyTypes {
		n.Help += fmt.Sprintf("; an old way of writing %d", id)
	}
}

func showMoment(_ grammar.Scope, v grammar.Value, n *model.Node) {
	seconds, _ := v.Float()
	n.Help += TimeText(seconds)
	n.Brief = EndText(seconds)
}

// The fields of a record header.
var (
	FieldRecordSize         = recordHeaderRecord.Number("recordSize")
	FieldPreviousRecordSize = recordHeaderRecord.Number("previousRecordSize")
	FieldTypeID             = recordHeaderRecord.Number("recordableTypeId")
	FieldFormatVersion      = recordHeaderRecord.Number("formatVersion")
	FieldTimestamp          = recordHeaderRecord.Number("timestamp")
	fieldInstanceID         = recordHeaderRecord.Number("recordableInstanceId")
	fieldRecordType         = recordHeaderRecord.Number("recordType")
	fieldCompressionType    = recordHeaderRecord.Number("compressionType")
	FieldUncompressedSize   = recordHeaderRecord.Number("uncompressedSize")
)

// A Header holds the known bytes of the record header at an offset of the recording.
type Header struct {
	Off int64
	B   [RecordHeaderSize]byte
}

// headerIn returns the header at the start of b, which is at off of the recording.
func headerIn(b []byte, off int64) Header { return Header{off, [RecordHeaderSize]byte(b)} }

// Size returns the bytes of the record, header included.
func (h *Header) Size() uint32 { return FieldRecordSize.U32(h.B[:]) }

// End returns the end of the record.
func (h *Header) End() int64 { return h.Off + int64(h.Size()) }

// Previous returns the size of the record before.
func (h *Header) Previous() uint32 { return FieldPreviousRecordSize.U32(h.B[:]) }

// Version returns the version of the record's format.
func (h *Header) Version() uint32 { return FieldFormatVersion.U32(h.B[:]) }

// Time returns the timestamp in seconds.
func (h *Header) Time() float64 { return FieldTimestamp.F64(h.B[:]) }

// Kind returns the type of the record.
func (h *Header) Kind() RecordType { return RecordType(fieldRecordType.U8(h.B[:])) }

// Compression returns the compression of the payload.
func (h *Header) Compression() uint8 { return fieldCompressionType.U8(h.B[:]) }

// Uncompressed returns the size of the payload after decompression, or 0.
func (h *Header) Uncompressed() uint32 { return FieldUncompressedSize.U32(h.B[:]) }

// ID returns the stream of the record.
func (h *Header) ID() StreamID {
	return StreamID{typeIDOf(int32(FieldTypeID.U32(h.B[:]))), fieldInstanceID.U16(h.B[:])}
}

// NewHeader returns the header of a record that is written. It is not compressed.
func NewHeader(size int64, id StreamID, version uint32, time float64, kind RecordType) *Header {
	h := &Header{}
	h.Set(FieldRecordSize, uint64(size))
	h.Set(FieldTypeID, uint64(id.Typ))
	h.Set(fieldInstanceID, uint64(id.Instance))
	h.Set(FieldFormatVersion, uint64(version))
	h.Set(FieldTimestamp, math.Float64bits(time))
	h.Set(fieldRecordType, uint64(kind))
	return h
}

// Set writes a field.
func (h *Header) Set(field grammar.Number, v uint64) { field.Put(h.B[:], v) }

// Span returns the bytes of a field of the record header at off.
func (f *File) Span(off int64, field grammar.Number) model.Span {
	return f.Src.Span(off+field.Off(), field.Len())
}

// HeaderAt reads the header of the record at off.
func (f *File) HeaderAt(ctx context.Context, off int64) (Header, error) {
	h := Header{Off: off}
	if !f.Src.Holds(off, RecordHeaderSize) {
		return Header{}, errShortHeader
	}
	if _, err := f.Src.ReadFull(ctx, h.B[:], off); err != nil {
		return Header{}, err
	}
	return h, nil
}

// HeaderScan reads headers of records, and bytes near them, in the order of the file. Of a place it reads the rest of the
// page, which costs no more than the header and often has the headers of the next records too; the more places follow each
// other within a page, the more pages at once.
type HeaderScan struct {
	f    *File
	read []byte // from off on
	off  int64
	buf  []byte
	more int64 // bytes to read next where the place is within a page of those that were read
}

const (
	headerPage = 4096
	mostPages  = 16
)

// NewHeaderScan returns a scan of headers.
func (f *File) NewHeaderScan() *HeaderScan {
	return &HeaderScan{f: f, buf: make([]byte, (mostPages+1)*headerPage)}
}

// At reads the header of the record at off.
func (s *HeaderScan) At(ctx context.Context, off int64) (Header, error) {
	if !s.f.Src.Holds(off, RecordHeaderSize) {
		return Header{}, errShortHeader
	}
	if b := s.near(ctx, off, RecordHeaderSize); b != nil {
		return headerIn(b, off), nil
	}
	return s.f.HeaderAt(ctx, off) // the rest of the page may be at fault
}

// Bytes reads n bytes of the file at off, which are the caller's.
func (s *HeaderScan) Bytes(ctx context.Context, off, n int64) ([]byte, error) {
	if n <= headerPage && s.f.Src.Holds(off, n) {
		if b := s.near(ctx, off, n); b != nil {
			return slices.Clone(b), nil
		}
	}
	return s.f.Src.Bytes(ctx, off, n)
}

// near returns n bytes at off, at most a page, which the file holds, or nil if they cannot be read. They are valid
// until the next call.
func (s *HeaderScan) near(ctx context.Context, off, n int64) []byte {
	in := off - s.off
	if in >= 0 && in+n <= int64(len(s.read)) {
		return s.read[in : in+n]
	}
	most := int64(headerPage)
	if in >= 0 && in <= int64(len(s.read))+headerPage && len(s.read) > 0 {
		most = min(s.more, mostPages*headerPage)
	}
	s.more = 2 * most
	if most -= off % headerPage; most < n {
		most += headerPage // they reach into the next page
	}
	s.off, s.read = off, s.buf[:min(most, s.f.Src.Size()-off)]
	if _, err := s.f.Src.ReadScattered(ctx, s.read, off); err != nil {
		s.read = nil
		return nil
	}
	return s.read[:n]
}

var errShortHeader = fmt.Errorf("fewer than %d bytes are left for a record header", RecordHeaderSize)

// usableAt reads the header of the record at off, and reports whether a record can begin so.
func (f *File) usableAt(ctx context.Context, off int64) (Header, bool) {
	h, err := f.HeaderAt(ctx, off)
	return h, err == nil && h.usable(f.Head.RecordHeaderSize)
}

// Bounds of how much compression may grow a payload.
const (
	smallPayload  = 200
	smallGrowth   = 50
	largeGrowth   = 100
	growthPercent = 5
)

// usable reports whether a record may begin so, in a file whose record headers have size bytes. It holds the rules of the
// description whose breach makes a header unusable, for passes over millions of records.
func (h *Header) usable(size int64) bool {
	return h.usableIndex(size) && !math.IsNaN(h.Time()) && (h.ID().isIndex() || h.Uncompressed() == 0 || !h.grownTooMuch())
}

// usableIndex reports the same of an index, at whose time and type the reference does not look.
func (h *Header) usableIndex(size int64) bool {
	kind, compression := h.Kind(), h.Compression()
	return int64(h.Size()) >= size && (h.Previous() == 0 || h.Previous() >= RecordHeaderSize) && kind != UndefinedRecord && kind < RecordTypes &&
		(h.Uncompressed() == 0 || compression == LZ4Payload || compression == ZstdPayload)
}

func (h *Header) grownTooMuch() bool {
	p, u := int64(h.Size())-RecordHeaderSize, int64(h.Uncompressed())
	if u < smallPayload {
		return p >= u+max(smallGrowth, u/2)
	}
	return p >= u+max(largeGrowth, u*growthPercent/100)
}

// unusable returns why a record cannot begin with a header that is not usable.
func (f *File) unusable(ctx context.Context, h *Header) string {
	nodes := f.openHeader(h.Off, h.Off+f.Head.RecordHeaderSize).Nodes(ctx)
	for _, name := range []string{"recordSize", "previousRecordSize", "recordType", "timestamp", "uncompressedSize"} {
		i := slices.IndexFunc(nodes, func(n model.Node) bool { return n.Name == name && len(n.Problems) > 0 })
		if i >= 0 {
			return nodes[i].Problems[0].Message
		}
	}
	return ""
}

// isIndex reports whether the record is an index: one by its type, or by its version and time where its type is damaged.
// The reference reads whatever the file header points to.
func (h *Header) isIndex() bool {
	id := h.ID()
	return id.isIndex() || (h.Version() == ClassicIndex || h.Version() == SplitIndex) && sameBits(h.Time(), math.MaxFloat64) && !id.isDescription()
}

// isDescription reports the same of the description.
func (h *Header) isDescription() bool {
	id := h.ID()
	return id.isDescription() || (h.Version() == 1 || h.Version() == 2) && sameBits(h.Time(), math.MaxFloat64) && !id.isIndex()
}

// openHeader returns the header of the record at off, as far as it lies before end.
func (f *File) openHeader(off, end int64) *grammar.Object {
	in := grammar.Stream{Source: f.Src, Start: off, End: min(end, off+f.Head.RecordHeaderSize)}
	return f.plan.Record("Record header").Open(f.session, in, off)
}

// HeaderNode returns the node of the header of the record at off, as far as it lies before end.
func (f *File) HeaderNode(ctx context.Context, off, end int64) model.Node {
	return f.openHeader(off, end).Node(ctx, "header")
}

// withHeader returns the header of the record at off, and a leaf of the bytes that follow it up to end, if any do.
func (f *File) withHeader(ctx context.Context, off, end int64, name string, role model.Role, help string) []model.Node {
	nodes := []model.Node{f.HeaderNode(ctx, off, end)}
	if at := off + f.Head.RecordHeaderSize; at < end {
		nodes = append(nodes, BytesNode(name, f.Src.Span(at, end-at), role, help))
	}
	return nodes
}

// BytesNode returns the node of bytes that are not read further.
func BytesNode(name string, at model.Span, role model.Role, help string) model.Node {
	return model.Node{Name: name, Type: "bytes", Role: role, Help: help, Spans: []model.Span{at}, Value: model.Blob{Span: at}}
}

// StreamOver returns the stream of the bytes of a span.
func StreamOver(at model.Span) grammar.Stream {
	return grammar.Stream{Source: at.Source, Start: at.Off, End: at.End()}
}
