package example

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage compares the code in docs/adding-a-format.md with this package: each block begins with the name of its
// file. So the page's code is built and tested.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/adding-a-format.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string]bool)
	for _, block := range strings.Split(string(page), "```go\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		name, code, found := strings.Cut(strings.TrimPrefix(block, "// "), "\n\n")
		if !found {
			t.Fatalf("a block does not begin with the name of its file: %.40s", block)
		}
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if code != string(file) {
			t.Errorf("the page's %s is not the file's", name)
		}
		shown[name] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !shown[name] && name != "page_test.go" {
			t.Errorf("the page does not show %s", name)
		}
	}
}
