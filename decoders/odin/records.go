package odin

import (
	"encoding/binary"
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The entries of the binary form, each told once (chapters 2 to 6): the engine measures them for the scan, takes their
// values for the views, makes the nodes of the layout and checks them by the million. What only the stream knows, such
// as the ids and types of the entries before, faults.go checks for all forms.

// maxText is how many bytes of a text are held in memory; longer ones are shown as bytes.
const maxText = 1 << 20

// The fields of a string (chapter 3).
var (
	textFlag = grammar.F("flag", grammar.U8, "how wide characters are; 0: 8 bits (Latin-1); else 16 bits (UTF-16)").
			Expect(ruleStringFlag, grammar.AtMost(1), "0 or 1", "the width flag is neither 0 nor 1; readers take it for 1")
	textCount = grammar.F("count", grammar.I32, "characters; of UTF-16, code units").
			Check(ruleStringCount, grammar.AtLeast(0), "0 or more", "the string has a negative length").OrStop()
	textChars = grammar.F("characters", charsOf(), "").Sized(grammar.Calc(textBytes))

	text = grammar.NewRecord("string", textFlag, textCount, textChars)
)

func charsOf() grammar.Type {
	of := func(name string, wide bool) grammar.Type {
		return grammar.Text(name, func(b []byte) (string, error) { return decodeText(b, wide), nil })
	}
	t := grammar.Cases(grammar.Ref("flag"), map[int64]grammar.Type{0: of("latin-1", false)}, of("utf-16", true))
	t.Display = "bytes"
	return t
}

// textBytes is the length of the characters.
func textBytes(s grammar.Scope) int64 {
	n := s.Int(textCount)
	if s.Int(textFlag) != 0 {
		n *= 2
	}
	return n
}

func textField(name, help string) *grammar.Field {
	return grammar.F(name, text, help).Shown(func(s grammar.Scope, v grammar.Value, n *model.Node) {
		if o := v.Object(); o != nil && o.OK() && textBytes(s.In(o)) <= maxText {
			n.Brief = model.Show(s.Reading().Context(), model.Text(textOf(s, v)), 60)
		}
	})
}

// maxName is how many bytes are read of a text that is longer than maxText.
const maxName = 512

// textOf reads a string; a long one is cut.
func textOf(s grammar.Scope, v grammar.Value) string {
	o := v.Object()
	if o == nil || !o.OK() {
		return ""
	}
	n, more := textBytes(s.In(o)), ""
	from := o.End() - n
	if n > maxText {
		n, more = maxName, "…"
	}
	b, err := o.Stream().Source.Bytes(s.Reading().Context(), from, n)
	if err != nil {
		return ""
	}
	return decodeText(b, s.In(o).Int(textFlag) != 0) + more
}

// The fields of a type entry (chapter 4).
var (
	typeTag = grammar.F("tag", grammar.U8, "TypeName defines a type id, TypeID uses one, UnnamedNull stands for no type").
		NamedBy(func(_ grammar.Scope, n int64) string { return tagNames[n] }).
		CheckBy(grammar.Check{Rule: ruleTypeTag, Expected: "TypeName (0x2f), TypeID (0x30) or UnnamedNull (0x2e)", Found: foundID,
			OK:      func(_ grammar.Scope, v grammar.Value) bool { return tagNames[integer(v)] != "" },
			Message: "the node's type has an unknown tag; the stream cannot be followed further"}).OrStop().
		Shown(func(_ grammar.Scope, v grammar.Value, n *model.Node) {
			if tagNames[integer(v)] == "" {
				n.Value = model.Uint(integer(v))
			}
		})
	typeID = grammar.F("type id", grammar.I32, "").If(grammar.NotEqual(grammar.Ref("tag"), grammar.Const(idNull))).
		CheckBy(grammar.Check{Find: findTypeFault}).Shown(showTypeID)
	typeName = textField("type name", "the .NET name").If(grammar.Equal(grammar.Ref("tag"), grammar.Const(idTypeName)))

	typeEntry = grammar.NewRecord("type entry", typeTag, typeID, typeName)
)

var tagNames = map[int64]string{idNull: "UnnamedNull", idTypeName: "TypeName", idTypeID: "TypeID"}

// integer is a number; 0 where a value is none.
func integer(v grammar.Value) int64 {
	n, _ := v.Int()
	return n
}

// foundID names an id byte for a message.
func foundID(_ grammar.Scope, v grammar.Value) string {
	if name := reservedName(byte(integer(v))); name != "" {
		return fmt.Sprintf("%#02x (%s)", integer(v), name)
	}
	return fmt.Sprintf("%#02x", integer(v))
}

// where is the stream and the number of the entry that is looked at; maxEntries: one that the scan did not take.
func where(s grammar.Scope) (*stream, int64) {
	return s.Env().(*stream), integer(s.Object().Root().Arg(0))
}

// findTypeFault is what the stream says of a type id.
func findTypeFault(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	if s.Int(typeTag) == idTypeName && i < maxEntries {
		if p, bad := st.orderFault(i, integer(v)); bad {
			return p, bad
		}
	}
	return st.typeFault(i, byte(s.Int(typeTag)), int32(integer(v)))
}

// showTypeID links the use of a type with its definition.
func showTypeID(s grammar.Scope, v grammar.Value, n *model.Node) {
	n.Help = "a type that an earlier node defines"
	st, i := where(s)
	if s.Int(typeTag) == idTypeName {
		n.Help = "the number that later nodes use for this type"
	} else if name, ok := st.typeName(s.Reading().Context(), int32(integer(v)), i); ok {
		n.Brief = readable(name)
		n.Refs = st.definitionRef(i, int32(integer(v)), name)
	}
}

// idField is the id of an entry.
func idField(k kind, name string) *grammar.Field {
	f := grammar.F("id", grammar.U8, "kind of the entry").NamedBy(func(grammar.Scope, int64) string { return name })
	if k == kEndStream {
		f.CheckBy(grammar.Check{Rule: ruleEndOfStream, Kind: model.Suspicious, OK: func(grammar.Scope, grammar.Value) bool { return false },
			Expected: "the end of the bytes", Found: func(grammar.Scope, grammar.Value) string { return "an EndOfStream entry" },
			Message: "no known writer writes this entry"})
	}
	return f
}

// notAnEntry is a byte that no entry begins with.
var notAnEntry = grammar.NewRecord("not an entry", grammar.F("id", grammar.U8, "kind of the entry").
	NamedBy(func(_ grammar.Scope, n int64) string { return reservedName(byte(n)) }).
	CheckBy(grammar.Check{Find: func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		if id := integer(v); id == idTypeName || id == idTypeID {
			return model.Problemf(model.Malformed, ruleTypeEntry, model.Span{},
				"a type entry is where an entry is expected; the stream cannot be followed further").Want("the id of an entry", foundID(s, v)), true
		}
		return model.Problemf(model.Malformed, ruleInvalidID, model.Span{}, "no entry has this id; the stream cannot be followed further").
			Want("an id of 1 to 46 or 49 to 51", foundID(s, v)), true
	}}).OrStop())

// contentOf are the fields of an entry after its id and name.
func contentOf(k kind) []*grammar.Field {
	help := kinds[k].help
	switch k {
	case kRefNode:
		return []*grammar.Field{typeField(), grammar.F("node id", grammar.I32,
			"references inside the stream name the node by this number; a negative one cannot be referred to").CheckBy(ofStream((*stream).nodeFault))}
	case kStructNode:
		return []*grammar.Field{typeField()}
	case kPrimitives:
		return primitiveFields(kInvalid)
	case kString, kExternalString:
		return []*grammar.Field{textField("value", help)}
	case kInternal:
		return []*grammar.Field{grammar.F("node id", kinds[k].of, help).CheckBy(grammar.Check{Find: findReferenceFault}).Shown(showReference)}
	case kExternalIndex:
		return []*grammar.Field{grammar.F("index", kinds[k].of, help).CheckBy(ofStream((*stream).indexFault)).Shown(showIndex)}
	case kArray:
		return []*grammar.Field{grammar.F("length", kinds[k].of, help).CheckBy(ofStream((*stream).lengthFault))}
	case kDecimal:
		return []*grammar.Field{grammar.F("value", decimalParts, help).Shown(func(s grammar.Scope, v grammar.Value, n *model.Node) {
			if b, err := n.Span().Source.Bytes(s.Reading().Context(), n.Span().Off, n.Span().Len); err == nil && v.Object().OK() {
				n.Brief = decimalText(b)
			}
		})}
	}
	of := kinds[k].of
	if of == nil {
		return nil
	}
	f := grammar.F("value", of, help)
	switch k {
	case kBoolean:
		f.Expect(ruleBoolean, grammar.AtMost(1), "0 or 1", "the truth value is neither 0 nor 1; readers take it for false")
	case kFloat, kDouble:
		f.Shown(showNaN)
	}
	return []*grammar.Field{f}
}

func typeField() *grammar.Field { return grammar.F("type", typeEntry, "the node's .NET type") }

// ofStream is a rule of a number that a function of the stream knows.
func ofStream(fault func(s *stream, i, v int64) (model.Problem, bool)) grammar.Check {
	return grammar.Check{Find: func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		st, i := where(s)
		return fault(st, i, integer(v))
	}}
}

// decimalParts is a .NET decimal (chapter 6).
var decimalParts = grammar.NewRecord("decimal",
	grammar.F("flags", grammar.U32, "bit 31: sign; bits 16 to 23: scale, 0 to 28; the others are 0").
		CheckBy(grammar.Check{Rule: ruleDecimal, Kind: model.Suspicious, Expected: "scale 0 to 28, other bits 0", Message: "these are no flags of a decimal",
			OK: func(_ grammar.Scope, v grammar.Value) bool {
				return integer(v)&^0x80ff0000 == 0 && integer(v)>>16&0xff <= 28
			},
			Found: func(_ grammar.Scope, v grammar.Value) string { return fmt.Sprintf("%#08x", integer(v)) }}),
	grammar.F("high", grammar.U32, "bits 64 to 95 of the magnitude"),
	grammar.F("low", grammar.U32, "bits 0 to 31 of the magnitude"),
	grammar.F("middle", grammar.U32, "bits 32 to 63 of the magnitude"),
)

// showNaN shows the bits of what is not a number.
func showNaN(_ grammar.Scope, _ grammar.Value, n *model.Node) {
	switch v := n.Value.(type) {
	case model.Float32:
		if v != v {
			n.Brief = fmt.Sprintf("bits %x", binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))))
		}
	case model.Float64:
		if v != v {
			n.Brief = fmt.Sprintf("bits %x", binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(v))))
		}
	}
}

// findReferenceFault looks for the node that an internal reference names.
func findReferenceFault(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	return st.referenceFault(s.Reading().Context(), i, integer(v))
}

func showReference(s grammar.Scope, v grammar.Value, n *model.Node) {
	st, i := where(s)
	if target, ok := st.target(s.Reading().Context(), i, integer(v)); ok {
		n.Refs = st.nodeRef(target, fmt.Sprintf("node %d", integer(v)))
	}
}

func showIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	st, _ := where(s)
	if o, ok := st.external(integer(v)); ok && st.carrier.listed {
		n.Brief = o.text
		n.Refs = o.refs
	}
}

// The fields of a primitive array (chapter 5), whose elements are numbers of one kind by the type of the node around it.
var primitives = func() map[kind]*grammar.Record {
	m := map[kind]*grammar.Record{}
	for k, is := range kinds {
		if is.net != "" {
			m[kind(k)] = grammar.NewRecord(kinds[kPrimitives].name, append([]*grammar.Field{idField(kPrimitives, kinds[kPrimitives].name)}, primitiveFields(kind(k))...)...)
		}
	}
	return m
}()

func primitiveFields(k kind) []*grammar.Field {
	total := grammar.Times(grammar.Ref("count"), grammar.Ref("size"))
	count := grammar.F("count", grammar.I32, "elements").
		Check(rulePrimitiveCount, grammar.AtLeast(0), "0 or more", "the array has a negative number of elements")
	size := grammar.F("size", grammar.I32, "bytes of an element")
	size.Check(rulePrimitiveSize, grammar.AtLeast(0), "1, 2, 4, 8 or 16", "the elements have a negative size").
		Expect(rulePrimitiveSize, func(s grammar.Scope, v grammar.Value) bool {
			n := integer(v)
			return n < 0 || s.Int(count) < 0 || n > 0 && n <= 16 && n&(n-1) == 0
		}, "1, 2, 4, 8 or 16", "no element type has this size").
		StopIf(grammar.When(func(s grammar.Scope) bool { return s.Int(count) < 0 || s.Int(size) < 0 }))
	elements := grammar.F("elements", grammar.Raw, "the type of the elements is not known").CheckBy(grammar.Check{Find: findElementFault}).Sized(total)
	if k != kInvalid {
		elements = grammar.F("elements", kinds[k].of.Named(kinds[k].keyword), "").Times(grammar.Ref("count"))
		if k == kBoolean {
			elements.Help = kinds[k].help
		}
	}
	return []*grammar.Field{count, size, elements.If(grammar.NotEqual(total, grammar.Const(0)))}
}

// findElementFault compares elements that are not known with what the node around them says.
func findElementFault(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	k, size := st.declaredKind(s.Reading().Context(), i), s.Int(s.Object().Record().Field("size"))
	if k == kInvalid || kinds[k].of.Size() == size {
		return model.Problem{}, false
	}
	return model.Problemf(model.Suspicious, rulePrimitiveType, model.Span{}, "the elements do not fit the type of the node around them").
		Want(fmt.Sprintf("elements of %d bytes, as %s has", kinds[k].of.Size(), kinds[k].keyword), fmt.Sprintf("elements of %d bytes", size)), true
}
