package ksy

import "fmt"

// scope is where an expression is: in a type; `_` and `_on` where they mean something.
type scope struct {
	t      *Type
	it, on *DataType
}

// inferState is how far the type of an instance's value is known.
type inferState uint8

const (
	notInferred inferState = iota
	inferring
	inferred
)

// infer gives an expression and all in it their types and meanings; nil, with a finding, where it is wrong.
func (c *checker) infer(e *Expr, s scope) *DataType {
	if e != nil {
		e.Type = c.typeOf(e, s)
		return e.Type
	}
	return nil
}

// fail reports an expression that is wrong, and gives no type.
func (c *checker) fail(e *Expr, format string, args ...any) *DataType {
	c.report.atExpr(e, format, args...)
	return nil
}

func (c *checker) typeOf(e *Expr, s scope) *DataType {
	switch e.Op {
	case OpInt:
		return literalInt(e)
	case OpFloat:
		return floatType
	case OpStr:
		return strType
	case OpBool:
		return boolType
	case OpFormat:
		return c.format(e, s)
	case OpList:
		return c.list(e, s)
	case OpName:
		return c.name(e, s)
	case OpMember:
		return c.member(e, s)
	case OpAttr, OpCall:
		return c.attribute(e, s)
	case OpCast:
		c.infer(e.Args[0], s)
		return c.pureType(s.t, e.ref)
	case OpSizeOf, OpBitSizeOf:
		return c.sizeOfType(e, s.t)
	case OpIndex:
		return c.index(e, s)
	case OpCond:
		return c.cond(e, s)
	case OpNot, OpNegate, OpInvert:
		return c.unary(e, s)
	}
	return c.binary(e, s)
}

// literalInt makes bytes of what fits, so that lists of them are byte arrays.
func literalInt(e *Expr) *DataType {
	if e.Int.BitLen() <= 8 {
		return &DataType{Kind: Int, Width: 1, Signed: e.Int.BitLen() < 8}
	}
	return intType
}

func (c *checker) format(e *Expr, s scope) *DataType {
	for _, piece := range e.Args {
		if t := c.infer(piece, s); t != nil && t.Kind != Int && t.Kind != Str {
			c.fail(piece, "only integers and strings can be put into a string, not %v", t)
		}
	}
	return strType
}

func (c *checker) list(e *Expr, s scope) *DataType {
	if len(e.Args) == 0 {
		return c.fail(e, "a list without elements has no type; cast an element's list, or leave it out")
	}
	var of *DataType
	for _, arg := range e.Args {
		t := c.infer(arg, s)
		switch {
		case t == nil:
			return nil
		case of == nil:
			of = t
		default:
			both := combine(of, t)
			if both.Kind == Any && of.Kind != Any && t.Kind != Any {
				return c.fail(arg, "the elements of a list are of one type; this is %v, those before %v", t, of)
			}
			of = both
		}
	}
	if of.isByte() {
		return bytesType
	}
	return &DataType{Kind: Array, Of: of}
}

func (c *checker) name(e *Expr, s scope) *DataType {
	if e.Special = specials[e.Name]; e.Special != NotSpecial {
		return c.special(e, s)
	}
	f := s.t.members[e.Name]
	if f == nil {
		hint := meant(&c.report, e.Name, s.t.members)
		if s.t.Outer != nil && s.t.Top().members[e.Name] != nil {
			hint = fmt.Sprintf("; there is a _root.%s", e.Name)
		}
		return c.fail(e, "%q has no field, instance or param %q%s", s.t.path(), e.Name, hint)
	}
	return c.fieldType(e, f)
}

func (c *checker) special(e *Expr, s scope) *DataType {
	switch e.Special {
	case Root:
		return &DataType{Kind: User, Type: s.t.Top()}
	case Parent:
		return parentType(s.t)
	case Stream:
		return ioType
	case Index:
		return intType
	case SizeOf:
		return c.sizeConstant(e, s.t.path(), func() (int64, bool) { return c.typeBits(s.t) })
	case On:
		if s.on == nil {
			return c.fail(e, "_on means the value of a switch; there is none here")
		}
		return s.on
	}
	if s.it == nil {
		return c.fail(e, "_ means the element or value in repeat-until and valid; there is none here")
	}
	return s.it
}

func parentType(t *Type) *DataType {
	if t.Parent == nil {
		return structType
	}
	return &DataType{Kind: User, Type: t.Parent}
}

// fieldType is the type of a field that an expression names.
func (c *checker) fieldType(e *Expr, f *Field) *DataType {
	e.Field = f
	if !c.report.muted {
		f.uses++
	}
	if f.Role == RoleValue {
		switch {
		case f.state == inferring:
			return c.fail(e, "the value of %q needs itself", f.ID)
		case c.chain >= maxInstances:
			return c.fail(e, "more than %d instances need each other's values in a chain", maxInstances)
		}
		c.value(f)
	}
	return f.Type
}

// value infers the type of an instance's value, once.
func (c *checker) value(f *Field) {
	if f.state != notInferred {
		return
	}
	f.state = inferring
	c.chain++
	f.Type = c.infer(f.Value, scope{t: f.Owner})
	if f.Type = c.enumOf(f, f.Type, nil); f.Type != nil && f.Type.Kind == EnumValue {
		f.Enum = f.Type.Enum
	}
	c.chain--
	f.state = inferred
}

func (c *checker) member(e *Expr, s scope) *DataType {
	path := *e.name
	path.parts = path.parts[:len(path.parts)-1]
	if e.Enum = c.enumNamed(s.t, &path); e.Enum == nil {
		return nil
	}
	if e.Member = e.Enum.byName[e.Name]; e.Member == nil {
		return c.fail(e, "the enum %q, at %s, has no member %q%s", e.Enum.path(), e.Enum.Place.Path, e.Name, meant(&c.report, e.Name, e.Enum.byName))
	}
	return &DataType{Kind: EnumValue, Enum: e.Enum}
}

// attribute is what is asked of a value: a field of a structure, a special name, or a method.
func (c *checker) attribute(e *Expr, s scope) *DataType {
	of := c.infer(e.Args[0], s)
	if of == nil {
		for _, arg := range e.Args[1:] {
			c.infer(arg, s)
		}
		return nil
	}
	if e.Op == OpCall {
		return c.call(e, of, s)
	}
	if special := specials[e.Name]; special != NotSpecial {
		e.Special = special
		return c.specialOf(e, of)
	}
	switch {
	case of.Kind == User && of.Type.Opaque:
		return anyType
	case of.Kind == User:
		if f := of.Type.members[e.Name]; f != nil {
			return c.fieldType(e, f)
		}
		return c.fail(e, "%q has no field, instance or param %q%s", of.Type.path(), e.Name, meant(&c.report, e.Name, of.Type.members))
	case of.Kind == Struct, of.Kind == Any:
		return c.fail(e, "it isn't known whether there is a %q: this is %v; say which by .as<type>", e.Name, of)
	}
	return c.call(e, of, s)
}

// specialOf is a special name of a value.
func (c *checker) specialOf(e *Expr, of *DataType) *DataType {
	switch {
	case e.Special == SizeOf:
		return c.valueSize(e, of)
	case of.structure() && e.Special == Stream:
		return ioType
	case of.Kind == Struct && e.Special == Parent:
		return structType
	case of.Kind == User && e.Special == Parent:
		return parentType(of.Type)
	case of.Kind == User && e.Special == Root:
		return &DataType{Kind: User, Type: of.Type.Top()}
	}
	return c.fail(e, "%v has no %q", of, e.Name)
}

func (c *checker) index(e *Expr, s scope) *DataType {
	of, at := c.infer(e.Args[0], s), c.infer(e.Args[1], s)
	if at != nil && at.Kind != Int {
		c.fail(e.Args[1], "the index of an element is an integer, not %v", at)
	}
	switch {
	case of == nil:
		return nil
	case of.Kind == Array:
		return of.Of
	case of.Kind == Bytes:
		return byteType
	}
	return c.fail(e, "%v has no elements", of)
}

func (c *checker) cond(e *Expr, s scope) *DataType {
	c.want(e.Args[0], s, "the condition of ? :", Bool)
	yes, no := c.infer(e.Args[1], s), c.infer(e.Args[2], s)
	if yes == nil || no == nil {
		return nil
	}
	both := combine(yes, no)
	if both.Kind == Any && yes.Kind != Any && no.Kind != Any {
		return c.fail(e, "the two sides of ? : don't go together: %v and %v", yes, no)
	}
	return both
}

func (c *checker) unary(e *Expr, s scope) *DataType {
	t := c.infer(e.Args[0], s)
	switch {
	case t == nil:
		return nil
	case e.Op == OpNot && t.Kind == Bool:
		return boolType
	case e.Op == OpNegate && t.Kind == Float:
		return floatType
	case e.Op != OpNot && t.Kind == Int:
		return intType
	}
	return c.fail(e, "%q can't be applied to %v", opText(e.Op), t)
}

func (c *checker) binary(e *Expr, s scope) *DataType {
	a, b := c.infer(e.Args[0], s), c.infer(e.Args[1], s)
	if e.Op >= OpEqual && e.Op <= OpAtLeast {
		if a != nil && b != nil {
			c.compare(e, e.Op, a, b)
		}
		return boolType
	}
	if a == nil || b == nil {
		return nil
	}
	if t := arithmetic(e.Op, a, b); t != nil {
		return t
	}
	return c.fail(e, "%q can't be applied to %v and %v", opText(e.Op), a, b)
}

// arithmetic is the type of what an operator makes of two values; nil where it makes nothing.
func arithmetic(op Op, a, b *DataType) *DataType {
	logic := op == OpAnd || op == OpOr
	switch {
	case logic && a.Kind == Bool && b.Kind == Bool:
		return boolType
	case logic:
		return nil
	case a.Kind == Int && b.Kind == Int:
		return intType
	case a.numeric() && b.numeric() && op >= OpAdd:
		return floatType
	case a.Kind == Str && b.Kind == Str && op == OpAdd:
		return strType
	}
	return nil
}

// compare reports values that can't be compared.
func (c *checker) compare(at *Expr, op Op, a, b *DataType) {
	equality := op == OpEqual || op == OpUnequal
	switch {
	case a.numeric() && b.numeric(), a.Kind == Str && b.Kind == Str, a.Kind == Bytes && b.Kind == Bytes:
		return
	case (a.Kind == Bool || a.Kind == EnumValue) && same(a, b):
		if !equality {
			c.fail(at, "%q can't be applied to %v; only equality can be asked", opText(op), a)
		}
	case a.Kind == EnumValue && b.Kind == Int || a.Kind == Int && b.Kind == EnumValue:
		c.fail(at, "%v and %v can't be compared; name the member, or take .to_i of the enum", a, b)
	default:
		c.fail(at, "%v and %v can't be compared", a, b)
	}
}

// want infers an expression that must be of a kind.
func (c *checker) want(e *Expr, s scope, what string, kind Kind) {
	t := c.infer(e, s)
	if t == nil || t.Kind == kind {
		return
	}
	wanted := DataType{Kind: kind}
	c.report.atText(e.node, e.start(), "%s is %v, not %v", what, &wanted, t)
}

// start is where the text of an expression begins.
func (e *Expr) start() int {
	for len(e.Args) > 0 && e.Args[0].Offset < e.Offset {
		e = e.Args[0]
	}
	return e.Offset
}
