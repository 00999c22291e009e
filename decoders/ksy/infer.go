package ksy

import (
	"fmt"

	"cutaway/decoders/expr"
)

// A scope is the context of an expression: its type, and the types of `_` and `_on`, if defined.
type scope struct {
	t      *Type
	it, on *expr.Type
}

// An inferState is the progress of inferring an instance's type.
type inferState uint8

const (
	notInferred inferState = iota
	inferring
	inferred
)

// infer sets the types and declarations of an expression and its operands. It returns nil after a finding.
func (c *checker) infer(e *expr.Expr, s scope) *expr.Type { return expr.Infer(e, env{c, s}) }

// want infers an expression that must be of a kind.
func (c *checker) want(e *expr.Expr, s scope, what string, kind expr.Kind) {
	expr.Want(e, env{c, s}, what, kind)
}

// compare reports values that cannot be compared.
func (c *checker) compare(at *expr.Expr, op expr.Op, a, b *expr.Type) {
	expr.Compare(at, op, a, b, env{c: c})
}

// fail reports an expression and returns nil.
func (c *checker) fail(e *expr.Expr, format string, args ...any) *expr.Type {
	c.report.atExpr(e, format, args...)
	return nil
}

// An env resolves the names in expressions to a *Field, Special, Method or *EnumMember.
type env struct {
	c *checker
	s scope
}

var _ expr.Env = env{}

// Dialect returns Kaitai.
func (env) Dialect() expr.Dialect { return expr.Kaitai }

// Fail adds a finding.
func (n env) Fail(e *expr.Expr, format string, args ...any) { n.c.report.atExpr(e, format, args...) }

// Resolve sets the declaration of a name and returns its type.
func (n env) Resolve(e *expr.Expr) *expr.Type {
	c, s := n.c, n.s
	switch e.Op {
	case expr.OpName:
		return c.name(e, s)
	case expr.OpMember:
		return c.member(e, s)
	case expr.OpCast:
		c.infer(e.Args[0], s)
		return c.pureType(s.t, e.Ref)
	case expr.OpSizeOf, expr.OpBitSizeOf:
		return c.sizeOfType(e, s.t)
	}
	return c.attribute(e, s)
}

// A Special is a predefined name.
type Special uint8

// The special names.
const (
	NotSpecial Special = iota
	Root
	Parent
	Stream  // _io
	Index   // _index
	Current // _
	On      // _on
	SizeOf  // _sizeof; Int holds the size
)

var specials = map[string]Special{"_root": Root, "_parent": Parent, "_io": Stream, "_index": Index, "_": Current, "_on": On, "_sizeof": SizeOf}

// fieldOf returns the field that an expression names, or nil.
func fieldOf(e *expr.Expr) *Field {
	f, _ := e.Meaning.(*Field)
	return f
}

func (c *checker) name(e *expr.Expr, s scope) *expr.Type {
	if special := specials[e.Name]; special != NotSpecial {
		e.Meaning = special
		return c.special(e, special, s)
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

func (c *checker) special(e *expr.Expr, special Special, s scope) *expr.Type {
	switch special {
	case Root:
		return userType(s.t.Top())
	case Parent:
		return parentType(s.t)
	case Stream:
		return expr.IOType
	case Index:
		return expr.IntType
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

func userType(t *Type) *expr.Type { return &expr.Type{Kind: expr.User, Named: t} }

func parentType(t *Type) *expr.Type {
	if t.Parent == nil {
		return expr.StructType
	}
	return userType(t.Parent)
}

// fieldType returns the type of a field that an expression names.
func (c *checker) fieldType(e *expr.Expr, f *Field) *expr.Type {
	e.Meaning = f
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
	if f.Type = c.enumOf(f, f.Type, nil); f.Type != nil && f.Type.Kind == expr.EnumValue {
		f.Enum = enumIn(f.Type)
	}
	c.chain--
	f.state = inferred
}

// enumIn returns the enum, typeIn the type, of the values of a type, or nil for other types.
func enumIn(t *expr.Type) *Enum {
	e, _ := t.Named.(*Enum)
	return e
}

func typeIn(t *expr.Type) *Type {
	of, _ := t.Named.(*Type)
	return of
}

func (c *checker) member(e *expr.Expr, s scope) *expr.Type {
	path := *e.Path
	path.Parts = path.Parts[:len(path.Parts)-1]
	enum := c.enumNamed(s.t, &path)
	if enum == nil {
		return nil
	}
	member := enum.byName[e.Name]
	if member == nil {
		return c.fail(e, "the enum %q, at %s, has no member %q%s", enum.path(), enum.Place.Path, e.Name, meant(&c.report, e.Name, enum.byName))
	}
	e.Meaning = member
	return &expr.Type{Kind: expr.EnumValue, Named: enum}
}

// attribute resolves the name after a dot: a field of a structure, a special name, or a method.
func (c *checker) attribute(e *expr.Expr, s scope) *expr.Type {
	of := c.infer(e.Args[0], s)
	if of == nil {
		for _, arg := range e.Args[1:] {
			c.infer(arg, s)
		}
		return nil
	}
	if e.Op == expr.OpCall {
		return c.call(e, of, s)
	}
	if special := specials[e.Name]; special != NotSpecial {
		e.Meaning = special
		return c.specialOf(e, special, of)
	}
	switch t := typeIn(of); {
	case of.Kind == expr.User && t.Opaque:
		return expr.AnyType
	case of.Kind == expr.User:
		if f := t.members[e.Name]; f != nil {
			return c.fieldType(e, f)
		}
		return c.fail(e, "%q has no field, instance or param %q%s", t.path(), e.Name, meant(&c.report, e.Name, t.members))
	case of.Kind == expr.Struct, of.Kind == expr.Any:
		return c.fail(e, "it isn't known whether there is a %q: this is %v; say which by .as<type>", e.Name, of)
	}
	return c.call(e, of, s)
}

// specialOf resolves a special name after a dot.
func (c *checker) specialOf(e *expr.Expr, special Special, of *expr.Type) *expr.Type {
	switch {
	case special == SizeOf:
		return c.valueSize(e, of)
	case of.IsStructure() && special == Stream:
		return expr.IOType
	case of.Kind == expr.Struct && special == Parent:
		return expr.StructType
	case of.Kind == expr.User && special == Parent:
		return parentType(typeIn(of))
	case of.Kind == expr.User && special == Root:
		return userType(typeIn(of).Top())
	}
	return c.fail(e, "%v has no %q", of, e.Name)
}
