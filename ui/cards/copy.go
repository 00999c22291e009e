package cards

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// mostCopied is the most rows of a table that are copied at once; more are for an export.
const mostCopied = 100_000

// copyable lets cells, rows and columns of a table be copied: by its menu, and the selected rows by Ctrl+C. The first column,
// the number of the row, is not among what is copied of a row. titles are those of all columns.
func (d *Deck) copyable(ctx context.Context, list *treeview.Tree, table model.Table, rows *windowed[[]model.Cell], titles []string) {
	list.Multi = true
	copyRows := func() {
		n := list.Selection.Count()
		items := list.Selection.All(mostCopied)
		d.copyCells(ctx, n, "row", items, rows, -1)
	}
	list.OnCopy = func(treeview.Item) { copyRows() }
	list.OnMenu = func(it treeview.Item, column int, at fyne.Position) {
		rowsText := "Copy the row"
		if n := list.Selection.Count(); n > 1 {
			rowsText = "Copy " + model.GroupedCount(n, "row")
		}
		one := func(context.Context) []treeview.Item { return []treeview.Item{it} }
		copyCell := func(k int) { d.copyCells(ctx, 1, "cell", one, rows, k-1) }
		copyColumn := func(k int) {
			n, _ := table.Rows()
			d.copyCells(ctx, n, "cell", firstRows(n), rows, k-1)
		}
		if len(titles) == 2 {
			column = 1 // there is no other
		}
		items := []*fyne.MenuItem{kit.MenuItem(rowsText, "", 0, copyRows)}
		if column > 0 {
			items = append(items, kit.MenuItem("Copy the cell", "", 0, func() { copyCell(column) }),
				kit.MenuItem("Copy the column "+phrase.Short(titles[column], 40), "", 0, func() { copyColumn(column) }))
		} else { // the keyboard is in no column
			items = append(items, ofColumns("Copy the cell", titles, copyCell), ofColumns("Copy the column", titles, copyColumn))
		}
		items = append(items, kit.MenuItem("Export"+strings.TrimPrefix(rowsText, "Copy")+"…", "", 0, func() { d.host.ExportRows(list.Selection.Ranges()) }))
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), d.Win.Canvas(), at)
	}
}

// ofColumns is an item that does something with a column: which one is asked in a menu of its own.
func ofColumns(label string, titles []string, do func(k int)) *fyne.MenuItem {
	item := fyne.NewMenuItem(label, nil)
	item.ChildMenu = fyne.NewMenu("")
	for k := 1; k < len(titles); k++ {
		item.ChildMenu.Items = append(item.ChildMenu.Items, kit.MenuItem(phrase.Short(titles[k], 40), "", 0, func() { do(k) }))
	}
	return item
}

// tellTooMany says that there are too many rows, or lines, to be copied at once.
func (d *Deck) tellTooMany(n int64, what string) {
	d.TellWords("Too many "+what+"s", nil, fmt.Sprintf("There are %s; at most %s are copied at once. Export writes all of them to a file.",
		model.GroupedCount(n, what), model.Grouped(mostCopied)))
}

// firstRows makes the first n rows of a table; it is nil where they are too many to be copied.
func firstRows(n int64) func(ctx context.Context) []treeview.Item {
	if n > mostCopied {
		return nil
	}
	return func(context.Context) []treeview.Item {
		items := make([]treeview.Item, n)
		for i := range items {
			items[i] = int64(i)
		}
		return items
	}
}

// copyCells reads rows in the background and copies what they say, a line for each: all cells with tabs between them, or those of
// one column.
func (d *Deck) copyCells(ctx context.Context, n int64, what string, items func(ctx context.Context) []treeview.Item,
	rows *windowed[[]model.Cell], column int) {
	if items == nil {
		d.tellTooMany(n, "row")
		return
	}
	d.Tasks.Try(ctx, "copying "+model.GroupedCount(n, what), func(ctx context.Context, progress model.Progress) (func(), error) {
		var text strings.Builder
		for k, it := range items(ctx) {
			cells, err := rows.get(it.(int64))
			if err != nil && cells == nil {
				return nil, err
			}
			if k > 0 {
				text.WriteByte('\n')
			}
			for i, c := range cells {
				switch {
				case column >= 0 && i != column:
					continue
				case column < 0 && i > 0:
					text.WriteByte('\t')
				}
				text.WriteString(model.Show(ctx, c.Value, copiedCell))
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			progress.Report(int64(k), n, "rows")
		}
		return func() { d.CopyText(text.String(), model.GroupedCount(n, what)) }, nil
	})
}

// copiedCell is the most bytes of a cell that are copied.
const copiedCell = 1 << 16
