package types

import "hash/maphash"

var seed = maphash.MakeSeed()

// HashOf is the hash of a key.
func HashOf(key string) uint64 { return maphash.String(seed, NameOf(key)) }

// HashBytes is HashOf of a key that is not empty.
func HashBytes(key []byte) uint64 { return maphash.Bytes(seed, key) }

// unnamed stands in paths for an empty name.
const unnamed = "(unnamed)"

// NameOf returns what paths have for a key.
func NameOf(key string) string {
	if key == "" {
		return unnamed
	}
	return key
}
