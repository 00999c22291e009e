package flatbuffer

import (
	"slices"
	"unicode/utf8"

	"cutaway/decoders/flatbuffer/reflection"
)

// Bounds of guesses.
const (
	maxInferredText = 1 << 20 // bytes of a string
	inferredItems   = 64      // elements of a vector that must look alike
)

// The types of vectors that are inferred.
var (
	inferredTables  = Type{Base: reflection.BaseTypeVector, Elem: reflection.BaseTypeObj, Index: -1}
	inferredStrings = Type{Base: reflection.BaseTypeVector, Elem: reflection.BaseTypeString, Index: -1}
	inferredBytes   = Type{Base: reflection.BaseTypeVector, Elem: reflection.BaseTypeUByte, Index: -1}
)

// guessedVectors are the names of those types.
var guessedVectors = map[Type]string{
	inferredTables: "[table]" + guessed, inferredStrings: "[string]" + guessed, inferredBytes: "vector" + guessed,
}

// inferTable notes the table at off without a schema and follows those of its slots that look like offsets.
func (w *walk) inferTable(off, owner int64, depth int) {
	if !w.next() || !w.enter(off, depth, owner) {
		return
	}
	defer w.leave()
	t, slots, ok := w.shape(off)
	if !ok {
		w.noteTable(off, off+offsetSize, owner, noSchema)
		return
	}
	if !w.noteTable(off, off+t.size, owner, noSchema) {
		return
	}
	for _, s := range slots {
		if s.at >= offsetSize && s.at+offsetSize <= t.size && (off+s.at)%offsetSize == 0 && depth < maxDepth {
			w.inferTarget(off+s.at, off, depth)
		}
	}
}

// inferTarget follows a number that may be an offset.
func (w *walk) inferTarget(at, owner int64, depth int) {
	to := w.r.target(at)
	if to == 0 || to%offsetSize != 0 || to > w.b.size-offsetSize {
		return
	}
	switch {
	case w.plausibleTable(to):
		if !slices.Contains(w.stack, to) {
			w.inferTable(to, owner, depth+1)
		}
	case w.plausibleText(to) && !w.offsets(to):
		w.text(to, owner)
	default:
		w.inferVector(to, owner, depth)
	}
}

// offsets reports whether bytes that could be a short text, one byte and zeros, are a vector of offsets to tables or
// strings.
func (w *walk) offsets(off int64) bool {
	n, _ := w.r.U32(off)
	if n != 1 {
		return false
	}
	t, _ := w.inferElements(off+offsetSize, 1)
	return t != inferredBytes
}

func (w *walk) plausibleTable(off int64) bool {
	t, ok := w.r.Table(off)
	if !ok || t.vtable < w.b.rootAt+offsetSize || t.vtable%2 != 0 || t.size < offsetSize {
		return false
	}
	if end := off + t.size; end > w.b.size || t.vtable < end && off < t.vtable+t.vtableSize {
		return false // outside, or the table would share bytes with its vtable
	}
	for i := range min(t.Slots(), inferredItems) {
		if at, _ := w.r.U16(t.vtable + vtableHead + 2*int64(i)); at != 0 && (at < offsetSize || int64(at) >= t.size) {
			return false
		}
	}
	return true
}

func (w *walk) plausibleText(off int64) bool {
	n, _ := w.r.U32(off)
	first := off + offsetSize
	if n > maxInferredText || first+int64(n) >= w.b.size {
		return false
	}
	if n == 0 { // an empty text has a NUL and its padding, an empty vector has nothing
		return w.zero(first, min(first+offsetSize, w.b.size))
	}
	if nul, _ := w.r.U8(first + int64(n)); nul != 0 {
		return false
	}
	text := w.r.Text(first, int64(n), maxInferredText)
	for _, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return utf8.ValidString(text)
}

// inferVector notes a vector: of tables or strings where its first elements look like them, else of bytes.
func (w *walk) inferVector(off, owner int64, depth int) {
	n, _ := w.r.U32(off)
	first := off + offsetSize
	count := int64(n)
	if count > w.b.size-first {
		return
	}
	t, width := w.inferElements(first, count)
	if !w.note(object{off: uint32(off), end: uint32(first + count*width), owner: uint32(owner), typ: w.vectorType(t), kind: aVector}) || width == 1 {
		return
	}
	for i := int64(0); i < count && w.next(); i++ {
		w.inferTarget(first+i*offsetSize, off, depth)
	}
}

// inferElements returns the type that count elements from first on look like, and the size of one.
func (w *walk) inferElements(first, count int64) (t Type, width int64) {
	tables := count > 0 && count <= (w.b.size-first)/offsetSize
	strings := tables
	for i := range min(count, inferredItems) {
		to := int64(0)
		if tables || strings {
			to = w.r.Element(first, i)
		}
		aligned := to != 0 && to%offsetSize == 0 && to <= w.b.size-offsetSize
		tables = tables && aligned && w.plausibleTable(to)
		strings = strings && aligned && w.plausibleText(to)
	}
	switch {
	case tables:
		return inferredTables, offsetSize
	case strings:
		return inferredStrings, offsetSize
	}
	return inferredBytes, 1
}
