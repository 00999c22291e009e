package hexpane_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	"cutaway/ui/document"
)

// TestReferencesHaveOffsets: the list tells where each reference leads, also one that names its target by a path only.
func TestReferencesHaveOffsets(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.AtPoints()
		s.Pane.Lists.Show(document.ListReferences)
		b.Idle()
		want := map[string]string{"field": "@0x5f0", "name": "@0x87b", "value": "0x3280"}
		for i := range s.Pane.Lists.Refs.Data.All() {
			cells := s.Pane.Lists.Refs.Data.Row(int64(i)).Cells
			if cells[4] != want[cells[1]] {
				t.Errorf("%s %s is at %q, want %q", cells[1], cells[2], cells[4], want[cells[1]])
			}
			delete(want, cells[1])
		}
		if len(want) > 0 {
			t.Errorf("not listed: %v", want)
		}
	})
}
