package value

import (
	"context"
	"slices"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// name returns the kind's name in text layers.
func (k factKey) name() string {
	switch k.placed {
	case table.PlacedArray:
		return k.typ.String() + "[]"
	case table.PlacedEdit:
		return k.typ.String() + "[] edit"
	}
	return k.typ.String()
}

// valueKinds returns the kinds of values in the file in the order of their types.
func (vs *Values) valueKinds(ctx context.Context, progress model.Progress) ([]factKey, *Scan, error) {
	scan, err := vs.Scan(ctx, progress)
	if err != nil {
		return nil, nil, err
	}
	var keys []factKey
	for typ, facts := range scan.facts {
		for placed := table.PlacedAt; facts != nil && placed > table.PlacedNowhere; placed-- {
			if facts[placed].reps > 0 {
				keys = append(keys, factKey{table.ValueType(typ), placed})
			}
		}
	}
	return keys, scan, nil
}

// Facts returns, for each type, the numbers of reps, of inlined ones and of distinct values outside their reps. Of these it
// returns the numbers of compressed and shared ones, and their bytes in the file and plain.
func (vs *Values) Facts(ctx context.Context, progress model.Progress) (model.Value, error) {
	keys, scan, err := vs.valueKinds(ctx, progress)
	if err != nil {
		return nil, err
	}
	all := model.Seq{}
	for _, k := range keys {
		f := scan.facts[k.typ][k.placed]
		all = append(all, model.Object{
			{Key: "type", Value: model.Text(k.name())},
			{Key: "count", Value: model.Int(f.reps)},
			{Key: "inlined", Value: model.Int(f.inlined)},
			{Key: "values", Value: model.Int(f.values)},
			{Key: "compressed", Value: model.Int(f.compressed)},
			{Key: "shared", Value: model.Int(f.shared)},
			{Key: "stored", Value: model.Int(f.stored)},
			{Key: "logical", Value: model.Int(f.logical)},
		})
	}
	return all, nil
}

// Stats returns reps and bytes by type. The bytes of a value that several reps share count once.
func (vs *Values) Stats(ctx context.Context, progress model.Progress) ([]model.Stat, error) {
	keys, scan, err := vs.valueKinds(ctx, progress)
	if err != nil {
		return nil, err
	}
	var stats []model.Stat
	for _, k := range keys {
		f := scan.facts[k.typ][k.placed]
		stats = append(stats, model.Stat{Key: k.name(), Count: f.reps, Stored: f.stored, Logical: f.logical})
	}
	return stats, nil
}

// Has reports whether the file has values of a type.
func (v *Scan) Has(t table.ValueType) bool { return v.facts[t] != nil }

// HasEdits reports whether the file has array edits.
func (v *Scan) HasEdits() bool {
	return slices.ContainsFunc(v.facts[:], func(f *[table.PlacedAt + 1]typeFact) bool { return f != nil && f[table.PlacedEdit].reps > 0 })
}

// GrownBy returns how much longer the values of a region are without compression, in bytes.
func (v *Scan) GrownBy(region string) int64 { return v.grown[region] }
