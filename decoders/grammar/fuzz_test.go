package grammar_test

import (
	"context"
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

// number returns an expression of numbers before field i, all of which are named by their numbers.
func (p *program) number(i int) string {
	of := fmt.Sprint(p.next(9) - 1)
	if i > 0 && p.next(2) == 0 {
		if k := p.next(i); p.numbers[k] {
			of = fmt.Sprint("f", k)
		}
	}
	switch p.next(6) {
	case 0:
		return fmt.Sprintf("(%s + %d)", of, p.next(256))
	case 1:
		return fmt.Sprintf("(%s - %d)", of, p.next(4))
	case 2:
		return fmt.Sprintf("(%s * %d << %d)", of, p.next(300), p.next(60))
	case 3:
		return "left"
	case 4:
		return fmt.Sprintf("(%s / %d)", of, p.next(3)) // by 0 it fails
	}
	return of
}

// formula returns an expression as one of the engine.
func (p *program) formula(i int) grammar.Expr { return grammar.Formula(p.number(i)) }

func (p *program) typ(i int) grammar.Type {
	plain := []grammar.Type{grammar.U8, grammar.U16, grammar.U32.BigEndian(), grammar.I64, grammar.F32, grammar.U24, grammar.Bits(1 + p.next(20)), grammar.Raw, grammar.UTF8, grammar.Tuple("pair", grammar.U16, 2)}
	switch k := p.next(len(plain) + 4); {
	case k < len(plain):
		return plain[k]
	case p.depth > 0 && k == len(plain):
		return grammar.Cases(p.formula(i), map[int64]grammar.Type{0: grammar.U8, 1: p.record()}, p.record())
	case p.depth > 0:
		return p.record()
	}
	return grammar.U8
}

func (p *program) field(i int) *grammar.Field {
	f := &grammar.Field{Name: fmt.Sprint("f", i), Of: p.typ(i)}
	if p.next(4) == 0 {
		f.Condition = grammar.Formula(p.number(i) + " < " + p.number(i))
	}
	if _, bits := f.Of.(*grammar.BitField); bits {
		p.rule(f)
		return f // no format of ours sizes or repeats one; ksy's FuzzDescription does
	}
	switch p.next(4) {
	case 0:
		f.Extent = &grammar.Extent{Size: p.formula(i)}
	case 1:
		f.Extent = &grammar.Extent{ToEnd: true}
	}
	switch p.next(5) {
	case 0:
		f.Repeat = &grammar.Repeat{Count: p.formula(i)}
	case 1:
		f.Repeat = &grammar.Repeat{ToEnd: true}
	case 2:
		f.Repeat = &grammar.Repeat{Count: p.formula(i)}
		f.Stop = grammar.Formula("index == " + p.number(i))
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
