//go:build headless

package main

import (
	"testing"

	"cutaway/cli"
)

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
