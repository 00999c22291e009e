// Command udmgen writes the folder of small UDM files that the tests read, or a large file.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/udmgen"
)

func main() {
	kind := flag.String("kind", "fixtures", "fixtures, structs, lz4 or text")
	out := flag.String("o", "", "folder for fixtures, else file, to write")
	size := flag.Int64("size", 0, "bytes, about; 0: the usual size")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*kind, *out, *size); err != nil {
		fmt.Fprintln(os.Stderr, "udmgen:", err)
		os.Exit(1)
	}
}

func run(kind, out string, size int64) error {
	if kind != "fixtures" {
		return udmgen.BulkFile(out, udmgen.Kind(kind), size)
	}
	for name, data := range udmgen.Fixtures() {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
