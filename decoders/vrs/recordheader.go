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

// recordType says what a record of a stream is.
type recordType uint8

const (
	undefinedRecord recordType = iota
	stateRecord
	configurationRecord
	dataRecord
	tagsRecord
	recordTypes // how many there are
)

var recordTypeNames = [recordTypes]string{"Undefined", "State", "Configuration", "Data", "Tags"}

func (t recordType) String() string {
	if t < recordTypes {
		return recordTypeNames[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// nodeType is the type of the nodes of such records.
func (t recordType) nodeType() string { return t.String() + " record" }

// The ways in which a payload is compressed.
const (
	storedPayload uint8 = iota
	lz4Payload
	zstdPayload
)

var compressionNames = []string{"none", "lz4", "zstd"}

// streamID identifies a stream.
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

// typeIDOf is the type id that is meant by a stored one. It has 16 bits, and the reference drops the others.
func typeIDOf(stored int32) int32 {
	if stored >= legacyTypes {
		stored += legacyBase - legacyTypes
	}
	return int32(uint16(stored))
}

// sixteenBits is the rule that a stored type id has no more bits than a type id has.
var sixteenBits = grammar.Check{Rule: ruleTypeBits, Kind: model.Suspicious, Message: "a type id has 16 bits; the others are ignored",
	OK: func(_ grammar.Scope, v grammar.Value) bool {
		stored, _ := v.Int()
		return stored == int64(typeIDOf(int32(stored))) || stored >= legacyTypes && stored < legacyTypes+1<<16-legacyBase
	},
	Expected: "at most 65535",
}

// recordHeader is a record's header.
type recordHeader struct {
	off          int64 // of the record
	size         uint32
	prev         uint32
	id           streamID
	version      uint32
	time         float64 // seconds
	kind         recordType
	compression  uint8
	uncompressed uint32
}

func (h *recordHeader) end() int64 { return h.off + int64(h.size) }

// The fields of a record header, in their order.
const (
	fieldRecordSize = iota
	fieldPreviousRecordSize
	fieldRecordableTypeID
	fieldFormatVersion
	fieldTimestamp
	fieldInstanceID
	fieldRecordType
	fieldCompressionType
	fieldUncompressedSize
)

// headerFields describes a record header, without its rules.
func headerFields() []*grammar.Field {
	return []*grammar.Field{
		grammar.F("recordSize", grammar.U32, "of the whole record in the file, header included"),
		grammar.F("previousRecordSize", grammar.U32, "recordSize of the record before; 0 for the description record"),
		grammar.F("recordableTypeId", grammar.I32, "the type of the stream").NamedBy(nameType).Numbered().Shown(showLegacyType).CheckBy(sixteenBits),
		grammar.F("formatVersion", grammar.U32, "selects the record format inside of this stream and record type"),
		grammar.F("timestamp", grammar.F64, "seconds, one time domain for the whole file").Shown(showMoment),
		grammar.F("recordableInstanceId", grammar.U16, "distinguishes streams of the same type"),
		grammar.F("recordType", grammar.U8, "what the record is: 1 State, 2 Configuration, 3 Data, 4 Tags").NamedBy(nameRecordType).Numbered(),
		grammar.F("compressionType", grammar.U8, "how the payload is compressed: 0 none, 1 lz4, 2 zstd").Symbols(compressionNames...).Numbered(),
		grammar.F("uncompressedSize", grammar.U32, "bytes of the payload after decompression; 0 when it is not compressed"),
	}
}

// headerRecord describes record headers of size bytes: fields that are not known follow those that are.
func headerRecord(size int64) *grammar.Record {
	fields := headerFields()
	for field, f := range fields {
		f.CheckBy(grammar.Check{Find: func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
			r := s.Env().(*recording)
			h, err := r.checkedHeader(s.Reading().Context(), s.Object().Start())
			if err != nil {
				return model.Problem{}, false // the field tells
			}
			return r.headerBreach(h, field, size)
		}})
	}
	if size > recordHeaderSize {
		fields = append(fields, grammar.F("unknown header bytes", grammar.Raw, "additions after the known fields").
			Sized(grammar.Const(size-recordHeaderSize)).Unknown())
	}
	return grammar.NewRecord("Record header", fields...)
}

// headerBreach is what is wrong with a field of a header, which matters less in those of description and index: of the
// one the reference looks at the size alone unless it walks, and of the other neither at the time nor at the type.
func (r *recording) headerBreach(h *recordHeader, field int, size int64) (model.Problem, bool) {
	isIndex := h.id.isIndex() || h.off == r.head.index && h.isIndex()
	isDescription := h.id.isDescription() || h.off == r.head.description && h.isDescription()
	if field == fieldRecordableTypeID {
		return r.typeBreach(h, isIndex, isDescription)
	}
	p := h.breach(field, size)
	if p == nil {
		return model.Problem{}, false
	}
	switch {
	case isDescription && field == fieldCompressionType, isIndex && field == fieldTimestamp:
		p.Kind = model.Suspicious
	case isDescription && field != fieldRecordSize:
		p.Kind = r.chainMatters()
	}
	return *p, true
}

// typeBreach is what is wrong with the type of an index or a description.
func (r *recording) typeBreach(h *recordHeader, isIndex, isDescription bool) (model.Problem, bool) {
	ofType := func(kind model.Kind, what string, typ int32) (model.Problem, bool) {
		return model.Problemf(kind, ruleRecordHeader, model.Span{}, "%s is of the type %d", what, typ).Want(typ, h.id.typ), true
	}
	switch {
	case isIndex && !h.id.isIndex():
		return ofType(model.Suspicious, "an index", indexTypeID)
	case isDescription && !h.id.isDescription():
		return ofType(r.chainMatters(), "a description", descriptionTypeID)
	}
	return model.Problem{}, false
}

// nameType names the type of a stream, nameRecordType that of a record.
func nameType(_ grammar.Scope, stored int64) string  { return typeName(typeIDOf(int32(stored))) }
func nameRecordType(_ grammar.Scope, n int64) string { return recordType(n).String() }

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

var (
	headerNumbers = [fieldUncompressedSize + 1]grammar.Number(grammar.NewRecord("Record header", headerFields()...).Numbers())
	usualHeader   = headerRecord(recordHeaderSize) // without additions

	// recordHeaderType is the header of a record of the recording that is read.
	recordHeaderType = &grammar.Switch{On: grammar.Const(0), Pick: func(s grammar.Scope, _ grammar.Value) (grammar.Type, error) {
		return s.Env().(*recording).header, nil
	}}
)

// parseRecordHeader reads the header at the start of b, which is at off of the recording.
func parseRecordHeader(b []byte, off int64) recordHeader {
	n := &headerNumbers
	return recordHeader{
		off: off, size: n[fieldRecordSize].U32(b), prev: n[fieldPreviousRecordSize].U32(b),
		id:      streamID{typeIDOf(int32(n[fieldRecordableTypeID].U32(b))), n[fieldInstanceID].U16(b)},
		version: n[fieldFormatVersion].U32(b), time: n[fieldTimestamp].F64(b), kind: recordType(n[fieldRecordType].U8(b)),
		compression: n[fieldCompressionType].U8(b), uncompressed: n[fieldUncompressedSize].U32(b),
	}
}

// headerAt reads the header of the record at off.
func (r *recording) headerAt(ctx context.Context, off int64) (recordHeader, error) {
	var b [recordHeaderSize]byte
	if !r.src.Holds(off, recordHeaderSize) {
		return recordHeader{}, errShortHeader
	}
	if _, err := r.src.ReadFull(ctx, b[:], off); err != nil {
		return recordHeader{}, err
	}
	return parseRecordHeader(b[:], off), nil
}

// checkedHeader is headerAt for the checks of one header's fields, which follow each other.
func (r *recording) checkedHeader(ctx context.Context, off int64) (*recordHeader, error) {
	if h := r.checked.Load(); h != nil && h.off == off {
		return h, nil
	}
	h, err := r.headerAt(ctx, off)
	if err != nil {
		return nil, err
	}
	r.checked.Store(&h)
	return &h, nil
}

// headerScan reads headers of records, and what is near them, in the order of the file. Of a place it reads the rest of the
// page, which costs no more than the header and often has the headers of the next records too; the more places follow each
// other within a page, the more pages at once.
type headerScan struct {
	r    *recording
	read []byte // from off on
	off  int64
	buf  []byte
	more int64 // bytes to read next where the place is within a page of those that were read
}

const (
	headerPage = 4096
	mostPages  = 16
)

func (r *recording) newHeaderScan() *headerScan {
	return &headerScan{r: r, buf: make([]byte, (mostPages+1)*headerPage)}
}

// at reads the header of the record at off.
func (s *headerScan) at(ctx context.Context, off int64) (recordHeader, error) {
	if !s.r.src.Holds(off, recordHeaderSize) {
		return recordHeader{}, errShortHeader
	}
	if b := s.near(ctx, off, recordHeaderSize); b != nil {
		return parseRecordHeader(b, off), nil
	}
	return s.r.headerAt(ctx, off) // the rest of the page may be at fault
}

// bytes are n bytes of the file at off, which are the caller's.
func (s *headerScan) bytes(ctx context.Context, off, n int64) ([]byte, error) {
	if n <= headerPage && s.r.src.Holds(off, n) {
		if b := s.near(ctx, off, n); b != nil {
			return slices.Clone(b), nil
		}
	}
	return s.r.src.Bytes(ctx, off, n)
}

// near are n bytes at off, at most a page, all of which the file holds; nil where they cannot be read. They are valid
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
	s.off, s.read = off, s.buf[:min(most, s.r.src.Size()-off)]
	if _, err := s.r.src.ReadScattered(ctx, s.read, off); err != nil {
		s.read = nil
		return nil
	}
	return s.read[:n]
}

var errShortHeader = fmt.Errorf("fewer than %d bytes are left for a record header", recordHeaderSize)

// usableAt reads the header of the record at off; false where no record can begin so.
func (r *recording) usableAt(ctx context.Context, off int64) (recordHeader, bool) {
	h, err := r.headerAt(ctx, off)
	return h, err == nil && h.unusable(r.head.recordHeaderSize) == ""
}

// Bounds of how much compression may grow a payload.
const (
	smallPayload    = 200
	smallGrowth     = 50
	largeGrowth     = 100
	growthPercent   = 5
	leastRecordSize = recordHeaderSize
)

// breach is what is wrong with a field, in files whose record headers have size bytes; nil where nothing is.
func (h *recordHeader) breach(field int, size int64) *model.Problem {
	switch field {
	case fieldRecordSize:
		if h.size < leastRecordSize || int64(h.size) < size {
			return headerProblem(ruleRecordHeader, fmt.Sprintf("at least %d", size), h.size,
				"recordSize is %d, but the header alone has %d bytes", h.size, size)
		}
	case fieldPreviousRecordSize:
		if h.prev != 0 && h.prev < leastRecordSize {
			return headerProblem(ruleRecordHeader, "0 or at least 32", h.prev, "previousRecordSize is %d, which is neither 0 nor a record's size", h.prev)
		}
	case fieldTimestamp:
		if math.IsNaN(h.time) {
			return headerProblem(ruleRecordHeader, "a number", "NaN", "the timestamp is not a number")
		}
	case fieldRecordType:
		if h.kind == undefinedRecord || h.kind >= recordTypes {
			return headerProblem(ruleRecordHeader, "1 to 4", uint8(h.kind), "recordType is %d, not 1 to 4", uint8(h.kind))
		}
	case fieldCompressionType:
		if int(h.compression) >= len(compressionNames) {
			return headerProblem(ruleCompression, "0, 1 or 2", h.compression, "there is no such compression")
		}
	case fieldUncompressedSize:
		return h.uncompressedBreach()
	}
	return nil
}

func (h *recordHeader) uncompressedBreach() *model.Problem {
	switch payload := h.size - recordHeaderSize; {
	case h.uncompressed == 0:
	case h.compression != lz4Payload && h.compression != zstdPayload:
		return headerProblem(ruleCompression, 0, h.uncompressed,
			"uncompressedSize is %d, but compressionType is %d, not 1 or 2", h.uncompressed, h.compression)
	case !h.id.isIndex() && h.size >= leastRecordSize && h.grownTooMuch():
		return headerProblem(ruleCompression, "less growth", fmt.Sprintf("%d bytes for %d", payload, h.uncompressed),
			"the payload has %d bytes for %d uncompressed ones: compression never grows data so much", payload, h.uncompressed)
	}
	return nil
}

func headerProblem(rule string, expected, found any, format string, args ...any) *model.Problem {
	p := model.Problemf(model.Malformed, rule, model.Span{}, format, args...).Want(expected, found)
	return &p
}

func (h *recordHeader) grownTooMuch() bool {
	p, u := int64(h.size)-recordHeaderSize, int64(h.uncompressed)
	if u < smallPayload {
		return p >= u+max(smallGrowth, u/2)
	}
	return p >= u+max(largeGrowth, u*growthPercent/100)
}

// unusable says what about the header cannot be, "" when a record may begin so. headerSize is that of the file.
func (h *recordHeader) unusable(headerSize int64) string {
	for _, field := range [...]int{fieldRecordSize, fieldPreviousRecordSize, fieldRecordType, fieldTimestamp, fieldUncompressedSize} {
		if p := h.breach(field, headerSize); p != nil {
			return p.Message
		}
	}
	return ""
}

// unusableIndex says what about the header of an index cannot be, "" where it may be one. Its place in time is nothing
// that the reference looks at.
func (h *recordHeader) unusableIndex(headerSize int64) string {
	timeless := *h
	timeless.time, timeless.id = math.MaxFloat64, streamID{typ: indexTypeID}
	return timeless.unusable(headerSize)
}

// isIndex reports whether the record is an index: one by its type, or by its version and time where its type is damaged.
// The reference reads whatever the file header points to.
func (h *recordHeader) isIndex() bool {
	return h.id.isIndex() || (h.version == classicIndex || h.version == splitIndex) && sameBits(h.time, math.MaxFloat64) && !h.id.isDescription()
}

// isDescription reports the same of the description.
func (h *recordHeader) isDescription() bool {
	return h.id.isDescription() || (h.version == 1 || h.version == 2) && sameBits(h.time, math.MaxFloat64) && !h.id.isIndex()
}

// headerNode is the header of the record at off, as far as it lies before end.
func (r *recording) headerNode(ctx context.Context, off, end int64) model.Node {
	in := grammar.Stream{Source: r.src, Start: off, End: min(end, off+r.head.recordHeaderSize)}
	return r.header.Open(r.session, in, off).Node(ctx, "header")
}

// withHeader is the header of the record at off, and a leaf of what follows it up to end, if anything does.
func (r *recording) withHeader(ctx context.Context, off, end int64, name string, role model.Role, help string) []model.Node {
	nodes := []model.Node{r.headerNode(ctx, off, end)}
	if at := off + r.head.recordHeaderSize; at < end {
		nodes = append(nodes, bytesNode(name, r.src.Span(at, end-at), role, help))
	}
	return nodes
}

// bytesNode is bytes that are not read further.
func bytesNode(name string, at model.Span, role model.Role, help string) model.Node {
	return model.Node{Name: name, Type: "bytes", Role: role, Help: help, Spans: []model.Span{at}, Value: model.Blob{Span: at}}
}
