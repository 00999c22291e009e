package scene

import (
	"context"
	"encoding/binary"
	"hash/maphash"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// itemHashes are the hashes by model.Hashes of the path items, 8 bytes each. Items with problems, large ones and
// those nested too deeply have none, nor have those above them: their nodes are compared.
type itemHashes []uint64

// What is hashed at most.
const (
	mostHashed    = 64 << 10 // bytes of one value; larger ones are compared as they are
	deepestHashed = 32       // values in values
)

// hashes returns a function for the hash of child i, from the table of all items.
func (k *children) hashes(ctx context.Context, progress model.Progress) (func(i int64) uint64, error) {
	hashes, err := k.x.scene.hashes.Get(ctx, progress, k.x.hashItems)
	if err != nil {
		return nil, err
	}
	return func(i int64) uint64 {
		if i -= int64(len(k.fields)); i < 0 || i >= k.kids.Len() {
			return 0
		}
		return (*hashes)[k.kids.At(i)]
	}, nil
}

// hasher makes the hashes of a scene.
type hasher struct {
	x      *Index
	ctx    context.Context
	tokens []uint64 // of the text of each token, or 0 if it cannot be read
	fields []uint64 // of name and value of each field, or 0 if not known
	inside map[table.Rep]uint64
	// The parents, element tokens and sets of items or specs that are asked for in their order.
	parents, elements, sets, types *model.NumbersCursor
}

// hashItems visits the items from the last to the first: those below an item come after it.
func (x *Index) hashItems(ctx context.Context, progress model.Progress) (*itemHashes, error) {
	items := x.Paths.Items()
	hashes := make(itemHashes, items)
	h := &hasher{x: x, ctx: ctx, inside: map[table.Rep]uint64{}, parents: x.Paths.Parents.Cursor(),
		elements: x.Paths.Token.Cursor(), sets: x.Specs.Sets.Cursor(), types: x.Specs.Types.Cursor()}
	if err := h.hashTokens(); err != nil {
		return nil, err
	}
	if err := h.hashFields(progress); err != nil {
		return nil, err
	}
	unknown := make(table.Bitset, (items+63)/64)
	for item := int32(items) - 1; item >= 0; item-- {
		if item&(1<<16-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(items-int64(item), items, "comparing specs")
		}
		h.hashItem(hashes, unknown, item)
	}
	return &hashes, ctx.Err()
}

// hashItem completes the hash of an item, after all items below, and adds it to the hash of its parent.
func (h *hasher) hashItem(hashes itemHashes, unknown table.Bitset, item int32) {
	x := h.x
	parent := int32(h.parents.At(int64(item)))
	spec, has := x.spec(item)
	switch {
	case parent >= item:
		return // not how items are encoded
	case !has:
		hashes[item] = 0
		return // does not count, nor does what is below
	}
	sum := h.setHash(x.Sets.Group(h.sets.At(spec)))
	typ, name := h.types.At(spec), h.token(h.elements.At(int64(item)))
	if unknown.Has(item) || sum == 0 || name == 0 || table.SpecTypeName(typ) == "" || typ == 0 || item == 0 && len(x.stray) > 0 {
		hashes[item] = 0
		if parent >= 0 {
			unknown.Set(parent)
		}
		return
	}
	sum = mixHash(sum + hashes[item] + uint64(typ))
	if x.Paths.Property.Has(item) {
		name++
	}
	hashes[item] = mixHash(name^sum) + uint64(x.before(item))
	if parent >= 0 {
		hashes[parent] += hashes[item]
	}
}

// setHash returns the hash of a field set, whose order does not count, or 0 if it is not known.
func (h *hasher) setHash(set []uint32) uint64 {
	const many = 64
	sum := uint64(1)
	for i, f := range set {
		if int64(f) >= int64(len(h.fields)) || h.fields[f] == 0 || len(set) > many {
			return 0
		}
		for _, other := range set[:i] {
			if h.x.canonical(h.x.Fields.Names.At(int64(other))) == h.x.canonical(h.x.Fields.Names.At(int64(f))) {
				return 0 // distinguished by their order
			}
		}
		sum += h.fields[f]
	}
	return sum
}

// mixHash spreads the bits of a number (the finalizer of splitmix64); 0 becomes another.
func mixHash(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return max(x^x>>31, 1)
}

func (h *hasher) hashTokens() error {
	t := h.x.Tokens
	h.tokens = make([]uint64, t.Count)
	return t.EachText(h.ctx, func(i uint32, text []byte) {
		if len(text) < table.EachTextSize {
			h.tokens[i] = maphash.Bytes(model.ContentSeed, text) | 1
		} else if whole, err := t.Text(h.ctx, i); err == nil {
			h.tokens[i] = maphash.String(model.ContentSeed, whole+"\x00") | 1
		}
	})
}

// token returns the hash of a token's text, or 0 if it has none.
func (h *hasher) token(i uint32) uint64 {
	if int64(i) >= int64(len(h.tokens)) {
		return 0
	}
	return h.tokens[i]
}

// indexed returns the hash of the text that an index stands for, or 0 if there is none.
func (h *hasher) indexed(s table.Scalar, inArray bool, i uint32) uint64 {
	switch {
	case s == table.ScalarPath:
		text, err := h.x.crate.PathAt(h.ctx, i)
		if err != nil {
			return 0
		}
		return maphash.String(model.ContentSeed, text) | 1
	case s == table.ScalarToken, s == table.ScalarAsset && !inArray:
		return h.token(i)
	}
	token, err := h.x.Strings.Token(i)
	if err != nil {
		return 0
	}
	return h.token(token)
}

func (h *hasher) hashFields(progress model.Progress) error {
	f := h.x.Fields
	h.fields = make([]uint64, f.Count)
	err := f.EachRep(h.ctx, func(i int64, r table.Rep) {
		if i&(1<<16-1) == 0 {
			progress.Report(i, f.Count, "comparing fields")
		}
		if name, value := h.token(f.Names.At(i)), h.value(r, 0); name != 0 && value != 0 {
			h.fields[i] = mixHash(name ^ mixHash(value))
		}
	})
	if h.ctx.Err() != nil {
		return h.ctx.Err()
	}
	if err != nil {
		clear(h.fields) // what cannot be read is a problem of the nodes
	}
	return nil
}

// value returns the hash of a value, or 0 if it is not known.
func (h *hasher) value(r table.Rep, depth int) uint64 {
	r = h.x.crate.Normal(r)
	switch placed := r.Placement(); {
	case placed == table.PlacedInRep && r.Type().Info().Elem.Scalar >= table.ScalarString:
		text := h.indexed(r.Type().Info().Elem.Scalar, false, r.Low())
		if text == 0 {
			return 0
		}
		return mixHash(text ^ mixHash(uint64(r.Type())))
	case placed.InRep(), placed == table.PlacedArray && r.Payload() == 0:
		return mixHash(uint64(r))
	case placed == table.PlacedArray, placed == table.PlacedAt:
		if r.Payload() >= h.x.crate.Size || depth > deepestHashed {
			return 0
		}
		return h.unfolded(r, depth)
	}
	return 0
}

// unfolded returns the hash of a value that lies at an offset. Those that hold others are remembered, since they may share them.
func (h *hasher) unfolded(r table.Rep, depth int) uint64 {
	if !r.Unfolds() {
		return h.placed(r, depth)
	}
	if sum, known := h.inside[r]; known {
		return sum
	}
	h.inside[r] = 0 // of a value that contains itself
	sum := h.placed(r, depth)
	h.inside[r] = sum
	return sum
}

// placed returns the hash of the leaves of a value, with the texts of indexes and the values of reps.
func (h *hasher) placed(r table.Rep, depth int) uint64 {
	p := placedHash{hasher: h, elem: &r.Type().Info().Elem, inArray: r.Placement() == table.PlacedArray, good: true}
	p.sum.SetSeed(model.ContentSeed)
	p.number(uint64(r &^ table.PayloadBits))
	pass := grammar.Borrow(h.ctx)
	problems := h.x.values.Leaves(pass, r, func(l *grammar.Leaf) bool {
		p.leaf(l)
		return p.good
	})
	pass.Return()
	for _, inner := range p.inner {
		if !p.good {
			break
		}
		sum := h.value(inner, depth+1)
		p.number(sum)
		p.good = sum != 0
	}
	if len(problems) > 0 || !p.good {
		return 0
	}
	return p.sum.Sum64() | 1
}

// placedHash is the hash of a value that is being made.
type placedHash struct {
	*hasher
	elem    *table.Elem
	inArray bool
	sum     maphash.Hash
	size    int64       // bytes so far
	inner   []table.Rep // of the values inside
	good    bool
}

func (p *placedHash) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	p.sum.Write(b[:])
}

// text adds the text of an index.
func (p *placedHash) text(s table.Scalar, inArray bool, i uint32) {
	sum := p.indexed(s, inArray, i)
	p.number(sum)
	p.good = p.good && sum != 0
}

func (p *placedHash) leaf(l *grammar.Leaf) {
	if p.size += l.Len; p.size > mostHashed || l.Field == nil {
		p.good = false
		return
	}
	at := p.x.crate.Src.Span(l.Off, l.Len)
	var err error
	switch to := l.Field.Entries; {
	case l.Field.Of == value.Jump: // where something is
	case to == "strings":
		p.text(table.ScalarString, false, uint32(l.Bits))
	case to == "paths":
		p.text(table.ScalarPath, false, uint32(l.Bits))
	case to == "values" && l.Field.Repeat == nil:
		p.inner = append(p.inner, table.Rep(l.Bits))
	case to == "values":
		err = table.EachRecord(p.ctx, at.Source, l.Off, table.RepSize, l.Len/table.RepSize, func(_ int64, b []byte) { p.inner = append(p.inner, table.RepOf(b)) })
	case value.IsOfType(l.Field) && p.elem.Scalar >= table.ScalarString:
		err = table.EachRecord(p.ctx, at.Source, l.Off, 4, l.Len/4, func(_ int64, b []byte) {
			p.text(p.elem.Scalar, p.inArray, binary.LittleEndian.Uint32(b))
		})
	default:
		err = table.EachRun(p.ctx, at, 1, func(_ int64, b []byte) bool {
			p.sum.Write(b)
			return true
		})
	}
	p.good = p.good && err == nil
}
