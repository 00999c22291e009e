package sizes

import (
	"slices"

	"fyne.io/fyne/v2"

	"cutaway/model/size"
	"cutaway/ui/kit"
)

// FocusGained shows that the keyboard is here.
func (m *Map) FocusGained() {
	m.focused = true
	m.Refresh()
}

// FocusLost shows that the keyboard is elsewhere.
func (m *Map) FocusLost() {
	m.focused = false
	m.Refresh()
}

// TypedRune hands on characters.
func (m *Map) TypedRune(r rune) { kit.HandOnRune(m, r) }

// TypedKey moves the mark by arrows to the largest part, to the parent, and among its parts. Enter fills the map with a node,
// Backspace shows the whole file again.
func (m *Map) TypedKey(e *fyne.KeyEvent) {
	if m.whole == nil {
		kit.HandOn(m, e)
		return
	}
	var to *size.Node
	way := m.way()
	at := way[len(way)-1]
	switch e.Name {
	case fyne.KeyDown:
		if len(at.Children) > 0 {
			to = at.Children[0]
		}
	case fyne.KeyUp:
		if len(way) > 1 {
			to = way[len(way)-2]
		}
	case fyne.KeyLeft, fyne.KeyRight:
		to = neighbour(way, e.Name == fyne.KeyRight)
	case fyne.KeyReturn, fyne.KeyEnter:
		if len(at.Children) > 0 {
			m.Zoom(at)
		}
	case fyne.KeyBackspace:
		m.Zoom(nil)
	default:
		kit.HandOn(m, e)
	}
	if to != nil && to != m.whole && to.Path != "" {
		m.Mark(to)
		m.onTap(to)
		m.onHover(to)
	}
}

// way returns the nodes from the whole down to the marked one, or else to the selected one, or only the whole.
func (m *Map) way() []*size.Node {
	path := ""
	if m.marked != nil {
		path = m.marked.Path
	} else if m.selected != nil {
		path = m.selected()
	}
	var find func(way []*size.Node) []*size.Node
	find = func(way []*size.Node) []*size.Node {
		n := way[len(way)-1]
		for _, c := range n.Children { // first: the file has the path of its view's root
			if found := find(append(way, c)); found != nil {
				return found
			}
		}
		if n.Path == path {
			return way
		}
		return nil
	}
	if way := find([]*size.Node{m.whole}); way != nil && path != "" {
		return way
	}
	return []*size.Node{m.whole}
}

// neighbour returns the next smaller part of the same node, or the next larger one, or nil.
func neighbour(way []*size.Node, smaller bool) *size.Node {
	if len(way) < 2 {
		return nil
	}
	all := way[len(way)-2].Children
	i := slices.Index(all, way[len(way)-1]) - 1
	if smaller {
		i += 2
	}
	if i < 0 || i >= len(all) {
		return nil
	}
	return all[i]
}
