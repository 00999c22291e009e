package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"cutaway/decoders/decodertest"
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

// TestCommandLinePage: docs/command-line.md has each verb and flag as the program's help tells of it; -update writes them.
func TestCommandLinePage(t *testing.T) {
	var g grammar
	root := newParser(&g, "").Model
	var verbs, shared strings.Builder
	groups := make(map[string][]*kong.Flag)
	for _, verb := range root.Leaves(false) {
		text, examples, found := strings.Cut(verb.Detail, "Examples:\n")
		if !found {
			t.Errorf("the help of %s has no examples", verb.Name)
		}
		fmt.Fprintf(&verbs, "\n## cutaway %s\n\n%s\n\n%s", usage(verb), verb.Help, markdown(text))
		writeFlags(&verbs, verb.Flags, "")
		if verb.Name == "export" {
			verbs.WriteString("| FORM | what is written |\n| --- | --- |\n")
			for _, f := range forms {
				fmt.Fprintf(&verbs, "| `%s` | %s |\n", f.Name, f.Help)
			}
			verbs.WriteString("\n")
		}
		fmt.Fprintf(&verbs, "```%s\n```\n", strings.ReplaceAll(examples, "\n  ", "\n"))
		for _, f := range verb.Flags {
			if f.Group != nil && !slices.ContainsFunc(groups[f.Group.Key], func(seen *kong.Flag) bool { return seen.Name == f.Name }) {
				groups[f.Group.Key] = append(groups[f.Group.Key], f)
			}
		}
	}
	for _, key := range []string{"all", "file", "files"} {
		fmt.Fprintf(&shared, "### %s\n\n", flagGroups[key])
		writeFlags(&shared, append(groups[key], root.Flags...), key)
	}
	decodertest.Region(t, "../docs/command-line.md", "flags", "\n"+shared.String())
	decodertest.Region(t, "../docs/command-line.md", "verbs", verbs.String())
}

// usage returns a verb and its arguments.
func usage(verb *kong.Node) string {
	arguments := strings.TrimPrefix(strings.TrimSuffix(verb.Summary(), " [flags]"), verb.Name)
	return verb.Name + strings.ToUpper(strings.NewReplacer("<", "", ">", "", " ...", "…").Replace(arguments))
}

// writeFlags writes the table of the flags of a group, where there are any.
func writeFlags(w *strings.Builder, flags []*kong.Flag, group string) {
	head := "| flag | does |\n| --- | --- |\n"
	for _, f := range flags {
		if of := f.Group; (of == nil) != (group == "") || of != nil && of.Key != group || f.Name == "help" {
			continue
		}
		name := "--" + f.Name
		if f.Short != 0 {
			name = "-" + string(f.Short) + ", " + name
		}
		if !f.IsBool() {
			name += "=" + f.FormatPlaceHolder()
		}
		fmt.Fprintf(w, "%s| `%s` | %s |\n", head, name, markdown(flagHelp(f)))
		head = ""
	}
	if head == "" {
		w.WriteString("\n")
	}
}

// flagHelp returns the help of a flag; that of --as leads to the table of forms.
func flagHelp(f *kong.Flag) string {
	if text, _, found := strings.Cut(f.Help, ": json ("); found {
		return text + ": a form of the table below; `json` by default."
	}
	return f.Help
}

// markdown returns a text that reads as the given one where it is shown.
func markdown(text string) string { return strings.NewReplacer("*", `\*`, "|", `\|`).Replace(text) }

// Every way to write a pattern of bytes has a line in the table of patterns, big-endian numbers by their ending.
func TestEveryPatternIsDocumented(t *testing.T) {
	table := chapter(page(t, "command-line.md"), "## Patterns of bytes")
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

// examplesFrom are the files that examples name.
var examplesFrom = map[string]string{
	"sample.usdc": "assets/sample.usdc", "samples.usdc": "testdata/usdc/samples.usdc", "recording.vrs": "testdata/vrs/pixels.vrs", "package.usdz": "testdata/usdc/several.usdz",
	"broken.vrs": "testdata/vrs/damaged-cut-in-a-record.vrs", "uninflated.vrs": "testdata/vrs/damaged-compressed-bytes.vrs",
	"layer.oodf":   "testdata/omnilive/world.oodf",
	"delta-1.oodf": "testdata/omnilive/world.oodf", "delta-2.oodf": "testdata/omnilive/twins.oodf", "dump.bin": "assets/sample.usdc",
	"old.usdc": "testdata/usdc/made-0.0.1.usdc", "new.usdc": "testdata/usdc/made-0.8.0.usdc",
	"lost.usdc": "testdata/usdc/x-tokens-lz4-offset0.usdc", "picture.png": "testdata/ksy/picture.png", "png.ksy": "testdata/ksy/png.ksy",
	"moving.usdc": "testdata/usdc/samples.usdc", "audio.vrs": "testdata/vrs/audio.vrs",
}

// exampleFiles are what the examples name, made of files of ours.
func exampleFiles(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, from := range examplesFrom {
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
		"patch.txt":   "0x8   00 0a 00\n",                           // a version
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

// TestExampleFiles: docs/README.md says which files the examples name; -update writes it.
func TestExampleFiles(t *testing.T) {
	var b strings.Builder
	b.WriteString("| name | file |\n| --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(examplesFrom)) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", name, examplesFrom[name])
	}
	decodertest.Region(t, "../docs/README.md", "examples", b.String())
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
	for _, use := range usePages(t) {
		text += page(t, use)
	}
	for _, verb := range newParser(&g, "").Model.Leaves(false) {
		text += "\n" + verb.Detail
	}
	exampleFiles(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	run := make(map[string]bool)
	for line := range strings.Lines(text) {
		line, isCommand := strings.CutPrefix(strings.TrimSpace(line), "cutaway ")
		args := exampleArgs(line)
		if !isCommand || !slices.Contains(verbNames, args[0]) || run[line] || strings.Contains(line, "://") || strings.Contains(line, "$(") { // servers'
			continue
		}
		run[line] = true
		want := 0
		if slices.Contains(args, "broken.vrs") || slices.Contains(args, ".") && !slices.Contains(args, "unread") || args[0] == diffName {
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

// usePages lists the pages on tasks.
func usePages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/use/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages on tasks: %v", err)
	}
	for i := range pages {
		pages[i] = strings.TrimPrefix(filepath.ToSlash(pages[i]), "../docs/")
	}
	return pages
}

// transcript is a block of a page with a command and what it prints.
var transcript = regexp.MustCompile("(?m)^```\n\\$ cutaway (.*)\n(?s:.*?)^```$")

// TestTranscripts: what the pages show that commands print is what they print; -update writes it anew.
func TestTranscripts(t *testing.T) {
	texts := make(map[string]string)
	pages := usePages(t)
	for _, name := range pages {
		texts[name] = page(t, name)
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	exampleFiles(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for name, text := range texts {
		texts[name] = transcript.ReplaceAllStringFunc(text, func(block string) string {
			command := transcript.FindStringSubmatch(block)[1]
			r := execute(t.Context(), decoderLibrary{}, exampleArgs(command)...)
			printed := r.out + r.err
			if _, n, headed := strings.Cut(command, " | head -"); headed {
				most, err := strconv.Atoi(n)
				if err != nil {
					t.Errorf("%s: %s: %v", name, command, err)
				}
				lines := strings.SplitAfterN(printed, "\n", most+1)
				printed = strings.Join(lines[:min(most, len(lines))], "")
			}
			return "```\n$ cutaway " + command + "\n" + printed + "```"
		})
	}
	t.Chdir(home)
	for _, name := range pages {
		decodertest.Golden(t, "../docs/"+name, func(w io.Writer) error {
			_, err := io.WriteString(w, texts[name])
			return err
		})
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
		{"Problems", []string{"check --json --fold lost.usdc"}},
		{"check", []string{"check --json broken.vrs sample.usdc uninflated.vrs"}},
		{"check --closure", []string{"check --closure --json sample.usdc package.usdz"}},
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
