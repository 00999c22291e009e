// Command gotest runs "go test" and notes which tests were skipped, and why:
//
//	gotest go test ./...    prints what go test prints
//	gotest                  says in one line what was skipped since the notes were removed
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// notes has a line for each skipped test: package and test, a tab, the reason.
const notes = "build/skipped"

func main() {
	err := error(nil)
	if len(os.Args) < 3 {
		err = sum(os.Stdout)
	} else {
		err = run(os.Args[1:])
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}
}

// run runs a command that begins with "go test".
func run(args []string) error {
	cmd := exec.Command(args[0], append([]string{args[1], "-json"}, args[2:]...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	skipped := report(out, os.Stdout)
	return errors.Join(cmd.Wait(), note(skipped))
}

// An event is a line of "go test -json": see "go doc test2json".
type event struct{ Action, Package, Test, Output string }

// report prints what go test would print without -json, and returns a note on each test that was skipped.
func report(in io.Reader, w io.Writer) (skipped []string) {
	said := make(map[string][]string) // by a test that runs
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return skipped
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Fprintf(w, "%s", line) // not of a test
			continue
		}
		name := e.Package + " " + e.Test
		switch {
		case e.Test == "" && e.Output != "PASS\n":
			fmt.Fprint(w, e.Output)
		case e.Action == "output":
			said[name] = append(said[name], e.Output)
		case e.Action == "fail":
			fmt.Fprint(w, strings.Join(said[name], ""))
		case e.Action == "skip":
			skipped = append(skipped, name+"\t"+reason(said[name]))
		}
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			delete(said, name)
		}
		if e.Action == "fail" && e.Test == "" { // a panic outside a test's own goroutine ends the process and no test
			for _, name := range slices.Sorted(maps.Keys(said)) {
				if strings.HasPrefix(name, e.Package+" ") {
					fmt.Fprint(w, strings.Join(said[name], ""))
					delete(said, name)
				}
			}
		}
	}
}

// reason finds in the output of a skipped test its reason: "    file_test.go:12: no bash here".
func reason(said []string) string {
	for _, line := range said {
		if _, why, found := strings.Cut(line, "_test.go:"); found {
			_, why, _ = strings.Cut(why, ": ")
			if strings.Contains(why, "../shared") {
				why = "../shared is not here"
			}
			return strings.TrimSpace(why)
		}
	}
	return "no reason"
}

func note(skipped []string) error {
	if err := os.MkdirAll("build", 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(notes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, s := range skipped {
		fmt.Fprintln(f, s)
	}
	return f.Close()
}

// sum writes the number of different tests in the notes, and for each reason the number of its tests.
func sum(w io.Writer) error {
	text, err := os.ReadFile(notes)
	if err != nil {
		return err
	}
	why := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		why[name] = reason
	}
	counts := make(map[string]int)
	for _, reason := range why {
		counts[reason]++
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d: %s", counts[reason], reason))
	}
	if parts == nil {
		parts = []string{"none"}
	}
	_, err = fmt.Fprintf(w, "%d tests skipped (%s)\n", len(why), strings.Join(parts, "; "))
	return err
}
