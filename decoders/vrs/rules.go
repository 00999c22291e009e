package vrs

import "cutaway/model"

const (
	ruleTruncated        = "vrs.truncated"
	ruleMagic            = "vrs.header.magic"
	ruleHeaderSizes      = "vrs.header.sizes"
	ruleVersion          = "vrs.header.version"
	ruleGrown            = "vrs.header.grown"
	ruleGrownRecords     = "vrs.header.grown-records"
	ruleFirstRecord      = "vrs.header.first-record"
	ruleDescription      = "vrs.description.missing"
	ruleDescriptionPlace = "vrs.description.place"
	ruleLeftover         = "vrs.description.leftover"
	ruleTagText          = "vrs.tag.text"
	ruleJSON             = "vrs.description.json"
	ruleIndexOffset      = "vrs.index.offset"
	ruleNoIndex          = "vrs.index.none"
	ruleIndexVersion     = "vrs.index.version"
	ruleIndexCount       = "vrs.index.count"
	ruleIndexStreams     = "vrs.index.streams"
	ruleIndexSize        = "vrs.index.size"
	ruleIndexInflate     = "vrs.index.inflate"
	ruleIndexIncomplete  = "vrs.index.incomplete"
	ruleIndexDisagrees   = "vrs.index.disagrees"
	ruleBeyondEnd        = "vrs.index.beyond-end"
	ruleUnusedIndex      = "vrs.index.unused"
	ruleNoRecords        = "vrs.records.not-located"
	ruleRecordHeader     = "vrs.record.header"
	ruleCompression      = "vrs.record.compression"
	ruleCutRecord        = "vrs.record.cut"
	ruleCutHeader        = "vrs.record.header-cut"
	ruleChain            = "vrs.record.chain"
	rulePrevious         = "vrs.record.previous-size"
	ruleTimeOrder        = "vrs.record.time-order"
	ruleUnknownType      = "vrs.record.type-id"
	ruleTypeBits         = "vrs.record.type-bits"
	ruleManyStreams      = "vrs.streams.many"
	ruleTrailingBytes    = "vrs.trailing-bytes"
	ruleInflate          = "vrs.payload.inflate"
	ruleInflateLimit     = "vrs.limit.inflate"
	ruleRecordsLimit     = "vrs.limit.records"
	ruleTagLimit         = "vrs.limit.tag"
	rulePayloadShort     = "vrs.payload.short"
	ruleTrailing         = "vrs.payload.trailing"
	ruleBlockSize        = "vrs.block.size"
	ruleStride           = "vrs.image.stride"
	ruleAudioSize        = "vrs.audio.size"
	ruleOption           = "vrs.format.option"
	ruleNoFormat         = "vrs.format.missing"
	ruleNoLayout         = "vrs.format.layout-missing"
	ruleSize             = "vrs.format.size"
	ruleLayoutJSON       = "vrs.layout.json"
	ruleLayoutPiece      = "vrs.layout.piece"
	ruleLayoutTwice      = "vrs.layout.duplicate"
	rulePieceType        = "vrs.layout.type"
	rulePlace            = "vrs.layout.place"
	ruleLayoutSize       = "vrs.layout.size"
	ruleLayoutUnusable   = "vrs.layout.unusable"
	ruleLayoutTooLarge   = "vrs.layout.too-large"
	ruleEntry            = "vrs.field.entry"
	ruleVector           = "vrs.field.vector"
	ruleStrings          = "vrs.field.strings"
	ruleKeys             = "vrs.field.keys"
	ruleMissingPart      = "vrs.part.missing"
	ruleForeignPart      = "vrs.part.foreign"
	ruleOrphan           = "vrs.part.orphan"
)

var rules = []model.Rule{
	{ID: ruleTruncated, Help: "The file ends inside of a structure."},
	{ID: ruleMagic, Help: "A recording begins with VisionRe, and cord is at byte 72."},
	{ID: ruleHeaderSizes, Help: "The file header has 80 to 280 bytes and record headers 32 to 232; without them no record can be located."},
	{ID: ruleVersion, Help: "The file format version is VRS1, VRS2 or VRS3."},
	{ID: ruleGrown, Help: "A header has more bytes than its known fields. They are skipped."},
	{ID: ruleGrownRecords, Help: "Record headers have more bytes than their known fields. The format allows it, but Meta's reader does not skip them, and gives no metadata."},
	{ID: ruleFirstRecord, Help: "The file header points to a first record that cannot lie there."},
	{ID: ruleDescription, Help: "The description record holds the names, tags and formats of the streams and should be where the file header says."},
	{ID: ruleDescriptionPlace, Help: "The description is normally right after the file header."},
	{ID: ruleLeftover, Help: "The description record has bytes after its last tag."},
	{ID: ruleTagText, Help: "Names and values of tags are normally UTF-8. Where the name of a field is not, the reference's Python library ends."},
	{ID: ruleJSON, Help: "In descriptions of version 1 tags are JSON."},
	{ID: ruleIndexOffset, Help: "The file header points to an index outside of the file, or to something else."},
	{ID: ruleNoIndex, Help: "The file header has no index: the recording was interrupted. Its records are found by walking."},
	{ID: ruleIndexVersion, Help: "The index has format 2 (classic) or 3 (split)."},
	{ID: ruleIndexCount, Help: "The index counts more than it has bytes for."},
	{ID: ruleIndexStreams, Help: "The streams that the index lists have records, or are in the description."},
	{ID: ruleIndexSize, Help: "The sizes that the index gives for itself differ."},
	{ID: ruleIndexInflate, Help: "The compressed entries of the index are broken."},
	{ID: ruleIndexIncomplete, Help: "The index of a split recording was never completed: the recording was interrupted."},
	{ID: ruleIndexDisagrees, Help: "An entry of the index must agree with the header of the record that it lists."},
	{ID: ruleBeyondEnd, Help: "The index lists records beyond the end of the file: the file was cut."},
	{ID: ruleUnusedIndex, Help: "An index that the file header does not point to, such as one whose reserved room was too small."},
	{ID: ruleNoRecords, Help: "The records of a split recording begin in its second part, which is not there."},
	{ID: ruleRecordHeader, Help: "A field of a record's header has a value that cannot be."},
	{ID: ruleCompression, Help: "A record's compression type and its sizes do not fit together."},
	{ID: ruleCutRecord, Help: "The file ends inside of a record."},
	{ID: ruleCutHeader, Help: "The file ends inside of a record's header."},
	{ID: ruleChain, Help: "Walking from record to record, one was met whose header cannot be or does not link to the record before."},
	{ID: rulePrevious, Help: "previousRecordSize is the size of the record before."},
	{ID: ruleTimeOrder, Help: "Records are normally written in the order of their times."},
	{ID: ruleUnknownType, Help: "The type of a stream has no public name."},
	{ID: ruleTypeBits, Help: "The type of a stream is stored in 32 bits, of which the upper 16 do not count and are 0."},
	{ID: ruleManyStreams, Help: "More than 5,000 streams: the reference refuses such files."},
	{ID: ruleTrailingBytes, Help: "Bytes follow the last record or the index."},
	{ID: ruleInflate, Help: "A compressed payload is one lz4 or zstd frame that makes exactly uncompressedSize bytes."},
	{ID: ruleInflateLimit, Help: "A compressed payload or index takes more memory to inflate than Cutaway may use."},
	{ID: ruleRecordsLimit, Help: "A recording has more records than memory has room for."},
	{ID: ruleTagLimit, Help: "A tag is longer than memory allows."},
	{ID: rulePayloadShort, Help: "A content block needs more bytes than the payload has."},
	{ID: ruleTrailing, Help: "Bytes are left in a payload after its last block."},
	{ID: ruleBlockSize, Help: "The size of a content block cannot be found from its format, its neighbours or the configuration."},
	{ID: ruleStride, Help: "A stride is at least the bytes of one row."},
	{ID: ruleAudioSize, Help: "A block of PCM audio holds whole sample frames, as many as its count says."},
	{ID: ruleOption, Help: "A part of a record format is not known. It is ignored."},
	{ID: ruleNoFormat, Help: "A stream with record formats has one for each type and version of its records."},
	{ID: ruleNoLayout, Help: "A data layout block has its definition in a DL tag of the stream."},
	{ID: ruleSize, Help: "The size of a data layout in the record format should be that of its definition, which counts."},
	{ID: ruleLayoutJSON, Help: "The definition of a data layout is JSON with a list data_layout."},
	{ID: ruleLayoutPiece, Help: "A piece of a data layout has a name and a type; others are skipped."},
	{ID: ruleLayoutTwice, Help: "The fields of a data layout are known by type and label: no two have the same."},
	{ID: rulePieceType, Help: "A piece of a data layout has a type that is not known."},
	{ID: rulePlace, Help: "The offset or index that a data layout gives for a piece should be the computed one, which counts."},
	{ID: ruleLayoutSize, Help: "The fixed part and index of a data layout have at most 1 GiB."},
	{ID: ruleLayoutUnusable, Help: "A block cannot be decoded because the definition of its data layout is broken."},
	{ID: ruleLayoutTooLarge, Help: "A data layout needs more bytes than the payload has."},
	{ID: ruleEntry, Help: "The entries of the index of variable fields follow each other and lie inside of the variable part."},
	{ID: ruleVector, Help: "A vector holds whole elements."},
	{ID: ruleStrings, Help: "Texts, keys and values in a variable field lie inside of it and fill it."},
	{ID: ruleKeys, Help: "A key is twice in a map. The last one counts."},
	{ID: ruleMissingPart, Help: "A part of a recording in several files is missing."},
	{ID: ruleForeignPart, Help: "A file is named like a part of the recording, but the recording ends before it."},
	{ID: ruleOrphan, Help: "A later part of a recording was opened without its first part."},
}
