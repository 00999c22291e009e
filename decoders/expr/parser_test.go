package expr

import (
	"os"
	"strings"
	"testing"
)

// tree writes an expression with all its parentheses.
func tree(x *Expr) string {
	var b strings.Builder
	write(&b, x)
	return b.String()
}

func write(b *strings.Builder, x *Expr) {
	switch x.Op {
	case OpInt:
		if x.Name != "" {
			b.WriteString(x.Name + "=")
		}
		b.WriteString(x.Int.String())
		return
	case OpName:
		b.WriteString(x.Name)
		return
	case OpStr:
		b.WriteString(`"` + x.Str + `"`)
		return
	}
	b.WriteString("(" + words[x.Op])
	if words[x.Op] == "" {
		b.WriteString(x.Op.String())
	}
	if x.Name != "" {
		b.WriteString(" " + x.Name)
	}
	for _, arg := range x.Args {
		b.WriteByte(' ')
		write(b, arg)
	}
	b.WriteByte(')')
}

var words = map[Op]string{OpFloat: "float", OpBool: "bool", OpFormat: "format", OpShown: "shown", OpList: "list", OpFunc: "func", OpAttr: ".", OpCall: "call",
	OpMember: "::", OpIndex: "[]", OpCast: "as", OpSizeOf: "sizeof", OpBitSizeOf: "bitsizeof", OpCond: "?", OpWithin: "within", OpIn: "in"}

// Every expression of the descriptions parses.
func TestBuiltInCorpus(t *testing.T) {
	text, err := os.ReadFile("testdata/builtin.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		x, err := Parse(line, BuiltIn, nil)
		if err != nil {
			t.Errorf("%s: at %d: %s", line, err.Offset, err.Message)
			continue
		}
		t.Log(line, "→", tree(x))
	}
}
