package search

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A finder finds a term in text and returns the bytes that match.
type finder interface {
	find(s string) (from, to int, ok bool)
}

// newWords finds s in any case, or in its own if s has a capital.
func newWords(s string) finder {
	if hasCapital(strings.ReplaceAll(s, `\`, "")) {
		return exact(s)
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return (*regexpFinder)(regexp.MustCompile("(?i)" + regexp.QuoteMeta(strings.ToValidUTF8(s, "�"))))
		}
	}
	return folded(s)
}

// newGlob matches the whole text: * stands for any characters, ? for one.
func newGlob(s string) finder {
	var b strings.Builder
	b.WriteString("(?s")
	if !hasCapital(s) {
		b.WriteByte('i')
	}
	b.WriteString(")^")
	for _, r := range s {
		switch r {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteByte('$')
	return (*regexpFinder)(regexp.MustCompile(b.String()))
}

// newNumberWord finds digits without adjacent digits.
func newNumberWord(s string) finder { return numberWord{newWords(s)} }

// exact is text in its own case.
type exact string

func (e exact) find(s string) (int, int, bool) {
	i := strings.Index(s, string(e))
	return i, i + len(e), i >= 0
}

// folded is lower-case ASCII that matches in any case.
type folded string

func (f folded) find(s string) (int, int, bool) {
	first := f[0]
	for i := 0; i+len(f) <= len(s); i++ {
		if lower(s[i]) == first && equalFolded(s[i:i+len(f)], string(f)) {
			return i, i + len(f), true
		}
	}
	return 0, 0, false
}

// equalFolded reports whether s in lower case is f. Both have equal lengths.
func equalFolded(s, f string) bool {
	for i := range len(f) {
		if lower(s[i]) != f[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + 'a' - 'A'
	}
	return c
}

// A regexpFinder finds a regular expression.
type regexpFinder regexp.Regexp

func (r *regexpFinder) find(s string) (int, int, bool) {
	at := (*regexp.Regexp)(r).FindStringIndex(s)
	if at == nil {
		return 0, 0, false
	}
	return at[0], at[1], true
}

// reaching finds a term in s whose match ends after an offset.
func reaching(f finder, s string, after int) (from, to int, ok bool) {
	if r, is := f.(*regexpFinder); is { // text before a part of s can matter to an expression
		for _, at := range (*regexp.Regexp)(r).FindAllStringIndex(s, -1) {
			if at[1] > after {
				return at[0], at[1], true
			}
		}
		return 0, 0, false
	}
	for base := 0; ; base = from + 1 {
		if from, to, ok = f.find(s[base:]); !ok {
			return 0, 0, false
		}
		if from, to = from+base, to+base; to > after {
			return from, to, true
		}
	}
}

// A numberWord finds a number in text.
type numberWord struct{ finder }

func (n numberWord) find(s string) (int, int, bool) {
	for base := 0; ; {
		from, to, ok := n.finder.find(s[base:])
		if !ok {
			return 0, 0, false
		}
		from, to = from+base, to+base
		if (from == 0 || !digit(s[from-1])) && (to == len(s) || !digit(s[to])) {
			return from, to, true
		}
		base = from + 1
	}
}

func digit(c byte) bool { return c-'0' < 10 }

// shorten returns the beginning of s, for messages.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// excerpt returns about limit bytes of s that contain [from, to), and the offsets of that range in the result.
func excerpt(s string, from, to, limit int) (text string, start, end int) {
	if len(s) <= limit {
		return s, from, to
	}
	to = min(to, from+limit)
	low := max(0, min(from-(limit-(to-from))/2, len(s)-limit))
	high := min(len(s), low+limit)
	for low > 0 && low < from && !utf8.RuneStart(s[low]) {
		low++
	}
	for high < len(s) && high > to && !utf8.RuneStart(s[high]) {
		high--
	}
	text = s[low:high]
	start, end = from-low, to-low
	if low > 0 {
		text = "…" + text
		start, end = start+len("…"), end+len("…")
	}
	if high < len(s) {
		text += "…"
	}
	return text, start, end
}
