package container

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Chapter 2: the file header.

// The marks and sizes of headers.
const (
	MagicFront       = "VisionRe"
	MagicBack        = "cord"
	RecordHeaderSize = 32  // the known fields of a record header
	maxGrowth        = 200 // bytes that a later version may add to a header
)

// versions are the file format versions that are all read the same way.
var versions = map[string]string{
	"VRS1": "original", "VRS2": "the index may be in front", "VRS3": "zstd was introduced",
}

// A FileHeader holds the fields of the file header.
type FileHeader struct {
	magicOK          bool
	Creation         uint64 // nanoseconds since 1970, the low 30 bits random
	HeaderSize       int64
	RecordHeaderSize int64
	Index            int64 // offset of the index record, or 0
	description      int64 // offset of the description record, or 0
	firstUserRecord  int64 // 0: not set
	format           string
	Short            bool // the source ends inside the header
}

// The fields of the file header.
var (
	FieldCreation          = fileHeaderRecord.Number("creationId")
	FieldFileHeaderSize    = fileHeaderRecord.Number("fileHeaderSize")
	FieldRecordHeaderSize  = fileHeaderRecord.Number("recordHeaderSize")
	FieldIndexOffset       = fileHeaderRecord.Number("indexRecordOffset")
	FieldDescriptionOffset = fileHeaderRecord.Number("descriptionRecordOffset")
	fieldFirstUserRecord   = fileHeaderRecord.Number("firstUserRecordOffset")
	FieldMagicBack         = fileHeaderRecord.Number("magic 3")
	FieldFileFormatVersion = fileHeaderRecord.Number("fileFormatVersion")
	FileHeaderSize         = fileHeaderRecord.Least()
)

// ofFile returns a rule's function that asks the file.
func ofFile(find func(f *File) (p model.Problem, breach bool)) func(grammar.Scope, grammar.Value) (model.Problem, bool) {
	return func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) { return find(s.Env().(*File)) }
}

func showCreation(_ grammar.Scope, v grammar.Value, n *model.Node) {
	id, _ := v.Uint()
	n.Help += ": " + CreationTime(id).Format("2006-01-02 15:04:05")
}

// CreationTime is the moment that a creationId has.
func CreationTime(id uint64) time.Time { return time.Unix(0, int64(id&(1<<63-1))).UTC() }

func showVersion(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if what, known := versions[v.String()]; known {
		n.Help += ": " + what
	}
}

// ReadHeader reads the file header.
func (f *File) ReadHeader(ctx context.Context) {
	b, err := f.Src.Bytes(ctx, 0, min(f.Src.Size(), FileHeaderSize))
	h := FileHeader{magicOK: HasMagic(b)}
	if h.Short = err != nil || int64(len(b)) < FileHeaderSize; h.Short {
		h.HeaderSize, h.RecordHeaderSize = FileHeaderSize, RecordHeaderSize
	} else {
		h.Creation, h.format = FieldCreation.U64(b), string(FieldFileFormatVersion.Bytes(b))
		h.HeaderSize, h.RecordHeaderSize = int64(FieldFileHeaderSize.U32(b)), int64(FieldRecordHeaderSize.U32(b))
		h.Index, h.description = int64(FieldIndexOffset.U64(b)), int64(FieldDescriptionOffset.U64(b))
		h.firstUserRecord = int64(fieldFirstUserRecord.U64(b))
	}
	f.Head = h
	f.Parts = []Section{{"header", 0, h.End(f.Src.Size()), f.fileHeaderNode}}
}

// HasMagic reports whether the bytes begin like a recording, as far as they go.
func HasMagic(b []byte) bool {
	return strings.HasPrefix(string(b), MagicFront) &&
		(int64(len(b)) < FieldMagicBack.Off()+FieldMagicBack.Len() || string(FieldMagicBack.Bytes(b)) == MagicBack)
}

// Version is the file format version, "" where there is no header.
func (h *FileHeader) Version() string {
	if _, known := versions[h.format]; known {
		return h.format
	}
	return ""
}

// Fatal reports whether nothing after the header can be read.
func (h *FileHeader) Fatal() bool {
	_, known := versions[h.format]
	return h.Short || !known || !h.sizesOK()
}

func (h *FileHeader) sizesOK() bool {
	return h.HeaderSize >= FileHeaderSize && h.HeaderSize <= FileHeaderSize+maxGrowth &&
		h.RecordHeaderSize >= RecordHeaderSize && h.RecordHeaderSize <= RecordHeaderSize+maxGrowth
}

// End returns the end of the header in a source of size bytes.
func (h *FileHeader) End(size int64) int64 {
	if !h.sizesOK() {
		return min(size, FileHeaderSize)
	}
	return min(size, h.HeaderSize)
}

// IsOrphan reports whether the source begins with a chain of records instead of a file header, or is named like a later part.
// Such a part may begin inside a record.
func (h *FileHeader) IsOrphan(ctx context.Context, f *File) bool {
	return !h.magicOK && (NamedLater(f.Name) || StartsChain(ctx, f.Src))
}

func (f *File) fileHeaderNode(ctx context.Context) model.Node {
	in := grammar.Stream{Source: f.Src, End: f.Head.End(f.Src.Size())}
	n := f.plan.Record("File header").Open(f.session, in, 0).Node(ctx, "header")
	n.Help = "how to read the file, and where index and description are"
	return n
}

// descriptionOffsetProblem finds what is wrong with the offset of the description.
func (f *File) descriptionOffsetProblem() (p model.Problem, breach bool) {
	h := &f.Head
	switch {
	case h.Fatal() || f.Orphan:
	case h.description == 0:
		return model.Problemf(model.Suspicious, ruleDescription, model.Span{}, "the recording has no description: its streams have no names and no layouts"), true
	case f.Desc == nil:
		return model.Problemf(model.Malformed, ruleDescription, model.Span{}, "there is no description record where the header points to").
			Want("the offset of a record of type 2", h.description), true
	case h.description != h.HeaderSize:
		return model.Problemf(model.Suspicious, ruleDescriptionPlace, model.Span{}, "the description is not right after the file header").
			Want(h.HeaderSize, h.description), true
	}
	return p, false
}

// firstUserRecordProblem finds what is wrong with the offset of the first record.
func (f *File) firstUserRecordProblem() (p model.Problem, breach bool) {
	h := &f.Head
	if h.Fatal() || f.Orphan || f.Index == nil && f.Desc == nil || h.firstUserRecord == 0 {
		return p, false
	}
	least := h.HeaderSize
	if f.Desc != nil && h.firstUserRecord != f.Desc.Hdr.Off {
		least = f.Desc.end
	}
	if x := f.Index; x != nil && x.Off < h.firstUserRecord {
		least = max(least, min(x.end, f.First))
	}
	switch {
	case h.firstUserRecord > f.Src.Size():
		return model.Problemf(model.Truncated, ruleFirstRecord, model.Span{}, "the first record lies after the end of the file%s", f.nextPartHint()).
			WantAtMost(f.Src.Size(), h.firstUserRecord), true
	case h.firstUserRecord < least:
		return model.Problemf(model.Malformed, ruleFirstRecord, model.Span{}, "the first record cannot lie there").
			Want(fmt.Sprintf("0 or at least %d", least), h.firstUserRecord), true
	}
	return p, false
}
