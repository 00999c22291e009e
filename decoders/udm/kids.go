package udm

import (
	"context"
	"sort"

	"cutaway/model"
)

// kid is a child of a group. In lists and blocks nth counts the values or entries before it, elsewhere it says what
// the child is.
type kid struct {
	child child
	nth   uint32
}

// What the children of other groups are.
const (
	isPlain uint32 = iota // a gap or a bracket
	isType
	isShape
	isKey
	isValue
	isHeader
	isItems
	isData
	isBlock
	isCount
	isSize
	isEncoding
	isMemberName
	isBase64
)

var roleNames = [...]string{
	isType: "type", isShape: "shape", isKey: "key", isValue: "value", isHeader: "header", isItems: "items",
	isData: "data", isBlock: "block", isCount: "count", isSize: "uncompressedSize", isEncoding: "encoding",
	isMemberName: "name", isBase64: "base64",
}

// kids is the children of a group.
type kids struct {
	list  []kid
	names *names // of the entries of a block
	n     int64  // values or entries
}

// fewTokens is up to how many tokens of a group its children are listed as quickly as found.
const fewTokens = 32

// kids lists the children of a group, with what they are.
func (t *text) kids(ctx context.Context, g uint32) *kids {
	if t.x.groups[g].end-t.x.groups[g].first <= fewTokens {
		return t.listKids(ctx, g) // as quickly as found
	}
	k, _ := t.recent.Get(ctx, g, func(ctx context.Context) (*kids, error) { return t.listKids(ctx, g), nil })
	return k
}

// lists tells whether a group's values are named by their number or key.
func (k groupKind) lists() bool {
	switch k {
	case gFile, gBlock, gNumbers, gInner, gMembers, gItems:
		return true
	}
	return false
}

func (t *text) listKids(ctx context.Context, g uint32) *kids {
	x := t.x
	children := x.children(g)
	k := &kids{list: make([]kid, len(children))}
	kind := x.groups[g].kind
	var entries []uint32
	words := 0
	for i, c := range children {
		k.list[i].child = c
		sub, group := c.group()
		if !kind.lists() {
			k.list[i].nth = t.role(ctx, g, c, &words)
			continue
		}
		k.list[i].nth = uint32(k.n)
		if group && kind != gFile && kind != gBlock || !group && (x.kinds[c] == tkBare || x.kinds[c] == tkQuoted) {
			k.n++
		} else if group {
			entries = append(entries, sub)
			k.n++
		}
	}
	if kind == gFile || kind == gBlock {
		k.names, _ = newNames(ctx, k.n, func(ctx context.Context, i int64) string { return t.key(ctx, entries[i]) })
	}
	if kind == gItems && x.groups[g].typ == tNil {
		k.n = int64(x.groups[g].count)
	}
	return k
}

// role says what a child of a group that is no list is. words counts the words before it.
func (t *text) role(ctx context.Context, g uint32, c child, words *int) uint32 {
	x := t.x
	if sub, ok := c.group(); ok {
		switch x.groups[sub].kind {
		case gShape:
			return isShape
		case gHeader, gPrefix:
			return isHeader
		case gItems:
			return isItems
		case gData:
			return isData
		case gBlock:
			return isBlock
		}
		return isValue
	}
	i := uint32(c)
	switch x.kinds[i] {
	case tkData:
		return isBase64
	case tkBare, tkQuoted:
	default:
		return isPlain
	}
	*words++
	owner := &x.groups[g]
	switch owner.kind {
	case gEntry:
		before := *words - 1
		switch {
		case !x.control(ctx, owner.first, '$'):
			return isKey
		case i == owner.first+1:
			return isType
		case x.kinds[owner.first+1] == tkBare:
			before-- // the type
		}
		if before == 0 {
			return isKey
		}
		return isValue
	case gHeader:
		switch {
		case *words == 1:
			return isType
		case *words == 2:
			return isCount
		}
		return isSize
	case gPrefix:
		if owner.typ == tUTF8 {
			return isEncoding
		}
		return isSize
	case gShape:
		for k := i; k > owner.first; k-- {
			if x.kinds[k-1].gap() {
				continue
			}
			if x.control(ctx, k-1, ':') {
				return isMemberName
			}
			break
		}
		return isType
	}
	return isPlain
}

// next is the kind of the group behind g.
func (t *text) next(g uint32) groupKind {
	if after := t.x.groups[g].after; after < uint32(len(t.x.groups)) {
		return t.x.groups[after].kind
	}
	return gFile
}

// key is the key of an entry; "" where it has none.
func (t *text) key(ctx context.Context, g uint32) string {
	x := t.x
	first := x.groups[g].first
	if !x.control(ctx, first, '$') {
		return x.word(ctx, first)
	}
	for _, c := range x.children(g) {
		if _, group := c.group(); !group && uint32(c) > first+1 && (x.kinds[c] == tkBare || x.kinds[c] == tkQuoted) {
			return x.word(ctx, uint32(c))
		}
	}
	return ""
}

// at is the child that is value or entry nth.
func (k *kids) at(t *text, nth int64) (int, bool) {
	i := sort.Search(len(k.list), func(i int) bool { return int64(k.list[i].nth) >= nth })
	for ; i < len(k.list) && int64(k.list[i].nth) == nth; i++ {
		if t.isNth(k.list[i].child) {
			return i, true
		}
	}
	return 0, false
}

// over is the number of the value or entry that has a byte, keywords and all.
func (k *kids) over(t *text, src *model.Source, off int64) (int64, bool) {
	i := sort.Search(len(k.list), func(i int) bool { return t.x.childSpan(k.list[i].child).Off > off }) - 1
	if i < 0 || !t.isNth(k.list[i].child) || !t.x.childSpan(k.list[i].child).Covers(src, off) {
		return 0, false
	}
	return int64(k.list[i].nth), int64(k.list[i].nth) < k.n
}

// isNth tells whether a child of a list is a value or an entry.
func (t *text) isNth(c child) bool {
	if _, ok := c.group(); ok {
		return true
	}
	return t.x.kinds[c] == tkBare || t.x.kinds[c] == tkQuoted
}

// with is the first child of a group, which is no list, that is this.
func (k *kids) with(role uint32) (child, bool) {
	for _, c := range k.list {
		if c.nth == role {
			return c.child, true
		}
	}
	return 0, false
}
