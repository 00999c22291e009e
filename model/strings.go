package model

import (
	"fmt"
	"strconv"
)

// Counted returns a number of things: "1 byte", "2 bytes".
func Counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Grouped returns a number with commas: "1,234,567".
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// GroupedCount is like Counted, with commas: "1,234 bytes".
func GroupedCount(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Grouped(n) + " " + thing + "s"
}
