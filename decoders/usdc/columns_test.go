package usdc

import (
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// TestColumns holds the numbers that are taken out of records below 0.4.0 by their offsets against those that the engine reads.
func TestColumns(t *testing.T) {
	compared := 0
	for _, file := range crates(t) {
		c := newCrate(t.Context(), model.NewFileSource(file.Name, model.BytesReader(file.Data)))
		if c.support != supported || c.inflated() {
			continue
		}
		x, err := c.tables(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(of *sectionTable, list, field string, numbers model.Numbers) {
			if of.object == nil {
				return
			}
			pass := grammar.NewReading(t.Context(), grammar.Far)
			scope := of.object.Scope(pass)
			l := of.object.List(t.Context(), of.object.Record().Field(list))
			for i, n := range numbers.All() {
				compared++
				v, err := l.At(scope, i)
				if field != "" && err == nil {
					v, err = scope.In(v.Object()).Named(field)
				}
				if want, ok := v.Uint(); !ok || err != nil || uint64(n) != want {
					t.Errorf("%s: %s of %s/[%d] is %d, the engine reads %d, %v", file.Name, field, list, i, n, want, err)
				}
			}
		}
		same(&x.strings.sectionTable, "indexes", "", x.strings.values)
		same(&x.fields.sectionTable, "fields", "name", x.fields.names)
		same(&x.sets.sectionTable, "indexes", "", model.NumbersOf(x.sets.list))
		same(&x.specs.sectionTable, "specs", "path", x.specs.paths)
		same(&x.specs.sectionTable, "specs", "fieldSet", x.specs.sets)
		same(&x.specs.sectionTable, "specs", "type", x.specs.types)
		for item := range int32(x.paths.items()) {
			o := x.paths.readOld(t.Context(), item)
			index, token := o.Uint(t.Context(), o.Record().Field("pathIndex")), o.Uint(t.Context(), o.Record().Field("elementTokenIndex"))
			if compared++; uint64(x.paths.index.At(int64(item))) != index || uint64(x.paths.token.At(int64(item))) != token {
				t.Errorf("%s: item %d is path %d, token %d by the engine", file.Name, item, index, token)
			}
		}
	}
	if t.Logf("%d numbers", compared); compared == 0 {
		t.Error("no crate has records of sections")
	}
}
