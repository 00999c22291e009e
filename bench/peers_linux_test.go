package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peers is where what is compared with is installed, and their files are made.
const peers = "../build/peers"

// A peer is a program, or a library and the program of this folder that uses it.
type peer struct {
	name    string
	install string // a command of the shell in peers, that ends well where the peer is there
	version string // likewise, whose first line is the version
	start   string // the command that only starts the peer; "": nothing is taken off for its start
}

func pip(name, version, module, start string) peer {
	return peer{
		name:    name,
		install: "[ -d venv ] || python3 -m venv venv; venv/bin/python -c 'import " + module + "' 2>/dev/null || venv/bin/pip install --quiet " + name + "==" + version,
		version: "venv/bin/pip show " + name + " | sed -n 's/^Version: //p'",
		start:   start,
	}
}

const npm = "[ -d node_modules/kaitai-struct-compiler ] || " +
	"npm install --silent --prefix . --no-save kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@5; [ -d node_modules/kaitai-struct ]"

var allPeers = []peer{
	pip("usd-core", "26.11", "pxr.Sdf", "PY usdcore.py nothing"),
	pip("tinyusdz", "0.9.4", "tinyusdz", "PY tinyusd.py"),
	pip("vrs", "1.2.2", "pyvrs", "PY metavrs.py nothing"),
	pip("kaitaistruct", "0.11", "kaitaistruct", "PY ksy.py unequal.py empty.recs"),
	pip("numpy", "2.4.6", "numpy", "PY floats.py"),
	{name: ourCheck, install: "true", version: "echo this version", start: "OURS --version"},
	{"kaitai-struct", npm, "node -p \"require('kaitai-struct/package.json').version + ', node ' + process.version\"", "node ksy.js unequal.ksy empty.recs"},
	{"fq", "[ -x fq ] || { cd ../../tools/peers && CGO_ENABLED=0 go build -o ../../build/peers/fq github.com/wader/fq; }", "./fq --version", "fq -n 1"},
	{"ripgrep", "command -v rg || apt-get install -y --no-install-recommends ripgrep || sudo -n apt-get install -y --no-install-recommends ripgrep", "rg --version", "rg --version"},
	{"grep", "command -v grep", "grep --version", "grep --version"},
	{"cat", "command -v cat", "cat --version", "cat --version"},
	{"dd", "command -v dd", "dd --version", "dd --version"},
}

// ourCheck stands for a check of ours: what a job takes is told in ratio to that.
const ourCheck = "cutaway check"

// A job is done by Cutaway and a peer. In their commands words that are keys of inputs stand for these files, PY for the
// interpreter of peers, and programs of this folder for themselves.
type job struct {
	what, ours, peer, theirs string
	goal                     float64 // at most so many times what the peer takes, of both times; 0: none
	say, says                string  // what is in the output of both: the work was done
}

const elf = "../../shared/corpus/kaitai/gallery/executable/elf.ksy"

var peerJobs = []job{
	{"a crate of 1 GB to its first tree", "tree --depth 2 arrays.usdc", "usd-core", "PY usdcore.py first arrays.usdc", 0.5, "World", "Nodes"},
	{"a crate of 1 GB to its first tree", "tree --depth 2 arrays.usdc", "tinyusdz", "PY tinyusd.py arrays.usdc", 0.5, "World", "prims"},
	{"a crate of 2 million specs to its first tree", "tree --depth 2 specs.usdc", "usd-core", "PY usdcore.py first specs.usdc", 0.5, "World", "Nodes"},
	{"a crate of 200,000 specs to its first tree", "tree --depth 2 scene.usdc", "tinyusdz", "PY tinyusd.py scene.usdc", 0.5, "World", "prims"},
	{"every node of 2 million specs looked at", "search specs.usdc not-there", "usd-core", "PY usdcore.py walk specs.usdc", 0.5, "", "Nodes"},
	{"two crates of 200,000 specs compared", "diff scene.usdc changed.usdc", "usd-core", "PY usdcore.py diff scene.usdc changed.usdc", 0.5, "~", `"Nodes": 1,`},
	{"a recording of a million records to its streams, by the index", "tree --view streams --depth 2 index.vrs", "vrs", "PY metavrs.py open index.vrs", 0.5, "241-1", "Seen"},
	{"the same without an index", "tree --view streams --depth 2 walk.vrs", "vrs", "PY metavrs.py open walk.vrs", 0.5, "241-1", "Seen"},
	{"all fields of 900,000 records (ours as CSV)", "export index.vrs#streams/241-1/data --as csv", "vrs", "PY metavrs.py fields index.vrs", 0.5, "gyroscope", "Seen"},
	{"facts of 1 GB of floats (least, greatest, mean, deviation, NaN; ours more)", "values --schema floats.ksy floats.bin#fields/floats", "numpy", "PY floats.py floats.bin", 1, "hash", "nan"},
	{"sizes of a crate of 1 GB", "stats --tree arrays.usdc", ourCheck, "OURS check arrays.usdc", 1.5, "World", "sound"},
	{"sizes of a crate of 2 million specs", "stats --tree specs.usdc", ourCheck, "OURS check specs.usdc", 1.5, "World", "sound"},
	{"two crates of 1 GB with one changed value", "diff arrays.usdc changed-arrays.usdc", ourCheck, "OURS check arrays.usdc", 2.5, "1 changed", "sound"},
	{"two crates of 2 million specs with one changed value", "diff specs.usdc changed-specs.usdc", ourCheck, "OURS check specs.usdc", 2.5, "1 changed", "sound"},
	{"two recordings of a million records with one changed value", "diff index.vrs changed.vrs", ourCheck, "OURS check index.vrs", 2.5, "1 changed", "sound"},
	{"20 MB of records by a description, all checked", "check --schema unequal.ksy unequal.recs", "kaitai-struct", "node ksy.js unequal.ksy unequal.recs", 0.5, "sound", "records"},
	{"20 MB of records by a description, all checked", "check --schema unequal.ksy unequal.recs", "kaitaistruct", "PY ksy.py unequal.py unequal.recs", 0.5, "sound", "records"},
	{"a zip of 3,000 members by .ksy, printed", "tree --schema ../testdata/ksy/zip.ksy many.zip", "fq", "fq -o uncompress=false -o array_truncate=0 d many.zip", 0.5, "zip_file", "local_file"},
	{"a PNG of 20,000 texts by .ksy, printed", "tree --schema ../testdata/ksy/png.ksy many.png", "fq", "fq -o array_truncate=0 d many.png", 0.5, "png", "chunks"},
	{"an ELF program by .ksy, printed", "tree --schema " + elf + " GOFMT", "fq", "fq -o array_truncate=0 d GOFMT", 0.5, "elf", "header"},
	{"1 GB searched for a text", "search big.bin --format bytes --in bytes --as utf8 NEEDLE", "ripgrep", "rg -a -c -F NEEDLE big.bin", 1, "0x", "1"},
	{"1 GB searched for a text", "search big.bin --format bytes --in bytes --as utf8 NEEDLE", "grep", "grep -a -c -F NEEDLE big.bin", 1, "0x", "1"},
	{"1 GB searched for a text, read only by the peer", "search big.bin --format bytes --in bytes --as utf8 NEEDLE", "cat", "cat big.bin", 0, "0x", ""},
	{"1 GB searched for a text, read only by the peer", "search big.bin --format bytes --in bytes --as utf8 NEEDLE", "dd", "dd if=big.bin of=/dev/null bs=256K status=none", 0, "0x", ""},
	{"1 GB searched for a text in any case", "search big.bin --format bytes --in bytes --as utf8 --ignore-case NEEDLE", "ripgrep", "rg -a -c -i -F NEEDLE big.bin", 1, "0x", "1"},
}

// comparison is a bench of peers that runs: what is made, installed and known so far.
type comparison struct {
	t       *testing.T
	program string
	files   string // the folder of inputs
	scale   int64  // see inputs
	pairs   int
	versions,
	rows, rates, missed []string
	start map[string]float64 // CPU seconds of each program's mere start, "" is ours
}

// TestPeers does jobs of peers with Cutaway: with CUTAWAY_PEERS=all on large files beside each peer, and writes
// docs/performance.md; without it on small files and alone, so that the commands of the bench stay true.
func TestPeers(t *testing.T) {
	c := &comparison{t: t, files: t.TempDir(), scale: 2, start: make(map[string]float64)}
	if os.Getenv("CUTAWAY_PEERS") == "" {
		c.program = filepath.Join(c.files, "cutaway")
		build := exec.CommandContext(t.Context(), "go", "build", "-tags", "headless", "-o", c.program, "..")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, j := range peerJobs {
			if !strings.Contains(j.ours, "GOFMT") {
				c.run("", false, j.ours, true, j.say)
			}
		}
		return
	}
	c.program, c.files, c.scale = "../build/cutaway-headless", filepath.Join(peers, "files"), 1000
	c.pairs = 5
	if n, err := strconv.Atoi(os.Getenv("CUTAWAY_PAIRS")); err == nil && n > 0 {
		c.pairs = n
	}
	if err := os.MkdirAll(c.files, 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CUTAWAY_KEEP") == "" {
		defer func() { _ = os.RemoveAll(c.files) }()
	}
	only := regexp.MustCompile(os.Getenv("CUTAWAY_ONLY"))
	for _, p := range allPeers {
		t.Run(p.name, func(t *testing.T) { c.beside(t, p, only) })
	}
	t.Run("nodes a second", func(t *testing.T) { c.nodeRate(t, only) })
	t.Run("first frame", func(t *testing.T) { c.firstFrame(t, only) })
	if only.String() == "" {
		c.write(t)
	}
	t.Log("\n" + strings.Join(c.rows, "\n") + "\n\n" + strings.Join(c.rates, "\n") + "\n\nmissed: " + strings.Join(c.missed, "; "))
}

// shell runs a command in the folder of peers.
func shell(ctx context.Context, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = peers
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// beside does a peer's jobs, with it and with Cutaway.
func (c *comparison) beside(t *testing.T, p peer, only *regexp.Regexp) {
	c.t = t
	jobs := slices.DeleteFunc(slices.Clone(peerJobs), func(j job) bool { return j.peer != p.name || !only.MatchString(j.peer+": "+j.what) })
	if len(jobs) == 0 {
		return
	}
	if said, err := shell(t.Context(), p.install); err != nil {
		t.Skipf("no %s: %v: %s", p.name, err, said)
	}
	version, err := shell(t.Context(), p.version)
	if err != nil {
		t.Skipf("no %s: %v: %s", p.name, err, version)
	}
	version, _, _ = strings.Cut(version, "\n")
	c.versions = append(c.versions, strings.TrimSpace(strings.TrimPrefix(version, p.name)+" ("+p.name+")"))
	c.start[p.name] = c.startOf(p.start, p.name)
	if c.start[""] == 0 {
		c.start[""] = c.startOf("--version", "")
	}
	for _, j := range jobs {
		if strings.Contains(j.ours, elf) {
			if _, err := os.Stat(elf); err != nil {
				t.Logf("skipped %s: no %s", j.what, elf)
				continue
			}
		}
		c.compare(j)
	}
}

// startOf is the median of the CPU seconds that a command takes.
func (c *comparison) startOf(command, peer string) float64 {
	var all []float64
	for range c.pairs {
		all = append(all, c.run(peer, false, command, false, "").CPU)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// run runs a command of a job, of ours where peer is "", and holds what it says in its output against what it must say.
func (c *comparison) run(peer string, cold bool, command string, read bool, say string) spent {
	c.t.Helper()
	words := strings.Fields(command)
	for i, w := range words {
		words[i] = c.word(w, cold)
	}
	if peer == "" {
		words = append([]string{c.program}, words...)
	}
	modules, _ := filepath.Abs(peers + "/node_modules") // where that fails, node says so
	s := process(c.t, read, []string{"NODE_PATH=" + modules}, words...)
	want := 0
	if peer == "" && strings.HasPrefix(command, "diff ") {
		want = 1 // they are different
	}
	if s.Status != want || read && !strings.Contains(s.Begin, say) {
		c.t.Fatalf("%q: status %d, and %q is not in %q", words, s.Status, say, s.Begin)
	}
	return s
}

// word is what a word of a command stands for. cold takes files out of the system's cache.
func (c *comparison) word(w string, cold bool) string {
	switch w {
	case "PY":
		return peers + "/venv/bin/python"
	case "OURS":
		return c.program
	case "fq":
		return peers + "/fq"
	case "NEEDLE":
		return needle
	case "GOFMT":
		return filepath.Join(runtime.GOROOT(), "bin", "gofmt") //nolint:staticcheck // the test runs where it was built
	case "unequal.py":
		return c.compiled()
	}
	before, name, found := strings.Cut(w, "if=")
	if !found {
		before, name = "", w
	} else {
		before += "if="
	}
	name, node, hasNode := strings.Cut(name, "#")
	if inputs[name] == nil {
		return w
	}
	file := inputFile(c.t, c.files, name, c.scale)
	if cold {
		forget(c.t, file)
	}
	if hasNode {
		file += "#" + node
	}
	return before + file
}

// compiled is the description of unequal records as a module for Python.
func (c *comparison) compiled() string {
	schema, err := filepath.Abs(inputFile(c.t, c.files, "unequal.ksy", 1))
	if err != nil {
		c.t.Fatal(err)
	}
	const script = `require("kaitai-struct-compiler").compile("python", require("js-yaml").load(require("fs").readFileSync(process.argv[1], "utf8")))` +
		`.then(t => require("fs").writeFileSync(process.argv[1] + ".py", Object.values(t)[0]))`
	if _, err := os.Stat(schema + ".py"); err != nil {
		said, err := shell(c.t.Context(), "{ "+npm+"; } && node -e '"+script+"' "+schema)
		if err != nil {
			c.t.Skipf("no compiler of Kaitai Struct: %v: %s", err, said)
		}
	}
	return schema + ".py"
}

// sample is how often each is run, and what it took.
type sample struct {
	cold spent
	warm []spent
}

func (s sample) median(of func(spent) float64) float64 {
	var all []float64
	for _, w := range s.warm {
		all = append(all, of(w))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func wall(s spent) float64 { return s.Wall }
func used(s spent) float64 { return s.CPU }
func peak(s spent) float64 { return float64(max(s.Peak, s.Own)) / 1e6 }
func own(s spent) float64  { return float64(s.Own) / 1e6 }
func disk(s spent) float64 { return float64(s.Disk) / 1e6 }

// compare does a job once by each with a cold cache, reading what is printed, then in pairs, first the one, then the other first.
func (c *comparison) compare(j job) {
	ours := sample{cold: c.run("", true, j.ours, true, j.say)}
	theirs := sample{cold: c.run(j.peer, true, j.theirs, true, j.says)}
	both := []func(){
		func() { ours.warm = append(ours.warm, c.run("", false, j.ours, false, "")) },
		func() { theirs.warm = append(theirs.warm, c.run(j.peer, false, j.theirs, false, "")) },
	}
	for i := range c.pairs {
		both[i%2]()
		both[1-i%2]()
	}
	cpuRatio, cpuText := pairRatio(ours, theirs, used)
	wallRatio, wallText := pairRatio(ours, theirs, wall)
	goal := ""
	if j.goal > 0 {
		goal = c.verdict(max(cpuRatio, wallRatio), j.goal, j.what+" beside "+j.peer)
	}
	less := "–" // where the rest is no more than what clocks tell
	if a, b := ours.median(used)-c.start[""], theirs.median(used)-c.start[j.peer]; b > 0.02 {
		less = fmt.Sprintf("%.2f", max(a, 0)/b)
	}
	c.rows = append(c.rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", j.what, j.peer,
		pairOf(ours, theirs, wall), pairOf(ours, theirs, used), wallText, cpuText, less, pairOf(ours, theirs, peak), pairOf(ours, theirs, own),
		figures(disk(ours.cold))+" / "+figures(disk(theirs.cold)), goal))
	if j.peer == "fq" {
		c.rates = append(c.rates, fmt.Sprintf("| %s | lines printed, a CPU second | %s / %s | |", j.what,
			thousands(float64(ours.cold.Lines)/ours.median(used)), thousands(float64(theirs.cold.Lines)/theirs.median(used))))
	}
}

// verdict says whether a ratio meets its goal, and notes it where it doesn't.
func (c *comparison) verdict(ratio, goal float64, what string) string {
	if ratio <= goal {
		return fmt.Sprintf("≤ %g met", goal)
	}
	c.missed = append(c.missed, fmt.Sprintf("%s: %.2f, to be at most %g", what, ratio, goal))
	return fmt.Sprintf("≤ %g **missed**", goal)
}

// pairRatio is the median of the ratios of pairs, with their spread as text.
func pairRatio(a, b sample, of func(spent) float64) (float64, string) {
	var all []float64
	for i := range a.warm {
		all = append(all, of(a.warm[i])/of(b.warm[i]))
	}
	return spreadOf(all)
}

func spreadOf(all []float64) (median float64, text string) {
	slices.Sort(all)
	median = all[len(all)/2]
	return median, fmt.Sprintf("%.2f (%.2f–%.2f)", median, all[0], all[len(all)-1])
}

func pairOf(a, b sample, of func(spent) float64) string {
	return figures(a.median(of)) + " / " + figures(b.median(of))
}

// figures is a number with two figures that tell, as far as it has a fraction.
func figures(v float64) string {
	digits := 0
	if v < 10 && v > 0 {
		digits = min(2, 1-int(math.Floor(math.Log10(v))))
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// thousands is a whole number with commas.
func thousands(v float64) string {
	s := strconv.FormatInt(int64(v), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// nodeRate counts the nodes that a search of 2 million specs goes through a CPU second, its start and its tables included.
func (c *comparison) nodeRate(t *testing.T, only *regexp.Regexp) {
	if !only.MatchString(t.Name()) {
		return
	}
	c.t = t
	nodes := float64(c.run("", false, "tree specs.usdc", true, "World").Lines - 1) // less the titles
	var all []float64
	for range c.pairs {
		all = append(all, nodes/c.run("", false, "search specs.usdc not-there", false, "").CPU)
	}
	slices.Sort(all)
	const goal = 2e6
	said := "≥ 2,000,000 met"
	if rate := all[len(all)/2]; rate < goal {
		said = "≥ 2,000,000 **missed**"
		c.missed = append(c.missed, fmt.Sprintf("nodes searched a CPU second: %s", thousands(rate)))
	}
	c.rates = append(c.rates, fmt.Sprintf("| a search of %s nodes of a crate | nodes a CPU second | %s (%s–%s) | %s |",
		thousands(nodes), thousands(all[len(all)/2]), thousands(all[0]), thousands(all[len(all)-1]), said))
}

// firstFrame has ../e2e compare the window's start with an empty window's.
func (c *comparison) firstFrame(t *testing.T, only *regexp.Regexp) {
	if !only.MatchString(t.Name()) {
		return
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-tags", "e2e", "-run", "^$", "-bench", "^BenchmarkFirstFrame$", "-benchtime",
		strconv.Itoa(2*c.pairs)+"x", "../e2e")
	out, err := cmd.CombinedOutput()
	values := make(map[string]float64)
	for _, m := range regexp.MustCompile(`([\d.]+) ([\w-]+)`).FindAllSubmatch(out, -1) {
		values[string(m[2])], _ = strconv.ParseFloat(string(m[1]), 64) // digits
	}
	if err != nil || values["x-frame"] == 0 {
		t.Skipf("no first frame: %v: %s", err, out)
	}
	c.rates = append(c.rates, fmt.Sprintf("| start to first frame / of an empty window of Fyne | ms | %.0f / %.0f, ratio %.2f (%.2f–%.2f) | %s |",
		values["ms-frame"], values["ms-empty"], values["x-frame"], values["x-frame-least"], values["x-frame-most"],
		c.verdict(values["x-frame"], 1.3, "start to first frame")),
		fmt.Sprintf("| the same | ms of processor time | %.0f / %.0f, ratio %.2f (%.2f–%.2f) | |",
			values["ms-frame-cpu"], values["ms-empty-cpu"], values["x-cpu"], values["x-cpu-least"], values["x-cpu-most"]))
}

// write writes the figures into the page, between the marks.
func (c *comparison) write(t *testing.T) {
	const page, begin, end = "../docs/performance.md", "<!-- peers -->\n", "<!-- peers end -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %s", page, begin)
	}
	machine, err1 := shell(t.Context(), "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1; awk '/MemTotal/ {printf \"%.0f GB\", $2/1e6}' /proc/meminfo")
	commit, err2 := shell(t.Context(), "git rev-parse --short=12 HEAD")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	machine = strings.ReplaceAll(machine, "\n", ", ")
	var b strings.Builder
	fmt.Fprintf(&b, "On %s, of %d pairs each: %d processors (%s), %s, %s, commit %s. Peers: %s.\n\n", time.Now().Format(time.DateOnly), c.pairs,
		runtime.NumCPU(), machine, runtime.GOOS+"/"+runtime.GOARCH, runtime.Version(), commit, strings.Join(c.versions, ", "))
	fmt.Fprintf(&b, "| what | beside | wall s | CPU s | wall ratio | CPU ratio | less the starts | MB resident | MB of its own | MB from the disk | goal |\n"+
		"| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |\n%s\n\n", strings.Join(c.rows, "\n"))
	fmt.Fprintf(&b, "| what | | figure | goal |\n| --- | --- | --: | --- |\n%s\n\n", strings.Join(c.rates, "\n"))
	if len(c.missed) == 0 {
		b.WriteString("All goals are met.\n")
	} else {
		fmt.Fprintf(&b, "Missed:\n\n- %s\n", strings.Join(c.missed, "\n- "))
	}
	if err := os.WriteFile(page, []byte(head+begin+b.String()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
