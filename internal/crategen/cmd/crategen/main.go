// Command crategen writes a bulk crate, or the folder of small made crates that the tests read.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/crategen"
)

func main() {
	kind := flag.String("kind", "arrays", "arrays, specs, children, deep, sparse, or fixtures: made-*.usdc and x-*.usdc")
	out := flag.String("o", "", "file, or for fixtures folder, to write")
	size := flag.Int64("size", 0, "arrays, sparse: bytes; specs, children, deep: how many; 0: the usual size")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*kind, *out, *size); err != nil {
		fmt.Fprintln(os.Stderr, "crategen:", err)
		os.Exit(1)
	}
}

func run(kind, out string, size int64) error {
	if kind == "fixtures" {
		return fixtures(out)
	}
	if size == 0 {
		size = crategen.Kind(kind).DefaultSize()
	}
	return crategen.BulkFile(out, crategen.Kind(kind), size)
}

func fixtures(folder string) error {
	files, err := crategen.Fixtures()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
