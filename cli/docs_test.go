package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cutaway/model/search"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keys collects the keys of JSON; what lies in facts is the formats' own.
func keys(v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			found[k] = true
			if k != "facts" {
				keys(below, found)
			}
		}
	case []any:
		for _, below := range v {
			keys(below, found)
		}
	}
}

func TestEveryKeyIsDocumented(t *testing.T) {
	found := make(map[string]bool)
	for _, args := range []string{
		"info --json --quick truncated.fake", "tree --json --view layout truncated.fake", "at --json truncated.fake 5", "at --json --inspect truncated.fake 5",
		"search --json truncated.fake --view layout count", "search --json truncated.fake --in bytes 0405", "check --json truncated.fake",
		"stats --json truncated.fake", "stats --tree --json truncated.fake", "values --json truncated.fake#layout/points", "export truncated.fake layout", "export torn.fake --json -o " + filepath.Join(t.TempDir(), "out"), "formats --json",
	} {
		decoder := json.NewDecoder(strings.NewReader(cutaway(t, strings.Fields(args)...).out))
		for {
			var v any
			if err := decoder.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			keys(v, found)
		}
	}
	text := page(t, "json.md")
	for key := range found {
		if !strings.Contains(text, "`"+key+"`") && !strings.Contains(text, `"`+key+`":`) {
			t.Errorf("the key %q is not in docs/json.md", key)
		}
	}
	for _, key := range []string{"path", "mask", "span", "base64", "nodes", "pending", "coverage", "by", "depth", "severity", "where", "text"} {
		if !found[key] {
			t.Errorf("this test does not meet the key %q", key)
		}
	}
}

func TestEveryVerbAndFlagIsDocumented(t *testing.T) {
	var g grammar
	parser := newParser(&g, "")
	text := page(t, "command-line.md")
	var names []string
	for _, verb := range parser.Model.Leaves(false) {
		names = append(names, verb.Name)
		if !strings.Contains(text, "\n## cutaway "+verb.Name) {
			t.Errorf("the verb %s has no chapter in docs/command-line.md", verb.Name)
		}
		if !strings.Contains(verb.Detail, "Examples:") {
			t.Errorf("the help of %s has no examples", verb.Name)
		}
		chapters := chapter(text, "## Flags of every verb\n") + chapter(text, "## Flags of every verb with a file\n") + chapter(text, "## cutaway "+verb.Name)
		for _, group := range verb.AllFlags(false) {
			for _, flag := range group {
				if !strings.Contains(chapters, "`--"+flag.Name) {
					t.Errorf("the flag --%s of %s is not in docs/command-line.md", flag.Name, verb.Name)
				}
			}
		}
	}
	if !slices.Equal(names, verbNames) {
		t.Errorf("verbNames is %q, the grammar has %q", verbNames, names)
	}
}

// Every form has a line in the table of the export chapter.
func TestEveryFormIsDocumented(t *testing.T) {
	_, table, _ := strings.Cut(chapter(page(t, "command-line.md"), "## cutaway export"), "| FORM |")
	var lines []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			lines = append(lines, cells[1])
		}
	}
	for _, f := range forms {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "`"+f.Name+"`") }) {
			t.Errorf("the form %s is not in the table of docs/command-line.md", f.Name)
		}
	}
}

// Every way to write a pattern of bytes has a line in the table of the search chapter, big-endian numbers by their ending.
func TestEveryPatternIsDocumented(t *testing.T) {
	_, table, _ := strings.Cut(chapter(page(t, "command-line.md"), "## cutaway search"), "| FORM |")
	for _, f := range search.Forms() {
		name := f.String()
		if !strings.HasPrefix(name, "utf") {
			name = strings.TrimSuffix(strings.TrimSuffix(name, "le"), "be")
		}
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("the form %s is not in the table of docs/command-line.md", f)
		}
	}
}

// chapter is the text from a heading to the next one of its level.
func chapter(text, heading string) string {
	_, text, _ = strings.Cut(text, heading)
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// exampleFiles are what the examples name, made of files of ours.
func exampleFiles(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{
		"sample.usdc": "assets/sample.usdc", "samples.usdc": "testdata/usdc/samples.usdc", "recording.vrs": "testdata/vrs/pixels.vrs", "package.usdz": "testdata/usdc/several.usdz",
		"broken.vrs": "testdata/vrs/damaged-cut-in-a-record.vrs", "uninflated.vrs": "testdata/vrs/damaged-compressed-bytes.vrs",
		"layer.oodf":   "testdata/omnilive/world.oodf",
		"delta-1.oodf": "testdata/omnilive/world.oodf", "delta-2.oodf": "testdata/omnilive/twins.oodf", "dump.bin": "assets/sample.usdc",
		"old.usdc": "testdata/usdc/made-0.0.1.usdc", "new.usdc": "testdata/usdc/made-0.8.0.usdc",
		"moving.usdc": "testdata/usdc/samples.usdc", "audio.vrs": "testdata/vrs/audio.vrs",
	} {
		data, err := os.ReadFile("../" + from)
		if err != nil {
			t.Fatal(err)
		}
		if name == "dump.bin" {
			data = append(make([]byte, 0x400), data...)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"scan.ndjson": "",                                           // an earlier scan, of nothing
		"marks.json":  `{"path":"scene/Nowhere","text":"what was"}`, // of another version of the sample
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"first.sav", "second.sav", "third.sav"} { // of a kind that nobody knows: how many words follow, a number that counts
		data := []byte{'S', 'A', 'V', 'E', byte(2 + 3*i*i), 0, byte(7 + i), 0}
		for k := range 4 * int(data[4]) {
			data = append(data, byte(k*k+i*k+i))
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// argument is a word of a shell's command line, bare or in single quotes.
var argument = regexp.MustCompile(`'[^']*'|[^ ']+`)

// exampleArgs reads an example as a shell does, up to a pipe, a redirection or a comment.
func exampleArgs(line string) []string {
	var args []string
	for _, word := range argument.FindAllString(line, -1) {
		if word == "|" || word == ">" || word == "#" {
			break
		}
		args = append(args, strings.Trim(word, "'"))
	}
	return args
}

// The examples of the pages and of the help do what they say: they find something, and write what they name.
func TestExamplesRun(t *testing.T) {
	var g grammar
	text := page(t, "command-line.md") + page(t, "../README.md")
	for _, verb := range newParser(&g, "").Model.Leaves(false) {
		text += "\n" + verb.Detail
	}
	exampleFiles(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	run := make(map[string]bool)
	for line := range strings.Lines(text) {
		line, isCommand := strings.CutPrefix(strings.TrimSpace(line), "cutaway ")
		args := exampleArgs(line)
		if !isCommand || !slices.Contains(verbNames, args[0]) || run[line] {
			continue
		}
		run[line] = true
		want := 0
		if slices.Contains(args, "broken.vrs") || slices.Contains(args, ".") || args[0] == diffName {
			want = 1
		}
		r := execute(context.Background(), decoderLibrary{}, args...)
		wrote := r.out != ""
		if _, to, redirected := strings.Cut(strings.TrimSpace(line), " > "); redirected && args[0] == "scan" { // which a later example reads
			if err := os.WriteFile(to, []byte(r.out), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if i := slices.Index(args, "-o"); i > 0 {
			written, err := os.Stat(args[i+1])
			wrote = err == nil && written.Size() > 0
		}
		lacks := r.err == "cutaway: no file has streams/file tags\n" || strings.HasPrefix(r.err, "cutaway: reduced: ") // this recording, or --whole
		if r.status != want || !wrote || r.err != "" && !lacks {
			t.Errorf("cutaway %s: status %d, output %.80q, messages %q", line, r.status, r.out, r.err)
		}
	}
	if len(run) < 40 {
		t.Errorf("%d examples found", len(run))
	}
}

// What the page of the JSON lists under a verb is met there.
func TestDocumentedKeysAreMet(t *testing.T) {
	text := page(t, "json.md")
	exampleFiles(t)
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, k := range []struct {
		chapter string
		args    []string
	}{
		{"info", []string{"info --json --quick recording.vrs"}},
		{"tree, at", []string{"tree --json sample.usdc --view layout --elements", "tree --json recording.vrs", "at --json --inspect sample.usdc 0x3294"}},
		{"search", []string{"search --json sample.usdc Lamp", "search --json sample.usdc --in bytes Lamp", "search --json package.usdz Root", "search --json sample.usdc Lamp package.usdz"}},
		{"export --as json", []string{"export sample.usdc"}},
		{"export --json -o OUT", []string{"export sample.usdc -o sample.json --json"}},
		{"Problems", []string{"check --json broken.vrs"}},
		{"check", []string{"check --json broken.vrs sample.usdc uninflated.vrs"}},
		{"stats", []string{"stats --json sample.usdc", "stats --tree --json sample.usdc", "stats --savings --json samples.usdc"}},
		{"values", []string{"values --json sample.usdc#scene/Prototypes/Leg/.points", "values --json sample.usdc#scene/primChildren",
			"values --json recording.vrs#streams/999-1/configuration", "values --json sample.usdc#scene/Prototypes/Leg",
			"values --json --distinct sample.usdc#scene/primChildren"}},
		{"timeline", []string{"timeline --json moving.usdc", "timeline --json audio.vrs --drift 999-4,999-5"}},
		{"notes", []string{"notes --json sample.usdc:0x8 --add version --type u8[8]", "notes --json sample.usdc --import marks.json"}},
		{"scan", []string{"scan --json --deep sample.usdc broken.vrs", "scan --json --since scan.ndjson sample.usdc", "scan --json --why first.sav"}},
		{"diff", []string{"diff --json --stored old.usdc new.usdc", "diff --json --bytes old.usdc new.usdc", "diff --json /dev/null new.usdc", "diff --json first.sav second.sav third.sav", "diff --json . empty"}},
		{"formats", []string{"formats --json"}},
		{"formats NAME --description", []string{"formats usdz --json --description"}},
	} {
		found := make(map[string]bool)
		for _, args := range k.args {
			decoder := json.NewDecoder(strings.NewReader(execute(context.Background(), decoderLibrary{}, strings.Fields(args)...).out))
			for decoder.More() {
				var v any
				if err := decoder.Decode(&v); err != nil {
					t.Fatalf("%s: %v", args, err)
				}
				keys(v, found)
			}
		}
		listed := 0
		for line := range strings.Lines(chapter(text, "\n## "+k.chapter+"\n")) {
			cells := strings.Split(line, "|")
			if len(cells) < 3 {
				continue
			}
			for key := range strings.SplitSeq(cells[1], ",") {
				key, quoted := strings.CutPrefix(strings.TrimSpace(key), "`")
				if key = strings.TrimSuffix(key, "`"); quoted && !found[key] {
					t.Errorf("%s does not have the key %q of its chapter", k.chapter, key)
				}
				listed++
			}
		}
		if listed == 0 {
			t.Errorf("the chapter %q lists no keys", k.chapter)
		}
	}
}
