package ui

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

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
func TestListsEndWithWhatShowsThem(t *testing.T) { synctest.Test(t, testListsEndWithWhatShowsThem) }

func testListsEndWithWhatShowsThem(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	for _, c := range []struct {
		what  string
		leave func()
	}{{"its node", func() { s.Pane.Details.Cards.Set(nil) }}, {"its document", func() { s.showDocument(doc.Document) }}} {
		table := &endless{}
		s.Pane.Details.Cards.Set([]model.Card{table})
		list := first[*treeview.Tree](s.Pane.Details.Cards.Card(0))
		list.Resize(fyne.NewSize(300, 200))
		lookAt := func(row int64) (reads int64) { // at rows that were never in sight
			list.SelectIndex(row, true)
			b.idle()
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
		b.idle()
		if lookAt(2_000_000) > before {
			t.Errorf("the list goes on without %s", c.what)
		}
	}
}
