package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scanLine is a line of scan --json.
type scanLine struct {
	File, Format, First, Failed string
	Sound                       *bool
	Errors, Warnings            int64
	Facts                       map[string]any
}

func scanLines(t *testing.T, out string) map[string]scanLine {
	t.Helper()
	lines := make(map[string]scanLine)
	for line := range strings.Lines(out) {
		var l scanLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if _, twice := lines[l.File]; twice {
			t.Errorf("%s is told twice", l.File)
		}
		lines[l.File] = l
	}
	return lines
}

// What scan --deep tells of each file of testdata is what check tells of it.
func TestScanTellsWhatCheckTells(t *testing.T) {
	folder := filepath.Join("..", "testdata", "vrs")
	r := execute(t.Context(), decoderLibrary{}, "scan", "--deep", "--json", "--jobs", "3", folder)
	lines := scanLines(t, r.out)
	if r.status != StatusErrors || len(lines) == 0 {
		t.Fatalf("exit status %d, %d files, %s", r.status, len(lines), r.err)
	}
	for file, l := range lines {
		one := execute(t.Context(), decoderLibrary{}, "check", "--json", file)
		if l.Failed != "" {
			if one.status != StatusUnreadable {
				t.Errorf("%s: scan says %q, check ends with %d", file, l.Failed, one.status)
			}
			continue
		}
		var report struct {
			Problems []struct{ Severity, Message string }
		}
		if err := json.Unmarshal([]byte(one.out), &report); err != nil {
			t.Fatal(err)
		}
		count := make(map[string]int64)
		first := ""
		for _, p := range report.Problems {
			if p.Severity == "error" && count["error"] == 0 || p.Severity == "warning" && count["error"]+count["warning"] == 0 {
				first = p.Message
			}
			count[p.Severity]++
		}
		if l.Sound == nil || *l.Sound != (count["error"] == 0) || l.Errors != count["error"] || l.Warnings != count["warning"] || l.First != first {
			t.Errorf("%s: scan tells %+v, check %d errors, %d warnings, first %q", file, l, count["error"], count["warning"], first)
		}
	}
}

// A file that cannot be read harms no other; one in a folder that no format knows does not count.
func TestScanStatuses(t *testing.T) {
	sample, err := filepath.Abs(filepath.Join("..", "assets", "sample.usdc"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, data := range map[string]string{"notes.txt": "no format knows this", "broken.usdc": "PXR-USDC\x00\x08"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	txt, broken, missing := filepath.Join(folder, "notes.txt"), filepath.Join(folder, "broken.usdc"), filepath.Join(folder, "missing")
	for _, c := range []struct {
		args   []string
		status int
		failed string // the files that fail
	}{
		{[]string{sample}, StatusSound, ""},
		{[]string{sample, broken}, StatusErrors, ""},
		{[]string{sample, missing}, StatusUnreadable, missing},
		{[]string{folder}, StatusErrors, txt},
		{[]string{txt}, StatusUnreadable, txt},
		{[]string{"--timeout", "1ns", sample}, StatusUnreadable, sample},
	} {
		r := execute(t.Context(), decoderLibrary{}, append([]string{"scan", "--json"}, c.args...)...)
		if r.status != c.status {
			t.Errorf("%s: exit status %d, want %d", c.args, r.status, c.status)
		}
		for file, l := range scanLines(t, r.out) {
			if (l.Failed != "") != (file == c.failed) {
				t.Errorf("%s: %s failed: %q", c.args, file, l.Failed)
			}
			if file == sample && l.Failed == "" && (l.Format != "usdc" || l.Facts["tokens"] == nil || l.Sound != nil) {
				t.Errorf("of the sample is told %+v", l)
			}
		}
	}
}

func TestScanReadsNamesAndWritesCSV(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = in }()
	if _, err := w.WriteString("../assets/sample.usdc\r\n\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := execute(t.Context(), decoderLibrary{}, "scan", "--deep", "--csv", "--fields", "tokens", "-")
	head, row, _ := strings.Cut(got.out, "\n")
	if head != "file,format,version,size,sound,errors,warnings,first,seconds,failed,tokens" || !strings.HasPrefix(row, "../assets/sample.usdc,usdc,") || strings.Count(row, "\n") != 1 {
		t.Errorf("printed %s", got.out)
	}
}
