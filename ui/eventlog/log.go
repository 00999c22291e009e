// Package eventlog records the events of the window for end-to-end tests.
package eventlog

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// A Log records the events of the window, a line an event, for end-to-end tests. These wait for lines, which also hold
// the positions of bytes on the screen. CUTAWAY_LOG names the file; without that variable nothing is written.
//
//	ready                                      the window is shown
//	opened FILE FORMAT | failed FILE REASON    an opening has ended
//	selected PATH SOURCE OFFSET LENGTH         a node is selected; SOURCE is - where it has no bytes
//	row X Y W H                                where the selection's row is on the canvas, if it is in sight
//	cell SOURCE OFFSET X Y W H TX TW N RRGGBB  where the selection's first byte is on the canvas, in its units: its
//	                                           hex cell, its text cell; bytes in a row; the fill of selected bytes
//	from SOURCE OFFSET LENGTH                  what the selection was made from, nearest first
//	asked together N                           whether N dropped files are to be one document is asked
//	hex-tap SOURCE OFFSET                      a byte was clicked
//	view NAME                                  another tree is shown
//	followed KIND TARGET                       a reference was followed
//	inspect SOURCE OFFSET LE BE FIELDS FIELD   the inspector shows a place: its u16 in both byte orders, the bit fields
//	                                           over it, which of them is selected (-1: none)
//	checksums SOURCE OFFSET LENGTH CRC32       checksums are computed
//	field NAME X Y W H                         a field got the keyboard, and where it is: search, filter
//	search started TEXT WHERE | done N | stopped N
//	hit I PATH SOURCE OFFSET LENGTH            hit I of the search, from 0, is gone to; PATH is empty for bytes
//	filter started VIEW TEXT | done VIEW MATCHES ROWS | pending VIEW N | off VIEW
//	problems TOTAL SHOWN X Y W H               the problems are listed anew; where the first row is, if it is in sight
//	done WHAT                                  background work has ended: check, references
//	own-dialog REASON                          the window asks for a file itself: the system has no dialog
//	picked N                                   so many rows of the tree are selected
//	export-dialog FORM N EX EY BX BY LX LY     the export dialog is shown for N nodes: the middle of the path's entry, of the
//	                                           button that exports and of the list of forms, on the canvas
//	preview FORM LINES                         the dialog shows the beginning of what is written
//	exported PATH BYTES | not-exported PATH REASON  an export has ended
//	copied WHAT BYTES                          nodes, paths or values were copied; WHAT is the form, or "3 paths"
//	start STEP                                 a step of Start here is shown, from 1; 0: they are closed
//	taken N                                    N files of another start were opened
//	screen TITLE | text X Y W H TEXT … | screen-end  the texts of the newest window, where they are on its canvas, those
//	                                           in front last; written when a file LOG.look is there, which is removed then
//	stalled MS                                 the window answered nothing for so many milliseconds, more than 100
//
// Fields are separated by tabs.
type Log struct {
	mu sync.Mutex
	f  *os.File
}

// Open opens the log in a file. With an empty path it returns a log that writes nothing.
func Open(path string) (*Log, error) {
	if path == "" {
		return &Log{}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return &Log{}, err
	}
	return &Log{f: f}, nil
}

// On reports whether the log is written.
func (l *Log) On() bool { return l.f != nil }

// Write writes an event with its fields.
func (l *Log) Write(event string, fields ...any) {
	if l.f == nil {
		return
	}
	var b strings.Builder
	b.WriteString(event)
	for _, f := range fields {
		fmt.Fprintf(&b, "\t%v", f)
	}
	b.WriteByte('\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	// A test that misses the line says so; the window goes on.
	_, _ = l.f.WriteString(b.String())
}

// The window should answer within stallLimit. It is asked every stallEvery.
const stallEvery, stallLimit = 20 * time.Millisecond, 100 * time.Millisecond

// WatchStalls records when the UI goroutine takes long to answer, until done is closed.
func (l *Log) WatchStalls(post func(func()), done <-chan struct{}) {
	if l.f == nil {
		return
	}
	tick := time.NewTicker(stallEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		asked, answered := time.Now(), make(chan struct{})
		post(func() { close(answered) })
		select {
		case <-answered:
		case <-done:
			return
		}
		if took := time.Since(asked); took > stallLimit {
			l.Write("stalled", took.Milliseconds())
		}
	}
}
