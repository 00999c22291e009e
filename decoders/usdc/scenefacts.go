package usdc

import (
	"cmp"
	"context"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// mostNamed bounds how many names a fact lists: of prim types, layers, assets.
const mostNamed = 1000

// layerFacts are the facts that are in fields of the root.
var layerFacts = []struct{ key, title string }{
	{"defaultPrim", "Default prim"},
	{"upAxis", "Up axis"},
	{"metersPerUnit", "Metres per unit"},
	{"startTimeCode", "Start time"},
	{"endTimeCode", "End time"},
	{"timeCodesPerSecond", "Times per second"},
	{"framesPerSecond", "Frames per second"},
	{"subLayers", "Sublayers"},
}

// sceneFacts are what the scene says of itself; what it does not say is left out. With quick, they have no value.
func (c *crate) sceneFacts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	var facts []model.Fact
	if quick {
		for _, f := range layerFacts {
			facts = append(facts, model.Fact{Key: f.key, Title: f.title, Scan: true})
		}
	} else {
		said, err := c.rootValues(ctx, progress)
		if err != nil {
			return nil, err
		}
		for _, f := range layerFacts {
			if v := said[f.key]; v != nil {
				facts = append(facts, model.Fact{Key: f.key, Title: f.title, Value: v, Scan: true})
			}
		}
	}
	types := model.Fact{Key: "primTypes", Title: "Prims by type", Scan: true}
	var more []model.Fact
	if !quick {
		var err error
		if types.Value, err = c.primTypes(ctx, progress); err != nil {
			return nil, err
		}
		if more, err = c.usedFacts(ctx, progress); err != nil {
			return nil, err
		}
	}
	return append(append(facts, types), more...), nil
}

// rootValues are the values of the root's fields by their names.
func (c *crate) rootValues(ctx context.Context, progress model.Progress) (map[string]model.Value, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || x.paths.items() == 0 {
		return nil, err
	}
	said := map[string]model.Value{}
	fields := x.group(0)
	for i := range fields {
		n := x.fieldNode(ctx, fields, int64(i))
		switch v := n.Value.(type) {
		case model.Array:
			texts := make([]model.Value, min(v.Len(), mostNamed))
			read, err := v.Read(ctx, 0, texts)
			if err == nil {
				said[n.Name] = model.Seq(texts[:read])
			}
		default:
			said[n.Name] = v
		}
	}
	return said, ctx.Err()
}

// primTypes counts the prims of each type, the commonest first.
func (c *crate) primTypes(ctx context.Context, progress model.Progress) (model.Value, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return nil, err
	}
	const prim = 6
	names := newFieldNames(c, x.tokens.n)
	counts, typed := map[uint32]int64{}, map[uint32]uint32{} // by token; the token by field set
	for i, set := range x.specs.sets[:x.specs.count()] {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if x.specs.types[i] != prim {
			continue
		}
		token, known := typed[set]
		if !known {
			token = c.typeNameOf(ctx, x, names, set)
			typed[set] = token
		}
		counts[token]++
	}
	all := model.Seq{}
	type count struct {
		name string
		n    int64
	}
	var sorted []count
	for token, n := range counts {
		name, _ := c.token(ctx, token)
		sorted = append(sorted, count{name, n})
	}
	slices.SortFunc(sorted, func(a, b count) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	for _, t := range sorted[:min(len(sorted), mostNamed)] {
		all = append(all, model.Object{{Key: "type", Value: model.Text(t.name)}, {Key: "count", Value: model.Int(t.n)}})
	}
	return all, nil
}

// typeNameOf is the token of the type name that a field set has; none where it has none.
func (c *crate) typeNameOf(ctx context.Context, x *scene, names *fieldNames, set uint32) uint32 {
	for _, f := range x.sets.group(set) {
		if int64(f) >= x.field.n || names.of(ctx, x.field.names[f]) != knownFields["typeName"] {
			continue
		}
		if r, err := x.field.rep(ctx, int64(f)); err == nil && r.typ() == typeToken && c.placement(r) == placedInRep {
			return r.low()
		}
	}
	return none
}

// usedFacts are the files that a layer names, and what it has that not every version of the format has.
func (c *crate) usedFacts(ctx context.Context, progress model.Progress) ([]model.Fact, error) {
	scan, err := c.scanValues(ctx, progress)
	if err != nil {
		return nil, err
	}
	u := usedNames{c: c, pass: grammar.NewReading(ctx, grammar.Near), seen: map[usedName]bool{}}
	for i, t := range scan.tiles {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !t.gap() && t.off == t.r.payload() {
			u.value(ctx, c.normal(t.r))
		}
	}
	fields, err := c.fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	err = fields.reps(ctx, func(_ int64, r rep) {
		if r.typ() == typeAsset && c.placement(r) == placedInRep {
			text, err := c.token(ctx, r.low())
			u.name(&u.assets, text, err)
		}
	})
	if err != nil {
		return nil, err
	}
	var facts []model.Fact
	for _, f := range []struct {
		key, title string
		value      model.Seq
	}{{"references", "References", u.references}, {"payloads", "Payloads", u.payloads}, {"assets", "Assets", u.assets}} {
		if len(f.value) > 0 {
			facts = append(facts, model.Fact{Key: f.key, Title: f.title, Value: f.value, Scan: true})
		}
	}
	features, oldest := c.features(scan, u.spline)
	if len(features) > 0 {
		facts = append(facts, model.Fact{Key: "features", Title: "Features", Value: features, Scan: true})
	}
	return append(facts, model.Fact{Key: "oldestVersion", Title: "Oldest version that has them", Value: model.Text(oldest.String()), Scan: true}), nil
}

// used collects what a layer names.
type usedNames struct {
	c                            *crate
	pass                         *grammar.Reading
	references, payloads, assets model.Seq
	seen                         map[usedName]bool
	spline                       uint8 // the highest version of spline data
}

type usedName struct {
	list *model.Seq
	name string
}

func (u *usedNames) name(list *model.Seq, text string, err error) {
	if key := (usedName{list, text}); err == nil && text != "" && !u.seen[key] && len(*list) < mostNamed {
		u.seen[key] = true
		*list = append(*list, model.Text(text))
	}
}

// value takes what one value names.
func (u *usedNames) value(ctx context.Context, r rep) {
	list := map[valueType]*model.Seq{typeReferenceListOp: &u.references, typePayloadListOp: &u.payloads, typePayload: &u.payloads}[r.typ()]
	switch placed := u.c.placement(r); {
	case list != nil && placed == placedAt:
		u.c.leaves(u.pass, r, func(l *grammar.Leaf) bool {
			if l.Field != nil && l.Field.Name == "assetPath" {
				text, err := u.c.str(ctx, uint32(l.Bits))
				u.name(list, text, err)
			}
			return true
		})
	case r.typ() == typeAsset && placed == placedArray:
		t := u.c.stored(ctx, r)
		v := u.c.array(u.c.elementsOf(ctx, t))
		texts := make([]model.Value, min(v.Len(), mostNamed))
		n, _ := v.Read(ctx, 0, texts)
		for _, text := range texts[:n] {
			if text, ok := text.(model.Text); ok {
				u.name(&u.assets, string(text), nil)
			}
		}
	case r.typ() == typeSpline && placed == placedAt:
		var b [1]byte
		if _, err := u.c.src.ReadFull(ctx, b[:], r.payload()+8); err == nil {
			u.spline = max(u.spline, b[0]&0xF)
		}
	}
}

// features are the kinds of values that came with a version of the format (2), and the newest such version.
func (c *crate) features(scan *valueScan, spline uint8) (features model.Seq, oldest version) {
	oldest = version{patch: 1}
	add := func(there bool, name string, minor uint8) {
		if since := (version{0, minor, 0}); there {
			features = append(features, model.Object{{Key: "feature", Value: model.Text(name)}, {Key: "since", Value: model.Text(since.String())}})
			if oldest.minor < minor {
				oldest = since
			}
		}
	}
	has := func(t valueType) bool { return scan.facts[t] != nil }
	edits := false
	for _, f := range scan.facts {
		edits = edits || f != nil && f[placedEdit].reps > 0
	}
	add(has(typePayloadListOp), "lists of payloads", 8)
	add(has(typeTimeCode), "time codes", 9)
	add(has(typePathExpression), "path expressions", 10)
	add(has(typeRelocates), "relocates", 11)
	add(has(typeSpline), "splines", 12)
	add(spline == 2, "tangent algorithms", 13)
	add(edits, "array edits", 14)
	add(spline >= 3, "spline loop boundaries", 15)
	return features, oldest
}
