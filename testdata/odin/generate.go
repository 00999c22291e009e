// Command generate writes the files of this folder anew: go run ./testdata/odin, from the root.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/odingen"
)

func main() {
	for _, f := range odingen.Fixtures() {
		if err := os.WriteFile(filepath.Join("testdata", "odin", f.Name), f.Data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
