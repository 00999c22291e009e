package profile

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/facttext"
)

// Bounds of a fact's text: lines of a list, bytes of a value.
const maxFactLines, maxFactText = 60, 600

// FactText writes a fact, a line for each row or entry.
func FactText(ctx context.Context, f *model.Fact) string {
	shown := facttext.Show(ctx, f, maxFactText)
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

// fewEntries is the number of entries of a list in a line.
const fewEntries = 3

// FactLine writes a fact in a line: of a list the first entries and the number of the others, of counts their sum.
func FactLine(ctx context.Context, f *model.Fact) string {
	shown := facttext.Show(ctx, f, maxFactText)
	entries := shown.Lines
	if t := shown.Table; t != nil {
		unnamed := func(row []string) int { return map[bool]int{true: 1}[strings.HasPrefix(row[0], "(")] } // "(no type)" comes last
		slices.SortStableFunc(t.Rows, func(a, b []string) int { return unnamed(a) - unnamed(b) })
		for _, row := range t.Rows {
			entries = append(entries, strings.TrimSpace(strings.Join(append([]string{row[len(row)-1]}, row[:len(row)-1]...), " ")))
		}
	}
	if len(entries) <= fewEntries+1 {
		return strings.Join(entries, ", ")
	}
	others := int64(len(entries) - fewEntries)
	if t := shown.Table; t != nil && len(t.Head) == 2 {
		var sum int64
		for _, row := range t.Rows[fewEntries:] {
			n, err := strconv.ParseInt(strings.ReplaceAll(row[1], ",", ""), 10, 64)
			if err != nil {
				break
			}
			sum += n
		}
		others = max(others, sum)
	}
	return strings.Join(entries[:fewEntries], ", ") + ", " + model.Grouped(others) + " others"
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
