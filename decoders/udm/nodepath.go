package udm

import (
	"strings"

	"cutaway/model"
)

// nodePath is the path of a layout node, written out only when it is asked for.
type nodePath struct {
	up   *nodePath
	name string // its segment; of a root: its path
}

// child returns the path of the child of that segment.
func (p *nodePath) child(name string) *nodePath { return &nodePath{up: p, name: name} }

func (p *nodePath) String() string {
	var names []string
	for ; p.up != nil; p = p.up {
		names = append(names, model.EscapeSegment(p.name))
	}
	var b strings.Builder
	b.WriteString(p.name)
	for i := len(names) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(names[i])
	}
	return b.String()
}
