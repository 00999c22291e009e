package cards

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// columnsCard is a table, the facts of one of its columns, and its numbers as a plot or its texts by their number.
type columnsCard struct {
	d      *Deck
	ctx    context.Context
	table  model.Table
	list   *treeview.Tree
	body   *fyne.Container // the list, or the plot or values instead
	text   *kit.Selectable // the facts of the column
	facts  fyne.CanvasObject
	other  *kit.Check     // the plot or the distinct texts are shown
	column *values.Column // the chosen one, or nil
	latest task.Latest    // reads the facts
	plots  context.CancelFunc
}

func (d *Deck) columnsCard(ctx context.Context, table model.Table) (fyne.CanvasObject, *treeview.Tree) {
	list := d.tableCard(ctx, table)
	n, _ := table.Rows()
	c := &columnsCard{d: d, ctx: ctx, table: table, list: list, body: container.NewStack(list), text: kit.NewSelectable("")}
	c.text.TextStyle.Monospace, c.text.Wrapping = true, fyne.TextWrapWord
	c.facts = kit.Padded(0, 4, 9, 9, kit.Dense(c.text))
	c.facts.Hide()
	c.other = kit.NewCheck("", func(bool) { c.show() })
	c.other.Hide()
	var names []string
	for _, col := range table.Columns() {
		names = append(names, col.Name)
	}
	var choose *kit.Select
	choose = kit.NewSelect(names, func(string) { c.choose(choose.SelectedIndex()) })
	choose.PlaceHolder = "Columns…"
	count := widget.NewLabel(model.GroupedCount(n, "row"))
	count.Importance = widget.LowImportance
	row := d.rowField(list, n)
	bar := kit.NewBar(count, row, count, c.other, kit.AtLeast(150, choose), row).Box
	if at := d.position(); at.track != nil && at.track.Len() == n {
		markRow(list, at.child) // the table is of all records of the stream: here is the selected one
	}
	return kit.Border(kit.Under(bar, c.facts), nil, nil, nil, c.body), list
}

// rowField is a field for the number of the row to go to.
func (d *Deck) rowField(list *treeview.Tree, n int64) *kit.Entry {
	field := kit.NewEntry(func() { d.Focus(list) })
	field.SetPlaceHolder("Go to row")
	field.OnSubmitted = func(s string) {
		if i, ok := phrase.ParseCount(s); ok && n > 0 {
			list.SelectIndex(min(i, n-1), false)
			d.Focus(list)
		}
	}
	return field
}

// choose shows the facts of column k.
func (c *columnsCard) choose(k int) {
	if k < 0 {
		return
	}
	c.column = nil
	c.text.SetText("reading…")
	kit.SetVisible(c.facts, !c.other.Checked)
	Facts(c.latest.Next(c.ctx), c.d.Tasks, func(ctx context.Context) (*values.Column, error) { return values.TableColumn(ctx, c.table, k) }, func(t Told) {
		c.text.SetText(t.Text)
		if c.column != t.Column {
			c.column = t.Column
			c.other.SetText(map[bool]string{true: "Plot", false: "Distinct"}[t.Column.Numeric()])
			c.other.Show()
			c.show()
		}
	})
}

// show shows the plot of the column or its distinct texts, or the rows.
func (c *columnsCard) show() {
	if c.plots != nil {
		c.plots()
		c.plots = nil
	}
	var o fyne.CanvasObject = c.list
	if c.other.Checked && c.column != nil {
		var ctx context.Context
		ctx, c.plots = context.WithCancel(c.ctx)
		if c.column.Numeric() {
			o, _ = c.d.plotCard(ctx, &arrayPlot{model.CardBase{Title: c.column.Name}, &arrayTable{column: c.column}}, func(row int64) { markRow(c.list, row) })
		} else {
			o = c.d.distinctList(ctx, c.column, func(row int64) { c.d.backToRow(c.list, row, c.other) })
		}
	}
	kit.SetVisible(c.facts, o == fyne.CanvasObject(c.list)) // a plot needs the room
	kit.Swap(c.body, o)
}
