package expr

// An Env gives names their meaning, for Infer.
type Env interface {
	// Resolve returns the type of a name, an attribute, a call, a member, a cast or a size, and sets its Meaning. It infers the
	// arguments itself. It returns nil where the expression is wrong, after Fail.
	Resolve(x *Expr) *Type
	// Fail reports that an expression is wrong.
	Fail(x *Expr, format string, args ...any)
	// Dialect returns the dialect of the text.
	Dialect() Dialect
}

// Infer sets the types of an expression and its operands, and returns its own, or nil where it is wrong or missing.
func Infer(x *Expr, env Env) *Type {
	if x == nil {
		return nil
	}
	x.Type = inference{env, env.Dialect() == BuiltIn}.typeOf(x)
	return x.Type
}

// inference holds the rules of the operators. In BuiltIn numbers are true or false, truth is a number, and AnyType is
// any type that an operator needs.
type inference struct {
	Env
	loose bool
}

func (c inference) typeOf(x *Expr) *Type {
	switch x.Op {
	case OpInt:
		return literalInt(x)
	case OpFloat:
		return FloatType
	case OpStr:
		return StrType
	case OpBool:
		return BoolType
	case OpShown:
		return Infer(x.Args[0], c.Env)
	case OpFormat:
		return c.format(x)
	case OpList:
		return c.list(x)
	case OpName, OpFunc, OpMember, OpAttr, OpCall, OpCast, OpSizeOf, OpBitSizeOf:
		return c.Resolve(x)
	case OpIndex:
		return c.index(x)
	case OpCond:
		return c.cond(x)
	case OpNot, OpNegate, OpInvert:
		return c.unary(x)
	case OpIn, OpWithin:
		return c.membership(x)
	}
	return c.binary(x)
}

// fail reports an expression that is wrong, and returns no type.
func (c inference) fail(x *Expr, format string, args ...any) *Type {
	c.Fail(x, format, args...)
	return nil
}

// takes reports whether values of a type can be taken for values of a kind.
func (c inference) takes(t *Type, kind Kind) bool {
	return t.Kind == kind || c.loose && (t.Kind == Any || kind == Bool && t.Kind == Int || kind == Int && t.Kind == Bool)
}

// isNumber reports whether values of a type can be taken for numbers.
func (c inference) isNumber(t *Type) bool { return t.Kind == Float || c.takes(t, Int) }

// literalInt gives small integers the width of a byte, so that lists of such are byte arrays.
func literalInt(x *Expr) *Type {
	switch {
	case x.Int.BitLen() <= 8:
		return &Type{Kind: Int, Width: 1, Signed: x.Int.BitLen() < 8}
	case x.Int.BitLen() == 64:
		return &Type{Kind: Int, Width: 8}
	}
	return IntType
}

func (c inference) format(x *Expr) *Type {
	for _, piece := range x.Args {
		if t := Infer(piece, c.Env); t != nil && t.Kind != Int && t.Kind != Str && !c.loose {
			c.fail(piece, "only integers and strings can be put into a string, not %v", t)
		}
	}
	return StrType
}

func (c inference) list(x *Expr) *Type {
	if len(x.Args) == 0 {
		return c.fail(x, "a list without elements has no type; cast an element's list, or leave it out")
	}
	var of *Type
	for _, arg := range x.Args {
		t := Infer(arg, c.Env)
		switch {
		case t == nil:
			return nil
		case of == nil:
			of = t
		default:
			both := Combine(of, t)
			if both.Kind == Any && of.Kind != Any && t.Kind != Any {
				return c.fail(arg, "the elements of a list are of one type; this is %v, those before %v", t, of)
			}
			of = both
		}
	}
	if of.IsByte() {
		return BytesType
	}
	return &Type{Kind: Array, Of: of}
}

func (c inference) index(x *Expr) *Type {
	of, at := Infer(x.Args[0], c.Env), Infer(x.Args[1], c.Env)
	if at != nil && !c.takes(at, Int) {
		c.fail(x.Args[1], "the index of an element is an integer, not %v", at)
	}
	switch {
	case of == nil:
		return nil
	case of.Kind == Array:
		return of.Of
	case of.Kind == Bytes:
		return ByteType
	case c.loose && of.Kind == Any:
		return AnyType
	}
	return c.fail(x, "%v has no elements", of)
}

// Want infers an expression that must be of a kind; what names it in the message.
func Want(x *Expr, env Env, what string, kind Kind) *Type {
	t := Infer(x, env)
	if t != nil && !(inference{env, env.Dialect() == BuiltIn}).takes(t, kind) {
		env.Fail(&Expr{Offset: x.Start(), Origin: x.Origin}, "%s is %v, not %v", what, &Type{Kind: kind}, t)
	}
	return t
}

func (c inference) cond(x *Expr) *Type {
	Want(x.Args[0], c.Env, "the condition of ? :", Bool)
	yes, no := Infer(x.Args[1], c.Env), Infer(x.Args[2], c.Env)
	if yes == nil || no == nil {
		return nil
	}
	both := Combine(yes, no)
	if both.Kind == Any && yes.Kind != Any && no.Kind != Any && !c.loose {
		return c.fail(x, "the two sides of ? : don't go together: %v and %v", yes, no)
	}
	return both
}

func (c inference) unary(x *Expr) *Type {
	t := Infer(x.Args[0], c.Env)
	switch {
	case t == nil:
		return nil
	case x.Op == OpNot && c.takes(t, Bool):
		return BoolType
	case x.Op == OpNegate && t.Kind == Float:
		return FloatType
	case x.Op != OpNot && c.takes(t, Int):
		return IntType
	}
	return c.fail(x, "%q can't be applied to %v", x.Op, t)
}

func (c inference) binary(x *Expr) *Type {
	a, b := Infer(x.Args[0], c.Env), Infer(x.Args[1], c.Env)
	if x.Op.IsComparison() {
		if a != nil && b != nil {
			Compare(x, x.Op, a, b, c.Env)
		}
		return BoolType
	}
	if a == nil || b == nil {
		return nil
	}
	if t := c.arithmetic(x.Op, a, b); t != nil {
		return t
	}
	return c.fail(x, "%q can't be applied to %v and %v", x.Op, a, b)
}

// arithmetic returns the type of the result of an operator, or nil if it takes no such values.
func (c inference) arithmetic(op Op, a, b *Type) *Type {
	logic := op == OpAnd || op == OpOr
	switch {
	case logic && c.takes(a, Bool) && c.takes(b, Bool):
		return BoolType
	case logic:
		return nil
	case c.takes(a, Int) && c.takes(b, Int):
		return IntType
	case c.isNumber(a) && c.isNumber(b) && op >= OpAdd:
		return FloatType
	case a.Kind == Str && b.Kind == Str && op == OpAdd:
		return StrType
	}
	return nil
}

// membership checks x in a..b and x in (a, b).
func (c inference) membership(x *Expr) *Type {
	of := Infer(x.Args[0], c.Env)
	op := OpEqual
	if x.Op == OpWithin {
		op = OpAtLeast
	}
	for _, arg := range x.Args[1:] {
		if t := Infer(arg, c.Env); t != nil && of != nil {
			Compare(arg, op, of, t, c.Env)
		}
	}
	return BoolType
}

// Compare fails at an expression where an operator cannot compare values of two types.
func Compare(at *Expr, op Op, a, b *Type, env Env) {
	c := inference{env, env.Dialect() == BuiltIn}
	switch {
	case c.haveOrder(a, b):
	case (a.Kind == Bool || a.Kind == EnumValue) && Same(a, b):
		if op != OpEqual && op != OpUnequal {
			c.fail(at, "%q can't be applied to %v; only equality can be asked", op, a)
		}
	case a.Kind == EnumValue && b.Kind == Int || a.Kind == Int && b.Kind == EnumValue:
		c.fail(at, "%v and %v can't be compared; name the member, or take .to_i of the enum", a, b)
	default:
		c.fail(at, "%v and %v can't be compared", a, b)
	}
}

// haveOrder reports whether values of two types are less and more than each other.
func (c inference) haveOrder(a, b *Type) bool {
	if c.isNumber(a) && c.isNumber(b) || c.loose && (a.Kind == Any || b.Kind == Any) {
		return true
	}
	text := func(t *Type) bool { return t.Kind == Str || t.Kind == Bytes }
	return text(a) && text(b) && (c.loose || a.Kind == b.Kind)
}
