package size

import (
	"slices"
	"sort"
	"strings"
)

// A Box is a node's rectangle in a treemap. Its area is the node's share of the whole.
type Box struct {
	Node       *Node
	Depth      int // 0 for the whole
	X, Y, W, H float64
}

// Whole returns the file as a node whose children are the view's root and the bytes that no node of the view has. Names
// of the latter are in parentheses, and their types are their roles in the format. Bytes that are not measured yet have
// no path.
func (t *Tree) Whole() *Node {
	all := &Node{Name: "file", Path: t.Root.Path, Size: Size{Stored: t.Total}, Children: []*Node{t.Root}}
	for _, p := range t.Free {
		name := "(" + p.Path + ")"
		all.Children = append(all.Children, &Node{Name: name, Path: p.Path, Type: p.Role.String(), Size: Size{Own: p.Size, Stored: p.Size, Logical: p.Size}})
	}
	if t.Left > 0 {
		all.Children = append(all.Children, &Node{Name: "(not measured yet)", Size: Size{Stored: t.Left, Logical: t.Left}})
	}
	sort.SliceStable(all.Children, func(i, k int) bool { return all.Children[i].Stored > all.Children[k].Stored })
	return all
}

// Largest returns at most most nodes with the most bytes of their own, among n and its descendants, largest first.
func (n *Node) Largest(most int) []*Node {
	var all []*Node
	var add func(n *Node)
	add = func(n *Node) {
		if n.Own > 0 {
			all = append(all, n)
		}
		for _, c := range n.Children {
			add(c)
		}
	}
	add(n)
	sort.SliceStable(all, func(i, k int) bool { return all[i].Own > all[k].Own })
	return all[:min(len(all), most)]
}

// Lumps reports whether n has descendants that are too small for the tree.
func (n *Node) Lumps() bool {
	return n.Smaller > 0 || slices.ContainsFunc(n.Children, (*Node).Lumps)
}

// Find returns n or its descendant with a path, or nil if it is too small for the tree.
func (n *Node) Find(path string) *Node {
	if n.Path == path {
		return n
	}
	for _, c := range n.Children {
		if c.holds(path) {
			return c.Find(path)
		}
	}
	return nil
}

// holds reports whether a path is that of n or of a descendant.
func (n *Node) holds(path string) bool {
	rest, is := strings.CutPrefix(path, n.Path)
	return is && (rest == "" || rest[0] == '/' || rest[0] == '@')
}

// frameRoom is the space around the children of a box.
const frameRoom = 2

// Boxes lays out n and its descendants in a rectangle (squarified treemap: Bruls, Huizing and van Wijk 2000), parents
// before children. head is the height of a title above the children; boxes with a side shorter than least are omitted.
func Boxes(n *Node, w, h, head, least float64) []Box {
	boxes := []Box{{Node: n, W: w, H: h}}
	for i := 0; i < len(boxes); i++ {
		b := boxes[i]
		inner := b
		if b.Depth > 0 {
			inner.X, inner.W = b.X+frameRoom, b.W-2*frameRoom
			inner.Y, inner.H = b.Y+head, b.H-head-frameRoom
		}
		if b.Node.Stored > 0 && inner.W >= least && inner.H >= least {
			boxes = squarify(boxes, &inner, least)
		}
	}
	return boxes
}

// squarify adds the children of b's node, with areas in proportion to their bytes.
func squarify(boxes []Box, b *Box, least float64) []Box {
	left := *b
	scale := b.W * b.H / float64(b.Node.Stored)
	for rest := b.Node.Children; len(rest) > 0; {
		side := min(left.W, left.H)
		if side < least {
			return boxes
		}
		n, area := row(rest, side, scale)
		thick := area / side
		at := 0.0
		for _, c := range rest[:n] {
			long := float64(c.Stored) * scale / thick
			box := Box{Node: c, Depth: b.Depth + 1, X: left.X, Y: left.Y + at, W: thick, H: long}
			if left.W < left.H {
				box.X, box.Y, box.W, box.H = left.X+at, left.Y, long, thick
			}
			if at += long; box.W >= least && box.H >= least {
				boxes = append(boxes, box)
			}
		}
		if left.W < left.H {
			left.Y, left.H = left.Y+thick, left.H-thick
		} else {
			left.X, left.W = left.X+thick, left.W-thick
		}
		rest = rest[n:]
	}
	return boxes
}

// row returns the number of nodes that make the squarest row along a side, and its area.
func row(nodes []*Node, side, scale float64) (n int, area float64) {
	worst := 0.0
	largest := float64(nodes[0].Stored) * scale
	for n < len(nodes) {
		one := float64(nodes[n].Stored) * scale
		sum := area + one
		next := max(side*side*largest/(sum*sum), sum*sum/(side*side*max(one, 1e-9)))
		if n > 0 && next > worst {
			break
		}
		worst, area = next, sum
		n++
	}
	return n, area
}

// Hue returns the colour of a node's box, 0 ≤ hue < colours, by its type.
func (n *Node) Hue(colours int) int {
	h := uint32(2166136261) // FNV-1a
	for i := 0; i < len(n.Type); i++ {
		h = (h ^ uint32(n.Type[i])) * 16777619
	}
	return int(h>>8) % colours
}

// IsFree reports whether the node stands for bytes that no node of the view has, or none has yet.
func (n *Node) IsFree() bool {
	return len(n.Name) > 0 && n.Name[0] == '(' && (n.Path == "" || n.Name == "("+n.Path+")")
}
