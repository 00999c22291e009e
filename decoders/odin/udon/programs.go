// Package udon shows the Udon programs of VRChat in a stream: heap, symbols and code (chapter 9 of
// docs/formats/odin.md).
package udon

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/object"
	"cutaway/model"
)

// View is the name of the view of Udon programs.
const View = "udon"

// A Programs holds the Udon programs and tables of public variables of a stream.
type Programs struct {
	s        *entry.Stream
	o        *object.Objects
	items    model.Once[[]item]
	children *model.Lazy
}

// New returns the programs of a stream whose options mark the types that IsItem reports.
func New(s *entry.Stream, o *object.Objects) *Programs {
	u := &Programs{s: s, o: o}
	u.children = model.NewLazy(u.nodes)
	return u
}

// Root returns the root of the Udon view of the stream.
func (u *Programs) Root(name string) model.Node {
	return model.Node{Name: name, Type: streamType, Spans: []model.Span{u.s.Bounds()}, Children: u.children}
}

// An item is a program or a table of public variables.
type item struct {
	kind    string // its name
	segment string
	program *program // nil for variables
	entry   int64
}

const programPart = "program"

// Names that other places use: the types of a stream and of a program, and its byte code.
const (
	streamType  = "Udon"
	programType = "Udon program"
	codeName    = "code"
)

// load loads the items of the stream, once.
func (u *Programs) load(ctx context.Context, progress model.Progress) ([]item, error) {
	list, err := u.items.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]item, error) {
		nodes, err := u.s.Marked(ctx, progress)
		if err != nil {
			return nil, err
		}
		var list []item
		var segments model.Segments
		for _, i := range nodes[:min(len(nodes), maxPrograms)] {
			e := u.s.Entry(ctx, i)
			t, _ := dotnet.Parse(e.Type.Name)
			it := item{kind: programPart, entry: i}
			if t.Full == TypeVariables {
				it.kind = "variables"
			}
			it.segment = segments.Add(it.kind)
			if it.kind == programPart {
				it.program = u.program(ctx, i, u.s.BasePath(View)+"/"+it.segment)
			}
			list = append(list, it)
		}
		return &list, nil
	})
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// maxPrograms bounds the programs of one stream that are shown: real streams have one.
const maxPrograms = 100

// nodes returns the nodes of the items.
func (u *Programs) nodes(ctx context.Context, progress model.Progress) (model.Children, error) {
	list, err := u.load(ctx, progress)
	if err != nil {
		return nil, err
	}
	var nodes []model.Node
	for _, it := range list {
		if it.program != nil {
			nodes = append(nodes, it.program.node(ctx, it.kind))
		} else {
			nodes = append(nodes, u.variablesNode(ctx, it.entry, it.kind))
		}
	}
	return model.NewList(nodes...), nil
}

// A Totals holds sums over programs and tables of public variables.
type Totals struct{ Programs, Instructions, Slots, Capacity, Symbols, Points, Variables int64 }

// Count adds the programs and variables of the stream to sums.
func (u *Programs) Count(ctx context.Context, progress model.Progress, sum *Totals) error {
	list, err := u.load(ctx, progress)
	for _, it := range list {
		if it.program == nil {
			sum.Variables += int64(len(u.variables(ctx, it.entry)))
			continue
		}
		sum.Programs++
		sum.Instructions += int64(len(it.program.lines))
		sum.Slots += int64(len(it.program.slots))
		sum.Capacity += it.program.capacity
		sum.Symbols += int64(len(it.program.symbols))
		sum.Points += int64(len(it.program.points))
	}
	return err
}

// Check reports the problems of the programs. pathOf returns the path of a problem, from its path in the Udon view and
// the entry of its program.
func (u *Programs) Check(ctx context.Context, progress model.Progress, pathOf func(path string, program int64) string, report func(path string, p model.Problem)) error {
	list, err := u.load(ctx, progress)
	if err != nil {
		return err
	}
	for _, it := range list {
		if it.program == nil {
			continue
		}
		err := it.program.check(ctx, func(path string, p model.Problem) { report(pathOf(path, it.entry), p) })
		if err != nil {
			return fmt.Errorf("checking a program: %w", err)
		}
	}
	return nil
}

// variablesNode returns a table of the public variables of an UdonBehaviour.
func (u *Programs) variablesNode(ctx context.Context, i int64, name string) model.Node {
	list := u.variables(ctx, i)
	return model.Node{Name: name, Type: "Udon public variables", Brief: model.Counted(int64(len(list)), "variable"),
		Spans: []model.Span{u.s.Span(i)}, Refs: u.s.EntryRefs(i),
		Children: model.Defer(func(ctx context.Context) model.Children { return u.variableNodes(ctx, list) })}
}

// variableNodes returns the nodes of variables.
func (u *Programs) variableNodes(ctx context.Context, list []int64) model.Children {
	var nodes []model.Node
	for _, v := range list {
		nodes = append(nodes, u.variableNode(ctx, v))
	}
	return model.NewList(nodes...)
}

// variables returns the entries of the variables of a table.
func (u *Programs) variables(ctx context.Context, table int64) []int64 {
	return u.o.Elements(ctx, u.o.Members(ctx, table).Entry("Variables"))
}

// variableNode returns the node of a variable: its value, with the type that the entry declares.
func (u *Programs) variableNode(ctx context.Context, i int64) model.Node {
	m := u.o.Members(ctx, i)
	n := model.Node{Type: "unreadable"}
	if v := m.Entry("Value"); v >= 0 {
		n = u.o.Node(ctx, v, "")
	}
	n.Name = u.o.Text(ctx, m.Entry("SymbolName"))
	if t, ok := dotnet.Parse(u.s.Entry(ctx, i).Type.Name); ok && len(t.Args) == 1 {
		n.Type = t.Args[0].Short()
	}
	n.Spans = []model.Span{u.s.Span(i)}
	n.Problems = nil
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		list := u.s.EntryRefs(i)(ctx)
		if refs != nil {
			list = append(list, refs(ctx)...)
		}
		return list
	}
	return n
}

// program reads the program at a node. It never fails: what is missing stays empty.
func (u *Programs) program(ctx context.Context, node int64, path string) *program {
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
