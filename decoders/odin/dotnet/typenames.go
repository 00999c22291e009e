// Package dotnet reads the names of .NET types, and writes its texts, numbers and times as C# does. The chapters named
// in comments are those of docs/formats/odin.md.
package dotnet

import "strings"

// A Type holds the parts of a .NET type name (chapter 12).
type Type struct {
	Full     string // namespace and name, with '+' for nested types and back-ticks: "System.Collections.Generic.List`1"
	Args     []Type
	Ranks    []int // array suffixes, in the order of the text
	assembly string
}

const maxTypeNesting = 40

// Parse parses a type name, or returns false if it does not follow the grammar.
func Parse(s string) (Type, bool) {
	p := typeParser{s: s}
	t, ok := p.name(0, false)
	return t, ok && p.i == len(s)
}

type typeParser struct {
	s string
	i int
}

// eat consumes a text, or returns false if another one is next.
func (p *typeParser) eat(text string) bool {
	if strings.HasPrefix(p.s[p.i:], text) {
		p.i += len(text)
		return true
	}
	return false
}

// name reads "full, assembly[, more]". Inside of arguments the assembly may be missing.
func (p *typeParser) name(depth int, inside bool) (t Type, ok bool) {
	t.Full = p.until("[,]")
	if depth > maxTypeNesting || !plausibleFull(t.Full) {
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
		t.Ranks = append(t.Ranks, rank)
	}
	if !p.eat(",") {
		return t, inside || p.i == len(p.s)
	}
	t.assembly, _, _ = strings.Cut(strings.TrimSpace(p.until("[]")), ",")
	return t, t.assembly != ""
}

// until consumes the text up to one of some characters.
func (p *typeParser) until(ends string) string {
	rest := p.s[p.i:]
	if n := strings.IndexAny(rest, ends); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

// arguments reads "[[name],[name]]".
func (p *typeParser) arguments(depth int, t *Type) bool {
	p.eat("[")
	for more := true; more; more = p.eat(",") {
		if !p.eat("[") {
			return false
		}
		arg, ok := p.name(depth+1, true)
		if !ok || !p.eat("]") {
			return false
		}
		t.Args = append(t.Args, arg)
	}
	return p.eat("]")
}

// plausibleFull reports whether a text may be the full name of a type.
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

// keywords holds the types that C# has words for.
var keywords = map[string]string{
	"System.String": "string", "System.Object": "object", "System.Boolean": "bool", "System.Char": "char", "System.Decimal": "decimal",
	"System.SByte": "sbyte", "System.Byte": "byte", "System.Int16": "short", "System.UInt16": "ushort", "System.Int32": "int",
	"System.UInt32": "uint", "System.Int64": "long", "System.UInt64": "ulong", "System.Single": "float", "System.Double": "double",
}

// Readable writes a type as C# does, without assemblies. A name that does not follow the grammar is returned unchanged.
func Readable(name string) string {
	t, ok := Parse(name)
	if !ok {
		return name
	}
	return t.String()
}

// Short writes a type as readable does, but without namespaces.
func Short(name string) string {
	t, ok := Parse(name)
	if !ok {
		return name
	}
	return t.Short()
}

// String writes the type as C# does.
func (t *Type) String() string { return t.write(false) }

// Short writes the type as String does, but without namespaces.
func (t *Type) Short() string { return t.write(true) }

// write writes the type, without namespaces if short.
func (t *Type) write(short bool) string {
	var b strings.Builder
	if t.Full == "System.Nullable`1" && len(t.Args) == 1 {
		b.WriteString(t.Args[0].write(short) + "?")
	} else {
		t.writeName(&b, short)
	}
	for i := len(t.Ranks) - 1; i >= 0; i-- { // C# writes the outermost array first
		b.WriteString("[" + strings.Repeat(",", t.Ranks[i]-1) + "]")
	}
	return b.String()
}

// writeName writes the type without its array suffixes.
func (t *Type) writeName(b *strings.Builder, short bool) {
	if k, ok := keywords[t.Full]; ok {
		b.WriteString(k)
		return
	}
	full, args := t.Full, t.Args
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

// arityOf returns the number of type parameters that follows a back-tick.
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

// Element returns the type of an array's elements and the rank of the array, or false if the type is no array.
func (t *Type) Element() (Type, int, bool) {
	n := len(t.Ranks)
	if n == 0 {
		return Type{}, 0, false
	}
	e := *t
	e.Ranks = t.Ranks[:n-1]
	return e, t.Ranks[n-1], true
}

// ElementOrArgument returns the declared type of the elements of an array or of a collection with one argument, or ""
// for other types.
func (t *Type) ElementOrArgument() string {
	if e, _, ok := t.Element(); ok {
		return e.String()
	}
	if len(t.Args) == 1 {
		return t.Args[0].String()
	}
	return ""
}

// Plausible reports whether a text is a type name with an assembly and has only characters that .NET uses in type names.
func Plausible(s string) bool {
	t, ok := Parse(s)
	return ok && t.plausible()
}

// plausible reports whether the type has an assembly and only characters that .NET uses in type names.
func (t *Type) plausible() bool {
	if t.assembly == "" || !IsWordStart(t.Full[0]) || !allOf(t.Full, typePunctuation) || !allOf(t.assembly, "-_.") {
		return false
	}
	for i := range t.Args {
		if !t.Args[i].plausible() {
			return false
		}
	}
	return true
}

const typePunctuation = "._+`<>$|{}-@=()/"

// IsWordStart reports whether names may begin with a byte.
func IsWordStart(c byte) bool { return IsLetter(c) || c == '_' || c == '<' || c >= 0x80 }

// IsLetter reports whether a byte is a letter of ASCII.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// allOf reports whether a text consists of letters, digits, characters beyond ASCII and those of more.
func allOf(s, more string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !IsLetter(c) && (c < '0' || c > '9') && c < 0x80 && strings.IndexByte(more, c) < 0 {
			return false
		}
	}
	return s != ""
}

// PlausibleMember reports whether a text may be a member's name.
func PlausibleMember(s string) bool {
	if s == "" || len(s) > 4*256 {
		return false
	}
	if c := s[0]; !IsWordStart(c) && c != '$' {
		return false
	}
	return allOf(s, "_$<>.|`-+ ,[]()")
}
