//go:build cgo && linux && !ci && !headless

// Command cutaway-dialog shows the system's file dialog for a window of Cutaway, which does not link GTK, and prints the
// path that is chosen. It ends when its standard input does.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"cutaway/ui/sysdialog/native"
)

func init() { runtime.LockOSThread() } // GTK was started on the main thread

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: cutaway-dialog file|folder|save TITLE FOLDER NAME")
		os.Exit(2)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0) // the window is gone
	}()
	path, err := native.Show(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(path)
}
