package entry

import (
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A TypeUse is the type of a node as the start of the node writes it.
type TypeUse struct {
	Tag     byte // idTypeName, idTypeID or idNull; 0 where the entry has no type
	ID      int32
	Name    string // "" where there is none or the id is not defined
	Defined bool
}

// An Entry is a decoded entry of any form.
type Entry struct {
	Number, Off, Len int64
	Lead             int64 // blanks of a text form before the entry, a part of length

	Kind  kind.Kind
	Word  string // the form's own word: "NamedInt"
	Named bool
	Name  string

	Type TypeUse
	Node int64 // id of a reference node; noNodeFound: none

	Value     model.Value // of scalars
	Ref       int64       // of references: a node id or an index
	Announced int64       // StartOfArray: the length it gives

	Count, Size int64      // PrimitiveArray
	Data        model.Span // likewise
}

// isEnd reports whether the entry ends a container.
func (e *Entry) isEnd() bool { return e.Kind == kind.EndOfNode || e.Kind == kind.EndOfArray }

// IsNode reports whether the entry starts a node.
func (e *Entry) IsNode() bool { return e.Kind == kind.ReferenceNode || e.Kind == kind.StructNode }

// IsScalar reports whether the entry is a value by itself.
func (e *Entry) IsScalar() bool {
	return e.Kind >= kind.SByte && e.Kind <= kind.Null || e.Kind == kind.Integer || e.Kind == kind.FloatingPoint
}
