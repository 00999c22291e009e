// Cutaway opens a binary file, says what it is, decodes it into a tree and shows the tree beside the bytes. With a
// verb it does so on the command line; without one it opens the window.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"cutaway/cli"
	"cutaway/source"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	// Where open files cannot be removed, those of what is still inflated would stay. What cannot be removed harms no result.
	defer func() { _ = source.RemoveTemporary() }()
	if files, alone := cli.CutNewWindow(args); cli.WindowTargets(files, exists) {
		if err := openWindow(files, alone); err != nil {
			fmt.Fprintf(os.Stderr, "cutaway: %v\n", err)
			return cli.StatusFailed
		}
		return cli.StatusSound
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// The first Ctrl+C ends the work in good order; the second ends the program.
	context.AfterFunc(ctx, stop)
	return cli.Main(ctx, version(), args, os.Stdout, os.Stderr)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
