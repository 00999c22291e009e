package inspect

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// LeastText is the least length of a text in Texts, in characters.
const LeastText = 6

// longestText is the most characters of a text that are returned; its span may be longer.
const longestText = 200

// textBlock is the number of bytes of a block. Longer texts are found in pieces.
const textBlock = 1 << 20

// A Text is a run of characters in a source.
type Text struct {
	Off, Len int64  // in bytes
	Encoding string // "UTF-8", "UTF-16 LE" or "UTF-16 BE"
	Text     string // its beginning
}

// Texts finds runs of printable characters in a source from an offset on: UTF-8, and UTF-16 of European letters, whose
// every second byte is zero. It calls found with each, in the order of their ends, until found returns false. It
// returns the offset to continue from.
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

// textAt returns the text that b begins with, without its offset, and its length in bytes, or no text and the number of
// bytes to skip.
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

// wide reports whether b may begin with UTF-16 that has its letters at even (low 0) or odd (1) bytes.
func wide(b []byte, low int) bool { return len(b) > 1 && b[1-low] == 0 && printable(rune(b[low])) }

// utf8Run returns the number of leading bytes of b that are printable characters, and the number of these characters.
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

// printable reports whether a character may be part of a text.
func printable(r rune) bool { return unicode.IsPrint(r) || r == '\t' || r == '\n' || r == '\r' }

// shortened returns the beginning of a text.
func shortened(s string) string {
	if r := []rune(strings.ToValidUTF8(s, "")); len(r) > longestText {
		return string(r[:longestText])
	}
	return strings.ToValidUTF8(s, "")
}
