package entry

import (
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A TypeUse is the type of a node as the start of the node writes it (chapter 4).
type TypeUse struct {
	Tag     byte   // kind.TypeName, TypeID or UnnamedNull, or 0 if a text form writes the type without a number
	ID      int32  // with the first two tags
	Name    string // or "" if there is none, or no entry before defines the ID
	Defined bool   // there is a Name
}

// An Entry is a decoded entry of any form.
type Entry struct {
	Number   int64 // in the stream, from 0
	Off, Len int64 // range of its own bytes in the source
	Lead     int64 // of these, blanks that a text form puts before it

	Kind  kind.Kind
	Word  string // the form's own word for the kind: "NamedInt"
	Named bool
	Name  string

	Type TypeUse // of nodes
	Node int64   // id of a reference node, or NoNode

	Value     model.Value // of scalars
	Ref       int64       // of references: a node id or an index
	Announced int64       // length that an array gives, or -1 if it gives none

	Count, Size int64      // of a primitive array of the binary form: elements, and bytes of one
	Data        model.Span // of a primitive array: its elements
}

// isEnd reports whether the entry ends a container.
func (e *Entry) isEnd() bool { return e.Kind == kind.EndOfNode || e.Kind == kind.EndOfArray }

// IsNode reports whether the entry starts a node.
func (e *Entry) IsNode() bool { return e.Kind == kind.ReferenceNode || e.Kind == kind.StructNode }

// IsScalar reports whether the entry is a value by itself.
func (e *Entry) IsScalar() bool {
	return e.Kind >= kind.SByte && e.Kind <= kind.Null || e.Kind == kind.Integer || e.Kind == kind.FloatingPoint
}
