package expr

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// write writes an expression with all its parentheses.
func write(x *Expr) string {
	var args []string
	for _, arg := range x.Args {
		args = append(args, write(arg))
	}
	switch x.Op {
	case OpInt:
		return x.Int.String()
	case OpFloat:
		return fmt.Sprint(x.Float)
	case OpStr:
		return fmt.Sprintf("%q", x.Str)
	case OpBool:
		return fmt.Sprint(x.Bool)
	case OpFormat:
		return "f{" + strings.Join(args, " ") + "}"
	case OpShown:
		return args[0] + ":" + x.Name
	case OpList:
		return "[" + strings.Join(args, ", ") + "]"
	case OpName:
		return x.Name
	case OpFunc:
		return x.Name + "(" + strings.Join(args, ", ") + ")"
	case OpMember:
		return x.Path.String()
	case OpAttr:
		return args[0] + "." + x.Name
	case OpCall:
		return args[0] + "." + x.Name + "(" + strings.Join(args[1:], ", ") + ")"
	case OpIndex:
		return args[0] + "[" + args[1] + "]"
	case OpCast:
		return fmt.Sprintf("%s.as<%s %v>", args[0], x.Ref.Path, x.Ref.Array)
	case OpSizeOf, OpBitSizeOf:
		return fmt.Sprintf("%d<%s>", x.Op, x.Ref.Path)
	case OpCond:
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")"
	case OpNot, OpNegate, OpInvert:
		return "(" + x.Op.String() + " " + args[0] + ")"
	case OpIn:
		return "(" + args[0] + " in " + strings.Join(args[1:], ", ") + ")"
	case OpWithin:
		return "(" + args[0] + " in " + args[1] + ".." + args[2] + ")"
	}
	return "(" + args[0] + " " + x.Op.String() + " " + args[1] + ")"
}

// both are the dialects, in which most texts mean the same.
var both = []Dialect{Kaitai, BuiltIn}

func TestParse(t *testing.T) {
	kaitai, builtIn := both[:1], both[1:]
	for _, c := range []struct {
		in         []Dialect
		text, want string
	}{
		{both, "1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"},
		{both, "1 | 2 ^ 3 & 4 << 5 + 6", "(1 | (2 ^ (3 & (4 << (5 + 6)))))"},
		{both, "not true == false or true and false", "((not (true == false)) or (true and false))"},
		{both, "true ? 1 : false ? 2 : 3", "(true ? 1 : (false ? 2 : 3))"},
		{both, "- 1 * ~2", "((- 1) * (~ 2))"},
		{both, "+1 / 2 % 3", "((1 / 2) % 3)"},
		{both, "a.b[1].c", "a.b[1].c"},
		{both, "flags & 0x0f != 0", "((flags & 15) != 0)"},
		{both, "1_000 >= 0b11 and .5 < 1e3", "((1000 >= 3) and (0.5 < 1000))"},
		{both, `"a\n" "b"`, `"a\nb"`},
		{both, "(1 +\n 2) \\\n * 3", "((1 + 2) * 3)"},
		{both, `f"{a}, {b + 1}"`, `f{a ", " (b + 1)}`},
		{both, "types[type].size", "types[type].size"},
		{both, "[1, 2,]", "[1, 2]"},
		{kaitai, "a.b[1].c(2).as<d::e>", "a.b[1].c(2).as<d::e false>"},
		{kaitai, "sizeof<u2> + bitsizeof<a::b>", fmt.Sprintf("(%d<u2> + %d<a::b>)", OpSizeOf, OpBitSizeOf)},
		{kaitai, "b.as<u2[]> == ::a::b", "(b.as<u2 true> == ::a::b)"},
		{kaitai, "'a\\n' + in", `("a\\n" + in)`},
		{kaitai, "_root._io.size - _", "(_root._io.size - _)"},
		{builtIn, "x in 1..4", "(x in 1..4)"},
		{builtIn, "x & 15 in a - 1..b + 1 and y", "(((x & 15) in (a - 1)..(b + 1)) and y)"},
		{builtIn, "x in 1.5..2.5", "(x in 1.5..2.5)"},
		{builtIn, "not x in (1, 'i', \"s\")", "(not (x in 1, 105, \"s\"))"},
		{builtIn, "crate >= v0.8.0", "(crate >= 2048)"},
		{builtIn, "v1.2.3 - v1", "(66051 - v1)"},
		{builtIn, "has(f) ? min(a, b.c) : f()", "(has(f) ? min(a, b.c) : f())"},
		{builtIn, "a &^ b & c", "((a &^ b) & c)"},
		{builtIn, "Upper_case.camelCase", "Upper_case.camelCase"},
		{builtIn, "text[1..]", ""},
	} {
		for _, d := range c.in {
			x, err := Parse(c.text, d, nil)
			switch {
			case c.want == "":
				if err == nil {
					t.Errorf("%s in %d: %s, which it is not", c.text, d, write(x))
				}
			case err != nil:
				t.Errorf("%s in %d: at %d: %s", c.text, d, err.Offset, err.Message)
			case write(x) != c.want:
				t.Errorf("%s in %d: got %s, not %s", c.text, d, write(x), c.want)
			}
		}
	}
}

// TestExtensions: what BuiltIn has besides Kaitai's syntax is refused in .ksy, in words that name it.
func TestExtensions(t *testing.T) {
	for text, want := range map[string]string{
		"x in (1, 2)":      `2: "in" is no operator of .ksy; write x == a or x == b`,
		"x in 1..4":        `2: "in" is no operator of .ksy; write x == a or x == b`,
		"a..b":             `1: ".." is no operator of .ksy; write a <= x and x <= b`,
		"a &^ b":           `2: "&^" is no operator of .ksy; write a & ~b`,
		"crate >= v0.8.0":  `9: "v0.8.0" is a version, and .ksy has no versions`,
		"1 + has(f)":       `4: "has" is called like a function, and .ksy has none; methods are asked of a value: value.method`,
		"(1, 2)":           `2: ")" should be here, not ","`,
		"Upper + 1":        `0: "Upper" can't be the name of a field: names begin with a small letter, then small letters, digits and _`,
		`f"{it:q}"`:        `5: "}" should be here, not ":"`,
		"_other":           `0: "_other" can't be the name of a field: names begin with a small letter, then small letters, digits and _`,
		"x == 'i' in [1]":  `9: "in" is no operator of .ksy; write x == a or x == b`,
		"min(1, 2).length": `0: "min" is called like a function, and .ksy has none; methods are asked of a value: value.method`,
	} {
		if _, err := Parse(text, Kaitai, nil); err == nil || fmt.Sprintf("%d: %s", err.Offset, err.Message) != want {
			t.Errorf("%s: %+v, not %s", text, err, want)
		}
	}
}

// TestErrors holds the places and words of what is no expression of either dialect.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		in   []Dialect
		text string
		want string
	}{
		{both, "1 +", `3: a value is missing at the end of "1 +"`},
		{both, "", `0: a value is missing at the end of ""`},
		{both, "(1 + 5", `6: ")" is missing at the end of "(1 + 5"`},
		{both, "1 == 1 == 1", `7: comparisons can't be chained; join them by "and"`},
		{both, "1 && 2", `2: "&&" is no operator here; write "and"`},
		{both, "!a", `0: "!" is no operator here; write "not"`},
		{both, "a # b", `2: '#' has no meaning in an expression`},
		{both, "017", `0: "017" is no number; integers are written 12, 0x1f, 0b101 or 0o17`},
		{both, `"abc`, `0: the string that begins here has no closing "`},
		{both, `"\q"`, `1: "\\q" is no escape; there are \a \b \t \n \v \f \r \e \" \' \\, \uXXXX, and octal digits`},
		{both, "a ? b", `5: ":" and what to take otherwise is missing at the end of "a ? b"`},
		{both, "a b", `2: an operator or the end should be here, not "b"`},
		{both, "and 1", `0: a value should be here, not "and"`},
		{both, strings.Repeat("(", 200) + "1", "64: operations in each other go deeper than 128"},
		{both, strings.Repeat("1 + ", 5000) + "1", "8190: the expression has more than 4096 operations"},
		{both[:1], "'abc", `0: the string that begins here has no closing '`},
		{both[1:], "'abc'", `0: one character and a ' should follow; text is written "…"`},
		{both[1:], "x == ''", `5: one character and a ' should follow; text is written "…"`},
		{both[1:], "x in 5", `6: a range such as 1..4 or a list such as (1, 2) is missing at the end of "x in 5"`},
		{both[1:], "x in 1..2 == 3", `10: comparisons can't be chained; join them by "and"`},
		{both[1:], "crate > v0.300.0", `8: "v0.300.0" is no version: its parts go up to 255`},
		{both[1:], "in + 1", `0: a value should be here, not "in"`},
		{both[1:], "a::b", `1: an operator or the end should be here, not "::"`},
		{both[1:], "f(1", `3: "," or ")" is missing at the end of "f(1"`},
	} {
		for _, d := range c.in {
			if _, err := Parse(c.text, d, nil); err == nil || fmt.Sprintf("%d: %s", err.Offset, err.Message) != c.want {
				t.Errorf("%.40s in %d: %+v, not %s", c.text, d, err, c.want)
			}
		}
	}
}

func TestParseFormat(t *testing.T) {
	for text, want := range map[string]string{
		"{it} of {room:byte}": `f{it " of " room:byte}`,
		"plain":               `f{"plain"}`,
		"":                    "f{}",
		"a {b ? 1 : 2:q} c":   `f{"a " (b ? 1 : 2):q " c"}`,
		"a {b":                `4: "}" is missing at the end of "a {b"`,
		"a {}":                `3: a value should be here, not "}"`,
	} {
		got := ""
		x, err := ParseFormat(text, BuiltIn, nil)
		if got = write(x); err != nil {
			got = fmt.Sprintf("%d: %s", err.Offset, err.Message)
		}
		if got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

// builtIn returns the expressions that the descriptions of the program began with, and their trees by a parser of Go's precedence.
func builtIn(tb testing.TB) map[string]string {
	tb.Helper()
	text, err := os.ReadFile("testdata/builtin.tsv")
	if err != nil {
		tb.Fatal(err)
	}
	trees := map[string]string{}
	for line := range strings.Lines(string(text)) {
		x, tree, _ := strings.Cut(strings.TrimSpace(line), "\t")
		trees[x] = tree
	}
	return trees
}

// TestBuiltInExpressions: what the two precedences have of each expression is the same.
func TestBuiltInExpressions(t *testing.T) {
	for text, want := range builtIn(t) {
		if x, err := Parse(text, BuiltIn, nil); err != nil {
			t.Errorf("%s: at %d: %s", text, err.Offset, err.Message)
		} else if got := write(x); got != want {
			t.Errorf("%s: got %s, not %s", text, got, want)
		}
	}
}

// Both dialects agree on what both can say: a text that .ksy refuses in no other way is the same tree.
func FuzzParse(f *testing.F) {
	for text := range builtIn(f) {
		f.Add(text)
	}
	for _, seed := range []string{`f"{a:q}"`, "'x' + \"\\u263a\"", "a.as<b[]>::c", "1..2", "v1.2.3.4", "[1,]", "\\\n1", "_io.eof ? _ : _root"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var trees [2]string
		for i, d := range both {
			x, err := Parse(text, d, nil)
			if err != nil {
				if err.Offset < 0 || err.Offset > len(text) || err.Message == "" {
					t.Errorf("%q in %d: %+v", text, d, err)
				}
				continue
			}
			trees[i] = write(x)
			checkOffsets(t, x, len(text))
		}
		if trees[0] != "" && trees[1] != "" && trees[0] != trees[1] && !strings.Contains(text, "'") {
			t.Errorf("%q is %s in .ksy, and %s in the program's own", text, trees[0], trees[1])
		}
		if x, err := ParseFormat(text, BuiltIn, nil); err == nil {
			checkOffsets(t, x, len(text))
		}
	})
}

func checkOffsets(t *testing.T, x *Expr, size int) {
	t.Helper()
	if x.Offset < 0 || x.Offset > size || x.Start() > x.Offset {
		t.Errorf("%s at %d, from %d", write(x), x.Offset, x.Start())
	}
	for _, arg := range x.Args {
		checkOffsets(t, arg, size)
	}
}

// BenchmarkParse parses the expressions that the descriptions began with.
func BenchmarkParse(b *testing.B) {
	var texts []string
	for text := range builtIn(b) {
		texts = append(texts, text)
	}
	for b.Loop() {
		for _, text := range texts {
			if _, err := Parse(text, BuiltIn, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(texts)), "ns/expression")
}
