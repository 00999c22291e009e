package udon

import (
	"context"
	"encoding/binary"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"cutaway/model"
)

// An opcode is the first word of an instruction.
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

// addresses returns the addresses of the instructions, of one word each, or two with an operand.
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

// An instruction is one line of the listing.
type instruction struct {
	address uint32
	size    int64 // bytes that are present
	op      uint32
	code    opcode
	known   bool
	operand uint32
	cut     bool // bytes are missing
}

// instruction decodes instruction i.
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

// signature returns the host function that a heap index names, or "" if it names none. In the dump of a running program
// it is in a delegate.
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

// targetText names the target of a jump by its address and entry points.
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

// lineNamed finds an instruction by the segment of its path.
func (p *program) lineNamed(segment string) (int64, bool) {
	address, err := strconv.ParseUint(segment, 0, 32)
	if err != nil || lineName(uint32(address)) != segment {
		return 0, false
	}
	return p.lineOf(uint32(address))
}

// lineName writes an address.
func lineName(address uint32) string { return fmt.Sprintf("%#04x", address) }

// showLine completes the node of an instruction.
func (p *program) showLine(ctx context.Context, i int, n *model.Node) {
	in := p.instruction(int64(i))
	at := p.code.span(ctx, int64(in.address), in.size)
	n.Type, n.Spans, n.Help = in.code.name, []model.Span{at}, in.code.help
	if text := p.operandText(ctx, &in); text != "" {
		n.Value = model.Text(text)
	}
	n.Problems = p.lineProblems(&in, at)
	n.Refs = func(context.Context) []model.Ref { return p.refs(p.lineOperands(&in)) }
}

// lineProblems returns the problems of an instruction.
func (p *program) lineProblems(in *instruction, at model.Span) []model.Problem {
	var pr model.Problem
	switch {
	case in.cut:
		pr = model.Problemf(model.Truncated, ruleInstruction, at, "the byte code ends inside an instruction")
	case !in.known:
		pr = model.Problemf(model.Malformed, ruleOpcode, at, "no instruction has this opcode").Want("0 to 9, but not 3", in.op)
	case in.op == opJump || in.op == opJumpIfFalse:
		if _, ok := p.lineOf(in.operand); ok || in.operand == returnAddress {
			return nil
		}
		pr = model.Problemf(model.Suspicious, ruleJump, at, "no instruction begins at the target of the jump").
			Want("the address of an instruction, or 0xfffffffc", fmt.Sprintf("%#x", in.operand))
	case in.op == opPush || in.op == opExtern || in.op == opJumpIndirect:
		if _, ok := p.bySlot[in.operand]; ok {
			return nil
		}
		pr = model.Problemf(model.Suspicious, ruleOperand, at, "the operand is no heap index that holds something").
			Want("an index on the heap", in.operand)
	default:
		return nil
	}
	return []model.Problem{pr}
}

// lineText writes an instruction: address, mnemonic and operand, and the entry points at the address.
func (p *program) lineText(ctx context.Context, in *instruction) string {
	name := in.code.name
	if !in.known {
		name = "?"
	}
	text := strings.TrimRight(fmt.Sprintf("%s  %-13s  %s", lineName(in.address), name, p.operandText(ctx, in)), " ")
	for _, k := range p.byPoint[in.address] {
		text += "  ; " + p.points[k].name
	}
	return text
}
