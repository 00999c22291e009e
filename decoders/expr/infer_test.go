package expr

import (
	"fmt"
	"strings"
	"testing"
)

// names is an Env of names that have types.
type names struct {
	dialect Dialect
	types   map[string]*Type
	errs    []string
}

// Dialect returns the dialect.
func (n *names) Dialect() Dialect { return n.dialect }

// Resolve finds a name.
func (n *names) Resolve(x *Expr) *Type {
	t := n.types[x.Name]
	if t == nil {
		n.Fail(x, "no %q", x.Name)
	}
	return t
}

// Fail keeps an error.
func (n *names) Fail(x *Expr, format string, args ...any) {
	n.errs = append(n.errs, fmt.Sprintf("%d: %s", x.Offset, fmt.Sprintf(format, args...)))
}

// TestInfer holds what the dialects make of the same text: .ksy tells numbers from truth, and takes no value of any type for another.
func TestInfer(t *testing.T) {
	types := map[string]*Type{"n": {Kind: Int, Width: 4}, "b": BoolType, "s": StrType, "raw": BytesType, "r": FloatType, "any": AnyType,
		"list": {Kind: Array, Of: IntType}}
	for _, c := range []struct{ text, kaitai, builtIn string }{
		{"n + 1", "an integer", "an integer"},
		{"n * r", "a floating-point number", "a floating-point number"},
		{"s + s", "a string", "a string"},
		{"n << 2 | 1", "an integer", "an integer"},
		{"list[n] > 1 and b", "a boolean", "a boolean"},
		{"raw[0] + 1", "an integer", "an integer"},
		{"b ? 1 : r", "a floating-point number", "a floating-point number"},
		{"[1, 300]", "a list, each element an integer", "a list, each element an integer"},
		{"not n", `0: "not" can't be applied to an integer`, "a boolean"},
		{"n and b", `2: "and" can't be applied to an integer and a boolean`, "a boolean"},
		{"n ? 1 : 2", "0: the condition of ? : is a boolean, not an integer", "an integer"},
		{"b + 1", `2: "+" can't be applied to a boolean and an integer`, "an integer"},
		{"any + 1", `4: "+" can't be applied to a value of any type and an integer`, "an integer"},
		{"any == s", "4: a value of any type and a string can't be compared", "a boolean"},
		{"raw == s", "4: a byte array and a string can't be compared", "a boolean"},
		{"any[1]", "3: a value of any type has no elements", "a value of any type"},
		{"b ? 1 : s", "2: the two sides of ? : don't go together: an integer and a string", "a value of any type"},
		{"n == s", "2: an integer and a string can't be compared", "2: an integer and a string can't be compared"},
		{"s and b", `2: "and" can't be applied to a string and a boolean`, `2: "and" can't be applied to a string and a boolean`},
		{"-s", `0: "-" can't be applied to a string`, `0: "-" can't be applied to a string`},
		{"r & 1", `2: "&" can't be applied to a floating-point number and an integer`, `2: "&" can't be applied to a floating-point number and an integer`},
		{"n[0]", "1: an integer has no elements", "1: an integer has no elements"},
		{"list[s]", "5: the index of an element is an integer, not a string", "5: the index of an element is an integer, not a string"},
		{"nobody + s", `0: no "nobody"`, `0: no "nobody"`},
		{"n in (1, s)", "", "9: an integer and a string can't be compared"},
		{"n in 1..s", "", "8: an integer and a string can't be compared"},
		{"s in (s, raw)", "", "a boolean"},
	} {
		for d, want := range [2]string{c.kaitai, c.builtIn} {
			x, err := Parse(c.text, Dialect(d), nil)
			if want == "" && err != nil {
				continue
			}
			env := &names{dialect: Dialect(d), types: types}
			got := ""
			if typ := Infer(x, env); typ != nil {
				got = typ.String()
			}
			if env.errs != nil {
				got = strings.Join(env.errs, "; ")
			}
			if got != want {
				t.Errorf("%s in %d: %s, not %s", c.text, d, got, want)
			}
		}
	}
}
