package cards

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// columnsCard is a table, the facts of one of its columns, and its numbers as a plot.
type columnsCard struct {
	d      *Deck
	ctx    context.Context
	table  model.Table
	list   *treeview.Tree
	body   *fyne.Container // the list or a plot
	text   *widget.Label   // the facts of the column
	facts  fyne.CanvasObject
	plot   *kit.Check
	column *values.Column // that is chosen; nil: none
	latest task.Latest    // reads the facts
	plots  context.CancelFunc
}

func (d *Deck) columnsCard(ctx context.Context, table model.Table) fyne.CanvasObject {
	list := d.tableCard(ctx, table)
	n, _ := table.Rows()
	c := &columnsCard{d: d, ctx: ctx, table: table, list: list, body: container.NewStack(list), text: widget.NewLabel("")}
	c.text.TextStyle.Monospace, c.text.Selectable, c.text.Wrapping = true, true, fyne.TextWrapWord
	c.facts = kit.Dense(c.text)
	c.facts.Hide()
	c.plot = kit.NewCheck("plot", func(bool) { c.show() })
	c.plot.Hide()
	var names []string
	for _, col := range table.Columns() {
		names = append(names, col.Name)
	}
	var choose *kit.Select
	choose = kit.NewSelect(names, func(string) { c.choose(choose.SelectedIndex()) })
	choose.PlaceHolder = "Facts of…"
	count := widget.NewLabel(model.GroupedCount(n, "row"))
	count.Importance, count.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	tools := container.NewHBox(c.plot, kit.AtLeast(150, choose), kit.AtLeast(kit.FilterWide, d.rowField(list, n)))
	bar := container.New(layout.NewCustomPaddedLayout(3, 3, 5, 5), kit.Border(nil, nil, nil, tools, count))
	if at := d.seat(); at.track != nil && at.track.Len() == n {
		list.KeepIndex(at.child) // the table is of all records of the stream: here is the selected one
		list.Reveal(at.child)
	}
	return kit.Border(kit.Under(bar, c.facts), nil, nil, nil, c.body)
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

// choose tells the facts of column k.
func (c *columnsCard) choose(k int) {
	if k < 0 {
		return
	}
	c.column = nil
	c.text.SetText("reading…")
	kit.SetVisible(c.facts, !c.plot.Checked)
	Facts(c.latest.Next(c.ctx), c.d.Tasks, func(ctx context.Context) (*values.Column, error) { return values.TableColumn(ctx, c.table, k) }, func(t Told) {
		c.text.SetText(t.Text)
		if c.column != t.Column {
			c.column = t.Column
			kit.SetVisible(c.plot, t.Column.Numeric())
			c.show()
		}
	})
}

// show shows the plot of the column, or the rows.
func (c *columnsCard) show() {
	if c.plots != nil {
		c.plots()
		c.plots = nil
	}
	var o fyne.CanvasObject = c.list
	if c.plot.Checked && c.column != nil && c.column.Numeric() {
		var ctx context.Context
		ctx, c.plots = context.WithCancel(c.ctx)
		o = c.d.plotCard(ctx, &arrayPlot{model.CardBase{Title: c.column.Name}, &arrayTable{column: c.column}})
	}
	kit.SetVisible(c.facts, o == fyne.CanvasObject(c.list)) // a plot needs the room
	kit.Swap(c.body, o)
}
