package vrs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Chapter 2: the file header.

const (
	magicFront       = "VisionRe"
	magicBack        = "cord"
	recordHeaderSize = 32  // the known fields of a record header
	maxGrowth        = 200 // bytes that a later version may add to a header
)

// versions are the file format versions that are all read the same way.
var versions = map[string]string{
	"VRS1": "original", "VRS2": "the index may be in front", "VRS3": "zstd was introduced",
}

// A fileHeader holds the fields of the file header.
type fileHeader struct {
	magicOK          bool
	creation         uint64 // nanoseconds since 1970, the low 30 bits random
	headerSize       int64
	recordHeaderSize int64
	index            int64 // offset of the index record, or 0
	description      int64 // offset of the description record, or 0
	firstUserRecord  int64 // 0: not set
	format           string
	short            bool // the source ends inside the header
}

// The fields of the file header.
var (
	fieldCreation          = fileHeaderRecord.Number("creationId")
	fieldFileHeaderSize    = fileHeaderRecord.Number("fileHeaderSize")
	fieldRecordHeaderSize  = fileHeaderRecord.Number("recordHeaderSize")
	fieldIndexOffset       = fileHeaderRecord.Number("indexRecordOffset")
	fieldDescriptionOffset = fileHeaderRecord.Number("descriptionRecordOffset")
	fieldFirstUserRecord   = fileHeaderRecord.Number("firstUserRecordOffset")
	fieldMagicBack         = fileHeaderRecord.Number("magic 3")
	fieldFileFormatVersion = fileHeaderRecord.Number("fileFormatVersion")
	fileHeaderSize         = fileHeaderRecord.Least()
)

// ofFile returns a rule's function that asks the file.
func ofFile(find func(f *file) (p model.Problem, breach bool)) func(grammar.Scope, grammar.Value) (model.Problem, bool) {
	return func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) { return find(s.Env().(*file)) }
}

func showCreation(_ grammar.Scope, v grammar.Value, n *model.Node) {
	id, _ := v.Uint()
	n.Help += ": " + creationTime(id).Format("2006-01-02 15:04:05")
}

// creationTime is the moment that a creationId has.
func creationTime(id uint64) time.Time { return time.Unix(0, int64(id&(1<<63-1))).UTC() }

func showVersion(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if what, known := versions[v.String()]; known {
		n.Help += ": " + what
	}
}

// readHeader reads the file header.
func (f *file) readHeader(ctx context.Context) {
	b, err := f.src.Bytes(ctx, 0, min(f.src.Size(), fileHeaderSize))
	h := fileHeader{magicOK: hasMagic(b)}
	if h.short = err != nil || int64(len(b)) < fileHeaderSize; h.short {
		h.headerSize, h.recordHeaderSize = fileHeaderSize, recordHeaderSize
	} else {
		h.creation, h.format = fieldCreation.U64(b), string(fieldFileFormatVersion.Bytes(b))
		h.headerSize, h.recordHeaderSize = int64(fieldFileHeaderSize.U32(b)), int64(fieldRecordHeaderSize.U32(b))
		h.index, h.description = int64(fieldIndexOffset.U64(b)), int64(fieldDescriptionOffset.U64(b))
		h.firstUserRecord = int64(fieldFirstUserRecord.U64(b))
	}
	f.head = h
	f.parts = []part{{"header", 0, h.end(f.src.Size()), f.fileHeaderNode}}
}

// hasMagic reports whether the bytes begin like a recording, as far as they go.
func hasMagic(b []byte) bool {
	return strings.HasPrefix(string(b), magicFront) &&
		(int64(len(b)) < fieldMagicBack.Off()+fieldMagicBack.Len() || string(fieldMagicBack.Bytes(b)) == magicBack)
}

// version is the file format version, "" where there is no header.
func (h *fileHeader) version() string {
	if _, known := versions[h.format]; known {
		return h.format
	}
	return ""
}

// fatal reports whether nothing after the header can be read.
func (h *fileHeader) fatal() bool {
	_, known := versions[h.format]
	return h.short || !known || !h.sizesOK()
}

func (h *fileHeader) sizesOK() bool {
	return h.headerSize >= fileHeaderSize && h.headerSize <= fileHeaderSize+maxGrowth &&
		h.recordHeaderSize >= recordHeaderSize && h.recordHeaderSize <= recordHeaderSize+maxGrowth
}

// end returns the end of the header in a source of size bytes.
func (h *fileHeader) end(size int64) int64 {
	if !h.sizesOK() {
		return min(size, fileHeaderSize)
	}
	return min(size, h.headerSize)
}

// isOrphan reports whether the source begins with a chain of records instead of a file header, or is named like a later part.
// Such a part may begin inside a record.
func (h *fileHeader) isOrphan(ctx context.Context, f *file) bool {
	return !h.magicOK && (namedLater(f.name) || startsChain(ctx, f.src))
}

func (f *file) fileHeaderNode(ctx context.Context) model.Node {
	in := grammar.Stream{Source: f.src, End: f.head.end(f.src.Size())}
	n := f.plan.Record("File header").Open(f.session, in, 0).Node(ctx, "header")
	n.Help = "how to read the file, and where index and description are"
	return n
}

// descriptionOffsetProblem finds what is wrong with the offset of the description.
func (f *file) descriptionOffsetProblem() (p model.Problem, breach bool) {
	h := &f.head
	switch {
	case h.fatal() || f.orphan:
	case h.description == 0:
		return model.Problemf(model.Suspicious, ruleDescription, model.Span{}, "the recording has no description: its streams have no names and no layouts"), true
	case f.desc == nil:
		return model.Problemf(model.Malformed, ruleDescription, model.Span{}, "there is no description record where the header points to").
			Want("the offset of a record of type 2", h.description), true
	case h.description != h.headerSize:
		return model.Problemf(model.Suspicious, ruleDescriptionPlace, model.Span{}, "the description is not right after the file header").
			Want(h.headerSize, h.description), true
	}
	return p, false
}

// firstUserRecordProblem finds what is wrong with the offset of the first record.
func (f *file) firstUserRecordProblem() (p model.Problem, breach bool) {
	h := &f.head
	if h.fatal() || f.orphan || f.index == nil && f.desc == nil || h.firstUserRecord == 0 {
		return p, false
	}
	least := h.headerSize
	if f.desc != nil && h.firstUserRecord != f.desc.hdr.off {
		least = f.desc.end
	}
	if x := f.index; x != nil && x.off < h.firstUserRecord {
		least = max(least, min(x.end, f.first))
	}
	switch {
	case h.firstUserRecord > f.src.Size():
		return model.Problemf(model.Truncated, ruleFirstRecord, model.Span{}, "the first record lies after the end of the file%s", f.nextPartHint()).
			Want(fmt.Sprintf("at most %d", f.src.Size()), h.firstUserRecord), true
	case h.firstUserRecord < least:
		return model.Problemf(model.Malformed, ruleFirstRecord, model.Span{}, "the first record cannot lie there").
			Want(fmt.Sprintf("0 or at least %d", least), h.firstUserRecord), true
	}
	return p, false
}
