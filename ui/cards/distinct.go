package cards

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/treeview"
)

// distinctBox makes a box that shows the distinct values of a column of text in body, or the list of its rows.
func (d *Deck) distinctBox(ctx context.Context, c *values.Column, list *treeview.Tree, body *fyne.Container) *kit.Check {
	var box *kit.Check
	var counts *treeview.Tree
	box = kit.NewCheck("Distinct", func(on bool) {
		switch {
		case !on:
			kit.Swap(body, list)
			return
		case counts == nil:
			counts = d.distinctList(ctx, c, func(row int64) { d.backToRow(list, row, box) })
		}
		kit.Swap(body, counts)
	})
	return box
}

// backToRow selects a row of a list and unchecks the box that hides the list.
func (d *Deck) backToRow(list *treeview.Tree, row int64, box *kit.Check) {
	list.SelectIndex(row, false)
	box.SetChecked(false)
	d.Focus(list)
}

// distinctList lists the distinct values of a column of text with their counts. A chosen one leads to its first row.
func (d *Deck) distinctList(ctx context.Context, c *values.Column, goTo func(row int64)) *treeview.Tree {
	n, _ := c.Len()
	rows := treeview.SliceOf(func(one values.Said) treeview.Row {
		part := strconv.FormatFloat(100*float64(one.Count)/float64(max(n, 1)), 'f', 1, 64) + " %"
		return treeview.Row{Cells: []string{model.Grouped(one.Count), part, model.Grouped(one.First), model.ShowHeld(model.Text(one.Value), shownLine)}}
	})
	first := numberColumn("First row", n)
	list := d.NewList(ctx, "distinct", rows, []treeview.Column{{Title: "Count", Width: first.Width, Mono: true, Right: true},
		{Title: "Of all", Width: 76, Mono: true, Right: true, Quiet: true}, first, {Title: "Value", Width: 200, Stretch: 1, Mono: true}})
	list.OnChosen = func(it treeview.Item) {
		if one, ok := rows.At(it); ok {
			goTo(one.First)
		}
	}
	d.Tasks.Go(ctx, "counting values", func(ctx context.Context, progress model.Progress) func() {
		f, err := values.Summarize(ctx, c, values.Reporting(progress, "values"))
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			rows.Set(f.Text.Said)
			list.Recount()
			switch {
			case err != nil:
				d.Notify("no further: " + err.Error())
			case f.Text.Distinct < 0:
				d.Notify("these are more than " + model.Grouped(values.MostDistinct) + " distinct values: they are not listed")
			}
		}
	})
	return list
}
