package ui

import (
	"fmt"
	"strings"

	"cutaway/model"
	"cutaway/ui/phrase"
)

// destination is where the location bar leads: a path, or an offset.
type destination struct {
	path string // "" for an offset
	off  int64
}

// parseDestination reads what was typed into the location bar: a path such as "layout/TOC", or an offset: "1234", "0x4d2",
// "+16" and "-16" from here, "end-16" from the end. views are the names with which paths begin, shown is what offsets are in.
func parseDestination(text string, views []string, shown string, here, size int64) (destination, error) {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "/")
	for _, v := range views {
		if first == v {
			return destination{path: strings.TrimRight(text, "/")}, nil
		}
	}
	low := strings.ToLower(text)
	base, sign, digits := int64(0), int64(1), low
	switch {
	case text == "":
		return destination{}, fmt.Errorf("type a path, such as %s/…, or an offset", views[0])
	case low == "end":
		base, digits = size, "1"
		sign = -1
	case strings.HasPrefix(low, "end-"):
		base, sign, digits = size, -1, low[len("end-"):]
	case low[0] == '+':
		base, digits = here, low[1:]
	case low[0] == '-':
		base, sign, digits = here, -1, low[1:]
	}
	n, ok := phrase.ParseCount(strings.TrimSpace(digits))
	if !ok {
		if strings.Contains(text, "/") {
			return destination{}, fmt.Errorf("no view is named %q; paths begin with %s", first, strings.Join(views, ", "))
		}
		return destination{}, fmt.Errorf("%q is neither a path nor an offset; try %s/…, 1234, 0x4d2, +16, -16 or end-16", text, views[0])
	}
	off := base + sign*n
	if off < 0 || off >= size {
		return destination{}, fmt.Errorf("offset %d (%s) is outside %s, which has %s", off, phrase.Hex(off), shown, model.GroupedCount(size, "byte"))
	}
	return destination{off: off}, nil
}
