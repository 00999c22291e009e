package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLossy: an export that loses values writes what there is, says what is not, and ends with 4, or with --lossy as without losses.
func TestLossy(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.json")
	const reduced = "cutaway: reduced: scene/long: only the first 64 elements (--whole writes all)\n"
	for _, test := range []struct {
		args   string
		status int
		words  string // on standard error
	}{
		{"export torn.fake scene/long", 0, reduced},
		{"export torn.fake scene/long --whole", 0, ""},
		{"export torn.fake scene/torn3", StatusLossy, "cutaway: lost: scene/torn3: cannot all be read: torn\n"},
		{"export torn.fake scene/torn3 --lossy", StatusErrors, "cutaway: lost: scene/torn3: cannot all be read: torn\n"}, // the damage is told as before
		{"export torn.fake --as yaml", StatusLossy, "cutaway: lost: and 2 more\n" + reduced},
		{"export torn.fake scene/long --as csv --rows 0:3", 0, "cutaway: reduced: scene/long: only the rows that were chosen\n"},
		{"export torn.fake scene/torn3 --as csv", StatusFailed, "torn"},
	} {
		for _, file := range []bool{false, true} {
			args := strings.Fields(test.args)
			if file {
				args = append(args, "-o", out)
			}
			r := cutaway(t, args...)
			if r.status != test.status || test.words == "" && r.err != "" || !strings.HasSuffix(r.err, test.words) && test.status != StatusFailed {
				t.Errorf("%s: status %d: %s", args, r.status, r.err)
			}
			written := r.out
			if file {
				b, _ := os.ReadFile(out)
				written = string(b)
				_ = os.Remove(out)
			}
			if file && (written == "") != (test.status == StatusFailed) {
				t.Errorf("%s: %d bytes were written", args, len(written))
			}
		}
	}
}

// TestExportJSON: with -o the account is on standard output, without it there is no place for it.
func TestExportJSON(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.json")
	for _, flag := range []string{"--json", "--json=true"} {
		r := cutaway(t, "export", "torn.fake", "-o", out, flag)
		var got struct {
			File, Form       string
			Omitted, Reduced []struct{ Path, Reason string }
		}
		if err := json.Unmarshal([]byte(r.out), &got); err != nil {
			t.Fatal(err, r.out)
		}
		if r.status != StatusLossy || got.File != out || got.Form != "json" || len(got.Omitted) != 12 || got.Omitted[11].Path != "scene/torn11" || len(got.Reduced) != 1 {
			t.Errorf("status %d, %+v", r.status, got)
		}
	}
	for _, args := range []string{"export torn.fake --json", "export torn.fake -o - --json"} {
		if r := cutaway(t, strings.Fields(args)...); r.status != StatusFailed || r.out != "" || !strings.Contains(r.err, "name a file for the data with -o") {
			t.Errorf("%s: status %d: %s%s", args, r.status, r.out, r.err)
		}
	}
}

// TestCSVSafe: with the flag no text of the file's is a formula to a spreadsheet; numbers stay numbers.
func TestCSVSafe(t *testing.T) {
	for _, test := range []struct{ flag, want string }{
		{"", "name,=n\n=1+1,0\n@x,-1\n\ta,-2\na=b,-3\n"}, {"--csv-safe", "name,'=n\n'=1+1,0\n'@x,-1\n'\ta,-2\na=b,-3\n"},
	} {
		if r := cutaway(t, strings.Fields("export formulas.fake --as csv "+test.flag)...); r.out != test.want {
			t.Errorf("%q %s", r.out, r.err)
		}
	}
	if r := cutaway(t, "export", "formulas.fake", "--csv-safe"); r.status != StatusFailed || !strings.Contains(r.err, "is for csv") {
		t.Errorf("status %d: %s", r.status, r.err)
	}
}

// TestWantsJSON: --json=true is --json for every verb that has it, and --json=false is none.
func TestWantsJSON(t *testing.T) {
	for _, verb := range []string{"info", "tree", "check", "stats", "formats", "at", "search", "values", "diff", "timeline"} {
		args := map[string][]string{"formats": nil, "at": {"sound.fake", "0"}, "search": {"sound.fake", "World"}, "values": {"sound.fake#layout/points"},
			"diff": {"sound.fake", "odd.fake"}}[verb]
		if args == nil && verb != "formats" {
			args = []string{"sound.fake"}
		}
		run := func(flag string) result { return cutaway(t, append([]string{verb, flag}, args...)...) }
		want, got, none := run("--json"), run("--json=true"), run("--json=false")
		if got.out != want.out || got.status != want.status {
			t.Errorf("%s --json=true: %s, want %s", verb, got.out, want.out)
		}
		if none.out != "" && none.out == want.out {
			t.Errorf("%s --json=false is JSON", verb)
		}
	}
	for flag, want := range map[string]bool{"--json": true, "--json=true": true, "--json=false": false} {
		if r := cutaway(t, "check", "described.fake", flag); r.status != StatusFailed || strings.Contains(r.out, `"message":"no such type"`) != want {
			t.Errorf("check %s: status %d: %s", flag, r.status, r.out)
		}
	}
}
