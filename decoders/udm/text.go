package udm

import (
	"context"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"cutaway/model"
)

// maxText is the longest text that is shown as one; longer ones are shown as bytes.
const maxText = 1 << 20

// text is a file in the ASCII form (chapter 8) whose index is made.
type text struct {
	d     *udm
	x     *index
	plain model.Once[[]uint64] // a bit for each group: nothing is wrong in it

	recent model.Cache[uint32, *kids] // of groups that were looked at lately
}

// reserved matches the names that a block gives to what is no entry. An entry of such a name gets a ' behind it.
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

// part is a group where it stands, to make nodes of its children.
type part struct {
	t     *text
	g     uint32
	at    *where
	shape *shape // of the structs in it
	owner *tval  // of an entry or item and of its data: the value
	twice bool   // the key of the entry repeats that of an earlier one

	kept model.Memo[*kids]
}

func (p *part) kids(ctx context.Context) *kids {
	return p.kept.Get(ctx, func(ctx context.Context) *kids { return p.t.kids(ctx, p.g) })
}

// Len implements model.Children.
func (p *part) Len(ctx context.Context) (int64, bool) { return int64(len(p.kids(ctx).list)), true }

// Locate implements model.Locator.
func (p *part) Locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	x := p.t.x
	at := x.groupSpan(p.g)
	if !at.Covers(src, off) {
		return 0, false
	}
	token := x.tokenOver(off)
	list := p.kids(ctx).list
	i := sort.Search(len(list), func(i int) bool { return x.firstToken(list[i].child) > token }) - 1
	return int64(i), i >= 0
}

// firstToken is the first token of a child.
func (x *index) firstToken(c child) uint32 {
	if g, ok := c.group(); ok {
		return x.groups[g].first
	}
	return uint32(c)
}

// Index implements model.Indexer.
func (p *part) Index(ctx context.Context, name string) (int64, bool) {
	k := p.kids(ctx)
	if i, ok := p.plainIndex(ctx, name); ok {
		return i, true
	}
	nth, ok := int64(0), false
	switch p.t.x.groups[p.g].kind {
	case gFile, gBlock:
		nth, ok = k.names.find(ctx, keyName(name))
	case gNumbers, gInner, gItems:
		nth, ok = model.ParseIndex(name)
	case gMembers:
		nth, ok = p.memberIndex(name)
	}
	if !ok {
		return 0, false
	}
	i, ok := k.at(p.t, nth)
	return int64(i), ok && p.name(ctx, i) == name
}

// plainIndex finds what is no value or entry: it has its number in its name, or there are only a few.
func (p *part) plainIndex(ctx context.Context, name string) (int64, bool) {
	list := p.kids(ctx).list
	if _, number, ok := strings.Cut(name, "~"); ok {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(list) && p.name(ctx, i) == name {
			return int64(i), true
		}
	}
	for _, i := range []int{0, len(list) - 1} {
		if i >= 0 && p.name(ctx, i) == name {
			return int64(i), true
		}
	}
	if !p.t.x.groups[p.g].kind.lists() {
		for i := range list {
			if p.name(ctx, i) == name {
				return int64(i), true
			}
		}
	}
	return 0, false
}

func (p *part) memberIndex(name string) (int64, bool) {
	if p.shape != nil {
		for i, n := range p.shape.names {
			if n == name {
				return int64(i), true
			}
		}
	}
	return model.ParseIndex(name)
}

// name is the name of child i.
func (p *part) name(ctx context.Context, i int) string {
	x, k := p.t.x, p.kids(ctx)
	c := k.list[i]
	g, group := c.child.group()
	kind := x.groups[p.g].kind
	if kind.lists() && p.t.isNth(c.child) {
		switch kind {
		case gFile, gBlock:
			if group {
				return entryName(k.names.name(ctx, int64(c.nth)))
			}
		case gMembers:
			if p.shape != nil && int(c.nth) < len(p.shape.names) {
				return p.shape.names[c.nth]
			}
			return model.IndexName(int64(c.nth))
		default:
			return model.IndexName(int64(c.nth))
		}
	}
	if !kind.lists() && c.nth != isPlain {
		name := roleNames[c.nth]
		if kind == gShape || !group && c.nth == isValue {
			for _, before := range k.list[:i] {
				if before.nth == c.nth {
					return name + "~" + strconv.Itoa(i)
				}
			}
		}
		return name
	}
	if group {
		return roleNames[isValue] + "~" + strconv.Itoa(int(g))
	}
	return p.plainName(ctx, i, uint32(c.child))
}

// plainName is the name of a token that is no value, key or the like.
func (p *part) plainName(ctx context.Context, i int, token uint32) string {
	x := p.t.x
	switch x.kinds[token] {
	case tkMark:
		return "mark~" + strconv.Itoa(i)
	case tkSpace:
		return "space~" + strconv.Itoa(i)
	case tkLineComment, tkBlockComment:
		return "comment~" + strconv.Itoa(i)
	case tkControl:
		c := string(rune(x.first(ctx, token)))
		if strings.Contains("{}[]<>$", c) {
			return c
		}
		return c + "~" + strconv.Itoa(i)
	}
	return "junk~" + strconv.Itoa(i)
}

// At implements model.Children.
func (p *part) At(ctx context.Context, i int64) model.Node {
	c := p.kids(ctx).list[i]
	name := p.name(ctx, int(i))
	if g, ok := c.child.group(); ok {
		return p.groupNode(ctx, name, g, c)
	}
	return p.tokenNode(ctx, name, uint32(c.child), c)
}

// sub is a group inside this one.
func (p *part) sub(name string, g uint32) *part {
	return &part{t: p.t, g: g, at: p.at.at(name), shape: p.shape}
}

// groupNode is the node of a group.
func (p *part) groupNode(ctx context.Context, name string, g uint32, c kid) model.Node {
	x := p.t.x
	s := p.sub(name, g)
	o := &x.groups[g]
	n := model.Node{Name: name, Spans: []model.Span{x.groupSpan(g)}, Children: s}
	switch o.kind {
	case gEntry:
		n.Type = typeText(o.typ)
		if o.typ == tUnknown {
			n.Type = "property"
		}
		s.twice = p.kids(ctx).names.repeats(int64(c.nth))
		v := p.t.groupValue(ctx, g, s.at)
		s.shape, s.owner = v.shape, v
		n.Value, n.Brief = v.short(ctx)
	case gItem:
		n.Type = typeText(o.typ)
		v := p.t.groupValue(ctx, g, s.at)
		s.shape, s.owner = v.shape, v
		n.Value, n.Brief = v.short(ctx)
	case gBlock:
		n.Type, n.Brief = "block", propertiesText(int64(o.count))
	case gShape:
		n.Type, n.Brief = "members", itemsText(int64(o.count))
		n.Help = "the members of the structs: a type each, and a name"
	case gHeader, gPrefix:
		n.Type, n.Help = "header", "what the brackets behind it hold"
	case gData:
		n.Type = "base64"
		s.owner = p.owner
	case gNumbers:
		n.Type, n.Help = o.typ.String(), o.typ.help()
		var ok bool
		if n.Value, ok = p.t.numbers(ctx, g); !ok {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleTextValues, n.Spans[0],
				"a %s has a wrong number of values", o.typ).Want(o.typ.numbers(), o.count))
		}
	case gInner:
		n.Type = "numbers"
	case gMembers:
		n.Type = tStruct.String()
	case gItems:
		n.Type, n.Brief = typeText(o.typ)+"[]", itemsText(int64(o.count))
	}
	n.Help = strings.TrimSuffix(x.lineText(ctx, n.Spans[0].Off)+": "+n.Help, ": ")
	return n
}

// tokenNode is the node of a token.
func (p *part) tokenNode(ctx context.Context, name string, token uint32, c kid) model.Node {
	x := p.t.x
	at := x.tokenSpan(token)
	n := model.Node{Name: name, Type: "token", Spans: []model.Span{at}}
	help := ""
	switch kind := x.kinds[token]; kind {
	case tkMark:
		n.Type, n.Role = "byte-order mark", model.Padding
	case tkSpace:
		n.Type, n.Role, n.Brief = "white space", model.Padding, spaceText(x.raw(ctx, token))
	case tkLineComment, tkBlockComment:
		n.Type, n.Role, n.Value = "comment", model.Padding, model.Text(x.raw(ctx, token))
	case tkControl:
		n.Type, n.Value = "character", model.Text(x.raw(ctx, token))
	case tkJunk:
		n.Type, n.Role, n.Value = "text", model.Unknown, model.Text(x.raw(ctx, token))
		help = "text that the grammar has no place for"
	case tkData:
		n.Type, n.Value = "base64", model.Blob{Span: at}
		p.decodeNode(&n, token)
	default:
		help = p.wordNode(ctx, &n, token, x.raw(ctx, token), c)
	}
	for _, f := range x.faultsAt(token) {
		text := &faultText[f.code]
		n.Problems = append(n.Problems, model.Problem{
			Rule: text.rule, Kind: text.kind, Span: at, Expected: text.expected, Found: x.found(ctx, f), Message: text.message,
		})
	}
	n.Help = strings.TrimSuffix(x.lineText(ctx, at.Off)+": "+help, ": ")
	return n
}

// foundText is as much of a text as a message holds.
func foundText(ctx context.Context, s string) string { return model.Show(ctx, model.Text(s), 60) }

func spaceText(s string) string {
	if lines := strings.Count(s, "\n"); lines > 0 {
		return model.Counted(int64(lines), "line end")
	}
	return model.Counted(int64(len(s)), "character")
}

// wordNode fills in the node of a word by what it is, and returns what is to be said of it.
func (p *part) wordNode(ctx context.Context, n *model.Node, token uint32, raw string, c kid) (help string) {
	x := p.t.x
	word := unquote(raw)
	n.Brief = raw
	n.Value = model.Text(word)
	o := &x.groups[p.g]
	t := tNil
	switch o.kind {
	case gEntry:
		switch c.nth {
		case isType:
			n.Type, help = "type", "the name of a type"
		case isKey:
			n.Type, help = "word", "the key of a property"
			if o.typ == tElement {
				help = "the name of a child element"
			}
			if p.twice {
				n.Problems = append(n.Problems, model.Problemf(model.Suspicious, ruleDuplicateKey, n.Spans[0],
					"an earlier entry of the block has the same key; the engine takes the last of them").Want("a key of its own", foundText(ctx, word)))
			}
		case isValue:
			t = o.typ
		}
	case gHeader, gPrefix:
		help = p.headerWord(ctx, n, word, c)
	case gShape:
		n.Type, help = "type", "the type of a member"
		if c.nth == isMemberName {
			n.Type, help = "word", "the name of a member"
		}
	case gNumbers, gInner:
		t = types[o.typ].scalar
	case gItems:
		t = o.typ
	case gMembers:
		if p.shape != nil && int(c.nth) < len(p.shape.types) {
			t = p.shape.types[c.nth]
		}
	}
	if t == tNil || !t.known() {
		return help
	}
	n.Type = t.String()
	value, issue := parseWord(t, word)
	if n.Value = value; n.Spans[0].Len > maxText {
		n.Value, n.Brief = model.Blob{Span: n.Spans[0]}, ""
	}
	if issue != nil {
		n.Problems = append(n.Problems, model.Problemf(model.Suspicious, issue.rule, n.Spans[0], "%s", issue.message).
			Want(t, foundText(ctx, raw)))
	}
	return t.help()
}

// headerWord fills in the node of a word in the header of an array or of data.
func (p *part) headerWord(ctx context.Context, n *model.Node, word string, c kid) (help string) {
	x := p.t.x
	switch c.nth {
	case isType:
		n.Type = "type"
		return "the type of the items"
	case isEncoding:
		n.Type = "word"
		if word != "base64" {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleTextEncoding, n.Spans[0],
				"the encoding of a UTF-8 text is not known").Want("base64", foundText(ctx, word)))
		}
		return "how the data is encoded"
	case isCount:
		n.Type = "uint32"
		value, issue := parseWord(tUint32, word)
		p.header(ctx, n, value, issue, word)
		if after := x.groups[p.g].after; issue == nil && p.t.next(p.g) == gItems {
			if items := x.groups[after].count; model.Uint(items) != value {
				n.Problems = append(n.Problems, model.Problemf(model.Suspicious, ruleTextHint, n.Spans[0],
					"the array has another number of items than its header says; the items count").Want(items, foundText(ctx, word)))
			}
		}
		return "how many items; only a hint"
	case isSize:
		n.Type = "uint64"
		value, issue := parseWord(tUint64, word)
		p.header(ctx, n, value, issue, word)
		if want, ok := p.itemsSize(ctx); ok && issue == nil && model.Uint(want) != value {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleTextSize, n.Spans[0],
				"the size of a compressed array is not that of its items").Want(want, foundText(ctx, word)))
		}
		return "bytes that the LZ4 block gives"
	}
	return ""
}

// header gives a node of a header its number.
func (p *part) header(ctx context.Context, n *model.Node, value model.Value, issue *wordIssue, word string) {
	n.Value = value
	if issue != nil {
		n.Problems = append(n.Problems, model.Problemf(model.Malformed, issue.rule, n.Spans[0], "%s", issue.message).
			Want("a number", foundText(ctx, word)))
	}
}

// itemsSize is the bytes of the packed items that a header counts.
func (p *part) itemsSize(ctx context.Context) (int64, bool) {
	if p.t.x.groups[p.g].kind != gHeader {
		return 0, false
	}
	h := p.t.header(ctx, p.g)
	if h.item.fixed() || h.shape != nil {
		return mul(uint64(max(h.count, 0)), strideOf(h.item, h.shape)), true
	}
	return 0, false
}
