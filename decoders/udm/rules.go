package udm

import "cutaway/model"

// The rule ids of the problems.
const (
	ruleIdentifier       = "udm.header.identifier"
	ruleVersion          = "udm.header.version"
	ruleTruncated        = "udm.truncated"
	ruleRead             = "udm.read"
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
	ruleLZ4Type          = "udm.lz4.type"
	ruleLZ4Count         = "udm.lz4.count"
	ruleLZ4Gap           = "udm.lz4.gap"
	ruleLZ4CutShort      = "udm.lz4.cut-short"
	ruleNesting          = "udm.limit.nesting"
	ruleBlockLimit       = "udm.limit.block"
	ruleTextLimit        = "udm.limit.text"

	ruleTextEmpty       = "udm.text.empty"
	ruleTextMark        = "udm.text.byte-order-mark"
	ruleTextSyntax      = "udm.text.syntax"
	ruleTextUnclosed    = "udm.text.unclosed"
	ruleTextComment     = "udm.text.comment"
	ruleTextType        = "udm.text.type"
	ruleTextNumber      = "udm.text.number"
	ruleTextRange       = "udm.text.range"
	ruleTextValues      = "udm.text.value-count"
	ruleTextComma       = "udm.text.comma"
	ruleTextInnerComma  = "udm.text.inner-comma"
	ruleTextHint        = "udm.text.count-hint"
	ruleTextSize        = "udm.text.size"
	ruleTextBase64      = "udm.text.base64"
	ruleTextBase64Spare = "udm.text.base64-bits"
	ruleTextEncoding    = "udm.text.encoding"
	ruleTextMembers     = "udm.text.members"
	ruleTextStrange     = "udm.text.control-character"
)

// rules lists every problem that this format can have.
var rules = []model.Rule{
	{ID: ruleIdentifier, Help: "a binary file does not begin with UDMB"},
	{ID: ruleVersion, Help: "the version is not 1 or 2"},
	{ID: ruleTruncated, Help: "the bytes end inside a field"},
	{ID: ruleRead, Help: "bytes could not be read"},
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
	{ID: ruleLZ4Type, Help: "a compressed array has items of a type that it cannot hold"},
	{ID: ruleLZ4Count, Help: "a compressed array counts its items twice, and differently"},
	{ID: ruleLZ4Gap, Help: "an LZ4 block gives more than the items take"},
	{ID: ruleLZ4CutShort, Help: "why strings may be missing in a compressed array"},
	{ID: ruleNesting, Help: "elements and arrays are nested deeper than Cutaway follows"},
	{ID: ruleBlockLimit, Help: "an LZ4 block gives more than Cutaway inflates"},
	{ID: ruleTextLimit, Help: "a text is longer than Cutaway reads"},

	{ID: ruleTextEmpty, Help: "a text has no bytes, which is an empty tree"},
	{ID: ruleTextMark, Help: "a text begins with a byte-order mark"},
	{ID: ruleTextSyntax, Help: "a text does not follow the grammar"},
	{ID: ruleTextUnclosed, Help: "a string, list, block or base64 data is not closed"},
	{ID: ruleTextComment, Help: "a comment is not closed"},
	{ID: ruleTextType, Help: "a type name does not exist"},
	{ID: ruleTextNumber, Help: "a word is no number of its type"},
	{ID: ruleTextRange, Help: "a number is out of the range of its type"},
	{ID: ruleTextValues, Help: "a value has too few or too many numbers"},
	{ID: ruleTextComma, Help: "a comma is out of place"},
	{ID: ruleTextInnerComma, Help: "a comma is before an inner bracket"},
	{ID: ruleTextHint, Help: "an array has another number of items than its header says"},
	{ID: ruleTextSize, Help: "the size of a compressed array is not that of its items"},
	{ID: ruleTextBase64, Help: "base64 data has a character that does not belong there"},
	{ID: ruleTextBase64Spare, Help: "the last digit of base64 data has bits that make no byte"},
	{ID: ruleTextEncoding, Help: "the encoding of a UTF-8 text is not base64"},
	{ID: ruleTextMembers, Help: "a struct has more than 255 members, or one whose type has no fixed size"},
	{ID: ruleTextStrange, Help: "a text has a control character, which no writer writes"},
}

// faultCode says what the scan of a text found wrong.
type faultCode uint8

const (
	faultMark faultCode = iota
	faultUnmatched
	faultSeparator
	faultStrayBracket
	faultStray
	faultBlockOpen
	faultNoBlock
	faultNesting
	faultNoKey
	faultNoValue
	faultNoType
	faultType
	faultNoShape
	faultShape
	faultMembers
	faultMemberType
	faultComma
	faultInnerComma
	faultItemComma
	faultListOpen
	faultMemberComma
	faultMemberCount
	faultDataOpen
	faultHeader
	faultNoData
	faultNoItems
	faultPlainCompressed
	faultCompressedType
	faultItem
	faultStringOpen
	faultCommentOpen
	faultStrange
)

// faultText says what a fault means.
var faultText = [...]struct {
	rule     string
	kind     model.Kind
	expected string
	message  string
	next     bool // it is about what follows the token
}{
	faultMark:            {ruleTextMark, model.Suspicious, "none", "a byte-order mark is before the text; the engine takes it as part of the first name", false},
	faultUnmatched:       {ruleTextSyntax, model.Malformed, "", "a bracket closes nothing", false},
	faultSeparator:       {ruleTextSyntax, model.Malformed, "white space", "no separator is between entries", false},
	faultStrayBracket:    {ruleTextSyntax, model.Malformed, "$ and a type, or a name", "brackets are where an entry is expected", false},
	faultStray:           {ruleTextSyntax, model.Malformed, "$ and a type, or a name", "a character is where an entry is expected", false},
	faultBlockOpen:       {ruleTextUnclosed, model.Truncated, "}", "the text ends inside a block that begins here", true},
	faultNoBlock:         {ruleTextSyntax, model.Malformed, "{", "no block follows the name of a child element", true},
	faultNesting:         {ruleNesting, model.Limit, "at most 256 levels", "blocks and lists are nested more than 256 levels deep, which is as far as Cutaway follows", false},
	faultNoKey:           {ruleTextSyntax, model.Malformed, "a key", "no key follows the type of a property", true},
	faultNoValue:         {ruleTextSyntax, model.Malformed, "a value of its type", "no value of the property's type follows its key", true},
	faultNoType:          {ruleTextSyntax, model.Malformed, "the name of a type", "the name of a type is missing", true},
	faultType:            {ruleTextType, model.Malformed, "a type of UDM", "there is no such type", false},
	faultNoShape:         {ruleTextSyntax, model.Malformed, "<", "a struct does not say its members", true},
	faultShape:           {ruleTextSyntax, model.Malformed, "members with commas between them, and >", "the members of a struct are not closed", true},
	faultMembers:         {ruleTextMembers, model.Malformed, "at most 255", "a struct has too many members", false},
	faultMemberType:      {ruleTextMembers, model.Malformed, "a fixed-size type", "the type of a member has no fixed size", false},
	faultComma:           {ruleTextComma, model.Malformed, "a number", "a comma without a number", false},
	faultInnerComma:      {ruleTextInnerComma, model.Suspicious, "white space", "a comma is before an inner bracket, which the engine refuses", false},
	faultItemComma:       {ruleTextComma, model.Suspicious, "an item", "a comma without an item", false},
	faultListOpen:        {ruleTextUnclosed, model.Malformed, "]", "a list that begins here is not closed", true},
	faultMemberComma:     {ruleTextSyntax, model.Malformed, ",", "a comma is missing between the values of a struct", true},
	faultMemberCount:     {ruleTextValues, model.Malformed, "one value for each member", "a struct has too few or too many values", false},
	faultDataOpen:        {ruleTextUnclosed, model.Truncated, "]", "the text ends inside base64 data that begins here", true},
	faultHeader:          {ruleTextSyntax, model.Malformed, "]", "the header of an array or of data has a part that does not belong there", false},
	faultNoData:          {ruleTextSyntax, model.Malformed, "[", "no data follows its header", true},
	faultNoItems:         {ruleTextSyntax, model.Malformed, "[", "no items follow the header of an array", true},
	faultPlainCompressed: {ruleTextSyntax, model.Suspicious, "arrayLz4", "an array that is not of a compressed type has a third number, as compressed ones do", false},
	faultCompressedType:  {ruleLZ4Type, model.Malformed, "a fixed-size type, struct, element or string", "a compressed array cannot hold items of this type", false},
	faultItem:            {ruleTextSyntax, model.Malformed, "an item of the array's type, or ]", "this is no item of the array", false},
	faultStringOpen:      {ruleTextUnclosed, model.Truncated, `"`, "the text ends inside a string that begins here", true},
	faultStrange:         {ruleTextStrange, model.Suspicious, "no control character", "a byte that no text has", false},
	faultCommentOpen:     {ruleTextComment, model.Suspicious, "*/", "a comment is not closed and runs to the end of the file", true},
}
