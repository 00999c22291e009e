package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/scan"
)

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsize 485323\n"

// putFiles writes files below a folder.
func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFoldersAnswer: a file in a folder that should have opened is told of with why, by every verb that goes through folders, and
// makes the status 2; what may be anything does not.
func TestFoldersAnswer(t *testing.T) {
	dir, sound, bad := t.TempDir(), t.TempDir(), t.TempDir()
	putFiles(t, dir, map[string]string{"good.usda": "#usda 1.0\n", "sub/pointer.usd": lfsPointer, "page.usdz": "<html></html>", "empty.usdc": "", "zeros.vrs": strings.Repeat("\x00", 99),
		"notes.txt": "words", "a.prefab": "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\n", "b.bytes": "\x00\x01\x02", "c.live": "words", ".git/hidden.usdc": "",
		"._good.usda": "\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "})
	putFiles(t, sound, map[string]string{"good.usda": "#usda 1.0\n"})
	putFiles(t, bad, map[string]string{"bad.usda": "#usda 1.0\ndef \"A\" {\n    float x = q\n}\n", "pointer.usd": lfsPointer})
	missed := []string{"empty.usdc", "page.usdz", "pointer.usd", "zeros.vrs"}
	for _, k := range []struct {
		args   []string
		status int
		missed []string
	}{
		{[]string{"check", dir}, StatusUnreadable, missed},
		{[]string{"check", "--all", dir}, StatusUnreadable, missed},
		{[]string{"check", "--json", dir}, StatusUnreadable, missed},
		{[]string{"check", "--strict", dir}, StatusUnreadable, missed},
		{[]string{"scan", "--deep", dir}, StatusUnreadable, missed},
		{[]string{"scan", "--deep", "--json", dir}, StatusUnreadable, missed},
		{[]string{"scan", dir}, StatusSound, missed},
		{[]string{"scan", "--fail-on", "error", dir}, StatusUnreadable, missed},
		{[]string{"search", dir, "good"}, StatusUnreadable, missed},
		{[]string{"diff", dir, dir}, statusTrouble, missed},
		{[]string{"diff", sound, dir}, statusTrouble, missed}, // which has them alone
		{[]string{"diff", dir, sound}, statusTrouble, missed},
		{[]string{"check", "--fail-on", "never", dir}, StatusSound, missed},
		{[]string{"check", "--fail-on", "unread", dir}, StatusUnreadable, missed},
		{[]string{"scan", "--deep", "--fail-on", "never", dir}, StatusSound, missed},
		{[]string{"search", "--fail-on", "never", dir, "good"}, StatusSound, missed},
		{[]string{"diff", "--fail-on", "never", dir, dir}, statusSame, missed},
		{[]string{"diff", "--fail-on", "never", dir, sound}, statusDifferent, missed},
		{[]string{"check", "--allow-pointers", "--ignore", "empty.usdc", "--ignore", "*.usdz", "--ignore", "/zeros.vrs", dir}, StatusSound, []string{"pointer.usd"}},
		{[]string{"scan", "--deep", "--allow-pointers", "--ignore", "empty.usdc", "--ignore", "*.usdz", "--ignore", "/zeros.vrs", dir}, StatusSound, []string{"pointer.usd"}},
		{[]string{"search", "--allow-pointers", "--ignore", "*.vrs", "--ignore", "*.usd[cz]", dir, "good"}, StatusSound, []string{"pointer.usd"}},
		{[]string{"diff", "--allow-pointers", "--ignore", "*.vrs", "--ignore", "*.usd[cz]", dir, dir}, statusSame, []string{"pointer.usd"}},
		{[]string{"check", "--ignore", "sub/", "--ignore", "*.*", "--ignore", "!good.usda", dir}, StatusSound, nil},
		{[]string{"check", sound, filepath.Join(dir, ".git")}, StatusUnreadable, []string{"hidden.usdc"}}, // it is named
		{[]string{"check", "--allow-pointers", filepath.Join(bad, "pointer.usd")}, StatusSound, []string{"pointer.usd"}},
		{[]string{"scan", "--allow-pointers", filepath.Join(bad, "pointer.usd")}, StatusSound, []string{"pointer.usd"}},
		{[]string{"search", "--allow-pointers", filepath.Join(bad, "pointer.usd"), "x", sound}, StatusSound, []string{"pointer.usd"}},
		{[]string{"check", "--option", "none=1", sound}, StatusFailed, nil},
		{[]string{"check", bad}, StatusUnreadable, []string{"pointer.usd"}},
		{[]string{"check", "--allow-pointers", bad}, StatusErrors, []string{"pointer.usd"}},
		{[]string{"check", "--fail-on", "unread", "--allow-pointers", bad}, StatusSound, []string{"pointer.usd"}},
	} {
		r := execute(t.Context(), decoderLibrary{}, k.args...)
		all := r.out + r.err
		if r.status != k.status {
			t.Errorf("%q: status %d, want %d: %s", k.args, r.status, k.status, all)
		}
		for _, name := range append(missed, "hidden.usdc", "._good.usda") {
			told := strings.Contains(all, name+": ") || strings.Contains(all, "✗ "+filepath.Join(dir, name)) || strings.Contains(all, name+"  ") || strings.Contains(all, name+`","failed"`) ||
				strings.Contains(all, name+`","format":null`)
			if k.args[0] == "scan" && name == "._good.usda" {
				continue // it is listed, and does not count
			}
			if told != slices.Contains(k.missed, name) {
				t.Errorf("%q: %s told: %t: %s", k.args, name, told, all)
			}
		}
		if slices.Contains(k.args, "diff") {
			continue // their bytes are compared
		}
		if slices.Contains(k.args, dir) && !slices.Contains(k.args, "*.*") && strings.Count(r.err, "1 file without a live layer, 2 files without Odin data") != 1 {
			t.Errorf("%q: %s", k.args, r.err)
		}
	}
}

// TestCheckBrief: of a folder check prints the files with problems and one sum; all with --all; of each JSON has a line.
func TestCheckBrief(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"bad.usda": "#usda 1.0\ndef \"A\" {\n    float x = q\n}\n", "odd.usda": "#usda 1.0\ndef \"A\" {}\ndef \"A\" {}\n", "pointer.usd": lfsPointer, "zeros.usdc": "\x00\x00"}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		files[name+".usda"] = "#usda 1.0\n"
	}
	putFiles(t, dir, files)
	r := execute(t.Context(), decoderLibrary{}, "check", dir)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	sum := lines[len(lines)-1]
	if strings.Contains(r.out, "a.usda") || !strings.Contains(r.out, "bad.usda  1 error\n✗ error") || len(lines) > 16 || r.err != "" {
		t.Errorf("%d lines: %s%s", len(lines), r.out, r.err)
	}
	counted := execute(t.Context(), decoderLibrary{}, "check", "--allow-pointers", "--fail-on", "unread", dir)
	if !strings.HasPrefix(sum, "11 files: ") || !strings.HasSuffix(sum, ", 2 not read") || !strings.HasSuffix(counted.out, ", 1 not read, 1 not fetched\n") {
		t.Errorf("%q, %s", sum, counted.out)
	}
	if all := execute(t.Context(), decoderLibrary{}, "check", "--all", dir); strings.Count(all.out, "\nsound\n") < 7 || !strings.HasSuffix(all.out, "\n\n"+sum+"\n") {
		t.Errorf("%s", all.out)
	}
	told := execute(t.Context(), decoderLibrary{}, "check", "--json", dir)
	if n := strings.Count(told.out, "\n"); n != len(files) {
		t.Errorf("%d lines: %s", n, told.out)
	}
}

// TestCauseInJSON: check and scan say why a file does not open and what to do, of each format only when asked for.
func TestCauseInJSON(t *testing.T) {
	dir := t.TempDir()
	putFiles(t, dir, map[string]string{"p.usd": lfsPointer, "w.usdc": "words", "g.usda": "#usda 1.0\n"})
	type line struct {
		File, Failed, Cause, Hint, First string
		Tried                            []struct{ Format, Reason string }
	}
	for _, args := range [][]string{{"check", "--json"}, {"scan", "--json"}, {"check", "--json", "--why"}, {"scan", "--json", "--why"}} {
		r := execute(t.Context(), decoderLibrary{}, append(args, dir)...)
		told := map[string]line{}
		for text := range strings.Lines(r.out) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatal(err)
			}
			told[filepath.Base(l.File)] = l
		}
		p, w, g := told["p.usd"], told["w.usdc"], told["g.usda"]
		if p.Cause != "pointer" || p.Hint != "git lfs pull" || !strings.Contains(p.Failed, "485,323 bytes were not fetched: git lfs pull") || strings.Contains(p.Failed, "\n") ||
			w.Hint != "--format usdc opens it all the same" || g.Cause != "" || args[0] == "scan" && p.First != p.Failed {
			t.Errorf("%q: %+v", args, told)
		}
		if why := slices.Contains(args, "--why"); why != (len(p.Tried) > 5) || len(g.Tried) > 0 {
			t.Errorf("%q: %+v", args, told)
		}
	}
}

// TestWhy: why a file does not open is one line; --why adds what each format says.
func TestWhy(t *testing.T) {
	dir := t.TempDir()
	putFiles(t, dir, map[string]string{"p.usd": lfsPointer})
	file := filepath.Join(dir, "p.usd")
	for _, args := range [][]string{{"info", file}, {"tree", file}, {"check", file}, {"search", file, "x"}, {"export", file, "--as", "json"}, {"check", dir}, {"search", dir, "x"}, {"diff", dir, dir}, {"scan", file}} {
		for _, why := range []bool{false, true} {
			if why {
				args = append(args, "--why")
			}
			r := execute(t.Context(), decoderLibrary{}, args...)
			all := r.out + r.err
			if r.status != StatusUnreadable || !strings.Contains(all, "p.usd") || !strings.Contains(all, "a Git LFS pointer; its 485,323 bytes were not fetched: git lfs pull\n") {
				t.Errorf("%q: status %d, %s", args, r.status, all)
			}
			if told := strings.Contains(all, "usdc: no PXR-USDC at the start\n"); told != why {
				t.Errorf("%q: %s", args, all)
			}
		}
	}
}

// TestFaultsOfFolders: the files of the corpus that are in place of others are told for what they are.
func TestFaultsOfFolders(t *testing.T) {
	const corpus = "../../shared/corpus/faults/usd/"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no shared corpus:", err)
	}
	for _, k := range []struct {
		args   string
		status int
		says   []string
	}{
		{"check " + corpus + "03-folder", StatusUnreadable, []string{"empty.usdc: empty", "pointer.usd: a Git LFS pointer", `page.usdz: an HTML page ("404 Not Found") in place of the file`, "zipped.usdc: OpenUSD crate compressed by gzip", "5 files: 1 sound, 4 not read"}},
		{"scan --deep " + corpus + "03-folder", StatusUnreadable, []string{"5 files, 0 with problems, 4 not read"}},
		{"info " + corpus + "04-lfs-pointer.usd", StatusUnreadable, []string{"a Git LFS pointer; its 485,323 bytes were not fetched: git lfs pull"}},
		{"check " + corpus + "14-bom.usda", StatusErrors, []string{"begins with a UTF-8 byte order mark, which USD does not read", "\n1 error\n"}},
		{"info " + corpus + "14-bom.usda", StatusErrors, []string{"1 error"}},
		{"check " + corpus + "14-utf16.usda", StatusErrors, []string{"is UTF-16, which USD does not read", "\n1 error\n"}},
		{"info " + corpus + "14-utf16.usda", StatusErrors, []string{"1 error"}},
		{"scan " + corpus + "14-utf16.usda", StatusErrors, []string{"is UTF-16, which USD does not read"}},
	} {
		r := execute(t.Context(), decoderLibrary{}, strings.Fields(k.args)...)
		all := r.out + r.err
		if r.status != k.status {
			t.Errorf("%s: status %d, want %d: %s", k.args, r.status, k.status, all)
		}
		for _, says := range k.says {
			if !strings.Contains(all, says) {
				t.Errorf("%s: without %q: %s", k.args, says, all)
			}
		}
	}
}

// TestIgnorePattern: a pattern that is none is wrong usage.
func TestIgnorePattern(t *testing.T) {
	for _, verb := range []string{"check", "scan", "search", "diff"} {
		args := []string{verb, "--ignore", "/", ".", "."}
		if r := execute(t.Context(), decoderLibrary{}, args...); r.status != StatusFailed && verb != diffName || r.status != statusTrouble && verb == diffName || !strings.Contains(r.err, "--ignore") {
			t.Errorf("%q: status %d, %s", args, r.status, r.err)
		}
	}
	if _, err := scan.NewIgnore("*.usd"); err != nil {
		t.Error(err)
	}
}
