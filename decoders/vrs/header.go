package vrs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"cutaway/decoders/grammar"
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

// fileHeaderRecord describes the file header.
var fileHeaderRecord = grammar.NewRecord("File header",
	grammar.F("magic 1", grammar.UTF8, "Visi").Sized(grammar.Const(4)).Check(ruleMagic, isText("Visi"), "Visi", notVRS),
	grammar.F("magic 2", grammar.UTF8, "onRe").Sized(grammar.Const(4)).Check(ruleMagic, isText("onRe"), "onRe", notVRS),
	grammar.F("creationId", grammar.U64, "nanoseconds since 1970 with the low 30 bits, about one second, replaced by random bits").Shown(showCreation),
	grammar.F("fileHeaderSize", grammar.U32, "where the first record starts; 80 today").Check(ruleHeaderSizes,
		between(fileHeaderSize, maxFileHeader), "80 to 280", "the size of the file header is out of its range, so no record can be located"),
	grammar.F("recordHeaderSize", grammar.U32, "the same for every record in the file; 32 today").Check(ruleHeaderSizes,
		between(recordHeaderSize, maxRecordHeader), "32 to 232", "the size of record headers is out of its range, so no record can be located").
		CheckBy(ofRecording((*recording).grownRecordsProblem)),
	grammar.F("indexRecordOffset", grammar.I64, "where the index record is; 0: none was committed").CheckBy(ofRecording((*recording).indexOffsetProblem)),
	grammar.F("descriptionRecordOffset", grammar.I64, "normally equal to fileHeaderSize; 0: no description").
		CheckBy(ofRecording((*recording).descriptionOffsetProblem)),
	grammar.F("firstUserRecordOffset", grammar.I64, "where the first record of a stream is; 0: not set").CheckBy(ofRecording((*recording).firstUserRecordProblem)),
	grammar.F("future2", grammar.U64, "reserved, always 0"),
	grammar.F("future3", grammar.U64, "reserved, always 0"),
	grammar.F("future4", grammar.U64, "reserved, always 0"),
	grammar.F("magic 3", grammar.UTF8, "cord").Sized(grammar.Const(4)).Check(ruleMagic, isText(magicBack), magicBack, notVRS),
	grammar.F("fileFormatVersion", grammar.UTF8, "VRS1, VRS2 or VRS3").Sized(grammar.Const(4)).Shown(showVersion).CheckBy(grammar.Check{
		Rule: ruleVersion, OK: func(_ grammar.Scope, v grammar.Value) bool { return versions[v.String()] != "" },
		Expected: "VRS1, VRS2 or VRS3", Found: func(_ grammar.Scope, v grammar.Value) string { return strconv.Quote(v.String()) },
		Message: "this version of VRS is not known, so its records are not interpreted",
	}),
	grammar.F("unknown header bytes", grammar.Raw, "additions after the known fields").ToEnd().If(anyLeft).Unknown().CheckBy(ofRecording((*recording).grownProblem)),
)

const notVRS = "this is not a VRS recording"

// anyLeft holds where bytes of the record follow.
var anyLeft = grammar.NotEqual(grammar.Left(), grammar.Const(0))

func isText(want string) func(grammar.Scope, grammar.Value) bool {
	return func(_ grammar.Scope, v grammar.Value) bool { return v.String() == want }
}

func between(least, most int64) func(grammar.Scope, grammar.Value) bool {
	return func(_ grammar.Scope, v grammar.Value) bool {
		n, ok := v.Int()
		return ok && n >= least && n <= most
	}
}

// ofRecording is a rule that the recording as a whole decides.
func ofRecording(find func(r *recording) (p model.Problem, breach bool)) grammar.Check {
	return grammar.Check{Find: func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) { return find(s.Env().(*recording)) }}
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

var fileHeaderNumbers = fileHeaderRecord.Numbers()

func (r *recording) readHeader(ctx context.Context) {
	b, err := r.src.Bytes(ctx, 0, min(r.src.Size(), fileHeaderSize))
	h := fileHeader{magicOK: hasMagic(b)}
	if h.short = err != nil || len(b) < fileHeaderSize; h.short {
		h.headerSize, h.recordHeaderSize = fileHeaderSize, recordHeaderSize
	} else {
		n := fileHeaderNumbers
		h.creation, h.headerSize, h.recordHeaderSize = n[2].U64(b), int64(n[3].U32(b)), int64(n[4].U32(b))
		h.index, h.description, h.firstUserRecord = int64(n[5].U64(b)), int64(n[6].U64(b)), int64(n[7].U64(b))
		h.format = string(n[12].Bytes(b))
	}
	r.head, r.header = h, usualHeader
	if h.sizesOK() && h.recordHeaderSize > recordHeaderSize {
		r.header = headerRecord(h.recordHeaderSize)
	}
	r.parts = []part{{"header", 0, h.end(r.src.Size()), r.fileHeaderNode}}
}

// hasMagic reports whether the bytes begin like a recording, as far as they go.
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

// fatal reports whether nothing after the header can be read.
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

// isOrphan reports whether the source is no recording from its start on, but a chain of records, or named like a later part,
// which may begin inside a record.
func (h *fileHeader) isOrphan(ctx context.Context, r *recording) bool {
	return !h.magicOK && (namedLater(r.name) || startsChain(ctx, r.src))
}

func (r *recording) fileHeaderNode(ctx context.Context) model.Node {
	in := grammar.Stream{Source: r.src, End: r.head.end(r.src.Size())}
	n := fileHeaderRecord.Open(r.session, in, 0).Node(ctx, "header")
	n.Help = "how to read the file, and where index and description are"
	return n
}

// grownProblem is the note on a header with more bytes than this program knows.
func (r *recording) grownProblem() (model.Problem, bool) {
	return model.Problemf(model.Assumed, ruleGrown, model.Span{}, "the header has more bytes than its known fields; they are skipped").
		Want(fileHeaderSize, r.head.headerSize), true
}

// grownRecordsProblem is the warning about record headers with more bytes than Meta's reader knows.
func (r *recording) grownRecordsProblem() (model.Problem, bool) {
	return model.Problemf(model.Suspicious, ruleGrownRecords, model.Span{}, "the record headers have more bytes than their known fields: "+
			"the format allows it, but Meta's reader does not skip them, and gives no metadata").Want(recordHeaderSize, r.head.recordHeaderSize),
		r.head.sizesOK() && r.head.recordHeaderSize > recordHeaderSize
}

func (r *recording) descriptionOffsetProblem() (p model.Problem, breach bool) {
	h := &r.head
	switch {
	case h.fatal() || r.orphan:
	case h.description == 0:
		return model.Problemf(model.Suspicious, ruleDescription, model.Span{}, "the recording has no description: its streams have no names and no layouts"), true
	case r.desc == nil:
		return model.Problemf(model.Malformed, ruleDescription, model.Span{}, "there is no description record where the header points to").
			Want("the offset of a record of type 2", h.description), true
	case h.description != h.headerSize:
		return model.Problemf(model.Suspicious, ruleDescriptionPlace, model.Span{}, "the description is not right after the file header").
			Want(h.headerSize, h.description), true
	}
	return p, false
}

func (r *recording) firstUserRecordProblem() (p model.Problem, breach bool) {
	h := &r.head
	if h.fatal() || r.orphan || r.index == nil && r.desc == nil || h.firstUserRecord == 0 {
		return p, false
	}
	least := h.headerSize
	if r.desc != nil && h.firstUserRecord != r.desc.hdr.off {
		least = r.desc.end
	}
	if x := r.index; x != nil && x.off < h.firstUserRecord {
		least = max(least, min(x.end, r.first))
	}
	switch {
	case h.firstUserRecord > r.src.Size():
		return model.Problemf(model.Truncated, ruleFirstRecord, model.Span{}, "the first record lies after the end of the file%s", r.nextPartHint()).
			WantAtMost(r.src.Size(), h.firstUserRecord), true
	case h.firstUserRecord < least:
		return model.Problemf(model.Malformed, ruleFirstRecord, model.Span{}, "the first record cannot lie there").
			Want(fmt.Sprintf("0 or at least %d", least), h.firstUserRecord), true
	}
	return p, false
}
