package scan

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// put writes a file below a folder, and names it.
func put(t *testing.T, dir, name string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(name), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestEach: a link in a folder is the file that it leads to; what is none is never opened, and counted.
func TestEach(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	link := func(to, name string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.Symlink(to, file); err != nil {
			t.Skip("no links here:", err)
		}
		return file
	}
	want := []string{put(t, dir, "a.usdc"), link(put(t, other, "far.usdc"), "b.usdc"), put(t, dir, "below/c.usdc"), link("b.usdc", "d.usdc")}
	put(t, other, "unseen/e.usdc")
	link(filepath.Join(other, "unseen"), "folder")
	link(".", "round")
	link("nothing", "broken")
	loop := link("loop", "loop") // it cannot be read, which is told of it as of a file
	passed := "2 links to folders were not followed, 1 link leads nowhere"
	if socket, err := net.Listen("unix", filepath.Join(dir, "socket")); err == nil {
		defer socket.Close()
		link("socket", "to socket")
		passed += ", 2 devices, pipes and sockets were not opened"
	}
	var l Listing
	var got []string
	if err := l.Each([]string{dir}, func(n Name) error {
		if n.File == loop {
			return nil
		}
		got = append(got, n.File)
		if !n.Found {
			t.Errorf("%s was not named", n.File)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("gave %q, want %q", got, want)
	}
	if l.Passed() != passed {
		t.Errorf("passed over %q, want %q", l.Passed(), passed)
	}
	// A link that is named is what it leads to, a folder too.
	var named Listing
	got = nil
	if err := named.Each([]string{filepath.Join(dir, "folder"), want[1]}, func(n Name) error {
		got = append(got, filepath.Base(n.File))
		return nil
	}); err != nil || !slices.Equal(got, []string{"e.usdc", "b.usdc"}) || named.Passed() != "" {
		t.Errorf("of named links: %q, %q, %v", got, named.Passed(), err)
	}
}

// TestMissing: gone is what is not there, and nothing that is, that was not asked about, or that only a server knows of.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	there, seen, gone := put(t, dir, "there.usdc"), put(t, dir, "seen.usdc"), filepath.Join(dir, "gone.usdc")
	former := Former{}
	for _, name := range []string{there, there + "[inner.usdc]", there + "#scene/World", seen, gone, filepath.Join(dir, "unasked.usdc"), "https://host/x.usdc"} {
		former[name] = &File{Name: name, Format: "usdc"}
	}
	list := former.Missing(func(name string) bool { return name == seen || filepath.Base(name) == "unasked.usdc" })
	if len(list) != 1 || list[0].Name != gone || list[0].Change != Gone || former[gone].Change != "" {
		t.Errorf("missing are %+v", list)
	}
}
