package crategen

import (
	"encoding/binary"
	"maps"
	"slices"
)

// section is one entry of the table of contents (chapter 4).
type section struct {
	name        string
	start, size int64
}

// sections writes the six sections (chapters 6 and 7) after the values, in the order that all writers use.
func (w *Writer) sections() []section {
	var toc []section
	t := &w.t
	put := func(name string, write func()) {
		start := w.Pos()
		write()
		if name != t.Leave {
			toc = append(toc, section{name, start, w.Pos() - start})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Extra)) {
		put(name, func() { w.write(t.Extra[name]) })
	}
	compressed := w.Version.From(4)
	put("TOKENS", func() {
		w.u64(t.TokenCount)
		w.u64(uint64(len(t.Tokens)) + uint64(max(0, t.LastToken-1)))
		if compressed && t.LastToken > 0 {
			w.sized(append([]byte{0}, lengthened(t.Tokens, t.LastToken-1)...))
		} else if compressed {
			w.sized(Compress(t.Tokens))
		} else {
			w.write(t.Tokens)
		}
	})
	put("STRINGS", func() {
		w.u64(uint64(len(t.Strings)))
		w.u32s(t.Strings)
	})
	put("FIELDS", func() { w.fieldTable(compressed) })
	put("FIELDSETS", func() {
		w.u64(uint64(len(t.FieldSets)))
		if compressed {
			w.write(codedInts(t.FieldSets, 4))
		} else {
			w.u32s(t.FieldSets)
		}
	})
	put("PATHS", func() {
		w.u64(t.PathCount)
		if compressed {
			w.u64(uint64(len(t.PathIndex)))
			w.write(codedInts(t.PathIndex, 4))
			w.write(codedInts(t.Element, 4))
			w.write(codedInts(t.Jump, 4))
		} else {
			w.oldPaths()
		}
	})
	put("SPECS", func() { w.specTable(compressed) })
	return toc
}

// sized writes b after its length.
func (w *Writer) sized(b []byte) {
	w.u64(uint64(len(b)))
	w.write(b)
}

func (w *Writer) fieldTable(compressed bool) {
	t := &w.t
	w.u64(uint64(len(t.FieldNames)))
	if !compressed {
		for i, name := range t.FieldNames {
			w.fill(4)
			w.u32(name)
			w.u64(t.FieldReps[i])
		}
		return
	}
	w.write(codedInts(t.FieldNames, 4))
	reps := make([]byte, 0, 8*len(t.FieldReps))
	for _, r := range t.FieldReps {
		reps = binary.LittleEndian.AppendUint64(reps, r)
	}
	w.sized(Compress(reps))
}

func (w *Writer) specTable(compressed bool) {
	t := &w.t
	w.u64(uint64(len(t.SpecPath)))
	if compressed {
		w.write(codedInts(t.SpecPath, 4))
		w.write(codedInts(t.SpecSet, 4))
		w.write(codedInts(t.SpecType, 4))
		return
	}
	for i := range t.SpecPath {
		if !w.Version.From(1) {
			w.fill(4)
		}
		w.u32(t.SpecPath[i])
		w.u32(t.SpecSet[i])
		w.u32(t.SpecType[i])
	}
}

// oldPaths writes the items of PATHS as below 0.4.0 (7.2).
func (w *Writer) oldPaths() {
	t := &w.t
	sibling := make(map[int]int64) // item: position of the offset to its sibling
	for i := range t.PathIndex {
		if at, ok := sibling[i]; ok {
			w.patchLater(at, uint64(w.Pos()))
		}
		if !w.Version.From(1) {
			w.fill(4)
		}
		element, bits := t.Element[i], byte(0)
		if element < 0 {
			element, bits = -element, 4
		}
		jump := t.Jump[i]
		if jump == jumpChild || jump > 0 {
			bits |= 1
		}
		if jump >= 0 {
			bits |= 2
		}
		w.u32(t.PathIndex[i])
		w.u32(uint32(element))
		w.u8(bits)
		w.fill(3)
		if jump > 0 {
			sibling[i+int(jump)] = w.Pos()
			w.u64(0)
		}
	}
}
