package lang_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	. "cutaway/decoders/lang"
)

// kind is a row of the table of a format.
type kind struct {
	name   string
	size   int64
	since  int64
	parent int64
	list   bool
}

func textOf(k *kind) string  { return k.name }
func sizeOf(k *kind) int64   { return k.size }
func sinceOf(k *kind) int64  { return k.since }
func parentOf(k *kind) int64 { return k.parent }
func isList(k *kind) bool    { return k.list }

func typeOf(k *kind) Type {
	if k.size == 0 {
		return nil
	}
	return Tuple(k.name, I16, k.size/2)
}

// TestDescribe: a description shows numbers as a person reads them, and offsets that are the same in all files.
func TestDescribe(t *testing.T) {
	kinds := []kind{{}, {"pair", 4, Version(0, 5, 1), 2, false}, {"many", 0, math.MaxInt64, 1, true}}
	cases := []Case{On(10), On(9), On(0, F("year", U16, "").NamedBy("years")), Else(F("text", Match("kind > 1", Is(1, UTF8("kind")), Other(Bytes("left"))), ""))}
	l := &Language{
		Name: "fake", Title: "Fake files",
		Known: []Known{Know("old", "an old file", func(n int64) int64 { return n })},
		Tables: []*Table{
			NewTable("kinds", kinds, Label("name", textOf), Number("size", sizeOf), Release("since", sinceOf), Among("parent", "kinds", parentOf), Flag("list", isList), Of(typeOf)),
			NewTable("sizes", kinds, Number("size", sizeOf)),
			Labels("years", func(int64) string { return "a year" }, 1999, 2000),
		},
		Records: []*Record{NewRecord("File",
			Pad("filler", Bytes("2"), "").If("old == 1"),
			F("kind", U8, "").NamedBy("kinds"),
			Pad("filler", Bytes("3"), ""),
			F("tag", U8, "").Names("none", "", "", "", "", "", "", "", "", "", "some"),
			Then("tag", cases...),
		), NewRecord("Part(tag, kind)", Then("tag", cases...))},
		Rules: []Rule{{ID: "short", Help: "it ends early"}, {ID: "kind", On: "File.kind", Holds: "it in 1..2", Says: "no <kind>"},
			{ID: "year", On: "File.year, Part.year", Holds: "it > 1998", Soft: "it > 1900", Hard: "it < 0", Says: "an old year"}},
	}
	spec, err := l.Describe()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := spec.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `
## Names

| name | meaning |
| --- | --- |
| ~old~ | an old file |

## File

| offset | field | type | if | meaning |
| --- | --- | --- | --- | --- |
| 0 | filler | 2 bytes | ~old == 1~ | filler |
| | kind | u8 | | named by kinds |
| | filler | 3 bytes | | filler |
| | tag | u8 | | 0 none, 10 (0x0a) some |
| | *tag = 10 some, or tag = 9* | nothing | | |
| | *tag = 0 none* | | | |
| | · year | u16 | | named by years |
| | *otherwise* | | | |
| | · text | kind bytes of text if kind > 1, otherwise the bytes left | | |

| rule | of | holds | otherwise |
| --- | --- | --- | --- |
| ~fake.kind~ | kind | ~it in 1..2~ | malformed: no \<kind> |
| ~fake.year~ | year | ~it > 1998~ | malformed (suspicious if ~it > 1900~) (malformed if ~it < 0~): an old year |

## Part(tag, kind)

| offset | field | type |
| --- | --- | --- |
| | *by tag, as File* | |

## Table kinds

| number | hex | name | size | since | parent | list | type |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 1 | 01 | pair | 4 | 0.5.1 | many | | pair (2 i16) |
| 2 | 02 | many | 0 | – | pair | yes | |

## Table sizes

| number | size |
| --- | --- |
| 1 | 4 |

## Table years

| number | hex | name |
| --- | --- | --- |
| 1999 | 7cf | a year |
| 2000 | 7d0 | a year |

## Other rules

| rule | means |
| --- | --- |
| ~fake.short~ | it ends early |
`
	if got, want := b.String(), "# Fake files\n\n"+Guide+strings.ReplaceAll(want, "~", "`"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var names []string
	for _, region := range spec.(*Specification).PageParts() {
		names = append(names, region.Name)
	}
	if want := []string{"guide", "names fake", "record File", "record Part", "table kinds", "table sizes", "table years", "rules fake"}; !slices.Equal(names, want) {
		t.Errorf("regions %q", names)
	}
}
