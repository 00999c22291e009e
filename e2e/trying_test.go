//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestTryBytes: keys put bytes in place of others, the tree follows and stays where it was, Ctrl+Z takes them back, and the
// file has none of it.
func TestTryBytes(t *testing.T) {
	was, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sample.usdc")
	if err := os.WriteFile(file, was, 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, "light", file)
	const minor = "layout/bootstrap/version/minor"
	d.goTo(minor)
	d.key("ctrl+shift+y")
	d.wait("trying")
	d.key("6", "3")
	here := func(changed string) func(event) bool {
		return func(e event) bool { return e.fields[0] == changed && e.fields[1] == minor }
	}
	d.waitFor("tried", here("1"))
	d.waitFor("alarm", func(e event) bool { return e.fields[0] == "usdc.bootstrap.version" })
	d.picture("e2e-trying")
	d.key("ctrl+z")
	d.waitFor("tried", here("0"))
	d.key("ctrl+shift+z")
	d.waitFor("tried", here("1"))
	d.key("ctrl+z")
	d.waitFor("tried", here("0"))
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) {
		t.Errorf("the file has changed: %v", err)
	}
}
