package ledger

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cutaway/decoders"
	"cutaway/decoders/decodertest"
	"cutaway/decoders/usda"
	"cutaway/internal/reference"
)

const (
	folder  = "../../testdata/ledger/"
	page    = "../../docs/usd-standard.md"
	cases   = folder + "cases.txt"
	answers = folder + "answers.txt"
)

// A layer is a line of cases.txt.
type layer struct {
	name   string // of a file in the folder, or in testdata
	clause string
	letter string // what the clause says: takes, refuses, open
	says   string // what is in the layer
	line   string // part of the line of a reader's text that tells how it read the layer, or ""
	base   string // the file of testdata that it is made of, an offset and bytes, or ""
}

var caseLine = regexp.MustCompile(`^(\S+) ([0-9.]+) (takes|refuses|open) \| (.+)$`)

// layers reads cases.txt.
func layers(t *testing.T) (all []*layer) {
	t.Helper()
	for line := range strings.Lines(readFile(t, cases)) {
		line = strings.TrimSuffix(line, "\n")
		m := caseLine.FindStringSubmatch(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "~ "):
			all[len(all)-1].line = line[2:]
		case strings.HasPrefix(line, "= "):
			all[len(all)-1].base = line[2:]
		case m != nil:
			all = append(all, &layer{name: m[1], clause: m[2], letter: m[3], says: m[4]})
		default:
			t.Fatalf("%s: %q", cases, line)
		}
	}
	return all
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// path returns the path of the file.
func (l *layer) path() string {
	if strings.Contains(l.name, "/") {
		return "../../testdata/" + l.name
	}
	return folder + l.name
}

// TestLayers: layers that are made of other files are what cases.txt says, which lists every file of the folder.
func TestLayers(t *testing.T) {
	listed := map[string]bool{"cases.txt": true, "answers.txt": true, "README.md": true}
	for _, l := range layers(t) {
		listed[l.name] = true
		if usda.Clause(l.clause) == "" {
			t.Errorf("%s: there is no clause %s", l.name, l.clause)
		}
		if l.base != "" {
			decodertest.Golden(t, l.path(), l.make(t))
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !listed[f.Name()] {
			t.Errorf("%s does not list %s", cases, f.Name())
		}
	}
}

// TestReaders asks the readers that are here what they say of each layer, and writes answers.txt, for make ledger.
func TestReaders(t *testing.T) {
	if os.Getenv("CUTAWAY_LEDGER") == "" {
		t.Skip("make ledger asks the readers")
	}
	all := readAnswers(t)
	for i, r := range readers {
		t.Run(r.name, func(t *testing.T) { all[i] = ask(t, r.command(t), layers(t)) })
	}
	writeAnswers(t, all)
}

// A reader is a program that reads layers.
type reader struct {
	name    string
	command func(t *testing.T) []string // or it skips the test
}

var readers = [...]reader{
	{"usd-core", func(t *testing.T) []string { return []string{python(t, reference.USD), "ask_usd.py"} }},
	{"LightUSD", func(t *testing.T) []string { return []string{python(t, reference.LightUSD), "ask_light.py"} }},
	{"openusd", func(t *testing.T) []string { return []string{built(t)} }},
}

func python(t *testing.T, l reference.Library) string {
	t.Helper()
	if l.Python() == "" {
		t.Skip(l.Missing)
	}
	return l.Python()
}

// built builds the program that asks the openusd crate, which takes minutes the first time.
func built(t *testing.T) string {
	t.Helper()
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("no cargo (https://rustup.rs), which builds the openusd crate")
	}
	target, err := filepath.Abs("../../build/ledger")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(cargo, "build", "--quiet", "--release", "--locked", "--target-dir", target)
	cmd.Dir = "openusd"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("the openusd crate does not build: %v\n%s", err, out)
	}
	return filepath.Join(target, "release", "ask")
}

// patience is how long a reader may take for a layer.
const patience = 20 * time.Second

// ask returns what a reader says of each layer, by name, and its version by "". A layer that ends the process, or keeps it
// busy, costs the process.
func ask(t *testing.T, command []string, all []*layer) map[string]string {
	t.Helper()
	said := map[string]string{}
	var p *process
	for _, l := range all {
		if p == nil {
			p = start(t, command)
			version, ok := p.line()
			if !ok || json.Unmarshal([]byte(version), &version) != nil {
				t.Fatalf("%v does not say its version", command)
			}
			said[""] = version
		}
		_, _ = fmt.Fprintln(p.in, l.path()) // a process that ended gives no line either
		line, ok := p.line()
		if !ok {
			said[l.name] = p.end()
			p = nil
			continue
		}
		said[l.name] = l.answer(t, line)
	}
	if p != nil {
		p.end()
	}
	return said
}

// answer returns in words what a line of a reader says.
func (l *layer) answer(t *testing.T, line string) string {
	t.Helper()
	var one struct {
		Refused bool
		Text    string
	}
	if err := json.Unmarshal([]byte(line), &one); err != nil {
		t.Fatal(l.name, err)
	}
	if one.Refused || l.line == "" {
		return map[bool]string{true: "refuses", false: "reads"}[one.Refused]
	}
	for text := range strings.Lines(one.Text) {
		if strings.Contains(text, l.line) {
			return "reads `" + strings.ReplaceAll(strings.TrimSpace(text), "\t", " ⇥ ") + "`"
		}
	}
	return "reads without it"
}

// A process is one of a reader.
type process struct {
	cmd   *exec.Cmd
	in    *os.File
	lines chan string
	late  bool
}

func start(t *testing.T, command []string) *process {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = read
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = read.Close() // the process has its own
	p := &process{cmd: cmd, in: write, lines: make(chan string)}
	go func() {
		defer close(p.lines)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- line
		}
	}()
	return p
}

// line returns the next line, or false if the process ended or takes too long.
func (p *process) line() (string, bool) {
	select {
	case line, ok := <-p.lines:
		return line, ok
	case <-time.After(patience):
		p.late = true
		return "", false
	}
}

// end ends the process and says in words what it did.
func (p *process) end() string {
	_ = p.in.Close()
	if p.late {
		_ = p.cmd.Process.Kill()
	}
	for range p.lines {
	}
	_ = p.cmd.Wait() // how it ended is known
	if p.late {
		return "does not come back"
	}
	return "crashes"
}

// make writes what the layer is made of.
func (l *layer) make(t *testing.T) func(w io.Writer) error {
	t.Helper()
	words := strings.Fields(l.base)
	data := []byte(readFile(t, "../../testdata/"+words[0]))
	for i := 1; i+1 < len(words); i += 2 {
		at, err := strconv.ParseInt(words[i], 0, 64)
		if err != nil {
			t.Fatal(l.name, err)
		}
		over, err := hex.DecodeString(words[i+1])
		if err != nil {
			t.Fatal(l.name, err)
		}
		copy(data[at:], over)
	}
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// readAnswers returns what answers.txt says: for each reader by the names of layers, and its version by "".
func readAnswers(t *testing.T) (all [len(readers)]map[string]string) {
	t.Helper()
	for i := range all {
		all[i] = map[string]string{}
	}
	for line := range strings.Lines(readFile(t, answers)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if parts := strings.Split(rest, "\t"); len(parts) == len(all) {
			for i := range all {
				all[i][strings.TrimSuffix(name, "version")] = parts[i]
			}
		}
	}
	return all
}

func writeAnswers(t *testing.T, all [len(readers)]map[string]string) {
	t.Helper()
	var b bytes.Buffer
	write := func(title, name string) {
		b.WriteString(title)
		for i := range all {
			b.WriteString("\t" + all[i][name])
		}
		b.WriteByte('\n')
	}
	write("version", "")
	for _, l := range layers(t) {
		write(l.name, l.name)
	}
	if err := os.WriteFile(answers, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPage: docs/usd-standard.md has a row for each layer, and in each not all say the same. -update writes the rows.
func TestPage(t *testing.T) {
	said, all := readAnswers(t), layers(t)
	var b strings.Builder
	fmt.Fprintf(&b, "%d layers in testdata/ledger; `make ledger` asks again. *Letter* is what the clause says.\n\n", len(all))
	b.WriteString("| layer, clause | what is in it | letter |")
	for i, r := range readers {
		fmt.Fprintf(&b, " %s %s |", r.name, said[i][""])
	}
	b.WriteString(" Cutaway |\n| --- | --- |" + strings.Repeat(" --- |", len(readers)+2) + "\n")
	for _, l := range all {
		var verdicts []string
		fmt.Fprintf(&b, "| [%s](../%s) %s | %s | %s |", l.name, strings.TrimPrefix(l.path(), "../../"), l.clause, l.says, l.letter)
		for i := range readers {
			answer := said[i][l.name]
			if answer == "" {
				t.Errorf("%s: there is no answer of %s", l.name, readers[i].name)
			}
			verdicts = append(verdicts, answer)
			fmt.Fprintf(&b, " %s |", strings.ReplaceAll(answer, "|", `\|`))
		}
		fmt.Fprintf(&b, " %s |\n", l.own(t))
		if l.agreed(verdicts) {
			t.Errorf("%s: all say the same", l.name)
		}
	}
	decodertest.Region(t, page, "ledger", b.String())
}

// agreed reports whether the readers say the same, and the clause too.
func (l *layer) agreed(answers []string) bool {
	return len(slices.Compact(slices.Clone(answers))) == 1 && (l.letter == "open" || strings.HasPrefix(strings.Replace(answers[0], "reads", "takes", 1), l.letter))
}

// own returns what a check says of the layer: the first rule that the worst problems break.
func (l *layer) own(t *testing.T) string {
	t.Helper()
	doc, err := decoders.OpenTarget(t.Context(), decoders.Target{File: l.path()}, decoders.OpenOptions{})
	if err != nil {
		return "refuses"
	}
	defer func() { _ = doc.Close() }() // it was only read
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(l.name, err)
	}
	worst := -1
	for i := range report.Problems {
		if worst < 0 || report.Problems[i].Kind.Severity() > report.Problems[worst].Kind.Severity() {
			worst = i
		}
	}
	if worst < 0 {
		return "reads"
	}
	return fmt.Sprintf("%s `%s`", report.Problems[worst].Kind.Severity(), report.Problems[worst].Rule)
}
