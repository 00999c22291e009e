package table

import (
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestColumns holds the numbers that are taken out of records below 0.4.0 by their offsets against those that the engine reads.
func TestColumns(t *testing.T) {
	compared := 0
	for _, file := range handgen.Files(t) {
		c := Open(t.Context(), model.NewFileSource(file.Name, model.BytesReader(file.Data)))
		if c.Support != Supported || c.Compressed() {
			continue
		}
		x, err := c.Tables(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(of *Section, list, field string, numbers model.Numbers) {
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
		same(&x.Strings.Section, "indexes", "", x.Strings.Values)
		same(&x.Fields.Section, "fields", "name", x.Fields.Names)
		same(&x.Sets.Section, "indexes", "", model.NumbersOf(x.Sets.List))
		same(&x.Specs.Section, "specs", "path", x.Specs.Paths)
		same(&x.Specs.Section, "specs", "fieldSet", x.Specs.Sets)
		same(&x.Specs.Section, "specs", "type", x.Specs.Types)
		for item := range int32(x.Paths.Items()) {
			o := x.Paths.readOld(t.Context(), item)
			index, token := o.Uint(t.Context(), o.Record().Field("pathIndex")), o.Uint(t.Context(), o.Record().Field("elementTokenIndex"))
			if compared++; uint64(x.Paths.Index.At(int64(item))) != index || uint64(x.Paths.Token.At(int64(item))) != token {
				t.Errorf("%s: item %d is path %d, token %d by the engine", file.Name, item, index, token)
			}
		}
	}
	if t.Logf("%d numbers", compared); compared == 0 {
		t.Error("no crate has records of sections")
	}
}
