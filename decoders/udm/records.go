package udm

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// Names of fields that paths and other parts of the package lead through.
const (
	typeName    = "type"
	valuesName  = "values"
	keysName    = "keys"
	itemsName   = "items"
	dataName    = "data"
	countName   = "count"
	sizeName    = "size"
	headerName  = "header"
	itemName    = "valueType"
	textName    = "text"
	valueName   = "value"
	restName    = "rest"
	hiddenNames = "childNames" // of an element: *names
	hiddenShape = "shape"      // of a struct header: *shape
)

// A valueForm is how a value is written: a property has its type byte before it, an item of an array has none (chapter 4).
type valueForm struct {
	records [types.Count]*grammar.Record
	deep    [types.Count]*grammar.Record // of values below maxNesting: bytes
}

// The records of the binary form.
var (
	property, item valueForm
	unknownRecord  *grammar.Record // a property of a type that does not exist
	blobRecord     *grammar.Record // what a compressed blob gives
	arrayRecord    *grammar.Record // what a compressed array gives
	fileRecord     *grammar.Record
	shapeRecord    *grammar.Record
	typeOf         = map[*grammar.Record]types.ID{}
)

// init builds the records. They are in each other, so none can be made by its own declaration.
func init() {
	shapeRecord = newShapeRecord()
	for t := range types.Count {
		for _, f := range []*valueForm{&property, &item} {
			f.records[t] = &grammar.Record{Title: t.String()}
			f.deep[t] = &grammar.Record{Title: t.String()}
			typeOf[f.records[t]], typeOf[f.deep[t]] = t, t
		}
	}
	unknownRecord = &grammar.Record{Fields: []*grammar.Field{typeField(), grammar.F(restName, grammar.Raw, "bytes that cannot be decoded").
		ToEnd().Unknown().If(some).StopIf(grammar.When(func(grammar.Scope) bool { return true }))}}
	typeOf[unknownRecord] = types.Unknown
	blobRecord = &grammar.Record{Fields: []*grammar.Field{grammar.F("bytes", grammar.Raw, "any bytes").ToEnd().If(some)}}
	arrayRecord = newContentRecord()
	fileRecord = newFileRecord()
	all := []*grammar.Record{unknownRecord, blobRecord, arrayRecord, fileRecord}
	for t := range types.Count {
		describe(property.records[t], t, typeField())
		describe(item.records[t], t)
		property.deep[t].Fields = []*grammar.Field{typeField(), deepField(t)}
		item.deep[t].Fields = []*grammar.Field{deepField(t)}
		all = append(all, property.records[t], item.records[t], property.deep[t], item.deep[t])
	}
	for _, r := range all {
		if err := r.Build(); err != nil {
			panic(fmt.Sprintf("udm: record %s: %v", r.Title, err))
		}
	}
}

// describe sets the fields of a value of a type, after those before it (chapter 5).
func describe(r *grammar.Record, t types.ID, before ...*grammar.Field) {
	switch t {
	case types.String, types.Ref:
		r.Fields = append(before, stringFields()...)
	case types.UTF8:
		size := grammar.F(sizeName, grammar.U32, "bytes of the text")
		r.Fields = append(before, size, textField(size, size))
	case types.Blob:
		size := grammar.F(sizeName, grammar.U64, "bytes of the data")
		r.Fields = append(before, size,
			grammar.F(dataName, grammar.Raw, "any bytes").Sized(clamped(size)).If(nonZero(size)))
	case types.LZ4:
		in := grammar.F("compressedSize", grammar.U64, "bytes of the LZ4 block")
		want := grammar.F("uncompressedSize", grammar.U64, "bytes that the block gives")
		want.CheckBy(plausible(in, want))
		r.Fields = append(before, in, want, blockField(in))
	case types.Element:
		describeElement(r, before)
	case types.Array:
		describeArray(r, before)
	case types.ArrayLZ4:
		r.Fields = append(before, compressedArrayFields()...)
	case types.Struct:
		r.Fields = append(before, structFields()...)
	default:
		if r.Fields = before; t.Size() > 0 {
			r.Fields = append(r.Fields, fixedField(t))
		}
	}
}

// number is a field's unsigned number.
func number(s grammar.Scope, f *grammar.Field) uint64 {
	v, _ := s.Value(f)
	n, _ := v.Uint()
	return n
}

// clamp makes an unsigned number one that can be compared with offsets: too large ones stay too large.
func clamp(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// clamped is a field's number, clamped.
func clamped(f *grammar.Field) grammar.Expr {
	return grammar.Calc(func(s grammar.Scope) int64 { return clamp(number(s, f)) })
}

func nonZero(f *grammar.Field) grammar.Expr {
	return grammar.When(func(s grammar.Scope) bool { return number(s, f) > 0 })
}

// left is the number of bytes that follow where reading is.
func left(s grammar.Scope) int64 { return s.Object().Stream().Size() - s.Pos() }

// some holds where bytes are left.
var some = grammar.When(func(s grammar.Scope) bool { return left(s) > 0 })

// following is the number of bytes that follow a field, which was read.
func following(s grammar.Scope, f *grammar.Field) int64 {
	return s.Object().Stream().End - s.Span(f).End()
}

// present reports whether a field is there.
func present(s grammar.Scope, f *grammar.Field) bool {
	v, err := s.Value(f)
	return err == nil && v.Kind() != grammar.Null
}

// lastOf is the last of some fields of one record that is there; nil: none.
func lastOf(s grammar.Scope, fields ...*grammar.Field) *grammar.Field {
	for i := len(fields) - 1; i >= 0; i-- {
		if present(s, fields[i]) {
			return fields[i]
		}
	}
	return nil
}

// find makes a rule of a function.
func find(f func(s grammar.Scope, v grammar.Value) (model.Problem, bool)) grammar.Check {
	return grammar.Check{Find: f}
}

// short is the problem of something that needs more bytes than follow in the range of its record: bytes are missing
// where that is the end of the source, else the number is wrong.
func short(s grammar.Scope, rule string, at model.Span, format string, args ...any) model.Problem {
	kind := model.Malformed
	if in := s.Object().Stream(); in.End == in.Source.Size() {
		kind = model.Truncated
	}
	return model.Problemf(kind, rule, at, format, args...)
}

func follow(n int64) string {
	if n == 1 {
		return "1 byte follows"
	}
	return fmt.Sprintf("%d bytes follow", n)
}

// fits is the rule that what an element or array claims to have after its size is there.
func fits(size *grammar.Field, rule, what string) grammar.Check {
	return find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Uint()
		room := following(s, size)
		return short(s, rule, model.Span{}, "the %s claims %d bytes, but %s", what, n, follow(room)).
			WantAtMost(room, n), clamp(n) > room
	})
}

// symbol names a number as a type.
func symbol(_ grammar.Scope, n int64) string { return types.ID(n).String() }

func typeField() *grammar.Field {
	return grammar.F(typeName, grammar.U8, "the type of the value").NamedBy(symbol).
		CheckBy(find(func(_ grammar.Scope, v grammar.Value) (model.Problem, bool) {
			n, _ := v.Int()
			return model.Problemf(model.Malformed, ruleType, model.Span{},
				"there is no type %d, so the length of the value is not known", n).Want("0 to 35", n), !types.ID(n).Known()
		}))
}

// deepField is a value below the limit of nesting.
func deepField(t types.ID) *grammar.Field {
	f := grammar.F(restName, grammar.AsBytes(item.records[t]), "").Unknown()
	return f.CheckBy(find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
		o := s.Object()
		return nesting(o.Stream().Source.Span(o.Start(), s.Span(f).End()-o.Start())), true
	}))
}

func nesting(at model.Span) model.Problem {
	return model.Problemf(model.Limit, ascii.RuleNesting, at,
		"elements and arrays are nested more than %d levels deep, which is as far as Cutaway follows", types.MaxNesting).
		Want(fmt.Sprintf("at most %d levels", types.MaxNesting), "more")
}

// pick is the record of a value of a type in the record that is being read.
func (f *valueForm) pick(s grammar.Scope, t types.ID) (grammar.Type, error) {
	switch {
	case !t.Known():
		return unknownRecord, nil
	case s.Env().(*valueContext).depth+s.Object().Depth()+1 > types.MaxNesting:
		return f.deep[t], nil
	}
	return f.records[t], nil
}

// propertyType is a property: its first byte says its type.
func propertyType() grammar.Type {
	return &grammar.Switch{Display: "property", On: grammar.Const(0), Pick: func(s grammar.Scope, _ grammar.Value) (grammar.Type, error) {
		t, in := types.Unknown, s.Object().Stream()
		if b := s.Reading().Window(in.Source, in.Start+s.Pos(), 1); b != nil {
			t = types.ID(b[0])
		}
		return property.pick(s, t)
	}}
}

// fixedField is a value of a fixed-size type.
func fixedField(t types.ID) *grammar.Field {
	if t == types.Bool {
		return grammar.F(valueName, grammar.U8.As(t.String(), func(n uint64) model.Value { return model.Bool(n != 0) }), t.Help()).
			Expect(ruleBool, grammar.AtMost(1), "0 or 1", "a bool is neither 0 nor 1; it is read as true")
	}
	return grammar.F(valueName, grammar.Fixed(types.Title(t), t.Size(), t.Value), t.Help()).
		Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
			if at := n.Span(); hidesBits(n.Value) {
				n.Brief = fmt.Sprintf("% x", s.Reading().Window(at.Source, at.Off, at.Len)[:at.Len])
			}
		})
}

// textField is a text of as many bytes as one of two fields says: the second where it is there.
func textField(length, long *grammar.Field) *grammar.Field {
	n := func(s grammar.Scope) int64 {
		if long != length && present(s, long) {
			return s.Int(long)
		}
		return s.Int(length)
	}
	return grammar.F(textName, grammar.UTF8, "no terminator; usually UTF-8").Sized(grammar.Calc(n)).
		If(grammar.When(func(s grammar.Scope) bool { return n(s) > 0 }))
}

// stringFields are those of a string or ref (5.1).
func stringFields() []*grammar.Field {
	length := grammar.F("length", grammar.U8, "bytes of the text, or 255: a longer length follows")
	long := grammar.F("longLength", grammar.U32, "bytes of the text").
		If(grammar.Equal(grammar.Ref("length"), grammar.Const(math.MaxUint8))).
		Expect(ruleStringLong, grammar.AtLeast(math.MaxUint8), "255 or more", "a length that one byte can hold takes four")
	return []*grammar.Field{length, long, textField(length, long)}
}

// elementFields are the fields of an element (5.5): all keys, then all values.
type elementFields struct{ size, count, keys, values, rest, names *grammar.Field }

// describeElement describes an element.
func describeElement(r *grammar.Record, before []*grammar.Field) {
	e := &elementFields{
		size:  grammar.F(sizeName, grammar.U64, "bytes of the element after this field"),
		count: grammar.F(countName, grammar.U32, "how many children"),
	}
	e.describeKeys()
	e.values = grammar.F(valuesName, propertyType(), "the children, in the order of the keys").
		TimesShort(grammar.Ref(countName), grammar.WithCut).
		If(grammar.When(func(s grammar.Scope) bool { return s.Int(e.count) > 0 && e.hasKeys(s) && left(s) > 0 })).
		Shown(showProperty)
	e.values.Repeat.Names = func(s grammar.Scope) grammar.Names { return elementNames{namesIn(s, e.names)} }
	e.rest = grammar.F(restName, grammar.Raw, "bytes after the last child").ToEnd().Unknown().If(some).
		Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
			if !e.hasKeys(s) {
				n.Help = "what is left of the key table"
			}
		})
	e.size.CheckBy(fits(e.size, ruleElementSize, "element"))
	e.count.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Int()
		room := following(s, e.count)
		return short(s, ruleElementCount, model.Span{}, "the element counts %d children of at least 2 bytes, but %s", n, follow(room)).
			WantAtMost(room/2, n), n > room/2
	})).CheckBy(e.lacking(e.count))
	e.keys.Repeat.Checks = []grammar.Check{e.lacking(e.keys)}
	e.values.Repeat.Checks = []grammar.Check{e.lacking(e.values)}
	e.rest.CheckBy(e.lacking(e.rest)).CheckBy(gap(ruleElementGap, "the element is larger than its children", func(s grammar.Scope) bool {
		return known(s, e.values) == s.Int(e.count) && clamp(number(s, e.size)) <= following(s, e.size)
	}))
	r.SizedBy = sizeName
	r.Fields = append(before, e.size, e.count, e.keys, e.values, e.rest, e.names)
}

// describeKeys sets the key table, and the names that it gives the children.
func (e *elementFields) describeKeys() {
	length := grammar.F("length", grammar.U8, "bytes of the key; 255 means 255")
	key := &grammar.Record{Title: "key", Fields: []*grammar.Field{length, textField(length, length)}}
	e.keys = grammar.F(keysName, key, "the names of all children, before all values").
		TimesShort(grammar.Ref(countName), grammar.WithoutCut).
		If(grammar.When(func(s grammar.Scope) bool { return s.Int(e.count) > 0 && hasKey(s) }))
	e.names = &grammar.Field{Name: hiddenNames, Hidden: true, Computed: namesOf(e.keys, key)}
	e.keys.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		i, x := v.Object().Index(), namesIn(s, e.names)
		if !x.repeats(i) {
			return model.Problem{}, false
		}
		return model.Problemf(model.Suspicious, ruleDuplicateKey, model.Span{},
			"an earlier child has the same key; the engine takes the last of them").Want("a key of its own", x.key(s.Reading().Context(), i)), true
	})).Shown(showKey)
}

// known is how many elements of a list were found.
func known(s grammar.Scope, f *grammar.Field) int64 {
	if v, _ := s.Value(f); v.List() != nil {
		return v.List().Known()
	}
	return 0
}

// hasKeys reports whether all keys are there.
func (e *elementFields) hasKeys(s grammar.Scope) bool { return known(s, e.keys) == s.Int(e.count) }

// lacking is the rule that all children are there; the last field that is there tells it.
func (e *elementFields) lacking(f *grammar.Field) grammar.Check {
	return find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
		n, k, v := s.Int(e.count), known(s, e.keys), known(s, e.values)
		at := s.Object().Stream().Source.Span(s.Span(f).End(), 0)
		switch {
		case v == n || lastOf(s, e.count, e.keys, e.values, e.rest) != f:
			return model.Problem{}, false
		case k < n:
			if f == e.rest {
				at = s.Span(e.rest)
			}
			return short(s, ruleElementKeys, at, "the key table ends after %d of %d keys", k, n).Want(n, k), true
		}
		return short(s, ruleElementValues, at, "%d of %d children are missing", n-v, n).Want(n, v), true
	})
}

// hasKey reports whether the bytes hold the key where reading is.
func hasKey(s grammar.Scope) bool {
	in := s.Object().Stream()
	b := s.Reading().Window(in.Source, in.Start+s.Pos(), 1)
	return left(s) > 0 && b != nil && int64(b[0]) < left(s)
}

// gap is the rule that nothing is left of an element, array or block, where its size is right.
func gap(rule, message string, sound func(s grammar.Scope) bool) grammar.Check {
	return find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		return model.Problemf(model.Suspicious, rule, model.Span{}, "%s", message).
			Want("none", model.Counted(v.Blob().Len(), "byte")), sound(s)
	})
}

// namesOf makes the names of an element's children out of their keys.
func namesOf(keys *grammar.Field, key *grammar.Record) grammar.Expr {
	return grammar.Func(func(s grammar.Scope) (grammar.Value, error) {
		v, _ := s.Value(keys)
		list, o := v.List(), s.Object()
		if list == nil {
			return grammar.GoValue(&names{}), nil
		}
		text := func(s grammar.Scope, i int64) string {
			v, _ := list.At(s, i)
			k := v.Object()
			if k == nil {
				return ""
			}
			defer k.Release(s.Reading())
			at := s.In(k).Span(key.Field(textName))
			if at.Len == 0 {
				return ""
			}
			b := s.Reading().Window(at.Source, at.Off, at.Len)
			return string(b[:min(at.Len, int64(len(b)))])
		}
		hashes := make([]uint64, list.Known())
		for i := range hashes {
			if hashes[i] = types.HashOf(text(s, int64(i))); i&4095 == 4095 && s.Reading().Context().Err() != nil {
				return grammar.Value{}, s.Reading().Context().Err()
			}
		}
		making := true // this pass may hold the session's lock, and another one would wait
		x := newNames(s.Reading().Context(), hashes, func(ctx context.Context, i int64) string {
			if making {
				return text(s, i)
			}
			r := grammar.Glance(ctx)
			defer r.Return()
			return text(o.Scope(r), i)
		})
		making = false
		return grammar.GoValue(x), nil
	})
}

// namesIn are the names that a hidden field has; none where they could not be made.
func namesIn(s grammar.Scope, f *grammar.Field) *names {
	v, _ := s.Value(f)
	if x, ok := v.Go().(*names); ok {
		return x
	}
	return noNames
}

// elementNames are the names of the values of an element.
type elementNames struct{ *names }

// Name implements grammar.Names.
func (x elementNames) Name(s grammar.Scope, i int64) string {
	return x.segment(s.Reading().Context(), i)
}

// Find implements grammar.Names.
func (x elementNames) Find(s grammar.Scope, name string) (int64, bool) {
	return x.find(s.Reading().Context(), name)
}
