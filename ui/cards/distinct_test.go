package cards_test

import (
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/ui/treeview"
)

// TestDistinct: the details tell of an array of tokens, its table lists the distinct ones with their numbers, and each leads to the
// first row that has it.
func TestDistinct(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "joints.usda", []byte("#usda 1.0\ndef \"M\" {\n    token[] joints = [\"knee\", \"hip\", \"a long one\", \"hip\"]\n}\n"))})
		const joints = "scene/M/.joints/default"
		s.Pane.Nav.GoTo(joints)
		b.At(s, joints)
		b.Until("the facts", func() bool {
			return strings.Contains(b.CardWords(s), "3 distinct; most: hip × 2, a long one × 1, knee × 1; longest: 10 bytes at [2]")
		})
		card := b.Stage(s, "Values")
		rows := windowtest.First[*treeview.Tree](card)
		box := windowtest.CheckIn(card, "Distinct")
		box.SetChecked(true)
		list := windowtest.First[*treeview.Tree](card)
		if list == rows {
			t.Fatal("the rows are still shown")
		}
		b.Until("the list", func() bool { return list.Rows() == 3 })
		list.OnChosen(int64(1))
		if rows.Selection.Item() != int64(2) || box.Checked || b.W.Shell.Win.Canvas().Focused() != rows {
			t.Errorf("a long one leads to %v", rows.Selection.Item())
		}
	})
}
