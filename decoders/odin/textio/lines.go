package textio

import "bytes"

// A Line is one line of a text.
type Line struct {
	Off, End, Next int64  // end excludes the line break; next is after it
	Head           []byte // the first HeadBytes bytes
}

// Bytes that are read.
const (
	HeadBytes = 400     // of a line for its Head
	PassAhead = 1 << 20 // at once by a pass over a whole text
)

// A Lines reads a text line by line, from Pos on.
type Lines struct {
	Window *Window
	Pos    int64
}

// Next reads the line at Pos. It returns false at the end, or if the bytes could not be read.
func (l *Lines) Next() (Line, bool) {
	if l.Pos >= l.Window.end {
		return Line{}, false
	}
	n := Line{Off: l.Pos}
	for at := l.Pos; ; {
		run := int(min(l.Window.end-at, 4096))
		b := l.Window.Peek(at, run)
		if b == nil {
			return n, false
		}
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			n.End = at + int64(i)
			n.Next = n.End + 1
			break
		}
		if at += int64(run); at >= l.Window.end {
			n.End, n.Next = at, at
			break
		}
	}
	l.Pos = n.Next
	if n.End > n.Off && n.Next > n.End {
		if b := l.Window.Peek(n.End-1, 1); b != nil && b[0] == '\r' {
			n.End--
		}
	}
	// The head comes last: it is valid until the next peek, and the line may be longer than the window.
	n.Head = bytes.TrimSuffix(l.Window.Peek(n.Off, int(min(n.End-n.Off, HeadBytes))), []byte("\r"))
	return n, true
}

// Key splits "  - key: value". indent counts the blanks and dashes before the key, and item reports a dash among them.
// The key is "" if the line has no colon.
func (n *Line) Key() (indent int, item bool, key string, valueAt int64) {
	for indent < len(n.Head) && (n.Head[indent] == ' ' || n.Head[indent] == '-' && indent+1 < len(n.Head) && n.Head[indent+1] == ' ') {
		item = item || n.Head[indent] == '-'
		indent++
	}
	rest := n.Head[indent:]
	i := bytes.IndexByte(rest, ':')
	if i < 0 {
		return indent, item, "", n.Off + int64(indent)
	}
	valueAt = n.Off + int64(indent+i+1)
	if i+1 < len(rest) && rest[i+1] == ' ' {
		valueAt++
	}
	return indent, item, string(rest[:i]), min(valueAt, n.End)
}
