package vrs

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

// A recordType is the kind of a record of a stream.
type recordType uint8

const (
	undefinedRecord recordType = iota
	stateRecord
	configurationRecord
	dataRecord
	tagsRecord
	recordTypes // the number of types
)

var recordTypeNames = [recordTypes]string{"Undefined", "State", "Configuration", "Data", "Tags"}

func (t recordType) String() string {
	if t < recordTypes {
		return recordTypeNames[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// nodeType returns the type of the nodes of such records.
func (t recordType) nodeType() string { return t.String() + " record" }

// The compressions of payloads.
const (
	storedPayload uint8 = iota
	lz4Payload
	zstdPayload
)

var compressionNames = []string{"none", "lz4", "zstd"}

// A streamID identifies a stream.
type streamID struct {
	typ      int32
	instance uint16
}

func (id streamID) String() string {
	return strconv.Itoa(int(id.typ)) + "-" + strconv.Itoa(int(id.instance))
}

// The streams of the special records.
const (
	indexTypeID       = 1
	descriptionTypeID = 2
)

func (id streamID) isIndex() bool       { return id.typ == indexTypeID }
func (id streamID) isDescription() bool { return id.typ == descriptionTypeID }
func (id streamID) isSpecial() bool     { return id.isIndex() || id.isDescription() }

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
func nameType(stored int64) string  { return typeName(typeIDOf(int32(stored))) }
func nameRecordType(n int64) string { return recordType(n).String() }

func showLegacyType(_ grammar.Scope, v grammar.Value, n *model.Node) {
	stored, _ := v.Int()
	if id := typeIDOf(int32(stored)); stored >= legacyTypes {
		n.Help += fmt.Sprintf("; an old way of writing %d", id)
	}
}

func showMoment(_ grammar.Scope, v grammar.Value, n *model.Node) {
	seconds, _ := v.Float()
	n.Help += timeText(seconds)
	n.Brief = endText(seconds)
}

// The fields of a record header.
var (
	fieldRecordSize         = recordHeaderRecord.Number("recordSize")
	fieldPreviousRecordSize = recordHeaderRecord.Number("previousRecordSize")
	fieldTypeID             = recordHeaderRecord.Number("recordableTypeId")
	fieldFormatVersion      = recordHeaderRecord.Number("formatVersion")
	fieldTimestamp          = recordHeaderRecord.Number("timestamp")
	fieldInstanceID         = recordHeaderRecord.Number("recordableInstanceId")
	fieldRecordType         = recordHeaderRecord.Number("recordType")
	fieldCompressionType    = recordHeaderRecord.Number("compressionType")
	fieldUncompressedSize   = recordHeaderRecord.Number("uncompressedSize")
)

// A header holds the known bytes of the record header at an offset of the recording.
type header struct {
	off int64
	b   [recordHeaderSize]byte
}

// headerIn returns the header at the start of b, which is at off of the recording.
func headerIn(b []byte, off int64) header { return header{off, [recordHeaderSize]byte(b)} }

func (h *header) size() uint32         { return fieldRecordSize.U32(h.b[:]) }
func (h *header) end() int64           { return h.off + int64(h.size()) }
func (h *header) previous() uint32     { return fieldPreviousRecordSize.U32(h.b[:]) }
func (h *header) version() uint32      { return fieldFormatVersion.U32(h.b[:]) }
func (h *header) time() float64        { return fieldTimestamp.F64(h.b[:]) } // seconds
func (h *header) kind() recordType     { return recordType(fieldRecordType.U8(h.b[:])) }
func (h *header) compression() uint8   { return fieldCompressionType.U8(h.b[:]) }
func (h *header) uncompressed() uint32 { return fieldUncompressedSize.U32(h.b[:]) }

func (h *header) id() streamID {
	return streamID{typeIDOf(int32(fieldTypeID.U32(h.b[:]))), fieldInstanceID.U16(h.b[:])}
}

// newHeader returns the header of a record that is written. It is not compressed.
func newHeader(size int64, id streamID, version uint32, time float64, kind recordType) *header {
	h := &header{}
	h.set(fieldRecordSize, uint64(size))
	h.set(fieldTypeID, uint64(id.typ))
	h.set(fieldInstanceID, uint64(id.instance))
	h.set(fieldFormatVersion, uint64(version))
	h.set(fieldTimestamp, math.Float64bits(time))
	h.set(fieldRecordType, uint64(kind))
	return h
}

// set writes a field.
func (h *header) set(field grammar.Number, v uint64) { field.Put(h.b[:], v) }

// span returns the bytes of a field of the record header at off.
func (f *file) span(off int64, field grammar.Number) model.Span {
	return f.src.Span(off+field.Off(), field.Len())
}

// headerAt reads the header of the record at off.
func (f *file) headerAt(ctx context.Context, off int64) (header, error) {
	h := header{off: off}
	if !f.src.Holds(off, recordHeaderSize) {
		return header{}, errShortHeader
	}
	if _, err := f.src.ReadFull(ctx, h.b[:], off); err != nil {
		return header{}, err
	}
	return h, nil
}

// headerScan reads headers of records, and bytes near them, in the order of the file. Of a place it reads the rest of the
// page, which costs no more than the header and often has the headers of the next records too; the more places follow each
// other within a page, the more pages at once.
type headerScan struct {
	f    *file
	read []byte // from off on
	off  int64
	buf  []byte
	more int64 // bytes to read next where the place is within a page of those that were read
}

const (
	headerPage = 4096
	mostPages  = 16
)

func (f *file) newHeaderScan() *headerScan {
	return &headerScan{f: f, buf: make([]byte, (mostPages+1)*headerPage)}
}

// at reads the header of the record at off.
func (s *headerScan) at(ctx context.Context, off int64) (header, error) {
	if !s.f.src.Holds(off, recordHeaderSize) {
		return header{}, errShortHeader
	}
	if b := s.near(ctx, off, recordHeaderSize); b != nil {
		return headerIn(b, off), nil
	}
	return s.f.headerAt(ctx, off) // the rest of the page may be at fault
}

// bytes reads n bytes of the file at off, which are the caller's.
func (s *headerScan) bytes(ctx context.Context, off, n int64) ([]byte, error) {
	if n <= headerPage && s.f.src.Holds(off, n) {
		if b := s.near(ctx, off, n); b != nil {
			return slices.Clone(b), nil
		}
	}
	return s.f.src.Bytes(ctx, off, n)
}

// near returns n bytes at off, at most a page, which the file holds, or nil if they cannot be read. They are valid
// until the next call.
func (s *headerScan) near(ctx context.Context, off, n int64) []byte {
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
	s.off, s.read = off, s.buf[:min(most, s.f.src.Size()-off)]
	if _, err := s.f.src.ReadScattered(ctx, s.read, off); err != nil {
		s.read = nil
		return nil
	}
	return s.read[:n]
}

var errShortHeader = fmt.Errorf("fewer than %d bytes are left for a record header", recordHeaderSize)

// usableAt reads the header of the record at off, and reports whether a record can begin so.
func (f *file) usableAt(ctx context.Context, off int64) (header, bool) {
	h, err := f.headerAt(ctx, off)
	return h, err == nil && h.usable(f.head.recordHeaderSize)
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
func (h *header) usable(size int64) bool {
	return h.usableIndex(size) && !math.IsNaN(h.time()) && (h.id().isIndex() || h.uncompressed() == 0 || !h.grownTooMuch())
}

// usableIndex reports the same of an index, at whose time and type the reference does not look.
func (h *header) usableIndex(size int64) bool {
	kind, compression := h.kind(), h.compression()
	return int64(h.size()) >= size && (h.previous() == 0 || h.previous() >= recordHeaderSize) && kind != undefinedRecord && kind < recordTypes &&
		(h.uncompressed() == 0 || compression == lz4Payload || compression == zstdPayload)
}

func (h *header) grownTooMuch() bool {
	p, u := int64(h.size())-recordHeaderSize, int64(h.uncompressed())
	if u < smallPayload {
		return p >= u+max(smallGrowth, u/2)
	}
	return p >= u+max(largeGrowth, u*growthPercent/100)
}

// unusable returns why a record cannot begin with a header that is not usable.
func (f *file) unusable(ctx context.Context, h *header) string {
	nodes := f.openHeader(h.off, h.off+f.head.recordHeaderSize).Nodes(ctx)
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
func (h *header) isIndex() bool {
	id := h.id()
	return id.isIndex() || (h.version() == classicIndex || h.version() == splitIndex) && sameBits(h.time(), math.MaxFloat64) && !id.isDescription()
}

// isDescription reports the same of the description.
func (h *header) isDescription() bool {
	id := h.id()
	return id.isDescription() || (h.version() == 1 || h.version() == 2) && sameBits(h.time(), math.MaxFloat64) && !id.isIndex()
}

// openHeader returns the header of the record at off, as far as it lies before end.
func (f *file) openHeader(off, end int64) *grammar.Object {
	in := grammar.Stream{Source: f.src, Start: off, End: min(end, off+f.head.recordHeaderSize)}
	return f.plan.Record("Record header").Open(f.session, in, off)
}

// headerNode returns the node of the header of the record at off, as far as it lies before end.
func (f *file) headerNode(ctx context.Context, off, end int64) model.Node {
	return f.openHeader(off, end).Node(ctx, "header")
}

// withHeader returns the header of the record at off, and a leaf of the bytes that follow it up to end, if any do.
func (f *file) withHeader(ctx context.Context, off, end int64, name string, role model.Role, help string) []model.Node {
	nodes := []model.Node{f.headerNode(ctx, off, end)}
	if at := off + f.head.recordHeaderSize; at < end {
		nodes = append(nodes, bytesNode(name, f.src.Span(at, end-at), role, help))
	}
	return nodes
}

// bytesNode returns the node of bytes that are not read further.
func bytesNode(name string, at model.Span, role model.Role, help string) model.Node {
	return model.Node{Name: name, Type: "bytes", Role: role, Help: help, Spans: []model.Span{at}, Value: model.Blob{Span: at}}
}

func streamOver(at model.Span) grammar.Stream {
	return grammar.Stream{Source: at.Source, Start: at.Off, End: at.End()}
}
