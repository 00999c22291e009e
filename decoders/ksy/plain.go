package ksy

import (
	"context"
	"slices"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// plainElements holds properties of all elements of a list that follow from its description, so that no element needs a
// node.
type plainElements struct {
	nests bool // the fields of an element are contiguous, and none is a computed value
	sound bool // an element that can be read has no problem
}

// plainList returns the properties of the elements of a repeated field.
func (c *compiler) plainList(out *grammar.Field) plainElements {
	f := out.Origin.(*Field)
	if f.Repeat == Once || f.Use == nil || f.isSized() || f.Process != nil {
		return plainElements{}
	}
	return c.plain(f, map[*Type]bool{})
}

// isSized reports whether a field determines its bytes, whatever its type.
func (f *Field) isSized() bool { return f.Size != nil || f.SizeEOS || f.Term != nil }

// plain returns the properties of a field in a type nested in around, which detects recursion.
func (c *compiler) plain(f *Field, around map[*Type]bool) plainElements {
	u := f.Use
	switch {
	case f.ID == "" || u == nil || f.Process != nil:
		return plainElements{}
	case u.Form != FormUser:
		decodes := u.Form == FormStr && !isUTF8(u.Encoding)
		hides := f.PadRight >= 0 || u.Term != nil && (f.Size != nil || f.SizeEOS)
		return plainElements{nests: !hides, sound: f.Valid == nil && f.Contents == nil && !decodes}
	case u.Type.Opaque || around[u.Type] || f.isSized():
		return plainElements{}
	}
	return c.plainType(u.Type, around)
}

// plainType returns the properties of a type nested in around.
func (c *compiler) plainType(t *Type, around map[*Type]bool) plainElements {
	around[t] = true
	defer delete(around, t)
	all := plainElements{true, true}
	for _, one := range t.Instances {
		if one.Role != RoleValue {
			return plainElements{}
		}
		all.sound = all.sound && one.If == nil && one.Enum == nil && isCertain(one.Value, t)
	}
	for _, inner := range t.Seq {
		one := c.plain(inner, around)
		all.nests, all.sound = all.nests && one.nests, all.sound && one.sound
	}
	return all
}

// certain are the operations that are defined for all operands.
var certain = []expr.Op{expr.OpInt, expr.OpFloat, expr.OpStr, expr.OpBool, expr.OpMember, expr.OpSizeOf, expr.OpBitSizeOf, expr.OpNot, expr.OpNegate, expr.OpAnd, expr.OpOr, expr.OpEqual, expr.OpUnequal, expr.OpLess,
	expr.OpAtMost, expr.OpGreater, expr.OpAtLeast, expr.OpAdd, expr.OpSubtract, expr.OpMultiply, expr.OpCond}

// isCertain reports whether an expression of a type cannot fail, whatever the bytes: its operands are literals, and
// numbers of the sequence that are always present.
func isCertain(e *expr.Expr, of *Type) bool {
	if e.Op == expr.OpName {
		f := fieldOf(e)
		return f != nil && f.Owner == of && f.Role == RoleSeq && f.If == nil && f.Repeat == Once && f.Use != nil &&
			(f.Use.Form == FormInt || f.Use.Form == FormFloat || f.Use.Form == FormBits)
	}
	return slices.Contains(certain, e.Op) && !slices.ContainsFunc(e.Args, func(arg *expr.Expr) bool { return !isCertain(arg, of) })
}

func isUTF8(encoding string) bool {
	name := strings.ToUpper(encoding)
	return name == "UTF-8" || name == "ASCII"
}

// plainOf returns plainList of a field, computed once.
func (f *describedFile) plainOf(l *grammar.List) plainElements {
	f.walking.Lock()
	defer f.walking.Unlock()
	known, ok := f.plain[l.Field()]
	if !ok {
		known = f.compiler.plainList(l.Field())
		f.plain[l.Field()] = known
	}
	return known
}

// isSound reports whether elements of a list that can be read have no problem.
func (f *describedFile) isSound(l *grammar.List) bool {
	known := f.plainOf(l)
	return known.nests && known.sound
}

// wholeList reads a list to its end and returns the properties of its elements, or none if an element cannot be read.
func (f *describedFile) wholeList(ctx context.Context, p *model.Place, progress model.Progress) (plainElements, error) {
	l := grammar.ListOf(p.Node.Children)
	if l == nil {
		return plainElements{}, nil
	}
	known := f.plainOf(l)
	if err := p.Resolve(ctx, progress); err != nil {
		return known, err
	}
	if !l.Whole() {
		return plainElements{}, nil
	}
	if !known.nests {
		i, err := nextOdd(ctx, l, 0, scattered|unsound, progress) // a check needs both
		if i >= 0 && err == nil {
			i, err = nextOdd(ctx, l, 0, scattered, progress)
		}
		return plainElements{nests: i < 0}, err
	}
	return known, nil
}
