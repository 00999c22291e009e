package document

import "cutaway/ui/cards"

// maxHistory is the number of visits that are kept.
const maxHistory = 200

// A visit is a node that was selected, with the state of the panes when the user left it.
type visit struct {
	path string
	view string // the tree that was open; "" while the visit lasts
	hex  Bytes
	card cards.Stand
}

// A history lists the visited nodes of one document.
type history struct {
	visits []visit
	at     int            // index of the present visit; -1 before the first
	last   map[string]int // when a path was visited last
	count  int
}

func newHistory() *history { return &history{at: -1, last: make(map[string]int)} }

// leave stores the state of the panes, once for each visit.
func (h *history) leave(view string, hex Bytes, card cards.Stand) {
	if h.at >= 0 && h.visits[h.at].view == "" {
		at := &h.visits[h.at]
		at.view, at.hex, at.card = view, hex, card
	}
}

// add puts a path after the present one and drops what was ahead.
func (h *history) add(path string) {
	h.count++
	h.last[path] = h.count
	if h.at >= 0 && h.visits[h.at].path == path {
		h.visits[h.at].view = ""
		return
	}
	h.push(path)
}

// repeat adds a visit of the present path, whose node stays while the user looks at other bytes.
func (h *history) repeat() {
	if h.at >= 0 {
		h.push(h.visits[h.at].path)
	}
}

func (h *history) push(path string) {
	h.visits = append(h.visits[:h.at+1], visit{path: path})
	if len(h.visits) > maxHistory {
		h.visits = h.visits[len(h.visits)-maxHistory:]
	}
	h.at = len(h.visits) - 1
}

// move steps n visits forward, or back if n is negative. Can must allow it.
func (h *history) move(n int) visit {
	h.at += n
	was := h.visits[h.at]
	h.visits[h.at].view = ""
	return was
}

// Can reports whether move can step n visits.
func (h *history) Can(n int) bool { return h.at+n >= 0 && h.at+n < len(h.visits) }

// latest returns which of the paths was visited last; the first where none was.
func (h *history) latest(paths []string) int {
	best, when := 0, 0
	for i, p := range paths {
		if h.last[p] > when {
			best, when = i, h.last[p]
		}
	}
	return best
}
