package card

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export"
)

// Bounds of a fact's text: lines of a list, bytes of a value.
const maxFactLines, maxFactText = 60, 600

// factText writes a fact, a line for each row or entry.
func factText(ctx context.Context, f *model.Fact) string {
	shown := export.ShowFact(ctx, f, maxFactText)
	lines, all := shown.Lines, len(shown.Lines)
	if t := shown.Table; t != nil {
		all = len(t.Rows)
		lines = aligned(append([][]string{t.Head}, t.Rows[:min(all, maxFactLines)]...), t.Right)
	} else {
		lines = lines[:min(all, maxFactLines)]
	}
	if more := all - maxFactLines; more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", model.Grouped(int64(more))))
	}
	return strings.Join(lines, "\n")
}

// aligned writes rows with columns of one width each.
func aligned(rows [][]string, right []bool) []string {
	widths := make([]int, len(right))
	for _, row := range rows {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	var lines []string
	for _, row := range rows {
		var b strings.Builder
		for k, cell := range row {
			if k > 0 {
				b.WriteString("   ")
			}
			space := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if right[k] {
				b.WriteString(space + cell)
			} else {
				b.WriteString(cell + space)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}
