package crategen

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"cutaway/internal/filegen"
)

// Kind names a bulk crate.
type Kind string

// The bulk crates. What the size means is with each.
const (
	Arrays   Kind = "arrays"   // meshes with points and indices; bytes of the file, about
	Specs    Kind = "specs"    // prims with three attributes each in groups of 1,000; number of specs, about
	Children Kind = "children" // one prim with that many children
	Deep     Kind = "deep"     // that many prims, each within the one before
	Sparse   Kind = "sparse"   // one array of that many bytes, a hole, before and after which are values
)

// DefaultSize returns the size of a bulk crate when none is given.
func (k Kind) DefaultSize() int64 {
	return map[Kind]int64{Arrays: 1 << 30, Specs: 2_000_000, Children: 10_000_000, Deep: 100_000, Sparse: 5 << 30}[k]
}

// Bulk writes a bulk crate of version 0.8.0. The same size gives the same bytes.
func Bulk(out io.WriterAt, k Kind, size int64) error {
	w := NewWriter(out, Version{0, 8, 0})
	switch k {
	case Arrays:
		arrays(w, size)
	case Specs:
		specs(w, size)
	case Children:
		children(w, size)
	case Deep:
		deep(w, size)
	case Sparse:
		sparse(w, size)
	default:
		return fmt.Errorf("no kind %q of crate: arrays, specs, children, deep or sparse", k)
	}
	return w.Close()
}

// BulkFile writes a bulk crate to a file; a file that is not whole does not keep the name.
func BulkFile(name string, k Kind, size int64) error {
	return filegen.Whole(name, func(f *os.File) error { return Bulk(f, k, size) })
}

// Kept returns the name of a bulk crate in a folder, where it is made on first use. The name holds kind and size.
func Kept(folder string, k Kind, size int64) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(folder, fmt.Sprintf("%s-%d.usdc", k, size))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	return name, BulkFile(name, k, size)
}

// common are fields that bulk crates repeat.
type common struct{ def, xform, mesh, points, ints uint32 }

func (w *Writer) common() common {
	f := func(name string, v Value) uint32 { return w.Field(w.Token(name), v(w)) }
	return common{
		def:    f("specifier", Inline(TSpecifier, 0)),
		xform:  f("typeName", Token("Xform")),
		mesh:   f("typeName", Token("Mesh")),
		points: f("typeName", Token("point3f[]")),
		ints:   f("typeName", Token("int[]")),
	}
}

// MeshPoints is the number of points of each mesh of an arrays crate.
const MeshPoints = 1 << 19

// arrays makes meshes until the file has about size bytes. All share one run of indices, which each stores anew.
func arrays(w *Writer, size int64) {
	c := w.common()
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, 3*(1<<14))
	for i := range values {
		values[i] = float32(random.IntN(1<<20)) / 1024
	}
	points := Floats(values...)
	indices := make([]int32, MeshPoints)
	for i := range indices {
		indices[i] = int32(i + random.IntN(300))
	}
	coded := codedInts(indices, 4)
	set := w.FieldSet([]uint32{c.def, c.mesh, w.Field(w.Token("properties"), Tokens("faceVertexIndices", "points")(w))})
	names := []string{}
	for i := 0; i == 0 || w.Pos() < size; i++ {
		name := fmt.Sprintf("Mesh_%04d", i)
		names = append(names, name)
		path := w.Path("/World/" + name)
		w.AddSpec(path, set, Prim)

		at := w.arrayHeader(MeshPoints, true)
		for range MeshPoints * 12 / len(points) {
			w.write(points)
		}
		value := w.NewField(w.Token("default"), MakeRep(TFloat3, ArrayBit, at))
		w.AddSpec(w.NewPath(path, w.Token("points"), true), w.NewFieldSet(c.points, value), Attribute)

		at = w.arrayHeader(MeshPoints, false)
		w.write(coded)
		value = w.NewField(w.Token("default"), MakeRep(TInt, ArrayBit|CompressedBit, at))
		w.AddSpec(w.NewPath(path, w.Token("faceVertexIndices"), true), w.NewFieldSet(c.ints, value), Attribute)
	}
	world(w, c, Tokens(names...))
}

// world adds the specs of "/" and "/World".
func world(w *Writer, c common, names Value) {
	w.Spec("/", PseudoRoot, Field{"primChildren", Tokens("World")})
	w.AddSpec(w.Path("/World"), w.FieldSet([]uint32{c.def, c.xform, w.Field(w.Token("primChildren"), names(w))}), Prim)
}

// newTokens returns a TokenVector of n new tokens, prefix and number; made is called for each.
func (w *Writer) newTokens(prefix string, n int64, made func(token uint32)) Rep {
	at := w.Pos()
	w.u64(uint64(n))
	for i := range n {
		token := w.NewToken(prefix + strconv.FormatInt(i, 10))
		w.u32(token)
		made(token)
	}
	return MakeRep(TTokenVector, 0, at)
}

// children makes one prim with n children that share their fields.
func children(w *Writer, n int64) {
	c := w.common()
	set := w.FieldSet([]uint32{c.def, c.xform})
	parent := w.Path("/World")
	world(w, c, func(w *Writer) Rep {
		return w.newTokens("child_", n, func(token uint32) { w.AddSpec(w.NewPath(parent, token, false), set, Prim) })
	})
}

// deep makes a chain of prims, each the only child of the one before.
func deep(w *Writer, depth int64) {
	c := w.common()
	token := w.Token("a")
	inner := w.Field(w.Token("primChildren"), Tokens("a")(w))
	w.Spec("/", PseudoRoot, Field{"primChildren", Tokens("a")})
	path := w.Path("/")
	for range depth - 1 {
		path = w.NewPath(path, token, false)
		w.AddSpec(path, w.FieldSet([]uint32{c.def, c.xform, inner}), Prim)
	}
	w.AddSpec(w.NewPath(path, token, false), w.FieldSet([]uint32{c.def, c.xform}), Prim)
}

// specs makes n specs: groups of 1,000 prims, each with an int, a token and a double, every hundredth double with samples.
func specs(w *Writer, n int64) {
	const perPrim, perGroup, sampledEvery = 4, 1000, 100
	c := w.common()
	properties := w.Field(w.Token("properties"), Tokens("count", "label", "level")(w))
	set := w.FieldSet([]uint32{c.def, c.xform, properties})
	count, label, level := w.Token("count"), w.Token("label"), w.Token("level")
	typed := func(name string) uint32 { return w.Field(w.Token("typeName"), Token(name)(w)) }
	intType, tokenType, doubleType := typed("int"), typed("token"), typed("double")
	plain := w.FieldSet([]uint32{doubleType})
	value, samples := w.Token("default"), w.Token("timeSamples")

	members := make([]uint32, perGroup)
	member := 0
	memberNames := w.Field(w.Token("primChildren"), w.newTokens("prim_", perGroup, func(token uint32) {
		members[member] = token
		member++
	}))
	groupSet := w.FieldSet([]uint32{c.def, c.xform, memberNames})
	groups := max(1, n/(perGroup*perPrim))
	parent := w.Path("/World")
	made := int64(0)
	var groupTokens []uint32
	names := w.newTokens("group_", groups, func(token uint32) { groupTokens = append(groupTokens, token) })
	for _, token := range groupTokens {
		path := w.NewPath(parent, token, false)
		w.AddSpec(path, groupSet, Prim)
		for _, m := range members {
			prim := w.NewPath(path, m, false)
			w.AddSpec(prim, set, Prim)
			v := w.NewField(value, MakeRep(TInt, InlinedBit, made))
			w.AddSpec(w.NewPath(prim, count, true), w.NewFieldSet(intType, v), Attribute)
			w.AddSpec(w.NewPath(prim, label, true), w.FieldSet([]uint32{tokenType, w.Field(value, MakeRep(TToken, InlinedBit, int64(token)))}), Attribute)
			levelSet := plain
			if made%sampledEvery == 0 {
				s := Samples([]float64{1, 2}, Double(float64(made)), Double(0.5))(w)
				levelSet = w.NewFieldSet(doubleType, w.NewField(samples, s))
			}
			w.AddSpec(w.NewPath(prim, level, true), levelSet, Attribute)
			made++
		}
	}
	world(w, c, Raw(names))
}

// sparse makes an array of size bytes that is a hole, between two small values.
func sparse(w *Writer, size int64) {
	attribute := func(name, typeName string, v Value) {
		w.Spec("/World."+name, Attribute, Field{"typeName", Token(typeName)}, Field{"default", v})
	}
	attribute("before", "float3[]", Array(TFloat3, 2, Floats(1, 2, 3, 4, 5, 6)))
	attribute("hole", "uchar[]", func(w *Writer) Rep {
		at := w.arrayHeader(size, true)
		w.Skip(size)
		return MakeRep(TUChar, ArrayBit, at)
	})
	attribute("behind", "float3[]", Array(TFloat3, 2, Floats(7, 8, 9, 10, 11, 12)))
	attribute("indices", "int[]", Ints(TInt, counting(1000, 3)...))
	w.Spec("/", PseudoRoot, Field{"primChildren", Tokens("World")})
	w.Spec("/World", Prim, Field{"specifier", Inline(TSpecifier, 0)},
		Field{"properties", Tokens("before", "behind", "hole", "indices")})
}
