package grammar_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// program makes descriptions of bytes: each says what a field is, how it is repeated, sized or left out.
// Fields at places are not for layouts that tile: ksy's FuzzDescription has them.
type program struct {
	code, rules []byte
	depth       int
	numbers     []bool // which fields of the record that is described are numbers
}

func (p *program) next(n int) int { return draw(&p.code, n) }

func draw(from *[]byte, n int) int {
	if len(*from) == 0 {
		return 0
	}
	c := (*from)[0]
	*from = (*from)[1:]
	return int(c) % n
}

// rule gives a field a rule or a role, or leaves it as it is.
func (p *program) rule(f *grammar.Field) {
	bit := uint64(1) << draw(&p.rules, 8)
	check := grammar.Check{Rule: "fuzz.rule", Message: "not as it is to be", OK: func(_ grammar.Scope, v grammar.Value) bool {
		n, ok := v.Uint()
		return !ok || n&bit == 0
	}}
	switch draw(&p.rules, 6) {
	case 1:
		f.Checks = append(f.Checks, check)
	case 2:
		check.Ends = true
		f.Checks = append(f.Checks, check)
	case 3:
		f.Role = model.Role(draw(&p.rules, 4))
	case 4:
		if f.Repeat != nil {
			f.Repeat.Checks = append(f.Repeat.Checks, grammar.Check{Rule: "fuzz.rule", Message: "too many", OK: func(s grammar.Scope, v grammar.Value) bool {
				n, err := v.List().Len(s)
				return err != nil || uint64(n)&bit == 0
			}})
		}
	}
}

// A calculation is an expression of others.
type calculation struct {
	of []grammar.Expr
	do func(n []int64) (int64, error)
}

// Compile compiles the others.
func (c calculation) Compile(r *grammar.Record) (*grammar.Code, error) {
	var operands []grammar.Operand
	for _, e := range c.of {
		code, err := e.Compile(r)
		if err != nil {
			return nil, err
		}
		operands = append(operands, code.Operand())
	}
	return grammar.IntCode(func(s grammar.Scope) (int64, error) {
		n := make([]int64, len(operands))
		for i, one := range operands {
			var err error
			if n[i], err = one.Get(s); err != nil {
				return 0, err
			}
		}
		return c.do(n)
	}), nil
}

// number returns an expression of numbers before field i, all of which are named by their numbers.
func (p *program) number(i int) grammar.Expr {
	of := grammar.Named(fmt.Sprint(p.next(9) - 1))
	if i > 0 && p.next(2) == 0 {
		if k := p.next(i); p.numbers[k] {
			of = grammar.Named(fmt.Sprint("f", k))
		}
	}
	calculate := func(do func(n int64) int64) grammar.Expr {
		return calculation{[]grammar.Expr{of}, func(n []int64) (int64, error) { return do(n[0]), nil }}
	}
	switch p.next(6) {
	case 0:
		k := int64(p.next(256))
		return calculate(func(n int64) int64 { return n + k })
	case 1:
		k := int64(p.next(4))
		return calculate(func(n int64) int64 { return n - k })
	case 2:
		k, shift := int64(p.next(300)), p.next(60)
		return calculate(func(n int64) int64 { return n * k << shift })
	case 3:
		return grammar.IntCode(func(s grammar.Scope) (int64, error) { return s.Object().Stream().Size() - s.Pos(), nil })
	case 4:
		k := int64(p.next(3))
		return calculation{[]grammar.Expr{of}, func(n []int64) (int64, error) {
			if k == 0 {
				return 0, errors.New("a division by zero")
			}
			return n[0] / k, nil
		}}
	}
	return of
}

// compared returns the condition that two numbers are in an order.
func compared(a, b grammar.Expr, is func(order int) bool) grammar.Expr {
	return calculation{[]grammar.Expr{a, b}, func(n []int64) (int64, error) {
		if is(cmp.Compare(n[0], n[1])) {
			return 1, nil
		}
		return 0, nil
	}}
}

func (p *program) typ(i int) grammar.Type {
	plain := []grammar.Type{grammar.U8, grammar.U16, grammar.U32.BigEndian(), grammar.I64, grammar.F32, grammar.U24, grammar.Bits(1 + p.next(20)), grammar.Raw, grammar.UTF8, grammar.Tuple("pair", grammar.U16, 2)}
	switch k := p.next(len(plain) + 4); {
	case k < len(plain):
		return plain[k]
	case p.depth > 0 && k == len(plain):
		return grammar.Cases(p.number(i), map[int64]grammar.Type{0: grammar.U8, 1: p.record()}, p.record())
	case p.depth > 0:
		return p.record()
	}
	return grammar.U8
}

func (p *program) field(i int) *grammar.Field {
	f := &grammar.Field{Name: fmt.Sprint("f", i), Of: p.typ(i)}
	if p.next(4) == 0 {
		f.Condition = compared(p.number(i), p.number(i), func(order int) bool { return order < 0 })
	}
	if _, bits := f.Of.(*grammar.BitField); bits {
		p.rule(f)
		return f // no format of ours sizes or repeats one; ksy's FuzzDescription does
	}
	switch p.next(4) {
	case 0:
		f.Extent = &grammar.Extent{Size: p.number(i)}
	case 1:
		f.Extent = &grammar.Extent{ToEnd: true}
	}
	switch p.next(5) {
	case 0:
		f.Repeat = &grammar.Repeat{Count: p.number(i)}
	case 1:
		f.Repeat = &grammar.Repeat{ToEnd: true}
	case 2:
		f.Repeat = &grammar.Repeat{Count: p.number(i)}
		index := grammar.IntCode(func(s grammar.Scope) (int64, error) { return s.Index(), nil })
		f.Stop = compared(index, p.number(i), func(order int) bool { return order == 0 })
	}
	f.Inlined = p.next(4) == 0
	p.rule(f)
	return f
}

func (p *program) record() *grammar.Record {
	p.depth--
	outer := p.numbers
	defer func() { p.depth, p.numbers = p.depth+1, outer }()
	r := &grammar.Record{Title: "record"}
	for i := range 1 + p.next(6) {
		p.numbers = make([]bool, i)
		for k, f := range r.Fields {
			p.numbers[k] = isNumber(f)
		}
		r.Fields = append(r.Fields, p.field(i))
	}
	return r
}

// isNumber reports whether an expression may compute with a field.
func isNumber(f *grammar.Field) bool {
	if f.Repeat != nil {
		return false
	}
	switch of := f.Of.(type) {
	case *grammar.Scalar:
		return of.Name() != "pair"
	case *grammar.BitField:
		return true
	}
	return false
}

// build is Build of a record and of those in it, which are built by it or not at all.
func build(r *grammar.Record) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	return r.Build()
}

// FuzzEngine reads any bytes by any description: everything that the engine makes of them holds what every document must.
func FuzzEngine(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() != "" { // no other test runs
		grammar.FewEmptyElements()
	}
	f.Add([]byte{}, []byte{1, 2, 3}, []byte{})
	f.Add([]byte{2, 0, 0, 0, 0, 7, 7, 0, 5, 4, 0, 3, 3, 3, 1, 10, 1, 2, 3}, []byte("\x03abc\x02de\x00\xff\xff\xff\xff\xff\xff\xff\xff"), []byte{0, 1, 3, 2, 0, 3, 1, 1, 4})
	f.Add([]byte("a description, or not"), []byte("bytes of a file that it may be of, or not"), []byte("rules"))
	f.Fuzz(func(t *testing.T, code, data, rules []byte) {
		if len(code) > 200 || len(rules) > 100 || len(data) > 4096 {
			t.Skip("more says no more")
		}
		p := &program{code: code, rules: rules, depth: 4}
		record := p.record()
		if build(record) != nil {
			return // refused in words
		}
		format := &model.Format{Name: "fuzz", Open: func(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
			root := record.Open(&grammar.Session{Truncated: "fuzz.truncated", Tile: true}, grammar.Whole(req.Source), 0)
			return &model.Document{Format: "fuzz", Name: req.Name, Sources: []*model.Source{req.Source}, Views: []*model.View{{
				Name: model.LayoutView, Of: req.Source, Root: func(ctx context.Context) model.Node { return root.Node(ctx, "file") },
			}}}, nil
		}, Rules: []model.Rule{{ID: "fuzz.truncated", Help: "the file ends inside a field"}, {ID: "fuzz.rule", Help: "a value or a list is not as it is to be"}}}
		decodertest.Examine(t, format, data)
	})
}
