package odin

import "strings"

// netType is a .NET type name taken apart (chapter 12).
type netType struct {
	full     string // namespace and name, with '+' for nested types and back-ticks: "System.Collections.Generic.List`1"
	args     []netType
	ranks    []int // array suffixes, in the order of the text
	assembly string
}

const maxTypeNesting = 40

// parseType takes a type name apart; false where it does not follow the grammar.
func parseType(s string) (netType, bool) {
	p := typeParser{s: s}
	t, ok := p.name(0, false)
	return t, ok && p.i == len(s)
}

type typeParser struct {
	s string
	i int
}

func (p *typeParser) eat(text string) bool {
	if strings.HasPrefix(p.s[p.i:], text) {
		p.i += len(text)
		return true
	}
	return false
}

// name reads "full, assembly[, more]"; inside arguments it may end before the assembly.
func (p *typeParser) name(depth int, inside bool) (t netType, ok bool) {
	t.full = p.until("[,]")
	if depth > maxTypeNesting || !plausibleFull(t.full) {
		return t, false
	}
	if strings.HasPrefix(p.s[p.i:], "[[") && !p.arguments(depth, &t) {
		return t, false
	}
	for p.eat("[") {
		rank := 1
		for p.eat(",") {
			rank++
		}
		if !p.eat("]") {
			return t, false
		}
		t.ranks = append(t.ranks, rank)
	}
	if !p.eat(",") {
		return t, inside || p.i == len(p.s)
	}
	t.assembly, _, _ = strings.Cut(strings.TrimSpace(p.until("[]")), ",")
	return t, t.assembly != ""
}

// until takes the text up to one of some characters.
func (p *typeParser) until(ends string) string {
	rest := p.s[p.i:]
	if n := strings.IndexAny(rest, ends); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

// arguments reads "[[name],[name]]".
func (p *typeParser) arguments(depth int, t *netType) bool {
	p.eat("[")
	for more := true; more; more = p.eat(",") {
		if !p.eat("[") {
			return false
		}
		arg, ok := p.name(depth+1, true)
		if !ok || !p.eat("]") {
			return false
		}
		t.args = append(t.args, arg)
	}
	return p.eat("]")
}

func plausibleFull(s string) bool {
	if s == "" || strings.HasPrefix(s, " ") {
		return false
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r == 0xfffd {
			return false
		}
	}
	return true
}

// typeKeywords are the types that C# has words for.
var typeKeywords = func() map[string]string {
	m := map[string]string{"System.String": "string", "System.Object": "object"}
	for _, is := range kinds {
		if is.net != "" && is.net != is.keyword {
			m["System."+is.net] = is.keyword
		}
	}
	return m
}()

// readable writes a type as C# does, without assemblies. A name that does not follow the grammar is given back as it
// is.
func readable(name string) string {
	t, ok := parseType(name)
	if !ok {
		return name
	}
	return t.String()
}

// shortType is readable without namespaces, as C# code mostly has it.
func shortType(name string) string {
	t, ok := parseType(name)
	if !ok {
		return name
	}
	return t.Short()
}

// String writes the type as C# does.
func (t *netType) String() string { return t.write(false) }

// Short is String without namespaces.
func (t *netType) Short() string { return t.write(true) }

func (t *netType) write(short bool) string {
	var b strings.Builder
	if t.full == "System.Nullable`1" && len(t.args) == 1 {
		b.WriteString(t.args[0].write(short) + "?")
	} else {
		t.writeName(&b, short)
	}
	for i := len(t.ranks) - 1; i >= 0; i-- { // C# writes the outermost array first
		b.WriteString("[" + strings.Repeat(",", t.ranks[i]-1) + "]")
	}
	return b.String()
}

func (t *netType) writeName(b *strings.Builder, short bool) {
	if k, ok := typeKeywords[t.full]; ok {
		b.WriteString(k)
		return
	}
	full, args := t.full, t.args
	parts := strings.Split(full, "+")
	if short {
		parts[0] = parts[0][strings.LastIndexByte(parts[0], '.')+1:]
	}
	for i, part := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		name, arity, generic := strings.Cut(part, "`")
		b.WriteString(name)
		if !generic {
			continue
		}
		n := min(arityOf(arity), len(args))
		if i == len(parts)-1 {
			n = len(args)
		}
		if n == 0 {
			b.WriteString("<" + strings.Repeat(",", max(arityOf(arity)-1, 0)) + ">")
			continue
		}
		b.WriteByte('<')
		for k := range n {
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(args[k].write(short))
		}
		b.WriteByte('>')
		args = args[n:]
	}
}

func arityOf(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 99 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// element is the type of an array's elements and the array's rank; false where the type is no array.
func (t *netType) element() (netType, int, bool) {
	n := len(t.ranks)
	if n == 0 {
		return netType{}, 0, false
	}
	e := *t
	e.ranks = t.ranks[:n-1]
	return e, t.ranks[n-1], true
}

// elementOrArgument is the type that the elements of an array, or of a collection with one argument, are declared
// as; "" where there is none.
func (t *netType) elementOrArgument() string {
	if e, _, ok := t.element(); ok {
		return e.String()
	}
	if len(t.args) == 1 {
		return t.args[0].String()
	}
	return ""
}

// plausibleType reports whether a text is a type name with an assembly, made of the characters that .NET uses in them.
func plausibleType(s string) bool {
	t, ok := parseType(s)
	return ok && t.plausible()
}

func (t *netType) plausible() bool {
	if t.assembly == "" || !isWordStart(t.full[0]) || !allOf(t.full, typePunctuation) || !allOf(t.assembly, "-_.") {
		return false
	}
	for i := range t.args {
		if !t.args[i].plausible() {
			return false
		}
	}
	return true
}

const typePunctuation = "._+`<>$|{}-@=()/"

func isWordStart(c byte) bool { return isLetter(c) || c == '_' || c == '<' || c >= 0x80 }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// allOf reports whether a text consists of letters, digits, characters beyond ASCII and those of more.
func allOf(s, more string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) && (c < '0' || c > '9') && c < 0x80 && strings.IndexByte(more, c) < 0 {
			return false
		}
	}
	return s != ""
}

// Type names of Udon (chapter 9).
const (
	typeProgram       = "VRC.Udon.Common.UdonProgram"
	typeVariableTable = "VRC.Udon.Common.UdonVariableTable"
)

// isUdonRoot reports whether a type name is that of what the Udon view shows.
func isUdonRoot(name string) bool {
	full, _, _ := strings.Cut(name, ",")
	return full == typeProgram || full == typeVariableTable
}
