package ascii

import "cutaway/model"

// The rule ids of the problems of a text.
const (
	RuleRead      = "udm.read"
	RuleLZ4Type   = "udm.lz4.type"
	RuleNesting   = "udm.limit.nesting"
	RuleTextLimit = "udm.limit.text"

	RuleTextEmpty       = "udm.text.empty"
	RuleTextMark        = "udm.text.byte-order-mark"
	RuleTextSyntax      = "udm.text.syntax"
	RuleTextUnclosed    = "udm.text.unclosed"
	RuleTextComment     = "udm.text.comment"
	RuleTextType        = "udm.text.type"
	RuleTextNumber      = "udm.text.number"
	RuleTextRange       = "udm.text.range"
	RuleTextValues      = "udm.text.value-count"
	RuleTextComma       = "udm.text.comma"
	RuleTextInnerComma  = "udm.text.inner-comma"
	RuleTextHint        = "udm.text.count-hint"
	RuleTextSize        = "udm.text.size"
	RuleTextBase64      = "udm.text.base64"
	RuleTextBase64Spare = "udm.text.base64-bits"
	RuleTextEncoding    = "udm.text.encoding"
	RuleTextMembers     = "udm.text.members"
	RuleTextStrange     = "udm.text.control-character"
)

// FaultCode says what the scan of a text found wrong.
type FaultCode uint8

// The faults.
const (
	faultMark FaultCode = iota
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
	FaultType
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

// FaultText says what a fault means.
var FaultText = [...]struct {
	rule     string
	Kind     model.Kind
	expected string
	Message  string
	next     bool // it is about what follows the token
}{
	faultMark:            {RuleTextMark, model.Suspicious, "none", "a byte-order mark is before the text; the engine takes it as part of the first name", false},
	faultUnmatched:       {RuleTextSyntax, model.Malformed, "", "a bracket closes nothing", false},
	faultSeparator:       {RuleTextSyntax, model.Malformed, "white space", "no separator is between entries", false},
	faultStrayBracket:    {RuleTextSyntax, model.Malformed, "$ and a type, or a name", "brackets are where an entry is expected", false},
	faultStray:           {RuleTextSyntax, model.Malformed, "$ and a type, or a name", "a character is where an entry is expected", false},
	faultBlockOpen:       {RuleTextUnclosed, model.Truncated, "}", "the text ends inside a block that begins here", true},
	faultNoBlock:         {RuleTextSyntax, model.Malformed, "{", "no block follows the name of a child element", true},
	faultNesting:         {RuleNesting, model.Limit, "at most 256 levels", "blocks and lists are nested more than 256 levels deep, which is as far as Cutaway follows", false},
	faultNoKey:           {RuleTextSyntax, model.Malformed, "a key", "no key follows the type of a property", true},
	faultNoValue:         {RuleTextSyntax, model.Malformed, "a value of its type", "no value of the property's type follows its key", true},
	faultNoType:          {RuleTextSyntax, model.Malformed, "the name of a type", "the name of a type is missing", true},
	FaultType:            {RuleTextType, model.Malformed, "a type of UDM", "there is no such type", false},
	faultNoShape:         {RuleTextSyntax, model.Malformed, "<", "a struct does not say its members", true},
	faultShape:           {RuleTextSyntax, model.Malformed, "members with commas between them, and >", "the members of a struct are not closed", true},
	faultMembers:         {RuleTextMembers, model.Malformed, "at most 255", "a struct has too many members", false},
	faultMemberType:      {RuleTextMembers, model.Malformed, "a fixed-size type", "the type of a member has no fixed size", false},
	faultComma:           {RuleTextComma, model.Malformed, "a number", "a comma without a number", false},
	faultInnerComma:      {RuleTextInnerComma, model.Suspicious, "white space", "a comma is before an inner bracket, which the engine refuses", false},
	faultItemComma:       {RuleTextComma, model.Suspicious, "an item", "a comma without an item", false},
	faultListOpen:        {RuleTextUnclosed, model.Malformed, "]", "a list that begins here is not closed", true},
	faultMemberComma:     {RuleTextSyntax, model.Malformed, ",", "a comma is missing between the values of a struct", true},
	faultMemberCount:     {RuleTextValues, model.Malformed, "one value for each member", "a struct has too few or too many values", false},
	faultDataOpen:        {RuleTextUnclosed, model.Truncated, "]", "the text ends inside base64 data that begins here", true},
	faultHeader:          {RuleTextSyntax, model.Malformed, "]", "the header of an array or of data has a part that does not belong there", false},
	faultNoData:          {RuleTextSyntax, model.Malformed, "[", "no data follows its header", true},
	faultNoItems:         {RuleTextSyntax, model.Malformed, "[", "no items follow the header of an array", true},
	faultPlainCompressed: {RuleTextSyntax, model.Suspicious, "arrayLz4", "an array that is not of a compressed type has a third number, as compressed ones do", false},
	faultCompressedType:  {RuleLZ4Type, model.Malformed, "a fixed-size type, struct, element or string", "a compressed array cannot hold items of this type", false},
	faultItem:            {RuleTextSyntax, model.Malformed, "an item of the array's type, or ]", "this is no item of the array", false},
	faultStringOpen:      {RuleTextUnclosed, model.Truncated, `"`, "the text ends inside a string that begins here", true},
	faultStrange:         {RuleTextStrange, model.Suspicious, "no control character", "a byte that no text has", false},
	faultCommentOpen:     {RuleTextComment, model.Suspicious, "*/", "a comment is not closed and runs to the end of the file", true},
}
