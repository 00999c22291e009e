package ksy

import (
	"context"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// An origin returns the path of a field that an expression reads.
type origin func(s grammar.Scope) (path string, ok bool)

// linkPosition adds references from an instance to the fields that its position is computed from.
func (c *compiler) linkPosition(f *Field, out *grammar.Field) {
	origins := c.origins(f.Pos)
	if len(origins) == 0 {
		return
	}
	out.Node = func(s grammar.Scope, _ grammar.Value, n *model.Node) {
		if n.Name != f.ID { // an element
			return
		}
		o, before := s.Object(), n.Refs
		n.Refs = func(ctx context.Context) (refs []model.Ref) {
			if before != nil {
				refs = before(ctx)
			}
			r := grammar.NewReading(ctx, grammar.Near)
			for _, find := range origins {
				if path, ok := find(o.Scope(r)); ok {
					refs = append(refs, model.Ref{Kind: "position", Path: path})
				}
			}
			return refs
		}
	}
}

// origins returns the fields that an expression names, if they are read or computed.
func (c *compiler) origins(e *expr.Expr) (out []origin) {
	if e == nil {
		return nil
	}
	if one := c.origin(e); one != nil {
		return []origin{one}
	}
	for _, arg := range e.Args {
		out = append(out, c.origins(arg)...)
	}
	return out
}

// origin returns the field that an expression is, or that it is an element of, or nil.
func (c *compiler) origin(e *expr.Expr) origin {
	f := fieldOf(e)
	switch {
	case e.Op == expr.OpIndex:
		list, at := c.origin(e.Args[0]), c.code(e.Args[1])
		if list == nil {
			return nil
		}
		return func(s grammar.Scope) (string, bool) {
			path, ok := list(s)
			v, err := at.Eval(s)
			i, number := v.Int()
			return path + "/" + model.IndexName(i), ok && number && err == nil
		}
	case f == nil || f.Role == RoleParam || f.ID == "":
		return nil
	}
	if e.Op == expr.OpName {
		return func(s grammar.Scope) (string, bool) { return s.Object().Path() + "/" + f.ID, true }
	}
	of := c.code(e.Args[0])
	return func(s grammar.Scope) (string, bool) {
		v, err := of.Eval(s)
		if err != nil || v.Object() == nil {
			return "", false
		}
		return v.Object().Path() + "/" + f.ID, true
	}
}
