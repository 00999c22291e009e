package usda

import "strconv"

// Plural returns a number of things in words: one where n is 1, otherwise many.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}
