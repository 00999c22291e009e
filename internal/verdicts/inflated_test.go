package verdicts

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"cutaway/source"
)

// The compressed buffers of a crate's sections: how many bytes are before the first one's size, and how many there are.
var compressed = map[string]struct{ head, buffers int }{
	"TOKENS": {16, 1}, "FIELDS": {8, 2}, "FIELDSETS": {8, 1}, "PATHS": {16, 3}, "SPECS": {8, 3},
}

// changeInflated changes a byte of what a compressed buffer of a crate gives, so that the change is to one number of a
// table and not to LZ4's bytes. It tells where in the buffer; ok is false where the crate has nothing compressed.
func changeInflated(random *rand.Rand, data []byte) (changed []byte, where string, done change, ok bool) {
	type place struct {
		name string
		at   int // of the buffer's size
	}
	var places []place
	toc := int(binary.LittleEndian.Uint64(data[16:]))
	entries := int(binary.LittleEndian.Uint64(data[toc:]))
	if data[9] < 4 {
		return nil, "", done, false
	}
	for i := range entries {
		entry := data[toc+8+32*i:]
		name, _, _ := bytes.Cut(entry[:16], []byte{0})
		layout := compressed[string(name)]
		at := int(binary.LittleEndian.Uint64(entry[16:])) + layout.head
		for range layout.buffers {
			places = append(places, place{string(name), at})
			at += 8 + int(binary.LittleEndian.Uint64(data[at:]))
		}
	}
	p := places[random.IntN(len(places))]
	size := int(binary.LittleEndian.Uint64(data[p.at:]))
	block := data[p.at+8 : p.at+8+size]
	if block[0] != 0 {
		return nil, "", done, false // several chunks
	}
	inflated, fault := source.InMemory(source.CopyLZ4)(context.Background(), block[1:], -1, 1<<20)
	if fault != nil || len(inflated) == 0 {
		return nil, "", done, false
	}
	inflated = slices.Clone(inflated)
	done = changeByte(random, inflated)
	literal := append([]byte{0}, literals(inflated)...)
	return replace(data, p.at, 8+size, append(binary.LittleEndian.AppendUint64(nil, uint64(len(literal))), literal...)), p.name, done, true
}

// literals is an LZ4 block that gives data without any match.
func literals(data []byte) []byte {
	n := len(data)
	block := []byte{byte(min(n, 15) << 4)}
	for n -= 15; n >= 0; n -= 255 {
		block = append(block, byte(min(n, 255)))
	}
	return append(block, data...)
}

// replace puts other bytes in the place of some of a crate's, after which nothing is found by offset but sections.
func replace(data []byte, at, size int, with []byte) []byte {
	by := len(with) - size
	changed := slices.Concat(data[:at], with, data[at+size:])
	toc := int(binary.LittleEndian.Uint64(data[16:]))
	if toc > at {
		toc += by
		binary.LittleEndian.PutUint64(changed[16:], uint64(toc))
	}
	for i := range int(binary.LittleEndian.Uint64(changed[toc:])) {
		entry := changed[toc+8+32*i:]
		start, length := int(binary.LittleEndian.Uint64(entry[16:])), int(binary.LittleEndian.Uint64(entry[24:]))
		if start > at {
			binary.LittleEndian.PutUint64(entry[16:], uint64(start+by))
		} else if at < start+length {
			binary.LittleEndian.PutUint64(entry[24:], uint64(length+by))
		}
	}
	return changed
}
