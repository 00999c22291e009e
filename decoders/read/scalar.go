package read

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"cutaway/model"
)

// number reads a field of at most 8 bytes as an unsigned number and leaves its node's value to the caller.
func (c *Cursor) number(name, typ, help string, size int64) (uint64, *model.Node) {
	f := c.take(name, typ, help, size)
	if f == nil {
		return 0, nil
	}
	b, err := c.read(f.Spans[0].Off, size)
	if err != nil {
		c.fail(f, err)
		return 0, nil
	}
	switch size {
	case 1:
		return uint64(b[0]), f
	case 2:
		return uint64(c.order.Uint16(b)), f
	case 4:
		return uint64(c.order.Uint32(b)), f
	}
	return c.order.Uint64(b), f
}

func (c *Cursor) unsigned(name, typ, help string, size int64) uint64 {
	v, f := c.number(name, typ, help, size)
	if f != nil {
		f.Value = model.Uint(v)
	}
	return v
}

func (c *Cursor) signed(name, typ, help string, size int64) int64 {
	u, f := c.number(name, typ, help, size)
	shift := 64 - 8*uint(size)
	v := int64(u<<shift) >> shift
	if f != nil {
		f.Value = model.Int(v)
	}
	return v
}

// U8 reads an unsigned byte.
func (c *Cursor) U8(name, help string) uint8 { return uint8(c.unsigned(name, "u8", help, 1)) }

// U16 reads an unsigned 16-bit integer.
func (c *Cursor) U16(name, help string) uint16 { return uint16(c.unsigned(name, "u16", help, 2)) }

// U32 reads an unsigned 32-bit integer.
func (c *Cursor) U32(name, help string) uint32 { return uint32(c.unsigned(name, "u32", help, 4)) }

// U64 reads an unsigned 64-bit integer.
func (c *Cursor) U64(name, help string) uint64 { return c.unsigned(name, "u64", help, 8) }

// I8 reads a signed byte.
func (c *Cursor) I8(name, help string) int8 { return int8(c.signed(name, "i8", help, 1)) }

// I16 reads a signed 16-bit integer.
func (c *Cursor) I16(name, help string) int16 { return int16(c.signed(name, "i16", help, 2)) }

// I32 reads a signed 32-bit integer.
func (c *Cursor) I32(name, help string) int32 { return int32(c.signed(name, "i32", help, 4)) }

// I64 reads a signed 64-bit integer.
func (c *Cursor) I64(name, help string) int64 { return c.signed(name, "i64", help, 8) }

// F16 reads an IEEE 754 binary16.
func (c *Cursor) F16(name, help string) model.Half {
	v, f := c.number(name, "f16", help, 2)
	if f != nil {
		f.Value = model.Half(v)
	}
	return model.Half(v)
}

// F32 reads an IEEE 754 binary32.
func (c *Cursor) F32(name, help string) float32 {
	u, f := c.number(name, "f32", help, 4)
	v := math.Float32frombits(uint32(u))
	if f != nil {
		f.Value = model.Float32(v)
	}
	return v
}

// F64 reads an IEEE 754 binary64.
func (c *Cursor) F64(name, help string) float64 {
	u, f := c.number(name, "f64", help, 8)
	v := math.Float64frombits(u)
	if f != nil {
		f.Value = model.Float64(v)
	}
	return v
}

// Symbol gives the number just read its name in an enumeration; "" where the enumeration does not know it.
func (c *Cursor) Symbol(name string) {
	f := c.Field()
	switch v := f.Value.(type) {
	case model.Uint:
		f.Value = model.Symbol{Number: int64(v), Name: name}
	case model.Int:
		f.Value = model.Symbol{Number: int64(v), Name: name}
	}
}

// A Bit is one field of a bit field, Width bits wide.
type Bit struct {
	Name  string
	Width uint
	Help  string
}

// Bits reads an unsigned number of size bytes (1, 2, 4 or 8) that is made of bit fields, the first in the least
// significant bits. Bits that no field names become the last field, "unused". It returns the whole number; the
// nodes of the fields stand under its node, and their masks tile it.
func (c *Cursor) Bits(name string, size int64, help string, fields ...Bit) uint64 {
	v, f := c.number(name, fmt.Sprintf("u%d", 8*size), help, size)
	if f == nil {
		return 0
	}
	total := uint(8 * size)
	var nodes []model.Node
	at := uint(0)
	add := func(b Bit, role model.Role) {
		b.Width = min(b.Width, total-at)
		ones := ^uint64(0) >> (64 - b.Width)
		span := f.Spans[0]
		span.Mask = c.mask(ones<<at, size)
		nodes = append(nodes, model.Node{
			Name: b.Name, Type: bitsType(b.Width), Value: model.Uint(v >> at & ones), Help: b.Help,
			Spans: []model.Span{span}, Role: role,
		})
		at += b.Width
	}
	for _, b := range fields {
		if at < total && b.Width > 0 {
			add(b, model.Explained)
		}
	}
	if at < total {
		add(Bit{Name: "unused", Width: total - at}, model.Padding)
	}
	f.Brief = fmt.Sprintf("%#0*x", int(2*size), v)
	f.Children = model.NewList(nodes...)
	return v
}

// mask turns bits of the number into bits of its bytes taken as a little-endian number, as spans count them.
func (c *Cursor) mask(number uint64, size int64) uint64 {
	if c.order == binary.ByteOrder(binary.LittleEndian) {
		return number
	}
	return bits.ReverseBytes64(number) >> (64 - 8*uint(size))
}

func bitsType(width uint) string {
	if width == 1 {
		return "bit"
	}
	return fmt.Sprintf("%d bits", width)
}
