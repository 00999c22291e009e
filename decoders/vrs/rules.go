package vrs

// The rules that functions of this package find, by their ids.
const (
	ruleIndexStreams = "vrs.index.streams"
	ruleTimeOrder    = "vrs.record.time-order"
	ruleUnknownType  = "vrs.record.type-id"
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
