package udm

import (
	"context"
	"fmt"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/source"
)

// textValue is a value in the ASCII form: of a property, a child element or an item. Of its parts, those that it has are
// set; group 0 is the file, which is part of no value.
type textValue struct {
	t                                              *text
	typ                                            types.ID
	group                                          uint32    // the entry or item, where that is one
	at                                             *nodePath // of the entry or item
	word                                           int64     // the token of a scalar, or -1 if there is none
	keyword                                        int64     // the token of the key, or -1 if there is none
	header, items, data, block, numbers, structure uint32    // groups
	shape                                          *shape
	file                                           bool // it is the whole text
	inList                                         bool // an element that is an item: its block is the item
}

// groupValue is the value of an entry or of an item that is a group.
func (t *text) groupValue(ctx context.Context, g uint32, at *nodePath) *textValue {
	v := &textValue{t: t, typ: t.x.Group(g).Typ, group: g, at: at, word: -1, keyword: -1}
	switch t.x.Group(g).Kind {
	case ascii.GroupNumbers, ascii.GroupMembers, ascii.GroupBlock:
		v.addGroup(ctx, g)
		return v
	}
	for w := t.x.Walk(g); ; {
		c, _, ok := w.Next()
		if !ok {
			return v
		}
		sub, group := c.Group()
		switch {
		case group:
			v.addGroup(ctx, sub)
		case t.x.Kind(uint32(c)) == ascii.TokenKey:
			v.keyword = int64(c)
		case t.x.Kind(uint32(c)) == ascii.TokenValue:
			v.word = int64(c)
		}
	}
}

// addGroup adds a group to the value.
func (v *textValue) addGroup(ctx context.Context, g uint32) {
	switch v.t.x.Group(g).Kind {
	case ascii.GroupNumbers:
		v.numbers = g
	case ascii.GroupMembers:
		v.typ, v.structure = types.Struct, g
	case ascii.GroupHeader:
		v.header, v.shape = g, v.t.header(ctx, g).shape
	case ascii.GroupPrefix:
		v.header = g
	case ascii.GroupItems:
		v.items = g
	case ascii.GroupData:
		v.data = g
	case ascii.GroupBlock:
		v.block = g
	case ascii.GroupShape:
		v.shape = v.t.shape(ctx, g)
	}
}

// wordValue is the value of an item that is a word.
func (t *text) wordValue(typ types.ID, token uint32, at *nodePath) *textValue {
	return &textValue{t: t, typ: typ, at: at, word: int64(token), keyword: -1}
}

// shape is the shape that a group of members says; nil where it has no meaning.
func (t *text) shape(ctx context.Context, g uint32) *shape {
	var of []types.ID
	var keys []string
	for i := t.x.Group(g).First; i < t.x.Group(g).End; i++ {
		switch t.x.Kind(i) {
		case ascii.TokenType:
			typ := types.Named(t.x.Text(ctx, i))
			if !typ.Fixed() {
				return nil
			}
			of, keys = append(of, typ), append(keys, "")
		case ascii.TokenMemberName:
			keys[len(keys)-1] = t.x.Text(ctx, i)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return newShape(of, keys)
}

// A header is the parsed header of an array or of data.
type header struct {
	item  types.ID
	shape *shape
	count int64 // -1: it does not say
	size  uint64
}

func (t *text) header(ctx context.Context, g uint32) header {
	h := header{item: t.x.Group(g).Typ, count: -1}
	for w := t.x.Walk(g); ; {
		c, _, ok := w.Next()
		if !ok {
			return h
		}
		if sub, group := c.Group(); group {
			h.shape = t.shape(ctx, sub)
			continue
		}
		switch t.x.Kind(uint32(c)) {
		case ascii.TokenCount:
			h.count = int64(t.number(ctx, c))
		case ascii.TokenSize:
			h.size = t.number(ctx, c)
		}
	}
}

// number is the number that a token says; 0 where it is none.
func (t *text) number(ctx context.Context, c ascii.Child) uint64 {
	v, _ := ascii.ParseWord(types.Uint64, t.x.Text(ctx, uint32(c)))
	u, _ := v.(model.Uint)
	return uint64(u)
}

// numbers is the value of a list of numbers; ok is false where it has too few or too many.
func (t *text) numbers(ctx context.Context, g uint32) (v model.Value, ok bool) {
	o := t.x.Group(g)
	var list []model.Value
	scalar := types.Table[o.Typ].Scalar
	for i := o.First; i < o.End && len(list) <= o.Typ.Numbers(); i++ {
		if t.x.Kind(i) == ascii.TokenValue {
			n, _ := ascii.ParseWord(scalar, t.x.Text(ctx, i))
			list = append(list, n)
		}
	}
	return ascii.TupleOf(o.Typ, list)
}

// short returns the value of the node, or a few words.
func (v *textValue) short(ctx context.Context) (model.Value, string) {
	x := v.t.x
	switch {
	case v.word >= 0:
		if at := x.TokenSpan(uint32(v.word)); at.Len > ascii.MaxText {
			return model.Blob{Span: at}, ""
		}
		value, _ := ascii.ParseWord(v.typ, x.Text(ctx, uint32(v.word)))
		return value, ""
	case v.numbers > 0:
		value, _ := v.t.numbers(ctx, v.numbers)
		return value, ""
	case v.structure > 0:
		return v.t.members(ctx, v.structure, v.shape), ""
	case v.block > 0:
		return nil, propertiesText(int64(x.Group(v.block).Count))
	case v.header > 0 && x.Group(v.header).Kind == ascii.GroupHeader:
		typ, count := v.itemCount(ctx)
		return nil, briefOf(types.Text(typ), count)
	case v.typ == types.Nil:
		return model.None{}, ""
	}
	return nil, ""
}

// briefOf counts the items of an array.
func briefOf(typ string, count int64) string { return fmt.Sprintf("%d × %s", count, typ) }

// propertiesText counts the children of an element.
func propertiesText(count int64) string {
	switch count {
	case 0:
		return "empty"
	case 1:
		return "1 property"
	}
	return fmt.Sprintf("%d properties", count)
}

// itemCount is the type of the items of an array and how many there are.
func (v *textValue) itemCount(ctx context.Context) (types.ID, int64) {
	h := v.t.header(ctx, v.header)
	if v.items > 0 {
		return h.item, int64(v.t.x.Group(v.items).Count)
	}
	return h.item, max(h.count, 0)
}

// members is the value of the members of a struct.
func (t *text) members(ctx context.Context, g uint32, s *shape) model.Value {
	var tuple model.Tuple
	t.x.EachValue(g, func(nth int, c ascii.Child) { tuple = append(tuple, t.memberValue(ctx, c, nth, s)) })
	return tuple
}

// memberValue is the value of member i of a struct.
func (t *text) memberValue(ctx context.Context, c ascii.Child, i int, s *shape) model.Value {
	if sub, ok := c.Group(); ok {
		v, _ := t.numbers(ctx, sub)
		return v
	}
	typ := types.String
	if s != nil && i < len(s.types) {
		typ = s.types[i]
	}
	v, _ := ascii.ParseWord(typ, t.x.Text(ctx, uint32(c)))
	return v
}

// decodeNode offers what base64 data gives.
func (p *textNodes) decodeNode(n *model.Node, token uint32) {
	v := p.owner
	if v == nil {
		return
	}
	at := p.at.child(ascii.TokenNames[ascii.TokenBase64])
	in := p.t.x.TokenSpan(token)
	n.Derived = []*model.Derivation{{Name: decodedName, Title: v.at.name, Codec: "base64",
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			src, problems, err := v.decode(ctx, at, in)
			if err != nil {
				return nil, model.Node{}, err
			}
			root := model.Node{Name: decodedName, Type: "bytes", Spans: []model.Span{src.Whole()}, Problems: problems, Help: "what the base64 data gives"}
			if src.Size() > 0 {
				root.Children = model.NewList(v.decodedNode(ctx, src))
			}
			return src, root, nil
		}}}
}

// decode makes the source with the decoded base64 data of the value.
func (v *textValue) decode(ctx context.Context, at *nodePath, in model.Span) (*model.Source, []model.Problem, error) {
	return v.t.d.derived.Get(ctx, at.String(), decodedName, func() (*model.Source, []model.Problem, error) {
		b, err := measureBase64(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		var problems []model.Problem
		if p := b.problem(ctx); p != nil {
			problems = append(problems, *p)
		}
		return b.source(at.String(), v.at.name), problems, nil
	})
}

// blockName is the name of the leaf of an LZ4 block in decoded base64 data.
const blockName = "block"

// decodedNode returns the one leaf of decoded base64 data.
func (v *textValue) decodedNode(ctx context.Context, src *model.Source) model.Node {
	at := src.Whole()
	n := model.Node{Name: "bytes", Type: "bytes", Value: model.Blob{Span: at}, Spans: []model.Span{at}}
	switch v.typ {
	case types.UTF8:
		n.Name, n.Type = "text", "text"
		if at.Len <= ascii.MaxText {
			if b, err := src.Bytes(ctx, 0, at.Len); err == nil {
				n.Value = model.Text(b)
			}
		}
	case types.LZ4, types.Array, types.ArrayLZ4:
		b := v.lz4(ctx, src)
		n.Name, n.Type, n.Help = blockName, "LZ4 block", "one raw LZ4 block: no frame, no checksum"
		n.Brief = fmt.Sprintf("gives %d bytes", b.want)
		if b.want > source.MaxLZ4Output(at.Len) || at.Len == 0 && b.want > 0 {
			n.Problems = []model.Problem{model.Problemf(model.Malformed, ruleLZ4Size, at,
				"%d bytes are to come out of an LZ4 block of %d, which cannot give so many", b.want, at.Len).WantAtMost(255*at.Len, b.want)}
		}
		if b.want > 0 {
			n.Derived = []*model.Derivation{b.derivation()}
		}
	}
	return n
}

// lz4 is the LZ4 block that fills a decoded source.
func (v *textValue) lz4(ctx context.Context, src *model.Source) *block {
	b := &block{d: v.t.d, owner: src.LayoutPath() + "/" + blockName, title: v.at.name, in: src.Whole()}
	if v.header == 0 {
		return b
	}
	h := v.t.header(ctx, v.header)
	if b.want = clamp(h.size); v.typ != types.LZ4 {
		b.array = &content{item: h.item, count: max(h.count, 0), shape: h.shape}
	}
	return b
}
