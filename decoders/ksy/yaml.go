package ksy

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A nodeKind is the kind of a YAML node.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	intNode
	floatNode
	textNode
	listNode
	mapNode
)

var nodeKindNames = [...]string{"nothing", "a boolean", "an integer", "a number", "text", "a list", "a mapping"}

func (k nodeKind) String() string { return nodeKindNames[k] }

// A file is the text of a module and the offsets of its lines.
type file struct {
	name  string
	text  string
	lines []int
}

func newFile(name, text string) *file {
	f := &file{name: name, text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// offset returns the offset of a line and column.
func (f *file) offset(line, column int) int {
	if line < 1 || line > len(f.lines) {
		return len(f.text)
	}
	at := f.lines[line-1]
	for ; column > 1 && at < len(f.text) && f.text[at] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(f.text[at:])
		at += size
	}
	return at
}

// A node is a YAML value. The children of a mapping are named by keys, those of a list by indices.
type node struct {
	file   *file
	parent *node
	name   string
	key    *node // nil in lists
	kind   nodeKind
	text   string // the value of a scalar; if it is no text, as written
	line   int
	column int
	items  []*node
}

// path returns /key/index/key from the root, which is /.
func (n *node) path() string {
	if n.parent == nil {
		return "/"
	}
	var parts []string
	for ; n.parent != nil; n = n.parent {
		parts = append(parts, n.name)
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString("/" + parts[i])
	}
	return b.String()
}

func (n *node) keyPlace() (line, column int) {
	if n.key == nil {
		return n.line, n.column
	}
	return n.key.line, n.key.column
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if n == nil || n.kind != mapNode {
		return nil
	}
	for _, item := range n.items {
		if item.name == key {
			return item
		}
	}
	return nil
}

// placeOf returns the line and column of a byte of a scalar's value. It follows value and text in parallel, over
// quotes, escapes and folded blanks.
func (n *node) placeOf(offset int) (line, column int) {
	at := n.file.offset(n.line, n.column)
	text := n.file.text
	quote := byte(0)
	if at < len(text) && n.kind == textNode {
		switch text[at] {
		case '\'', '"':
			quote = text[at]
			at++
		case '|', '>':
			at = n.file.offset(n.line+1, 1)
		}
	}
	for i := 0; i < min(offset, len(n.text)) && at < len(text); {
		at = skipBlanks(text, at, n.text[i])
		step := escapeLength(text[at:], quote, n.text[i])
		_, size := utf8.DecodeRuneInString(n.text[i:])
		at, i = min(at+max(step, size), len(text)), i+size
	}
	if offset < len(n.text) {
		at = skipBlanks(text, at, n.text[offset])
	}
	return n.file.place(at)
}

// skipBlanks skips blanks of the text before a byte of the value that is none.
func skipBlanks(text string, at int, next byte) int {
	if next == ' ' || next == '\n' {
		return at
	}
	for at < len(text)-1 && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r') {
		at++
	}
	return at
}

// escapeLength returns the length of the escape that text begins with, or 0 if none stands for the byte b.
func escapeLength(text string, quote, b byte) int {
	if len(text) < 2 || quote == 0 {
		return 0
	}
	if quote == '\'' && b == '\'' {
		return 2
	}
	if quote == '"' && text[0] == '\\' {
		return max(map[byte]int{'x': 4, 'u': 6, 'U': 10}[text[1]], 2)
	}
	return 0
}

// place returns the line and column of a byte of the file.
func (f *file) place(at int) (line, column int) {
	low, high := 0, len(f.lines)
	for high-low > 1 {
		if middle := (low + high) / 2; f.lines[middle] <= at {
			low = middle
		} else {
			high = middle
		}
	}
	return low + 1, utf8.RuneCountInString(f.text[f.lines[low]:at]) + 1
}

// A yamlReader makes nodes from the syntax tree of the YAML library.
type yamlReader struct {
	file     *file
	count    int
	anchors  map[string]ast.Node
	open     map[string]bool // anchors whose aliases are being expanded
	listKeys map[[2]int]bool // line and column of lists that are keys
}

// A yamlError is a syntax error, or YAML that is not supported.
type yamlError struct {
	line, column int
	message      string
}

func (e *yamlError) Error() string { return e.message }

// readYAML returns the root of the only document in a text.
func readYAML(f *file) (root *node, failed *yamlError) {
	defer func() {
		if p := recover(); p != nil { // a fault of the library costs this description, not the program
			root, failed = nil, &yamlError{1, 1, fmt.Sprintf("the text can't be read as YAML: %v", p)}
		}
	}()
	if len(f.text) > maxText {
		return nil, &yamlError{1, 1, fmt.Sprintf("the text has %d bytes; at most %d are read", len(f.text), maxText)}
	}
	if at := firstInvalid(f.text); at >= 0 {
		line, column := f.place(at)
		return nil, &yamlError{line, column, "the text is not UTF-8"}
	}
	r := &yamlReader{file: f, anchors: map[string]ast.Node{}, open: map[string]bool{}, listKeys: map[[2]int]bool{}}
	tokens, failed := r.tokens()
	if failed != nil {
		return nil, failed
	}
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, yamlSyntax(err)
	}
	var bodies []ast.Node
	for _, doc := range tree.Docs {
		if doc.Body != nil && doc.Body.Type() != ast.DirectiveType {
			bodies = append(bodies, doc.Body)
		}
	}
	if len(bodies) > 1 {
		position := bodies[1].GetToken().Position
		return nil, &yamlError{position.Line, position.Column, "a second YAML document begins; a description is one"}
	}
	if len(bodies) == 0 {
		return &node{file: f, line: 1, column: 1}, nil
	}
	return r.node(bodies[0], nil, "", 0)
}

func firstInvalid(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

func yamlSyntax(err error) *yamlError {
	var syntax yaml.Error
	if errors.As(err, &syntax) && syntax.GetToken() != nil && syntax.GetToken().Position != nil {
		position := syntax.GetToken().Position
		return &yamlError{position.Line, position.Column, "the YAML is broken here: " + syntax.GetMessage()}
	}
	return &yamlError{1, 1, "the YAML is broken: " + strings.SplitN(err.Error(), "\n", 2)[0]}
}

// tokens splits the text. It refuses nesting that would overflow the stack of the recursive parser (a block is never
// deeper than its column). Lists that are keys, which the library refuses without a position, are replaced with text.
func (r *yamlReader) tokens() (token.Tokens, *yamlError) {
	var out token.Tokens
	keys := map[int]int{} // by column, of open block mappings
	var starts []int      // of open flow lists and mappings
	for _, t := range lexer.Tokenize(r.file.text) {
		out = append(out, t)
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			starts = append(starts, len(out)-1)
		case token.SequenceEndType, token.MappingEndType:
			if len(starts) > 0 {
				out = r.listKey(out, starts[len(starts)-1])
				starts = starts[:len(starts)-1]
			}
		}
		if t.Type == token.MappingValueType && len(starts) == 0 && t.Prev != nil {
			column := t.Prev.Position.Column
			maps.DeleteFunc(keys, func(other, _ int) bool { return other > column })
			if keys[column]++; keys[column] > maxKeys {
				return nil, &yamlError{t.Position.Line, t.Position.Column, fmt.Sprintf("a mapping has more than %d keys", maxKeys)}
			}
		}
		if len(starts) > maxNesting || len(starts) == 0 && isBlock(t) && t.Position.Column > maxIndent {
			return nil, &yamlError{t.Position.Line, t.Position.Column,
				fmt.Sprintf("lists and mappings in each other go deeper than %d", maxNesting)}
		}
	}
	for i, t := range out {
		t.Prev, t.Next = nil, nil
		if i > 0 {
			t.Prev, out[i-1].Next = out[i-1], t
		}
	}
	return out, nil
}

func isBlock(t *token.Token) bool {
	return t.Type == token.SequenceEntryType || t.Type == token.MappingKeyType || t.Type == token.MappingValueType
}

// listKey replaces the list that the last token ends with text, if it is a key.
func (r *yamlReader) listKey(tokens token.Tokens, start int) token.Tokens {
	last := tokens[len(tokens)-1]
	if last.Type != token.SequenceEndType || last.Next == nil || last.Next.Type != token.MappingValueType {
		return tokens
	}
	p := tokens[start].Position
	from, to := r.file.offset(p.Line, p.Column), r.file.offset(last.Position.Line, last.Position.Column)+1
	text := r.file.text[min(from, to):min(to, len(r.file.text))]
	r.listKeys[[2]int{p.Line, p.Column}] = true
	return append(tokens[:start], token.String(text, text, p))
}

// node makes a node and its descendants.
func (r *yamlReader) node(n ast.Node, parent *node, name string, depth int) (*node, *yamlError) {
	out := &node{file: r.file, parent: parent, name: name, line: 1, column: 1}
	if n == nil {
		return out, nil
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		out.line, out.column = t.Position.Line, max(t.Position.Column, 1)
	}
	if r.count++; r.count > maxNodes {
		return nil, &yamlError{out.line, out.column, fmt.Sprintf("there are more than %d values, aliases counted each time", maxNodes)}
	}
	if depth > maxNesting {
		return nil, &yamlError{out.line, out.column, fmt.Sprintf("lists and mappings in each other go deeper than %d", maxNesting)}
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		return out, r.mapping(out, v.Values, !v.IsFlowStyle, depth)
	case *ast.MappingValueNode:
		return out, r.mapping(out, []*ast.MappingValueNode{v}, true, depth)
	case *ast.SequenceNode:
		out.kind = listNode
		for i, value := range v.Values {
			item, err := r.node(value, out, strconv.Itoa(i), depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
	case *ast.AnchorNode:
		r.anchors[v.Name.String()] = v.Value
		return r.node(v.Value, parent, name, depth+1)
	case *ast.AliasNode:
		return r.alias(v, parent, name, depth)
	case *ast.TagNode:
		return r.node(v.Value, parent, name, depth+1)
	default:
		r.scalar(out, n)
	}
	return out, nil
}

func (r *yamlReader) alias(v *ast.AliasNode, parent *node, name string, depth int) (*node, *yamlError) {
	anchor := v.Value.String()
	value, known := r.anchors[anchor]
	if !known || r.open[anchor] {
		p := v.GetToken().Position
		return nil, &yamlError{p.Line, p.Column, fmt.Sprintf("no value above has the anchor %q", anchor)}
	}
	r.open[anchor] = true
	defer delete(r.open, anchor)
	return r.node(value, parent, name, depth+1)
}

func (r *yamlReader) scalar(out *node, n ast.Node) {
	out.text = n.GetToken().Value
	switch v := n.(type) {
	case *ast.BoolNode:
		out.kind, out.text = boolNode, strings.ToLower(out.text)
	case *ast.IntegerNode:
		out.kind = intNode
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.kind = floatNode
	case *ast.StringNode:
		out.kind, out.text = textNode, v.Value
		if r.listKeys[[2]int{out.line, out.column}] {
			out.kind = listNode
		}
	case *ast.LiteralNode:
		out.kind, out.text = textNode, v.Value.Value
	default:
		out.kind, out.text = nullNode, ""
	}
}

// mapping reads pairs. Those of a merged mapping (<<) follow, without keys that are present. A block begins with its
// first key.
func (r *yamlReader) mapping(out *node, pairs []*ast.MappingValueNode, block bool, depth int) *yamlError {
	out.kind = mapNode
	has := map[string]bool{}
	var merged []*node
	for i, pair := range pairs {
		keyNode := ast.Node(pair.Key)
		if explicit, ok := keyNode.(*ast.MappingKeyNode); ok {
			keyNode = explicit.Value
		}
		key, err := r.node(keyNode, nil, "", depth+1)
		if err != nil {
			return err
		}
		if i == 0 && block {
			out.line, out.column = key.line, key.column
		}
		value, err := r.node(pair.Value, out, key.text, depth+1)
		if err != nil {
			return err
		}
		if pair.Key.IsMergeKey() {
			merged = append(merged, value)
			continue
		}
		value.key = key
		has[value.name] = true
		out.items = append(out.items, value)
	}
	for _, m := range merged {
		for _, item := range m.items {
			if item.key != nil && !has[item.name] {
				has[item.name] = true
				item.parent = out
				out.items = append(out.items, item)
			}
		}
	}
	return nil
}
