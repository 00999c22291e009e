package ksy

import (
	"math/big"

	"cutaway/decoders/expr"
)

// A Description is a description with its imports, in the order of the text.
type Description struct {
	Main     *Type // the type of a file, or nil if the text cannot be parsed
	Modules  []*Module
	Findings []Finding
}

// Sound reports whether there are only warnings.
func (d *Description) Sound() bool {
	for _, f := range d.Findings {
		if !f.Warning {
			return false
		}
	}
	return d.Main != nil
}

// A Module is a file of a description.
type Module struct {
	Name    string // of the file, as in findings
	Text    string
	Top     *Type
	Imports []*Module

	folder int // index of the loader's folders
	path   string
	root   *node
	opaque map[string]*Type
}

// A Place is a position in the text, for findings at run time and a view of the text.
type Place struct {
	Module       *Module
	Path         string
	Line, Column int
}

// A Doc is documentation: text, and references as words or addresses.
type Doc struct {
	Text string
	Refs []string
}

// A Meta holds the keys of meta. Inner types inherit Encoding, Endian and BitEndian.
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
	Encoding      string // canonical, or ""
	Endian        *Endian
	BitEndian     Order // Big by default
}

// An Order is a byte or bit order.
type Order uint8

// The orders. Switched is decided by the Endian of the type at run time.
const (
	NoOrder Order = iota
	Little
	Big
	Switched
)

// An Endian is a default byte order: Little, Big, or Switched by the value of On, which is evaluated in the type Owner.
type Endian struct {
	Order Order
	Owner *Type
	On    *expr.Expr
	Cases []EndianCase
}

// An EndianCase is the order for a value. Key is nil for all other values.
type EndianCase struct {
	Key   *expr.Expr
	Order Order
}

// A Type is a structure: fields that are read in sequence, and instances that are read or computed on demand.
type Type struct {
	Name      string
	Place     Place
	Outer     *Type // the declaring type, or nil at the top of a module
	Meta      Meta
	Doc       Doc
	Params    []*Field
	Seq       []*Field
	Instances []*Field
	Types     []*Type
	Enums     []*Enum
	ToString  *expr.Expr
	Parent    *Type // of all fields of this type, or nil if no type or several types use it
	Opaque    bool  // undeclared: read by code outside of the description

	node    *node
	members map[string]*Field
	types   map[string]*Type
	enums   map[string]*Enum
	used    map[*Type]bool // types with fields of this type
	size    sizeState
}

// Top returns the type of the module, which _root refers to.
func (t *Type) Top() *Type {
	for t.Outer != nil {
		t = t.Outer
	}
	return t
}

// Member returns the param, field of the sequence or instance with a name, or nil.
func (t *Type) Member(name string) *Field { return t.members[name] }

// path returns the name with those of the outer types.
func (t *Type) path() string {
	if t.Outer == nil {
		return t.Name
	}
	return t.Outer.path() + "::" + t.Name
}

// An Enum names integers.
type Enum struct {
	Name    string
	Owner   *Type
	Place   Place
	Members []*EnumMember // as written

	byName map[string]*EnumMember
}

// An EnumMember is a named value.
type EnumMember struct {
	Value *big.Int
	Name  string
	Doc   Doc
	Place Place
}

// A Role is the kind of a field in its type.
type Role uint8

// The roles.
const (
	RoleParam Role = iota
	RoleSeq
	RoleInstance // read at Pos
	RoleValue    // a computed instance
)

// A Repeat is a kind of repetition.
type Repeat uint8

// The repetitions.
const (
	Once Repeat = iota
	RepeatExpr
	RepeatUntil
	RepeatEOS
)

// A Field is a param, a field of a sequence or an instance. Slot is its index among those of its type and role, both
// kinds of instances together.
type Field struct {
	ID    string // "" for an unnamed field of a sequence
	Role  Role
	Slot  int
	Owner *Type
	Place Place
	Doc   Doc

	If         *expr.Expr
	Repeat     Repeat
	RepeatExpr *expr.Expr // the count, or the condition of until, with `_` the element
	Pos, IO    *expr.Expr // of instances, or nil for the current position and stream
	Value      *expr.Expr // of RoleValue
	Enum       *Enum      // of RoleValue; others have it in Use

	Use      *Use    // its type, or nil if there is a Switch, or for RoleParam and RoleValue
	Switch   *Switch // its types by a value
	Size     *expr.Expr
	SizeEOS  bool
	Term     []byte // the terminator, or nil
	Include  bool
	Consume  bool
	EOSError bool
	PadRight int // or -1
	Process  *Process
	NoParent bool       // parent: false
	ParentOf *expr.Expr // the parent key: an expression for the parent of the records that the field reads
	Contents []byte
	Valid    *Valid

	Type *expr.Type // of an expression that names the field, repetition included

	node     *node
	broken   bool // invalid as written, not checked further
	enumName *expr.Path
	typeRef  *expr.TypeRef // of params
	encoding string
	state    inferState
	uses     int // number of expressions that name it
}

// A Form is the kind of a Use.
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

// A Use is a type as a field uses it.
type Use struct {
	Form     Form
	Signed   bool
	Width    int   // bytes for FormInt and FormFloat, bits for FormBits
	Order    Order // byte order, or for FormBits the bit order
	Encoding string
	Term     []byte // the terminator, or nil
	Type     *Type
	Args     []*expr.Expr
	Data     *expr.Type // of one element

	name *expr.Path
	node *node
}

// A Switch selects a use by a value. The case with a nil Key is for all other values; without it they are bytes if the
// field has a size, and nothing otherwise.
type Switch struct {
	On    *expr.Expr
	Cases []SwitchCase
}

// A SwitchCase is a case of a Switch.
type SwitchCase struct {
	Key *expr.Expr
	Use *Use
}

// A Process converts the bytes of a field before they are parsed.
type Process struct {
	Name string // xor, rol, ror, zlib, or the dotted name of a codec
	Args []*expr.Expr
}

// A Valid is a condition on a field's value, or on each element if it is repeated. Absent keys are nil.
type Valid struct {
	Eq, Min, Max *expr.Expr
	AnyOf        []*expr.Expr
	Expr         *expr.Expr // with `_` the value
	InEnum       bool
}
