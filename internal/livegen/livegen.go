// Package livegen builds Omniverse live layers for tests and measurements with Google's FlatBuffers builder, by the
// reconstructed schemas of decoders/omnilive/schemas.
package livegen

import (
	"crypto/sha1"
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Kind is the type number of a command in the union.
type Kind byte

// The kinds of commands.
const (
	Create Kind = iota + 1
	Delete
	Move
	Reorder
	DiffChange
	DiffDelete
)

// Command is one structCommand; each kind uses its own fields.
type Command struct {
	Kind      Kind
	Parent    uint64 // newParentId of Move
	OldParent uint64
	Section   uint64
	Name      string
	Type      uint32
	Order     uint32
	Children  []uint64
	List      uint32 // childrenListId
	Unnamed   bool   // sectionName is not set
}

// Setting is a SetField, or a TimeSample where Sample is set.
type Setting struct {
	Sample  bool
	Section uint64
	Key     string
	Time    float64
	Value   []byte // or the hash
	Size    uint64 // extValueSize
	Index   uint32 // extValueIndex
	Order   uint32
}

// Delta is one OODF FlatBuffer.
type Delta struct {
	IsDiff      bool
	BaseVersion uint64
	Commands    []Command
	Settings    []Setting
	UnionVector bool // variant B
}

// Build writes the delta as a FlatBuffer with the identifier OODF.
func (d *Delta) Build() []byte {
	b := flatbuffers.NewBuilder(1 << 16)
	shift := 0
	if d.UnionVector {
		shift = 1
	}
	commands := make([]flatbuffers.UOffsetT, len(d.Commands))
	types := make([]byte, len(d.Commands))
	for i := range d.Commands {
		c := &d.Commands[i]
		types[i] = byte(c.Kind)
		commands[i] = c.build(b)
		if !d.UnionVector {
			b.StartObject(2)
			b.PrependUOffsetTSlot(1, commands[i], 0)
			b.PrependByteSlot(0, types[i], 0)
			commands[i] = b.EndObject()
		}
	}
	var fields, samples []flatbuffers.UOffsetT
	for i := range d.Settings {
		if s := &d.Settings[i]; s.Sample {
			samples = append(samples, s.build(b))
		} else {
			fields = append(fields, s.build(b))
		}
	}
	vector := func(list []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		if len(list) == 0 {
			return 0
		}
		return b.CreateVectorOfTables(list)
	}
	commandsAt, fieldsAt, samplesAt := vector(commands), vector(fields), vector(samples)
	typesAt := flatbuffers.UOffsetT(0)
	if d.UnionVector && len(types) > 0 {
		typesAt = b.CreateByteVector(types)
	}
	b.StartObject(6 + shift)
	b.PrependBoolSlot(0, d.IsDiff, false)
	b.PrependUint64Slot(1, d.BaseVersion, 0)
	if d.UnionVector {
		b.PrependUOffsetTSlot(2, typesAt, 0)
	}
	b.PrependUOffsetTSlot(2+shift, commandsAt, 0)
	b.PrependUOffsetTSlot(3+shift, fieldsAt, 0)
	b.PrependUOffsetTSlot(4+shift, samplesAt, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("OODF"))
	return b.FinishedBytes()
}

func (c *Command) build(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	name, children := flatbuffers.UOffsetT(0), flatbuffers.UOffsetT(0)
	if !c.Unnamed && (c.Kind == Create || c.Kind == Move || c.Kind == DiffChange) {
		name = b.CreateString(c.Name)
	}
	if c.Kind == Reorder {
		b.StartVector(8, len(c.Children), 8)
		for i := len(c.Children) - 1; i >= 0; i-- {
			b.PrependUint64(c.Children[i])
		}
		children = b.EndVector(len(c.Children))
	}
	b.StartObject(5)
	switch c.Kind {
	case Create, DiffChange:
		b.PrependUint64Slot(0, c.Parent, 0)
		b.PrependUint64Slot(1, c.Section, 0)
		b.PrependUOffsetTSlot(2, name, 0)
		b.PrependUint32Slot(3, c.Type, 0)
		b.PrependUint32Slot(4, c.Order, 0) // absent in Create, where it is 0
	case Delete:
		b.PrependUint64Slot(0, c.Parent, 0)
		b.PrependUint64Slot(1, c.Section, 0)
	case Move:
		b.PrependUint64Slot(0, c.OldParent, 0)
		b.PrependUint64Slot(1, c.Parent, 0)
		b.PrependUint64Slot(2, c.Section, 0)
		b.PrependUOffsetTSlot(3, name, 0)
	case Reorder:
		b.PrependUint64Slot(0, c.Section, 0)
		b.PrependUint32Slot(1, c.List, 0)
		b.PrependUOffsetTSlot(2, children, 0)
	case DiffDelete:
		b.PrependUint64Slot(0, c.Section, 0)
	}
	return b.EndObject()
}

func (s *Setting) build(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	key, value := flatbuffers.UOffsetT(0), flatbuffers.UOffsetT(0)
	if !s.Sample {
		key = b.CreateString(s.Key)
	}
	if s.Value != nil {
		value = b.CreateByteVector(s.Value)
	}
	b.StartObject(6)
	b.PrependUint64Slot(0, s.Section, 0)
	if s.Sample {
		b.PrependFloat64Slot(1, s.Time, 0)
	} else {
		b.PrependUOffsetTSlot(1, key, 0)
	}
	b.PrependUOffsetTSlot(2, value, 0)
	b.PrependUint64Slot(3, s.Size, 0)
	b.PrependUint32Slot(4, s.Index, 0)
	b.PrependUint32Slot(5, s.Order, 0)
	return b.EndObject()
}

// MultiPart writes the multi-part form: parts in their order, each at a multiple of 8.
func MultiPart(letters string, parts ...[]byte) []byte {
	head := MultiPartHead(letters, sizes(parts)...)
	for i, p := range parts {
		for int64(len(head)) < offsets(sizes(parts))[i] {
			head = append(head, 0)
		}
		head = append(head, p...)
	}
	return head
}

func sizes(parts [][]byte) []int64 {
	var list []int64
	for _, p := range parts {
		list = append(list, int64(len(p)))
	}
	return list
}

func offsets(sizes []int64) []int64 {
	at := int64(8 + 8*len(sizes))
	var list []int64
	for _, n := range sizes {
		list = append(list, at)
		at += (n + 7) &^ 7
	}
	return list
}

// MultiPartHead returns the letters and the table of parts of these sizes, in bytes.
func MultiPartHead(letters string, sizes ...int64) []byte {
	head := binary.LittleEndian.AppendUint32([]byte(letters), uint32(len(sizes)))
	for _, off := range offsets(sizes) {
		head = binary.LittleEndian.AppendUint64(head, uint64(off))
	}
	return head
}

// Int returns a value of type Int.
func Int(v int32) []byte { return binary.LittleEndian.AppendUint32([]byte{3, 0}, uint32(v)) }

// Double returns a value of type Double, by its bits.
func Double(bits uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{9, 0}, bits) }

// Text returns a value of a string type.
func Text(typ byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{typ, 0}, uint32(len(s))), s...)
}

// Floats returns an array value of n zeros of type Float: its header; the data are 4n bytes of 0.
func Floats(n uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{0x88, 0}, n) }

// Strings returns the header of an array value of n strings. Each string is a length of 4 bytes and its text.
func Strings(n uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{0x8a, 0}, n) }

// Hash returns the valueOrExtHash of an external value.
func Hash(value []byte) []byte {
	sum := sha1.Sum(value)
	return sum[:]
}

// World returns the first commands of most layers: the root, a prim, and an attribute.
func World() []Command {
	return []Command{
		{Kind: Create, Section: 1, Type: 7},
		{Kind: Create, Parent: 1, Section: 10, Name: "World", Type: 6},
		{Kind: Create, Parent: 10, Section: 11, Name: "size", Type: 1},
	}
}
