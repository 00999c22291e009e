package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scanLine is a line of scan --json.
type scanLine struct {
	File, Format, First, Failed string
	Sound                       *bool
	Errors, Warnings            int64
	Facts                       map[string]any
	Identity, Change            string
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
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
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
		{[]string{"--timeout", "1ms", silent.URL}, StatusUnreadable, silent.URL},
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
	withInput(t, "../assets/sample.usdc\r\n\n")
	got := execute(t.Context(), decoderLibrary{}, "scan", "--deep", "--csv", "--fields", "tokens", "-")
	head, row, _ := strings.Cut(got.out, "\n")
	if head != "file,format,version,size,sound,errors,warnings,first,seconds,failed,limits,cause,hint,tokens" || !strings.HasPrefix(row, "../assets/sample.usdc,usdc,") || strings.Count(row, "\n") != 1 {
		t.Errorf("printed %s", got.out)
	}
}

// TestScanSince: of files whose content is as it was, the lines of the earlier scan are taken; others are said to be changed,
// new or gone.
func TestScanSince(t *testing.T) {
	folder := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sample, err := os.ReadFile(filepath.Join("..", "assets", "sample.usdc"))
	if err != nil {
		t.Fatal(err)
	}
	same, changed, gone := write("same.usdc", string(sample)), write("changed.usdc", string(sample)), write("gone.usdc", "PXR-USDC\x00\x08")
	before := filepath.Join(t.TempDir(), "before.ndjson")
	first := execute(t.Context(), decoderLibrary{}, "scan", "--deep", "--json", "--identity", folder)
	// What is told of the file that is the same shows whether its line was taken.
	kept := strings.Replace(first.out, `"facts":{`, `"facts":{"kept":true,`, 3)
	if err := os.WriteFile(before, []byte(kept), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	write("changed.usdc", string(sample[:len(sample)-1]))
	fresh := write("fresh.usdc", string(sample))
	r := execute(t.Context(), decoderLibrary{}, "scan", "--deep", "--json", "--since", before, folder)
	lines := scanLines(t, r.out)
	want := map[string]string{same: "same", changed: "changed", gone: "gone", fresh: "new"}
	for file, change := range want {
		l := lines[file]
		if l.Change != change || len(l.Identity) != 32 || (l.Facts["kept"] == true) != (change == "same" || change == "gone") {
			t.Errorf("%s: %+v, want %s", file, l, change)
		}
		if change == "same" && (l.Sound == nil || !*l.Sound) {
			t.Errorf("%s is not told as sound", file)
		}
	}
	if len(lines) != len(want) || r.status != StatusErrors {
		t.Errorf("%d lines, exit status %d: %s", len(lines), r.status, r.err)
	}
	if other := run(t.Context(), decoderLibrary{}, "another version", []string{"scan", "--json", "--since", before, same}, io.Discard, io.Discard); other != StatusSound {
		t.Errorf("exit status %d", other)
	}
	csv := execute(t.Context(), decoderLibrary{}, "scan", "--csv", "--since", before, folder)
	if head, _, _ := strings.Cut(csv.out, "\n"); !strings.HasSuffix(head, ",limits,cause,hint,identity,modified,by,change") || strings.Count(csv.out, ",gone\n") != 1 {
		t.Errorf("printed %s", csv.out)
	}
	for _, text := range []string{"{", `{"size":1}`, `{"file":"x","facts":{"a":[}}`} {
		bad := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(bad, []byte("\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := execute(t.Context(), decoderLibrary{}, "scan", "--since", bad, folder); r.status != StatusFailed || !strings.Contains(r.err, "line 2") {
			t.Errorf("%s: exit status %d, %s", text, r.status, r.err)
		}
	}
}

// TestLimitsAreNotSound: of a file that a limit kept from being read whole nothing says that it is sound.
func TestLimitsAreNotSound(t *testing.T) {
	for args, want := range map[string]string{
		"scan --deep --json limited.fake":          `"sound":null,"errors":0,"warnings":1,`,
		"scan --json limited.fake":                 `"failed":null,"limits":0,"cause":null,"hint":null}`,
		"scan --json --deep limited.fake":          `"failed":null,"limits":1,"cause":null,"hint":null}`,
		"scan --deep --json sound.fake":            `"sound":true,"errors":0,"warnings":0,`,
		"scan --deep --csv limited.fake":           ",40,,0,1,",
		"scan --deep --csv sound.fake":             ",40,true,0,0,",
		"scan --deep limited.fake":                 "sound as far as it was read: 1 limit met",
		"check --json limited.fake":                `],"sound":null,"errors":0,"warnings":1,"limits":1,"coverage":`,
		"check --json bad.fake":                    `],"sound":false,"errors":1,"warnings":0,"limits":0,"coverage":`,
		"check --json truncated.fake sound.fake":   `],"sound":false,"errors":1,"warnings":1,"limits":0,"coverage":`,
		"check --json truncated.fake sound.fake  ": `],"sound":true,"errors":0,"warnings":0,"limits":0,"coverage":`,
	} {
		if r := cutaway(t, strings.Fields(args)...); !strings.Contains(r.out, want) {
			t.Errorf("%s: without %s: %s%s", args, want, r.out, r.err)
		}
	}
}

// TestScanSinceTellsOfWhatWasAskedFor: gone is what was in the folders that are named, or was named itself, and is not there.
func TestScanSinceTellsOfWhatWasAskedFor(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a/one.bin", "a/two.bin", "ab/three.bin", "b/four.bin", "../above.bin"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := execute(t.Context(), decoderLibrary{}, "scan", "--json", "--identity", "a", "ab", "b", "../above.bin")
	before := filepath.Join(t.TempDir(), "before.ndjson")
	if err := os.WriteFile(before, []byte(first.out+`{"file":"https://127.0.0.1:1/x.usdc"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/two.bin", "ab/three.bin", "../above.bin"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []struct{ paths, input, gone string }{
		{"a", "", "a/two.bin"},
		{"a/ ./b", "", "a/two.bin"},
		{"a/one.bin", "", ""},
		{".", "", "a/two.bin ab/three.bin"},
		{"..", "", "../above.bin"},
		{"-", "b/four.bin\n", ""},
		{"-", "a\nb/four.bin\n", "a/two.bin"},
	} {
		withInput(t, k.input)
		r := execute(t.Context(), decoderLibrary{}, append([]string{"scan", "--json", "--since", before}, strings.Fields(k.paths)...)...)
		var gone []string
		for name, l := range scanLines(t, r.out) {
			if l.Change == "gone" {
				gone = append(gone, filepath.ToSlash(name))
			}
		}
		slices.Sort(gone)
		if strings.Join(gone, " ") != k.gone {
			t.Errorf("of %q with %q gone are %q, want %q: %s", k.paths, k.input, gone, k.gone, r.err)
		}
	}
}

// TestScanSinceOfNamesThatAreNoText: a line that scan wrote is read, whatever the file is called.
func TestScanSinceOfNamesThatAreNoText(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "caf\xe9.usdc"), sampleBytes(t), 0o600); err != nil {
		t.Skip("such names cannot be here:", err)
	}
	if there, err := os.ReadDir(dir); err != nil || there[0].Name() != "caf\xe9.usdc" {
		t.Skip("names are text here:", there, err) // Windows has put another in its place
	}
	before := filepath.Join(t.TempDir(), "before.ndjson")
	first := execute(t.Context(), decoderLibrary{}, "scan", "--json", "--identity", dir)
	if err := os.WriteFile(before, []byte(first.out), 0o600); err != nil {
		t.Fatal(err)
	}
	r := execute(t.Context(), decoderLibrary{}, "scan", "--since", before, dir)
	if r.status != StatusSound || !strings.Contains(r.out, "caf%E9.usdc  same") {
		t.Errorf("exit status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestScanReadsFoldersAndNULs: a folder on standard input is gone through; with --null a name may have any byte but NUL.
func TestScanReadsFoldersAndNULs(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "two\nlines.usdc")
	if err := os.WriteFile(odd, sampleBytes(t), 0o600); err != nil {
		t.Skip("such names cannot be here:", err)
	}
	const sample = "../assets/sample.usdc"
	for _, k := range []struct {
		args, input string
		files       []string
	}{
		{"-", dir + "\n" + sample + "\n", []string{odd, sample}},
		{"-0 -", odd + "\x00" + sample + "\x00", []string{odd, sample}},
		{"--null -", odd + "\x00\x00" + sample, []string{odd, sample}},
	} {
		withInput(t, k.input)
		r := execute(t.Context(), decoderLibrary{}, append([]string{"scan", "--json"}, strings.Fields(k.args)...)...)
		lines := scanLines(t, r.out)
		for _, file := range k.files {
			if lines[file].Format != "usdc" {
				t.Errorf("%s of %q: of %q is told %+v", k.args, k.input, file, lines[file])
			}
		}
		if len(lines) != len(k.files) || r.status != StatusSound {
			t.Errorf("%s: %d lines, exit status %d: %s", k.args, len(lines), r.status, r.err)
		}
	}
	if r := execute(t.Context(), decoderLibrary{}, "scan", "-0", sample); r.status != StatusFailed || !strings.Contains(r.err, "add - for them") {
		t.Errorf("without -: exit status %d, %s", r.status, r.err)
	}
}

// TestScanOfAddresses: names on standard input may be addresses, of members too; what is secret in them is not printed, neither
// where they fail.
func TestScanOfAddresses(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.Query().Get("sig") != "hush1" && r.URL.Query().Get("sig") != "hush2" && (user != "me" || password != "hush") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.ServeFile(w, r, "../assets"+r.URL.Path)
	}))
	defer web.Close()
	host := strings.TrimPrefix(web.URL, "http://")
	names := []string{web.URL + "/sample.usdc?sig=hush1", web.URL + "/sample.usdc?sig=hush2", web.URL + "/sample.usdc?sig=hush3",
		"http://me:hush@" + host + "/sample.usdc", "http://me:hushed@" + host + "/sample.usdc", web.URL + "/none.usdz?sig=hush1[a.usdc]"}
	for _, flags := range [][]string{{"--json"}, {"--csv", "--identity"}, nil} {
		withInput(t, strings.Join(names, "\n")+"\n")
		r := execute(t.Context(), decoderLibrary{}, append(append([]string{"scan", "--jobs", "4"}, flags...), "-")...)
		if strings.Contains(r.out+r.err, "hush") {
			t.Errorf("%q tells the secret: %s%s", flags, r.out, r.err)
		}
		if r.status != StatusUnreadable || strings.Count(r.out, "403 Forbidden") != 2 || strings.Count(r.out, "404 Not Found") != 1 || strings.Count(r.out, "usdc") < len(names) {
			t.Errorf("%q: exit status %d, %s%s", flags, r.status, r.out, r.err)
		}
	}
}

// withInput gives a text as standard input until the test ends.
func withInput(t *testing.T, text string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = in })
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestScanFields: facts of a key that a file does not have are left out, tracks tell rates and gaps, a path gives the value of a
// node or those of its children, also of bytes, which are read before the file is closed.
func TestScanFields(t *testing.T) {
	const audio = "../testdata/vrs/audio.vrs"
	r := execute(t.Context(), decoderLibrary{}, "scan", "--json", "--fields", "streamList,tracks,streams/999-1/user tags,layout/header/magic 1,layout/none,defaultPrim", audio)
	facts := scanLines(t, r.out)[audio].Facts
	if _, has := facts["defaultPrim"]; has || r.status != StatusSound || len(facts["streamList"].([]any)) != 20 {
		t.Errorf("exit status %d, %s%s", r.status, r.out, r.err)
	}
	track := facts["tracks"].([]any)[0].(map[string]any)
	if track["track"] != "999-1 data" || track["count"] != 2.0 || track["gaps"] != 0.0 || track["largestGap"] != nil {
		t.Errorf("the first track is %v", track)
	}
	for _, c := range []struct{ path, want string }{{"layout/header/magic 1", `"Visi"`}, {"streams/999-1/user tags", `{"`}, {"layout/none", "null"}} {
		text, err := json.Marshal(facts[c.path])
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s is %s, %v", c.path, text, err)
		}
	}
	if !strings.Contains(r.err, "no file has layout/none, defaultPrim\n") {
		t.Errorf("of facts that are not there it says %q", r.err)
	}
	if r := execute(t.Context(), decoderLibrary{}, "scan", "--fields", "streams", audio); !strings.Contains(r.out, "streams=20") {
		t.Errorf("printed %s", r.out)
	}
}
