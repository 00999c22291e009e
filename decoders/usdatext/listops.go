package usdatext

import (
	"context"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// listOrder holds the lists of a list op in the order of crates, with their keywords and bits.
var listOrder = []struct {
	name, word string
	bit        uint
}{
	{"explicit", "", 1}, {"added", "add", 2}, {"prepended", "prepend", 5}, {"appended", "append", 6}, {"deleted", "delete", 3},
	{"ordered", "reorder", 4},
}

var bitNames = []string{"isExplicit", "explicit", "added", "deleted", "ordered", "prepended", "appended", "unused"}

// A listOp is a list op, whose lists may be in several statements.
type listOp struct {
	typ      string
	prims    bool // its paths are those of prims
	once     bool // readers accept one item without brackets, no duplicates, and an empty list only if explicit
	sets     bool // its words are names of variant sets; no list may be empty
	explicit bool
	words    map[string][]string // items that are words, by list
	lists    map[string]model.Node
	counts   map[string]int
	single   model.Node // the only item of an explicit list
	spans    []model.Span
	problems []model.Problem
}

// listOp reads one list of a list op; list is "" for the explicit one.
func (p *parser) listOp(f *fields, name, typ, list string) {
	off := p.tok.off
	wrapper := ""
	if typ == "" || typ[max(0, len(typ)-len("ListOp")):] != "ListOp" {
		wrapper, typ = "UnregisteredValue: ", "UnregisteredValueListOp"
	}
	op := f.ops[name]
	if op == nil {
		sets := name == "variantSetNames"
		op = &listOp{typ: wrapper + typ, prims: name == "inheritPaths" || name == "specializes", sets: sets,
			once:  sets || typ == "PathListOp" || typ == "ReferenceListOp" || typ == "PayloadListOp",
			words: map[string][]string{}, lists: map[string]model.Node{}, counts: map[string]int{}}
		if f.ops == nil {
			f.ops = map[string]*listOp{}
		}
		f.ops[name] = op
	}
	if list == "" {
		list, op.explicit = "explicit", true
		for _, replaced := range op.lists {
			op.problems = append(op.problems, problemsIn(p.ctx, &replaced)...)
		}
		op.lists, op.words = map[string]model.Node{}, map[string][]string{}
	} else if op.explicit { // the later statement replaces the explicit list
		replaced := op.lists["explicit"]
		op.problems = append(op.problems, problemsIn(p.ctx, &replaced)...)
		delete(op.lists, "explicit")
		delete(op.words, "explicit")
		op.explicit = false
	}
	n := model.Node{Name: list}
	p.list(op, &n, typ)
	n = p.done(n, off)
	op.spans = append(op.spans, n.Spans...)
	op.problems = append(op.problems, n.Problems...)
	n.Problems = nil
	if replaced := op.lists[list]; n.Type != "" {
		op.problems = append(op.problems, problemsIn(p.ctx, &replaced)...)
		op.lists[list] = n
	}
	f.set(model.Node{Name: name, Type: op.typ})
}

// list reads a list of a list op, or None if empty.
func (p *parser) list(op *listOp, n *model.Node, typ string) {
	mayBeEmpty := n.Name == "explicit" && !op.sets
	if p.nextIs("None") {
		if op.once && !mayBeEmpty {
			p.fail("at least one item")
		}
		p.next()
		return
	}
	if !op.once && !p.nextIs("[") {
		p.fail("[ or None")
		p.skipValue()
		return
	}
	p.items(op, n, typ)
	nothing := typ == "UnregisteredValueListOp" && op.single.Value == model.Value(model.Text(""))
	if (op.counts[n.Name] == 0 || nothing) && !mayBeEmpty {
		p.fail("at least one item before it")
	}
}

// listItems holds the items of one list; only one of the slices is used.
type listItems struct {
	words  []string
	values []model.Value
	nodes  []model.Node
}

// items reads the items of a list.
func (p *parser) items(op *listOp, n *model.Node, typ string) {
	brackets := typ != "UnregisteredValueListOp" && p.accept("[")
	var all listItems
	rule := targetPath
	if op.prims {
		rule = primPath
	}
	seen := map[string]bool{}
	for p.tok.kind != usda.End && (!brackets || !p.nextIs("]")) {
		at := p.tok
		key := p.item(&all, typ, rule, op.sets)
		if op.once {
			if seen[key] {
				p.failAt(at, "each item once", "one twice")
			}
			seen[key] = true
		}
		if !brackets || !p.comma() {
			break
		}
	}
	if brackets && !p.accept("]") {
		p.fail(", or ]")
	}
	op.setItems(n, &all, itemTypes[typ])
}

// setItems gives n the items of a list.
func (op *listOp) setItems(n *model.Node, all *listItems, element string) {
	op.words[n.Name], op.counts[n.Name] = all.words, len(all.words)+len(all.values)+len(all.nodes)
	if len(all.nodes) == 1 {
		op.single = all.nodes[0]
	}
	switch {
	case len(all.nodes) > 0:
		n.Type = element + "[]"
		n.Brief, n.Children = plural(int64(len(all.nodes)), "item", "items"), model.NewList(all.nodes...)
	case len(all.words) > 0:
		n.Type, n.Value = element+"[]", textElements(element, all.words)
	case len(all.values) > 0:
		n.Type, n.Value = element+"[]", elementsOf(element, all.values)
	}
}

// itemTypes maps the types of list ops to those of their items.
var itemTypes = map[string]string{"ReferenceListOp": "Reference", "PayloadListOp": "Payload", "UnregisteredValueListOp": "Value",
	"PathListOp": "path", "TokenListOp": "token", "StringListOp": "string",
	"IntListOp": "int", "UIntListOp": "uint", "Int64ListOp": "int64", "UInt64ListOp": "uint64"}

// item reads one item of a list; sets says that it is the name of a variant set. Duplicates have the same key.
func (p *parser) item(all *listItems, typ string, rule pathRule, sets bool) (key string) {
	off := p.tok.off
	switch typ {
	case "PathListOp":
		v, _ := p.path(rule).(model.Text)
		all.words = append(all.words, string(v))
		return string(v)
	case "ReferenceListOp", "PayloadListOp":
		item := p.arc(typ)
		item.Name = model.IndexName(int64(len(all.nodes)))
		all.nodes = append(all.nodes, p.done(item, off))
		written, _ := p.src.Bytes(p.ctx, off, min(p.before-off, maxLiteral)) // offsets and custom data count too
		return string(written)
	case "UnregisteredValueListOp":
		all.nodes = append(all.nodes, p.unregisteredItem(off))
	case "TokenListOp", "StringListOp":
		at := p.tok
		if v, ok := p.atom(usda.Text).(model.Text); ok {
			if sets && !usda.IsVariantSet(string(v)) {
				p.failAt(at, "the name of a variant set", model.Show(p.ctx, v, 40))
			}
			all.words = append(all.words, string(v))
			return string(v)
		}
	default:
		of, _ := usda.TypeOf(itemTypes[typ])
		if v := p.atom(of.Scalar); v != nil {
			all.values = append(all.values, v)
		}
	}
	return ""
}

// unregisteredItem reads the items of a list that no schema defines, which readers keep as one text.
func (p *parser) unregisteredItem(off int64) model.Node {
	item := model.Node{Name: model.IndexName(0), Type: "Value: string"}
	if p.nextIs("{") {
		item.Type = "Value: dictionary"
		p.dictionary(&item, "")
		return p.done(item, off)
	}
	text := p.words()
	if len(text) > 1 && text[0] == '[' {
		text = text[1 : len(text)-1]
	}
	item.Value = model.Text(text)
	return p.done(item, off)
}

// arc reads a reference or payload.
func (p *parser) arc(typ string) model.Node {
	n := model.Node{Type: "Payload"}
	if typ == "ReferenceListOp" {
		n.Type = "Reference"
	}
	asset := model.Node{Name: "assetPath", Type: "asset", Value: model.Text("")}
	at := p.tok.off
	if p.tok.kind == usda.Asset {
		if asset.Value = p.asset(); asset.Value == model.Value(model.Text("")) {
			p.fail("an asset path that is not empty")
		}
		n.Brief = string(p.text)
		p.next()
	} else if p.tok.kind != usda.PathRef {
		p.fail("an asset path or a path")
		p.skipValue()
	}
	asset.Spans = []model.Span{p.src.Span(at, max(p.before-at, 0))}
	prim := model.Node{Name: "primPath", Type: "path", Value: model.None{}, Spans: []model.Span{p.src.Span(p.before, 0)}}
	if p.tok.kind == usda.PathRef && (!p.tok.newLine || n.Brief == "") {
		prim.Spans = p.spans(p.tok)
		if prim.Value = p.path(arcPath); prim.Value == model.Value(model.Text("")) {
			prim.Value = model.Text("")
		} else if s, ok := prim.Value.(model.Text); ok {
			n.Brief += "<" + string(s) + ">"
		}
	} else {
		prim.Value = model.Text("")
	}
	data := model.Node{Name: "customData", Type: "dictionary", Brief: plural(0, "entry", "entries")}
	at = p.before
	hasData := &data
	if n.Type == "Payload" {
		hasData = nil
	}
	offset := model.Node{Name: "layerOffset", Type: "LayerOffset", Value: p.layerOffset(hasData)}
	offset.Spans = []model.Span{p.src.Span(at, p.before-at)}
	parts := []model.Node{asset, prim, offset}
	if n.Type == "Reference" {
		parts = append(parts, data)
	}
	n.Children = model.NewList(parts...)
	return n
}

// finish gives n the type and children of the complete list op.
func (op *listOp) finish(n *model.Node) {
	n.Type, n.Spans, n.Problems = op.typ, op.spans, op.problems
	if n.Name == "payload" && op.explicit && op.payload(n) {
		return
	}
	bits, lists := uint64(0), []model.Node{}
	if op.explicit {
		bits = 1
	}
	for _, l := range listOrder {
		list, ok := op.lists[l.name]
		if !ok {
			continue
		}
		bits |= 1 << l.bit
		lists = append(lists, list)
		if n.Brief != "" {
			n.Brief += ", "
		}
		n.Brief += plural(int64(op.counts[l.name]), l.name, l.name)
	}
	if len(lists) == 0 && op.explicit {
		n.Brief = "explicit, empty"
	}
	all := model.Node{Name: "bits", Type: "u8", Elements: true, Value: model.Flags(bits, bitNames)}
	var parts []model.Node
	for i, name := range bitNames {
		parts = append(parts, model.Node{Name: name, Type: "bit", Value: model.Bool(bits>>i&1 == 1)})
	}
	all.Children = model.NewList(parts...)
	n.Children = model.NewList(append([]model.Node{all}, lists...)...)
}

// payload makes n a single payload if possible, as crates do.
func (op *listOp) payload(n *model.Node) bool {
	if op.counts["explicit"] != 1 || !strings.HasPrefix(op.single.Brief, "@") {
		return false
	}
	n.Type, n.Brief, n.Children, n.Problems = "Payload", op.single.Brief, op.single.Children, append(op.problems, op.single.Problems...)
	return true
}

func elementsOf(element string, values []model.Value) *model.Elements {
	return &model.Elements{Type: element, Count: int64(len(values)), Make: func(_ context.Context, i int64) (model.Value, error) {
		return values[i], nil
	}}
}
