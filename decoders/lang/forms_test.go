package lang

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cutaway/decoders/grammar"
)

// formNames are the numbers of TestForms, by their types.
var formNames = []struct {
	name string
	of   *grammar.Scalar
}{{"a", U8}, {"b", I8}, {"c", U32}, {"d", I32}, {"e", U64}, {"f", I64}, {"g", U16}}

// randomExpression writes an expression of numbers with names and constants.
func randomExpression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(5) == 0 {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprint([]uint64{0, 1, 2, 7, 31, 63, 64, 255, 1 << 31, math.MaxInt64, 1 << 63, math.MaxUint64}[r.IntN(12)])
		default:
			return formNames[r.IntN(len(formNames))].name
		}
	}
	one := func() string { return randomExpression(r, depth-1) }
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
	plan, err := named().Plan("")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []uint64{0, 1, 2, 5, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, math.MaxInt64, 1 << 63, math.MaxUint64, math.MaxUint64 - 1}
	for range 3000 {
		text := randomExpression(r, 1+r.IntN(4))
		var data []byte
		var args []Value
		var fields []*grammar.Field
		known := map[string]Value{}
		params := make([]string, len(formNames))
		for i, one := range formNames {
			n := numbers[r.IntN(len(numbers))]
			b := binary.LittleEndian.AppendUint64(nil, n)[:one.of.Size()]
			data = append(data, b...)
			args = append(args, one.of.Number(b, false))
			known[one.name] = args[i]
			fields, params[i] = append(fields, &grammar.Field{Name: one.name, Of: one.of}), one.name
		}
		inner := &grammar.Record{Title: "inner", Fields: fields}
		forms := map[string]*grammar.Record{
			"slots":  {Fields: append(append([]*grammar.Field{}, renewed(fields)...), &grammar.Field{Name: "end", Of: U8, Condition: &expression{"depth > 0", &words{program: plan.program}}})},
			"params": {Params: params},
			"known":  {},
			"of one": {Fields: []*grammar.Field{{Name: "inner", Of: inner}}},
		}
		want := ""
		for _, form := range []string{"known", "slots", "params", "of one"} {
			rec, x, in := forms[form], text, &words{program: plan.program}
			switch form {
			case "of one": // its fields are read from its bytes, as it has a fixed size
				x = prefixed(text, "inner.")
			case "known":
				in.given = known
			}
			rec.Fields = append(rec.Fields, &grammar.Field{Name: "result", Computed: &expression{E(x), in}}, &grammar.Field{Name: "number", Computed: &expression{E("0 + " + x), in}})
			if err := rec.Build(); err != nil {
				t.Fatalf("%s: %v", x, err)
			}
			pass := grammar.NewReading(t.Context(), grammar.Near)
			o := rec.Read(pass, &grammar.Session{}, over(data), 0, args...)
			got := ""
			for _, name := range []string{"result", "number"} {
				v, err := o.Scope(pass).Value(rec.Field(name))
				n, _ := v.Integer()
				if got += fmt.Sprint(n, v.Kind(), " "); err != nil {
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
func renewed(fields []*grammar.Field) (out []*grammar.Field) {
	for _, f := range fields {
		out = append(out, &grammar.Field{Name: f.Name, Of: f.Of})
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
