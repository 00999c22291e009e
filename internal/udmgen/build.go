// Package udmgen writes UDM files: the small ones that tests read, sound and damaged, and large ones for measurements.
package udmgen

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/pierrec/lz4/v4"
)

// The type numbers that the files use (docs/formats/udm.md, chapter 3).
const (
	typeNil       = 0
	typeString    = 1
	typeUTF8      = 2
	typeUint8     = 4
	typeUint16    = 6
	typeInt32     = 7
	typeUint32    = 8
	typeUint64    = 10
	typeFloat     = 11
	typeDouble    = 12
	typeBool      = 13
	typeVec2      = 14
	typeVec3      = 15
	typeVec4      = 16
	typeTransform = 21
	typeMat4      = 23
	typeBlob      = 25
	typeLZ4       = 26
	typeElement   = 27
	typeArray     = 28
	typeArrayLZ4  = 29
	typeRef       = 30
	typeStruct    = 31
	typeHalf      = 32
)

var little = binary.LittleEndian

func u16(v int) []byte { return little.AppendUint16(nil, uint16(v)) }
func u32(v int) []byte { return little.AppendUint32(nil, uint32(v)) }
func u64(v int) []byte { return little.AppendUint64(nil, uint64(v)) }

func floats(values ...float32) []byte {
	var b []byte
	for _, v := range values {
		b = little.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func double(v float64) []byte { return little.AppendUint64(nil, math.Float64bits(v)) }

// join puts parts of a file one after the other. Integers are single bytes.
func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// str returns a string or ref without its type byte.
func str(s string) []byte {
	if len(s) >= 255 {
		return join(255, u32(len(s)), s)
	}
	return join(len(s), s)
}

// A child is a key and the property that it has: type byte and value.
type child struct {
	key      string
	property []byte
}

func prop(key string, parts ...any) child { return child{key, join(parts...)} }

// element returns an element without its type byte.
func element(children ...child) []byte {
	body := u32(len(children))
	for _, c := range children {
		body = join(body, len(c.key), c.key)
	}
	for _, c := range children {
		body = join(body, c.property)
	}
	return join(u64(len(body)), body)
}

// sized puts a size of 8 bytes before what it counts.
func sized(parts ...any) []byte {
	b := join(parts...)
	return join(u64(len(b)), b)
}

// file returns a binary file of version 2 around the content of assetData.
func file(children ...child) []byte { return fileOf(2, typeElement, root(element(children...))) }

// root returns the root element.
func root(data []byte) []byte {
	return element(
		prop("assetType", typeString, str("TEST")),
		prop("assetVersion", typeUint32, u32(1)),
		prop("assetData", typeElement, data))
}

func fileOf(version, typ int, value []byte) []byte { return join("UDMB", u32(version), typ, value) }

// literals returns an LZ4 block that holds b as it is.
func literals(b []byte) []byte {
	if len(b) < 15 {
		return join(len(b)<<4, b)
	}
	out := []byte{0xf0}
	n := len(b) - 15
	for ; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return join(out, n, b)
}

// compress is b as an LZ4 block.
func compress(b []byte) []byte {
	out := make([]byte, lz4.CompressBlockBound(len(b)))
	var c lz4.Compressor
	n, err := c.CompressBlock(b, out)
	if err != nil || n == 0 {
		return literals(b)
	}
	return out[:n]
}

// arrayLZ4 returns a compressed array without its type byte; middle is the bytes between type and count.
func arrayLZ4(typ int, middle []byte, count int, block []byte) []byte {
	return join(u64(len(block)), typ, middle, u32(count), block)
}

func text64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// header returns a struct header: pairs of a type and a name.
func header(members ...any) []byte {
	types, names := []byte{}, []byte{}
	for i := 0; i < len(members); i += 2 {
		types = append(types, byte(members[i].(int)))
		names = join(names, str(members[i+1].(string)))
	}
	return join(len(types), types, names)
}

// nested returns an element in an element, depth deep.
func nested(depth int) []byte {
	b := element()
	for range depth {
		b = element(prop("n", typeElement, b))
	}
	return b
}
