package udon

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/object"
	"cutaway/model"
)

// A program is an Udon program (chapter 9), read from its entries.
type program struct {
	s     *entry.Stream
	o     *object.Objects
	entry int64  // of the program's node
	path  string // of its node in the Udon view

	members     object.Members // that hold the tables
	tables      [placeGroups]table
	code        code32
	capacity    int64
	hasCapacity bool
	slots       []slot // in the order of the file
	bySlot      map[uint32]int
	symbols     []symbol
	bySymbol    map[uint32][]int // heap index → symbols
	points      []symbol
	byPoint     map[uint32][]int // address → entry points
	sync        []syncEntry
	lines       []uint32 // addresses of the instructions
}

// A slot is an occupied place of the heap.
type slot struct {
	index uint32
	entry int64 // of the struct node
	value int64 // what the box holds; noEntry: unreadable
	typ   string
}

// A symbol is an entry of a symbol table.
type symbol struct {
	name     string
	typ      string
	address  uint32
	exported bool
	entry    int64
}

// A syncEntry is a variable that is synchronized over the network.
type syncEntry struct {
	name  string
	how   string
	entry int64
}

// A code32 is the byte code and the places of its bytes.
type code32 struct {
	bytes []byte
	span  func(ctx context.Context, off, n int64) model.Span
	entry int64
}

// maxCode bounds the byte code of a program.
const maxCode = 64 << 20

// loadCode reads the byte code from its node.
func (p *program) loadCode(ctx context.Context, node int64) code32 {
	c := code32{entry: object.NoEntry, span: func(context.Context, int64, int64) model.Span { return model.Span{} }}
	if node < 0 || !p.s.IsContainer(node) {
		return c
	}
	n, _ := p.s.Count(node)
	if n == 0 {
		return c
	}
	i := p.s.Child(node, 0)
	e := p.s.Entry(ctx, i)
	if e.Kind != kind.PrimitiveArray {
		return c
	}
	c.entry = i
	switch text, isText := e.Value.(model.Text); {
	case p.s.IsArray(i):
		count, _ := p.s.Count(i)
		first := i + 1
		for k := range min(count, maxCode) {
			v, _ := p.o.Uint(ctx, first+k)
			c.bytes = append(c.bytes, byte(v))
		}
		c.span = func(ctx context.Context, off, n int64) model.Span {
			from, to := p.s.Entry(ctx, first+off), p.s.Entry(ctx, first+off+n-1)
			at := from.Off + from.Lead
			return p.s.Source().Span(at, to.Off+to.Len-at)
		}
	case isText:
		c.bytes, _ = hex.DecodeString(string(text))
		c.span = func(context.Context, int64, int64) model.Span { return e.Data }
	case e.Size == 1:
		c.bytes, _ = p.s.Source().Bytes(ctx, e.Data.Off, min(e.Data.Len, maxCode))
		c.span = func(_ context.Context, off, n int64) model.Span { return p.s.Source().Span(e.Data.Off+off, n) }
	}
	return c
}

// loadHeap reads the slots of the heap.
func (p *program) loadHeap(ctx context.Context, node int64) {
	m := p.o.Members(ctx, node)
	capacity, _ := p.o.Uint(ctx, m.Entry("HeapCapacity"))
	p.capacity, p.hasCapacity = int64(capacity), m.Entry("HeapCapacity") >= 0
	for _, i := range p.o.Elements(ctx, m.Entry("HeapDump")) {
		index, ok := p.o.Uint(ctx, p.o.Field(ctx, i, "Item1"))
		if !ok {
			continue
		}
		box := p.o.Field(ctx, i, "Item2")
		sl := slot{index: uint32(index), entry: i, value: p.o.Members(ctx, box).Entry("Value"), typ: p.o.TypeName(ctx, p.o.Field(ctx, i, "Item3"))}
		if sl.value < 0 {
			sl.value = p.o.Field(ctx, box, "Value")
		}
		if _, again := p.bySlot[sl.index]; !again {
			p.bySlot[sl.index] = len(p.slots)
		}
		p.slots = append(p.slots, sl)
	}
}

// loadSymbols reads a table of symbols or entry points.
func (p *program) loadSymbols(ctx context.Context, node int64) []symbol {
	table := p.o.Members(ctx, node)
	exported := map[string]bool{}
	for _, i := range p.o.Elements(ctx, table.Entry("ExportedSymbols")) {
		exported[p.o.Text(ctx, i)] = true
	}
	var all []symbol
	for _, i := range p.o.Elements(ctx, table.Entry("Symbols")) {
		m := p.o.Members(ctx, i)
		address, _ := p.o.Uint(ctx, m.Entry("Address"))
		sym := symbol{entry: i, name: p.o.Text(ctx, m.Entry("Name")), typ: p.o.TypeName(ctx, m.Entry("Type")), address: uint32(address)}
		sym.exported = exported[sym.name]
		all = append(all, sym)
	}
	return all
}

var interpolations = []string{"none", "linear", "smooth"}

// loadSync reads the synchronized variables.
func (p *program) loadSync(ctx context.Context, node int64) {
	for _, i := range p.o.Elements(ctx, p.o.Members(ctx, node).Entry("SyncMetadata")) {
		m := p.o.Members(ctx, i)
		var how []string
		for _, property := range p.o.Elements(ctx, m.Entry("Properties")) {
			of := p.o.Members(ctx, property)
			algorithm := "?"
			if v, ok := p.o.Uint(ctx, of.Entry("InterpolationAlgorithm")); ok && v < uint64(len(interpolations)) {
				algorithm = interpolations[v]
			} else if ok {
				algorithm = fmt.Sprint(v)
			}
			how = append(how, p.o.Text(ctx, of.Entry("Name"))+": "+algorithm)
		}
		p.sync = append(p.sync, syncEntry{entry: i, name: p.o.Text(ctx, m.Entry("Name")), how: strings.Join(how, ", ")})
	}
}

// check reports what is wrong with the program itself.
func (p *program) check(ctx context.Context, report func(path string, pr model.Problem)) error {
	for i := range p.lines {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, pr := range p.rowNode(ctx, inCode, i).Problems {
			report(p.placePath(inCode, i), pr)
		}
	}
	last := int64(-1)
	for k, sl := range p.slots {
		at := p.s.Span(sl.entry)
		if int64(sl.index) <= last {
			report(p.placePath(inHeap, k), model.Problemf(model.Suspicious, ruleHeapOrder, at, "the heap's indexes do not ascend").
				Want(fmt.Sprintf("above %d", last), sl.index))
		}
		if p.hasCapacity && int64(sl.index) >= p.capacity {
			report(p.placePath(inHeap, k), model.Problemf(model.Suspicious, ruleHeapIndex, at, "the heap index is not below the heap's capacity").
				Want(fmt.Sprintf("below %d", p.capacity), sl.index))
		}
		last = int64(sl.index)
	}
	for k, sym := range p.points {
		if _, ok := p.lineOf(sym.address); !ok {
			report(p.placePath(inPoints, k), model.Problemf(model.Suspicious, ruleEntryPoint, p.s.Span(sym.entry),
				"no instruction begins at the address of the entry point %q", entry.Shorten(sym.name, 60)).
				Want("the address of an instruction", fmt.Sprintf("%#x", sym.address)))
		}
	}
	return nil
}

// slotName returns the heap index of a slot.
func (p *program) slotName(k int) string { return fmt.Sprint(p.slots[k].index) }

// slotSegment returns the heap index of a slot, with the number in the dump if the index is repeated.
func (p *program) slotSegment(k int) string {
	if first := p.bySlot[p.slots[k].index]; first != k {
		return model.NthSegment(p.slotName(k), k)
	}
	return p.slotName(k)
}
