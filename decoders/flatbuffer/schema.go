package flatbuffer

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strings"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

// The reflection package is generated from reflection.fbs of google/flatbuffers:
//
//go:generate flatc --go -o . reflection.fbs

// reflectionSchema is FlatBuffers' own description of compiled schemas, by which a user's .bfbs is verified before it
// is read: flatc -b --schema reflection.fbs.
//
//go:embed reflection.bfbs
var reflectionSchema []byte

// SchemaIdentifier is the file identifier of compiled schemas (.bfbs).
const SchemaIdentifier = "BFBS"

// A Schema has the tables, structs and enumerations of a family of FlatBuffers, as a .bfbs lists them.
type Schema struct {
	Name       string // the name of its file, for people
	Identifier string // four letters, or ""
	Root       int    // the root table's number among Objects, or -1
	Objects    []Object
	Enums      []Enum

	types *types
}

// An Object is a table or a struct.
type Object struct {
	Name     string
	Fields   []Field // of a table by slot; of a struct by offset
	IsStruct bool
	Size     int64 // of a struct, in bytes
	Align    int64 // of a struct, in bytes
	slots    []int // field number by slot, or -1
}

// A Field is a field of a table or struct.
type Field struct {
	Name        string
	Type        Type
	Slot        int   // of a table's field
	Offset      int64 // of a struct's field, in bytes
	DefaultInt  int64
	DefaultReal float64
	Required    bool
	Optional    bool // absent means null
	Deprecated  bool
	Nested      int // the object that is the root of the FlatBuffer in a vector of bytes, or -1
	Help        string
}

// A Type is the type of a field.
type Type struct {
	Base   reflection.BaseType
	Elem   reflection.BaseType // of a vector or array
	Index  int                 // of the object or enumeration, or -1
	Length int64               // of an array
}

// An Enum is an enumeration or a union.
type Enum struct {
	Name    string
	IsUnion bool
	IsFlags bool        // each value is a bit
	Values  []EnumValue // in ascending order
}

// An EnumValue is one value of an enumeration.
type EnumValue struct {
	Name   string
	Number int64
	Type   Type // of a union's member
}

// Field returns the field of a name, or nil if there is none.
func (o *Object) Field(name string) *Field {
	for i := range o.Fields {
		if o.Fields[i].Name == name {
			return &o.Fields[i]
		}
	}
	return nil
}

// bySlot returns a table's field, or nil if the schema does not know the slot or the table.
func (o *Object) bySlot(slot int) *Field {
	if o != nil && slot < len(o.slots) && o.slots[slot] >= 0 {
		return &o.Fields[o.slots[slot]]
	}
	return nil
}

// table returns the type of a table, or nil if the schema does not know it.
func (s *Schema) table(o *object) *Object {
	if s == nil || o.typ == noSchema {
		return nil
	}
	return &s.Objects[o.typ]
}

// symbol returns the name of a number: of bit flags those of all bits that are set, with the others as a number.
func (e *Enum) symbol(number int64) string {
	if v := e.Value(number); v != nil {
		return v.Name
	}
	if !e.IsFlags || number == 0 {
		return ""
	}
	var names []string
	rest := uint64(number)
	for _, v := range e.Values {
		if bit := uint64(v.Number); bit != 0 && rest&bit == bit {
			names = append(names, v.Name)
			rest &^= bit
		}
	}
	if len(names) == 0 {
		return ""
	}
	if rest != 0 {
		names = append(names, fmt.Sprintf("%#x", rest))
	}
	return strings.Join(names, " | ")
}

// Value returns the value with a number, or nil if the enumeration does not know it.
func (e *Enum) Value(number int64) *EnumValue {
	i := sort.Search(len(e.Values), func(i int) bool { return e.Values[i].Number >= number })
	if i < len(e.Values) && e.Values[i].Number == number {
		return &e.Values[i]
	}
	return nil
}

// Object returns the number of a table or struct by name, with or without its namespace, or -1 if there is none.
func (s *Schema) Object(name string) int {
	for i := range s.Objects {
		if full := s.Objects[i].Name; full == name || baseName(full) == name {
			return i
		}
	}
	return -1
}

func baseName(full string) string {
	for i := len(full) - 1; i >= 0; i-- {
		if full[i] == '.' {
			return full[i+1:]
		}
	}
	return full
}

// ownSchema returns the schema of schemas.
func ownSchema() *Schema {
	s, err := convert(reflectionSchema, "FlatBuffers' schema of schemas")
	if err != nil {
		panic(err) // a part of the program
	}
	return s
}

// ParseSchema verifies a .bfbs and reads it. The error says what is wrong.
func ParseSchema(ctx context.Context, data []byte, name string) (*Schema, error) {
	b := NewBuffer(model.NewFileSource(name, model.BytesReader(data)), 0, int64(len(data)), false)
	if id := b.Identifier(ctx); id != SchemaIdentifier {
		return nil, fmt.Errorf("%s: not a compiled FlatBuffers schema: its identifier is %q, not %s", name, id, SchemaIdentifier)
	}
	if w := b.verify(ctx, ownSchema(), 0); len(w.problems) > 0 {
		return nil, fmt.Errorf("%s: a damaged schema: %w", name, w.problems[0].Problem)
	}
	return convert(data, name)
}

// convert reads a verified .bfbs and checks its numbers.
func convert(data []byte, name string) (*Schema, error) {
	r := reflection.GetRootAsSchema(data, 0)
	s := &Schema{Name: name, Identifier: string(r.FileIdent()), Root: -1, types: new(types)}
	var enum reflection.Enum
	for i := range r.EnumsLength() {
		r.Enums(&enum, i)
		s.Enums = append(s.Enums, convertEnum(&enum))
	}
	var object reflection.Object
	for i := range r.ObjectsLength() {
		r.Objects(&object, i)
		o, err := convertObject(&object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Objects = append(s.Objects, o)
	}
	s.findNested(r)
	if root := r.RootTable(nil); root != nil {
		for i := range s.Objects {
			if s.Objects[i].Name == string(root.Name()) {
				s.Root = i
			}
		}
	}
	return s, s.check()
}

// findNested finds the root tables of the FlatBuffers that fields hold, which their attributes name.
func (s *Schema) findNested(r *reflection.Schema) {
	var object reflection.Object
	var f reflection.Field
	for i := range r.ObjectsLength() {
		r.Objects(&object, i)
		for k := range object.FieldsLength() {
			object.Fields(&f, k)
			root, ok := attribute(&f, "nested_flatbuffer")
			if !ok {
				continue
			}
			n := s.Object(root)
			if field := s.Objects[i].Field(string(f.Name())); n >= 0 && !s.Objects[n].IsStruct && scalarSize(field.Type.Elem) == 1 {
				field.Nested = n
			}
		}
	}
}

// attribute returns the value of an attribute of a schema's enumeration or field.
func attribute(of interface {
	AttributesLength() int
	Attributes(obj *reflection.KeyValue, j int) bool
}, key string) (value string, ok bool) {
	var pair reflection.KeyValue
	for i := range of.AttributesLength() {
		if of.Attributes(&pair, i) && string(pair.Key()) == key {
			return string(pair.Value()), true
		}
	}
	return "", false
}

func convertEnum(r *reflection.Enum) Enum {
	e := Enum{Name: string(r.Name()), IsUnion: r.IsUnion()}
	_, e.IsFlags = attribute(r, "bit_flags")
	var v reflection.EnumVal
	for i := range r.ValuesLength() {
		r.Values(&v, i)
		e.Values = append(e.Values, EnumValue{Name: string(v.Name()), Number: v.Value(), Type: convertType(v.UnionType(nil))})
	}
	slices.SortStableFunc(e.Values, func(a, b EnumValue) int {
		switch {
		case a.Number < b.Number:
			return -1
		case a.Number > b.Number:
			return 1
		}
		return 0
	})
	return e
}

func convertObject(r *reflection.Object) (Object, error) {
	o := Object{Name: string(r.Name()), IsStruct: r.IsStruct(), Size: int64(r.Bytesize()), Align: int64(r.Minalign())}
	var f reflection.Field
	for i := range r.FieldsLength() {
		r.Fields(&f, i)
		if f.Offset64() {
			return o, fmt.Errorf("the field %s.%s has 64-bit offsets, which this program does not read", o.Name, f.Name())
		}
		field := Field{
			Name: string(f.Name()), Type: convertType(f.Type(nil)), Slot: int(f.Id()), Offset: int64(f.Offset()),
			DefaultInt: f.DefaultInteger(), DefaultReal: f.DefaultReal(), Required: f.Required(), Optional: f.Optional(),
			Deprecated: f.Deprecated(), Nested: -1,
		}
		for k := range f.DocumentationLength() {
			if k == 0 {
				field.Help = strings.TrimSpace(string(f.Documentation(k)))
			}
		}
		o.Fields = append(o.Fields, field)
	}
	slices.SortStableFunc(o.Fields, func(a, b Field) int {
		if o.IsStruct {
			return int(a.Offset - b.Offset)
		}
		return a.Slot - b.Slot
	})
	if !o.IsStruct {
		for i := range o.Fields {
			for len(o.slots) <= o.Fields[i].Slot {
				o.slots = append(o.slots, -1)
			}
			o.slots[o.Fields[i].Slot] = i
		}
	}
	return o, nil
}

func convertType(r *reflection.Type) Type {
	if r == nil {
		return Type{Index: -1}
	}
	return Type{Base: r.BaseType(), Elem: r.Element(), Index: int(r.Index()), Length: int64(r.FixedLength())}
}

// check verifies that the numbers of a schema lead somewhere, so that the walk need not ask.
func (s *Schema) check() error {
	if s.Root < 0 {
		return fmt.Errorf("%s: the schema names no root table", s.Name)
	}
	for i := range s.Objects {
		if err := s.checkObject(i); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	for i := range s.Enums {
		e := &s.Enums[i]
		for _, v := range e.Values {
			if !e.IsUnion || v.Number == 0 {
				continue
			}
			if err := s.checkType(v.Type, false); err != nil {
				return fmt.Errorf("%s: the member %s.%s: %w", s.Name, e.Name, v.Name, err)
			}
		}
	}
	return nil
}

func (s *Schema) checkObject(i int) error {
	o := &s.Objects[i]
	if o.IsStruct && (o.Size < 1 || !isPower(o.Align)) {
		return fmt.Errorf("the struct %s has size %d and alignment %d", o.Name, o.Size, o.Align)
	}
	end := int64(0)
	for k := range o.Fields {
		f := &o.Fields[k]
		if err := s.checkType(f.Type, o.IsStruct); err != nil {
			return fmt.Errorf("the field %s.%s: %w", o.Name, f.Name, err)
		}
		if !o.IsStruct {
			continue
		}
		if f.Type.Base == reflection.BaseTypeObj && f.Type.Index >= i && s.nests(f.Type.Index, i, 0) {
			return fmt.Errorf("the struct %s holds itself", o.Name)
		}
		if f.Offset < end || f.Offset+s.size(f.Type) > o.Size {
			return fmt.Errorf("the field %s.%s is not inside its struct or overlaps another", o.Name, f.Name)
		}
		end = f.Offset + s.size(f.Type)
	}
	return nil
}

func isPower(n int64) bool { return n > 0 && n <= 1<<16 && n&(n-1) == 0 }

// nests reports whether struct a holds struct b, at any depth.
func (s *Schema) nests(a, b, depth int) bool {
	if a == b || depth > maxDepth {
		return true
	}
	for _, f := range s.Objects[a].Fields {
		if i := f.Type.Index; s.holdsObject(f.Type) && i < len(s.Objects) && i >= 0 && s.nests(i, b, depth+1) {
			return true
		}
	}
	return false
}

func (s *Schema) holdsObject(t Type) bool {
	return t.Base == reflection.BaseTypeObj || t.Base == reflection.BaseTypeArray && t.Elem == reflection.BaseTypeObj
}

func (s *Schema) checkType(t Type, inStruct bool) error {
	kind := t.Base
	switch kind {
	case reflection.BaseTypeVector, reflection.BaseTypeArray:
		if inStruct != (kind == reflection.BaseTypeArray) {
			return fmt.Errorf("the type %s cannot be here", kind)
		}
		kind = t.Elem
	}
	switch kind {
	case reflection.BaseTypeObj:
		if t.Index < 0 || t.Index >= len(s.Objects) {
			return fmt.Errorf("the type %d is not in the schema", t.Index)
		}
		if inStruct && !s.Objects[t.Index].IsStruct {
			return fmt.Errorf("a table in a struct")
		}
	case reflection.BaseTypeUnion, reflection.BaseTypeUType:
		if t.Index < 0 || t.Index >= len(s.Enums) || inStruct {
			return fmt.Errorf("the union %d is not in the schema", t.Index)
		}
	case reflection.BaseTypeString:
		if inStruct {
			return fmt.Errorf("a string in a struct")
		}
	default:
		if scalarSize(kind) == 0 {
			return fmt.Errorf("the type %s is not known to this program", kind)
		}
	}
	return nil
}

// scalarSize returns the size of a scalar in bytes, or 0 if the type is another.
func scalarSize(t reflection.BaseType) int64 {
	if t < 0 || int(t) >= len(scalars) || scalars[t] == nil {
		return 0
	}
	return scalars[t].Size()
}

// size returns the number of bytes that a type takes inline.
func (s *Schema) size(t Type) int64 {
	switch t.Base {
	case reflection.BaseTypeObj:
		if o := &s.Objects[t.Index]; o.IsStruct {
			return o.Size
		}
		return offsetSize
	case reflection.BaseTypeArray:
		return t.Length * s.size(t.element())
	}
	if n := scalarSize(t.Base); n > 0 {
		return n
	}
	return offsetSize
}

// columns returns the columns of a vector of elements of a type: the fields of a table or struct, with those of inner
// structs.
func (s *Schema) columns(elem Type) []model.Column {
	columns := []model.Column{}
	var add func(index int, prefix string)
	add = func(index int, prefix string) {
		for i := range s.Objects[index].Fields {
			f := &s.Objects[index].Fields[i]
			switch {
			case f.Deprecated || isTypeField(f):
			case s.isStruct(f.Type):
				add(f.Type.Index, prefix+f.Name+".")
			default:
				columns = append(columns, model.Column{Name: prefix + f.Name, Type: s.typeName(f.Type)})
			}
		}
	}
	if elem.Base == reflection.BaseTypeObj {
		add(elem.Index, "")
	}
	return columns
}

// align returns the alignment of a type's inline bytes.
func (s *Schema) align(t Type) int64 {
	switch t.Base {
	case reflection.BaseTypeObj:
		if o := &s.Objects[t.Index]; o.IsStruct {
			return o.Align
		}
		return offsetSize
	case reflection.BaseTypeArray:
		return s.align(t.element())
	}
	return s.size(t)
}

// element returns the type of a vector's or array's elements.
func (t Type) element() Type { return Type{Base: t.Elem, Index: t.Index} }

// isStruct reports whether the type is a struct, which is inline.
func (s *Schema) isStruct(t Type) bool {
	return s != nil && t.Base == reflection.BaseTypeObj && s.Objects[t.Index].IsStruct
}

// isOffset reports whether a value of the type is an offset inline.
func (s *Schema) isOffset(t Type) bool {
	return scalarSize(t.Base) == 0 && t.Base != reflection.BaseTypeArray && !s.isStruct(t)
}

// typeName writes a type as a schema does.
func (s *Schema) typeName(t Type) string {
	switch t.Base {
	case reflection.BaseTypeVector:
		return "[" + s.typeName(t.element()) + "]"
	case reflection.BaseTypeArray:
		return fmt.Sprintf("[%s:%d]", s.typeName(t.element()), t.Length)
	case reflection.BaseTypeObj:
		return baseName(s.Objects[t.Index].Name)
	case reflection.BaseTypeUnion:
		return baseName(s.Enums[t.Index].Name)
	case reflection.BaseTypeUType:
		return baseName(s.Enums[t.Index].Name) + " type"
	}
	if t.Index >= 0 && t.Index < len(s.Enums) {
		return baseName(s.Enums[t.Index].Name)
	}
	if scalarSize(t.Base) > 0 {
		return scalars[t.Base].Name()
	}
	if t.Base == reflection.BaseTypeString {
		return "string"
	}
	return ""
}
