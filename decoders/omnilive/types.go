package omnilive

import (
	"cutaway/decoders/lang"
	"cutaway/model"
)

// valueType is a row of the table of types.
type valueType struct {
	name  string
	array bool // arrays of the type are allowed
	of    lang.Type
	names []string // of its numbers from 0 on, which are all that have a meaning, or nil
}

// The two kinds of types.
const (
	single = false
	array  = true
)

// boolean is a byte that is true or false.
var boolean = lang.U8.As("bool", func(n uint64) model.Value { return model.Bool(n != 0) })

func (t *valueType) title() string { return t.name }

func (t *valueType) isKnown() bool { return t.name != "" }

func (t *valueType) hasArrays() bool { return t.array }

func (t *valueType) countNames() int64 { return int64(len(t.names)) }

// layout returns how a value is packed, or nil for no type. Enumerations are packed as their numbers.
func (t *valueType) layout() lang.Type {
	if t.of != nil || t.names == nil {
		return t.of
	}
	return lang.U32.As(t.name, func(n uint64) model.Value {
		s := model.Symbol{Number: int64(n)}
		if n < uint64(len(t.names)) {
			s.Name = t.names[n]
		}
		return s
	})
}

// elementName returns the name of the packing, which nodes have for their type.
func (t *valueType) elementName() string {
	if of := t.layout(); of != nil {
		return of.Name()
	}
	return ""
}

// typeNames returns the names of all types.
func typeNames() (names []string) {
	for i := range types {
		names = append(names, types[i].name)
	}
	return names
}

// itemType is a row of the table of types of items.
type itemType struct {
	name string
	of   lang.Type
}

func (t *itemType) title() string { return t.name }

func (t *itemType) layout() lang.Type { return t.of }
