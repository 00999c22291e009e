package crategen

import (
	"encoding/binary"
	"errors"
	"io"
)

// Writer writes one crate. Values go straight to the file; only the tables are kept in memory. The first error is
// kept and returned by Close.
type Writer struct {
	Version Version
	// Filler is the value of bytes without meaning: record filler of old versions, alignment, gaps of jumps.
	Filler byte
	// Edit may change the tables before they are written, to damage them.
	Edit func(*Tables)

	out     io.WriterAt
	base    int64 // offset of buf in the file
	buf     []byte
	patches []patch
	err     error

	t       Tables
	tokens  map[string]uint32
	strings map[string]uint32
	fields  map[field]uint32
	sets    map[string]uint32
	paths   pathTree
	times   map[string]Rep
}

type patch struct {
	off int64
	u64 uint64
}

type field struct {
	token uint32
	rep   Rep
}

// Tables are the lists of the six sections as they will be encoded.
type Tables struct {
	TokenCount uint64
	Tokens     []byte // each ended by NUL
	LastToken  int64  // where above 0, the last token is repeated until it has so many characters; compressed alone
	Strings    []uint32
	FieldNames []uint32
	FieldReps  []uint64
	FieldSets  []uint32

	PathCount uint64 // size of the path table
	PathIndex []uint32
	Element   []int32 // negative: a property
	Jump      []int32

	SpecPath []uint32
	SpecSet  []uint32
	SpecType []uint32

	// Extra sections are written before TOKENS, Leave names sections that are left out of the table of contents.
	Extra map[string][]byte
	Leave string
}

// bootstrapSize is the offset of the value data (chapter 3).
const bootstrapSize = 88

// NewWriter begins a crate. Token 0 is the one that current writers reserve.
func NewWriter(out io.WriterAt, v Version) *Writer {
	w := &Writer{Version: v, out: out, tokens: map[string]uint32{}, strings: map[string]uint32{},
		fields: map[field]uint32{}, sets: map[string]uint32{}, times: map[string]Rep{}}
	w.paths.index = map[string]uint32{}
	w.write(make([]byte, bootstrapSize))
	if v.From(4) {
		w.Token(";-)")
	}
	w.paths.add(None, w.Token(""), false)
	return w
}

// Pos returns the offset at which the next byte goes.
func (w *Writer) Pos() int64 { return w.base + int64(len(w.buf)) }

func (w *Writer) write(b []byte) {
	const flushAt = 1 << 20
	w.buf = append(w.buf, b...)
	if len(w.buf) >= flushAt {
		w.flush()
	}
}

func (w *Writer) flush() {
	if len(w.buf) > 0 && w.err == nil {
		_, w.err = w.out.WriteAt(w.buf, w.base)
	}
	w.base += int64(len(w.buf))
	w.buf = w.buf[:0]
}

// Skip leaves n bytes unwritten: a hole where the file system has holes.
func (w *Writer) Skip(n int64) {
	w.flush()
	w.base += n
}

func (w *Writer) u8(v byte)    { w.write([]byte{v}) }
func (w *Writer) u32(v uint32) { w.write(binary.LittleEndian.AppendUint32(nil, v)) }
func (w *Writer) u64(v uint64) { w.write(binary.LittleEndian.AppendUint64(nil, v)) }

func (w *Writer) u32s(vs []uint32) {
	for _, v := range vs {
		w.u32(v)
	}
}

// fill writes n bytes of filler.
func (w *Writer) fill(n int) {
	for range n {
		w.u8(w.Filler)
	}
}

// patchLater overwrites eight bytes at off when the rest is written.
func (w *Writer) patchLater(off int64, v uint64) { w.patches = append(w.patches, patch{off, v}) }

// Token returns the index of a token, new or known.
func (w *Writer) Token(s string) uint32 {
	if i, ok := w.tokens[s]; ok {
		return i
	}
	i := w.NewToken(s)
	w.tokens[s] = i
	return i
}

// NewToken adds a token that is known to be new, without remembering it: for the millions.
func (w *Writer) NewToken(s string) uint32 {
	w.t.Tokens = append(append(w.t.Tokens, s...), 0)
	w.t.TokenCount++
	return uint32(w.t.TokenCount - 1)
}

// String returns the index of a string in STRINGS.
func (w *Writer) String(s string) uint32 {
	i, ok := w.strings[s]
	if !ok {
		i = uint32(len(w.t.Strings))
		w.strings[s] = i
		w.t.Strings = append(w.t.Strings, w.Token(s))
	}
	return i
}

// Field is one field of a spec.
type Field struct {
	Name  string
	Value Value
}

// Spec adds a spec with its fields, sharing fields and field sets with those before it.
func (w *Writer) Spec(path string, t SpecType, fields ...Field) {
	indexes := make([]uint32, 0, len(fields))
	for _, f := range fields {
		indexes = append(indexes, w.Field(w.Token(f.Name), f.Value(w)))
	}
	w.AddSpec(w.Path(path), w.FieldSet(indexes), t)
}

// Field returns the index of a field in FIELDS.
func (w *Writer) Field(name uint32, rep Rep) uint32 {
	key := field{name, rep}
	i, ok := w.fields[key]
	if !ok {
		i = w.NewField(name, rep)
		w.fields[key] = i
	}
	return i
}

// NewField adds a field without looking for an equal one.
func (w *Writer) NewField(name uint32, rep Rep) uint32 {
	w.t.FieldNames = append(w.t.FieldNames, name)
	w.t.FieldReps = append(w.t.FieldReps, uint64(rep))
	return uint32(len(w.t.FieldNames) - 1)
}

// FieldSet returns the position of a group in FIELDSETS.
func (w *Writer) FieldSet(indexes []uint32) uint32 {
	key := make([]byte, 0, 4*len(indexes))
	for _, i := range indexes {
		key = binary.LittleEndian.AppendUint32(key, i)
	}
	at, ok := w.sets[string(key)]
	if !ok {
		at = w.NewFieldSet(indexes...)
		w.sets[string(key)] = at
	}
	return at
}

// NewFieldSet adds a group without looking for an equal one.
func (w *Writer) NewFieldSet(indexes ...uint32) uint32 {
	at := uint32(len(w.t.FieldSets))
	w.t.FieldSets = append(append(w.t.FieldSets, indexes...), None)
	return at
}

// AddSpec adds a spec by its indexes.
func (w *Writer) AddSpec(path, set uint32, t SpecType) {
	w.t.SpecPath = append(w.t.SpecPath, path)
	w.t.SpecSet = append(w.t.SpecSet, set)
	w.t.SpecType = append(w.t.SpecType, uint32(t))
}

// Close writes the sections, the table of contents and the bootstrap.
func (w *Writer) Close() error {
	w.paths.flatten(&w.t)
	if w.Edit != nil {
		w.Edit(&w.t)
	}
	toc := w.sections()
	at := w.Pos()
	w.u64(uint64(len(toc)))
	for _, s := range toc {
		var name [16]byte
		copy(name[:15], s.name)
		w.write(name[:])
		w.u64(uint64(s.start))
		w.u64(uint64(s.size))
	}
	w.flush()
	head := append([]byte("PXR-USDC"), w.Version[0], w.Version[1], w.Version[2], 0, 0, 0, 0, 0)
	head = binary.LittleEndian.AppendUint64(head, uint64(at))
	_, err := w.out.WriteAt(head, 0)
	for _, p := range w.patches {
		_, e := w.out.WriteAt(binary.LittleEndian.AppendUint64(nil, p.u64), p.off)
		err = errors.Join(err, e)
	}
	return errors.Join(w.err, err)
}

// Memory is a file in memory.
type Memory []byte

// WriteAt writes into memory, which grows.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	if end := off + int64(len(p)); end > int64(len(*m)) {
		*m = append(*m, make([]byte, end-int64(len(*m)))...)
	}
	return copy((*m)[off:], p), nil
}
