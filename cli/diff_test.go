package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cutaway/internal/crategen"
)

// TestDiffOfTexts: a crate and the text that is made of it hold the same, whatever text always tells, sorts or leaves out.
func TestDiffOfTexts(t *testing.T) {
	crates := []string{"../assets/sample.usdc", "../testdata/usdc/arcs.usdc", "../testdata/usdc/samples.usdc", "../testdata/usdc/variants.usdc",
		"../../shared/corpus/usdc/070-ball.usd", "../../shared/corpus/usdc/070-references.usdc", "../../shared/corpus/usdc/080-skeleton.usdc"}
	for _, crate := range crates {
		if _, err := os.Stat(crate); err != nil {
			t.Logf("%v: not compared", err)
			continue
		}
		text := filepath.Join(t.TempDir(), "made.usda")
		for _, args := range [][]string{{"export", crate + "#scene", "--as", "usda", "-o", text}, {"diff", crate, text}, {"diff", text, crate}} {
			if r := execute(t.Context(), decoderLibrary{}, args...); r.status != 0 {
				t.Errorf("%q: status %d, %s%s", args, r.status, r.out, r.err)
			}
		}
	}
}

// asProgram makes the test binary the program itself, for tests of other programs that start it.
const asProgram = "CUTAWAY_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(context.Background(), "test", os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestDiffStatus(t *testing.T) {
	dir := t.TempDir()
	unknown := filepath.Join(dir, "unknown.bin")
	longer := filepath.Join(dir, "longer.bin")
	for name, text := range map[string]string{unknown: "no format knows this", longer: "no format knows all this"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large, err := crategen.Kept(dir, crategen.Specs, 50_000)
	if err != nil {
		t.Fatal(err)
	}
	defer decoderLibrary{}.limitCache(256 << 20)
	const usdc, vrs, udm = "../testdata/usdc/", "../testdata/vrs/", "../testdata/udm/"
	for _, c := range []struct {
		args   string
		status int
		out    string // what the output has in it
		err    string
	}{
		{usdc + "arcs.usdc " + usdc + "arcs.usdc", 0, "the same content", ""},
		{udm + "twin.udm " + udm + "twin.udm_b", 0, "the same content", ""},
		{vrs + "index-none.vrs " + vrs + "index-plain.vrs", 0, "the same content", ""},
		{"../testdata/odin/object.odin ../testdata/odin/object.odin.gz", 0, "the same content", ""},
		{usdc + "arcs.usdc " + usdc + "variants.usdc", 1, "- scene/B  prim", ""},
		{"--view layout " + usdc + "arcs.usdc " + usdc + "variants.usdc", 1, "~ layout/", ""},
		{"--bytes " + usdc + "arcs.usdc " + usdc + "arcs.usdc", 0, "the same bytes", ""},
		{"--bytes " + usdc + "arcs.usdc:0x10 " + usdc + "arcs.usdc:0x10", 0, "the same bytes", ""},
		{"--bytes " + usdc + "arcs.usdc:0x10 " + usdc + "arcs.usdc:0x11", 1, "~ 0x10 → 0x11", ""},
		{"--bytes " + usdc + "arcs.usdc:0x10 " + usdc + "arcs.usdc:0x999999", 2, "", "offset 0x999999 is outside of"},
		{"--together " + usdc + "arcs.usdc:0x10 " + usdc + "arcs.usdc:0x20", 1, "varies", ""},
		{usdc + "arcs.usdc:0x8 " + usdc + "variants.usdc:0x8", 0, "the same content", ""},
		{unknown + ":0x10 " + longer + ":0x14", 0, "the same bytes", "bytes are compared"},
		{"--quiet " + usdc + "arcs.usdc " + usdc + "variants.usdc", 1, "", ""},
		{"../testdata/omnilive/world.oodf ../testdata/omnilive/world-b.oodf", 1, "~ layer/World/.size/default  Double → Int  2.5 → 1", ""},
		{vrs + "index-none.vrs#streams/999-1/data/[1] " + vrs + "index-none.vrs#streams/999-1/data/[2]", 1, "number", ""},
		{"--tolerance 2 --json " + vrs + "index-none.vrs#streams/999-1/data/[1] " + vrs + "index-none.vrs#streams/999-1/data/[2]", 0, "", ""},
		{unknown + " " + longer, 1, "+ 0x10  4 bytes  61 6c 6c 20", "bytes are compared"},
		{os.DevNull + " " + longer, 1, "+ " + longer, ""},
		{longer + " " + os.DevNull, 1, "- " + longer, ""},
		{usdc + "arcs.usdc " + vrs + "index-none.vrs", 2, "", "nothing to compare but bytes"},
		{usdc + "arcs.usdc " + usdc + "nowhere.usdc", 2, "", "nowhere.usdc"},
		{usdc + "arcs.usdc", 2, "", "expected"},
		{"--tolerance -1 " + usdc + "arcs.usdc " + usdc + "arcs.usdc", 2, "", "tolerance"},
		{usdc + "arcs.usdc#scene/Nobody " + usdc + "arcs.usdc#scene/World", 2, "", "Nobody"},
		{"--max-memory 1M " + large + " " + large, 2, "as far as it was compared", "was not compared; --max-memory raises it"},
		{usdc + "x-cut-in-half.usdc " + usdc + "x-cut-in-half.usdc", 0, "the same content", "what cannot be read is not compared"},
	} {
		r := execute(t.Context(), decoderLibrary{}, append([]string{"diff"}, strings.Fields(c.args)...)...)
		if r.status != c.status || !strings.Contains(r.out, c.out) || !strings.Contains(r.err, c.err) || c.err == "" && r.err != "" || c.out == "" && r.out != "" {
			t.Errorf("diff %s: status %d, output %q, messages %q; want %d, %q, %q", c.args, r.status, r.out, r.err, c.status, c.out, c.err)
		}
	}
}

// TestGit has git call the program in both ways that docs/use/compare.md tells of, by the page's own lines.
func TestGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("git, and a shell")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, repo := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "cutaway"), []byte("#!/bin/sh\nexec '"+self+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	shell := func(script string) string {
		t.Helper()
		c := exec.Command("sh", "-ec", script)
		c.Dir = repo
		c.Env = append(os.Environ(), asProgram+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+repo, "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	copyTo := func(from, to string) {
		t.Helper()
		b, err := os.ReadFile("../testdata/usdc/" + from)
		if err == nil {
			err = os.WriteFile(filepath.Join(repo, to), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copyTo("arcs.usdc", "scene.usdc")
	shell("git init -q . && git config user.email a@b && git config user.name n && git add . && git commit -qm one")
	copyTo("variants.usdc", "scene.usdc")
	copyTo("samples.usdc", "new.usdc")
	shell("git add .")
	configured := 0
	for line := range strings.Lines(page(t, "use/compare.md")) {
		if strings.HasPrefix(line, "git config ") {
			configured++
			shell(line)
		}
	}
	if configured != 4 {
		t.Errorf("%d lines of configuration on the page", configured)
	}
	const change = "- scene/B  prim"
	if out := shell("git difftool --cached"); !strings.Contains(out, change) || !strings.Contains(out, "+ ") {
		t.Errorf("git difftool: %s", out)
	}
	shell("echo '*.usdc diff=cutaway' > .gitattributes")
	if out := shell("git diff --cached"); !strings.Contains(out, "scene.usdc\n") || !strings.Contains(out, change) {
		t.Errorf("git diff: %s", out)
	}
	shell("git commit -qm two")
	if out := shell("git log -p --ext-diff -1"); !strings.Contains(out, change) {
		t.Errorf("git log: %s", out)
	}
}

// TestTogether holds files of an unknown kind side by side, as text and as JSON.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i, text := range []string{"first", "the second", "and the third"} {
		b := append([]byte("KIND"), byte(i+1), 0, byte(8+len(text)), 0)
		names = append(names, filepath.Join(dir, string(rune('a'+i))))
		if err := os.WriteFile(names[i], append(b, text...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(status int, args ...string) string {
		t.Helper()
		r := execute(t.Context(), decoderLibrary{}, append([]string{"diff"}, args...)...)
		if r.status != status {
			t.Errorf("%q: status %d, %s", args, r.status, r.err)
		}
		return r.out
	}
	text := strings.Join(strings.Fields(run(1, names...)), " ")
	for _, want := range []string{"0x0 4 constant 4b 49 4e 44", "0x4 2 u16 counts by +1 1, 2, 3", "0x6 2 u16 length of the file 13, 18, 21", "0xd 8 only in c"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	json := run(1, append([]string{"--json"}, names...)...)
	if !strings.Contains(json, `{"offset":6,"length":2,"what":"length","type":"u16","values":[13,18,21],"times":1,"plus":0}`) {
		t.Error(json)
	}
	if same := run(0, "--together", names[0], names[0]); !strings.Contains(same, "the same bytes") {
		t.Error(same)
	}
	run(2, append([]string{"--stored"}, names...)...)
}
