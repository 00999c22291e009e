package ui

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// endless is a card of a table that counts how often rows are read.
type endless struct {
	fakeTable
	reads atomic.Int64
}

func (e *endless) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	e.reads.Add(1)
	return e.fakeTable.Read(ctx, first, dst)
}

// TestListsEndWithWhatShowsThem: the list of a card reads no more once the card has gone, nor once the document has.
func TestListsEndWithWhatShowsThem(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	look := func() func() bool {
		table := &endless{}
		s.details.cards = []model.Card{table}
		list := s.details.card(0).(*treeview.Tree)
		list.Resize(fyne.NewSize(300, 200))
		row := int64(0)
		return func() bool { // tells whether rows that were never in sight are read
			was := table.reads.Load()
			row = (row + 1_000_000) % 9_999_000
			list.SelectIndex(row, true)
			for deadline := time.Now().Add(400 * time.Millisecond); table.reads.Load() == was && time.Now().Before(deadline); {
				b.idle()
			}
			return table.reads.Load() > was
		}
	}
	for what, leave := range map[string]func(){"its node": s.details.closeCards, "its document": func() { s.adopt(doc.Document, nil) }} {
		reads := look()
		if !reads() {
			t.Fatal("nothing is read")
		}
		leave()
		for limit := time.Now().Add(5 * time.Second); reads(); b.idle() { // what ends it runs beside this
			if time.Now().After(limit) {
				t.Fatalf("the list goes on without %s", what)
			}
		}
	}
}
