package export

import (
	"bytes"

	"cutaway/model/export/quote"
)

// maxBlocks is the number of levels that YAML indents. Deeper ones are written as JSON, so that a tree of ten thousand
// levels does not consist of blanks.
const maxBlocks = 64

// A level is an open list or object.
type level struct {
	list  bool
	block bool // a YAML block: an entry on each line, indented
	some  bool // it has entries
}

// open begins a list or object: a block in YAML, unless its parent is none.
func (e *encoder) open(list bool) {
	n := len(e.levels)
	block := e.yaml && n < maxBlocks && (n == 0 || e.levels[n-1].block)
	if !block {
		e.openFlow(list)
		return
	}
	if list && n > 0 {
		e.buf = e.buf[:len(e.buf)-1] // the blank after the key: the entries have lines of their own
	}
	e.levels = append(e.levels, level{list: list, block: true})
}

// openFlow begins a list or object in brackets.
func (e *encoder) openFlow(list bool) {
	mark := byte('{')
	if list {
		mark = '['
	}
	e.buf = append(e.buf, mark)
	e.levels = append(e.levels, level{list: list})
}

// shut ends the innermost list or object.
func (e *encoder) shut() {
	n := len(e.levels) - 1
	l := e.levels[n]
	e.levels = e.levels[:n]
	switch {
	case !l.block && l.list:
		e.buf = append(e.buf, ']')
	case !l.block:
		e.buf = append(e.buf, '}')
	case !l.some && n > 0:
		e.str(" []")
	case !l.some:
		e.str("[]")
	}
}

// item begins an entry of the open list.
func (e *encoder) item() {
	l := &e.levels[len(e.levels)-1]
	switch {
	case l.block:
		if l.some || len(e.levels) > 1 {
			e.indent()
		}
		e.str("- ")
	case l.some:
		e.buf = append(e.buf, ',')
	}
	l.some = true
}

// key begins an entry of the open object.
func (e *encoder) key(name string) {
	l := &e.levels[len(e.levels)-1]
	if l.block {
		if l.some { // the first follows the dash of its list
			e.indent()
		}
		l.some = true
		e.str(name)
		e.str(": ")
		return
	}
	if l.some {
		e.buf = append(e.buf, ',')
	}
	l.some = true
	e.buf = append(e.buf, '"')
	e.str(name)
	e.str(`":`)
}

// newline breaks the line before an entry in brackets, to keep long structures readable.
func (e *encoder) newline() {
	if !e.levels[len(e.levels)-1].block {
		e.buf = append(e.buf, '\n')
	}
}

func (e *encoder) indent() {
	e.buf = append(e.buf, '\n')
	for range len(e.levels) - 1 {
		e.str("  ")
	}
}

// float writes a number. YAML 1.1 reads 1e-07 as text and 1.0e-07 as a number.
func (e *encoder) float(f float64, bits int) {
	at := len(e.buf)
	e.buf = quote.Float(e.buf, f, bits)
	if exp := bytes.IndexByte(e.buf[at:], 'e'); e.yaml && exp > 0 && bytes.IndexByte(e.buf[at:], '.') < 0 && e.buf[at] != '"' {
		tail := string(e.buf[at+exp:])
		e.buf = append(append(e.buf[:at+exp], ".0"...), tail...)
	}
}
