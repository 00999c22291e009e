package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestBombs checks the files of the table of docs/robustness.md: each is told by its rule and takes little memory.
func TestBombs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "robustness.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| [^|]+ \\| [^|]+ \\| `([^`]+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(chapter(string(page), "## Bombs"), -1)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := execute(t.Context(), decoderLibrary{}, "check", "--json", filepath.Join("..", "testdata", row[1]))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
			t.Errorf("%s takes %d bytes of memory", row[1], took)
		}
		if r.status > StatusErrors || !strings.Contains(r.out, `"rule":"`+row[2]+`"`) {
			t.Errorf("%s: status %d, without %s: %s%s", row[1], r.status, row[2], cutTo(r.out), r.err)
		}
	}
}
