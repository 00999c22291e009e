package grammar

import (
	"testing"

	"cutaway/model"
)

// keyNames are the names of a table's values: its keys.
type keyNames struct{ keys *List }

func (k keyNames) Name(s Scope, i int64) string {
	v, _ := k.keys.At(s, i)
	text, _ := s.In(v.Object()).Value(v.Object().Record().Field("text"))
	return text.String()
}

func (k keyNames) Find(s Scope, name string) (int64, bool) {
	for i := range k.keys.Known() {
		if k.Name(s, i) == name {
			return i, true
		}
	}
	return 0, false
}

// newTable is a record that says its size: keys, then as many values, each a table again or a number; the keys know
// their values' names.
func newTable() *Record {
	table := &Record{Title: "Table", SizedBy: "size"}
	keys := &Field{Name: "keys", Of: name, Repeat: &Repeat{Count: Named("count"), Short: WithoutCut}}
	names := &Field{Name: "names"}
	names.Hidden = true
	names.Computed = Computed(func(s Scope) (Value, error) {
		v, err := s.Value(keys)
		return GoValue(keyNames{v.List()}), err
	})
	tag := Computed(func(s Scope) (Value, error) {
		b := s.Reading().Window(s.Object().Stream().Source, s.Object().Stream().Start+s.Pos(), 1)
		if b == nil {
			return IntValue(0), nil
		}
		return IntValue(int64(b[0] & 0xf0)), nil
	})
	deep := &Record{Title: "Deep", Fields: []*Field{{Name: "rest", Of: AsBytes(table), Role: model.Unknown}}}
	number := record("Number", &Field{Name: "value", Of: U16})
	values := &Field{Name: "values", Of: &Switch{On: tag, Display: "Value", Pick: func(s Scope, on Value) (Type, error) {
		switch n, _ := on.Int(); {
		case n != 0:
			return number, nil
		case s.Object().Depth() >= 1:
			return deep, nil
		}
		return table, nil
	}}, Repeat: &Repeat{Count: Named("count"), Short: WithCut}}
	values.Repeat.Names = func(s Scope) Names {
		v, _ := s.Value(names)
		return v.Go().(keyNames)
	}
	values.Repeat.Checks = []Check{{Rule: "test.missing", Message: "values are missing", OK: func(s Scope, v Value) bool {
		return v.List().Known() == s.Int(table.Field("count"))
	}, Found: func(_ Scope, v Value) string { return model.Counted(v.List().Known(), "value") }}}
	table.Fields = []*Field{{Name: "size", Of: U8}, {Name: "count", Of: U8}, keys, values, names}
	if err := deep.Build(); err != nil { // and the table that it measures
		panic(err)
	}
	return table
}

// A record that says its size is measured by that; a short list ends where its rules say; elements have names.
func TestTables(t *testing.T) {
	expect(t, doc(newTable(), []byte("\x12\x02\x01a\x01b\x10\x11\x0a\x01\x01c\x06\x01\x01d\x10\x12!!?")),
		" Table 0x0+21",
		"/size u8 0x0+1 = 18", "/count u8 0x1+1 = 2",
		"/keys Name[] 0x2+4",
		"/keys/[0] Name 0x2+2", "/keys/[0]/length u8 0x2+1 = 1", "/keys/[0]/text text 0x3+1 = a",
		"/keys/[1] Name 0x4+2", "/keys/[1]/length u8 0x4+1 = 1", "/keys/[1]/text text 0x5+1 = b",
		"/values Value[] 0x6+13",
		"/values/a Number 0x6+2", "/values/a/value u16 0x6+2 = 4368",
		"/values/b Table 0x8+11", "/values/b/size u8 0x8+1 = 10", "/values/b/count u8 0x9+1 = 1",
		"/values/b/keys Name[] 0xa+2",
		"/values/b/keys/[0] Name 0xa+2", "/values/b/keys/[0]/length u8 0xa+1 = 1", "/values/b/keys/[0]/text text 0xb+1 = c",
		"/values/b/values Value[] 0xc+7",
		"/values/b/values/c Deep 0xc+7", "/values/b/values/c/rest bytes 0xc+7 = 06 01 01 64 10 12 21",
		"/rest bytes 0x13+2 = 21 3f")
	expect(t, doc(newTable(), []byte("\x09\x02\x01a\x01b\x10\x11\x10")),
		" Table 0x0+9",
		"/size u8 0x0+1 = 9", "/count u8 0x1+1 = 2",
		"/keys Name[] 0x2+4",
		"/keys/[0] Name 0x2+2", "/keys/[0]/length u8 0x2+1 = 1", "/keys/[0]/text text 0x3+1 = a",
		"/keys/[1] Name 0x4+2", "/keys/[1]/length u8 0x4+1 = 1", "/keys/[1]/text text 0x5+1 = b",
		"/values Value[] 0x6+3",
		"/values/a Number 0x6+2", "/values/a/value u16 0x6+2 = 4368",
		"/values/b Number 0x8+1", "/values/b/value u16 0x8+1 !truncated test.truncated 0x8+1: value is cut off (expected 2 bytes, found 1 byte)")
	expect(t, doc(newTable(), []byte("\x05\x02\x01a\x09b")),
		" Table 0x0+6",
		"/size u8 0x0+1 = 5", "/count u8 0x1+1 = 2",
		"/keys Name[] 0x2+2",
		"/keys/[0] Name 0x2+2", "/keys/[0]/length u8 0x2+1 = 1", "/keys/[0]/text text 0x3+1 = a",
		"/values Value[] 0x4+2 !malformed test.missing 0x4+2: values are missing (expected nothing, found 1 value)",
		"/values/a Table 0x4+2", "/values/a/size u8 0x4+1 = 9", "/values/a/count u8 0x5+1 = 98",
		"/values/a/keys Name[] 0x6+0", "/values/a/values Value[] 0x6+0 !malformed test.missing 0x6+0: values are missing (expected nothing, found 0 values)")
}

func TestDescriptionsOfSizeThatCannotBe(t *testing.T) {
	for _, r := range []*Record{
		{SizedBy: "size", Fields: []*Field{{Name: "count", Of: U8}}},
		{SizedBy: "size", Fields: []*Field{{Name: "size", Of: I8}}},
	} {
		if r.Build() == nil {
			t.Errorf("%v is built", r.Fields[0].Name)
		}
	}
}
