package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export"
)

const description = `Opens a binary file, says what it is, decodes it and shows it beside its bytes.

Without a verb, or with files only, the window opens. FILE is a file's name; FILE#PATH names a node in it, FILE:OFFSET a byte, PKG.usdz[INNER] a member of a package.

Exit status: 0 no error met, 1 errors met (with --strict: or warnings), 2 not readable or not recognised, 3 wrong usage, export failed or cancelled, 4 an export lacks values.`

// examples returns the part of a verb's help that shows how it is used. Each line follows "cutaway", or pipes into it.
func examples(lines ...string) string {
	var b strings.Builder
	b.WriteString("Examples:\n")
	for _, l := range lines {
		b.WriteString("\n  ")
		if !strings.Contains(l, "| cutaway ") {
			b.WriteString("cutaway ")
		}
		b.WriteString(l)
	}
	return b.String()
}

// object prints one JSON object on a line.
func (s *session) object(o model.Object) error {
	buf, err := export.AppendValue(s.ctx, nil, o)
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(buf, '\n'))
	return err
}

// appendObjects appends a JSON array of objects, however long.
func (s *session) appendObjects(dst []byte, list []model.Object) []byte {
	dst = append(dst, '[')
	for i, o := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, _ = export.AppendValue(s.ctx, dst, o) // plain numbers and text: nothing is read
	}
	return append(dst, ']')
}

// textTable is rows in aligned columns: those of right to the right, the others to the left.
type textTable struct {
	head   []string
	rows   [][]string
	right  []bool
	indent string
}

func (t *textTable) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *textTable) write(s *session) {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	line := func(row []string) string {
		var b strings.Builder
		b.WriteString(t.indent)
		for i, c := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			if t.right != nil && t.right[i] {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)) + c)
			} else {
				b.WriteString(fill(c, widths[i]))
			}
		}
		return strings.TrimRight(b.String(), " ")
	}
	fmt.Fprintln(s.out, s.style.Quiet(line(t.head)))
	for _, row := range t.rows {
		fmt.Fprintln(s.out, line(row))
	}
}

// numbers are n columns of numbers after a first one of text.
func numbers(n int) []bool { return append([]bool{false}, slices.Repeat([]bool{true}, n)...) }

// fill pads s to width characters.
func fill(s string, width int) string {
	return s + strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}
