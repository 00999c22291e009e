package crategen

import "strings"

// The jumps of PATHS (7.3) that are not a distance.
const (
	jumpLeaf    int32 = -2
	jumpChild   int32 = -1
	jumpSibling int32 = 0
)

// pathTree is the tree of path elements in flat lists, an entry for each path index. Elements of properties are
// negative.
type pathTree struct {
	index   map[string]uint32 // of paths made by text
	element []int32
	first   []uint32
	last    []uint32
	next    []uint32
	empty   uint32 // index of the empty path, 0 while there is none
}

func (t *pathTree) add(parent, token uint32, property bool) uint32 {
	i := uint32(len(t.element))
	e := int32(token)
	if property {
		e = -e
	}
	t.element = append(t.element, e)
	t.first = append(t.first, None)
	t.last = append(t.last, None)
	t.next = append(t.next, None)
	if parent == None {
		return i
	}
	if t.first[parent] == None {
		t.first[parent] = i
	} else {
		t.next[t.last[parent]] = i
	}
	t.last[parent] = i
	return i
}

// NewPath adds the path of one more element below parent, known to be new.
func (w *Writer) NewPath(parent, token uint32, property bool) uint32 {
	return w.paths.add(parent, token, property)
}

// Root is the path index of "/".
const Root uint32 = 0

// Path returns the index of an absolute path given as text, new or known; "" is the empty path.
func (w *Writer) Path(path string) uint32 {
	switch path {
	case "":
		if w.paths.empty == 0 {
			w.paths.empty = w.paths.add(None, 0, false)
		}
		return w.paths.empty
	case "/":
		return Root
	}
	if i, ok := w.paths.index[path]; ok {
		return i
	}
	parent, element, property := splitPath(path)
	i := w.paths.add(w.Path(parent), w.Token(element), property)
	w.paths.index[path] = i
	return i
}

// splitPath takes the last element off a path (7.1).
func splitPath(path string) (parent, element string, property bool) {
	if strings.HasSuffix(path, "]") {
		depth := 0
		for i := len(path) - 1; ; i-- {
			switch path[i] {
			case ']':
				depth++
			case '[':
				depth--
			}
			if depth == 0 {
				return path[:i], path[i:], false
			}
		}
	}
	if strings.HasSuffix(path, "}") {
		i := strings.LastIndexByte(path, '{')
		return path[:i], path[i:], false
	}
	i := strings.LastIndexAny(path, "/.}]")
	switch {
	case path[i] == '.' && path[i-1] == ']':
		return path[:i], path[i:], false // relational attribute
	case path[i] == '.':
		return path[:i], path[i+1:], true
	case path[i] == '}':
		return path[:i+1], path[i+1:], false
	case i == 0:
		return "/", path[1:], false
	}
	return path[:i], path[i+1:], false
}

// flatten lists the tree depth first with its jumps.
func (t *pathTree) flatten(out *Tables) {
	out.PathCount = uint64(len(t.element))
	type open struct{ item, sibling uint32 }
	var stack []open // items whose next sibling is still to come
	for at := Root; at != None; {
		item := uint32(len(out.PathIndex))
		out.PathIndex = append(out.PathIndex, at)
		out.Element = append(out.Element, t.element[at])
		child, sibling := t.first[at], t.next[at]
		jump := jumpLeaf
		switch {
		case child != None && sibling != None:
			stack = append(stack, open{item, sibling})
			at = child
		case child != None:
			jump, at = jumpChild, child
		case sibling != None:
			jump, at = jumpSibling, sibling
		case len(stack) > 0:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			out.Jump[top.item] = int32(item + 1 - top.item)
			at = top.sibling
		default:
			at = None
		}
		out.Jump = append(out.Jump, jump)
	}
}
