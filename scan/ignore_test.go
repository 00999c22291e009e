package scan

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestIgnore: what patterns leave out is what git leaves out by them as a .gitignore; where git is not installed, what it did.
func TestIgnore(t *testing.T) {
	files := []string{"a.usd", "b.usdc", "sub/a.usd", "sub/b.txt", "sub/deep/a.usd", "sub/deep/c.usda", "build/a.usd", "sub/build/x.usd", "build.usd", "doc/build", "a1.usd", "ab.usd", "!odd.usd", "#odd.usd"}
	for _, k := range []struct {
		patterns []string
		left     []string
	}{
		{[]string{"*.usd"}, []string{"b.usdc", "sub/b.txt", "sub/deep/c.usda", "doc/build"}},
		{[]string{"build/"}, []string{"a.usd", "b.usdc", "sub/a.usd", "sub/b.txt", "sub/deep/a.usd", "sub/deep/c.usda", "build.usd", "doc/build", "a1.usd", "ab.usd", "!odd.usd", "#odd.usd"}},
		{[]string{"/build"}, nil}, {[]string{"build"}, nil}, {[]string{"/a.usd"}, nil}, {[]string{"sub/*.usd"}, nil}, {[]string{"sub/**/a.usd"}, nil}, {[]string{"**/deep"}, nil},
		{[]string{"sub/**"}, nil}, {[]string{"a?.usd"}, nil}, {[]string{"a[0-9].usd"}, nil}, {[]string{"a[!0-9].usd"}, nil}, {[]string{"*.usd", "!a.usd"}, nil},
		{[]string{"sub", "!sub/a.usd"}, nil}, {[]string{`\!odd.usd`}, nil}, {[]string{`\#odd.usd`}, nil}, {[]string{"*.usd  "}, nil}, {[]string{"**"}, nil}, {[]string{"su*/deep/"}, nil},
		{[]string{"**.usdc"}, nil}, {[]string{"deep/a.usd"}, nil}, {[]string{"*", "!*/", "!*.usda"}, nil},
	} {
		ig, err := NewIgnore(k.patterns...)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, f := range files {
			if !leftOut(ig, f) {
				left = append(left, f)
			}
		}
		if k.left != nil && !slices.Equal(left, k.left) {
			t.Errorf("%q leaves %q, want %q", k.patterns, left, k.left)
		}
		if want := leftByGit(t, files, k.patterns); want != nil && !slices.Equal(left, want) {
			t.Errorf("%q leaves %q, git %q", k.patterns, left, want)
		}
	}
	for _, bad := range []string{"", "/", " ", "!", "[b-a]"} {
		if _, err := NewIgnore(bad); err == nil {
			t.Errorf("%q is taken for a pattern", bad)
		}
	}
}

// leftOut reports whether a file or a folder that it lies in is left out.
func leftOut(ig *Ignore, file string) bool {
	parts := strings.Split(file, "/")
	for i := range parts {
		if ig.LeavesOut(strings.Join(parts[:i+1], "/"), i+1 < len(parts)) {
			return true
		}
	}
	return false
}

// leftByGit are the files that git does not leave out; nil: it is not installed.
func leftByGit(t *testing.T, files, patterns []string) []string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	dir := t.TempDir()
	for _, f := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	excludes := filepath.Join(t.TempDir(), "patterns")
	if err := os.WriteFile(excludes, []byte(strings.Join(patterns, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		out, err := exec.Command(git, append([]string{"-C", dir}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	run("init", "-q")
	listed := strings.Split(strings.Trim(run("ls-files", "-z", "--others", "--exclude-from", excludes), "\x00"), "\x00")
	var left []string
	for _, f := range files { // in their order
		if slices.Contains(listed, f) {
			left = append(left, f)
		}
	}
	return append([]string{}, left...)
}
