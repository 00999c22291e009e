package vrs

// The rules that functions of this package find, by their ids.
const (
	ruleIndexStreams = "vrs.index.streams"
	ruleRecordHeader = "vrs.record.header"
	ruleTimeOrder    = "vrs.record.time-order"
	ruleUnknownType  = "vrs.record.type-id"
	ruleTypeBits     = "vrs.record.type-bits"
	ruleManyStreams  = "vrs.streams.many"
	rulePayloadShort = "vrs.payload.short"
	ruleTrailing     = "vrs.payload.trailing"
	ruleBlockSize    = "vrs.block.size"
	ruleStride       = "vrs.image.stride"
	ruleAudioSize    = "vrs.audio.size"
	ruleOption       = "vrs.format.option"
	ruleNoFormat     = "vrs.format.missing"
	ruleNoLayout     = "vrs.format.layout-missing"
	ruleSize         = "vrs.format.size"
)
