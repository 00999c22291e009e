package ksy

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"cutaway/decoders/expr"
)

var (
	readKeys     = []string{"doc", "doc-ref", "if", "type", "terminator", "consume", "include", "eos-error", "repeat", "valid", "enum"}
	repeatKeys   = []string{"repeat-expr", "repeat-until"}
	bytesKeys    = []string{"size", "size-eos", "pad-right", "parent", "process"}
	strKeys      = []string{"size", "size-eos", "pad-right", "encoding"}
	placeKeys    = []string{"id", "pos", "io"} // an instance's id is its key; another is ignored
	valueKeys    = []string{"doc", "doc-ref", "enum", "if", "value"}
	validKeys    = []string{"eq", "min", "max", "any-of", "expr", "in-enum"}
	processArgs  = map[string]int{"xor": 1, "rol": 1, "ror": 1, "zlib": 0}
	allFieldKeys = slices.Concat([]string{"contents"}, readKeys, repeatKeys, bytesKeys, strKeys)
)

func (r *typeReader) newField(t *Type, n *node, role Role, slot int) *Field {
	return &Field{Role: role, Slot: slot, Owner: t, Place: r.place(n), Doc: r.doc(n), node: n, PadRight: -1, Consume: true, EOSError: true}
}

// identify reads the id of a param or of a field of the sequence.
func (r *typeReader) identify(t *Type, f *Field, what string) {
	id := f.node.get("id")
	if id == nil {
		return
	}
	name, ok := r.text(id)
	if f.broken = !ok || !r.isID(id, name, what); !f.broken {
		f.ID = name
		r.declare(t, f, id)
	}
}

func (r *typeReader) param(t *Type, n *node, slot int) *Field {
	f := r.newField(t, n, RoleParam, slot)
	r.keys(n, "a param", paramKeys)
	if n.get("id") == nil {
		r.report.atNode(n, `"id" is missing here: the name of the param`)
	}
	r.identify(t, f, "a param")
	if at := n.get("type"); at != nil {
		if _, ok := r.text(at); ok {
			ref, err := expr.ParseTypeRef(at.text, at)
			if err != nil {
				r.report.atText(at, err.Offset, "%s", err.Message)
			} else {
				f.typeRef = ref
			}
		}
	} else {
		f.Type = expr.BytesType
	}
	f.enumName = r.enumName(n.get("enum"))
	return f
}

func (r *typeReader) seqField(t *Type, n *node, slot int) *Field {
	f := r.newField(t, n, RoleSeq, slot)
	if r.identify(t, f, "a field"); !f.broken {
		r.reading(f, []string{"id"})
	}
	return f
}

func (r *typeReader) instance(t *Type, n *node, slot int) *Field {
	f := r.newField(t, n, RoleInstance, slot)
	f.ID = n.name
	value := n.get("value")
	if value == nil {
		r.declare(t, f, n)
		f.Pos, f.IO = r.expr(n.get("pos")), r.expr(n.get("io"))
		r.reading(f, placeKeys)
		return f
	}
	f.Role = RoleValue
	r.declare(t, f, n)
	for _, item := range n.items {
		known := slices.Contains(allFieldKeys, item.name) || slices.Contains(placeKeys, item.name)
		if known && !slices.Contains(valueKeys, item.name) {
			r.report.atKey(item, "an instance with a value is computed, not read, so it has no %q", item.name)
		}
	}
	r.keys(n, "an instance with a value", slices.Concat(allFieldKeys, placeKeys, valueKeys))
	f.Value, f.If, f.enumName = r.expr(value), r.expr(n.get("if")), r.enumName(n.get("enum"))
	return f
}

func (r *typeReader) enumName(n *node) *expr.Path {
	if n == nil {
		return nil
	}
	if _, ok := r.text(n); !ok {
		return nil
	}
	ref, err := expr.ParseTypeRef(n.text, n)
	if err == nil && ref.Array {
		err = &expr.Error{Message: "the name of an enum should be here"}
	}
	if err != nil {
		r.report.atText(n, err.Offset, "%s", err.Message)
		return nil
	}
	return ref.Path
}

// reading reads the keys of a field that is read; own are the keys that only this kind of field has.
func (r *typeReader) reading(f *Field, own []string) {
	n := f.node
	errors := r.report.errors
	r.keys(n, "a field", slices.Concat(own, allFieldKeys))
	f.broken = r.report.errors > errors
	defer func() { f.broken = r.report.errors > errors }()
	f.If, f.Size = r.expr(n.get("if")), r.expr(n.get("size"))
	f.SizeEOS, f.Include = r.boolean(n.get("size-eos"), false), r.boolean(n.get("include"), false)
	f.Consume, f.EOSError = r.boolean(n.get("consume"), true), r.boolean(n.get("eos-error"), true)
	if term := r.byteValue(n.get("terminator")); term >= 0 {
		f.Term = []byte{byte(term)}
	}
	f.PadRight = r.byteValue(n.get("pad-right"))
	if f.enumName = r.enumName(n.get("enum")); n.get("encoding") != nil {
		f.encoding = r.encodingName(n.get("encoding"))
	}
	r.parentKey(f, n.get("parent"))
	r.process(f, n.get("process"))
	r.contents(f, n.get("contents"))
	r.valid(f, n.get("valid"))
	legal := slices.Concat(own, readKeys, r.readType(f), r.repeat(f))
	for _, item := range n.items {
		if slices.Contains(allFieldKeys, item.name) && !slices.Contains(legal, item.name) {
			r.misplaced(f, item)
		}
	}
}

// misplaced reports a key that other fields may have, but not this one.
func (r *typeReader) misplaced(f *Field, item *node) {
	switch {
	case slices.Contains(repeatKeys, item.name):
		r.report.atKey(item, `%q goes only with "repeat: %s"`, item.name, item.name[len("repeat-"):])
	case f.Switch != nil:
		r.report.atKey(item, "%q does not go with a switched type", item.name)
	default:
		r.report.atKey(item, "%q does not go with the type %q", item.name, f.node.get("type").scalar())
	}
}

func (n *node) scalar() string {
	if n == nil {
		return "bytes"
	}
	return n.text
}

// byteValue returns an integer from 0 to 255, or -1 if it is missing or invalid.
func (r *typeReader) byteValue(n *node) int {
	if n == nil {
		return -1
	}
	value, ok := intLiteral(n)
	if !ok || value.Sign() < 0 || value.Cmp(big.NewInt(255)) > 0 {
		r.report.atNode(n, "an integer from 0 to 255 should be here, not %q", expr.Excerpt(n.text))
		return -1
	}
	return int(value.Int64())
}

func (r *typeReader) parentKey(f *Field, n *node) {
	if n == nil {
		return
	}
	if f.NoParent = n.kind == boolNode && n.text == "false"; !f.NoParent {
		f.ParentOf = r.expr(n)
	}
}

func (r *typeReader) process(f *Field, n *node) {
	if n == nil {
		return
	}
	if _, ok := r.text(n); !ok {
		return
	}
	process, err := expr.ParseProcess(n.text, n)
	if err != nil {
		r.report.atText(n, err.Offset, "%s", err.Message)
		return
	}
	f.Process = &Process{process.Name, process.Args}
	if want, known := processArgs[process.Name]; known && len(process.Args) != want {
		r.report.atNode(n, "the process %q takes %s; %d given", process.Name, plural(want, "argument"), len(process.Args))
	}
}

// contents reads the contents key: text, or a list of bytes and texts.
func (r *typeReader) contents(f *Field, n *node) {
	if n == nil {
		return
	}
	if n.kind == textNode {
		f.Contents = []byte(n.text)
		return
	}
	if n.kind != listNode {
		r.report.atNode(n, "contents are text or a list of bytes and texts")
		return
	}
	f.Contents = []byte{}
	for _, item := range n.items {
		if item.kind == textNode {
			if value, ok := intLiteral(item); !ok || value.BitLen() > 8 || value.Sign() < 0 {
				f.Contents = append(f.Contents, item.text...)
				continue
			}
		}
		if value := r.byteValue(item); value >= 0 {
			f.Contents = append(f.Contents, byte(value))
		}
	}
}

func (r *typeReader) valid(f *Field, n *node) {
	if n == nil {
		return
	}
	if f.Contents != nil {
		r.report.atKey(n, `"contents" is a check itself; "valid" can't go with it`)
		return
	}
	f.Valid = &Valid{}
	if n.kind != mapNode {
		f.Valid.Eq = r.expr(n)
		return
	}
	r.keys(n, "valid", validKeys)
	v := f.Valid
	v.Eq, v.Min, v.Max, v.Expr = r.expr(n.get("eq")), r.expr(n.get("min")), r.expr(n.get("max")), r.expr(n.get("expr"))
	for _, item := range r.items(n.get("any-of"), listNode) {
		v.AnyOf = append(v.AnyOf, r.expr(item))
	}
	if in := n.get("in-enum"); in != nil {
		v.InEnum = r.boolean(in, true)
		switch {
		case !v.InEnum:
			r.report.atNode(in, `"in-enum" can only be true; leave it out where any value will do`)
		case f.node.get("enum") == nil:
			r.report.atNode(in, `"in-enum" needs an "enum" on the field`)
		}
	}
	r.oneForm(n)
}

// oneForm reports a second condition; only min and max go together.
func (r *typeReader) oneForm(n *node) {
	forms := 0
	for _, item := range n.items {
		if slices.Contains(validKeys, item.name) && (item.name != "max" || n.get("min") == nil) {
			if forms++; forms == 2 {
				r.report.atKey(item, `"valid" takes one condition, or min and max; join others in an "expr" by "and"`)
			}
		}
	}
	if forms == 0 {
		r.report.atNode(n, `"valid" says no condition; there are %s`, strings.Join(validKeys, ", "))
	}
}

// repeat reads the repetition of a field, and returns its keys.
func (r *typeReader) repeat(f *Field) []string {
	n := f.node.get("repeat")
	if n == nil {
		return nil
	}
	switch n.text {
	case "eos":
		f.Repeat = RepeatEOS
		return nil
	case "expr", "until":
		f.Repeat = map[string]Repeat{"expr": RepeatExpr, "until": RepeatUntil}[n.text]
		key := "repeat-" + n.text
		condition := f.node.get(key)
		if condition == nil {
			r.report.atNode(n, `"repeat: %s" needs a %q beside it`, n.text, key)
			return repeatKeys
		}
		f.RepeatExpr = r.expr(condition)
		return []string{key}
	}
	r.report.atNode(n, "what is repeated is repeated until eos, by expr or until, not %q", expr.Excerpt(n.text))
	return repeatKeys
}

// readType reads the type of a field, and returns the keys that go with the type.
func (r *typeReader) readType(f *Field) []string {
	n := f.node.get("type")
	switch {
	case n == nil:
		f.Use = r.use(f, f.node, "")
		return append([]string{"contents"}, bytesKeys...)
	case n.kind == mapNode:
		r.switched(f, n)
		return slices.Concat(bytesKeys, strKeys)
	case n.kind != textNode:
		r.report.atNode(n, "the name of a type or a mapping with switch-on and cases should be here, not %v", n.kind)
		return slices.Concat(bytesKeys, strKeys)
	}
	f.Use = r.use(f, n, n.text)
	switch f.Use.Form {
	case FormBytes:
		return append([]string{"contents"}, bytesKeys...)
	case FormUser:
		return bytesKeys
	case FormStr:
		return strKeys
	}
	return nil
}

func (r *typeReader) switched(f *Field, n *node) {
	r.keys(n, "a switched type", []string{"switch-on", "cases"})
	f.Switch = &Switch{}
	cases := r.switchParts(n)
	f.Switch.On = r.expr(n.get("switch-on"))
	for _, item := range cases {
		text := ""
		if item.kind != nullNode {
			var ok bool
			if text, ok = r.text(item); !ok {
				continue
			}
		}
		f.Switch.Cases = append(f.Switch.Cases, SwitchCase{Key: r.caseKey(item), Use: r.use(f, item, text)})
	}
}

// use parses the type text of a field; "" is bytes. Findings are reported at n.
func (r *typeReader) use(f *Field, n *node, text string) *Use {
	u, ok := builtin(text)
	u.node = n
	switch {
	case ok:
		r.order(f, &u)
	case text == "", text == "bytes":
		u.Form = FormBytes
	case text == "str", text == "strz":
		u.Form, u.Encoding = FormStr, f.encoding
		if u.Encoding == "" {
			u.Encoding = f.Owner.Meta.Encoding
		}
		if u.Encoding == "" && f.node.get("encoding") == nil && !r.hasEncoding(f.Owner) {
			at := n
			if f.Switch == nil {
				at = f.node
			}
			r.report.atKey(at, `a string needs an encoding, here or in "meta"`)
		}
	default:
		parsed, err := expr.ParseUse(n.text, n)
		if err != nil {
			r.report.atText(n, err.Offset, "%s", err.Message)
		}
		u.Form, u.name, u.Args = FormUser, parsed.Path, parsed.Args
	}
	if u.Term = f.Term; text == "strz" && u.Term == nil {
		u.Term = bytes.Repeat([]byte{0}, unitSize(u.Encoding))
	}
	r.extent(f, &u)
	return &u
}

// hasEncoding reports whether a type or an outer one names an encoding, even an unknown one.
func (r *typeReader) hasEncoding(t *Type) bool {
	for ; t != nil; t = t.Outer {
		if t.node.get("meta").get("encoding") != nil {
			return true
		}
	}
	return false
}

// order fills in the default byte or bit order.
func (r *typeReader) order(f *Field, u *Use) {
	switch {
	case u.Form == FormBits:
		if u.Width < 1 || u.Width > maxBitWidth {
			r.report.atNode(u.node, "a bit field has 1 to %d bits, not %d", maxBitWidth, u.Width)
		}
		if u.Order == NoOrder {
			u.Order = f.Owner.Meta.BitEndian
		}
	case u.Width > 1 && u.Order == NoOrder:
		if f.Owner.Meta.Endian == nil {
			r.report.atNode(u.node, `the order of the bytes is not said: write %q or %q here, or "endian" in "meta"`,
				u.node.text+"le", u.node.text+"be")
			return
		}
		u.Order = f.Owner.Meta.Endian.Order
	}
}

// extent reports a field whose end is undefined, or defined twice.
func (r *typeReader) extent(f *Field, u *Use) {
	sized := f.node.get("size") != nil || f.SizeEOS || u.Term != nil || f.node.get("terminator") != nil || f.broken // a key misspelt
	switch {
	case f.node.get("size") != nil && f.SizeEOS:
		r.report.atKey(f.node.get("size-eos"), `"size" and "size-eos" can't go together`)
	case (u.Form == FormBytes || u.Form == FormStr) && !sized && f.Contents == nil && f.node.get("contents") == nil:
		r.report.atKey(f.node, `nothing says where this ends: "size", "size-eos: true", "terminator" or, for bytes, "contents"`)
	case u.Form == FormUser && !sized && f.node.get("process") != nil:
		r.report.atKey(f.node.get("process"), `"process" needs to know the bytes: "size", "size-eos: true" or "terminator"`)
	}
}
