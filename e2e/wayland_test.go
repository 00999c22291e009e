//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestWayland works in a window under Wayland: in weston, which shows its screen in a window of the X server, so that
// there are a mouse and a keyboard (GLFW ends a program where there is neither).
func TestWayland(t *testing.T) {
	if _, err := exec.LookPath("weston"); err != nil {
		t.Skip("no weston; tools/install.sh test installs it")
	}
	d := newDesktop(t, look{"light", 1})
	d.run("weston", "--backend=x11-backend.so", "--width=1380", "--height=860", "--socket=wayland", "--idle-time=0")
	socket := filepath.Join(filepath.Dir(d.log), "wayland")
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("weston does not come up")
		}
	}
	env := d.env
	d.env = append(env[:len(env):len(env)], "WAYLAND_DISPLAY=wayland", "DISPLAY=")
	d.run(d.path(program), "../assets/sample.usdc")
	d.env = env
	d.wait("ready")
	d.wait("opened")
	d.wait("row") // it is drawn
	time.Sleep(time.Second)
	d.find("ctrl+f", "search", "=96")
	d.key("Return")
	if hit := d.wait("hit"); hit.fields[1] != "scene/endTimeCode" {
		t.Errorf("found %s first", hit.fields[1])
	}
	d.picture("e2e-wayland")
}
