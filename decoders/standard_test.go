package decoders

import (
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// A standardPlace is a line of testdata/standard.txt: words of a clause that say must, shall or should, and what keeps them.
type standardPlace struct {
	clause  string
	words   int
	kept    string // the id of a rule, or one of the next two
	says    string
	breaks  []string
	keeping []string
}

const (
	notAboutFiles = "not about files"
	notChecked    = "not checked"
)

var placeLine = regexp.MustCompile(`^([0-9.]+) (\d+) (not about files|not checked|[a-z]+\.[a-z.0-9-]+) \| (.+)$`)

func standardPlaces(t *testing.T) (places []*standardPlace) {
	t.Helper()
	for line := range strings.Lines(readDoc(t, "testdata/standard.txt")) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "- "):
			p := places[len(places)-1]
			p.breaks = append(p.breaks, line[2:])
		case strings.HasPrefix(line, "+ "):
			p := places[len(places)-1]
			p.keeping = append(p.keeping, line[2:])
		default:
			m := placeLine.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("standard.txt: %q", line)
			}
			words, _ := strconv.Atoi(m[2])
			places = append(places, &standardPlace{clause: m[1], words: words, kept: m[3], says: m[4]})
		}
	}
	return places
}

// TestStandardPlaces: each place that a rule keeps has a layer that breaks the rule and one that does not, and the rule is of the format.
func TestStandardPlaces(t *testing.T) {
	for _, p := range standardPlaces(t) {
		if usda.Clause(p.clause) == "" {
			t.Errorf("there is no clause %s", p.clause)
		}
		if p.kept == notAboutFiles || p.kept == notChecked {
			if len(p.breaks)+len(p.keeping) > 0 {
				t.Errorf("%s has layers, but no rule", p.clause)
			}
			continue
		}
		if RuleOf(p.kept) == nil || len(p.breaks) == 0 || len(p.keeping) == 0 {
			t.Errorf("%s: there is no rule %s, or it has no layers", p.clause, p.kept)
		}
		for _, layer := range p.breaks {
			if rules := rulesBrokenBy(t, layer); !slices.Contains(rules, p.kept) {
				t.Errorf("%s: %s breaks %v, not %s", p.clause, layer, rules, p.kept)
			}
		}
		for _, layer := range p.keeping {
			if rules := rulesBrokenBy(t, layer); slices.Contains(rules, p.kept) {
				t.Errorf("%s: %s breaks %s", p.clause, layer, p.kept)
			}
		}
	}
}

// rulesBrokenBy returns the rules that a layer breaks: "file NAME" of testdata, "patch NAME OFFSET HEX", "raw TEXT", or a text after
// #usda 1.0.
func rulesBrokenBy(t *testing.T, layer string) (rules []string) {
	t.Helper()
	name, data := "layer.usda", []byte(nil)
	words := strings.Fields(layer)
	switch kind := words[0]; kind {
	case "file", "patch":
		name = filepath.Join("../testdata", words[1])
		data = []byte(readDoc(t, name))
		if kind == "patch" {
			at, _ := ParseOffset(words[2])
			patch, err := hex.DecodeString(words[3])
			if err != nil {
				t.Fatal(layer, err)
			}
			copy(data[at:], patch)
		}
	default:
		raw, isRaw := strings.CutPrefix(layer, "raw ")
		if !isRaw {
			raw = `#usda 1.0\n` + raw + `\n`
		}
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(raw, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatal(layer, err)
		}
		data = []byte(text)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	opt := OpenOptions{}
	opt.Format = strings.TrimPrefix(filepath.Ext(path), ".")
	doc, err := OpenTarget(t.Context(), Target{File: path}, opt)
	if err != nil {
		t.Fatal(layer, err)
	}
	defer func() { _ = doc.Close() }() // it was only read
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(layer, err)
	}
	for i := range report.Problems {
		rules = append(rules, report.Problems[i].Rule)
	}
	return rules
}

// TestStandardWords: standard.txt counts the words must, shall and should of each clause that has some.
func TestStandardWords(t *testing.T) {
	text := decodertest.StandardText(t, "../../shared")
	inPDF, counted := map[string]int{}, map[string]int{}
	heading, other := regexp.MustCompile(`^[0-9]+(\.[0-9]+)*\.?$`), regexp.MustCompile(`^(1[0-57]|[1-5])(\.[0-9]+)+ [A-Z]`)
	normative := regexp.MustCompile(`(?i)\b(must|shall|should)\b`)
	clause := ""
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(strings.ReplaceAll(line, "\f", " ")), " ")
		number, title, _ := strings.Cut(line, " ")
		if heading.MatchString(number) && !strings.Contains(line, ". .") {
			_, want, _ := strings.Cut(usda.Clause(number), " ")
			switch {
			case want != "" && title != "" && (strings.HasPrefix(want, strings.TrimSuffix(title, "-")) || strings.HasPrefix(title, want)):
				clause = number
			case other.MatchString(line) && len(title) < 60:
				clause = ""
			}
		}
		if clause != "" {
			inPDF[clause] += len(normative.FindAllString(line, -1))
		}
	}
	for _, p := range standardPlaces(t) {
		counted[p.clause] += p.words
	}
	for clause, n := range inPDF {
		if counted[clause] != n {
			t.Errorf("%s has %d words, standard.txt %d", usda.Clause(clause), n, counted[clause])
		}
	}
	for clause := range counted {
		if inPDF[clause] == 0 {
			t.Errorf("%s has no such words", usda.Clause(clause))
		}
	}
}

// TestStandardPage: docs/usd-standard.md has a row for each line of standard.txt, and one for each rule of the standard alone; -update
// writes them anew.
func TestStandardPage(t *testing.T) {
	var b strings.Builder
	count := map[string]int{}
	b.WriteString("Every place of chapters 6 to 9 and 16. A test breaks and keeps each rule.\n\n")
	b.WriteString("| clause | words | kept by | what it wants, or why it is not checked |\n| --- | --- | --- | --- |\n")
	for _, p := range standardPlaces(t) {
		kept := p.kept
		if RuleOf(kept) != nil {
			kept = "`" + kept + "`"
			count["rules"] += p.words
		} else {
			count[kept] += p.words
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", usda.Clause(p.clause), p.words, kept, p.says)
	}
	fmt.Fprintf(&b, "\nOf %d words, rules keep %d, %d are %s, %d %s.\n", count["rules"]+count[notAboutFiles]+count[notChecked],
		count["rules"], count[notAboutFiles], notAboutFiles, count[notChecked], notChecked)
	decodertest.Region(t, "../docs/usd-standard.md", "places", b.String())

	b.Reset()
	told := map[string]bool{}
	b.WriteString("OpenUSD takes what breaks these; this is what `check --by standard` calls it.\n\n| rule | clause | means | |\n| --- | --- | --- | --- |\n")
	for _, f := range All() {
		for _, r := range f.Rules {
			if by := KindBy(true, &model.Problem{Rule: r.ID, Kind: model.Assumed}).Severity(); by > model.Note && !told[r.ID] {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Clause, r.Help, by)
				told[r.ID] = true
			}
		}
	}
	b.WriteString("\nOf the expected JSON of the official suite these are not as OpenUSD reads its texts:\n\n| layer, spec, field | |\n| --- | --- |\n")
	for _, key := range slices.Sorted(maps.Keys(otherBaselines)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", key, otherBaselines[key])
	}
	decodertest.Region(t, "../docs/usd-standard.md", "disagreements", b.String())
}

// notStandard has the rules of USD's formats without a clause, with the reason.
var notStandard = map[string]string{
	"usdc.limit.text": "limit", "usdc.compress.too-many": "limit", "usdc.tokens.too-many": "limit", "usdc.toc.too-many": "limit",
	"usdc.value.depth": "limit", "usdc.value.expansion": "limit", "usdc.value.too-many-parts": "limit", "usdc.edit.limit": "limit",
	"usda.depth": "limit", "usda.limit": "limit", "usda.many-errors": "limit",
	"usdc.read": "bytes", "usdc.toc.read": "bytes", "usdc.integers.read": "bytes", "usdc.tokens.read": "bytes", "usdc.strings.read": "bytes",
	"usdc.fields.read": "bytes", "usdc.fieldsets.read": "bytes", "usdc.paths.read": "bytes", "usdc.specs.read": "bytes", "usda.read": "bytes",
	"usdc.edit.array-type": "newer than the standard", "usdc.edit.operation": "newer than the standard",
	"usdc.edit.count": "newer than the standard", "usdc.edit.literal": "newer than the standard",
}

// TestRulesHaveClauses: each rule of crates, text and packages names a clause, but for those of limits, of reading, and of newer files.
func TestRulesHaveClauses(t *testing.T) {
	for _, f := range All() {
		if f.Name != "usdc" && f.Name != "usda" && f.Name != "usdz" {
			continue
		}
		for _, r := range f.Rules {
			_, without := notStandard[r.ID]
			without = without || strings.HasPrefix(r.ID, "usd.data.") // of schemas, which the standard leaves to others, and of habits
			if without != (r.Clause == "") {
				t.Errorf("%s: clause %q", r.ID, r.Clause)
			}
		}
		if spec := specification(t, f); spec != nil {
			for _, record := range spec.Records {
				if record.Standard == "" && record.Name != "array edit" {
					t.Errorf("record %s of %s has no clause", record.Name, f.Name)
				}
			}
		}
	}
}
