package ksy

import (
	"maps"
	"strings"
)

// checker holds the passes over the types of all modules.
type checker struct {
	*loader
	chain int // values of instances that need each other
}

// check gives every name its meaning and every expression its type.
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

// each walks the types of all modules, outer ones first.
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

// findType is the type that a name means in a type: one declared in it or around it, or the top of a module.
func (c *checker) findType(from *Type, n *name) *Type {
	first := n.parts[0]
	var t *Type
	for at := from; at != nil && t == nil && !n.absolute; at = at.Outer {
		t = at.types[first]
	}
	if t == nil {
		t = c.tops[first]
	}
	if t == nil && len(n.parts) == 1 && from.Meta.OpaqueTypes {
		return c.opaque(from, first)
	}
	for _, part := range n.parts[1:] {
		if t == nil {
			return nil
		}
		t = t.types[part]
	}
	return t
}

// opaque is the type of a name that is declared nowhere, where meta/ks-opaque-types allows that.
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

// typeNamed is findType with a finding where there is none.
func (c *checker) typeNamed(from *Type, n *name) *Type {
	t := c.findType(from, n)
	if t == nil {
		known := maps.Clone(c.tops)
		for at := from; at != nil; at = at.Outer {
			maps.Copy(known, at.types)
		}
		c.report.atText(n.node, n.offset, "there is no type %q, in %q, around it or imported%s", n, from.path(), meant(&c.report, n.String(), known))
	}
	return t
}

func (n *name) String() string {
	text := strings.Join(n.parts, "::")
	if n.absolute {
		return "::" + text
	}
	return text
}

// enumNamed is the enum that a name means in a type; nil with a finding.
func (c *checker) enumNamed(from *Type, n *name) *Enum {
	last := len(n.parts) - 1
	var e *Enum
	if last > 0 {
		if t := c.findType(from, &name{parts: n.parts[:last], absolute: n.absolute}); t != nil {
			e = t.enums[n.parts[last]]
		}
	} else {
		if n.absolute {
			from = from.Top()
		}
		for at := from; at != nil && e == nil; at = at.Outer {
			e = at.enums[n.parts[0]]
		}
	}
	if e == nil {
		c.report.atText(n.node, n.offset, "there is no enum %q, in %q or around it", n, from.path())
	}
	return e
}

// pureType is what a type's name means where nothing is read: for params, casts and sizeof.
func (c *checker) pureType(from *Type, ref *typeRef) *DataType {
	var out *DataType
	if len(ref.name.parts) == 1 && !ref.name.absolute {
		first := ref.name.parts[0]
		if out = simpleTypes[first]; out == nil {
			if use, ok := builtin(first); ok {
				out = use.data()
			}
		}
	}
	if out == nil {
		t := c.typeNamed(from, ref.name)
		if t == nil {
			return nil
		}
		out = &DataType{Kind: User, Type: t}
	}
	if ref.array {
		return &DataType{Kind: Array, Of: out}
	}
	return out
}

// resolve gives the names of types and enums in a type's fields their meaning.
func (c *checker) resolve(t *Type) {
	for _, f := range t.Params {
		if f.typeRef != nil {
			f.Type = c.enumOf(f, c.pureType(t, f.typeRef), f.typeRef.name)
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
			f.Type = &DataType{Kind: Array, Of: f.Type}
		}
	}
	c.report.muted = false
}

// readFields are the fields that are read: the sequence, then instances without value.
func (t *Type) readFields() []*Field {
	out := append([]*Field(nil), t.Seq...)
	for _, f := range t.Instances {
		if f.Role == RoleInstance {
			out = append(out, f)
		}
	}
	return out
}

// Uses are the types that a field may be read as.
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

// element is the type of one element of a field that is read; nil where it is wrong.
func (f *Field) element() *DataType {
	var out *DataType
	otherwise := f.Switch != nil && (f.Size != nil || f.SizeEOS)
	add := func(t *DataType) {
		if out == nil {
			out = t
		} else if t != nil {
			out = combine(out, t)
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
		add(bytesType)
	}
	return out
}

// enumOf is the type with the field's enum applied.
func (c *checker) enumOf(f *Field, t *DataType, typeName *name) *DataType {
	if f.enumName == nil || t == nil {
		return t
	}
	if t.Kind == Bool && f.Use != nil && f.Use.Form == FormBits || typeName != nil && typeName.parts[0] == "b1" {
		t = &DataType{Kind: Int, Width: 1, Bits: true}
	}
	if t.Kind != Int {
		c.report.at(f.enumName.node, "an enum names integers; this is %v", t)
		return t
	}
	e := c.enumNamed(f.Owner, f.enumName)
	if e == nil {
		return nil
	}
	return &DataType{Kind: EnumValue, Enum: e, Of: t}
}

// plainParents notes by whom the types are used; what other modules do with a type doesn't count.
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

// computedParents notes the parents that fields name by an expression, whose type may hang on other parents; it reports whether
// there are any.
func (c *checker) computedParents() (some bool) {
	c.report.muted = true
	c.each(func(t *Type) {
		for _, f := range t.readFields() {
			if f.ParentOf == nil {
				continue
			}
			some = true
			if parent := c.infer(f.ParentOf, scope{t: t}); parent != nil && parent.Kind == User {
				for _, u := range f.Uses() {
					u.usedBy(parent.Type)
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
