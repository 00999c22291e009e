package layout

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

// Data is one data layout block: a definition and where its bytes are.
type Data struct {
	Layout   *Layout
	Src      *model.Source
	Off      int64   // of the block
	entries  []entry // one for each variable piece
	fixed    []byte  // the fixed part, if it is small
	varSize  int64   // bytes of the variable part that the block has
	varOff   int64   // of the variable part
	End      int64
	problems map[int][]model.Problem // by entry
	Cut      bool                    // the variable part is not all there
}

// The fields of an entry of the index of variable pieces.
var (
	fieldEntryOffset = entryRecord.Number("offset")
	fieldEntryLength = entryRecord.Number("length")
	EntrySize        = entryRecord.Least()
)

// keptFixed is up to how many bytes the fixed part is read with the index.
const keptFixed = 4 << 10

// Read locates the parts of a block at off, which may take left bytes. It returns no data where nothing can be located.
func Read(ctx context.Context, l *Layout, src *model.Source, off, left int64) (*Data, *model.Problem) {
	return ReadBy(ctx, l, src, off, left, src.Bytes)
}

// ReadBy is readLayout by a way to read bytes of src.
func ReadBy(ctx context.Context, l *Layout, src *model.Source, off, left int64,
	read func(ctx context.Context, off, n int64) ([]byte, error)) (*Data, *model.Problem) {
	if l.Broken != "" {
		p := model.Problemf(model.Malformed, ruleLayoutUnusable, src.Span(off, left), "the block cannot be decoded: %s", l.Broken)
		return nil, &p
	}
	need := l.Fixed + l.Index()
	if need > left {
		p := model.Problemf(model.Malformed, ruleLayoutTooLarge, src.Span(off, left), "the data layout needs more bytes than the payload has").
			Want(model.GroupedCount(need, "byte"), model.GroupedCount(left, "byte"))
		return nil, &p
	}
	d := &Data{Layout: l, Src: src, Off: off, varOff: off + need}
	skip := l.Fixed
	if need <= keptFixed {
		skip = 0
	}
	b, err := read(ctx, off+skip, need-skip)
	if err != nil {
		p := model.AsProblem(err, ruleLayoutTooLarge, src.Span(off, left))
		return nil, &p
	}
	d.fixed = b[:l.Fixed-skip]
	b = b[l.Fixed-skip:]
	expected := int64(0)
	for i := range l.Variable {
		e := entry{int64(fieldEntryOffset.U32(b)), int64(fieldEntryLength.U32(b))}
		b = b[EntrySize:]
		d.entries = append(d.entries, e)
		if e.off != expected {
			d.entryProblem(i, model.Suspicious, "the entry does not follow the one before", expected, e.off)
		}
		expected = e.off + e.size
	}
	d.varSize = expected // by the last entry
	room := left - need
	if d.varSize > room {
		d.Cut, d.varSize = true, room
	}
	for i, e := range d.entries {
		if e.off+e.size > d.varSize {
			d.entryProblem(i, model.Malformed, "the field lies outside of the variable part", fmt.Sprintf("at most %d", d.varSize), e.off+e.size)
		}
	}
	d.End = d.varOff + d.varSize
	return d, nil
}

func (d *Data) entryProblem(i int, kind model.Kind, message string, expected, found any) {
	if d.problems == nil {
		d.problems = map[int][]model.Problem{}
	}
	d.problems[i] = append(d.problems[i], model.Problem{
		Rule: ruleEntry, Kind: kind, Span: d.entrySpan(i), Message: message,
	}.Want(expected, found))
}

func (d *Data) entrySpan(i int) model.Span {
	return d.Src.Span(d.Off+d.Layout.Fixed+int64(i)*EntrySize, EntrySize)
}

// Bytes returns the span of a piece. ok is false if the block lacks some of its bytes.
func (d *Data) Bytes(p *Piece) (at model.Span, ok bool) {
	if p.Fixed {
		if p.off == container.Unset || p.size == container.Unset || p.off+p.size > d.Layout.Fixed {
			return model.Span{}, false
		}
		return d.Src.Span(d.Off+p.off, p.size), true
	}
	e := d.entries[p.entry]
	if e.off+e.size > d.varSize {
		return model.Span{}, false
	}
	return d.Src.Span(d.varOff+e.off, e.size), true
}

// Number is the value of an integer field, by its type and name.
func (d *Data) Number(ctx context.Context, typ, name string) (int64, bool) {
	p := d.Layout.Find("DataPieceValue<"+typ+">", name)
	if p == nil || p.Elem == nil {
		return 0, false
	}
	b, err := d.Read(ctx, p)
	if err != nil {
		return 0, false
	}
	switch v := p.Elem.Decode(b, false).(type) {
	case model.Uint:
		return int64(v), true
	case model.Int:
		return int64(v), true
	}
	return 0, false
}

// U32 is the value of a field of type uint32_t, 0 where there is none.
func (d *Data) U32(ctx context.Context, name string) int64 {
	v, _ := d.Number(ctx, "uint32_t", name)
	return v
}

// U8 is the value of a field of type uint8_t, 0 where there is none.
func (d *Data) U8(ctx context.Context, name string) int64 {
	v, _ := d.Number(ctx, "uint8_t", name)
	return v
}

// Double is the value of a field of type double.
func (d *Data) Double(ctx context.Context, name string) (float64, bool) {
	if p := d.Layout.Find("DataPieceValue<double>", name); p != nil {
		if b, err := d.Read(ctx, p); err == nil {
			v, ok := p.Elem.Decode(b, false).(model.Float64)
			return float64(v), ok
		}
	}
	return 0, false
}

// Text is the value of a string field, "" where there is none.
func (d *Data) Text(ctx context.Context, name string) string {
	if p := d.Layout.Find(stringPieceType, name); p != nil {
		if b, err := d.Read(ctx, p); err == nil {
			return string(b)
		}
	}
	return ""
}

// Read is the bytes of a piece, which the caller must not change.
func (d *Data) Read(ctx context.Context, p *Piece) ([]byte, error) {
	at, ok := d.Bytes(p)
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	if p.Fixed && len(d.fixed) > 0 {
		return d.fixed[p.off : p.off+p.size], nil
	}
	return d.Src.Bytes(ctx, at.Off, at.Len)
}
