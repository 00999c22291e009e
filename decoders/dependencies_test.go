package decoders

import (
	"regexp"
	"strings"
	"testing"
)

// TestDependenciesPage: docs/dependencies.md has a row for each direct requirement of go.mod, in its version, and no other.
func TestDependenciesPage(t *testing.T) {
	page := readDoc(t, "../docs/dependencies.md")
	direct := 0
	for line := range strings.Lines(readDoc(t, "../go.mod")) {
		path, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !strings.Contains(path, ".") || strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
			continue
		}
		direct++
		if !strings.Contains(page, "| `"+path+"` | "+version+" |") {
			t.Errorf("docs/dependencies.md has no row for %s %s", path, version)
		}
	}
	if rows := len(regexp.MustCompile("(?m)^\\| `[a-z]+\\.[^`]*` \\|").FindAllString(page, -1)); rows != direct {
		t.Errorf("docs/dependencies.md has %d rows for %d modules", rows, direct)
	}
}
