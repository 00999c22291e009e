//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReuse starts the program a second time, as the user has set it, with --new-window, and while the window is stuck.
func TestReuse(t *testing.T) {
	d := newDesktop(t, look{"light", 1})
	home := filepath.Dir(d.log)
	must(t, os.Mkdir(filepath.Join(home, "cutaway"), 0o700))
	settings := []byte(`{"reuse_window":true,"no_welcome":true}`)
	must(t, os.WriteFile(filepath.Join(home, "cutaway", "window.json"), settings, 0o600))
	first := d.open(program, "· Cutaway$", "../testdata/udm/twin.udm_b")

	d.do("windowminimize", "--sync", d.window)
	second := exec.Command(d.path(program), "made-0.0.1.usdc#layout/bootstrap/tocOffset")
	second.Dir, second.Env = "../testdata/usdc", d.env
	start := time.Now()
	if out, err := second.CombinedOutput(); err != nil {
		t.Fatalf("the second start: %v %s", err, out)
	}
	t.Logf("the second start has ended after %v", time.Since(start).Round(time.Millisecond))
	opened := d.wait("opened").fields[0]
	if whole, err := filepath.Abs("../testdata/usdc/made-0.0.1.usdc"); err != nil || opened != whole {
		t.Errorf("opened %s, want %s, %v", opened, whole, err)
	}
	d.waitFor("selected", func(e event) bool { return e.fields[0] == "layout/bootstrap/tocOffset" })
	if windows := d.windows(); len(windows) != 1 {
		t.Errorf("there are the windows %q", windows)
	}
	d.inFront()
	d.picture("e2e-reuse")

	alone := d.run(d.path(program), "--new-window", "../testdata/omnilive/world.oodf")
	d.waitFor("opened", func(e event) bool { return strings.HasSuffix(e.fields[0], "world.oodf") })
	if windows := d.windows(); len(windows) != 2 {
		t.Errorf("with --new-window there are the windows %q", windows)
	}
	end(alone) // its socket stays, and is passed over

	must(t, first.Process.Signal(syscall.SIGSTOP))
	d.run(d.path(program), "../testdata/vrs/index-in-front.vrs")
	d.waitFor("opened", func(e event) bool { return strings.HasSuffix(e.fields[0], "index-in-front.vrs") })
	must(t, first.Process.Signal(syscall.SIGCONT))
	time.Sleep(500 * time.Millisecond)
	text, err := os.ReadFile(d.log)
	must(t, err)
	if n := strings.Count(string(text), "index-in-front.vrs\tvrs"); n != 1 {
		t.Errorf("the file is open %d times", n)
	}
	if err := first.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the first window has ended: %v", err)
	}
}

// windows lists our windows.
func (d *desktop) windows() []string {
	return strings.Fields(d.output("xdotool", "search", "--onlyvisible", "--name", "· Cutaway$"))
}

// inFront waits until our window is the active one.
func (d *desktop) inFront() {
	d.t.Helper()
	for deadline := time.Now().Add(patience); d.output("xdotool", "getactivewindow") != d.window; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatal("the window does not come to the front")
		}
	}
}
