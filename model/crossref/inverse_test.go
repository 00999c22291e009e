package crossref

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestInverse holds inverses against a table of lists, with more links than keys, with fewer, and with none.
func TestInverse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct{ links, keys int64 }{{10_000, 100}, {100, 10_000}, {100, 100}, {0, 5}, {5, 0}, {10_000, 2*keysAtOnce + 5}} {
		names := make([]int64, size.links)
		want := make(map[int64][]uint32)
		var twice []uint64
		for i := range names {
			names[i] = random.Int64N(size.keys+2) - 1 // two of them are no keys
			if key := names[i]; key >= 0 && key < size.keys {
				want[key] = append(want[key], uint32(i))
				twice = append(twice, uint64(key)<<32|uint64(i), uint64(key)<<32|uint64(i))
			}
		}
		counted, err := Invert(t.Context(), size.links, size.keys, func(i int64) int64 { return names[i] })
		if err != nil {
			t.Fatal(err)
		}
		random.Shuffle(len(twice), func(i, j int) { twice[i], twice[j] = twice[j], twice[i] })
		for how, x := range map[string]*Inverse{"counted": counted, "sorted": sortedInverse(twice, size.keys)} {
			kept, seen := 0, 0
			for key := int64(-1); key <= size.keys; key++ {
				if kept += len(want[key]); !slices.Equal(x.Of(key).Unpacked(), want[key]) {
					t.Errorf("%v, %s: key %d has %v, want %v", size, how, key, x.Of(key).Unpacked(), want[key])
				}
			}
			for key, list := range x.All() {
				if !slices.Equal(list.Unpacked(), want[key]) {
					t.Errorf("%v, %s: key %d of all has %v, want %v", size, how, key, list.Unpacked(), want[key])
				}
				seen += len(want[key])
			}
			if all := x.Within(0, size.keys-1); all.Len() != int64(kept) || seen != kept {
				t.Errorf("%v, %s: %d of %d links within all keys", size, how, all.Len(), kept)
			}
		}
	}
}

// TestInverseMemory: at most 4 bytes a link, and a fifth of a byte for each link and key, which is how many numbers of a list.
func TestInverseMemory(t *testing.T) {
	for _, size := range []struct{ links, keys int64 }{{1 << 16, 1 << 10}, {1 << 10, 1 << 16}, {1 << 16, 1 << 16}} {
		x, err := Invert(t.Context(), size.links, size.keys, func(i int64) int64 { return i * 7 % size.keys })
		if err != nil {
			t.Fatal(err)
		}
		if got := bytesOf(reflect.ValueOf(*x)); got > int(4*size.links+(size.links+size.keys)/4) {
			t.Errorf("%d bytes for %d links to %d keys", got, size.links, size.keys)
		}
	}
}

// TestInverseGoesOn: an inversion that is cancelled again and again comes to its end, and does no link twice.
func TestInverseGoesOn(t *testing.T) {
	const n = 5*betweenChecks + 1
	var v inverter
	asked, ends := 0, 0
	ctx, cancel := context.WithCancel(t.Context())
	for {
		x, err := v.run(ctx, nil, "", n, 10, func(i int64) int64 {
			if asked++; asked%betweenChecks == 0 {
				cancel()
			}
			return i % 10
		})
		if err == nil {
			if ends == 0 || asked != 2*n || x.Of(3).Len() != n/10 && x.Of(3).Len() != n/10+1 {
				t.Errorf("%d ends, %d links asked for, %d entries", ends, asked, x.Of(3).Len())
			}
			return
		}
		ends++
		ctx, cancel = context.WithCancel(t.Context())
	}
}

// bytesOf returns the memory behind the slices of a value.
func bytesOf(v reflect.Value) (sum int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			sum += bytesOf(v.Field(i))
		}
	case reflect.Slice:
		sum = v.Len() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			sum += bytesOf(v.Index(i))
		}
	}
	return sum
}
