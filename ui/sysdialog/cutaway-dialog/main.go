//go:build cgo && linux && !ci && !headless

// Command cutaway-dialog shows the system's file dialog for a window of Cutaway, which does not link GTK, and prints the
// path that is chosen. It ends when its standard input does.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"

	"cutaway/ui/sysdialog/native"
	"cutaway/ui/sysdialog/question"
)

func init() { runtime.LockOSThread() } // GTK was started on the main thread

func main() {
	var q question.Question
	if len(os.Args) != 2 || json.Unmarshal([]byte(os.Args[1]), &q) != nil {
		fmt.Fprintln(os.Stderr, `usage: cutaway-dialog '{"what":"file|folder|save","title":…,"dir":…,"name":…,"kinds":[{"title":…,"endings":[…]}],"above":0}'`)
		os.Exit(2)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0) // the window is gone
	}()
	path, err := native.Show(q)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(path)
}
