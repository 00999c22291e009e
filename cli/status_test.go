package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	_, absent := os.Create("absent-folder/x.json")
	tests := []struct {
		args   string
		status int
		words  string // in what is written on standard error; "" wants none
	}{
		{"check sound.fake", 0, ""},
		{"check noted.fake --strict", 0, ""},
		{"check odd.fake", 0, ""},
		{"check odd.fake --strict", 1, ""},
		{"check bad.fake", 1, ""},
		{"check truncated.fake", 1, ""},
		{"check --json bad.fake", 1, ""},
		{"tree sound.fake", 0, ""},
		{"tree --view layout bad.fake", 1, ""},
		{"tree --view layout odd.fake --strict", 1, ""},
		{"tree --json --view layout bad.fake", 1, ""},
		{"tree --json sound.fake#scene/World", 0, ""},
		{"tree sound.fake:0x8", 0, ""},
		{"at sound.fake 0", 0, ""},
		{"at bad.fake 5", 1, ""},
		{"at bad.fake 0", 0, ""},
		{"at bad.fake:5", 1, ""},
		{"at sound.fake 3 --source layout/pac%2Fked@inflated", 0, ""},
		{"info sound.fake", 0, ""},
		{"stats bad.fake", 1, ""},
		{"stats sound.fake --by prim", 0, ""},
		{"export sound.fake scene/World", 0, ""},
		{"export bad.fake layout", 1, ""},
		{"export sound.fake --as raw", 0, ""},
		{"export bad.fake layout/header/count --as raw", 1, ""},
		{"export bad.fake layout/header/magic --as raw", 0, ""},
		{"tree cut.fake", 1, ""},
		{"at cut.fake 20", 1, ""},
		{"info cut.fake", 1, ""},
		{"search sound.fake world", 0, ""},
		{"search sound.fake --view layout a --max 1", 0, "ended after 1 hit"},
		{"search bad.fake --view layout count", 1, ""},
		{"search bad.fake --view layout magic", 0, ""},
		{"search cut.fake world", 1, ""},
		{"formats", 0, ""},
		{"formats fake", 0, ""},
		{"formats nosuch", StatusFailed, `there is no format "nosuch"`},
		{"formats --description", StatusFailed, "--description is of one format"},
		{"formats fake --description --ksy", StatusFailed, "fake has what Kaitai Struct cannot say"},
		{"formats bytes --description", StatusFailed, "bytes is read by code, not by a description"},
		{"completion bash", 0, ""},
		{"--help", 0, ""},
		{"tree --help", 0, ""},
		{"--version", 0, ""},

		{"info absent.fake", 2, "absent.fake: file does not exist"},
		{"check absent.fake --json", 2, "absent.fake"},
		{"tree --why strange.bin", 2, "no FAKE at the start"},
		{"info --json --why strange.bin", 2, "nearest: fake"},
		{"info strange.bin", 2, "strange.bin: not recognised\n"},
		{"info panics.fake", 2, "internal fault: a fault"},

		{"search sound.fake", 3, "<query>"},
		{"search sound.fake >x", 3, "comes a number"},
		{"search sound.fake --in bytes --as hex 5g", 3, "no hexadecimal digit"},
		{"search sound.fake x --as hex", 3, "--in bytes"},
		{"search sound.fake x --ignore-case", 3, "--in bytes"},
		{"search sound.fake --in bytes x --as ebcdic", 3, "there are auto, hex"},
		{"search sound.fake --in words x", 3, "--in"},
		{"search sound.fake --max=-2 x", 3, "number of hits"},
		{"search sound.fake --view nothing x", 3, "there are scene, layout"},
		{"search sound.fake#scene --in bytes x", 3, "no bytes of its own"},
		{"search absent.fake x", 2, "absent.fake"},
		{"", 3, "expected one of"},
		{"chekc sound.fake", 3, "check"},
		{"check", 3, "<file>"},
		{"check sound.fake --nonsense", 3, "--nonsense"},
		{"info sound.fake --format usd", 3, "there are fake, bytes"},
		{"info sound.fake --at x12", 3, "no offset"},
		{"info sound.fake --at -4", 3, "--at"},
		{"info sound.fake --at 0x999", 3, "after the end"},
		{"info absent.fake --at 0x999", 2, "absent.fake"},
		{"info sound.fake --option stop=3", 3, "no option"},
		{"info sound.fake --max-memory lots", 3, "no size"},
		{"info sound.fake#scene", 3, "whole file"},
		{"check sound.fake:3", 3, "whole file"},
		{"stats sound.fake#scene", 3, "whole file"},
		{"stats sound.fake --by colour", 3, "section, type, subtree, prim"},
		{"tree sound.fake --view nothing", 3, "there are scene, layout"},
		{"tree sound.fake#nothing/x", 3, "there are scene, layout"},
		{"tree sound.fake#scene/Moon", 3, "nothing of that name under \"scene\""},
		{"tree sound.fake#scene/World --view layout", 3, "not in the view"},
		{"tree sound.fake:3 --view scene", 3, "layout"},
		{"tree sound.fake:0x28", 3, "outside of file, which has 40 bytes"},
		{"at sound.fake", 3, "wants an offset"},
		{"at sound.fake#scene 3", 3, "wants an offset"},
		{"at sound.fake:3 4", 3, "two offsets"},
		{"at sound.fake 40", 3, "outside of file"},
		{"at sound.fake 4 --source nowhere", 3, "no source \"nowhere\""},
		{"at sound.fake 4 --source layout/header", 3, "not a source"},
		{"export sound.fake layout/nothing", 3, "nothing of that name"},
		{"export sound.fake#scene layout", 3, "not both"},
		{"export sound.fake layout --as xml", 3, "json"},
		{"export sound.fake layout/padding --as csv", 3, "no array"},
		{"export sound.fake scene --as raw", 3, "has no bytes"},
		{"export sound.fake layout -o absent-folder/x.json", 3, "the export failed: cannot write absent-folder/x.json: " + reasonOf(absent)},
		{"export sound.fake layout -o testdata", 3, "cannot write testdata: it is a folder"},
		{"completion tcsh", 3, "bash"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			r := cutaway(t, strings.Fields(test.args)...)
			if r.status != test.status {
				t.Errorf("status %d, want %d: %s", r.status, test.status, r.err)
			}
			if test.words == "" && r.err != "" || !strings.Contains(r.err, test.words) {
				t.Errorf("on standard error %q, want %q", r.err, test.words)
			}
			if test.status >= 2 && r.out != "" {
				t.Errorf("on standard output %q", r.out)
			}
			if test.status < 2 && r.out == "" {
				t.Error("nothing on standard output")
			}
		})
	}
}

// Main is run over the real list of formats.
func TestMainFindsTheDecoders(t *testing.T) {
	var out, errs strings.Builder
	file := filepath.Join(t.TempDir(), "ten.bin")
	if err := os.WriteFile(file, []byte("0123456789"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status := Main(context.Background(), "1", []string{"check", "--format", "bytes", file}, &out, &errs); status != 0 {
		t.Errorf("status %d: %s", status, errs.String())
	}
	out.Reset()
	if status := Main(context.Background(), "1", []string{"check", file}, &out, &errs); status != 2 || out.Len() > 0 {
		t.Errorf("status %d for bytes of no format: %s", status, out.String())
	}
	if status := Main(context.Background(), "1", []string{"check", "--at", "11", file}, &out, &errs); status != 3 || out.Len() > 0 {
		t.Errorf("status %d for an offset after the end: %s", status, out.String())
	}
}

func TestCancelled(t *testing.T) {
	for _, args := range []string{
		"check stuck.fake", "check --json stuck.fake", "tree stuck.fake", "tree --json stuck.fake", "stats stuck.fake", "stats --json stuck.fake",
		"export stuck.fake", "export stuck.fake --as text",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		r := execute(ctx, fakeLibrary{cancel: cancel}, strings.Fields(args)...)
		if r.status != 3 || !strings.Contains(r.err, "cancelled") || !strings.Contains(r.out, "layout") && !strings.Contains(r.out, "file") && !strings.Contains(r.out, "first") {
			t.Errorf("%s: status %d, on standard error %q, on standard output %q", args, r.status, r.err, r.out)
		}
		if args == "check --json stuck.fake" && !strings.Contains(r.out, `"size":40,"explained":10,"padding":0,"unreferenced":0,"unknown":0,"pending":30`) {
			t.Errorf("%s: what was not decoded is not pending: %s", args, r.out)
		}
	}
}

func TestCancelledExportLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	r := execute(ctx, fakeLibrary{cancel: cancel}, "export", "stuck.fake", "-o", filepath.Join(dir, "out.json"))
	if !strings.Contains(r.err, "nothing was written") {
		t.Errorf("on standard error %q", r.err)
	}
	if left, err := os.ReadDir(dir); r.status != 3 || err != nil || len(left) != 0 {
		t.Errorf("status %d, %d files, %v", r.status, len(left), err)
	}
}

func TestFullDiskIsTold(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	for args, want := range map[string]int{"check sound.fake": StatusFailed, "check --json sound.fake": StatusFailed, "tree sound.fake": StatusFailed, "scan sound.fake": StatusFailed,
		"scan --csv sound.fake": StatusFailed, "info sound.fake": StatusFailed, "formats": StatusFailed, "completion bash": StatusFailed, "--version": StatusFailed, "--help": StatusFailed,
		"tree --help": StatusFailed, "diff sound.fake bad.fake": statusTrouble} {
		var errs strings.Builder
		status := run(context.Background(), fakeLibrary{}, "1", strings.Fields(args), full, &errs)
		if status != want || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "cannot write the output") {
			t.Errorf("%s: status %d, want %d: %s", args, status, want, errs.String())
		}
	}
}

// On a terminal progress is one line, which is written over and taken away.
func TestMeter(t *testing.T) {
	var b strings.Builder
	m := &meter{w: &b, over: true}
	m.report(1, 4, "indexing")
	m.report(0, 0, "reading")
	m.clear()
	m.clear()
	if want := "\r\x1b[Kindexing: 25 %\r\x1b[Kreading\r\x1b[K"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	m.quiet()
	m.report(1, 2, "unseen")
	if strings.Contains(b.String(), "unseen") {
		t.Error("progress was shown in the way of the output")
	}
	b.Reset()
	slow := &meter{w: &b, every: time.Hour}
	slow.report(1, 2, "first")
	slow.report(2, 2, "second")
	if b.String() != "first: 50 %\n" {
		t.Errorf("got %q", b.String())
	}
}

func TestMaxMemory(t *testing.T) {
	for text, want := range map[string]int64{"1000": 1000, "64K": 64 << 10, "512M": 512 << 20, "2GiB": 2 << 30, "1tb": 1 << 40} {
		var limit int64
		if r := execute(context.Background(), fakeLibrary{limit: &limit}, "info", "sound.fake", "--max-memory", text); r.status != 0 || limit != want {
			t.Errorf("%s: limit %d, status %d", text, limit, r.status)
		}
	}
}

func TestWindowTargets(t *testing.T) {
	exists := func(f string) bool { return f == "recording" }
	for args, want := range map[string]bool{
		"": true, "recording": true, "a.usdc b.vrs": true, "absent.usdc": true, "dir/file": true, "a.usdc#scene/World": true,
		"info": false, "tree a.usdc": false, "--help": false, "a.usdc --help": false, "chekc a.usdc": false,
		"a.oodf --with b.oodf --with=c.oodf d.usdc": true, "--with a.oodf": false, "a.oodf --with": false,
	} {
		if got := WindowTargets(strings.Fields(args), exists); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}

func TestCutNewWindow(t *testing.T) {
	if rest, alone := CutNewWindow([]string{"--new-window", "a", "b"}); !alone || !slices.Equal(rest, []string{"a", "b"}) {
		t.Errorf("%q, %v", rest, alone)
	}
	if rest, alone := CutNewWindow([]string{"a"}); alone || len(rest) != 1 {
		t.Errorf("%q, %v", rest, alone)
	}
	if r := cutaway(t, "check", "--new-window", "sound.fake"); r.status != StatusFailed || !strings.Contains(r.err, "opens no window") {
		t.Errorf("with a verb: %d, %s", r.status, r.err)
	}
}

func TestVersion(t *testing.T) {
	if r := cutaway(t, "--version"); r.out != "cutaway 1.2.3 (abc)\n" || r.status != 0 {
		t.Errorf("%d, %q", r.status, r.out)
	}
}

func TestNoMatch(t *testing.T) {
	for _, args := range []string{"search sound.fake not-there", "search sound.fake --json not-there", "search sound.fake --in bytes 777777"} {
		r := cutaway(t, strings.Fields(args)...)
		if r.status != StatusSound || r.out != "" || r.err != "cutaway: no match\n" {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// Why checksums are missing is told in text and in JSON, also where there is none at all.
func TestWhyChecksumsAreMissing(t *testing.T) {
	text, line := cutaway(t, "check", "sumless.fake"), cutaway(t, "check", "--json", "sumless.fake")
	if !strings.Contains(text.out, "\nthere is nothing to add up\n") || strings.Contains(text.out, "xxHash64") {
		t.Errorf("text: %s", text.out)
	}
	if !strings.HasSuffix(line.out, `,"checksumsFailed":"there is nothing to add up"}`+"\n") || strings.Contains(line.out, `"checksums":`) {
		t.Errorf("JSON: %s", line.out)
	}
}

// A file that cannot be read is told where --max ends the search, too.
func TestEnoughHitsTellOfUnreadable(t *testing.T) {
	r := cutaway(t, "search", "--max", "1", "absent.fake", "World", "sound.fake")
	if r.status != StatusUnreadable || strings.Count(r.out, "\n") != 1 || !strings.Contains(r.err, "absent.fake") || !strings.Contains(r.err, "ended after 1 hit") {
		t.Errorf("%+v", r)
	}
}

// Several files are checked one after another, also where one cannot be read; the exit status is the worst.
func TestCheckSeveral(t *testing.T) {
	for _, k := range []struct {
		args        string
		status      int
		reports     int
		out, failed string
	}{
		{"check sound.fake sound.fake", 0, 2, "sound.fake\n", ""},
		{"check sound.fake bad.fake sound.fake", 1, 3, "bad.fake\n", ""},
		{"check absent.fake sound.fake", 2, 1, "sound.fake\n", "absent.fake"},
		{"check sound.fake absent.fake bad.fake gone.fake", 2, 2, "bad.fake\n", "gone.fake"},
	} {
		r := cutaway(t, strings.Fields(k.args)...)
		if r.status != k.status || strings.Count(r.out, "explained") != k.reports || !strings.Contains(r.out, k.out) || !strings.Contains(r.err, k.failed) {
			t.Errorf("%s: status %d\n%s\n%s", k.args, r.status, r.out, r.err)
		}
	}
	r := cutaway(t, "check", "--json", "bad.fake", "absent.fake")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.status != 2 || len(lines) != 2 || !strings.HasPrefix(lines[0], `{"file":"bad.fake","problems":[{`) || !strings.HasPrefix(lines[1], `{"file":"absent.fake","failed":"`) {
		t.Errorf("status %d\n%s", r.status, r.out)
	}
}
