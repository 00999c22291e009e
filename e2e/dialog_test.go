//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSystemDialog opens a file through the system's file dialog, which a program beside the window's shows: the window
// never loads GTK.
func TestSystemDialog(t *testing.T) {
	d := newDesktop(t, look{"light", 1})
	cmd := d.open(program, "· Cutaway$", "../testdata/usdc/made-0.0.1.usdc")
	d.key("ctrl+o")
	for deadline := time.Now().Add(patience); d.output("xdotool", "search", "--onlyvisible", "--name", "^Open a file$") == ""; time.Sleep(50 * time.Millisecond) {
		if text, _ := os.ReadFile(d.log); strings.Contains(string(text), "\nown-dialog\t") {
			t.Fatalf("the window asks by itself: %s", text)
		}
		if time.Now().After(deadline) {
			t.Fatal("no dialog")
		}
	}
	time.Sleep(time.Second) // it says nothing when it takes keys
	d.picture("e2e-dialog")
	want, err := filepath.Abs("../testdata/usdc/arcs.usdc")
	if err != nil {
		t.Fatal(err)
	}
	d.do("type", "--delay", "20", want) // a slash opens its field for a path
	d.key("Return")
	d.waitFor("opened", func(e event) bool { return e.fields[0] == want })
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(maps), "libgtk") {
		t.Error("the window has loaded GTK")
	}
}

// TestOwnDialog asks within the window where the program that shows the system's dialog is missing.
func TestOwnDialog(t *testing.T) {
	d := newDesktop(t, look{"light", 1})
	alone := filepath.Join(t.TempDir(), "cutaway")
	data, err := os.ReadFile(d.path(program))
	if err == nil {
		err = os.WriteFile(alone, data, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.open(alone, "· Cutaway$", "../testdata/usdc/made-0.0.1.usdc")
	d.key("ctrl+o")
	d.wait("own-dialog")
	d.picture("e2e-own-dialog")
}
