package export

import (
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export/quote"
)

// appendPath appends a path as a JSON string. Invalid UTF-8 is percent-encoded, which model.UnescapeSegment decodes.
func appendPath(dst []byte, path string) []byte { return quote.String(dst, string(JSONPath(path))) }

// JSONPath returns a path as in JSON: unchanged, but with invalid UTF-8 percent-encoded.
func JSONPath(path string) model.Text {
	return model.Text(percentEncoded(path, func(rune) bool { return false }))
}

// PathText returns a path or file name for a terminal. It percent-encodes invalid UTF-8, and characters that break
// lines, move the cursor or change the direction of text.
func PathText(path string) string {
	return percentEncoded(path, model.Unprintable)
}

// percentEncoded encodes invalid UTF-8, and the characters that must selects.
func percentEncoded(path string, must func(rune) bool) string {
	const upper = "0123456789ABCDEF"
	var b []byte // text before done, if anything was encoded
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
