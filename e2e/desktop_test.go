//go:build e2e

// Package e2e drives the real window under Xvfb with the mouse and the keyboard of xdotool, and looks at its pixels.
package e2e

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	pictures = "../build"
	width    = 1400
	height   = 900
)

// What a test starts, and its patience for any one thing. TestWindows puts the program of Windows here.
var (
	program  = "../build/cutaway"
	patience = 2 * time.Minute
)

// A desktop is an X server of its own with one window of Cutaway in it.
type desktop struct {
	t       testing.TB
	env     []string
	display string
	log     string
	seen    int // lines of the log that were waited for
	window  string
	x, y    int // of the window's canvas on the screen
	scale   int // pixels for a unit of the canvas
}

// start opens the window on the files in a fresh X server.
func start(t testing.TB, theme string, files ...string) *desktop {
	t.Helper()
	return startLook(t, look{theme, 1}, files...)
}

// A look is how the window looks: the theme, and by what everything is larger, the screen too.
type look struct {
	theme string
	scale int
}

func (l look) String() string { return fmt.Sprintf("%s-%dx", l.theme, l.scale) }

// startLook is start with a look.
func startLook(t testing.TB, l look, files ...string) *desktop {
	t.Helper()
	d := newDesktop(t, l)
	d.open(program, "· Cutaway$", files...)
	return d
}

// newDesktop starts an X server with a window manager and a bus.
func newDesktop(t testing.TB, l look) *desktop {
	t.Helper()
	for _, tool := range []string{"Xvfb", "xdotool", "xwininfo", "openbox", "dbus-daemon"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s; tools/install.sh test installs it", tool)
		}
	}
	home := t.TempDir()
	d := &desktop{t: t, log: filepath.Join(home, "log"), scale: l.scale}
	t.Cleanup(func() { endAll(t, "CUTAWAY_LOG="+d.log) })
	d.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_RUNTIME_DIR="+home, "CUTAWAY_LOG="+d.log,
		"FYNE_SCALE="+strconv.Itoa(l.scale), "FYNE_THEME="+l.theme, "LIBGL_ALWAYS_SOFTWARE=1", "WAYLAND_DISPLAY=")
	// -r: where the machine is busy a key would be taken to be held, and repeat itself.
	d.display = ":" + d.says("Xvfb", "-displayfd", "3", "-r", "-screen", "0", fmt.Sprintf("%dx%dx24", width*l.scale, height*l.scale), "-nolisten", "tcp")
	d.env = append(d.env, "DISPLAY="+d.display)
	d.env = append(d.env, "DBUS_SESSION_BUS_ADDRESS="+d.says("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=3"))
	// A window that is mapped while the manager begins may be overlooked by it.
	manages := filepath.Join(home, "managed")
	d.run("openbox", "--startup", "touch "+manages)
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(manages); err == nil {
			return d
		}
		if time.Now().After(deadline) {
			t.Fatal("openbox does not begin")
		}
	}
}

// open starts a program with a window, by a pattern of its title, and puts the window where it is wanted.
func (d *desktop) open(binary, title string, files ...string) *exec.Cmd {
	d.t.Helper()
	cmd := d.run(d.path(binary), files...)
	d.wait("ready")
	if len(files) > 0 {
		opened := "opened"
		if info, err := os.Stat(files[0]); err == nil && info.IsDir() {
			opened = "files"
		}
		d.wait(opened)
	}
	for deadline := time.Now().Add(patience); d.window == ""; time.Sleep(50 * time.Millisecond) {
		d.window, _, _ = strings.Cut(d.output("xdotool", "search", "--onlyvisible", "--name", title), "\n")
		if time.Now().After(deadline) {
			d.t.Fatal("no window of that name")
		}
	}
	d.do("windowsize", d.window, strconv.Itoa(width*d.scale-20), strconv.Itoa(height*d.scale-40))
	d.do("windowmove", d.window, "0", "0")
	time.Sleep(time.Second) // the window manager says nothing when it has moved a window
	// xdotool counts the frame twice.
	for _, line := range strings.Split(d.output("xwininfo", "-id", d.window), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		n, _ := strconv.Atoi(strings.TrimSpace(value))
		switch key {
		case "Absolute upper-left X":
			d.x = n
		case "Absolute upper-left Y":
			d.y = n
		}
	}
	return cmd
}

// path is the whole path of a built program, which must be there.
func (d *desktop) path(binary string) string {
	d.t.Helper()
	path, err := filepath.Abs(binary)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return path
}

// says starts a program that writes a line to its descriptor 3 when it is there, and returns the line.
func (d *desktop) says(name string, args ...string) string {
	d.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Env = d.env
	cmd.ExtraFiles = []*os.File{w}
	d.begin(cmd)
	_ = w.Close()
	_ = r.SetReadDeadline(time.Now().Add(patience))
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		d.t.Fatalf("%s does not say where it is: %v", name, err)
	}
	return strings.TrimSpace(line)
}

// run starts a program that ends with the test.
func (d *desktop) run(name string, args ...string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = d.env
	d.begin(cmd)
	return cmd
}

// begin starts a process in a group of its own, so that what it starts ends with it.
func (d *desktop) begin(cmd *exec.Cmd) {
	d.t.Helper()
	said, err := os.CreateTemp(d.t.TempDir(), "stderr")
	if err != nil {
		d.t.Fatal(err)
	}
	cmd.Stderr = said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		if d.t.Failed() && cmd.ProcessState == nil { // where a program of Go hangs, it says where
			_ = cmd.Process.Signal(syscall.SIGQUIT)
			time.Sleep(time.Second)
		}
		end(cmd)
		_ = said.Close()
		if text, err := os.ReadFile(said.Name()); d.t.Failed() && err == nil {
			d.t.Logf("%s said: %s", cmd.Args[0], text)
		}
	})
}

// end kills a program and what it started, once.
func end(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}
}

// endAll kills the processes with a variable in their environment and waits until they are gone: what a launcher
// or the bus began is in no group of ours, and may still write into the test's folders.
func endAll(t testing.TB, variable string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		left := 0
		environments, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range environments {
			text, _ := os.ReadFile(path) // it is empty once a process has ended
			if !slices.Contains(strings.Split(string(text), "\x00"), variable) {
				continue
			}
			left++
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%d processes of the desktop do not end", left)
			return
		}
	}
}

func (d *desktop) output(name string, args ...string) string {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = d.env
	out, _ := cmd.Output()
	return strings.TrimSpace(string(out))
}

// do runs one command of xdotool.
func (d *desktop) do(args ...string) {
	d.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, "xdotool", args...)
	cmd.Env = d.env
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

// key presses keys, each such as "ctrl+l".
func (d *desktop) key(keys ...string) { d.do(append([]string{"key", "--delay", "40"}, keys...)...) }

// click clicks at a place on the window's canvas.
func (d *desktop) click(x, y float64) {
	d.t.Helper()
	d.do("mousemove", strconv.Itoa(d.x+d.scale*int(x)), strconv.Itoa(d.y+d.scale*int(y)), "sleep", "0.1", "click", "1")
}

// losesKeys is how often a path may be typed anew that is refused: Wine, when it is late, types the A of Ctrl+A.
var losesKeys int

// goTo selects a node by typing its path into the location bar.
func (d *desktop) goTo(path string) event {
	d.t.Helper()
	for tries := 0; ; tries++ {
		d.key("ctrl+l")
		d.key("ctrl+a")
		d.do("type", "--delay", "8", path)
		d.key("Return")
		e := d.waitFor("", func(e event) bool {
			return e.name == "selected" && e.fields[0] == path || e.name == "refused" && tries < losesKeys
		})
		if e.name == "selected" {
			return e
		}
	}
}

// An event is one line of the window's log.
type event struct {
	name   string
	fields []string
}

func (e event) number(i int) float64 {
	f, _ := strconv.ParseFloat(e.fields[i], 64)
	return f
}

func (e event) offset(i int) int64 {
	n, _ := strconv.ParseInt(e.fields[i], 10, 64)
	return n
}

// wait waits for the next event of a name, after those waited for before.
func (d *desktop) wait(name string) event {
	d.t.Helper()
	return d.waitFor(name, func(event) bool { return true })
}

// waitAll waits for the next event of each name, in whatever order they come.
func (d *desktop) waitAll(names ...string) []event {
	d.t.Helper()
	var all []event
	from, last := d.seen, d.seen
	for _, name := range names {
		d.seen = from
		all = append(all, d.wait(name))
		last = max(last, d.seen)
	}
	d.seen = last
	return all
}

// waitFor waits for the next event of a name that is the right one; "": of any name.
func (d *desktop) waitFor(name string, right func(e event) bool) event {
	d.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(d.log)
		lines := strings.Split(string(text), "\n")
		for i := d.seen; i < len(lines)-1; i++ {
			fields := strings.Split(lines[i], "\t")
			if e := (event{fields[0], fields[1:]}); (name == "" || e.name == name) && right(e) {
				d.seen = i + 1
				return e
			}
		}
	}
	text, _ := os.ReadFile(d.log)
	d.t.Fatalf("no %q in the log behind line %d:\n%s", name, d.seen, text)
	return event{}
}

// picture takes a screenshot and keeps it as build/name.png.
func (d *desktop) picture(name string) image.Image {
	d.t.Helper()
	time.Sleep(400 * time.Millisecond) // what was logged is painted one frame later
	path := filepath.Join(pictures, name+".png")
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, "/usr/bin/import", "-window", "root", path)
	cmd.Env = d.env
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("import: %v %s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m, err := png.Decode(f)
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}
