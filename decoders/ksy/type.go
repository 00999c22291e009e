package ksy

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/expr"
)

// A typeReader makes the types of a module from its nodes.
type typeReader struct {
	*loader
	module *Module
}

var (
	typeKeys = []string{"meta", "doc", "doc-ref", "to-string", "params", "seq", "types", "instances", "enums"}
	metaKeys = []string{"id", "title", "application", "file-extension", "xref", "license", "tags", "ks-version", "ks-debug",
		"ks-opaque-types", "ks-zero-copy-substream", "imports", "encoding", "endian", "bit-endian"}
	paramKeys      = []string{"id", "type", "doc", "doc-ref", "enum"}
	enumMemberKeys = []string{"id", "doc", "doc-ref"}
	versionPattern = regexp.MustCompile(`^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8}))?$`)
)

func (r *typeReader) isMap(n *node) bool {
	if n.kind != mapNode {
		r.report.atNode(n, "a mapping (key: value) should be here, not %v", n.kind)
	}
	return n.kind == mapNode
}

func (r *typeReader) isList(n *node) bool {
	if n.kind != listNode || len(n.items) == 0 && n.text != "" {
		r.report.atNode(n, "a list should be here, not %v", n.kind)
		return false
	}
	return true
}

// text returns the value of a scalar, as written.
func (r *typeReader) text(n *node) (string, bool) {
	ok := n.kind != nullNode && n.kind != listNode && n.kind != mapNode
	if !ok {
		r.report.atNode(n, "text should be here, not %v", n.kind)
	}
	return n.text, ok
}

// optionalText returns the text of an optional key.
func (r *typeReader) optionalText(n *node) string {
	if n == nil {
		return ""
	}
	text, _ := r.text(n)
	return text
}

func (r *typeReader) boolean(n *node, otherwise bool) bool {
	if n == nil {
		return otherwise
	}
	if n.kind != boolNode {
		r.report.atNode(n, "true or false should be here")
		return otherwise
	}
	return n.text == "true"
}

// texts returns the elements of a text or list of texts.
func (r *typeReader) texts(n *node) (out []string) {
	if n == nil || n.kind == nullNode {
		return nil
	}
	items := []*node{n}
	if n.kind == listNode {
		items = n.items
	}
	for _, item := range items {
		if text, ok := r.text(item); ok {
			out = append(out, text)
		}
	}
	return out
}

// keys reports unknown keys of a mapping.
func (r *typeReader) keys(n *node, what string, allowed []string) {
	for _, item := range n.items {
		if !slices.Contains(allowed, item.name) && !strings.HasPrefix(item.name, "-") {
			keys := map[string]bool{}
			for _, key := range allowed {
				keys[key] = true
			}
			hint := meant(&r.report, item.name, keys)
			if hint == "" {
				hint = "; there are " + strings.Join(slices.Sorted(maps.Keys(keys)), ", ")
			}
			r.report.atKey(item, "%s has no key %q%s", what, item.name, hint)
		}
	}
}

// expr parses a scalar as an expression. It returns nil if n is missing or invalid.
func (r *typeReader) expr(n *node) *expr.Expr {
	switch {
	case n == nil:
		return nil
	case n.kind == nullNode || n.kind == listNode || n.kind == mapNode:
		r.report.atNode(n, "an expression should be here, not %v", n.kind)
		return nil
	}
	e, err := expr.Parse(n.text, expr.Kaitai, n)
	if err != nil {
		r.report.atText(n, err.Offset, "%s", err.Message)
		return nil
	}
	return e
}

// isID reports whether a name is well formed.
func (r *typeReader) isID(n *node, id, what string) bool {
	ok := expr.IsID(id)
	if !ok {
		r.report.atNode(n, expr.BadID, id, what)
	}
	return ok
}

// keyID is like isID, for the name in a key.
func (r *typeReader) keyID(n *node, what string) bool {
	ok := expr.IsID(n.name)
	if !ok {
		r.report.atKey(n, expr.BadID, n.name, what)
	}
	return ok
}

func (r *typeReader) place(n *node) Place {
	line, column := n.keyPlace()
	return Place{Module: r.module, Path: n.path(), Line: line, Column: column}
}

func (r *typeReader) doc(n *node) Doc {
	return Doc{Text: strings.Join(r.texts(n.get("doc")), "\n"), Refs: r.texts(n.get("doc-ref"))}
}

// top returns the type of a module, or nil if its root is unusable.
func (r *typeReader) top(root *node) *Type {
	if !r.isMap(root) {
		return nil
	}
	meta := root.get("meta")
	name := ""
	switch {
	case meta == nil:
		r.report.add(Finding{Schema: root.file.name, Path: "/meta", Line: root.line, Column: root.column,
			Message: `"meta" is missing, with an "id" in it for the name of what is described`})
	case meta.kind != mapNode:
		r.isMap(meta)
	case meta.get("id") == nil:
		r.report.atKey(meta, `"id" is missing here: the name of what is described`)
	default:
		if id, ok := r.text(meta.get("id")); ok && r.isID(meta.get("id"), id, "a description") {
			name = id
		}
	}
	return r.typ(root, name, nil, 0)
}

// typ returns the type of a node, with its inner types.
func (r *typeReader) typ(n *node, name string, outer *Type, depth int) *Type {
	t := &Type{Name: name, Place: r.place(n), Outer: outer, node: n, members: map[string]*Field{}, types: map[string]*Type{},
		enums: map[string]*Enum{}, used: map[*Type]bool{}}
	if n.kind == nullNode && outer != nil { // a name followed by nothing
		n.kind = mapNode
	}
	if !r.isMap(n) {
		return t
	}
	if depth > maxNesting {
		r.report.atNode(n, "types in each other go deeper than %d", maxNesting)
		return t
	}
	r.keys(n, "a type", typeKeys)
	t.Doc = r.doc(n)
	if outer != nil {
		t.Meta = Meta{Encoding: outer.Meta.Encoding, Endian: outer.Meta.Endian, BitEndian: outer.Meta.BitEndian,
			OpaqueTypes: outer.Meta.OpaqueTypes}
	} else {
		t.Meta.BitEndian = Big
	}
	if meta := n.get("meta"); meta != nil && (outer == nil && meta.kind == mapNode || outer != nil && r.isMap(meta)) {
		r.meta(t, meta)
	}
	t.ToString = r.expr(n.get("to-string"))
	for _, item := range r.items(n.get("types"), mapNode) {
		if r.keyID(item, "a type") {
			inner := r.typ(item, item.name, t, depth+1)
			t.Types = append(t.Types, inner)
			t.types[inner.Name] = inner
		}
	}
	for _, item := range r.items(n.get("enums"), mapNode) {
		if r.keyID(item, "an enum") {
			e := r.enum(item, t)
			t.Enums = append(t.Enums, e)
			t.enums[e.Name] = e
		}
	}
	r.fields(t, n)
	return t
}

// items returns those of an optional list or mapping.
func (r *typeReader) items(n *node, kind nodeKind) []*node {
	if n == nil || kind == mapNode && !r.isMap(n) || kind == listNode && !r.isList(n) {
		return nil
	}
	return n.items
}

func (r *typeReader) fields(t *Type, n *node) {
	for i, item := range r.items(n.get("params"), listNode) {
		if r.isMap(item) {
			t.Params = append(t.Params, r.param(t, item, i))
		}
	}
	for i, item := range r.items(n.get("seq"), listNode) {
		if r.isMap(item) {
			t.Seq = append(t.Seq, r.seqField(t, item, i))
		}
	}
	for _, item := range r.items(n.get("instances"), mapNode) {
		if r.keyID(item, "an instance") && r.isMap(item) {
			t.Instances = append(t.Instances, r.instance(t, item, len(t.Instances)))
		}
	}
}

// declare gives a field its name, which must be unique in the type.
func (r *typeReader) declare(t *Type, f *Field, at *node) {
	if before := t.members[f.ID]; before != nil {
		message := "the name %q is taken already, by %s"
		if at.key != nil && f.Role >= RoleInstance {
			r.report.atKey(at, message, f.ID, before.Place.Path)
		} else {
			r.report.atNode(at, message, f.ID, before.Place.Path)
		}
		return
	}
	t.members[f.ID] = f
}

func (r *typeReader) meta(t *Type, n *node) {
	r.keys(n, "meta", metaKeys)
	m := &t.Meta
	m.ID, m.Title, m.License = t.Name, r.optionalText(n.get("title")), r.optionalText(n.get("license"))
	m.Application, m.FileExtension, m.Tags = r.texts(n.get("application")), r.texts(n.get("file-extension")), r.texts(n.get("tags"))
	if xref := n.get("xref"); xref != nil && r.isMap(xref) {
		m.Xref = map[string][]string{}
		for _, item := range xref.items {
			if item.kind != mapNode {
				m.Xref[item.name] = r.texts(item)
			}
		}
	}
	m.Debug, m.OpaqueTypes = r.boolean(n.get("ks-debug"), false), r.boolean(n.get("ks-opaque-types"), m.OpaqueTypes)
	r.boolean(n.get("ks-zero-copy-substream"), false)
	if version := n.get("ks-version"); version != nil {
		r.version(version)
	}
	if encoding := n.get("encoding"); encoding != nil {
		m.Encoding = r.encodingName(encoding)
	}
	if endian := n.get("endian"); endian != nil {
		m.Endian = r.endian(t, endian)
	}
	if bits := n.get("bit-endian"); bits != nil {
		if m.BitEndian = orders[bits.text]; m.BitEndian == NoOrder {
			r.report.atNode(bits, "the order of bits is le or be, not %q", bits.text)
			m.BitEndian = Big
		}
	}
}

var orders = map[string]Order{"le": Little, "be": Big}

// endian reads le, be or a switch.
func (r *typeReader) endian(t *Type, n *node) *Endian {
	e := &Endian{Order: orders[n.text], Owner: t}
	if n.kind != mapNode {
		if e.Order == NoOrder {
			r.report.atNode(n, "the byte order is le, be or a mapping with switch-on and cases")
		}
		return e
	}
	e.Order = Switched
	r.keys(n, "a switched byte order", []string{"switch-on", "cases"})
	cases := r.switchParts(n)
	e.On = r.expr(n.get("switch-on"))
	for _, item := range cases {
		order := orders[item.text]
		if order == NoOrder {
			r.report.atNode(item, "the byte order of a case is le or be")
		}
		e.Cases = append(e.Cases, EndianCase{Key: r.caseKey(item), Order: order})
	}
	return e
}

// switchParts returns the cases of a switch, and reports missing keys.
func (r *typeReader) switchParts(n *node) []*node {
	for _, key := range []string{"switch-on", "cases"} {
		if n.get(key) == nil {
			r.report.atKey(n, "%q is missing in this switch", key)
		}
	}
	cases := n.get("cases")
	if cases == nil || n.get("switch-on") == nil || !r.isMap(cases) {
		return nil
	}
	for _, item := range cases.items {
		if item.key.kind == listNode || item.key.kind == mapNode {
			r.report.atNode(cases, "the key of a case can't be %v; put an expression in quotes", item.key.kind)
			return nil
		}
	}
	return cases.items
}

// caseKey returns the expression in a case's key, or nil for "_".
func (r *typeReader) caseKey(item *node) *expr.Expr {
	if item.name == "_" {
		return nil
	}
	key := *item.key
	key.parent, key.name, key.key = item.parent, item.name, item.key
	return r.expr(&key)
}

// version checks meta/ks-version. YAML may have read it as a number: 0.10 as 0.1.
func (r *typeReader) version(n *node) {
	text, hint := n.text, ""
	if value, err := strconv.ParseFloat(text, 64); n.kind == floatNode && err == nil {
		text = strconv.FormatFloat(value, 'f', -1, 64)
		if text != n.text {
			hint = "; YAML takes " + n.text + " for the number " + text + ", so put it in quotes"
		}
	}
	switch {
	case !versionPattern.MatchString(text):
		r.report.atNode(n, "%q is no version: write two or three numbers, such as %s", text, newestVersion)
	case compareVersions(text, newestVersion) > 0:
		r.report.atNode(n, "version %s of the language is asked for; this program knows it up to %s", text, newestVersion)
	case compareVersions(text, oldestVersion) < 0:
		r.report.atNode(n, "the oldest version that can be asked for is %s, not %s%s", oldestVersion, text, hint)
	}
}

// compareVersions compares the first two numbers. Fixes do not change the language.
func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range 2 {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m - n
		}
	}
	return 0
}

// enum reads values with names, or with mappings of name and documentation.
func (r *typeReader) enum(n *node, owner *Type) *Enum {
	e := &Enum{Name: n.name, Owner: owner, Place: r.place(n), byName: map[string]*EnumMember{}}
	if !r.isMap(n) {
		return e
	}
	values := map[string]bool{}
	for _, item := range n.items {
		value, ok := intLiteral(item.key)
		if !ok {
			r.report.atKey(item, "the key of an enum's member is the integer it names, not %q", item.name)
			continue
		}
		if values[value.String()] {
			r.report.atKey(item, "the value %s has a name already", value)
		}
		values[value.String()] = true
		member := &EnumMember{Value: value, Place: r.place(item)}
		id := item
		if item.kind == mapNode {
			r.keys(item, "an enum's member", enumMemberKeys)
			member.Doc = r.doc(item)
			if id = item.get("id"); id == nil {
				r.report.atKey(item, `"id" is missing here: the name of the member`)
				continue
			}
		}
		if member.Name, ok = r.text(id); !ok || !r.isID(id, member.Name, "an enum's member") {
			continue
		}
		if before := e.byName[member.Name]; before != nil {
			r.report.atNode(id, "the name %q is taken already, by %s", member.Name, before.Place.Path)
			continue
		}
		e.byName[member.Name] = member
		e.Members = append(e.Members, member)
	}
	return e
}

// intLiteral returns the integer in a YAML node.
func intLiteral(n *node) (*big.Int, bool) {
	if n.kind != intNode && n.kind != textNode {
		return nil, false
	}
	return new(big.Int).SetString(strings.ReplaceAll(n.text, "_", ""), 0)
}
