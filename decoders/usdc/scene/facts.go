package scene

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// Facts returns the facts that the scene states; others are left out. With quick, they have no value.
func (s *Scene) Facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	if quick {
		return usda.Unscanned(), nil
	}
	facts := usda.NewFacts()
	if err := s.rootFields(ctx, facts, progress); err != nil {
		return nil, err
	}
	if err := s.primTypes(ctx, facts, progress); err != nil {
		return nil, err
	}
	features, err := s.used(ctx, facts, progress)
	return append(facts.All(), features...), err
}

// rootFields takes the fields of the root.
func (s *Scene) rootFields(ctx context.Context, facts *usda.Facts, progress model.Progress) error {
	x, err := s.Index(ctx, progress)
	if err != nil || x.Paths.Items() == 0 {
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
func (s *Scene) primTypes(ctx context.Context, facts *usda.Facts, progress model.Progress) error {
	x, err := s.Index(ctx, progress)
	if err != nil {
		return err
	}
	const prim = 6
	names := x.fieldsNamed("typeName")
	counts, typed := map[uint32]int64{}, map[uint32]uint32{} // by token; the token by field set
	for i, set := range x.Specs.Sets.Slice(0, x.Specs.Count()).All() {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if x.Specs.Types.At(i) != prim {
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
		name, _ := s.crate.TokenAt(ctx, token)
		facts.Types[name] += n
	}
	return nil
}

// typeNameOf returns the token of the type name that a field set has; none where it has none.
func (x *Index) typeNameOf(ctx context.Context, names *namedFields, set uint32) uint32 {
	for _, f := range x.Sets.Group(set) {
		if !names.includes(ctx, f) {
			continue
		}
		if r, err := x.Fields.Rep(ctx, int64(f)); err == nil && r.Type() == table.TypeToken && r.Placement() == table.PlacedInRep {
			return r.Low()
		}
	}
	return table.None
}

// used takes the files that a layer names. It returns what the layer has that not every version of the format has.
func (s *Scene) used(ctx context.Context, facts *usda.Facts, progress model.Progress) ([]model.Fact, error) {
	scan, err := s.values.Scan(ctx, progress)
	if err != nil {
		return nil, err
	}
	u := usedNames{scene: s, pass: grammar.NewReading(ctx, grammar.Near), facts: facts}
	if err := u.values(ctx, scan); err != nil {
		return nil, err
	}
	fields, err := s.crate.Fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	err = fields.EachRep(ctx, func(_ int64, r table.Rep) {
		if r.Type() == table.TypeAsset && r.Placement() == table.PlacedInRep {
			if path, err := s.crate.TokenAt(ctx, r.Low()); err == nil {
				facts.Asset(path)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	features, oldest := s.features(scan, u.spline)
	var since []model.Fact
	if len(features) > 0 {
		since = append(since, model.Fact{Key: "features", Title: "Features", Value: features, Scan: true})
	}
	return append(since, model.Fact{Key: "oldestVersion", Title: "Oldest version that has all in it", Value: model.Text(oldest.String()), Scan: true}), nil
}

// usedNames collects what the values of a layer name.
type usedNames struct {
	scene  *Scene
	pass   *grammar.Reading
	facts  *usda.Facts
	spline uint8 // the highest version of spline data
}

// values takes what the values of a layer name.
func (u *usedNames) values(ctx context.Context, scan *value.Scan) error {
	for i, t := range scan.Tiles {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if t.Begins() {
			u.value(ctx, u.scene.crate.Normal(t.Rep))
		}
	}
	return nil
}

// value takes what one value names.
func (u *usedNames) value(ctx context.Context, r table.Rep) {
	take := map[table.ValueType]func(string){table.TypeReferenceListOp: u.facts.Reference, table.TypePayloadListOp: u.facts.Payload, table.TypePayload: u.facts.Payload}[r.Type()]
	switch placed := r.Placement(); {
	case take != nil && placed == table.PlacedAt:
		u.scene.values.Leaves(u.pass, r, func(l *grammar.Leaf) bool {
			if l.Field != nil && l.Field.Name == "assetPath" {
				if path, err := u.scene.crate.StringAt(ctx, uint32(l.Bits)); err == nil {
					take(path)
				}
			}
			return true
		})
	case r.Type() == table.TypeAsset && placed == table.PlacedArray:
		u.facts.Assets(ctx, u.scene.values.ArrayOf(ctx, r))
	case r.Type() == table.TypeSpline && placed == table.PlacedAt:
		u.spline = max(u.spline, u.scene.values.SplineVersion(ctx, r))
	}
}

// features returns the kinds of values that came with a version of the format (2), and the newest such version.
func (s *Scene) features(scan *value.Scan, spline uint8) (features model.Seq, oldest table.CrateVersion) {
	oldest = table.CrateVersion{Patch: 1}
	add := func(there bool, name string, minor uint8) {
		if since := (table.CrateVersion{Minor: minor}); there {
			features = append(features, model.Object{{Key: "feature", Value: model.Text(name)}, {Key: "since", Value: model.Text(since.String())}})
			if oldest.Minor < minor {
				oldest = since
			}
		}
	}
	has := scan.Has
	add(has(table.TypePayloadListOp), "lists of payloads", 8)
	add(has(table.TypeTimeCode), "time codes", 9)
	add(has(table.TypePathExpression), "path expressions", 10)
	add(has(table.TypeRelocates), "relocates", 11)
	add(has(table.TypeSpline), "splines", 12)
	add(spline == 2, "tangent algorithms", 13)
	add(scan.HasEdits(), "array edits", 14)
	add(spline >= 3, "spline loop boundaries", 15)
	add(has(table.TypeDuration) || spline >= 4, "durations", 16)
	return features, oldest
}

// namedFields finds the fields of one name.
type namedFields struct {
	x     *Index
	name  string
	known []uint8 // by token: 0 not looked at, 1 another name, 2 the name
}

func (x *Index) fieldsNamed(name string) *namedFields {
	return &namedFields{x, name, make([]uint8, x.Tokens.Count)}
}

// includes reports whether a field exists and has the name.
func (f *namedFields) includes(ctx context.Context, field uint32) bool {
	if int64(field) >= f.x.Fields.Count {
		return false
	}
	token := f.x.Fields.Names.At(int64(field))
	if int64(token) >= int64(len(f.known)) {
		return false
	}
	if f.known[token] == 0 {
		f.known[token] = 1
		if text, err := f.x.crate.TokenAt(ctx, token); err == nil && text == f.name {
			f.known[token] = 2
		}
	}
	return f.known[token] == 2
}
