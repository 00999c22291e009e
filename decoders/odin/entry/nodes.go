package entry

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A nodesForm reads the Nodes list of Unity YAML (chapter 11.2): items with Name, Entry and Data.
type nodesForm struct{}

// itemWindow is the number of bytes that are read at once for one item.
const itemWindow = 512

func (nodesForm) encoding() string { return EncodingNodes }

// nodeKinds are the kinds by their numbers in Entry.
var nodeKinds = [...]kind.Kind{
	kind.Invalid, kind.String, kind.GUID, kind.Integer, kind.FloatingPoint, kind.Boolean, kind.Null, kind.StructNode, kind.EndOfNode, kind.InternalReference, kind.ExternalByIndex,
	kind.ExternalByGUID, kind.Array, kind.EndOfArray, kind.PrimitiveArray, kind.EndOfStream, kind.ExternalByString,
}

// A nodeField is a field of an item: its key with blanks and colon, and its value, which may continue over lines.
type nodeField struct {
	key      string
	from, to int64 // of the value
	text     string
}

// A nodeItem is one item of the list.
type nodeItem struct {
	name, entry, data nodeField
	kind              kind.Kind
	end               int64
	lines             []textio.Line // whole lines of the item
}

// readItem reads the item at an offset, up to the next one, or returns false if there is none. keep keeps its lines.
func readItem(w *textio.Window, at int64, keep bool, it *nodeItem) bool {
	*it = nodeItem{lines: it.lines[:0]}
	l := textio.Lines{Window: w, Pos: at}
	var field *nodeField
	column := 0 // of the first line's key
	for {
		save := l.Pos
		n, ok := l.Next()
		if !ok {
			it.end = save
			break
		}
		indent, item, key, valueAt := n.Key()
		if save == at {
			column = indent
		} else if item && indent == column { // deeper, the dash belongs to a text
			it.end = save
			break
		}
		if keep {
			it.lines = append(it.lines, n)
		}
		next := it.field(key)
		if next == nil || next.key != "" {
			it.fold(w, field, &n)
			continue
		}
		field = next
		*field = nodeField{key: key, from: valueAt, to: n.End, text: w.Text(valueAt, n.End)}
	}
	k, err := strconv.Atoi(it.entry.value())
	if err == nil && k >= 0 && k < len(nodeKinds) {
		it.kind = nodeKinds[k]
	}
	if it.kind == kind.StructNode && it.isReference() {
		it.kind = kind.ReferenceNode
	}
	return it.end > at
}

// field returns the field with a key, or nil if items have none.
func (it *nodeItem) field(key string) *nodeField {
	switch key {
	case "Name":
		return &it.name
	case "Entry":
		return &it.entry
	case "Data":
		return &it.data
	}
	return nil
}

// fold adds a line to the value that continues.
func (it *nodeItem) fold(w *textio.Window, f *nodeField, n *textio.Line) {
	if f == nil {
		return
	}
	text := strings.TrimSpace(w.Text(n.Off, n.End))
	switch {
	case text == "":
		f.text += "\n"
	case f.text == "" || strings.HasSuffix(f.text, "\n"):
		f.text += text
	default:
		f.text += " " + text
	}
	if f.from == f.to {
		f.from = n.Off
	}
	f.to = n.End
}

// value returns the scalar of a field without its YAML quotes.
func (f *nodeField) value() string { return textio.Unquote(f.text) }

// isReference reports whether the Data of a StartOfNode is that of a reference node: an id, alone or before a bar.
func (it *nodeItem) isReference() bool {
	id, _, _ := strings.Cut(it.data.value(), "|")
	_, err := strconv.ParseInt(id, 10, 64)
	return err == nil
}

// head reads the head of an entry.
func (nodesForm) head(p *heads, h *Head) bool {
	it := &p.item
	if !readItem(p.w, h.off, false, it) || it.kind == kind.Invalid {
		return false
	}
	h.end, h.Kind = it.end, it.kind
	switch h.Kind {
	case kind.ReferenceNode, kind.StructNode:
		if h.Node, h.typeName = it.nodeStart(); h.typeName == "" {
			h.Tag = kind.UnnamedNull
		}
	case kind.InternalReference:
		h.Ref, _ = strconv.ParseInt(it.data.value(), 10, 64)
	}
	return true
}

// isByteArray reports whether a node's primitive array is all in one item.
func isByteArray(typ string) bool {
	t, ok := dotnet.Parse(typ)
	return ok && t.Full == "System.Byte" && len(t.Ranks) == 1
}

// nodeStart returns the id and the type of a node.
func (it *nodeItem) nodeStart() (id int64, name string) {
	data := it.data.value()
	if it.kind != kind.ReferenceNode {
		return NoNode, data
	}
	number, name, _ := strings.Cut(data, "|")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id < 0 {
		return NoNode, name
	}
	return id, name
}

// decode reads the entry at an offset.
func (nodesForm) decode(ctx context.Context, s *Stream, i, off, length int64) Entry {
	var it nodeItem
	readItem(textio.NewWindow(ctx, s.src, off+length, itemWindow), off, false, &it)
	e := Entry{Kind: it.kind, Word: it.kind.String(), Node: NoNode, Announced: -1}
	if e.Name = it.name.value(); e.Name != "" {
		e.Named = true
	}
	at := s.src.Span(it.data.from, max(it.data.to-it.data.from, 0))
	data := it.data.value()
	switch it.kind {
	case kind.ReferenceNode, kind.StructNode:
		e.Node, e.Type.Name = it.nodeStart()
		e.Type.Defined = e.Type.Name != ""
		if !e.Type.Defined {
			e.Type.Tag = kind.UnnamedNull
		}
	case kind.Array:
		e.Announced, _ = strconv.ParseInt(data, 10, 64)
	case kind.PrimitiveArray:
		e.Data = at
		if s.IsArray(i) {
			e.Announced, _ = strconv.ParseInt(data, 10, 64)
		} else {
			e.Value, e.Count, e.Size = model.Text(data), int64(len(data)/2), 1
		}
	case kind.GUID, kind.ExternalByGUID:
		e.Value = model.Text(hyphenated(data))
	case kind.EndOfNode, kind.EndOfArray, kind.EndOfStream, kind.Invalid:
	default:
		e.Value = jsonValue(it.kind, data)
		if v, ok := e.Value.(model.Int); ok {
			e.Ref = int64(v)
		}
	}
	return e
}

// valueSpan returns the characters of Data.
func (nodesForm) valueSpan(ctx context.Context, s *Stream, off, length int64) model.Span {
	var it nodeItem
	readItem(textio.NewWindow(ctx, s.src, off+length, itemWindow), off, false, &it)
	return s.src.Span(it.data.from, max(it.data.to-it.data.from, 0))
}

// hyphenated writes 32 hex digits in groups, as GUIDs are written.
func hyphenated(s string) string {
	if len(s) != 32 {
		return s
	}
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// nameOf returns the name of the entry at an offset, or false if it has none.
func (nodesForm) nameOf(ctx context.Context, s *Stream, off, length int64) (string, bool) {
	var it nodeItem
	readItem(textio.NewWindow(ctx, s.src, off+length, itemWindow), off, false, &it)
	name := it.name.value()
	return name, name != ""
}

// fields returns the fields of an item.
func (nodesForm) fields(ctx context.Context, s *Stream, i, off, length int64) model.Children {
	e := s.Entry(ctx, i)
	nodes := itemNodes(ctx, s.src, off, off+length)
	if len(nodes) == 0 { // the context has ended
		return model.NewList()
	}
	last := &nodes[len(nodes)-1]
	for _, name := range []string{"Name", "Entry", "Data"} {
		if !slices.ContainsFunc(nodes, func(n model.Node) bool { return n.Name == name }) {
			last.Problems = append(last.Problems, model.Problemf(model.Truncated, ruleNodesField, last.Spans[0], "an item of the list has no %s", name))
		}
	}
	for k := range nodes {
		n := &nodes[k]
		if n.Name != "Data" {
			continue
		}
		add := problemAdder(n)
		switch e.Kind {
		case kind.InternalReference, kind.ExternalByIndex, kind.Integer, kind.FloatingPoint:
			checkValue(ctx, s, n, &e, add)
		case kind.ReferenceNode:
			add(s.nodeFault(i, e.Node))
		case kind.Boolean:
			add(model.Problemf(model.Suspicious, ruleBoolean, model.Span{}, "the truth value is neither true nor false").
				Want("true or false", n.Brief), n.Brief != "true" && n.Brief != "false")
		}
	}
	return model.NewList(nodes...)
}

// itemNodes tiles an item with its lines: Name, Entry and Data, folded lines under their field.
func itemNodes(ctx context.Context, src *model.Source, off, end int64) []model.Node {
	var it nodeItem
	readItem(textio.NewWindow(ctx, src, end, itemWindow), off, true, &it)
	var nodes []model.Node
	at := off
	for _, n := range it.lines {
		_, _, key, _ := n.Key()
		span := src.Span(at, n.Next-at)
		if k := len(nodes) - 1; k >= 0 && (it.field(key) == nil || nodes[k].Name == key) {
			nodes[k].Spans[0].Len = n.Next - nodes[k].Spans[0].Off
		} else {
			nodes = append(nodes, model.Node{Name: key, Type: "field", Spans: []model.Span{span}})
		}
		at = n.Next
	}
	for k := range nodes {
		n := &nodes[k]
		n.Value = textio.Value(ctx, n.Spans[0])
		if f := it.field(n.Name); f != nil {
			n.Help = map[string]string{"Name": "the member's name; empty: unnamed", "Entry": "kind of the entry", "Data": "its value as text"}[n.Name]
			n.Brief = f.value()
		}
		if n.Name == "Entry" && it.kind != kind.Invalid {
			n.Brief = it.kind.String()
		}
	}
	return nodes
}

// rest returns the nodes after the last entry.
func (nodesForm) rest(ctx context.Context, s *Stream, off int64) []model.Node {
	if off >= s.end {
		return nil
	}
	at := s.src.Span(off, s.end-off)
	var it nodeItem
	readItem(textio.NewWindow(ctx, s.src, s.end, itemWindow), off, false, &it)
	return []model.Node{{Name: restName, Type: "text", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at},
		Problems: []model.Problem{model.Problemf(model.Malformed, ruleNodesEntry, at, "an item of the list has no valid Entry; the list cannot be followed further").
			Want("a number from 1 to 16", strconv.Quote(it.entry.value()))}}}
}
