package livegen

import (
	"bytes"
	"math"
)

// A Fixture is a small file of testdata/omnilive, which the corpus in ../shared lacks.
type Fixture struct {
	Name string
	What string
	Data []byte
}

// Fixtures makes the files of testdata/omnilive.
func Fixtures() []Fixture {
	big := Text(10, string(bytes.Repeat([]byte("large "), 11_000)))
	other := Text(10, string(bytes.Repeat([]byte("other "), 11_000)))
	external := func(value []byte, index uint32, size uint64) []Setting {
		return []Setting{{Section: 11, Key: "default", Value: Hash(value), Size: size, Index: index}}
	}
	delta := func(settings ...Setting) []byte { return (&Delta{Commands: World(), Settings: settings}).Build() }
	field := func(value ...byte) []byte { return delta(Setting{Section: 11, Key: "default", Value: value}) }
	commands := func(list ...Command) []byte { return (&Delta{Commands: append(World(), list...)}).Build() }
	return append(sequence(), []Fixture{
		{"world.oodf", "the root, a prim, an attribute with a value of three times", delta(
			Setting{Section: 11, Key: "default", Value: Double(math.Float64bits(2.5))},
			Setting{Sample: true, Section: 11, Time: 1, Value: Int(10), Order: 1},
			Setting{Sample: true, Section: 11, Time: 0, Value: Int(0), Order: 2},
			Setting{Sample: true, Section: 11, Time: 1, Value: Int(11), Order: 3})},
		{"world-b.oodf", "the same kind of delta as a vector of unions", (&Delta{Commands: World(), UnionVector: true, Settings: []Setting{{Section: 11, Key: "default", Value: Int(1)}}}).Build()},
		{"external.ompf", "one external value, right", MultiPart("OMPF", (&Delta{Commands: World(), Settings: external(big, 1, uint64(len(big)))}).Build(), big)},
		{"x-hash-of-other-part.ompf", "the hash is that of part 2, the index says 1", MultiPart("OMPF", (&Delta{Commands: World(), Settings: external(other, 1, uint64(len(big)))}).Build(), big, other)},
		{"x-hash-short.ompf", "a hash of 19 bytes", MultiPart("OMPF", (&Delta{Commands: World(), Settings: []Setting{{Section: 11, Key: "default", Value: Hash(big)[:19], Size: uint64(len(big)), Index: 1}}}).Build(), big)},
		{"external-small.ompf", "an external value of 6 bytes", MultiPart("OMPF", (&Delta{Commands: World(), Settings: external(Int(5), 1, 6)}).Build(), Int(5))},
		{"inline-large.oodf", "a value of 66,006 bytes in the FlatBuffer", delta(Setting{Section: 11, Key: "default", Value: big})},
		{"expressions.oodf", "two expressions of one attribute, which have one path", commands(
			Command{Kind: Create, Parent: 11, Section: 20, Name: "a", Type: 3}, Command{Kind: Create, Parent: 11, Section: 21, Name: "b", Type: 3})},
		{"names.oodf", "names that paths must escape, and a prim named like a field", (&Delta{Commands: append(World(),
			Command{Kind: Create, Parent: 10, Section: 20, Name: "a/b#c%", Type: 6}, Command{Kind: Create, Parent: 10, Section: 21, Name: "kind", Type: 6},
			Command{Kind: Create, Parent: 10, Section: 22, Name: "", Type: 6}, Command{Kind: Create, Parent: 10, Section: 23, Name: "sectionId", Type: 6}),
			Settings: []Setting{{Section: 10, Key: "kind", Value: Text(11, "component")}, {Section: 10, Key: "timeSamples", Value: Int(1)}}}).Build()},
		{"twins.oodf", "a diff that leaves three sections with one name", (&Delta{IsDiff: true, Commands: []Command{
			{Kind: DiffChange, Section: 1, Type: 7}, {Kind: DiffChange, Parent: 1, Section: 10, Name: "A", Type: 6},
			{Kind: DiffChange, Parent: 1, Section: 11, Name: "A", Type: 6, Order: 1}, {Kind: DiffChange, Parent: 1, Section: 12, Name: "A", Type: 6, Order: 2}}}).Build()},
		{"x-bool-2.oodf", "a Bool of 2", field(1, 0, 2)},
		{"x-list-op-bit-7.oodf", "a list op whose unused bit is set", field(32, 0, 0x80)},
		{"x-unregistered-int.oodf", "an UnregisteredValue that holds an Int", field(append([]byte{53, 0}, Int(1)...)...)},
		{"x-spec-type-200.oodf", "a section of spec type 200", commands(Command{Kind: Create, Parent: 10, Section: 30, Name: "odd", Type: 200})},
		{"x-children-list-9.oodf", "a list of children that no section has", commands(Command{Kind: Reorder, Section: 10, List: 9, Children: []uint64{20}})},
		{"x-name-not-set.oodf", "a DiffChangeSection without a name", (&Delta{IsDiff: true, Commands: []Command{
			{Kind: DiffChange, Section: 1, Type: 7, Name: ""}, {Kind: DiffChange, Parent: 1, Section: 10, Type: 6, Unnamed: true}}}).Build()},
	}...)
}

// sequence is five deltas that are applied one after another.
func sequence() []Fixture {
	prim := func(id uint64, name string) Command {
		return Command{Kind: Create, Parent: 10, Section: id, Name: name, Type: 6}
	}
	order := func(children ...uint64) Command { return Command{Kind: Reorder, Section: 10, Children: children} }
	delta := func(commands ...Command) []byte { return (&Delta{Commands: commands}).Build() }
	return []Fixture{
		{"sequence/seq-1.oodf", "a prim with a Cube", delta(append(World()[:2], prim(20, "Cube"))...)},
		{"sequence/seq-2.oodf", "a Sphere and a Light beside it", delta(prim(21, "Sphere"), prim(22, "Light"))},
		{"sequence/seq-3.oodf", "the Cube is a Box, the Light comes first", delta(
			Command{Kind: Move, OldParent: 10, Parent: 10, Section: 20, Name: "Box"}, order(22, 20, 21))},
		{"sequence/seq-4.oodf", "no Sphere and no Light", delta(
			Command{Kind: Delete, Parent: 10, Section: 21}, Command{Kind: Delete, Parent: 10, Section: 22})},
		{"sequence/seq-5.oodf", "a Camera before the Box", delta(prim(23, "Camera"), order(23, 20))},
	}
}
