package vrs

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"cutaway/decoders/read"
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

func typeIDOf(stored int32) int32 {
	if stored >= legacyTypes {
		return stored - legacyTypes + legacyBase
	}
	return stored
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

func parseRecordHeader(b []byte, off int64) recordHeader {
	le := binary.LittleEndian
	return recordHeader{
		off: off, size: le.Uint32(b), prev: le.Uint32(b[4:]),
		id:      streamID{typeIDOf(int32(le.Uint32(b[8:]))), le.Uint16(b[24:])},
		version: le.Uint32(b[12:]), time: math.Float64frombits(le.Uint64(b[16:])),
		kind: recordType(b[26]), compression: b[27], uncompressed: le.Uint32(b[28:]),
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

var errShortHeader = fmt.Errorf("fewer than %d bytes are left for a record header", recordHeaderSize)

// Bounds of how much compression may grow a payload.
const (
	smallPayload    = 200
	smallGrowth     = 50
	largeGrowth     = 100
	growthPercent   = 5
	leastRecordSize = recordHeaderSize
)

// unusable says what about the header cannot be, "" when a record may begin so. headerSize is that of the file.
func (h *recordHeader) unusable(headerSize int64) string {
	switch {
	case h.size < leastRecordSize || int64(h.size) < headerSize:
		return fmt.Sprintf("recordSize is %d, but the header alone has %d bytes", h.size, headerSize)
	case h.prev != 0 && h.prev < leastRecordSize:
		return fmt.Sprintf("previousRecordSize is %d, which is neither 0 nor a record's size", h.prev)
	case h.kind == undefinedRecord || h.kind >= recordTypes:
		return fmt.Sprintf("recordType is %d, not 1 to 4", uint8(h.kind))
	case math.IsNaN(h.time):
		return "the timestamp is not a number"
	case h.uncompressed > 0 && h.compression != lz4Payload && h.compression != zstdPayload:
		return fmt.Sprintf("uncompressedSize is %d, but compressionType is %d, not 1 or 2", h.uncompressed, h.compression)
	case h.uncompressed > 0 && !h.id.isIndex() && h.grownTooMuch():
		return fmt.Sprintf("the payload has %d bytes for %d uncompressed ones: compression never grows data so much",
			h.size-recordHeaderSize, h.uncompressed)
	}
	return ""
}

func (h *recordHeader) grownTooMuch() bool {
	p, u := int64(h.size)-recordHeaderSize, int64(h.uncompressed)
	if u < smallPayload {
		return p >= u+max(smallGrowth, u/2)
	}
	return p >= u+max(largeGrowth, u*growthPercent/100)
}

// headerFieldCount is how many fields a header has, with the unknown ones behind.
const headerFieldCount = 10

// headerFields reads the header's fields, the unknown ones behind included, and puts what is wrong with one on its node.
func (r *recording) headerFields(c *read.Cursor) recordHeader {
	c.Room(headerFieldCount, recordHeaderSize)
	var h recordHeader
	h.off = c.Off()
	h.size = c.U32("recordSize", "of the whole record in the file, header included")
	c.Check(h.size >= leastRecordSize && int64(h.size) >= r.head.recordHeaderSize, ruleRecordHeader,
		fmt.Sprintf("at least %d", r.head.recordHeaderSize), h.size, "the record is smaller than its own header")
	h.prev = c.U32("previousRecordSize", "recordSize of the record before; 0 for the description record")
	c.Check(h.prev == 0 || h.prev >= leastRecordSize, ruleRecordHeader, "0 or at least 32", h.prev, "no record has this size")
	stored := c.I32("recordableTypeId", "the type of the stream")
	h.id.typ = typeIDOf(stored)
	c.Symbol(typeName(h.id.typ))
	if h.id.typ != stored {
		c.Field().Help += fmt.Sprintf("; an old way of writing %d", h.id.typ)
	}
	h.version = c.U32("formatVersion", "selects the record format inside of this stream and record type")
	h.time = c.F64("timestamp", "seconds, one time domain for the whole file")
	c.Field().Help += momentText(h.time)
	c.Check(!math.IsNaN(h.time), ruleRecordHeader, "a number", "NaN", "a record cannot be placed in time")
	h.id.instance = c.U16("recordableInstanceId", "distinguishes streams of the same type")
	h.kind = recordType(c.U8("recordType", "1 State, 2 Configuration, 3 Data, 4 Tags"))
	c.Check(h.kind > undefinedRecord && h.kind < recordTypes, ruleRecordHeader, "1 to 4", uint8(h.kind), "there is no such record type")
	c.Symbol(h.kind.String())
	h.compression = c.U8("compressionType", "0 none, 1 lz4, 2 zstd")
	c.Check(int(h.compression) < len(compressionNames), ruleCompression, "0, 1 or 2", h.compression, "there is no such compression")
	if int(h.compression) < len(compressionNames) {
		c.Symbol(compressionNames[h.compression])
	}
	h.uncompressed = c.U32("uncompressedSize", "bytes of the payload after decompression; 0 when it is not compressed")
	c.Check(h.uncompressed == 0 || h.compression != storedPayload, ruleCompression, 0, h.uncompressed, "the payload is not compressed")
	if h.uncompressed > 0 && !h.id.isIndex() && h.size >= leastRecordSize {
		c.Check(!h.grownTooMuch(), ruleCompression, "less growth", fmt.Sprintf("%d bytes for %d", h.size-recordHeaderSize, h.uncompressed),
			"compression never grows data so much")
	}
	if extra := r.head.recordHeaderSize - recordHeaderSize; extra > 0 {
		c.Skip("unknown header bytes", extra, model.Unknown, "additions behind the known fields")
	}
	return h
}

// headerGroup adds a record's header as one node.
func (r *recording) headerGroup(c *read.Cursor) (h recordHeader) {
	c.Group("header", "Record header", "", func() { h = r.headerFields(c) })
	return h
}
