package export

import (
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export/quote"
)

// appendPath appends a path as a JSON string; bytes that are not UTF-8 are percent-encoded, which
// model.UnescapeSegment undoes, so that the path can be given back.
func appendPath(dst []byte, path string) []byte { return quote.String(dst, string(JSONPath(path))) }

// JSONPath is a path as JSON has it: exact, but for bytes that are not UTF-8, which are percent-encoded.
func JSONPath(path string) model.Text {
	return model.Text(percentEncoded(path, func(rune) bool { return false }))
}

// PathText is a path, or the name of a file, as a person can read it on a terminal and pass it on: bytes that are not UTF-8
// are percent-encoded, and so is what would break the line, move the cursor or turn the direction of the text.
func PathText(path string) string {
	return percentEncoded(path, model.Unprintable)
}

// percentEncoded encodes the bytes of what must, and those that are not UTF-8.
func percentEncoded(path string, must func(rune) bool) string {
	const upper = "0123456789ABCDEF"
	var b []byte // what is before done, once something was encoded
	done := 0
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && size == 1 || must(r) {
			b = append(b, path[done:i]...)
			for _, c := range []byte(path[i : i+size]) {
				b = append(b, '%', upper[c>>4], upper[c&15])
			}
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return path
	}
	return string(append(b, path[done:]...))
}
