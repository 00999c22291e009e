package crategen

import (
	"encoding/binary"

	"github.com/pierrec/lz4/v4"
)

// maxChunk bounds the output of one LZ4 block of a chunk container (5.2).
const maxChunk = 0x7E000000

// Compress puts data into a chunk container of LZ4 blocks (5.2).
func Compress(data []byte) []byte {
	if len(data) <= maxChunk {
		return append([]byte{0}, block(data)...)
	}
	out := []byte{byte((len(data) + maxChunk - 1) / maxChunk)}
	for len(data) > 0 {
		n := min(len(data), maxChunk)
		b := block(data[:n])
		out = binary.LittleEndian.AppendUint32(out, uint32(len(b)))
		out = append(out, b...)
		data = data[n:]
	}
	return out
}

func block(data []byte) []byte {
	if len(data) == 0 {
		return []byte{0} // one sequence without literals
	}
	dst := make([]byte, lz4.CompressBlockBound(len(data)))
	var c lz4.Compressor
	n, err := c.CompressBlock(data, dst)
	if err != nil {
		panic(err) // dst is as large as the bound asks for
	}
	return dst[:n]
}

// lengthened returns an LZ4 block of b, before whose last byte the byte before that is repeated n times; n is large.
func lengthened(b []byte, n int64) []byte {
	const last = 5 // bytes that end a block as literals
	end := len(b) - 1
	out := appendLength([]byte{0xFF}, int64(end)-15)
	out = append(append(out, b[:end]...), 1, 0)
	out = append(appendLength(out, n-(last-1)-4-15), last<<4)
	for range last - 1 {
		out = append(out, b[end-1])
	}
	return append(out, b[end])
}

// appendLength appends what a length has beyond the 15 of its token.
func appendLength(b []byte, n int64) []byte {
	for ; n >= 255; n -= 255 {
		b = append(b, 255)
	}
	return append(b, byte(n))
}

// ZeroInts returns a compressed array of n zeros, which takes next to no memory to make.
func ZeroInts(n int64) Value {
	return func(w *Writer) Rep {
		at := w.arrayHeader(n, true)
		// The common difference, and two bits for each: zeros all.
		block := append([]byte{0}, lengthened(make([]byte, 32), 4+(n+3)/4-32)...)
		w.sized(block)
		return MakeRep(TInt, ArrayBit|CompressedBit, at)
	}
}

// An integer is a value of the integer coding.
type integer interface {
	~int32 | ~uint32 | ~int64 | ~uint64
}

// EncodeInts is the integer coding (5.3) of values in words of width 4 or 8 bytes.
func EncodeInts[T integer](values []T, width int) []byte {
	if len(values) == 0 {
		return nil
	}
	common := commonDelta(values, width)
	out := appendInt(nil, common, width)
	codes := len(out)
	out = append(out, make([]byte, (len(values)+3)/4)...)
	var prev T
	for i, v := range values {
		d := delta(prev, v, width)
		prev = v
		code, size := 0, 0
		switch least := width * 2; { // bits of the smallest delta: 8 for words of 4 bytes, 16 for 8
		case d == common:
		case fits(d, least):
			code, size = 1, width/4
		case fits(d, 2*least):
			code, size = 2, width/2
		default:
			code, size = 3, width
		}
		out[codes+i/4] |= byte(code << (2 * (i % 4)))
		out = appendInt(out, d, size)
	}
	return out
}

// delta is b − a in words of width bytes, sign-extended.
func delta[T integer](a, b T, width int) int64 {
	if width == 4 {
		return int64(int32(uint32(b) - uint32(a)))
	}
	return int64(uint64(b) - uint64(a))
}

// commonDelta is the most frequent delta, the largest on a tie.
func commonDelta[T integer](values []T, width int) int64 {
	counts := make(map[int64]int)
	var prev T
	for _, v := range values {
		counts[delta(prev, v, width)]++
		prev = v
	}
	var best int64
	for d, n := range counts {
		if n > counts[best] || n == counts[best] && d > best {
			best = d
		}
	}
	return best
}

func fits(v int64, bits int) bool { return v == v<<(64-bits)>>(64-bits) }

func appendInt(b []byte, v int64, size int) []byte {
	for i := range size {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// codedInts is cints (5.4): the size, and the container of the coding.
func codedInts[T integer](values []T, width int) []byte {
	c := Compress(EncodeInts(values, width))
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(c))), c...)
}
