package usdc

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// sceneFacts returns the facts that the scene states; others are left out. With quick, they have no value.
func (c *crate) sceneFacts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	if quick {
		return usda.Unscanned(), nil
	}
	facts := usda.NewFacts()
	if err := c.rootFields(ctx, facts, progress); err != nil {
		return nil, err
	}
	if err := c.primTypes(ctx, facts, progress); err != nil {
		return nil, err
	}
	features, err := c.used(ctx, facts, progress)
	return append(facts.All(), features...), err
}

// rootFields takes the fields of the root.
func (c *crate) rootFields(ctx context.Context, facts *usda.Facts, progress model.Progress) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || x.paths.items() == 0 {
		return err
	}
	fields := x.group(0)
	for i := range fields {
		n := x.fieldNode(ctx, fields, int64(i))
		facts.Root(ctx, &n)
	}
	return ctx.Err()
}

// primTypes counts the prims of each type.
func (c *crate) primTypes(ctx context.Context, facts *usda.Facts, progress model.Progress) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	const prim = 6
	names := x.fieldsNamed("typeName")
	counts, typed := map[uint32]int64{}, map[uint32]uint32{} // by token; the token by field set
	for i, set := range x.specs.sets.Slice(0, x.specs.count()).All() {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if x.specs.types.At(i) != prim {
			continue
		}
		token, known := typed[set]
		if !known {
			token = x.typeNameOf(ctx, names, set)
			typed[set] = token
		}
		counts[token]++
	}
	for token, n := range counts {
		name, _ := c.token(ctx, token)
		facts.Types[name] += n
	}
	return nil
}

// typeNameOf is the token of the type name that a field set has; none where it has none.
func (x *scene) typeNameOf(ctx context.Context, names *namedFields, set uint32) uint32 {
	for _, f := range x.sets.group(set) {
		if !names.has(ctx, f) {
			continue
		}
		if r, err := x.fields.rep(ctx, int64(f)); err == nil && r.typ() == typeToken && r.placement() == placedInRep {
			return r.low()
		}
	}
	return none
}

// used takes the files that a layer names. It returns what the layer has that not every version of the format has.
func (c *crate) used(ctx context.Context, facts *usda.Facts, progress model.Progress) ([]model.Fact, error) {
	scan, err := c.scanValues(ctx, progress)
	if err != nil {
		return nil, err
	}
	u := usedNames{c: c, pass: grammar.NewReading(ctx, grammar.Near), facts: facts}
	if err := u.values(ctx, scan); err != nil {
		return nil, err
	}
	fields, err := c.fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	err = fields.reps(ctx, func(_ int64, r rep) {
		if r.typ() == typeAsset && r.placement() == placedInRep {
			if path, err := c.token(ctx, r.low()); err == nil {
				facts.Asset(path)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	features, oldest := c.features(scan, u.spline)
	var since []model.Fact
	if len(features) > 0 {
		since = append(since, model.Fact{Key: "features", Title: "Features", Value: features, Scan: true})
	}
	return append(since, model.Fact{Key: "oldestVersion", Title: "Oldest version that has all in it", Value: model.Text(oldest.String()), Scan: true}), nil
}

// usedNames collects what the values of a layer name.
type usedNames struct {
	c      *crate
	pass   *grammar.Reading
	facts  *usda.Facts
	spline uint8 // the highest version of spline data
}

// values takes what the values of a layer name.
func (u *usedNames) values(ctx context.Context, scan *valueScan) error {
	for i, t := range scan.tiles {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if t.begins() {
			u.value(ctx, u.c.normal(t.r))
		}
	}
	return nil
}

// value takes what one value names.
func (u *usedNames) value(ctx context.Context, r rep) {
	take := map[valueType]func(string){typeReferenceListOp: u.facts.Reference, typePayloadListOp: u.facts.Payload, typePayload: u.facts.Payload}[r.typ()]
	switch placed := r.placement(); {
	case take != nil && placed == placedAt:
		u.c.leaves(u.pass, r, func(l *grammar.Leaf) bool {
			if l.Field != nil && l.Field.Name == "assetPath" {
				if path, err := u.c.str(ctx, uint32(l.Bits)); err == nil {
					take(path)
				}
			}
			return true
		})
	case r.typ() == typeAsset && placed == placedArray:
		u.facts.Assets(ctx, u.c.arrayOf(ctx, r))
	case r.typ() == typeSpline && placed == placedAt:
		u.spline = max(u.spline, u.c.splineVersion(ctx, r))
	}
}

// features are the kinds of values that came with a version of the format (2), and the newest such version.
func (c *crate) features(scan *valueScan, spline uint8) (features model.Seq, oldest version) {
	oldest = version{patch: 1}
	add := func(there bool, name string, minor uint8) {
		if since := (version{minor: minor}); there {
			features = append(features, model.Object{{Key: "feature", Value: model.Text(name)}, {Key: "since", Value: model.Text(since.String())}})
			if oldest.minor < minor {
				oldest = since
			}
		}
	}
	has := scan.has
	add(has(typePayloadListOp), "lists of payloads", 8)
	add(has(typeTimeCode), "time codes", 9)
	add(has(typePathExpression), "path expressions", 10)
	add(has(typeRelocates), "relocates", 11)
	add(has(typeSpline), "splines", 12)
	add(spline == 2, "tangent algorithms", 13)
	add(scan.hasEdits(), "array edits", 14)
	add(spline >= 3, "spline loop boundaries", 15)
	add(has(typeDuration) || spline >= 4, "durations", 16)
	return features, oldest
}

// namedFields finds the fields of one name.
type namedFields struct {
	x     *scene
	name  string
	known []uint8 // by token: 0 not looked at, 1 another name, 2 the name
}

func (x *scene) fieldsNamed(name string) *namedFields {
	return &namedFields{x, name, make([]uint8, x.tokens.n)}
}

// has reports whether a field exists and has the name.
func (f *namedFields) has(ctx context.Context, field uint32) bool {
	if int64(field) >= f.x.fields.n {
		return false
	}
	token := f.x.fields.names.At(int64(field))
	if int64(token) >= int64(len(f.known)) {
		return false
	}
	if f.known[token] == 0 {
		f.known[token] = 1
		if text, err := f.x.crate.token(ctx, token); err == nil && text == f.name {
			f.known[token] = 2
		}
	}
	return f.known[token] == 2
}
