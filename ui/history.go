package ui

// visit is a place in the history: a node, or a byte where no node was selected.
type visit struct {
	path string
	src  string // the source's name
	off  int64
}

// maxHistory is how many visits are kept.
const maxHistory = 200

// history is the visits of one document, and where in them we are.
type history struct {
	visits []visit
	at     int // index of the present visit; -1 before the first
	last   map[string]int
	count  int
}

func newHistory() *history { return &history{at: -1, last: make(map[string]int)} }

// add puts a visit behind the present one and drops what was ahead. Another visit to the present path replaces it.
func (h *history) add(v visit) {
	h.count++
	h.last[v.path] = h.count
	if h.at >= 0 && h.visits[h.at].path == v.path {
		h.visits[h.at] = v
		return
	}
	h.visits = append(h.visits[:h.at+1], v)
	if len(h.visits) > maxHistory {
		h.visits = h.visits[len(h.visits)-maxHistory:]
	}
	h.at = len(h.visits) - 1
}

// move goes n visits on, or back where n is negative; ok is false where there are none.
func (h *history) move(n int) (visit, bool) {
	if !h.can(n) {
		return visit{}, false
	}
	h.at += n
	return h.visits[h.at], true
}

func (h *history) can(n int) bool { return h.at+n >= 0 && h.at+n < len(h.visits) }

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
