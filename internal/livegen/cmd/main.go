// Command cmd writes the files of testdata/omnilive: go run ./internal/livegen/cmd testdata/omnilive
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/livegen"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "the folder to write to is missing")
		os.Exit(2)
	}
	readme := "# Small live layers\n\nMade by `go run ./internal/livegen/cmd testdata/omnilive`; what ../shared's corpus lacks.\n\n| file | what it is |\n|---|---|\n"
	for _, f := range livegen.Fixtures() {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(os.Args[1], f.Name)), 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		readme += fmt.Sprintf("| `%s` | %s |\n", f.Name, f.What)
		if err := os.WriteFile(filepath.Join(os.Args[1], f.Name), f.Data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := os.WriteFile(filepath.Join(os.Args[1], "README.md"), []byte(readme), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
