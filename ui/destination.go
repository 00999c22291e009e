package ui

import (
	"errors"
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
		err := fmt.Errorf("offset %d (%s) is outside %s, which has %s", off, phrase.Hex(off), shown, model.GroupedCount(size, "byte"))
		if digits == low {
			err = &outsideError{err, off}
		}
		return destination{}, err
	}
	return destination{off: off}, nil
}

// outsideError is of an offset from the beginning of a source that ends before it.
type outsideError struct {
	error
	off int64
}

// goToText goes where the location bar says. An offset that decompressed bytes do not have may be one of the file: Enter once more
// goes there.
func (w *Window) goToText(text string) {
	w.withSession(func(s *session) {
		var views []string
		for _, v := range s.Pane.Doc.Views {
			views = append(views, v.Name)
		}
		src := s.Pane.Hex.Shown.Src
		g, err := parseDestination(text, views, src.Title(), s.Pane.Hex.Shown.View.Cursor(), src.Size())
		if out := (*outsideError)(nil); errors.As(err, &out) && src.Origin() != nil {
			for src.Origin() != nil {
				src = src.Origin().Parent
			}
			switch {
			case out.off >= src.Size():
				err = fmt.Errorf("%w, and outside %s, which has %s", err, src.Title(), model.GroupedCount(src.Size(), "byte"))
			case w.refused.Visible(): // with the same text
				g, err = destination{off: out.off}, nil
			default:
				err = fmt.Errorf("%w; Enter once more goes there in %s", err, s.Pane.Hex.TabFor(src).Title())
			}
		}
		switch {
		case err != nil:
			w.refuse(err)
		case g.path != "":
			s.Pane.Nav.GoToOr(g.path, w.refuse)
		default:
			w.refuse(nil)
			s.Pane.Nav.GoToOffsetOf(src, g.off)
			w.Focus(s.Pane.Hex.Shown.View)
		}
	})
}
