package udon

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
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
	opAnnotation   = 7
	opJumpIndirect = 8
	opCopy         = 9
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

// jumps reports whether the operand is an address to go on at.
func (in *instruction) jumps() bool { return !in.cut && (in.op == opJump || in.op == opJumpIfFalse) }

// lineOf finds the instruction that begins at an address.
func (p *program) lineOf(address uint32) (int64, bool) {
	i := sort.Search(len(p.lines), func(i int) bool { return p.lines[i] >= address })
	return int64(i), i < len(p.lines) && p.lines[i] == address
}

// A written is text with its tokens.
type written struct {
	text   string
	tokens []model.Token
}

// add appends plain text.
func (w *written) add(text string) { w.text += text }

// token appends a token that names the node at path, or "".
func (w *written) token(kind model.TokenKind, path, text string) {
	w.tokens = append(w.tokens, model.Token{From: len(w.text), To: len(w.text) + len(text), Kind: kind, Path: path})
	w.text += text
}

// trim removes spaces at the end.
func (w *written) trim() {
	w.text = strings.TrimRight(w.text, " ")
	for n := len(w.tokens) - 1; n >= 0 && w.tokens[n].To > len(w.text); n-- {
		w.tokens[n].To = max(len(w.text), w.tokens[n].From)
	}
}

// operandText resolves the operand of an instruction.
func (p *program) operandText(ctx context.Context, in *instruction) string {
	var w written
	p.writeOperand(ctx, in, &w)
	return w.text
}

// writeOperand writes the operand of an instruction.
func (p *program) writeOperand(ctx context.Context, in *instruction, w *written) {
	switch {
	case in.cut:
		w.add("cut off")
		return
	case !in.known:
		w.add(fmt.Sprintf("%#x is no opcode", in.op))
		return
	case !in.code.operand:
		return
	}
	switch in.op {
	case opJump, opJumpIfFalse:
		w.token(model.TargetToken, p.targetPath(in.operand), p.targetText(in.operand))
	case opExtern:
		if text := p.signature(ctx, in.operand); text != "" {
			w.token(model.CallToken, p.slotPath(in.operand), externText(text))
			w.tokens[len(w.tokens)-1].Short = shortCall(externText(text))
			return
		}
		p.writeSlot(ctx, in.operand, w)
	case opPush, opJumpIndirect:
		p.writeSlot(ctx, in.operand, w)
	default:
		w.add(fmt.Sprint(in.operand))
	}
}

// targetPath returns the path of the instruction at an address, or "".
func (p *program) targetPath(address uint32) string {
	if k, ok := p.lineOf(address); ok {
		return p.placePath(inCode, int(k))
	}
	return ""
}

// slotPath returns the path of the slot with a heap index, or "".
func (p *program) slotPath(index uint32) string {
	if k, ok := p.bySlot[index]; ok {
		return p.placePath(inHeap, k)
	}
	return ""
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

// writeSlot names a heap index by its symbols and value.
func (p *program) writeSlot(ctx context.Context, index uint32, w *written) {
	name := fmt.Sprint(index)
	if names := p.symbolsOf(index); len(names) > 0 {
		w.token(model.QuietToken, "", name)
		w.add(" ")
		name = strings.Join(names, ", ")
	}
	w.token(model.NameToken, p.slotPath(index), name)
	k, ok := p.bySlot[index]
	if !ok {
		w.add(" (not on the heap)")
		return
	}
	n := p.rowNode(ctx, inHeap, k)
	if n.Value != nil {
		w.add(" = ")
		w.token(model.ValueToken, "", model.Show(ctx, n.Value, 60))
	}
	if p.component(ctx, &p.slots[k]) == "" { // which names its type
		w.token(model.QuietToken, "", " : "+n.Type)
	}
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

// namespaces are those that begin names of types in signatures, without their dots.
var namespaces = regexp.MustCompile(`\b(?:UnityEngineUI|UnityEngineAI|UnityEngine|SystemCollectionsGeneric|SystemCollections|System|TMPro|` +
	`VRCUdonCommonInterfaces|VRCUdonCommon|VRCUdon|VRCSDKBase|VRCSDK3Components|VRCSDK3)([A-Z])`)

// shortCall returns a call without namespaces, and without a result where that is nothing.
func shortCall(call string) string {
	return strings.TrimSuffix(namespaces.ReplaceAllString(call, "$1"), " → Void")
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

// mnemonics holds the kinds of mnemonics that stand out.
var mnemonics = map[uint32]model.TokenKind{opJumpIfFalse: model.JumpToken, opJump: model.JumpToken, opJumpIndirect: model.JumpToken,
	opExtern: model.CallToken, opCopy: model.ValueToken}

// writeLine writes an instruction: address, mnemonic and operand, and the entry points at the address.
func (p *program) writeLine(ctx context.Context, in *instruction) (w written) {
	name := in.code.name
	if !in.known {
		name = "?"
	}
	w.token(model.QuietToken, "", lineName(in.address))
	w.add("  ")
	if kind, ok := mnemonics[in.op]; ok && in.known {
		w.token(kind, "", name)
	} else {
		w.add(name)
	}
	const wide = 13 // of a mnemonic
	w.add(strings.Repeat(" ", max(wide-len(name), 0)+2))
	p.writeOperand(ctx, in, &w)
	w.trim()
	for _, k := range p.byPoint[in.address] {
		w.token(model.QuietToken, "", "  ; "+p.points[k].name)
	}
	return w
}

// mostJumps bounds the jumps that make labels.
const mostJumps = 100_000

// labels returns the entry points and the targets of jumps, in the order of their lines.
func (p *program) labels() (list []model.Label) {
	from := map[uint32][]int64{}
	jumps := 0
	for i := range p.lines {
		in := p.instruction(int64(i))
		if in.jumps() && jumps < mostJumps {
			from[in.operand] = append(from[in.operand], int64(i))
			jumps++
		}
	}
	for i, address := range p.lines {
		points, jumps := p.byPoint[address], from[address]
		for n, k := range points {
			label := model.Label{Line: int64(i), Name: p.points[k].name, Entry: true, Note: "entry point"}
			if n == len(points)-1 && len(jumps) > 0 {
				label.From = jumps
				label.Note += ", " + p.jumpsFrom(jumps)
			}
			list = append(list, label)
		}
		if len(points) == 0 && len(jumps) > 0 {
			list = append(list, model.Label{Line: int64(i), Name: lineName(address), Note: p.jumpsFrom(jumps), From: jumps})
		}
	}
	return list
}

// jumpsFrom says which lines jump to a label.
func (p *program) jumpsFrom(lines []int64) string {
	const few = 4
	var names []string
	for _, i := range lines[:min(len(lines), few)] {
		names = append(names, lineName(p.lines[i]))
	}
	if more := len(lines) - few; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "from " + strings.Join(names, ", ")
}

// uses returns the lines whose operand is that of line i in the same sense: a slot of the heap, or an address.
func (p *program) uses(i int64) (list []int64) {
	named := p.instruction(i)
	if named.cut || !named.code.operand || named.op == opAnnotation {
		return nil
	}
	for k := range p.lines {
		in := p.instruction(int64(k))
		if !in.cut && in.code.operand && in.op != opAnnotation && in.operand == named.operand && in.jumps() == named.jumps() {
			list = append(list, int64(k))
		}
	}
	return list
}
