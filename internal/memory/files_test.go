package memory

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"cutaway/internal/crategen"
	"cutaway/internal/filegen"
	"cutaway/internal/livegen"
	"cutaway/internal/odingen"
	"cutaway/internal/udmgen"
	"cutaway/internal/vrsgen"
)

// A file is one that is large, or small and asks for much.
type file struct {
	format, name string
	what         string // in the page
	share, whole int64  // how much of it is made for an ordinary test, and for the page
	write        func(f *os.File, n int64) error
	flags        []string
	status       int // of a check
}

const mib = 1 << 20

var files = []file{
	{"usdc", "token.usdc", "a token of %s, compressed", 128 * mib, 1024 * mib, crateToken, nil, 0},
	{"usdc", "specs.usdc", "%s specs", 1_000_000, 4_000_000, crate(crategen.Specs), nil, 0},
	{"usdc", "children.usdc", "a prim with %s children", 800_000, 2_000_000, crate(crategen.Children), nil, 0},
	{"usdc", "deep.usdc", "prims nested %s deep", 20_000, 100_000, crate(crategen.Deep), nil, 0},
	{"usdc", "ints.usdc", "a compressed array of %s integers", 32_000_000, 256_000_000, crateInts, nil, 0},
	{"usdz", "token.usdz", "a package of a crate with a token of %s", 128 * mib, 1024 * mib, packageToken, nil, 1},
	{"usdz", "deflated.usdz", "a package with a deflated member of %s", 64 * mib, 1024 * mib, packageDeflated, nil, 1},
	{"usda", "text.usda", "a text of %s", 8 * mib, 64 * mib, usdText, nil, 0},
	{"usda", "string.usda", "a text with a string of %s", 128 * mib, 512 * mib, usdString, nil, 0},
	{"udm", "structs.udm_b", "an array of structs of %s", 128 * mib, 1024 * mib, udm(udmgen.Structs), nil, 0},
	{"udm", "lz4.udm_b", "a compressed array of %s", 128 * mib, 512 * mib, udm(udmgen.LZ4), nil, 0},
	{"udm", "text.udm", "a text of %s", 16 * mib, 128 * mib, udm(udmgen.Text), nil, 0},
	{"udm", "string.udm", "a text with a string of %s", 128 * mib, 512 * mib, udmString, nil, 0},
	{"udm", "keys.udm", "a text of %s keys", 500_000, 5_400_000, udmKeys, nil, 0},
	{"udm", "array.udm", "a text with an array of %s", 32 * mib, 223 * mib, udmArray, nil, 0},
	{"odin", "stream.odin", "a stream of %s entries", 1_000_000, 10_000_000, odinStream, nil, 0},
	{"odin", "string.odin", "a stream with a string of %s", 128 * mib, 1024 * mib, odinString, nil, 0},
	{"odin", "names.odin", "a stream of %s references with types of their own", 50_000, 1_000_000, odinTypes, nil, 0},
	{"odin", "stream.json", "a JSON stream of %s", 2 * mib, 16 * mib, odinJSON, nil, 0},
	{"vrs", "records.vrs", "%s records", 50_000, 1_000_000, recording(true), nil, 0},
	{"vrs", "open.vrs", "%s records without index", 50_000, 1_000_000, recording(false), nil, 0},
	{"vrs", "zstd.vrs", "a record of %s, by zstd", 192 * mib, 768 * mib, compressed(vrsgen.Zstd), nil, 0},
	{"vrs", "lz4.vrs", "a record of %s, by LZ4", 192 * mib, 768 * mib, compressed(vrsgen.LZ4), nil, 0},
	{"vrs", "tag.vrs", "a stream tag of %s", 128 * mib, 512 * mib, recordingTag, nil, 0},
	{"omnilive", "commands.oodf", "a delta of %s commands", 100_000, 1_000_000, commands, nil, 0},
	{"flatbuffer", "commands.bin", "a buffer without schema, of %s commands", 100_000, 1_000_000, commands, []string{"--format=flatbuffer"}, 0},
	{"ksy", "packets.pcap", "%s packets, by a description", 100_000, 3_000_000, packets, []string{"--schema=../../testdata/ksy/pcap.ksy"}, 0},
	{"ksy", "text.bin", "a string of %s, by a description", 128 * mib, 1024 * mib, ksyText, []string{"--schema=testdata/text.ksy"}, 0},
	{"ksy", "chain.bin", "%s elements that need those before them, by a description", 300_000, 1_000_000, ksyChain,
		[]string{"--schema=testdata/chain.ksy"}, 0},
	{"ksy", "chains.bin", "four lists with %s such elements together", 300_000, 1_000_000, ksyChain, []string{"--schema=testdata/chains.ksy"}, 0},
	{"ksy", "packed.bin", "bytes of zlib of %s, by a description", 128 * mib, 1024 * mib, ksyPacked, []string{"--schema=testdata/packed.ksy"}, 0},
}

func crate(kind crategen.Kind) func(*os.File, int64) error {
	return func(f *os.File, n int64) error { return crategen.Bulk(f, kind, n) }
}

// crateToken is a crate whose documentation is one token.
func crateToken(f *os.File, n int64) error {
	w := crategen.NewWriter(f, crategen.Version{0, 8, 0})
	doc := w.NewToken("a")
	w.Edit = func(t *crategen.Tables) { t.LastToken = n }
	w.Spec("/", crategen.PseudoRoot, crategen.Field{Name: "comment", Value: crategen.Inline(crategen.TToken, doc)},
		crategen.Field{Name: "primChildren", Value: crategen.Tokens("World")})
	w.Spec("/World", crategen.Prim, crategen.Field{Name: "specifier", Value: crategen.Inline(crategen.TSpecifier, 0)})
	return w.Close()
}

// crateInts is an array of n integers whose coding is all zeros, which LZ4 makes small.
func crateInts(f *os.File, n int64) error {
	w := crategen.NewWriter(f, crategen.Version{0, 8, 0})
	w.Spec("/", crategen.PseudoRoot, crategen.Field{Name: "primChildren", Value: crategen.Tokens("World")})
	w.Spec("/World", crategen.Prim, crategen.Field{Name: "specifier", Value: crategen.Inline(crategen.TSpecifier, 0)},
		crategen.Field{Name: "properties", Value: crategen.Tokens("a")})
	w.Spec("/World.a", crategen.Attribute, crategen.Field{Name: "typeName", Value: crategen.Token("int[]")},
		crategen.Field{Name: "default", Value: crategen.ZeroInts(n)})
	return w.Close()
}

// packaged writes a package with one member, which is stored, or deflated.
func packaged(f *os.File, name string, method uint16, write func(io.Writer) error) error {
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	member, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method, Extra: make([]byte, 64-30-len(name))})
	if err != nil {
		return err
	}
	return errors.Join(write(member), z.Close())
}

func packageToken(f *os.File, n int64) error {
	part, err := os.Create(f.Name() + ".usdc")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(part.Name()) }()
	defer part.Close()
	if err := crateToken(part, n); err != nil {
		return err
	}
	return packaged(f, "scene.usdc", zip.Store, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(part, 0, 1<<62))
		return err
	})
}

func packageDeflated(f *os.File, n int64) error {
	return packaged(f, "scene.usda", zip.Deflate, func(w io.Writer) error {
		return repeat(w, "#usda 1.0\n", "# a line of comment that is like all others of its kind\n", n, "")
	})
}

// repeat writes head, then a unit until there are about n bytes, then tail.
func repeat(w io.Writer, head, unit string, n int64, tail string) error {
	b := bufio.NewWriterSize(w, mib)
	run := strings.Repeat(unit, 1+mib/len(unit))
	_, _ = b.WriteString(head) // Flush tells
	for left := n; left > 0; left -= int64(len(run)) {
		_, _ = b.WriteString(run[:min(left/int64(len(unit))+1, int64(len(run)/len(unit)))*int64(len(unit))])
	}
	_, _ = b.WriteString(tail)
	return b.Flush()
}

func usdText(f *os.File, n int64) error {
	b := bufio.NewWriterSize(f, mib)
	fmt.Fprintf(b, "#usda 1.0\n\n")
	for i, size := 0, int64(0); size < n; i++ {
		k, _ := fmt.Fprintf(b, "def Xform \"prim_%d\"\n{\n    double level = %d.5\n    float3[] points = [(%d, 2, 3), (4, 5, 6)]\n}\n", i, i, i)
		size += int64(k)
	}
	return b.Flush()
}

func usdString(f *os.File, n int64) error {
	return repeat(f, "#usda 1.0\n(\n    doc = \"", "some words of ", n, "\"\n)\ndef \"World\"\n{\n}\n")
}

func udm(kind udmgen.Kind) func(*os.File, int64) error {
	return func(f *os.File, n int64) error { return udmgen.Bulk(f, kind, n) }
}

const (
	udmHead = "$string assetType \"TEST\"\n$uint32 assetVersion 1\n\"assetData\"\n{\n"
	udmTail = "\t$uint8 after 7\n}\n"
)

func udmString(f *os.File, n int64) error {
	return repeat(f, udmHead+"\t$string text \"", "some words of ", n, "\"\n"+udmTail)
}

func udmKeys(f *os.File, n int64) error {
	b := bufio.NewWriterSize(f, mib)
	_, _ = b.WriteString(udmHead)
	for i := range n {
		fmt.Fprintf(b, "\t$float key%d %d\n", i, i%10)
	}
	_, _ = b.WriteString(udmTail)
	return b.Flush()
}

func udmArray(f *os.File, n int64) error {
	const item = "1.25,"
	count := n/int64(len(item)) + 2
	b := bufio.NewWriterSize(f, mib)
	fmt.Fprintf(b, "%s\t$array points [float;%d][", udmHead, count)
	for range count - 1 {
		_, _ = b.WriteString(item)
	}
	_, _ = b.WriteString("7]\n" + udmTail)
	return b.Flush()
}

func odinStream(f *os.File, n int64) error { return odingen.Bulk(f, n) }

// odinText writes a stream with a string of n characters between two numbers.
func odinText(out io.Writer, n int64) error {
	w := &odingen.Writer{}
	w.Ref("Demo.Text, Assembly-CSharp", func() {
		w.Name("before").Int(1)
		w.Name("text").ID(0x27)
		w.Put(byte(0), int32(n))
		_, _ = out.Write(w.Bytes()) // the last write tells
		w.Reset()
		_ = repeat(out, "", "x", n-1, "")
		w.Name("after").Int(2)
	})
	_, err := out.Write(w.Bytes())
	return err
}

func odinString(f *os.File, n int64) error { return odinText(f, n) }

func odinTypes(f *os.File, n int64) error {
	b := bufio.NewWriterSize(f, mib)
	w := &odingen.Writer{}
	flush := func() {
		_, _ = b.Write(w.Bytes()) // Flush tells
		w.Reset()
	}
	w.Ref("Demo.All, Assembly-CSharp", func() {
		for i := range n {
			w.Name(fmt.Sprintf("name%d", i)).Ref(fmt.Sprintf("Demo.Type%d, Assembly-CSharp", i), func() { w.Name("x").Int(int32(i)) })
			flush()
		}
	})
	flush()
	return b.Flush()
}

func odinJSON(f *os.File, n int64) error {
	b := bufio.NewWriterSize(f, mib)
	fmt.Fprintf(b, "{\n    \"$id\": 0,\n    \"$type\": \"0|Demo.All, Assembly-CSharp\",\n")
	for i, size := 0, int64(0); size < n; i++ {
		k, _ := fmt.Fprintf(b, "    \"value%d\": %d.5,\n", i, i)
		size += int64(k)
	}
	fmt.Fprintf(b, "    \"last\": 1\n}")
	return b.Flush()
}

func recording(index bool) func(*os.File, int64) error {
	return func(f *os.File, n int64) error { return vrsgen.Bulk{Records: n, Index: index}.Write(f) }
}

// compressed is a recording with a record that is large when it is inflated, and one after it.
func compressed(by vrsgen.Compression) func(*os.File, int64) error {
	return func(f *os.File, n int64) error {
		r := &vrsgen.File{Streams: []vrsgen.Stream{{Type: 204, Instance: 1}}, Records: []vrsgen.Record{
			{Kind: vrsgen.Data, Version: 1, Time: 1, Payload: make([]byte, n), Compression: by},
			{Kind: vrsgen.Data, Version: 1, Time: 2, Payload: []byte("after")},
		}, Index: vrsgen.AtEnd}
		b, _ := r.Bytes()
		_, err := f.Write(b)
		return err
	}
}

func recordingTag(f *os.File, n int64) error {
	r := &vrsgen.File{Streams: []vrsgen.Stream{{Type: 204, Instance: 1, User: []vrsgen.Tag{{Name: "long", Value: strings.Repeat("x", int(n))}}}},
		Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Time: 1, Payload: []byte("after")}}, Index: vrsgen.AtEnd}
	b, _ := r.Bytes()
	_, err := f.Write(b)
	return err
}

func commands(f *os.File, n int64) error {
	_, err := f.Write(livegen.Commands(int(n), false).Build())
	return err
}

func packets(f *os.File, n int64) error {
	sample, err := os.ReadFile("../../testdata/ksy/packets.pcap")
	if err != nil {
		return err
	}
	const head, packetHead = 24, 16
	size := packetHead + int(sample[head+8]) | int(sample[head+9])<<8
	packet := sample[head : head+size]
	b := bufio.NewWriterSize(f, mib)
	_, _ = b.Write(sample[:head])
	for range n {
		_, _ = b.Write(packet) // Flush tells
	}
	return b.Flush()
}

func ksyText(f *os.File, n int64) error { return repeat(f, "", "x", n-1, "\x00after") }

func ksyChain(f *os.File, n int64) error { return f.Truncate(n) }

func ksyPacked(f *os.File, n int64) error {
	z := zlib.NewWriter(f)
	return errors.Join(repeat(z, "", "x", n, ""), z.Close())
}

// make writes a file into a folder.
func (c *file) make(t *testing.T, folder string, n int64) string {
	name := folder + "/" + c.name
	if err := filegen.Whole(name, func(f *os.File) error { return c.write(f, n) }); err != nil {
		t.Fatal(err)
	}
	return name
}
