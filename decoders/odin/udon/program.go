package udon

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/object"
	"cutaway/model"
)

// program is an Udon program (chapter 9) read out of its entries.
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

// slot is an occupied place of the heap.
type slot struct {
	index uint32
	entry int64 // of the struct node
	value int64 // what the box holds; noEntry: unreadable
	typ   string
}

// symbol is an entry of a symbol table.
type symbol struct {
	name     string
	typ      string
	address  uint32
	exported bool
	entry    int64
}

// syncEntry is a variable that is kept the same over the network.
type syncEntry struct {
	name  string
	how   string
	entry int64
}

// code32 is the byte code and where each of its bytes is.
type code32 struct {
	bytes []byte
	span  func(ctx context.Context, off, n int64) model.Span
	entry int64
}

// load reads the program at a node. It never fails: what is missing stays empty.
func (u *Programs) load(ctx context.Context, node int64, path string) *program {
	p := &program{s: u.s, o: u.o, entry: node, path: path, bySlot: map[uint32]int{}, bySymbol: map[uint32][]int{}, byPoint: map[uint32][]int{}}
	p.members = object.Members{}
	for _, name := range []string{"ByteCode", "Heap", "EntryPoints", "SymbolTable", "SyncMetadataTable"} {
		p.members[name] = p.o.Field(ctx, node, name)
	}
	p.code = p.loadCode(ctx, p.members["ByteCode"])
	p.loadHeap(ctx, p.members["Heap"])
	p.symbols = p.loadSymbols(ctx, p.members["SymbolTable"])
	for i, sym := range p.symbols {
		p.bySymbol[sym.address] = append(p.bySymbol[sym.address], i)
	}
	p.points = p.loadSymbols(ctx, p.members["EntryPoints"])
	for i, sym := range p.points {
		p.byPoint[sym.address] = append(p.byPoint[sym.address], i)
	}
	p.loadSync(ctx, p.members["SyncMetadataTable"])
	p.lines = addresses(p.code.bytes)
	p.setTables()
	return p
}

// maxCode bounds the byte code of a program.
const maxCode = 64 << 20

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

// opcode is one of Udon's.
type opcode struct {
	name    string
	operand bool
	help    string
}

var opcodes = map[uint32]opcode{
	0: {"NOP", false, "does nothing"},
	1: {"PUSH", true, "pushes the operand, a heap index, on the stack"},
	2: {"POP", false, "drops the top of the stack"},
	4: {"JUMP_IF_FALSE", true, "pops a heap index; where the Boolean there is false, goes to the operand's address"},
	5: {"JUMP", true, "goes to the operand's address"},
	6: {"EXTERN", true, "calls the host function that the heap's string at the operand names"},
	7: {"ANNOTATION", true, "is ignored with its operand"},
	8: {"JUMP_INDIRECT", true, "goes to the address that is on the heap at the operand"},
	9: {"COPY", false, "pops the target's heap index, then the source's; copies"},
}

const (
	opPush         = 1
	opJumpIfFalse  = 4
	opJump         = 5
	opExtern       = 6
	opJumpIndirect = 8
	returnAddress  = 0xfffffffc // the conventional target of a return
	wordSize       = 4
)

// addresses finds the instructions: one word, or two where there is an operand.
func addresses(code []byte) []uint32 {
	var list []uint32
	for at := 0; at < len(code); {
		list = append(list, uint32(at))
		size := wordSize
		if at+wordSize <= len(code) && opcodes[binary.BigEndian.Uint32(code[at:])].operand {
			size = 2 * wordSize
		}
		at += size
	}
	return list
}

// instruction is one line of the listing.
type instruction struct {
	address uint32
	size    int64 // bytes, of those that are there
	op      uint32
	code    opcode
	known   bool
	operand uint32
	cut     bool // bytes are missing
}

func (p *program) instruction(i int64) instruction {
	at := int64(p.lines[i])
	rest := p.code.bytes[at:]
	in := instruction{address: uint32(at)}
	if len(rest) < wordSize {
		in.size, in.cut = int64(len(rest)), true
		return in
	}
	in.size = wordSize
	in.op = binary.BigEndian.Uint32(rest)
	in.code, in.known = opcodes[in.op]
	if !in.code.operand {
		return in
	}
	if len(rest) < 2*wordSize {
		in.size, in.cut = int64(len(rest)), true
		return in
	}
	in.size = 2 * wordSize
	in.operand = binary.BigEndian.Uint32(rest[wordSize:])
	return in
}

// lineOf finds the instruction that begins at an address.
func (p *program) lineOf(address uint32) (int64, bool) {
	i := sort.Search(len(p.lines), func(i int) bool { return p.lines[i] >= address })
	return int64(i), i < len(p.lines) && p.lines[i] == address
}

// operandText resolves the operand of an instruction.
func (p *program) operandText(ctx context.Context, in *instruction) string {
	switch {
	case in.cut:
		return "cut off"
	case !in.known:
		return fmt.Sprintf("%#x is no opcode", in.op)
	case !in.code.operand:
		return ""
	}
	switch in.op {
	case opJump, opJumpIfFalse:
		return p.targetText(in.operand)
	case opExtern:
		if text := p.signature(ctx, in.operand); text != "" {
			return externText(text)
		}
		return p.slotText(ctx, in.operand)
	case opPush, opJumpIndirect:
		return p.slotText(ctx, in.operand)
	}
	return fmt.Sprint(in.operand)
}

// signature names the host function of a heap index: a string, or in the dump of a running program a delegate that
// remembers it.
func (p *program) signature(ctx context.Context, index uint32) string {
	k, ok := p.bySlot[index]
	if !ok {
		return ""
	}
	if text := p.o.Text(ctx, p.slots[k].value); text != "" {
		return text
	}
	return p.o.Text(ctx, p.o.Field(ctx, p.slots[k].value, "externSignature"))
}

func (p *program) targetText(address uint32) string {
	if address == returnAddress {
		return "return"
	}
	text := fmt.Sprintf("%#04x", address)
	for _, k := range p.byPoint[address] {
		text += " " + p.points[k].name
	}
	return text
}

// slotText names a heap index by its symbols and value.
func (p *program) slotText(ctx context.Context, index uint32) string {
	text := fmt.Sprint(index)
	if names := p.symbolsOf(index); len(names) > 0 {
		text += " " + strings.Join(names, ", ")
	}
	k, ok := p.bySlot[index]
	if !ok {
		return text + " (not on the heap)"
	}
	n := p.rowNode(ctx, inHeap, k)
	if n.Value != nil {
		text += " = " + model.Show(ctx, n.Value, 60)
	}
	if p.component(ctx, &p.slots[k]) != "" {
		return text // which names its type
	}
	return text + " : " + n.Type
}

// externText writes a signature, "Class.__Method__Param_Param__Return", as a call.
func externText(signature string) string {
	class, rest, ok := strings.Cut(signature, ".__")
	if !ok {
		return signature
	}
	parts := strings.Split(rest, "__")
	if len(parts) < 2 || len(parts) > 3 {
		return signature
	}
	params := ""
	if len(parts) == 3 {
		params = strings.ReplaceAll(parts[1], "_", ", ")
	}
	return fmt.Sprintf("%s.%s(%s) → %s", class, parts[0], params, parts[len(parts)-1])
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

// slotName is the heap index.
func (p *program) slotName(k int) string { return fmt.Sprint(p.slots[k].index) }

// slotSegment is the heap index, or where that is repeated the number in the dump too.
func (p *program) slotSegment(k int) string {
	if first := p.bySlot[p.slots[k].index]; first != k {
		return model.NthSegment(p.slotName(k), k)
	}
	return p.slotName(k)
}

// Type names of Udon (chapter 9).
const (
	TypeProgram   = "VRC.Udon.Common.UdonProgram"
	TypeVariables = "VRC.Udon.Common.UdonVariableTable"
)

// IsItem reports whether nodes of a type are items of the Udon view.
func IsItem(name string) bool {
	full, _, _ := strings.Cut(name, ",")
	return full == TypeProgram || full == TypeVariables
}
