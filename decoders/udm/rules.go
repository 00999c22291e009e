package udm

import (
	"cutaway/decoders/udm/ascii"
	"cutaway/model"
)

// The rule ids of the problems.
const (
	ruleIdentifier       = "udm.header.identifier"
	ruleVersion          = "udm.header.version"
	ruleTruncated        = "udm.truncated"
	ruleRootType         = "udm.root.type"
	ruleTrailing         = "udm.root.trailing"
	ruleAssetKeys        = "udm.root.asset-keys"
	ruleType             = "udm.type.unknown"
	ruleBool             = "udm.bool"
	ruleStringLong       = "udm.string.long-form"
	ruleElementSize      = "udm.element.size"
	ruleElementCount     = "udm.element.count"
	ruleElementKeys      = "udm.element.keys"
	ruleElementValues    = "udm.element.values"
	ruleElementGap       = "udm.element.gap"
	ruleDuplicateKey     = "udm.element.duplicate-key"
	ruleArraySize        = "udm.array.size"
	ruleArrayCount       = "udm.array.count"
	ruleArrayItems       = "udm.array.items"
	ruleArrayGap         = "udm.array.gap"
	ruleStructMembers    = "udm.struct.members"
	ruleStructType       = "udm.struct.member-type"
	ruleStructHeaderSize = "udm.struct.header-size"
	ruleStructSize       = "udm.struct.size"
	ruleLZ4              = "udm.lz4.block"
	ruleLZ4Size          = "udm.lz4.size"
	ruleLZ4Count         = "udm.lz4.count"
	ruleLZ4Gap           = "udm.lz4.gap"
	ruleLZ4CutShort      = "udm.lz4.cut-short"
	ruleBlockLimit       = "udm.limit.block"
)

// rules lists every problem that this format can have.
var rules = []model.Rule{
	{ID: ruleIdentifier, Help: "a binary file does not begin with UDMB"},
	{ID: ruleVersion, Help: "the version is not 1 or 2"},
	{ID: ruleTruncated, Help: "the bytes end inside a field"},
	{ID: ascii.RuleRead, Help: "bytes could not be read"},
	{ID: ruleRootType, Help: "the root property is not an element"},
	{ID: ruleTrailing, Help: "bytes follow the root property"},
	{ID: ruleAssetKeys, Help: "the root lacks assetType, assetVersion or assetData, or has it with another type"},
	{ID: ruleType, Help: "a type number does not exist"},
	{ID: ruleBool, Help: "a bool is neither 0 nor 1"},
	{ID: ruleStringLong, Help: "the length of a short string has the long form"},
	{ID: ruleElementSize, Help: "an element claims more bytes than there are"},
	{ID: ruleElementCount, Help: "an element counts more children than its bytes can hold"},
	{ID: ruleElementKeys, Help: "the key table of an element ends too early"},
	{ID: ruleElementValues, Help: "children of an element are missing"},
	{ID: ruleElementGap, Help: "an element is larger than its children"},
	{ID: ruleDuplicateKey, Help: "two children of an element have one key"},
	{ID: ruleArraySize, Help: "an array claims more bytes than there are"},
	{ID: ruleArrayCount, Help: "an array counts more items than its bytes can hold"},
	{ID: ruleArrayItems, Help: "items of an array are missing"},
	{ID: ruleArrayGap, Help: "an array is larger than its items"},
	{ID: ruleStructMembers, Help: "a struct has no members"},
	{ID: ruleStructType, Help: "a struct has a member whose type has no fixed size"},
	{ID: ruleStructHeaderSize, Help: "the size of a struct header does not agree with the header"},
	{ID: ruleStructSize, Help: "the size of a struct does not agree with its header and data"},
	{ID: ruleLZ4, Help: "an LZ4 block is broken, or gives less than claimed"},
	{ID: ruleLZ4Size, Help: "an LZ4 block cannot give as much as claimed"},
	{ID: ascii.RuleLZ4Type, Help: "a compressed array has items of a type that it cannot hold"},
	{ID: ruleLZ4Count, Help: "a compressed array counts its items twice, and differently"},
	{ID: ruleLZ4Gap, Help: "an LZ4 block gives more than the items take"},
	{ID: ruleLZ4CutShort, Help: "why strings may be missing in a compressed array"},
	{ID: ascii.RuleNesting, Help: "elements and arrays are nested deeper than Cutaway follows"},
	{ID: ruleBlockLimit, Help: "an LZ4 block gives more than Cutaway inflates"},
	{ID: ascii.RuleTextLimit, Help: "a text is longer than Cutaway reads"},

	{ID: ascii.RuleTextEmpty, Help: "a text has no bytes, which is an empty tree"},
	{ID: ascii.RuleTextMark, Help: "a text begins with a byte-order mark"},
	{ID: ascii.RuleTextSyntax, Help: "a text does not follow the grammar"},
	{ID: ascii.RuleTextUnclosed, Help: "a string, list, block or base64 data is not closed"},
	{ID: ascii.RuleTextComment, Help: "a comment is not closed"},
	{ID: ascii.RuleTextType, Help: "a type name does not exist"},
	{ID: ascii.RuleTextNumber, Help: "a word is no number of its type"},
	{ID: ascii.RuleTextRange, Help: "a number is out of the range of its type"},
	{ID: ascii.RuleTextValues, Help: "a value has too few or too many numbers"},
	{ID: ascii.RuleTextComma, Help: "a comma is out of place"},
	{ID: ascii.RuleTextInnerComma, Help: "a comma is before an inner bracket"},
	{ID: ascii.RuleTextHint, Help: "an array has another number of items than its header says"},
	{ID: ascii.RuleTextSize, Help: "the size of a compressed array is not that of its items"},
	{ID: ascii.RuleTextBase64, Help: "base64 data has a character that does not belong there"},
	{ID: ascii.RuleTextBase64Spare, Help: "the last digit of base64 data has bits that make no byte"},
	{ID: ascii.RuleTextEncoding, Help: "the encoding of a UTF-8 text is not base64"},
	{ID: ascii.RuleTextMembers, Help: "a struct has more than 255 members, or one whose type has no fixed size"},
	{ID: ascii.RuleTextStrange, Help: "a text has a control character, which no writer writes"},
}
