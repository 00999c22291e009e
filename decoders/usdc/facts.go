package usdc

import (
	"context"

	"cutaway/model"
)

// facts returns the identity card. Counts are at the beginnings of the sections; the value types take a scan.
func (d *document) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	facts := []model.Fact{{Key: "version", Title: "Version", Value: model.Text(d.crate.VersionText())}}
	for _, count := range []struct{ key, title, section string }{
		{"tokens", "Tokens", "TOKENS"},
		{"strings", "Strings", "STRINGS"},
		{"fields", "Fields", "FIELDS"},
		{"fieldsets", "Field set entries", "FIELDSETS"},
		{"paths", "Paths", "PATHS"},
		{"specs", "Specs", "SPECS"},
	} {
		fact := model.Fact{Key: count.key, Title: count.title}
		if n, ok := d.crate.SectionCount(ctx, count.section); ok {
			fact.Value = model.Uint(n)
		}
		facts = append(facts, fact)
	}
	facts = append(facts, model.Fact{Key: "sections", Title: "Sections", Value: d.sectionsFact(), Units: map[string]string{"size": "bytes"}})
	order := model.Fact{Key: "pathOrder", Title: "Order of paths", Scan: true}
	groups := model.Fact{Key: "fieldsetGroups", Title: "Field sets", Scan: true}
	types := model.Fact{Key: "valueTypes", Title: "Value types", Scan: true, Units: map[string]string{"stored": "bytes", "logical": "bytes"}}
	if !quick {
		sets, err := d.crate.FieldSets(ctx, progress)
		if err != nil {
			return nil, err
		}
		groups.Value = model.Int(sets.CountGroups())
		paths, err := d.crate.Paths(ctx, progress)
		if err != nil {
			return nil, err
		}
		name, err := paths.Order(ctx, progress)
		if err != nil {
			return nil, err
		}
		order.Value = model.Text(name)
		if types.Value, err = d.values.Facts(ctx, progress); err != nil {
			return nil, err
		}
	}
	scene, err := d.scene.Facts(ctx, quick, progress)
	if facts = append(facts, scene...); quick || order.Value != model.Value(model.Text("")) {
		facts = append(facts, order)
	}
	return append(facts, groups, types), err
}

func (d *document) sectionsFact() model.Value {
	list := model.Seq{}
	for i := range d.crate.Contents.Sections {
		s := &d.crate.Contents.Sections[i]
		list = append(list, model.Object{
			{Key: "name", Value: model.Text(s.Name)},
			{Key: "start", Value: model.Int(s.Start)},
			{Key: "size", Value: model.Int(s.Size)},
		})
	}
	return list
}
