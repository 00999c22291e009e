package vrs

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"cutaway/decoders/read"
	"cutaway/model"
)

// Chapter 2: the file header.

const (
	magicFront       = "VisionRe"
	magicBack        = "cord"
	magicBackAt      = 72
	fileHeaderSize   = 80
	maxFileHeader    = fileHeaderSize + 200
	recordHeaderSize = 32
	maxRecordHeader  = recordHeaderSize + 200
)

// versions are the file format versions that are all read the same way.
var versions = map[string]string{
	"VRS1": "original", "VRS2": "the index may be in front", "VRS3": "zstd was introduced",
}

// fileHeader is what the file header says.
type fileHeader struct {
	magicOK          bool
	creation         uint64 // nanoseconds since 1970, the low 30 bits random
	headerSize       int64
	recordHeaderSize int64
	index            int64 // offset of the index record; 0: none
	description      int64 // offset of the description record; 0: none
	firstUserRecord  int64 // 0: not set
	format           string
	short            bool // the source ends inside of it
}

func (r *recording) readHeader(ctx context.Context) {
	b, err := r.src.Bytes(ctx, 0, min(r.src.Size(), fileHeaderSize))
	if err != nil || len(b) < fileHeaderSize {
		r.head = fileHeader{short: true, headerSize: fileHeaderSize, recordHeaderSize: recordHeaderSize}
		r.head.magicOK = hasMagic(b)
	} else {
		le := binary.LittleEndian
		r.head = fileHeader{
			magicOK:  hasMagic(b),
			creation: le.Uint64(b[8:]), headerSize: int64(le.Uint32(b[16:])), recordHeaderSize: int64(le.Uint32(b[20:])),
			index: int64(le.Uint64(b[24:])), description: int64(le.Uint64(b[32:])), firstUserRecord: int64(le.Uint64(b[40:])),
			format: string(b[76:80]),
		}
	}
	r.parts = []part{{"header", 0, r.head.end(r.src.Size()), r.headerNode}}
}

// hasMagic tells whether the bytes begin like a recording, as far as they go.
func hasMagic(b []byte) bool {
	return len(b) >= len(magicFront) && string(b[:len(magicFront)]) == magicFront &&
		(len(b) < magicBackAt+len(magicBack) || string(b[magicBackAt:magicBackAt+len(magicBack)]) == magicBack)
}

// version is the file format version, "" where there is no header.
func (h *fileHeader) version() string {
	if _, known := versions[h.format]; known {
		return h.format
	}
	return ""
}

// fatal tells whether nothing behind the header can be read.
func (h *fileHeader) fatal() bool {
	_, known := versions[h.format]
	return h.short || !known || !h.sizesOK()
}

func (h *fileHeader) sizesOK() bool {
	return h.headerSize >= fileHeaderSize && h.headerSize <= maxFileHeader &&
		h.recordHeaderSize >= recordHeaderSize && h.recordHeaderSize <= maxRecordHeader
}

// end is where the header ends in a source of size bytes.
func (h *fileHeader) end(size int64) int64 {
	if !h.sizesOK() {
		return min(size, fileHeaderSize)
	}
	return min(size, h.headerSize)
}

// isOrphan tells whether the source is no recording from its start on, but a chain of records.
func (h *fileHeader) isOrphan(ctx context.Context, r *recording) bool {
	return !h.magicOK && startsChain(ctx, r.src)
}

func (r *recording) headerNode(ctx context.Context) model.Node {
	h := &r.head
	c := read.New(ctx, r.src, 0, h.end(r.src.Size()), ruleTruncated)
	m := c.Text("magic 1", 4, "Visi")
	c.Check(m == "Visi", ruleMagic, "Visi", m, "this is not a VRS recording")
	m = c.Text("magic 2", 4, "onRe")
	c.Check(m == "onRe", ruleMagic, "onRe", m, "this is not a VRS recording")
	id := c.U64("creationId", "nanoseconds since 1970 with the low 30 bits, about one second, replaced by random bits")
	c.Field().Help += ": " + time.Unix(0, int64(id&(1<<63-1))).UTC().Format("2006-01-02 15:04:05")
	c.U32("fileHeaderSize", "80 today; the first record starts here")
	c.Check(h.short || h.headerSize >= fileHeaderSize && h.headerSize <= maxFileHeader, ruleHeaderSizes,
		"80 to 280", h.headerSize, "the size of the file header is out of its range, so no record can be located")
	c.U32("recordHeaderSize", "32 today; the same for every record in the file")
	c.Check(h.short || h.recordHeaderSize >= recordHeaderSize && h.recordHeaderSize <= maxRecordHeader, ruleHeaderSizes,
		"32 to 232", h.recordHeaderSize, "the size of record headers is out of its range, so no record can be located")
	c.I64("indexRecordOffset", "where the index record is; 0: none was committed")
	r.indexOffsetProblems(c)
	c.I64("descriptionRecordOffset", "normally equal to fileHeaderSize; 0: no description")
	r.descriptionOffsetProblems(c)
	c.I64("firstUserRecordOffset", "0: not set")
	r.firstUserRecordProblems(c)
	c.U64("future2", "0")
	c.U64("future3", "0")
	c.U64("future4", "0")
	m = c.Text("magic 3", 4, "cord")
	c.Check(m == magicBack, ruleMagic, magicBack, m, "this is not a VRS recording")
	v := c.Text("fileFormatVersion", 4, "VRS1, VRS2 or VRS3")
	_, known := versions[v]
	c.Check(known, ruleVersion, "VRS1, VRS2 or VRS3", fmt.Sprintf("%q", v), "this version of VRS is not known, so its records are not interpreted")
	if known {
		c.Field().Help += ": " + versions[v]
	}
	if c.Ok() && c.Remaining() > 0 {
		c.Rest("unknown header bytes", model.Unknown, "additions behind the known fields")
		c.Problem(grown(fileHeaderSize, h.headerSize))
	}
	return c.Node("header", "File header", "how to read the file, and where index and description are")
}

// grown is the note on a header with more bytes than this program knows.
func grown(known, size int64) model.Problem {
	return model.Problemf(model.Assumed, ruleGrown, model.Span{}, "the header has more bytes than its known fields; they are skipped").
		Want(known, size)
}

func (r *recording) descriptionOffsetProblems(c *read.Cursor) {
	h := &r.head
	switch {
	case h.fatal() || r.orphan:
	case h.description == 0:
		c.Problem(model.Problemf(model.Suspicious, ruleDescription, model.Span{}, "the recording has no description: its streams have no names and no layouts"))
	case r.desc == nil:
		c.Problem(model.Problemf(model.Malformed, ruleDescription, model.Span{}, "there is no description record where the header points to").
			Want("the offset of a record of type 2", h.description))
	default:
		c.Expect(h.description == h.headerSize, ruleDescriptionPlace, h.headerSize, h.description, "the description is not right behind the file header")
	}
}

func (r *recording) firstUserRecordProblems(c *read.Cursor) {
	h := &r.head
	if h.fatal() || r.orphan || r.index == nil && r.desc == nil || h.firstUserRecord == 0 {
		return
	}
	least := h.headerSize
	if r.desc != nil && h.firstUserRecord != r.desc.hdr.off {
		least = r.desc.end
	}
	if x := r.index; x != nil && x.off < h.firstUserRecord {
		least = max(least, min(x.end, r.first))
	}
	if h.firstUserRecord > r.src.Size() {
		c.Problem(model.Problemf(model.Truncated, ruleFirstRecord, model.Span{}, "the first record lies behind the end of the file%s", r.nextPartHint()).
			Want(fmt.Sprintf("at most %d", r.src.Size()), h.firstUserRecord))
		return
	}
	c.Check(h.firstUserRecord >= least, ruleFirstRecord, fmt.Sprintf("0 or at least %d", least), h.firstUserRecord,
		"the first record cannot lie there")
}
