package model

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// leastShared is from how many elements on a table is worth looking for another like it.
const leastShared = 4096

// sharedKey is by what tables that may be the same are found; of two with one key only the first is shared.
type sharedKey struct {
	element reflect.Type
	len     int
	sum     uint64
}

// shared is the tables that are in memory, each as a weak.Pointer to its first element.
var shared = struct {
	sync.Mutex
	tables map[sharedKey]any
}{tables: make(map[sharedKey]any)}

// Shared returns a table that holds the same as s: an earlier one that somebody still has, or s itself. Most tables of two
// versions of a file are the same, which so take the room of one. Nobody may write to a table that is shared.
func Shared[T int32 | uint32 | int64 | uint64 | uint8](s []T) []T {
	if len(s) < leastShared {
		return s
	}
	key := sharedKey{reflect.TypeFor[T](), len(s), sumOf(s)}
	shared.Lock()
	defer shared.Unlock()
	if held, ok := shared.tables[key].(weak.Pointer[T]); ok {
		if first := held.Value(); first != nil {
			// The table was made with as many elements, and all of it is there as long as one of them is.
			if same := unsafe.Slice(first, len(s)); slices.Equal(same, s) {
				return same
			}
			return s
		}
	}
	shared.tables[key] = weak.Make(&s[0])
	runtime.AddCleanup(&s[0], forget[T], key)
	return s
}

// sumOf is a hash of a table.
func sumOf[T int32 | uint32 | int64 | uint64 | uint8](s []T) uint64 {
	sum := uint64(len(s))
	for _, v := range s {
		sum = (sum ^ uint64(v)) * 0x9e3779b97f4a7c15
		sum ^= sum >> 29
	}
	return sum
}

// forget forgets a table that nobody has any more, unless another one has taken its place.
func forget[T int32 | uint32 | int64 | uint64 | uint8](key sharedKey) {
	shared.Lock()
	defer shared.Unlock()
	if held, ok := shared.tables[key].(weak.Pointer[T]); ok && held.Value() == nil {
		delete(shared.tables, key)
	}
}
