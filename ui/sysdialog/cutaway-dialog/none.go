//go:build !cgo || !linux || ci || headless

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This build of cutaway-dialog has no dialog to show.")
	os.Exit(1)
}
