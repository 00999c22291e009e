package grammar

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cutaway/decoders/expr"
)

// formNames are the numbers of TestForms, by their types.
var formNames = []struct {
	name string
	of   *Scalar
}{{"a", U8}, {"b", I8}, {"c", U32}, {"d", I32}, {"e", U64}, {"f", I64}, {"g", U16}}

// randomFormula writes an expression of numbers with names and constants.
func randomFormula(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(5) == 0 {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprint([]uint64{0, 1, 2, 7, 31, 63, 64, 255, 1 << 31, math.MaxInt64, 1 << 63, math.MaxUint64}[r.IntN(12)])
		default:
			return formNames[r.IntN(len(formNames))].name
		}
	}
	one := func() string { return randomFormula(r, depth-1) }
	switch r.IntN(12) {
	case 0:
		return "(-" + one() + ")"
	case 1:
		return "(~" + one() + ")"
	case 2:
		return "(" + one() + " ? " + one() + " : " + one() + ")"
	case 3:
		return "(not " + one() + ")"
	case 4:
		return "min(" + one() + ", " + one() + ")"
	case 5:
		return "(" + one() + " in " + one() + ".." + one() + ")"
	case 6:
		return "(" + one() + " in (" + one() + ", " + one() + ", 7))"
	}
	ops := []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"}
	return "(" + one() + " " + ops[r.IntN(len(ops))] + " " + one() + ")"
}

// TestForms holds that an expression is the same number whatever its names are: fields of a record that keeps what it read, or of
// one of fixed size, parameters, or values that are known and folded.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []uint64{0, 1, 2, 5, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, math.MaxInt64, 1 << 63, math.MaxUint64, math.MaxUint64 - 1}
	for range 3000 {
		text := randomFormula(r, 1+r.IntN(4))
		var data []byte
		var args []Value
		var fields []*Field
		known := knownNumbers{}
		params := make([]string, len(formNames))
		for i, one := range formNames {
			n := numbers[r.IntN(len(numbers))]
			b := binary.LittleEndian.AppendUint64(nil, n)[:one.of.size]
			data = append(data, b...)
			args = append(args, one.of.Number(b, false))
			known[one.name] = args[i]
			fields, params[i] = append(fields, &Field{Name: one.name, Of: one.of}), one.name
		}
		inner := &Record{Title: "inner", Fields: fields}
		forms := map[string]*Record{
			"slots":  {Fields: append(append([]*Field{}, renewed(fields)...), &Field{Name: "end", Of: U8, Condition: Formula("depth > 0")})},
			"params": {Params: params},
			"known":  {Vocabulary: known},
			"of one": {Fields: []*Field{{Name: "inner", Of: inner}}},
		}
		want := ""
		for _, form := range []string{"known", "slots", "params", "of one"} {
			rec := forms[form]
			formula := text
			if form == "of one" { // its fields are read from its bytes, as it has a fixed size
				rec.Vocabulary = nil
				formula = prefixed(text, "inner.")
			}
			rec.Fields = append(rec.Fields, &Field{Name: "result", Computed: Formula(formula)}, &Field{Name: "number", Computed: Formula("0 + " + formula)})
			if err := rec.Build(); err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			pass := NewReading(t.Context(), Near)
			o := rec.Read(pass, session(), over(data), 0, args...)
			got := ""
			for _, name := range []string{"result", "number"} {
				v, err := o.Scope(pass).Value(rec.Field(name))
				n, _ := v.integer()
				if got += fmt.Sprint(n, v.kind, " "); err != nil {
					got += "failed "
				}
			}
			if want == "" {
				want = got
			}
			failed := strings.Contains(want+got, "failed")
			if failed && (strings.Contains(text, "and") || strings.Contains(text, "or") || strings.Contains(text, "?")) {
				break // what alone decides needs no other
			}
			if got != want {
				t.Errorf("%s of %v: %s as %s, and %s where they are known", text, args, got, form, want)
			}
		}
	}
}

// renewed copies fields, which belong to one record.
func renewed(fields []*Field) (out []*Field) {
	for _, f := range fields {
		out = append(out, &Field{Name: f.Name, Of: f.Of})
	}
	return out
}

// prefixed puts text before the names of a random expression.
func prefixed(text, before string) string {
	out := ""
	for i := range text {
		alone := (i == 0 || !isLetter(text[i-1])) && (i+1 == len(text) || !isLetter(text[i+1]))
		if isLetter(text[i]) && alone {
			out += before
		}
		out += text[i : i+1]
	}
	return out
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// knownNumbers is a vocabulary of values.
type knownNumbers map[string]Value

// Name finds values.
func (k knownNumbers) Name(name string) (*Value, bool) {
	v, ok := k[name]
	return &v, ok
}

// Column finds none.
func (knownNumbers) Column(string, string) (Column, bool) { return Column{}, false }

// Func finds none.
func (knownNumbers) Func(string) (Function, bool) { return Function{}, false }

// TestSaturation holds the arithmetic of int64 against that of big integers.
func TestSaturation(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -2, -1, 0, 1, 2, 3, 62, 63, 64, 1 << 32, math.MaxInt64 - 1, math.MaxInt64}
	for _, a := range edges {
		for _, b := range edges {
			for i, do := range intOps {
				op := expr.Op(i)
				if do == nil || op.IsComparison() || op == expr.OpBitClear || refuses(op, b) != nil {
					continue
				}
				want, err := calculate(op, IntValue(a), IntValue(b))
				if err != nil {
					continue
				}
				saturated, _ := want.integer()
				if got := do(a, b); got != saturated {
					t.Errorf("%d %s %d is %d, want %s", a, op, b, got, want)
				}
				if got, ok := calculateInt(op, a, b); ok && got != saturated {
					t.Errorf("%d %s %d is %d in .ksy, want %s", a, op, b, got, want)
				}
			}
		}
	}
}
