// Command generate writes the files of this folder anew: go run ./testdata/vrs, from the root.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/vrsgen"
)

func main() {
	for _, f := range vrsgen.Fixtures() {
		if err := os.WriteFile(filepath.Join("testdata", "vrs", f.Name), f.Data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
