package document

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// Bounds of a fact's text: lines of a list, bytes of a value, and of one in a table.
const maxFactLines, maxFactText, maxFactCell = 60, 600, 56

// factText writes a fact. A list has a line for each entry; one of objects that have the same keys is a table.
func factText(ctx context.Context, v model.Value) string {
	list, ok := v.(model.Seq)
	if !ok {
		return model.Show(ctx, v, maxFactText)
	}
	shown := list[:min(len(list), maxFactLines)]
	lines := tableLines(ctx, shown)
	if lines == nil {
		for _, one := range shown {
			lines = append(lines, strings.Trim(model.Show(ctx, one, maxFactText), "{}"))
		}
	}
	if more := len(list) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", model.Grouped(int64(more))))
	}
	return strings.Join(lines, "\n")
}

// tableLines are the columns' names and a line for each object, with numbers to the right; nil where the objects have
// not the same keys.
func tableLines(ctx context.Context, list model.Seq) []string {
	if len(list) == 0 {
		return nil
	}
	first, ok := list[0].(model.Object)
	if !ok || len(first) == 0 {
		return nil
	}
	cells := make([][]string, 1, len(list)+1)
	right := make([]bool, len(first)) // columns of numbers
	for k, m := range first {
		cells[0] = append(cells[0], m.Key)
		right[k] = true
	}
	for _, one := range list {
		object, _ := one.(model.Object)
		if len(object) != len(first) {
			return nil
		}
		row := make([]string, len(object))
		for k, m := range object {
			if m.Key != first[k].Key {
				return nil
			}
			var number bool
			row[k], number = factCell(ctx, m.Value)
			right[k] = right[k] && number
		}
		cells = append(cells, row)
	}
	return aligned(cells, right)
}

// factCell is a value of a table, and whether it is a number.
func factCell(ctx context.Context, v model.Value) (text string, number bool) {
	switch v := v.(type) {
	case model.Int:
		return model.Grouped(int64(v)), true
	case model.Text:
		return model.Show(ctx, v, maxFactCell), false
	}
	return strings.Trim(model.Show(ctx, v, maxFactCell), "{}"), false
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
