package flatbuffer

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"cutaway/model"
)

// Sizes of FlatBuffers' encoding, in bytes.
const (
	offsetSize     = 4
	identifierSize = 4
	maxOffset      = 1<<31 - 1
)

// A Buffer holds the bytes of one FlatBuffer inside a source. Offsets and alignment count from its first byte, which is
// that of the prefix in the size-prefixed form.
type Buffer struct {
	src        *model.Source
	base, size int64
	rootAt     int64  // of the root offset: 0, or 4 after a size prefix
	prefix     string // of rule ids
	readers    sync.Pool
}

// NewBuffer returns size bytes of src from base on as a FlatBuffer, which a size prefix of 4 bytes may begin.
func NewBuffer(src *model.Source, base, size int64, prefixed bool) *Buffer {
	b := &Buffer{src: src, base: base, prefix: OwnPrefix, size: max(min(size, src.Size()-base), 0)}
	if prefixed {
		b.rootAt = offsetSize
	}
	b.readers.New = func() any { return &Reader{b: b} }
	return b
}

// Rules makes the ids of the buffer's problems begin with prefix, and returns b.
func (b *Buffer) Rules(prefix string) *Buffer {
	b.prefix = prefix
	return b
}

// Source returns the source of the buffer.
func (b *Buffer) Source() *model.Source { return b.src }

// Span returns bytes of the buffer as bytes of its source.
func (b *Buffer) Span(off, n int64) model.Span {
	off = min(max(off, 0), b.size)
	return b.src.Span(b.base+off, min(n, b.size-off))
}

// Whole returns all of the buffer.
func (b *Buffer) Whole() model.Span { return b.src.Span(b.base, b.size) }

// Identifier returns the four bytes at the place of the file identifier, or "" if the buffer is too short.
func (b *Buffer) Identifier(ctx context.Context) string {
	id, err := b.src.Bytes(ctx, b.base+b.rootAt+offsetSize, identifierSize)
	if err != nil || b.rootAt+offsetSize+identifierSize > b.size {
		return ""
	}
	return string(id)
}

// Reader returns a reader of the buffer's numbers, which reads until ctx ends. Release returns it to the buffer.
func (b *Buffer) Reader(ctx context.Context) *Reader {
	r := b.readers.Get().(*Reader)
	r.ctx = ctx
	return r
}

// Release returns a reader to the buffer.
func (b *Buffer) Release(r *Reader) {
	r.ctx = nil
	b.readers.Put(r)
}

const (
	pageSize = 4 << 10
	pageSets = 16 // a page is kept in the set of its number
	pageWays = 4  // pages of a set
)

// A Reader reads small pieces of a buffer, and keeps a few pages. It belongs to one goroutine. Numbers outside of the
// buffer read as zero with ok false.
type Reader struct {
	ctx   context.Context // from Buffer.Reader to Buffer.Release
	b     *Buffer
	pages [pageSets][pageWays]page
	next  [pageSets]uint8 // the way that is replaced next
	small [8]byte
}

type page struct {
	number int64 // of the page, from 1
	bytes  []byte
}

// bytes returns n ≤ 8 bytes at off, valid until the next read, or nil if the buffer does not hold them.
func (r *Reader) bytes(off, n int64) []byte {
	if off < 0 || n > r.b.size-off {
		return nil
	}
	p := r.page(off / pageSize)
	at := off % pageSize
	if at+n <= int64(len(p)) {
		return p[at : at+n]
	}
	got := r.small[:0]
	for i := range n {
		p := r.page((off + i) / pageSize)
		at := (off + i) % pageSize
		if at >= int64(len(p)) {
			return nil
		}
		got = append(got, p[at])
	}
	return got
}

func (r *Reader) page(number int64) []byte {
	set := &r.pages[number%pageSets]
	for i := range set {
		if set[i].number == number+1 {
			return set[i].bytes
		}
	}
	way := &r.next[number%pageSets]
	slot := &set[*way]
	*way = (*way + 1) % pageWays
	if slot.bytes == nil {
		slot.bytes = make([]byte, 0, pageSize)
	}
	n := min(pageSize, r.b.size-number*pageSize)
	slot.bytes = slot.bytes[:n]
	slot.number = number + 1
	if _, err := r.b.src.ReadFull(r.ctx, slot.bytes, r.b.base+number*pageSize); err != nil {
		slot.bytes, slot.number = slot.bytes[:0], 0
	}
	return slot.bytes
}

// U8 reads a byte.
func (r *Reader) U8(off int64) (uint8, bool) {
	if p := r.bytes(off, 1); p != nil {
		return p[0], true
	}
	return 0, false
}

// U16 reads a uint16, such as the size of a vtable.
func (r *Reader) U16(off int64) (uint16, bool) {
	if p := r.bytes(off, 2); p != nil {
		return vtableSize.U16(p), true
	}
	return 0, false
}

// U32 reads a uint32, such as an offset.
func (r *Reader) U32(off int64) (uint32, bool) {
	if p := r.bytes(off, offsetSize); p != nil {
		return offsetField.U32(p), true
	}
	return 0, false
}

// Number reads an unsigned number of 1, 2, 4 or 8 bytes.
func (r *Reader) Number(off, size int64) (uint64, bool) {
	p := r.bytes(off, size)
	if p == nil {
		return 0, false
	}
	return model.UintOf(p, false), true
}

// target follows the offset at off. It returns 0 if that leads nowhere.
func (r *Reader) target(off int64) int64 {
	v, ok := r.U32(off)
	if !ok {
		return 0
	}
	return r.b.target(off, uint64(v))
}

// target follows an offset that is at off. It returns 0 if that leads nowhere.
func (b *Buffer) target(off int64, v uint64) int64 {
	if v == 0 || v > maxOffset || off+int64(v) >= b.size {
		return 0
	}
	return off + int64(v)
}

// A Table is a table of a buffer with its vtable.
type Table struct {
	r          *Reader
	Off        int64 // of the table in the buffer
	vtable     int64
	vtableSize int64
	size       int64
}

// Root returns the root table, or false if there is none.
func (r *Reader) Root() (Table, bool) {
	off := r.target(r.b.rootAt)
	if off == 0 {
		return Table{}, false
	}
	return r.Table(off)
}

// Table returns the table at off, or false if its vtable does not lie inside the buffer.
func (r *Reader) Table(off int64) (Table, bool) {
	back, ok := r.U32(off)
	t := Table{r: r, Off: off, vtable: off - int64(int32(back))}
	if !ok || t.vtable < 0 {
		return t, false
	}
	n, ok1 := r.U16(t.vtable)
	size, ok2 := r.U16(t.vtable + tableSize.Off())
	t.vtableSize, t.size = int64(n), int64(size)
	return t, ok1 && ok2 && t.vtableSize >= vtableHead && n%2 == 0 && t.vtable+t.vtableSize <= r.b.size
}

// Slots returns the number of slots of the vtable.
func (t *Table) Slots() int { return int(t.vtableSize-vtableHead) / 2 }

// Slot returns the offset of the field of a slot in the buffer, or 0 if it is absent.
func (t *Table) Slot(slot int) int64 {
	if slot < 0 || slot >= t.Slots() {
		return 0
	}
	at, _ := t.r.U16(t.vtable + vtableHead + 2*int64(slot))
	if at < offsetSize || t.Off+int64(at) >= t.r.b.size {
		return 0
	}
	return t.Off + int64(at)
}

// present lists the present slots by the places of their fields.
func (t *Table) present() []slot {
	var list []slot
	for i := range t.Slots() {
		if at := t.Slot(i); at != 0 {
			list = append(list, slot{i, at - t.Off})
		}
	}
	slices.SortStableFunc(list, func(a, b slot) int { return cmp.Compare(a.at, b.at) })
	return list
}

// Uint reads a field of a scalar type as an unsigned number, or its default if it is absent. A nil field reads 0.
func (t *Table) Uint(f *Field) uint64 {
	if f == nil {
		return 0
	}
	at := t.Slot(f.Slot)
	if at == 0 {
		return uint64(f.DefaultInt)
	}
	v, _ := t.r.Number(at, max(scalarSize(f.Type.Base), 1))
	return v
}

// Target follows the offset of a field. It returns 0 if the field is absent or leads nowhere.
func (t *Table) Target(f *Field) int64 {
	if f == nil {
		return 0
	}
	at := t.Slot(f.Slot)
	if at == 0 {
		return 0
	}
	return t.r.target(at)
}

// Vector returns the offset of the elements of a vector field and their number. That is 0 if so many elements of size
// bytes do not fit into the buffer.
func (t *Table) Vector(f *Field, size int64) (first, n int64) {
	at := t.Target(f)
	if at == 0 {
		return 0, 0
	}
	return t.r.vector(at, size)
}

func (r *Reader) vector(at, size int64) (first, n int64) {
	count, ok := r.U32(at)
	if !ok || int64(count) > (r.b.size-at-offsetSize)/size {
		return at + offsetSize, 0
	}
	return at + offsetSize, int64(count)
}

// ElementSize returns the size of an element of a vector of scalars, or 1 for other fields.
func (f *Field) ElementSize() int64 {
	if f == nil {
		return 1
	}
	return max(scalarSize(f.Type.Elem), 1)
}

// Element follows the offset that is element i of a vector whose elements begin at first. It returns 0 if that leads
// nowhere.
func (r *Reader) Element(first, i int64) int64 { return r.target(first + offsetSize*i) }

// Bytes returns the bytes of a string or vector of bytes, as a range of the buffer.
func (t *Table) Bytes(f *Field) (first, n int64, ok bool) {
	at := t.Target(f)
	if at == 0 {
		return 0, 0, false
	}
	first, n = t.r.vector(at, 1)
	return first, n, true
}

// Text reads a string of at most limit bytes.
func (r *Reader) Text(first, n, limit int64) string {
	p, err := r.b.src.Bytes(r.ctx, r.b.base+first, min(n, limit))
	if err != nil {
		return ""
	}
	return string(p)
}

// Float reads a field of type double or float, or its default if it is absent.
func (t *Table) Float(f *Field) float64 {
	at := t.Slot(f.Slot)
	if at == 0 {
		return f.DefaultReal
	}
	of := scalars[f.Type.Base]
	p := t.r.bytes(at, of.Size())
	if p == nil {
		return 0
	}
	number, _ := of.Number(p, false).Float()
	return number
}

// Size returns the number of bytes that the table takes inline.
func (t *Table) Size() int64 { return t.size }

// Place returns the bytes of a scalar field or of a string; n is 0 if the field is absent.
func (t *Table) Place(f *Field) (off, n int64) {
	if n = scalarSize(f.Type.Base); n > 0 {
		if off = t.Slot(f.Slot); off == 0 {
			return 0, 0
		}
		return off, n
	}
	off, n, _ = t.Bytes(f)
	return off, n
}

// lenientNumber is the known value "lenient".
func (b *Buffer) lenientNumber() int64 {
	if b.prefix == OwnPrefix {
		return 1
	}
	return 0
}
