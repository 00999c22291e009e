package entry

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// Problems of an entry, in any form, that depend on other entries, on the carrier or on the number of bytes that follow.
// They have no span, but belong to a field.

// typeFault reports a problem of the type id that node i defines (tag TypeName) or uses (TypeID) (chapter 4).
func (t *Tree) typeFault(i int64, tag byte, id int32) (model.Problem, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	d, known := t.x.definedBefore(id, i)
	switch {
	case tag == kind.TypeName && t.x.redefined(id, i):
		return model.Problemf(model.Suspicious, ruleTypeRepeated, model.Span{}, "the type id is defined a second time; from here on it means this type").
			Want("an id that is not defined yet", id), true
	case tag == kind.TypeID && (!known || int64(d.entry) == i):
		return model.Problemf(model.Malformed, ruleTypeUndefined, model.Span{}, "the type of this node is not known: no node before it defines its id").
			Want("a type id that an earlier node defines", id), true
	}
	return model.Problem{}, false
}

// orderFault reports a definition of a type id, the first of this id, that is not the next number.
func (t *Tree) orderFault(i, id int64) (model.Problem, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	if t.x.redefined(int32(id), i) || id >= 0 && id < int64(len(t.x.defs)) && int64(t.x.defs[id].entry) == i {
		return model.Problem{}, false
	}
	return model.Problemf(model.Suspicious, ruleTypeOrder, model.Span{}, "the type ids do not count up; no known writer does that").
		Want("the ids 0, 1, 2 … in the order of their definitions", id), true
}

// nodeFault reports that the id of reference node i is not above all before it (chapter 5).
func (t *Tree) nodeFault(i, id int64) (model.Problem, bool) {
	if t.lock() {
		defer t.mu.RUnlock()
	}
	return model.Problemf(model.Suspicious, ruleNodeOrder, model.Span{}, "the node ids do not ascend; no known writer does that").
		Want("an id above all before it", id), t.x.backNodes[i]
}

// target returns the node that an internal reference, entry i, names, or false if no earlier node has the id.
func (s *Stream) target(ctx context.Context, i, id int64) (int64, bool) {
	target, ok := s.FindNode(ctx, id)
	return target, ok && target < i
}

// referenceFault reports that internal reference i names no node before it.
func (s *Stream) referenceFault(ctx context.Context, i, id int64) (model.Problem, bool) {
	_, ok := s.target(ctx, i, id)
	return model.Problemf(model.Suspicious, ruleReference, model.Span{}, "the reference leads nowhere: no node before it has this id").
		Want("the id of a node that begins before", id), !ok
}

// External returns the object that an external reference by index names, or false if the carrier's list has none.
func (s *Stream) External(index int64) (*External, bool) {
	if s.opt.Externals == nil || index < 0 || index >= int64(len(s.opt.Externals.Objects)) {
		return nil, false
	}
	return &s.opt.Externals.Objects[index], true
}

// indexFault reports that an external reference names no object of the carrier's list.
func (s *Stream) indexFault(_, index int64) (model.Problem, bool) {
	p := model.Problemf(model.Suspicious, ruleExternalIndex, model.Span{}, "the index is negative").Want("0 or more", index)
	if index < 0 || s.opt.Externals == nil || !s.opt.Externals.Whole {
		return p, index < 0
	}
	p.Message = "the carrier's list has no such object"
	_, ok := s.External(index)
	return p.Want(fmt.Sprintf("below %d", len(s.opt.Externals.Objects)), index), !ok
}

// lengthFault reports that the length that array i announces is negative or exceeds the number of bytes that follow.
func (s *Stream) lengthFault(i, announced int64) (model.Problem, bool) {
	if announced < 0 {
		return model.Problemf(model.Malformed, ruleArrayNegative, model.Span{}, "the array has a negative length; readers take it for empty").
			Want("0 or more", announced), true
	}
	off, length := s.OwnRange(i)
	if s.Encoding() == EncodingBinary {
		off += length
	}
	return model.Problemf(model.Malformed, ruleArrayLength, model.Span{}, "the array announces more elements than bytes follow").
		WantAtMost(s.end-off, announced), announced > s.end-off
}

// nodeRef links to node i in the layout.
func (s *Stream) nodeRef(i int64, text string) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "object", Path: s.Path(ctx, model.LayoutView, i), Text: text}}
	}
}

// definitionRef links the use of a type id at entry i to its definition in the layout.
func (s *Stream) definitionRef(i int64, id int32, name string) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref {
		d, _ := s.Definition(id, i)
		return []model.Ref{{Kind: "type", Path: s.Path(ctx, model.LayoutView, d) + "/" + startName + "/type", Text: name}}
	}
}

// typeFault checks a type id of the binary form.
func typeFault(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	tag, id := byte(s.Number("tag")), integer(it)
	if tag == kind.TypeName && i < MaxEntries {
		if p, bad := st.orderFault(i, id); bad {
			return p, bad
		}
	}
	return st.typeFault(i, tag, int32(id))
}

// nodeFault checks the id of a reference node of the binary form.
func nodeFault(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	return st.nodeFault(i, integer(it))
}

// referenceFault checks an internal reference of the binary form.
func referenceFault(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	return st.referenceFault(s.Reading().Context(), i, integer(it))
}

// indexFault checks an external reference by index of the binary form.
func indexFault(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	return st.indexFault(i, integer(it))
}

// lengthFault checks the length of an array of the binary form.
func lengthFault(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	st, i := where(s)
	return st.lengthFault(i, integer(it))
}
