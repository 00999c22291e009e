package treeview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// oneLine replaces what cannot be drawn in one line: control characters, and bytes that are not UTF-8.
func oneLine(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// longestShown is the most bytes of a text that are measured.
const longestShown = 1024

// parted separates the parts of a text; the first matter most.
const parted = "  ·  "

// tight replaces parted where there is little room.
const tight = " · "

// elide shortens s until it is at most width wide: a name or type in its middle, several words or parts and figures at their end, and a
// path where it begins, since many begin alike. It returns s itself where it fits.
func elide(s string, width, size float32, style fyne.TextStyle) string {
	if width < size/2 {
		return "" // there is no room for a letter
	}
	if len(s) <= longestShown && fyne.MeasureText(s, size, style).Width <= width {
		return s
	}
	several := strings.Contains(s, parted)
	if several { // the room between parts goes first
		if s = strings.ReplaceAll(s, parted, tight); len(s) <= longestShown && fyne.MeasureText(s, size, style).Width <= width {
			return s
		}
	}
	head, runes := headOf(s, several), []rune(s)
	if len(s) > longestShown {
		runes = append([]rune(firstRunes(s, longestShown/2)), []rune(lastRunes(s, longestShown/2))...)
	}
	cut := func(keep int) string {
		n := head(keep)
		return string(runes[:n]) + "…" + string(runes[len(runes)-(keep-n):])
	}
	low, high := 0, len(runes)-1
	for low < high {
		mid := (low + high + 1) / 2
		if fyne.MeasureText(cut(mid), size, style).Width <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return cut(low)
}

// headOf returns a function that returns the number of kept letters at the beginning of a text.
func headOf(s string, several bool) func(keep int) int {
	spaced, deep := strings.Contains(s, " ") && !isType(s), strings.Count(s, "/") > 2
	switch {
	case several, isFigures(s), spaced && !deep:
		return func(keep int) int { return keep }
	case deep && !spaced:
		return headOfPath
	}
	return func(keep int) int { return (keep + 1) / 2 }
}

// headOfPath returns the number of kept letters at the beginning of a path: none of few.
func headOfPath(keep int) int {
	if keep < 18 {
		return 0
	}
	return keep / 5
}

// isFigures reports whether a text is numbers, a list, or cut already: without its middle it would have numbers or names that
// nobody wrote.
func isFigures(s string) bool {
	return strings.Contains(s, "…") || strings.IndexAny(s, "[({") == 0 || strings.Trim(s, "0123456789abcdefx .,:+-×→#@()[]") == ""
}

// isType reports whether a text has spaces only between its angle brackets, such as Dictionary<string, int>.
func isType(s string) bool {
	head, inside, _ := strings.Cut(s, "<")
	last := strings.LastIndex(inside, ">")
	return last > 0 && !strings.Contains(head+inside[last:], " ")
}

func firstRunes(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func lastRunes(s string, n int) string {
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}
