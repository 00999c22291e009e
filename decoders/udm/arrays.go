package udm

import (
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// itemSource says what items an array has, and gives them their fields (5.6): packed values, or items one after another.
type itemSource struct {
	item  func(s grammar.Scope) types.ID
	count func(s grammar.Scope) int64
	shape func(s grammar.Scope) *shape
	data  *grammar.Field
	items *grammar.Field
}

// packs reports whether the items are packed values.
func (x *itemSource) packs(s grammar.Scope) bool {
	t := x.item(s)
	return t.Fixed() || t == types.Struct && x.shape(s) != nil
}

// makeFields sets data and items. What is missing of the items is told by them, else by the field told.
func (x *itemSource) makeFields(told *grammar.Field) {
	stride := func(s grammar.Scope) int64 { return strideOf(x.item(s), x.shape(s)) }
	x.data = grammar.F(dataName, grammar.Raw, "the values, back to back").
		If(grammar.When(func(s grammar.Scope) bool { return x.packs(s) && stride(s) > 0 && x.count(s) > 0 })).
		Sized(grammar.Calc(func(s grammar.Scope) int64 { return min(left(s), mul(uint64(x.count(s)), stride(s))) }))
	x.data.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		fit := v.Blob().Len() / stride(s)
		return short(s, ruleArrayCount, model.Span{}, "the array counts %d values of %s, but %s",
			x.count(s), model.Counted(stride(s), "byte"), follow(s.Object().Stream().End-s.Span(x.data).Off)).
			WantAtMost(fit, x.count(s)), fit < x.count(s)
	}))
	items := &grammar.Switch{Display: "item", On: grammar.Const(0), Pick: func(s grammar.Scope, _ grammar.Value) (grammar.Type, error) {
		return item.pick(s, x.item(s))
	}}
	x.items = grammar.F(itemsName, items, "the items, one after another").
		TimesShort(grammar.Calc(x.count), grammar.WithCut).
		If(grammar.When(func(s grammar.Scope) bool {
			t := x.item(s)
			return t.Known() && !t.Fixed() && t != types.Struct && x.count(s) > 0 && left(s) > 0
		})).
		Shown(func(s grammar.Scope, v grammar.Value, n *model.Node) {
			if v.List() == nil {
				showValue(s, v, n, nil)
				return
			}
			n.Type, n.Brief = x.item(s).String()+"[]", itemsText(v.List().Known())
		})
	x.items.Repeat.Checks = []grammar.Check{x.missing(x.items)}
	told.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		if t := x.item(s); present(s, x.items) || !t.Known() || t.Fixed() || t == types.Struct {
			return model.Problem{}, false
		}
		return x.missing(told).Find(s, v)
	}))
}

// missing is the rule that all items are there, which a field tells.
func (x *itemSource) missing(f *grammar.Field) grammar.Check {
	return find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
		n, got, o := x.count(s), known(s, x.items), s.Object()
		return short(s, ruleArrayItems, o.Stream().Source.Span(s.Span(f).End(), 0), "%d of %d items are missing", n-got, n).Want(n, got), got < n
	})
}

// tooMany is the rule that the items fit into the bytes after a field.
func (x *itemSource) tooMany(f *grammar.Field) grammar.Check {
	return find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
		t := x.item(s)
		if !t.Known() || t.Fixed() || t == types.Struct || !present(s, f) {
			return model.Problem{}, false
		}
		n, room := x.count(s), following(s, f)
		return short(s, ruleArrayCount, model.Span{}, "the array counts %d items of at least %s, but %s",
			n, model.Counted(t.Least(), "byte"), follow(room)).WantAtMost(room/t.Least(), n), n > room/t.Least()
	})
}

// restField is what an array or block leaves of its bytes; told where it is sound otherwise.
func (x *itemSource) restField(rule, message string, there, sound func(s grammar.Scope) bool) *grammar.Field {
	return grammar.F(restName, grammar.Raw, "bytes after the last item").ToEnd().Unknown().
		If(grammar.When(func(s grammar.Scope) bool { return left(s) > 0 && there(s) })).
		CheckBy(gap(rule, message, sound))
}

// itemTypeField is the type of the items of an array.
func itemTypeField() *grammar.Field {
	return grammar.F(itemName, grammar.U8, "the type of the items, which have no type byte").NamedBy(symbol).
		Check(ruleType, grammar.AtMost(int64(types.Count)-1), "0 to 35", "there is no such type, so the length of the items is not known")
}

// describeArray describes an array (5.6).
func describeArray(r *grammar.Record, before []*grammar.Field) {
	r.SizedBy = sizeName
	of := itemTypeField()
	count := grammar.F(countName, grammar.U32, "how many items")
	size := grammar.F(sizeName, grammar.U64, "bytes of the array after this field")
	headerSize, header := headerFields(of)
	x := &itemSource{
		item:  func(s grammar.Scope) types.ID { return types.ID(s.Int(of)) },
		count: func(s grammar.Scope) int64 { return s.Int(count) },
		shape: func(s grammar.Scope) *shape { return shapeIn(s, header) },
	}
	size.CheckBy(fits(size, ruleArraySize, "array")).
		If(grammar.When(func(s grammar.Scope) bool { return x.item(s).Known() && !x.item(s).Fixed() }))
	count.CheckBy(x.tooMany(size))
	x.makeFields(size)
	x.data.Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
		ctx := s.Reading().Context()
		valueOf(s.Object()).packed(ctx, x.item(s), x.shape(s), x.count(s), n.Span()).show(ctx, n)
	})
	unknown := func(s grammar.Scope) bool { return !x.item(s).Known() }
	rest := x.restField(ruleArrayGap, "the array is larger than its items",
		func(s grammar.Scope) bool { return unknown(s) || present(s, size) },
		func(s grammar.Scope) bool {
			whole := x.packs(s) || x.item(s) != types.Struct && known(s, x.items) == x.count(s)
			return whole && !unknown(s) && clamp(number(s, size)) <= following(s, size)
		}).StopIf(grammar.When(unknown))
	r.Fields = append(before, of, count, size, headerSize, header, x.data, x.items, rest)
}

// newContentRecord describes what a compressed array gives (5.8): packed values, or a count and items.
func newContentRecord() *grammar.Record {
	array := func(s grammar.Scope) *content { return s.Env().(*valueContext).array }
	counted := func(s grammar.Scope) bool { return array(s).item == types.Element || array(s).item == types.String }
	count := grammar.F(countName, grammar.U32, "how many items, again").If(grammar.When(counted))
	count.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Int()
		return model.Problemf(model.Suspicious, ruleLZ4Count, model.Span{},
			"a compressed array counts its items twice, and differently").Want(array(s).count, n), n != array(s).count
	}))
	x := &itemSource{
		item: func(s grammar.Scope) types.ID {
			if t := array(s).item; t.InCompressedArray() {
				return t
			}
			return types.Unknown
		},
		count: func(s grammar.Scope) int64 {
			if counted(s) {
				return s.Int(count)
			}
			return array(s).count
		},
		shape: func(s grammar.Scope) *shape { return array(s).shape },
	}
	count.CheckBy(x.tooMany(count))
	x.makeFields(count)
	x.data.Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
		array(s).packedIn(s.Object().Stream().Source).show(s.Reading().Context(), n)
	})
	x.items.Repeat.Checks = append(x.items.Repeat.Checks, find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		last := v.List().Object(s.Reading().Context(), v.List().Known()-1)
		return model.Problemf(model.Assumed, ruleLZ4CutShort, model.Span{},
				"the engine cuts compressed arrays that hold strings of 255 bytes and more short when it writes them"),
			x.item(s) == types.String && (known(s, x.items) < x.count(s) || last != nil && !last.OK())
	}))
	rest := x.restField(ruleLZ4Gap, "the block gives more than the items take", func(grammar.Scope) bool { return true },
		func(s grammar.Scope) bool { return !counted(s) || known(s, x.items) == x.count(s) })
	return &grammar.Record{Fields: []*grammar.Field{count, x.data, x.items, rest}}
}

// compressedArrayFields are those of a compressed array (5.8).
func compressedArrayFields() []*grammar.Field {
	in := grammar.F("compressedSize", grammar.U64, "bytes of the LZ4 block at the end")
	of := itemTypeField().CheckBy(find(func(_ grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Int()
		t := types.ID(n)
		return model.Problemf(model.Malformed, ascii.RuleLZ4Type, model.Span{}, "a compressed array cannot hold items of this type").
			Want("a fixed-size type, struct, element or string", t), t.Known() && !t.InCompressedArray()
	}))
	item := func(s grammar.Scope) types.ID { return types.ID(s.Int(of)) }
	bad := func(s grammar.Scope) bool { return !item(s).InCompressedArray() }
	headerSize, header := headerFields(of)
	skip := func(s grammar.Scope) int64 {
		if bad(s) {
			return left(s)
		}
		return unread(s, headerSize, header)
	}
	rest := grammar.F(restName, grammar.Raw, "bytes that have no meaning").Unknown().Sized(grammar.Calc(skip)).
		If(grammar.When(func(s grammar.Scope) bool { return skip(s) > 0 })).StopIf(grammar.When(bad))
	size := grammar.F("uncompressedSize", grammar.U64, "bytes that the block gives").
		If(grammar.When(func(s grammar.Scope) bool { return item(s) == types.Element || item(s) == types.String }))
	count := grammar.F(countName, grammar.U32, "how many items").If(grammar.When(func(s grammar.Scope) bool { return !bad(s) }))
	data := blockField(in)
	// The block's size is told by one field or another, but known only after the count.
	size.CheckBy(plausible(in, count))
	count.CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		if present(s, size) {
			return model.Problem{}, false
		}
		return plausible(in, count).Find(s, v)
	}))
	return []*grammar.Field{in, of, headerSize, header, rest, size, count, data}
}

// blockField is an LZ4 block of as many bytes as a field says.
func blockField(in *grammar.Field) *grammar.Field {
	block := &grammar.Custom{Display: "LZ4 block", Read: func(_ grammar.Scope, in grammar.Stream, _ int64) (int64, grammar.Value, *model.Problem) {
		return in.End, grammar.Value{}, nil
	}}
	return grammar.F(dataName, block, "one raw LZ4 block: no frame, no checksum").Sized(clamped(in)).If(nonZero(in)).
		CheckBy(find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
			n := number(s, in)
			return model.Problemf(model.Suspicious, ruleLZ4Size, model.Span{},
				"an LZ4 block of %d bytes is where nothing is to come out", n).Want("0 bytes", fmt.Sprintf("%d bytes", n)), valueOf(s.Object()).gives(s) == 0
		})).
		Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
			b := valueOf(s.Object()).block(s.Reading().Context())
			if n.Value, n.Brief = (model.Blob{Span: n.Span()}), fmt.Sprintf("gives %d bytes", valueOf(s.Object()).gives(s)); b != nil && b.want > 0 { // nil: its count is cut
				n.Derived = []*model.Derivation{b.derivation()}
			}
		})
}

// plausible is the rule that an LZ4 block, which is there after a field, can give what is claimed.
func plausible(in, before *grammar.Field) grammar.Check {
	return find(func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
		n := clamp(number(s, in))
		if !present(s, before) || n > following(s, before) {
			return model.Problem{}, false
		}
		return implausible(valueOf(s.Object()).gives(s), n)
	})
}

// newShapeRecord describes a struct header (5.7).
func newShapeRecord() *grammar.Record {
	members := grammar.F("members", grammar.U8, "how many members").
		Check(ruleStructMembers, grammar.AtLeast(1), "1 to 255", "a struct has no members")
	memberTypes := grammar.F("types", grammar.U8, "the type of a member: fixed-size types only").NamedBy(symbol).Times(grammar.Ref("members")).
		CheckBy(find(func(_ grammar.Scope, v grammar.Value) (model.Problem, bool) {
			n, _ := v.Int()
			return model.Problemf(model.Malformed, ruleStructType, model.Span{}, "a struct has a member whose type has no fixed size").
				Want("a fixed-size type", types.Text(types.ID(n))), !types.ID(n).Fixed()
		})).
		Shown(func(_ grammar.Scope, v grammar.Value, n *model.Node) {
			if v.List() != nil {
				n.Type, n.Value, n.Elements, n.Help = "type[]", nil, false, "one byte for each member"
			}
		})
	names := grammar.F("names", &grammar.Record{Title: types.String.String(), Fields: stringFields()}, "one string for each member, which may be empty").
		Times(grammar.Ref("members")).
		Shown(func(_ grammar.Scope, v grammar.Value, n *model.Node) {
			if v.List() == nil {
				n.Help = ""
			}
		})
	made := &grammar.Field{Name: hiddenShape, Hidden: true, Computed: grammar.Func(func(s grammar.Scope) (grammar.Value, error) {
		x, err := readShape(s, memberTypes, names)
		return grammar.GoValue(x), err
	})}
	return &grammar.Record{Title: "struct header", Fields: []*grammar.Field{members, memberTypes, names, made}}
}

// readShape makes the shape that a struct header says; nil where it has no meaning.
func readShape(s grammar.Scope, memberTypes, names *grammar.Field) (*shape, error) {
	tv, _ := s.Value(memberTypes)
	nv, err := s.Value(names)
	if tv.List() == nil || nv.List() == nil || err != nil || tv.List().Known() != nv.List().Known() {
		return nil, s.Reading().Context().Err()
	}
	var of []types.ID
	var keys []string
	for i := range tv.List().Known() {
		v, _ := tv.List().At(s, i)
		n, ok := v.Int()
		if !ok || !types.ID(n).Fixed() {
			return nil, nil
		}
		name, err := nv.List().At(s, i)
		if err != nil || name.Object() == nil || !name.Object().OK() {
			return nil, err
		}
		text, _ := s.In(name.Object()).Value(name.Object().Record().Field(textName))
		key := ""
		if text.Kind() == grammar.String {
			key = text.String()
		}
		of, keys = append(of, types.ID(n)), append(keys, key)
	}
	if len(of) == 0 {
		return nil, nil
	}
	return newShape(of, keys), nil
}

// shapeIn is the shape that a field of a struct header says; nil: it says none.
func shapeIn(s grammar.Scope, header *grammar.Field) *shape {
	v, err := s.Value(header)
	if err != nil || v.Object() == nil {
		return nil
	}
	v, _ = s.In(v.Object()).Value(shapeRecord.Field(hiddenShape))
	x, _ := v.Go().(*shape)
	return x
}

// headerFields are the size of a struct header and the header, where the items are structs. Where the two disagree the
// header is believed.
func headerFields(of *grammar.Field) (size, header *grammar.Field) {
	structs := grammar.Equal(grammar.Ref(of.Name), grammar.Const(int64(types.Struct)))
	header = grammar.F(headerName, shapeRecord, "the members of the structs: how many, their types, their names").If(structs)
	size = grammar.F("headerSize", grammar.U16, "bytes of the struct header").If(structs)
	return size.CheckBy(agrees(ruleStructHeaderSize, size, header, header, "the size of a struct header does not agree with the header")), header
}

// agrees is the rule that a size is that of the bytes after it up to the end of the last of some fields.
func agrees(rule string, size, header, last *grammar.Field, message string) grammar.Check {
	return find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		if shapeIn(s, header) == nil {
			return model.Problem{}, false
		}
		n, _ := v.Int()
		used := s.Span(lastOf(s, header, last)).End() - s.Span(size).End()
		return model.Problemf(model.Suspicious, rule, model.Span{}, "%s", message).Want(used, n), used != n
	})
}

// unread is how many bytes a struct header that has no meaning leaves of those that its size says; 0 after one that
// has.
func unread(s grammar.Scope, size, header *grammar.Field) int64 {
	if !present(s, size) || shapeIn(s, header) != nil {
		return 0
	}
	in := s.Object().Stream()
	return max(min(s.Span(size).End()+s.Int(size)-in.Start-s.Pos(), left(s)), 0)
}

// structFields are those of a single struct (5.7): its size, header and data.
func structFields() []*grammar.Field {
	size := grammar.F(sizeName, grammar.U16, "bytes of header and data")
	header := grammar.F(headerName, shapeRecord, "the members of the structs: how many, their types, their names")
	x := &itemSource{
		item:  func(grammar.Scope) types.ID { return types.Struct },
		count: func(grammar.Scope) int64 { return 1 },
		shape: func(s grammar.Scope) *shape { return shapeIn(s, header) },
	}
	x.makeFields(size)
	x.data.Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
		ctx := s.Reading().Context()
		p := valueOf(s.Object()).packed(ctx, types.Struct, x.shape(s), 1, n.Span())
		if p.alone = true; p.count < 1 {
			p.show(ctx, n)
			return
		}
		row := p.row(ctx, 0, false)
		n.Type, n.Value, n.Children, n.Help = row.Type, row.Value, row.Children, "the members, back to back"
	})
	size.CheckBy(agrees(ruleStructSize, size, header, x.data, "the size of a struct does not agree with its header and data"))
	rest := grammar.F(restName, grammar.Raw, "bytes after a struct header that has no meaning").Unknown().
		Sized(grammar.Calc(func(s grammar.Scope) int64 { return unread(s, size, header) })).
		If(grammar.When(func(s grammar.Scope) bool { return unread(s, size, header) > 0 }))
	return []*grammar.Field{size, header, x.data, rest}
}
