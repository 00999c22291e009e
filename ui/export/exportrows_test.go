package export_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/cli"
	"cutaway/ui/treeview"
)

// TestExportRows: the rows that are selected in a table are what the dialog begins with, and what export --rows writes; the table has
// those that values --rows prints.
func TestExportRows(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		const file, points = "../../assets/sample.usdc", "scene/Prototypes/Leg/.points/default"
		s := b.Open(opening.Target{File: file})
		s.Pane.Nav.GoTo(points)
		b.At(s, points)
		rows := windowtest.First[*treeview.Tree](b.Stage(s, "Values"))
		rows.SelectIndex(2, false)
		if got := rows.Selection.Ranges(); !slices.Equal(got, [][2]int64{{2, 3}}) {
			t.Errorf("selected rows %v", got)
		}
		d := b.ExportDialog(s, b.Chosen(s), "csv")
		d.Some.SetText("1:3, 5")
		b.Until("three rows", func() bool { return len(d.Shown.All()) == 4 })
		printed := func(args ...string) []string {
			var out, errs bytes.Buffer
			if status := cli.Main(context.Background(), "", args, &out, &errs); status != 0 {
				t.Fatalf("%s: %s", args, errs.String())
			}
			return strings.Split(strings.TrimSpace(out.String()), "\n")
		}
		if want := printed("export", file+"#"+points, "--as", "csv", "--rows", "1:3,5"); !slices.Equal(d.Shown.All(), want) {
			t.Errorf("the preview is %q, the command line writes %q", d.Shown.All(), want)
		}
		values := printed("values", "--rows", "1:3", file+"#"+points)
		for i, line := range values {
			if want := "(" + strings.ReplaceAll(d.Shown.All()[1+i], ",", ", ") + ")"; !strings.HasSuffix(line, want) {
				t.Errorf("values --rows prints %q, the preview has %s", line, want)
			}
		}
	})
}
