package ksy

import (
	"maps"

	"cutaway/decoders/expr"
)

// A checker runs the passes over the types of all modules.
type checker struct {
	*loader
	chain int // length of the current chain of instances that depend on each other
}

// check resolves every name and infers the type of every expression.
func check(l *loader) {
	c := &checker{loader: l}
	c.each(c.resolve)
	c.each(c.plainParents)
	c.settleParents()
	if c.computedParents() {
		c.settleParents()
	}
	c.each(c.checkType)
	c.each(c.style)
}

// each calls visit for the types of all modules, outer types first.
func (c *checker) each(visit func(*Type)) {
	var walk func(*Type)
	walk = func(t *Type) {
		visit(t)
		for _, inner := range t.Types {
			walk(inner)
		}
	}
	for _, m := range c.d.Modules {
		if m.Top != nil {
			walk(m.Top)
		}
	}
}

// findType resolves the name of a type: one declared in from or around it, or the top of a module.
func (c *checker) findType(from *Type, n *expr.Path) *Type {
	first := n.Parts[0]
	var t *Type
	for at := from; at != nil && t == nil && !n.Absolute; at = at.Outer {
		t = at.types[first]
	}
	if t == nil {
		t = c.tops[first]
	}
	if t == nil && len(n.Parts) == 1 && from.Meta.OpaqueTypes {
		return c.opaque(from, first)
	}
	for _, part := range n.Parts[1:] {
		if t == nil {
			return nil
		}
		t = t.types[part]
	}
	return t
}

// opaque returns the type for an undeclared name, if meta/ks-opaque-types allows it.
func (c *checker) opaque(from *Type, name string) *Type {
	m := from.Top().Place.Module
	if m.opaque == nil {
		m.opaque = map[string]*Type{}
	}
	if m.opaque[name] == nil {
		m.opaque[name] = &Type{Name: name, Opaque: true, Place: from.Place}
	}
	return m.opaque[name]
}

// typeNamed is like findType, with a finding if the type does not exist.
func (c *checker) typeNamed(from *Type, n *expr.Path) *Type {
	t := c.findType(from, n)
	if t == nil {
		known := maps.Clone(c.tops)
		for at := from; at != nil; at = at.Outer {
			maps.Copy(known, at.types)
		}
		c.report.atText(n.Origin.(*node), n.Offset, "there is no type %q, in %q, around it or imported%s", n, from.path(), meant(&c.report, n.String(), known))
	}
	return t
}

// enumNamed resolves the name of an enum. It returns nil with a finding if the enum does not exist.
func (c *checker) enumNamed(from *Type, n *expr.Path) *Enum {
	last := len(n.Parts) - 1
	var e *Enum
	if last > 0 {
		if t := c.findType(from, &expr.Path{Parts: n.Parts[:last], Absolute: n.Absolute}); t != nil {
			e = t.enums[n.Parts[last]]
		}
	} else {
		if n.Absolute {
			from = from.Top()
		}
		for at := from; at != nil && e == nil; at = at.Outer {
			e = at.enums[n.Parts[0]]
		}
	}
	if e == nil {
		c.report.atText(n.Origin.(*node), n.Offset, "there is no enum %q, in %q or around it", n, from.path())
	}
	return e
}

// pureType resolves the type of a param, cast or sizeof, where nothing is read.
func (c *checker) pureType(from *Type, ref *expr.TypeRef) *expr.Type {
	var out *expr.Type
	if len(ref.Path.Parts) == 1 && !ref.Path.Absolute {
		first := ref.Path.Parts[0]
		if out = simpleTypes[first]; out == nil {
			if use, ok := builtin(first); ok {
				out = use.data()
			}
		}
	}
	if out == nil {
		t := c.typeNamed(from, ref.Path)
		if t == nil {
			return nil
		}
		out = userType(t)
	}
	if ref.Array {
		return &expr.Type{Kind: expr.Array, Of: out}
	}
	return out
}

// resolve resolves the names of types and enums in a type's fields.
func (c *checker) resolve(t *Type) {
	for _, f := range t.Params {
		if f.typeRef != nil {
			f.Type = c.enumOf(f, c.pureType(t, f.typeRef), f.typeRef.Path)
		}
	}
	for _, f := range t.readFields() {
		c.report.muted = f.broken
		for _, u := range f.Uses() {
			if u.Form == FormUser {
				if u.name == nil {
					continue
				}
				if u.Type = c.typeNamed(t, u.name); u.Type == nil {
					continue
				}
			}
			u.Data = c.enumOf(f, u.data(), nil)
		}
		f.Type = f.element()
		if f.Repeat != Once && f.Type != nil {
			f.Type = &expr.Type{Kind: expr.Array, Of: f.Type}
		}
	}
	c.report.muted = false
}

// readFields returns the fields that are read: the sequence, then instances without a value.
func (t *Type) readFields() []*Field {
	out := append([]*Field(nil), t.Seq...)
	for _, f := range t.Instances {
		if f.Role == RoleInstance {
			out = append(out, f)
		}
	}
	return out
}

// Uses returns the types that a field may be read as.
func (f *Field) Uses() []*Use {
	if f.Use != nil {
		return []*Use{f.Use}
	}
	var out []*Use
	if f.Switch != nil {
		for _, one := range f.Switch.Cases {
			out = append(out, one.Use)
		}
	}
	return out
}

// element returns the type of an element of a field, or nil if it is invalid.
func (f *Field) element() *expr.Type {
	var out *expr.Type
	otherwise := f.Switch != nil && (f.Size != nil || f.SizeEOS)
	add := func(t *expr.Type) {
		if out == nil {
			out = t
		} else if t != nil {
			out = expr.Combine(out, t)
		}
	}
	if f.Switch != nil {
		for _, one := range f.Switch.Cases {
			otherwise = otherwise && one.Key != nil
		}
	}
	for _, u := range f.Uses() {
		add(u.Data)
	}
	if otherwise {
		add(expr.BytesType)
	}
	return out
}

// enumOf returns t with the field's enum, if any.
func (c *checker) enumOf(f *Field, t *expr.Type, typeName *expr.Path) *expr.Type {
	if f.enumName == nil || t == nil {
		return t
	}
	if t.Kind == expr.Bool && f.Use != nil && f.Use.Form == FormBits || typeName != nil && typeName.Parts[0] == "b1" {
		t = &expr.Type{Kind: expr.Int, Width: 1, Bits: true}
	}
	if t.Kind != expr.Int {
		c.report.atNode(f.enumName.Origin.(*node), "an enum names integers; this is %v", t)
		return t
	}
	e := c.enumNamed(f.Owner, f.enumName)
	if e == nil {
		return nil
	}
	return &expr.Type{Kind: expr.EnumValue, Named: e, Of: t}
}

// plainParents records the types whose fields use each type. Uses in other modules do not count.
func (c *checker) plainParents(t *Type) {
	for _, f := range t.readFields() {
		if f.NoParent || f.ParentOf != nil {
			continue
		}
		for _, u := range f.Uses() {
			u.usedBy(t)
		}
	}
}

func (u *Use) usedBy(t *Type) {
	if u.Type != nil && !u.Type.Opaque && u.Type.Top() == t.Top() {
		u.Type.used[t] = true
	}
}

func (c *checker) settleParents() {
	c.each(func(t *Type) {
		t.Parent = nil
		if len(t.used) == 1 {
			for parent := range t.used {
				t.Parent = parent
			}
		}
	})
}

// computedParents sets the parents from parent keys, whose types may depend on other parents. It reports whether there
// are any.
func (c *checker) computedParents() (some bool) {
	c.report.muted = true
	c.each(func(t *Type) {
		for _, f := range t.readFields() {
			if f.ParentOf == nil {
				continue
			}
			some = true
			if parent := c.infer(f.ParentOf, scope{t: t}); parent != nil && parent.Kind == expr.User {
				for _, u := range f.Uses() {
					u.usedBy(typeIn(parent))
				}
			}
		}
	})
	c.each(func(t *Type) {
		for _, f := range t.Instances {
			if f.Role == RoleValue {
				f.Type, f.state = nil, notInferred
			}
		}
	})
	c.report.muted = false
	return some
}
