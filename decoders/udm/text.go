package udm

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// text is a file in the ASCII form (chapter 8) whose index is made.
type text struct {
	d *udm
	x *ascii.Index

	recent model.Cache[uint32, *children] // of groups that were looked at lately
}

// reserved matches the segments that a block gives to what is no entry. An entry of such a key has a ' after it in paths.
var reserved = regexp.MustCompile(`^(?:[{}]|(?:mark|space|comment|junk)~\d+)'*$`)

func entryName(key string) string {
	if reserved.MatchString(key) {
		return key + "'"
	}
	return key
}

// keyName is the inverse of entryName.
func keyName(name string) string {
	if short, ok := strings.CutSuffix(name, "'"); ok && reserved.MatchString(short) {
		return short
	}
	return name
}

// A textNodes makes the nodes of the children of a group at its place.
type textNodes struct {
	t     *text
	g     uint32
	at    *nodePath
	shape *shape     // of structs
	owner *textValue // of an entry or item and of its data: the value
	twice bool       // the key of the entry repeats that of an earlier one

	kept model.Memo[*children]
}

func (p *textNodes) children(ctx context.Context) *children {
	return p.kept.Get(ctx, func(ctx context.Context) *children { return p.t.children(ctx, p.g) })
}

// Len returns the number of children, which is known.
func (p *textNodes) Len(ctx context.Context) (int64, bool) { return int64(p.children(ctx).n), true }

// Find finds a child by its segment or by a byte.
func (p *textNodes) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		i, _, _, ok := p.children(ctx).childOver(q.Source, q.Off)
		return int64(i), ok
	}
	return p.index(ctx, q.Name)
}

func (p *textNodes) index(ctx context.Context, segment string) (int64, bool) {
	k := p.children(ctx)
	if i, ok := p.plainIndex(ctx, segment); ok {
		return i, true
	}
	nth, ok := int64(0), false
	switch p.t.x.Group(p.g).Kind {
	case ascii.GroupFile, ascii.GroupBlock:
		nth, ok = k.names.find(ctx, keyName(segment))
	case ascii.GroupNumbers, ascii.GroupInner, ascii.GroupItems:
		nth, ok = model.ParseIndex(segment)
	case ascii.GroupMembers:
		nth, ok = p.memberIndex(segment)
	}
	if !ok {
		return 0, false
	}
	_, i, ok := k.value(nth)
	return int64(i), ok && p.segment(ctx, i) == segment
}

// plainIndex finds what is no value or entry: it has its number in its segment, or there are only a few.
func (p *textNodes) plainIndex(ctx context.Context, segment string) (int64, bool) {
	n := p.children(ctx).n
	if _, number, ok := strings.Cut(segment, "~"); ok {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < n && p.segment(ctx, i) == segment {
			return int64(i), true
		}
	}
	few := []int{0, n - 1}
	if !p.t.x.Group(p.g).Kind.Lists() {
		few = few[:0]
		for i := range n {
			few = append(few, i)
		}
	}
	for _, i := range few {
		if i >= 0 && i < n && p.segment(ctx, i) == segment {
			return int64(i), true
		}
	}
	return 0, false
}

func (p *textNodes) memberIndex(segment string) (int64, bool) {
	if p.shape != nil {
		if i := slices.Index(p.shape.names, segment); i >= 0 {
			return int64(i), true
		}
	}
	return model.ParseIndex(segment)
}

// segment returns the segment of child i in paths.
func (p *textNodes) segment(ctx context.Context, i int) string {
	c, nth, isValue := p.children(ctx).child(i)
	return p.segmentOf(ctx, i, c, nth, isValue)
}

func (p *textNodes) segmentOf(ctx context.Context, i int, c ascii.Child, nth uint32, isValue bool) string {
	x := p.t.x
	kind := x.Group(p.g).Kind
	g, group := c.Group()
	switch {
	case kind.Lists() && isValue:
		return p.valueSegment(ctx, kind, nth)
	case group:
		return ascii.GroupNames[x.Group(g).Kind]
	}
	name := ""
	switch k := x.Kind(uint32(c)); {
	case k == ascii.TokenControl:
		if name = x.Raw(ctx, uint32(c)); strings.Contains("{}[]<>$", name) {
			return name
		}
	case k.Word() && (kind != ascii.GroupShape || !p.earlier(ctx, i, k)), k == ascii.TokenBase64:
		return ascii.TokenNames[k]
	default:
		name = ascii.TokenNames[k]
	}
	return name + "~" + strconv.Itoa(i)
}

// valueSegment returns the segment of a value of a list, or of an entry of a block.
func (p *textNodes) valueSegment(ctx context.Context, kind ascii.GroupKind, nth uint32) string {
	switch {
	case kind == ascii.GroupFile || kind == ascii.GroupBlock:
		return entryName(p.children(ctx).names.segment(ctx, int64(nth)))
	case kind == ascii.GroupMembers && p.shape != nil && int(nth) < len(p.shape.names):
		return p.shape.names[nth]
	}
	return model.IndexName(int64(nth))
}

// earlier reports whether a token of that kind is before child i.
func (p *textNodes) earlier(ctx context.Context, i int, kind ascii.TokenKind) bool {
	for k := range i {
		if c, _, _ := p.children(ctx).child(k); p.t.x.Kind(uint32(c)) == kind {
			return true
		}
	}
	return false
}

// At returns the node of child i.
func (p *textNodes) At(ctx context.Context, i int64) model.Node {
	c, nth, isValue := p.children(ctx).child(int(i))
	segment := p.segmentOf(ctx, int(i), c, nth, isValue)
	var n model.Node
	if g, ok := c.Group(); ok {
		n = p.groupNode(ctx, segment, g, nth)
	} else {
		n = p.tokenNode(ctx, segment, uint32(c), nth)
	}
	if !isValue || !p.t.x.Group(p.g).Kind.Lists() { // its number is in its segment alone
		kind, _, _ := strings.Cut(segment, "~")
		return n.Named(kind)
	}
	if key, ok := p.key(ctx, nth); ok {
		return n.Named(key)
	}
	return n
}

// key is the exact name of value nth, where it is an entry of a block or a member of a struct.
func (p *textNodes) key(ctx context.Context, nth uint32) (key string, ok bool) {
	switch kind := p.t.x.Group(p.g).Kind; {
	case kind == ascii.GroupFile || kind == ascii.GroupBlock:
		return p.children(ctx).names.key(ctx, int64(nth)), true
	case kind == ascii.GroupMembers && p.shape != nil && int(nth) < len(p.shape.keys):
		return p.shape.keys[nth], true
	}
	return "", false
}

// Bulk returns the functions over all children at once.
func (*textNodes) Bulk() *model.BulkFuncs { return textBulk }

var textBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, _ model.Progress) (model.Coverage, bool, error) {
		return c.(*textNodes).survey(ctx)
	},
}

// survey adds up the tokens of a group without faults.
func (p *textNodes) survey(ctx context.Context) (c model.Coverage, plain bool, err error) {
	x := p.t.x
	if p.twice || !x.Plain(p.g) { // twice: its key says so
		return c, false, nil
	}
	o := x.Group(p.g)
	for i := o.First; i < o.End; i++ {
		if i&0xfffff == 0xfffff && ctx.Err() != nil {
			return c, false, ctx.Err()
		}
		if x.Kind(i).Gap() {
			c.Padding += x.Length(i)
		}
	}
	c.Explained = x.Off(o.End) - x.Off(o.First) - c.Padding
	return c, true, nil
}

// sub is a group inside this one.
func (p *textNodes) sub(name string, g uint32) *textNodes {
	return &textNodes{t: p.t, g: g, at: p.at.child(name), shape: p.shape}
}

// groupNode is the node of a group.
func (p *textNodes) groupNode(ctx context.Context, name string, g, nth uint32) model.Node {
	x := p.t.x
	s := p.sub(name, g)
	o := x.Group(g)
	n := model.Node{Name: name, Spans: []model.Span{x.GroupSpan(g)}, Children: s}
	switch o.Kind {
	case ascii.GroupEntry, ascii.GroupItem:
		if n.Type = types.Title(o.Typ); o.Typ == types.Unknown {
			n.Type = "property"
		}
		s.twice = o.Kind == ascii.GroupEntry && p.children(ctx).names.repeats(int64(nth))
		v := p.t.groupValue(ctx, g, s.at)
		s.shape, s.owner = v.shape, v
		n.Value, n.Brief = v.short(ctx)
	case ascii.GroupBlock:
		n.Type, n.Brief = "block", propertiesText(int64(o.Count))
	case ascii.GroupShape:
		n.Type, n.Brief = "members", itemsText(int64(o.Count))
		n.Help = "the members of the structs: a type each, and a name"
	case ascii.GroupHeader, ascii.GroupPrefix:
		n.Type, n.Help = "header", "what the brackets after it hold"
	case ascii.GroupData:
		n.Type = "base64"
		s.owner = p.owner
	case ascii.GroupNumbers:
		n.Type, n.Help = types.Title(o.Typ), o.Typ.Help()
		var ok bool
		if n.Value, ok = p.t.numbers(ctx, g); !ok && !p.t.cutIn(g) {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ascii.RuleTextValues, n.Spans[0],
				"a %s has a wrong number of values", o.Typ).Want(o.Typ.Numbers(), o.Count))
		}
	case ascii.GroupInner:
		n.Type = "numbers"
	case ascii.GroupMembers:
		n.Type = types.Struct.String()
	case ascii.GroupItems:
		n.Type, n.Brief = types.Text(o.Typ)+"[]", itemsText(int64(o.Count))
	}
	n.Help = strings.TrimSuffix(x.LineText(ctx, n.Spans[0].Off)+": "+n.Help, ": ")
	return n
}

// tokenNode is the node of a token.
func (p *textNodes) tokenNode(ctx context.Context, name string, token, nth uint32) model.Node {
	x := p.t.x
	at := x.TokenSpan(token)
	n := model.Node{Name: name, Type: "token", Spans: []model.Span{at}}
	switch kind := x.Kind(token); kind {
	case ascii.TokenMark:
		n.Type, n.Role = "byte-order mark", model.Padding
	case ascii.TokenSpace:
		n.Type, n.Role, n.Brief = "white space", model.Padding, spaceText(x.Raw(ctx, token))
	case ascii.TokenLineComment, ascii.TokenBlockComment:
		n.Type, n.Role, n.Value = "comment", model.Padding, model.Text(x.Raw(ctx, token))
	case ascii.TokenControl:
		n.Type, n.Value = "character", model.Text(x.Raw(ctx, token))
	case ascii.TokenJunk:
		n.Type, n.Role, n.Value, n.Help = "text", model.Unknown, model.Text(x.Raw(ctx, token)), "text that the grammar has no place for"
	case ascii.TokenBase64:
		n.Type, n.Value = "base64", model.Blob{Span: at}
		p.decodeNode(&n, token)
	default:
		p.wordNode(ctx, &n, token, nth)
	}
	for _, f := range x.FaultsIn(token, token+1) {
		n.Problems = append(n.Problems, x.Problem(ctx, f))
	}
	n.Help = strings.TrimSuffix(x.LineText(ctx, at.Off)+": "+n.Help, ": ")
	return n
}

func spaceText(s string) string {
	if lines := strings.Count(s, "\n"); lines > 0 {
		return model.Counted(int64(lines), "line end")
	}
	return model.Counted(int64(len(s)), "character")
}

// wordNode completes the node of a word by its kind.
func (p *textNodes) wordNode(ctx context.Context, n *model.Node, token, nth uint32) {
	x, raw := p.t.x, p.t.x.Raw(ctx, token)
	word := ascii.Unquote(raw)
	n.Type, n.Value, n.Brief = "word", model.Text(word), raw
	switch x.Kind(token) {
	case ascii.TokenType:
		n.Type, n.Help = "type", typeHelp[x.Group(p.g).Kind]
	case ascii.TokenKey:
		p.keyNode(ctx, n, word)
	case ascii.TokenMemberName:
		n.Help = "the name of a member"
	case ascii.TokenEncoding:
		if n.Help = "how the data is encoded"; word != base64Name {
			complain(ctx, n, model.Malformed, ascii.RuleTextEncoding, base64Name, word, "the encoding of a UTF-8 text is not known")
		}
	case ascii.TokenCount:
		n.Help = "how many items; only a hint"
		if items := p.t.itemsAfter(p.g); showNumber(ctx, n, types.Uint32, word) && items != nil && n.Value != items {
			complain(ctx, n, model.Suspicious, ascii.RuleTextHint, items, word, "the array has another number of items than its header says; the items count")
		}
	case ascii.TokenSize:
		n.Help = "bytes that the LZ4 block gives"
		if want, known := p.itemsSize(ctx); showNumber(ctx, n, types.Uint64, word) && known && n.Value != model.Uint(want) {
			complain(ctx, n, model.Malformed, ascii.RuleTextSize, want, word, "the size of a compressed array is not that of its items")
		}
	case ascii.TokenValue:
		p.valueNode(ctx, n, raw, nth)
	}
}

// keyNode completes the node of a key.
func (p *textNodes) keyNode(ctx context.Context, n *model.Node, word string) {
	n.Help = "the key of a property"
	if p.t.x.Group(p.g).Typ == types.Element {
		n.Help = "the name of a child element"
	}
	if p.twice {
		complain(ctx, n, model.Suspicious, ruleDuplicateKey, "a key of its own", word,
			"an earlier entry of the block has the same key; the engine takes the last of them")
	}
}

// complain adds a problem of a word.
func complain(ctx context.Context, n *model.Node, kind model.Kind, rule string, want any, word, message string) {
	n.Problems = append(n.Problems, model.Problemf(kind, rule, n.Spans[0], "%s", message).Want(want, ascii.Found(ctx, word)))
}

// showNumber makes the node of a word that of a number, and reports whether it is one.
func showNumber(ctx context.Context, n *model.Node, t types.ID, word string) bool {
	value, issue := ascii.ParseWord(t, word)
	if n.Type, n.Value = t.String(), value; issue != nil {
		complain(ctx, n, model.Malformed, issue.Rule, "a number", word, issue.Message)
	}
	return issue == nil
}

// typeHelp says what the name of a type is the type of, by the group that it is in.
var typeHelp = [...]string{ascii.GroupEntry: "the name of a type", ascii.GroupHeader: "the type of the items", ascii.GroupShape: "the type of a member"}

// base64Name is the one encoding of UTF-8 texts.
const base64Name = "base64"

// valueNode completes the node of a word that is a value, or a number of one.
func (p *textNodes) valueNode(ctx context.Context, n *model.Node, raw string, nth uint32) {
	t := types.Nil
	switch o := p.t.x.Group(p.g); o.Kind {
	case ascii.GroupEntry, ascii.GroupItems:
		t = o.Typ
	case ascii.GroupNumbers, ascii.GroupInner:
		t = types.Table[o.Typ].Scalar
	case ascii.GroupMembers:
		if p.shape != nil && int(nth) < len(p.shape.types) {
			t = p.shape.types[nth]
		}
	}
	if t == types.Nil || !t.Known() {
		n.Type = "token"
		return
	}
	value, issue := ascii.ParseWord(t, ascii.Unquote(raw))
	if n.Type, n.Value, n.Help = t.String(), value, t.Help(); n.Spans[0].Len > ascii.MaxText {
		n.Value, n.Brief = model.Blob{Span: n.Spans[0]}, ""
	}
	if issue != nil {
		complain(ctx, n, model.Suspicious, issue.Rule, t, raw, issue.Message)
	}
}

// itemsSize is the bytes of the packed items that a header counts.
func (p *textNodes) itemsSize(ctx context.Context) (int64, bool) {
	if p.t.x.Group(p.g).Kind != ascii.GroupHeader {
		return 0, false
	}
	h := p.t.header(ctx, p.g)
	if h.item.Fixed() || h.shape != nil {
		return mul(uint64(max(h.count, 0)), strideOf(h.item, h.shape)), true
	}
	return 0, false
}
