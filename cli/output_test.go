package cli

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
)

func TestText(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	for file, args := range map[string]string{
		"check.txt":     "check truncated.fake",
		"check-ok.txt":  "check sound.fake",
		"info.txt":      "info odd.fake",
		"quick.txt":     "info --quick bad.fake",
		"tree.txt":      "tree --view layout bad.fake",
		"at.txt":        "at bad.fake 4",
		"inspect.txt":   "at --inspect sound.fake 30",
		"search.txt":    "search --view layout sound.fake e",
		"in-bytes.txt":  "search --in bytes sound.fake --as hex 0?",
		"stats.txt":     "stats --by section sound.fake",
		"formats.txt":   "formats",
		"help.txt":      "--help",
		"help-tree.txt": "tree --help",
	} {
		if strings.HasPrefix(file, "help") && runtime.GOOS == "windows" {
			continue // is 80 columns wide there
		}
		decodertest.Golden(t, filepath.Join("testdata", file), func(w io.Writer) error {
			_, err := io.WriteString(w, cutaway(t, strings.Fields(args)...).out)
			return err
		})
	}
}

func TestJSON(t *testing.T) {
	const sections = `"sections":[{"name":"HEAD","size":8},{"name":"POINTS","size":16}]`
	const coverage = `"coverage":[{"source":"file","size":40,"explained":32,"padding":4,"unreferenced":0,"unknown":4,"pending":0,"shared":0},` +
		`{"source":"layout/pac%2Fked@inflated","size":20,"explained":20,"padding":0,"unreferenced":0,"unknown":0,"pending":0,"shared":0}]}`
	tests := map[string]string{
		"search --json sound.fake world":                                    `{"path":"scene/World","name":"World","type":"prim","value":"/World","where":"name","text":"World","spans":[{"source":"file","offset":8,"length":16}]}`,
		"search --json sound.fake#layout/header >=4":                        `{"path":"layout/header/flags/low","name":"low","type":"bits","value":4,"where":"value","text":"4","spans":[{"source":"file","offset":4,"length":1,"mask":15}]}`,
		"search --json sound.fake --view layout value:300":                  `{"path":"layout/points","name":"points","type":"int[]","value":[0,100,200,300],"where":"value","text":"[0, 100, 200, 300]","spans":[{"source":"file","offset":8,"length":16}]}`,
		"search --json sound.fake --view layout --elements value:300":       `{"path":"layout/points/[3]","name":"[3]","type":"int","value":300,"where":"value","text":"[3] = 300","spans":[{"source":"file","offset":20,"length":4}]}`,
		"search --json sound.fake --in bytes 0x0506":                        `{"source":"file","offset":5,"length":2,"path":"layout/header/count"}`,
		"search --json sound.fake#layout/points --in bytes --as u16be 2057": `{"source":"file","offset":8,"length":2,"path":"layout/points/[0]"}`,
		"info --json sound.fake":                                            `{"format":"fake","version":"1.2","size":40,"why":"begins with FAKE","facts":{"title":"a\nfake","records":"1152921504606846976",` + sections + `}}`,
		"info --json --quick sound.fake":                                    `{"format":"fake","version":"1.2","size":40,"why":"begins with FAKE","facts":{"title":"a\nfake","records":null,` + sections + `},"pending":["records"]}`,
		"info --json sound.fake --format fake --option step=2":              `{"format":"fake","version":"1.2 step 2","size":40,"why":"asked for by name","facts":{"title":"a\nfake","records":"1152921504606846976",` + sections + `}}`,
		"check --json odd.fake":                                             `{"problems":[{"rule":"fake.suspicious","kind":"suspicious","severity":"warning","source":"file","offset":5,"length":3,"path":"layout/header/count","expected":"an even number","found":"3","message":"the count is odd","group":1}],"sound":true,"errors":0,"warnings":1,"limits":0,` + coverage,
		"check --json sound.fake":                                           `{"problems":[],"sound":true,"errors":0,"warnings":0,"limits":0,` + coverage,
		"stats --json --by prim sound.fake":                                 `{"by":[{"key":"/World","count":1,"stored":16,"logical":32}]}`,
		"formats --json fake --description":                                 `{"name":"fake"}`,
		"formats --json":                                                    `{"formats":[{"name":"fake","title":"Fake files","extensions":[".fake",".fk"],"mime":"application/x-fake","depth":"every byte","owned":[".fake",".fk"]},{"name":"bytes","title":"Plain bytes","extensions":[],"mime":"","depth":"","owned":[]}],"descriptions":[]}`,
		"tree --json sound.fake": `{"path":"scene","name":"scene","type":"scene","value":null,"spans":[],"refs":[],"problems":[],"children":1}
{"path":"scene/World","name":"World","type":"prim","value":"/World","spans":[{"source":"file","offset":8,"length":16}],"refs":[],"problems":[],"children":0}`,
		"tree --json --depth 0 sound.fake": `{"path":"scene","name":"scene","type":"scene","value":null,"spans":[],"refs":[],"problems":[],"children":1}`,
		"export sound.fake scene/World":    `{"path":"scene/World","name":"World","type":"prim","value":"/World","spans":[{"source":"file","offset":8,"length":16}],"refs":[],"problems":[],"children":0,"nodes":[]}`,
	}
	for args, want := range tests {
		if r := cutaway(t, strings.Fields(args)...); r.out != want+"\n" {
			t.Errorf("%s:\ngot  %swant %s", args, r.out, want)
		}
	}
}

// paths runs tree --json and lists the paths.
func paths(t *testing.T, args ...string) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(cutaway(t, args...).out) {
		var node struct{ Path string }
		if err := json.Unmarshal([]byte(line), &node); err != nil {
			t.Fatal(err)
		}
		list = append(list, node.Path)
	}
	return list
}

func TestWhichNodes(t *testing.T) {
	points := []string{"layout/points", "layout/points/[0]", "layout/points/[1]", "layout/points/[2]", "layout/points/[3]"}
	for args, want := range map[string][]string{
		"tree --json --depth 1 --view layout sound.fake":             {"layout", "layout/header", "layout/points", "layout/pac%2Fked", "layout/padding", "layout/unknown"},
		"tree --json sound.fake#layout/points":                       {"layout/points"},
		"tree --json --elements sound.fake#layout/points":            points,
		"tree --json --elements --view layout sound.fake#points":     points,
		"tree --json sound.fake:30":                                  {"layout/pac%2Fked", "layout/pac%2Fked@inflated", "layout/pac%2Fked@inflated/a", "layout/pac%2Fked@inflated/b"},
		"tree --json sound.fake#layout/pac%2Fked@inflated/a":         {"layout/pac%2Fked@inflated/a"},
		"at --json sound.fake 0x4":                                   {"layout", "layout/header", "layout/header/flags"},
		"at --json sound.fake 20":                                    {"layout", "layout/points", "layout/points/[3]"},
		"at --json sound.fake 13 --source layout/pac%2Fked@inflated": {"layout", "layout/pac%2Fked", "layout/pac%2Fked@inflated", "layout/pac%2Fked@inflated/b"},
	} {
		got := paths(t, strings.Fields(args)...)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestExportToFile(t *testing.T) {
	out := filepath.Join(t.TempDir(), "points.csv")
	if r := cutaway(t, "export", "sound.fake", "layout/points", "--as", "csv", "-o", out); r.status != 0 || r.out != "" {
		t.Fatalf("status %d, %q, %s", r.status, r.out, r.err)
	}
	got, err := os.ReadFile(out)
	if err != nil || string(got) != "value\n0\n100\n200\n300\n" {
		t.Errorf("%q, %v", got, err)
	}
	if r := cutaway(t, "export", "sound.fake", "layout/header/magic", "layout/padding", "--as", "raw"); r.out != "\x00\x01\x02\x03\x20\x21\x22\x23" {
		t.Errorf("raw: %q", r.out)
	}
	if r := cutaway(t, "export", "sound.fake#layout/pac%2Fked", "--as", "decoded"); r.out != strings.Repeat("\x00", 20) {
		t.Errorf("decoded: %q", r.out)
	}
	if r := cutaway(t, "export", "sound.fake", "--as", "raw"); len(r.out) != 40 {
		t.Errorf("the whole file: %d bytes", len(r.out))
	}
}

// A failed export leaves neither the file nor its temporary name, and what was there stays.
func TestFailedExport(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(out, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := cutaway(t, "export", "sound.fake", "layout/padding", "--as", "csv", "-o", out); r.status != 3 {
		t.Errorf("status %d", r.status)
	}
	left, err := os.ReadDir(dir)
	if got, rerr := os.ReadFile(out); err != nil || rerr != nil || len(left) != 1 || string(got) != "before" {
		t.Errorf("%d files, %q, %v, %v", len(left), got, err, rerr)
	}
}

func TestColourAndProgress(t *testing.T) {
	if r := cutaway(t, "check", "bad.fake", "--color", "always"); !strings.Contains(r.out, "\x1b[31m") {
		t.Errorf("no colour: %q", r.out)
	}
	if r := cutaway(t, "check", "bad.fake"); strings.Contains(r.out, "\x1b") {
		t.Errorf("colour without a terminal: %q", r.out)
	}
	if r := cutaway(t, "info", "sound.fake", "--progress"); r.err != "scanning: 50 %\n" {
		t.Errorf("progress: %q", r.err)
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		r := cutaway(t, "completion", shell)
		for _, word := range append([]string{"max-memory", "elements", "decoded", "fake"}, verbNames...) {
			if !strings.Contains(r.out, word) {
				t.Errorf("%s: no %q in the script", shell, word)
			}
		}
		exe, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		check := exec.Command(exe, "-n")
		check.Stdin = strings.NewReader(r.out)
		if text, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, text)
		}
	}
}

// The bash script, run by bash, completes what the words before the cursor want.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	script, empty := cutaway(t, "completion", "bash").out, t.TempDir()
	for line, want := range map[string]string{
		"cutaway ex":                   "export",
		"cutaway tree --ele":           "--elements",
		"cutaway --color ne":           "never",
		"cutaway export f p --as ra":   "raw",
		"cutaway search f p --as f64b": "f64be",
		"cutaway search f p --in by":   "bytes",
		"cutaway info --format fa":     "fake",
		"cutaway completion zs":        "zsh",
		"cutaway info --json --max-me": "--max-memory",
	} {
		words := strings.Fields(line)
		try := script + "\nCOMP_WORDS=(" + line + "); COMP_CWORD=" + string(rune('0'+len(words)-1)) + "; _cutaway; echo \"${COMPREPLY[@]}\""
		complete := exec.Command(bash, "-c", try)
		complete.Dir = empty
		got, err := complete.CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%q: %q, %v; want %q", line, got, err, want)
		}
	}
}
