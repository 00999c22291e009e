package treeview_test

import (
	"context"
	"sync/atomic"
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// endless is a card of a table that counts how often rows are read, and keeps the context of the last time.
type endless struct {
	uitest.Table
	reads atomic.Int64
	last  context.Context
}

func (e *endless) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	e.reads.Add(1)
	e.last = ctx
	return e.Table.Read(ctx, first, dst)
}

// TestListsEndWithWhatShowsThem: the list of a card reads no more once the card has gone, nor once the document has.
func TestListsEndWithWhatShowsThem(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		for _, c := range []struct {
			what  string
			leave func()
		}{{"its node", func() { s.Pane.Stage.Deck.Set(nil, false) }}, {"its document", func() { s.Show(doc.Document) }}} {
			table := &endless{}
			s.Pane.Stage.Deck.Set([]model.Card{table}, false)
			list := windowtest.First[*treeview.Tree](s.Pane.Stage.Deck.Card(0))
			list.Resize(fyne.NewSize(300, 200))
			lookAt := func(row int64) (reads int64) { // at rows that were never in sight
				list.SelectIndex(row, true)
				b.Idle()
				return table.reads.Load()
			}
			before := lookAt(1_000_000)
			if before == 0 {
				t.Fatal("nothing is read")
			}
			c.leave()
			if table.last.Err() == nil {
				t.Errorf("reading goes on without %s", c.what)
			}
			b.Idle()
			if lookAt(2_000_000) > before {
				t.Errorf("the list goes on without %s", c.what)
			}
		}
	})
}
