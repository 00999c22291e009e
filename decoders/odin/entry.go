package odin

import (
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// typeUse is the type of a node as its start says it.
type typeUse struct {
	tag     byte // idTypeName, idTypeID or idNull; 0 where the entry has no type
	id      int32
	name    string // "" where there is none or the id is not defined
	defined bool
}

// entry is one entry decoded, in any form.
type entry struct {
	i, off, length int64
	lead           int64 // blanks of a text form before the entry, a part of length

	kind  kind.Kind
	form  string // the form's own word: "NamedInt"
	named bool
	name  string

	typ  typeUse
	node int64 // id of a reference node; noNodeFound: none

	value     model.Value // of scalars
	ref       int64       // of references: a node id or an index
	announced int64       // StartOfArray: the length it gives

	count, size int64      // PrimitiveArray
	data        model.Span // likewise
}

// isEnd reports whether the entry closes a container.
func (e *entry) isEnd() bool { return e.kind == kind.EndOfNode || e.kind == kind.EndOfArray }

// isNode reports whether the entry starts a node.
func (e *entry) isNode() bool { return e.kind == kind.ReferenceNode || e.kind == kind.StructNode }

// isScalar reports whether the entry is a value by itself.
func (e *entry) isScalar() bool {
	return e.kind >= kind.SByte && e.kind <= kind.Null || e.kind == kind.Integer || e.kind == kind.FloatingPoint
}
