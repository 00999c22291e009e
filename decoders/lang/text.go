package lang

import (
	"strings"

	"cutaway/decoders/grammar"
)

// latin1 is text of a byte a character.
var latin1 = grammar.Text("latin-1", func(b []byte) (string, error) {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String(), nil
}).Total()
