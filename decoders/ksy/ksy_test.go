package ksy

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"cutaway/decoders/expr"
)

// memory loads a description that is written in a test; others, by their names, can be imported.
func memory(t testing.TB, text string, others map[string]string) *Description {
	t.Helper()
	files := fstest.MapFS{"main.ksy": {Data: []byte(text)}}
	for name, other := range others {
		files[name] = &fstest.MapFile{Data: []byte(other)}
	}
	d, err := LoadFrom([]Folder{{Name: "box", FS: files}}, 0, "main.ksy")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// first is the first finding, in few words.
func first(d *Description) string {
	if len(d.Findings) == 0 {
		return ""
	}
	f := d.Findings[0]
	return fmt.Sprintf("%s %d:%d %s", f.Path, f.Line, f.Column, f.Message)
}

// in puts the value of an instance into a description with a field of each kind.
func in(value string) string {
	return `meta: {id: t, endian: le, encoding: UTF-8}
seq:
  - {id: u, type: u1}
  - {id: w, type: u4}
  - {id: f, type: f4}
  - {id: s, type: strz}
  - {id: b, size: 3}
  - {id: bit, type: b1}
  - {id: bits, type: b5}
  - {id: e, type: u1, enum: en}
  - {id: st, type: sub}
  - {id: sts, type: sub, repeat: eos}
  - {id: sw, type: {switch-on: u, cases: {1: sub, 2: sub2}}}
  - {id: any, size: 1, type: {switch-on: u, cases: {1: sub}}}
enums: {en: {1: a, 2: b}}
types:
  sub: {seq: [{id: x, type: u1}], enums: {en: {7: c}}}
  sub2: {seq: [{id: x, type: u1}]}
instances:
  r:
    value: |
      ` + value + "\n"
}

// TestTypes holds the types of expressions, and what is wrong with them, against what the reference compiler says.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"1 + 2 * u", "an integer"},
		{"1_000 + 0x1F + 0b11 + 0o17 - -7", "an integer"},
		{"18446744073709551616", "an integer"},
		{"1.5 * 2", "a floating-point number"},
		{".5 + 1. + 1e3", "a floating-point number"},
		{"1.to_s + 'x' + \"\\n\\u263a\\75\"", "a string"},
		{"'a' \"b\"", "a string"},
		{`f"{u}, {s + "x"}"`, "a string"},
		{"[1, 200]", "a byte array"},
		{"[1, u]", "a byte array"},
		{"[1, 300,]", "a list, each element an integer"},
		{"[1, -1]", "a list, each element an integer"},
		{"[1, 2.0]", "a list, each element a floating-point number"},
		{"[st, sw]", "a list, each element a structure of unknown type"},
		{"u > 1 and not bit or s == 'x'", "a boolean"},
		{"1 & 2 == 2", "a boolean"},
		{"b < [1, 2]", "a boolean"},
		{"u == 1 ? st : sts[u].as<sub>", `a "t::sub"`},
		{"true ? 1 : 2.0", "a floating-point number"},
		{"true ? en::a : e", "a member of the enum en"},
		{"sub::en::c", "a member of the enum t::sub::en"},
		{"::t::en::a", "a member of the enum en"},
		{"(~w << 2 ^ 1).to_s.to_i(16)", "an integer"},
		{"b.to_s('ASCII').substring(1, 2).reverse.length", "an integer"},
		{"sts.last.x + sts.size + b.first + b[0]", "an integer"},
		{"st._parent.u + st._root.w + _index", "an integer"},
		{"sw._io.eof", "a boolean"},
		{"any.as<sub>.x", "an integer"},
		{"b.as<u2[]>", "a list, each element an integer"},
		{"st._sizeof + sizeof<sub> + bitsizeof<b3>", "an integer"},
		{"_parent._parent", "a structure of unknown type"},
		{"e.to_i + bit.to_i + f.to_i", "an integer"},

		{"sw.x", `22:10 it isn't known whether there is a "x": this is a structure of unknown type; say which by .as<type>`},
		{"  any.x", `22:13 it isn't known whether there is a "x": this is a value of any type; say which by .as<type>`},
		{"true < false", `22:12 "<" can't be applied to a boolean; only equality can be asked`},
		{"e == 1", "22:9 a member of the enum en and an integer can't be compared; name the member, or take .to_i of the enum"},
		{"st == st", `22:10 a "t::sub" and a "t::sub" can't be compared`},
		{"u + s", `22:9 "+" can't be applied to an integer and a string`},
		{"f & 1", `22:9 "&" can't be applied to a floating-point number and an integer`},
		{"not 1", `22:7 "not" can't be applied to an integer`},
		{"u ? 1 : 2", "22:7 the condition of ? : is a boolean, not an integer"},
		{"true ? 1 : 'a'", "22:12 the two sides of ? : don't go together: an integer and a string"},
		{"[1, 'a']", "22:11 the elements of a list are of one type; this is a string, those before an integer"},
		{"[]", "22:7 a list without elements has no type; cast an element's list, or leave it out"},
		{"b['a']", "22:9 the index of an element is an integer, not a string"},
		{"u[0]", "22:8 an integer has no elements"},
		{"u.to_i", `22:9 an integer has no "to_i"`},
		{"s.length()", `22:9 "length" takes no arguments; write it without parentheses`},
		{"s.substring(1)", `22:9 "substring" takes 2 arguments, not 1`},
		{"b.to_s(s)", `22:14 the encoding of "to_s" is written out as a string; it can't be computed`},
		{"u + nope", `22:11 "t" has no field, instance or param "nope"`},
		{"en::z", `22:7 the enum "en", at /enums/en, has no member "z"`},
		{"r + 1", `22:7 the value of "r" needs itself`},
		{"_ + 1", "22:7 _ means the element or value in repeat-until and valid; there is none here"},
		{"_sizeof", `22:7 the size of "t" depends on the bytes, so it can't be asked for`},
		{`f"{st}"`, `22:10 only integers and strings can be put into a string, not a "t::sub"`},
		{"1 == 1 == 1", `22:14 comparisons can't be chained; join them by "and"`},
		{"(1 + 5", `22:13 ")" is missing at the end of "(1 + 5"`},
		{"1 && 2", `22:9 "&&" is no operator here; write "and"`},
		{"!bit", `22:7 "!" is no operator here; write "not"`},
		{"'abc", "22:7 the string that begins here has no closing '"},
		{`"\q"`, `22:8 "\\q" is no escape; there are \a \b \t \n \v \f \r \e \" \' \\, \uXXXX, and octal digits`},
		{"017", `22:7 "017" is no number; integers are written 12, 0x1f, 0b101 or 0o17`},
		{"Bad", `22:7 "Bad" can't be the name of a field: names begin with a small letter, then small letters, digits and _`},
		{strings.Repeat("(", 200) + "1", fmt.Sprintf("22:%d operations in each other go deeper than 128", 7+64)},
		{strings.Repeat("1 + ", 5000) + "1", "22:8197 the expression has more than 4096 operations"},
	} {
		d := memory(t, in(c.value), nil)
		got := strings.TrimPrefix(first(d), "/instances/r/value ")
		if r := d.Main.Member("r"); got == "" && r != nil && r.Type != nil {
			got = r.Type.String()
		}
		if got != c.want {
			t.Errorf("%.99s: got %s, not %s", c.value, got, c.want)
		}
	}
}

// TestPlaces follows an expression through the ways in which YAML writes text.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"1 + nope", "4:16"},
		{"'1 + nope'", "4:17"},
		{"'''a''.length + nope'", "4:28"},
		{`"'\u00e9'.length + nope"`, "4:31"},
		{"|\n      1 +\n      nope", "6:7"},
		{">\n\n      1 +\n      nope", "7:7"},
		{"1 +\n        nope", "5:9"},
		{"'1 +\n        nope'", "5:9"},
		{"&anchor 1 + nope", "4:24"},
	} {
		d := memory(t, "meta: {id: t}\ninstances:\n  r:\n    value: "+c.value+"\n", nil)
		if got := fmt.Sprintf("%d:%d", d.Findings[0].Line, d.Findings[0].Column); got != c.want {
			t.Errorf("%q: at %s, not %s: %v", c.value, got, c.want, d.Findings)
		}
	}
}

// TestImports holds which files are looked for, and that none outside of the named folders is read.
func TestImports(t *testing.T) {
	others := map[string]string{
		"lib/a.ksy":  "meta: {id: a, imports: [../lib/b, /lib/b]}\nseq: [{id: x, type: b}]",
		"lib/b.ksy":  "meta: {id: b, imports: [a]}\nseq: [{id: y, type: a, if: false}]\nenums: {e: {1: one}}",
		"broken.ksy": "meta: {id: broken}\nseq: [",
	}
	for _, c := range []struct{ imports, want string }{
		{"lib/a", ""},
		{"/lib/a", ""},
		{"./lib/../lib/a", ""},
		{"missing", `/meta/imports/0 1:25 there is no "missing.ksy", neither beside this description nor in a folder of descriptions`},
		{"/missing", `/meta/imports/0 1:25 no folder of descriptions has "missing.ksy"`},
		{"../main", `/meta/imports/0 1:25 the import "../main" lies outside of the folders that may be read`},
		{"/../../etc/passwd", `/meta/imports/0 1:25 no folder of descriptions has "../../etc/passwd.ksy"`},
		{"broken", " 2:6 the YAML is broken here: sequence end token ']' not found"},
	} {
		d := memory(t, "meta: {id: t, imports: ['"+c.imports+"']}", others)
		if got := first(d); got != c.want {
			t.Errorf("%s: %q, not %q", c.imports, got, c.want)
		}
	}
	d := memory(t, "meta: {id: t, imports: [lib/a]}\ninstances: {v: {value: 'b::e::one'}}", others)
	if !d.Sound() || len(d.Modules) != 3 {
		t.Error(d.Findings, len(d.Modules))
	}
}

// TestLoadFolders loads from the disk: an import through a link that leaves the folder is refused.
func TestLoadFolders(t *testing.T) {
	box, outside := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		box + "/main.ksy": "meta: {id: t, imports: [away]}", outside + "/away.ksy": "meta: {id: away}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside+"/away.ksy", box+"/away.ksy"); err != nil {
		t.Fatal(err)
	}
	if d := load(t, box+"/main.ksy"); d.Sound() {
		t.Error("a link out of the folder was followed")
	}
	if err := os.Remove(box + "/away.ksy"); err != nil {
		t.Fatal(err)
	}
	if d := load(t, box+"/main.ksy", outside); !d.Sound() {
		t.Error(d.Findings)
	}
	if _, err := Load(box + "/none.ksy"); err == nil {
		t.Error("a missing description was loaded")
	}
}

// TestTree holds what a compiler finds in the tree.
func TestTree(t *testing.T) {
	d := load(t, "testdata/pages.ksy")
	for _, f := range d.Findings {
		t.Error(f)
	}
	main := d.Main
	if m := main.Meta; m.Title == "" || len(m.FileExtension) != 2 || m.Xref["wikidata"][0] != "Q1" || len(main.Doc.Refs) != 2 {
		t.Errorf("meta %+v, doc %+v", m, main.Doc)
	}
	if magic := main.Seq[0]; string(magic.Contents) != "PAGE\x1a\x00" {
		t.Errorf("contents %q", magic.Contents)
	}
	pages := main.Seq[3]
	page := pages.Use.Type
	if fieldOf(pages.Use.Args[1]) != main.Seq[2] || pages.Type.Kind != expr.Array || typeIn(pages.Type.Of) != page || page.Parent != main {
		t.Errorf("pages %+v", pages)
	}
	if kind := page.types["head"].Seq[0].Use; kind.Order != Little || kind.Width != 3 || main.Seq[1].Use.Order != Big {
		t.Errorf("orders of %+v and %+v", kind, main.Seq[1].Use)
	}
	if size := main.Member("size_of_head").Value; size.Meaning.(*big.Int).Int64() != 4 {
		t.Errorf("size %v", size.Meaning)
	}
	if way := main.Member("number_of_way"); way.Enum != main.Enums[0] || way.Type.Kind != expr.EnumValue || main.Enums[0].Members[1].Doc.Text == "" {
		t.Errorf("way %+v", way)
	}
}

// FuzzLoad holds that no text makes the front end panic or hang, and that a sound description has a type everywhere.
func FuzzLoad(f *testing.F) {
	for _, name := range []string{"testdata/pages.ksy", "testdata/switched.ksy"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(in(`f"{u}" + [1, 2].to_s("ASCII")`))
	f.Add("&a [*a, {<<: *a}, ? x, |-\n y]")
	f.Add("meta: {id: main, imports: [main]}\nseq: [{id: a, type: 'main(_sizeof)'}]\nparams: [{id: p, type: any}]")
	f.Fuzz(func(t *testing.T, text string) {
		d := memory(t, text, nil)
		if d.Main == nil && len(d.Findings) == 0 {
			t.Fatal("nothing was read and nothing was found")
		}
		for _, finding := range d.Findings {
			if finding.Line < 1 || finding.Column < 1 || finding.Message == "" {
				t.Errorf("a finding without place or words: %+v", finding)
			}
		}
		if d.Sound() {
			wholeTypes(t, d.Main)
		}
	})
}

// wholeTypes holds that every field of a type and of those in it has a type.
func wholeTypes(t *testing.T, typ *Type) {
	for _, fields := range [][]*Field{typ.Params, typ.Seq, typ.Instances} {
		for _, f := range fields {
			if f.Type == nil && (f.Switch == nil || len(f.Switch.Cases) > 0) {
				t.Errorf("%s of %s has no type", f.ID, typ.path())
			}
		}
	}
	for _, inner := range typ.Types {
		wholeTypes(t, inner)
	}
}

// TestFaults holds what is found in short descriptions that are wrong, and the words for it.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "/ 1:1 a mapping (key: value) should be here, not nothing"},
		{"a: [", " 1:4 the YAML is broken here: sequence end token ']' not found"},
		{"meta: {id: t}\n---\nmeta: {id: u}", " 3:5 a second YAML document begins; a description is one"},
		{"meta: {id: \xff}", " 1:12 the text is not UTF-8"},
		{strings.Repeat("[", 80), " 1:65 lists and mappings in each other go deeper than 64"},
		{strings.Repeat("- ", 80), " 1:131 lists and mappings in each other go deeper than 64"},
		{"a: &x [b]\nc: &y [*x, *x]\nd: &x [*x]", ` 3:8 no value above has the anchor "x"`},
		{"meta: {}", `/meta 1:1 "id" is missing here: the name of what is described`},
		{"meta: {id: t, ks-version: 0.10}", `/meta/ks-version 1:27 the oldest version that can be asked for is 0.6, not 0.1; YAML takes 0.10 for the number 0.1, so put it in quotes`},
		{"meta: {id: t, endian: {switch-on: 1, cases: {1: me}}}", "/meta/endian/cases/1 1:49 the byte order of a case is le or be"},
		{"meta: {id: t}\nseq: {a: u1}", "/seq 2:6 a list should be here, not a mapping"},
		{"meta: {id: t}\nseq: [{id: a, typ: u1}]", `/seq/0/typ 2:15 a field has no key "typ"; is "type" meant?`},
		{"meta: {id: t, name: x}", `/meta/name 1:15 meta has no key "name"; there are application, bit-endian, encoding, endian, file-extension, id, imports, ` +
			"ks-debug, ks-opaque-types, ks-version, ks-zero-copy-substream, license, tags, title, xref"},
		{"meta: {id: t}\ninstances: {first_page: {value: 1}, v: {value: first_pgae + 1}}", `/instances/v/value 2:48 "t" has no field, instance or param "first_pgae"; is "first_page" meant?`},
		{"meta: {id: t}\nseq: [{id: a, type: haeder}]\ntypes: {header: {}}", `/seq/0/type 2:21 there is no type "haeder", in "t", around it or imported; is "header" meant?`},
		{"meta: {id: t}\nseq: [{id: a, type: u1, size: 2}]", `/seq/0/size 2:25 "size" does not go with the type "u1"`},
		{"meta: {id: t}\nseq: [{id: a, type: u2}]", `/seq/0/type 2:21 the order of the bytes is not said: write "u2le" or "u2be" here, or "endian" in "meta"`},
		{"meta: {id: t}\nseq: [{id: a, type: b65}]", "/seq/0/type 2:21 a bit field has 1 to 64 bits, not 65"},
		{"meta: {id: t}\nseq: [{id: a, type: str, size: 1}]", `/seq/0 2:7 a string needs an encoding, here or in "meta"`},
		{"meta: {id: t}\nseq: [{id: a}]", `/seq/0 2:7 nothing says where this ends: "size", "size-eos: true", "terminator" or, for bytes, "contents"`},
		{"meta: {id: t}\nseq: [{id: a, size: 1, size-eos: true}]", `/seq/0/size-eos 2:24 "size" and "size-eos" can't go together`},
		{"meta: {id: t}\nseq: [{id: a, type: t, process: zlib}]", `/seq/0/process 2:24 "process" needs to know the bytes: "size", "size-eos: true" or "terminator"`},
		{"meta: {id: t}\nseq: [{id: a, size: 1, process: xor}]", `/seq/0/process 2:33 the process "xor" takes one argument; 0 given`},
		{"meta: {id: t}\nseq: [{id: a, size: 1, process: rol('x')}]", `/seq/0/process 2:37 the process "rol" can't take a string`},
		{"meta: {id: t}\nseq: [{id: a, contents: x, valid: 1}]", `/seq/0/valid 2:28 "contents" is a check itself; "valid" can't go with it`},
		{"meta: {id: t}\nseq: [{id: a, type: u1, valid: {eq: 1, max: 2}}]", `/seq/0/valid/max 2:40 "valid" takes one condition, or min and max; join others in an "expr" by "and"`},
		{"meta: {id: t}\nseq: [{id: a, type: u1, valid: {}}]", `/seq/0/valid 2:32 "valid" says no condition; there are eq, min, max, any-of, expr, in-enum`},
		{"meta: {id: t}\nseq: [{id: a, type: u1, repeat: often}]", `/seq/0/repeat 2:33 what is repeated is repeated until eos, by expr or until, not "often"`},
		{"meta: {id: t}\nseq: [{id: a, type: u1, repeat-expr: 1}]", `/seq/0/repeat-expr 2:25 "repeat-expr" goes only with "repeat: expr"`},
		{"meta: {id: t}\nseq: [{id: a, type: 'u(1'}]", `/seq/0/type 2:25 "," or ")" is missing at the end of "u(1"`},
		{"meta: {id: t}\nseq: [{id: a, type: 'x(1)'}]\ntypes: {x: {}}", `/seq/0/type 2:21 "t::x" takes no params; 1 given`},
		{"meta: {id: t}\nseq: [{id: a, type: 'x(1.5)'}]\ntypes: {x: {params: [{id: p, type: u1}]}}", `/seq/0/type 2:24 the param "p" of "t::x" is an integer, not a floating-point number`},
		{"meta: {id: t}\nenums: {e: {1: a, 0x1: b}}", "/enums/e/0x1 2:19 the value 1 has a name already"},
		{"meta: {id: t}\nenums: {e: {one: a}}", `/enums/e/one 2:13 the key of an enum's member is the integer it names, not "one"`},
		{"meta: {id: t}\ninstances: {a: {value: b + 1}, b: {value: a}}", `/instances/b/value 2:43 the value of "a" needs itself`},
		{"meta: {id: t}\nseq: [{id: n, type: u1}]\ntypes: {x: {instances: {v: {value: n}}}}", `/types/x/instances/v/value 3:36 "t::x" has no field, instance or param "n"; there is a _root.n`},
	} {
		if got := first(memory(t, c.text, nil)); got != c.want {
			t.Errorf("%.60q: found\n\t%s, not\n\t%s", c.text, got, c.want)
		}
	}
}
