package omnilive

import "slices"

// rootID is the id of the root section.
const rootID = 1

// The spec types that matter here.
const (
	specAttribute    = 1
	specPrim         = 6
	specPseudoRoot   = 7
	specRelationship = 8
)

// none stands for "no section" among the numbers of sections.
const none = -1

// maxLevels bounds the way up from a section, where a move is checked.
const maxLevels = 4096

// section is one node of the layer. Deleted ones keep their name and parent, so that commands can name them.
type section struct {
	id       uint64
	name     string
	parent   int32 // number of the section, or none for the root and for a placeholder whose parent is not known
	stamp    uint32
	pos      int32 // among the parent's kids
	specType uint32
	deleted  bool
	base     bool // a node of a base that is not at hand
	madeBy   origin
	kids     []childEntry
	stale    int32 // kids that are none any more
	settings []setField
}

// childEntry is a child, as long as the stamp is still the section's.
type childEntry struct {
	section int32
	stamp   uint32
}

// origin is a command or a setting: its delta and its number in the delta.
type origin struct {
	delta int32
	index int64
}

// nameKey finds sections by name.
type nameKey struct {
	parent int32
	name   string
}

// layer is the state that the commands make.
type layer struct {
	nodes   []section
	byID    map[uint64]int32
	byName  map[nameKey]int32          // one of those that have the name
	twins   map[nameKey][]int32        // the others
	unknown bool                       // a base that is not at hand is below
	orphans []int32                    // placeholders without a parent, in the order of the commands
	last    map[int32]map[target]int32 // the settings that hold, of sections with many
}

func newLayer() *layer {
	return &layer{byID: make(map[uint64]int32), byName: make(map[nameKey]int32), twins: make(map[nameKey][]int32), last: make(map[int32]map[target]int32)}
}

// find is the section of an id, deleted or not; none.
func (l *layer) find(id uint64) int32 {
	if n, ok := l.byID[id]; ok {
		return n
	}
	return none
}

// meet is find; where a base is not at hand, an unknown id becomes a placeholder.
func (l *layer) meet(id uint64) int32 {
	n := l.find(id)
	if n != none || !l.unknown || id == 0 {
		return n
	}
	spec := uint32(0)
	if id == rootID {
		spec = specPseudoRoot
	}
	n = l.add(section{id: id, specType: spec, base: true, parent: none, madeBy: origin{none, none}})
	if id != rootID {
		l.orphans = append(l.orphans, n)
	}
	return n
}

func (l *layer) add(s section) int32 {
	n := int32(len(l.nodes))
	l.nodes = append(l.nodes, s)
	l.byID[s.id] = n
	return n
}

// isAlive reports whether n is a section that is not deleted.
func (l *layer) isAlive(n int32) bool { return n != none && !l.nodes[n].deleted }

// named is a living child of parent that has the name; none. except is not counted.
func (l *layer) named(parent int32, name string, except int32) int32 {
	key := nameKey{parent, name}
	n, ok := l.byName[key]
	if !ok {
		return none
	}
	if n != except {
		return n
	}
	for _, twin := range l.twins[key] {
		if twin != except {
			return twin
		}
	}
	return none
}

// attach makes n the last child of parent.
func (l *layer) attach(n, parent int32, name string) {
	s := &l.nodes[n]
	s.parent, s.name = parent, name
	s.stamp++
	if parent != none {
		p := &l.nodes[parent]
		s.pos = int32(len(p.kids))
		p.kids = append(p.kids, childEntry{n, s.stamp})
	}
	l.addName(n)
}

func (l *layer) addName(n int32) {
	key := nameKey{l.nodes[n].parent, l.nodes[n].name}
	if _, taken := l.byName[key]; taken {
		l.twins[key] = append(l.twins[key], n)
		return
	}
	l.byName[key] = n
}

// detach takes n from its parent; it keeps its name and parent for who asks.
func (l *layer) detach(n int32) {
	s := &l.nodes[n]
	l.dropName(n)
	s.stamp++
	if s.parent == none {
		l.orphans = slices.DeleteFunc(l.orphans, func(o int32) bool { return o == n })
		return
	}
	p := &l.nodes[s.parent]
	if p.stale++; int(p.stale) > 64+len(p.kids)/2 {
		l.compact(s.parent)
	}
}

func (l *layer) dropName(n int32) {
	key := nameKey{l.nodes[n].parent, l.nodes[n].name}
	twins := l.twins[key]
	switch i := slices.Index(twins, n); {
	case i >= 0:
		twins[i] = twins[len(twins)-1]
		twins = twins[:len(twins)-1]
	case l.byName[key] != n:
		return
	case len(twins) > 0:
		l.byName[key] = twins[0]
		twins = twins[1:]
	default:
		delete(l.byName, key)
	}
	if len(twins) == 0 {
		delete(l.twins, key)
	} else {
		l.twins[key] = twins
	}
}

// compact drops the kids that are none any more.
func (l *layer) compact(parent int32) {
	p := &l.nodes[parent]
	p.kids = slices.DeleteFunc(p.kids, func(k childEntry) bool { return !l.isKid(parent, k) })
	p.stale = 0
	for i, k := range p.kids {
		l.nodes[k.section].pos = int32(i)
	}
}

func (l *layer) isKid(parent int32, k childEntry) bool {
	s := &l.nodes[k.section]
	return s.parent == parent && s.stamp == k.stamp && !s.deleted
}

// live lists the children of a section in their order.
func (l *layer) live(parent int32) []int32 {
	if parent == none {
		return l.orphans
	}
	var list []int32
	for _, k := range l.nodes[parent].kids {
		if l.isKid(parent, k) {
			list = append(list, k.section)
		}
	}
	return list
}

// remove deletes n with all below it.
func (l *layer) remove(n int32) {
	l.detach(n)
	for stack := []int32{n}; len(stack) > 0; {
		n := stack[len(stack)-1]
		kids := l.live(n)
		for _, k := range kids {
			key := nameKey{n, l.nodes[k].name}
			delete(l.byName, key)
			delete(l.twins, key)
		}
		stack = append(stack[:len(stack)-1], kids...)
		s := &l.nodes[n]
		s.deleted, s.kids, s.settings = true, nil, nil
	}
}

// under reports whether n is above or a section below above. It is taken to be if the way up is too long.
func (l *layer) under(n, above int32) bool {
	for range maxLevels {
		if n == above {
			return true
		}
		if n == none {
			return false
		}
		n = l.nodes[n].parent
	}
	return true
}

// childKind is the list of children that a spec type belongs to: prims, properties, or one for each other type.
func childKind(specType uint32) uint32 {
	if specType == specRelationship {
		return specAttribute
	}
	return specType
}
