package scene

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/usda/data"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// Dull returns a function that reports whether nothing in child i of a spec's children, or below, can break a rule of data. It
// returns nil if nothing in the scene can. It reads tables alone, so that a check makes few nodes of millions of specs.
func (s *Scene) Dull(ctx context.Context, progress model.Progress) (func(c model.Children, i int64) bool, error) {
	x, err := s.crate.Tables(ctx, progress)
	if err != nil {
		return nil, err
	}
	d := &dullness{Tables: x, crate: s.crate, lively: make(table.Bitset, x.Paths.Items()/64+1), differ: map[[2]uint32]bool{}}
	if err := d.classify(ctx); err != nil || !d.any {
		return nil, err
	}
	if err := d.mark(ctx, progress); err != nil || !d.found {
		return nil, err
	}
	return d.dull, nil
}

// A dullness finds the specs that rules of data are about.
type dullness struct {
	*table.Tables
	crate  *table.Crate
	lively table.Bitset          // items, and those above them
	found  bool                  // there are some
	any    bool                  // there may be some
	names  []data.Interest       // of tokens, as names of properties
	fields []role                // of fields
	types  map[uint32]uint32     // tokens of the types that fields say
	differ map[[2]uint32]bool    // names and types of attributes, by their tokens
	assets map[uint32]bool       // tokens of types of assets
	odd    map[uint32]bool       // tokens of types of prims that the standard advises against
	text   func(i uint32) string // text of a token
}

// A role is that of a field for the rules.
type role uint8

const (
	noRole role = iota
	isJudged
	saysType
	isDefault
	isSampled
)

// classify finds the roles of fields and the interests in tokens.
func (d *dullness) classify(ctx context.Context) error {
	x := d.Tables
	d.text = func(i uint32) string {
		text, _ := d.crate.TokenAt(ctx, i) // a lost token is reported at its place
		return text
	}
	d.names, d.assets, d.types = make([]data.Interest, x.Tokens.Count), map[uint32]bool{}, map[uint32]uint32{}
	d.odd = map[uint32]bool{}
	roles := map[uint32]role{}
	for i := range x.Tokens.Count {
		text := d.text(uint32(i))
		d.names[i] = data.InterestIn(text)
		if r := roleOf(text); r != noRole {
			roles[uint32(i)] = r
		}
		if text == "asset" || text == "asset[]" {
			d.assets[uint32(i)] = true
		}
		d.any = d.any || d.names[i] != data.Dull || roles[uint32(i)] == isJudged || d.assets[uint32(i)]
		if i&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	d.fields = make([]role, x.Fields.Count)
	for i, name := range x.Fields.Names.Slice(0, x.Fields.Count).All() {
		if d.fields[i] = roles[name]; d.fields[i] != saysType {
			continue
		}
		if r, err := x.Fields.Rep(ctx, i); err == nil && r.Placement().InRep() {
			token := uint32(r.Payload())
			d.types[uint32(i)] = token
			if !data.IsPlainType(d.text(token)) {
				d.odd[token], d.any = true, true
			}
		}
	}
	return ctx.Err()
}

// roleOf returns the role of fields of a name.
func roleOf(field string) role {
	switch field {
	case "typeName":
		return saysType
	case "default":
		return isDefault
	case "timeSamples":
		return isSampled
	}
	if data.IsJudged(field) {
		return isJudged
	}
	return noRole
}

// mark marks the items whose specs may break a rule, and those above them.
func (d *dullness) mark(ctx context.Context, progress model.Progress) error {
	x := d.Tables
	sets := x.Specs.Sets.Cursor()
	for i, path := range x.Specs.Paths.Slice(0, x.Specs.Count()).All() {
		if i&0xffff == 0 {
			progress.Report(i, x.Specs.Count(), "looking for data to check")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		item, ok := x.Paths.ItemOf(path)
		if !ok || !d.isLively(ctx, item, x.Sets.Group(sets.At(i))) {
			continue
		}
		d.found = true
		for ; item >= 0 && !d.lively.Has(item); item = x.Paths.Parent(item) {
			d.lively.Set(item)
		}
	}
	return nil
}

// isLively reports whether a spec with fields may break a rule.
func (d *dullness) isLively(ctx context.Context, item int32, fields []uint32) bool {
	typ, value, sampled := uint32(table.None), int64(-1), false
	for _, f := range fields {
		if int64(f) >= int64(len(d.fields)) {
			continue
		}
		switch d.fields[f] {
		case isJudged:
			return true
		case saysType:
			if token, is := d.types[f]; is {
				typ = token
			}
		case isDefault:
			value = int64(f)
		case isSampled:
			sampled = true
		}
	}
	name := d.Paths.Token.At(int64(item))
	if !d.Paths.Property.Has(item) {
		return d.odd[typ]
	}
	if int64(name) >= int64(len(d.names)) {
		return false
	}
	switch d.names[name] {
	case data.Counted:
		return true
	case data.Finite:
		return sampled || !d.finite(ctx, value)
	case data.Typed:
		if d.mayDiffer(name, typ) {
			return true
		}
	}
	return d.assets[typ]
}

// mayDiffer reports whether an attribute may be of another type than a schema's.
func (d *dullness) mayDiffer(name, typ uint32) bool {
	key := [2]uint32{name, typ}
	differs, known := d.differ[key]
	if !known {
		differs = typ != table.None && data.MayDiffer(d.text(name), d.text(typ))
		d.differ[key] = differs
	}
	return differs
}

// finite reports whether the numbers of a field, one that is no array, are known to be finite.
func (d *dullness) finite(ctx context.Context, field int64) bool {
	if field < 0 {
		return true
	}
	r, err := d.Fields.Rep(ctx, field)
	if err != nil {
		return false
	}
	elem := r.Type().Info().Elem
	kind, is := floats[elem.Scalar]
	var room [128]byte
	switch r.Placement() {
	case table.PlacedSmall:
		return true // of whole numbers
	case table.PlacedInRep:
		binary.LittleEndian.PutUint32(room[:], r.Low())
		return !is || data.NotFinite(kind, room[:kind.Size()]) < 0
	case table.PlacedAt:
		b := room[:min(elem.Size(), int64(len(room)))]
		if _, err := d.crate.Src.ReadFull(ctx, b, r.Payload()); is && err == nil {
			return data.NotFinite(kind, b) < 0
		}
	}
	return false
}

// floats are the components that may not be finite.
var floats = map[table.Scalar]model.NumberKind{table.ScalarF16: model.NumberF16, table.ScalarF32: model.NumberF32, table.ScalarF64: model.NumberF64}

// dull reports whether neither child i nor what is below can break a rule. Fields are never dull.
func (d *dullness) dull(c model.Children, i int64) bool {
	k, is := c.(*children)
	if !is {
		return false
	}
	kid := i - int64(len(k.fields))
	return kid >= 0 && kid < k.kids.Len() && !d.lively.Has(int32(k.kids.At(kid)))
}
