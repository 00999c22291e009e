package ui

// maxHistory is how many visits are kept.
const maxHistory = 200

// history is the paths of the nodes of one document that were visited, and where in them we are.
type history struct {
	visits []string
	at     int            // index of the present visit; -1 before the first
	last   map[string]int // when a path was visited last
	count  int
}

func newHistory() *history { return &history{at: -1, last: make(map[string]int)} }

// add puts a path behind the present one and drops what was ahead.
func (h *history) add(path string) {
	h.count++
	h.last[path] = h.count
	if h.at >= 0 && h.visits[h.at] == path {
		return
	}
	h.visits = append(h.visits[:h.at+1], path)
	if len(h.visits) > maxHistory {
		h.visits = h.visits[len(h.visits)-maxHistory:]
	}
	h.at = len(h.visits) - 1
}

// move goes n visits on, or back where n is negative; ok is false where there are none.
func (h *history) move(n int) (string, bool) {
	if !h.can(n) {
		return "", false
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
