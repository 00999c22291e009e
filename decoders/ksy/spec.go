package ksy

import (
	"math/big"

	"cutaway/decoders/expr"
)

// Description is a description with its imports, in the order of the text.
type Description struct {
	Main     *Type // what a file is; nil where the text can't be read at all
	Modules  []*Module
	Findings []Finding
}

// Sound reports whether nothing but warnings was found.
func (d *Description) Sound() bool {
	for _, f := range d.Findings {
		if !f.Warning {
			return false
		}
	}
	return d.Main != nil
}

// Module is one file of a description.
type Module struct {
	Name    string // of the file, as findings have it
	Text    string
	Top     *Type
	Imports []*Module

	folder int // of the loader
	path   string
	root   *node
	opaque map[string]*Type
}

// Place is a place in the text, for findings at run time and a view of the text.
type Place struct {
	Module       *Module
	Path         string
	Line, Column int
}

// Doc is documentation: text, and references in words or as addresses.
type Doc struct {
	Text string
	Refs []string
}

// Meta holds the keys of meta. Inner types inherit Encoding, Endian and BitEndian.
type Meta struct {
	ID            string
	Title         string
	Application   []string
	FileExtension []string
	License       string
	Tags          []string
	Xref          map[string][]string
	Debug         bool
	OpaqueTypes   bool
	Encoding      string // canonical; empty where there is none
	Endian        *Endian
	BitEndian     Order // Big where there is none
}

// Order is a byte or bit order.
type Order uint8

// The orders. Switched is decided while reading, by the Endian of the type.
const (
	NoOrder Order = iota
	Little
	Big
	Switched
)

// Endian is a default byte order: Little, Big, or Switched by the value of On, which is read in the type Owner.
type Endian struct {
	Order Order
	Owner *Type
	On    *expr.Expr
	Cases []EndianCase
}

// EndianCase is the order for a value; Key is nil for all other values.
type EndianCase struct {
	Key   *expr.Expr
	Order Order
}

// Type is a structure: what is read in sequence, and what is read or computed when it is asked for.
type Type struct {
	Name      string
	Place     Place
	Outer     *Type // that declares it, or nil at the top of a module
	Meta      Meta
	Doc       Doc
	Params    []*Field
	Seq       []*Field
	Instances []*Field
	Types     []*Type
	Enums     []*Enum
	ToString  *expr.Expr
	Parent    *Type // that of all fields of this type; nil where nobody uses it, or types of several kinds do
	Opaque    bool  // declared nowhere: read by code that the description doesn't bring

	node    *node
	members map[string]*Field
	types   map[string]*Type
	enums   map[string]*Enum
	used    map[*Type]bool // by fields of these types
	size    sizeState
}

// Top is the type of the module, which _root means.
func (t *Type) Top() *Type {
	for t.Outer != nil {
		t = t.Outer
	}
	return t
}

// Member is the param, field of the sequence or instance of a name; nil where there is none.
func (t *Type) Member(name string) *Field { return t.members[name] }

// path is the name with those of the types around it.
func (t *Type) path() string {
	if t.Outer == nil {
		return t.Name
	}
	return t.Outer.path() + "::" + t.Name
}

// Enum names integers.
type Enum struct {
	Name    string
	Owner   *Type
	Place   Place
	Members []*EnumMember // as written

	byName map[string]*EnumMember
}

// EnumMember is one of them.
type EnumMember struct {
	Value *big.Int
	Name  string
	Doc   Doc
	Place Place
}

// Role is the kind of a field in its type.
type Role uint8

// The roles.
const (
	RoleParam Role = iota
	RoleSeq
	RoleInstance // read where Pos says
	RoleValue    // an instance that is computed
)

// Repeat is the kind of a repetition.
type Repeat uint8

// The repetitions.
const (
	Once Repeat = iota
	RepeatExpr
	RepeatUntil
	RepeatEOS
)

// Field is a param, a field of a sequence or an instance. Slot is its index among those of its type and role (both kinds of
// instances are counted together).
type Field struct {
	ID    string // empty: a field of a sequence without name
	Role  Role
	Slot  int
	Owner *Type
	Place Place
	Doc   Doc

	If         *expr.Expr
	Repeat     Repeat
	RepeatExpr *expr.Expr // the count, or the condition of until, with `_` the element
	Pos, IO    *expr.Expr // of instances, or nil where the stream is
	Value      *expr.Expr // of RoleValue
	Enum       *Enum      // of RoleValue; else in the Use

	Use      *Use    // its type, or nil if there is a Switch, or of RoleParam and RoleValue
	Switch   *Switch // how it is read, by a value
	Size     *expr.Expr
	SizeEOS  bool
	Term     []byte // the terminator, or nil
	Include  bool
	Consume  bool
	EOSError bool
	PadRight int // -1: none
	Process  *Process
	NoParent bool       // parent: false
	ParentOf *expr.Expr // parent: an expression, the parent of the records it reads
	Contents []byte
	Valid    *Valid

	Type *expr.Type // of an expression that names it, repetition included

	node     *node
	broken   bool // a fault in how it is written, so that it is not checked further
	enumName *expr.Path
	typeRef  *expr.TypeRef // of params
	encoding string
	state    inferState
	uses     int // expressions that name it
}

// Form is the kind of a Use.
type Form uint8

// The forms.
const (
	FormBytes Form = iota
	FormInt
	FormFloat
	FormBits
	FormStr
	FormUser
)

// Use is a type as a field is read by it.
type Use struct {
	Form     Form
	Signed   bool
	Width    int   // FormInt, FormFloat: bytes; FormBits: bits
	Order    Order // byte order, or of FormBits the bit order
	Encoding string
	Term     []byte // the terminator, or nil
	Type     *Type
	Args     []*expr.Expr
	Data     *expr.Type // of one element

	name *expr.Path
	node *node
}

// Switch chooses among uses. A case's Key is nil for all other values; without such a case, other values are bytes where the
// field has a size, and nothing where it has none.
type Switch struct {
	On    *expr.Expr
	Cases []SwitchCase
}

// SwitchCase is one of them.
type SwitchCase struct {
	Key *expr.Expr
	Use *Use
}

// Process makes other bytes of those that were read, before they are parsed.
type Process struct {
	Name string // xor, rol, ror, zlib, or that of a codec; with dots
	Args []*expr.Expr
}

// Valid is a condition on a field's value; each element's where it is repeated. Only what is said is not nil.
type Valid struct {
	Eq, Min, Max *expr.Expr
	AnyOf        []*expr.Expr
	Expr         *expr.Expr // with `_` the value
	InEnum       bool
}
