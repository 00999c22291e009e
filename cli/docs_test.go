package cli

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"cutaway/model/export"
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
		"stats --json truncated.fake", "export truncated.fake layout", "formats --json",
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
	parser := kong.Must(&g, vars(""))
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
	for _, f := range export.Forms {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "`"+f.Name+"`") }) {
			t.Errorf("the form %s is not in the table of docs/command-line.md", f.Name)
		}
	}
}

// chapter is the text from a heading to the next one of its level.
func chapter(text, heading string) string {
	_, text, _ = strings.Cut(text, heading)
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// The examples of the help are command lines that can be parsed.
func TestExamplesParse(t *testing.T) {
	var g grammar
	parser := kong.Must(&g, vars(""))
	for _, verb := range parser.Model.Leaves(false) {
		for line := range strings.Lines(verb.Detail) {
			line, isCommand := strings.CutPrefix(strings.TrimSpace(line), "cutaway ")
			if !isCommand {
				continue
			}
			line, _, _ = strings.Cut(line, " | ")
			line, _, _ = strings.Cut(line, " > ")
			if _, err := parser.Parse(strings.Fields(strings.ReplaceAll(line, "'", ""))); err != nil {
				t.Errorf("cutaway %s: %v", line, err)
			}
		}
	}
}
