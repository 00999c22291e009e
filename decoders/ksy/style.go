package ksy

import "cutaway/decoders/expr"

// style warns about lengths and counts of other fields that do not follow the naming convention.
func (c *checker) style(t *Type) {
	only := func(e *expr.Expr) *Field {
		if e == nil || e.Op != expr.OpName {
			return nil
		}
		if f := fieldOf(e); f != nil && f.uses == 1 && f.Role != RoleParam {
			return f
		}
		return nil
	}
	for _, f := range t.readFields() {
		if f.ID == "" {
			continue
		}
		if size := only(f.Size); size != nil {
			c.advise(size, "len_"+f.ID, "the size of "+f.ID)
		}
		if f.Repeat == RepeatExpr {
			if count := only(f.RepeatExpr); count != nil {
				c.advise(count, "num_"+f.ID, "the number of "+f.ID)
			}
		}
	}
}

func (c *checker) advise(f *Field, name, what string) {
	if f.ID == name {
		return
	}
	at := f.node.get("id")
	if at == nil {
		key := *f.node.key // an instance is named by its key
		key.parent, key.name = f.node.parent, f.node.name
		at = &key
	}
	c.report.warn(at, "%q is only %s; descriptions usually call that %q", f.ID, what, name)
}
