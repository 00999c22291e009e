package ksy

import (
	"fmt"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/formula"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A compiler makes grammar records of the types of a description. It compiles a type when it is first named, so that a
// type may contain itself.
type compiler struct {
	records map[*Type]*grammar.Record
	types   map[*grammar.Record]*Type
	fields  map[*Field]*grammar.Field
	exprs   *formula.Compiler
	parents map[*Field]*grammar.Code // of fields with a parent key
}

// compile returns the record of a whole file.
func compile(main *Type) (*grammar.Record, *compiler, error) {
	c := &compiler{records: map[*Type]*grammar.Record{}, types: map[*grammar.Record]*Type{},
		fields: map[*Field]*grammar.Field{}, parents: map[*Field]*grammar.Code{}}
	c.exprs = formula.NewCompiler(expr.Kaitai, c.nameCode)
	rec := c.record(main)
	return rec, c, rec.Build()
}

// record returns the record of a type.
func (c *compiler) record(t *Type) *grammar.Record {
	if rec := c.records[t]; rec != nil {
		return rec
	}
	rec := &grammar.Record{Title: t.Name, Help: help(t.Doc.Text)}
	c.records[t], c.types[rec] = rec, t
	for _, p := range t.Params {
		rec.Params = append(rec.Params, p.ID)
	}
	for _, list := range [][]*Field{t.Seq, t.Instances} {
		for i, f := range list {
			out := &grammar.Field{Name: f.ID, Help: help(f.Doc.Text), Origin: f}
			if f.ID == "" {
				out.Name, out.Hidden = fmt.Sprintf("_unnamed%d", i), true
			}
			c.fields[f] = out
			rec.Fields = append(rec.Fields, out)
		}
	}
	if e := t.Meta.Endian; e != nil && e.Order == Switched && e.Owner == t {
		rec.BigEndian = c.switchedOrder(e)
	}
	for _, list := range [][]*Field{t.Seq, t.Instances} {
		for _, f := range list {
			c.fill(f, c.fields[f])
		}
	}
	return rec
}

// help returns the first paragraph of a text as one line.
func help(text string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.Join(strings.Fields(paragraph), " ")
}

// switchedOrder returns a byte order that depends on a value.
func (c *compiler) switchedOrder(e *Endian) grammar.Expr {
	on := c.code(e.On)
	keys := make([]*grammar.Code, len(e.Cases))
	for i, one := range e.Cases {
		if one.Key != nil {
			keys[i] = c.code(one.Key)
		}
	}
	return grammar.Computed(func(s grammar.Scope) (grammar.Value, error) {
		v, err := on.Eval(s)
		if err != nil {
			return v, err
		}
		for i, key := range keys {
			if fits, err := matches(s, key, v); err != nil || fits {
				return grammar.BoolValue(e.Cases[i].Order == Big), err
			}
		}
		return v, fmt.Errorf("no byte order is given for %s", v)
	})
}

// matches reports whether a case's key equals the value, or is nil, which matches all.
func matches(s grammar.Scope, key *grammar.Code, v grammar.Value) (bool, error) {
	if key == nil {
		return true, nil
	}
	k, err := key.Eval(s)
	if err != nil {
		return false, err
	}
	order, err := formula.Order(s, v, k)
	return order == 0, err
}

// fill sets a grammar field.
func (c *compiler) fill(f *Field, out *grammar.Field) {
	out.Condition = c.expr(f.If)
	if f.Role == RoleValue {
		out.Computed = c.expr(f.Value)
		c.names(f.Enum, out)
		return
	}
	if f.Role == RoleInstance {
		out.Place = &grammar.Place{Pos: c.expr(f.Pos), IO: c.expr(f.IO)}
		c.linkPosition(f, out)
	}
	if f.ParentOf != nil {
		c.parents[f] = c.code(f.ParentOf)
	}
	if f.Switch == nil {
		out.Extent, out.Process = c.extent(f, f.Use.Term), c.process(f)
	}
	switch f.Repeat {
	case RepeatExpr:
		out.Repeat = &grammar.Repeat{Count: c.amount(f.RepeatExpr)}
	case RepeatUntil:
		out.Repeat = &grammar.Repeat{Until: c.expr(f.RepeatExpr)}
	case RepeatEOS:
		out.Repeat = &grammar.Repeat{ToEnd: true}
	}
	out.Of = c.fieldType(f)
	for _, u := range f.Uses() {
		if u.Data != nil && u.Data.Kind == expr.EnumValue {
			c.names(enumIn(u.Data), out)
		}
	}
	c.checks(f, out)
}

// amount compiles an optional size or count. Without value it is 0, as in the reference; the gallery's description of
// SQLite depends on this.
func (c *compiler) amount(e *expr.Expr) grammar.Expr {
	if e == nil {
		return nil
	}
	code := c.code(e)
	if code.Fixed() != nil {
		return code
	}
	return grammar.Computed(func(s grammar.Scope) (grammar.Value, error) {
		v, err := code.Eval(s)
		if v.Kind() == grammar.Null && err == nil {
			v = grammar.IntValue(0)
		}
		return v, err
	})
}

// extent returns the size or the end that a field gives its bytes, or nil if its type decides.
func (c *compiler) extent(f *Field, term []byte) *grammar.Extent {
	x := &grammar.Extent{Size: c.amount(f.Size), ToEnd: f.SizeEOS, Terminator: term, Include: f.Include, Keep: !f.Consume, Open: !f.EOSError}
	if f.Contents != nil && x.Size == nil {
		x.Size = grammar.FixedCode(grammar.IntValue(int64(len(f.Contents))))
	}
	if f.PadRight >= 0 {
		x.HasPad, x.PadByte = true, byte(f.PadRight)
	}
	if x.Size == nil && !x.ToEnd && len(x.Terminator) == 0 {
		return nil
	}
	return x
}

// fieldType returns the type of a field.
func (c *compiler) fieldType(f *Field) grammar.Type {
	if f.Switch == nil {
		return c.use(f.Use)
	}
	on := c.code(f.Switch.On)
	n := len(f.Switch.Cases)
	keys, types := make([]*grammar.Code, n), make([]grammar.Type, n, n+1)
	for i, one := range f.Switch.Cases {
		types[i] = c.useCase(f, one.Use)
		if one.Key != nil {
			keys[i] = c.code(one.Key)
		}
	}
	var otherwise grammar.Type // all bytes, unparsed
	if f.Size != nil || f.SizeEOS {
		otherwise = grammar.Within(&grammar.Extent{Size: c.amount(f.Size), ToEnd: f.SizeEOS}, c.process(f), grammar.Raw)
		types = append(types, otherwise)
	}
	return &grammar.Switch{On: on, Types: types, Pick: func(s grammar.Scope, v grammar.Value) (grammar.Type, error) {
		for i, key := range keys {
			if fits, err := matches(s, key, v); err != nil || fits {
				return types[i], err
			}
		}
		return otherwise, nil
	}}
}

// useCase returns the type of a case of a field. As in the reference, numbers ignore the size of the field, and text
// ignores its process.
func (c *compiler) useCase(f *Field, u *Use) grammar.Type {
	of, x := c.use(u), c.extent(f, u.Term)
	switch u.Form {
	case FormInt, FormFloat, FormBits:
		return of
	case FormStr:
		return grammar.Within(x, nil, of)
	}
	if x == nil {
		return of
	}
	return grammar.Within(x, c.process(f), of)
}

// use returns a type as a field uses it.
func (c *compiler) use(u *Use) grammar.Type {
	switch u.Form {
	case FormInt:
		scalar := map[int]*grammar.Scalar{1: grammar.U8, 2: grammar.U16, 4: grammar.U32, 8: grammar.U64}[u.Width]
		sign := "u"
		if u.Signed {
			scalar = map[int]*grammar.Scalar{1: grammar.I8, 2: grammar.I16, 4: grammar.I32, 8: grammar.I64}[u.Width]
			sign = "s"
		}
		return ordered(scalar, fmt.Sprintf("%s%d", sign, u.Width), u.Order)
	case FormFloat:
		return ordered(map[int]*grammar.Scalar{4: grammar.F32, 8: grammar.F64}[u.Width], fmt.Sprintf("f%d", u.Width), u.Order)
	case FormBits:
		flag := u.Width == 1 && (u.Data == nil || u.Data.Kind == expr.Bool)
		return &grammar.BitField{Width: u.Width, Big: u.Order != Little, Flag: flag}
	case FormStr:
		text := grammar.Text("str", func(b []byte) (string, error) { return decode(u.Encoding, b) })
		if isUTF8(u.Encoding) {
			text = text.Total()
		}
		return text
	case FormUser:
		if u.Type.Opaque {
			return &grammar.Custom{Display: u.Type.Name, Read: func(_ grammar.Scope, in grammar.Stream, off int64) (int64, grammar.Value, *model.Problem) {
				p := model.Problemf(model.Malformed, ruleOpaque, in.Source.Span(off, 0), "%s is read by code that the description does not bring", u.Type.Name)
				return off, grammar.Value{}, &p
			}}
		}
		args := make([]grammar.Expr, len(u.Args))
		for i, arg := range u.Args {
			args[i] = c.expr(arg)
		}
		rec := c.record(u.Type)
		if len(args) == 0 {
			return rec
		}
		return grammar.Call(rec, args...)
	}
	return grammar.Raw
}

func ordered(t *grammar.Scalar, name string, o Order) grammar.Type {
	switch {
	case t.Size() == 1 || o == NoOrder:
		return t.Named(name)
	case o == Big:
		return t.BigEndian().Named(name + "be")
	case o == Switched:
		return t.RecordOrder().Named(name)
	}
	return t.Named(name + "le")
}

// names names a field's numbers by an enum.
func (c *compiler) names(e *Enum, out *grammar.Field) {
	if e == nil {
		return
	}
	byNumber := make(map[int64]string, len(e.Members))
	for _, m := range e.Members {
		if m.Value.IsInt64() {
			byNumber[m.Value.Int64()] = m.Name
		} else if m.Value.IsUint64() {
			byNumber[int64(m.Value.Uint64())] = m.Name
		}
	}
	out.Names = func(_ grammar.Scope, n int64) string { return byNumber[n] }
}

// checks sets the rules of a field: its contents and valid keys.
func (c *compiler) checks(f *Field, out *grammar.Field) {
	if f.Contents != nil {
		want := grammar.BytesValue(f.Contents)
		c.check(out, ruleContents, "not the bytes that the description wants", fmt.Sprintf("% x", f.Contents),
			func(s grammar.Scope, v grammar.Value) (bool, error) {
				order, err := formula.Order(s, v, want)
				return order == 0, err
			})
	}
	v := f.Valid
	if v == nil {
		return
	}
	against := func(e *expr.Expr, op expr.Op, words string) {
		if e == nil {
			return
		}
		bound := c.code(e)
		c.check(out, ruleValid, "not what the description allows", words+nodeOf(e).text, func(s grammar.Scope, v grammar.Value) (bool, error) {
			b, err := bound.Eval(s)
			if err != nil {
				return false, err
			}
			order, err := formula.Order(s, v, b)
			return op.Holds(order), err
		})
	}
	against(v.Eq, expr.OpEqual, "")
	against(v.Min, expr.OpAtLeast, "at least ")
	against(v.Max, expr.OpAtMost, "at most ")
	if len(v.AnyOf) > 0 {
		c.checkAnyOf(out, c.exprs.Codes(v.AnyOf))
	}
	if v.Expr != nil {
		condition := c.code(v.Expr)
		c.check(out, ruleValid, "the description's condition does not hold", nodeOf(v.Expr).text, func(s grammar.Scope, v grammar.Value) (bool, error) {
			truth, err := s.Judge(v, condition.Eval)
			holds, _ := truth.Bool()
			return holds, err
		})
	}
	if v.InEnum {
		name := out.Names
		c.check(out, ruleValid, "not a member of the enum", "a member", func(s grammar.Scope, v grammar.Value) (bool, error) {
			return name(s, v.Big().Int64()) != "", nil
		})
	}
}

func (c *compiler) checkAnyOf(out *grammar.Field, allowed []*grammar.Code) {
	c.check(out, ruleValid, "not one of what the description allows", "one of those listed", func(s grammar.Scope, v grammar.Value) (bool, error) {
		for _, one := range allowed {
			if fits, err := matches(s, one, v); err != nil || fits {
				return fits, err
			}
		}
		return false, nil
	})
}

func (c *compiler) check(out *grammar.Field, rule, message, expected string, ok func(grammar.Scope, grammar.Value) (bool, error)) {
	out.Checks = append(out.Checks, grammar.Check{Rule: rule, Expected: expected, Message: message, OK: func(s grammar.Scope, v grammar.Value) bool {
		fits, err := ok(s, v)
		return fits && err == nil
	}, Found: foundText})
}

// foundText returns a value that a rule rejects, shortened.
func foundText(s grammar.Scope, v grammar.Value) string {
	const most = 32
	if v.Kind() != grammar.Bytes {
		return v.String()
	}
	b, err := v.Blob().Read(s.Reading().Context())
	if err != nil {
		return v.String()
	}
	text := fmt.Sprintf("% x", b[:min(len(b), most)])
	if len(b) > most {
		text += fmt.Sprintf(" … (%d bytes)", len(b))
	}
	return text
}
