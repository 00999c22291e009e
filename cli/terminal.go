package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"cutaway/model/export"
)

// isTerminal reports whether w is a character device, which for a program's output is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// wantsColour follows https://no-color.org.
func wantsColour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w) && enableColour(w)
}

// meter shows progress: on a terminal in one line that is written over, else in a line now and then.
type meter struct {
	w     io.Writer // nil: nothing is shown
	over  bool      // the line can be written over
	every time.Duration

	mu    sync.Mutex
	last  time.Time
	shown bool
}

func newMeter(w io.Writer, always bool) *meter {
	switch {
	case isTerminal(w):
		return &meter{w: w, over: true, every: 100 * time.Millisecond, last: time.Now()}
	case always:
		return &meter{w: w, every: time.Second}
	}
	return &meter{}
}

// report is a model.Progress.
func (m *meter) report(done, total int64, what string) {
	if m.w == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Sub(m.last) < m.every {
		return
	}
	m.last = now
	text := what
	if total > 0 {
		text = fmt.Sprintf("%s: %d %%", what, int64(float64(done)/float64(total)*100))
	}
	if m.over {
		fmt.Fprintf(m.w, "\r\x1b[K%s", export.Elide(export.PathText(text), 78))
		m.shown = true
	} else {
		fmt.Fprintln(m.w, export.PathText(text))
	}
}

// clear takes the line away before other text.
func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.shown = false
	}
}

// quiet ends the showing, where progress and output would stand in each other's way.
func (m *meter) quiet() {
	m.clear()
	if m.over {
		m.w = nil
	}
}
