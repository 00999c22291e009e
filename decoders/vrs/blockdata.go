package vrs

import (
	"context"
	"fmt"
	"io"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// Chapter 7.6: data layout blocks.

// entry is one entry of the index of variable pieces. The offset counts from the start of the variable part.
type entry struct{ off, size int64 }

// layoutData is one data layout block: a definition and where its bytes are.
type layoutData struct {
	layout   *layout
	src      *model.Source
	off      int64   // of the block
	entries  []entry // one for each variable piece
	fixed    []byte  // the fixed part, if it is small
	varSize  int64   // bytes of the variable part that the block has
	varOff   int64   // of the variable part
	end      int64
	problems map[int][]model.Problem // by entry
	cut      bool                    // the variable part is not all there
}

// The fields of an entry of the index of variable pieces.
var (
	fieldEntryOffset = entryRecord.Number("offset")
	fieldEntryLength = entryRecord.Number("length")
	entrySize        = entryRecord.Least()
)

// keptFixed is up to how many bytes the fixed part is read with the index.
const keptFixed = 4 << 10

// readLayout locates the parts of a block at off, which may take left bytes. It returns no data where nothing can be located.
func readLayout(ctx context.Context, l *layout, src *model.Source, off, left int64) (*layoutData, *model.Problem) {
	return readLayoutBy(ctx, l, src, off, left, src.Bytes)
}

// readLayoutBy is readLayout by a way to read bytes of src.
func readLayoutBy(ctx context.Context, l *layout, src *model.Source, off, left int64,
	read func(ctx context.Context, off, n int64) ([]byte, error)) (*layoutData, *model.Problem) {
	if l.broken != "" {
		p := model.Problemf(model.Malformed, ruleLayoutUnusable, src.Span(off, left), "the block cannot be decoded: %s", l.broken)
		return nil, &p
	}
	need := l.fixed + l.index()
	if need > left {
		p := model.Problemf(model.Malformed, ruleLayoutTooLarge, src.Span(off, left), "the data layout needs more bytes than the payload has").
			Want(model.GroupedCount(need, "byte"), model.GroupedCount(left, "byte"))
		return nil, &p
	}
	d := &layoutData{layout: l, src: src, off: off, varOff: off + need}
	skip := l.fixed
	if need <= keptFixed {
		skip = 0
	}
	b, err := read(ctx, off+skip, need-skip)
	if err != nil {
		p := model.AsProblem(err, ruleLayoutTooLarge, src.Span(off, left))
		return nil, &p
	}
	d.fixed = b[:l.fixed-skip]
	b = b[l.fixed-skip:]
	expected := int64(0)
	for i := range l.variable {
		e := entry{int64(fieldEntryOffset.U32(b)), int64(fieldEntryLength.U32(b))}
		b = b[entrySize:]
		d.entries = append(d.entries, e)
		if e.off != expected {
			d.entryProblem(i, model.Suspicious, "the entry does not follow the one before", expected, e.off)
		}
		expected = e.off + e.size
	}
	d.varSize = expected // by the last entry
	room := left - need
	if d.varSize > room {
		d.cut, d.varSize = true, room
	}
	for i, e := range d.entries {
		if e.off+e.size > d.varSize {
			d.entryProblem(i, model.Malformed, "the field lies outside of the variable part", fmt.Sprintf("at most %d", d.varSize), e.off+e.size)
		}
	}
	d.end = d.varOff + d.varSize
	return d, nil
}

func (d *layoutData) entryProblem(i int, kind model.Kind, message string, expected, found any) {
	if d.problems == nil {
		d.problems = map[int][]model.Problem{}
	}
	d.problems[i] = append(d.problems[i], model.Problem{
		Rule: ruleEntry, Kind: kind, Span: d.entrySpan(i), Message: message,
	}.Want(expected, found))
}

func (d *layoutData) entrySpan(i int) model.Span {
	return d.src.Span(d.off+d.layout.fixed+int64(i)*entrySize, entrySize)
}

// bytes returns the span of a piece. ok is false if the block lacks some of its bytes.
func (d *layoutData) bytes(p *piece) (at model.Span, ok bool) {
	if p.fixed {
		if p.off == container.Unset || p.size == container.Unset || p.off+p.size > d.layout.fixed {
			return model.Span{}, false
		}
		return d.src.Span(d.off+p.off, p.size), true
	}
	e := d.entries[p.entry]
	if e.off+e.size > d.varSize {
		return model.Span{}, false
	}
	return d.src.Span(d.varOff+e.off, e.size), true
}

// number is the value of an integer field, by its type and name.
func (d *layoutData) number(ctx context.Context, typ, name string) (int64, bool) {
	p := d.layout.find("DataPieceValue<"+typ+">", name)
	if p == nil || p.elem == nil {
		return 0, false
	}
	b, err := d.read(ctx, p)
	if err != nil {
		return 0, false
	}
	switch v := p.elem.Decode(b, false).(type) {
	case model.Uint:
		return int64(v), true
	case model.Int:
		return int64(v), true
	}
	return 0, false
}

// u32 is the value of a field of type uint32_t, 0 where there is none.
func (d *layoutData) u32(ctx context.Context, name string) int64 {
	v, _ := d.number(ctx, "uint32_t", name)
	return v
}

// u8 is the value of a field of type uint8_t, 0 where there is none.
func (d *layoutData) u8(ctx context.Context, name string) int64 {
	v, _ := d.number(ctx, "uint8_t", name)
	return v
}

// double is the value of a field of type double.
func (d *layoutData) double(ctx context.Context, name string) (float64, bool) {
	if p := d.layout.find("DataPieceValue<double>", name); p != nil {
		if b, err := d.read(ctx, p); err == nil {
			v, ok := p.elem.Decode(b, false).(model.Float64)
			return float64(v), ok
		}
	}
	return 0, false
}

// text is the value of a string field, "" where there is none.
func (d *layoutData) text(ctx context.Context, name string) string {
	if p := d.layout.find(stringPieceType, name); p != nil {
		if b, err := d.read(ctx, p); err == nil {
			return string(b)
		}
	}
	return ""
}

// read is the bytes of a piece, which the caller must not change.
func (d *layoutData) read(ctx context.Context, p *piece) ([]byte, error) {
	at, ok := d.bytes(p)
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	if p.fixed && len(d.fixed) > 0 {
		return d.fixed[p.off : p.off+p.size], nil
	}
	return d.src.Bytes(ctx, at.Off, at.Len)
}
