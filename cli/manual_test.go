package cli

import (
	"strings"
	"testing"
)

func TestManual(t *testing.T) {
	var b strings.Builder
	if err := Manual(&b, "1.2.3", "2026-01-02"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, verb := range verbNames {
		if !strings.Contains(page, "\n.SS "+verb+" ") {
			t.Errorf("the verb %s has no section", verb)
		}
	}
	for _, want := range []string{
		".TH CUTAWAY 1 \"2026-01-02\"", "\\fB\\-\\-max\\-memory\\fR \\fISIZE\\fR", "\\fB\\-o\\fR, \\fB\\-\\-out\\fR",
		"\ncutaway info sample.usdc\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for line := range strings.Lines(page) {
		if macro, ok := strings.CutPrefix(line, "."); ok && !strings.Contains(" TH SH SS PP TP RS RE nf fi B I br ", " "+strings.Fields(macro)[0]+" ") {
			t.Errorf("a line of text became a macro: %s", line)
		}
	}
	if got := roff(".a -b\n'c \\d"); got != "\\&.a \\-b\n\\&'c \\ed" {
		t.Errorf("text is written as %q", got)
	}
}
