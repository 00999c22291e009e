package udmgen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"cutaway/internal/filegen"

	"github.com/pierrec/lz4/v4"
)

// Kind names a large file.
type Kind string

// The large files. Their size is about that of the data of their arrays, in bytes.
const (
	Structs Kind = "structs" // an array of structs
	LZ4     Kind = "lz4"     // a compressed array of structs: the size before compression
	Text    Kind = "text"    // a text with arrays of vectors and many properties
)

// DefaultSize returns the size of a large file when none is given.
func (k Kind) DefaultSize() int64 {
	return map[Kind]int64{Structs: 200 << 20, LZ4: 500 << 20, Text: 64 << 20}[k]
}

// Bulk writes a large file. The same size gives the same bytes.
func Bulk(f *os.File, k Kind, size int64) error {
	write := map[Kind]func(io.Writer, int64) error{Structs: structs, LZ4: compressed, Text: text}[k]
	if write == nil {
		return fmt.Errorf("no kind %q of file: structs, lz4 or text", k)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(write(w, size), w.Flush())
}

// BulkFile writes a large file; one that is not whole does not keep the name. The same size gives the same bytes.
func BulkFile(name string, k Kind, size int64) error {
	if size == 0 {
		size = k.DefaultSize()
	}
	return filegen.Whole(name, func(f *os.File) error { return Bulk(f, k, size) })
}

// vertexHeader returns the header of the vertices that models have; vertexSize is the size of one.
func vertexHeader() []byte {
	return header(typeVec3, "pos", typeVec2, "uv", typeVec3, "n", typeVec4, "t")
}

const vertexSize = 48

// vertices makes the bytes of n vertices from the first on, such as a grid has: they can be compressed, but not to
// nothing.
func vertices(rng *rand.Rand, first, n int) []byte {
	var b []byte
	for i := first; i < first+n; i++ {
		x, y := float32(i%1000), float32(i/1000)
		b = append(b, floats(x, y, rng.Float32(), x/1000, y/1000, 0, 0, 1, 1, 0, 0, 1)...)
	}
	return b
}

const atOnce = 1 << 14 // vertices

func structs(w io.Writer, size int64) error {
	n := int(size / vertexSize)
	h := vertexHeader()
	body := 2 + len(h) + n*vertexSize
	// The sizes of all that is around the array come before it.
	array := join(typeArray, typeStruct, u32(n), u64(body), u16(len(h)), h)
	tail := join(typeUint8, 7)
	data := join(u32(2), 8, "vertices", 5, "after")
	dataSize := len(data) + len(array) + n*vertexSize + len(tail)
	keys := join(u32(3), 9, "assetData", 9, "assetType", 12, "assetVersion")
	end := join(typeString, str("TEST"), typeUint32, u32(1))
	rootSize := len(keys) + 1 + 8 + dataSize + len(end)
	head := join("UDMB", u32(2), typeElement, u64(rootSize), keys, typeElement, u64(dataSize), data, array)
	if _, err := w.Write(head); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < n; i += atOnce {
		if _, err := w.Write(vertices(rng, i, min(atOnce, n-i))); err != nil {
			return err
		}
	}
	_, err := w.Write(join(tail, end))
	return err
}

// compressed writes an array whose LZ4 block is made whole in memory first.
func compressed(w io.Writer, size int64) error {
	n := int(size / vertexSize)
	plain := make([]byte, 0, n*vertexSize)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < n; i += atOnce {
		plain = append(plain, vertices(rng, i, min(atOnce, n-i))...)
	}
	block := make([]byte, lz4.CompressBlockBound(len(plain)))
	var c lz4.Compressor
	used, err := c.CompressBlock(plain, block)
	if err != nil {
		return err
	}
	h := vertexHeader()
	_, err = w.Write(file(prop("vertices", typeArrayLZ4, arrayLZ4(typeStruct, join(u16(len(h)), h), n, block[:used])), after))
	return err
}

// text writes blocks of a hundred properties and an array of a thousand vectors each.
func text(w io.Writer, size int64) error {
	rng := rand.New(rand.NewPCG(1, 2))
	written := int64(0)
	put := func(format string, args ...any) error {
		n, err := fmt.Fprintf(w, format, args...)
		written += int64(n)
		return err
	}
	err := put("$string assetType \"TEST\"\n$uint32 assetVersion 1\n\"assetData\"\n{\n")
	for block := 0; err == nil && written < size; block++ {
		err = put("\t\"block%d\"\n\t{\n", block)
		for i := range 100 {
			err = errors.Join(err, put("\t\t$float property%d %.4f\n", i, rng.Float32()))
		}
		err = errors.Join(err, put("\t\t$array points [vec3;1000]["))
		for i := range 1000 {
			if i > 0 {
				err = errors.Join(err, put(","))
			}
			err = errors.Join(err, put("[%.3f,%.3f,%.3f]", rng.Float32(), rng.Float32(), rng.Float32()))
		}
		err = errors.Join(err, put("]\n\t}\n"))
	}
	return errors.Join(err, put("\t$uint8 after 7\n}\n"))
}
