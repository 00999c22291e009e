package ksy

import (
	"context"
	"slices"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// plainElements is what is known of all elements of a list from its description alone, so that none of them needs a node.
type plainElements struct {
	nests bool // the fields of an element lie in a row, with no byte between them and no value beside them
	sound bool // an element that could be read has no problem
}

// plainList is what is known of a repeated field.
func (c *compiler) plainList(out *grammar.Field) plainElements {
	f := c.sources[out]
	if f == nil || f.Repeat == Once || f.Use == nil || f.isSized() || f.Process != nil {
		return plainElements{}
	}
	return c.plain(f, map[*Type]bool{})
}

// isSized reports whether a field says itself which bytes it has.
func (f *Field) isSized() bool { return f.Size != nil || f.SizeEOS || f.Term != nil }

// plain is what is known of a field, whose type may lie in those of around.
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

// plainType is what is known of a type.
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

// certain are the operations that give a value of all values.
var certain = []expr.Op{expr.OpInt, expr.OpFloat, expr.OpStr, expr.OpBool, expr.OpMember, expr.OpSizeOf, expr.OpBitSizeOf, expr.OpNot, expr.OpNegate, expr.OpAnd, expr.OpOr, expr.OpEqual, expr.OpUnequal, expr.OpLess,
	expr.OpAtMost, expr.OpGreater, expr.OpAtLeast, expr.OpAdd, expr.OpSubtract, expr.OpMultiply, expr.OpCond}

// isCertain reports whether an expression of a type can be computed whatever the bytes are: of numbers of its sequence that are always
// there.
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

// plainOf is plainList, once for each field.
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

// isSound reports whether no element of a list that could be read can have a problem.
func (f *describedFile) isSound(l *grammar.List) bool {
	known := f.plainOf(l)
	return known.nests && known.sound
}

// wholeList reads a list to its end, and says what is known of its elements; nothing where not all of them could be read.
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
		i, err := nextOdd(ctx, l, 0, scattered|unsound, progress) // a check asks for both
		if i >= 0 && err == nil {
			i, err = nextOdd(ctx, l, 0, scattered, progress)
		}
		return plainElements{nests: i < 0}, err
	}
	return known, nil
}
