package value

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
	"cutaway/source"
)

// editOps is the operations of array edits by number (chapter 13), with the arguments of each.
var editOps = []struct {
	name string
	args []string
}{
	{"write literal", []string{"literal", "destination"}},
	{"write reference", []string{"source", "destination"}},
	{"insert literal", []string{"literal", "position"}},
	{"insert reference", []string{"source", "position"}},
	{"erase", []string{"position"}},
	{"minimum size", []string{"size"}},
	{"minimum size, fill", []string{"size", "literal"}},
	{"set size", []string{"size"}},
	{"set size, fill", []string{"size", "literal"}},
	{"maximum size", []string{"size"}},
}

// atEnd is the position that means the end.
const atEnd = math.MinInt64

// edit is one instruction: a header word and its arguments.
type edit struct {
	at    int64 // of the header word among the words
	op    int
	count int64 // repetitions
}

// words returns the number of words of the instruction.
func (e edit) words() int64 { return 1 + e.count*int64(len(editOps[e.op].args)) }

// fillEdit makes children of the literals and of each instruction of an array edit.
func (vs *Values) fillEdit(ctx context.Context, n *model.Node, t *storedValue) {
	var children []model.Node
	literals := int64(0)
	for i := range t.starts {
		f := t.leafNode(ctx, i)
		switch f.Name {
		case "literals":
			f = vs.editArray(ctx, f.Name, table.Rep(t.number(ctx, f.Name)), f.Span(), t.r.Type())
			if a, ok := f.Value.(model.Array); ok {
				literals = a.Len()
			}
		case "instructions":
			f = vs.editArray(ctx, f.Name, table.Rep(t.number(ctx, f.Name)), f.Span(), table.TypeInt64)
			if a, ok := f.Value.(model.Array); ok && len(f.Problems) == 0 {
				vs.fillInstructions(ctx, &f, a, literals)
				n.Brief = f.Brief
			}
		case "dense":
			f.Type, f.Value = "bool", model.Bool(t.number(ctx, f.Name) != 0)
		}
		children = append(children, f)
	}
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

// editArray returns a value of an array edit that must be an array of type t. One that holds values of its own is not
// decoded: it might hold the edit.
func (vs *Values) editArray(ctx context.Context, name string, r table.Rep, span model.Span, t table.ValueType) model.Node {
	n := model.Node{Name: name, Type: r.TypeName(), Spans: []model.Span{span}, Problems: vs.crate.RepProblems(r, span)}
	if !r.Unfolds() {
		n = vs.value(ctx, name, r, holder{span: span})
	}
	if r.Placement() != table.PlacedArray || r.Type() != t {
		n.Problems = append(n.Problems, model.Problemf(model.Malformed, "usdc.edit.array-type", span,
			"the edit has a value of type %s where an array belongs", r.TypeName()).Want(t.String()+"[]", r.TypeName()))
	}
	return n
}

// fillInstructions makes the instructions out of the words.
func (vs *Values) fillInstructions(ctx context.Context, n *model.Node, words model.Array, literals int64) {
	rows := n.Children
	edits, problem := readEdits(ctx, words)
	n.Value = nil
	n.Brief = usda.Plural(int64(len(edits)), "instruction", "instructions")
	n.Elements = false
	place := func(word int64) []model.Span { return rows.At(ctx, word).Spans }
	if problem != nil {
		problem.Span = place(problem.Span.Off)[0]
		n.Problems = append(n.Problems, *problem)
	}
	if len(edits) == 0 {
		n.Children = nil
		return
	}
	n.Children = &model.Rows{Count: int64(len(edits)), Make: func(ctx context.Context, i int64) model.Node {
		return editNode(ctx, i, edits[i], words, literals, place)
	}}
}

// maxEdits returns the number of instructions of an array edit that are listed, as memory allows. It is far below what the list alone
// would allow: each is a node that is made where it is looked at, so that a check takes as long as there are many.
func maxEdits() int64 { return max(source.CacheLimit()/4096, 1<<10) }

// readEdits finds the instructions among the words. The offset of the problem's span is that of a word.
func readEdits(ctx context.Context, words model.Array) ([]edit, *model.Problem) {
	var edits []edit
	var ahead [256]model.Value // the words from have on
	have, n, most := int64(0), 0, maxEdits()
	for at := int64(0); at < words.Len(); {
		if at >= have+int64(n) {
			var err error
			if n, err = words.Read(ctx, at, ahead[:]); n == 0 {
				p := model.AsProblem(err, "usdc.read", model.Span{})
				p.Span.Off = at
				return edits, &p
			}
			have = at
		}
		if int64(len(edits)) == most { // a coded array may have very many zeros, which are one each
			p := model.Problemf(model.Limit, "usdc.edit.limit", model.Span{Off: at},
				"only the first instructions are listed, which is as many as memory allows; --max-memory raises it")
			p.Expected = "at most " + usda.Plural(most, "instruction", "instructions")
			return edits, &p
		}
		word := uint64(ahead[at-have].(model.Int))
		e := edit{at: at, op: int(word >> 56), count: int64(word & (1<<56 - 1))}
		if e.op >= len(editOps) {
			p := model.Problemf(model.Malformed, "usdc.edit.operation", model.Span{Off: at},
				"there is no operation %d of array edits", e.op).Want(fmt.Sprintf("below %d", len(editOps)), e.op)
			return edits, &p
		}
		room := (words.Len() - at - 1) / int64(len(editOps[e.op].args))
		if e.count > room {
			p := model.Problemf(model.Truncated, "usdc.edit.count", model.Span{Off: at},
				"%s: %d repetitions need more words than there are", editOps[e.op].name, e.count).
				WantAtMost(room, e.count)
			return edits, &p
		}
		edits = append(edits, e)
		at += e.words()
	}
	return edits, nil
}

// editNode returns an instruction; each of its repetitions is a child.
func editNode(ctx context.Context, i int64, e edit, words model.Array, literals int64, place func(word int64) []model.Span) model.Node {
	op := &editOps[e.op]
	n := model.Node{Name: model.IndexName(i), Type: op.name, Spans: place(e.at)}
	arity := int64(len(op.args))
	if e.count == 1 {
		fillArgs(ctx, &n, words, e.at+1, op.args, literals, place)
		return n
	}
	n.Brief = usda.Plural(e.count, "time", "times")
	if e.count > 0 {
		n.Children = &model.Rows{Count: e.count, Make: func(ctx context.Context, k int64) model.Node {
			row := model.Node{Name: model.IndexName(k), Type: op.name}
			fillArgs(ctx, &row, words, e.at+1+k*arity, op.args, literals, place)
			return row
		}}
	}
	return n
}

// fillArgs makes a child of each argument of one operation.
func fillArgs(ctx context.Context, n *model.Node, words model.Array, first int64, names []string, literals int64, place func(int64) []model.Span) {
	args := make(model.Tuple, len(names))
	if _, err := words.Read(ctx, first, args); err != nil {
		n.Problems = append(n.Problems, coding.ProblemAt(err, place(first)[0]))
		return
	}
	children := make([]model.Node, len(names))
	for i, name := range names {
		v := int64(args[i].(model.Int))
		arg := model.Node{Name: name, Type: "i64", Value: args[i], Spans: place(first + int64(i))}
		switch {
		case name == "literal":
			if v < 0 || v >= literals {
				n.Problems = append(n.Problems, model.Problemf(model.Malformed, "usdc.edit.literal", arg.Spans[0],
					"literal %d is outside the literals", v).Want(fmt.Sprintf("below %d", literals), v))
			}
		case v == atEnd:
			arg.Value = model.Symbol{Number: v, Name: "end"}
			args[i] = arg.Value
		}
		children[i] = arg
		n.Spans = append(n.Spans, arg.Spans...)
	}
	n.Value, n.Children = args, model.NewList(children...)
}
