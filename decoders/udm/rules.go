package udm

// The ids of the rules whose breaches Go finds.
const (
	ruleRootType     = "udm.root.type"
	ruleAssetKeys    = "udm.root.asset-keys"
	ruleBool         = "udm.bool"
	ruleDuplicateKey = "udm.element.duplicate-key"
	ruleArrayCount   = "udm.array.count"
	ruleLZ4          = "udm.lz4.block"
	ruleLZ4Size      = "udm.lz4.size"
	ruleBlockLimit   = "udm.limit.block"
)
