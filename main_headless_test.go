//go:build headless

package main

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"cutaway/cli"
	"cutaway/source"
)

// TestNoTemporaryLeft: what is still inflated when the program ends leaves no file, on Windows neither.
func TestNoTemporaryLeft(t *testing.T) {
	f, err := source.NewTemporary()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run([]string{"formats", "--json"})
	if _, err := os.Stat(f.Name()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", f.Name(), err)
	}
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
	}{
		{nil, cli.StatusFailed}, // there is no window
		{[]string{"absent.usdc"}, cli.StatusFailed},
		{[]string{"formats", "--json"}, cli.StatusSound},
		{[]string{"info", "absent.usdc"}, cli.StatusUnreadable},
		{[]string{"chekc"}, cli.StatusFailed},
	} {
		if status := run(test.args); status != test.status {
			t.Errorf("%q: status %d, want %d", test.args, status, test.status)
		}
	}
}
