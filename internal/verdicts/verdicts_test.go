package verdicts

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/internal/reference"
	"cutaway/model"
)

var tries = flag.String("verdicts", os.Getenv("CUTAWAY_VERDICTS"),
	"how many mutants of each format to compare; all: the full number, whose figures are written down")

var seed = flag.String("seed", os.Getenv("CUTAWAY_SEED"), "of the mutants, a number")

// seeds are what the mutants are chosen by: for the figures by each of two.
func seeds(t *testing.T) []uint64 {
	switch {
	case *seed != "":
		n, err := strconv.ParseUint(*seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return []uint64{n}
	case *tries == everything:
		return []uint64{2026, 7}
	}
	return []uint64{2026}
}

const (
	page   = "../../docs/robustness.md"
	keep   = "../../build/verdicts" // mutants that the two judge differently
	corpus = "../../../shared/corpus"
)

// A format is what is compared with a library.
type format struct {
	name    string // of the product's format
	title   string
	library reference.Library
	script  string // asks the library; read_crates.py says how
	files   []string
	largest int64  // of the files that are changed
	kinds   []kind // of changes
	count   int    // of mutants
	share   int    // of them in an ordinary test
	// Of a hundred mutants that the library complains about so many may be sound here, and of a hundred that it reads so
	// many may have errors here.
	mostMissed, mostInvented float64 // one may be sound of however few
}

var formats = []format{
	{name: "usdc", title: "crates and usd-core", library: reference.USD, script: "read_crates.py", largest: 16 << 10,
		kinds: crateKinds,
		files: []string{"../../testdata/usdc/[^x]*.usdc", corpus + "/usdc/*.usd", corpus + "/usdc/*.usdc", corpus + "/aousd/*/tests/assets/*/*.usdc"}, count: 5000, share: 300,
		mostMissed: 0.1, mostInvented: 5},
	{name: "usda", title: "text layers and usd-core", library: reference.USD, script: "read_crates.py", largest: 16 << 10, kinds: textKinds,
		files: []string{"../../testdata/usda/[^x]*.usda", corpus + "/usdc/*.usda"}, count: 1000, share: 120,
		mostMissed: 1, mostInvented: 5},
	{name: "vrs", title: "recordings and pyvrs", library: reference.VRS, script: "read_recordings.py", largest: 128 << 10, kinds: bytesChanged,
		files: []string{"../../testdata/vrs/[^x]*.vrs", corpus + "/vrs/*.vrs"}, count: 1000, share: 50,
		mostMissed: 1, mostInvented: 5},
}

// TestVerdicts compares the verdicts on mutants of small files.
func TestVerdicts(t *testing.T) {
	for i := range formats {
		f := &formats[i]
		t.Run(f.name, func(t *testing.T) {
			python := f.library.Python()
			if python == "" {
				t.Skip(f.library.Missing)
			}
			w := newJudge(t, python, f.script)
			defer w.stop()
			files, figures := f.sound(t, w), ""
			for _, seed := range seeds(t) {
				table := f.compare(t, w, mutants(t, f.kinds, files, f.number(t), seed))
				table.judge(t, f)
				figures += fmt.Sprintf("Of %s changed files, with the seed %d:\n\n%s\n", model.Grouped(int64(f.number(t))), seed, table)
			}
			if *tries == everything && *seed == "" && !t.Failed() {
				f.write(t, figures)
			}
		})
	}
}

// everything asks for as many mutants as the figures in the page are of.
const everything = "all"

// number is how many mutants are compared.
func (f *format) number(t *testing.T) int {
	switch *tries {
	case "":
		return f.share
	case everything:
		return f.count
	}
	n, err := strconv.Atoi(*tries)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sound are the files that both call sound. A file that has another part is not one: it is changed alone.
func (f *format) sound(t *testing.T, w *judge) []string {
	var names []string
	for _, pattern := range f.files {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if _, err := os.Stat(name + "_1"); err == nil {
				continue
			}
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if rules, _ := check(t, name); info.Size() <= f.largest && len(rules[model.Error]) == 0 && !w.read(name).complains() {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		t.Skip("no files: ../shared is not here")
	}
	return names
}

// check is the rules of what is wrong with a file, by severity, and of errors the first one in words.
func check(t *testing.T, name string) (rules map[model.Severity][]string, first string) {
	rules = make(map[model.Severity][]string)
	doc, err := decoders.OpenTarget(t.Context(), decoders.Target{File: name, Offset: -1}, decoders.OpenOptions{})
	if err != nil {
		rules[model.Error] = []string{"not recognised"}
		return rules, err.Error()
	}
	defer doc.Close()
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, p := range report.Problems {
		severity := p.Kind.Severity()
		if severity == model.Error && first == "" {
			first = p.Path + ": " + p.Error()
		}
		if !slices.Contains(rules[severity], p.Rule) {
			rules[severity] = append(rules[severity], p.Rule)
		}
	}
	return rules, first
}

// What a library does with a mutant, and what a check says of it.
const (
	complains = iota
	warns
	misreads // without a word, as something else than before the change
	reads
)

var (
	rows    = [...]string{complains: "complains", warns: "warns only", misreads: "reads something else", reads: "reads as before"}
	columns = [...]string{"sound here", "warnings here", "errors here"}
)

// A table counts mutants by both verdicts.
type table struct {
	counts  [len(rows)][len(columns)]int
	kinds   map[string]*kindCounts
	version int            // that the library does not read, which our own rules judge
	invents map[string]int // of mutants that the library reads and that have errors here: the first rule of each
}

// kindCounts counts the mutants of one kind by what the library does with them, and those of each that are judged otherwise
// here: sound though it complains, with errors though it reads.
type kindCounts [len(rows)]struct{ all, differ int }

func (f *format) compare(t *testing.T, w *judge, list []*mutant) *table {
	result := &table{invents: make(map[string]int), kinds: make(map[string]*kindCounts)}
	folder := filepath.Join(keep, f.name)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	before := make(map[string]*said)
	for i, m := range list {
		if before[m.base] == nil {
			before[m.base] = w.read(m.base)
		}
		name := filepath.Join(folder, fmt.Sprintf("%04d%s", i, filepath.Ext(m.base)))
		if err := os.WriteFile(name, m.data, 0o644); err != nil {
			t.Fatal(err)
		}
		s := w.read(name)
		s.before = before[m.base]
		rules, first := check(t, name)
		if !result.add(t, name, m, s, rules, first) {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return result
}

// add counts a mutant and reports whether the two judge it differently.
func (r *table) add(t *testing.T, name string, m *mutant, s *said, rules map[model.Severity][]string, first string) bool {
	if s.Version {
		r.version++
		return false
	}
	row, column := reads, 0
	switch {
	case s.complains():
		row = complains
	case len(s.Warnings) > 0:
		row = warns
	case s.misread():
		row = misreads
	}
	switch {
	case len(rules[model.Error]) > 0:
		column = 2
	case len(rules[model.Warning]) > 0:
		column = 1
	}
	r.counts[row][column]++
	r.countKind(m.kind, row, column)
	name = filepath.Base(name)
	switch {
	case row == complains && column < 2:
		words := "it ends the process"
		if s.stray {
			words = "it reads memory that the file did not fill"
		} else if all := append(s.Errors, s.Warnings...); len(all) > 0 {
			words = all[0]
		} else if s.before != nil {
			words = fmt.Sprintf("it reads %d of %d things, and %d bytes where %d were", s.Found, s.before.Found, s.Bytes, s.before.Bytes)
		}
		t.Logf("missed   %s (%s): %s", name, m, words)
		return true
	case row == misreads && column == 2:
		t.Logf("misread  %s (%s): %s: %s", name, m, rules[model.Error][0], first)
	case row != complains && column == 2:
		r.invents[rules[model.Error][0]]++
		t.Logf("invented %s (%s): %s: %s", name, m, rules[model.Error][0], first)
		return true
	}
	return false
}

// countKind counts a mutant of a kind.
func (r *table) countKind(name string, row, column int) {
	if r.kinds[name] == nil {
		r.kinds[name] = new(kindCounts)
	}
	of := &r.kinds[name][row]
	of.all++
	if (row == complains) == (column < 2) {
		of.differ++
	}
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

func sum(counts ...int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// missed are those that the library complains about and that are sound here, invented those that it reads as before the
// change and that have errors here.
func (r *table) missed() (part, of int) {
	row := r.counts[complains]
	return row[0] + row[1], sum(row[:]...)
}

func (r *table) invented() (part, of int) {
	for _, row := range [...]int{warns, reads} {
		part += r.counts[row][2]
		of += sum(r.counts[row][:]...)
	}
	return part, of
}

func (r *table) judge(t *testing.T, f *format) {
	t.Log("\n" + r.String())
	if part, of := r.missed(); part > 1 && percent(part, of) > f.mostMissed {
		t.Errorf("%d of %d that the library complains about are sound here: %.1f %%", part, of, percent(part, of))
	}
	if part, of := r.invented(); percent(part, of) > f.mostInvented {
		t.Errorf("%d of %d that the library reads as before have errors here: %.1f %%", part, of, percent(part, of))
	}
}

// String is the table as Markdown.
func (r *table) String() string {
	b := new(strings.Builder)
	fmt.Fprintf(b, "| the library | %s |\n| --- | --: | --: | --: |\n", strings.Join(columns[:], " | "))
	for i, row := range r.counts {
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", rows[i], row[0], row[1], row[2])
	}
	part, of := r.missed()
	fmt.Fprintf(b, "\nOf %d that the library complains about, %d (%.1f %%) are sound here.\n", of, part, percent(part, of))
	part, of = r.invented()
	fmt.Fprintf(b, "Of %d that it reads as before, %d (%.1f %%) have errors here", of, part, percent(part, of))
	separator := ": "
	for _, rule := range slices.SortedFunc(maps.Keys(r.invents), func(a, b string) int {
		return cmp.Or(r.invents[b]-r.invents[a], strings.Compare(a, b))
	}) {
		fmt.Fprintf(b, "%s`%s` %d", separator, rule, r.invents[rule])
		separator = ", "
	}
	b.WriteString(".\n\n" + r.byKind())
	fmt.Fprintf(b, "\nOf a version that it does not read, so that our own rules judge them: %d.\n", r.version)
	return b.String()
}

// byKind returns the table of the kinds of changes.
func (r *table) byKind() string {
	b := new(strings.Builder)
	b.WriteString("| change | complains | sound here | reads as before | errors here | reads something else | errors here |\n" +
		"| --- | --: | --: | --: | --: | --: | --: |\n")
	for _, name := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[name]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, k[complains].all, k[complains].differ, k[warns].all+k[reads].all,
			k[warns].differ+k[reads].differ, k[misreads].all, k[misreads].differ)
	}
	return b.String()
}

// write puts the figures into the page, between the format's marks.
func (f *format) write(t *testing.T, figures string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- verdicts "+f.name+" -->\n", "<!-- verdicts end -->"
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %s", page, begin)
	}
	if err := os.WriteFile(page, []byte(head+begin+figures+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
