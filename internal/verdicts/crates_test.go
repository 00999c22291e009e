package verdicts

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"cutaway/source"
)

// crateKinds are the kinds of changes of crates.
var crateKinds = []kind{
	{"a byte", changeByte},
	{"a word set", setWord},
	{"two words swapped", swapWords},
	{"bytes deleted", spliced(removed, splice)},
	{"bytes inserted", spliced(added, splice)},
	{"bytes deleted, offsets mended", spliced(removed, replace)},
	{"bytes inserted, offsets mended", spliced(added, replace)},
	{"cut at a section", cutAtSection},
	{"a section's entry doubled", doubleEntry},
	{"a section's entry copied over another", copyEntry},
	{"starts of two sections swapped", swapStarts},
	{"a byte of a compressed table", changeInflated},
}

// An entry is one of the table of contents: where it is in the file, and the section's name, start and size.
type entry struct {
	at          int
	name        string
	start, size int
}

// entriesOf returns where the table of contents is, and its entries.
func entriesOf(data []byte) (toc int, all []entry) {
	toc = int(binary.LittleEndian.Uint64(data[16:]))
	for i := range int(binary.LittleEndian.Uint64(data[toc:])) {
		at := toc + 8 + 32*i
		name, _, _ := bytes.Cut(data[at:at+16], []byte{0})
		all = append(all, entry{at, string(name), int(binary.LittleEndian.Uint64(data[at+16:])), int(binary.LittleEndian.Uint64(data[at+24:]))})
	}
	return toc, all
}

// cutAtSection ends a file where a section begins or ends.
func cutAtSection(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	_, all := entriesOf(data)
	e := all[random.IntN(len(all))]
	end := e.start + e.size*random.IntN(2)
	return data[:end], fmt.Sprintf(" %#x", end), end > 88
}

// doubleEntry puts one entry of the table of contents in once more, behind the others.
func doubleEntry(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	toc, all := entriesOf(data)
	e, end := all[random.IntN(len(all))], toc+8+32*len(all)
	data = slices.Concat(data[:end], data[e.at:e.at+32], data[end:])
	binary.LittleEndian.PutUint64(data[toc:], uint64(len(all)+1))
	return data, " " + e.name, true
}

// two returns two different entries of the table of contents.
func two(random *rand.Rand, data []byte) (a, b entry) {
	_, all := entriesOf(data)
	i := random.IntN(len(all))
	return all[i], all[(i+1+random.IntN(len(all)-1))%len(all)]
}

// copyEntry puts one entry of the table of contents in the place of another.
func copyEntry(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	a, b := two(random, data)
	copy(data[b.at:b.at+32], data[a.at:])
	return data, " " + a.name + ">" + b.name, true
}

// swapStarts swaps the starts of two sections.
func swapStarts(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	a, b := two(random, data)
	binary.LittleEndian.PutUint64(data[a.at+16:], uint64(b.start))
	binary.LittleEndian.PutUint64(data[b.at+16:], uint64(a.start))
	return data, " " + a.name + "<>" + b.name, true
}

// compressed holds how many bytes are before the first compressed buffer of a crate's section, and how many buffers there are.
var compressed = map[string]struct{ head, buffers int }{
	"TOKENS": {16, 1}, "FIELDS": {8, 2}, "FIELDSETS": {8, 1}, "PATHS": {16, 3}, "SPECS": {8, 3},
}

// changeInflated changes a byte of what a compressed buffer of a crate gives, so that the change is to one number of a
// table and not to LZ4's bytes.
func changeInflated(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	type place struct {
		name string
		at   int // of the buffer's size
	}
	var places []place
	if data[9] < 4 {
		return nil, "", false
	}
	_, all := entriesOf(data)
	for _, e := range all {
		layout := compressed[e.name]
		at := e.start + layout.head
		for range layout.buffers {
			places = append(places, place{e.name, at})
			at += 8 + int(binary.LittleEndian.Uint64(data[at:]))
		}
	}
	p := places[random.IntN(len(places))]
	size := int(binary.LittleEndian.Uint64(data[p.at:]))
	block := data[p.at+8 : p.at+8+size]
	if block[0] != 0 {
		return nil, "", false // several chunks
	}
	inflated, fault := source.InMemory(source.CopyLZ4)(context.Background(), block[1:], -1, 1<<20)
	if fault != nil || len(inflated) == 0 {
		return nil, "", false
	}
	inflated, what, _ = changeByte(random, slices.Clone(inflated))
	literal := append([]byte{0}, literals(inflated)...)
	return replace(data, p.at, 8+size, append(binary.LittleEndian.AppendUint64(nil, uint64(len(literal))), literal...)), " " + p.name + what, true
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

// replace puts other bytes in the place of some of a crate's, and mends the offsets of sections and table of contents.
func replace(data []byte, at, size int, with []byte) []byte {
	by := len(with) - size
	changed := splice(data, at, size, with)
	toc, all := entriesOf(data)
	if at < 24 || at+size > toc {
		return changed
	}
	toc += by
	binary.LittleEndian.PutUint64(changed[16:], uint64(toc))
	for _, e := range all {
		mended := changed[e.at+by:]
		if e.start > at {
			binary.LittleEndian.PutUint64(mended[16:], uint64(e.start+by))
		} else if at < e.start+e.size {
			binary.LittleEndian.PutUint64(mended[24:], uint64(max(e.size+by, 0)))
		}
	}
	return changed
}
