package udon

import (
	"context"
	"strings"

	"cutaway/model"
)

// mostPoints is the number of entry points that are listed.
const mostPoints = 16

// codeWords describes the operations; {} is the operand.
var codeWords = map[string]string{
	"PUSH": "Puts the number of the variable {} on the stack", "POP": "Drops the number on the top of the stack",
	"COPY": "Copies one variable to another; the stack has the numbers of both", "NOP": "Does nothing", "ANNOTATION": "Does nothing; {} is a note for people",
	"EXTERN": "Calls {}; the stack has the numbers of its variables", "JUMP": "Goes on at {}",
	"JUMP_IF_FALSE": "Goes on at {} if the variable on the top of the stack is false", "JUMP_INDIRECT": "Goes on at the address that the variable {} holds",
}

// Kind returns the kind of an instruction.
func Kind(_ context.Context, n *model.Node) model.NodeKind {
	if codeWords[n.Type] != "" {
		return model.CodeKind
	}
	return model.AnyKind
}

// Label returns the symbol of a slot of the heap, which a tree shows instead of its number, or "".
func Label(n *model.Node) string {
	symbol, _ := strings.CutPrefix(n.Help, symbolHelp)
	if symbol == n.Help {
		return ""
	}
	return symbol
}

// Summary returns the mnemonic and operand of an instruction, the value and type of a named slot, or "".
func Summary(ctx context.Context, n *model.Node) string {
	switch {
	case codeWords[n.Type] != "":
		return strings.TrimSpace(n.Type + " " + operandOf(ctx, n))
	case Label(n) != "" && n.Value != nil:
		return model.Show(ctx, n.Value, 60) + " " + n.Type
	}
	return ""
}

// Intro introduces a program, its tables and their rows.
func Intro(ctx context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	switch {
	case n.Type == programType:
		in.Sentence = "Udon program of " + n.Brief + "."
		introduceTables(ctx, p, &in)
	case p.Parent == nil:
		in.Sentence = rootSentence(ctx, p)
	case codeWords[n.Type] != "":
		operand := operandOf(ctx, n)
		in.Title = strings.TrimSpace(n.Type + " " + operand)
		in.Sentence = strings.ReplaceAll(codeWords[n.Type], "{}", operand) + "."
	case p.Parent.Label() == heapName:
		symbol, named := strings.CutPrefix(n.Help, symbolHelp)
		in.Title, in.Sentence = "Slot "+p.Label(), "A variable of type "+n.Type+" that no symbol names."
		if named {
			in.Title, in.Sentence = symbol, "The variable in slot "+p.Label()+", of type "+n.Type+". The value is that at the start."
		}
	case p.Parent.Label() == symbolsName:
		in.Sentence = "The name of slot " + model.Show(ctx, n.Value, 20) + " of the heap, of type " + n.Type + "."
	case p.Parent.Label() == pointsName:
		in.Sentence = "An entry point: the program starts here when " + p.Label() + " is called."
	}
	return in
}

// rootSentence says what the payloads of a file are: the only program, or the number of components with programs and variables.
func rootSentence(ctx context.Context, root *model.Place) string {
	count, _ := root.Len(ctx)
	if count == 1 {
		payload := root.Child(ctx, 0)
		if payload.Resolve(ctx, nil) == nil && payload.Node.Children != nil {
			if program := payload.Child(ctx, 0); program.Node.Type == programType {
				return "Udon program of " + program.Node.Brief + "."
			}
		}
	}
	return "Udon programs and public variables of " + model.GroupedCount(count, "component") + "."
}

// introduceTables says how much of its heap a program uses, and where it can be entered.
func introduceTables(ctx context.Context, p *model.Place, in *model.Intro) {
	count, _ := p.Len(ctx)
	for i := range count {
		table := p.Child(ctx, i)
		switch table.Label() {
		case heapName:
			in.Facts = model.Say(in.Facts, "heap", table.Node.Brief)
		case pointsName:
			points, _ := table.Len(ctx)
			for k := range min(points, mostPoints) {
				at := table.Child(ctx, k)
				in.Facts = model.Say(in.Facts, at.Label(), model.Show(ctx, at.Node.Value, 20), model.Ref{Path: at.Path()})
			}
		}
	}
}

// operandOf returns the operand of an instruction: the name of its variable, an address, or a function.
func operandOf(ctx context.Context, n *model.Node) string {
	text := n.Brief
	if n.Value != nil {
		text = model.Show(ctx, n.Value, 120)
	}
	before, _, variable := strings.Cut(text, " = ")
	if slot, name, named := strings.Cut(before, " "); variable && named && slot != "" {
		return name
	}
	return before
}
