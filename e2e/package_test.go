//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// entry is the desktop entry of the package.
const entry = "dev.cutaway.Cutaway"

// packaged is a file of each extension: what a double click opens with us, and what we are only offered for.
var packaged = []struct {
	file, ext, mime, format string
	ours, magic             bool
}{
	{"usdc/made-0.0.1.usdc", ".usdc", "model/vnd.usdc", "usdc", true, true},
	{"usdc/single.usdz", ".usdz", "model/vnd.usdz+zip", "usdz", true, false},
	{"vrs/index-in-front.vrs", ".vrs", "application/x-vrs", "vrs", true, true},
	{"udm/twin.udm_b", ".udm_b", "application/x-udm", "udm", true, true},
	{"udm/twin.udm_b", ".pmdl_b", "application/x-udm", "udm", true, true},
	{"omnilive/world.oodf", ".oodf", "application/x-omniverse-live", "omnilive", true, true},
	{"usdc/made-0.0.1.usdc", ".usd", "model/vnd.usd", "usdc", false, false},
	{"udm/ok-backslash.udm", ".udm", "text/x-udm", "udm", false, false},
	{"odin/hex.asset", ".asset", "application/x-unity-asset", "odin", false, false},
	{"odin/override.prefab", ".prefab", "application/x-unity-prefab", "odin", false, false},
	{"odin/hex.asset", ".unity", "application/x-unity-scene", "odin", false, false},
	{"odin/loose.odin.json", ".json", "application/json", "odin", false, false},
	{"odin/every-entry.odin", ".bin", "application/octet-stream", "odin", false, false},
}

// installed is the package in a prefix of its own, on a desktop that has three other programs.
type installed struct {
	*desktop
	prefix, files string
}

// TestPackage installs the package, asks the desktop's own tools what they make of our files, and opens them as a double
// click does.
func TestPackage(t *testing.T) {
	p := install(t)
	for _, f := range packaged {
		t.Run(f.ext, func(t *testing.T) {
			p.t = t
			path := p.copy(f.file, "file"+f.ext)
			p.isType(path, f.mime)
			if f.magic {
				p.isType(p.copy(f.file, "copy"+f.ext+".unknown"), f.mime)
			}
			p.isHandled(f.mime, f.ours)
			if f.ours {
				p.opens(path, f.format, "gio", "open", path)
			}
		})
	}
	p.t = t
	path := filepath.Join(p.files, "file.json")
	p.opens(path, "odin", "gtk-launch", entry, path) // Open with…
	p.uninstall()
}

// TestDeb installs the newest .deb into a root of its own, runs the program, and takes it away again.
func TestDeb(t *testing.T) {
	packages, err := filepath.Glob("../build/cutaway_*.deb")
	if err != nil || len(packages) == 0 {
		t.Skip("there is no .deb; make package-deb makes it")
	}
	for _, tool := range []string{"dpkg", "appstreamcli", "desktop-file-validate"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s", tool)
		}
	}
	newest := slices.MaxFunc(packages, func(a, b string) int { return modified(t, a).Compare(modified(t, b)) })
	root := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg/updates"), 0o700))
	must(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg/info"), 0o700))
	must(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o600))
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	// The root has no libraries, and no shell to change into it for.
	dpkg := func(args ...string) {
		t.Helper()
		run("dpkg", append([]string{"--root=" + root, "--force-depends", "--force-not-root", "--force-script-chrootless"}, args...)...)
	}
	dpkg("--install", newest)
	if said := run(filepath.Join(root, "usr/bin/cutaway"), "check", "../testdata/usdc/made-0.0.1.usdc"); !strings.Contains(said, "sound") {
		t.Errorf("the installed program says %q", said)
	}
	run("desktop-file-validate", filepath.Join(root, "usr/share/applications", entry+".desktop"))
	run("appstreamcli", "validate", "--no-net", filepath.Join(root, "usr/share/metainfo", entry+".metainfo.xml"))
	list, err := os.ReadFile(filepath.Join(root, "usr/share/applications/mimeapps.list"))
	if must(t, err); !strings.Contains(string(list), "model/vnd.usdc="+entry) {
		t.Errorf("the package did not associate its types:\n%s", list)
	}
	dpkg("--install", newest) // as an upgrade
	dpkg("--remove", "cutaway")
	_ = filepath.WalkDir(filepath.Join(root, "usr"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("%s is left", path)
		}
		return nil
	})
}

// install unpacks the newest package and installs it.
func install(t *testing.T) *installed {
	t.Helper()
	for _, tool := range []string{"tar", "update-mime-database", "desktop-file-validate", "xdg-mime", "gio", "gtk-launch"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s; tools/install.sh test installs it", tool)
		}
	}
	archives, err := filepath.Glob("../build/cutaway-*-linux-*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Skip("there is no package; make package makes it")
	}
	newest := slices.MaxFunc(archives, func(a, b string) int { return modified(t, a).Compare(modified(t, b)) })
	d := newDesktop(t, look{"light", 1})
	home := t.TempDir()
	p := &installed{desktop: d, prefix: filepath.Join(home, "prefix"), files: filepath.Join(home, "files")}
	others, system := filepath.Join(home, "others"), filepath.Join(home, "system")
	for _, folder := range []string{p.files, filepath.Join(home, "config"), filepath.Join(others, "applications"), system, filepath.Join(home, "unpacked")} {
		must(t, os.MkdirAll(folder, 0o700))
	}
	must(t, os.Symlink("/usr/share/mime", filepath.Join(system, "mime")))
	for id, mime := range map[string]string{"org.gnome.TextEditor": "text/plain", "f3d": "model/vnd.usd", "org.gnome.GHex": "application/octet-stream"} {
		text := "[Desktop Entry]\nType=Application\nName=Another\nExec=/bin/true %F\nMimeType=" + mime + ";\n"
		must(t, os.WriteFile(filepath.Join(others, "applications", id+".desktop"), []byte(text), 0o600))
	}
	p.succeed("update-desktop-database", filepath.Join(others, "applications"))
	d.env = append(d.env, "XDG_CURRENT_DESKTOP=GNOME", "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_CONFIG_DIRS="+filepath.Join(home, "config"), "XDG_DATA_DIRS="+strings.Join([]string{p.prefix + "/share", others, system}, ":"))
	p.succeed("tar", "-xzf", newest, "-C", filepath.Join(home, "unpacked"), "--strip-components=1")
	p.succeed(filepath.Join(home, "unpacked", "install.sh"), p.prefix)
	p.succeed("desktop-file-validate", p.share("applications/"+entry+".desktop"))
	return p
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.ModTime()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *installed) share(name string) string { return filepath.Join(p.prefix, "share", name) }

// succeed runs a program to its end, but not to that of what it starts.
func (p *installed) succeed(name string, args ...string) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	said, err := os.CreateTemp(p.t.TempDir(), "said")
	must(p.t, err)
	defer func() { _ = said.Close() }()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, said, said
	if err := cmd.Run(); err != nil {
		out, _ := os.ReadFile(said.Name())
		p.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// copy copies a test file under another name.
func (p *installed) copy(file, name string) string {
	p.t.Helper()
	data, err := os.ReadFile("../testdata/" + file)
	must(p.t, err)
	path := filepath.Join(p.files, name)
	must(p.t, os.WriteFile(path, data, 0o600))
	return path
}

// isType checks what the MIME database says of a file.
func (p *installed) isType(path, mime string) {
	p.t.Helper()
	if got := p.output("xdg-mime", "query", "filetype", path); got != mime {
		p.t.Errorf("xdg-mime says that %s is %q, want %q", filepath.Base(path), got, mime)
	}
	if got := p.output("gio", "info", "-a", "standard::content-type", path); !strings.HasSuffix(got, "standard::content-type: "+mime) {
		p.t.Errorf("gio says that %s is %q, want %q", filepath.Base(path), got, mime)
	}
}

// isHandled checks which program opens a type, and that we are offered.
func (p *installed) isHandled(mime string, ours bool) {
	p.t.Helper()
	if got := p.output("xdg-mime", "query", "default", mime); (got == entry+".desktop") != ours {
		p.t.Errorf("xdg-mime opens %s with %q; want ours: %v", mime, got, ours)
	}
	said := p.output("gio", "mime", mime)
	first, offered, _ := strings.Cut(said, "\n")
	if !strings.HasPrefix(first, "Default application") || strings.Contains(first, entry) != ours || !strings.Contains(offered, entry) {
		p.t.Errorf("want %s opened by us: %v, and us among what is offered; gio says:\n%s", mime, ours, said)
	}
}

// opens runs what opens a file, waits until our window shows it, and closes the window.
func (p *installed) opens(path, format, tool string, args ...string) {
	p.t.Helper()
	p.succeed(tool, args...)
	p.waitFor("opened", func(e event) bool { return e.fields[0] == path && e.fields[1] == format })
	window := ""
	for deadline := time.Now().Add(patience); window == "" && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		window = p.output("xdotool", "search", "--onlyvisible", "--class", "^Cutaway$", "search", "--name", "^"+filepath.Base(path)+" · Cutaway$")
	}
	if window == "" {
		p.t.Fatal("no window of the class that the desktop entry names")
	}
	p.do("windowfocus", "--sync", window, "key", "ctrl+q")
	for deadline := time.Now().Add(patience); p.output("xdotool", "search", "--onlyvisible", "--name", "Cutaway$") != ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatal("the window does not close")
		}
	}
}

// uninstall runs the installed script, which leaves nothing but what the desktop's tools made of the rest.
func (p *installed) uninstall() {
	p.t.Helper()
	p.succeed(p.share("cutaway/uninstall.sh"))
	_ = filepath.WalkDir(p.prefix, func(path string, d os.DirEntry, _ error) error {
		made := strings.HasPrefix(path, p.share("mime")+"/") || filepath.Base(path) == "mimeinfo.cache"
		if !d.IsDir() && !made || strings.Contains(strings.ToLower(d.Name()), "cutaway") {
			p.t.Errorf("%s is left", path)
		}
		return nil
	})
}
