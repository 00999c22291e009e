package flatbuffer

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// The descriptions that a schema makes.

// plan is the plan of descriptions and of buffers by any schema, strictPlan that of a format whose verifier is known.
var (
	plan       = sync.OnceValue(func() *lang.Plan { return language.For(&Buffer{prefix: OwnPrefix}) })
	strictPlan = sync.OnceValue(func() *lang.Plan { return language.For(&Buffer{}) })
)

// types holds the types of a schema that were asked for.
type types struct {
	mu   sync.Mutex
	made map[Type]lang.Type
}

// scalar returns the type of a scalar.
func (s *Schema) scalar(t Type) *grammar.Scalar { return s.described(t).(*grammar.Scalar) }

// record returns the record of a struct, or of a vector of scalars or structs.
func (s *Schema) record(t Type) *grammar.Record { return s.described(t).(*grammar.Record) }

// described returns the description of a type that is no offset, or of a vector of such.
func (s *Schema) described(t Type) lang.Type {
	s.types.mu.Lock()
	defer s.types.mu.Unlock()
	return s.describe(t)
}

// describe describes a type at the first call. The caller holds the lock.
func (s *Schema) describe(t Type) lang.Type {
	if of := s.types.made[t]; of != nil {
		return of
	}
	var of lang.Type
	switch {
	case t.Base == reflection.BaseTypeVector:
		of = s.describeList(t.element())
	case t.Base == reflection.BaseTypeObj:
		of = s.describeStruct(&s.Objects[t.Index])
	case t.Index >= 0 && t.Index < len(s.Enums):
		e := &s.Enums[t.Index]
		of = scalars[t.Base].As(s.typeName(t), func(n uint64) model.Value {
			return model.Symbol{Number: int64(n), Name: e.symbol(int64(n))}
		})
	default:
		return scalars[t.Base]
	}
	if s.types.made == nil {
		s.types.made = make(map[Type]lang.Type)
	}
	s.types.made[t] = of
	return of
}

// describeStruct describes a struct: fields at constant places, with padding between them.
func (s *Schema) describeStruct(o *Object) lang.Type {
	var f fields
	for i := range o.Fields {
		field := &o.Fields[i]
		f.pad(field.Offset)
		f.add(s.structField(field), s.size(field.Type))
	}
	f.pad(o.Size)
	return compiled(lang.NewRecord("struct", f.list...).Titled(baseName(o.Name)))
}

// structField describes a field of a struct.
func (s *Schema) structField(f *Field) *lang.Field {
	if t := f.Type; t.Base == reflection.BaseTypeArray {
		return lang.F(f.Name, s.describe(t.element()), f.Help).Times(number(t.Length)).Look(showArray(s.typeName(t)))
	}
	return lang.F(f.Name, s.describe(f.Type), f.Help)
}

// describeList describes a vector of scalars or structs.
func (s *Schema) describeList(elem Type) lang.Type {
	list := lang.F("elements", s.describe(elem), "").Times("count").If("count > 0")
	if elem.Base == reflection.BaseTypeObj {
		list.Look(showCount)
	}
	return compiled(lang.NewRecord("list(count)", lang.F("length", uintType, "elements"), list))
}

// compiled makes a record that a schema describes.
func compiled(r *lang.Record) *grammar.Record {
	rec, err := plan().Compile(r)
	if err != nil {
		panic(err) // its expressions are numbers and its own parameters
	}
	return rec
}

func number(n int64) lang.E { return lang.E(fmt.Sprint(n)) }

// fields are the fields of a record, one after another.
type fields struct {
	list     []*lang.Field
	segments model.Segments
	end      int64 // of the last one, in the record
}

// add adds a field of size bytes. Its name is that in paths, and its node has its own.
func (f *fields) add(field *lang.Field, size int64) {
	name := field.Name
	if field.Name = f.segments.Add(name); field.Name != name {
		field.Look(showName(name))
	}
	f.list = append(f.list, field)
	f.end += size
}

// pad adds padding up to an offset.
func (f *fields) pad(to int64) {
	if to > f.end {
		f.add(lang.Pad("padding", lang.BytesN(to-f.end), "filler between fields"), to-f.end)
	}
}

// A form is the description of the tables of one type that have one vtable and one size.
type form struct {
	record  *grammar.Record
	present int
	absent  []model.Node
}

// A formKey identifies a form.
type formKey struct {
	vtable, size int64
	typ          uint16
}

// maxFormFields is the number of fields of the forms that a tree keeps, above which it makes them again.
const maxFormFields = 1 << 16

// form returns the description of a table.
func (t *Tree) form(r *Reader, table *Table, o object) *form {
	key := formKey{table.vtable, table.size, o.typ}
	t.formsMu.Lock()
	defer t.formsMu.Unlock()
	if f := t.forms[key]; f != nil {
		return f
	}
	f := t.describeTable(table, t.S.table(&o))
	if r.ctx.Err() != nil {
		return f
	}
	if t.formFields += len(f.record.Fields) + len(f.absent); t.formFields > maxFormFields || t.forms == nil {
		t.forms, t.formFields = make(map[formKey]*form), len(f.record.Fields)+len(f.absent)
	}
	t.forms[key] = f
	return f
}

// placed is a field of a table with its offset there.
type placed struct {
	at, size int64
	slot     int
	field    *Field // or nil if the schema does not know the slot
}

// describeTable describes tables: the fields in the order of their places with padding between, then those that are
// absent, with their defaults. Of two that overlap the second is left out: the walk reports that.
func (t *Tree) describeTable(table *Table, obj *Object) *form {
	present, absent := t.placedFields(table, obj)
	form := &form{present: len(present)}
	var f fields
	f.add(vtableOffset().To("vtables", "vtable"), offsetSize)
	for _, p := range present {
		if p.at < f.end {
			continue
		}
		f.pad(p.at)
		f.add(t.tableField(p), p.size)
	}
	f.pad(table.size)
	form.record = compiled(lang.NewRecord("fields", f.list...))
	for _, field := range absent {
		n := t.S.absentNode(field)
		n.Name = f.segments.Add(field.Name)
		form.absent = append(form.absent, n.Named(field.Name))
	}
	return form
}

// placedFields returns the fields that a table has, in the order of their places, and those that it has not. A slot
// that the schema does not know is as wide as the distance to the next.
func (t *Tree) placedFields(table *Table, obj *Object) (present []placed, absent []*Field) {
	slots := table.present()
	if obj != nil {
		for i := range obj.Fields {
			f := &obj.Fields[i]
			switch at := table.Slot(f.Slot) - table.Off; {
			case at < 0:
				absent = append(absent, f)
			case at+t.S.size(f.Type) <= table.size:
				present = append(present, placed{at, t.S.size(f.Type), f.Slot, f})
			}
		}
	}
	for i, s := range slots {
		if obj.bySlot(s.index) != nil {
			continue
		}
		end := table.size
		if i+1 < len(slots) {
			end = min(end, slots[i+1].at)
		}
		if end > s.at {
			present = append(present, placed{s.at, end - s.at, s.index, nil})
		}
	}
	slices.SortStableFunc(present, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	return present, absent
}

// tableField describes a field of a table.
func (t *Tree) tableField(p placed) *lang.Field {
	name := slotName(p.field, p.slot)
	if p.field == nil {
		of, ok := guessedScalars[p.size]
		if !ok {
			of = lang.BytesN(p.size)
		}
		return lang.F(name, lang.Named(model.Counted(p.size, "byte")+guessed, of),
			"inferred: the width is the distance to the next field, and may hold padding").To("guessed", "object")
	}
	typ := p.field.Type
	if !t.S.isOffset(typ) {
		return lang.F(name, t.S.described(typ), p.field.Help)
	}
	switch field := lang.F(name, uintType.Named(t.S.typeName(typ)), p.field.Help); typ.Base {
	case reflection.BaseTypeString:
		return field.To("strings", "string")
	case reflection.BaseTypeVector:
		return field.To("vectors", "vector")
	default:
		return field.To("tables", "table")
	}
}

// guessed ends the types that no schema gives.
const guessed = "?"

// guessedScalars are the numbers that slots of some widths may be.
var guessedScalars = map[int64]lang.Type{1: lang.U8, 2: lang.U16, 4: lang.U32, 8: lang.U64}

// absentNode returns the node of a field that is absent, with its default.
func (s *Schema) absentNode(f *Field) model.Node {
	n := model.Node{Name: f.Name, Type: s.typeName(f.Type), Help: "absent", Absent: true}
	if f.Help != "" {
		n.Help += ". " + f.Help
	}
	if scalarSize(f.Type.Base) == 0 || f.Optional {
		n.Value = model.None{}
		return n
	}
	n.Help = "absent: the default holds"
	bits := uint64(f.DefaultInt)
	switch f.Type.Base {
	case reflection.BaseTypeFloat:
		bits = uint64(math.Float32bits(float32(f.DefaultReal)))
	case reflection.BaseTypeDouble:
		bits = math.Float64bits(f.DefaultReal)
	}
	n.Value = s.scalar(f.Type).Decode(binary.LittleEndian.AppendUint64(nil, bits), false)
	return n
}
