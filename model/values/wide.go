package values

import (
	"encoding/binary"
	"math"
	"math/big"

	"cutaway/model"
)

// isWide reports whether numbers are integers that float64 cannot always represent.
func isWide(kind model.NumberKind) bool { return kind == model.NumberI64 || kind == model.NumberU64 }

// keyZero returns the key of 0. Keys are unsigned numbers in the order of the integers.
func keyZero(kind model.NumberKind) uint64 {
	if kind == model.NumberI64 {
		return 1 << 63
	}
	return 0
}

// readKeys fills dst with component k of packed 64-bit integers, as keys.
func readKeys(dst []uint64, b []byte, kind model.NumberKind, components, k int) {
	flip := keyZero(kind)
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint64(b[(i*components+k)*8:]) ^ flip
	}
}

// A base is an integer near others, whose distances from the base a float64 can represent.
type base struct {
	kind model.NumberKind
	key  uint64
}

// baseAt returns the base for integers beginning with key: 0 if a float64 represents it.
func baseAt(kind model.NumberKind, key uint64) base {
	zero := base{kind, keyZero(kind)}
	if math.Abs(zero.distance(key)) < 1<<53 {
		return zero
	}
	return base{kind, key}
}

// zeroed returns the base 0.
func (b base) zeroed() base { return base{b.kind, keyZero(b.kind)} }

// far reports whether the base is not 0.
func (b base) far() bool { return b != b.zeroed() }

// value returns the integer of a key.
func (b base) value(key uint64) model.Value {
	if b.kind == model.NumberI64 {
		return model.Int(key ^ 1<<63)
	}
	return model.Uint(key)
}

// orNil returns the base as a value, or nil for 0.
func (b base) orNil() model.Value {
	if !b.far() {
		return nil
	}
	return b.value(b.key)
}

// distance returns the distance of a key from the base.
func (b base) distance(key uint64) float64 {
	if key < b.key {
		return -float64(b.key - key)
	}
	return float64(key - b.key)
}

// distances fills dst with the distances of keys, from least to most, from the base.
func (b base) distances(dst []float64, keys []uint64, least, most uint64) {
	if int64(least-b.key) > 0 && least < b.key || int64(most-b.key) < 0 && most > b.key { // some are 2^63 away
		for i, key := range keys {
			dst[i] = b.distance(key)
		}
		return
	}
	for i, key := range keys {
		dst[i] = float64(int64(key - b.key))
	}
}

// firstBase returns the base of component k of packed integers, by the first that has a value.
func firstBase(b []byte, p *model.Packing, none []bool, k int) base {
	size := int(p.Size())
	for i := range len(b) / size {
		if i >= len(none) || !none[i] {
			var key [1]uint64
			readKeys(key[:], b[i*size:], p.Number, p.Components, k)
			return baseAt(p.Number, key[0])
		}
	}
	return base{kind: p.Number}.zeroed()
}

// unpack fills dst with the distances of component k of packed integers from the base.
func (b base) unpack(dst []float64, packed []byte, components, k int) {
	var room [512]uint64
	for len(dst) > 0 {
		keys := room[:min(len(room), len(dst))]
		readKeys(keys, packed, b.kind, components, k)
		for i, key := range keys {
			dst[i] = b.distance(key)
		}
		dst, packed = dst[len(keys):], packed[len(keys)*components*8:]
	}
}

// distanceOf returns the distance of two integers; nil counts as 0.
func distanceOf(v, from model.Value) float64 {
	by, _ := new(big.Float).SetInt(new(big.Int).Sub(bigOf(v), bigOf(from))).Float64()
	return by
}

// bigOf returns an integer; nil counts as 0.
func bigOf(v model.Value) *big.Int {
	switch v := v.(type) {
	case model.Int:
		return big.NewInt(int64(v))
	case model.Uint:
		return new(big.Int).SetUint64(uint64(v))
	}
	return new(big.Int)
}

// Plus returns the number at a distance from a base; nil counts as 0. It is an integer if the base is one and the sum
// fits.
func Plus(base model.Value, by float64) model.Value {
	if base == nil || by != by {
		return model.Float64(by)
	}
	sum := bigOf(base)
	whole, _ := big.NewFloat(math.Round(by)).Int(nil)
	switch sum.Add(sum, whole); {
	case sum.IsInt64():
		return model.Int(sum.Int64())
	case sum.IsUint64():
		return model.Uint(sum.Uint64())
	}
	f, _ := new(big.Float).SetInt(sum).Float64()
	return model.Float64(f)
}
