package ksy

import "cutaway/decoders/expr"

// checkType checks the expressions of a type.
func (c *checker) checkType(t *Type) {
	s := scope{t: t}
	if t.ToString != nil {
		c.want(t.ToString, s, "to-string", expr.Str)
	}
	if e := t.Meta.Endian; e != nil && e.Owner == t && e.Order == Switched {
		on := c.infer(e.On, s)
		for _, one := range e.Cases {
			c.checkCase(one.Key, on, s)
		}
	}
	for _, f := range t.Seq {
		c.checkRead(f, s)
	}
	for _, f := range t.Instances {
		if f.Role == RoleInstance {
			c.checkRead(f, s)
			continue
		}
		c.value(f)
		c.checkIf(f, s)
		if f.enumName != nil && f.Type == nil {
			c.enumNamed(t, f.enumName)
		}
	}
}

func (c *checker) checkIf(f *Field, s scope) {
	if f.If != nil {
		c.want(f.If, s, "the condition of if", expr.Bool)
	}
}

// checkCase checks the key of a case against the value of the switch.
func (c *checker) checkCase(key *expr.Expr, on *expr.Type, s scope) {
	s.on = on
	if t := c.infer(key, s); t != nil && on != nil {
		c.compare(key, expr.OpEqual, on, t)
	}
}

// checkRead checks a field that is read, in the order of evaluation.
func (c *checker) checkRead(f *Field, s scope) {
	if f.broken {
		return
	}
	c.checkIf(f, s)
	if f.IO != nil {
		c.want(f.IO, s, "io", expr.IO)
	}
	element := f.element()
	for _, one := range []struct {
		e    *expr.Expr
		what string
	}{{f.Pos, "pos"}, {f.Size, "size"}} {
		if one.e != nil {
			c.want(one.e, s, one.what, expr.Int)
		}
	}
	switch {
	case f.RepeatExpr == nil:
	case f.Repeat == RepeatUntil:
		c.want(f.RepeatExpr, scope{t: s.t, it: orAny(element)}, "the condition of repeat-until", expr.Bool)
	default:
		c.want(f.RepeatExpr, s, "repeat-expr", expr.Int)
	}
	if f.Switch != nil {
		on := c.infer(f.Switch.On, s)
		for _, one := range f.Switch.Cases {
			c.checkCase(one.Key, on, s)
		}
	}
	for _, u := range f.Uses() {
		c.checkArgs(u, s)
	}
	if f.ParentOf != nil {
		if t := c.infer(f.ParentOf, s); t != nil && !t.IsStructure() {
			c.report.atNode(nodeOf(f.ParentOf), "the parent is a structure, not %v", t)
		}
	}
	c.checkProcess(f, s)
	c.checkValid(f, element, s)
}

// orAny returns t, or the type that fits everywhere if t is nil after an error.
func orAny(t *expr.Type) *expr.Type {
	if t == nil {
		return expr.AnyType
	}
	return t
}

// checkArgs checks the arguments for the params of a type.
func (c *checker) checkArgs(u *Use, s scope) {
	for _, arg := range u.Args {
		c.infer(arg, s)
	}
	if u.Type == nil || u.Type.Opaque {
		return
	}
	if len(u.Args) != len(u.Type.Params) {
		c.report.atNode(u.node, "%q takes %s; %d given", u.Type.path(), plural(len(u.Type.Params), "param"), len(u.Args))
		return
	}
	for i, arg := range u.Args {
		param := u.Type.Params[i]
		if arg.Type != nil && param.Type != nil && !accepts(param.Type, arg.Type) {
			c.report.atText(nodeOf(arg), arg.Start(), "the param %q of %q is %v, not %v", param.ID, u.Type.path(), param.Type, arg.Type)
		}
	}
}

func (c *checker) checkProcess(f *Field, s scope) {
	if f.Process == nil {
		return
	}
	for _, arg := range f.Process.Args {
		t := c.infer(arg, s)
		if t == nil {
			continue
		}
		rotation := f.Process.Name == "rol" || f.Process.Name == "ror"
		if rotation && t.Kind != expr.Int || f.Process.Name == "xor" && t.Kind != expr.Int && t.Kind != expr.Bytes {
			c.report.atText(nodeOf(arg), arg.Start(), "the process %q can't take %v", f.Process.Name, t)
		}
	}
}

func (c *checker) checkValid(f *Field, element *expr.Type, s scope) {
	v := f.Valid
	if v == nil {
		return
	}
	against := func(e *expr.Expr, op expr.Op) {
		if t := c.infer(e, s); t != nil && element != nil {
			c.compare(e, op, element, t)
		}
	}
	against(v.Eq, expr.OpEqual)
	against(v.Min, expr.OpAtLeast)
	against(v.Max, expr.OpAtMost)
	for _, e := range v.AnyOf {
		against(e, expr.OpEqual)
	}
	if v.Expr != nil {
		c.want(v.Expr, scope{t: s.t, it: orAny(element)}, "the condition of valid", expr.Bool)
	}
}
