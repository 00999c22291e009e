package usda

import (
	"slices"
	"strings"

	"cutaway/model"
)

// TextCard is embedded in cards with USD text, for its colours.
type TextCard struct{ model.CardBase }

const plainToken = model.TokenKind(255) // a word that does not stand out

// NewTextCard makes the card of a node.
func NewTextCard() TextCard { return TextCard{model.CardBase{Title: CardTitle}} }

// Tokens returns Tokens of a line.
func (TextCard) Tokens(line string) []model.Token { return Tokens(line) }

// Tokens returns the keywords, types, names, values, paths and assets of a line of USD text. It knows no other lines: those inside of a long
// text are read as statements.
func Tokens(line string) (tokens []model.Token) {
	for at := 0; at < len(line); {
		kind, end := tokenAt(line, at)
		if end == at {
			at++
			continue
		}
		if kind != plainToken {
			tokens = append(tokens, model.Token{From: at, To: end, Kind: kind})
		}
		at = end
	}
	return tokens
}

// tokenAt returns the kind and the end of the token at an offset of a line. The end is the offset if none begins there.
func tokenAt(line string, at int) (model.TokenKind, int) {
	rest := line[at:]
	switch c := rest[0]; {
	case c == '#':
		return model.QuietToken, len(line)
	case c == '"' || c == '\'':
		return model.ValueToken, at + quotedEnd(rest, rest[:1])
	case c == '@':
		return model.TargetToken, at + quotedEnd(rest, "@")
	case c == '<':
		if end := strings.IndexByte(rest, '>'); end > 0 {
			return model.TargetToken, at + end + 1
		}
	case isDigit(c), strings.IndexByte("+-.", c) >= 0 && len(rest) > 1 && isDigit(rest[1]):
		end := 1
		for end < len(rest) && (strings.IndexByte("0123456789.eE", rest[end]) >= 0 || strings.IndexByte("+-", rest[end]) >= 0 && rest[end-1]|0x20 == 'e') {
			end++
		}
		return model.ValueToken, at + end
	}
	return wordAt(line, at)
}

// quotedEnd returns the length of a quoted text: with three quotes up to the next three, else up to the next one that is not escaped. It is all
// of a text without an end.
func quotedEnd(text, quote string) int {
	if three := strings.Repeat(quote, 3); strings.HasPrefix(text, three) {
		if end := strings.Index(text[3:], three); end >= 0 {
			return end + 6
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != "@":
			i++
		case text[i] == quote[0]:
			return i + 1
		}
	}
	return len(text)
}

// wordAt returns the kind and the end of the word at an offset of a line. The word before an assignment is a name.
func wordAt(line string, at int) (model.TokenKind, int) {
	end := at + identifierEnd([]byte(line[at:]))
	for end > at && strings.HasPrefix(line[end:], ":") {
		end += 1 + identifierEnd([]byte(line[end+1:]))
	}
	word := line[at:end]
	after := strings.TrimLeft(line[end:], " ")
	_, isType := TypeOf(word)
	switch {
	case word == "":
		return plainToken, at
	case slices.Contains([]string{"true", "false", "None", "inf", "nan"}, word):
		return model.ValueToken, end
	case strings.HasPrefix(after, "=") || strings.HasPrefix(after, "."):
		return model.NameToken, end
	case IsKeyword(word) || word == "rel":
		return model.JumpToken, end
	case isType:
		return model.CallToken, end
	}
	return plainToken, end
}
