//go:build e2e && wine

package e2e

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// A windows is a Windows of Wine's with Cutaway installed. Its programs are bounded by tools/wine/run.sh, and what they
// say goes to files: Wine's services keep pipes open after them.
type windows struct {
	t       *testing.T
	env     []string
	drive   string // drive C: on the host
	folder  string // where Cutaway is, in Windows' words
	scripts string // the host's folder for what is run
}

// TestWindows installs the newest installer under Wine, works on the command line and in the window, and uninstalls.
// make test-windows runs it.
func TestWindows(t *testing.T) {
	w := newWindows(t)
	step := func(name string, do func()) {
		t.Run(name, func(t *testing.T) {
			w.t = t
			do()
		})
	}
	before := w.registry()
	step("install", w.install)
	if t.Failed() {
		return
	}
	program, patience, losesKeys = w.wrapper(), 4*time.Minute, 5 // Wine takes its time
	step("names", w.names)
	step("locked", w.locked)
	step("double click", w.doubleClick)
	step("dialog", w.dialog)
	step("drop", w.drop)
	for i, day := range days {
		step(day.format, func() {
			raw, err := os.ReadFile(day.file)
			must(w.t, err)
			day.format += "-windows" // of the pictures
			day.spend(w.t, looks[i%len(looks)], raw)
		})
	}
	step("uninstall", func() { w.uninstall(before) })
}

// newWindows makes the Windows.
func newWindows(t *testing.T) *windows {
	t.Helper()
	for _, tool := range []string{"wine", "wineserver", "x86_64-w64-mingw32-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s; apt has it in wine, wine64 and gcc-mingw-w64-x86-64", tool)
		}
	}
	home := t.TempDir()
	prefix := filepath.Join(home, "wine")
	w := &windows{t: t, drive: filepath.Join(prefix, "drive_c"), scripts: home}
	w.env = append(os.Environ(), "WINEPREFIX="+prefix, "LC_ALL=C.UTF-8", "LIMIT=3m", "DISPLAY=")
	t.Cleanup(w.stop)
	w.succeed("cmd", "/c", "ver") // makes it
	return w
}

// stop ends all programs of the Windows, and with them itself.
func (w *windows) stop() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	for _, how := range []string{"--kill", "--wait"} {
		cmd := exec.CommandContext(ctx, "wineserver", how)
		cmd.Env = w.env
		_ = cmd.Run() // it may not run
	}
}

// run runs a program of Windows to its end, and returns what it said.
func (w *windows) run(args ...string) (string, error) {
	w.t.Helper()
	said, err := os.CreateTemp(w.t.TempDir(), "said")
	must(w.t, err)
	defer func() { _ = said.Close() }()
	ctx, stop := context.WithTimeout(context.Background(), 6*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"../tools/wine/run.sh"}, args...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = w.env, said, said
	err = cmd.Run()
	out, _ := os.ReadFile(said.Name())
	return string(out), err
}

func (w *windows) succeed(args ...string) string {
	w.t.Helper()
	out, err := w.run(args...)
	if err != nil {
		w.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

// host is the path on the host of one on drive C:.
func (w *windows) host(path string) string {
	return filepath.Join(w.drive, strings.ReplaceAll(strings.TrimPrefix(path, `C:\`), `\`, "/"))
}

// put writes the sample to a path on drive C:.
func (w *windows) put(path string) string {
	w.t.Helper()
	sample, err := os.ReadFile("../assets/sample.usdc")
	must(w.t, err)
	must(w.t, os.MkdirAll(filepath.Dir(w.host(path)), 0o700))
	must(w.t, os.WriteFile(w.host(path), sample, 0o600))
	return path
}

// install installs without asking.
func (w *windows) install() {
	setups, err := filepath.Glob("../build/Cutaway-*-setup.exe")
	if err != nil || len(setups) == 0 {
		w.t.Fatal("there is no installer; make package-windows makes it")
	}
	newest := slices.MaxFunc(setups, func(a, b string) int { return modified(w.t, a).Compare(modified(w.t, b)) })
	w.succeed(newest, "/S")
	found, _ := filepath.Glob(filepath.Join(w.drive, "users/*/AppData/Local/Programs/Cutaway/cutaway.exe"))
	if len(found) != 1 {
		w.t.Fatalf("installed: %q", found)
	}
	within, err := filepath.Rel(w.drive, filepath.Dir(found[0]))
	must(w.t, err)
	w.folder = `C:\` + strings.ReplaceAll(within, "/", `\`)
	for _, name := range []string{"LICENSE.txt", "THIRD-PARTY-LICENSES.txt", "cutaway.com", "uninstall.exe"} {
		if _, err := os.Stat(w.host(w.folder + `\` + name)); err != nil {
			w.t.Error(err)
		}
	}
	w.succeed(newest, "/S") // over itself, as an update does
}

// wrapper is a program of the host that starts the window, on whichever screen it is, or runs the command line.
func (w *windows) wrapper() string {
	w.t.Helper()
	run, err := filepath.Abs("../tools/wine/run.sh")
	must(w.t, err)
	path := filepath.Join(w.scripts, "cutaway")
	must(w.t, os.WriteFile(path, []byte(`#!/bin/sh
export WINEPREFIX='`+w.scripts+`/wine'
if [ $# = 0 ] || [ -e "$1" ] || [ "${1#C:}" != "$1" ]; then
	# A Windows has one screen, and starts anew for another, in which no window remembers anything.
	[ "$(cat "$WINEPREFIX/screen" 2>/dev/null)" = "$DISPLAY" ] ||
		{ wineserver --kill; wineserver --wait; rm -rf "$WINEPREFIX"/drive_c/users/*/AppData/Roaming/cutaway; } || true
	echo "$DISPLAY" >"$WINEPREFIX/screen"
	exec sh '`+run+`' '`+w.folder+`\cutaway.exe' "$@"
fi
exec sh '`+run+`' '`+w.folder+`\cutaway.com' "$@"
`), 0o700))
	return path
}

// names reads files of names that programs stumble over: umlauts, spaces, more than 260 characters, a server's.
func (w *windows) names() {
	long := `C:\work\` + strings.Repeat(strings.Repeat("long", 30)+`\`, 3) + "a ü.usdc"
	for _, path := range []string{`C:\work\plain.usdc`, `C:\work\grün und groß.usdc`, long} {
		w.put(path)
		for _, name := range []string{path, `\\?\` + path, strings.ReplaceAll(path, `\`, "/")} {
			if out, err := w.run(w.folder+`\cutaway.com`, "check", name); err != nil || !strings.Contains(out, "sound") {
				w.t.Errorf("check of %s: %v: %s", name, err, out)
			}
		}
	}
	// Wine takes what is in this folder for servers.
	share := filepath.Join(filepath.Dir(w.drive), "dosdevices/unc/server")
	must(w.t, os.MkdirAll(share, 0o700))
	must(w.t, os.Symlink(w.host(`C:\work`), filepath.Join(share, "share")))
	for _, name := range []string{`\\server\share\grün und groß.usdc`, `\\?\UNC\server\share\plain.usdc`, `//server/share/plain.usdc`} {
		if out, err := w.run(w.folder+`\cutaway.com`, "tree", name+"#layout/toc/count"); err != nil || !strings.Contains(out, " 0x8bdf ") {
			w.t.Errorf("tree of %s: %v: %s", name, err, out)
		}
	}
}

// locked reads a file that another program keeps to itself.
func (w *windows) locked() {
	path := w.put(`C:\work\locked.usdc`)
	locker := filepath.Join(w.drive, "lock.exe")
	if out, err := exec.Command("x86_64-w64-mingw32-gcc", "-O2", "-o", locker, "../tools/wine/lock.c").CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "../tools/wine/run.sh", locker, path)
	cmd.Env, cmd.WaitDelay = w.env, time.Second
	says, err := cmd.StdoutPipe()
	must(w.t, err)
	must(w.t, cmd.Start())
	_, err = says.Read(make([]byte, 16)) // it has the file now
	must(w.t, err)
	said, err := w.run(w.folder+`\cutaway.com`, "info", path)
	if err == nil || !strings.Contains(said, "cannot open") || !strings.Contains(said, "haring violation") && !strings.Contains(said, "used by another process") {
		w.t.Errorf("info of a locked file: %v: %s", err, said)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// doubleClick opens a file as a double click does, and replaces and deletes it under the window.
func (w *windows) doubleClick() {
	other := w.put(`C:\work\other.usdc`)
	w.associateAll()
	d := newDesktop(w.t, look{"light", 1})
	env := w.env
	w.env = append(d.env, env...)
	w.env = append(w.env, "DISPLAY="+d.display)
	defer func() { w.env = env }()
	const path = `C:\work\under the window.usdc` // the last of them
	for _, path := range []string{`C:\work\grün und groß.usdc`, path} {
		w.succeed("start", w.put(path))
		d.wait("ready")
		if opened := d.waitAll("opened", "selected")[0]; opened.fields[0] != path || opened.fields[1] != "usdc" { // in whatever order they come
			w.t.Fatalf("%q was opened, not %s", opened.fields, path)
		}
	}
	time.Sleep(time.Second) // what it shows is for people to look at
	d.picture("windows-double-click")
	// By Windows' own calls, which an open file could refuse.
	for _, command := range []string{`copy /y "` + other + `" "` + path + `"`, `ren "` + path + `" moved.usdc`, `del C:\work\moved.usdc`} {
		script := w.host(`C:\under.cmd`)
		must(w.t, os.WriteFile(script, []byte("@"+command+"\r\n"), 0o600))
		if out, err := w.run("cmd", "/c", `C:\under.cmd`); err != nil || strings.Contains(out, "denied") || strings.Contains(out, "violation") {
			w.t.Errorf("%s under the window: %v: %s", command, err, out)
		}
	}
	d.picture("windows-deleted")
	w.succeed("taskkill", "/f", "/im", "cutaway.exe")
	for _, name := range []string{path, `C:\work\moved.usdc`} {
		if _, err := os.Stat(w.host(name)); !errors.Is(err, os.ErrNotExist) {
			w.t.Errorf("%s is left: %v", name, err)
		}
	}
}

// associateAll copies the user's associations to those of all users, where alone Wine 8 looks for them.
func (w *windows) associateAll() {
	w.t.Helper()
	w.succeed("reg", "export", `HKCU\Software\Classes`, `C:\classes.reg`, "/y")
	data, err := os.ReadFile(w.host(`C:\classes.reg`))
	must(w.t, err)
	units := make([]uint16, len(data)/2)
	must(w.t, binary.Read(bytes.NewReader(data), binary.LittleEndian, units))
	text := strings.ReplaceAll(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"), "HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE")
	must(w.t, os.WriteFile(w.host(`C:\classes.reg`), []byte(text), 0o600))
	w.succeed("reg", "import", `C:\classes.reg`)
}

// dialog opens a file through Windows' file dialog.
func (w *windows) dialog() {
	first, second := w.put(`C:\work\first.usdc`), w.put(`C:\work\second.usdc`)
	d := newDesktop(w.t, look{"light", 1})
	d.open(program, "· Cutaway$", first)
	d.key("ctrl+o")
	for deadline := time.Now().Add(patience); d.output("xdotool", "search", "--onlyvisible", "--name", "^Open a file$") == ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.picture("windows-no-dialog")
			w.t.Fatal("no dialog")
		}
	}
	time.Sleep(time.Second) // it says nothing when it takes keys
	d.picture("windows-dialog")
	d.do("type", "--delay", "20", second)
	d.key("Return")
	d.waitFor("opened", func(e event) bool { return e.fields[0] == second })
}

// drop drops a file on the window.
func (w *windows) drop() {
	if _, err := exec.LookPath("python3"); err != nil {
		w.t.Skip("no python3, which does the drop")
	}
	first, second := w.put(`C:\work\first.usdc`), w.put(`C:\work\grün gefallen.usdc`)
	d := newDesktop(w.t, look{"light", 1})
	d.open(program, "· Cutaway$", first)
	window := strings.Fields(d.output("xdotool", "search", "--onlyvisible", "--name", "· Cutaway$"))
	address := url.URL{Scheme: "file", Path: w.host(second)}
	cmd := exec.Command("python3", "../tools/wine/drop.py", window[0], address.String())
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("drop: %v: %s", err, out)
	}
	d.waitFor("opened", func(e event) bool { return e.fields[0] == second })
	d.picture("windows-drop")
}

// registry is what the user's part of the registry has, but for what Windows keeps of itself.
func (w *windows) registry() string {
	w.t.Helper()
	classes, err := w.run("reg", "query", `HKCU\Software\Classes`, "/s")
	if err != nil {
		classes = "" // there are none
	}
	software := strings.Replace(w.succeed("reg", "query", `HKCU\Software`), `HKEY_CURRENT_USER\Software\Classes`, "", 1) // it is on any other Windows
	return strings.Join(append(strings.Fields(classes), strings.Fields(software)...), " ")
}

// uninstall leaves nothing behind.
func (w *windows) uninstall(before string) {
	w.stop()                                                   // the last window may not be gone yet, whose program could not be deleted before the next start
	w.succeed(w.folder+`\uninstall.exe`, "/S", "_?="+w.folder) // in place: else it goes on in a copy
	_ = os.Remove(w.host(w.folder + `\uninstall.exe`))         // which would delete it too
	if after := w.registry(); after != before {
		w.t.Errorf("the registry was\n%s\nand is\n%s", before, after)
	}
	for _, key := range []string{`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall`, `HKCU\Software\Microsoft\Windows\CurrentVersion\App Paths`,
		`HKCU\Software\RegisteredApplications`} {
		if out, _ := w.run("reg", "query", key, "/s"); strings.Contains(strings.ToLower(out), "cutaway") {
			w.t.Errorf("left in %s: %s", key, out)
		}
	}
	files, _ := filepath.Glob(w.host(w.folder) + "/*")
	links, _ := filepath.Glob(filepath.Join(w.drive, "users/*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Cutaway*"))
	if left := append(files, links...); len(left) > 0 {
		w.t.Errorf("left: %q", left)
	}
}
