package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cutaway/model"
)

const pageName = "../../docs/robustness.md"

// page is the figures for the page.
type page struct {
	b    strings.Builder
	last string // file
}

func newPage(sample int64) *page {
	p := &page{}
	fmt.Fprintf(&p.b, "`info` on the built-in sample takes %.1f MiB. In MiB, where `--max-memory` is:\n\n| format | file |", float64(sample)/mib)
	for _, l := range limits() {
		fmt.Fprintf(&p.b, " %dM |", l/mib)
	}
	p.b.WriteString("\n| --- | --- |" + strings.Repeat(" --: |", len(limits())) + "\n| | allowed |")
	for _, l := range limits() {
		fmt.Fprintf(&p.b, " %.1f |", float64(l+l/2+sample)/mib)
	}
	return p
}

// add adds what a check of a file took. A mark tells that a limit was met.
func (p *page) add(c *file, n int64, r ran) {
	if c.name != p.last {
		size := model.Grouped(n)
		if n%mib == 0 {
			size = fmt.Sprintf("%d MiB", n/mib)
		}
		fmt.Fprintf(&p.b, "\n| %s | %s |", c.format, fmt.Sprintf(c.what, size))
		p.last = c.name
	}
	mark := ""
	if strings.Contains(r.said, "(limit)") {
		mark = " ∗"
	}
	fmt.Fprintf(&p.b, " %.1f%s |", float64(r.peak)/mib, mark)
}

// write puts the figures into the page, between the marks.
func (p *page) write(t *testing.T) {
	text, err := os.ReadFile(pageName)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- memory -->\n", "<!-- memory end -->"
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %s", pageName, begin)
	}
	if err := os.WriteFile(pageName, []byte(head+begin+p.b.String()+"\n"+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
