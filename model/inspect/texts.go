package inspect

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// LeastText is the length of a text that Texts finds, in characters.
const LeastText = 6

// longestText bounds the text that is handed on, in characters; its span may be longer.
const longestText = 200

// textBlock is the number of bytes that are searched at once. A longer text is found in pieces.
const textBlock = 1 << 20

// Text is characters that lie together in a source.
type Text struct {
	Off, Len int64  // in bytes
	Encoding string // "UTF-8", "UTF-16 LE" or "UTF-16 BE"
	Text     string // its beginning
}

// Texts finds runs of printable characters in a source from an offset on: UTF-8, and UTF-16 of European letters, whose
// every second byte is zero. It hands on what it finds in the order of the ends until found returns false, and returns
// where it is to go on.
func Texts(ctx context.Context, src *model.Source, from int64, progress model.Progress, found func(Text) bool) (next int64, err error) {
	size := src.Size()
	for off := from; off < size; {
		block, err := src.Bytes(ctx, off, min(textBlock, size-off))
		if err != nil {
			return off, err
		}
		used := 0
		for used < len(block) {
			t, n := textAt(block[used:])
			if used > 0 && used+n >= len(block) && off+int64(len(block)) < size {
				break // it may go on in the next block
			}
			if t.Len == 0 {
				used += n
				continue
			}
			t.Off = off + int64(used)
			used += n
			if !found(t) {
				return off + int64(used), nil
			}
		}
		off += int64(max(used, 1))
		if err := ctx.Err(); err != nil {
			return off, err
		}
		progress.Report(off, size, "bytes")
	}
	return size, nil
}

// textAt is the text at the beginning of b, without its place, and how many bytes it takes; of no text, how many to skip.
func textAt(b []byte) (Text, int) {
	if n, chars := utf8Run(b); chars >= LeastText {
		return Text{Len: int64(n), Encoding: "UTF-8", Text: shortened(string(b[:min(n, longestText*utf8.UTFMax)]))}, n
	} else if n > 1 && !wide(b, 0) && !wide(b, 1) {
		return Text{}, n
	}
	for low, name := range []string{"UTF-16 LE", "UTF-16 BE"} {
		n := 0
		var text strings.Builder
		for n+1 < len(b) && b[n+1-low] == 0 && printable(rune(b[n+low])) {
			if n < 2*longestText {
				text.WriteRune(rune(b[n+low]))
			}
			n += 2
		}
		if n/2 >= LeastText {
			return Text{Len: int64(n), Encoding: name, Text: text.String()}, n
		}
	}
	return Text{}, 1
}

// wide reports whether b may begin with UTF-16 whose letters are at its even bytes, or at its odd ones.
func wide(b []byte, low int) bool { return len(b) > 1 && b[1-low] == 0 && printable(rune(b[low])) }

// utf8Run is how many bytes of b are printable characters, and how many of those.
func utf8Run(b []byte) (n, chars int) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 || !printable(r) {
			break
		}
		n += size
		chars++
	}
	return n, chars
}

// printable reports whether a character is of a text.
func printable(r rune) bool { return unicode.IsPrint(r) || r == '\t' || r == '\n' || r == '\r' }

// shortened is the beginning of a text.
func shortened(s string) string {
	if r := []rune(strings.ToValidUTF8(s, "")); len(r) > longestText {
		return string(r[:longestText])
	}
	return strings.ToValidUTF8(s, "")
}
