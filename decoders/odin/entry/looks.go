package entry

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// The Go functions that records.go names.

const maxName = 512 // bytes that are read of a text longer than textio.MaxBytes

// integer returns a number, or 0 if the value is none.
func integer(v grammar.Value) int64 {
	n, _ := v.Int()
	return n
}

// where returns the stream and the number of the entry that is read, or MaxEntries for one that the scan did not add.
func where(s grammar.Scope) (*Stream, int64) {
	return s.Env().(*Stream), integer(s.Object().Root().Arg(0))
}

// textOf returns the text of a string, which is cut if it is long.
func textOf(s grammar.Scope, v grammar.Value) string {
	o := v.Object()
	if o == nil || !o.OK() {
		return ""
	}
	in := s.In(o)
	at, more := in.Span(o.Record().Field("characters")), ""
	if at.Len > textio.MaxBytes {
		at.Len, more = maxName, "…"
	}
	b, err := at.Source.Bytes(s.Reading().Context(), at.Off, at.Len)
	if err != nil {
		return ""
	}
	return dotnet.DecodeText(b, in.Number("flag") != 0) + more
}

// showValue shows the text of a string, a decimal as a number, and the bits of a float that is none.
func showValue(s grammar.Scope, it grammar.Value, n *model.Node) {
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
	o := it.Object()
	if o == nil || !o.OK() {
		return
	}
	ctx := s.Reading().Context()
	if characters := o.Record().Lookup("characters"); characters != nil {
		if s.In(o).Span(characters).Len <= textio.MaxBytes {
			n.Brief = model.Show(ctx, model.Text(textOf(s, it)), 60)
		}
	} else if b, err := n.Span().Source.Bytes(ctx, n.Span().Off, n.Span().Len); err == nil {
		n.Brief = dotnet.DecimalText(b)
	}
}

// showReference links an internal reference to its node.
func showReference(s grammar.Scope, it grammar.Value, n *model.Node) {
	st, i := where(s)
	if kind.Codes[s.Number("id")].Kind != kind.InternalReference {
		return
	}
	if target, ok := st.target(s.Reading().Context(), i, integer(it)); ok {
		n.Refs = st.nodeRef(target, fmt.Sprintf("node %d", integer(it)))
	}
}

// showTypeID links the use of a type to its definition.
func showTypeID(s grammar.Scope, it grammar.Value, n *model.Node) {
	st, i := where(s)
	if s.Number("tag") != kind.TypeID {
		return
	}
	if name, ok := st.typeName(s.Reading().Context(), int32(integer(it)), i); ok {
		n.Brief = dotnet.Readable(name)
		n.Refs = st.definitionRef(i, int32(integer(it)), name)
	}
}

// objectText returns the object that an external reference by index means, in words.
func objectText(ctx context.Context, doc any, index int64) string {
	if s := doc.(*Stream); s.opt.Externals != nil && s.opt.Externals.Whole {
		return s.ObjectText(ctx, index)
	}
	return ""
}

// objectRefs links to the object that an external reference by index means.
func objectRefs(ctx context.Context, doc any, index int64, _ string) []model.Ref {
	if s := doc.(*Stream); s.opt.Externals != nil && s.opt.Externals.Whole {
		return s.ObjectRefs(ctx, index)
	}
	return nil
}

// elementKind returns the kind of elements that the node around a primitive array declares.
func elementKind(s grammar.Scope, _ []grammar.Value) grammar.Value {
	st, i := where(s)
	return grammar.IntValue(int64(st.declaredKind(s.Reading().Context(), i)))
}
