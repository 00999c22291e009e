package udm

import (
	"strings"

	"cutaway/model"
)

// where is the path of a layout node, written out only when it is asked for.
type where struct {
	up   *where
	name string // of a root: its path
}

// at is the path of the child of that name.
func (w *where) at(name string) *where { return &where{up: w, name: name} }

func (w *where) String() string {
	var names []string
	for ; w.up != nil; w = w.up {
		names = append(names, model.EscapeSegment(w.name))
	}
	var b strings.Builder
	b.WriteString(w.name)
	for i := len(names) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(names[i])
	}
	return b.String()
}

// unnamed stands for an empty name, which a path cannot have.
const unnamed = "(unnamed)"

func nameOf(key string) string {
	if key == "" {
		return unnamed
	}
	return key
}
